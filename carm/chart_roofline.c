/* SPDX-License-Identifier: BSD-3-Clause
 * The roofline: each level a roof with its band, each ISA's ceilings, the ridge points. */
#include <math.h>
#include <string.h>

#include "../bench/doubt.h"
#include "../render/palette.h"
#include "../render/plot.h"
#include "../render/units.h"
#include "chart.h"
#include "chart_validation.h"
#include "report.h"

enum {
    MOST_CEILINGS = 11,
    MOST_PLACES = 64,
    MOST_LEVELS = MACHINE_MAX_CACHES + 1,
    MOST_LINES = 2 * MOST_LEVELS + MOST_CEILINGS,
    LABEL_BYTES = 160
};
static const double SAME_HEIGHT = 1.025; /* ceilings closer than this are drawn once */
static const char DOUBTFUL[] = " ▲";

/* The data behind one picture; everything that struct plot borrows lives here. */
struct roofline {
    const struct model *model;
    struct model_view view;
    const struct levels *all_levels; /* that the view has, with memory of other kinds */
    const struct roof *peak;
    size_t level_count, ceiling_count, random_count;
    struct model_level levels[MOST_LEVELS];
    unsigned level_index[MOST_LEVELS];
    const struct roof *ceilings[MOST_CEILINGS];
    struct model_level random[MOST_LEVELS]; /* independent random lines, where asked for */
    unsigned random_index[MOST_LEVELS];
    struct plot_axis x, y;
    double line_x[MOST_LINES][2], line_y[MOST_LINES][2];
    double band_x[MOST_LEVELS][3], band_low[MOST_LEVELS][3], band_high[MOST_LEVELS][3];
    char labels[MOST_LINES][LABEL_BYTES], sublabels[MOST_LINES][LABEL_BYTES];
    char ridges[MOST_LEVELS][32];
};

static void find_levels(struct roofline *r, const struct chart_options *options) {
    const struct levels *levels = r->all_levels;
    struct model_view view = r->view;
    view.op = options->op;
    view.type = NULL;
    for (unsigned i = 0; i < levels->count; i++)
        if (model_level(r->model, &view, levels->level[i].name, &r->levels[r->level_count]))
            r->level_index[r->level_count++] = i;
    view.op = "random";
    /* In L1 and L2 the making of random addresses is the limit, not the level. */
    for (unsigned i = 2; i < levels->count && options->random; i++)
        if (model_level(r->model, &view, levels->level[i].name, &r->random[r->random_count]))
            r->random_index[r->random_count++] = i;
}

/* Worth a line of its own: the best operation of each ISA, and the plain ones of the ISA that sets the peak. */
static bool is_notable(const struct roofline *r, const struct roof *roof) {
    static const char *const PLAIN[] = {"fma", "add", "mul", "div", "sqrt"};
    bool plain = false;
    for (size_t i = 0; i < sizeof PLAIN / sizeof PLAIN[0]; i++)
        plain |= strcmp(roof->op, PLAIN[i]) == 0;
    struct model_view own = r->view;
    own.isa = roof->isa;
    return model_peak(r->model, &own) == roof || (plain && strcmp(roof->isa, r->peak->isa) == 0);
}

/* From the highest down, leaving out what another ceiling already shows (AVX and AVX2 add at one height). */
static void find_ceilings(struct roofline *r) {
    double below = INFINITY;
    while (r->ceiling_count < MOST_CEILINGS) {
        const struct roof *next = NULL;
        for (size_t i = 0; i < r->model->count; i++) {
            const struct roof *roof = &r->model->roofs[i];
            if (roof->sample->kind == SAMPLE_COMPUTE && model_in_view(roof, &r->view) && is_notable(r, roof) &&
                roof->sample->value * SAME_HEIGHT < below && (!next || roof->sample->value > next->sample->value))
                next = roof;
        }
        if (!next)
            return;
        r->ceilings[r->ceiling_count++] = next;
        below = next->sample->value;
    }
}

