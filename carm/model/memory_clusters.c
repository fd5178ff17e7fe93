/* SPDX-License-Identifier: BSD-3-Clause
 * Clusters of CPUs by the time that a line takes between them (see memory_model.h).
 *
 * Pairs that share the same part of the machine begin as one group. A group is split where its times have two modes: a
 * hypervisor may hide a part, and a package may have near and far cores. Groups of about the same time are then merged.
 * So an outlier stays in the group of its part, and no gap between all sorted times is needed, which a few outliers
 * would fill. */
#include "memory_model.h"
#include "model_thresholds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "probe/need.h"
#include "probe/text.h"
#include "bench/kernels/levels.h"

static const struct {
    const char *shares, *name;
} PARTS[] = {{"core", "same core"}, {"L2", "same L2"},           {"L3", "same L3"},           {"L4", "same L4"},
             {"die", "same die"},   {"package", "same package"}, {"machine", "other package"}};
enum { PARTS_KNOWN = sizeof PARTS / sizeof *PARTS, MOST_GROUPS = 64 };

static const struct model_thresholds *const THRESHOLD = &model_thresholds;

/* A pair with its time. */
struct timed_pair {
    double log_s; /* natural logarithm of the time in s */
    size_t pair;
    unsigned part; /* index into PARTS; PARTS_KNOWN: unknown */
};

static double mean_s(const struct memory_number time_s[2]) {
    const double first = fmax(0, time_s[0].value), second = fmax(0, time_s[1].value);
    return first > 0 && second > 0 ? (first + second) / 2 : first + second;
}

/* One way, over both pages; 0: not measured. */
static double time_of(const struct handover *pair) {
    return mean_s(pair->swap_s) > 0 ? mean_s(pair->swap_s) : mean_s(pair->store_s);
}

static unsigned part_of(const struct handover *pair) {
    unsigned part = 0;
    while (part < PARTS_KNOWN && strcmp(pair->shares, PARTS[part].shares) != 0)
        part++;
    return part;
}

static int by_part_and_time(const void *a, const void *b) {
    const struct timed_pair *p = a, *q = b;
    return p->part != q->part ? (p->part < q->part ? -1 : 1) : (p->log_s > q->log_s) - (p->log_s < q->log_s);
}

static double quantile(const struct timed_pair *sorted, size_t n, double q) {
    const double at = q * (double)(n - 1);
    const size_t below = (size_t)at, above = below + 1 < n ? below + 1 : below;
    return sorted[below].log_s + (at - (double)below) * (sorted[above].log_s - sorted[below].log_s);
}

/* Whether the times up to `at` and those from it are two modes: farther apart than each is wide. */
static bool are_modes(const struct timed_pair *sorted, size_t n, size_t at) {
    const double low_width = quantile(sorted, at, 0.75) - quantile(sorted, at, 0.25),
                 high_width = quantile(sorted + at, n - at, 0.75) - quantile(sorted + at, n - at, 0.25),
                 gap = quantile(sorted + at, n - at, 0.25) - quantile(sorted, at, 0.75);
    return gap > log(THRESHOLD->clusters_differ.value) && gap > low_width && gap > high_width;
}

/* The least number of pairs that are a slower mode beside `fast` others. */
static size_t least_slow(size_t fast) {
    return (size_t)fmax(THRESHOLD->slow_pairs.value, ceil(THRESHOLD->slow_mode.value * (double)fast));
}

/* Where sorted times divide best, with at least `fast` below: with the largest variance between both sides (N. Otsu, A
 * Threshold Selection Method from Gray-Level Histograms, IEEE Transactions on Systems, Man, and Cybernetics 9, 1979).
 * 0: they are one mode. */
static size_t find_split(const struct timed_pair *sorted, size_t n, size_t fast) {
    double all = 0, low = 0, most = 0;
    size_t best = 0;
    for (size_t i = 0; i < n; i++)
        all += sorted[i].log_s;
    for (size_t i = 1; i < n; i++) {
        low += sorted[i - 1].log_s;
        const double apart = (all - low) / (double)(n - i) - low / (double)i,
                     between = (double)i * (double)(n - i) * apart * apart;
        if (i >= fast && n - i >= least_slow(i) && between > most)
            most = between, best = i;
    }
    return best && are_modes(sorted, n, best) ? best : 0;
}

/* Groups of pairs: the group of each timed pair, and the median of each group. */
struct groups {
    size_t count, timed_count;
    size_t modes; /* groups that there will be, including those of splits not yet done */
    struct timed_pair *timed;
    unsigned *of; /* of each entry of `timed` */
    double median_log_s[MOST_GROUPS];
};

