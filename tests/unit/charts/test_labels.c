/* SPDX-License-Identifier: BSD-3-Clause
 * Labels of generated results, in all charts of the table, all styles and widths, with up to 40 points and 13 machines:
 * none overlaps another, leaves the page, covers a line, a bar, a marker or a leader, or is nearer to another roof or
 * marker than to its own; every roof and bar has its number (with all ceilings a column has no room for them), every
 * point its name or a number, every number its row in a list; named lines differ in colour for everybody, or in dash;
 * type is as large as the style says, and no title is cut; a paper keeps most of its height for the axes (48 % beside
 * four or more rows of the legend). CARMINE_LABELS=N takes N results of each kind instead of a sample. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "carm/chart/chart.h"
#include "carm/chart/chart_compare.h"
#include "render/layout/trace.h"
#include "render/page/style.h"
#include "tests/support/chance.h"
#include "tests/support/fixtures.h"
#include "tests/support/cores.h"
#include "tests/support/memories.h"
#include "tests/support/readable.h"
#include "tests/support/series.h"
#include "tests/support/sights.h"

enum { SAMPLE = 24, MOST_POINTS = 40, MOST_MACHINES = 13, MOST_BESIDE_LEGEND = 25 };

/* How many results of each kind. */
static size_t turns(void) {
    const char *text = getenv("CARMINE_LABELS");
    return text && atoi(text) > 0 ? (size_t)atoi(text) : SAMPLE;
}

/* A line and a label may touch. */
static const double TOUCHING = 0.5;

/* What is drawn now, for messages. */
static const char *chart_name;
static size_t result_number, pages_seen;
static const struct plot_style *style_now;
static double width_now; /* of the page, in points */

/* The pages of each chart: a paper's columns, and of the screen the usual and the least width. */
static const struct {
    const char *style;
    double width_mm; /* 0: the style's; 1: its least */
} PAGES[] = {{"screen", 0},  {"paper", 85}, {"slide", 0},   {"dark", 1},
             {"paper", 120}, {"screen", 1}, {"paper", 180}, {"dark", 0}};
enum { PAGE_COUNT = sizeof PAGES / sizeof *PAGES, MOST_CHARTS = 64 };
static bool drawn_on[MOST_CHARTS][PAGE_COUNT]; /* each chart of the table */

static void choose_page(size_t page) {
    style_now = plot_style_named(PAGES[page % PAGE_COUNT].style);
    const double mm = PAGES[page % PAGE_COUNT].width_mm,
                 least = fmax(style_now->least_width, style_now->least_height * style_now->width / style_now->height);
    width_now = mm > 1 ? mm / 25.4 * 72 : mm > 0 ? least : style_now->width;
}

#define bad(...)                                                                                                       \
    do {                                                                                                               \
        print_message(__VA_ARGS__);                                                                                    \
        print_message(" (%s, %s of %.0f points, result %zu)\n", chart_name, style_now->name, width_now,                \
                      result_number);                                                                                  \
        offences++;                                                                                                    \
    } while (0)
static size_t offences;
static bool all_ceilings;
static size_t names_seen;

/* The length of the line below the box, or its least distance from the box' middle. */
static double measure(const struct page *page, const struct plot *plot, const struct plot_line *line,
                      const struct box *box, bool distance) {
    struct trace trace;
    double covered = 0, least = INFINITY;
    assert_true(trace_make(&trace, plot, &page->plot, line->count, line->x, line->y));
    for (size_t i = 1; i < trace.count; i++) {
        const struct vec a = trace.stops[i - 1].at, b = trace.stops[i].at, c = box->center;
        const double x = b.x - a.x, y = b.y - a.y, length = x * x + y * y;
        const double share = length > 0 ? fmax(0, fmin(1, ((c.x - a.x) * x + (c.y - a.y) * y) / length)) : 0;
        if (trace.stops[i].begins)
            continue;
        covered += box_covers(box, a, b);
        least = fmin(least, hypot(c.x - a.x - share * x, c.y - a.y - share * y));
    }
    trace_free(&trace);
    return distance ? least : covered;
}

