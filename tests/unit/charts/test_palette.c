/* SPDX-License-Identifier: BSD-3-Clause
 * Everybody can distinguish the items of a picture: people with each of the three dichromacies, and readers of a grey
 * print. For the former, two items differ clearly in colour (CIE 1976), on paper in lightness. Where colours do not
 * suffice, items differ in shape or are labelled. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "carm/chart/chart_groups.h"
#include "carm/chart/picture.h"
#include "render/page/palette.h"
#include "render/page/style.h"

/* A just noticeable difference is 2.3 (Mahy, Van Eycken and Oosterlinck 1994); thin lines and small markers, to be
 * found in a legend, need several of them. On paper neighbours in lightness have half of that. */
static const double LEAST_DIFFERENCE = 15, LEAST_ON_DARK = 12, LEAST_LIGHTNESS = 8;

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

/* Items that appear together in a picture. */
struct look {
    struct plot_color color;
    int shape; /* of markers; below 0: lines, each dash pattern another */
};

struct lab {
    double l, a, b;
};

static double linear(double part) { /* IEC 61966-2-1 */
    return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4);
}

static double cube_root(double t) { /* CIE 15 */
    return t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116;
}

static struct lab lab_of(const struct plot_color *color, const struct sight *sight) {
    static const double XYZ[3][3] = {/* of sRGB, by the white of D65 */
                                     {0.4124564 / 0.95047, 0.3575761 / 0.95047, 0.1804375 / 0.95047},
                                     {0.2126729, 0.7151522, 0.0721750},
                                     {0.0193339 / 1.08883, 0.1191920 / 1.08883, 0.9503041 / 1.08883}};
    const double rgb[3] = {linear(color->r), linear(color->g), linear(color->b)};
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

static double difference(const struct look *a, const struct look *b, const struct sight *sight) {
    const struct lab p = lab_of(&a->color, sight), q = lab_of(&b->color, sight);
    return sqrt((p.l - q.l) * (p.l - q.l) + (p.a - q.a) * (p.a - q.a) + (p.b - q.b) * (p.b - q.b));
}

static void assert_told_apart_by(double least, const char *what, const struct look *looks, size_t count,
                                 bool on_paper) {
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count; k++) {
            const bool by_shape = looks[i].shape != looks[k].shape;
            for (size_t s = 0; s < sizeof SIGHTS / sizeof SIGHTS[0] && !by_shape; s++)
                if (difference(&looks[i], &looks[k], &SIGHTS[s]) < least)
                    fail_msg("%s %zu and %zu: %.1f to %s", what, i, k, difference(&looks[i], &looks[k], &SIGHTS[s]),
                             SIGHTS[s].name);
            const double lightness = lab_of(&looks[i].color, &SIGHTS[0]).l - lab_of(&looks[k].color, &SIGHTS[0]).l;
            if (on_paper && !by_shape && fabs(lightness) < LEAST_LIGHTNESS)
                fail_msg("%s %zu and %zu: %.1f in lightness", what, i, k, lightness);
        }
}

/* Checks a light page, and a dark page with inverted lightness, which nobody prints. */
static void assert_told_apart(const char *what, const struct look *looks, size_t count, bool on_paper) {
    struct look turned[30];
    for (size_t i = 0; i < count; i++)
        turned[i] = (struct look){style_turned(looks[i].color), looks[i].shape};
    assert_told_apart_by(LEAST_DIFFERENCE, what, looks, count, on_paper);
    assert_told_apart_by(LEAST_ON_DARK, what, turned, count, false);
}

/* The simulation itself: white stays white, and red and green that a protanope confuses become similar. */
static void the_simulation_is_right(void **state) {
    (void)state;
    const struct look white = {.color = {1, 1, 1, 1}}, red = {.color = {0.5, 0.25, 0.25, 1}},
                      green = {.color = {0.2, 0.33, 0.23, 1}}, same = red;
    for (size_t s = 0; s < sizeof SIGHTS / sizeof SIGHTS[0]; s++) {
        const struct lab seen = lab_of(&white.color, &SIGHTS[s]);
        assert_true(fabs(seen.l - 100) < 0.1 && fabs(seen.a) < 0.1 && fabs(seen.b) < 0.1);
        assert_true(difference(&red, &same, &SIGHTS[s]) == 0);
    }
    assert_true(difference(&red, &green, &SIGHTS[1]) < difference(&red, &green, &SIGHTS[0]) / 3);
    assert_true(difference(&red, &green, &SIGHTS[4]) < difference(&red, &green, &SIGHTS[0]) / 3);
}

/* Their lines differ in lightness or in dash, even with a fourth level of caches. */
static void levels(void **state) {
    (void)state;
    for (unsigned count = 1; count <= 5; count++) {
        struct look looks[5];
        const struct levels levels = {.count = count};
        for (unsigned i = 0; i < count; i++)
            looks[i] = (struct look){chart_level_color(&levels, i), -1 - (int)chart_level_dash(&levels, i)};
        assert_told_apart("levels", looks, count, true);
        for (unsigned i = 0; i < count; i++) /* lines: WCAG 2.1, 1.4.11 */
            assert_true(style_contrast(looks[i].color, PALETTE_WHITE) >= 3);
        for (unsigned i = 0; i < count; i++) /* levels found by colour alone need no dash */
            looks[i].shape = -1;
        assert_told_apart("levels", looks, count, false);
    }
}

/* Groups differ by colour alone until colours repeat, and by shape for many more: on paper for twelve groups. */
static void groups_of_points(void **state) {
    (void)state;
    struct look looks[30]; /* the least common multiple of colours and shapes */
    for (size_t i = 0; i < 30; i++) {
        enum plot_shape shape;
        group_look(i, &looks[i].color, &shape);
        looks[i].shape = (int)shape;
    }
    assert_told_apart("groups", looks, 30, false);
    assert_told_apart("groups", looks, 12, true);
    for (size_t i = 0; i < 5; i++)
        looks[i].shape = -1;
    assert_told_apart("groups", looks, 5, false);
}

static void machines(void **state) {
    (void)state;
    struct look looks[COMPARE_COLUMNS];
    for (size_t i = 0; i < COMPARE_COLUMNS; i++)
        looks[i] = (struct look){picture_color(i), -1};
    assert_told_apart("machines", looks, COMPARE_COLUMNS, true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_simulation_is_right),
        cmocka_unit_test(levels),
        cmocka_unit_test(groups_of_points),
        cmocka_unit_test(machines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
