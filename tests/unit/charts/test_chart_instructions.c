/* SPDX-License-Identifier: BSD-3-Clause
 * The instruction roofline: the place of applications, its ceilings, and what it rejects. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "asm/kernel.h"
#include "carm/chart/chart.h"
#include "tests/support/fixtures.h"

enum { NAIVE = 2 }; /* of the points of levels.json */

/* The chart's output, as far as the tests need it. */
struct instructions_seen {
    size_t filled, hollow, names, bands, roofs;
    double documented, most; /* instructions/s; 0: no such line */
    char most_label[128];
    struct plot_point naive;
    char naive_sublabel[64];
    double right_per_y;
    size_t arrows_up; /* of ways to roofs above the picture */
};

static void take(const struct plot *plot, void *taker) {
    struct instructions_seen *seen = taker;
    *seen = (struct instructions_seen){.bands = plot->band_count, .right_per_y = plot->right_per_y};
    for (size_t i = 0; i < plot->line_count; i++) {
        const struct plot_line *line = &plot->lines[i];
        if (line->label && strstr(line->label, "documented")) {
            seen->documented = line->y[0];
            assert_int_equal(line->dash, PLOT_DASHED);
        } else if (line->label && strstr(line->label, "most by a kernel")) {
            seen->most = line->y[0];
            assert_int_equal(line->dash, PLOT_SOLID);
            snprintf(seen->most_label, sizeof seen->most_label, "%s", line->label);
        }
        seen->roofs += line->sublabel && strstr(line->sublabel, "B/s");
        const bool up = line->count == 2 && line->x[0] == line->x[1];
        assert_true(!up || line->y[1] <= plot->y.max);
        seen->arrows_up += up && line->arrow;
    }
    for (size_t i = 0; i < plot->point_count; i++) {
        const struct plot_point *point = &plot->points[i];
        seen->filled += !point->hollow;
        seen->hollow += point->hollow;
        seen->names += point->label != NULL;
        if (point->label && strcmp(point->label, "dgemm naive") == 0) {
            seen->naive = *point;
            snprintf(seen->naive_sublabel, sizeof seen->naive_sublabel, "%s", point->sublabel);
        }
    }
}

static struct instructions_seen see(const struct result *result) {
    struct model model = model_build(result);
    struct instructions_seen seen;
    struct error err = {""};
    if (!chart_instructions(&model, &(struct chart_options){.take = take, .taker = &seen}, "", &err))
        fail_msg("%s", err.text);
    model_free(&model);
    return seen;
}

static void refused(const struct result *result, const char *says, const char *remedy) {
    struct model model = model_build(result);
    struct error err = {""};
    assert_false(chart_instructions(&model, &(struct chart_options){0}, fixture_path("none.svg"), &err));
    assert_contains(err.text, says);
    assert_contains(err.text, remedy);
    model_free(&model);
}

static struct result levels(void) {
    struct result r;
    struct error err;
    assert_true(results_read("tests/golden/files/levels.json", &r, &err));
    return r;
}

static void links_of_each_application(void **state) {
    (void)state;
    struct result r = levels();
    const struct app_point *naive = &r.points[NAIVE];
    const double instructions = (double)naive->count.instructions;
    struct instructions_seen seen = see(&r);
    assert_int_equal(seen.names, 7);
    assert_int_equal(seen.filled, 6); /* blocked dgemm is nearest to the core's limit */
    assert_int_equal(seen.bands, 4);
    assert_int_equal(seen.roofs, 4);
    assert_near(seen.naive.y, instructions / naive->seconds.median);
    assert_near(seen.naive.x, instructions / point_link_bytes(&naive->levels.link[2])); /* L2 ⇄ L3 binds it */
    assert_false(seen.naive.hollow);
    assert_string_equal(seen.naive_sublabel, "1.30 per cycle; L3 71 %");
    for (size_t i = 0; i < r.point_count; i++) /* its main purpose are integer programs */
        r.points[i].flop = app_once(0), memset(r.points[i].count.flop, 0, sizeof r.points[i].count.flop);
    seen = see(&r);
    assert_int_equal(seen.names, 7);
    assert_near(seen.naive.y, instructions / naive->seconds.median);
    struct model model = model_build(&r);
    struct error err = {""};
    assert_true(chart_instructions(&model, &(struct chart_options){0}, fixture_path("x.svg"), &err));
    model_free(&model);
    results_free(&r);
}

