/* SPDX-License-Identifier: BSD-3-Clause
 * Detected levels, their ends in a sweep, and the sizes that lie in them. */
#include "levels.h"
#include "doubt.h"
#include "sample.h"
#include "number_thresholds.h"
#include "probe/machine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "probe/memory_kind.h"

static const struct number_thresholds *const THRESHOLD = &number_thresholds;
static const uint64_t L1_SMALLEST_BYTES = 8192; /* smaller sets are mostly loop control */
static const uint64_t LINE_BYTES = 64;          /* or a part of one */

struct levels levels_detected(const struct core_kind *kind, const char *memory_kind) {
    struct levels levels = {0};
    for (unsigned i = 0; i < kind->cache_count; i++) {
        struct level *level = &levels.level[levels.count++];
        machine_cache_name(&kind->caches[i], level->name);
        level->detected_bytes = level->effective_bytes = kind->caches[i].size_bytes;
    }
    snprintf(levels.level[levels.count++].name, sizeof levels.level[0].name, "%s", memory_kind);
    return levels;
}

unsigned levels_cache(const char *name) {
    const bool is_cache = name[0] == 'L' && name[1] >= '1' && name[1] <= '9' && (!name[2] || levels_is_between(name));
    return is_cache ? (unsigned)(name[1] - '0') : 0;
}

bool levels_is_between(const char *name) {
    return name[0] == 'L' && name[1] != '\0' && strcmp(name + 2, ".5") == 0;
}

bool levels_is_memory(const char *name) {
    return name[0] != '\0' && levels_cache(name) == 0;
}

int levels_compare(const char *a, const char *b) {
    const bool a_is_cache = levels_cache(a) > 0, b_is_cache = levels_cache(b) > 0;
    return a_is_cache != b_is_cache ? (int)b_is_cache - (int)a_is_cache : strcmp(a, b);
}

bool levels_is_paced(const char *name) {
    const unsigned cache = levels_cache(name);
    return name[0] == '\0' || cache == 1 || cache == 2;
}

bool levels_is_name(const char *name) {
    const struct memory_kind *kind = memory_kind_of(name);
    return levels_cache(name) > 0 || kind->ordinary || kind->fast;
}

bool levels_are_judged(const struct levels *levels) {
    for (unsigned i = 0; i < levels->count; i++)
        if (levels->level[i].judged)
            return true;
    return false;
}

int levels_find(const struct levels *levels, const char *name) {
    for (unsigned i = 0; i < levels->count; i++)
        if (strcmp(levels->level[i].name, name) == 0)
            return (int)i;
    return -1;
}

/* The plateau is the second highest rate of the points that surely lie beyond the inner cache but early in this one. */
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
    return second > 0 ? second : best; /* one outlier is not a plateau */
}

/* The median of the last three points: a disturbed last point must not shift the step. */
static double beyond_caches(const struct sweep_point *points, size_t count) {
    double a = points[count - 3].bytes_per_s, b = points[count - 2].bytes_per_s, c = points[count - 1].bytes_per_s;
    return sample_median_of_three(a, b, c);
}

/* The lower median of the points in a range: typical even if the inner level extends into it. */
static double typical(const struct sweep_point *points, size_t count, uint64_t from_bytes, uint64_t to_bytes) {
    double rates[64];
    size_t found = 0;
    for (size_t i = 0; i < count && found < 64; i++)
        if (points[i].bytes >= from_bytes && points[i].bytes <= to_bytes)
            rates[found++] = points[i].bytes_per_s;
    if (found == 0)
        return 0;
    for (size_t i = 1; i < found; i++) /* insertion sort: few values */
        for (size_t k = i; k > 0 && rates[k - 1] > rates[k]; k--) {
            double swapped = rates[k];
            rates[k] = rates[k - 1];
            rates[k - 1] = swapped;
        }
    return rates[(found - 1) / 2];
}

/* By the numbers of the levels there is one inside of this one whose size nothing reports. */
static bool lacks_inner(const struct levels *levels, unsigned index) {
    const struct level *level = &levels->level[index];
    return level->inner_bytes == 0 && level->name[1] > (index ? level[-1].name[1] : '0') + 1;
}

/* A level as this sweep shows it: it ends before two consecutive sizes that are slower than halfway to the outer level.
 * Not judged: no step is visible. */
