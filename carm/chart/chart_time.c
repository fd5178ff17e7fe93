/* SPDX-License-Identifier: BSD-3-Clause
 * Bars of time: the time that each link between the core, caches and memory, and the ceiling, would need alone, as a
 * share of an application's measured time. */
#include "chart.h"
#include "chart_points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carm/model/describe.h"
#include "carm/model/verdict.h"
#include "probe/need.h"
#include "render/page/palette.h"
#include "render/page/units.h"

enum { MAX_GROUPS = 8, BARS = POINT_LINKS_MAX + 1, MAX_BARS = MAX_GROUPS * BARS, LABEL_BYTES = 64, NAME_BYTES = 60 };
static const double GROUP = 0.78; /* of a group's height, for all its bars */
static const double BAR_HEIGHT = 16.5,
                    AROUND = 190; /* points on the page: a text fits beside a bar; titles, axis, small print */
static const double FAINT = 0.4;  /* opacity of bars that do not bind */

/* Storage of the picture. */
struct time_chart {
    const struct model *model;
    const struct app_point *points[MAX_GROUPS];
    struct link_times times[MAX_GROUPS];
    size_t group_count, left_out, bar_count;
    double highest; /* % */
    struct plot_band bars[MAX_BARS];
    double x[MAX_BARS][2], low[MAX_BARS][2], high[MAX_BARS][2];
    char labels[MAX_BARS][LABEL_BYTES], names[MAX_GROUPS][NAME_BYTES];
    const char *group_names[MAX_GROUPS]; /* from the lowest group upwards */
    struct plot_mark measured;
    char title[256], subtitle[512], note[128];
};

/* Finds the first applications with known times of links. */
static void find_groups(struct time_chart *chart, const struct chart_options *options) {
    const struct result *result = chart->model->result;
    for (size_t i = 0; i < result->point_count; i++) {
        const struct app_point *point = &result->points[i];
        const struct link_times times = link_times_find(chart->model, point);
        if (!points_chosen(point, options) || times.longest == LINK_TIMES_NONE || !(point->seconds.median > 0))
            continue;
        if (chart->group_count == MAX_GROUPS) {
            chart->left_out++;
            continue;
        }
        chart->times[chart->group_count] = times;
        chart->points[chart->group_count++] = point;
    }
}

/* Adds a bar from 0 to its share, in its place among the bars of its group: the core's first. */
static void add_bar(struct time_chart *chart, size_t group, int which, struct plot_color color, const char *legend) {
    const struct link_times *times = &chart->times[group];
    const size_t bar = chart->bar_count++;
    const unsigned slot = which >= 0 ? (unsigned)which : times->count;
    const double height = GROUP / (times->count + 1), share = 100 * link_times_share(times, which);
    const double top = (double)(chart->group_count - 1 - group) + GROUP / 2 - slot * height;
    char text[UNITS_BYTES];
    color.a = which == times->longest ? 1 : FAINT;
    chart->highest = fmax(chart->highest, share);
    chart->x[bar][0] = 0, chart->x[bar][1] = share;
    chart->high[bar][0] = chart->high[bar][1] = top - 0.05 * height;
    chart->low[bar][0] = chart->low[bar][1] = top - 0.95 * height;
    snprintf(chart->labels[bar], LABEL_BYTES, "%s  %s", legend,
             units_seconds(text, sizeof text, link_times_seconds(times, which)));
    chart->bars[bar] = (struct plot_band){.count = 2,
                                          .x = chart->x[bar],
                                          .y_low = chart->low[bar],
                                          .y_high = chart->high[bar],
                                          .color = color,
                                          .label = chart->labels[bar]};
}

static void add_group(struct time_chart *chart, const struct levels *levels, size_t group) {
    const struct app_point *point = chart->points[group];
    const struct link_times *times = &chart->times[group];
    char text[UNITS_BYTES];
    for (unsigned i = 0; i < times->count; i++) {
        const unsigned last = levels->count > 0 ? levels->count - 1 : 0, index = i + 1 == times->count ? last : i;
        if (times->link[i].roof)
            add_bar(chart, group, (int)i, chart_level_color(levels, index < last ? index : last), times->link[i].name);
    }
    if (times->ceiling)
        add_bar(chart, group, LINK_TIMES_CEILING, (struct plot_color){0.45, 0.45, 0.45, 1}, "ceiling");
    snprintf(chart->names[group], NAME_BYTES, "%.36s · %s", point->name,
             units_seconds(text, sizeof text, point->seconds.median));
    chart->group_names[chart->group_count - 1 - group] = chart->names[group];
}

static bool write_chart(struct time_chart *chart, const struct chart_options *options, const char *path,
                        struct error *err) {
    char name[160];
    const char *notes[1] = {chart->note};
    snprintf(chart->title, sizeof chart->title, "%s · the time that each link would need alone",
             describe_cpu(chart->model->result, name, sizeof name));
    describe_conditions(chart->model->result, chart->subtitle, sizeof chart->subtitle);
    snprintf(chart->note, sizeof chart->note, "%zu more applications are not drawn; --point chooses which",
             chart->left_out);
    chart->measured = (struct plot_mark){.vertical = true, .at = 100, .color = PALETTE_BLACK, .label = "measured"};
    const struct plot plot = {
        .title = chart->title,
        .subtitle = chart->subtitle,
        .note_count = chart->left_out > 0,
        .notes = notes,
        .x = {.title = "Share of the measured time  [%]", .min = 0, .max = fmax(150, 1.3 * chart->highest)},
        .y = {.min = -0.5,
              .max = (double)chart->group_count - 0.5,
              .name_count = chart->group_count,
              .names = chart->group_names},
        .band_count = chart->bar_count,
        .bands = chart->bars,
        .mark_count = 1,
        .marks = &chart->measured,
        .footer = "Each link's simulated bytes over its measured bandwidth with such traffic; flop over the ceiling of "
                  "the program's own code. The longest has the full colour; if it is far below the "
                  "measured time, the program waits.",
    };
    struct chart_options sized = *options;
    const double height = (double)chart->bar_count * BAR_HEIGHT / GROUP + AROUND;
    if (!(options->height > 0) && height > PLOT_HEIGHT)
        sized.height = height;
    return chart_write(&plot, &sized, path, err);
}

bool chart_time(const struct model *model, const struct chart_options *options, const char *path, struct error *err) {
    struct time_chart *chart = need_calloc(1, sizeof *chart);
    const struct levels levels = model_levels(model, &(struct model_view){0});
    chart->model = model;
    find_groups(chart, options);
    for (size_t group = 0; group < chart->group_count; group++)
        add_group(chart, &levels, group);
    const bool done =
        chart->group_count > 0
            ? write_chart(chart, options, path, err)
            : error_set(err, "the result holds no application with known traffic between levels and roofs "
                             "for it: `carmine app --levels -o FILE` simulates it");
    free(chart);
    return done;
}
