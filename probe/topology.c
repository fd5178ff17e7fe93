/* SPDX-License-Identifier: BSD-3-Clause
 * Turns hwloc objects into cores and memory nodes. It only reads the topology; machine.c owns the topology's source
 * and the CPU's own data. */
#include "topology.h"
#include "memory_kind.h"
#include "error.h"
#include "machine.h"
#include "midr.h"

#include <ctype.h>
#include <hwloc/memattrs.h>
#include <stdlib.h>
#include <string.h>

/* Maps hwloc's kinds to ours. hwloc may have more kinds, and cores may have none. */
struct kind_map {
    int hwloc_count;      /* 0: all cores are of one kind */
    unsigned to_ours[65]; /* by hwloc's index; index hwloc_count: cores without a kind */
};

/* Walks through hwloc's tree: the cores, the PUs of a core, the caches of a PU, outwards. */

/* Core objects, or PUs if hwloc knows no cores because the system does not report which PUs share one. */
static hwloc_obj_type_t topology_core_type(hwloc_topology_t topology) {
    return hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE) > 0 ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
}

/* Up to 2.0, hwloc took memory that caches memory (MCDRAM before DRAM) for a cache level of the CPU. */
static bool is_before_memory(hwloc_obj_t cache) {
    return cache->subtype && strcmp(cache->subtype, "MemorySideCache") == 0;
}

/* Some systems report 0 for an unknown size. No core has a cache beyond these sizes, and a plan finds none that fits.
 */
static bool has_size(hwloc_obj_t cache) {
    return cache->attr->cache.size >= UINT64_C(1) << 10 && cache->attr->cache.size <= UINT64_C(1) << 40;
}

/* The CPU's next data cache outwards from an object; NULL after the last. */
static hwloc_obj_t topology_next_cache(hwloc_obj_t at) {
    do
        at = at->parent;
    while (at && (!hwloc_obj_type_is_dcache(at->type) || !has_size(at) || is_before_memory(at)));
    return at;
}

/* Size of the cache before a memory node (DRAM before persistent memory, MCDRAM before DRAM); 0: none. */
static uint64_t topology_memory_side_bytes(hwloc_topology_t topology, hwloc_obj_t node) {
    uint64_t bytes = 0;
    for (hwloc_obj_t at = node->parent; at && at->type == HWLOC_OBJ_MEMCACHE; at = at->parent)
        bytes = at->attr->cache.size;
    hwloc_obj_t cache = NULL;
    while ((cache = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_L3CACHE, cache)))
        if (is_before_memory(cache) && hwloc_bitmap_isincluded(cache->cpuset, node->cpuset))
            bytes += cache->attr->cache.size;
    return bytes;
}

static hwloc_obj_t topology_first_pu(hwloc_obj_t core) {
    while (core->first_child)
        core = core->first_child;
    return core;
}

/* A core's PUs, allowed or not, up to NULL. */
static hwloc_obj_t topology_next_pu(hwloc_obj_t core, hwloc_obj_t pu) {
    pu = pu->next_cousin;
    return pu && hwloc_bitmap_isset(core->cpuset, pu->os_index) ? pu : NULL;
}

const char *topology_identity(hwloc_topology_t topology, const char *name) {
    hwloc_obj_t package = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PACKAGE, 0);
    const char *value = package ? hwloc_obj_get_info_by_name(package, name) : NULL;
    if (!value)
        value = hwloc_obj_get_info_by_name(hwloc_get_root_obj(topology), name);
    return value ? value : "";
}

/* Core kinds: performance and efficient cores, from hwloc's kinds of CPU. hwloc also splits by clock and by the
 * scheduler's capacity, which differ between equal cores of one die, so kinds that differ only in these are joined. */

enum { MAX_HWLOC_KINDS = 64 };

static int hwloc_kind_of(const struct kind_map *map, hwloc_topology_t topology, hwloc_obj_t core) {
    const int index = hwloc_cpukinds_get_by_cpuset(topology, core->cpuset, 0);
    return index < 0 || index >= map->hwloc_count ? map->hwloc_count : index;
}

