/* SPDX-License-Identifier: BSD-3-Clause
 * Memory systems with known properties, as `carmine memory` would have measured them. */
#pragma once

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/memory/memory_system.h"
#include "chance.h"

/* A number with an interval of this relative half-width. */
static inline struct memory_number memories_number(double value, double within) {
    return (struct memory_number){value, value * (1 - within), value * (1 + within)};
}

/* An empty series, to be freed with the memory system. Pointers to earlier ones become invalid. */
static inline struct memory_series *memories_series(struct memory_system *memory, enum memory_part part,
                                                    const char *level, const char *kernel, unsigned threads) {
    memory->series = realloc(memory->series, (memory->series_count + 1) * sizeof *memory->series);
    struct memory_series *series = &memory->series[memory->series_count++];
    *series = (struct memory_series){.part = part, .threads = threads, .page_bytes = 2 << 20};
    snprintf(series->level, sizeof series->level, "%s", level);
    snprintf(series->kernel, sizeof series->kernel, "%s", kernel);
    return series;
}

/* Appends a point with intervals of 2 %. A latency or bandwidth of 0 is not measured. */
static inline void memories_point(struct memory_series *series, double setting, double latency_s, double bytes_per_s) {
    series->points = realloc(series->points, (series->count + 1) * sizeof *series->points);
    series->points[series->count++] = (struct memory_point){.setting = setting,
                                                            .latency_s = memories_number(latency_s, 0.02),
                                                            .bytes_per_s = memories_number(bytes_per_s, 0.02),
                                                            .visits = 9};
}

/* Loads of a memory that serves one request at a time: an M/D/1 queue, whose mean time in the queue at utilisation u is
 * service × u / (2 (1 - u)). The loaders reach the utilisation `most`. */
static inline struct memory_series *memories_loaded(struct memory_system *memory, const char *kernel, unsigned loaders,
                                                    double idle_s, double service_s, double peak_bytes_per_s,
                                                    double most) {
    static const double UTILISATIONS[] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.98};
    struct memory_series *series = memories_series(memory, MEMORY_LOADED, "DRAM", kernel, loaders);
    memories_point(series, MEMORY_IDLE, idle_s, 64 / idle_s);
    for (size_t i = 0; i < sizeof UTILISATIONS / sizeof *UTILISATIONS && UTILISATIONS[i] <= most + 1e-9; i++) {
        const double u = UTILISATIONS[i];
        memories_point(series, u + 0.01 > most ? 0 : round(100 * (1 / u - 1)), idle_s + service_s * u / (2 * (1 - u)),
                       u * peak_bytes_per_s);
    }
    return series;
}

/* 1 to 40 chases by a core that can have this many lines in flight. */
static inline struct memory_series *memories_parallel(struct memory_system *memory, const char *level, double latency_s,
                                                      unsigned lines) {
    struct memory_series *series = memories_series(memory, MEMORY_PARALLEL, level, "chase", 1);
    for (unsigned k = 1; k <= 40; k++)
        memories_point(series, k, latency_s * fmax(1, (double)k / lines), 64 * fmin(k, lines) / latency_s);
    return series;
}

/* CPUs that have a part of the machine in common: `cpus` consecutive ones, from `first` until before `end` (0: all). */
struct memories_shared {
    const char *shares;
    unsigned cpus;
    double swap_s;
    unsigned first, end;
};

static inline bool memories_both_in(const struct memories_shared *part, unsigned a, unsigned b) {
    return a >= part->first && (!part->end || b < part->end) &&
           (a - part->first) / part->cpus == (b - part->first) / part->cpus;
}

/* All pairs of CPUs, each with the time of the first of the `parts` (from the nearest) that both have in common; normal
 * noise of this relative standard deviation, and one pair in `outlier_every` (0: none) takes three times as long. */
static inline void memories_pairs(struct memory_system *memory, unsigned cpus, const struct memories_shared *parts,
                                  double noise, unsigned outlier_every) {
    memory->pairs_planned = cpus * (cpus - 1) / 2;
    memory->pairs = calloc(memory->pairs_planned, sizeof *memory->pairs);
    for (unsigned a = 0; a < cpus; a++)
        for (unsigned b = a + 1; b < cpus; b++) {
            struct handover *pair = &memory->pairs[memory->pair_count++];
            const struct memories_shared *part = parts;
            while (!memories_both_in(part, a, b))
                part++;
            *pair = (struct handover){.first = a, .second = b};
            snprintf(pair->shares, sizeof pair->shares, "%s", part->shares);
            const bool outlier = outlier_every && chance_uniform(0, outlier_every) < 1;
            for (int i = 0; i < 2; i++) {
                const double s = part->swap_s * (1 + noise * chance_normal()) * (outlier ? 3 : 1);
                pair->swap_s[i] = memories_number(s, 0.05);
                pair->store_s[i] = memories_number(0.8 * s, 0.05);
            }
        }
}

/* A chase over up to 65536 pages, one line of each, with two TLBs: the second adds `hit_s`, a walk `walk_s` (0: the
 * second TLB holds all pages). With it the series of as many lines in few pages, which leave the L1 at 512 lines. */
static inline void memories_pages(struct memory_system *memory, uint64_t page_bytes, double first_pages,
                                  double second_pages, double hit_s, double walk_s) {
    for (int paged = 0; paged < 2; paged++) {
        struct memory_series *series = memories_series(memory, MEMORY_PAGES, paged ? "DRAM" : "lines", "chase", 1);
        series->page_bytes = paged ? page_bytes : 0;
        for (double n = 8; n <= 65536; n *= 2)
            for (int half = 2; half <= 3; half++) {
                const double at = n * half / 2;
                const double line_s = at <= 512 ? 1.2e-9 : 4e-9, added_s = at <= first_pages                 ? 0
                                                                           : walk_s > 0 && at > second_pages ? walk_s
                                                                                                             : hit_s;
                memories_point(series, at, line_s + paged * added_s, 0);
            }
    }
}
