/* SPDX-License-Identifier: BSD-3-Clause
 * Bands, lines, marks and points as primitives, from back to front. */
#include "series.h"

#include <math.h>
#include <stdlib.h>

#include "render/page/palette.h"
#include "render/page/style.h"

double series_line_width(const struct plot_line *line) {
    return line->width > 0 ? line->width : 1.2;
}

double series_mark_width(const struct plot_mark *mark) {
    return mark->width > 0 ? mark->width : 0.9;
}

/* Text on it would be unreadable. */
static void forbid_bar(struct label_place *place, const struct vec corners[4]) {
    struct vec low = corners[0], high = corners[2];
    struct frame bar = {fmin(low.x, high.x), fmin(low.y, high.y), fmax(low.x, high.x), fmax(low.y, high.y)};
    struct box box = box_of_frame(bar);
    place_forbid(place, &box, false);
}

static void draw_bands(struct label_place *place, const struct plot *plot) {
    for (size_t i = 0; i < plot->band_count; i++) {
        const struct plot_band *band = &plot->bands[i];
        struct vec *outline = calloc(2 * band->count + 1, sizeof *outline);
        if (!outline) {
            place->page->out_of_memory = true;
            return;
        }
        size_t count = 0;
        bool beyond = false; /* a drawing knows one plot area: that of the last panel */
        for (size_t side = 0; side < 2; side++)
            for (size_t k = 0; k < band->count; k++) {
                size_t at = side ? band->count - 1 - k : k;
                struct vec v =
                    trace_point(plot, &place->page->plot, band->x[at], side ? band->y_low[at] : band->y_high[at]);
                beyond = beyond || !frame_contains(&place->page->plot, v);
                if (isfinite(v.x) && isfinite(v.y) && fabs(v.x) < 1e6 && fabs(v.y) < 1e6)
                    outline[count++] = v;
            }
        if (count >= 3)
            page_area(place->page, outline, count, band->color, beyond);
        if (count == 4 && band->label)
            forbid_bar(place, outline);
        free(outline);
    }
}

static bool same_place(struct vec a, struct vec b) {
    return a.x == b.x && a.y == b.y;
}

static void draw_trace(struct label_place *place, const struct plot_line *line, const struct trace *trace) {
    double width = series_line_width(line);
    struct vec *piece = calloc(trace->count + 1, sizeof *piece);
    if (!piece) {
        place->page->out_of_memory = true;
        return;
    }
    for (size_t i = 0, count = 0; i < trace->count; i++) {
        if (count == 0 || !same_place(piece[count - 1], trace->stops[i].at))
            piece[count++] = trace->stops[i].at;
        if (i + 1 == trace->count || trace->stops[i + 1].begins) {
            page_line(place->page, piece, count, line->color, width, line->dash);
            page_detail(place->page, line->detail);
            count = 0;
        }
        if (i > 0 && !trace->stops[i].begins && !line->clear)
            place_line(place, trace->stops[i - 1].at, trace->stops[i].at);
    }
    free(piece);
}

/* The end of the trace, short of a point that may be there. */
static void draw_arrowhead(struct label_place *place, const struct plot_line *line, const struct trace *trace) {
    const double clear = 7, length = 8, half_width = 3.4;
    if (!line->arrow || trace->count < 2)
        return;
    const struct vec from = trace->stops[trace->count - 2].at, to = trace->stops[trace->count - 1].at;
    const double way = hypot(to.x - from.x, to.y - from.y);
    if (way < clear + length)
        return;
    const struct vec ahead = {(to.x - from.x) / way, (to.y - from.y) / way};
    const struct vec tip = {to.x - clear * ahead.x, to.y - clear * ahead.y},
                     tail = {tip.x - length * ahead.x, tip.y - length * ahead.y},
                     head[3] = {tip,
                                {tail.x - half_width * ahead.y, tail.y + half_width * ahead.x},
                                {tail.x + half_width * ahead.y, tail.y - half_width * ahead.x}};
    page_area(place->page, head, 3, line->color, true);
    place_forbid(place,
                 &(struct box){.center = {(tip.x + tail.x) / 2, (tip.y + tail.y) / 2},
                               .half_width = length / 2,
                               .half_height = half_width,
                               .angle = atan2(ahead.y, ahead.x)},
                 false);
}

static void draw_rings(struct label_place *place, const struct plot *plot, const struct plot_line *line) {
    for (size_t i = 0; line->markers && i < line->count; i++) {
        struct vec at = trace_point(plot, &place->page->plot, line->x[i], line->y[i]);
        if (!frame_contains(&place->page->plot, at))
            continue;
        page_circle(place->page, at, SERIES_RING_RADIUS, PALETTE_WHITE, line->color, 1.2);
        page_detail(place->page, line->detail);
        place_forbid(place, &(struct box){.center = at, .half_width = 3, .half_height = 3}, false);
    }
}

