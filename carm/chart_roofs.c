/* SPDX-License-Identifier: BSD-3-Clause
 * From a model to the lines of a roofline (see chart_roofs.h). */
#include "chart_roofs.h"

#include <math.h>
#include <string.h>

#include "../render/palette.h"
#include "../render/units.h"
#include "fitting.h"

static const double SAME_HEIGHT = 1.025; /* ceilings closer than this are drawn once */
static const char DOUBTFUL[] = " ▲";

static double slope_of(const struct roofs *r, const struct roof *roof) {
    return r->traffic ? fitting_traffic_bytes_per_s(roof) : roof->sample->value;
}

/* The band of a memory by what it moves: its best pattern is another one than by what the core asks for. */
static bool find_traffic(const struct roofs *r, const struct model_view *view, const char *level,
                         struct model_level *out) {
    *out = (struct model_level){0};
    for (size_t i = 0; i < r->model->count; i++) {
        const struct roof *roof = &r->model->roofs[i];
        double slope = fitting_traffic_bytes_per_s(roof);
        if (!(slope > 0) || !model_in_view(roof, view) || strcmp(roof->sample->level, level) != 0 ||
            (view->op && strcmp(view->op, roof->op) != 0))
            continue;
        if (!out->roof || slope > slope_of(r, out->roof))
            out->roof = roof;
        if (!out->floor || slope < slope_of(r, out->floor))
            out->floor = roof;
    }
    return out->roof != NULL;
}

static bool is_memory(const struct levels *levels, unsigned index) {
    return index + 1 == levels->count || levels->level[index].name[0] != 'L';
}

static void find_levels(struct roofs *r, const struct chart_options *options) {
    const struct levels *levels = r->all_levels;
    struct model_view view = r->view;
    view.op = options->op;
    view.type = NULL;
    for (unsigned i = 0; i < levels->count; i++) {
        struct model_level *level = &r->levels[r->level_count];
        const char *name = levels->level[i].name;
        if (r->traffic ? is_memory(levels, i) && find_traffic(r, &view, name, level)
                       : model_level(r->model, &view, name, level))
            r->level_index[r->level_count++] = i;
    }
    view.op = "random";
    /* In L1 and L2 the making of random addresses is the limit, not the level. */
    for (unsigned i = 2; i < levels->count && options->random && !r->traffic; i++)
        if (model_level(r->model, &view, levels->level[i].name, &r->random[r->random_count]))
            r->random_index[r->random_count++] = i;
}

/* Worth a line of its own: the best operation of each ISA, and the plain ones of the ISA that sets the peak. */
static bool is_notable(const struct roofs *r, const struct roof *roof) {
    static const char *const PLAIN[] = {"fma", "add", "mul", "div", "sqrt"};
    bool plain = false;
    for (size_t i = 0; i < sizeof PLAIN / sizeof PLAIN[0]; i++)
        plain |= strcmp(roof->op, PLAIN[i]) == 0;
    struct model_view own = r->view;
    own.isa = roof->isa;
    return model_peak(r->model, &own) == roof || (plain && strcmp(roof->isa, r->peak->isa) == 0);
}

