/* SPDX-License-Identifier: BSD-3-Clause
 * The memory system under load: latency over bandwidth, bandwidth of parallel pointer chases, latency over touched
 * pages. Lines with a ring and the interval of each measured point. */
#include "chart.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "asm/pattern.h"
#include "bench/kernels/doubt.h"
#include "bench/kernels/levels.h"
#include "carm/model/describe.h"
#include "carm/model/memory_model.h"
#include "carm/store/results.h"
#include "probe/error.h"
#include "probe/need.h"
#include "probe/text.h"
#include "render/page/palette.h"
#include "render/page/units.h"

enum { MOST_SERIES = 12, MOST_MARKS = 12, TEXT_BYTES = 160, TEXTS = 4 * MOST_SERIES + MOST_MARKS, MOST_NOTES = 4 };

/* Storage of a picture. */
struct memory_picture {
    const struct model *model;
    const struct chart_options *options;
    size_t count, left_out; /* series drawn, and series without room */
    const struct memory_series *series[MOST_SERIES];
    size_t line_count, mark_count, point_count, note_count, text_count, number_count;
    struct plot_line lines[2 * MOST_SERIES];
    struct plot_mark marks[MOST_MARKS];
    struct plot_point *points;
    double *numbers;
    char texts[TEXTS][TEXT_BYTES], notes[MOST_NOTES][CHART_NOTE_BYTES];
    char caption[MOST_MARKS * TEXT_BYTES]; /* names of marks, which a paper may lack room for */
    struct plot_axis x, y;
    double idle_s; /* the last idle latency with a label */
};

/* How a series looks. */
struct look {
    struct plot_color color;
    enum plot_shape shape;
    enum plot_dash dash;
};

