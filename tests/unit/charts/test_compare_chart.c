/* SPDX-License-Identifier: BSD-3-Clause
 * Comparisons as pictures: the content for 1 to 12 machines with up to 500 points, and its readability. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carm/chart/chart_compare.h"
#include "render/page/style.h"
#include "tests/support/fixtures.h"
#include "tests/support/readable.h"

enum { MAX_MACHINES = 14 };

static const struct {
    const char *uarch, *host;
    unsigned cores;
    double compute, memory; /* against the first */
} MACHINES[MAX_MACHINES] = {
    {"Granite Rapids (Redwood Cove)", "granite01", 128, 1, 1},
    {"Zen 4", "genoa-node-17", 96, 0.52, 1.2},
    {"Zen 5", "turin", 128, 1.02, 1.5},
    {"Sapphire Rapids (Golden Cove)", "spr001.cluster.example.org", 56, 0.997, 0.7},
    {"Cascade Lake", "clx", 24, 0.8, 0.4},
    {"Haswell", "an-old-machine-with-a-long-name", 18, 0.3, 0.15},
    {"Ice Lake", "icl", 40, 0.9, 0.6},
    {"Zen 3", "milan", 64, 0.5, 0.6},
    {"", "unknown", 4, 0.2, 0.1},
    {"Zen 3", "milan2", 64, 0.5, 0.61},
    {"Emerald Rapids", "emr", 60, 1, 0.8},
    {"Alder Lake", "laptop", 1, 1.1, 0.9},
    {"Zen 2", "rome", 64, 0.45, 0.5},
    {"Skylake", "skx", 28, 0.85, 0.35},
};

struct scene {
    size_t count;
    struct result results[MAX_MACHINES];
    struct model models[MAX_MACHINES];
    struct compare_side sides[MAX_MACHINES];
    struct comparison comparison;
};

static double uniform(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 40) / 0x1p24;
}

/* An application on all cores, anywhere below the roofs; at a different place on each machine. */
static struct app_point point_of(const char *name, unsigned cores, uint64_t *seed) {
    struct app_point p = fixture_point(name);
    const double flop = 1e9, intensity = exp2(-6 + 10 * uniform(seed)), seconds = 0.01 * exp2(6 * uniform(seed));
    p.threads = cores;
    p.flop = app_once(flop);
    p.load_bytes = app_once(flop / intensity);
    p.store_bytes = app_once(0);
    p.seconds = app_once(seconds);
    p.clock_hz = 3e9;
    return p;
}

static void scene_make(struct scene *s, size_t machines, size_t points) {
    memset(s, 0, sizeof *s);
    for (size_t i = 0; i < machines; i++) {
        struct result *r = &s->results[s->count++];
        uint64_t seed = 7 * i + 1;
        *r = fixture_result(fixture_machine(MACHINES[i].cores, FIXTURE_AVX512), NULL);
        snprintf(r->uarch, sizeof r->uarch, "%s", MACHINES[i].uarch);
        snprintf(r->machine.host, sizeof r->machine.host, "%s", MACHINES[i].host);
        for (size_t k = 0; k < r->sample_count; k++) {
            const double factor = r->samples[k].kind == SAMPLE_COMPUTE ? MACHINES[i].compute : MACHINES[i].memory;
            r->samples[k].value *= factor;
            r->samples[k].per_cycle *= factor;
            r->samples[k].doubts = i % 3 == 1 ? DOUBTS(DOUBT_UNSTABLE) : NO_DOUBTS;
        }
        r->points = calloc(points + 1, sizeof *r->points);
        for (size_t k = 0; k < points; k++) {
            char name[64];
            snprintf(name, sizeof name, k % 5 ? "solver/region %zu" : "program %zu", k);
            r->points[r->point_count++] = point_of(name, MACHINES[i].cores, &seed);
        }
        s->models[i] = model_build(r);
        s->sides[i] = (struct compare_side){.model = &s->models[i], .path = "x.json"};
    }
    if (machines == 1) { /* as when carmine compares a file with itself */
        s->sides[0].cores = 1;
        s->sides[1] = s->sides[0];
        s->sides[1].cores = ROOF_ALL_CORES;
    }
    compare_label(s->sides, machines == 1 ? 2 : machines);
    s->comparison = compare_make(s->sides, machines == 1 ? 2 : machines, 0);
}