static void draw_line(struct label_place *place, const struct plot_line *line, const struct trace *trace) {
    draw_trace(place, line, trace);
    if (line->clear && trace->count == 2 && place->page->count)
        place->page->primitives[place->page->count - 1].yields = true;
    for (size_t i = 1; i < trace->count && line->clear; i++)
        if (!trace->stops[i].begins)
            place_keep_clear(place, trace->stops[i - 1].at, trace->stops[i].at, series_line_width(line));
    draw_arrowhead(place, line, trace);
}

static void draw_lines(struct label_place *place, const struct plot *plot) {
    for (int strong = 0; strong < 2; strong++) /* roofs cross above ceilings */
        for (size_t i = 0; i < plot->line_count; i++) {
            const struct plot_line *line = &plot->lines[i];
            struct trace trace;
            if ((line->width >= 2) != strong)
                continue;
            if (trace_make(&trace, plot, &place->page->plot, line->count, line->x, line->y))
                draw_line(place, line, &trace);
            else
                place->page->out_of_memory = true;
            trace_free(&trace);
        }
    for (size_t i = 0; i < plot->line_count; i++)
        draw_rings(place, plot, &plot->lines[i]);
}

bool mark_ends(const struct page *page, const struct plot *plot, const struct plot_mark *mark, struct vec ends[2]) {
    const struct plot_axis *across = mark->vertical ? &plot->y : &plot->x;
    if (mark->remark && plot_style_of(plot)->captioned)
        return false;
    bool whole = mark->from == 0 && mark->to == 0;
    double from = whole ? across->min : fmax(mark->from, across->min);
    double to = whole ? across->max : fmin(mark->to, across->max);
    const struct frame *frame = &page->plot;
    ends[0] = mark->vertical ? trace_point(plot, frame, mark->at, from) : trace_point(plot, frame, from, mark->at);
    ends[1] = mark->vertical ? trace_point(plot, frame, mark->at, to) : trace_point(plot, frame, to, mark->at);
    return isfinite(ends[0].x + ends[0].y + ends[1].x + ends[1].y) && frame_clip(frame, &ends[0], &ends[1]);
}

static void draw_marks(struct label_place *place, const struct plot *plot) {
    for (size_t i = 0; i < plot->mark_count; i++) {
        const struct plot_mark *mark = &plot->marks[i];
        struct vec ends[2];
        if (!mark_ends(place->page, plot, mark, ends))
            continue;
        page_line(place->page, ends, 2, mark->color, series_mark_width(mark), mark->dash);
        if (place->page->count)
            place->page->primitives[place->page->count - 1].yields = true;
        place_mark(place, ends[0], ends[1]);
    }
}

double point_reach(const struct plot_point *point) {
    return marker_reach(point->shape, marker_radius(point->radius, point->hollow));
}

static void draw_whisker(struct label_place *place, struct vec a, struct vec b, struct plot_color color) {
    struct vec ends[2] = {a, b};
    if (!isfinite(a.x + a.y + b.x + b.y) || !frame_clip(&place->page->plot, &ends[0], &ends[1]))
        return;
    page_line(place->page, ends, 2, color, 1.2, PLOT_SOLID);
    place_forbid(place,
                 &(struct box){.center = {(ends[0].x + ends[1].x) / 2, (ends[0].y + ends[1].y) / 2},
                               .half_width = fabs(ends[1].x - ends[0].x) / 2 + 1,
                               .half_height = fabs(ends[1].y - ends[0].y) / 2 + 1},
                 false);
}

/* A box between two corners, thick enough to be visible. */
static void draw_error_box(struct label_place *place, struct vec at, struct vec a, struct vec b,
                           struct plot_color color) {
    const struct frame *frame = &place->page->plot;
    const double least = 2.5;
    if (!isfinite(a.x + a.y + b.x + b.y))
        return;
    struct frame box = {fmax(fmin(a.x, at.x - least), frame->left), fmax(fmin(b.y, at.y - least), frame->top),
                        fmin(fmax(b.x, at.x + least), frame->right), fmin(fmax(a.y, at.y + least), frame->bottom)};
    struct vec corners[4] = {
        {box.left, box.top}, {box.right, box.top}, {box.right, box.bottom}, {box.left, box.bottom}};
    color.a *= 0.35;
    page_area(place->page, corners, 4, color, false);
    struct box covered = box_of_frame(box);
    place_forbid(place, &covered, false);
}

