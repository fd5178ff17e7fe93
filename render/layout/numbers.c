/* SPDX-License-Identifier: BSD-3-Clause
 * Labels of several points: all of them are near each other, so no chain of points becomes one label. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "labels.h"
#include "series.h"

static const double hidden = 1.5;             /* markers that are nearer, in radii, hide most of each other */
static const double touching = 3, around = 5; /* in radii: the second for numbers that else have no place */

enum { NUMBERS_BYTES = 128, MOST_TURNS = 4 };

struct numbered {
    size_t number; /* 0: none, or not in the frame */
    struct vec at;
    double radius;
    size_t first; /* the index of the first point with the same label */
    size_t turn;  /* labels with a turn come before the others, the last turn first */
    enum { NEAR, ANYWHERE, NOWHERE } room;
    unsigned turns; /* that it had with room anywhere */
};

struct numbering {
    size_t count;
    struct numbered *points;
    struct label_place *place;
    const struct plot *plot;
    const struct theme *theme;
};

/* Joins the label of point i with the one whose farthest point is the nearest, but nearer than `most` radii; false:
 * there is none. */
static bool join(const struct numbering *numbering, size_t i, double most) {
    struct numbered *points = numbering->points;
    const size_t own = points[i].first;
    size_t nearest = own;
    for (size_t other = 0; other < numbering->count; other++) {
        double away = 0;
        for (size_t k = other; k < numbering->count && away < most; k++)
            for (size_t m = own; m < numbering->count && points[k].first == other; m++)
                if (points[m].first == own)
                    away = fmax(away, hypot(points[k].at.x - points[m].at.x, points[k].at.y - points[m].at.y) /
                                          fmax(points[k].radius, points[m].radius));
        if (other != own && points[other].number && points[other].first == other && away < most)
            most = away, nearest = other;
    }
    const size_t first = nearest < own ? nearest : own;
    for (size_t k = 0; k < numbering->count && nearest != own; k++)
        if (points[k].first == nearest || points[k].first == own)
            points[k].first = first, points[k].turn = 0;
    return nearest != own;
}

/* "2, 5–7" */
static void write_numbers(const struct numbering *numbering, size_t first, char out[NUMBERS_BYTES]) {
    size_t length = 0, begin = 0, end = 0;
    for (size_t i = first; i <= numbering->count && length < NUMBERS_BYTES; i++) {
        const bool any = i < numbering->count && numbering->points[i].number;
        const size_t number = any && numbering->points[i].first == first ? numbering->points[i].number : 0;
        if (i < numbering->count && !number)
            continue;
        if (begin && number == end + 1) {
            end = number;
            continue;
        }
        if (end > begin)
            length +=
                (size_t)snprintf(out + length, NUMBERS_BYTES - length, "%s%zu", end > begin + 1 ? "–" : ", ", end);
        if (number && length < NUMBERS_BYTES)
            length += (size_t)snprintf(out + length, NUMBERS_BYTES - length, "%s%zu", begin ? ", " : "", number);
        begin = end = number;
    }
}

/* Writes the label of point i, which other points may share. It stands beside all of them. False: no room. */
static bool write_label(const struct numbering *numbering, size_t i) {
    const struct numbered *points = numbering->points;
    char text[NUMBERS_BYTES];
    struct vec middle = {0};
    double count = 0, radius = 0;
    for (size_t k = i; k < numbering->count; k++)
        if (points[k].first == i)
            middle.x += points[k].at.x, middle.y += points[k].at.y, count++;
    middle.x /= count, middle.y /= count;
    for (size_t k = i; k < numbering->count; k++)
        if (points[k].first == i)
            radius = fmax(radius, hypot(points[k].at.x - middle.x, points[k].at.y - middle.y) +
                                      point_reach(&numbering->plot->points[k]));
    write_numbers(numbering, i, text);
    const struct label label = {.text = text,
                                .style = numbering->theme->point,
                                .must_stand = true,
                                .thorough = points[i].turn > 0,
                                .last_resort = points[i].room > NEAR,
                                .leader = text_color(numbering->plot->points[i].color)};
    return place_around(numbering->place, &label, middle, radius);
}

/* Writes labels until one has no room; returns its point, or their number. */
static size_t write_all(const struct numbering *numbering, const struct label_rank *order, size_t turns) {
    const struct numbered *points = numbering->points;
    for (size_t turn = turns + 1; turn-- > 0;)
        for (size_t k = 0; k < numbering->count; k++) {
            const size_t i = order[k].index;
            if (points[i].number && points[i].first == i && points[i].turn == turn && points[i].room != NOWHERE &&
                !write_label(numbering, i))
                return i;
        }
    return numbering->count;
}

static void settle(const struct numbering *numbering, const struct label_rank *order) {
    const struct place_state before = place_now(numbering->place);
    size_t turns = 0;
    for (size_t i; (i = write_all(numbering, order, turns)) < numbering->count;) {
        struct numbered *point = &numbering->points[i];
        place_return(numbering->place, &before);
        if (point->turn == 0 || (point->room == ANYWHERE && point->turns++ < MOST_TURNS))
            point->turn = ++turns;
        else if (!join(numbering, i, point->room == ANYWHERE ? around : touching))
            point->room++, point->turn = ++turns;
    }
}

void numbers_write(const size_t *numbers, struct label_place *place, const struct plot *plot, const struct theme *theme,
                   const struct label_rank *order) {
    const struct numbering numbering = {.count = plot->point_count,
                                        .points = calloc(plot->point_count + 1, sizeof *numbering.points),
                                        .place = place,
                                        .plot = plot,
                                        .theme = theme};
    place->page->out_of_memory |= !numbering.points;
    for (size_t i = 0; i < plot->point_count && numbering.points; i++) {
        const struct plot_point *point = &plot->points[i];
        const struct vec at = trace_point(plot, &place->page->plot, point->x, point->y);
        numbering.points[i] = (struct numbered){.number = frame_contains(&place->page->plot, at) ? numbers[i] : 0,
                                                .at = at,
                                                .radius = marker_radius(point->radius, point->hollow),
                                                .first = i};
    }
    for (size_t i = 0; i < plot->point_count && numbering.points; i++)
        while (numbering.points[i].number && join(&numbering, i, hidden))
            ;
    if (numbering.points)
        settle(&numbering, order);
    free(numbering.points);
}
