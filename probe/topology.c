/* SPDX-License-Identifier: BSD-3-Clause
 * hwloc objects into cores and memory nodes (core kinds: kinds.c; caches: topology_caches.c). It reads the topology
 * only: where that came from, and what the CPU itself tells, is machine.c's. */
#include "topology.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* hwloc's subtype says what a node is made of; no subtype means ordinary memory. */
static const char *node_kind(hwloc_obj_t node) {
    static const struct {
        const char *subtype, *kind;
    } table[] = {
        {"HBM", "HBM"}, {"MCDRAM", "HBM"}, {"NVM", "NVM"}, {"CXL-DRAM", "CXL"}, {"GPUMemory", "GPU"},
    };
    /* Newer hwloc keeps it as an info attribute also where it sets no subtype. */
    const char *tier = hwloc_obj_get_info_by_name(node, "MemoryTier");
    const char *said = node->subtype ? node->subtype : tier ? tier : node->name ? node->name : "";
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(said, table[i].subtype) == 0)
            return table[i].kind;
    return "DRAM";
}

static bool nodes_read(hwloc_topology_t topology, struct machine *out, struct error *err) {
    const int total = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_NUMANODE);
    out->nodes = calloc(total > 0 ? (size_t)total : 1, sizeof *out->nodes);
    if (!out->nodes)
        return error_set(err, "no memory left to hold %d NUMA nodes", total);
    hwloc_const_nodeset_t allowed = hwloc_topology_get_allowed_nodeset(topology);
    for (int i = 0; i < total && out->node_count < MACHINE_MAX_NODES; i++) {
        hwloc_obj_t node = hwloc_get_obj_by_type(topology, HWLOC_OBJ_NUMANODE, (unsigned)i);
        if (!hwloc_bitmap_isset(allowed, node->os_index))
            continue;
        struct memory_node *to = &out->nodes[out->node_count++];
        to->os_index = node->os_index;
        to->memory_bytes = node->attr->numanode.local_memory;
        snprintf(to->kind, sizeof to->kind, "%s", node_kind(node));
        /* Such a cache is of faster memory itself, and has none before it. */
        if (strcmp(to->kind, "HBM") != 0)
            to->memory_side_cache_bytes = topology_memory_side_bytes(topology, node);
    }
    return true;
}

/* The latency from one node to another as the firmware tells it; equal for all where it does not. */
static uint64_t node_distance(struct hwloc_distances_s *distances, unsigned from_os, unsigned to_os) {
    if (!distances)
        return 0;
    int from = -1, to = -1;
    for (unsigned i = 0; i < distances->nbobjs; i++) {
        if (distances->objs[i] && distances->objs[i]->os_index == from_os)
            from = (int)i;
        if (distances->objs[i] && distances->objs[i]->os_index == to_os)
            to = (int)i;
    }
    const uint64_t most = UINT32_MAX;
    const uint64_t told =
        from < 0 || to < 0 ? most : distances->values[(unsigned)from * distances->nbobjs + (unsigned)to];
    return told < most ? told : most;
}

/* The node that a core's first touch lands on: a local one with memory, of these the one with the fewest PUs around it
 * (a node without cores is local to all), ordinary memory before other kinds (Linux gives high-bandwidth nodes no CPUs,
 * so they are not touched unasked); else the nearest that has some. */
static unsigned nearest_node(hwloc_topology_t topology, const struct machine *machine, hwloc_obj_t core,
                             struct hwloc_distances_s *distances) {
    static const uint64_t REMOTE = UINT64_C(1) << 62, OTHER_KIND = UINT64_C(1) << 61;
    const int home = core->nodeset ? hwloc_bitmap_first(core->nodeset) : -1;
    unsigned best = 0;
    uint64_t best_cost = UINT64_MAX;
    for (unsigned i = 0; i < machine->node_count; i++) {
        const struct memory_node *node = &machine->nodes[i];
        if (node->memory_bytes == 0)
            continue;
        uint64_t cost = strcmp(node->kind, "DRAM") == 0 ? 0 : OTHER_KIND;
        if (core->nodeset && hwloc_bitmap_isset(core->nodeset, node->os_index))
            cost += (uint64_t)hwloc_bitmap_weight(hwloc_get_numanode_obj_by_os_index(topology, node->os_index)->cpuset);
        else
            cost += REMOTE + (home < 0 ? 0 : node_distance(distances, (unsigned)home, node->os_index));
        if (cost < best_cost) {
            best = i;
            best_cost = cost;
        }
    }
    return best;
}

