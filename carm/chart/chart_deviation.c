/* SPDX-License-Identifier: BSD-3-Clause
 * Bars of roofs' repetitions (see chart_deviation.h). No two stand above each other, since extremes of one reach over
 * the next: those of levels are at one height, which labels leave free, and those of ceilings go from the right end on.
 */
#include "chart_deviation.h"

#include <math.h>
#include <string.h>

#include "render/page/palette.h"
#include "render/page/units.h"

static const double FIRST = 0.03, STEP = 0.025; /* of the width, from the right */
static const double HEIGHT = 0.78;              /* from the bottom to the peak */
static const double RADIUS = 1.8;

struct deviation_list {
    const struct roofs *roofs;
    struct plot_point *bars;
    char (*details)[CHART_DEVIATION_BYTES];
    size_t count;
};

static double between(double low, double high, double share) {
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

/* At `x`, where the roof's line is at `height`. */
static void add_bar(struct deviation_list *list, const struct roof *roof, double x, double height,
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
    const double height = between(r->y.min, roofs_rate(r, r->peak->sample), HEIGHT), x = height / roofs_slope(r, roof);
    if (x < r->x.max)
        add_bar(list, roof, x, height, chart_level_color(r->all_levels, index));
}

size_t chart_deviation(const struct roofs *r, struct plot_point bars[CHART_MAX_DEVIATIONS],
                       char details[CHART_MAX_DEVIATIONS][CHART_DEVIATION_BYTES]) {
    struct deviation_list list = {r, bars, details, 0};
    for (size_t i = 0; i < r->level_count; i++)
        add_slope(&list, r->levels[i].roof, r->level_index[i]);
    for (size_t i = 0; i < r->random_count; i++)
        add_slope(&list, r->random[i].roof, r->random_index[i]);
    for (size_t i = 0; i < r->ceiling_count; i++)
        add_bar(&list, r->ceilings[i], between(r->x.min, r->x.max, 1 - FIRST - STEP * (double)i),
                roofs_rate(r, r->ceilings[i]->sample), i ? PALETTE_GREY : PALETTE_BLACK);
    return list.count;
}
