/* SPDX-License-Identifier: BSD-3-Clause
 * Arenas of huge pages on memory nodes, and the threads' buffers in them. */
#include "memory.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/mempolicy.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "probe/error.h"
#include "probe/machine.h"
#include "probe/need.h"

/* Takes the arena's pages from its node, or from another node when that one is full: with a strict binding, a full node
 * would get the process killed. A container may forbid the call; then the first touch by a core of the node places the
 * pages. memory_in_place() checks where they are. */
static void bind_arena(const struct arena *arena) {
    enum { WORD_BITS = 8 * sizeof(unsigned long), WORDS = MACHINE_MAX_NODES / WORD_BITS };
    unsigned long mask[WORDS] = {0};
    if (arena->os_index < MACHINE_MAX_NODES) {
        mask[arena->os_index / WORD_BITS] = 1ul << arena->os_index % WORD_BITS;
        syscall(SYS_mbind, arena->base, arena->reserved_bytes, MPOL_PREFERRED, mask, (unsigned long)MACHINE_MAX_NODES,
                0u);
    }
}

unsigned char *memory_reserve(uint64_t bytes, uint64_t alignment) {
    unsigned char *map =
        mmap(NULL, bytes + alignment, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (map == MAP_FAILED)
        return NULL;
    const uint64_t before = alignment - (uintptr_t)map % alignment;
    munmap(map, before);
    if (before < alignment)
        munmap(map + before + bytes, alignment - before);
    return map + before;
}

/* An arena has whole huge pages, also for small buffers. Those of 512 MiB must not fill the memory: then it has none,
 * which its samples say. */
static uint64_t arena_unit(const struct machine *machine) {
    enum { SHARE = 8 };
    const uint64_t huge = machine_huge_page_bytes(machine);
    const bool fits = SHARE * huge * machine->node_count <= machine->memory_available_bytes;
    return huge <= MEMORY_UNIT_BYTES || fits ? huge : MEMORY_UNIT_BYTES;
}

bool memory_open(struct memory *out, const struct machine *machine, uint64_t bytes_per_node, bool huge_pages,
                 struct error *err) {
    *out = (struct memory){.node_count = machine->node_count, .huge_pages = huge_pages};
    out->arenas = need_calloc(machine->node_count, sizeof *out->arenas);
    if (!team_choose(&out->everyone, machine, TEAM_ANY_KIND, machine->core_count, err)) {
        memory_close(out);
        return false;
    }
    const uint64_t unit = arena_unit(machine), bytes = (bytes_per_node + unit - 1) / unit * unit;
    for (unsigned i = 0; i < machine->node_count; i++) {
        unsigned char *base = memory_reserve(bytes, unit);
        if (!base) {
            error_set(err, "cannot reserve %" PRIu64 " MiB for buffers: %s; raise the limit (ulimit -v)", bytes >> 20,
                      strerror(errno));
            memory_close(out);
            return false;
        }
        out->arenas[i] = (struct arena){.base = base, .reserved_bytes = bytes, .os_index = machine->nodes[i].os_index};
        madvise(out->arenas[i].base, bytes, huge_pages ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
        if (machine->node_count > 1)
            bind_arena(&out->arenas[i]);
    }
    if (team_can_start(&out->everyone, err)) /* said before the first number, not at the first new page */
        return true;
    memory_close(out);
    return false;
}

void memory_close(struct memory *memory) {
    for (unsigned i = 0; memory->arenas && i < memory->node_count; i++)
        if (memory->arenas[i].base)
            munmap(memory->arenas[i].base, memory->arenas[i].reserved_bytes);
    free(memory->arenas);
    team_free(&memory->everyone);
    *memory = (struct memory){0};
}

struct touch {
    struct memory *memory;
    const uint64_t *wanted_bytes; /* [node] */
};

/* The cores nearest to a node touch the missing pages of its arena, each a share. If no core is nearest to it (memory
 * of another kind), all cores do. The system fills the pages with zeros. */
static void touch_share(unsigned thread, void *context) {
    const struct touch *touch = context;
    const struct team *everyone = &touch->memory->everyone;
    for (unsigned node = 0; node < touch->memory->node_count; node++) {
        unsigned cores = 0;
        for (unsigned i = 0; i < everyone->count; i++)
            cores += everyone->memory_node[i] == node;
        bool own = everyone->memory_node[thread] == node;
        if (cores > 0 && !own)
            continue;
        struct arena *arena = &touch->memory->arenas[node];
        unsigned rank = own ? everyone->rank_on_node[thread] : thread, sharers = cores ? cores : everyone->count;
        uint64_t from = arena->touched_bytes / MEMORY_UNIT_BYTES, to = touch->wanted_bytes[node] / MEMORY_UNIT_BYTES;
        for (uint64_t unit = from + rank; unit < to; unit += sharers)
            for (uint64_t at = 0; at < MEMORY_UNIT_BYTES; at += MEMORY_LEAST_PAGE_BYTES)
                arena->base[unit * MEMORY_UNIT_BYTES + at] = 0;
    }
}

bool memory_take(struct memory *memory, const struct team *team, uint64_t bytes, void **buffers, struct error *err) {
    uint64_t each = memory_round_up(bytes);
    unsigned *threads_on_node = need_calloc(memory->node_count, sizeof *threads_on_node);
    uint64_t *wanted = need_calloc(memory->node_count, sizeof *wanted);
    bool done = true, lacking = false;
    for (unsigned i = 0; i < team->count; i++)
        threads_on_node[team->memory_node[i]]++;
    for (unsigned node = 0; node < memory->node_count; node++) {
        wanted[node] = each * threads_on_node[node];
        lacking |= wanted[node] > memory->arenas[node].touched_bytes;
        if (wanted[node] > memory->arenas[node].reserved_bytes)
            done = error_set(err, "buffers of %u × %" PRIu64 " MiB do not fit the %" PRIu64 " MiB reserved on node %u",
                             threads_on_node[node], each >> 20, memory->arenas[node].reserved_bytes >> 20, node);
    }
    if (done && lacking) {
        struct touch touch = {memory, wanted};
        done = team_run(&memory->everyone, touch_share, &touch, err);
        for (unsigned node = 0; done && node < memory->node_count; node++)
            if (wanted[node] > memory->arenas[node].touched_bytes)
                memory->arenas[node].touched_bytes = wanted[node];
    }
    for (unsigned i = 0; done && i < team->count; i++)
        buffers[i] = memory->arenas[team->memory_node[i]].base + each * team->rank_on_node[i];
    free(threads_on_node);
    free(wanted);
    return done;
}

bool memory_in_place(const struct memory *memory, const struct team *team, void *const *buffers, uint64_t bytes) {
    enum { PAGES = 64 }; /* over all buffers, at least one in each */
    uint64_t looked_at = team->count < PAGES ? PAGES / team->count : 1;
    for (unsigned t = 0; t < team->count && memory->node_count > 1; t++) {
        int wanted = (int)memory->arenas[team->memory_node[t]].os_index;
        for (uint64_t i = 0; i < looked_at; i++) {
            unsigned char *buffer = buffers[t];
            void *page = buffer + bytes * i / looked_at / MEMORY_LEAST_PAGE_BYTES * MEMORY_LEAST_PAGE_BYTES;
            int lies_on = -1;
            if (syscall(SYS_move_pages, 0, 1ul, &page, NULL, &lies_on, 0) != 0 || lies_on != wanted)
                return false;
        }
    }
    return true;
}

uint64_t memory_page_bytes(const void *buffer, uint64_t bytes) {
    uint64_t page_bytes = (uint64_t)sysconf(_SC_PAGESIZE), resident_kib = 0, huge_kib = 0;
    FILE *smaps = fopen("/proc/self/smaps", "r");
    if (!smaps)
        return page_bytes;
    uintptr_t from = (uintptr_t)buffer, to = from + bytes;
    bool inside = false;
    char line[512];
    while (fgets(line, sizeof line, smaps)) {
        uintptr_t start, end;
        uint64_t kib;
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " ", &start, &end) == 2)
            inside = start < to && from < end;
        else if (inside && sscanf(line, "Rss: %" SCNu64, &kib) == 1)
            resident_kib += kib;
        else if (inside && sscanf(line, "AnonHugePages: %" SCNu64, &kib) == 1)
            huge_kib += kib;
    }
    fclose(smaps);
    return huge_kib * 2 > resident_kib ? machine_huge_page_of(page_bytes) : page_bytes;
}