/* The nearest line along which this label may be: several machines have an "L1". */
static const struct plot_line *line_of(const struct page *page, const struct plot *plot, const struct primitive *text) {
    const struct plot_line *own = NULL;
    double least = INFINITY;
    for (size_t i = 0; i < plot->line_count; i++) {
        const struct plot_line *line = &plot->lines[i];
        const bool named =
            line->label && line->label_place == PLOT_LABEL_ALONG &&
            (strcmp(line->label, text->text) == 0 || (line->short_label && strcmp(line->short_label, text->text) == 0));
        const double distance = named ? measure(page, plot, line, &text->box, true) : INFINITY;
        if (distance < least)
            least = distance, own = line;
    }
    return own;
}

/* Lines, markers and leaders as they are drawn: marks end where a label begins. */
static void check_drawn(const struct page *page, const struct primitive *text) {
    struct box box = text->box;
    box.half_width -= TOUCHING, box.half_height -= TOUCHING;
    for (size_t i = 0; i < page->count; i++) {
        const struct primitive *p = &page->primitives[i];
        const bool line = p->kind == PAGE_LINE && p->stroke.a > 0 && p->yields, leader = p->part == PAGE_LABELS;
        double covered = 0;
        for (size_t k = 1; k < p->count && p->kind == PAGE_LINE && (line || leader); k++)
            covered += box_covers(&box, page->vertices[p->first + k - 1], page->vertices[p->first + k]);
        if (covered > 0)
            bad("\"%s\" covers a %s", text->text, leader ? "leader" : "reference line");
        const struct box circle = {.center = p->at, .half_width = 0.7 * p->radius, .half_height = 0.7 * p->radius};
        if (p->kind == PAGE_CIRCLE && p->part == PAGE_DATA && box_overlaps(&box, &circle))
            bad("\"%s\" covers a marker", text->text);
    }
}

/* Whether a text of this part begins with these words. */
static bool has_text(const struct page *page, enum page_part part, const char *words) {
    for (size_t i = 0; i < page->count; i++)
        if (page->primitives[i].kind == PAGE_TEXT && page->primitives[i].part == part &&
            strncmp(page->primitives[i].text, words, strlen(words)) == 0)
            return true;
    return false;
}

/* A point's name is beside it, or its number: the legend or the caption lists these. */
static void check_names(const struct page *page, const struct plot *plot) {
    size_t number = 0;
    for (size_t i = 0; i < plot->point_count; i++) {
        const struct plot_point *point = &plot->points[i];
        char row[96], name[64];
        bool found = false;
        if (!point->label || point->optional || point->ghost)
            continue;
        const bool drawn = frame_contains(&page->plot, trace_point(plot, &page->plot, point->x, point->y));
        snprintf(name, sizeof name, "%.20s", point->label);
        found = !point->numbered && has_text(page, PAGE_LABELS, name);
        names_seen++;
        number += point->numbered || (drawn && !found);
        if (!drawn)
            continue;
        found = found || (style_now->captioned && has_number(page, number));
        for (size_t n = 1; n <= plot->point_count && !found && !style_now->captioned; n++) {
            snprintf(row, sizeof row, "%zu: %s", n, name);
            found = has_number(page, n) && has_text(page, PAGE_LEGEND, row);
        }
        if (!found)
            bad("point \"%s\" has neither name nor number, of %zu", point->label, plot->point_count);
    }
}

/* Two named lines of other colours. */
static void check_colors(const struct plot *plot) {
    const char *sight = "";
    for (size_t i = 0; i < plot->line_count; i++)
        for (size_t k = 0; k < i; k++) {
            const struct plot_line *a = &plot->lines[i], *b = &plot->lines[k];
            const struct plot_color p = sights_drawn(a->color, false, style_now),
                                    q = sights_drawn(b->color, false, style_now);
            if (a->count && b->count && a->label && b->label && a->dash == b->dash && a->markers == b->markers &&
                (p.r != q.r || p.g != q.g || p.b != q.b) &&
                sights_least(&p, &q, &sight) < (style_now->dark ? SIGHTS_LEAST_ON_DARK : SIGHTS_LEAST))
                bad("%s and %s look alike: %.1f to %s", a->label, b->label, sights_least(&p, &q, &sight), sight);
        }
}

