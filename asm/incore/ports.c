/* SPDX-License-Identifier: BSD-3-Clause
 * The busiest set of ports (see pipes.h): the unions of the uses' own sets are enough to try. */
#include "pipes.h"

#include <stdbool.h>

enum { SETS_MOST = 4096, KINDS_MOST = 64 };

static bool contains(const uint64_t *sets, size_t count, uint64_t set) {
    for (size_t i = 0; i < count; i++)
        if (sets[i] == set)
            return true;
    return false;
}

/* Uses of the same ports together. */
static size_t sum_by_ports(const struct core_use *uses, size_t count, struct core_use *out) {
    size_t kinds = 0;
    for (size_t i = 0; i < count; i++) {
        size_t at = 0;
        while (at < kinds && out[at].ports != uses[i].ports)
            at++;
        if (at == KINDS_MOST)
            continue;
        if (at == kinds)
            out[kinds++] = (struct core_use){uses[i].ports, 0};
        out[at].cycles += uses[i].cycles;
    }
    return kinds;
}

static size_t unions_of(const struct core_use *kinds, size_t count, uint64_t *sets) {
    size_t set_count = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t before = set_count;
        if (set_count < SETS_MOST && !contains(sets, set_count, kinds[i].ports))
            sets[set_count++] = kinds[i].ports;
        for (size_t k = 0; k < before && set_count < SETS_MOST; k++)
            if (!contains(sets, set_count, sets[k] | kinds[i].ports))
                sets[set_count++] = sets[k] | kinds[i].ports;
    }
    return set_count;
}

struct busiest_ports ports_busiest(const struct core_use *uses, size_t count) {
    struct core_use kinds[KINDS_MOST];
    uint64_t sets[SETS_MOST];
    struct busiest_ports busiest = {0};
    const size_t kind_count = sum_by_ports(uses, count, kinds), set_count = unions_of(kinds, kind_count, sets);
    for (size_t i = 0; i < set_count; i++) {
        double cycles = 0;
        for (size_t k = 0; k < kind_count; k++)
            cycles += (kinds[k].ports & ~sets[i]) == 0 ? kinds[k].cycles : 0;
        cycles /= __builtin_popcountll(sets[i]);
        const bool smaller = __builtin_popcountll(sets[i]) < __builtin_popcountll(busiest.ports);
        if (cycles > busiest.cycles * (1 + 1e-9) || (smaller && cycles > busiest.cycles * (1 - 1e-9)))
            busiest = (struct busiest_ports){sets[i], cycles};
    }
    return busiest;
}