static void scene_free(struct scene *s) {
    compare_free(&s->comparison);
    for (size_t i = 0; i < s->count; i++) {
        model_free(&s->models[i]);
        results_free(&s->results[i]);
    }
}

/* An application on all cores with this many flop/s at one flop per byte. */
static void add_point(struct scene *s, size_t side, const char *name, double flop_per_s) {
    struct result *r = &s->results[side];
    r->points = realloc(r->points, (r->point_count + 1) * sizeof *r->points);
    struct app_point *p = &r->points[r->point_count++];
    *p = fixture_point(name);
    p->threads = MACHINES[side].cores;
    p->flop = p->load_bytes = app_once(1e9);
    p->store_bytes = app_once(0);
    p->seconds = app_once(1e9 / flop_per_s);
}

static void overlay_of(const struct scene *s, const struct picture_view *view, struct picture *out) {
    struct error err = {""};
    if (!overlay_make(&s->comparison, view, out, &err))
        fail_msg("%s", err.text);
}

static void ratios_of(const struct scene *s, const struct picture_view *view, struct picture *out) {
    struct error err = {""};
    if (!ratios_make(&s->comparison, view, &(struct chart_options){0}, out, &err))
        fail_msg("%s", err.text);
}

static void is_readable(const struct plot *plot, double width, double height) {
    struct page page;
    char text[160];
    const char *trouble = plot_trouble(plot, width, height, text, sizeof text);
    if (trouble)
        fail_msg("%s", trouble);
    layout_plot(&page, plot, width, height, &metrics);
    assert_readable(&page);
    page_free(&page);
}

/* Crowds are laid out once, because that takes time. */
static void no_labels_overlap(void **state) {
    static const size_t machines[] = {1, 2, 6, 12}, points[] = {0, 1, 50, 500};
    (void)state;
    for (size_t m = 0; m < 4; m++)
        for (size_t p = 0; p < 4; p++) {
            static struct scene s;
            const bool crowd = points[p] > 1;
            scene_make(&s, machines[m], points[p]);
            for (int per = PER_MACHINE; per <= (crowd ? PER_MACHINE : PER_CYCLE); per++) {
                struct picture picture;
                const struct picture_view view = {.per = (enum compare_per)per};
                if (s.comparison.side_count <= COMPARE_COLUMNS) {
                    overlay_of(&s, &view, &picture);
                    is_readable(&picture.plot, PLOT_WIDTH, PLOT_HEIGHT);
                    if (!crowd)
                        is_readable(&picture.plot, 640, 480);
                    picture_free(&picture);
                }
                ratios_of(&s, &view, &picture);
                is_readable(&picture.plot, PLOT_WIDTH,
                            fmax(chart_rows_page(&picture.plot, &plot_styles[0]), PLOT_HEIGHT));
                picture_free(&picture);
            }
            scene_free(&s);
        }
}

static bool same_color(struct plot_color a, struct plot_color b) {
    return a.r == b.r && a.g == b.g && a.b == b.b;
}

static const struct plot_line *line_named(const struct plot *plot, const char *label) {
    for (size_t i = 0; i < plot->line_count; i++)
        if (plot->lines[i].label && strcmp(plot->lines[i].label, label) == 0)
            return &plot->lines[i];
    fail_msg("no line %s", label);
    return NULL;
}

static bool has_note(const struct plot *plot, const char *part) {
    for (size_t i = 0; i < plot->note_count; i++)
        if (strstr(plot->notes[i], part))
            return true;
    return false;
}

