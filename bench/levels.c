/* SPDX-License-Identifier: BSD-3-Clause
 * Where each level really is (see levels.h). */
#include "levels.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "doubt.h"

const double LEVELS_AGREE_FACTOR = 1.5;
/* A plateau and the memory beyond it that differ by less show no step to find. */
static const double STEP_AT_LEAST = 1.15;
static const uint64_t L1_SMALLEST_BYTES = 8192; /* smaller sets are mostly loop control */
static const uint64_t LINE_BYTES = 64;

struct levels levels_detected(const struct core_kind *kind, const char *memory_kind) {
    struct levels levels = {0};
    for (unsigned i = 0; i < kind->cache_count; i++) {
        struct level *level = &levels.level[levels.count++];
        snprintf(level->name, sizeof level->name, "L%u", kind->caches[i].level % 10);
        level->detected_bytes = level->effective_bytes = kind->caches[i].size_bytes;
    }
    snprintf(levels.level[levels.count++].name, sizeof levels.level[0].name, "%s", memory_kind);
    return levels;
}

int levels_find(const struct levels *levels, const char *name) {
    for (unsigned i = 0; i < levels->count; i++)
        if (strcmp(levels->level[i].name, name) == 0)
            return (int)i;
    return -1;
}

/* The plateau is the upper median of the points that surely lie beyond the inner cache but early in this one. */
static double plateau(const struct sweep_point *points, size_t count, uint64_t from_bytes, uint64_t to_bytes) {
    double best = 0, second = 0;
    for (size_t i = 0; i < count; i++) {
        if (points[i].bytes < from_bytes || points[i].bytes > to_bytes)
            continue;
        double rate = points[i].bytes_per_s;
        if (rate > best) {
            second = best;
            best = rate;
        } else if (rate > second) {
            second = rate;
        }
    }
    return second > 0 ? second : best; /* one outlier does not make a plateau */
}

/* The median of the last three: a disturbed last point must not shift the step. */
static double beyond_caches(const struct sweep_point *points, size_t count) {
    double a = points[count - 3].bytes_per_s, b = points[count - 2].bytes_per_s, c = points[count - 1].bytes_per_s;
    return fmax(fmin(a, b), fmin(fmax(a, b), c));
}

void levels_judge(struct levels *levels, const struct sweep_point *points, size_t count) {
    if (levels->count < 3 || count < 4)
        return;
    struct level *last = &levels->level[levels->count - 2];
    const struct level *inner = last - 1;
    double memory_rate = beyond_caches(points, count);
    double cache_rate = plateau(points, count, 2 * inner->effective_bytes, 12 * inner->effective_bytes);
    if (cache_rate < STEP_AT_LEAST * memory_rate)
        return;
    double halfway = sqrt(cache_rate * memory_rate);
    uint64_t end_bytes = 0, beyond_bytes = points[count - 1].bytes;
    for (size_t i = 0; i < count; i++) {
        if (points[i].bytes < 2 * inner->effective_bytes)
            continue;
        bool slow = points[i].bytes_per_s < halfway;
        bool next_slow = i + 1 == count || points[i + 1].bytes_per_s < halfway;
        if (slow && next_slow) { /* two in a row: a single slow point is noise */
            beyond_bytes = points[i].bytes;
            break;
        }
        if (!slow)
            end_bytes = points[i].bytes;
    }
    if (end_bytes == 0)
        return;
    last->judged = true;
    /* The step is somewhere between these two points, which lie far apart in a coarse sweep. */
    double ratio = (double)last->detected_bytes / sqrt((double)end_bytes * (double)beyond_bytes);
    last->disagrees = ratio > LEVELS_AGREE_FACTOR || ratio < 1 / LEVELS_AGREE_FACTOR;
    if (last->disagrees)
        last->effective_bytes = end_bytes;
}

struct window levels_window(const struct levels *levels, unsigned index, const unsigned *sharing) {
    struct window window = {0};
    const struct level *level = &levels->level[index];
    if (level->detected_bytes == 0)
        return window;
    double share = (double)level->effective_bytes / sharing[index];
    double inner = index ? (double)level[-1].effective_bytes / sharing[index - 1] : 0;
    double low = index ? 2 * inner : (double)L1_SMALLEST_BYTES, high = share / 2;
    if (low >= high && index > 0) { /* such as a server's L3 slice, hardly larger than its L2 */
        low = 1.2 * inner;
        high = 0.8 * (inner + share);
        window.doubts |= DOUBT_NOT_ONLY_THIS_LEVEL;
    }
    if (low > high) /* a share so small that it hardly adds to the level inside */
        low = high = index > 0 ? inner + share / 2 : high;
    window.low_bytes = (uint64_t)low / LINE_BYTES * LINE_BYTES;
    window.high_bytes = (uint64_t)high / LINE_BYTES * LINE_BYTES;
    window.doubts |= level->disagrees ? DOUBT_SIZE_DISAGREES : 0;
    return window;
}
