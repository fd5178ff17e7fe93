/* SPDX-License-Identifier: BSD-3-Clause
 * The roofs of a roofline as lines, bands and marks (see chart_roofs.h). */
#include "chart_roofs.h"
#include "chart_parts.h"

#include <math.h>
#include <string.h>

#include "bench/kernels/estimate.h"
#include "render/page/palette.h"
#include "render/page/units.h"

static const double SEEN_FROM = 0.02; /* an interval no wider than this hides behind its line */
static const char DOUBTFUL[] = " ▲";

double roofs_rate(const struct roofs *r, const struct sample *sample) {
    return chart_rate(sample, r->per_cycle) / (r->shared_by ? r->shared_by : 1);
}

double roofs_slope(const struct roofs *r, const struct roof *roof) {
    return roofs_rate(r, roof->sample) * (r->bytes == BYTES_CORE ? 1 : chart_roof_share(roof, r->bytes));
}

double roofs_edge(const struct roofs *r) {
    return r->level_count ? roofs_slope(r, r->levels[0].roof) : 0;
}

double roofs_width(const struct roofs *r, double usual) {
    static const double SHARES[] = {1, 0.5, 0.3};
    return usual * SHARES[r->behind];
}

const char *roofs_threads(const struct roofs *r, char out[ROOFS_THREADS_BYTES]) {
    snprintf(out, ROOFS_THREADS_BYTES, "%u thread%s", r->view.threads, r->view.threads == 1 ? "" : "s");
    return out;
}

/* Behind those of more threads, roofs say of how many they are: ", 1 thread". */
static void tell_threads(const struct roofs *r, char label[ROOFS_LABEL_BYTES]) {
    char threads[ROOFS_THREADS_BYTES];
    const size_t length = strlen(label);
    if (r->behind)
        snprintf(label + length, ROOFS_LABEL_BYTES - length, ", %s", roofs_threads(r, threads));
}

static const char *doubt_sign(const struct roof *roof) {
    return doubts_any(roof->sample->doubts) ? DOUBTFUL : "";
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
                                        .sublabel = r->sublabels[slot],
                                        .short_sublabel = r->short_sublabels[slot],
                                        .source = roof->sample};
    return &r->lines[slot];
}

/* "652 GB/s · 193 B/cycle" as far as the clock is known: per core, or where the axes are per cycle, of all cores as
 * they are. `shorter`, unless it is NULL, gets the one that the axes have. */
static void write_rates(const struct roofs *r, const struct roof *roof, double share, const char *sign, char *out,
                        char *shorter) {
    double per_cycle = share * (r->per_cycle ? roofs_rate(r, roof->sample) : roof->sample->per_cycle);
    bool compute = roof->sample->kind == SAMPLE_COMPUTE;
    char rate[32], cycle_rate[64] = "";
    units_si(rate, sizeof rate, share * roof->sample->value, model_roof_unit(roof));
    if (per_cycle > 0)
        snprintf(cycle_rate, sizeof cycle_rate, "%.*f %s", per_cycle < (compute ? 100 : 20), per_cycle,
                 model_roof_unit_per_cycle(roof));
    const char *of_axes = r->per_cycle && *cycle_rate ? cycle_rate : rate;
    if (r->several) /* there is less room for it */
        snprintf(out, ROOFS_LABEL_BYTES, "%s%s", of_axes, sign);
    else
        snprintf(out, ROOFS_LABEL_BYTES, "%s%s%s%s", rate, *cycle_rate ? " · " : "", cycle_rate, sign);
    if (shorter)
        snprintf(shorter, ROOFS_LABEL_BYTES, "%s%s", of_axes, sign);
}

/* The next band, whose three vertices are to be filled. */
static size_t next_band(struct roofs *r, struct plot_color color) {
    const size_t slot = r->band_count++;
    r->bands[slot] = (struct plot_band){
        .count = 3, .x = r->band_x[slot], .y_low = r->band_low[slot], .y_high = r->band_high[slot], .color = color};
    return slot;
}

/* Where the line at this slot may lie, as a shade around it, if that is to be seen beside the line's own width; up to
 * `highest`. The first one is explained. */
