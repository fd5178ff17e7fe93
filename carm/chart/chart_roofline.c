/* SPDX-License-Identifier: BSD-3-Clause
 * The roofline: roofs, ceilings and applications over arithmetic intensity; the original roofline, over flop per byte
 * between caches and memory; and rooflines over flop per byte read, or written. */
#include "chart.h"
#include "chart_points.h"
#include "chart_roofs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "asm/element.h"
#include "bench/kernels/doubt.h"
#include "bench/kernels/levels.h"
#include "bench/programs/app_point.h"
#include "carm/model/applicable_roofs.h"
#include "carm/model/describe.h"
#include "carm/store/results.h"
#include "probe/error.h"
#include "probe/isa.h"
#include "probe/need.h"
#include "probe/text.h"
#include "render/page/palette.h"
#include "render/page/units.h"

enum { UNTRIED_BYTES = 128 };

/* "2 cores", "16 E cores", "8 threads"; with several numbers "1 and 2 cores". */
static void write_cores(const struct roofs *roofs, char *out, size_t size) {
    const struct model_view *view = &roofs->view;
    char fewer[48] = "";
    for (const struct roofs *r = roofs->fewer; r; r = r->fewer) {
        char more[sizeof fewer];
        snprintf(more, sizeof more, "%s", fewer);
        snprintf(fewer, sizeof fewer, "%u%s%.32s", r->view.threads, r == roofs->fewer ? " and " : ", ", more);
    }
    snprintf(out, size, "%s%u %s%s%s%s", fewer, view->threads, view->core_kind, *view->core_kind ? " " : "",
             view->smt ? "thread" : "core", view->threads == 1 ? "" : "s");
}

/* "AMD EPYC · Zen 4 · 2 cores · f64"; with roofs of several numbers of threads "1 and 2 cores". */
static void roofline_title(const struct roofs *roofs, const struct chart_options *options, char *out, size_t size) {
    char what[256], place[128], cores[96];
    const struct model_view *view = &roofs->view;
    struct sample where = *roofs->peak->sample;
    where.core_kind[0] = '\0'; /* stated with the number of cores */
    model_place_text(&where, place, sizeof place);
    write_cores(roofs, cores, sizeof cores);
    const bool is_counted = view->threads > 0; /* else a GPU, or not stated by another tool */
    snprintf(what, sizeof what, "%s%s%s%s%s%s", is_counted ? cores : "", is_counted && *place ? " · " : "",
             is_counted ? place : "", is_counted ? " · " : "", view->type,
             options->pseudo_flop ? " · pseudo-flop" : "");
    chart_title(options, roofs->model->result, what, out, size);
}

/* The clocks behind rates per cycle. */
static const char *clocks_of(const struct roofs *roofs, const struct points *points) {
    if (!roofs->per_cycle) /* with several numbers of threads there is room for one unit only */
        return roofs->several ? "" : "Per cycle and core, at the clock under load.";
    return points->clocks_assumed ? "Per cycle of each roof's own clock; a point of unknown clock has that of "
                                    "the roof that binds it."
           : points->count        ? "Per cycle of each roof's and point's own clock."
                                  : "Per cycle of each roof's own clock.";
}

static const char *const BYTES_TOLD[] = {
    [BYTES_CORE] = "Bytes are those that the core loads and stores, without write-allocate.",
    [BYTES_LOADED] = "Bytes are those loaded by the core. A level's roof is the pattern that loads most; its band "
                     "reaches down to loads alone.",
    [BYTES_STORED] = "Bytes are those stored by the core. A level's roof is the pattern that stores most; its "
                     "band reaches down to stores alone.",
    [BYTES_DRAM] = "Bytes are those between caches and memory, with write-allocate and write-back; "
                   "the roof is the pattern that moves most; its band reaches down to the one that moves least.",
    [BYTES_DRAM_READ] = "Bytes are those read from memory, with write-allocate; the roof is the pattern "
                        "that reads most; its band reaches down to loads alone.",
    [BYTES_DRAM_WRITTEN] = "Bytes are those written to memory; the roof is the pattern that writes most; "
                           "its band reaches down to stores alone.",
};

