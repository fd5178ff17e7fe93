/* SPDX-License-Identifier: BSD-3-Clause
 * The measured roofs of a result file for programs: how near is code to its roof? Link with -lcarmine-roofs.
 *
 *     struct carmine_roofs *roofs = carmine_roofs_open("node17.json");
 *     double best = carmine_roof_attainable(roofs, "DRAM", "f64", 0.125, CARMINE_ALL_CORES);
 *     printf("%.0f %% of the roof\n", 100 * flop / seconds / best);
 *     carmine_roofs_close(roofs);
 *
 * A result may be open several times, and several threads may read it at once. Fortran: module carmine_roofs in
 * carmine_roofs.f90. */
#ifndef CARMINE_ROOFS_H
#define CARMINE_ROOFS_H

#ifdef __cplusplus
extern "C" {
#endif

#define CARMINE_ALL_CORES 0u

struct carmine_roofs;

/* Reads a result of `carmine run`. NULL: it cannot be read, or is no result; see carmine_roofs_error(). */
struct carmine_roofs *carmine_roofs_open(const char *path);

/* Why the last carmine_roofs_open() of this thread failed; "": it did not. */
const char *carmine_roofs_error(void);

/* A roof of `threads` threads, one per core (CARMINE_ALL_CORES: all cores):
 *     "f64", "f32", …            the highest ceiling of that type, in flop/s (i8: op/s)
 *     "avx2.f64.fma"             this kernel's ceiling, in flop/s
 *     "L1", "L2", "DRAM", "HBM"  the highest bandwidth of the level, without random accesses, in bytes/s
 *     "L3 avx2.load"             this kernel's bandwidth there, in bytes/s
 *     "DRAM chase"               the latency of a load there, in a pointer chase, in s
 * Buffers are in huge pages if the system has any. Roofs of a part of a machine (a package, a memory node) are not
 * included. NaN: not measured, unknown (a blank roof may be the highest), no roofs, or `name` is NULL. */
double carmine_roof_value(const struct carmine_roofs *roofs, const char *name, unsigned threads);

/* The attainable flop/s of code with this type and intensity (flop per byte) and its data in the level: the lower of
 * the ceiling and intensity times bandwidth. NaN: either was not measured, or the intensity is negative. */
double carmine_roof_attainable(const struct carmine_roofs *roofs, const char *level, const char *type,
                               double flop_per_byte, unsigned threads);

/* Does nothing for NULL. */
void carmine_roofs_close(struct carmine_roofs *roofs);

#ifdef __cplusplus
}
#endif

#endif
