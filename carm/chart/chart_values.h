/* SPDX-License-Identifier: BSD-3-Clause
 * What charts draw of a point and of a roof: rates, intensities by one kind of bytes, their spread, and what they are
 * per cycle. Pure. */
#ifndef CARM_CHART_CHART_VALUES_H
#define CARM_CHART_CHART_VALUES_H

#include "chart_parts.h"

/* Which bytes an intensity counts: those that the core asks for (all, loaded, stored), or those that pass between
 * caches and memory (all, read, written). */
enum chart_bytes { BYTES_CORE, BYTES_LOADED, BYTES_STORED, BYTES_DRAM, BYTES_DRAM_READ, BYTES_DRAM_WRITTEN };

/* Whether these are bytes that pass between caches and memory. */
bool chart_is_dram(enum chart_bytes bytes);

/* A copy of the point; its flop are replaced by its pseudo-flop where the options ask for these and the workload has
 * them. */
struct app_point chart_point(const struct app_point *point, const struct chart_options *options);

/* The point's bytes of this kind over its repetitions; n is 0 where they are not known. */
struct statistics chart_point_bytes(const struct app_point *point, enum chart_bytes bytes);

/* a / b: the quotient of the medians, and quartiles and extremes as far apart as those of `a` and `b` allow. n is 0
 * where either is not known. */
struct statistics chart_quotient(struct statistics a, struct statistics b);

/* All values of `s` times `factor`. */
struct statistics chart_scaled(struct statistics s, double factor);

/* How many bytes of this kind the roof's access pattern moves for each byte that the core asks for. 0 for a roof that
 * is of no access pattern. */
double chart_roof_share(const struct roof *roof, enum chart_bytes bytes);

/* The value of a sample in flop/s, bytes/s or s. With `per_cycle` in flop, bytes or cycles per cycle of its own clock,
 * of all its cores together; 0 where that clock is not known. */
double chart_rate(const struct sample *sample, bool per_cycle);

/* How many cores the sample's rate is of, all together. */
unsigned chart_cores(const struct sample *sample);

/* A second reading of rates in flop/s, at the right of a picture: per cycle and core. */
struct cycle_axis {
    double per_rate; /* flop/cycle of one core = flop/s × this */
    char title[64];  /* "flop/cycle at 3.24 GHz" */
};

/* Fills `out` where there is one clock and one number of cores that makes it true of all these samples: their clocks
 * are known, and no further apart than 1 %. `unit` is "flop" or "op". Else false. */
bool chart_cycle_axis(const struct sample *const *samples, size_t count, const char *unit, struct cycle_axis *out);

/* The clock, in Hz, by which rates of the point are divided to become rates per cycle: its own where it is known;
 * otherwise that of the roof that binds it, so that it stands as far below that roof as it does per second; otherwise
 * that of the ceiling of its code. 0 where none is known. */
double chart_clock_hz(const struct model *model, const struct app_point *point);

#endif
