/* SPDX-License-Identifier: BSD-3-Clause
 * The data caches of the core kinds: which levels there are, what their instances are like, and which instance each PU
 * has. Seen from a PU: hwloc puts a cache above the core that it serves, above several cores, or below the core where
 * PUs have their own (SMT guests of QEMU; the halves of POWER9's cores), and all of these are above the PU. */
#include "topology.h"

#include <string.h>

static hwloc_obj_t cache_of(hwloc_obj_t pu, unsigned level) {
    hwloc_obj_t at = topology_next_cache(pu);
    while (at && at->attr->cache.depth != level)
        at = topology_next_cache(at);
    return at;
}

static void level_add(struct core_kind *kind, unsigned level) {
    unsigned i = 0;
    while (i < kind->cache_count && kind->caches[i].level < level)
        i++;
    if (kind->cache_count == MACHINE_MAX_CACHES || (i < kind->cache_count && kind->caches[i].level == level))
        return;
    memmove(&kind->caches[i + 1], &kind->caches[i], (kind->cache_count - i) * sizeof *kind->caches);
    kind->caches[i] = (struct cache){.level = level, .size_bytes = UINT64_MAX};
    kind->cache_count++;
}

void topology_add_cache_levels(hwloc_obj_t core, struct core_kind *kind) {
    for (hwloc_obj_t pu = topology_first_pu(core); pu; pu = topology_next_pu(core, pu))
        for (hwloc_obj_t at = topology_next_cache(pu); at; at = topology_next_cache(at))
            level_add(kind, at->attr->cache.depth);
}

void topology_pu_instances(hwloc_obj_t pu, const struct core_kind *kind, unsigned *instances) {
    for (unsigned i = 0; i < MACHINE_MAX_CACHES; i++) {
        hwloc_obj_t cache = i < kind->cache_count ? cache_of(pu, kind->caches[i].level) : NULL;
        instances[i] = cache ? cache->logical_index : MACHINE_NO_INSTANCE;
    }
}

static void shape_add(struct cache *cache, const struct cache_shape *shape) {
    unsigned i = 0;
    while (i < cache->shape_count && (cache->shapes[i].size_bytes != shape->size_bytes ||
                                      cache->shapes[i].sharing_core_count != shape->sharing_core_count))
        i++;
    if (i == MACHINE_MAX_SHAPES)
        i--; /* those beyond what fits join the last */
    if (i == cache->shape_count)
        cache->shapes[cache->shape_count++] = *shape;
    cache->shapes[i].instance_count++;
    cache->instance_count++;
}

static void instance_add(hwloc_topology_t topology, hwloc_obj_t instance, hwloc_const_bitmap_t allowed,
                         struct cache *cache) {
    const int cores = hwloc_get_nbobjs_inside_cpuset_by_type(topology, instance->cpuset, topology_core_type(topology));
    const struct cache_shape shape = {.size_bytes = instance->attr->cache.size,
                                      .associativity = instance->attr->cache.associativity,
                                      .sharing_core_count = cores > 0 ? (unsigned)cores : 0};
    shape_add(cache, &shape);
    if (!hwloc_bitmap_intersects(instance->cpuset, allowed))
        return;
    if (shape.size_bytes < cache->size_bytes) {
        cache->size_bytes = shape.size_bytes;
        cache->line_bytes = instance->attr->cache.linesize;
        cache->associativity = shape.associativity;
    }
    if (shape.sharing_core_count > cache->sharing_core_count)
        cache->sharing_core_count = shape.sharing_core_count;
}

static void instances_read(hwloc_topology_t topology, hwloc_const_bitmap_t allowed, const struct kind_map *map,
                           unsigned kind, struct cache *cache) {
    hwloc_obj_t core = NULL, before = NULL;
    while ((core = hwloc_get_next_obj_by_type(topology, topology_core_type(topology), core))) {
        if (kind_map_of(map, topology, core) != kind)
            continue;
        for (hwloc_obj_t pu = topology_first_pu(core); pu; pu = topology_next_pu(core, pu)) {
            hwloc_obj_t instance = cache_of(pu, cache->level);
            if (instance && instance != before) /* PUs of one instance stand together */
                instance_add(topology, instance, allowed, cache);
            before = instance;
        }
    }
    if (cache->shape_count == 1)
        cache->shape_count = 0;
}

void topology_read_instances(hwloc_topology_t topology, hwloc_const_bitmap_t allowed, const struct kind_map *map,
                             struct machine *out) {
    for (unsigned k = 0; k < out->kind_count; k++)
        for (unsigned i = 0; i < out->kinds[k].cache_count; i++)
            instances_read(topology, allowed, map, k, &out->kinds[k].caches[i]);
}
