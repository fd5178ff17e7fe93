/* SPDX-License-Identifier: BSD-3-Clause
 * Values for charts (see chart_values.h). */
#include "chart_values.h"

#include <math.h>
#include <stdio.h>

#include "carm/model/applicable_roofs.h"
#include "carm/model/verdict.h"

bool chart_is_dram(enum chart_bytes bytes) {
    return bytes >= BYTES_DRAM;
}

static struct statistics sum(struct statistics a, struct statistics b) {
    return (struct statistics){.n = a.n > b.n ? a.n : b.n,
                               .min = a.min + b.min,
                               .q1 = a.q1 + b.q1,
                               .median = a.median + b.median,
                               .q3 = a.q3 + b.q3,
                               .max = a.max + b.max};
}

struct statistics chart_quotient(struct statistics a, struct statistics b) {
    if (a.n == 0 || b.n == 0 || !(b.min > 0))
        return (struct statistics){0};
    return (struct statistics){.n = a.n > b.n ? a.n : b.n,
                               .min = a.min / b.max,
                               .q1 = a.q1 / b.q3,
                               .median = a.median / b.median,
                               .q3 = a.q3 / b.q1,
                               .max = a.max / b.min};
}

struct statistics chart_scaled(struct statistics s, double factor) {
    s.min *= factor, s.q1 *= factor, s.median *= factor, s.q3 *= factor, s.max *= factor;
    return s;
}

struct app_point chart_point(const struct app_point *point, const struct chart_options *options) {
    struct app_point out = *point;
    if (options->pseudo_flop && point->pseudo_flop > 0)
        out.flop = app_once(point->pseudo_flop);
    return out;
}

struct statistics chart_point_bytes(const struct app_point *point, enum chart_bytes bytes) {
    const struct statistics *load = &point->load_bytes, *store = &point->store_bytes;
    bool dram = chart_is_dram(bytes),
         as_one =
             (point->bytes_source == SOURCE_STATED || point->bytes_source == SOURCE_IMPORTED) && store->median == 0;
    if ((dram ? point->dram_source : point->bytes_source) == SOURCE_UNKNOWN)
        return (struct statistics){0};
    switch (bytes) {
    case BYTES_CORE:
        return sum(*load, *store);
    case BYTES_LOADED: /* bytes that were stated as one number are not known to be loaded */
        return as_one ? (struct statistics){0} : *load;
    case BYTES_STORED:
        return as_one ? (struct statistics){0} : *store;
    case BYTES_DRAM:
        return sum(point->dram_read_bytes, point->dram_write_bytes);
    case BYTES_DRAM_READ:
        return point->dram_read_bytes;
    case BYTES_DRAM_WRITTEN:
        return point->dram_write_bytes;
    }
    return (struct statistics){0};
}

double chart_roof_share(const struct roof *roof, enum chart_bytes bytes) {
    struct pattern_share share = pattern_share(roof);
    if (bytes != BYTES_DRAM && share.load + share.store == 0) /* traffic as one number: of no one kind */
        return 0;
    switch (bytes) {
    case BYTES_CORE:
        return share.load + share.store;
    case BYTES_LOADED:
        return share.load;
    case BYTES_STORED:
        return share.store;
    case BYTES_DRAM:
        return share.read + share.written;
    case BYTES_DRAM_READ:
        return share.read;
    case BYTES_DRAM_WRITTEN:
        return share.written;
    }
    return 0;
}

unsigned chart_cores(const struct sample *sample) {
    return sample->cores ? sample->cores : sample->threads;
}

double chart_rate(const struct sample *sample, bool per_cycle) {
    return !per_cycle                       ? sample->value
           : sample->kind == SAMPLE_LATENCY ? sample->per_cycle
                                            : sample->per_cycle * chart_cores(sample);
}

bool chart_cycle_axis(const struct sample *const *samples, size_t count, const char *unit, struct cycle_axis *out) {
    const double one_clock = 1.01;
    double low = INFINITY, high = 0;
    for (size_t i = 0; i < count; i++) {
        low = fmin(low, samples[i]->clock_hz);
        high = fmax(high, samples[i]->clock_hz);
        if (chart_cores(samples[i]) != chart_cores(samples[0]))
            return false;
    }
    if (!(low > 0) || !(high > 0) || high > one_clock * low || chart_cores(samples[0]) == 0)
        return false;
    const double clock_hz = (low + high) / 2;
    out->per_rate = 1 / (clock_hz * chart_cores(samples[0]));
    snprintf(out->title, sizeof out->title, "%s%s at %.2f GHz", unit,
             chart_cores(samples[0]) == 1 ? "/cycle" : " per cycle and core", clock_hz / 1e9);
    return true;
}

double chart_clock_hz(const struct model *model, const struct app_point *point) {
    struct applicable_roofs applicable;
    const struct verdict verdict = verdict_find(model, point);
    if (point->clock_hz > 0)
        return point->clock_hz;
    if (verdict.known)
        return (verdict.bandwidth ? verdict.bandwidth : verdict.ceiling)->sample->clock_hz;
    return applicable_make(model, point, &applicable) ? applicable_peak(&applicable)->sample->clock_hz : 0;
}
