/* SPDX-License-Identifier: BSD-3-Clause
 * Roofs as LART states them: of each level the median over all sizes of a sweep that lie in it, not the best that the
 * level reaches anywhere (its article, algorithm 1). */
#include "model.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/need.h"

enum { LEAST_SIZES = 3, MAX_LEVELS = sizeof(struct levels) / sizeof(struct level) };

/* What one of the curve's threads has of a level, in bytes: its share of an instance. */
static double share_bytes(const struct result *result, const struct curve *curve, const struct level *level,
                          unsigned at) {
    const struct core_kind *kind = &result->machine.kinds[results_kind(result, curve->core_kind)];
    const unsigned cores = at < kind->cache_count ? kind->caches[at].sharing_core_count : 0;
    const unsigned sharing = cores == 0 ? 1 : cores < curve->threads ? cores : curve->threads;
    return (double)level->effective_bytes / sharing;
}

/* Of the sizes above one and up to another. False: too few. */
static bool median_of(const struct curve *curve, double above_bytes, double up_to_bytes, struct sample *out) {
    double *values = need_calloc(2 * curve->count + 1, sizeof *values), *cycles = values + curve->count;
    size_t count = 0;
    for (size_t i = 0; i < curve->count; i++) {
        const struct curve_point *point = &curve->points[i];
        if ((double)point->working_set_bytes <= above_bytes || (double)point->working_set_bytes > up_to_bytes)
            continue;
        values[count] = point->value;
        cycles[count++] = point->per_cycle;
        doubts_join(&out->doubts, point->doubts);
    }
    const struct statistics rate = sample_statistics(values, count), per_cycle = sample_statistics(cycles, count);
    out->rate = rate;
    out->rate.kept = 0; /* these are sizes, and no repetitions */
    out->value = rate.median;
    out->per_cycle = per_cycle.min > 0 ? per_cycle.median : 0;
    free(values);
    return count >= LEAST_SIZES;
}

static struct sample sample_of(const struct curve *curve, const char *level) {
    struct sample sample = {.kind = SAMPLE_BANDWIDTH, .threads = curve->threads};
    snprintf(sample.kernel, sizeof sample.kernel, "%.38s, median", curve->kernel);
    snprintf(sample.level, sizeof sample.level, "%s", level);
    snprintf(sample.core_kind, sizeof sample.core_kind, "%s", curve->core_kind);
    return sample;
}

/* The memory's sizes begin at twice the last cache, so that none is half in it. */
static size_t add_levels(const struct result *result, const struct curve *curve, struct sample *out) {
    const struct levels *levels = &result->levels[results_kind(result, curve->core_kind)];
    double inside_bytes = 0;
    size_t count = 0;
    for (unsigned l = 0; l < levels->count && curve->kind == SAMPLE_BANDWIDTH; l++) {
        const bool memory = l + 1 == levels->count;
        const double bytes = memory ? DBL_MAX : share_bytes(result, curve, &levels->level[l], l);
        out[count] = sample_of(curve, levels->level[l].name);
        count += median_of(curve, memory ? 2 * inside_bytes : inside_bytes, bytes, &out[count]);
        inside_bytes = bytes;
    }
    return count;
}

size_t model_medians(const struct result *result, struct roof **roofs, struct sample **samples) {
    const size_t most = result->curve_count * MAX_LEVELS + 1;
    size_t count = 0;
    *roofs = need_calloc(most, sizeof **roofs);
    *samples = need_calloc(most, sizeof **samples);
    for (size_t c = 0; c < result->curve_count; c++)
        count += add_levels(result, &result->curves[c], &(*samples)[count]);
    for (size_t i = 0; i < count; i++) {
        struct roof *roof = &(*roofs)[i];
        *roof = (struct roof){.sample = &(*samples)[i], .op = MODEL_MEDIAN};
        snprintf(roof->isa, sizeof roof->isa, "%.*s", (int)strcspn(roof->sample->kernel, "."), roof->sample->kernel);
    }
    return count;
}