static void check_label(const struct page *page, const struct plot *plot, const struct primitive *text) {
    struct box box = text->box;
    const struct plot_line *own = line_of(page, plot, text);
    const double distance = own ? measure(page, plot, own, &box, true) : INFINITY;
    box.half_width -= TOUCHING, box.half_height -= TOUCHING;
    for (size_t i = 0; i < plot->line_count; i++) {
        const struct plot_line *line = &plot->lines[i];
        if (!line->clear && measure(page, plot, line, &box, false) > 0)
            bad("\"%s\" covers the line of %s", text->text, line->label ? line->label : "a point");
        if (own && line != own && line->label && measure(page, plot, line, &box, true) < distance - 1)
            bad("\"%s\" is beside the line of %s", text->text, line->label);
    }
}

static bool is_written(const struct page *page, const char *sublabel) {
    char number[160];
    snprintf(number, sizeof number, "%.*s", (int)strcspn(sublabel, "\xE2"), sublabel); /* a warning sign may follow */
    for (size_t i = 0; i < page->count; i++)
        if (page->primitives[i].kind == PAGE_TEXT && strstr(page->primitives[i].text, number))
            return true;
    return false;
}

/* A bar's text is there, and on no bar. */
static void check_bars(const struct page *page, const struct plot *plot) {
    for (size_t i = 0; i < plot->band_count; i++) {
        const struct plot_band *bar = &plot->bands[i];
        size_t texts = 0, bars = 0;
        for (size_t k = 0; k < plot->band_count && bar->label; k++)
            bars += plot->bands[k].label && strcmp(plot->bands[k].label, bar->label) == 0;
        for (size_t k = 0; k < page->count; k++) {
            const struct primitive *p = &page->primitives[k];
            if (p->kind != PAGE_TEXT || p->part != PAGE_LABELS)
                continue;
            texts += bar->label && strcmp(p->text, bar->label) == 0;
            const struct vec low = trace_point(plot, &page->plot, bar->x[0], bar->y_low[0]),
                             high = trace_point(plot, &page->plot, bar->x[bar->count - 1], bar->y_high[0]);
            struct box box =
                box_of_frame((struct frame){fmin(low.x, high.x) + TOUCHING, fmin(low.y, high.y) + TOUCHING,
                                            fmax(low.x, high.x) - TOUCHING, fmax(low.y, high.y) - TOUCHING});
            if (plot->y.name_count && box.half_width > 0 && box.half_height > 0 && box_overlaps(&box, &p->box))
                bad("\"%s\" is on a bar", p->text);
        }
        if (texts < bars)
            bad("a bar without its text \"%s\"", bar->label);
    }
}

/* Whether a leader ends at the label. */
static bool is_led(const struct page *page, const struct box *label) {
    struct box box = *label;
    box.half_width += 1, box.half_height += 1;
    for (size_t i = 0; i < page->count; i++) {
        const struct primitive *p = &page->primitives[i];
        if (p->kind == PAGE_LINE && p->part == PAGE_LABELS && p->count == 2 &&
            box_covers(&box, page->vertices[p->first], page->vertices[p->first + 1]) > 0)
            return true;
    }
    return false;
}

static double distance_of(const struct box *box, struct vec at) {
    return hypot(fmax(0, fabs(at.x - box->center.x) - box->half_width),
                 fmax(0, fabs(at.y - box->center.y) - box->half_height));
}

