/* SPDX-License-Identifier: BSD-3-Clause
 * The kernel's own counter interface, and the meaning of its errors: PAPI only reports "event does not exist". */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Counts the calling thread in user mode (`cpu` -1), or everything on a CPU. Counts at once; reading the descriptor
 * gives the count and the enabled and running times, each of 8 bytes. Returns -1 and sets errno on failure. */
int perf_open(uint32_t type, uint64_t config, int cpu);

/* Whether reference cycles, which have a constant clock, can be counted: with the core's cycles they give its clock.
 * 0, or errno. */
int perf_reference_cycles(void);

/* The kernel has a PMU driver for the cores. `root` as in osfile.h. */
bool perf_has_pmu(const char *root);

/* The kernel lists its PMUs, and none is for the cores: then no permission helps. */
bool perf_lacks_pmu(const char *root);

/* Why the call failed, and the remedy; `machine`: the call was for the whole machine. Returns `out`. */
char *perf_refusal(int error, bool machine, char *out, size_t out_bytes);
