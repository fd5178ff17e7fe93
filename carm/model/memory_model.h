/* SPDX-License-Identifier: BSD-3-Clause
 * What the measurements of `carmine memory` mean: the loaded latency, the lines in flight, the time between cores, the
 * traffic of stores, the reach of the TLBs. Pure. */
#pragma once

#include "bench/kernels/sample.h"
#include "bench/memory/memory_system.h"

struct result;

/* Loaded latency: one series of MEMORY_LOADED. Numbers are NaN if unknown. */

enum { LOADED_SHARES = 3 };
extern const double loaded_shares[LOADED_SHARES]; /* of the roof: 0.5, 0.8, 0.9 */

struct loaded_curve {
    const struct memory_series *series;
    struct memory_number idle_s;
    double roof_bytes_per_s; /* highest bandwidth that this memory was seen to pass for the loaders' pattern: by all
                                cores in `carmine run`, or in the series itself */
    bool roof_is_measured;   /* `carmine run` measured one in this result; false: it is the series' own highest */
    double latency_s[LOADED_SHARES]; /* at these shares of the roof, interpolated; NaN: the loaders do not reach it */
    double knee_bytes_per_s, knee_latency_s; /* the point farthest from the straight line between the curve's ends; NaN:
                                                the curve is straight within its intervals */
    double usable_bytes_per_s; /* highest bandwidth with at most `usable` (model_thresholds.h) times the idle latency */
    double usable_low_bytes_per_s, usable_high_bytes_per_s; /* with the ends of the idle latency's interval */
    bool usable_is_end;                    /* the latency never rose that far: at least this bandwidth */
    double end_bytes_per_s, end_latency_s; /* at full load, or the most measured */
    bool ends_at_loaders; /* full load was measured, and is what the loaders can request, not the memory's limit: below
                             90 % of a measured roof, or with less than 1.5 times the idle latency */
    bool falls;           /* bandwidth falls with more load, beyond the intervals */
    bool latency_falls;   /* beside some load the latency is below the idle one, beyond the intervals */
};

bool memory_loaded(const struct result *result, const struct memory_series *series, struct loaded_curve *out);

/* The interpolated latency at a bandwidth, in s, and its interval; NaN beyond the ends. */
double memory_latency_at(const struct memory_series *series, double bytes_per_s);
struct memory_number memory_latency_within(const struct memory_series *series, double bytes_per_s);

/* Whether small pages were requested; false for MEMORY_PAGES. */
bool memory_has_small_pages(const struct memory_series *series);

/* Parallel chases: one series of MEMORY_PARALLEL. */
struct parallel_curve {
    const struct memory_series *series;
    struct memory_number latency_s;   /* of one chase */
    struct memory_number bytes_per_s; /* the highest */
    double lines;                     /* in flight at that, by Little's law: bytes_per_s × latency_s / line_bytes */
    double lines_low, lines_high;
    unsigned saturates_at; /* fewest chases with at least 95 % of the highest bandwidth */
    bool is_end;           /* the bandwidth still rises with the most chases measured */
};

bool memory_parallel(const struct memory_series *series, unsigned line_bytes, struct parallel_curve *out);

/* The series of the level in the result, with huge pages if there is one; NULL: not measured. */
const struct memory_series *memory_parallel_series(const struct result *result, const char *level);

/* Clusters of CPUs: pairs with about the same time, named after what most of them share. Rising times. */
enum { MEMORY_MOST_CLUSTERS = 8 };
struct memory_cluster {
    char name[64];  /* "same core", "same L2", "same L3", "same die", "same package", "other package"; numbered if two
                       have one name. "same core, hidden": the system shows two cores */
    char shares[8]; /* the part in that name, as of a pair: "L3"; "": unknown */
    size_t pair_count;
    struct statistics swap_s, store_s; /* over the pairs, one way */
    struct memory_number median_swap_s, median_store_s;
    struct doubts doubts; /* of all its pairs */
    size_t asymmetric;    /* pairs whose time depends on who touched the page first, beyond the intervals and 10 % */
};

size_t memory_clusters(const struct memory_system *memory, struct memory_cluster out[MEMORY_MOST_CLUSTERS]);

/* The cluster of each pair: an index into memory_clusters(), or MEMORY_NO_CLUSTER without a time. */
#define MEMORY_NO_CLUSTER (~0u)
void memory_cluster_of_pairs(const struct memory_system *memory, unsigned *out);

/* Stores: one kernel with one number of threads. */
struct memory_write {
    const struct memory_series *series;
    const struct memory_point *point;
    double bus_least_bytes_per_s,
        bus_most_bytes_per_s; /* traffic that must have passed, or that was counted; equal: known */
    double evaded_least,
        evaded_most; /* share of the write-allocates that the core evaded; NaN: it has none by design */
    bool zeros;      /* stores zeros */
};

/* Returns how many, at most `most`, by kernel and threads. */
size_t memory_writes(const struct result *result, struct memory_write *out, size_t most);

/* Address translation with pages of one size: one series of MEMORY_PAGES by "chase". */
struct memory_reach {
    const struct memory_series *series;
    unsigned level_count;       /* of TLBs that were seen */
    double reach_pages[3];      /* the most pages without the next level's cost */
    bool reach_is_end[3];       /* no end was seen: at least that many */
    double cost_s[3];           /* added to a load that this level translates, over the first level: 0, … */
    double walk_s, walk_most_s; /* added by a page walk, while its tables are in near caches and when farthest from
                                   them; NaN: none was seen */
    double walk_within_s;       /* half of walk_s' interval */
};

bool memory_reach(const struct memory_series *series, const struct memory_series *same_lines, struct memory_reach *out);

/* Whether it is a chase over pages, one line of each. Random lines are not, nor is the chase over as many lines in few
 * pages, of level "lines". */
bool memory_is_paged(const struct memory_series *series);

/* That chase over as many lines, else the one with the largest pages: what is left of a latency without address
 * translation. NULL: there is none. */
const struct memory_series *memory_same_lines(const struct result *result, const struct memory_series *series);

/* How far the numbers of some parts (a mask of 1 << enum memory_part) can be trusted. A: all points are known to 5 %.
 * B: nine in ten. C: half. D: fewer. */
struct memory_trust {
    char grade; /* 'A' … 'D'; '\0': no points */
    size_t points, uncertain;
    struct doubts doubts; /* of uncertain points, without `unstable`, which all of these have */
};

struct memory_trust memory_trust(const struct memory_system *memory, unsigned parts);

/* The figures that characterise a memory system, as samples with kernels of their own, so that results are compared by
 * them as by roofs (model.figures). Latencies: "loaded.load.80" at 80 % of the roof, also 50, 90, and 0 (idle), beside
 * loaders of that pattern; "swap" and "store" between CPUs whose nearest common part is the level ("L3", "package");
 * "walk.4KiB", added by a page walk. Bandwidths: "usable.load", and "chases", the highest of one core by parallel
 * chases. The caller frees the samples. */
size_t memory_figures(const struct result *result, struct sample **out);