static void choose_axes(struct roofline *r) {
    double peak = r->peak->sample->value, last_ridge = 1, lowest = peak;
    for (size_t i = 0; i < r->level_count; i++)
        last_ridge = fmax(last_ridge, model_ridge(r->peak, r->levels[i].roof));
    double first_ridge = r->level_count ? model_ridge(r->peak, r->levels[0].roof) : 1;
    double x_min = exp2(floor(log2(fmin(first_ridge, 0.25) / 16))), x_max = exp2(ceil(log2(last_ridge * 8)));
    if (r->level_count) /* the outermost roof leaves the chart through its left half */
        lowest = r->levels[r->level_count - 1].roof->sample->value * x_min * 2;
    if (r->random_count)
        lowest = fmin(lowest, r->random[r->random_count - 1].roof->sample->value * x_min * 8);
    lowest = fmin(lowest, r->ceilings[r->ceiling_count - 1]->sample->value / 1.5);
    bool integer = model_is_integer(r->peak);
    r->x = (struct plot_axis){.title = integer ? "Arithmetic intensity  [operations per byte requested by the core]"
                                               : "Arithmetic intensity  [flop per byte requested by the core]",
                              .scale = PLOT_LOG2,
                              .unit = PLOT_UNIT_FRACTION,
                              .min = x_min,
                              .max = x_max};
    r->y = (struct plot_axis){.title = integer ? "Performance  [Gop/s]" : "Performance  [Gflop/s]",
                              .scale = PLOT_LOG10,
                              .min = lowest,
                              .max = peak * 1.8,
                              .divisor = 1e9};
}

static const char *doubt_sign(const struct roof *roof) {
    return roof->sample->doubts ? DOUBTFUL : "";
}

static size_t add_level(struct roofline *r, size_t i, struct plot_line *line, struct plot_band *band,
                        struct plot_mark *mark) {
    const struct levels *levels = r->all_levels;
    const struct model_level *level = &r->levels[i];
    struct plot_color color = chart_level_color(levels, r->level_index[i]);
    double slope = level->roof->sample->value, floor_slope = level->floor->sample->value, peak = r->peak->sample->value;
    double ridge = peak / slope;
    char pattern[48], rate[32];
    r->line_x[i][0] = r->x.min, r->line_y[i][0] = r->x.min * slope;
    r->line_x[i][1] = ridge, r->line_y[i][1] = peak;
    chart_label(level->roof, pattern, sizeof pattern);
    snprintf(r->labels[i], LABEL_BYTES, "%s  %s", levels->level[r->level_index[i]].name, pattern);
    snprintf(r->sublabels[i], LABEL_BYTES, "%s · %.*f B/cycle%s", units_si(rate, sizeof rate, slope, "B/s"),
             level->roof->sample->per_cycle < 20 ? 1 : 0, level->roof->sample->per_cycle, doubt_sign(level->roof));
    *line = (struct plot_line){.count = 2,
                               .x = r->line_x[i],
                               .y = r->line_y[i],
                               .color = color,
                               .width = 2.4,
                               .label = r->labels[i],
                               .sublabel = r->sublabels[i],
                               .label_place = PLOT_LABEL_ALONG,
                               .priority = 20 - (int)i};
    double x[3] = {r->x.min, ridge, peak / floor_slope};
    for (int k = 0; k < 3; k++) {
        r->band_x[i][k] = x[k];
        r->band_low[i][k] = fmin(peak, x[k] * floor_slope);
        r->band_high[i][k] = fmin(peak, x[k] * slope);
    }
    *band = (struct plot_band){.count = 3,
                               .x = r->band_x[i],
                               .y_low = r->band_low[i],
                               .y_high = r->band_high[i],
                               .color = palette_faint(color)};
    units_number_digits(r->ridges[i], sizeof r->ridges[i], ridge, 2);
    *mark = (struct plot_mark){.vertical = true,
                               .at = ridge,
                               .from = r->y.min,
                               .to = peak,
                               .color = color,
                               .dash = PLOT_DOTTED,
                               .label = r->ridges[i]};
    return floor_slope < slope;
}

