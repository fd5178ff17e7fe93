/* SPDX-License-Identifier: BSD-3-Clause
 * The measured roofs of a result file for programs: how far is this code from what the machine can do? Link with
 * -lcarmine-roofs.
 *
 *     struct carmine_roofs *roofs = carmine_roofs_open("node17.json");
 *     double best = carmine_roof_attainable(roofs, "DRAM", "f64", 0.125, CARMINE_ALL_CORES);
 *     printf("%.0f %% of the roof\n", 100 * flop / seconds / best);
 *     carmine_roofs_close(roofs);
 *
 * A result may be open as often as one likes, and be read by several threads at once. In Fortran: module carmine_roofs,
 * of carmine_roofs.f90. */
#ifndef CARMINE_ROOFS_H
#define CARMINE_ROOFS_H

#ifdef __cplusplus
extern "C" {
#endif

#define CARMINE_ALL_CORES 0u

struct carmine_roofs;

/* Reads what `carmine run` wrote. NULL: it cannot be read or is no result; carmine_roofs_error() says why. */
struct carmine_roofs *carmine_roofs_open(const char *path);

/* Why the last carmine_roofs_open() of this thread failed; "" where it did not. */
const char *carmine_roofs_error(void);

/* A roof reached by so many threads, one per core (CARMINE_ALL_CORES: by all):
 *     "f64", "f32", …            the highest ceiling of that type, in flop/s (i8: op/s)
 *     "avx2.f64.fma"             this kernel's ceiling, in flop/s
 *     "L1", "L2", "L3", "DRAM"   the highest bandwidth of the level, random accesses left out, in bytes/s
 *     "L3 avx2.load"             this kernel's bandwidth there, in bytes/s
 *     "DRAM chase"               the time of a load there that waits for the one before, in s
 * Buffers lie in huge pages where there are any. Of a part of a machine (a package, a memory node) nothing is told.
 * NaN: it was not measured, or there are no roofs, or no name (NULL). */
double carmine_roof_value(const struct carmine_roofs *roofs, const char *name, unsigned threads);

/* The flop/s that code of that type and intensity (flop per byte) can reach with its data in the level: the lower one
 * of the ceiling, and intensity times bandwidth. NaN: either was not measured. */
double carmine_roof_attainable(const struct carmine_roofs *roofs, const char *level, const char *type,
                               double flop_per_byte, unsigned threads);

/* NULL is nothing to close. */
void carmine_roofs_close(struct carmine_roofs *roofs);

#ifdef __cplusplus
}
#endif

#endif
