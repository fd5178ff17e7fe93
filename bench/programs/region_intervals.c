/* SPDX-License-Identifier: BSD-3-Clause
 * The time of a region in several processes (see region_intervals.h). */
#include "region_intervals.h"

#include <stdlib.h>

bool region_intervals_add(struct region_intervals *intervals, const struct region_interval *interval) {
    if (intervals->count == intervals->room) {
        const size_t room = 2 * intervals->room + 16;
        struct region_interval *more = realloc(intervals->all, room * sizeof *more);
        if (!more)
            return false;
        intervals->all = more;
        intervals->room = room;
    }
    intervals->all[intervals->count++] = *interval;
    return true;
}

void region_intervals_free(struct region_intervals *intervals) {
    free(intervals->all);
    *intervals = (struct region_intervals){0};
}

static int by_region_and_start(const void *a, const void *b) {
    const struct region_interval *x = a, *y = b;
    if (x->region != y->region)
        return x->region < y->region ? -1 : 1;
    return (x->start_ns > y->start_ns) - (x->start_ns < y->start_ns);
}

/* The time, and what the machine counted meanwhile; `sign` -1 takes it back. */
static void add_time(struct regions_report *report, const bool *of_machine, const struct region_interval *interval,
                     int sign) {
    struct region_times *region = &report->regions[interval->region];
    region->seconds += sign * interval->seconds;
    for (unsigned i = 0; i < report->event_count; i++)
        region->events[i] += of_machine[i] ? sign * interval->events[i] : 0;
}

static void add_events(struct regions_report *report, const bool *of_machine, const struct region_interval *interval) {
    for (unsigned i = 0; i < report->event_count; i++)
        report->regions[interval->region].events[i] += of_machine[i] ? 0 : interval->events[i];
}

/* Processes that overlap, one by one or in a chain, form a group: its longest stay counts, and groups follow each
 * other. */
void region_intervals_sum(struct region_intervals *intervals, const bool of_machine[REGIONS_MAX_EVENTS],
                          struct regions_report *report) {
    const struct region_interval *longest = NULL;
    uint64_t group_end_ns = 0;
    if (intervals->count > 0)
        qsort(intervals->all, intervals->count, sizeof *intervals->all, by_region_and_start);
    for (size_t i = 0; i < intervals->count; i++) {
        const struct region_interval *interval = &intervals->all[i];
        add_events(report, of_machine, interval);
        if (interval->seconds == 0) /* it never was in there */
            continue;
        if (longest && (longest->region != interval->region || interval->start_ns >= group_end_ns))
            longest = NULL;
        if (!longest || interval->end_ns > group_end_ns)
            group_end_ns = interval->end_ns;
        if (longest && interval->seconds <= longest->seconds)
            continue;
        if (longest)
            add_time(report, of_machine, longest, -1);
        add_time(report, of_machine, interval, 1);
        longest = interval;
    }
}
