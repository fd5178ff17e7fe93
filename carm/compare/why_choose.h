/* SPDX-License-Identifier: BSD-3-Clause
 * Which ratios of a comparison are told: its headlines, or the roof of a name. Pure. */
#ifndef CARM_WHY_CHOOSE_H
#define CARM_WHY_CHOOSE_H

#include "why.h"

/* The number of cores (roof_key.cores) of the headlines that both sides have: `wanted`, or where that is 0 all cores,
 * else one, else any. 0 where they have none of a rate in common. Takes comparisons of two sides. */
unsigned why_cores(const struct comparison *comparison, unsigned wanted);

struct why_list {
    size_t count;
    struct why *list;
};

/* The headlines that both sides have, of these cores: the ceiling of this type, the bandwidth of each level, and the
 * latencies, which are one core's. Where the two have memories of other kinds alone (DRAM, HBM) these are a pair. The
 * caller frees the list. */
struct why_list why_headlines(const struct comparison *comparison, unsigned cores, const char *type);

/* The roof of this name: a headline ("f64", "DRAM", "DRAM latency", also "f64 peak" and "DRAM bandwidth"), a kernel or
 * a level and a kernel ("L3 avx512.load"); in capitals or not. Of these cores; of one where it is one core's alone.
 * False: not both sides have it. */
bool why_find(const struct comparison *comparison, unsigned cores, const char *name, struct why *out);

/* "f64 peak", "DRAM", "DRAM latency", "L3 avx512.load": without the place. Of a pair of memories "DRAM → HBM". */
const char *why_name(const struct why *why, char *out, size_t size);

#endif
