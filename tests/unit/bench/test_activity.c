/* SPDX-License-Identifier: BSD-3-Clause
 * The activity of others, from two readings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include <math.h>

#include "bench/kernels/others.h"

static void others_are_what_is_not_own(void **state) {
    (void)state;
    static const struct {
        struct activity before, after;
        double others;
    } cases[] = {
        {{true, 10, 100, 5, 0}, {true, 11, 101, 6, 0}, 0},    /* all by this process */
        {{true, 10, 100, 5, 0}, {true, 11, 102, 6, 0}, 1},    /* one more CPU was busy */
        {{true, 10, 100, 5, 0}, {true, 12, 101, 5, 0}, 0.5},  /* half a CPU */
        {{true, 10, 100, 5, 0}, {true, 11, 100, 6, 0}, 0},    /* ticks lag: never negative */
        {{true, 10, 100, 5, 0}, {true, 10.01, 101, 5, 0}, 0}, /* too short for a value */
        {{false, 10, 0, 5, 0}, {true, 11, 102, 6, 0}, 0},     /* unknown */
        {{true, 10, 100, 5, 0}, {false, 11, 0, 6, 0}, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_true(fabs(activity_of_others(&cases[i].before, &cases[i].after) - cases[i].others) < 1e-9);
}

static void stolen_time(void **state) {
    (void)state;
    const struct activity before = {.known = true, .wall_s = 10, .stolen_s = 3},
                          after = {.known = true, .wall_s = 12, .stolen_s = 4}, unknown = {.wall_s = 12};
    assert_true(fabs(activity_stolen(&before, &after) - 0.5) < 1e-9);
    assert_true(activity_stolen(&before, &unknown) == 0 && activity_stolen(&after, &before) == 0);
    char path[] = "/tmp/carmine-test-XXXXXX";
    const int file = mkstemp(path);
    assert_int_equal(write(file, "cpu  1000 0 500 9 8 7 6 300 0 0\n", 32), 32);
    const struct activity read = activity_now(path);
    assert_true(read.known && read.stolen_s > 0 && fabs(read.busy_s / read.stolen_s - 5) < 1e-9);
    close(file);
    unlink(path);
}

static void readings(void **state) {
    (void)state;
    struct activity before = activity_now("/proc/stat");
    for (volatile unsigned i = 0; i < 20000000; i++)
        ;
    struct activity after = activity_now("/proc/stat");
    assert_true(after.wall_s > before.wall_s);
    assert_true(after.own_s > before.own_s);
    assert_true(after.busy_s >= before.busy_s);
    assert_false(activity_now("/nowhere").known);
    assert_false(activity_now("/dev/null").known);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(others_are_what_is_not_own),
        cmocka_unit_test(stolen_time),
        cmocka_unit_test(readings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
