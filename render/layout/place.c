/* SPDX-License-Identifier: BSD-3-Clause
 * Candidate positions and their costs. */
#include "place.h"

#include <math.h>
#include <stdlib.h>

struct obstacle {
    struct box box;
    enum { OBSTACLE_MARK, OBSTACLE_TEXT, OBSTACLE_CLEAR } kind;
};

struct course { /* a piece of a line that labels do not cover */
    struct vec a, b;
    enum { COURSE_LINE, COURSE_MARK, COURSE_CLEAR, COURSE_LEADER } kind;
};

static const double gap_between_texts = 7;
static const double clearance = 1.5;      /* least distance of a label to other labels */
static const double line_clearance = 1.5; /* additional distance to the middle of a line */
static const double near_marker = 25;     /* cost of each: the label would seem to belong to another point */
static const double on_mark = 20;         /* cost of a text that interrupts a mark: turned text costs less */

void place_init(struct label_place *place, struct page *page) {
    *place = (struct label_place){.page = page};
}

void place_free(struct label_place *place) {
    free(place->obstacles);
    free(place->courses);
    *place = (struct label_place){0};
}

struct place_state place_now(const struct label_place *place) {
    return (struct place_state){place->obstacle_count, place->course_count, place->page->count,
                                place->page->vertex_count};
}

void place_return(struct label_place *place, const struct place_state *then) {
    struct page *page = place->page;
    place->obstacle_count = then->obstacle_count;
    place->course_count = then->course_count;
    while (page->count > then->primitive_count)
        free(page->primitives[--page->count].text);
    page->vertex_count = then->vertex_count;
}

static void add_obstacle(struct label_place *place, const struct obstacle *obstacle) {
    void *items = place->obstacles;
    if (!array_grow(&items, &place->obstacle_capacity, place->obstacle_count, sizeof *place->obstacles)) {
        place->page->out_of_memory = true;
        return;
    }
    place->obstacles = items;
    place->obstacles[place->obstacle_count++] = *obstacle;
}

void place_forbid(struct label_place *place, const struct box *box, bool is_text) {
    add_obstacle(place, &(struct obstacle){*box, is_text ? OBSTACLE_TEXT : OBSTACLE_MARK});
}

/* As place_cost(); of a number, each clear line that it covers has a finite cost. */
static double cost_of(const struct label_place *place, const struct box *box, double limit, double on_clear) {
    struct box padded = *box;
    padded.half_width += clearance;
    padded.half_height += clearance;
    struct frame frame = place->page->plot;
    frame.right += on_clear < INFINITY ? place->beside : 0;
    if (!box_is_inside(&padded, &frame))
        return INFINITY;
    const double costs = 0.3;
    double cost = 0;
    for (size_t i = 0; i < place->obstacle_count && cost < INFINITY; i++)
        if (box_overlaps(&padded, &place->obstacles[i].box))
            cost += place->obstacles[i].kind == OBSTACLE_CLEAR ? on_clear : (double)INFINITY;
    padded.half_width += line_clearance;
    padded.half_height += line_clearance;
    for (size_t i = 0; i < place->course_count && cost < limit; i++) {
        const struct course *course = &place->courses[i];
        double covered = course->kind == COURSE_CLEAR ? 0 : box_covers(&padded, course->a, course->b);
        if (covered > 0)
            cost += (course->kind == COURSE_MARK ? on_mark : PLACE_ON_LINE) + covered * costs;
    }
    return cost;
}

double place_cost(const struct label_place *place, const struct box *box, double limit) {
    return cost_of(place, box, limit, INFINITY);
}

static bool leader_meets_text(const struct label_place *place, struct vec a, struct vec b) {
    for (size_t i = 0; i < place->obstacle_count; i++)
        if (place->obstacles[i].kind == OBSTACLE_TEXT && box_covers(&place->obstacles[i].box, a, b) > 0)
            return true;
    return false;
}

