/* SPDX-License-Identifier: BSD-3-Clause
 * What the control groups (v2, or v1) that this process is in allow it: memory and CPU time. Containers and batch
 * systems limit with them, and the rest of the system does not show it. `root` as in osfile.h. */
#ifndef PROBE_CGROUP_H
#define PROBE_CGROUP_H

#include <stdbool.h>
#include <stdint.h>

/* How many more bytes the tightest group leaves: its limit less what is in use, file cache not counted since it yields.
 * False when no group limits. */
bool cgroup_memory_room(const char *root, uint64_t *limit_bytes, uint64_t *room_bytes);

/* How many CPUs' worth of time the tightest group grants; false when no group limits. */
bool cgroup_cpu_quota(const char *root, double *cpus);

#endif
