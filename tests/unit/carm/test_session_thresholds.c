/* SPDX-License-Identifier: BSD-3-Clause
 * Each part of a session's time, just above and just below. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carm/session/characterise.h"
#include "carm/session/session_thresholds.h"
#include "tests/support/thresholds.h"

static bool budget_is_within(double seconds) {
    return characterise_budget_s(&(struct plan_options){0}) <= seconds;
}

static bool quick_budget_is_within(double seconds) {
    return characterise_budget_s(&(struct plan_options){.quick = true}) <= seconds;
}

static bool sweeps_are_within(double share) {
    return characterise_sweep_s(&(struct plan_options){.budget_s = 100}, false, 1) <= 100 * share / 2;
}

static bool core_is_within(double seconds) {
    return characterise_core_s(&(struct plan_options){.budget_s = 100}) <= seconds;
}

static bool core_share_is_within(double share) {
    return characterise_core_s(&(struct plan_options){.budget_s = 10}) <= 10 * share;
}

static bool core_is_measured(double left_s) {
    return characterise_core_left_s(&(struct plan_options){.budget_s = 100}, 100 - left_s) > 0;
}

static bool pairs_are_within(double share) {
    return core_session_forms_s(false, 100) >= 100 * (1 - share);
}

static bool memory_sweep_is_within(double share) {
    return memory_session_sweep_s(100) <= 100 * share;
}

static bool quick_saves_wait_less(double seconds) {
    return checkpoint_wait_s(0) < seconds;
}

static bool slow_saves_wait_less(double seconds) {
    return checkpoint_wait_s(1) < seconds;
}

static bool saves_take_less(double share) {
    return 0.012 / checkpoint_wait_s(0.012) < share;
}

static void each_threshold_decides(void **state) {
    (void)state;
    static const struct threshold_case CASES[] = {
        {"budget", 60, budget_is_within, true},           {"quick budget", 10, quick_budget_is_within, true},
        {"sweeps", 0.5, sweeps_are_within, true},         {"core", 2, core_is_within, true},
        {"core, share", 0.1, core_share_is_within, true}, {"core, least", 0.9, core_is_measured, true},
        {"pairs", 0.125, pairs_are_within, true},         {"memory sweep", 0.2, memory_sweep_is_within, true},
        {"save", 1, quick_saves_wait_less, true},         {"save, rarely", 1.8, slow_saves_wait_less, true},
        {"save, share", 0.01, saves_take_less, true},
    };
    thresholds_decide((const struct threshold *)&session_thresholds, SESSION_THRESHOLD_COUNT, CASES,
                      sizeof CASES / sizeof *CASES);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_threshold_decides)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
