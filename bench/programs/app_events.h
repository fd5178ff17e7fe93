/* SPDX-License-Identifier: BSD-3-Clause
 * Metrics of a program from the cores' counters: the events of each run, and their evaluation. Pure.
 *
 * A core has few counters. Multiplexing within a run would make every value an estimate. So the runs take turns: each
 * run counts only as many events as fit. How many do, the kernel alone knows: fixed counters come beside the others,
 * AMD's flop take two counters, a sibling hyper-thread has half of them, and the NMI watchdog or another program one.
 */
#pragma once

#include "regions.h"

#include "bench/kernels/sample.h"
#include "probe/events/events.h"

enum { APP_MAX_EVENTS = 8 * EVENTS_MAX_TERMS, APP_GROUP_BYTES = REGIONS_MAX_EVENTS * 97 };
struct app_events {
    size_t event_count, group_count; /* 0: nothing is counted */
    char names[APP_MAX_EVENTS][96];  /* native, ordered by group */
    unsigned group[APP_MAX_EVENTS];
};

/* Whether these events count at the same time without taking turns, as papi_events_fit(). */
typedef bool app_events_fit(void *context, size_t count, const char (*names)[96]);

/* Groups the events of the flop, load, store, TLB and width metrics, in as few groups as it finds. A metric is in one
 * group if that takes no more of them, since its events then belong to one run. An event that does not fit alone has a
 * group of its own, where counting it tells why. */
void app_events_plan(const struct event_set *set, app_events_fit *fit, void *context, struct app_events *out);

/* The names of a group, one per line, as the collector takes them. Returns `out`. */
char *app_events_list(const struct app_events *events, size_t group, char out[APP_GROUP_BYTES]);

/* The metrics of one region; n is 0 if a metric was not counted. */
struct app_metrics {
    struct statistics flop, load_bytes, store_bytes, tlb_misses;
    bool multiplexed;
    bool no_width; /* loads and stores were counted, and have no bytes because the width of the arithmetic is unknown */
};
/* `reports[i]` and `regions[i]`: a run, and the region's index in it; -1: the run lacks it. Bytes are loads and stores
 * times the mean width of the arithmetic (events_width_bytes()). */
void app_events_evaluate(const struct event_set *set, size_t run_count, const struct regions_report *const *reports,
                         const long *regions, struct app_metrics *out);
