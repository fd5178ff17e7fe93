/* SPDX-License-Identifier: BSD-3-Clause
 * `carmine doctor --counters`: which events make each metric, whether they can be counted here, and whether they count
 * right. */
#ifndef CARM_COUNTERS_H
#define CARM_COUNTERS_H

#include <jansson.h>

#include "bench/kernels/calibrate.h"
#include "probe/events/event_check.h"
#include "probe/events/event_tables.h"
#include "probe/events/papi.h"
#include "probe/machine.h"

struct counters_core { /* a kind of core */
    char kind[32];     /* "P"; "" where there is one */
    struct event_set set;
    struct event_check checks[METRIC_COUNT][EVENTS_MAX_TERMS];
    size_t calibration_count;
    struct calibration calibrations[CALIBRATE_MAX];
    char not_calibrated[256]; /* why calibration did not come to an end; "" */
};

struct counters {
    bool foreign;          /* of another machine: names are resolved, and nothing is tried */
    char events_file[256]; /* that replaced formulas; "" */
    struct event_tables tables;
    struct papi_status papi; /* of this machine */
    unsigned core_count;
    struct counters_core cores[MACHINE_MAX_KINDS];
};

/* Of this machine, or of the core that `pmu` or else LIBPFM_FORCE_PMU names. Counts for some seconds where there are
 * counters. To be called before anything that uses PAPI. NULL, with the error: no core of that name, a bad file, no
 * core to run on. */
struct counters *counters_examine(const struct machine *machine, const char *pmu, const char *events_file,
                                  struct error *err);

/* No event is missing from its core's tables, and no metric is far from what it should be. */
bool counters_good(const struct counters *counters);

void counters_print(const struct counters *counters);
json_t *counters_json(const struct counters *counters);

#endif
