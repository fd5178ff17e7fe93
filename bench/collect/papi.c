/* SPDX-License-Identifier: BSD-3-Clause
 * Event sets of one thread, or of the machine: PAPI's, and one for the memory controllers' counters, which the
 * kernel provides (probe/events/uncore.h). PAPI runs only one set of a component on a thread, so on a core with
 * several PMUs (hybrid CPUs) the further sets are attached to the thread from outside. */
#include "papi.h"

#include <errno.h>
#include <papi.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "probe/error.h"
#include "probe/events/perf.h"
#include "probe/events/uncore.h"

typedef char event_name[96];

enum { UNCORE = -1000 }; /* stands for a component, and for its set */

struct event_group { /* the events of one set */
    int component;
    char pmu[32];    /* "adl_glc" of "adl_glc::…" */
    bool of_machine; /* the events belong to no thread */
    bool multiplexed;
    unsigned first, count;
};
static struct event_group groups[MAX_SETS];
static unsigned group_count, event_count;
static event_name events[REGIONS_MAX_EVENTS]; /* ordered by group */
static struct uncore uncore;
static char failure[256];
static atomic_bool has_failed, is_told; /* someone writes `failure`; it is written */

unsigned papi_event_count(void) {
    return event_count;
}
const char *papi_event(unsigned event, bool *of_machine) {
    for (unsigned g = 0; g < group_count; g++)
        if (event >= groups[g].first && event < groups[g].first + groups[g].count)
            *of_machine = groups[g].of_machine;
    return events[event];
}
bool papi_multiplexed(void) {
    for (unsigned g = 0; g < group_count; g++)
        if (groups[g].multiplexed)
            return true;
    return false;
}
const char *papi_failure(void) {
    return atomic_load_explicit(&is_told, memory_order_acquire) ? failure : "";
}

/* Only the first failure is reported. */
void papi_fail(const char *format, ...) {
    va_list arguments;
    if (atomic_exchange_explicit(&has_failed, true, memory_order_relaxed))
        return;
    va_start(arguments, format);
    vsnprintf(failure, sizeof failure, format, arguments);
    va_end(arguments);
    atomic_store_explicit(&is_told, true, memory_order_release);
}

static int component_of(const char *event) {
    char name[32] = "perf_event";
    const char *colons = strstr(event, ":::");
    if (colons)
        snprintf(name, sizeof name, "%.*s", (int)(colons - event), event);
    return PAPI_get_component_index(name);
}

static void fail_event(const char *event, int status) {
    const PAPI_component_info_t *info = PAPI_get_component_info(component_of(event));
    char why[192];
    if (info && info->disabled && *info->disabled_reason)
        papi_fail("%s: PAPI's component %s is disabled: %.120s", event, info->name, info->disabled_reason);
    else if (status == PAPI_EPERM)
        papi_fail("%s: %s", event, perf_refusal(EACCES, false, why, sizeof why));
    else if (status == PAPI_ENOEVNT)
        papi_fail("%s: %s; `carmine doctor --counters` shows more", event,
                  perf_refusal(ENOENT, false, why, sizeof why));
    else if (status == PAPI_ECOUNT)
        papi_fail("%s: no descriptor is left for it; raise the limit: ulimit -n", event);
    else
        papi_fail("%s: %s", event, PAPI_strerror(status));
}

static void close_set(int set) {
    long long ignored[REGIONS_MAX_EVENTS];
    if (set == UNCORE) {
        uncore_close(&uncore);
        return;
    }
    PAPI_stop(set, ignored);
    PAPI_cleanup_eventset(set);
    PAPI_destroy_eventset(&set);
}

/* A set that counts the calling thread from now on. `beside`: the thread already has a set of this component. */
static int open_set(const struct event_group *group, bool beside, int *set) {
    struct error err;
    if (group->component == UNCORE) {
        *set = UNCORE;
        if (!uncore_open(&uncore, group->count, (const event_name *)&events[group->first], &err))
            papi_fail("%s", err.text);
        return uncore.counter_count > 0 ? PAPI_OK : PAPI_ENOSUPP;
    }
    *set = PAPI_NULL;
    int status = PAPI_create_eventset(set);
    if (status == PAPI_OK)
        status = PAPI_assign_eventset_component(*set, group->component);
    if (status == PAPI_OK && group->multiplexed)
        status = PAPI_set_multiplex(*set);
    if (status == PAPI_OK && beside)
        status = PAPI_attach(*set, (unsigned long)gettid());
    for (unsigned i = 0; i < group->count && status == PAPI_OK; i++)
        status = PAPI_add_named_event(*set, events[group->first + i]);
    if (status == PAPI_OK)
        status = PAPI_start(*set);
    if (status != PAPI_OK && *set != PAPI_NULL)
        close_set(*set);
    return status;
}

void papi_open(struct papi_sets *counters, bool of_machine) {
    counters->set_count = 0;
    for (unsigned g = 0; g < group_count; g++) {
        bool beside = false;
        for (unsigned before = 0; before < g; before++)
            beside |= groups[before].component == groups[g].component;
        int set, status = PAPI_OK;
        if (groups[g].of_machine != of_machine)
            continue;
        if ((status = open_set(&groups[g], beside, &set)) != PAPI_OK) {
            fail_event(events[groups[g].first], status);
            continue;
        }
        counters->sets[counters->set_count] = set;
        counters->first[counters->set_count++] = groups[g].first;
    }
}

void papi_close(struct papi_sets *counters) {
    for (unsigned i = 0; i < counters->set_count; i++)
        close_set(counters->sets[i]);
    if (counters->set_count > 0)
        PAPI_unregister_thread();
    counters->set_count = 0;
}