/* "AVX2: update, axpy not measured"; "" if each level's best pattern was measured with the view's ISA. */
static char *roofline_untried(const struct roofs *roofs, char *out, size_t size) {
    const struct isa *isa = roofs->view.isa ? isa_find(roofs->view.isa) : NULL;
    if (isa && *roofs->untried)
        snprintf(out, size, "%s: %s not measured", isa->label, roofs->untried);
    else
        *out = '\0';
    return out;
}

/* Writes the small print: which bytes, what points show, which clocks. */
static void roofline_footer(const struct roofs *roofs, const struct points *points, const char *pattern, bool rings,
                            char *out, size_t size) {
    char points_text[320], untried[UNTRIED_BYTES], level_text[sizeof untried + 128];
    const char *of = roofs->bytes == BYTES_CORE   ? "that fits their own code"
                     : roofs->bytes == BYTES_DRAM ? "of their share of writes"
                                                  : "next above them";
    const bool imported = doubts_has(roofs->peak->sample->doubts, DOUBT_IMPORTED);
    const char *bytes = BYTES_TOLD[roofs->bytes], *first = "", *last = clocks_of(roofs, points);
    snprintf(
        points_text, sizeof points_text,
        "Points: medians, boxes from quartile to quartile, whiskers to the extremes. A dashed line leads to a piece "
        "of the roof %s; the name shows how much of it a point reaches. ",
        of);
    if (pattern)
        snprintf(level_text, sizeof level_text, "A level's roof is that of the pattern %s. ", pattern);
    else if (*roofline_untried(roofs, untried, sizeof untried))
        snprintf(level_text, sizeof level_text, "A level's roof is the best measured access pattern (%s). ", untried);
    else
        snprintf(level_text, sizeof level_text, "A level's line is its best access pattern. ");
    if (points->count)
        first = points_text;
    else if (rings)
        first = "Rings: kernels that load and compute, at their own clock; loads alone run at a higher clock if heavy "
                "vector code lowers it. ";
    else if (roofs->level_count && strcmp(roofs->levels[0].roof->op, MODEL_MEDIAN) == 0)
        first = "A level's roof is the median over its sizes. ";
    else if (roofs->bytes == BYTES_CORE)
        first = level_text;
    if (roofs->documented && !points->count)
        first = imported ? "Dashed: documented limits. " : "Dashed: documented limits at the measured clock. ";
    if (imported) /* its patterns and clock are unknown */
        last = "", bytes = roofs->bytes == BYTES_DRAM ? "Bytes are those between caches and memory." : bytes;
    const char *bold = roofs->highest != roofs->peak && roofs->peak->peak ? "Bold: the peak as vendors count. " : "";
    snprintf(out, size, "%s%s%s %s", bold, first, bytes, last);
}

/* Writes the kind of roofline, which the title lacks, and a caption about the `count` samples drawn. */
static void roofline_caption(const struct roofs *roofs, const struct sample *const *drawn, size_t count, char *out,
                             size_t size) {
    static const char *const SUBJECTS[] = {
        [BYTES_CORE] = "Cache-aware roofline",
        [BYTES_LOADED] = "Roofline by the bytes loaded",
        [BYTES_STORED] = "Roofline by the bytes stored",
        [BYTES_DRAM] = "Roofline by the bytes between caches and memory",
        [BYTES_DRAM_READ] = "Roofline by the bytes read from memory",
        [BYTES_DRAM_WRITTEN] = "Roofline by the bytes written to memory",
    };
    char untried[UNTRIED_BYTES];
    const bool some = *roofline_untried(roofs, untried, sizeof untried);
    const size_t length = (size_t)snprintf(out, size, "%s. %s%s", SUBJECTS[roofs->bytes], untried, some ? ". " : "");
    chart_caption(drawn, count, out + length, size - length);
}

/* Bars on roofs show the spread of their repetitions. No bar is above another, since the extremes of neighbours
 * overlap: bars of levels are at one height, which labels leave free; bars of ceilings begin at the right end. */

