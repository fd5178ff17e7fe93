/* SPDX-License-Identifier: BSD-3-Clause
 * Counters of the memory controllers: units, formats and CPUs of made-up machines; a real one if root may. */
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

#include "probe/events/uncore.h"
#include "tests/support/fixtures.h"

#define DEVICES "/sys/bus/event_source/devices/"

struct file {
    const char *path, *text;
};

/* Two channels of a server with two packages, with split masks; client counters; an AMD controller. */
static const struct file machine[] = {
    {DEVICES "uncore_imc_0/type", "20\n"},
    {DEVICES "uncore_imc_0/cpumask", "0,24\n"},
    {DEVICES "uncore_imc_0/format/event", "config:0-7\n"},
    {DEVICES "uncore_imc_0/format/umask", "config:8-15,32-55\n"},
    {DEVICES "uncore_imc_0/format/edge", "config:18\n"},
    {DEVICES "uncore_imc_0/events/cas_count_read", "event=0x04,umask=0x03\n"},
    {DEVICES "uncore_imc_11/type", "31\n"},
    {DEVICES "uncore_imc_11/cpumask", "0-1\n"},
    {DEVICES "uncore_imc_11/format/event", "config:0-7\n"},
    {DEVICES "uncore_imc_11/format/umask", "config:8-15,32-55\n"},
    {DEVICES "uncore_imc_11/format/edge", "config:18\n"},
    {DEVICES "uncore_imc_11/events/cas_count_read", "event=0x04,umask=0x03\n"},
    {DEVICES "uncore_imc_free_running_0/type", "40\n"},
    {DEVICES "uncore_imc_free_running_0/cpumask", "0\n"},
    {DEVICES "uncore_imc_free_running_0/format/event", "config:0-7\n"},
    {DEVICES "amd_umc/type", "50\n"},
    {DEVICES "amd_umc/format/event", "config:0-7\n"},
    {DEVICES "amd_umc/format/rdwrmask", "config:8-9\n"},
    {DEVICES "broken_0/type", "60\n"},
    {DEVICES "broken_0/cpumask", "nobody\n"},
    {DEVICES "broken_0/format/event", "config:0-7\n"},
    {DEVICES "broken_0/format/other", "config1:0-7\n"},
    {DEVICES "broken_0/format/odd", "config:7-0\n"},
};

static char root[] = "/tmp/carmine-uncore-XXXXXX";

static int make_tree(void **state) {
    (void)state;
    if (!mkdtemp(root))
        return -1;
    for (size_t i = 0; i < sizeof machine / sizeof *machine; i++) {
        char path[256];
        snprintf(path, sizeof path, "%s%s", root, machine[i].path);
        for (char *slash = path + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
            *slash = '\0';
            mkdir(path, 0755);
            *slash = '/';
        }
        FILE *file = fopen(path, "w");
        if (!file)
            return -1;
        fputs(machine[i].text, file);
        fclose(file);
    }
    return 0;
}

static int remove_tree(void **state) {
    (void)state;
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", root);
    return system(command);
}

static void test_names(void **state) {
    (void)state;
    assert_true(uncore_is("uncore_imc/event=0x04,umask=0x03/"));
    assert_true(uncore_is("msr/tsc/"));
    assert_false(uncore_is("FP_ARITH_INST_RETIRED:SCALAR_DOUBLE"));
    assert_false(uncore_is("PAPI_DP_OPS"));
    assert_false(uncore_is("uncore_imc/event"));
    assert_false(uncore_is("/event/"));
    assert_false(uncore_is("uncore_imc//"));
    assert_false(uncore_is(""));
}

static const struct uncore_counter *counter_at(const struct uncore *uncore, unsigned type, int cpu) {
    for (size_t i = 0; i < uncore->counter_count; i++)
        if (uncore->counters[i].type == type && uncore->counters[i].cpu == cpu)
            return &uncore->counters[i];
    fail_msg("no counter of unit %u on CPU %d", type, cpu);
    return NULL;
}