/* A colour per machine, a dash pattern per level; labels name the machine. */
static void lines_say_machine_and_level(void **state) {
    static struct scene s;
    struct picture picture;
    (void)state;
    scene_make(&s, 2, 0);
    overlay_of(&s, &(struct picture_view){0}, &picture);
    const struct plot *plot = &picture.plot;
    const struct plot_line *own = line_named(plot, "Granite Rapids (128 cores) L2"),
                           *other = line_named(plot, "Zen 4 (96 cores) L2 ▲"),
                           *dram = line_named(plot, "Zen 4 (96 cores) DRAM ▲"),
                           *peak = line_named(plot, "Zen 4 (96 cores) ▲");
    assert_true(same_color(own->color, picture_color(0)) && same_color(other->color, picture_color(1)));
    assert_false(same_color(own->color, other->color));
    assert_true(own->dash == other->dash && own->dash != dram->dash);
    const struct compare_row *row = picture_headline(&s.comparison, SAMPLE_BANDWIDTH, "L2", ROOF_ALL_CORES);
    assert_near(other->y[0] / other->x[0], row->roofs[1]->sample->value);
    row = picture_headline(&s.comparison, SAMPLE_COMPUTE, "f64", ROOF_ALL_CORES);
    assert_near(peak->y[0], row->roofs[1]->sample->value);
    assert_near(other->y[1], peak->y[0]); /* it ends at its own machine's peak */
    assert_string_equal(plot->title, "Granite Rapids (128 cores) and Zen 4 (96 cores) · f64 · all cores");
    assert_contains(plot->subtitle, "genoa-node-17, 2026-11-20");
    assert_true(has_note(plot, "some roofs of Zen 4 (96 cores) are doubtful;"));
    picture_free(&picture);
    overlay_of(&s, &(struct picture_view){.cores = 1, .type = "f32", .per = PER_CORE}, &picture);
    assert_string_equal(picture.plot.title,
                        "Granite Rapids (128 cores) and Zen 4 (96 cores) · f32 · one core · per core");
    assert_string_equal(picture.plot.y.title, "Performance  [Gflop/s per core]");
    picture_free(&picture);
    overlay_of(&s, &(struct picture_view){.per = PER_CYCLE}, &picture);
    assert_string_equal(picture.plot.y.title, "Performance  [flop/cycle per core]");
    assert_near(line_named(&picture.plot, "Zen 4 (96 cores) ▲")->y[0], row->roofs[1]->sample->per_cycle);
    picture_free(&picture);
    scene_free(&s);
    scene_make(&s, 6, 0);
    overlay_of(&s, &(struct picture_view){0}, &picture);
    assert_string_equal(picture.plot.title, "6 machines of 18 to 128 cores · f64 · all cores");
    line_named(&picture.plot, "C  Zen 5 (128 cores)");
    line_named(&picture.plot, "C DRAM");
    for (size_t i = 0; i < 6; i++)
        for (size_t k = 0; k < i; k++)
            assert_false(same_color(picture_color(i), picture_color(k)));
    picture_free(&picture);
    scene_free(&s);
}

static void integers_are_op(void **state) {
    struct sample samples[] = {
        {.kernel = "avx512.i8.dot", .kind = SAMPLE_COMPUTE, .threads = 1, .value = 8e11, .per_cycle = 256},
        {.kernel = "avx2.load",
         .level = "L1",
         .kind = SAMPLE_BANDWIDTH,
         .threads = 1,
         .value = 4e11,
         .per_cycle = 128}};
    struct result r = {.sample_count = 2, .samples = samples};
    struct model model = model_build(&r);
    struct compare_side sides[] = {{.model = &model, .path = "a.json", .label = "A"},
                                   {.model = &model, .path = "b.json", .label = "B"}};
    struct scene s = {.comparison = compare_make(sides, 2, 0)};
    struct picture picture;
    (void)state;
    overlay_of(&s, &(struct picture_view){.type = "i8", .cores = 1}, &picture);
    assert_string_equal(picture.plot.y.title, "Performance  [Gop/s]");
    assert_contains(picture.plot.x.title, "[op per byte");
    assert_contains(picture.plot.lines[0].sublabel, "Gop/s");
    picture_free(&picture);
    overlay_of(&s, &(struct picture_view){.type = "i8", .cores = 1, .per = PER_CYCLE}, &picture);
    assert_string_equal(picture.plot.y.title, "Performance  [op/cycle per core]");
    assert_contains(picture.plot.lines[0].sublabel, "256 op/cycle");
    picture_free(&picture);
    compare_free(&s.comparison);
    model_free(&model);
}

