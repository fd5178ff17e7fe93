/* SPDX-License-Identifier: BSD-3-Clause
 * Sets an application's point, and derives values from it (see app_point.h). */
#include "app_point.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

/* Counts of simulated caches → bytes of a point. */

double point_link_bytes(const struct point_link *link) {
    return link->load_bytes + link->allocate_bytes + link->write_back_bytes + link->victim_bytes +
           link->nontemporal_bytes;
}

/* One word of struct hierarchy_counts, by group of the sampling. */
static void words_of(const struct profile_traffic *traffic, size_t offset_bytes, uint64_t out[SAMPLING_GROUPS_MAX]) {
    for (unsigned group = 0; group < SAMPLING_GROUPS_MAX; group++)
        memcpy(&out[group], (const char *)&traffic->of_group[group] + offset_bytes, sizeof *out);
}

static double sum_of(const struct profile_traffic *traffic, size_t offset_bytes) {
    uint64_t words[SAMPLING_GROUPS_MAX];
    double sum = 0;
    words_of(traffic, offset_bytes, words);
    for (unsigned group = 0; group < SAMPLING_GROUPS_MAX; group++)
        sum += (double)words[group];
    return sum;
}
#define SUM(member) sum_of(traffic, offsetof(struct hierarchy_counts, member))

/* All cache lines that pass the link outside of a level, by group. */
static void lines_outside(const struct profile_traffic *traffic, unsigned level, bool last,
                          uint64_t out[SAMPLING_GROUPS_MAX]) {
    for (unsigned group = 0; group < SAMPLING_GROUPS_MAX; group++) {
        const struct hierarchy_counts *counts = &traffic->of_group[group];
        const struct hierarchy_link *link = &counts->outside[level];
        out[group] = link->loads + link->allocates + link->write_backs + link->victims;
        out[group] += last ? counts->nontemporal_lines : 0;
    }
}

static struct point_link link_outside(const struct profile_traffic *traffic, const struct sampling *sampling,
                                      const uint64_t *changes, unsigned level, bool last) {
    const double scale = (double)HIERARCHY_LINE_BYTES * (SAMPLING_CLASSES >> sampling->class_bits);
    uint64_t lines[SAMPLING_GROUPS_MAX];
    lines_outside(traffic, level, last, lines);
    const double fetched = SUM(outside[level].loads) + SUM(outside[level].allocates),
                 put_out = SUM(outside[level].write_backs) + SUM(outside[level].victims),
                 lines_each = fetched > 0 ? 1 + fmin(1, put_out / fetched) : 2;
    const struct levels_estimate all = levels_estimate(sampling, lines, changes, lines_each);
    return (struct point_link){.level = level + 1,
                               .load_bytes = scale * SUM(outside[level].loads),
                               .allocate_bytes = scale * SUM(outside[level].allocates),
                               .write_back_bytes = scale * SUM(outside[level].write_backs),
                               .victim_bytes = scale * SUM(outside[level].victims),
                               .nontemporal_bytes = last ? scale * SUM(nontemporal_lines) : 0,
                               .low_bytes = HIERARCHY_LINE_BYTES * all.low,
                               .high_bytes = HIERARCHY_LINE_BYTES * all.high};
}

/* "L1 32 KiB 8 ways, L2 1 MiB 16 ways (inclusive)" */
static void name_caches(const struct hierarchy_geometry *caches, char *out, size_t size) {
    static const char *const contents[] = {
        [CONTENT_FREE] = "", [CONTENT_INCLUSIVE] = " (inclusive)", [CONTENT_VICTIM] = " (victims)"};
    *out = '\0';
    for (unsigned i = 0; i < caches->level_count; i++) {
        const struct hierarchy_level *level = &caches->levels[i];
        const double kib = (double)level->set_count * level->ways * HIERARCHY_LINE_BYTES / 1024;
        const bool mib = kib >= 1024;
        text_append(out, size, "%sL%u %.5g %s %u ways%s", i ? ", " : "", level->level, mib ? kib / 1024 : kib,
                    mib ? "MiB" : "KiB", level->ways, contents[level->content]);
    }
}

double levels_kept_bytes(const struct hierarchy_geometry *caches) {
    double bytes = 0;
    for (unsigned i = caches->level_count; i-- > 0;) {
        const struct hierarchy_level *level = &caches->levels[i];
        bytes += (double)level->set_count * level->ways * HIERARCHY_LINE_BYTES;
        if (level->content != CONTENT_VICTIM)
            break;
    }
    return bytes;
}

