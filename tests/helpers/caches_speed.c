/* SPDX-License-Identifier: BSD-3-Clause
 * Speed of simulated caches, in nanoseconds per access to a line: `caches_speed [ROUNDS]`. The shortest round counts,
 * because other programs may load the machine. See tests/speed/caches. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "bench/caches/hierarchy.h"

enum { BATCH = 4096, OWNERS = 64, ARRAY_LINES = 1 << 20 };

/* One core of a server: private 48 KiB and 2 MiB, shared 30 MiB. */
static const struct hierarchy_geometry MACHINE = {
    .level_count = 3,
    .levels = {{1, 64, 12, CONTENT_FREE, 1, 0},
               {2, 2048, 16, CONTENT_FREE, 1, 0},
               {3, 24576, 20, CONTENT_VICTIM, 8, 0}},
    .tlbs = {{1, 96}, {128, 16}},
};

/* One access to each line, through as many arrays in turn as the pattern has; the last array is stored to. */
static const struct pattern {
    const char *name;
    uint64_t lines; /* of each array, before it starts again */
    unsigned arrays;
    bool random;
} PATTERNS[] = {
    {"the same line", 1, 1, false},
    {"128 lines", 128, 1, false},
    {"the same 4 lines", 2, 2, false},
    {"triad out of L1", 128, 3, false},
    {"triad out of L2", 4096, 3, false},
    {"triad out of L3", 100000, 3, false},
    {"triad out of memory", ARRAY_LINES, 3, false},
    {"random, 1 MiB", 16384, 1, true},
    {"random, 64 MiB", ARRAY_LINES, 1, true},
};

/* In huge pages if available: the sets of a last level lie far apart. */
static void *zeroed(size_t bytes) {
    const size_t page = 2 << 20, all = (bytes + page - 1) / page * page;
    void *memory = aligned_alloc(page, all);
    if (!memory)
        abort();
    madvise(memory, all, MADV_HUGEPAGE);
    return memset(memory, 0, all);
}

static void fill(struct memory_access *batch, const struct pattern *pattern, uint64_t *step) {
    for (unsigned i = 0; i < BATCH; i++, ++*step) {
        const unsigned array = (unsigned)(*step % pattern->arrays);
        uint64_t line = *step / pattern->arrays % pattern->lines;
        if (pattern->random)
            line = (*step * 0x9e3779b97f4a7c15u >> 20) * 0xbf58476d1ce4e5b9u % pattern->lines;
        batch[i] = (struct memory_access){(1ull << 30) * (array + 1) + array * 4096 * 17 + line * 64, array, 64,
                                          array == 2 ? ACCESS_STORE : ACCESS_LOAD};
    }
}

static double now_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The first pass fills the caches. */
static double ns_per_access(const struct pattern *pattern, unsigned one_of, const struct hierarchy_geometry *machine) {
    static struct hierarchy_thread thread;
    struct hierarchy_cache caches[HIERARCHY_LEVELS_MAX];
    struct memory_access batch[BATCH];
    void *taken[8];
    unsigned count = 0;
    memset(&thread, 0, sizeof thread);
    sampling_init(&thread.sampling, one_of, 7);
    thread.level_count = machine->level_count;
    for (unsigned i = 0; i < machine->level_count; i++) {
        taken[count] = zeroed(hierarchy_cache_bytes(&machine->levels[i], &thread.sampling));
        hierarchy_cache_init(&caches[i], &machine->levels[i], &thread.sampling, taken[count++]);
        thread.levels[i] = &caches[i];
    }
    translation_init(&thread.translation, machine->tlbs, taken[count++] = zeroed(translation_bytes(machine->tlbs)));
    thread.owner_count = OWNERS;
    thread.counts = taken[count++] = zeroed(sizeof *thread.counts * OWNERS * SAMPLING_GROUPS_MAX);
    const uint64_t warm = pattern->lines * pattern->arrays, timed = 1 << 20;
    uint64_t step = 0;
    double spent_s = 0;
    while (step < warm + timed) {
        const bool counts = step >= warm;
        fill(batch, pattern, &step);
        const double began_s = now_s();
        hierarchy_take(&thread, batch, BATCH);
        spent_s += counts ? now_s() - began_s : 0;
    }
    for (unsigned i = 0; i < count; i++)
        free(taken[i]);
    return spent_s / (double)timed * 1e9;
}

int main(int argc, char **argv) {
    const int rounds = argc > 1 ? atoi(argv[1]) : 3;
    static const unsigned ONE_OF[] = {1, 4, 16, 64};
    struct hierarchy_geometry without_tlbs = MACHINE;
    memset(without_tlbs.tlbs, 0, sizeof without_tlbs.tlbs);
    printf("%-22s %9s %9s %9s %9s %14s\n", "ns per access", "1 of 1", "1 of 4", "1 of 16", "1 of 64", "1 of 1, no TLB");
    for (size_t p = 0; p < sizeof PATTERNS / sizeof *PATTERNS; p++) {
        printf("%-22s", PATTERNS[p].name);
        for (unsigned way = 0; way < 5; way++) {
            double least = 1e30;
            for (int round = 0; round < rounds; round++) {
                const double ns =
                    ns_per_access(&PATTERNS[p], way < 4 ? ONE_OF[way] : 1, way < 4 ? &MACHINE : &without_tlbs);
                least = ns < least ? ns : least;
            }
            printf(way < 4 ? " %9.2f" : " %14.2f", least);
            fflush(stdout);
        }
        puts("");
    }
    return 0;
}