/* Equal heights on several machines are one line, with all their names. */
static void equal_lines_are_one(void **state) {
    static struct scene s;
    struct picture picture;
    (void)state;
    scene_make(&s, 3, 0);
    for (size_t i = 0; i < s.results[0].sample_count; i++)
        for (size_t side = 0; side < 3; side++) {
            s.results[side].samples[i].doubts = NO_DOUBTS;
            if (s.results[side].samples[i].kind == SAMPLE_COMPUTE)
                s.results[side].samples[i].value = s.results[0].samples[i].value * (side == 2 ? 1.005 : 1);
        }
    overlay_of(&s, &(struct picture_view){0}, &picture);
    const struct plot_line *line =
        line_named(&picture.plot, "Granite Rapids (128 cores), Zen 4 (96 cores), Zen 5 (128 cores)");
    assert_true(line->label_place == PLOT_LABEL_END);
    size_t ceilings = 0;
    for (size_t i = 0; i < picture.plot.line_count; i++)
        ceilings += picture.plot.lines[i].label_place == PLOT_LABEL_END;
    assert_int_equal(ceilings, 1);
    line_named(&picture.plot, "Zen 4 (96 cores) DRAM");
    picture_free(&picture);
    scene_free(&s);
}

static void one_file_has_a_line_per_number_of_cores(void **state) {
    static struct scene s;
    struct picture picture;
    (void)state;
    scene_make(&s, 1, 0);
    overlay_of(&s, &(struct picture_view){0}, &picture);
    assert_string_equal(picture.plot.title, "Granite Rapids · one core and all cores · f64");
    line_named(&picture.plot, "all cores L1");
    assert_string_equal(picture.plot.subtitle, "granite01, 2026-11-20");
    picture_free(&picture);
    add_point(&s, 0, "solve", 1e12);
    add_point(&s, 0, "serial", 1e9);
    s.results[0].points[1].threads = 1;
    add_point(&s, 0, "no flop", 1e9);
    s.results[0].points[2].flop = app_once(0);
    overlay_of(&s, &(struct picture_view){0}, &picture);
    assert_int_equal(picture.plot.point_count, 2);
    assert_true(has_note(&picture.plot, "not drawn: 1 application "));
    picture_free(&picture);
    ratios_of(&s, &(struct picture_view){0}, &picture);
    assert_string_equal(picture.plot.x.title, "Ratio to one core");
    picture_free(&picture);
    scene_free(&s);
}

static const struct plot_point *point_at(const struct plot *plot, double y) {
    for (size_t i = 0; i < plot->point_count; i++)
        if (fabs(plot->points[i].y - y) < 1e-6 * y)
            return &plot->points[i];
    fail_msg("no point at %g", y);
    return NULL;
}