static unsigned count_crossed(const struct label_place *place, struct vec a, struct vec b, int kind) {
    unsigned count = 0;
    for (size_t i = 0; i < place->course_count; i++)
        count += (int)place->courses[i].kind == kind && segments_cross(a, b, place->courses[i].a, place->courses[i].b);
    return count;
}

bool place_leader_is_free(const struct label_place *place, struct vec a, struct vec b) {
    return !leader_meets_text(place, a, b) && count_crossed(place, a, b, COURSE_LEADER) == 0;
}

static void add_course(struct label_place *place, const struct course *course) {
    void *items = place->courses;
    if (!array_grow(&items, &place->course_capacity, place->course_count, sizeof *place->courses)) {
        place->page->out_of_memory = true;
        return;
    }
    place->courses = items;
    place->courses[place->course_count++] = *course;
}

void place_line(struct label_place *place, struct vec a, struct vec b) {
    add_course(place, &(struct course){a, b, COURSE_LINE});
}

void place_mark(struct label_place *place, struct vec a, struct vec b) {
    add_course(place, &(struct course){a, b, COURSE_MARK});
}

void place_leader(struct label_place *place, struct vec a, struct vec b, struct plot_color color) {
    const double width = 0.8;
    struct vec line[2] = {a, b};
    page_line(place->page, line, 2, color, width, PLOT_SOLID);
    add_course(place, &(struct course){a, b, COURSE_LEADER});
}

void place_keep_clear(struct label_place *place, struct vec a, struct vec b, double width) {
    const struct box box = {.center = {(a.x + b.x) / 2, (a.y + b.y) / 2},
                            .half_width = hypot(b.x - a.x, b.y - a.y) / 2,
                            .half_height = width / 2,
                            .angle = atan2(b.y - a.y, b.x - a.x)};
    add_obstacle(place, &(struct obstacle){box, OBSTACLE_CLEAR});
    add_course(place, &(struct course){a, b, COURSE_CLEAR});
}

double place_leader_cost(const struct label_place *place, struct vec a, struct vec b) {
    const double beside = 4, costs = 6;
    double covered = 0;
    for (size_t i = 0; i < place->course_count; i++) {
        const struct course *course = &place->courses[i];
        const struct box box = {.center = {(course->a.x + course->b.x) / 2, (course->a.y + course->b.y) / 2},
                                .half_width = hypot(course->b.x - course->a.x, course->b.y - course->a.y) / 2,
                                .half_height = beside,
                                .angle = atan2(course->b.y - course->a.y, course->b.x - course->a.x)};
        covered += course->kind == COURSE_CLEAR ? fmax(0, box_covers(&box, a, b) - 3 * beside) : 0;
    }
    return costs * covered;
}

static void row_size(struct page *page, const char *text, const struct text_style *style, double *width,
                     double *height) {
    *width = text ? page_text_width(page, text, style) : 0;
    *height = text ? (PAGE_ASCENT + PAGE_DESCENT) * style->size : 0;
}

void label_size(struct page *page, const struct label *label, double *width, double *height) {
    double w, h, subwidth, subheight;
    row_size(page, label->text, &label->style, &w, &h);
    row_size(page, label->subtext, &label->substyle, &subwidth, &subheight);
    if (label->stacked) {
        *width = fmax(w, subwidth);
        *height = h + subheight;
    } else {
        *width = w + (label->subtext ? gap_between_texts + subwidth : 0);
        *height = fmax(h, subheight);
    }
}

/* The point of the page at (x, y) from the middle of the left edge of the box, in the box' own axes. */
static struct vec from_left_edge(const struct box *box, double x, double y) {
    double c = cos(box->angle), s = sin(box->angle);
    x -= box->half_width;
    return (struct vec){box->center.x + x * c - y * s, box->center.y + x * s + y * c};
}

