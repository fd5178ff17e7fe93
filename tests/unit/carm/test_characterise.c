/* SPDX-License-Identifier: BSD-3-Clause
 * What the sweeps of a run tell of its roofs, on made-up curves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "carm/session/characterise.h"
#include "tests/support/fixtures.h"

/* Loads with AVX2 in L2 and DRAM, one core and both. Sizes in the curve: two of L2, three of memory, three of neither.
 * At the smallest size of the L2 the L1 may hold a part. */
static void a_sweep_counts_at_the_sizes_of_the_level(void **state) {
    (void)state;
    struct machine m = fixture_machine(2, FIXTURE_AVX2);
    struct levels levels[MACHINE_MAX_KINDS];
    struct plan plan;
    struct error err;
    fixture_levels(&m, levels);
    const struct plan_options options = {.isas = {"avx2"},
                                         .isa_count = 1,
                                         .levels = {"L2", "DRAM"},
                                         .level_count = 2,
                                         .mixes = {"load"},
                                         .mix_count = 1};
    assert_true(plan_roofs(&plan, &m, levels, &options, &err));
    assert_int_equal(plan.count, 4);
    const struct plan_step *l2 = &plan.steps[0], *memory = NULL;
    for (size_t i = 0; i < plan.count && !memory; i++)
        memory = plan.steps[i].memory ? &plan.steps[i] : NULL;
    assert_non_null(memory);
    const uint64_t low = l2->size_bytes[0], middle = l2->size_bytes[l2->middle_size],
                   high = l2->size_bytes[l2->size_count - 1], large = memory->size_bytes[0];
    struct curve_point points[] = {{.working_set_bytes = low / 2, .value = 300e9, .per_cycle = 96},
                                   {.working_set_bytes = low, .value = 270e9, .per_cycle = 90},
                                   {.working_set_bytes = middle, .value = 150e9, .per_cycle = 50},
                                   {.working_set_bytes = high, .value = 180e9, .per_cycle = 60},
                                   {.working_set_bytes = 2 * high, .value = 240e9, .per_cycle = 80},
                                   {.working_set_bytes = large, .value = 20e9, .per_cycle = 7},
                                   {.working_set_bytes = 2 * large, .value = 25e9, .per_cycle = 8},
                                   {.working_set_bytes = 4 * large, .value = 22e9, .per_cycle = 7}};
    struct curve curve = {.kernel = "avx2.load", .threads = 1, .count = 8, .points = points};
    struct result result = {.machine = m, .curves = &curve, .curve_count = 1};
    characterise_expect(&plan, &result);
    for (size_t i = 0; i < plan.count; i++) /* the second highest; one thread swept */
        assert_true(plan.steps[i].swept == (plan.steps[i].threads > 1 ? 0 : plan.steps[i].memory ? 22e9 : 50));
    curve.count = 3; /* one size alone supports nothing */
    characterise_expect(&plan, &result);
    for (size_t i = 0; i < plan.count; i++)
        assert_true(plan.steps[i].swept == 0);
    curve.count = 8;
    plan.steps[0].small_pages = true;
    characterise_expect(&plan, &result);
    assert_true(plan.steps[0].swept == 0);
    plan.steps[0].small_pages = false;
    plan.steps[0].place.memory_node = 2;
    characterise_expect(&plan, &result);
    assert_true(plan.steps[0].swept == 0);
    plan.steps[0].place.memory_node = 0;
    strcpy(curve.kernel, "sse.load");
    characterise_expect(&plan, &result);
    assert_true(plan.steps[0].swept == 0);
    plan_free(&plan);
    machine_free(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_sweep_counts_at_the_sizes_of_the_level)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