/* Each number is explained, and no other marker is nearer to it than its own. */
static void check_numbers(const struct page *page, const struct plot *plot) {
    size_t number = 0;
    for (size_t i = 0; i < plot->point_count; i++) {
        char name[32];
        if (!plot->numbered[i])
            continue;
        snprintf(name, sizeof name, "%zu", ++number);
        bool is_mark = false;
        for (size_t k = 0; k < plot->mark_count; k++)
            is_mark |= plot->marks[k].label && strcmp(plot->marks[k].label, name) == 0;
        const struct vec own = trace_point(plot, &page->plot, plot->points[i].x, plot->points[i].y);
        for (size_t k = 0; k < page->count && !is_mark; k++) {
            const struct primitive *p = &page->primitives[k];
            if (p->kind != PAGE_TEXT || p->part != PAGE_LABELS || strcmp(p->text, name) != 0 || is_led(page, &p->box))
                continue;
            for (size_t m = 0; m < plot->point_count; m++) {
                const struct vec at = trace_point(plot, &page->plot, plot->points[m].x, plot->points[m].y);
                if (!plot->points[m].ghost && distance_of(&p->box, at) + 2 < distance_of(&p->box, own))
                    bad("%s is nearer to another point than to its own", name);
            }
        }
        strcat(name, ": ");
        if (has_number(page, number) && !is_mark && !style_now->captioned && !has_text(page, PAGE_LEGEND, name))
            bad("nothing explains the number %zu", number);
    }
    if (has_text(page, PAGE_LEGEND, "… and"))
        for (size_t i = 0; i < page->count; i++)
            if (page->primitives[i].kind == PAGE_TEXT && strncmp(page->primitives[i].text, "… and", 7) == 0 &&
                page->primitives[i].part == PAGE_LEGEND && !strstr(page->primitives[i].text, "point"))
                bad("the legend lacks lines: \"%s\"", page->primitives[i].text);
}

/* The legend has a row for each look of points and bars; a paper with many points needs its height for their numbers.
 */
static void check_legend(const struct page *page, const struct plot *plot) {
    char words[24];
    size_t named = 0;
    for (size_t i = 0; i < plot->point_count; i++)
        named += plot->points[i].label || plot->points[i].ghost;
    for (size_t i = 0; i < plot->point_count + plot->band_count; i++) {
        const bool is_band = i >= plot->point_count;
        const struct plot_band *band = is_band ? &plot->bands[i - plot->point_count] : NULL;
        const char *legend = is_band ? band->legend : plot->points[i].legend;
        if (!legend || (is_band && band->remark && style_now->captioned))
            continue;
        snprintf(words, sizeof words, "%.20s", legend);
        if (!has_text(page, PAGE_LEGEND, words) && !(style_now->captioned && named > MOST_BESIDE_LEGEND))
            bad("the legend lacks \"%s\"", legend);
    }
}

/* Papers and slides have one size of type, which a legend on a slide and a long axis title may fall short of. */
static void check_type(const struct page *page, const struct plot *plot) {
    for (size_t i = 0; i < page->count; i++) {
        const struct primitive *p = &page->primitives[i];
        if (p->kind != PAGE_TEXT)
            continue;
        if (style_now->sparse && p->style.size < (p->part == PAGE_LABELS ? 11.99 : 10) &&
            !(p->part == PAGE_LEGEND && !style_now->captioned))
            bad("\"%s\" has type of %.1f", p->text, p->style.size);
        if (plot->title && p->style.bold && strlen(p->text) > 3 && p->box.center.y < page->plot.top &&
            strcmp(p->text + strlen(p->text) - 3, "…") == 0)
            bad("a title is cut: \"%s\"", p->text);
    }
}

