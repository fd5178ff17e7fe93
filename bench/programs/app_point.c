/* SPDX-License-Identifier: BSD-3-Clause
 * Sets an application's point, and derives values from it (see app_point.h). */
#include "app_point.h"

#include <stdio.h>

#include "bench/kernels/doubt.h"
#include "probe/text.h"

const char *const app_source_names[SOURCE_COUNT + 1] = {
    [SOURCE_UNKNOWN] = "unknown",     [SOURCE_CLOCK] = "clock",         [SOURCE_SAMPLED] = "sampled",
    [SOURCE_COUNTED] = "counted",     [SOURCE_COUNTERS] = "counters",   [SOURCE_ESTIMATED] = "estimated",
    [SOURCE_SIMULATED] = "simulated", [SOURCE_CALLGRIND] = "callgrind", [SOURCE_STATED] = "stated",
    [SOURCE_IMPORTED] = "imported",
};
const char *const app_by_names[] = {"", "program", "region", "function", "loop", "line", "thread", "phase", NULL};
const char *const app_part_names[] = {"program", "region", "function", "rank", "loop", "line", "thread", "phase", NULL};
const char *const app_state_names[] = {"unknown", "cold", "warm", NULL};

const double APP_SHORTEST_S = 20e-6;
static const double STEADY = 0.1;           /* interquartile range, relative to the median */
static const double UNKNOWN_MATTERS = 0.01; /* relative to the known bytes */
static const double STATE_BYTES = 2696;     /* x87, SSE, AVX, AVX-512 and PKRU in an XSAVE area (Intel SDM 1, 13.5) */

bool app_by_code(enum app_by by) {
    return by >= APP_BY_FUNCTION && by <= APP_BY_LINE;
}

bool app_by_counts(enum app_by by) {
    return app_by_code(by) || by == APP_BY_THREAD || by == APP_BY_PHASE;
}

struct statistics app_once(double value) {
    return (struct statistics){1, 1, value, value, value, value, value};
}

struct median_interval app_median_interval(const struct app_point *point) {
    double seconds[APP_REPETITIONS_KEPT];
    for (unsigned i = 0; i < point->repetition_count; i++)
        seconds[i] = point->repetitions[i].seconds;
    return bootstrap_median(seconds, point->repetition_count);
}

void app_point_set_time(struct app_point *point, struct statistics seconds, double passages) {
    point->seconds = seconds;
    point->seconds_source = SOURCE_CLOCK;
    if (seconds.q3 - seconds.q1 > STEADY * seconds.median) /* never true for a single run */
        doubts_add(&point->doubts, DOUBT_UNSTABLE);
    if (passages > 0 && seconds.median < APP_SHORTEST_S * passages)
        doubts_add(&point->doubts, DOUBT_TOO_SHORT);
}

void app_point_set_count(struct app_point *point, const struct count *count) {
    point->has_count = true;
    point->count = *count;
    point->flop = app_once((double)count_flop(count));
    point->load_bytes = app_once((double)count->load_bytes);
    point->store_bytes = app_once((double)count->store_bytes);
    point->flop_source = point->bytes_source = SOURCE_COUNTED;
    double known_bytes = (double)(count->load_bytes + count->store_bytes);
    if ((double)count->bytes_unknown * STATE_BYTES > UNKNOWN_MATTERS * known_bytes)
        doubts_add(&point->doubts, DOUBT_BYTES_UNKNOWN);
    doubts_add_if(&point->doubts, count->unknown_instructions > 0, DOUBT_UNKNOWN_INSTRUCTIONS);
}

static double quotient(double a, double b) {
    return b > 0 ? a / b : 0;
}

double app_flop_per_s(const struct app_point *point) {
    return quotient(point->flop.median, point->seconds.median);
}

double app_core_bytes(const struct app_point *point) {
    return point->load_bytes.median + point->store_bytes.median;
}

double app_dram_bytes(const struct app_point *point) {
    return point->dram_read_bytes.median + point->dram_write_bytes.median;
}

double app_flop_per_byte(const struct app_point *point) {
    return quotient(point->flop.median, app_core_bytes(point));
}

double app_flop_per_dram_byte(const struct app_point *point) {
    return quotient(point->flop.median, app_dram_bytes(point));
}

double app_bandwidth_bound(const struct app_point *point) {
    return quotient(app_dram_bytes(point), app_core_bytes(point));
}

void app_point_set_levels(struct app_point *point, const struct profile *profile, const struct profile_traffic *traffic,
                          const struct touched *touched, const struct profile_region *whole, double scale) {
    struct point_levels *levels = &point->levels;
    *levels = (struct point_levels){0};
    if (profile->caches.level_count == 0 || point->bytes_source == SOURCE_UNKNOWN)
        return;
    const struct levels_origin origin = {&profile->caches, profile->one_of, profile->seed,
                                         whole && whole->name[0] == '\0' ? profile->changes : NULL};
    static const struct profile_traffic NONE;
    point_levels_make(&origin, traffic ? traffic : &NONE, point->load_bytes.median, point->store_bytes.median, levels);
    point_levels_scale(levels, scale);
    if (touched) {
        levels->footprint_bytes = (double)touched->lines * HIERARCHY_LINE_BYTES * levels->one_of;
        levels->pages = (double)touched->pages;
    }
    const struct point_link *memory = &levels->link[levels->links - 1];
    point->dram_read_bytes = app_once(memory->load_bytes + memory->allocate_bytes);
    point->dram_write_bytes = app_once(memory->write_back_bytes + memory->nontemporal_bytes);
    point->dram_source = SOURCE_SIMULATED;
    point->cache_bytes = levels_kept_bytes(&profile->caches);
    doubts_add(&point->doubts, DOUBT_SIMULATED);
}

bool app_point_is_whole(const struct app_point *point) {
    return point->part == APP_PROGRAM || point->part == APP_PHASE;
}

unsigned app_point_cores(const struct app_point *point) {
    return point->cores ? point->cores : point->threads;
}

unsigned app_point_at_a_time(const struct app_point *point) {
    return point->cpus ? point->cpus : point->threads;
}

const char *app_threads_text(unsigned threads, unsigned cores, unsigned cpus, char out[APP_THREADS_BYTES]) {
    snprintf(out, APP_THREADS_BYTES, "%u thread%s", threads, threads == 1 ? "" : "s");
    const unsigned on = cpus ? cpus : cores;
    if (on)
        text_append(out, APP_THREADS_BYTES, " on %u %s%s", on, cpus ? "CPU" : "core", on == 1 ? "" : "s");
    return out;
}
