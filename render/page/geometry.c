/* SPDX-License-Identifier: BSD-3-Clause
 * Rotated boxes by the separating-axis test, clipping of lines to a frame. */
#include "geometry.h"

#include <math.h>

struct box box_of_frame(struct frame frame) {
    return (struct box){.center = {(frame.left + frame.right) / 2, (frame.top + frame.bottom) / 2},
                        .half_width = (frame.right - frame.left) / 2,
                        .half_height = (frame.bottom - frame.top) / 2};
}

/* Whether an axis of a separates the two boxes. Upright boxes, which are the most, need no sines. */
static bool separates(const struct box *a, const struct box *b) {
    if (a->angle == 0 && b->angle == 0)
        return fabs(b->center.x - a->center.x) >= a->half_width + b->half_width ||
               fabs(b->center.y - a->center.y) >= a->half_height + b->half_height;
    double c = cos(a->angle), s = sin(a->angle), cr = fabs(cos(b->angle - a->angle)),
           sr = fabs(sin(b->angle - a->angle));
    double dx = b->center.x - a->center.x, dy = b->center.y - a->center.y;
    return fabs(dx * c + dy * s) >= a->half_width + b->half_width * cr + b->half_height * sr ||
           fabs(dy * c - dx * s) >= a->half_height + b->half_width * sr + b->half_height * cr;
}

bool box_overlaps(const struct box *a, const struct box *b) {
    const double dx = b->center.x - a->center.x, dy = b->center.y - a->center.y,
                 reach = a->half_width + a->half_height + b->half_width + b->half_height;
    if (dx * dx + dy * dy >= reach * reach) /* a quick test for any angle: most boxes are far from each other */
        return false;
    return !separates(a, b) && !separates(b, a);
}

bool box_is_inside(const struct box *box, const struct frame *frame) {
    double c = fabs(cos(box->angle)), s = fabs(sin(box->angle));
    double reach_x = box->half_width * c + box->half_height * s, reach_y = box->half_width * s + box->half_height * c;
    return box->center.x - reach_x >= frame->left && box->center.x + reach_x <= frame->right &&
           box->center.y - reach_y >= frame->top && box->center.y + reach_y <= frame->bottom;
}

bool box_cuts(const struct box *box, struct vec a, struct vec b, double *from, double *to) {
    double c = cos(box->angle), s = sin(box->angle);
    struct vec p = {a.x - box->center.x, a.y - box->center.y}, q = {b.x - box->center.x, b.y - box->center.y};
    struct vec local_a = {p.x * c + p.y * s, p.y * c - p.x * s}, local_b = {q.x * c + q.y * s, q.y * c - q.x * s};
    struct frame frame = {-box->half_width, -box->half_height, box->half_width, box->half_height};
    const struct vec start = local_a;
    if (!frame_clip(&frame, &local_a, &local_b))
        return false;
    *from = hypot(local_a.x - start.x, local_a.y - start.y);
    *to = hypot(local_b.x - start.x, local_b.y - start.y);
    return true;
}

double box_covers(const struct box *box, struct vec a, struct vec b) {
    double from, to;
    return box_cuts(box, a, b, &from, &to) ? to - from : 0;
}

bool frame_clip(const struct frame *frame, struct vec *a, struct vec *b) {
    double dx = b->x - a->x, dy = b->y - a->y, enter = 0, leave = 1;
    double step[4] = {-dx, dx, -dy, dy};
    double room[4] = {a->x - frame->left, frame->right - a->x, a->y - frame->top, frame->bottom - a->y};
    for (int i = 0; i < 4; i++) {
        if (step[i] == 0) {
            if (room[i] < 0)
                return false;
            continue;
        }
        double t = room[i] / step[i];
        if (step[i] < 0)
            enter = fmax(enter, t);
        else
            leave = fmin(leave, t);
    }
    if (!(enter <= leave))
        return false;
    struct vec start = *a;
    *a = (struct vec){start.x + enter * dx, start.y + enter * dy};
    *b = (struct vec){start.x + leave * dx, start.y + leave * dy};
    return true;
}

/* Twice the area of the triangle; the sign is the side of a–b on which the point lies. */
static double turn(struct vec a, struct vec b, struct vec c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

bool segments_cross(struct vec a, struct vec b, struct vec c, struct vec d) {
    return turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0;
}

bool frame_contains(const struct frame *frame, struct vec v) {
    return v.x >= frame->left && v.x <= frame->right && v.y >= frame->top && v.y <= frame->bottom;
}