/* One group, or several; the fastest with at least `fast` pairs. */
static void add_groups(struct groups *groups, size_t from, size_t n, size_t fast) {
    const size_t split = groups->modes < MOST_GROUPS - PARTS_KNOWN ? find_split(groups->timed + from, n, fast) : 0;
    if (split) {
        groups->modes++;
        add_groups(groups, from, split, fast);
        add_groups(groups, from + split, n - split, least_slow(split));
        return;
    }
    groups->median_log_s[groups->count] = quantile(groups->timed + from, n, 0.5);
    for (size_t i = 0; i < n; i++)
        groups->of[from + i] = (unsigned)groups->count;
    groups->count++;
}

static void merge(struct groups *groups, unsigned into, unsigned from) {
    double *values = need_calloc(groups->timed_count + 1, sizeof *values);
    size_t n = 0;
    for (size_t i = 0; i < groups->timed_count; i++) {
        if (groups->of[i] == from)
            groups->of[i] = into;
        if (groups->of[i] == into)
            values[n++] = groups->timed[i].log_s;
        if (groups->of[i] == groups->count - 1)
            groups->of[i] = from; /* the last group takes the free number */
    }
    groups->median_log_s[from] = groups->median_log_s[--groups->count];
    groups->median_log_s[into] = sample_median(values, n);
    free(values);
}

/* Merges the two closest groups until all differ, and there are few enough. */
static void merge_close(struct groups *groups) {
    while (groups->count > 1) {
        unsigned a = 0, b = 1;
        double least = INFINITY;
        for (unsigned i = 0; i < groups->count; i++)
            for (unsigned k = i + 1; k < groups->count; k++)
                if (fabs(groups->median_log_s[i] - groups->median_log_s[k]) < least)
                    least = fabs(groups->median_log_s[a = i] - groups->median_log_s[b = k]);
        if (least > log(THRESHOLD->clusters_differ.value) && groups->count <= MEMORY_MOST_CLUSTERS)
            return;
        merge(groups, a, b);
    }
}

static struct groups find_groups(const struct memory_system *memory) {
    struct groups groups = {.timed = need_calloc(memory->pair_count + 1, sizeof *groups.timed),
                            .of = need_calloc(memory->pair_count + 1, sizeof *groups.of)};
    for (size_t i = 0; i < memory->pair_count; i++)
        if (time_of(&memory->pairs[i]) > 0)
            groups.timed[groups.timed_count++] =
                (struct timed_pair){log(time_of(&memory->pairs[i])), i, part_of(&memory->pairs[i])};
    if (groups.timed_count)
        qsort(groups.timed, groups.timed_count, sizeof *groups.timed, by_part_and_time);
    for (size_t from = 0, n; from < groups.timed_count; from += n) {
        for (n = 1; from + n < groups.timed_count && groups.timed[from + n].part == groups.timed[from].part;)
            n++;
        groups.modes++;
        add_groups(&groups, from, n, 1);
    }
    merge_close(&groups);
    return groups;
}

void memory_cluster_of_pairs(const struct memory_system *memory, unsigned *out) {
    struct groups groups = find_groups(memory);
    for (size_t i = 0; i < memory->pair_count; i++)
        out[i] = MEMORY_NO_CLUSTER;
    for (size_t i = 0; i < groups.timed_count; i++) {
        unsigned rank = 0;
        for (size_t k = 0; k < groups.count; k++)
            rank += groups.median_log_s[k] < groups.median_log_s[groups.of[i]];
        out[groups.timed[i].pair] = rank;
    }
    free(groups.timed);
    free(groups.of);
}

/* The statistics of the cluster's pairs, and their median with its interval: that of the pair if there is only one. */
static void reduce(const struct memory_system *memory, const unsigned *cluster_of, unsigned cluster, bool by_swap,
                   struct statistics *out, struct memory_number *median) {
    double *values = need_calloc(memory->pair_count + 1, sizeof *values);
    struct memory_number one = {0};
    size_t n = 0;
    for (size_t i = 0; i < memory->pair_count; i++) {
        const struct memory_number *both = by_swap ? memory->pairs[i].swap_s : memory->pairs[i].store_s;
        if (cluster_of[i] != cluster || !(mean_s(both) > 0))
            continue;
        values[n++] = mean_s(both);
        one = both[0].value > 0 ? both[0] : both[1];
        if (both[0].value > 0 && both[1].value > 0)
            one = (struct memory_number){0, fmin(both[0].low, both[1].low), fmax(both[0].high, both[1].high)};
    }
    *out = sample_statistics(values, n);
    *median = one;
    median->value = out->median;
    if (n > 1)
        sample_quantile_interval(values, n, 0.5, &median->low, &median->high);
    free(values);
}