static void draw_spread(struct label_place *place, const struct plot *plot, const struct plot_point *p) {
    const struct frame *frame = &place->page->plot;
    bool wide = p->x_q1 < p->x_q3, high = p->y_q1 < p->y_q3;
    if (p->x_min < p->x_max)
        draw_whisker(place, trace_point(plot, frame, p->x_min, p->y), trace_point(plot, frame, p->x_max, p->y),
                     p->color);
    if (p->y_min < p->y_max)
        draw_whisker(place, trace_point(plot, frame, p->x, p->y_min), trace_point(plot, frame, p->x, p->y_max),
                     p->color);
    if (wide || high)
        draw_error_box(place, trace_point(plot, frame, p->x, p->y),
                       trace_point(plot, frame, wide ? p->x_q1 : p->x, high ? p->y_q1 : p->y),
                       trace_point(plot, frame, wide ? p->x_q3 : p->x, high ? p->y_q3 : p->y), p->color);
}

static void draw_marker(struct label_place *place, const struct plot *plot, const struct plot_point *point) {
    struct vec at = trace_point(plot, &place->page->plot, point->x, point->y);
    double reach = point_reach(point);
    marker_draw(place->page, point->shape, at, marker_radius(point->radius, point->hollow), point->hollow,
                point->color);
    page_detail(place->page, point->detail);
    place_forbid(place, &(struct box){.center = at, .half_width = reach, .half_height = reach}, false);
}

/* No marker lies below another point's spread. */
static void draw_points(struct label_place *place, const struct plot *plot) {
    for (int markers = 0; markers < 2; markers++)
        for (size_t i = 0; i < plot->point_count; i++) {
            const struct plot_point *point = &plot->points[i];
            if (!frame_contains(&place->page->plot, trace_point(plot, &place->page->plot, point->x, point->y)))
                continue;
            if (markers)
                draw_marker(place, plot, point);
            else
                draw_spread(place, plot, point);
        }
}

void series_draw(struct label_place *place, const struct plot *plot) {
    draw_bands(place, plot);
    draw_marks(place, plot);
    draw_lines(place, plot);
    draw_points(place, plot);
}

/* Markers as circles and polygons. */

static const double DOT_RADIUS = 2.5; /* smaller markers come in crowds, where white rims would hide them */

static const struct shape {
    int corners;  /* 0: a circle */
    double turn;  /* of the first corner, from upwards, in parts of the angle between two corners */
    double inner; /* every second corner is this much nearer to the middle */
} SHAPES[PLOT_SHAPES] = {
    [PLOT_CIRCLE] = {0, 0, 1},     [PLOT_SQUARE] = {4, 0.5, 1}, [PLOT_DIAMOND] = {4, 0, 1},
    [PLOT_TRIANGLE] = {3, 0.5, 1}, /* on its tip: a triangle on its base is the warning sign */
    [PLOT_PENTAGON] = {5, 0, 1},   [PLOT_STAR] = {10, 0, 0.45},
};

double marker_radius(double radius, bool hollow) {
    return radius > 0 ? radius : hollow ? 2.6 : 4.5;
}

/* The polygon has the circle's area: n / 2 · R · r · sin(2π / n) = π · radius². */
double marker_reach(enum plot_shape shape, double radius) {
    const struct shape *s = &SHAPES[shape];
    double pi = acos(-1);
    return s->corners ? radius * sqrt(2 * pi / (s->corners * s->inner * sin(2 * pi / s->corners))) : radius;
}

size_t marker_corners(enum plot_shape shape, struct vec center, double radius, struct vec *corners) {
    const struct shape *s = &SHAPES[shape];
    const double reach = marker_reach(shape, radius);
    for (int i = 0; i < s->corners; i++) {
        double angle = 2 * acos(-1) * (i + s->turn) / s->corners, r = i % 2 ? reach * s->inner : reach;
        corners[i] = (struct vec){center.x + r * sin(angle), center.y - r * cos(angle)};
    }
    return (size_t)s->corners;
}

void marker_draw(struct page *page, enum plot_shape shape, struct vec center, double radius, bool hollow,
                 struct plot_color color) {
    const double width = hollow ? 1.3 : radius < DOT_RADIUS ? 0 : 1.2;
    struct plot_color fill = hollow ? PALETTE_WHITE : color, stroke = hollow ? color : PALETTE_WHITE;
    struct vec corners[MARKER_MAX_CORNERS];
    const size_t count = marker_corners(shape, center, radius, corners);
    if (count)
        page_outlined(page, corners, count, fill, stroke, width);
    else
        page_circle(page, center, radius, fill, stroke, width);
}
