/* SPDX-License-Identifier: BSD-3-Clause
 * libcarmine-roofs: roofs that may be higher than the measured ones have no number. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carm/library/carmine_roofs.h"
#include "tests/support/fixtures.h"

static double value_in(const char *samples, const char *name) {
    char text[2048];
    snprintf(text, sizeof text,
             "{\"schema\": \"carmine.result/1\", \"machine\": {\"core_count\": 2}, \"samples\": [%s]}", samples);
    fixture_write(fixture_path("roofs.json"), text, strlen(text));
    struct carmine_roofs *roofs = carmine_roofs_open(fixture_path("roofs.json"));
    assert_non_null(roofs);
    const double value = carmine_roof_value(roofs, name, 2);
    carmine_roofs_close(roofs);
    return value;
}

#define CEILING(isa, rest) "{\"kernel\": \"" isa ".f64.fma\", \"kind\": \"compute\", \"threads\": 2, " rest "}"
#define SSE                CEILING("sse", "\"value\": 8e10, \"per_cycle\": 8, \"documented_per_cycle\": 8")

static void blank_roofs_hide_the_highest(void **state) {
    (void)state;
    static const struct {
        const char *samples;
        double wanted;
    } ROWS[] = {
        {SSE, 8e10},
        {SSE "," CEILING("avx2", "\"value\": 0, \"documented_per_cycle\": 16"), NAN},
        {CEILING("avx2", "\"value\": 0, \"documented_per_cycle\": 16") "," SSE, NAN},
        {SSE "," CEILING("avx2", "\"value\": 0"), NAN},
        {SSE "," CEILING("x87", "\"value\": 0, \"documented_per_cycle\": 2"), 8e10},
        {CEILING("x87", "\"value\": 0, \"documented_per_cycle\": 2") "," SSE, 8e10},
        {SSE "," CEILING("avx2", "\"value\": 9e10, \"per_cycle\": 9, \"doubts\": [\"too short\"]"), NAN},
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
        const double value = value_in(ROWS[i].samples, "f64");
        if (isnan(value) != isnan(ROWS[i].wanted) || (value > 0 && fabs(value / ROWS[i].wanted - 1) > 1e-9))
            fail_msg("row %zu: %g, not %g", i, value, ROWS[i].wanted);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(blank_roofs_hide_the_highest)};
    return cmocka_run_group_tests(tests, fixture_folder_make, fixture_folder_remove);
}