static void arrows_tell_how_much_faster(void **state) {
    static struct scene s;
    struct picture picture;
    (void)state;
    scene_make(&s, 2, 0);
    add_point(&s, 0, "solve", 1e12);
    add_point(&s, 1, "solve", 1.35e12);
    add_point(&s, 0, "slow", 1e11);
    add_point(&s, 1, "slow", 0.97e11);
    add_point(&s, 1, "alone", 2e11);
    add_point(&s, 1, "serial", 2e9);
    s.results[1].points[3].threads = 1; /* not drawn beside roofs of all cores */
    overlay_of(&s, &(struct picture_view){0}, &picture);
    size_t arrows = 0;
    for (size_t i = 0; i < picture.plot.line_count; i++) {
        const struct plot_line *line = &picture.plot.lines[i];
        arrows += line->arrow;
        if (line->arrow && line->y[1] > 1e12) {
            assert_near(line->y[0], 1e12);
            assert_near(line->y[1], 1.35e12);
            assert_true(same_color(line->color, picture_color(1)));
        }
    }
    assert_int_equal(arrows, 2);
    assert_int_equal(picture.plot.point_count, 5);
    const struct plot_point *start = point_at(&picture.plot, 1e12), *end = point_at(&picture.plot, 1.35e12);
    assert_true(start->hollow && !start->label && !end->hollow && start->shape == end->shape);
    assert_string_equal(end->label, "solve");
    assert_string_equal(end->sublabel, "+35 %");
    assert_string_equal(point_at(&picture.plot, 0.97e11)->sublabel, "−3 %");
    assert_string_equal(point_at(&picture.plot, 2e11)->label, "alone");
    assert_null(point_at(&picture.plot, 2e11)->sublabel);
    assert_true(has_note(&picture.plot, "not drawn: 1 application with other threads"));
    assert_contains(picture.plot.footer, "Arrows lead");
    picture_free(&picture);
    overlay_of(&s, &(struct picture_view){.cores = 1}, &picture);
    assert_int_equal(picture.plot.point_count, 1);
    picture_free(&picture);
    for (size_t side = 0; side < 2; side++)
        for (size_t i = 0; i < s.results[side].point_count; i++)
            s.results[side].points[i].threads = 1;
    compare_free(&s.comparison);
    s.comparison = compare_make(s.sides, 2, 0);
    overlay_of(&s, &(struct picture_view){0},
               &picture); /* all common points are of one thread: the roofs are of one core */
    assert_contains(picture.plot.title, "one core");
    picture_free(&picture);
    overlay_of(&s, &(struct picture_view){.cores = ROOF_ALL_CORES}, &picture);
    assert_contains(picture.plot.title, "all cores");
    picture_free(&picture);
    scene_free(&s);
    scene_make(&s, 4, 0); /* with several arrows the name is at their origin */
    for (size_t i = 0; i < 4; i++)
        add_point(&s, i, "solve", 1e11 * (double)(i + 1));
    overlay_of(&s, &(struct picture_view){0}, &picture);
    start = point_at(&picture.plot, 1e11), end = point_at(&picture.plot, 3e11);
    assert_string_equal(start->label, "solve");
    assert_false(start->optional);
    assert_string_equal(end->label, "C +200 %");
    assert_true(end->optional);
    picture_free(&picture);
    scene_free(&s);
}

static void crowds_have_labels_where_there_is_room(void **state) {
    static struct scene s;
    struct picture picture;
    (void)state;
    scene_make(&s, 2, 500);
    overlay_of(&s, &(struct picture_view){0}, &picture);
    assert_int_equal(picture.plot.point_count, 2 * OVERLAY_POINTS);
    for (size_t i = 0; i < picture.plot.point_count; i++)
        assert_true(picture.plot.points[i].optional && picture.plot.points[i].near);
    assert_true(has_note(&picture.plot, "not drawn: "));
    picture_free(&picture);
    scene_free(&s);
}

/* Bars: one per machine and row, from the base's side of the list; the number is its ratio. */
static void bars_are_ratios(void **state) {
    static struct scene s;
    struct picture picture;
    (void)state;
    scene_make(&s, 3, 0);
    ratios_of(&s, &(struct picture_view){0}, &picture);
    const struct plot *plot = &picture.plot;
    assert_int_equal(plot->band_count, 2 * plot->y.name_count);
    assert_int_equal(plot->y.name_count, 10); /* f64, f32, four bandwidths, four latencies */
    assert_string_equal(plot->y.names[9], "f64 peak");
    assert_string_equal(plot->y.names[0], "DRAM latency, one core ↓");
    const struct compare_row *row = picture_headline(&s.comparison, SAMPLE_COMPUTE, "f64", ROOF_ALL_CORES);
    const double ratio = compare_ratio(&s.comparison, row, 1, PER_MACHINE);
    assert_true(plot->bands[0].x[0] == 1);
    assert_near(plot->bands[0].x[1], ratio);
    assert_string_equal(plot->bands[0].label, "0.390 ▲");
    assert_string_equal(plot->bands[0].legend, "Zen 4 (96 cores)");
    assert_true(plot->bands[0].y_low[0] > plot->bands[1].y_high[0]); /* the first one above the second */
    assert_true(plot->bands[1].y_low[0] > 8.5);                      /* both in the row's place */
    assert_true(plot->mark_count == 2 && plot->marks[0].at == 1 && plot->marks[1].at == 3.5);
    picture_free(&picture);
    ratios_of(&s, &(struct picture_view){.type = "f32", .per = PER_CYCLE}, &picture);
    assert_int_equal(picture.plot.y.name_count, 9);
    assert_string_equal(picture.plot.x.title, "Ratio to Granite Rapids (128 cores), per cycle and core");
    row = picture_headline(&s.comparison, SAMPLE_COMPUTE, "f32", ROOF_ALL_CORES);
    assert_near(picture.plot.bands[0].x[1], compare_ratio(&s.comparison, row, 1, PER_CYCLE));
    picture_free(&picture);
    scene_free(&s);
}

