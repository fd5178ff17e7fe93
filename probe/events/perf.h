/* SPDX-License-Identifier: BSD-3-Clause
 * The kernel's own call for counters, and what its refusals mean: PAPI only says "event does not exist". */
#ifndef PROBE_PERF_H
#define PROBE_PERF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the calling thread does outside of the kernel (`cpu` -1), or everything on a CPU. Counts at once; reading the
 * descriptor gives the count and the times for which it was enabled and ran, each of 8 bytes. -1 and errno. */
int perf_open(uint32_t type, uint64_t config, int cpu);

/* Whether cycles of a constant clock can be counted, against which those of the core tell its clock: 0, or errno. */
int perf_reference_cycles(void);

/* The kernel knows counters of the cores. `root` as in osfile.h. */
bool perf_has_pmu(const char *root);

/* It tells what it has, and has none: then no permission helps. */
bool perf_lacks_pmu(const char *root);

/* Why the call failed, and what to do; `machine`: it was for the whole machine. Returns `out`. */
char *perf_refusal(int error, bool machine, char *out, size_t out_bytes);

#endif