static void add_ceiling(struct roofline *r, size_t i, struct plot_line *line) {
    size_t slot = r->level_count + i;
    const struct roof *roof = r->ceilings[i];
    double value = roof->sample->value;
    double start = r->level_count ? value / r->levels[0].roof->sample->value : r->x.min;
    char rate[32];
    r->line_x[slot][0] = fmax(start, r->x.min), r->line_x[slot][1] = r->x.max;
    r->line_y[slot][0] = r->line_y[slot][1] = value;
    chart_label(roof, r->labels[slot], LABEL_BYTES);
    strncat(r->labels[slot], doubt_sign(roof), LABEL_BYTES - strlen(r->labels[slot]) - 1);
    snprintf(r->sublabels[slot], LABEL_BYTES, "%s · %.*f %s", units_si(rate, sizeof rate, value, model_roof_unit(roof)),
             roof->sample->per_cycle < 100 ? 1 : 0, roof->sample->per_cycle, model_roof_unit_per_cycle(roof));
    *line = (struct plot_line){.count = 2,
                               .x = r->line_x[slot],
                               .y = r->line_y[slot],
                               .label = r->labels[slot],
                               .sublabel = r->sublabels[slot],
                               .color = i ? PALETTE_GREY : PALETTE_BLACK,
                               .width = i ? 1.1 : 2.4,
                               .label_place = PLOT_LABEL_END,
                               .priority = 15 - (int)i};
}

/* What is left of a level where every access goes to another, random line. */
static void add_random(struct roofline *r, size_t i, struct plot_line *line) {
    const struct levels *levels = r->all_levels;
    size_t slot = r->level_count + r->ceiling_count + i;
    const struct roof *roof = r->random[i].roof;
    double slope = roof->sample->value, peak = r->peak->sample->value;
    char rate[32];
    r->line_x[slot][0] = r->x.min, r->line_y[slot][0] = r->x.min * slope;
    r->line_x[slot][1] = fmin(peak / slope, r->x.max), r->line_y[slot][1] = fmin(peak, r->x.max * slope);
    snprintf(r->labels[slot], LABEL_BYTES, "%s random lines", levels->level[r->random_index[i]].name);
    snprintf(r->sublabels[slot], LABEL_BYTES, "%s%s", units_si(rate, sizeof rate, slope, "B/s"), doubt_sign(roof));
    *line = (struct plot_line){.count = 2,
                               .x = r->line_x[slot],
                               .y = r->line_y[slot],
                               .color = chart_level_color(levels, r->random_index[i]),
                               .width = 1.3,
                               .dash = PLOT_DASHED,
                               .label = r->labels[slot],
                               .sublabel = r->sublabels[slot],
                               .label_place = PLOT_LABEL_ALONG,
                               .priority = 5};
}

/* The place to draw: what the options name, else the most threads of the whole machine, without SMT where there is
 * both. False when the result has no such place. */
static bool choose_place(const struct model *model, const struct chart_options *options, struct model_view *out) {
    struct model_view places[MOST_PLACES];
    size_t count = model_places(model, places, MOST_PLACES);
    bool found = false;
    for (size_t i = 0; i < count; i++) { /* by rising threads */
        const struct model_view *place = &places[i];
        bool parts = options->package || options->node;
        if (place->memory_node || (options->threads && place->threads != options->threads) ||
            (!parts && (place->package || place->node)) || (options->package && place->package != options->package) ||
            (options->node && place->node != options->node) ||
            (found && place->smt && !out->smt && place->threads == out->threads))
            continue;
        *out = *place;
        found = true;
    }
    out->core_kind = NULL; /* the peak decides */
    /* Only what was asked for: a node that is a package too has other memory under the node's name alone. */
    out->package = options->package;
    out->node = options->node;
    return found;
}