/* Visible if possible: over the bar's end, and the number beyond it. */
static void bars_have_intervals(void **state) {
    static struct scene s;
    struct picture picture;
    (void)state;
    scene_make(&s, 2, 0);
    for (size_t i = 0; i < 2; i++)
        fixture_intervals(&s.results[i], 0.005, 0.005);
    ratios_of(&s, &(struct picture_view){0}, &picture);
    assert_int_equal(picture.plot.band_count, 10); /* 1 % is not drawn */
    picture_free(&picture);
    const struct compare_row *peak = picture_headline(&s.comparison, SAMPLE_COMPUTE, "f64", ROOF_ALL_CORES);
    fixture_sample_of(&s.results[1], peak->roofs[1]->sample->kernel, "", MACHINES[1].cores)->low *= 0.9;
    ratios_of(&s, &(struct picture_view){0}, &picture);
    const struct plot_band *bar = &picture.plot.bands[0], *interval = &picture.plot.bands[1];
    assert_int_equal(picture.plot.band_count, 11);
    assert_near(interval->x[1], bar->x[1] * 0.9 * 0.995 / 1.005); /* the ratio is below 1 */
    assert_near(interval->x[0], bar->x[1] * 1.005 / 0.995);
    assert_true(interval->y_low[0] > bar->y_low[0] && interval->y_high[0] < bar->y_high[0]);
    assert_null(bar->label);
    assert_string_equal(interval->label, "0.390 ▲");
    assert_string_equal(interval->legend, "uncertainty");
    is_readable(&picture.plot, PLOT_WIDTH, PLOT_HEIGHT);
    picture_free(&picture);
    fixture_intervals(&s.results[0], 1, 1); /* the interval begins at zero: any ratio is possible */
    ratios_of(&s, &(struct picture_view){0}, &picture);
    assert_int_equal(picture.plot.band_count, 10);
    picture_free(&picture);
    scene_free(&s);
}

static void of_many_machines_strips_name_the_ends(void **state) {
    static struct scene s;
    struct picture picture;
    (void)state;
    scene_make(&s, 14, 0);
    ratios_of(&s, &(struct picture_view){0}, &picture);
    size_t named = 0, dots = picture.plot.point_count;
    for (size_t i = 0; i < dots; i++)
        named += picture.plot.points[i].label != NULL;
    assert_int_equal(picture.plot.band_count, 0);
    assert_int_equal(dots, 10 * 13); /* the laptop's one core is all its cores */
    assert_int_equal(named, 10 * 2);
    picture_free(&picture);
    scene_free(&s);
}

/* Colour or shape tell any two of them apart, and the legend names each. */
static void a_few_machines_have_looks_of_their_own(void **state) {
    static struct scene s;
    struct picture picture;
    (void)state;
    scene_make(&s, 12, 0);
    ratios_of(&s, &(struct picture_view){0}, &picture);
    const struct plot_point *points = picture.plot.points;
    assert_int_equal(picture.plot.point_count, 10 * 11);
    for (size_t i = 0; i < picture.plot.point_count; i++)
        for (size_t k = 0; k < i; k++)
            assert_int_equal(same_color(points[i].color, points[k].color) && points[i].shape == points[k].shape,
                             strcmp(points[i].legend, points[k].legend) == 0);
    picture_free(&picture);
    scene_free(&s);
}