/* Whether a line passes below the box; marks and clear lines are interrupted there. */
static bool is_crossed(const struct label_place *place, const struct box *box) {
    for (size_t i = 0; i < place->course_count; i++)
        if (place->courses[i].kind != COURSE_MARK && place->courses[i].kind != COURSE_CLEAR &&
            box_covers(box, place->courses[i].a, place->courses[i].b) > 0)
            return true;
    return false;
}

void label_write(struct label_place *place, const struct label *asked, const struct box *box, enum page_anchor anchor) {
    struct label rimmed = *asked, *label = &rimmed;
    label->style.halo = label->substyle.halo = is_crossed(place, box);
    double x = anchor == PAGE_LEFT ? 0 : anchor == PAGE_RIGHT ? 2 * box->half_width : box->half_width;
    double baseline = PAGE_ASCENT * label->style.size - box->half_height;
    page_text(place->page, label->text, &label->style, anchor, from_left_edge(box, x, baseline), box->angle);
    if (label->subtext && label->stacked)
        baseline += PAGE_DESCENT * label->style.size + PAGE_ASCENT * label->substyle.size;
    else
        x = page_text_width(place->page, label->text, &label->style) + gap_between_texts;
    if (label->subtext)
        page_text(place->page, label->subtext, &label->substyle, label->stacked ? anchor : PAGE_LEFT,
                  from_left_edge(box, x, baseline), box->angle);
    struct box kept = *box;
    kept.half_width += 5; /* two labels in a row must not read as one */
    place_forbid(place, &kept, true);
}

struct box_choice {
    struct box box;
    double cost;
};

static void place_consider(const struct label_place *place, struct box_choice *best, const struct box *box,
                           double cost) {
    if (cost >= best->cost)
        return;
    cost += place_cost(place, box, best->cost - cost);
    if (cost < best->cost)
        *best = (struct box_choice){*box, cost};
}

/* The way from a point to the nearest one of a–b. */
static struct vec way_to(struct vec from, struct vec a, struct vec b) {
    const double x = b.x - a.x, y = b.y - a.y, length = x * x + y * y;
    const double along = length > 0 ? fmax(0, fmin(1, ((from.x - a.x) * x + (from.y - a.y) * y) / length)) : 0;
    return (struct vec){a.x + along * x - from.x, a.y + along * y - from.y};
}

/* Whether a label would seem to name another line, which is closer than its own, or about as close on its other side.
 * `own` is the way from its middle to its own line. */
static bool is_ambiguous(const struct label_place *place, struct vec middle, struct vec own) {
    const double gap = 4, same = 1, away = hypot(own.x, own.y);
    for (size_t i = 0; i < place->course_count; i++) {
        const struct vec way = way_to(middle, place->courses[i].a, place->courses[i].b);
        const bool behind = way.x * own.x + way.y * own.y > 0;
        if (place->courses[i].kind == COURSE_LINE && hypot(way.x, way.y) < away + (behind ? -same : gap))
            return true;
    }
    return false;
}

bool place_along(struct label_place *place, const struct label *label, const struct trace *trace, double line_width) {
    const double stride = 5, below_costs = 14, way_costs = 0.06, margin = 6, gaps[] = {2.5, 6};
    struct box_choice best = {.cost = INFINITY};
    double width, height;
    label_size(place->page, label, &width, &height);
    for (size_t first = 0, last; first<trace->count; first = last> first ? last : first + 1) {
        last = trace_run(trace, first);
        struct vec a = trace->stops[first].at, b = trace->stops[last].at;
        if (a.x > b.x) { /* text reads to the right */
            struct vec swap = a;
            a = b;
            b = swap;
        }
        double length = hypot(b.x - a.x, b.y - a.y), angle = atan2(b.y - a.y, b.x - a.x);
        double c = cos(angle), s = sin(angle);
        for (double way = margin; way + width + margin <= length; way += stride)
            for (int i = 0; i < 4; i++) { /* above and below the line, near and farther away */
                int side = i & 1 ? 1 : -1;
                double along = way + width / 2, gap = gaps[i / 2], away = (height + line_width) / 2 + gap;
                struct box box = {.center = {a.x + along * c - side * away * s, a.y + along * s + side * away * c},
                                  .half_width = width / 2,
                                  .half_height = height / 2,
                                  .angle = angle};
                if (!is_ambiguous(place, box.center, (struct vec){side * away * s, -side * away * c}))
                    place_consider(place, &best, &box, way * way_costs + gap + (side > 0 ? below_costs : 0));
            }
    }
    if (best.cost >= PLACE_ON_LINE)
        return false;
    label_write(place, label, &best.box, PAGE_LEFT);
    return true;
}