static void read_uncore(long long *values) {
    double counts[REGIONS_MAX_EVENTS];
    struct error err;
    if (!uncore_read(&uncore, counts, &err))
        papi_fail("%s", err.text);
    for (size_t i = 0; i < uncore.event_count; i++)
        values[i] = (long long)counts[i];
}

void papi_read(const struct papi_sets *counters, long long values[REGIONS_MAX_EVENTS]) {
    for (unsigned i = 0; i < counters->set_count; i++) {
        if (counters->sets[i] == UNCORE) {
            read_uncore(values + counters->first[i]);
            continue;
        }
        const int status = PAPI_read(counters->sets[i], values + counters->first[i]);
        if (status != PAPI_OK)
            papi_fail("reading the counters fails: %s", PAPI_strerror(status));
    }
}

/* The parent's sets are left alone: stopping them here would stop them in the parent. Unless the thread is
 * registered anew, PAPI assumes that they run on this one. */
void papi_after_fork(void) {
    uncore_close(&uncore);
    PAPI_unregister_thread();
    PAPI_register_thread();
}

static unsigned long thread_id(void) {
    return (unsigned long)pthread_self();
}

/* PAPI prefers rdpmc, which reads only the current CPU's counters. Other threads read these sets too, so they are
 * read through the kernel. */
static void read_through_kernel(void) {
    for (int i = 0; i < PAPI_num_components(); i++) {
        const PAPI_component_info_t *info = PAPI_get_component_info(i);
        if (info)
            ((PAPI_component_info_t *)info)->fast_counter_read = 0;
    }
}

static bool same_group(const struct event_group *a, const struct event_group *b) {
    return a->component == b->component && strcmp(a->pmu, b->pmu) == 0;
}

/* The group of the event whose name is at `first`, with only this event. */
static bool find_group(unsigned first, struct event_group *out) {
    const char *event = events[first], *colons = strstr(event, "::");
    int code;
    *out = (struct event_group){.component = UNCORE, .of_machine = true, .first = first, .count = 1};
    if (uncore_is(event))
        return true;
    if (PAPI_event_name_to_code(event, &code) != PAPI_OK)
        return false;
    out->component = PAPI_get_event_component(code);
    const PAPI_component_info_t *info = PAPI_get_component_info(out->component);
    out->of_machine = !info || strcmp(info->name, "perf_event") != 0;
    if (!out->of_machine && colons)
        snprintf(out->pmu, sizeof out->pmu, "%.*s", (int)(colons - event), event);
    return true;
}

/* Whether the event can be counted alone. */
static bool try_event(const char *event, unsigned first, struct event_group *out) {
    int set, status = PAPI_ENOEVNT;
    snprintf(events[first], sizeof events[first], "%s", event);
    if (find_group(first, out))
        status = open_set(out, false, &set);
    if (status == PAPI_OK)
        close_set(set);
    else
        fail_event(event, status);
    return status == PAPI_OK;
}

/* Stores the countable events in `events`, each with its group. */
static void try_events(const char *list, struct event_group group_of[REGIONS_MAX_EVENTS]) {
    while (*list) {
        event_name event;
        const size_t length = strcspn(list, "\n");
        snprintf(event, sizeof event, "%.*s", (int)length, list);
        list += length + (list[length] == '\n');
        if (*event && event_count == REGIONS_MAX_EVENTS)
            papi_fail("more than %d events at once", REGIONS_MAX_EVENTS);
        else if (*event && try_event(event, event_count, &group_of[event_count]))
            event_count++;
    }
}

/* Sorts the events by group; groups are in the order of their first events. */
static void form_groups(const struct event_group group_of[REGIONS_MAX_EVENTS]) {
    event_name tried[REGIONS_MAX_EVENTS];
    memcpy(tried, events, sizeof tried);
    unsigned placed = 0;
    for (unsigned i = 0; i < event_count; i++) {
        unsigned g = 0;
        while (g < group_count && !same_group(&groups[g], &group_of[i]))
            g++;
        if (g < group_count)
            continue;
        if (group_count == MAX_SETS) {
            papi_fail("%s: too many kinds of events at once", tried[i]);
            break;
        }
        groups[g] = group_of[i];
        groups[g].first = placed;
        for (unsigned j = i; j < event_count; j++)
            if (same_group(&groups[g], &group_of[j]))
                memcpy(events[placed++], tried[j], sizeof events[0]);
        groups[g].count = placed - groups[g].first;
        group_count++;
    }
    event_count = placed;
}

/* Events that can be counted alone, but not all together, take turns. */
static void fit_groups(void) {
    for (unsigned g = 0; g < group_count; g++) {
        int set;
        groups[g].multiplexed = open_set(&groups[g], false, &set) != PAPI_OK;
        if (!groups[g].multiplexed)
            close_set(set);
        else if (PAPI_multiplex_init() != PAPI_OK)
            papi_fail("%s: too many events for the counters, and they cannot take turns", events[groups[g].first]);
    }
}

bool papi_prepare(const char *list) {
    const int expected = (int)PAPI_VER_CURRENT, version = PAPI_library_init(expected);
    if (version != expected) {
        papi_fail("PAPI does not initialise: %s",
                  version < 0 ? PAPI_strerror(version) : "another version than expected");
        return false;
    }
    PAPI_thread_init(thread_id);
    read_through_kernel();
    struct event_group group_of[REGIONS_MAX_EVENTS];
    try_events(list, group_of);
    form_groups(group_of);
    fit_groups();
    return event_count > 0;
}