static bool differ(const struct memory_number both[2]) {
    const double most = fmax(both[0].value, both[1].value), least = fmin(both[0].value, both[1].value);
    return least > 0 && most > THRESHOLD->asymmetric.value * least &&
           (both[0].high < both[1].low || both[1].high < both[0].low);
}

/* Names it after the part that most pairs share; the nearest one of equally many. */
static void name_cluster(const size_t shared[PARTS_KNOWN + 1], struct memory_cluster *out) {
    unsigned most = 0;
    for (unsigned part = 1; part <= PARTS_KNOWN; part++)
        if (shared[part] > shared[most])
            most = part;
    snprintf(out->name, sizeof out->name, "%s", most < PARTS_KNOWN ? PARTS[most].name : "cluster");
    snprintf(out->shares, sizeof out->shares, "%s", most < PARTS_KNOWN ? PARTS[most].shares : "");
}

/* The latency of a load from the last cache, without load; 0: not measured. */
static double last_cache_s(const struct memory_system *memory) {
    unsigned last = 0;
    double last_s = 0;
    for (size_t i = 0; i < memory->series_count; i++) {
        const struct memory_series *series = &memory->series[i];
        const bool chases = series->part == MEMORY_LOADED || series->part == MEMORY_PARALLEL;
        if (chases && levels_cache(series->level) > last && series->count > 0) {
            last = levels_cache(series->level);
            last_s = series->points[0].latency_s.value;
        }
    }
    return last_s;
}

/* A line from another core passes the last cache. So one that takes far less time stays in a core of two CPUs, which a
 * hypervisor shows as two cores. */
static void name_hidden(double last_s, struct memory_cluster *out) {
    if (strcmp(out->shares, PARTS[0].shares) == 0 || levels_cache(out->shares) == 2 ||
        !(out->median_swap_s.value > 0) || out->median_swap_s.value > THRESHOLD->hidden.value * last_s)
        return;
    snprintf(out->name, sizeof out->name, "%s", "same core, hidden");
    snprintf(out->shares, sizeof out->shares, "%s", PARTS[0].shares);
}

static void number_names(struct memory_cluster *clusters, size_t count) {
    for (size_t i = 0; i < count; i++) {
        unsigned number = 1;
        char name[sizeof clusters[i].name];
        memcpy(name, clusters[i].name, sizeof name);
        for (size_t k = i + 1; k < count; k++)
            if (strcmp(clusters[k].name, name) == 0)
                text_append(clusters[k].name, sizeof clusters[k].name, " %u", ++number);
        if (number > 1)
            text_append(clusters[i].name, sizeof clusters[i].name, " 1");
    }
}

size_t memory_clusters(const struct memory_system *memory, struct memory_cluster out[MEMORY_MOST_CLUSTERS]) {
    size_t shared[MEMORY_MOST_CLUSTERS][PARTS_KNOWN + 1] = {0}, count = 0;
    unsigned *cluster_of = need_calloc(memory->pair_count + 1, sizeof *cluster_of);
    memory_cluster_of_pairs(memory, cluster_of);
    memset(out, 0, MEMORY_MOST_CLUSTERS * sizeof *out);
    for (size_t i = 0; i < memory->pair_count; i++) {
        const unsigned at = cluster_of[i];
        if (at == MEMORY_NO_CLUSTER)
            continue;
        count = at + 1 > count ? at + 1 : count;
        const struct doubts own = memory->pairs[i].doubts;
        out[at].doubts = out[at].pair_count++ ? doubts_common(out[at].doubts, own) : own;
        out[at].asymmetric += differ(memory->pairs[i].swap_s) || differ(memory->pairs[i].store_s);
        shared[at][part_of(&memory->pairs[i])]++;
    }
    const double last_s = last_cache_s(memory);
    for (unsigned i = 0; i < count; i++) {
        name_cluster(shared[i], &out[i]);
        reduce(memory, cluster_of, i, true, &out[i].swap_s, &out[i].median_swap_s);
        reduce(memory, cluster_of, i, false, &out[i].store_s, &out[i].median_store_s);
        name_hidden(last_s, &out[i]);
    }
    number_names(out, count);
    free(cluster_of);
    return count;
}