static unsigned kind_map_of(const struct kind_map *map, hwloc_topology_t topology, hwloc_obj_t core) {
    return map->to_ours[hwloc_kind_of(map, topology, core)];
}

/* "" when hwloc has none. */
static const char *kind_info(hwloc_topology_t topology, int index, const char *name) {
    unsigned info_count = 0;
    struct hwloc_info_s *infos = NULL;
    if (hwloc_cpukinds_get_info(topology, (unsigned)index, NULL, NULL, &info_count, &infos, 0) < 0)
        return "";
    for (unsigned i = 0; i < info_count; i++)
        if (strcmp(infos[i].name, name) == 0)
            return infos[i].value;
    return "";
}

/* hwloc's types of cores with our names, the most specific first: low-power cores may have two types. */
static const char LOW_POWER[] = "LP-E";
static const struct {
    const char *type, *name;
} CORE_TYPES[] = {{"IntelLowPower", LOW_POWER}, {"IntelAtom", "E"},    {"IntelCore", "P"},
                  {"AMDEfficiency", "E"},       {"AMDEfficieny", "E"}, {"AMDPerformance", "P"}}; /* hwloc's spelling */
enum { CORE_TYPE_COUNT = sizeof CORE_TYPES / sizeof *CORE_TYPES };

static const char *type_of_infos(const struct hwloc_info_s *infos, unsigned count) {
    for (size_t row = 0; row < CORE_TYPE_COUNT; row++)
        for (unsigned i = 0; i < count; i++)
            if (strcmp(infos[i].name, "CoreType") == 0 && strcmp(infos[i].value, CORE_TYPES[row].type) == 0)
                return CORE_TYPES[row].name;
    return NULL;
}

/* Of a kind, or of the whole machine. */
static const char *part_info(hwloc_topology_t topology, int index, const char *name) {
    const char *own = kind_info(topology, index, name), *package = topology_identity(topology, name);
    return *own ? own : package;
}

/* The name of a kind's type: of P and E cores, or of Arm's part; NULL: hwloc has none. */
static const char *kind_type(hwloc_topology_t topology, int index) {
    unsigned info_count = 0;
    struct hwloc_info_s *infos = NULL;
    if (hwloc_cpukinds_get_info(topology, (unsigned)index, NULL, NULL, &info_count, &infos, 0) < 0)
        return NULL;
    const char *part = kind_info(topology, index, "CPUPart");
    if (!*part)
        return type_of_infos(infos, info_count);
    const char *name = midr_part_name(midr_of_texts(part_info(topology, index, "CPUImplementer"), "", part, ""));
    return name ? name : part;
}

