/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/error.h"
#include "uncore.h"

#include <stdio.h>
#include <string.h>

static const enum metric METRICS[] = {METRIC_DRAM_READ_BYTES, METRIC_DRAM_WRITE_BYTES};

/* The events of both formulas, in order; false when one is missing or of another kind. */
static bool collect_names(struct dram_traffic *dram) {
    for (size_t m = 0; m < sizeof METRICS / sizeof METRICS[0]; m++) {
        const struct event_formula *formula = &dram->events->metrics[METRICS[m]];
        for (unsigned t = 0; t < formula->term_count; t++) {
            const char *event = formula->terms[t].event;
            bool listed = false;
            for (size_t i = 0; i < dram->event_count; i++)
                listed |= strcmp(dram->names[i], event) == 0;
            if (!uncore_is(event))
                return false;
            if (!listed)
                snprintf(dram->names[dram->event_count++], sizeof dram->names[0], "%s", event);
        }
        if (formula->term_count == 0)
            return false;
    }
    return true;
}

void dram_traffic_open(struct dram_traffic *out, const struct event_set *events) {
    struct error ignored;
    *out = (struct dram_traffic){.events = events};
    out->counting =
        collect_names(out) && uncore_open(&out->uncore, out->event_count, (const char(*)[96])out->names, &ignored);
}

void dram_traffic_begin(struct dram_traffic *dram) {
    struct error ignored;
    dram->counting = dram->counting && uncore_read(&dram->uncore, dram->before, &ignored);
}

bool dram_traffic_end(struct dram_traffic *dram, double *read_bytes, double *write_bytes) {
    struct error ignored;
    double now[DRAM_TRAFFIC_EVENTS];
    if (!dram->counting || !uncore_read(&dram->uncore, now, &ignored))
        return false;
    for (size_t i = 0; i < dram->event_count; i++)
        now[i] -= dram->before[i];
    const char(*names)[96] = (const char(*)[96])dram->names;
    const struct event_formula *metrics = dram->events->metrics;
    return events_evaluate(&metrics[METRIC_DRAM_READ_BYTES], dram->event_count, names, now, read_bytes) &&
           events_evaluate(&metrics[METRIC_DRAM_WRITE_BYTES], dram->event_count, names, now, write_bytes);
}

void dram_traffic_close(struct dram_traffic *dram) {
    uncore_close(&dram->uncore);
    dram->counting = false;
}