bool place_covers_text(const struct label_place *place, const struct box *box) {
    for (size_t i = 0; i < place->obstacle_count; i++)
        if (place->obstacles[i].kind == OBSTACLE_TEXT && box_overlaps(box, &place->obstacles[i].box))
            return true;
    return false;
}

unsigned place_markers_near(const struct label_place *place, const struct box *box, double gap, struct vec at) {
    const struct box own = {.center = at};
    struct box wider = *box;
    unsigned count = 0;
    wider.half_width += gap;
    wider.half_height += gap;
    for (size_t i = 0; i < place->obstacle_count; i++) {
        const struct obstacle *obstacle = &place->obstacles[i];
        count += obstacle->kind == OBSTACLE_MARK && box_overlaps(&wider, &obstacle->box) &&
                 !box_overlaps(&own, &obstacle->box);
    }
    return count;
}

unsigned place_markers_on_way(const struct label_place *place, struct vec at, struct vec end, double gap) {
    const struct box way = {.center = {(at.x + end.x) / 2, (at.y + end.y) / 2},
                            .half_width = hypot(end.x - at.x, end.y - at.y) / 2,
                            .angle = atan2(end.y - at.y, end.x - at.x)};
    return place_markers_near(place, &way, gap, at);
}

/* A place for a label beside a point: its box, and the box' nearest point, where a leader would end. */
struct seat {
    struct box box;
    struct vec end;
    double gap, cost;
    bool leads; /* has a leader: the label is far from its point, or near another one */
    enum page_anchor anchor;
};

static const double leader_from = 15; /* nearer labels need no line to their point */
static const double number_from = 7;  /* nearer numbers, which look alike */

static const double calm_most = 6; /* a calm label covers a thin line at a right angle */

/* The place in this direction, from (-1, -1) to (1, 1), and at this distance from the point's marker. The right side
 * costs least. */
static struct seat seat_of(const struct box *size, struct vec at, struct vec direction, double radius, double gap) {
    const double width = 2 * size->half_width, height = 2 * size->half_height, reach = radius + gap;
    struct seat seat = {.box = *size, .gap = gap};
    seat.box.center = (struct vec){at.x + direction.x * (width / 2 + reach), at.y + direction.y * (height / 2 + reach)};
    seat.end = (struct vec){fmin(fmax(at.x, seat.box.center.x - width / 2), seat.box.center.x + width / 2),
                            fmin(fmax(at.y, seat.box.center.y - height / 2), seat.box.center.y + height / 2)};
    seat.anchor = direction.x > 0 ? PAGE_LEFT : direction.x < 0 ? PAGE_RIGHT : PAGE_MIDDLE;
    seat.cost = gap + (direction.x == 1 ? 0 : direction.x == -1 ? 4 : 6) + 2 * fabs(direction.y);
    return seat;
}

static double leads_from(const struct label *label) {
    return label->must_stand ? number_from : leader_from;
}

