/* SPDX-License-Identifier: BSD-3-Clause
 * Bars of time, as shares of the measured time: of an application, the time that each link between the core, caches and
 * memory, and the ceiling, would need alone; of a loop, that each part of the machine would need alone. */
#include "chart.h"
#include "chart_points.h"
#include "picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/kernels/levels.h"
#include "carm/model/verdict.h"
#include "carm/store/results.h"
#include "carm/text/table.h"
#include "probe/error.h"
#include "probe/need.h"
#include "render/page/palette.h"
#include "render/page/style.h"
#include "render/page/units.h"

enum {
    MAX_GROUPS = 8,
    BARS = LOOP_PARTS_MOST,
    MAX_BARS = MAX_GROUPS * (BARS + 1), /* with a group's name */
    LABEL_BYTES = 96,
    NAME_BYTES = 176,
    MOST_NAME = 36,
    TERMINAL_NAME = 16
};
static const double GROUP = 0.78;      /* of a group's height, for all its bars */
static const double BAR_HEIGHT = 16.5; /* points on the page: a text fits beside a bar */
static const double FAINT = 0.4;       /* opacity of bars that do not bind */
static const double NARROW = 560;      /* points: of the page's width */

struct time_bar {
    double share; /* of the measured time */
    struct plot_color color;
    bool binds;
    char label[LABEL_BYTES];
};
struct time_group {
    char name[NAME_BYTES];
    unsigned count;
    struct time_bar bar[BARS];
};

/* Storage of the picture. */
struct time_chart {
    const struct model *model;
    struct levels levels;
    struct time_group groups[MAX_GROUPS];
    size_t group_count, left_out, bar_count, most_name; /* most_name: letters */
    bool is_narrow;                                     /* names are above their bars */
    double highest;                                     /* % */
    struct plot_band bars[MAX_BARS];
    double x[MAX_BARS][2], low[MAX_BARS][2], high[MAX_BARS][2];
    const char *group_names[MAX_GROUPS]; /* from the lowest group upwards */
    struct plot_mark measured;
    char note[128];
};

/* What differs between the charts. */
struct time_kind {
    bool (*add)(struct time_chart *chart, const struct app_point *point, struct time_group *group);
    const char *title, *what, *footer, *none;
};

static struct plot_color color_of_link(const struct time_chart *chart, unsigned index, unsigned count) {
    const unsigned last = chart->levels.count > 0 ? chart->levels.count - 1 : 0,
                   level = index + 1 == count ? last : index;
    return chart_level_color(&chart->levels, level < last ? level : last);
}

static struct time_bar *bar_of(struct time_group *group, double share, struct plot_color color, bool binds) {
    struct time_bar *bar = &group->bar[group->count++];
    *bar = (struct time_bar){.share = share, .color = color, .binds = binds};
    return bar;
}

/* A long name goes without its program's, and is shortened: in a terminal bars need the place. */
static void name_group(const struct time_chart *chart, const struct app_point *point, char name[sizeof point->name]) {
    const char *slash = strchr(point->name, '/');
    const bool is_long = table_width(point->name) > chart->most_name;
    snprintf(name, sizeof point->name, "%s", slash && is_long ? slash + 1 : point->name);
    table_shorten(name, chart->most_name);
}

/* An application's links and its ceiling. False: they are not known. */
static bool add_links(struct time_chart *chart, const struct app_point *point, struct time_group *group) {
    static const struct plot_color CEILING = {0.45, 0.45, 0.45, 1};
    const struct link_times times = link_times_find(chart->model, point);
    char text[UNITS_BYTES], name[sizeof point->name];
    if (times.longest == LINK_TIMES_NONE || !(point->seconds.median > 0))
        return false;
    for (int i = LINK_TIMES_CEILING + 1; i <= (int)times.count; i++) {
        const int which = i < (int)times.count ? i : LINK_TIMES_CEILING;
        if (which >= 0 ? !times.link[i].roof : !times.ceiling)
            continue;
        struct time_bar *bar =
            bar_of(group, link_times_share(&times, which),
                   which >= 0 ? color_of_link(chart, (unsigned)i, times.count) : CEILING, which == times.longest);
        snprintf(bar->label, LABEL_BYTES, "%s  %s", which >= 0 ? times.link[i].name : "ceiling",
                 units_seconds(text, sizeof text, link_times_seconds(&times, which)));
    }
    name_group(chart, point, name);
    snprintf(group->name, NAME_BYTES, "%s · %s", name, units_seconds(text, sizeof text, point->seconds.median));
    return true;
}

