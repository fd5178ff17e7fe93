/* SPDX-License-Identifier: BSD-3-Clause
 * The right axis, in flop/cycle: only where one clock makes it valid. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carm/chart/chart.h"
#include "tests/support/series.h"

static const double CLOCK_HZ = 3.0123e9; /* of all samples of fixture_result() */

/* A picture's right side; a copy of the title, which lives only for the time of the call. */
struct right {
    char title[64]; /* "": no axis */
    double per_y;
};

static void take(const struct plot *plot, void *taker) {
    struct right *right = taker;
    snprintf(right->title, sizeof right->title, "%s", plot->right_title ? plot->right_title : "");
    right->per_y = plot->right_per_y;
}

static struct right right_of(const struct result *r, const char *chart, struct chart_options options) {
    struct model model = model_build(r);
    struct error err = {""};
    struct right right = {.title = "not drawn"};
    options.take = take, options.taker = &right;
    if (!chart_named(chart)->draw(&model, &options, NULL, &err))
        fail_msg("%s: %s", chart, err.text);
    model_free(&model);
    return right;
}

static void rooflines_at_one_clock(void **state) {
    static const char *const ROOFLINES[] = {"roofline", "dram", "read", "write"};
    struct result r = four_cores();
    (void)state;
    for (size_t i = 0; i < sizeof ROOFLINES / sizeof ROOFLINES[0]; i++) {
        const struct right one = right_of(&r, ROOFLINES[i], (struct chart_options){.threads = 1}),
                           all = right_of(&r, ROOFLINES[i], (struct chart_options){.threads = 4});
        assert_string_equal(one.title, "flop/cycle at 3.01 GHz");
        assert_near(one.per_y, 1 / CLOCK_HZ);
        assert_string_equal(all.title, "flop per cycle and core at 3.01 GHz");
        assert_near(all.per_y, 1 / (4 * CLOCK_HZ));
        assert_string_equal(right_of(&r, ROOFLINES[i], (struct chart_options){.per_cycle = true}).title, "");
    }
    results_free(&r);
}

/* For the highest ceiling (level ""), or for all roofs of a level, with one thread. */
static void set_clocks(struct result *r, const char *level, double clock_hz) {
    for (size_t i = 0; i < r->sample_count; i++) {
        struct sample *sample = &r->samples[i];
        if (sample->threads == 1 && strcmp(sample->level, level) == 0 &&
            (*level || strcmp(sample->kernel, "avx2.f64.fma") == 0))
            sample->clock_hz = clock_hz;
    }
}

/* Every drawn roof and ceiling counts; others do not. */
static void clocks_that_differ_or_are_not_known(void **state) {
    static const struct {
        double factor;
        const char *title;
    } CLOCKS[] = {
        {1.008, "flop/cycle at 3.02 GHz"}, {0.992, "flop/cycle at 3.00 GHz"}, {1.02, ""}, {0.98, ""}, {0, ""}};
    static const char *const LEVELS[] = {"", "L1", "DRAM"};
    struct result r = four_cores();
    (void)state;
    for (size_t k = 0; k < sizeof LEVELS / sizeof LEVELS[0]; k++)
        for (size_t i = 0; i < sizeof CLOCKS / sizeof CLOCKS[0]; i++) {
            set_clocks(&r, LEVELS[k], CLOCKS[i].factor * CLOCK_HZ);
            assert_string_equal(right_of(&r, "roofline", (struct chart_options){.threads = 1}).title, CLOCKS[i].title);
            assert_string_not_equal(right_of(&r, "roofline", (struct chart_options){.threads = 4}).title, "");
            set_clocks(&r, LEVELS[k], CLOCK_HZ);
        }
    results_free(&r);
}

/* A chart of series has it for its ceilings: with one number of cores, and not if the axis has another quantity. */
static void series(void **state) {
    struct result r = four_cores();
    (void)state;
    add_series(&r, "daxpy cold 1 thread", HUNDREDS, 5, 1e8);
    const struct right right = right_of(&r, "performance", (struct chart_options){0});
    assert_string_equal(right.title, "flop/cycle at 3.01 GHz");
    assert_near(right.per_y, 1 / CLOCK_HZ);
    assert_string_equal(right_of(&r, "performance", (struct chart_options){.per_cycle = true}).title, "");
    assert_string_equal(right_of(&r, "intensity", (struct chart_options){0}).title, "");
    assert_string_equal(right_of(&r, "ratio", (struct chart_options){0}).title, "");
    add_size(&r, "daxpy cold 4 threads", 300, 1e-6)->threads = 4;
    assert_string_equal(right_of(&r, "performance", (struct chart_options){0}).title, "");
    results_free(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rooflines_at_one_clock),
        cmocka_unit_test(clocks_that_differ_or_are_not_known),
        cmocka_unit_test(series),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
