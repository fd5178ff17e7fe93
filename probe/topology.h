/* SPDX-License-Identifier: BSD-3-Clause
 * From a loaded hwloc topology to the cores, caches and memory nodes of struct machine. Private to machine.c and
 * topology*.c. */
#ifndef PROBE_TOPOLOGY_H
#define PROBE_TOPOLOGY_H

#include <hwloc.h>
#include <stdbool.h>

struct core;
struct core_kind;
struct machine;
struct error;

/* Maps hwloc's kinds to ours. hwloc may have more kinds, and cores may have none. */
struct kind_map {
    int hwloc_count;      /* 0: all cores are of one kind */
    unsigned to_ours[65]; /* by hwloc's index; index hwloc_count: cores without a kind */
};

/* Core objects, or PUs if hwloc knows no cores because the system does not report which PUs share one. */
hwloc_obj_type_t topology_core_type(hwloc_topology_t topology);

/* Names and counts the kinds that have an allowed core in `out->kinds`, the fastest first. */
void kind_map_read(struct kind_map *map, hwloc_topology_t topology, hwloc_const_bitmap_t allowed, struct machine *out);
unsigned kind_map_of(const struct kind_map *map, hwloc_topology_t topology, hwloc_obj_t core);

/* The CPU's next data cache outwards from an object; NULL after the last. */
hwloc_obj_t topology_next_cache(hwloc_obj_t at);

/* Size of the cache before a memory node (DRAM before persistent memory, MCDRAM before DRAM); 0: none. */
uint64_t topology_memory_side_bytes(hwloc_topology_t topology, hwloc_obj_t node);

/* A core's PUs, allowed or not, up to NULL. */
hwloc_obj_t topology_first_pu(hwloc_obj_t core);
hwloc_obj_t topology_next_pu(hwloc_obj_t core, hwloc_obj_t pu);

/* Adds the levels of a core to its kind. Later, with all levels known: their instances, and the PU's instance of
 * each level (MACHINE_MAX_CACHES of them). */
void topology_add_cache_levels(hwloc_obj_t core, struct core_kind *kind);
void topology_read_instances(hwloc_topology_t topology, hwloc_const_bitmap_t allowed, const struct kind_map *map,
                             struct machine *out);
void topology_pu_instances(hwloc_obj_t pu, const struct core_kind *kind, unsigned *instances);

/* Loads the topology from `path` (an XML file; NULL: hwloc's environment variables, else this machine); stores its
 * source, and whether it is recorded. Nothing of this machine is mixed into a recording. Errors: no topology; one
 * that this hwloc cannot read; no process to try it in. */
bool topology_open(hwloc_topology_t topology, const char *path, struct machine *out, struct error *err);

/* Fills the counts, kinds, cores, caches and nodes of `out`, limited to `allowed` (PUs by OS index), which must hold
 * at least one PU of the topology. Errors: out of memory. */
bool topology_read(hwloc_topology_t topology, hwloc_const_bitmap_t allowed, struct machine *out, struct error *err);

#endif
