/* SPDX-License-Identifier: BSD-3-Clause
 * The figures of a memory system by which results are compared (see memory_model.h). */
#include "memory_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm/kernel.h"
#include "carm/store/results.h"
#include "probe/need.h"

struct figures {
    size_t count;
    struct sample *samples;
};

static bool is_same(const struct sample *a, const struct sample *b) {
    return strcmp(a->kernel, b->kernel) == 0 && strcmp(a->level, b->level) == 0 && sample_same_place(a, b);
}

/* Adds `sample` with this number, if it is known, and the first of its name. */
static void add(struct figures *to, struct sample sample, struct memory_number number) {
    if (!(number.value > 0))
        return;
    for (size_t i = 0; i < to->count; i++)
        if (is_same(&to->samples[i], &sample))
            return;
    sample.value = number.value;
    sample.low = number.low;
    sample.high = number.high;
    to->samples = need_realloc(to->samples, (to->count + 1) * sizeof *to->samples);
    to->samples[to->count++] = sample;
}

static struct sample sample_of(const struct memory_series *series, enum sample_kind kind) {
    struct sample sample = {.kind = kind,
                            .threads = series->part == MEMORY_LOADED ? series->threads + 1 : 1,
                            .node = series->node,
                            .memory_node = series->memory_node,
                            .page_bytes = series->page_bytes,
                            .small_pages = memory_has_small_pages(series)};
    snprintf(sample.level, sizeof sample.level, "%s", series->level);
    return sample;
}

/* Of the points on both sides of a bandwidth. */
static struct doubts doubts_near(const struct memory_series *series, double bytes_per_s) {
    const struct memory_point *below = NULL, *above = NULL;
    for (const struct memory_point *point = series->points; point < series->points + series->count; point++) {
        const double own = point->bytes_per_s.value;
        if (own > 0 && own <= bytes_per_s && (!below || own > below->bytes_per_s.value))
            below = point;
        if (own >= bytes_per_s && (!above || own < above->bytes_per_s.value))
            above = point;
    }
    return doubts_union(below ? below->doubts : NO_DOUBTS, above ? above->doubts : NO_DOUBTS);
}

static void add_loaded(struct figures *to, const struct result *result, const struct memory_series *series) {
    struct loaded_curve curve;
    struct sample latency = sample_of(series, SAMPLE_LATENCY), usable = sample_of(series, SAMPLE_BANDWIDTH);
    const char *op = kernel_operation(series->kernel);
    if (!memory_loaded(result, series, &curve))
        return;
    snprintf(latency.kernel, sizeof latency.kernel, "loaded.%.24s.0", op);
    latency.doubts = series->points[0].doubts; /* idle, if it is known */
    add(to, latency, curve.idle_s);
    for (int i = 0; i < LOADED_SHARES; i++) {
        snprintf(latency.kernel, sizeof latency.kernel, "loaded.%.24s.%.0f", op, 100 * loaded_shares[i]);
        latency.doubts = doubts_near(series, loaded_shares[i] * curve.roof_bytes_per_s);
        add(to, latency, memory_latency_within(series, loaded_shares[i] * curve.roof_bytes_per_s));
    }
    snprintf(usable.kernel, sizeof usable.kernel, "usable.%.24s", op);
    usable.doubts = doubts_near(series, curve.usable_bytes_per_s);
    add(to, usable,
        (struct memory_number){curve.usable_bytes_per_s, curve.usable_low_bytes_per_s, curve.usable_high_bytes_per_s});
}

static void add_parallel(struct figures *to, const struct result *result, const struct memory_series *series) {
    struct parallel_curve curve;
    struct sample sample = sample_of(series, SAMPLE_BANDWIDTH);
    snprintf(sample.kernel, sizeof sample.kernel, "chases");
    if (!memory_parallel(series, machine_line_bytes(&result->machine), &curve))
        return;
    sample.doubts = doubts_near(series, curve.bytes_per_s.value);
    add(to, sample, curve.bytes_per_s);
}

static void add_walk(struct figures *to, const struct result *result, const struct memory_series *series) {
    static const char *const UNITS[] = {"B", "KiB", "MiB", "GiB"};
    struct memory_reach reach;
    struct sample sample = sample_of(series, SAMPLE_LATENCY);
    uint64_t size = series->page_bytes;
    unsigned unit = 0;
    for (; size >= 1024 && unit < 3; unit++)
        size /= 1024;
    snprintf(sample.kernel, sizeof sample.kernel, "walk.%u%s", (unsigned)size, UNITS[unit]);
    if (!memory_is_paged(series) || !memory_reach(series, memory_same_lines(result, series), &reach))
        return;
    const double pages = reach.reach_pages[reach.level_count - 1]; /* walks begin behind it */
    for (size_t i = 0; i < series->count; i++)
        if (series->points[i].setting > pages && series->points[i].setting <= 4 * pages)
            doubts_join(&sample.doubts, series->points[i].doubts);
    add(to, sample,
        (struct memory_number){reach.walk_s, reach.walk_s - reach.walk_within_s, reach.walk_s + reach.walk_within_s});
}

/* Of clusters that share the same part, the fastest. */
static void add_clusters(struct figures *to, const struct result *result) {
    struct memory_cluster *clusters = need_calloc(MEMORY_MOST_CLUSTERS, sizeof *clusters);
    const size_t count = memory_clusters(&result->memory, clusters);
    struct sample sample = {.kind = SAMPLE_LATENCY, .threads = result->machine.core_count};
    for (size_t i = 0; i < count; i++) {
        sample.doubts = clusters[i].doubts;
        snprintf(sample.level, sizeof sample.level, "%s", clusters[i].shares);
        snprintf(sample.kernel, sizeof sample.kernel, "swap");
        add(to, sample, clusters[i].median_swap_s);
        snprintf(sample.kernel, sizeof sample.kernel, "store");
        add(to, sample, clusters[i].median_store_s);
    }
    free(clusters);
}

size_t memory_figures(const struct result *result, struct sample **out) {
    static void (*const ADD[MEMORY_PARTS])(struct figures *, const struct result *, const struct memory_series *) = {
        [MEMORY_LOADED] = add_loaded, [MEMORY_PARALLEL] = add_parallel, [MEMORY_PAGES] = add_walk};
    struct figures figures = {0};
    for (int part = 0; part < MEMORY_PARTS; part++)
        for (size_t i = 0; i < result->memory.series_count && ADD[part]; i++)
            if (result->memory.series[i].part == (enum memory_part)part)
                ADD[part](&figures, result, &result->memory.series[i]);
    add_clusters(&figures, result);
    *out = figures.samples;
    return figures.count;
}