static void check_page(const struct page *page, const struct plot *plot) {
    const bool is_usual = page->width >= style_now->width / style_now->scale - 1; /* less has no room for long lists */
    assert_readable(page);
    for (size_t i = 0; i < page->count; i++)
        if (page->primitives[i].kind == PAGE_TEXT && page->primitives[i].part == PAGE_LABELS)
            check_label(page, plot, &page->primitives[i]), check_drawn(page, &page->primitives[i]);
    if (is_usual)
        check_names(page, plot);
    check_colors(plot);
    check_bars(page, plot);
    check_type(page, plot);
    if (is_usual)
        check_numbers(page, plot), check_legend(page, plot);
    for (size_t i = 0; i < plot->line_count && is_usual; i++) {
        const struct plot_line *line = &plot->lines[i];
        const char *number = line->short_sublabel ? line->short_sublabel : line->sublabel;
        if (line->label && line->source && line->label_place != PLOT_LABEL_LEGEND &&
            !(all_ceilings && style_now->captioned) && number && *number && !is_written(page, number))
            bad("\"%s\" has no number", line->label);
    }
    double share = (page->plot.bottom - page->plot.top) / page->height, last = 0;
    size_t rows = 0;
    for (size_t i = 0; i < page->count; i++)
        if (page->primitives[i].kind == PAGE_TEXT && page->primitives[i].part == PAGE_LEGEND)
            rows += fabs(page->primitives[i].at.y - last) > 1, last = page->primitives[i].at.y;
    if (strcmp(style_now->name, "paper") == 0 && plot->panel_count == 0 && share < (rows > 3 ? 0.48 : 0.55))
        bad("the axes have %.0f %% of the height", 100 * share);
}

static void take(const struct plot *plot, void *taker) {
    struct page page;
    struct plot styled = *plot;
    const double own_height = chart_height(plot, style_now, width_now),
                 height = own_height > 0 ? own_height : width_now * style_now->height / style_now->width;
    bool *numbered = styled.numbered = calloc(plot->point_count + 1, sizeof *numbered);
    (void)taker;
    styled.style = style_now;
    if (style_now->captioned)
        styled.untitled = true, styled.note_count = 0;
    layout_plot(&page, &styled, width_now / style_now->scale, height / style_now->scale, &metrics);
    check_page(&page, &styled);
    page_free(&page);
    free(numbered);
    pages_seen++;
}

/* Draws a chart of the table on a page, if the result has the data for it. */
static void look_at(const struct model *model, size_t index, size_t page, bool all, bool per_cycle) {
    struct error err;
    choose_page(page);
    const struct chart_options options = {.take = take,
                                          .style = style_now,
                                          .width = width_now,
                                          .all_ceilings = all_ceilings = all,
                                          .per_cycle = per_cycle};
    chart_name = chart_table[index].name;
    drawn_on[index][page % PAGE_COUNT] |= chart_table[index].draw(model, &options, NULL, &err);
}

/* Draws each chart on the pages in turn, or on every page. */
static void look(const struct result *r, bool everywhere) {
    struct model model = model_build(r);
    size_t turn = result_number;
    for (size_t i = 0; chart_table[i].name; i++, turn++)
        for (size_t page = 0; page < (everywhere ? PAGE_COUNT : 1); page++)
            look_at(&model, i, turn + page, turn % 3 == 2, turn % 5 == 4);
    model_free(&model);
    result_number++;
}

/* Bandwidths fall from level to level by little, by nothing or by much. */
static void make_up_roofs(struct result *r) {
    static const double STEPS[] = {1, 1.02, 1.1, 1.3, 1.8, 3, 6};
    double slower[MACHINE_MAX_CACHES + 1] = {1};
    for (size_t i = 1; i <= MACHINE_MAX_CACHES; i++)
        slower[i] = slower[i - 1] * STEPS[(chance_next() >> 40) % 7];
    for (size_t i = 0; i < r->sample_count; i++) {
        struct sample *s = &r->samples[i];
        const int level = levels_find(&r->levels[0], s->level);
        const double factor = s->kind == SAMPLE_BANDWIDTH && level >= 0 ? pow(3, level) / slower[level]
                              : s->kind == SAMPLE_COMPUTE               ? chance_uniform(0.1, 1)
                                                                        : 1;
        s->value *= factor, s->per_cycle *= factor;
        s->doubts = chance_next() >> 40 & 7 ? NO_DOUBTS : DOUBTS(DOUBT_UNSTABLE);
    }
    if (chance_next() >> 40 & 1)
        fixture_intervals(r, chance_uniform(0, 0.3), chance_uniform(0, 0.3));
}

