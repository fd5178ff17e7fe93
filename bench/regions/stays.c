/* SPDX-License-Identifier: BSD-3-Clause
 * The time of a region in several processes (see stays.h). */
#include "stays.h"

#include <stdlib.h>

bool stays_add(struct stays *stays, const struct stay *stay) {
    if (stays->count == stays->room) {
        const size_t room = 2 * stays->room + 16;
        struct stay *more = realloc(stays->all, room * sizeof *more);
        if (!more)
            return false;
        stays->all = more;
        stays->room = room;
    }
    stays->all[stays->count++] = *stay;
    return true;
}

void stays_free(struct stays *stays) {
    free(stays->all);
    *stays = (struct stays){0};
}

static int by_region_and_start(const void *a, const void *b) {
    const struct stay *x = a, *y = b;
    if (x->region != y->region)
        return x->region < y->region ? -1 : 1;
    return (x->start_ns > y->start_ns) - (x->start_ns < y->start_ns);
}

/* The time, and what the machine counted meanwhile; `sign` -1 takes it back. */
static void add_time(struct regions_report *report, const bool *of_machine, const struct stay *stay, int sign) {
    struct region_times *region = &report->regions[stay->region];
    region->seconds += sign * stay->seconds;
    for (unsigned i = 0; i < report->event_count; i++)
        region->events[i] += of_machine[i] ? sign * stay->events[i] : 0;
}

static void add_events(struct regions_report *report, const bool *of_machine, const struct stay *stay) {
    for (unsigned i = 0; i < report->event_count; i++)
        report->regions[stay->region].events[i] += of_machine[i] ? 0 : stay->events[i];
}

/* Processes that overlap, one by one or in a chain, form a group: its longest stay counts, and groups follow each
 * other. */
void stays_sum(struct stays *stays, const bool of_machine[REGIONS_MOST_EVENTS], struct regions_report *report) {
    const struct stay *longest = NULL;
    uint64_t group_end_ns = 0;
    if (stays->count > 0)
        qsort(stays->all, stays->count, sizeof *stays->all, by_region_and_start);
    for (size_t i = 0; i < stays->count; i++) {
        const struct stay *stay = &stays->all[i];
        add_events(report, of_machine, stay);
        if (stay->seconds == 0) /* it never was in there */
            continue;
        if (longest && (longest->region != stay->region || stay->start_ns >= group_end_ns))
            longest = NULL;
        if (!longest || stay->end_ns > group_end_ns)
            group_end_ns = stay->end_ns;
        if (longest && stay->seconds <= longest->seconds)
            continue;
        if (longest)
            add_time(report, of_machine, longest, -1);
        add_time(report, of_machine, stay, 1);
        longest = stay;
    }
}