/* From the highest down, leaving out what another ceiling already shows (AVX and AVX2 add at one height). */
static void find_ceilings(struct roofs *r) {
    double below = INFINITY;
    while (r->ceiling_count < ROOFS_MOST_CEILINGS) {
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

static void choose_axes(struct roofs *r) {
    double peak = r->peak->sample->value, last_ridge = 1, lowest = peak;
    for (size_t i = 0; i < r->level_count; i++)
        last_ridge = fmax(last_ridge, peak / slope_of(r, r->levels[i].roof));
    double first_ridge = r->level_count ? peak / slope_of(r, r->levels[0].roof) : 1;
    double x_min = exp2(floor(log2(fmin(first_ridge, 0.25) / 16))), x_max = exp2(ceil(log2(last_ridge * 8)));
    if (r->level_count) /* the outermost roof leaves the chart through its left half */
        lowest = slope_of(r, r->levels[r->level_count - 1].roof) * x_min * 2;
    if (r->random_count)
        lowest = fmin(lowest, r->random[r->random_count - 1].roof->sample->value * x_min * 8);
    lowest = fmin(lowest, r->ceilings[r->ceiling_count - 1]->sample->value / 1.5);
    bool integer = model_is_integer(r->peak);
    r->x = (struct plot_axis){.scale = PLOT_LOG2, .unit = PLOT_UNIT_FRACTION, .min = x_min, .max = x_max};
    r->x.title = r->traffic ? "Operational intensity  [flop per byte between caches and memory]"
                 : integer  ? "Arithmetic intensity  [operations per byte requested by the core]"
                            : "Arithmetic intensity  [flop per byte requested by the core]";
    r->y = (struct plot_axis){.title = integer ? "Performance  [Gop/s]" : "Performance  [Gflop/s]",
                              .scale = PLOT_LOG10,
                              .min = lowest,
                              .max = peak * 1.8,
                              .divisor = 1e9};
}

void roofs_find(struct roofs *r, const struct chart_options *options) {
    r->peak = model_peak(r->model, &r->view);
    find_levels(r, options);
    find_ceilings(r);
    choose_axes(r);
}

static const char *doubt_sign(const struct roof *roof) {
    return roof->sample->doubts ? DOUBTFUL : "";
}

static void set_ends(struct roofs *r, size_t slot, double x1, double y1, double x2, double y2) {
    r->line_x[slot][0] = x1, r->line_y[slot][0] = y1;
    r->line_x[slot][1] = x2, r->line_y[slot][1] = y2;
}

/* A line of two vertices, at the next slot. */
static struct plot_line *next_line(struct roofs *r, const struct roof *roof) {
    size_t slot = r->line_count++;
    r->drawn[slot] = roof->sample;
    r->lines[slot] = (struct plot_line){.count = 2,
                                        .x = r->line_x[slot],
                                        .y = r->line_y[slot],
                                        .label = r->labels[slot],
                                        .sublabel = r->sublabels[slot]};
    return &r->lines[slot];
}

/* "108 Gflop/s · 32 flop/cycle", as far as the clock is known. */
static void write_rate(char *out, double rate, const char *unit, double per_cycle, int decimals,
                       const char *unit_per_cycle, const char *sign) {
    char text[32];
    units_si(text, sizeof text, rate, unit);
    if (per_cycle > 0)
        snprintf(out, ROOFS_LABEL_BYTES, "%s · %.*f %s%s", text, decimals, per_cycle, unit_per_cycle, sign);
    else
        snprintf(out, ROOFS_LABEL_BYTES, "%s%s", text, sign);
}

static void add_ceiling(struct roofs *r, size_t i) {
    const struct roof *roof = r->ceilings[i];
    size_t slot = r->line_count;
    struct plot_line *line = next_line(r, roof);
    double value = roof->sample->value;
    double start = r->level_count ? value / slope_of(r, r->levels[0].roof) : r->x.min;
    set_ends(r, slot, fmax(start, r->x.min), value, r->x.max, value);
    chart_label(roof, r->labels[slot], ROOFS_LABEL_BYTES);
    strncat(r->labels[slot], doubt_sign(roof), ROOFS_LABEL_BYTES - strlen(r->labels[slot]) - 1);
    write_rate(r->sublabels[slot], value, model_roof_unit(roof), roof->sample->per_cycle,
               roof->sample->per_cycle < 100 ? 1 : 0, model_roof_unit_per_cycle(roof), "");
    line->color = i ? PALETTE_GREY : PALETTE_BLACK;
    line->width = i ? 1.1 : 2.4;
    line->label_place = PLOT_LABEL_END;
    line->priority = 15 - (int)i;
}

static void add_level(struct roofs *r, size_t i) {
    const struct model_level *level = &r->levels[i];
    const char *name = r->all_levels->level[r->level_index[i]].name;
    size_t slot = r->line_count;
    struct plot_line *line = next_line(r, level->roof);
    struct plot_color color = chart_level_color(r->all_levels, r->level_index[i]);
    double slope = slope_of(r, level->roof), floor_slope = slope_of(r, level->floor), peak = r->peak->sample->value;
    double ridge = peak / slope, per_cycle = level->roof->sample->per_cycle;
    char pattern[48];
    if (r->traffic)
        per_cycle *= slope / level->roof->sample->value;
    set_ends(r, slot, r->x.min, r->x.min * slope, ridge, peak);
    chart_label(level->roof, pattern, sizeof pattern);
    snprintf(r->labels[slot], ROOFS_LABEL_BYTES, "%s  %s", name, pattern);
    write_rate(r->sublabels[slot], slope, "B/s", per_cycle, per_cycle < 20 ? 1 : 0, "B/cycle", doubt_sign(level->roof));
    line->color = color;
    line->width = 2.4;
    line->label_place = PLOT_LABEL_ALONG;
    line->priority = 20 - (int)i;

    double x[3] = {r->x.min, ridge, peak / floor_slope};
    for (int k = 0; k < 3; k++) {
        r->band_x[i][k] = x[k];
        r->band_low[i][k] = fmin(peak, x[k] * floor_slope);
        r->band_high[i][k] = fmin(peak, x[k] * slope);
    }
    if (floor_slope < slope)
        r->bands[r->band_count++] = (struct plot_band){.count = 3,
                                                       .x = r->band_x[i],
                                                       .y_low = r->band_low[i],
                                                       .y_high = r->band_high[i],
                                                       .color = palette_faint(color)};
    units_number_digits(r->ridges[i], sizeof r->ridges[i], ridge, 2);
    r->marks[i] = (struct plot_mark){.vertical = true,
                                     .at = ridge,
                                     .from = r->y.min,
                                     .to = peak,
                                     .color = color,
                                     .dash = PLOT_DOTTED,
                                     .label = r->ridges[i]};
}

/* What is left of a level where every access goes to another, random line. */
static void add_random(struct roofs *r, size_t i) {
    const struct roof *roof = r->random[i].roof;
    size_t slot = r->line_count;
    struct plot_line *line = next_line(r, roof);
    double slope = roof->sample->value, peak = r->peak->sample->value;
    char rate[32];
    set_ends(r, slot, r->x.min, r->x.min * slope, fmin(peak / slope, r->x.max), fmin(peak, r->x.max * slope));
    snprintf(r->labels[slot], ROOFS_LABEL_BYTES, "%s random lines", r->all_levels->level[r->random_index[i]].name);
    snprintf(r->sublabels[slot], ROOFS_LABEL_BYTES, "%s%s", units_si(rate, sizeof rate, slope, "B/s"),
             doubt_sign(roof));
    line->color = chart_level_color(r->all_levels, r->random_index[i]);
    line->width = 1.3;
    line->dash = PLOT_DASHED;
    line->label_place = PLOT_LABEL_ALONG;
    line->priority = 5;
}

/* Ceilings first, so that roofs lie over them; the peak, last of them, is a roof too. */
void roofs_draw(struct roofs *r) {
    for (size_t i = r->ceiling_count; i-- > 0;)
        add_ceiling(r, i);
    for (size_t i = 0; i < r->level_count; i++)
        add_level(r, i);
    for (size_t i = 0; i < r->random_count; i++)
        add_random(r, i);
}
