/* SPDX-License-Identifier: BSD-3-Clause
 * Counting through the real PAPI: its software-defined events, which count on any machine, and the kernel's own if
 * permitted; and the message for events that cannot be counted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>
#include <pthread.h>
#include <sde_lib.h>

#include "probe/events/event_tables.h"
#include "probe/events/papi.h"
#include "probe/events/perf.h"
#include "tests/support/fixtures.h"

enum { THREADS = 4, ROUNDS = 3 };
static long long counters[THREADS];
static const char names[THREADS][96] = {"sde:::carmine::work0", "sde:::carmine::work1", "sde:::carmine::work2",
                                        "sde:::carmine::work3"};

static int register_counters(void **state) {
    (void)state;
    papi_handle_t library = papi_sde_init("carmine");
    for (unsigned i = 0; i < THREADS; i++) {
        char name[8];
        snprintf(name, sizeof name, "work%u", i);
        if (papi_sde_register_counter(library, name, PAPI_SDE_RO | PAPI_SDE_DELTA, PAPI_SDE_long_long, &counters[i]) !=
            SDE_OK)
            return -1;
    }
    return 0;
}

static void test_counts_from_the_start_to_the_end(void **state) {
    (void)state;
    static const char reversed[2][96] = {"sde:::carmine::work1", "sde:::carmine::work0"};
    struct papi_events events;
    struct error err;
    double values[2];
    counters[0] = counters[1] = 1000;
    assert_true(papi_events_open(&events, 2, reversed, &err));
    assert_false(events.multiplexed);
    counters[0] += 5; /* before the start */
    assert_true(papi_events_start(&events, &err));
    counters[0] += 100;
    counters[1] += 7;
    counters[0] += 11;
    assert_true(papi_events_stop(&events, values, &err));
    assert_true(values[0] == 7 && values[1] == 111);
    counters[0] += 13; /* between */
    assert_true(papi_events_start(&events, &err));
    counters[0] += 17;
    assert_true(papi_events_stop(&events, values, &err));
    assert_true(values[0] == 0 && values[1] == 17);
    papi_events_close(&events);
    papi_events_close(&events);
}

static void test_what_is_wrong_in_use_is_told(void **state) {
    (void)state;
    struct papi_events events;
    struct error err;
    double values[1];
    assert_true(papi_events_open(&events, 1, names, &err));
    assert_false(papi_events_stop(&events, values, &err));
    assert_contains(err.text, "PAPI");
    assert_true(papi_events_start(&events, &err));
    assert_false(papi_events_start(&events, &err));
    papi_events_close(&events); /* while it runs */
    assert_true(papi_events_open(&events, 1, names, &err));
    papi_events_close(&events);
}

struct worker {
    unsigned index;
    struct error err;
    double values[ROUNDS];
    bool good;
};

static void *count_in_a_thread(void *argument) {
    struct worker *worker = argument;
    struct papi_events events;
    worker->good = papi_events_open(&events, 1, &names[worker->index], &worker->err);
    for (unsigned round = 0; round < ROUNDS && worker->good; round++) {
        worker->good = papi_events_start(&events, &worker->err);
        for (unsigned i = 0; i < 1000; i++)
            counters[worker->index] += worker->index + round + 1;
        worker->good = worker->good && papi_events_stop(&events, &worker->values[round], &worker->err);
    }
    papi_events_close(&events);
    return NULL;
}

static void test_threads_count_for_themselves(void **state) {
    (void)state;
    pthread_t threads[THREADS];
    struct worker workers[THREADS];
    for (unsigned i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){.index = i};
        assert_int_equal(pthread_create(&threads[i], NULL, count_in_a_thread, &workers[i]), 0);
    }
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (unsigned i = 0; i < THREADS; i++) {
        if (!workers[i].good)
            fail_msg("%s", workers[i].err.text);
        for (unsigned round = 0; round < ROUNDS; round++)
            assert_true(workers[i].values[round] == 1000 * (i + round + 1));
    }
}

/* Whether this kernel and PAPI count the kernel's own events: not in every container, not under forced tables, and not
 * without libpfm4's table of the core. */
static bool kernel_counts(void) {
    struct event_check check;
    event_check("perf::PAGE-FAULTS", "", true, &check);
    return check.state == EVENT_COUNTS;
}