/* The cost of a leader from the point to this place; infinite if it is not allowed. */
static double seat_leader_cost(const struct label_place *place, struct vec at, struct vec end,
                               const struct label *label) {
    const double costs = 12, crossing_costs = 2 * PLACE_ON_LINE, line_costs = 12, marker_costs = 400;
    const unsigned crossed = count_crossed(place, at, end, COURSE_LEADER);
    if ((crossed > 0 && !label->last_resort) || leader_meets_text(place, at, end))
        return INFINITY;
    return costs + crossing_costs * crossed + marker_costs * place_markers_on_way(place, at, end, 1) +
           place_leader_cost(place, at, end) + line_costs * count_crossed(place, at, end, COURSE_LINE);
}

static double place_distance_of(const struct box *box, struct vec at) {
    return hypot(fmax(0, fabs(at.x - box->center.x) - box->half_width),
                 fmax(0, fabs(at.y - box->center.y) - box->half_height));
}

/* Whether a label in this upright box is nearer to another marker than to its own at `at`. */
static bool is_nearer_to_another(const struct label_place *place, const struct box *box, struct vec at) {
    const double own = place_distance_of(box, at), alike = 1;
    for (size_t i = 0; i < place->obstacle_count; i++)
        if (place->obstacles[i].kind == OBSTACLE_MARK &&
            place_distance_of(box, place->obstacles[i].box.center) < own - alike)
            return true;
    return false;
}

static void consider_seat(const struct label_place *place, struct seat *best, struct seat *seat, struct vec at,
                          const struct label *label) {
    const double on_clear = label->must_stand ? 20 : (double)INFINITY, without_leader = 1000;
    double cost = seat->cost;
    if (cost >= best->cost)
        return;
    const double lines = cost_of(place, &seat->box, PLACE_ON_LINE, on_clear);
    if (lines >= PLACE_ON_LINE || cost + lines >= best->cost)
        return;
    const unsigned markers = place_markers_near(place, &seat->box, fmin(seat->gap, leader_from), at);
    if (label->calm && (markers > 0 || lines > calm_most))
        return;
    cost += lines + near_marker * markers;
    if (cost >= best->cost)
        return;
    const bool misleads = !label->near && is_nearer_to_another(place, &seat->box, at);
    seat->leads = seat->gap >= leads_from(label) || (!label->near && markers > 0) || misleads;
    const double leader = seat->leads ? seat_leader_cost(place, at, seat->end, label) : 0;
    if (isinf(leader) && label->last_resort && seat->gap < leads_from(label) && !misleads)
        seat->leads = false, cost += without_leader;
    else
        cost += leader;
    if (cost < best->cost) {
        *best = *seat;
        best->cost = cost;
    }
}

static void place_lead_to(struct label_place *place, struct vec at, double radius, struct vec end,
                          struct plot_color color) {
    double distance = hypot(end.x - at.x, end.y - at.y), start = (radius + 1) / distance;
    struct vec from = {at.x + start * (end.x - at.x), at.y + start * (end.y - at.y)};
    place_leader(place, from, end, color);
}

/* The best place in `steps` directions from the middle of a side to its corner. */
static struct seat best_seat(const struct label_place *place, const struct label *label, struct vec at, double radius,
                             int steps) {
    static const double gaps[] = {3, 6, 11, 18, 28, 42, 60, 85, 115, 150, 195, 250};
    const double farthest = label->must_stand ? (double)INFINITY : label->near ? leader_from - 1 : 90;
    struct seat best = {.cost = INFINITY};
    double width, height;
    label_size(place->page, label, &width, &height);
    const struct box size = {.half_width = width / 2, .half_height = height / 2};
    for (size_t g = 0; g < sizeof gaps / sizeof *gaps && gaps[g] <= farthest; g++)
        for (int i = -steps; i <= steps; i++)
            for (int j = -steps; j <= steps; j++) {
                const struct vec direction = {(double)i / steps, (double)j / steps};
                if (abs(i) != steps && abs(j) != steps)
                    continue;
                struct seat seat = seat_of(&size, at, direction, radius, gaps[g]);
                consider_seat(place, &best, &seat, at, label);
            }
    return best;
}