void point_levels_make(const struct levels_origin *origin, const struct profile_traffic *traffic, double load_bytes,
                       double store_bytes, struct point_levels *out) {
    struct sampling sampling;
    sampling_init(&sampling, origin->one_of, origin->seed);
    const unsigned one_of = SAMPLING_CLASSES >> sampling.class_bits, levels = origin->caches->level_count;
    const double left_lines = SUM(left_lines), past = fmin(store_bytes, one_of * SUM(nontemporal_bytes));
    *out = (struct point_levels){.links = levels + 1, .one_of = one_of};
    out->link[0] = (struct point_link){.load_bytes = load_bytes,
                                       .write_back_bytes = store_bytes - past,
                                       .nontemporal_bytes = past,
                                       .low_bytes = load_bytes + store_bytes,
                                       .high_bytes = load_bytes + store_bytes};
    for (unsigned level = 0; level < levels; level++)
        out->link[level + 1] = link_outside(traffic, &sampling, origin->changes, level, level + 1 == levels);
    out->utilisation = left_lines > 0 ? SUM(left_used_bytes) / (HIERARCHY_LINE_BYTES * left_lines) : 0;
    for (unsigned i = 0; i < HIERARCHY_TLBS; i++) {
        out->tlb_misses[i] = SUM(tlb_misses[i]);
        out->tlb_entries[i] = origin->caches->tlbs[i].set_count * origin->caches->tlbs[i].ways;
    }
    name_caches(origin->caches, out->caches, sizeof out->caches);
}

void point_levels_scale(struct point_levels *levels, double scale) {
    for (unsigned i = 1; i < levels->links; i++) {
        struct point_link *link = &levels->link[i];
        double *const amounts[] = {&link->load_bytes,   &link->allocate_bytes,    &link->write_back_bytes,
                                   &link->victim_bytes, &link->nontemporal_bytes, &link->low_bytes,
                                   &link->high_bytes};
        for (size_t a = 0; a < sizeof amounts / sizeof *amounts; a++)
            *amounts[a] *= scale;
    }
    for (unsigned i = 0; i < HIERARCHY_TLBS; i++)
        levels->tlb_misses[i] *= scale;
}

/* Estimates from sampled cache lines. */

/* Student's t, 97.5 %. There are 4 or 16 groups. */
static double quantile(unsigned groups) {
    return groups <= 4 ? 3.182 : 2.131;
}

/* `above`: accesses in unsampled classes beyond the fullest sampled class. `below`: excess of the extrapolated accesses
 * over the real ones. */
static void crowding(const struct sampling *sampling, const uint64_t *changes, double scale, double *above,
                     double *below) {
    uint64_t fullest = 0, all = 0, sampled = 0;
    for (unsigned class = 0; class < SAMPLING_CLASSES; class ++) {
        const bool has = sampling_has(sampling, class);
        all += changes[class];
        sampled += has ? changes[class] : 0;
        fullest = has && changes[class] > fullest ? changes[class] : fullest;
    }
    *above = 0;
    for (unsigned class = 0; class < SAMPLING_CLASSES; class ++)
        if (changes[class] > fullest)
            *above += (double)(changes[class] - fullest);
    *below = fmax(0, (double)sampled * scale - (double)all);
}

struct levels_estimate levels_estimate(const struct sampling *sampling, const uint64_t *of_group,
                                       const uint64_t *changes, double lines_each) {
    const double scale = SAMPLING_CLASSES >> sampling->class_bits, count = sampling->group_count;
    double sum = 0, squares = 0, above = 0, below = 0;
    for (unsigned group = 0; group < sampling->group_count; group++)
        sum += (double)of_group[group];
    if (scale <= 1)
        return (struct levels_estimate){sum, sum, sum, false};
    for (unsigned group = 0; group < sampling->group_count; group++)
        squares += pow((double)of_group[group] - sum / count, 2);
    const double variance = fmax(1, squares / (count - 1));
    const double half = quantile(sampling->group_count) * scale * sqrt((1 - 1 / scale) * variance * count);
    if (changes)
        crowding(sampling, changes, scale, &above, &below);
    return (struct levels_estimate){.value = sum * scale,
                                    .low = fmax(sum, sum * scale - half - lines_each * below),
                                    .high = sum * scale + half + lines_each * above,
                                    .crowded = lines_each * (above + below) > 2 * half};
}