static void test_events_of_the_kernel_beside_others(void **state) {
    (void)state;
    static const char mixed[3][96] = {"perf::PAGE-FAULTS", "sde:::carmine::work2", "perf::TASK-CLOCK"};
    enum { PAGES = 64, PAGE_BYTES = 4096 };
    struct papi_events events;
    struct error err;
    double values[3];
    if (!kernel_counts())
        skip();
    unsigned char *pages = mmap(NULL, PAGES * PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(pages != MAP_FAILED);
    madvise(pages, PAGES * PAGE_BYTES, MADV_NOHUGEPAGE);
    if (!papi_events_open(&events, 3, mixed, &err))
        fail_msg("%s", err.text);
    assert_int_equal(events.set_count, 2);
    assert_true(papi_events_start(&events, &err));
    for (unsigned i = 0; i < PAGES; i++)
        pages[i * PAGE_BYTES] = 1;
    counters[2] += 9;
    assert_true(papi_events_stop(&events, values, &err));
    assert_true(values[0] >= PAGES && values[0] < 100 * PAGES);
    assert_true(values[1] == 9);
    assert_true(values[2] > 0);
    papi_events_close(&events);
    munmap(pages, PAGES * PAGE_BYTES);
}

/* "counts" is only printed for events that PAPI opens. */
static void test_what_counts_can_be_opened(void **state) {
    (void)state;
    static const char tried[][1][96] = {
        {"perf::PAGE-FAULTS"}, {"perf::TASK-CLOCK"}, {"perf::CYCLES"}, {"PAPI_TOT_CYC"}};
    for (size_t i = 0; i < sizeof tried / sizeof tried[0]; i++) {
        struct event_check check;
        struct papi_events events;
        struct error err;
        event_check(tried[i][0], "", true, &check);
        const bool opens = papi_events_open(&events, 1, tried[i], &err);
        if (opens)
            papi_events_close(&events);
        assert_int_equal(check.state == EVENT_COUNTS, opens);
        assert_true(opens || *check.reason);
    }
}

static void test_what_cannot_be_counted_is_told(void **state) {
    (void)state;
    static const struct {
        char names[2][96];
        size_t count;
        const char *says, *why;
    } cases[] = {
        {{"GOLD_RETIRED"}, 1, "GOLD_RETIRED: ", "not"},
        {{"perf::GOLD"}, 1, "perf::GOLD: ", "not"},
        {{"PAPI_GOLD"}, 1, "PAPI_GOLD: ", ""},
        {{"sde:::carmine::work0", "sde:::carmine::work0"}, 2, "sde:::carmine::work0 is listed twice", ""},
        {{""}, 0, "0 events at once", "1 to 32 are possible"},
        {{""}, 33, "33 events at once", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct papi_events events;
        struct error err;
        assert_false(papi_events_open(&events, cases[i].count, cases[i].names, &err));
        assert_contains(err.text, cases[i].says);
        assert_contains(err.text, cases[i].why);
        assert_int_equal(events.set_count, 0);
    }
}

/* An event of this core: counted, or the message is that there are no counters, or no permission. */
static void test_the_cores_own_events(void **state) {
    (void)state;
    static const char presets[1][96] = {"PAPI_TOT_INS"};
    struct papi_status status;
    struct event_check check;
    struct papi_events events;
    struct error err;
    papi_probe(&status);
    assert_true(status.library);
    event_check(presets[0], "", true, &check);
    if (status.counters) {
        double value;
        assert_int_equal(check.state, EVENT_COUNTS);
        assert_true(papi_events_open(&events, 1, presets, &err) && papi_events_start(&events, &err));
        assert_true(papi_events_stop(&events, &value, &err));
        assert_true(value > 0);
        papi_events_close(&events);
        return;
    }
    assert_true(*status.reason);
    assert_int_not_equal(check.state, EVENT_COUNTS);
    assert_true(*check.reason);
    assert_false(papi_events_open(&events, 1, presets, &err));
    assert_contains(err.text, "PAPI_TOT_INS: ");
}

static void test_why_the_kernel_does_not_count(void **state) {
    (void)state;
    struct event_check check;
    event_check("perf::CYCLES", "", true, &check);
    if (!perf_has_pmu("") && check.state == EVENT_NO_PMU)
        assert_contains(check.reason, "no performance counters");
    else
        assert_true(check.state == EVENT_COUNTS || *check.reason);
    event_check("uncore_gold/event=1/", "", true, &check);
    assert_int_equal(check.state, EVENT_NO_PMU);
    assert_contains(check.reason, "uncore_gold");
    event_check("uncore_gold/event=1/", "", false, &check);
    assert_int_equal(check.state, EVENT_OF_KERNEL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts_from_the_start_to_the_end),
        cmocka_unit_test(test_what_is_wrong_in_use_is_told),
        cmocka_unit_test(test_threads_count_for_themselves),
        cmocka_unit_test(test_events_of_the_kernel_beside_others),
        cmocka_unit_test(test_what_counts_can_be_opened),
        cmocka_unit_test(test_what_counts_can_be_opened),
        cmocka_unit_test(test_what_cannot_be_counted_is_told),
        cmocka_unit_test(test_the_cores_own_events),
        cmocka_unit_test(test_why_the_kernel_does_not_count),
    };
    return cmocka_run_group_tests(tests, register_counters, NULL);
}
