/* SPDX-License-Identifier: BSD-3-Clause
 * The table of winners by microarchitecture: each row can be measured, and a campaign's result does not depend on
 * it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/kernels/shapes.h"
#include "bench/kernels/choose.h"
#include "tests/support/simulated.h"

static struct scene s;

static void each_row_is_code_of_the_program(void **state) {
    (void)state;
    assert_true(wisdom_count > 100);
    for (size_t i = 0; i < wisdom_count; i++) {
        const struct wisdom_row *row = &wisdom_table[i];
        const struct kernel *const *own = kernel_find(row->kernel, NULL);
        unsigned width = 0, unroll = 0;
        if (!own || !uarch_named(row->uarch))
            fail_msg("%s on %s", row->kernel, row->uarch);
        if (!kernel_find_variant(row->kernel, row->variant) &&
            (sscanf(row->variant, "%ux%u", &width, &unroll) != 2 || !shapes_exist(*own) ||
             !shapes_fit(*own, width, unroll, 1 << 20)))
            fail_msg("%s: %s on %s", row->kernel, row->variant, row->uarch);
        assert_string_equal(wisdom_variant(uarch_named(row->uarch), row->level, row->kernel), row->variant);
    }
}

static void others_take_the_nearest_core_of_their_vendor(void **state) {
    (void)state;
    const struct uarch *granite = uarch_named("Granite Rapids"), *zen5 = uarch_named("Zen 5");
    const char *const of_granite = wisdom_variant(granite, "", "avx512.f64.fmaadd"), *const of_zen5 = wisdom_variant(
                                                                                         zen5, "", "avx512.f64.fmaadd");
    assert_string_not_equal(of_granite, of_zen5);
    assert_string_equal(wisdom_variant(uarch_named("Sapphire Rapids"), "", "avx512.f64.fmaadd"),
                        wisdom_variant(uarch_named("Emerald Rapids"), "", "avx512.f64.fmaadd"));
    /* The Zen 4 in results/ hides AVX-512. */
    assert_string_equal(wisdom_variant(uarch_named("Zen 4"), "", "avx512.f64.fmaadd"), of_zen5);
    assert_null(wisdom_variant(NULL, "", "avx512.f64.fmaadd"));
    assert_null(wisdom_variant(zen5, "", "no.such.kernel"));
}

/* The rates of the advice, of the program's second variant and of all others; the code with which a run ends. */
static double advised_per_cycle, second_per_cycle;
static const char *const ADVISED_KERNEL = "avx2.f64.fmaadd";

static double truth(const struct campaign_trial *trial) {
    const char *advice = wisdom_variant(uarch_named("Zen 5"), "", trial->code.kernel->name);
    size_t count;
    const struct kernel *const *own = kernel_find(trial->code.kernel->name, &count);
    if (trial->code.width == 0 && strcmp(trial->code.kernel->variant, advice) == 0)
        return advised_per_cycle;
    return trial->code.kernel == own[1] ? second_per_cycle : 8;
}

static double measured(double budget_s, bool trusts_wisdom, bool known) {
    const struct plan_options options = {.isas = {"avx2"},
                                         .isa_count = 1,
                                         .types = {"f64"},
                                         .type_count = 1,
                                         .mixes = {"fmaadd"},
                                         .mix_count = 1,
                                         .threads = {1},
                                         .thread_count = 1};
    struct uarch_match match[MACHINE_MAX_KINDS] = {{.uarch = known ? uarch_named("Zen 5") : NULL}};
    struct sample sample;
    struct error err;
    scene_begin(&s, &SIMULATED_QUIET, 1, &options, truth);
    assert_string_equal(s.plan.steps[0].kernel, ADVISED_KERNEL);
    s.bench.uarch = match;
    assert_true(scene_run(
        &s, &(struct campaign_options){.budget_s = budget_s, .no_shapes = true, .trusts_wisdom = trusts_wisdom}, &err));
    assert_true(campaign_number(&s.campaign, 0, &sample));
    const bool began_there =
        strcmp(s.log[0].code.kernel->variant, wisdom_variant(uarch_named("Zen 5"), "", ADVISED_KERNEL)) == 0;
    assert_int_equal(began_there, known);
    scene_end(&s);
    return sample.per_cycle;
}

static void a_search_begins_with_the_winner(void **state) {
    (void)state;
    advised_per_cycle = 16, second_per_cycle = 9;
    assert_true(fabs(measured(0.005, true, true) / 16 - 1) < 0.01); /* one visit */
    assert_true(fabs(measured(60, false, true) / 16 - 1) < 0.01);
    assert_true(fabs(measured(60, false, false) / 16 - 1) < 0.01);
}

static void a_wrong_row_costs_time_alone(void **state) {
    (void)state;
    advised_per_cycle = 4, second_per_cycle = 16;
    assert_true(fabs(measured(60, false, true) / 16 - 1) < 0.01);
    assert_true(fabs(measured(10, true, true) / 16 - 1) < 0.01);
    advised_per_cycle = 0; /* it cannot run */
    assert_true(fabs(measured(10, true, true) / 16 - 1) < 0.01);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_row_is_code_of_the_program),
        cmocka_unit_test(others_take_the_nearest_core_of_their_vendor),
        cmocka_unit_test(a_search_begins_with_the_winner),
        cmocka_unit_test(a_wrong_row_costs_time_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