enum { CHART_MAX_DEVIATIONS = 2 * ROOFS_MAX_LEVELS + ROOFS_MAX_CEILINGS, CHART_DEVIATION_BYTES = 160 };

static const double FIRST = 0.03, STEP = 0.025; /* as a share of the width, from the right */
static const double HEIGHT = 0.78;              /* as a share of the way from the bottom to the peak */
static const double RADIUS = 1.8;

struct deviation_list {
    const struct roofs *roofs;
    struct plot_point *bars;
    char (*details)[CHART_DEVIATION_BYTES];
    size_t count;
};

static double chart_roofline_between(double low, double high, double share) {
    return low * pow(high / low, share);
}

static bool is_of_sizes(const struct roof *roof) {
    return strcmp(roof->op, MODEL_MEDIAN) == 0;
}

static void write_detail(const struct roof *roof, char *out) {
    const struct statistics *rate = &roof->sample->rate;
    const char *unit = model_roof_unit(roof);
    char median[32], q1[32], q3[32], min[32], max[32];
    snprintf(out, CHART_DEVIATION_BYTES, "%s: median %s, quartiles %s and %s, extremes %s and %s of %u %s",
             roof->sample->kernel, units_si(median, sizeof median, rate->median, unit),
             units_si(q1, sizeof q1, rate->q1, unit), units_si(q3, sizeof q3, rate->q3, unit),
             units_si(min, sizeof min, rate->min, unit), units_si(max, sizeof max, rate->max, unit),
             is_of_sizes(roof) ? rate->n : rate->kept, is_of_sizes(roof) ? "sizes" : "repetitions");
}

/* Adds a bar at `x`, where the roof's line is at `height`. */
static void chart_roofline_add_bar(struct deviation_list *list, const struct roof *roof, double x, double height,
                                   struct plot_color color) {
    const struct statistics *rate = &roof->sample->rate;
    const double scale = height / roof->sample->value;
    if (rate->n < 2 || !(rate->min > 0) || list->count == CHART_MAX_DEVIATIONS)
        return;
    write_detail(roof, list->details[list->count]);
    list->bars[list->count] = (struct plot_point){
        .x = x,
        .y = rate->median * scale,
        .y_min = rate->min * scale,
        .y_q1 = rate->q1 * scale,
        .y_q3 = rate->q3 * scale,
        .y_max = rate->max * scale,
        .radius = RADIUS,
        .shape = PLOT_SQUARE,
        .color = color,
        .legend = list->count > 0 ? NULL
                  : is_of_sizes(roof)
                      ? "bars: median, quartiles and extremes of a level's sizes, a ceiling's repetitions"
                      : "bars on roofs: median, quartiles and extremes of their repetitions",
        .detail = list->details[list->count],
        .source = roof->sample};
    list->count++;
}

static void add_slope(struct deviation_list *list, const struct roof *roof, unsigned index) {
    const struct roofs *r = list->roofs;
    const double height = chart_roofline_between(r->y.min, roofs_rate(r, r->peak->sample), HEIGHT),
                 x = height / roofs_slope(r, roof);
    if (x < r->x.max)
        chart_roofline_add_bar(list, roof, x, height, chart_level_color(r->all_levels, index));
}

/* Makes a bar for each level, ceiling and random bandwidth with several known repetitions: median, quartiles and
 * extremes, as for points. `details` holds the texts for hovering. Returns the number of bars. Call after
 * roofs_draw(). */
static size_t chart_deviation(const struct roofs *r, struct plot_point bars[CHART_MAX_DEVIATIONS],
                              char details[CHART_MAX_DEVIATIONS][CHART_DEVIATION_BYTES]) {
    struct deviation_list list = {r, bars, details, 0};
    for (size_t i = 0; i < r->level_count; i++)
        add_slope(&list, r->levels[i].roof, r->level_index[i]);
    for (size_t i = 0; i < r->random_count; i++)
        add_slope(&list, r->random[i].roof, r->random_index[i]);
    for (size_t i = 0; i < r->ceiling_count; i++)
        chart_roofline_add_bar(&list, r->ceilings[i],
                               chart_roofline_between(r->x.min, r->x.max, 1 - FIRST - STEP * (double)i),
                               roofs_rate(r, r->ceilings[i]->sample), i ? PALETTE_GREY : PALETTE_BLACK);
    return list.count;
}