bool place_around(struct label_place *place, const struct label *label, struct vec at, double radius) {
    struct seat best = best_seat(place, label, at, radius, 4);
    if (label->thorough && best.cost >= PLACE_ON_LINE)
        best = best_seat(place, label, at, radius, 14);
    if (best.cost >= (label->last_resort ? (double)INFINITY : PLACE_ON_LINE))
        return false;
    if (best.leads)
        place_lead_to(place, at, radius, best.end, label->leader);
    label_write(place, label, &best.box, best.anchor);
    return true;
}

/* Whether a mark would strike through a label in this box. */
static bool is_struck(const struct label_place *place, const struct box *box) {
    for (size_t i = 0; i < place->course_count; i++)
        if (place->courses[i].kind == COURSE_MARK && box_covers(box, place->courses[i].a, place->courses[i].b) > 0)
            return true;
    return false;
}

bool place_beside_mark(struct label_place *place, const struct label *label, struct vec a, struct vec b) {
    const double away = 4, turned_costs = 14, marker_gap = 8;
    const struct vec nowhere = {-INFINITY, -INFINITY};
    const struct frame *plot = &place->page->plot;
    struct box_choice best = {.cost = INFINITY};
    double width, height;
    label_size(place->page, label, &width, &height);
    bool vertical = fabs(b.y - a.y) > fabs(b.x - a.x);
    double top = fmin(a.y, b.y), bottom = fmax(a.y, b.y), right = fmax(a.x, b.x);
    /* The calmest place is where the mark comes in from the frame; a mark across the plot has its label at the top. */
    bool from_bottom = top > plot->top + 1 && bottom > plot->bottom - 1;
    double length = vertical ? bottom - top : fabs(b.x - a.x);
    for (int turned = 0; turned <= vertical; turned++) {
        double along = vertical && !turned ? height : width, across = vertical && !turned ? width : height;
        double gap = vertical && !turned ? away : away / 2;
        for (double way = 3; way + along <= length; way += 4)
            for (int side = -1; side <= 1; side += 2) {
                double middle = way + along / 2, off = side * (gap + across / 2);
                struct box box = {.half_width = width / 2, .half_height = height / 2, .angle = turned ? -acos(0) : 0};
                box.center = vertical ? (struct vec){a.x + off, from_bottom ? bottom - middle : top + middle}
                                      : (struct vec){right - middle, a.y + off};
                /* Better sides: right of a vertical mark, above a horizontal one, left of turned text. */
                int better = vertical && !turned ? 1 : -1;
                if (!is_struck(place, &box))
                    place_consider(place, &best, &box,
                                   0.1 * way + turned * turned_costs + (side == better ? 0 : 5) +
                                       near_marker * place_markers_near(place, &box, marker_gap, nowhere));
            }
    }
    if (best.cost >= PLACE_ON_LINE)
        return false;
    label_write(place, label, &best.box, PAGE_LEFT);
    return true;
}

/* The order of labels. */

static int by_priority(const void *a, const void *b) {
    const struct label_rank *p = a, *q = b;
    if (p->priority != q->priority)
        return p->priority > q->priority ? -1 : 1;
    return p->index < q->index ? -1 : p->index > q->index;
}

void label_order_of_lines(const struct plot *plot, struct label_rank *out) {
    for (size_t i = 0; i < plot->line_count; i++)
        out[i] = (struct label_rank){plot->lines[i].priority, i};
    qsort(out, plot->line_count, sizeof *out, by_priority);
}

void label_order_of_points(const struct plot *plot, struct label_rank *out) {
    for (size_t i = 0; i < plot->point_count; i++)
        out[i] = (struct label_rank){plot->points[i].priority, i};
    qsort(out, plot->point_count, sizeof *out, by_priority);
}