static void make_up_points(struct result *r, unsigned cores) {
    static const char *const NAMES[] = {"triad", "solver/assemble", "dgemm blocked", "a rather long name of a region"};
    const size_t count = chance_next() >> 40 & 1 ? (chance_next() >> 40) % (MOST_POINTS + 1) : 0;
    r->points = calloc(count + 1, sizeof *r->points);
    for (size_t i = 0; i < count; i++) {
        struct app_point *p = &r->points[r->point_count++];
        char name[64];
        const double flop = pow(10, chance_uniform(7, 10)), bytes = flop * pow(10, chance_uniform(-1, 1.5));
        snprintf(name, sizeof name, "%s %zu", NAMES[i % 4], i);
        *p = fixture_point(name);
        p->threads = cores;
        p->flop = app_once(flop);
        p->load_bytes = app_once(bytes * 2 / 3), p->store_bytes = app_once(bytes / 3);
        p->dram_read_bytes = app_once(bytes / 4), p->dram_write_bytes = app_once(bytes / 8);
        p->seconds = fixture_around(fmax(flop / 4e10, bytes / 1e11) * pow(10, chance_uniform(0, 1.5)));
    }
}

/* Curves near each other, that end anywhere. */
static void make_up_memory(struct result *r, unsigned cores) {
    static const char *const KERNELS[] = {"avx512.load", "avx512.axpy", "avx512.update", "avx512.ntstore"};
    const double idle_s = chance_uniform(80e-9, 200e-9);
    for (size_t i = 0; i < 4; i++)
        memories_loaded(&r->memory, KERNELS[i], cores, idle_s, chance_uniform(5e-9, 40e-9), chance_uniform(1e11, 2e11),
                        chance_uniform(0.2, 1));
    memories_parallel(&r->memory, "L3", chance_uniform(10e-9, 40e-9), 10 + (unsigned)(chance_next() >> 59));
    memories_parallel(&r->memory, "DRAM", idle_s, 10 + (unsigned)(chance_next() >> 59));
    memories_pages(&r->memory, 4096, 64, 1536, 2e-9, chance_uniform(6e-9, 50e-9));
    memories_pages(&r->memory, 2 << 20, 32, 1536, 2e-9, chance_uniform(6e-9, 50e-9));
}

static void made_up(void **state) {
    static const unsigned CORES[] = {1, 2, 8, 64};
    (void)state;
    chance_seed = 11;
    print_message("seed %" PRIu64 ", %zu results\n", chance_seed, turns());
    for (size_t i = 0; i < turns(); i++) {
        const unsigned cores = CORES[i % 4];
        struct result r = fixture_result(fixture_machine(cores, i % 3 ? FIXTURE_AVX512 : FIXTURE_AVX2), NULL);
        make_up_roofs(&r);
        make_up_points(&r, cores);
        make_up_memory(&r, cores);
        look(&r, false);
        results_free(&r);
    }
    assert_true(pages_seen > 5 * turns());
    print_message("%zu pages, %zu points\n", pages_seen, names_seen);
    assert_int_equal(offences, 0);
}

