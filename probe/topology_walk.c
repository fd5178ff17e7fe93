/* SPDX-License-Identifier: BSD-3-Clause
 * Ways through hwloc's tree: the cores, the PUs of a core, the caches that a PU has, outwards. */
#include "topology.h"

#include <string.h>

hwloc_obj_type_t topology_core_type(hwloc_topology_t topology) {
    return hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE) > 0 ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
}

/* Up to 2.0, hwloc made a level of the CPU's of memory that caches memory (MCDRAM before DRAM). */
static bool is_before_memory(hwloc_obj_t cache) {
    return cache->subtype && strcmp(cache->subtype, "MemorySideCache") == 0;
}

hwloc_obj_t topology_next_cache(hwloc_obj_t at) {
    do
        at = at->parent;
    while (at && (!hwloc_obj_type_is_dcache(at->type) || at->attr->cache.size == 0 || is_before_memory(at)));
    return at;
}

uint64_t topology_memory_side_bytes(hwloc_topology_t topology, hwloc_obj_t node) {
    uint64_t bytes = 0;
    for (hwloc_obj_t at = node->parent; at && at->type == HWLOC_OBJ_MEMCACHE; at = at->parent)
        bytes = at->attr->cache.size;
    hwloc_obj_t cache = NULL;
    while ((cache = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_L3CACHE, cache)))
        if (is_before_memory(cache) && hwloc_bitmap_isincluded(cache->cpuset, node->cpuset))
            bytes += cache->attr->cache.size;
    return bytes;
}

hwloc_obj_t topology_first_pu(hwloc_obj_t core) {
    while (core->first_child)
        core = core->first_child;
    return core;
}

hwloc_obj_t topology_next_pu(hwloc_obj_t core, hwloc_obj_t pu) {
    pu = pu->next_cousin;
    return pu && hwloc_bitmap_isset(core->cpuset, pu->os_index) ? pu : NULL;
}