static char *chart_memory_text_of(struct memory_picture *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static char *chart_memory_text_of(struct memory_picture *p, const char *format, ...) {
    char *out = p->texts[p->text_count < TEXTS - 1 ? p->text_count++ : TEXTS - 1];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(out, TEXT_BYTES, format, arguments);
    va_end(arguments);
    return out;
}

/* Adds a series, unless it is in the picture or has no room. */
static void chart_memory_choose(struct memory_picture *p, const struct memory_series *series) {
    for (size_t i = 0; i < p->count; i++)
        if (p->series[i] == series)
            return;
    if (p->count < MOST_SERIES)
        p->series[p->count++] = series;
    else
        p->left_out++;
}

/* Allocates room for the chosen series. Error: there is none. */
static bool chart_memory_begin(struct memory_picture *p, const char *what, struct error *err) {
    size_t points = 0;
    for (size_t i = 0; i < p->count; i++)
        points += p->series[i]->count;
    if (points == 0)
        return error_set(err, "the result holds no %s; `carmine memory -o FILE` measures it", what);
    p->points = need_calloc(points, sizeof *p->points);
    p->numbers =
        need_calloc(2 * points + 4 * p->count, sizeof *p->numbers); /* curves, and two vertices of each series */
    p->x.max = p->y.max = 0, p->x.min = p->y.min = INFINITY;
    return true;
}

/* Adds a point with its interval, and widens the axes. */
static struct plot_point *chart_memory_add_point(struct memory_picture *p, struct memory_number x,
                                                 struct memory_number y, const struct look *look) {
    struct plot_point *point = &p->points[p->point_count++];
    *point = (struct plot_point){.x = x.value,
                                 .y = y.value,
                                 .x_min = x.low,
                                 .x_max = x.high,
                                 .y_min = y.low,
                                 .y_max = y.high,
                                 .hollow = true,
                                 .shape = look->shape,
                                 .color = look->color,
                                 .optional = true};
    p->x.min = fmin(p->x.min, x.value), p->x.max = fmax(p->x.max, fmax(x.value, x.high));
    p->y.min = fmin(p->y.min, y.value), p->y.max = fmax(p->y.max, fmax(y.value, y.high));
    return point;
}

/* Adds a line of `count` vertices, whose coordinates the caller writes. */
static struct plot_line *chart_memory_add_line(struct memory_picture *p, size_t count, const struct look *look,
                                               double **x, double **y) {
    *x = p->numbers + p->number_count, *y = *x + count;
    p->number_count += 2 * count;
    struct plot_line *line = &p->lines[p->line_count++];
    *line =
        (struct plot_line){.count = count, .x = *x, .y = *y, .color = look->color, .width = 1.8, .dash = look->dash};
    return line;
}

static struct memory_number exact(double value) {
    return (struct memory_number){.value = value};
}

/* In B/s, or pages: files may hold any number, and an axis would need as many ticks. */
static const double MOST_DRAWN = 1e15;

/* Adds the curve of a series. Returns its first point; NULL: none is known. */
static struct plot_point *chart_memory_add_curve(struct memory_picture *p, const struct memory_series *series,
                                                 const struct look *look) {
    struct plot_point *first = p->points + p->point_count;
    double *x, *y;
    struct plot_line *line = chart_memory_add_line(p, series->count, look, &x, &y);
    line->count = 0;
    for (size_t i = 0; i < series->count; i++) {
        const struct memory_point *point = &series->points[i];
        const struct memory_number at = series->part == MEMORY_LOADED ? point->bytes_per_s : exact(point->setting),
                                   height = series->part == MEMORY_PARALLEL ? point->bytes_per_s : point->latency_s;
        if (!(at.value > 0) || !(height.value > 0) || at.value > MOST_DRAWN || height.value > MOST_DRAWN)
            continue;
        const struct plot_point *added = chart_memory_add_point(p, at, height, look);
        x[line->count] = added->x, y[line->count++] = added->y;
    }
    return line->count > 0 ? first : NULL;
}

/* The point that has the curve's name: the last one within the user's limits, if any is. */
static struct plot_point *named_point(const struct memory_picture *p, struct plot_point *first) {
    struct plot_point *last = &p->points[p->point_count - 1];
    for (struct plot_point *point = last; point >= first; point--)
        if (!limits_exclude(&p->options->limits, &p->x, &p->y, point->x, point->y))
            return point;
    return last;
}

/* Gives the curve's name to this point, or to the curve if the user's limits leave out all its points. */
static void name_curve(struct memory_picture *p, struct plot_point *named, const char *name) {
    struct plot_line *line = &p->lines[p->line_count - 1];
    named->label = name;
    named->optional = false;
    if (limits_exclude(&p->options->limits, &p->x, &p->y, named->x, named->y))
        line->label = name, line->label_place = PLOT_LABEL_END;
}

static void chart_memory_add_mark(struct memory_picture *p, double at, struct plot_color color, const char *label) {
    if (p->mark_count < MOST_MARKS && at > 0)
        p->marks[p->mark_count++] =
            (struct plot_mark){.vertical = true, .at = at, .color = color, .dash = PLOT_DASHED, .label = label};
}

/* From 0, or logarithmic if the values differ much. */
static void choose_scale(struct plot_axis *axis) {
    const double much = 10;
    if (axis->max > much * axis->min)
        axis->scale = PLOT_LOG10, axis->min /= 1.3, axis->max *= 1.6;
    else
        axis->min = 0, axis->max *= 1.25;
}

/* Notes on the warnings of the points, and on series without room. */
static size_t chart_memory_gather_notes(struct memory_picture *p, const char **out) {
    size_t count = 0;
    if (p->left_out > 0 && p->note_count < MOST_NOTES)
        snprintf(p->notes[p->note_count++], CHART_NOTE_BYTES, "%zu more curves: --place shows those of one node",
                 p->left_out);
    for (unsigned d = 0; d < DOUBT_COUNT && p->note_count < MOST_NOTES; d++) {
        size_t hits = 0, all = 0;
        for (size_t i = 0; i < p->count; i++)
            for (size_t k = 0; k < p->series[i]->count; k++, all++)
                hits += doubts_has(p->series[i]->points[k].doubts, (enum doubt_id)d);
        if (hits > 0)
            snprintf(p->notes[p->note_count++], CHART_NOTE_BYTES, "%s: %zu of %zu points", doubt_table[d].name, hits,
                     all);
    }
    while (count < p->note_count)
        out[count] = p->notes[count], count++;
    return count;
}

/* Draws the picture, and frees it. */
static bool chart_memory_end(struct memory_picture *p, const char *what, const char *footer, const char *path,
                             struct error *err) {
    const char *notes[MOST_NOTES];
    const struct plot plot = {.note_count = chart_memory_gather_notes(p, notes),
                              .notes = notes,
                              .x = p->x,
                              .y = p->y,
                              .line_count = p->line_count,
                              .lines = p->lines,
                              .mark_count = p->mark_count,
                              .marks = p->marks,
                              .point_count = p->point_count,
                              .points = p->points,
                              .caption = *p->caption ? p->caption : NULL,
                              .footer = footer};
    const bool done = chart_write_titled(&plot, p->model->result, what, p->options, path, err);
    free(p->points);
    free(p->numbers);
    return done;
}

/* Loaded latency. */

static bool chart_memory_same_place(const struct memory_series *a, const struct memory_series *b) {
    return a->node == b->node && a->memory_node == b->memory_node && strcmp(a->level, b->level) == 0;
}

/* The number of the cache whose loaded latency is requested, 3 of "l3"; 0: the memory's. */
static unsigned loaded_cache(const struct chart_options *options) {
    return options->of && options->of[0] == 'l' ? (unsigned)(options->of[1] - '0') : 0;
}

/* All traffic of the first place, and loads of the others; all of the chosen node. Near memory first. */
static void choose_loaded(struct memory_picture *p) {
    const struct memory_system *memory = &p->model->result->memory;
    const unsigned cache = loaded_cache(p->options), node = p->options->node;
    for (size_t i = 0; i < 2 * memory->series_count; i++) {
        const bool far = i >= memory->series_count;
        const struct memory_series *series = &memory->series[i % memory->series_count];
        if (series->part != MEMORY_LOADED || series->count == 0 || levels_cache(series->level) != cache ||
            (node && series->node && node != series->node) || (series->node != series->memory_node) != far)
            continue;
        if (node || p->count == 0 || chart_memory_same_place(series, p->series[0]) ||
            pattern_only_loads(pattern_of_kernel(series->kernel)))
            chart_memory_choose(p, series);
        else
            p->left_out++;
    }
}

/* Colour and shape are the traffic's, the dash is the place's, or of one place the traffic's, too. */
static struct look loaded_look(const struct memory_picture *p, size_t index) {
    static const char *const OPS[] = {"load", "axpy", "update", "ntstore"};
    const struct plot_color colors[] = {PALETTE_BLUE, PALETTE_GREEN, PALETTE_ORANGE, PALETTE_VERMILLION,
                                        PALETTE_PURPLE};
    const char *dot = strchr(p->series[index]->kernel, '.');
    size_t traffic = 0, places = 0;
    while (traffic < sizeof OPS / sizeof *OPS && strcmp(dot ? dot + 1 : "", OPS[traffic]) != 0)
        traffic++;
    for (size_t i = 0; !chart_memory_same_place(p->series[i], p->series[index]); i++)
        places += i == 0 || !chart_memory_same_place(p->series[i], p->series[i - 1]);
    const size_t dash = chart_memory_same_place(p->series[0], p->series[p->count - 1]) ? traffic : places;
    return (struct look){colors[traffic], (enum plot_shape)traffic, (enum plot_dash)(dash < 4 ? dash : 3)};
}

/* The ends of the curve, and its knee. */
static void label_loaded(struct memory_picture *p, const struct loaded_curve *curve, struct plot_point *first) {
    const struct plot_point *last = &p->points[p->point_count - 1];
    struct plot_point *named = named_point(p, first);
    char traffic[DESCRIBE_TRAFFIC_BYTES], place[DESCRIBE_PLACE_BYTES], rate[UNITS_BYTES], latency[UNITS_BYTES];
    describe_memory_place(curve->series, place);
    name_curve(
        p, named,
        chart_memory_text_of(p, "%s%s%s", describe_traffic(curve->series->kernel, traffic), *place ? ", " : "", place));
    if (named == last && !p->options->terminal) /* whose rows have the numbers */
        named->sublabel = chart_memory_text_of(p, "%s, %s", units_si(rate, sizeof rate, last->x, "B/s"),
                                               units_seconds(latency, sizeof latency, last->y));
    if (named != first && fabs(first->y - p->idle_s) > 0.1 * p->idle_s) {
        first->label = chart_memory_text_of(p, "idle %s", units_seconds(latency, sizeof latency, first->y)),
        first->near = true;
        p->idle_s = first->y;
    }
    if (!isfinite(curve->knee_bytes_per_s))
        return;
    for (struct plot_point *knee = first; knee <= last; knee++)
        if (knee->x == curve->knee_bytes_per_s) {
            knee->hollow = false, knee->radius = 4;
            if (p->count <= 4 && knee != named)
                knee->label = chart_memory_text_of(p, "knee %s", units_si(rate, sizeof rate, knee->x, "B/s")),
                knee->sublabel = named->label, knee->optional = p->options->terminal != NULL;
        }
}

/* The roof of the loaders' pattern, in the first place of several. */
static void mark_roof(struct memory_picture *p, const struct loaded_curve *curve, const struct look *look) {
    char rate[UNITS_BYTES], traffic[DESCRIBE_TRAFFIC_BYTES];
    if (!curve->roof_is_measured || !chart_memory_same_place(curve->series, p->series[0]) ||
        p->mark_count == MOST_MARKS)
        return;
    p->x.max = fmax(p->x.max, curve->roof_bytes_per_s);
    chart_memory_add_mark(p, curve->roof_bytes_per_s, look->color,
                          chart_memory_text_of(p, "roof of %s %s", describe_traffic(curve->series->kernel, traffic),
                                               units_si(rate, sizeof rate, curve->roof_bytes_per_s, "B/s")));
    p->marks[p->mark_count - 1].dash = look->dash, p->marks[p->mark_count - 1].width = 1.6;
}

/* Chooses the axis of latencies. Roofs end below the curves, whose labels they would cross. */
static void end_roofs(struct memory_picture *p) {
    const double lowest = p->y.min;
    choose_scale(&p->y);
    *p->caption = '\0';
    for (size_t i = 0; i < p->mark_count; i++) {
        text_append(p->caption, sizeof p->caption, "%s%s%s", i ? "; " : "Short lines: ", p->marks[i].label,
                    i + 1 == p->mark_count ? "." : "");
        p->marks[i].from = p->y.min, p->marks[i].to = p->y.scale == PLOT_LINEAR ? 0.4 * lowest : 0.95 * lowest;
    }
}

struct loaded_words {
    char level[12], x_title[48], title[48]; /* "L3" */
};

/* Of a cache's number; 0: of the memory. */
static struct loaded_words loaded_words(unsigned cache) {
    struct loaded_words words = {.level = "memory"};
    if (cache > 0)
        snprintf(words.level, sizeof words.level, "L%u", cache % 10);
    snprintf(words.x_title, sizeof words.x_title, "Bandwidth at the %s  [GB/s]", words.level);
    snprintf(words.title, sizeof words.title, "latency of %s%s under load", cache > 0 ? "the " : "", words.level);
    return words;
}

bool chart_loaded(const struct model *model, const struct chart_options *options, const char *path, struct error *err) {
    struct memory_picture *p = need_calloc(1, sizeof *p);
    size_t limited = 0, falling = 0;
    const struct loaded_words words = loaded_words(loaded_cache(options));
    p->model = model, p->options = options;
    p->x.title = words.x_title, p->x.divisor = 1e9;
    p->y.title = "Latency of a load  [ns]", p->y.divisor = 1e-9;
    choose_loaded(p);
    bool done = chart_memory_begin(p, words.title, err);
    for (size_t i = 0; done && i < p->count; i++) {
        struct loaded_curve curve;
        const struct look look = loaded_look(p, i);
        struct plot_point *first = chart_memory_add_curve(p, p->series[i], &look);
        if (!first || !memory_loaded(model->result, p->series[i], &curve))
            continue;
        label_loaded(p, &curve, first);
        mark_roof(p, &curve, &look);
        limited += curve.ends_at_loaders, falling += curve.falls || curve.latency_falls;
    }
    if (limited > 0)
        snprintf(p->notes[p->note_count++], CHART_NOTE_BYTES,
                 "%s at the loaders' limit, not at the %s's: more cores would load it further",
                 limited < p->count ? "some curves end"
                 : p->count == 1    ? "the curve ends"
                                    : "the curves end",
                 words.level);
    if (falling > 0)
        snprintf(p->notes[p->note_count++], CHART_NOTE_BYTES,
                 "%zu of %zu curves fall: at more load their bandwidth is lower, or their latency below idle", falling,
                 p->count);
    if (done) {
        end_roofs(p);
        p->x.min = 0, p->x.max *= 1.08;
        done = chart_memory_end(
            p, words.title,
            "One core chases pointers while others load the memory, from idle to full speed. Bandwidth: of all of "
            "them, with write-allocates. Bars: 90 % intervals. Filled: the knee. Short lines below the curves: the "
            "most that this traffic reaches alone.",
            path, err);
    }
    free(p);
    return done;
}

/* Parallel pointer chases. */

static void chart_memory_add_parallel(struct memory_picture *p, const struct memory_series *series) {
    const struct levels *levels = &p->model->result->levels[0];
    const int level = levels_find(levels, series->level);
    const struct look look = {level < 0 ? PALETTE_PURPLE : chart_level_color(levels, (unsigned)level), PLOT_CIRCLE,
                              level < 0 ? PLOT_SOLID : chart_level_dash(levels, (unsigned)level)};
    struct parallel_curve curve;
    const size_t before = p->point_count;
    if (!chart_memory_add_curve(p, series, &look))
        return;
    struct plot_line *line = &p->lines[p->line_count - 1];
    struct plot_point *first = &p->points[before];
    char rate[UNITS_BYTES], lines[UNITS_BYTES], page[UNITS_BYTES];
    line->label = memory_has_small_pages(series)
                      ? chart_memory_text_of(p, "%s, %s pages", series->level,
                                             units_binary(page, sizeof page, (double)series->page_bytes))
                      : series->level;
    line->label_place = PLOT_LABEL_END, line->width = 2.2, line->priority = 10;
    line->sublabel = chart_memory_text_of(p, "%s", units_si(rate, sizeof rate, line->y[line->count - 1], "B/s"));
    double *x, *y;
    struct plot_line *ideal =
        chart_memory_add_line(p, 2, &(struct look){.color = PALETTE_GREY, .dash = PLOT_DASHED}, &x, &y);
    x[0] = first->x, y[0] = first->y, x[1] = line->x[line->count - 1], y[1] = first->y * x[1] / x[0];
    ideal->width = 0.8, ideal->label_place = PLOT_LABEL_LEGEND;
    ideal->label = p->line_count == 2 ? "perfect overlap of all chases" : NULL;
    if (!memory_parallel(series, machine_line_bytes(&p->model->result->machine), &curve))
        return;
    for (struct plot_point *point = first; point < p->points + p->point_count; point++)
        if (point->x == curve.saturates_at) {
            point->hollow = false, point->radius = 4.5, point->optional = false;
            point->label = chart_memory_text_of(p, "%s%s lines at a time", curve.is_end ? "≥ " : "",
                                                units_number_digits(lines, sizeof lines, curve.lines, 2));
        }
}

bool chart_chases(const struct model *model, const struct chart_options *options, const char *path, struct error *err) {
    const struct memory_system *memory = &model->result->memory;
    struct memory_picture *p = need_calloc(1, sizeof *p);
    p->model = model, p->options = options;
    for (size_t i = 0; i < memory->series_count; i++)
        if (memory->series[i].part == MEMORY_PARALLEL && memory->series[i].count > 0)
            chart_memory_choose(p, &memory->series[i]);
    bool done = chart_memory_begin(p, "parallel pointer chases", err);
    for (size_t i = 0; done && i < p->count; i++)
        chart_memory_add_parallel(p, p->series[i]);
    if (done) {
        p->x.title = "Independent pointer chases in one core", p->x.scale = PLOT_LOG2, p->x.unit = PLOT_UNIT_COUNT;
        p->x.min /= 1.06;
        p->y.title = "Bandwidth  [GB/s]", p->y.divisor = 1e9, p->y.scale = PLOT_LOG10, p->y.min /= 1.3, p->y.max *= 1.6;
        done = chart_memory_end(
            p, "parallel pointer chases",
            "Filled: the fewest chases with 95 % of the highest bandwidth. Lines at a time by Little's law: "
            "bandwidth × latency of one chase / 64 B. Bars: 90 % intervals.",
            path, err);
    }
    free(p);
    return done;
}

/* Touched pages. */

static void add_pages(struct memory_picture *p, size_t index) {
    const struct plot_color colors[] = {PALETTE_VERMILLION, PALETTE_BLUE, PALETTE_GREEN, PALETTE_PURPLE};
    const struct memory_series *series = p->series[index];
    const struct look look = {colors[index % 4], (enum plot_shape)(index % PLOT_SHAPES), PLOT_SOLID};
    struct memory_reach reach;
    char size[UNITS_BYTES], latency[UNITS_BYTES];
    struct plot_point *first = chart_memory_add_curve(p, series, &look);
    if (!first)
        return;
    struct plot_point *named = named_point(p, first);
    units_binary(size, sizeof size, (double)series->page_bytes);
    name_curve(p, named, chart_memory_text_of(p, "pages of %s", size));
    if (!memory_reach(series, memory_same_lines(p->model->result, series), &reach))
        return;
    if (isfinite(reach.walk_s))
        named->sublabel =
            chart_memory_text_of(p, "a walk adds %s", units_seconds(latency, sizeof latency, reach.walk_s));
    for (unsigned i = 0; i < reach.level_count; i++)
        if (!reach.reach_is_end[i])
            chart_memory_add_mark(p, reach.reach_pages[i], look.color,
                                  chart_memory_text_of(p, "%.0f × %s", reach.reach_pages[i], size));
}

bool chart_pages(const struct model *model, const struct chart_options *options, const char *path, struct error *err) {
    const struct memory_system *memory = &model->result->memory;
    struct memory_picture *p = need_calloc(1, sizeof *p);
    p->model = model, p->options = options;
    for (size_t i = 0; i < memory->series_count; i++)
        if (memory_is_paged(&memory->series[i]) && memory->series[i].count > 0)
            chart_memory_choose(p, &memory->series[i]);
    p->x.title = "Touched pages, one line of each", p->x.unit = PLOT_UNIT_COUNT;
    p->y.title = "Latency of a load  [ns]", p->y.divisor = 1e-9;
    bool done = chart_memory_begin(p, "latency over touched pages", err);
    for (size_t i = 0; done && i < p->count; i++)
        add_pages(p, i);
    if (done) {
        choose_scale(&p->y);
        p->x.scale = PLOT_LOG2;
        p->x.min /= 1.1, p->x.max *= 1.6;
        done = chart_memory_end(
            p, "latency over touched pages",
            "A pointer chase over one line of each page: at equal numbers, curves differ by address translation "
            "only. Dashed: the most pages that a TLB holds. Bars: 90 % intervals.",
            path, err);
    }
    free(p);
    return done;
}
