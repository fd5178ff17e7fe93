/* SPDX-License-Identifier: BSD-3-Clause
 * Columns of labels. Leaders do not cross: the rows of two crossing leaders change places, which makes both together
 * shorter, so this ends. */
#include "labels.h"
#include "series.h"

#include <math.h>
#include <stdlib.h>

static const double near = 34;       /* points closer than this crowd each other */
static const size_t crowd_least = 3; /* a smaller crowd finds room around its points */
static const double far = 130;       /* leaders longer than this are hard to follow */
static const size_t few = 4;         /* so few labels stand alone rather than in a far column */
static const double row_gap = 3, marker_gap = 5, leader_gap = 4;

struct member {
    size_t point;
    struct vec at; /* place of its marker */
    size_t neighbours, crowd;
};

static bool are_close(const struct member *a, const struct member *b) {
    return a != b && hypot(a->at.x - b->at.x, a->at.y - b->at.y) < near;
}

static bool is_crowded(const struct member *member) {
    return member->neighbours + 1 >= crowd_least;
}

/* Gives the crowd's number to all points that are reachable from one crowded point to the next (DBSCAN, Ester et al.
 * 1996). */
static void spread_number(struct member *members, size_t count, size_t number) {
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < count; i++)
            for (size_t k = 0; k < count; k++)
                if (members[i].crowd == number && is_crowded(&members[i]) && !members[k].crowd &&
                    are_close(&members[i], &members[k])) {
                    members[k].crowd = number;
                    more = true;
                }
    }
}

size_t callout_crowds(const struct plot *plot, struct page *page, const bool *dropped, size_t *crowd) {
    size_t count = 0, crowds = 0;
    struct member *members = calloc(plot->point_count + 1, sizeof *members);
    page->out_of_memory |= !members;
    for (size_t i = 0; members && i < plot->point_count; i++) {
        struct vec at = trace_point(plot, &page->plot, plot->points[i].x, plot->points[i].y);
        if (plot->points[i].label && !plot->points[i].near && !dropped[i] && frame_contains(&page->plot, at))
            members[count++] = (struct member){.point = i, .at = at};
        crowd[i] = 0;
    }
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count; k++)
            members[i].neighbours += are_close(&members[i], &members[k]);
    for (size_t i = 0; i < count; i++)
        if (!members[i].crowd && is_crowded(&members[i])) {
            members[i].crowd = ++crowds;
            spread_number(members, count, crowds);
        }
    for (size_t i = 0; i < count; i++)
        crowd[members[i].point] = members[i].crowd;
    free(members);
    return crowds;
}

struct callout_row {
    const struct plot_point *point;
    size_t index; /* of the point */
    struct vec at;
    struct label label;
    double width;
};

struct callout_column {
    size_t count;
    struct callout_row *rows; /* from top to bottom */
    struct frame markers;     /* of their markers */
    double marker_width, row_height, width, height;
};

static int by_height(const void *a, const void *b) {
    const struct callout_row *p = a, *q = b;
    if (p->at.y != q->at.y)
        return p->at.y < q->at.y ? -1 : 1;
    return p->index < q->index ? -1 : p->index > q->index;
}

static void measure(struct callout_column *column, struct page *page) {
    double widest = 0;
    column->marker_width = column->row_height = 0;
    column->markers = (struct frame){INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < column->count; i++) {
        struct callout_row *row = &column->rows[i];
        double height;
        label_size(page, &row->label, &row->width, &height);
        widest = fmax(widest, row->width);
        column->row_height = fmax(column->row_height, height + row_gap);
        column->marker_width = fmax(column->marker_width, 2 * marker_reach(row->point->shape, marker_radius(0, false)));
        column->markers.left = fmin(column->markers.left, row->at.x);
        column->markers.right = fmax(column->markers.right, row->at.x);
        column->markers.top = fmin(column->markers.top, row->at.y);
        column->markers.bottom = fmax(column->markers.bottom, row->at.y);
    }
    column->width = column->marker_width + marker_gap + widest;
    column->height = (double)column->count * column->row_height;
}

static void drop_least(struct callout_column *column, bool *dropped) {
    size_t least = 0;
    for (size_t i = 1; i < column->count; i++) {
        const struct callout_row *row = &column->rows[i], *worst = &column->rows[least];
        if (row->point->priority < worst->point->priority ||
            (row->point->priority == worst->point->priority && row->index > worst->index))
            least = i;
    }
    dropped[column->rows[least].index] = true;
    column->count--;
    for (size_t i = least; i < column->count; i++)
        column->rows[i] = column->rows[i + 1];
}

static double row_y(const struct callout_column *column, const struct box *box, size_t i) {
    return box->center.y - box->half_height + ((double)i + 0.5) * column->row_height;
}

/* Where the leader of row i meets a column right or left of the markers. */
static struct vec leader_end(const struct callout_column *column, const struct box *box, size_t i) {
    bool right = box->center.x > column->markers.right;
    return (struct vec){box->center.x + (right ? -1 : 1) * (box->half_width + leader_gap), row_y(column, box, i)};
}

static void uncross(struct callout_column *column, const struct box *box) {
    qsort(column->rows, column->count, sizeof *column->rows, by_height);
    for (bool again = true; again;) {
        again = false;
        for (size_t i = 0; i < column->count; i++)
            for (size_t k = i + 1; k < column->count; k++)
                if (segments_cross(column->rows[i].at, leader_end(column, box, i), column->rows[k].at,
                                   leader_end(column, box, k))) {
                    struct callout_row swap = column->rows[i];
                    column->rows[i] = column->rows[k];
                    column->rows[k] = swap;
                    again = true;
                }
    }
}