static void test_every_channel_of_every_package_is_counted(void **state) {
    (void)state;
    static const char events[2][96] = {"uncore_imc/event=0x05,umask=0x1cf/", "amd_umc/event=0x0a,rdwrmask=0x2/"};
    struct uncore uncore;
    struct error err;
    assert_true(uncore_find(&uncore, root, 2, events, &err));
    assert_int_equal(uncore.counter_count, 5); /* 2 channels on 2 CPUs; a unit without a mask on CPU 0 */
    assert_true(counter_at(&uncore, 20, 24)->config == (0xcf05 | UINT64_C(1) << 32));
    assert_int_equal(counter_at(&uncore, 20, 0)->event, 0);
    assert_true(counter_at(&uncore, 31, 1)->config == counter_at(&uncore, 20, 24)->config);
    assert_int_equal(counter_at(&uncore, 50, 0)->event, 1);
    assert_int_equal(counter_at(&uncore, 50, 0)->config, 0x20a);
    uncore_close(&uncore);
}

static void test_the_kernels_own_names(void **state) {
    (void)state;
    static const char named[1][96] = {"uncore_imc/cas_count_read/"};
    static const char flag[1][96] = {"uncore_imc/event=0x04,edge/"};
    struct uncore uncore;
    struct error err;
    assert_true(uncore_find(&uncore, root, 1, named, &err));
    assert_int_equal(uncore.counter_count, 4);
    assert_int_equal(uncore.counters[0].config, 0x0304); /* libpfm4's UNC_M_CAS_COUNT:RD */
    uncore_close(&uncore);
    assert_true(uncore_find(&uncore, root, 1, flag, &err));
    assert_int_equal(uncore.counters[0].config, 0x40004);
    uncore_close(&uncore);
}

static void test_what_is_not_there_is_told(void **state) {
    (void)state;
    static const struct {
        char events[1][96];
        const char *says;
    } cases[] = {
        {{"uncore_m2m/event=1/"}, "the kernel sees no uncore_m2m"},
        {{"uncore/event=1/"}, "the kernel sees no uncore:"},
        {{"uncore_imc/cas_count_gold/"}, "has no event cas_count_gold"},
        {{"uncore_imc/event=0x100/"}, "has no event event=0x100"}, /* more bits than the field has */
        {{"uncore_imc/event=x/"}, "has no event"},
        {{"uncore_imc/event=/"}, "has no event"},
        {{"broken/event=1/"}, "has no event"},
        {{"broken/other=1/"}, "has no event"},
        {{"broken/odd=1/"}, "has no event"},
        {{"PAPI_DP_OPS"}, "is not an event of the form"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct uncore uncore;
        struct error err;
        assert_false(uncore_find(&uncore, root, 1, cases[i].events, &err));
        assert_contains(err.text, cases[i].says);
        uncore_close(&uncore);
    }
    struct uncore uncore;
    struct error err;
    assert_false(uncore_find(&uncore, "/nonexistent", 1, cases[0].events, &err));
    assert_contains(err.text, "the kernel sees no");
}

/* The time-stamp counter is a kernel event that needs no performance counters. */
static void test_a_real_unit_counts(void **state) {
    (void)state;
    static const char events[1][96] = {"msr/tsc/"};
    struct uncore uncore;
    struct error err;
    if (!uncore_open(&uncore, 1, events, &err))
        skip();
    double first, second;
    assert_true(uncore_read(&uncore, &first, &err));
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    assert_true(uncore_read(&uncore, &second, &err));
    assert_true(second - first > 1e5); /* 2 ms at 50 MHz */
    uncore_close(&uncore);
    uncore_close(&uncore);
    assert_int_equal(uncore.counter_count, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_every_channel_of_every_package_is_counted),
        cmocka_unit_test(test_the_kernels_own_names),
        cmocka_unit_test(test_what_is_not_there_is_told),
        cmocka_unit_test(test_a_real_unit_counts),
    };
    return cmocka_run_group_tests(tests, make_tree, remove_tree);
}