static void add_interval(struct roofs *r, size_t line, double highest) {
    const struct sample *sample = r->drawn[line];
    const double *x = r->line_x[line], *y = r->line_y[line], uncertainty = estimate_uncertainty(sample);
    if (r->behind || !isfinite(uncertainty) || uncertainty < SEEN_FROM)
        return;
    const double low = fmax(sample->low / sample->value, 1e-3),
                 /* the axis may have no zero */ high = sample->high / sample->value;
    struct plot_color color = r->lines[line].color;
    color.a *= 0.25;
    const size_t slot = next_band(r, color);
    r->bands[slot].group = r->lines[line].group;
    const double at[3] = {x[0], fmax(x[0], x[1] / high), x[1]};
    for (int k = 0; k < 3; k++) {
        const double height = y[0] == y[1] ? y[0] : y[0] * at[k] / x[0];
        r->band_x[slot][k] = at[k];
        r->band_low[slot][k] = height * low;
        r->band_high[slot][k] = fmin(height * high, fmax(height, highest));
    }
    if (!r->has_interval)
        r->bands[slot].legend = "shade around a roof: where it lies in nine of ten cases";
    r->has_interval = true;
}

static void add_ceiling(struct roofs *r, size_t i) {
    const struct roof *roof = r->ceilings[i];
    size_t slot = r->line_count;
    struct plot_line *line = next_line(r, roof);
    double height = roofs_rate(r, roof->sample);
    double start = r->level_count ? height / roofs_edge(r) : r->x.min;
    set_ends(r, slot, fmax(start, r->x.min), height, r->x.max, height);
    chart_label(roof, r->labels[slot], ROOFS_LABEL_BYTES);
    tell_threads(r, r->labels[slot]);
    strncat(r->labels[slot], doubt_sign(roof), ROOFS_LABEL_BYTES - strlen(r->labels[slot]) - 1);
    write_rates(r, roof, 1, "", r->sublabels[slot], r->short_sublabels[slot]);
    line->color = i ? PALETTE_GREY : PALETTE_BLACK;
    line->width = roofs_width(r, i ? 1.1 : ROOFS_BOLD);
    line->label_place = PLOT_LABEL_END;
    line->priority = 15 - (int)i - 10 * (int)r->behind;
    add_interval(r, slot, INFINITY);
}

/* Of what a page tells beside its label: the pattern that its band reaches down to. */
static const char *write_aside(struct roofs *r, size_t i) {
    const struct roof *floor = r->levels[i].floor;
    char pattern[48], rates[ROOFS_LABEL_BYTES];
    if (floor == r->levels[i].roof)
        return NULL;
    chart_label(floor, pattern, sizeof pattern);
    write_rates(r, floor, r->bytes == BYTES_CORE ? 1 : chart_roof_share(floor, r->bytes), doubt_sign(floor), rates,
                NULL);
    snprintf(r->asides[i], sizeof r->asides[i], "weakest\t%s, %s", pattern, rates);
    return r->asides[i];
}

/* Where the level's roof meets the peak: the intensity, and how low it is marked. */
static void add_ridge(struct roofs *r, size_t i, double ridge, struct plot_color color) {
    units_number_digits(r->ridges[i], sizeof r->ridges[i], ridge, 2);
    r->marks[i] = (struct plot_mark){.vertical = true,
                                     .at = ridge,
                                     .from = r->y.min,
                                     .to = roofs_rate(r, r->peak->sample),
                                     .color = color,
                                     .dash = PLOT_DOTTED,
                                     .label = r->ridges[i],
                                     .group = r->all_levels->level[r->level_index[i]].name};
}

/* The level's band, from its roof down to its weakest pattern. */
static void add_floor(struct roofs *r, size_t i, double slope, double floor_slope, struct plot_color color) {
    const double peak = roofs_rate(r, r->peak->sample), x[3] = {r->x.min, peak / slope, peak / floor_slope};
    if (!(floor_slope < slope))
        return;
    const size_t band = next_band(r, palette_faint(color));
    r->bands[band].group = r->all_levels->level[r->level_index[i]].name;
    for (int k = 0; k < 3; k++) {
        r->band_x[band][k] = x[k];
        r->band_low[band][k] = fmin(peak, x[k] * floor_slope);
        r->band_high[band][k] = fmin(peak, x[k] * slope);
    }
}

static void add_level(struct roofs *r, size_t i) {
    const struct model_level *level = &r->levels[i];
    const char *name = r->all_levels->level[r->level_index[i]].name;
    size_t slot = r->line_count;
    struct plot_line *line = next_line(r, level->roof);
    struct plot_color color = chart_level_color(r->all_levels, r->level_index[i]);
    double slope = roofs_slope(r, level->roof), floor_slope = roofs_slope(r, level->floor),
           peak = roofs_rate(r, r->peak->sample);
    double ridge = peak / slope;
    char pattern[48];
    set_ends(r, slot, r->x.min, r->x.min * slope, ridge, peak);
    chart_label(level->roof, pattern, sizeof pattern);
    snprintf(r->labels[slot], ROOFS_LABEL_BYTES, r->behind ? "%s" : "%s  %s", name, pattern);
    tell_threads(r, r->labels[slot]);
    write_rates(r, level->roof, r->bytes == BYTES_CORE ? 1 : chart_roof_share(level->roof, r->bytes),
                doubt_sign(level->roof), r->sublabels[slot], r->short_sublabels[slot]);
    line->color = color;
    line->dash = chart_level_dash(r->all_levels, r->level_index[i]);
    line->width = roofs_width(r, ROOFS_BOLD);
    line->label_place = PLOT_LABEL_ALONG;
    line->priority = 20 - (int)i - 10 * (int)r->behind;
    line->group = name;
    line->aside = write_aside(r, i);
    if (!r->behind) {
        add_floor(r, i, slope, floor_slope, color);
        add_ridge(r, i, ridge, color);
    }
    add_interval(r, slot, peak);
}