/* The cost of the column's leaders: infinite if one is not allowed, higher if one passes other markers. */
static double leaders_cost(const struct label_place *place, const struct callout_column *column,
                           const struct box *box) {
    const double marker_costs = 8, gap = 5;
    double cost = 0;
    for (size_t i = 0; i < column->count; i++) {
        struct vec at = column->rows[i].at, end = leader_end(column, box, i);
        if (!place_leader_is_free(place, at, end))
            return INFINITY;
        cost += marker_costs * place_markers_on_way(place, at, end, gap) + place_leader_cost(place, at, end);
    }
    return cost;
}

/* Looks for room right and left of the markers; false: the column has no room. */
static bool find_room(const struct label_place *place, struct callout_column *column, struct box *out) {
    static const double gaps[] = {24, 36, 50, 70, 95, 130, 170, 220, 280, 350, 430};
    const double stride = 8, away_costs = 0.5, marker_costs = 25, marker_gap_least = 12;
    const struct vec nowhere = {-INFINITY, -INFINITY};
    const struct frame *markers = &column->markers, *plot = &place->page->plot;
    double best = INFINITY;
    for (int side = 1; side >= -1; side -= 2)
        for (size_t g = 0; g < sizeof gaps / sizeof *gaps; g++)
            for (double y = plot->top; y < plot->bottom; y += stride) {
                double beside = gaps[g] + column->width / 2;
                struct box box = {.center = {side > 0 ? markers->right + beside : markers->left - beside, y},
                                  .half_width = column->width / 2,
                                  .half_height = column->height / 2};
                double cost = gaps[g] + fabs(y - (markers->top + markers->bottom) / 2) * away_costs;
                const double lines = cost < best ? place_cost(place, &box, PLACE_ON_LINE) : INFINITY;
                if (lines >= PLACE_ON_LINE)
                    continue;
                cost += lines + marker_costs * place_markers_near(place, &box, marker_gap_least, nowhere);
                if (cost >= best)
                    continue;
                uncross(column, &box);
                cost += leaders_cost(place, column, &box);
                if (cost < best) {
                    best = cost;
                    *out = box;
                }
            }
    return best < INFINITY;
}

static bool is_far(const struct callout_column *column, const struct box *box) {
    bool is = false;
    for (size_t i = 0; i < column->count; i++) {
        const struct vec at = column->rows[i].at, end = leader_end(column, box, i);
        is |= hypot(end.x - at.x, end.y - at.y) > far;
    }
    return is;
}

static void write_column(struct label_place *place, struct callout_column *column, const struct box *box) {
    bool right = box->center.x > column->markers.right;
    uncross(column, box);
    for (size_t i = 0; i < column->count; i++) {
        const struct callout_row *row = &column->rows[i];
        double y = row_y(column, box, i), edge = box->center.x + (right ? -1 : 1) * box->half_width;
        double text = edge + (right ? 1 : -1) * (column->marker_width + marker_gap + row->width / 2);
        struct vec end = leader_end(column, box, i);
        double way = hypot(end.x - row->at.x, end.y - row->at.y);
        double start =
            (marker_reach(row->point->shape, marker_radius(row->point->radius, row->point->hollow)) + 1) / way;
        struct vec from = {row->at.x + start * (end.x - row->at.x), row->at.y + start * (end.y - row->at.y)};
        place_leader(place, from, end, row->label.leader);
        marker_draw(place->page, row->point->shape, (struct vec){edge + (right ? 1 : -1) * column->marker_width / 2, y},
                    marker_radius(0, false), row->point->hollow, row->point->color);
        label_write(place, &row->label,
                    &(struct box){.center = {text, y},
                                  .half_width = row->width / 2,
                                  .half_height = (column->row_height - row_gap) / 2},
                    PAGE_LEFT);
    }
    place_forbid(place, box, true);
}

bool callout_write(struct label_place *place, const struct plot *plot, const struct theme *theme, size_t *crowd,
                   size_t number, bool *dropped) {
    struct callout_column column = {.rows = calloc(plot->point_count + 1, sizeof *column.rows)};
    struct box box;
    bool any = false;
    place->page->out_of_memory |= !column.rows;
    for (size_t i = 0; column.rows && i < plot->point_count; i++) {
        const struct plot_point *point = &plot->points[i];
        struct plot_color leader = text_color(point->color);
        leader.a = 0.8;
        if (crowd[i] == number)
            column.rows[column.count++] =
                (struct callout_row){.point = point,
                                     .index = i,
                                     .at = trace_point(plot, &place->page->plot, point->x, point->y),
                                     .label = {.text = point->label,
                                               .subtext = point->sublabel,
                                               .style = theme->point,
                                               .substyle = theme->point_sub,
                                               .leader = leader}};
    }
    measure(&column, place->page);
    while (column.count > 0 && !find_room(place, &column, &box)) {
        drop_least(&column, dropped);
        measure(&column, place->page);
        any = true;
    }
    const bool alone = column.count > 0 && column.count <= few && is_far(&column, &box);
    for (size_t i = 0; i < column.count && alone; i++)
        crowd[column.rows[i].index] = 0;
    if (!alone && column.count > 0) /* else no label found a place */
        write_column(place, &column, &box);
    free(column.rows);
    return any;
}
