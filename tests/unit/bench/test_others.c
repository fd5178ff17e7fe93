/* SPDX-License-Identifier: BSD-3-Clause
 * The activity of other programs, on made-up systems. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include <math.h>

#include "bench/kernels/others.h"
#include "probe/machine.h"
#include "tests/support/folder.h"

static char root[96];

/* A machine of four CPUs, two of which this process may use. */
static struct core allowed[] = {{.pu_count = 1, .pus = {1}}, {.pu_count = 1, .pus = {3}}};
static const struct machine machine = {.core_count = 2, .cores = allowed};

static void write_stat(const char *folder, const char *text) {
    char path[192];
    snprintf(path, sizeof path, "%s/proc%s", root, folder);
    mkdir(path, 0755);
    strcat(path, "/stat");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void write_process(long number, long parent, const char *name, unsigned long ticks, unsigned started) {
    char folder[32], text[256];
    snprintf(folder, sizeof folder, "/%ld", number);
    snprintf(text, sizeof text, "%ld (%s) S %ld 1 1 0 -1 4194304 100 0 0 0 %lu %lu 0 0 20 0 1 0 %u 0 0\n", number, name,
             parent, ticks / 2, ticks - ticks / 2, started);
    write_stat(folder, text);
}

static void remove_process(long number) {
    char path[160];
    snprintf(path, sizeof path, "%s/proc/%ld/stat", root, number);
    unlink(path);
    *strrchr(path, '/') = '\0';
    rmdir(path);
}

static int make_system(void **state) {
    char path[128];
    if (fixture_folder_make(state) != 0)
        return -1;
    snprintf(root, sizeof root, "%s/root", fixture_folder);
    snprintf(path, sizeof path, "%s/proc", root);
    return mkdir(root, 0755) || mkdir(path, 0755);
}

static int remove_system(void **state) {
    char command[160];
    snprintf(command, sizeof command, "rm -rf %s/root", fixture_folder);
    return system(command) | fixture_folder_remove(state);
}

/* Long enough for the system's ticks. */
static void wait_a_while(void) {
    nanosleep(&(struct timespec){.tv_nsec = 60000000}, NULL);
}

static void assert_ratio(double a, double b, double expected) {
    if (!(fabs(a / b - expected) <= 0.02 * expected))
        fail_msg("%g / %g is not %g", a, b, expected);
}

/* Ticks in the system's account, by owner; the test's own use is negligible. */
static void who_used_how_much(void **state) {
    (void)state;
    const long self = getpid();
    struct others_watch watch;
    write_stat("", "cpu  1000 0 0 5 0\ncpu0 250 0 0 5\ncpu1 250 0 0 5\ncpu2 250 0 0\ncpu3 250 0 0\nintr 5 5 5 5\n");
    write_process(10, 1, "hog", 1000, 50), write_process(11, 1, "hog", 7000, 60);
    write_process(12, 1, "one (or ) two", 100, 70);
    write_process(13, 1, "gone", 100, 80), write_process(14, 1, "old", 99999, 90);
    write_process(self, 1, "test", 100, 90), write_process(20000000, self, "child", 100, 90);
    others_begin(&watch, root, &machine);
    wait_a_while();
    write_stat("", "cpu  5000 5000 1000 5 0\ncpu0 4250 2000 0\ncpu1 1250 1000 0\ncpu2 250 0 0\ncpu3 250 1000 1000\n");
    write_process(10, 1, "hog", 3000, 50), write_process(11, 1, "hog", 9000, 60);
    write_process(12, 1, "one (or ) two", 3000, 70);
    remove_process(13);
    write_process(14, 1, "new", 1000, 95); /* another process with the same number */
    write_process(self, 1, "test", 90000, 90), write_process(20000000, self, "child", 90000, 90);
    write_process(20000001, 20000000, "grandchild", 90000, 90);
    struct others others = others_since(&watch, root, &machine);
    assert_string_equal(others.busiest, "hog");
    assert_ratio(others.busiest_cpus, others.cpus, 0.4); /* two that used 2,000 each of 10,000 */
    assert_ratio(others.allowed_cpus, others.cpus, 0.4);
    write_process(12, 1, "one (or ) two", 9000, 70); /* the same watch goes on */
    others = others_since(&watch, root, &machine);
    assert_string_equal(others.busiest, "one (or ) two");
    assert_ratio(others.busiest_cpus, others.cpus, 0.89);
    others_free(&watch);
}

static void nobody_tells(void **state) {
    (void)state;
    struct others_watch watch;
    others_begin(&watch, "/nowhere", &machine);
    wait_a_while();
    const struct others others = others_since(&watch, "/nowhere", &machine);
    assert_true(others.cpus == 0 && others.allowed_cpus == 0 && others.busiest_cpus == 0);
    assert_string_equal(others.busiest, "");
    others_free(&watch);
}

static void this_system(void **state) {
    (void)state;
    struct others_watch watch;
    others_begin(&watch, "", &machine);
    wait_a_while();
    const struct others others = others_since(&watch, "", &machine);
    assert_true(watch.count > 0); /* this process, at least */
    assert_true(others.cpus >= 0 && others.busiest_cpus >= 0);
    others_free(&watch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_used_how_much),
        cmocka_unit_test(nobody_tells),
        cmocka_unit_test(this_system),
    };
    return cmocka_run_group_tests(tests, make_system, remove_system);
}
