/* SPDX-License-Identifier: BSD-3-Clause
 * Marks for the parts of a program that are to be points of their own on the roofline. Link with -lcarmine; run the
 * program under `carmine app` to have them measured. Run by itself, the program does what it does without them.
 *
 *     carmine_region_begin("solve");
 *     …
 *     carmine_region_end("solve");
 *
 * Regions nest, and a region may be entered many times. What a thread does between its marks counts, and so does what
 * the threads that it created do meanwhile: a mark around an OpenMP parallel region covers all of its threads, and
 * marks inside of it sum over the threads that pass them. Each begin needs its end on the same thread, the innermost
 * region first. Names are compared by their text, of which the first 63 bytes count; a name is copied when it is
 * needed. NULL and "" are the region "(no name)".
 *
 * In Fortran: module carmine, of carmine.f90.
 *
 * The marks are also SSC marks 0x111 and 0x222 (Intel SDE's -start_ssc_mark and -stop_ssc_mark). */
#ifndef CARMINE_H
#define CARMINE_H

#ifdef __cplusplus
extern "C" {
#endif

void carmine_region_begin(const char *name);
void carmine_region_end(const char *name);

#ifdef __cplusplus
}
#endif

#endif