enum { MAX_PLACES = 64 };

/* Chooses the place to draw: that of the options, else the most threads of the whole machine, without SMT if there
 * is a choice. False: the result has no such place. */
static bool chart_roofline_choose_place(const struct model *model, const struct chart_options *options,
                                        unsigned threads, struct model_view *out) {
    struct model_view places[MAX_PLACES];
    size_t count = model_places(model, places, MAX_PLACES);
    bool found = false;
    *out = (struct model_view){.threads = threads};
    for (size_t i = 0; i < count; i++) { /* by rising threads */
        const struct model_view *place = &places[i];
        bool parts = options->package || options->node;
        if (place->memory_node || (threads && place->threads != threads) ||
            (!parts && (place->package || place->node)) || (options->package && place->package != options->package) ||
            (options->node && place->node != options->node) ||
            (found && place->smt && !out->smt && place->threads == out->threads))
            continue;
        *out = *place;
        found = true;
    }
    out->core_kind = NULL; /* set later, from the peak */
    /* Only as requested: a node that is also a package has other memory under the node's name only. */
    out->package = options->package;
    out->node = options->node;
    return found;
}

/* The highest ceiling of any floating-point type: another tool may give f32 only. */
static const struct roof *peak_of_any_type(const struct model *model, struct model_view view) {
    const struct roof *peak = NULL;
    for (size_t i = 0; i < TYPE_COUNT; i++) {
        view.type = element_table[i].name;
        const struct roof *own = element_table[i].integer ? NULL : model_peak(model, &view);
        if (own && (!peak || own->sample->value > peak->sample->value))
            peak = own;
    }
    return peak;
}

/* Error: which ceiling is missing, and how to get it. */
static bool refuse_view(const struct model *model, const struct chart_options *options, const struct model_view *view,
                        struct error *err) {
    char threads[32] = "";
    bool any = false;
    size_t blanks = 0;
    for (size_t i = 0; i < model->count; i++)
        any |= model->roofs[i].sample->kind == SAMPLE_COMPUTE;
    for (size_t i = 0; i < model->blank_count; i++)
        blanks += model->blanks[i].sample->kind == SAMPLE_COMPUTE && model_in_view(&model->blanks[i], view);
    if (blanks)
        return error_set(err,
                         "all %zu such compute ceilings of the result are blank; `carmine run --resume FILE` measures "
                         "them again",
                         blanks);
    if (!any)
        return error_set(err, "the result holds no compute ceiling: `carmine run` measures one, and --peak of `carmine "
                              "import` states one");
    if (view->threads)
        snprintf(threads, sizeof threads, " (of %u thread%s)", view->threads, view->threads == 1 ? "" : "s");
    return error_set(err, "the result holds no %s compute ceiling%s%s%s; `carmine show FILE` lists its roofs",
                     view->type, options->isa ? " of " : "", options->isa ? options->isa : "", threads);
}

/* For code on single integers, the roofs are loads and stores of single integers, if they were measured. */
static void choose_elements(const struct model *model, struct model_view *view) {
    for (size_t i = 0; view->isa && i < model->count; i++)
        if (model_is_elementwise(&model->roofs[i]) && strcmp(model->roofs[i].isa, view->isa) == 0 &&
            strcmp(model->roofs[i].type, view->type) == 0)
            view->elements = model->roofs[i].type;
}

bool chart_view(const struct model *model, const struct chart_options *options, struct model_view *view,
                struct error *err) {
    bool parts = options->package || options->node;
    struct model_view of_points = {.threads = options->threads, .type = "f64"};
    const bool judged = !parts && points_view(model, options, points_has_intensity, &of_points);
    if (options->place)
        *view = *options->place;
    else if (!chart_roofline_choose_place(model, options, of_points.threads, view) && parts)
        return error_set(err, "the result holds no roofs of that part of the machine; `carmine show FILE` lists its "
                              "roofs");
    view->isa = options->isa;
    view->type = options->type ? options->type : of_points.type;
    choose_elements(model, view);
    const struct roof *peak = model_peak(model, view);
    if (!peak && !options->type && !judged)
        peak = peak_of_any_type(model, *view);
    if (!peak)
        return refuse_view(model, options, view, err);
    view->type = peak->type;
    view->core_kind = peak->sample->core_kind;
    return true;
}

