/* SPDX-License-Identifier: BSD-3-Clause
 * Accesses at known addresses, executed or simulated: `caches_trace run|simulate LOOP`. Simulated, it prints the counts
 * of L1 (32 KiB, 8 ways) and of a last level (1 MiB, 16 ways) in callgrind's words: misses by reads and by writes, and
 * changed lines written back to memory. Executed, all accesses are in accesses(), for a tool to count. See
 * tests/cli/programs/cli_caches.sh. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "bench/caches/hierarchy.h"

enum { BYTES = 8 << 20, ACCESSES_MAX = 1 << 20 };
static char *const MEMORY = (char *)(1ull << 36);

/* Behind the memory: in which sets they are does not change from run to run. */
static struct access_step {
    uint32_t offset;
    bool store;
} *const steps = (struct access_step *)((1ull << 36) + BYTES);
static unsigned step_count;

static void add(uint64_t element, bool store) {
    if (step_count < ACCESSES_MAX)
        steps[step_count++] = (struct access_step){(uint32_t)(element * 8 % BYTES), store};
}

static void make_triad(void) {
    for (uint64_t i = 0; step_count < ACCESSES_MAX; i++)
        for (uint64_t array = 0; array < 3; array++)
            add(array * 300008 + i % 100000, array == 2);
}
static void make_dgemm(void) {
    const uint64_t n = 72;
    for (uint64_t all = 0; all < n * n * n; all++) {
        add(all / n / n * n + all % n, false);
        add(10000 + all % n * n + all / n % n, false);
        add(20000 + all / n, true);
    }
}
static void make_transposition(void) {
    const uint64_t n = 512;
    for (uint64_t all = 0; all < n * n; all++) {
        add(all, false);
        add(n * n + all % n * n + all / n, true);
    }
}
static void make_stencil(void) {
    const uint64_t n = 1500;
    for (uint64_t i = n; step_count < ACCESSES_MAX; i++) {
        add(i - n, false);
        add(i, false);
        add(i + n, false);
        add(500000 + i, true);
    }
}
static void make_random(void) {
    uint64_t state = 1;
    while (step_count < ACCESSES_MAX) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        const uint64_t range = state >> 60 < 8 ? 1 << 12 : state >> 60 < 13 ? 1 << 17 : 1 << 20;
        add((state >> 33) % range, state >> 33 & 1 << 28);
    }
}

static const struct trace_loop {
    const char *name;
    void (*make)(void);
} LOOPS[] = {{"triad", make_triad},
             {"dgemm", make_dgemm},
             {"transposition", make_transposition},
             {"stencil", make_stencil},
             {"random", make_random}};

/* The steps themselves are read between the accesses, and are simulated, too. */
__attribute__((noinline)) void accesses(const struct access_step *at, unsigned count);
void accesses(const struct access_step *at, unsigned count) {
    for (const struct access_step *end = at + count; at < end; at++) {
        volatile uint64_t *element = (volatile uint64_t *)(void *)(MEMORY + at->offset);
        if (at->store)
            *element = 1;
        else
            (void)*element;
    }
}

static void take(struct hierarchy_thread *thread, uint64_t address, uint16_t bytes, enum access_kind kind) {
    const struct memory_access access = {address, 0, bytes, (uint16_t)kind};
    hierarchy_take(thread, &access, 1);
}

static void simulate(void) {
    static const struct hierarchy_level LEVELS[] = {{1, 64, 8, CONTENT_FREE, 1, 0}, {2, 1024, 16, CONTENT_FREE, 1, 0}};
    static struct hierarchy_thread thread = {.level_count = 2, .owner_count = 1};
    static struct hierarchy_cache caches[2];
    static struct hierarchy_counts counts;
    sampling_init(&thread.sampling, 1, 0);
    thread.counts = &counts;
    thread.translation.keys = calloc(1, 2 * sizeof(uint64_t));
    for (unsigned i = 0; i < 2; i++) {
        hierarchy_cache_init(&caches[i], &LEVELS[i], &thread.sampling,
                             calloc(1, hierarchy_cache_bytes(&LEVELS[i], &thread.sampling)));
        thread.levels[i] = &caches[i];
    }
    for (const struct access_step *at = steps; at < steps + step_count; at++)
        take(&thread, (uint64_t)(uintptr_t)at, sizeof *at, ACCESS_STORE); /* the stores that made the steps */
    counts = (struct hierarchy_counts){0};
    for (const struct access_step *at = steps; at < steps + step_count; at++) {
        take(&thread, (uint64_t)(uintptr_t)&at->store, 1, ACCESS_LOAD);
        take(&thread, (uint64_t)(uintptr_t)&at->offset, 4, ACCESS_LOAD);
        take(&thread, (uint64_t)(uintptr_t)MEMORY + at->offset, 8, at->store ? ACCESS_STORE : ACCESS_LOAD);
    }
    const struct hierarchy_link *l1 = &counts.outside[0], *last = &counts.outside[1];
    printf("D1mr %" PRIu64 "\nD1mw %" PRIu64 "\nDLmr %" PRIu64 "\nDLmw %" PRIu64 "\nwritten %" PRIu64 "\n", l1->loads,
           l1->allocates, last->loads, last->allocates, last->write_backs);
}

int main(int argc, char **argv) {
    if (mmap(MEMORY, BYTES + ACCESSES_MAX * sizeof *steps, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != MEMORY)
        return 3;
    for (size_t i = 0; argc == 3 && i < sizeof LOOPS / sizeof *LOOPS; i++)
        if (strcmp(argv[2], LOOPS[i].name) == 0)
            LOOPS[i].make();
    if (step_count == 0)
        return 2;
    if (strcmp(argv[1], "run") == 0)
        accesses(steps, step_count);
    else
        simulate();
    return 0;
}