static bool types_alike(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

static unsigned caches_above(hwloc_obj_t core) {
    unsigned count = 0;
    for (hwloc_obj_t at = topology_next_cache(topology_first_pu(core)); at; at = topology_next_cache(at))
        count++;
    return count;
}

static bool caches_alike(hwloc_obj_t core_a, hwloc_obj_t core_b) {
    hwloc_obj_t a = topology_first_pu(core_a), b = topology_first_pu(core_b);
    for (;;) {
        a = topology_next_cache(a);
        b = topology_next_cache(b);
        if (!a || !b)
            return a == b;
        /* From the third level on sizes differ between dies with equal cores. */
        if (a->attr->cache.depth != b->attr->cache.depth ||
            (a->attr->cache.depth < 3 && a->attr->cache.size != b->attr->cache.size))
            return false;
    }
}

static bool kinds_alike(hwloc_topology_t topology, int a, hwloc_obj_t core_a, int b, hwloc_obj_t core_b) {
    const char *type = kind_type(topology, a);
    if (!types_alike(type, kind_type(topology, b)) || !caches_alike(core_a, core_b))
        return false;
    if (type && !*kind_info(topology, a, "CPUPart"))
        return true;
    /* Without a type the clock distinguishes dense from full cores, and clusters of one part of Arm's: it differs by
     * more than favoured cores gain. */
    const double a_mhz = strtod(kind_info(topology, a, "FrequencyMaxMHz"), NULL);
    const double b_mhz = strtod(kind_info(topology, b, "FrequencyMaxMHz"), NULL);
    return a_mhz <= 0 || b_mhz <= 0 || (a_mhz < 1.1 * b_mhz && b_mhz < 1.1 * a_mhz);
}

/* A type's name, from the second kind on with a number; without a type the rank. Arm's names may end in a digit. */
static void kind_name(const char *name, unsigned rank, unsigned same_name_rank, struct core_kind *out) {
    if (!name)
        snprintf(out->name, sizeof out->name, "kind%u", rank);
    else if (same_name_rank == 1)
        snprintf(out->name, sizeof out->name, "%s", name);
    else
        snprintf(out->name, sizeof out->name, "%s%s%u", name, isdigit((unsigned char)name[strlen(name) - 1]) ? "-" : "",
                 same_name_rank);
}

/* hwloc's kinds by their index; the last, map->hwloc_count, holds the cores without a kind. */
struct kind_survey {
    hwloc_obj_t first[MAX_HWLOC_KINDS + 1]; /* one core of each */
    bool used[MAX_HWLOC_KINDS + 1];         /* an allowed one exists */
    int like[MAX_HWLOC_KINDS + 1];          /* index of the fastest equal kind */
};

static void topology_find_kinds(struct kind_map *map, hwloc_topology_t topology, hwloc_const_bitmap_t allowed,
                                struct kind_survey *out) {
    const hwloc_obj_type_t type = topology_core_type(topology);
    const int count = hwloc_cpukinds_get_nr(topology, 0);
    *out = (struct kind_survey){0};
    if (count <= 1 || count > MAX_HWLOC_KINDS)
        return;
    map->hwloc_count = count;
    for (hwloc_obj_t core = NULL; (core = hwloc_get_next_obj_by_type(topology, type, core));) {
        const int index = hwloc_kind_of(map, topology, core);
        if (!out->first[index])
            out->first[index] = core;
        out->used[index] |= hwloc_bitmap_intersects(core->cpuset, allowed) != 0;
    }
}

/* hwloc ranks kinds from the most efficient to the fastest. Returns the number of different kinds. */
static unsigned join_alike(const struct kind_map *map, hwloc_topology_t topology, struct kind_survey *kinds) {
    const int none = map->hwloc_count;
    unsigned different = kinds->first[none] != NULL;
    kinds->like[none] = none;
    for (int i = none - 1; i >= 0; i--) {
        int *like = &kinds->like[i];
        *like = i;
        for (int j = none - 1; j > i && *like == i; j--)
            if (kinds->first[i] && kinds->first[j] && kinds_alike(topology, i, kinds->first[i], j, kinds->first[j]))
                *like = j;
        kinds->used[*like] |= kinds->used[i];
        different += *like == i && kinds->first[i];
    }
    return different;
}

/* The name of a kind's type; NULL: it has none. Efficient cores without the last cache of others are low-power ones,
 * which only newer hwloc distinguishes (its pull request 758). */
static const char *name_of_type(const struct kind_map *map, hwloc_topology_t topology, const struct kind_survey *kinds,
                                int index) {
    const char *name = index < map->hwloc_count ? kind_type(topology, index) : NULL;
    for (int j = map->hwloc_count - 1; j > index && types_alike(name, "E"); j--)
        if (kinds->like[j] == j && kinds->first[j] && types_alike(kind_type(topology, j), name) &&
            caches_above(kinds->first[j]) > caches_above(kinds->first[index]))
            name = LOW_POWER;
    return name;
}

/* The kinds with allowed cores, the fastest first; cores without a kind come last. */
static void name_kinds(struct kind_map *map, hwloc_topology_t topology, const struct kind_survey *kinds,
                       struct machine *out) {
    unsigned rank = 0;
    for (int i = map->hwloc_count - 1; i >= -1; i--) {
        const int index = i < 0 ? map->hwloc_count : i;
        const char *name = name_of_type(map, topology, kinds, index);
        if (kinds->like[index] != index) {
            map->to_ours[index] = map->to_ours[kinds->like[index]];
            continue;
        }
        unsigned same_name_rank = 1;
        for (int j = map->hwloc_count - 1; j > index; j--)
            same_name_rank += kinds->like[j] == j && types_alike(name_of_type(map, topology, kinds, j), name);
        rank += kinds->first[index] != NULL;
        if (!kinds->used[index])
            continue;
        /* Kinds that do not fit join the last one. */
        if (out->kind_count < MACHINE_MAX_KINDS)
            kind_name(name, rank, same_name_rank, &out->kinds[out->kind_count++]);
        map->to_ours[index] = out->kind_count - 1;
    }
}

/* Names and counts the kinds that have an allowed core in `out->kinds`, the fastest first. */
static void kind_map_read(struct kind_map *map, hwloc_topology_t topology, hwloc_const_bitmap_t allowed,
                          struct machine *out) {
    struct kind_survey kinds;
    memset(map, 0, sizeof *map);
    topology_find_kinds(map, topology, allowed, &kinds);
    if (join_alike(map, topology, &kinds) > 1) {
        name_kinds(map, topology, &kinds, out);
        return;
    }
    memset(map, 0, sizeof *map);
    out->kind_count = 1;
}

/* The data caches of the core kinds: the levels, their instances, and the instance of each PU. The search starts at
 * a PU: hwloc puts a cache above its core, above several cores, or below the core if PUs have their own (SMT guests
 * of QEMU; the halves of POWER9's cores). All of these are above the PU. */

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

static void topology_add_cache_levels(hwloc_obj_t core, struct core_kind *kind) {
    for (hwloc_obj_t pu = topology_first_pu(core); pu; pu = topology_next_pu(core, pu))
        for (hwloc_obj_t at = topology_next_cache(pu); at; at = topology_next_cache(at))
            level_add(kind, at->attr->cache.depth);
}

/* The instance of each level (MACHINE_MAX_CACHES of them). */
static void topology_pu_instances(hwloc_obj_t pu, const struct core_kind *kind, unsigned *instances) {
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
        i--; /* instances that do not fit join the last shape */
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
            if (instance && instance != before) /* PUs of one instance have adjacent indices */
                instance_add(topology, instance, allowed, cache);
            before = instance;
        }
    }
    if (cache->shape_count == 1)
        cache->shape_count = 0;
}

