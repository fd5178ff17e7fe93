/* SPDX-License-Identifier: BSD-3-Clause
 * Fleets of made-up nodes in a picture, and on one screen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <omp.h>
#include <stdint.h>

#include <cmocka.h>

#include "carm/chart/chart_compare.h"
#include "carm/chart/picture.h"
#include "carm/report/fleet_report.h"
#include "render/page/style.h"
#include "tests/support/answered.h"
#include "tests/support/fleets.h"

/* Up to ten nodes are named on each row. With more, the isolated ones are named, and one label gives the number of the
 * others. */
static void crowds_are_counted(void **state) {
    (void)state;
    static const struct {
        size_t crowd, alone; /* equally slow nodes, and nodes with individual amounts */
        size_t names;        /* written on the row of arithmetic */
        const char *rest;
    } rows[] = {{8, 0, 8, NULL},
                {10, 0, 10, NULL},
                {20, 1, 2, "node0 and 19 more"},
                {20, 3, 4, "node0 and 19 more"},
                {0, 12, 10, " and 2 more"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct fleet fleet = make_fleet(NODES, 1);
        for (size_t n = 0; n < rows[i].crowd; n++)
            steal_cycles(&fleet, n);
        for (size_t n = 0; n < rows[i].alone; n++)
            scale(&fleet, 40 + n, SAMPLE_COMPUTE, NULL, NULL, NULL, 0.15 + 0.05 * (double)n);
        struct verdict_of_fleet verdict = judge(&fleet);
        struct picture picture;
        struct error err;
        size_t names = 0, rests = 0, apart = 0;
        assert_int_equal(verdict.report.count, rows[i].crowd + rows[i].alone);
        assert_true(chart_fleet_make(&fleet, &verdict.groups, &verdict.report, &picture, &err));
        for (size_t k = 0; k < picture.plot.point_count; k++) {
            const char *label = picture.plot.points[k].label;
            apart += picture.plot.points[k].shape == PLOT_DIAMOND;
            names += label != NULL;
            rests += label && rows[i].rest && strstr(label, rows[i].rest);
            assert_true(!label || (picture.plot.points[k].priority < 0) == (strstr(label, " more") != NULL));
        }
        assert_int_equal(apart, verdict.report.count); /* on one row of six */
        assert_int_equal(names, rows[i].names);
        assert_int_equal(rests, rows[i].rest != NULL);
        assert_true(chart_rows_page(&picture.plot, &plot_styles[0]) <= PLOT_HEIGHT);
        picture_free(&picture);
        free_all(&fleet, &verdict);
    }
}

/* For two types there are twelve rows, each with its full height. */
static void pictures_grow_with_their_rows(void **state) {
    (void)state;
    struct fleet fleet = make_fleet(NODES, 1);
    struct picture picture;
    struct error err;
    for (size_t n = 0; n < NODES / 2; n++)
        swap(&fleet, n);
    struct verdict_of_fleet verdict = judge(&fleet);
    assert_true(chart_fleet_make(&fleet, &verdict.groups, &verdict.report, &picture, &err));
    assert_int_equal(picture.plot.y.name_count, 12);
    const double height = chart_rows_page(&picture.plot, &plot_styles[0]);
    assert_true(height > 1.5 * PLOT_HEIGHT && height < 2 * PLOT_HEIGHT);
    picture_free(&picture);
    free_all(&fleet, &verdict);
}

/* Figures of the memory under load have their names, not those of roofs. */
static void figures_have_rows(void **state) {
    (void)state;
    struct fleet fleet = make_fleet(NODES, 1);
    struct roof_key key = made_up_key(
        &(struct made_up_roof){.kind = SAMPLE_BANDWIDTH, .kernel = "loaded.load", .level = "DRAM"}, ROOF_ALL_CORES);
    struct picture picture;
    struct error err;
    size_t rows = 0;
    key.figure = true;
    for (size_t n = 0; n < fleet.count; n++) {
        struct fleet_node *own = &fleet.nodes[n];
        own->values = realloc(own->values, (own->count + 1) * sizeof *own->values);
        own->values[own->count++] =
            (struct fleet_value){.key = (uint32_t)roof_keys_put(&fleet.keys, &key),
                                 .value = (float)(2e11 * (1 + 0.01 * chance_normal()) * (n == 7 ? 0.5 : 1))};
    }
    struct verdict_of_fleet verdict = judge(&fleet);
    assert_int_equal(verdict.report.count, 1);
    assert_true(chart_fleet_make(&fleet, &verdict.groups, &verdict.report, &picture, &err));
    for (unsigned i = 0; i < picture.plot.y.name_count; i++)
        rows += strstr(picture.plot.y.names[i], "DRAM loaded.load") != NULL;
    assert_int_equal(rows, 1);
    picture_free(&picture);
    free_all(&fleet, &verdict);
}

/* Of many dots a part is drawn, but all named ones. */
static void strips(void **state) {
    (void)state;
    enum { DOTS = 1000 };
    static struct strip_dot dots[DOTS];
    for (size_t i = 0; i < DOTS; i++)
        dots[i] = (struct strip_dot){.value = 0.00001 * (double)i, .apart = i % 500 == 499, .label = "apart"};
    dots[3].value = NAN;
    const struct strip both[] = {{"upper", DOTS, dots}, {"lower", 10, dots}};
    struct picture picture = {.blocks = {NULL}};
    assert_true(strips_plot(both, 2, &(struct strips_text){.difference = true}, &picture));
    const struct plot plot = picture.plot;
    size_t named = 0;
    double highest = -INFINITY;
    for (size_t i = 0; i < plot.point_count; i++) {
        named += plot.points[i].label != NULL;
        highest = plot.points[i].x > highest ? plot.points[i].x : highest;
        assert_true(plot.points[i].x >= plot.x.min && plot.points[i].x <= plot.x.max);
        assert_true(fabs(plot.points[i].y - round(plot.points[i].y)) < 0.31); /* rows don't mix */
    }
    assert_int_equal(named, 2);
    assert_int_equal(plot.point_count, STRIPS_MAX_DOTS + 2 + 9);
    assert_near(highest, 0.00999);
    assert_string_equal(plot.y.names[1], "upper");
    picture_free(&picture);
    assert_false(strips_plot(both, 0, &(struct strips_text){.difference = true}, &picture));
}

static void the_answer_is_one_screen(void **state) {
    static void (*const several[])(struct fleet *, size_t) = {kill_fma,     lose_channel, lose_capacity, halve_l3,
                                                              slow_latency, speed_up,     steal_cycles};
    (void)state;
    struct fleet fleet = make_fleet(NODES, 3);
    throttle(&fleet, 1);
    struct verdict_of_fleet verdict = judge(&fleet);
    struct screen_text text = screen_text_begin();
    fleet_answer_print(&fleet, &verdict.groups, &verdict.report, &text.screen);
    answer_is(screen_text_end(&text),
              "60 nodes of 1 machine type, 1 outlier: 1 × throttled socket\n\nhost   diagnosis");
    fleet_report_free(&verdict.report);
    fleet_groups_free(&verdict.groups);
    throttle(&fleet, 2);
    for (size_t i = 0; i < sizeof several / sizeof several[0]; i++)
        several[i](&fleet, 10 + i);
    verdict = judge(&fleet);
    text = screen_text_begin();
    fleet_answer_print(&fleet, &verdict.groups, &verdict.report, &text.screen);
    char *said = screen_text_end(&text);
    assert_contains(said, "\nnode10             dead FMA unit ");
    assert_contains(said, ", …\n"); /* more diagnoses than fit a sentence */
    assert_contains(said, "\nnode1 and 1 alike  throttled socket ");
    answer_is(said, "60 nodes of 1 machine type, 9 outliers: ");
    free_all(&fleet, &verdict);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crowds_are_counted),
        cmocka_unit_test(the_answer_is_one_screen),
        cmocka_unit_test(pictures_grow_with_their_rows),
        cmocka_unit_test(figures_have_rows),
        cmocka_unit_test(strips),
    };
    omp_set_num_threads(1); /* so little work takes less time than waking threads */
    return cmocka_run_group_tests(tests, fixture_folder_make, fixture_folder_remove);
}