/* Appends a list to another and returns the length of both. */
static size_t chart_roofline_append(void *list, size_t count, const void *more, size_t more_count, size_t size) {
    memcpy((char *)list + count * size, more, more_count * size);
    return count + more_count;
}

/* Finds the roofs that the options choose; `levels` gets the machine's levels. */
static bool choose_roofs(struct roofs *roofs, struct levels *levels, const struct chart_options *options,
                         struct error *err) {
    if (!chart_view(roofs->model, options, &roofs->view, err))
        return false;
    const struct sample *peak = model_peak(roofs->model, &roofs->view)->sample;
    if (options->per_cycle && !(peak->per_cycle > 0))
        return error_set(err, "the core clock of %s is unknown, so nothing can be drawn per cycle", peak->kernel);
    if (options->per_core)
        roofs->shared_by = chart_cores(peak);
    struct model_view place = roofs->view;
    place.isa = NULL;
    *levels = model_levels(roofs->model, &place);
    roofs->all_levels = levels;
    roofs_find(roofs, options);
    if (chart_is_dram(roofs->bytes) && roofs->level_count == 0)
        return error_set(err, "the result holds no bandwidth of a memory%s: `carmine run` measures it%s",
                         options->op ? " in that pattern" : "",
                         options->op ? "" : ", and --bandwidth of `carmine import` states one");
    if (options->op && roofs->level_count == 0 && strcmp(options->op, MODEL_MEDIAN) == 0)
        return error_set(err, "the result holds no sweep with that many threads for medians; `carmine sweep --mix "
                              "load --threads N -o FILE` measures one");
    if (options->op && roofs->level_count == 0)
        return error_set(err, "the result holds no roof of the pattern %s; `carmine show FILE` lists its roofs",
                         options->op);
    bool known = roofs->peak->documented_ratio > 0;
    for (size_t i = 0; i < roofs->level_count; i++)
        known |= roofs->levels[i].roof->documented_ratio > 0;
    if (options->documented && !known)
        return error_set(
            err,
            "--add documented: these roofs have no documented limits; `carmine spec FILE` lists documented limits");
    return true;
}

/* The element type of ceilings: that of the options, else of points with any of these numbers of threads. */
static const char *choose_type(const struct model *model, const struct chart_options *options) {
    struct chart_options own = *options;
    struct model_view view;
    for (size_t i = 0; !own.type && i <= options->fewer_count; i++) {
        own.threads = i ? options->fewer[i - 1] : options->threads;
        own.type = points_view(model, &own, points_has_intensity, &view) ? view.type : NULL;
    }
    return own.type;
}

static void name_axes(struct roofs *roofs, const struct points *points) {
    roofs_write_titles(roofs, chart_is_dram(roofs->bytes) ? points->traffic_source : NULL);
    if (points->outline_count) /* two kinds of bytes share one axis */
        roofs->x.title = "Intensity  [flop per byte: filled, loaded or stored; outlined, from and to DRAM]";
}

enum { MOST_ROOFS = CHART_MAX_FEWER + 1 };

/* All parts of a picture: too large for a stack. */
struct roofline_parts {
    size_t roofs_count;
    struct roofs roofs[MOST_ROOFS]; /* a list, most threads first */
    struct levels levels[MOST_ROOFS];
    struct points points;
    size_t line_count, drawn_count;
    struct plot_line lines[MOST_ROOFS * (ROOFS_MAX_LINES + 1) + POINTS_MAX_LINES];
    const struct sample *drawn[MOST_ROOFS * ROOFS_MAX_LINES]; /* the samples behind all roofs */
    struct plot_point markers[CHART_MAX_DEVIATIONS + CHART_MAX_RINGS + 3 * POINTS_MAX];
    struct plot_point bars[CHART_MAX_DEVIATIONS];
    char bar_details[CHART_MAX_DEVIATIONS][CHART_DEVIATION_BYTES];
    struct plot_mark marks[ROOFS_MAX_LEVELS + POINTS_MAX];
    char threads[MOST_ROOFS][ROOFS_THREADS_BYTES];
    char title[256], subtitle[512], footer[640], caption[448], note_text[CHART_MAX_NOTES][CHART_NOTE_BYTES];
    char untried[CHART_NOTE_BYTES], blank[CHART_NOTE_BYTES];
    const char *notes[POINTS_MAX_NOTES + CHART_MAX_NOTES + 2];
    struct cycle_axis right;
};