static void topology_read_instances(hwloc_topology_t topology, hwloc_const_bitmap_t allowed, const struct kind_map *map,
                                    struct machine *out) {
    for (unsigned k = 0; k < out->kind_count; k++)
        for (unsigned i = 0; i < out->kinds[k].cache_count; i++)
            instances_read(topology, allowed, map, k, &out->kinds[k].caches[i]);
}

/* Bytes/s or another unit, as the firmware states it to the CPUs near the node (ACPI HMAT); 0: not stated. */
static hwloc_uint64_t stated_bandwidth(hwloc_topology_t topology, hwloc_obj_t node) {
    struct hwloc_location near = {.type = HWLOC_LOCATION_TYPE_CPUSET, .location.cpuset = node->cpuset};
    hwloc_uint64_t value = 0;
    return hwloc_memattr_get_value(topology, HWLOC_MEMATTR_ID_BANDWIDTH, node, &near, 0, &value) < 0 ? 0 : value;
}

/* A second node of the same CPUs, with at least twice the bandwidth of the first. Newer hwloc names such nodes. */
static bool is_fast_node(hwloc_topology_t topology, hwloc_obj_t node) {
    const hwloc_uint64_t own = stated_bandwidth(topology, node);
    bool fast = false;
    for (hwloc_obj_t first = NULL; (first = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, first));) {
        const hwloc_uint64_t other = stated_bandwidth(topology, first);
        fast |= first->os_index < node->os_index && hwloc_bitmap_isequal(first->cpuset, node->cpuset) && other > 0 &&
                own >= 2 * other;
    }
    return fast;
}

