/* SPDX-License-Identifier: BSD-3-Clause
 * Points, frames and rotated boxes on the page (in points, y downwards): overlap, containment and clipping. Pure. */
#pragma once

#include <stdbool.h>

struct vec {
    double x, y;
};

struct frame {
    double left, top, right, bottom;
};

/* A rectangle turned by angle (radians, clockwise on the page) around its centre. */
struct box {
    struct vec center;
    double half_width, half_height, angle;
};

struct box box_of_frame(struct frame frame);
bool box_overlaps(const struct box *a, const struct box *b);
bool box_is_inside(const struct box *box, const struct frame *frame);

/* The part of a–b inside the box, as distances from a; false: none. */
bool box_cuts(const struct box *box, struct vec a, struct vec b, double *from, double *to);

/* The length of that part. */
double box_covers(const struct box *box, struct vec a, struct vec b);

/* Clips a–b to the frame (Liang and Barsky 1984); false: nothing is inside. */
bool frame_clip(const struct frame *frame, struct vec *a, struct vec *b);

/* Whether a–b and c–d cross; touching ends do not count. */
bool segments_cross(struct vec a, struct vec b, struct vec c, struct vec d);

bool frame_contains(const struct frame *frame, struct vec v);