/* Finds the roofs of each number of threads as if the others were not there, then joins their axes. */
static bool choose_all_roofs(struct roofline_parts *parts, const struct chart_options *options, struct error *err) {
    struct chart_options own = *options;
    own.type = options->fewer_count ? choose_type(parts->roofs[0].model, options) : options->type;
    parts->roofs_count = options->fewer_count + 1;
    for (size_t i = 0; i < parts->roofs_count; i++) {
        struct roofs *roofs = &parts->roofs[i];
        if (i > 0) {
            *roofs = (struct roofs){.model = roofs[-1].model,
                                    .bytes = roofs[-1].bytes,
                                    .per_cycle = options->per_cycle,
                                    .behind = (unsigned)i};
            own.threads = options->fewer[i - 1];
            own.type = roofs[-1].view.type;
            roofs[-1].fewer = roofs;
        }
        roofs->several = options->fewer_count > 0;
        if (!choose_roofs(roofs, &parts->levels[i], &own, err))
            return false;
    }
    roofs_join(&parts->roofs[0]);
    roofs_write_titles(&parts->roofs[0], NULL); /* limits have the axes' units */
    return true;
}

/* Adds a row to the legend with a line as wide as those of this number of threads. */
static void add_legend_of_threads(struct roofline_parts *parts, size_t i) {
    static const double NOWHERE[2] = {NAN, NAN};
    parts->lines[parts->line_count++] = (struct plot_line){.count = 2,
                                                           .x = NOWHERE,
                                                           .y = NOWHERE,
                                                           .color = PALETTE_BLACK,
                                                           .width = roofs_width(&parts->roofs[i], ROOFS_BOLD),
                                                           .label = roofs_threads(&parts->roofs[i], parts->threads[i]),
                                                           .label_place = PLOT_LABEL_LEGEND};
}

/* Roofs of fewer threads come first, so that the others lie over them. */
static bool draw_roofs(struct roofline_parts *parts, const struct limits *limits, struct error *err) {
    const struct plot_axis x = parts->roofs[0].x, y = parts->roofs[0].y;
    if (!limits_widen(limits, &parts->roofs[0].x, &parts->roofs[0].y, err))
        return false;
    for (size_t i = 0; i < parts->roofs_count && parts->roofs_count > 1; i++)
        add_legend_of_threads(parts, i);
    for (size_t i = parts->roofs_count; i-- > 0;) {
        struct roofs *roofs = &parts->roofs[i];
        roofs->x = parts->roofs[0].x, roofs->y = parts->roofs[0].y;
        roofs_draw(roofs);
        parts->line_count = chart_roofline_append(parts->lines, parts->line_count, roofs->lines, roofs->line_count,
                                                  sizeof parts->lines[0]);
        parts->drawn_count = chart_roofline_append(parts->drawn, parts->drawn_count, roofs->drawn, roofs->line_count,
                                                   sizeof parts->drawn[0]);
    }
    parts->roofs[0].x = x, parts->roofs[0].y = y;
    return limits_set(limits, &parts->roofs[0].x, &parts->roofs[0].y, err);
}