/* What is left of a level where every access goes to another, random line. */
static void add_random(struct roofs *r, size_t i) {
    const struct roof *roof = r->random[i].roof;
    size_t slot = r->line_count;
    struct plot_line *line = next_line(r, roof);
    double slope = roofs_slope(r, roof), peak = roofs_rate(r, r->peak->sample);
    char rate[32];
    set_ends(r, slot, r->x.min, r->x.min * slope, fmin(peak / slope, r->x.max), fmin(peak, r->x.max * slope));
    snprintf(r->labels[slot], ROOFS_LABEL_BYTES, "%s random lines", r->all_levels->level[r->random_index[i]].name);
    tell_threads(r, r->labels[slot]);
    snprintf(r->sublabels[slot], ROOFS_LABEL_BYTES, "%s%s", units_si(rate, sizeof rate, roof->sample->value, "B/s"),
             doubt_sign(roof));
    line->short_sublabel = line->sublabel;
    line->color = chart_level_color(r->all_levels, r->random_index[i]);
    line->width = roofs_width(r, 1.3);
    line->dash = PLOT_DASHED;
    line->label_place = PLOT_LABEL_ALONG;
    line->priority = 5 - (int)r->behind;
    line->group = r->all_levels->level[r->random_index[i]].name;
    add_interval(r, slot, peak);
}

/* What is documented of a roof (of a ceiling without a name), at the clock that it was measured at. The limit of a
 * level ends where the highest ceiling does, its documented one included. */
static void add_documented(struct roofs *r, const struct roof *roof, struct plot_color color, const char *name) {
    const double ratio = roof->documented_ratio, top = r->peak->documented_ratio;
    const double peak = roofs_rate(r, r->peak->sample) / (top > 0 && top < 1 ? top : 1);
    if (!(ratio > 0))
        return;
    const bool compute = roof->sample->kind == SAMPLE_COMPUTE;
    const size_t slot = r->line_count;
    struct plot_line *line = next_line(r, roof);
    const double slope = compute ? 0 : roofs_slope(r, roof) / ratio, height = roofs_rate(r, roof->sample) / ratio;
    const double ridge = compute ? 0 : fmin(peak / slope, r->x.max);
    if (compute)
        set_ends(r, slot, fmax(r->x.min, r->level_count ? height / roofs_edge(r) : r->x.min), height, r->x.max, height);
    else
        set_ends(r, slot, r->x.min, r->x.min * slope, ridge, slope * ridge);
    snprintf(r->labels[slot], ROOFS_LABEL_BYTES, "%s%sdocumented", compute ? "" : name, compute ? "" : " ");
    tell_threads(r, r->labels[slot]);
    write_rates(r, roof, (r->bytes == BYTES_CORE || compute ? 1 : chart_roof_share(roof, r->bytes)) / ratio, "",
                r->sublabels[slot], r->short_sublabels[slot]);
    line->color = color;
    line->width = roofs_width(r, 1.3);
    line->dash = PLOT_DASHED;
    line->label_place = compute ? PLOT_LABEL_END : PLOT_LABEL_ALONG;
    line->priority = 4 - (int)r->behind;
    line->group = name;
}

static void add_all_documented(struct roofs *r) {
    add_documented(r, r->peak, PALETTE_BLACK, NULL);
    for (size_t i = 0; i < r->level_count; i++)
        add_documented(r, r->levels[i].roof, chart_level_color(r->all_levels, r->level_index[i]),
                       r->all_levels->level[r->level_index[i]].name);
}

/* Ceilings first, so that roofs lie over them; the peak, last of them, is a roof too. */
void roofs_draw(struct roofs *r) {
    for (size_t i = r->ceiling_count; i-- > 0;)
        add_ceiling(r, i);
    for (size_t i = 0; i < r->level_count; i++)
        add_level(r, i);
    for (size_t i = 0; i < r->random_count; i++)
        add_random(r, i);
    if (r->documented)
        add_all_documented(r);
}