static struct plot_color color_of_part(const struct time_chart *chart, const struct loop_account *account, unsigned i) {
    static const struct plot_color CORE[] = {
        [LOOP_CHAIN] = {0.72, 0.11, 0.20, 1},    [LOOP_PORTS] = {0.16, 0.42, 0.66, 1},
        [LOOP_RENAMING] = {0.45, 0.45, 0.45, 1}, [LOOP_DIVIDER] = {0.55, 0.35, 0.65, 1},
        [LOOP_FETCH] = {0.60, 0.50, 0.25, 1},    [LOOP_MISSES] = {0.85, 0.50, 0.10, 1},
        [LOOP_BRANCHES] = {0.30, 0.55, 0.30, 1}};
    unsigned links = 0, before = 0;
    for (unsigned k = 0; k < account->count; k++)
        links += account->part[k].kind == LOOP_LINK, before += account->part[k].kind == LOOP_LINK && k < i;
    return account->part[i].kind == LOOP_LINK ? color_of_link(chart, before + 1, links + 1)
                                              : CORE[account->part[i].kind];
}

/* The parts of a loop's account. */
static bool add_parts(struct time_chart *chart, const struct app_point *point, struct time_group *group) {
    const struct verdict verdict = verdict_find(chart->model, point);
    const struct loop_account *account = &verdict.loop;
    char text[UNITS_BYTES], name[sizeof point->name];
    if (account->count == 0 || !(account->measured_cycles > 0))
        return false;
    for (unsigned i = 0; i < account->count; i++) {
        struct time_bar *bar = bar_of(group, account->part[i].cycles / account->measured_cycles,
                                      color_of_part(chart, account, i), (int)i == account->longest);
        snprintf(bar->label, LABEL_BYTES, "%s  %s%s", account->part[i].name,
                 units_number_digits(text, sizeof text, account->part[i].cycles, 2),
                 account->part[i].refuted ? ", refuted" : "");
    }
    name_group(chart, point, name);
    snprintf(group->name, NAME_BYTES, "%s · %s cycles", name,
             units_number_digits(text, sizeof text, account->measured_cycles, 2));
    return true;
}

static const struct time_kind LINKS = {
    add_links, "the time that each link would need alone", "applications",
    "Each link's simulated bytes over its measured bandwidth with such traffic; flop over the ceiling of the program's "
    "own "
    "code. The longest has the full colour; if it is far below the measured time, the program waits.",
    "the result holds no application with known traffic between levels and roofs for it: `carmine app --levels -o "
    "FILE` simulates it"};
static const struct time_kind PARTS = {
    add_parts, "the time that each part of the core would need alone", "loops",
    "Cycles per iteration, from the ports and latencies of the loop's own instructions with all data in L1; of links, "
    "from "
    "simulated traffic (`--levels`). The longest has the full colour; what it does not explain is mispredicted "
    "branches, "
    "cache misses, or code around the loop. A refuted part would take longer than the loop took.",
    "the result holds no loop with known time and a core whose instructions are known: `carmine app --by loop -o FILE` "
    "counts loops"};

static void add_bar(struct time_chart *chart, double share, double top, double height, struct plot_color color,
                    const char *label) {
    const size_t at = chart->bar_count++;
    chart->x[at][0] = 0, chart->x[at][1] = share;
    chart->high[at][0] = chart->high[at][1] = top - 0.05 * height;
    chart->low[at][0] = chart->low[at][1] = top - 0.95 * height;
    chart->bars[at] = (struct plot_band){.count = 2,
                                         .x = chart->x[at],
                                         .y_low = chart->low[at],
                                         .y_high = chart->high[at],
                                         .color = color,
                                         .label = label};
}

/* The bars of a group from the top down. */
static void place_bars(struct time_chart *chart, size_t index) {
    const struct time_group *group = &chart->groups[index];
    const double height = GROUP / (group->count + chart->is_narrow);
    double top = (double)(chart->group_count - 1 - index) + GROUP / 2;
    chart->group_names[chart->group_count - 1 - index] = chart->is_narrow ? "" : group->name;
    if (chart->is_narrow) {
        add_bar(chart, 0, top, height, PALETTE_WHITE, group->name);
        top -= height;
    }
    for (unsigned i = 0; i < group->count; i++) {
        const double share = 100 * group->bar[i].share;
        struct plot_color color = group->bar[i].color;
        color.a = group->bar[i].binds ? 1 : FAINT;
        chart->highest = fmax(chart->highest, share);
        add_bar(chart, share, top - i * height, height, color, group->bar[i].label);
    }
}

