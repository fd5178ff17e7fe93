/* SPDX-License-Identifier: BSD-3-Clause
 * Limits on memory and CPU time set by the control groups (v2 or v1) of this process. Containers and batch systems
 * use them, and the rest of the system does not show them. `root` as in osfile.h. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Bytes left in the tightest group: its limit minus its usage. File cache does not count as usage, since the kernel
 * reclaims it. False when no group has a limit. */
bool cgroup_memory_room(const char *root, uint64_t *limit_bytes, uint64_t *room_bytes);

/* CPU time that the tightest group grants, in CPUs; false when no group has a limit. */
bool cgroup_cpu_quota(const char *root, double *cpus);
