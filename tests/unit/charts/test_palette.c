/* SPDX-License-Identifier: BSD-3-Clause
 * Everybody can distinguish the items of a picture: people with each of the three dichromacies, and readers of a grey
 * print. For the former, two items differ clearly in colour, on paper in lightness, as lines and as letters, on light
 * and on dark pages. Where colours do not suffice, items differ in dash or shape. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/kernels/levels.h"
#include "carm/chart/chart_groups.h"
#include "carm/chart/picture.h"
#include "tests/support/sights.h"

/* On paper neighbours in lightness have half of the least difference. */
static const double LEAST_LIGHTNESS = 8;

/* Items that appear together in a picture. */
struct look {
    struct plot_color color;
    int shape; /* of markers; below 0: lines, each dash pattern another */
};

/* Whether a grey print tells the items of one shape apart. */
static void assert_on_paper(const char *what, const struct look *looks, size_t count) {
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count; k++) {
            const double lightness = lab_of(&looks[i].color, &SIGHTS[0]).l - lab_of(&looks[k].color, &SIGHTS[0]).l;
            if (looks[i].shape == looks[k].shape && fabs(lightness) < LEAST_LIGHTNESS)
                fail_msg("%s %zu and %zu: %.1f in lightness", what, i, k, lightness);
        }
}

/* Items of one shape, as lines or letters of this style. Contrasts are those of WCAG 2.1, 1.4.3 and 1.4.11. */
static void assert_told_apart(const char *what, const struct look *looks, size_t count, bool letters,
                              const struct plot_style *style) {
    const struct plot_color ground = style->dark ? style_turned(PALETTE_WHITE) : PALETTE_WHITE;
    const double enough = style->dark ? SIGHTS_LEAST_ON_DARK : SIGHTS_LEAST;
    const char *name = "";
    for (size_t i = 0; i < count; i++) {
        const struct plot_color own = sights_drawn(looks[i].color, letters, style);
        if (style_contrast(own, ground) < (letters ? 4.5 : 3))
            fail_msg("%s %zu has a contrast of %.2f (%s)", what, i, style_contrast(own, ground), style->name);
        for (size_t k = i + 1; k < count; k++) {
            const struct plot_color other = sights_drawn(looks[k].color, letters, style);
            if (looks[i].shape == looks[k].shape && sights_least(&own, &other, &name) < enough)
                fail_msg("%s %zu and %zu: %.1f to %s (%s, %s)", what, i, k, sights_least(&own, &other, &name), name,
                         letters ? "letters" : "lines", style->name);
        }
    }
}

/* Lines and their labels, in every style. */
static void assert_lines(const char *what, const struct look *looks, size_t count) {
    for (const struct plot_style *style = plot_styles; style->name; style++)
        for (int letters = 0; letters < 2; letters++)
            assert_told_apart(what, looks, count, letters, style);
}

/* The simulation itself: white stays white, and red and green that a protanope confuses become similar. */
static void the_simulation_is_right(void **state) {
    (void)state;
    const struct look white = {.color = {1, 1, 1, 1}}, red = {.color = {0.5, 0.25, 0.25, 1}},
                      green = {.color = {0.2, 0.33, 0.23, 1}}, same = red;
    for (size_t s = 0; s < SIGHT_COUNT; s++) {
        const struct lab seen = lab_of(&white.color, &SIGHTS[s]);
        assert_true(fabs(seen.l - 100) < 0.1 && fabs(seen.a) < 0.1 && fabs(seen.b) < 0.1);
        assert_true(sights_difference(&red.color, &same.color, &SIGHTS[s]) == 0);
    }
    assert_true(sights_difference(&red.color, &green.color, &SIGHTS[1]) <
                sights_difference(&red.color, &green.color, &SIGHTS[0]) / 3);
    assert_true(sights_difference(&red.color, &green.color, &SIGHTS[4]) <
                sights_difference(&red.color, &green.color, &SIGHTS[0]) / 3);
}

/* Levels beside the ceilings, which are black or grey: even with a fourth level of caches, whose dash only a grey print
 * needs. Beyond it memories of several kinds have one colour and different dashes. */
static void levels(void **state) {
    (void)state;
    for (unsigned count = 1; count <= 5; count++) {
        struct look looks[7];
        const struct levels levels = {.count = count};
        for (unsigned i = 0; i < count; i++)
            looks[i] = (struct look){chart_level_color(&levels, i), -1 - (int)chart_level_dash(&levels, i)};
        assert_on_paper("levels", looks, count);
        for (unsigned i = 0; i < count; i++)
            looks[i].shape = -1;
        looks[count] = (struct look){PALETTE_BLACK, -1};
        looks[count + 1] = (struct look){PALETTE_GREY, -1};
        assert_lines("levels", looks, count + 2);
    }
}

/* Groups differ by colour alone until colours repeat, and by shape for many more: on paper for twelve groups. On a dark
 * page groups differ in shape. */
