/* SPDX-License-Identifier: BSD-3-Clause
 * Markers as circles and polygons. */
#include "render/page/palette.h"
#include "series.h"

#include <math.h>

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
