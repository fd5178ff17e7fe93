/* SPDX-License-Identifier: BSD-3-Clause
 * Colours as people with each of the three dichromacies see them, and the distance of two colours (CIE 1976). */
#pragma once

#include <math.h>
#include <stddef.h>

#include "render/layout/labels.h"
#include "render/page/palette.h"
#include "render/page/style.h"

/* A just noticeable difference is 2.3 (Mahy, Van Eycken and Oosterlinck 1994); thin lines, letters and small markers,
 * to be found in a legend, need several of them. */
static const double SIGHTS_LEAST = 15, SIGHTS_LEAST_ON_DARK = 12;

/* Linear RGB as others see it. Machado, Oliveira and Fernandes 2009, severity 1.0; and for two of them also Viénot,
 * Brettel and Mollon 1999, whose projections in LMS are multiplied here with its matrix from RGB. */
static const struct sight {
    const char *name;
    double matrix[3][3];
} SIGHTS[] = {
    {"normal", {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
    {"protanopia", {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}},
    {"deuteranopia",
     {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}},
    {"tritanopia", {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}},
    {"protanopia (1999)", {{0.11238, 0.88762, 0}, {0.11238, 0.88762, 0}, {0.00401, -0.00401, 1}}},
    {"deuteranopia (1999)", {{0.29275, 0.70725, 0}, {0.29275, 0.70725, 0}, {-0.02234, 0.02234, 1}}},
};
enum { SIGHT_COUNT = sizeof SIGHTS / sizeof *SIGHTS };

struct lab {
    double l, a, b;
};

static inline double sights_linear(double part) { /* IEC 61966-2-1 */
    return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4);
}

static inline double cube_root(double t) { /* CIE 15 */
    return t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116;
}

static inline struct lab lab_of(const struct plot_color *color, const struct sight *sight) {
    static const double XYZ[3][3] = {/* of sRGB, by the white of D65 */
                                     {0.4124564 / 0.95047, 0.3575761 / 0.95047, 0.1804375 / 0.95047},
                                     {0.2126729, 0.7151522, 0.0721750},
                                     {0.0193339 / 1.08883, 0.1191920 / 1.08883, 0.9503041 / 1.08883}};
    const double rgb[3] = {sights_linear(color->r), sights_linear(color->g), sights_linear(color->b)};
    double seen[3] = {0}, root[3];
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            seen[i] += sight->matrix[i][k] * rgb[k];
        seen[i] = fmin(1, fmax(0, seen[i]));
    }
    for (int i = 0; i < 3; i++)
        root[i] = cube_root(XYZ[i][0] * seen[0] + XYZ[i][1] * seen[1] + XYZ[i][2] * seen[2]);
    return (struct lab){116 * root[1] - 16, 500 * (root[0] - root[1]), 200 * (root[1] - root[2])};
}

static inline double sights_difference(const struct plot_color *a, const struct plot_color *b,
                                       const struct sight *sight) {
    const struct lab p = lab_of(a, sight), q = lab_of(b, sight);
    return sqrt((p.l - q.l) * (p.l - q.l) + (p.a - q.a) * (p.a - q.a) + (p.b - q.b) * (p.b - q.b));
}

/* The least difference to anybody, and who that is. */
static inline double sights_least(const struct plot_color *a, const struct plot_color *b, const char **name) {
    double least = INFINITY;
    for (size_t s = 0; s < SIGHT_COUNT; s++)
        if (sights_difference(a, b, &SIGHTS[s]) < least)
            least = sights_difference(a, b, &SIGHTS[s]), *name = SIGHTS[s].name;
    return least;
}

/* The colour as the style draws it, as a line or as letters. */
static inline struct plot_color sights_drawn(struct plot_color color, bool letters, const struct plot_style *style) {
    struct primitive ink = {.stroke = color, .style.color = letters ? text_color(color) : color};
    struct page page = {.count = 1, .primitives = &ink};
    style_color_page(&page, style);
    return letters ? ink.style.color : ink.stroke;
}