/* Dots at most so far apart in x, in points of the plot, are in lanes of their own; lanes are at least as high as dots
 * on a page of the picture's height. A paper has six rows, and room for all of its legend. */
static void dots_of_a_few_do_not_hide_each_other(void **state) {
    static struct scene s;
    (void)state;
    scene_make(&s, 12, 0);
    for (int paper = 0; paper < 2; paper++) {
        struct picture picture;
        struct error err = {""};
        const struct chart_options options = {.style = plot_style_named(paper ? "paper" : "screen")};
        assert_true(ratios_make(&s.comparison, &(struct picture_view){0}, &options, &picture, &err));
        const struct plot *plot = &picture.plot;
        const double decades = log(plot->x.max / plot->x.min), width = picture_width(&options) - 190,
                     row = plot->rows_height / (double)plot->y.name_count;
        assert_int_equal(plot->y.name_count, paper ? 6 : 10);
        assert_true(plot->x.scale == PLOT_LOG10 && (!paper || chart_rows_page(plot, options.style) > 181));
        for (size_t i = 0; i < plot->point_count; i++)
            for (size_t k = 0; k < i; k++) {
                const double x = fabs(log(plot->points[i].x / plot->points[k].x)) / decades * width,
                             y = fabs(plot->points[i].y - plot->points[k].y) * row;
                assert_true(x > 8.9 || y > 8.9);
            }
        picture_free(&picture);
    }
    scene_free(&s);
}

static void what_cannot_be_drawn_is_refused(void **state) {
    static struct scene s;
    struct picture picture;
    struct error err = {""};
    (void)state;
    scene_make(&s, 7, 0);
    assert_false(overlay_make(&s.comparison, &(struct picture_view){0}, &picture, &err));
    assert_contains(err.text, "7 machines over each other");
    assert_contains(err.text, "--chart ratios");
    scene_free(&s);
    scene_make(&s, 2, 0);
    assert_false(overlay_make(&s.comparison, &(struct picture_view){.type = "bf16"}, &picture, &err));
    assert_contains(err.text, "holds a bf16 ceiling of all cores");
    assert_false(overlay_make(&s.comparison, &(struct picture_view){.cores = 3}, &picture, &err));
    assert_contains(err.text, "f64 ceiling of 3 cores");
    compare_free(&s.comparison);
    model_free(&s.models[1]);
    s.results[1].sample_count = 0;
    s.models[1] = model_build(&s.results[1]);
    s.comparison = compare_make(s.sides, 2, 0);
    assert_false(ratios_make(&s.comparison, &(struct picture_view){0}, &(struct chart_options){0}, &picture, &err));
    assert_contains(err.text, "no roof in common");
    overlay_of(&s, &(struct picture_view){0}, &picture); /* only the other one, and the missing machine */
    assert_true(has_note(&picture.plot, "no f64 ceiling of these cores: Zen 4"));
    picture_free(&picture);
    assert_false(chart_overlay(&s.comparison, &(struct picture_view){0}, &(struct chart_options){0},
                               fixture_path("x.jpeg"), &err));
    assert_contains(err.text, "jpeg");
    assert_int_equal(fixture_folder_count(false), 0);
    scene_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_labels_overlap),
        cmocka_unit_test(lines_say_machine_and_level),
        cmocka_unit_test(integers_are_op),
        cmocka_unit_test(equal_lines_are_one),
        cmocka_unit_test(one_file_has_a_line_per_number_of_cores),
        cmocka_unit_test(arrows_tell_how_much_faster),
        cmocka_unit_test(crowds_have_labels_where_there_is_room),
        cmocka_unit_test(bars_are_ratios),
        cmocka_unit_test(bars_have_intervals),
        cmocka_unit_test(of_many_machines_strips_name_the_ends),
        cmocka_unit_test(a_few_machines_have_looks_of_their_own),
        cmocka_unit_test(dots_of_a_few_do_not_hide_each_other),
        cmocka_unit_test(what_cannot_be_drawn_is_refused),
    };
    return cmocka_run_group_tests(tests, fixture_folder_make, fixture_folder_remove);
}
