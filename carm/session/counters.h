/* SPDX-License-Identifier: BSD-3-Clause
 * `carmine doctor --counters`: the events of each metric, whether they can be counted here, and whether the counts are
 * right. */
#pragma once

#include <jansson.h>

#include "bench/kernels/calibrate.h"
#include "probe/events/event_tables.h"
#include "probe/events/papi.h"
#include "probe/machine_limits.h"

struct counters_core { /* a kind of core */
    char kind[32];     /* "P"; "": the only kind */
    struct event_set set;
    struct event_check checks[METRIC_COUNT][EVENTS_MAX_TERMS];
    size_t calibration_count;
    struct calibration calibrations[CALIBRATE_MAX];
    char not_calibrated[256]; /* why calibration failed; "": it did not */
};

struct counters {
    bool foreign;          /* of another machine: names are checked, nothing is counted */
    char events_file[256]; /* of replaced formulas; "" */
    struct event_tables tables;
    struct papi_status papi; /* of this machine */
    unsigned at_once;        /* how many of the first core's events fit together, the first ones first */
    unsigned core_count;
    struct counters_core cores[MACHINE_MAX_KINDS];
};

/* Examines this machine, or the core named by `pmu` or LIBPFM_FORCE_PMU. Counts for some seconds if there are counters.
 * Call before anything that uses PAPI. NULL, with the error: an unknown core, a bad file, or no core to run on. */
struct counters *counters_examine(const struct machine *machine, const char *pmu, const char *events_file,
                                  struct error *err);

/* All events are in their core's tables, and all metrics are near their true values. */
bool counters_good(const struct counters *counters);

void counters_print(const struct counters *counters);
json_t *counters_json(const struct counters *counters);

/* Prints CSV, a row for each event of each metric. */
void counters_csv(const struct counters *counters, FILE *out);