static void chart_roofline_write_texts(struct roofline_parts *parts, const struct chart_options *options, bool rings) {
    const struct roofs *roofs = &parts->roofs[0];
    name_axes(&parts->roofs[0], &parts->points);
    roofline_title(roofs, options, parts->title, sizeof parts->title);
    describe_conditions(roofs->model->result, parts->subtitle, sizeof parts->subtitle);
    roofline_footer(roofs, &parts->points, options->op, rings, parts->footer, sizeof parts->footer);
    roofline_caption(roofs, parts->drawn, parts->drawn_count, parts->caption, sizeof parts->caption);
    if (!roofs->per_cycle)
        chart_cycle_axis(parts->drawn, parts->drawn_count, model_is_integer(roofs->peak) ? "op" : "flop",
                         &parts->right);
}

/* Adds the ridges, and if requested a line as high as the chart through each point. Returns their number. */
static size_t make_marks(struct roofline_parts *parts, bool intensities) {
    const struct points *points = &parts->points;
    const struct roofs *roofs = &parts->roofs[0];
    size_t count = chart_roofline_append(parts->marks, 0, roofs->marks, roofs->level_count, sizeof parts->marks[0]);
    for (size_t i = 0; i < points->count && intensities; i++)
        parts->marks[count++] = (struct plot_mark){
            .vertical = true, .at = points->points[i].x, .color = points->points[i].color, .dash = PLOT_DOTTED};
    return count;
}

/* Order from the bottom: rings, roofs' bars, outlines, ghosts, points. */
static size_t make_markers(struct roofline_parts *parts, size_t ring_count, size_t bar_count) {
    const struct points *points = &parts->points;
    struct plot_point *markers = parts->markers;
    size_t count = chart_roofline_append(markers, ring_count, parts->bars, bar_count, sizeof markers[0]);
    count = chart_roofline_append(markers, count, points->outlines, points->outline_count, sizeof markers[0]);
    count = chart_roofline_append(markers, count, points->ghosts, points->ghost_count, sizeof markers[0]);
    return chart_roofline_append(markers, count, points->points, points->count, sizeof markers[0]);
}

/* Adds a note if roofs of the ISA may be higher than measured; returns the number of notes. */
static size_t chart_roofline_add_untried(struct roofline_parts *parts, const char **notes) {
    char text[128];
    const struct roofs *roofs = &parts->roofs[0];
    if (!*roofline_untried(roofs, text, sizeof text))
        return 0;
    snprintf(parts->untried, sizeof parts->untried, "%s: its roofs may be higher (`carmine run --isa %s` measures all)",
             text, roofs->view.isa);
    notes[0] = parts->untried;
    return 1;
}

/* Adds a note if a blank roof may be above the drawn ones; returns the number of notes. */
static size_t add_blank(struct roofline_parts *parts, const char **notes) {
    const struct roofs *roofs = &parts->roofs[0];
    char names[128] = "";
    if (model_blank_above(roofs->model, &roofs->view, "", roofs->peak))
        snprintf(names, sizeof names, "the peak");
    for (size_t i = 0; i < roofs->level_count; i++) {
        const struct roof *roof = roofs->levels[i].roof;
        if (model_blank_above(roofs->model, &roofs->view, roof->sample->level, roof))
            text_append(names, sizeof names, "%s%s", *names ? ", " : "", roof->sample->level);
    }
    if (!*names)
        return 0;
    snprintf(parts->blank, sizeof parts->blank,
             "blank roofs may be higher: %s (`carmine run --resume FILE` measures them again)", names);
    notes[0] = parts->blank;
    return 1;
}

/* Roofs that may be higher than drawn. */
static size_t add_higher(struct roofline_parts *parts, const char **notes) {
    const size_t count = chart_roofline_add_untried(parts, notes);
    return count + add_blank(parts, notes + count);
}

/* Notes of the points come first. Returns their number. */
static size_t chart_roofline_gather_notes(struct roofline_parts *parts) {
    const char **notes = parts->notes;
    size_t count =
        chart_roofline_append(notes, 0, parts->points.notes.list, parts->points.notes.count, sizeof notes[0]);
    count += add_higher(parts, notes + count);
    return count + chart_notes(parts->roofs[0].model->result, parts->drawn, parts->drawn_count, parts->note_text,
                               notes + count);
}

