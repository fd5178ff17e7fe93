/* SPDX-License-Identifier: BSD-3-Clause
 * What charts draw of a point and of a roof: rates, intensities by one kind of bytes, their spread, and what they are
 * per cycle. Pure. */
#ifndef CARM_CHART_VALUES_H
#define CARM_CHART_VALUES_H

#include "chart_parts.h"

/* Which bytes an intensity is by: those that the core asks for, or those that pass between caches and memory. */
enum chart_bytes { BYTES_CORE, BYTES_LOADED, BYTES_STORED, BYTES_DRAM, BYTES_DRAM_READ, BYTES_DRAM_WRITTEN };
bool chart_is_dram(enum chart_bytes bytes);

/* The point with pseudo-flop in place of its flop, where the options ask for them and it has them. */
struct app_point chart_point(const struct app_point *point, const struct chart_options *options);

/* n is 0 where it is not known. */
struct statistics chart_point_bytes(const struct app_point *point, enum chart_bytes bytes);
struct statistics chart_quotient(struct statistics a, struct statistics b); /* each as low and as high as it may be */
struct statistics chart_scaled(struct statistics s, double factor);

/* Bytes of that kind for each byte that the pattern of access asks for; 0 of what is no pattern. */
double chart_roof_share(const struct roof *roof, enum chart_bytes bytes);

/* flop/s, bytes/s or s of a sample; per cycle of its own clock, of all its cores together, where that is asked for:
 * then 0 where its clock is not known. */
double chart_rate(const struct sample *sample, bool per_cycle);

/* The cores that a sample's rate is of together: its cores, or of one thread on each, its threads. */
unsigned chart_cores(const struct sample *sample);

/* By what a point's rates become such per cycle: its own clock, else that of the roof that binds it, so that it stands
 * as far below that as it does by time, else that of its ceiling. 0: there is none. */
double chart_clock_hz(const struct model *model, const struct app_point *point);

#endif