bool chart_roofline(const struct model *model, const struct chart_options *options, const char *path,
                    struct error *err) {
    struct roofline r = {.model = model, .view = {.threads = options->threads}};
    if (!choose_place(model, options, &r.view) && (options->package || options->node))
        return error_set(err,
                         "the result holds no roofs of that part of the machine; `carmine show FILE` lists what it "
                         "holds");
    r.view.isa = options->isa;
    r.view.type = options->type ? options->type : "f64";
    r.peak = model_peak(model, &r.view);
    if (!r.peak)
        return error_set(err,
                         "the result holds no %s compute ceiling%s%s (of %u threads); `carmine show FILE` lists "
                         "what it holds",
                         r.view.type, options->isa ? " of " : "", options->isa ? options->isa : "", r.view.threads);
    r.view.core_kind = r.peak->sample->core_kind;
    const struct levels all_levels = model_levels(model, &(struct model_view){.threads = r.view.threads,
                                                                              .core_kind = r.view.core_kind,
                                                                              .package = r.view.package,
                                                                              .node = r.view.node,
                                                                              .smt = r.view.smt});
    r.all_levels = &all_levels;
    find_levels(&r, options);
    find_ceilings(&r);
    choose_axes(&r);
    struct plot_point rings[CHART_MAX_RINGS];
    size_t ring_count = chart_validation(model, &r.view, &r.x, &r.y, rings);
    if (options->op && r.level_count == 0)
        return error_set(err, "the result holds no roof of the pattern %s; `carmine show FILE` lists what it holds",
                         options->op);

    struct plot_line lines[MOST_LINES];
    struct plot_band bands[MOST_LEVELS];
    struct plot_mark marks[MOST_LEVELS];
    const struct sample *drawn[MOST_LINES];
    size_t band_count = 0, count = r.level_count + r.ceiling_count + r.random_count;
    /* Ceilings first, so that roofs lie over them; the peak is a roof too. */
    for (size_t i = 0; i < r.ceiling_count; i++) {
        add_ceiling(&r, i, &lines[r.ceiling_count - 1 - i]);
        drawn[i] = r.ceilings[i]->sample;
    }
    for (size_t i = 0; i < r.level_count; i++) {
        band_count += add_level(&r, i, &lines[r.ceiling_count + i], &bands[band_count], &marks[i]);
        drawn[r.ceiling_count + i] = r.levels[i].roof->sample;
    }
    for (size_t i = 0; i < r.random_count; i++) {
        add_random(&r, i, &lines[r.ceiling_count + r.level_count + i]);
        drawn[r.ceiling_count + r.level_count + i] = r.random[i].roof->sample;
    }
    char name[160], title[256], subtitle[512], note_text[CHART_MAX_NOTES][CHART_NOTE_BYTES];
    const char *notes[CHART_MAX_NOTES];
    const struct result *result = model->result;
    char place[128];
    struct sample where = *r.peak->sample;
    where.core_kind[0] = '\0'; /* said with the number */
    model_place_text(&where, place, sizeof place);
    snprintf(title, sizeof title, "%s · %u %s%s%s%s%s%s · %s", report_cpu_name(result, name, sizeof name),
             r.view.threads, r.view.core_kind, *r.view.core_kind ? " " : "", r.view.smt ? "thread" : "core",
             r.view.threads == 1 ? "" : "s", *place ? " · " : "", place, r.view.type);
    report_conditions_line(result, subtitle, sizeof subtitle);
    struct plot plot = {
        .title = title,
        .subtitle = subtitle,
        .note_count = chart_notes(result, drawn, count, note_text, notes),
        .notes = notes,
        .x = r.x,
        .y = r.y,
        .band_count = band_count,
        .bands = bands,
        .line_count = count,
        .lines = lines,
        .mark_count = r.level_count,
        .marks = marks,
        .point_count = ring_count,
        .points = rings,
        .footer =
            ring_count
                ? "Rings: kernels that load and compute, at their own clock; loads alone run at a higher one where "
                  "heavy "
                  "vector code lowers it. Bytes are those that the core asks for. Per cycle and core, at the clock "
                  "under load."
                : "A level's roof is its best access pattern, its band reaches down to the weakest. Bytes are those "
                  "that the core asks for; write-allocate is not counted. Per cycle and core, at the clock under "
                  "load.",
    };
    struct plot_error plot_err;
    return plot_write(&plot, path, options->width, options->height, &plot_err) || error_set(err, "%s", plot_err.text);
}
