/* SPDX-License-Identifier: BSD-3-Clause
 * The state of a result while it is being measured, and later. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "carm/session/characterise.h"
#include "carm/session/measure.h"
#include "carm/session/partial.h"
#include "probe/error.h"

static const struct progress RUN = {"run", 34, 302, "samples"}, APP = {"app", 3, 20, "runs"};

static void marks(void **state) {
    (void)state;
    struct environment environment = {.version = ""};
    partial_mark(&environment, &RUN);
    assert_string_equal(environment.partial, "run: 34 of 302 samples");
    partial_mark(&environment, &APP); /* the roofs are still missing */
    assert_string_equal(environment.partial, "run: 34 of 302 samples");
    partial_clear(&environment, "app");
    partial_clear(&environment, "ru");
    assert_string_equal(environment.partial, "run: 34 of 302 samples");
    partial_clear(&environment, "run");
    assert_string_equal(environment.partial, "");
    partial_mark(&environment, &APP);
    assert_string_equal(environment.partial, "app: 3 of 20 runs");
}

/* A resumed run measures roofs, and no applications. */
static void inherited(void **state) {
    (void)state;
    struct environment old = {.version = ""}, now = {.version = ""};
    partial_mark(&old, &RUN);
    partial_inherit(&now, &old);
    assert_string_equal(now.partial, "");
    partial_clear(&old, "run");
    partial_mark(&old, &APP);
    partial_inherit(&now, &old);
    assert_string_equal(now.partial, "app: 3 of 20 runs");
}

static void remedies(void **state) {
    (void)state;
    char text[PARTIAL_TEXT_BYTES];
    struct result result = {.sample_count = 34};
    assert_string_equal(partial_text(&result, "x.json", text, sizeof text), "");
    result.environment.interrupted = true;
    result.environment.planned_samples = 302;
    assert_non_null(strstr(partial_text(&result, "x.json", text, sizeof text), "ended early, with 34 of 302 samples"));
    assert_non_null(strstr(text, "`carmine run --resume x.json`"));
    snprintf(result.environment.ended, sizeof result.environment.ended, "its time was up");
    assert_non_null(strstr(partial_text(&result, "x.json", text, sizeof text), "34 of 302 samples: its time was up. "));
    assert_false(partial_lacks_roofs(&result)); /* it may judge, if there is no better one */
    partial_mark(&result.environment, &RUN);
    assert_non_null(strstr(partial_text(&result, NULL, text, sizeof text), "(run: 34 of 302 samples)"));
    assert_non_null(strstr(text, "`carmine run --resume FILE`"));
    assert_true(partial_lacks_roofs(&result));
    result.environment = (struct environment){.version = ""};
    partial_mark(&result.environment, &APP);
    assert_non_null(strstr(partial_text(&result, NULL, text, sizeof text), "same command again"));
    assert_null(strstr(text, "--resume"));
    assert_false(partial_lacks_roofs(&result));
    result.environment = (struct environment){.unknown_doubts = "too warm"};
    assert_string_equal(partial_text(&result, NULL, text, sizeof text),
                        "Warnings unknown to this carmine are left out (too warm): a newer one wrote the file.");
}

static int saved;
static bool fail_to_save(void *context, struct error *err) {
    saved++;
    return error_set(err, "%s", (const char *)context);
}

/* A failure is reported once, and saving continues. */
static void failures(void **state) {
    (void)state;
    char full[] = "no space";
    struct checkpoint checkpoint = checkpoint_begin(fail_to_save, full), none = checkpoint_begin(NULL, NULL);
    saved = 0;
    checkpoint_if_due(&checkpoint); /* right after the beginning: not due, unless the host sleeps for a second */
    for (int i = 1; i <= 3; i++) {
        checkpoint.last_s = none.last_s = -1e9;
        checkpoint_if_due(&checkpoint);
        checkpoint_if_due(&none);
        assert_true(checkpoint.failed);
        assert_true(checkpoint.last_s > -1e9);
        assert_true(saved >= i);
    }
    assert_false(none.failed);
}

/* A run of all roofs has the core, once: what `carmine core` stored stays. It takes a small part of the time. */
static void the_core_belongs_to_whole_runs(void **state) {
    (void)state;
    struct result result = {.curve_count = 0};
    assert_true(characterise_has_core(&result, &(struct plan_options){.quick = true}));
    assert_false(characterise_has_core(&result, &(struct plan_options){.isas = {"sse"}}));
    assert_false(characterise_has_core(&result, &(struct plan_options){.types = {"f64"}}));
    assert_false(characterise_has_core(&result, &(struct plan_options){.levels = {"L1"}}));
    assert_false(characterise_has_core(&result, &(struct plan_options){.mixes = {"load"}}));
    assert_false(characterise_has_core(&result, &(struct plan_options){.glance = true}));
    result.core.count = 1;
    assert_false(characterise_has_core(&result, &(struct plan_options){.quick = true}));
    assert_true(characterise_core_s(&(struct plan_options){.budget_s = 600}) <= 3);
    assert_true(characterise_core_s(&(struct plan_options){.budget_s = 4}) <= 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(marks), cmocka_unit_test(inherited), cmocka_unit_test(remedies),
                                       cmocka_unit_test(failures), cmocka_unit_test(the_core_belongs_to_whole_runs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