/* A result with data for every chart. */
static void make_up_all(struct result *r, unsigned cores) {
    static const uint64_t SIZES[] = {64, 128, 256, 512, 1024, 2048};
    static const char *const SERIES[] = {"dgemm naive", "dgemm blocked", "daxpy", "triad", "fft"};
    static const struct memories_shared PARTS[] = {{"core", 2, 20e-9, 0, 0}, {"L3", 1000, 80e-9, 0, 0}};
    r->points = calloc(3, sizeof *r->points);
    for (size_t i = 0; i < 3; i++) {
        char name[64];
        snprintf(name, sizeof name, "program/phase %zu", i + 1);
        r->points[r->point_count++] = fixture_point(name);
        snprintf(r->points[i].program, sizeof r->points[i].program, "program");
        r->points[i].threads = cores;
    }
    for (size_t i = 0; i < sizeof SERIES / sizeof *SERIES; i++)
        add_series(r, SERIES[i], SIZES, 6, 1e9 * chance_uniform(0.2, 3));
    for (size_t i = 0; i < r->point_count; i++) {
        struct app_point *p = &r->points[i];
        p->dram_read_bytes = app_once(4 * p->flop.median), p->dram_write_bytes = app_once(2 * p->flop.median);
        p->dram_source = SOURCE_SIMULATED;
        p->tlb_misses = app_once(chance_uniform(1e3, 1e6));
        p->repetition_count = 20;
        for (size_t k = 0; k < 20; k++)
            p->repetitions[k].seconds = p->seconds.median * chance_uniform(0.9, 1.3);
    }
    struct app_course course = {
        .program = "program", .seconds = 10, .every_s = 0.1, .interval_count = 100, .phase_count = 3};
    course.intervals = calloc(100, sizeof *course.intervals);
    course.phases = calloc(3, sizeof *course.phases);
    for (size_t i = 0; i < 100; i++)
        course.intervals[i] = (struct app_course_interval){
            .cpu_s = chance_uniform(0, 0.4), .flop = chance_uniform(0, 1e9), .load_bytes = 1e9};
    for (size_t i = 0; i < 3; i++) {
        course.phases[i] = (struct app_course_phase){3 * (double)i, i == 2 ? 10 : 3 * (double)i + 3, ""};
        snprintf(course.phases[i].point, sizeof course.phases[i].point, "program/phase %zu", i + 1);
    }
    r->courses = calloc(1, sizeof *r->courses);
    r->courses[r->course_count++] = course;
    make_up_memory(r, cores);
    memories_pairs(&r->memory, cores, PARTS, 0.05, 0);
    cores_fill(r, 0.07);
}

/* Every chart of the table on every page: of a machine of four nodes with all data, and of stored results, which alone
 * have programs' traffic between levels and their loops. */
static void every_chart(void **state) {
    static const char *const OF_PROGRAMS[] = {"tests/golden/files/levels.json", "tests/golden/files/loops.json"};
    struct machine machine;
    struct error err;
    (void)state;
    chance_seed = 13;
    if (!machine_load(&machine, "tests/topologies/nodes.xml", &err))
        fail_msg("%s", err.text);
    machine.cpu.features = FIXTURE_AVX2;
    struct result r = fixture_result(machine, NULL);
    make_up_all(&r, machine.core_count);
    look(&r, true);
    results_free(&r);
    for (size_t i = 0; i < 2; i++) {
        assert_true(results_read(OF_PROGRAMS[i], &r, &err));
        look(&r, true);
        results_free(&r);
    }
    for (size_t i = 0; chart_table[i].name; i++)
        for (size_t page = 0; page < PAGE_COUNT; page++)
            if (!drawn_on[i][page])
                fail_msg("%s is not drawn on page %zu: give make_up_all() its data", chart_table[i].name, page);
    assert_int_equal(offences, 0);
}

static const char *const FILES[] = {"results/granite-rapids-1-core-vm.json", "results/granite-rapids-2-cores-vm.json",
                                    "results/zen3-2-cores-vm.json",          "results/zen4-2-cores-vm.json",
                                    "results/zen5-2-cores-vm.json",          "tests/golden/files/levels.json"};

static void measured(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++)
        for (size_t turn = 0; turn < 4; turn++) {
            struct result r;
            struct error err;
            assert_true(results_read(FILES[i], &r, &err));
            look(&r, false);
            results_free(&r);
        }
    assert_int_equal(offences, 0);
}

