/* SPDX-License-Identifier: BSD-3-Clause
 * The counters that a calibration reads: PAPI's for what the core counts, the kernel's for the memory controllers. */
#include "calibrate.h"

static bool counters_open(void *context, size_t count, const char (*events)[96], struct error *err) {
    struct calibrate_counters *counters = context;
    *counters = (struct calibrate_counters){.of_memory = count > 0 && uncore_is(events[0]), .count = count};
    return counters->of_memory ? uncore_open(&counters->uncore, count, events, err)
                               : papi_events_open(&counters->papi, count, events, err);
}

static bool counters_start(void *context, const struct calibrate_work *work, struct error *err) {
    struct calibrate_counters *counters = context;
    (void)work;
    return counters->of_memory ? uncore_read(&counters->uncore, counters->before, err)
                               : papi_events_start(&counters->papi, err);
}

static bool counters_stop(void *context, double *values, struct error *err) {
    struct calibrate_counters *counters = context;
    if (!counters->of_memory)
        return papi_events_stop(&counters->papi, values, err);
    if (!uncore_read(&counters->uncore, values, err))
        return false;
    for (size_t i = 0; i < counters->count; i++)
        values[i] -= counters->before[i];
    return true;
}

static void counters_close(void *context) {
    struct calibrate_counters *counters = context;
    if (counters->of_memory)
        uncore_close(&counters->uncore);
    else
        papi_events_close(&counters->papi);
}

struct calibrate_reader calibrate_counters_reader(struct calibrate_counters *context) {
    return (struct calibrate_reader){context, counters_open, counters_start, counters_stop, counters_close};
}