/* How many bars a page of the style has room for. Only a slide has a fixed height. */
static size_t most_bars(const struct chart_options *options) {
    const struct plot_style *style = options->style ? options->style : &plot_styles[0];
    const double room = style->height - chart_rows_page(&(struct plot){.title = NULL}, style);
    return style->sparse && !style->captioned && !options->terminal ? (size_t)(room / style->scale * GROUP / BAR_HEIGHT)
                                                                    : MAX_BARS;
}

static void find_groups(struct time_chart *chart, const struct time_kind *kind, const struct chart_options *options) {
    const struct result *result = chart->model->result;
    const size_t most = most_bars(options);
    size_t bars = 0;
    for (size_t i = 0; i < result->point_count; i++) {
        struct time_group group = {.count = 0};
        if (!points_chosen(&result->points[i], options) || !kind->add(chart, &result->points[i], &group))
            continue;
        bars += group.count;
        if (chart->group_count < MAX_GROUPS && (bars <= most || chart->group_count == 0))
            chart->groups[chart->group_count++] = group;
        else
            chart->left_out++;
    }
    for (size_t i = 0; i < chart->group_count; i++)
        place_bars(chart, i);
}

/* The end of the axis at which the texts beside bars have room. */
static double axis_end(const struct time_chart *chart, const struct chart_options *options) {
    const double around = 40, gap = 14, most_share = 0.7; /* points; of the axis, for a text */
    double end = fmax(150, 1.3 * chart->highest), names = 0;
    for (size_t i = 0; i < chart->group_count; i++)
        names = fmax(names, chart_text_width(chart->group_names[i]));
    const double width = picture_width(options) - around - names;
    for (size_t i = 0; i < chart->bar_count && !options->terminal; i++) {
        const double text = chart_text_width(chart->bars[i].label) + gap;
        end = fmax(end, chart->x[i][1] / (1 - fmin(most_share, text / width)));
    }
    return end;
}

static bool write_chart(struct time_chart *chart, const struct time_kind *kind, const struct chart_options *options,
                        const char *path, struct error *err) {
    const char *notes[1] = {chart->note};
    snprintf(chart->note, sizeof chart->note, "%zu more %s are not drawn; --point chooses which", chart->left_out,
             kind->what);
    chart->measured = (struct plot_mark){.vertical = true, .at = 100, .color = PALETTE_BLACK, .label = "measured"};
    const struct plot plot = {
        .note_count = chart->left_out > 0,
        .notes = notes,
        .x = {.title = "Share of the measured time  [%]", .min = 0, .max = axis_end(chart, options)},
        .y = {.min = -0.5,
              .max = (double)chart->group_count - 0.5,
              .name_count = chart->group_count,
              .names = chart->group_names},
        .band_count = chart->bar_count,
        .bands = chart->bars,
        .mark_count = 1,
        .marks = &chart->measured,
        .footer = kind->footer,
        .rows_height = (double)chart->bar_count * BAR_HEIGHT / GROUP,
    };
    return chart_write_titled(&plot, chart->model->result, kind->title, options, path, err);
}

static bool draw(const struct model *model, const struct time_kind *kind, const struct chart_options *options,
                 const char *path, struct error *err) {
    struct time_chart *chart = need_calloc(1, sizeof *chart);
    chart->model = model;
    chart->levels = model_levels(model, &(struct model_view){0});
    chart->most_name = options->terminal ? TERMINAL_NAME : MOST_NAME;
    chart->is_narrow = !options->terminal && picture_width(options) < NARROW;
    find_groups(chart, kind, options);
    const bool done =
        chart->group_count > 0 ? write_chart(chart, kind, options, path, err) : error_set(err, "%s", kind->none);
    free(chart);
    return done;
}

bool chart_time(const struct model *model, const struct chart_options *options, const char *path, struct error *err) {
    return draw(model, &LINKS, options, path, err);
}

bool chart_loops(const struct model *model, const struct chart_options *options, const char *path, struct error *err) {
    return draw(model, &PARTS, options, path, err);
}
