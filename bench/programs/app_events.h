/* SPDX-License-Identifier: BSD-3-Clause
 * Metrics of a program from the cores' counters: the events of each run, and their evaluation. Pure.
 *
 * A core has few counters. Multiplexing within a run would make every value an estimate. So the runs take turns: each
 * run counts only as many metrics as fit. */
#ifndef BENCH_PROGRAMS_APP_EVENTS_H
#define BENCH_PROGRAMS_APP_EVENTS_H

#include "regions.h"

#include "bench/kernels/sample.h"
#include "probe/events/events.h"

enum { APP_MAX_GROUPS = METRIC_COUNT, APP_GROUP_BYTES = REGIONS_MAX_EVENTS * 97 };
struct app_events {
    size_t group_count;                           /* 0: nothing is counted */
    char groups[APP_MAX_GROUPS][APP_GROUP_BYTES]; /* native names, one per line, as the collector takes them */
};

/* Groups the flop, load, store and TLB metrics for so many counters. A metric that needs more counters has its own
 * group. */
void app_events_plan(const struct event_set *set, unsigned counter_count, struct app_events *out);

/* The metrics of one region; n is 0 if a metric was not counted. */
struct app_metrics {
    struct statistics flop, load_bytes, store_bytes, tlb_misses;
    bool multiplexed;
};
/* `reports[i]` and `regions[i]`: a run, and the region's index in it; -1: the run lacks it. Bytes are loads and stores
 * times the mean width of the arithmetic. */
void app_events_evaluate(const struct event_set *set, size_t run_count, const struct regions_report *const *reports,
                         const long *regions, struct app_metrics *out);

#endif
