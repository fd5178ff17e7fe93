/* SPDX-License-Identifier: BSD-3-Clause
 * Core kinds: performance and efficient cores, through hwloc's kinds of CPU. hwloc also splits by clock and by the
 * scheduler's capacity, which differ between equal cores of one die, so kinds that only differ in that are joined. */
#include "topology.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_HWLOC_KINDS = 64 };

static int hwloc_kind_of(const struct kind_map *map, hwloc_topology_t topology, hwloc_obj_t core) {
    const int index = hwloc_cpukinds_get_by_cpuset(topology, core->cpuset, 0);
    return index < 0 || index >= map->hwloc_count ? map->hwloc_count : index;
}

unsigned kind_map_of(const struct kind_map *map, hwloc_topology_t topology, hwloc_obj_t core) {
    return map->to_ours[hwloc_kind_of(map, topology, core)];
}

/* "" when hwloc does not tell. */
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
    const char *type_a = kind_info(topology, a, "CoreType"), *type_b = kind_info(topology, b, "CoreType");
    if (strcmp(type_a, type_b) != 0 || !caches_alike(core_a, core_b))
        return false;
    if (*type_a)
        return true;
    /* Without a type, a clock that is lower by more than favoured cores gain tells dense cores from full ones. */
    const double a_mhz = strtod(kind_info(topology, a, "FrequencyMaxMHz"), NULL);
    const double b_mhz = strtod(kind_info(topology, b, "FrequencyMaxMHz"), NULL);
    return a_mhz <= 0 || b_mhz <= 0 || (a_mhz < 1.1 * b_mhz && b_mhz < 1.1 * a_mhz);
}

/* Intel's CPUID tells performance from efficient cores; otherwise a kind has only its rank. A machine may have two
 * sorts of efficient cores: "E", then "E2". */
static void kind_name(const char *type, unsigned rank, unsigned same_type_rank, struct core_kind *out) {
    const char *letter = strcmp(type, "IntelCore") == 0 ? "P" : strcmp(type, "IntelAtom") == 0 ? "E" : NULL;
    if (!letter)
        snprintf(out->name, sizeof out->name, "kind%u", rank);
    else if (same_type_rank == 1)
        snprintf(out->name, sizeof out->name, "%s", letter);
    else
        snprintf(out->name, sizeof out->name, "%s%u", letter, same_type_rank);
}

/* What hwloc's kinds are, by its index; the last, map->hwloc_count, has the cores that are in none. */
struct kind_survey {
    hwloc_obj_t first[MAX_HWLOC_KINDS + 1]; /* one core of each */
    bool used[MAX_HWLOC_KINDS + 1];         /* it has an allowed one */
    int like[MAX_HWLOC_KINDS + 1];          /* the fastest kind that it is like */
};

static void find_kinds(struct kind_map *map, hwloc_topology_t topology, hwloc_const_bitmap_t allowed,
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

/* hwloc ranks from the thriftiest to the fastest. Returns how many different kinds there are. */
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

/* The kinds with allowed cores, the fastest first; cores in no kind come last. */
static void name_kinds(struct kind_map *map, hwloc_topology_t topology, const struct kind_survey *kinds,
                       struct machine *out) {
    unsigned rank = 0;
    for (int i = map->hwloc_count - 1; i >= -1; i--) {
        const int index = i < 0 ? map->hwloc_count : i;
        const char *core_type = i < 0 ? "" : kind_info(topology, index, "CoreType");
        if (kinds->like[index] != index) {
            map->to_ours[index] = map->to_ours[kinds->like[index]];
            continue;
        }
        unsigned same_type_rank = 1;
        for (int j = map->hwloc_count - 1; j > index; j--)
            same_type_rank += kinds->like[j] == j && strcmp(kind_info(topology, j, "CoreType"), core_type) == 0;
        rank += kinds->first[index] != NULL;
        if (!kinds->used[index])
            continue;
        /* Kinds beyond what fits join the last. */
        if (out->kind_count < MACHINE_MAX_KINDS)
            kind_name(core_type, rank, same_type_rank, &out->kinds[out->kind_count++]);
        map->to_ours[index] = out->kind_count - 1;
    }
}

void kind_map_read(struct kind_map *map, hwloc_topology_t topology, hwloc_const_bitmap_t allowed, struct machine *out) {
    struct kind_survey kinds;
    memset(map, 0, sizeof *map);
    find_kinds(map, topology, allowed, &kinds);
    if (join_alike(map, topology, &kinds) > 1) {
        name_kinds(map, topology, &kinds, out);
        return;
    }
    memset(map, 0, sizeof *map);
    out->kind_count = 1;
}
