/* SPDX-License-Identifier: BSD-3-Clause
 * Bands, lines, marks and points as primitives, from back to front. */
#include "series.h"
#include "palette.h"

#include <math.h>
#include <stdlib.h>

static void draw_bands(struct place *place, const struct plot *plot) {
    for (size_t i = 0; i < plot->band_count; i++) {
        const struct plot_band *band = &plot->bands[i];
        struct vec *outline = calloc(2 * band->count + 1, sizeof *outline);
        if (!outline) {
            place->page->out_of_memory = true;
            return;
        }
        size_t count = 0;
        for (size_t side = 0; side < 2; side++)
            for (size_t k = 0; k < band->count; k++) {
                size_t at = side ? band->count - 1 - k : k;
                struct vec v =
                    trace_point(plot, &place->page->plot, band->x[at], side ? band->y_low[at] : band->y_high[at]);
                if (isfinite(v.x) && isfinite(v.y) && fabs(v.x) < 1e6 && fabs(v.y) < 1e6)
                    outline[count++] = v;
            }
        if (count >= 3)
            page_area(place->page, outline, count, band->color, true);
        free(outline);
    }
}

static bool same_place(struct vec a, struct vec b) {
    return a.x == b.x && a.y == b.y;
}

static void draw_trace(struct place *place, const struct plot_line *line, const struct trace *trace) {
    double width = line->width > 0 ? line->width : 1.2;
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
        if (i > 0 && !trace->stops[i].begins)
            place_discourage(place, trace->stops[i - 1].at, trace->stops[i].at, line->width >= 2 ? 1.5 : 0.6);
    }
    free(piece);
}

static void draw_rings(struct place *place, const struct plot *plot, const struct plot_line *line) {
    for (size_t i = 0; line->markers && i < line->count; i++) {
        struct vec at = trace_point(plot, &place->page->plot, line->x[i], line->y[i]);
        if (!frame_contains(&place->page->plot, at))
            continue;
        page_circle(place->page, at, 2.4, PALETTE_WHITE, line->color, 1.2);
        page_detail(place->page, line->detail);
        place_forbid(place, &(struct box){.center = at, .half_width = 3, .half_height = 3}, false);
    }
}

static void draw_lines(struct place *place, const struct plot *plot) {
    for (int strong = 0; strong < 2; strong++) /* roofs cross above ceilings */
        for (size_t i = 0; i < plot->line_count; i++) {
            const struct plot_line *line = &plot->lines[i];
            struct trace trace;
            if ((line->width >= 2) != strong)
                continue;
            if (trace_make(&trace, plot, &place->page->plot, line->count, line->x, line->y))
                draw_trace(place, line, &trace);
            else
                place->page->out_of_memory = true;
            trace_free(&trace);
        }
    for (size_t i = 0; i < plot->line_count; i++)
        draw_rings(place, plot, &plot->lines[i]);
}

bool mark_ends(const struct page *page, const struct plot *plot, const struct plot_mark *mark, struct vec ends[2]) {
    const struct plot_axis *across = mark->vertical ? &plot->y : &plot->x;
    bool whole = mark->from == 0 && mark->to == 0;
    double from = whole ? across->min : fmax(mark->from, across->min);
    double to = whole ? across->max : fmin(mark->to, across->max);
    const struct frame *frame = &page->plot;
    ends[0] = mark->vertical ? trace_point(plot, frame, mark->at, from) : trace_point(plot, frame, from, mark->at);
    ends[1] = mark->vertical ? trace_point(plot, frame, mark->at, to) : trace_point(plot, frame, to, mark->at);
    return isfinite(ends[0].x + ends[0].y + ends[1].x + ends[1].y) && frame_clip(frame, &ends[0], &ends[1]);
}

static void draw_marks(struct place *place, const struct plot *plot) {
    for (size_t i = 0; i < plot->mark_count; i++) {
        const struct plot_mark *mark = &plot->marks[i];
        struct vec ends[2];
        if (!mark_ends(place->page, plot, mark, ends))
            continue;
        page_line(place->page, ends, 2, mark->color, mark->width > 0 ? mark->width : 0.9, mark->dash);
        place_discourage(place, ends[0], ends[1], 0.7);
    }
}

double point_radius(const struct plot_point *point) {
    return point->radius > 0 ? point->radius : point->hollow ? 2.6 : 4.5;
}

static void draw_point(struct place *place, const struct plot *plot, const struct plot_point *point) {
    const struct frame *frame = &place->page->plot;
    struct page *page = place->page;
    struct vec at = trace_point(plot, frame, point->x, point->y);
    double radius = point_radius(point);
    if (!frame_contains(frame, at))
        return;
    const double reach[2][2] = {{point->x_min, point->x_max}, {point->y_min, point->y_max}};
    for (int axis = 0; axis < 2; axis++) {
        double low = reach[axis][0], high = reach[axis][1];
        if (!(low < high))
            continue;
        struct vec ends[2] = {trace_point(plot, frame, axis ? point->x : low, axis ? low : point->y),
                              trace_point(plot, frame, axis ? point->x : high, axis ? high : point->y)};
        if (!isfinite(ends[0].x + ends[0].y + ends[1].x + ends[1].y) || !frame_clip(frame, &ends[0], &ends[1]))
            continue;
        page_line(page, ends, 2, point->color, 1.2, PLOT_SOLID);
        place_forbid(place,
                     &(struct box){.center = {(ends[0].x + ends[1].x) / 2, (ends[0].y + ends[1].y) / 2},
                                   .half_width = fabs(ends[1].x - ends[0].x) / 2 + 1,
                                   .half_height = fabs(ends[1].y - ends[0].y) / 2 + 1},
                     false);
    }
    if (point->x_q1 < point->x_q3 || point->y_q1 < point->y_q3) {
        bool wide = point->x_q1 < point->x_q3, high = point->y_q1 < point->y_q3;
        struct vec a = trace_point(plot, frame, wide ? point->x_q1 : point->x, high ? point->y_q1 : point->y);
        struct vec b = trace_point(plot, frame, wide ? point->x_q3 : point->x, high ? point->y_q3 : point->y);
        if (isfinite(a.x + a.y + b.x + b.y)) {
            struct frame box = {fmax(fmin(a.x, at.x - 2.5), frame->left), fmax(fmin(b.y, at.y - 2.5), frame->top),
                                fmin(fmax(b.x, at.x + 2.5), frame->right), fmin(fmax(a.y, at.y + 2.5), frame->bottom)};
            struct vec corners[4] = {
                {box.left, box.top}, {box.right, box.top}, {box.right, box.bottom}, {box.left, box.bottom}};
            struct plot_color fill = point->color;
            fill.a *= 0.35;
            page_area(page, corners, 4, fill, false);
            struct box covered = box_of_frame(box);
            place_forbid(place, &covered, false);
        }
    }
    if (point->hollow)
        page_circle(page, at, radius, PALETTE_WHITE, point->color, 1.3);
    else
        page_circle(page, at, radius, point->color, PALETTE_WHITE, 1.2);
    page_detail(page, point->detail);
    place_forbid(place, &(struct box){.center = at, .half_width = radius, .half_height = radius}, false);
}

void series_draw(struct place *place, const struct plot *plot) {
    draw_bands(place, plot);
    draw_marks(place, plot);
    draw_lines(place, plot);
    for (size_t i = 0; i < plot->point_count; i++)
        draw_point(place, plot, &plot->points[i]);
}
