/* SPDX-License-Identifier: BSD-3-Clause
 * More events than counters, on a made-up PAPI: a core with two counters, whose events may take turns, and a component
 * ("other:") with two counters that refuses turns. Event n counts n when it is stopped, and half of it if it took
 * turns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <papi.h>

#include "probe/events/papi.h"
#include "tests/support/fixtures.h"

enum { COUNTERS = 2, MAX_SETS = 8, CORES = 0, OTHER = 1 };
static struct fake_set {
    bool open, multiplex, running;
    int component;
    unsigned count;
    int codes[PAPI_MAX_EVENTS];
} sets[MAX_SETS];
static bool turns_refused;

int PAPI_library_init(int version) {
    return version;
}
int PAPI_thread_init(unsigned long (*id)(void)) {
    return id ? PAPI_OK : PAPI_EINVAL;
}
int PAPI_multiplex_init(void) {
    return PAPI_OK;
}
int PAPI_register_thread(void) {
    return PAPI_OK;
}
int PAPI_create_eventset(int *set) {
    for (*set = 0; sets[*set].open; ++*set)
        ;
    sets[*set] = (struct fake_set){.open = true};
    return PAPI_OK;
}
int PAPI_assign_eventset_component(int set, int component) {
    sets[set].component = component;
    return PAPI_OK;
}
int PAPI_set_multiplex(int set) {
    sets[set].multiplex = true;
    return turns_refused || sets[set].component == OTHER ? PAPI_ENOSUPP : PAPI_OK;
}
int PAPI_cleanup_eventset(int set) {
    sets[set].count = 0;
    return PAPI_OK;
}
int PAPI_destroy_eventset(int *set) {
    sets[*set].open = false;
    *set = PAPI_NULL;
    return PAPI_OK;
}
int PAPI_event_name_to_code(const char *name, int *code) {
    *code = atoi(name + strcspn(name, "0123456789")) | (strncmp(name, "other:", 6) == 0 ? 1 << 16 : 0);
    return PAPI_OK;
}
int PAPI_get_event_component(int code) {
    return code >> 16 ? OTHER : CORES;
}
int PAPI_add_event(int set, int code) {
    if (sets[set].count >= COUNTERS && !sets[set].multiplex)
        return PAPI_ECNFLCT;
    sets[set].codes[sets[set].count++] = code;
    return PAPI_OK;
}
int PAPI_add_named_event(int set, const char *name) {
    int code;
    PAPI_event_name_to_code(name, &code);
    return PAPI_add_event(set, code);
}
int PAPI_start(int set) {
    sets[set].running = true;
    return PAPI_OK;
}
int PAPI_stop(int set, long long *values) {
    for (unsigned i = 0; i < sets[set].count && values; i++)
        values[i] = (sets[set].codes[i] & 0xffff) / (sets[set].multiplex ? 2 : 1);
    sets[set].running = false;
    return PAPI_OK;
}
int PAPI_state(int set, int *state) {
    *state = sets[set].running ? PAPI_RUNNING : PAPI_STOPPED;
    return PAPI_OK;
}

static void assert_nothing_is_open(void) {
    for (unsigned i = 0; i < MAX_SETS; i++)
        assert_false(sets[i].open || sets[i].running);
}

static void test_what_fits_does_not_take_turns(void **state) {
    (void)state;
    static const char names[3][96] = {"core20", "other:4", "core10"};
    struct papi_events events;
    struct error err;
    double values[3];
    assert_true(papi_events_open(&events, 3, names, &err) && papi_events_start(&events, &err));
    assert_false(events.multiplexed);
    assert_true(papi_events_stop(&events, values, &err));
    assert_true(values[0] == 20 && values[1] == 4 && values[2] == 10);
    papi_events_close(&events);
    assert_nothing_is_open();
}

static void test_what_does_not_fit_takes_turns_and_says_so(void **state) {
    (void)state;
    static const char names[5][96] = {"core20", "other:4", "core10", "core30", "core40"};
    struct papi_events events;
    struct error err;
    double values[5];
    assert_true(papi_events_open(&events, 5, names, &err) && papi_events_start(&events, &err));
    assert_true(events.multiplexed);
    assert_true(papi_events_stop(&events, values, &err));
    assert_true(values[0] == 10 && values[1] == 4 && values[2] == 5 && values[3] == 15 && values[4] == 20);
    papi_events_close(&events);
    assert_nothing_is_open();
}

static void test_what_cannot_take_turns_is_refused(void **state) {
    (void)state;
    static const char others[3][96] = {"other:1", "other:2", "other:3"}, cores[3][96] = {"core1", "core2", "core3"};
    struct papi_events events;
    struct error err;
    assert_false(papi_events_open(&events, 3, others, &err));
    assert_contains(err.text, "other:3: more events than there are counters");
    assert_nothing_is_open();
    turns_refused = true;
    assert_false(papi_events_open(&events, 3, cores, &err));
    assert_contains(err.text, "core3: more events than there are counters");
    turns_refused = false;
    assert_nothing_is_open();
}

static void test_closing_stops(void **state) {
    (void)state;
    static const char names[1][96] = {"core1"};
    struct papi_events events;
    struct error err;
    assert_true(papi_events_open(&events, 1, names, &err) && papi_events_start(&events, &err));
    papi_events_close(&events);
    assert_nothing_is_open();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_fits_does_not_take_turns),
        cmocka_unit_test(test_what_does_not_fit_takes_turns_and_says_so),
        cmocka_unit_test(test_what_cannot_take_turns_is_refused),
        cmocka_unit_test(test_closing_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