/* A node that no core is nearest to (high-bandwidth memory, an expansion card) has cores around it all the same. */
static void near_nodes(hwloc_topology_t topology, struct machine *out, struct hwloc_distances_s *distances) {
    for (unsigned i = 0; i < out->node_count; i++) {
        hwloc_obj_t node = hwloc_get_numanode_obj_by_os_index(topology, out->nodes[i].os_index);
        uint64_t best_cost = UINT64_MAX;
        for (unsigned j = 0; j < out->node_count; j++) {
            if (out->nodes[j].core_count == 0)
                continue;
            hwloc_obj_t other = hwloc_get_numanode_obj_by_os_index(topology, out->nodes[j].os_index);
            const bool around = hwloc_bitmap_intersects(node->cpuset, other->cpuset);
            const uint64_t cost = i == j ? 0
                                         : 1 + node_distance(distances, other->os_index, node->os_index) +
                                               (around ? 0 : UINT64_C(1) << 40);
            if (cost < best_cost) {
                out->nodes[i].near_node = j;
                best_cost = cost;
            }
        }
    }
}

static void core_read(hwloc_topology_t topology, hwloc_obj_t from, hwloc_const_bitmap_t allowed,
                      const struct machine *machine, struct core *to) {
    hwloc_obj_t package = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_PACKAGE, from);
    to->package = package ? package->logical_index : 0;
    for (hwloc_obj_t pu = topology_first_pu(from); pu; pu = topology_next_pu(from, pu)) {
        if (!hwloc_bitmap_isset(allowed, pu->os_index))
            continue;
        if (to->pu_count < MACHINE_MAX_PUS) {
            to->pus[to->pu_count] = pu->os_index;
            topology_pu_instances(pu, &machine->kinds[to->kind], to->cache_instance[to->pu_count]);
        }
        to->pu_count++;
    }
}

bool topology_read(hwloc_topology_t topology, hwloc_const_bitmap_t allowed, struct machine *out, struct error *err) {
    const hwloc_obj_type_t type = topology_core_type(topology);
    const int core_total = hwloc_get_nbobjs_by_type(topology, type);
    const int package_total = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PACKAGE);
    out->machine_core_count = core_total > 0 ? (unsigned)core_total : 0;
    out->package_count = package_total > 0 ? (unsigned)package_total : 1;
    out->pu_count = (unsigned)hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU);
    out->allowed_pu_count = (unsigned)hwloc_bitmap_weight(allowed);
    if (!nodes_read(topology, out, err))
        return false;

    struct kind_map map;
    kind_map_read(&map, topology, allowed, out);

    out->cores = calloc(out->machine_core_count, sizeof *out->cores);
    if (!out->cores)
        return error_set(err, "no memory left to hold %u cores", out->machine_core_count);
    unsigned distance_count = 1;
    struct hwloc_distances_s *distances = NULL;
    if (hwloc_distances_get_by_name(topology, "NUMALatency", &distance_count, &distances, 0) < 0 || distance_count < 1)
        distances = NULL;
    hwloc_obj_t from = NULL;
    while ((from = hwloc_get_next_obj_by_type(topology, type, from))) {
        if (!hwloc_bitmap_intersects(from->cpuset, allowed))
            continue;
        struct core *core = &out->cores[out->core_count++];
        core->kind = kind_map_of(&map, topology, from);
        core->node = nearest_node(topology, out, from, distances);
        out->kinds[core->kind].core_count++;
        if (core->node < out->node_count)
            out->nodes[core->node].core_count++;
        topology_add_cache_levels(from, &out->kinds[core->kind]);
    }
    near_nodes(topology, out, distances);
    if (distances)
        hwloc_distances_release(topology, distances);

    /* Which caches a kind has is known only after all its cores were seen. */
    unsigned i = 0;
    for (from = NULL; (from = hwloc_get_next_obj_by_type(topology, type, from));)
        if (hwloc_bitmap_intersects(from->cpuset, allowed))
            core_read(topology, from, allowed, out, &out->cores[i++]);
    topology_read_instances(topology, allowed, &map, out);
    return true;
}