static void groups_of_points(void **state) {
    (void)state;
    struct look looks[30]; /* the least common multiple of colours and shapes */
    for (size_t i = 0; i < 30; i++) {
        enum plot_shape shape;
        group_look(i, &looks[i].color, &shape);
        looks[i].shape = (int)shape;
    }
    for (const struct plot_style *style = plot_styles; style->name; style++)
        assert_told_apart("groups", looks, 30, false, style);
    assert_on_paper("groups", looks, 12);
    for (size_t i = 0; i < 5; i++)
        looks[i].shape = -1;
    assert_told_apart("groups", looks, 5, false, &plot_styles[0]);
}

static void machines(void **state) {
    (void)state;
    struct look looks[COMPARE_COLUMNS];
    for (size_t i = 0; i < COMPARE_COLUMNS; i++)
        looks[i] = (struct look){picture_color(i), -1};
    assert_on_paper("machines", looks, COMPARE_COLUMNS);
    assert_lines("machines", looks, COMPARE_COLUMNS);
}

/* Up to twelve machines against one, as dots. */
static void machines_as_dots(void **state) {
    (void)state;
    struct strip_dot dots[STRIPS_FEW];
    struct look looks[STRIPS_FEW];
    struct picture picture = {0};
    const struct plot *plot = &picture.plot;
    for (unsigned i = 0; i < STRIPS_FEW; i++)
        dots[i] = (struct strip_dot){.value = 1 + i, .label = "machine", .number = i + 1};
    assert_true(strips_plot(&(struct strip){"L1", STRIPS_FEW, dots}, 1,
                            &(struct strips_text){.title = "", .axis = "", .few = STRIPS_FEW, .page_width = 960},
                            &picture));
    assert_int_equal(plot->point_count, STRIPS_FEW);
    for (size_t i = 0; i < STRIPS_FEW; i++)
        looks[i] = (struct look){plot->points[i].color, (int)plot->points[i].shape};
    for (size_t i = 0; i < STRIPS_FEW; i++)
        for (size_t k = 0; k < i; k++)
            if (memcmp(&looks[i].color, &looks[k].color, sizeof looks[i].color) == 0)
                assert_true(looks[i].shape != looks[k].shape && plot->points[i].hollow != plot->points[k].hollow);
    assert_on_paper("dots", looks, STRIPS_FEW);
    for (const struct plot_style *style = plot_styles; style->name; style++)
        assert_told_apart("dots", looks, STRIPS_FEW, false, style);
    picture_free(&picture);
}

/* "--green-text: light-dark(#137f50, #73eab6);", or a variable that has the colour, of the report's page. */
static struct plot_color page_color(const char *css, const char *name, bool dark) {
    char key[64], value[64];
    unsigned light_hex, dark_hex;
    snprintf(key, sizeof key, "\n    --%s: ", name);
    const char *found = strstr(css, key);
    if (!found)
        fail_msg("no --%s", name);
    if (sscanf(found + strlen(key), "light-dark(#%6x, #%6x)", &light_hex, &dark_hex) == 2)
        return PALETTE_RGB(dark ? dark_hex : light_hex);
    assert_int_equal(sscanf(found + strlen(key), "var(--%63[^)])", value), 1);
    return page_color(css, value, dark);
}

static void assert_page(const char *css, const char *const *names, size_t count, const char *ending) {
    const bool letters = *ending;
    for (int dark = 0; dark < 2; dark++) {
        const struct plot_color paper = page_color(css, "paper", dark), panel = page_color(css, "panel", dark);
        struct plot_color colors[16];
        const char *sight = "";
        for (size_t i = 0; i < count; i++) {
            char name[32];
            snprintf(name, sizeof name, "%s%s", names[i], ending);
            colors[i] = page_color(css, name, dark);
            const double contrast = style_contrast(colors[i], paper), on_panel = style_contrast(colors[i], panel);
            if (contrast < (letters ? 4.5 : 3) || (letters && on_panel < 4.5))
                fail_msg("--%s has a contrast of %.2f, on a panel %.2f", name, contrast, on_panel);
            for (size_t k = 0; k < i; k++)
                if (sights_least(&colors[i], &colors[k], &sight) < (dark ? SIGHTS_LEAST_ON_DARK : SIGHTS_LEAST))
                    fail_msg("--%s and --%s%s: %.1f to %s (%s)", name, names[k], ending,
                             sights_least(&colors[i], &colors[k], &sight), sight, dark ? "dark" : "light");
        }
    }
}

/* The report's page has the same lines, and its own colours on dark and for letters. */
static void page(void **state) {
    static const char *const LEVELS[] = {"blue", "green", "orange", "purple", "vermilion", "ink", "faint"},
                             *const SERIES[] = {"series-0", "series-1", "series-2", "series-3",
                                                "series-4", "series-5", "series-6", "series-7"};
    static char css[1 << 16];
    (void)state;
    FILE *file = fopen("carm/html/report.css", "r");
    assert_non_null(file);
    css[fread(css, 1, sizeof css - 1, file)] = '\0';
    fclose(file);
    assert_page(css, LEVELS, 7, "");
    assert_page(css, LEVELS, 5, "-text");
    assert_page(css, SERIES, 8, "");
    assert_page(css, SERIES, 8, "-text");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_simulation_is_right), cmocka_unit_test(levels),
        cmocka_unit_test(groups_of_points),        cmocka_unit_test(machines),
        cmocka_unit_test(machines_as_dots),        cmocka_unit_test(page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