static void what_waits_is_left_out(void **state) {
    (void)state;
    struct result r = levels();
    const double before = see(&r).naive.y;
    r.points[NAIVE].count.waiting_instructions = 1000000000000;
    assert_near(see(&r).naive.y, before);
    results_free(&r);
}

/* One mark each at the core's requests, under the best pattern of each level; the level is not shown. */
static void without_simulated_caches(void **state) {
    (void)state;
    struct result r = levels();
    for (size_t i = 0; i < r.point_count; i++)
        r.points[i].levels.links = 0;
    const struct instructions_seen seen = see(&r);
    const struct app_point *naive = &r.points[NAIVE];
    assert_int_equal(seen.names, 7);
    assert_int_equal(seen.filled, 0);
    assert_int_equal(seen.hollow, 7);
    assert_int_equal(seen.roofs, 4);
    assert_near(seen.naive.x, (double)naive->count.instructions / app_core_bytes(naive));
    assert_string_equal(seen.naive_sublabel, "1.30 per cycle");
    results_free(&r);
}

/* Zen 3 renames 6 per cycle (AMD, Software Optimization Guide for Family 19h, 2.9). */
static void ceilings(void **state) {
    (void)state;
    struct result r = levels();
    const struct sample *best = NULL;
    double most = 0;
    for (size_t i = 0; i < r.sample_count; i++) {
        const struct sample *s = &r.samples[i];
        const struct kernel *kernel = kernel_find_variant(s->kernel, s->variant);
        if (s->threads != 1 || s->kind != SAMPLE_COMPUTE || !kernel)
            continue;
        const double per_s = s->value * kernel->cost.instructions / kernel->cost.flop;
        if (per_s > most)
            most = per_s, best = s;
    }
    assert_non_null(best);
    struct instructions_seen seen = see(&r);
    assert_near(seen.most, most);
    assert_contains(seen.most_label, best->kernel);
    assert_near(seen.documented, 6 * best->clock_hz);
    assert_near(seen.right_per_y, 1 / best->clock_hz);
    snprintf(r.uarch_doubt, sizeof r.uarch_doubt, "its features contradict its model");
    seen = see(&r);
    assert_true(seen.documented == 0);
    assert_near(seen.most, most);
    for (size_t i = 0; i < r.point_count; i++) /* by far most instructions do not match L1's pattern */
        r.points[i].seconds = app_once(r.points[i].seconds.median * 10), r.points[i].count.instructions *= 10;
    assert_true(see(&r).arrows_up > 0);
    results_free(&r);
}

static void what_it_needs(void **state) {
    (void)state;
    struct result r = levels();
    for (size_t i = 0; i < r.point_count; i++)
        r.points[i].has_count = false;
    refused(&r, "no application of ", "`carmine app -o FILE` counts them");
    for (size_t i = 0; i < r.sample_count; i++)
        snprintf(r.samples[i].variant, sizeof r.samples[i].variant, "77x7");
    refused(&r, "the instructions of the result's kernels are unknown", "`carmine run -o FILE`");
    results_free(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_of_each_application),
        cmocka_unit_test(what_waits_is_left_out),
        cmocka_unit_test(without_simulated_caches),
        cmocka_unit_test(ceilings),
        cmocka_unit_test(what_it_needs),
    };
    return cmocka_run_group_tests(tests, fixture_folder_make, fixture_folder_remove);
}
