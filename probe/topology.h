/* SPDX-License-Identifier: BSD-3-Clause
 * From a loaded hwloc topology to the cores, caches and memory nodes of struct machine. Private to machine.c and
 * topology*.c. */
#pragma once

#include <hwloc.h>
#include <stdbool.h>
#include <stdint.h>

struct core;
struct core_kind;
struct machine;
struct error;

/* Loads the topology from `path` (an XML file; NULL: hwloc's environment variables, else this machine); stores its
 * source, and whether it is recorded. Nothing of this machine is mixed into a recording. Errors: no topology; one
 * that this hwloc cannot read; no process to try it in. */
bool topology_open(hwloc_topology_t topology, const char *path, struct machine *out, struct error *err);

/* Fills the counts, kinds, cores, caches and nodes of `out`, limited to `allowed` (PUs by OS index), which must hold
 * at least one PU of the topology. Errors: out of memory. */
bool topology_read(hwloc_topology_t topology, hwloc_const_bitmap_t allowed, struct machine *out, struct error *err);

/* What the topology says of the CPU, on the package or (on some systems) the machine: "CPUModel"; "": nothing. */
const char *topology_identity(hwloc_topology_t topology, const char *name);

/* The MIDR_EL1 of a PU, by OS index; false: not one of Arm, or nothing says it. */
bool topology_midr(hwloc_topology_t topology, unsigned pu, uint32_t *out);
