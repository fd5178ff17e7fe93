/* SPDX-License-Identifier: BSD-3-Clause
 * Applications in the picture of rooflines over each other (see overlay.h). */
#include "overlay.h"

#include <math.h>
#include <string.h>

#include "carm/model/verdict.h"

enum { MAX_NAMED = 24 };       /* of more points only those have labels that have room beside them */
static const double FAR = 1e6; /* a point so far from the peak is a mistake that would spoil the axes */

/* A point's rate in the picture's unit; NaN where it has no place there. */
static double height_of(const struct overlay *o, const struct app_point *point) {
    const double reached = app_flop_per_s(point);
    if (!(reached > 0) || !(app_core_bytes(point) > 0))
        return NAN;
    const double cores = point->threads ? point->threads : 1;
    return o->view.per == PER_MACHINE ? reached
           : o->view.per == PER_CORE  ? reached / cores
           : point->clock_hz > 0      ? reached / cores / point->clock_hz
                                      : NAN;
}

/* Whether a point is of the cores whose roofs are drawn, by which its verdict judges it too. */
static bool is_of_view(const struct overlay *o, size_t side, const struct app_point *point) {
    const struct roof *peak = o->top->roofs[side];
    const struct verdict verdict = verdict_find(o->comparison->sides[side].model, point);
    return peak && verdict.threads == peak->sample->threads;
}

static const struct app_point *point_named(const struct overlay *o, size_t side, const char *name) {
    const struct result *result = o->comparison->sides[side].model->result;
    for (size_t i = 0; i < result->point_count; i++)
        if (strcmp(result->points[i].name, name) == 0)
            return is_of_view(o, side, &result->points[i]) && !isnan(height_of(o, &result->points[i]))
                       ? &result->points[i]
                       : NULL;
    return NULL;
}

static void widen(struct plot_axis *axis, double value) {
    axis->min = fmin(axis->min, value / 1.5);
    axis->max = fmax(axis->max, value * 1.5);
}

/* From one point of an application to another. */
static void add_arrow(struct overlay *o, size_t side, const struct app_point *from, const struct app_point *to) {
    if (o->line_count == OVERLAY_LINES)
        return;
    struct plot_line *line =
        overlay_line(o, side, app_flop_per_byte(from), height_of(o, from), app_flop_per_byte(to), height_of(o, to));
    line->label = line->sublabel = NULL;
    line->width = 1.1;
    line->arrow = true;
}

/* The side that arrows to an application's other points lead from: the base, or where that lacks it, the first. */
static size_t start_of(const struct overlay *o, const char *name) {
    size_t turn = 0;
    while (turn < o->comparison->side_count && !point_named(o, compare_turn(o->comparison, turn), name))
        turn++;
    return compare_turn(o->comparison, turn);
}

/* "+35 %", "B −3 %" */
static void write_gain(const struct overlay *o, size_t side, double ratio, char *out, size_t size) {
    char letter[2];
    const char *name = o->comparison->side_count > 2 ? compare_letter(side, letter) : "";
    const double percent = round(100 * (ratio - 1));
    snprintf(out, size, "%s%s%s%.0f %%", name, *name ? " " : "",
             percent > 0   ? "+"
             : percent < 0 ? "−"
                           : "±",
             fabs(percent));
}

/* Where arrows begin there is an outline; where they end it is told how much faster it is there. The name stands at the
 * end of a single arrow, but where several arrows begin. */
static void add_point(struct overlay *o, size_t side, const struct app_point *point, size_t shape, bool first) {
    const struct comparison *c = o->comparison;
    const size_t slot = o->point_count++, start = start_of(o, point->name);
    const struct app_point *from = side == start ? NULL : point_named(o, start, point->name);
    const bool several = c->side_count > 2;
    bool is_start = false;
    for (size_t other = 0; other < c->side_count && side == start; other++)
        is_start |= other != side && point_named(o, other, point->name);
    if (from) {
        write_gain(o, side, app_flop_per_s(point) / app_flop_per_s(from), o->point_sublabels[slot],
                   sizeof o->point_sublabels[0]);
        add_arrow(o, side, from, point);
    }
    o->points[slot] = (struct plot_point){.x = app_flop_per_byte(point),
                                          .y = height_of(o, point),
                                          .radius = 4.4,
                                          .shape = (enum plot_shape)(shape % PLOT_SHAPES),
                                          .hollow = is_start,
                                          .color = picture_color(side),
                                          .label = from && several        ? o->point_sublabels[slot]
                                                   : is_start && !several ? NULL
                                                                          : point->name,
                                          .sublabel = from && !several ? o->point_sublabels[slot] : NULL,
                                          .optional = from && several,
                                          .near = from && several,
                                          .priority = (int)(100 * point->time_share),
                                          .legend = first ? c->sides[side].label : NULL,
                                          .detail = point->command};
    widen(&o->x, o->points[slot].x);
    widen(&o->y, o->points[slot].y);
}

/* Its number in the base's file, where that has it, so that all its points have one shape. */
static size_t shape_of(const struct overlay *o, const struct app_point *point, size_t index) {
    const struct result *base = o->comparison->sides[o->comparison->base].model->result;
    for (size_t i = 0; i < base->point_count; i++)
        if (strcmp(base->points[i].name, point->name) == 0)
            return i;
    return index;
}

void overlay_add_points(struct overlay *o) {
    const struct comparison *c = o->comparison;
    double highest = 0;
    for (size_t s = 0; s < c->side_count; s++)
        highest = fmax(highest, o->peaks[s]);
    for (size_t turn = 0; turn < c->side_count; turn++) {
        const size_t side = compare_turn(c, turn);
        const struct result *result = c->sides[side].model->result;
        for (size_t i = 0, drawn = 0; i < result->point_count; i++) {
            const struct app_point *point = &result->points[i];
            const double y = height_of(o, point), x = app_flop_per_byte(point);
            if (drawn == OVERLAY_POINTS || isnan(y) || !is_of_view(o, side, point) || y < highest / FAR ||
                y > highest * FAR || x < 1 / FAR || x > FAR) {
                o->lost_points++;
                continue;
            }
            add_point(o, side, point, shape_of(o, point, i), drawn++ == 0);
        }
    }
    if (compare_is_one_result(c)) /* each is of one side's cores */
        o->lost_points = c->sides[0].model->result->point_count - o->point_count;
    for (size_t i = 0; i < o->point_count && o->point_count > MAX_NAMED; i++)
        o->points[i].optional = o->points[i].near = true;
}