/* hwloc's subtype gives the kind of memory; no subtype means ordinary memory. */
static const char *node_kind(hwloc_topology_t topology, hwloc_obj_t node) {
    static const struct {
        const char *subtype, *kind;
    } table[] = {
        {"HBM", "HBM"},     {"MCDRAM", "HBM"},   {"NVM", "NVM"},
        {"CXL-NVM", "NVM"}, {"CXL-DRAM", "CXL"}, {"GPUMemory", "GPU"},
    };
    /* Newer hwloc also stores it as an info attribute, even if it sets no subtype. */
    const char *tier = hwloc_obj_get_info_by_name(node, "MemoryTier");
    const char *said = node->subtype ? node->subtype : tier ? tier : node->name ? node->name : "";
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(said, table[i].subtype) == 0)
            return table[i].kind;
    return !*said && is_fast_node(topology, node) ? "HBM" : "DRAM";
}

static bool nodes_read(hwloc_topology_t topology, struct machine *out, struct error *err) {
    const int total = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_NUMANODE);
    out->nodes = calloc(total > 0 ? (size_t)total : 1, sizeof *out->nodes);
    if (!out->nodes)
        return error_set(err, "no memory left for %d NUMA nodes", total);
    hwloc_const_nodeset_t allowed = hwloc_topology_get_allowed_nodeset(topology);
    for (int i = 0; i < total && out->node_count < MACHINE_MAX_NODES; i++) {
        hwloc_obj_t node = hwloc_get_obj_by_type(topology, HWLOC_OBJ_NUMANODE, (unsigned)i);
        if (!hwloc_bitmap_isset(allowed, node->os_index))
            continue;
        struct memory_node *to = &out->nodes[out->node_count++];
        to->os_index = node->os_index;
        to->memory_bytes = node->attr->numanode.local_memory;
        snprintf(to->kind, sizeof to->kind, "%s", node_kind(topology, node));
        /* Such a cache consists of fast memory itself and has none before it. */
        if (!memory_kind_of(to->kind)->fast)
            to->memory_side_cache_bytes = topology_memory_side_bytes(topology, node);
    }
    return true;
}

/* The latency from one node to another according to the firmware; equal for all if it gives none. */
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

/* The node that a core's first touch lands on. It is a local node with memory: the one with the fewest PUs around it
 * (a node without cores is local to all), ordinary memory before other kinds (Linux gives high-bandwidth nodes no
 * CPUs, so the default policy does not touch them). Otherwise it is the nearest node with memory. */
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
        uint64_t cost = memory_kind_of(node->kind)->ordinary ? 0 : OTHER_KIND;
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

/* A node that is nearest to no core (high-bandwidth memory, an expansion card) still has cores around it. */
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
        return error_set(err, "no memory left for %u cores", out->machine_core_count);
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

    /* The caches of a kind are known only after all its cores. */
    unsigned i = 0;
    for (from = NULL; (from = hwloc_get_next_obj_by_type(topology, type, from));)
        if (hwloc_bitmap_intersects(from->cpuset, allowed))
            core_read(topology, from, allowed, out, &out->cores[i++]);
    topology_read_instances(topology, allowed, &map, out);
    return true;
}

bool topology_midr(hwloc_topology_t topology, unsigned pu, uint32_t *out) {
    hwloc_obj_t object = hwloc_get_pu_obj_by_os_index(topology, pu);
    const int kind = object ? hwloc_cpukinds_get_by_cpuset(topology, object->cpuset, 0) : -1;
    const char *implementer = part_info(topology, kind, "CPUImplementer"), *part = part_info(topology, kind, "CPUPart");
    *out = midr_of_texts(implementer, part_info(topology, kind, "CPUVariant"), part,
                         part_info(topology, kind, "CPURevision"));
    return *implementer && *part;
}
