/* SPDX-License-Identifier: BSD-3-Clause
 * Marks parts of a program as separate points on the roofline. Link with -lcarmine; `carmine app` measures them.
 * Without `carmine app` the marks have no effect.
 *
 *     carmine_region_begin("solve");
 *     …
 *     carmine_region_end("solve");
 *
 * Regions nest, and a region may be entered many times. A region counts the work of its thread between the marks, and
 * the work of the threads that this thread created: a mark around an OpenMP parallel region covers all of its threads,
 * and marks inside of it sum over the threads that pass them. Each begin needs its end on the same thread, the
 * innermost region first. Names are compared by the first 63 bytes of their text; a name is copied when it is needed.
 * NULL and "" are the region "(no name)".
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