/* Each of the results against each, in one picture. */
static void beside_each_other(void **state) {
    enum { FILE_COUNT = sizeof FILES / sizeof *FILES };
    struct result results[FILE_COUNT];
    struct model models[FILE_COUNT];
    struct error err;
    (void)state;
    for (size_t i = 0; i < FILE_COUNT; i++) {
        assert_true(results_read(FILES[i], &results[i], &err));
        models[i] = model_build(&results[i]);
    }
    chart_name = "overlay";
    for (result_number = 0; result_number < FILE_COUNT * FILE_COUNT; result_number++) {
        const size_t a = result_number / FILE_COUNT, b = result_number % FILE_COUNT;
        struct compare_side sides[2] = {{.model = &models[a], .path = FILES[a]},
                                        {.model = &models[b], .path = FILES[b]}};
        if (a == b)
            continue;
        compare_label(sides, 2);
        struct comparison comparison = compare_make(sides, 2, 0);
        choose_page(result_number);
        const struct chart_options options = {.take = take, .style = style_now, .width = width_now};
        if (!chart_overlay(&comparison, &(struct picture_view){0}, &options, NULL, &err))
            fail_msg("%s", err.text);
        compare_free(&comparison);
    }
    for (size_t i = 0; i < FILE_COUNT; i++) {
        model_free(&models[i]);
        results_free(&results[i]);
    }
    assert_int_equal(offences, 0);
}

/* The charts of the table that show several results, on a page. One with too many of them says so. */
static void look_beside(const struct comparison *c) {
    for (const struct chart *chart = chart_table; chart->name; chart++) {
        const struct chart_options options = {.take = take, .style = style_now, .width = width_now};
        struct error err;
        chart_name = chart->name;
        if (chart->beside && !chart->beside(c, &options, NULL, &err))
            assert_contains(err.text, "has room for");
    }
}

/* Up to twelve machines against one: their ratios, the rooflines of two or three over each other, and the charts of the
 * table that show several. */
static void many_beside_each_other(void **state) {
    struct result *results = calloc(MOST_MACHINES, sizeof *results);
    struct model *models = calloc(MOST_MACHINES, sizeof *models);
    static char paths[MOST_MACHINES][48];
    (void)state;
    chance_seed = 12;
    for (size_t count = 2; count <= MOST_MACHINES; count++) {
        struct compare_side sides[MOST_MACHINES] = {{0}};
        struct error err;
        for (size_t i = 0; i < count; i++) {
            results[i] = fixture_result(fixture_machine(1U << i % 5, i % 3 ? FIXTURE_AVX512 : FIXTURE_AVX2), NULL);
            make_up_roofs(&results[i]);
            cores_fill(&results[i], chance_uniform(0.03, 0.09));
            models[i] = model_build(&results[i]);
            snprintf(paths[i], sizeof paths[0], "results/%s-%zu.json", i % 2 ? "a-node-with-a-long-name" : "node", i);
            sides[i] = (struct compare_side){.model = &models[i], .path = paths[i]};
        }
        compare_label(sides, count);
        struct comparison comparison = compare_make(sides, count, 0);
        for (result_number = 0; result_number < 6; result_number++) {
            choose_page(result_number + count);
            const struct chart_options options = {.take = take, .style = style_now, .width = width_now};
            const struct picture_view view = {.per = result_number % 3};
            struct picture picture;
            chart_name = "ratios";
            if (!ratios_make(&comparison, &view, &options, &picture, &err))
                fail_msg("%s", err.text);
            take(&picture.plot, NULL);
            picture_free(&picture);
            look_beside(&comparison);
            chart_name = "overlay";
            if (count <= 3 && !chart_overlay(&comparison, &view, &options, NULL, &err))
                fail_msg("%s", err.text);
        }
        compare_free(&comparison);
        for (size_t i = 0; i < count; i++)
            model_free(&models[i]), results_free(&results[i]);
    }
    free(results);
    free(models);
    assert_int_equal(offences, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_chart),       cmocka_unit_test(measured),
        cmocka_unit_test(beside_each_other), cmocka_unit_test(many_beside_each_other),
        cmocka_unit_test(made_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
