/* SPDX-License-Identifier: BSD-3-Clause
 * Replaces libpapi where there is no PMU (tests/cli/programs/cli_events.sh): a hybrid CPU with four counters in each
 * kind of core, of which "…pair…" takes two, and a component of the whole machine. As the real one, it claims more
 * counters than there are. Follows PAPI's rules about event sets, and logs the started ones
 * to FAKE_PAPI_LOG. An event's name ends in the number by which it rises with every reading, unless FAKE_RECORD is set
 * (fake_recorded.h). */
#include <fcntl.h>
#include <papi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fake_recorded.h"

enum { COMPONENTS = 2, COUNTERS = 4, MAX_SETS = 100, MAX_EVENTS = 32, MAX_CODES = 100 };

static PAPI_component_info_t components[COMPONENTS] = {
    {.name = "perf_event", .fast_counter_read = 1, .num_cntrs = COUNTERS + 3}, {.name = "mc"}};
static char codes[MAX_CODES][96];
static int code_count;
static bool can_multiplex;
static __thread int running[COMPONENTS]; /* sets that are not attached */

static struct set {
    bool exists, attached, multiplexed, runs;
    int component, count;
    long long readings;
    char events[MAX_EVENTS][96];
} sets[MAX_SETS];

static void write_down(const struct set *set) {
    char line[1024];
    if (!getenv("FAKE_PAPI_LOG"))
        return;
    const int log = open(getenv("FAKE_PAPI_LOG"), O_WRONLY | O_CREAT | O_APPEND, 0600);
    int length =
        snprintf(line, sizeof line, "%s%s%s%s", components[set->component].name, set->attached ? " attached" : "",
                 set->multiplexed ? " multiplexed" : "", components[set->component].fast_counter_read ? " rdpmc" : "");
    for (int i = 0; i < set->count; i++)
        length += snprintf(line + length, sizeof line - (size_t)length, " %s", set->events[i]);
    line[length++] = '\n';
    if (write(log, line, (size_t)length) != length)
        abort();
    close(log);
}

int PAPI_library_init(int version) {
    return version;
}
int PAPI_thread_init(unsigned long (*id)(void)) {
    return id ? PAPI_OK : PAPI_EINVAL;
}
int PAPI_register_thread(void) {
    return PAPI_OK;
}
int PAPI_unregister_thread(void) {
    memset(running, 0, sizeof running);
    return PAPI_OK;
}
int PAPI_multiplex_init(void) {
    can_multiplex = true;
    return PAPI_OK;
}
int PAPI_num_components(void) {
    return COMPONENTS;
}
const PAPI_component_info_t *PAPI_get_component_info(int component) {
    return component >= 0 && component < COMPONENTS ? &components[component] : NULL;
}
int PAPI_get_component_index(const char *name) {
    for (int i = 0; i < COMPONENTS; i++)
        if (strcmp(components[i].name, name) == 0)
            return i;
    return PAPI_ENOCMP;
}
char *PAPI_strerror(int error) {
    static char text[32];
    snprintf(text, sizeof text, "error %d", error);
    return text;
}

static int component_of(const char *event) {
    return strncmp(event, "mc:::", 5) == 0 ? 1 : 0;
}
int PAPI_query_event(int code) {
    return code >= 0 && code < code_count ? PAPI_OK : PAPI_ENOEVNT;
}

int PAPI_event_name_to_code(const char *event, int *code) {
    if (strncmp(event, "unknown", 7) == 0 || code_count == MAX_CODES)
        return PAPI_ENOEVNT;
    snprintf(codes[code_count], sizeof codes[0], "%s", event);
    *code = code_count++;
    return PAPI_OK;
}
int PAPI_get_event_component(int code) {
    return component_of(codes[code]);
}

int PAPI_create_eventset(int *out) {
    for (int i = 1; i < MAX_SETS; i++)
        if (!sets[i].exists) {
            sets[i] = (struct set){.exists = true, .component = -1};
            *out = i;
            return PAPI_OK;
        }
    return PAPI_ENOMEM;
}
int PAPI_assign_eventset_component(int set, int component) {
    sets[set].component = component;
    return PAPI_OK;
}
int PAPI_set_multiplex(int set) {
    sets[set].multiplexed = true;
    return can_multiplex && sets[set].component >= 0 ? PAPI_OK : PAPI_EINVAL;
}
int PAPI_attach(int set, unsigned long thread) {
    sets[set].attached = true;
    return sets[set].component >= 0 && thread == (unsigned long)gettid() ? PAPI_OK : PAPI_EINVAL;
}
static int counters_of(const char *event) {
    return strstr(event, "pair") ? 2 : 1;
}
int PAPI_add_named_event(int index, const char *event) {
    struct set *set = &sets[index];
    const char *first = set->events[0];
    int taken = counters_of(event);
    if (set->component < 0)
        set->component = component_of(event);
    for (int i = 0; i < set->count; i++)
        taken += counters_of(set->events[i]);
    if (strncmp(event, "forbidden", 9) == 0)
        return PAPI_EPERM;
    if (set->component != component_of(event) || (taken > COUNTERS && !set->multiplexed))
        return PAPI_ECNFLCT;
    if (set->count > 0 && set->component == 0 && strncmp(event, first, strcspn(first, ":")) != 0)
        return PAPI_EINVAL; /* cores of another kind */
    snprintf(set->events[set->count++], sizeof set->events[0], "%s", event);
    return PAPI_OK;
}
int PAPI_add_event(int index, int code) {
    return code >= 0 && code < code_count ? PAPI_add_named_event(index, codes[code]) : PAPI_ENOEVNT;
}
int PAPI_state(int index, int *state) {
    *state = sets[index].runs ? PAPI_RUNNING : PAPI_STOPPED;
    return PAPI_OK;
}
int PAPI_start(int index) {
    struct set *set = &sets[index];
    if (!set->attached && running[set->component])
        return PAPI_EISRUN;
    if (!set->attached)
        running[set->component] = index;
    set->runs = true;
    write_down(set);
    return PAPI_OK;
}
int PAPI_cleanup_eventset(int index) {
    sets[index].count = 0;
    return sets[index].runs ? PAPI_EISRUN : PAPI_OK;
}
int PAPI_destroy_eventset(int *index) {
    if (sets[*index].count > 0)
        return PAPI_EINVAL;
    sets[*index].exists = false;
    *index = PAPI_NULL;
    return PAPI_OK;
}
int PAPI_read(int index, long long *values) {
    struct set *set = &sets[index];
    set->readings++;
    for (int i = 0; i < set->count; i++) {
        const char *end = set->events[i] + strlen(set->events[i]);
        while (end[-1] >= '0' && end[-1] <= '9')
            end--;
        values[i] = set->readings * (getenv("FAKE_RECORD") ? recorded_rise(set->events[i]) : *end ? atoll(end) : 1);
    }
    return set->runs ? PAPI_OK : PAPI_ENOTRUN;
}
int PAPI_stop(int index, long long *values) {
    if (!sets[index].runs)
        return PAPI_ENOTRUN;
    if (values)
        PAPI_read(index, values);
    sets[index].runs = false;
    if (running[sets[index].component] == index)
        running[sets[index].component] = 0;
    return PAPI_OK;
}