static struct level judge(const struct levels *levels, unsigned index, const struct sweep_point *points, size_t count) {
    struct level level = levels->level[index];
    const bool lacking = lacks_inner(levels, index);
    const uint64_t from_bytes = lacking ? level.detected_bytes / 4
                                : index ? 2 * levels->level[index - 1].effective_bytes
                                        : 0;
    const double own_rate =
        plateau(points, count, from_bytes, lacking || !index ? level.detected_bytes / 2 : 6 * from_bytes);
    const struct level *outer = &levels->level[index + 1];
    const uint64_t outer_bytes = levels_is_between(outer->name) ? outer->detected_bytes : 12 * level.detected_bytes;
    double outer_rate = index + 2 == levels->count ? beyond_caches(points, count)
                                                   : typical(points, count, 2 * level.detected_bytes, outer_bytes);
    level.judged = false;
    if (outer_rate <= 0 || own_rate < THRESHOLD->level_step.value * outer_rate)
        return level;
    double halfway = sqrt(own_rate * outer_rate), longer = fmax(halfway, THRESHOLD->on_plateau.value * own_rate);
    uint64_t end_bytes = 0, beyond_bytes = points[count - 1].bytes;
    for (size_t i = 0; i < count; i++) {
        if (points[i].bytes < from_bytes)
            continue;
        double least = points[i].bytes > level.detected_bytes ? longer : halfway;
        bool slow = points[i].bytes_per_s < least;
        bool next_slow = i + 1 == count || points[i + 1].bytes_per_s < least;
        if (slow && next_slow) { /* a single slow point is noise */
            beyond_bytes = points[i].bytes;
            break;
        }
        if (!slow)
            end_bytes = points[i].bytes;
    }
    if (end_bytes == 0)
        return level;
    /* The step lies between these two points, which are far apart in a coarse sweep. */
    double ratio = (double)level.detected_bytes / sqrt((double)end_bytes * (double)beyond_bytes);
    level.judged = true;
    level.found_bytes = end_bytes;
    level.disagrees = ratio > THRESHOLD->levels_agree.value || ratio < 1 / THRESHOLD->levels_agree.value;
    level.effective_bytes = level.disagrees ? end_bytes : level.detected_bytes;
    return level;
}

/* 1: the level is larger than detected; -1: smaller; 0: about as detected. */
static int side_of(const struct level *level) {
    return level->disagrees
               ? (level->found_bytes > level->detected_bytes) - (level->found_bytes < level->detected_bytes)
               : 0;
}

/* Another sweep adds information: the level showed no step before, or a step away from the detected size that this
 * sweep does not confirm. */
static bool is_open(const struct level *level, const struct level *told) {
    return !level->judged || (side_of(level) != 0 && side_of(level) != side_of(told));
}

void levels_judge(struct levels *levels, const struct sweep_point *points, size_t count) {
    if (count < 4)
        return;
    for (unsigned i = 0; i + 1 < levels->count; i++) {
        const struct level told = judge(levels, i, points, count);
        if (told.judged && is_open(&levels->level[i], &told))
            levels->level[i] = told;
    }
}

struct window levels_window(const struct levels *levels, unsigned index, const unsigned *sharing) {
    struct window window = {0};
    const struct level *level = &levels->level[index];
    if (level->detected_bytes == 0)
        return window;
    double share = (double)level->effective_bytes / sharing[index];
    double inner = fmax(index ? (double)level[-1].effective_bytes / sharing[index - 1] : 0, (double)level->inner_bytes);
    double low = inner > 0 ? 2 * inner : (double)L1_SMALLEST_BYTES, high = share / 2;
    if (low >= high && inner > 0) { /* for example a server's L3 slice that is hardly larger than its L2 */
        low = THRESHOLD->window_low.value * inner;
        high = THRESHOLD->window_high.value * (inner + share);
        doubts_add(&window.doubts, DOUBT_NOT_ONLY_THIS_LEVEL);
    }
    if (low > high) /* the share hardly adds to the inner level */
        low = high = inner > 0 ? inner + share / 2 : high;
    if (lacks_inner(levels, index)) { /* smaller sizes may lie in it */
        low = fmax(low, high / 2);
        doubts_add(&window.doubts, DOUBT_CACHES_UNKNOWN);
    }
    window.low_bytes = (uint64_t)low / LINE_BYTES * LINE_BYTES;
    window.high_bytes = (uint64_t)high / LINE_BYTES * LINE_BYTES;
    doubts_add_if(&window.doubts, level->disagrees, DOUBT_SIZE_DISAGREES);
    return window;
}
