/* SPDX-License-Identifier: BSD-3-Clause
 * From a loaded hwloc topology to the cores, caches and memory nodes of struct machine. Private to machine.c. */
#ifndef PROBE_TOPOLOGY_H
#define PROBE_TOPOLOGY_H

#include <hwloc.h>

#include "machine.h"

/* Which of our kinds each of hwloc's is; hwloc's may be more, and cores may be in none of them. */
struct kind_map {
    int hwloc_count;      /* 0: all cores are of one kind */
    unsigned to_ours[65]; /* by hwloc's index; the one at hwloc_count for cores in none */
};

/* Core objects, or PUs where hwloc knows no cores because the system does not tell which PUs share one. */
hwloc_obj_type_t topology_core_type(hwloc_topology_t topology);

/* Names and counts the kinds that have an allowed core in `out->kinds`, the fastest first. */
void kind_map_read(struct kind_map *map, hwloc_topology_t topology, hwloc_const_bitmap_t allowed, struct machine *out);
unsigned kind_map_of(const struct kind_map *map, hwloc_topology_t topology, hwloc_obj_t core);

/* Fills the counts, kinds, cores, caches and nodes of `out` from what `allowed` (PUs by OS index) leaves. `allowed`
 * must hold at least one PU of the topology. Errors: out of memory. */
bool topology_read(hwloc_topology_t topology, hwloc_const_bitmap_t allowed, struct machine *out, struct error *err);

#endif