static bool draw_parts(struct roofline_parts *parts, const struct chart_options *options, const char *path,
                       struct error *err) {
    struct roofs *roofs = &parts->roofs[0];
    struct points *points = &parts->points;
    if (!choose_all_roofs(parts, options, err))
        return false;
    points_find(roofs, options, points);
    const size_t ring_count = roofs->bytes == BYTES_CORE ? chart_validation(roofs, parts->markers) : 0;
    if (!draw_roofs(parts, &options->limits, err))
        return false;
    const size_t bar_count = options->deviation ? chart_deviation(roofs, parts->bars, parts->bar_details) : 0;
    if (options->deviation && bar_count == 0)
        return error_set(err, "--add deviation: the repetitions of these roofs are unknown; `carmine run` measures and "
                              "stores them");
    parts->line_count = chart_roofline_append(parts->lines, parts->line_count, points->lines, points->line_count,
                                              sizeof parts->lines[0]);
    chart_roofline_write_texts(parts, options, ring_count > 0);
    struct plot plot = {
        .title = parts->title,
        .subtitle = parts->subtitle,
        .note_count = chart_roofline_gather_notes(parts),
        .notes = parts->notes,
        .x = roofs->x,
        .y = roofs->y,
        .right_title = *parts->right.title ? parts->right.title : NULL,
        .right_per_y = parts->right.per_rate,
        .band_count = roofs->band_count,
        .bands = roofs->bands,
        .line_count = parts->line_count,
        .lines = parts->lines,
        .mark_count = make_marks(parts, options->intensities),
        .marks = parts->marks,
        .point_count = make_markers(parts, ring_count, bar_count),
        .points = parts->markers,
        .footer = parts->footer,
        .caption = parts->caption,
        .reading = roofs->reading,
        .lid = roofs_rate(roofs, roofs->highest->sample),
        .edge = roofs_edge(roofs),
    };
    return chart_write(&plot, options, path, err);
}

static bool chart_roofline_draw(const struct model *model, const struct chart_options *options, enum chart_bytes bytes,
                                const char *path, struct error *err) {
    struct roofline_parts *parts = need_calloc(1, sizeof *parts);
    struct model limited = model_with_limits(model);
    parts->roofs[0] = (struct roofs){
        .model = options->documented ? &limited : model, .bytes = bytes, .per_cycle = options->per_cycle};
    const bool done = draw_parts(parts, options, path, err);
    free(limited.roofs);
    free(parts);
    return done;
}

/* Imported roofs may have nothing but a memory bandwidth. */
static bool is_of_traffic(const struct model *model) {
    bool traffic = false;
    for (size_t i = 0; i < model->count; i++) {
        const struct pattern_share share = pattern_share(&model->roofs[i]);
        if (share.load + share.store > 0)
            return false;
        traffic |= share.read > 0;
    }
    return traffic;
}

bool chart_roofline(const struct model *model, const struct chart_options *options, const char *path,
                    struct error *err) {
    return chart_roofline_draw(model, options, is_of_traffic(model) ? BYTES_DRAM : BYTES_CORE, path, err);
}

bool chart_dram(const struct model *model, const struct chart_options *options, const char *path, struct error *err) {
    return chart_roofline_draw(model, options, BYTES_DRAM, path, err);
}

/* By DRAM bytes if those of any point are known. */
static enum chart_bytes choose_bytes(const struct model *model, const struct chart_options *options,
                                     enum chart_bytes core, enum chart_bytes dram) {
    bool known = false;
    if (options->of)
        return strcmp(options->of, "dram") == 0 ? dram : core;
    for (size_t i = 0; i < model->result->point_count; i++) {
        const struct app_point *point = &model->result->points[i];
        known |= points_chosen(point, options) && chart_point_bytes(point, dram).median > 0;
    }
    return known ? dram : core;
}

bool chart_read(const struct model *model, const struct chart_options *options, const char *path, struct error *err) {
    return chart_roofline_draw(model, options, choose_bytes(model, options, BYTES_LOADED, BYTES_DRAM_READ), path, err);
}

bool chart_written(const struct model *model, const struct chart_options *options, const char *path,
                   struct error *err) {
    return chart_roofline_draw(model, options, choose_bytes(model, options, BYTES_STORED, BYTES_DRAM_WRITTEN), path,
                               err);
}
