/* SPDX-License-Identifier: BSD-3-Clause
 * Simulated caches: which thread has which, and what their counts belong to (see levels.h). */
#include "levels.h"
#include "reader.h"
#include "seen.h"

#include <asm/prctl.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "bench/count/base/fail.h"
#include "bench/count/base/system.h"
#include "bench/count/code/decode.h"
#include "bench/count/code/registers.h"

static struct dump_levels_request request;
static bool on;
static struct sampling sampling;
static struct hierarchy_cache outer[HIERARCHY_LEVELS_MAX]; /* shared by threads */
static struct levels_core *cores;

const struct dump_levels_request *levels_request(void) {
    return on ? &request : NULL;
}

unsigned levels_group_count(void) {
    return sampling.group_count;
}

static void unmap(void *memory, size_t bytes) {
    SYSTEM_CALL(SYS_munmap, memory, bytes);
}

/* Tables with random accesses are in huge pages, if the kernel has them; else each access would miss the TLB. */
static void make_cache(struct hierarchy_cache *cache, const struct hierarchy_level *level) {
    enum { LARGE = 4 << 20 };
    const size_t bytes = hierarchy_cache_bytes(level, &sampling);
    void *memory = fail_or_map(bytes);
    if (bytes >= LARGE)
        SYSTEM_CALL(SYS_madvise, memory, bytes, MADV_HUGEPAGE);
    hierarchy_cache_init(cache, level, &sampling, memory);
}

static void unmap_cache(const struct hierarchy_cache *cache, const struct hierarchy_level *level) {
    unmap(cache->lru.rows, hierarchy_cache_bytes(level, &sampling));
}

static bool levels_is_shared(unsigned level) {
    return level > 0 && level + 1 == request.geometry.level_count && request.geometry.levels[level].sharing_cores > 1;
}

static void make_outer(void) {
    for (unsigned i = 0; i < request.geometry.level_count; i++)
        if (levels_is_shared(i)) {
            make_cache(&outer[i], &request.geometry.levels[i]);
            outer[i].shared = true;
        }
}

void levels_prepare(const char *folder) {
    struct text path = {.length = 0};
    text_add(&path, folder);
    text_add(&path, "/" DUMP_LEVELS_REQUEST);
    const long file = SYSTEM_CALL(SYS_open, path.bytes, O_RDONLY | O_CLOEXEC);
    if (system_failed(file))
        return;
    on = SYSTEM_CALL(SYS_read, file, &request, sizeof request) == sizeof request &&
         request.geometry.level_count <= HIERARCHY_LEVELS_MAX;
    SYSTEM_CALL(SYS_close, file);
    if (!on)
        fail_program("it does not know which caches to simulate", 0);
    record_start();
    sampling_init(&sampling, request.one_of, request.seed);
    seen_prepare(&sampling);
    make_outer();
}

static void lock(struct levels_core *core) {
    while (__atomic_exchange_n(&core->lock, 1, __ATOMIC_ACQUIRE))
        SYSTEM_CALL(SYS_sched_yield, 0);
}

static void unlock(struct levels_core *core) {
    __atomic_store_n(&core->lock, 0, __ATOMIC_RELEASE);
}

static const size_t LOOKS_BYTES = sizeof(struct levels_look) * 2 * RECORD_GROUPS_MOST,
                    USED_LOOKS_BYTES = sizeof(struct levels_look *) * 2 * RECORD_GROUPS_MOST,
                    SPANS_BYTES = sizeof(struct levels_span) * RECORD_GROUPS_MOST;

static struct levels_core *levels_make_core(void) {
    struct levels_core *core = fail_or_map(sizeof *core);
    struct hierarchy_thread *thread = &core->thread;
    core->buffer = (uint64_t)fail_or_map(CORE_BUFFER_BYTES + CORE_GUARD_BYTES);
    SYSTEM_CALL(SYS_mprotect, core->buffer + CORE_BUFFER_BYTES, CORE_GUARD_BYTES, PROT_NONE);
    core->looks = fail_or_map(LOOKS_BYTES);
    core->used_looks = fail_or_map(USED_LOOKS_BYTES);
    core->spans = fail_or_map(SPANS_BYTES);
    core->together = true;
    thread->level_count = request.geometry.level_count;
    thread->sampling = sampling;
    thread->owner_count = RECORD_GROUPS_MOST;
    translation_init(&thread->translation, request.geometry.tlbs,
                     fail_or_map(translation_bytes(request.geometry.tlbs) + 1));
    for (unsigned i = 0; i < thread->level_count; i++) {
        if (!levels_is_shared(i))
            make_cache(&core->inner[i], &request.geometry.levels[i]);
        thread->levels[i] = levels_is_shared(i) ? &outer[i] : &core->inner[i];
    }
    return core;
}

static void unmap_core(struct levels_core *core) {
    const struct hierarchy_thread *thread = &core->thread;
    unmap((void *)core->buffer, CORE_BUFFER_BYTES + CORE_GUARD_BYTES);
    unmap(core->looks, LOOKS_BYTES);
    unmap(core->used_looks, USED_LOOKS_BYTES);
    unmap(core->spans, SPANS_BYTES);
    unmap(thread->translation.keys, translation_bytes(request.geometry.tlbs) + 1);
    for (unsigned i = 0; i < thread->level_count; i++)
        if (!levels_is_shared(i))
            unmap_cache(&core->inner[i], &request.geometry.levels[i]);
    unmap(core, sizeof *core);
}

static size_t counts_bytes(void) {
    return sizeof(struct hierarchy_counts) * sampling.group_count * RECORD_GROUPS_MOST;
}

static struct levels_set *find_set(struct context *context, const uint64_t regions[CONTEXT_REGIONS / 64]) {
    for (struct levels_set *set = context->levels; set; set = set->next)
        if (__builtin_memcmp(set->regions, regions, sizeof set->regions) == 0)
            return set;
    struct levels_set *set = fail_or_map(sizeof *set);
    __builtin_memcpy(set->regions, regions, sizeof set->regions);
    set->counts = fail_or_map(counts_bytes());
    seen_make(&set->lines, request.how & DUMP_BY_CODE);
    seen_make(&set->pages, request.how & DUMP_BY_CODE);
    set->next = context->levels;
    context->levels = set;
    return set;
}

static void unmap_sets(struct context *context) {
    for (struct levels_set *set = context->levels, *next; set; set = next) {
        next = set->next;
        unmap(set->counts, counts_bytes());
        seen_unmap(&set->lines);
        seen_unmap(&set->pages);
        unmap(set, sizeof *set);
    }
    context->levels = NULL;
}

/* From now on the core counts for the regions that cover its thread. */
static void choose_set(struct levels_core *core) {
    uint64_t regions[CONTEXT_REGIONS / 64] = {0};
    for (unsigned i = 0; i < CONTEXT_REGIONS; i++)
        regions[i / 64] |= (uint64_t)(core->context->covers[i] > 0) << i % 64;
    core->set = find_set(core->context, regions);
    core->thread.counts = core->set->counts;
    seen_forget(core);
}

static void drain(struct levels_core *core) {
    reader_take(core, __atomic_load_n(&core->context->records_end, __ATOMIC_ACQUIRE));
}

/* From now on several threads may simulate at once: shared caches are locked. Waits for a thread that simulates now. */
static void lock_outer(void) {
    for (struct levels_core *core = cores; core; core = core->next)
        lock(core);
    if (outer[request.geometry.level_count - 1].shared)
        hierarchy_share(&cores->thread);
    for (struct levels_core *core = cores; core; core = core->next)
        unlock(core);
}

/* Notes the base of thread-local variables. */
static void note_base(struct levels_core *core) {
    SYSTEM_CALL(SYS_arch_prctl, ARCH_GET_FS, &core->thread_base);
}

void levels_begin(struct context *context) {
    if (context->outside) {
        context->core = context->outside->core;
        return;
    }
    struct levels_core *core = cores;
    while (core && core->context)
        core = core->next;
    if (!core) {
        if (cores)
            lock_outer();
        core = levels_make_core();
        core->next = cores;
        cores = core;
    }
    core->context = context;
    core->read_at = context->records_end = core->buffer;
    context->core = core;
    note_base(core);
    choose_set(core);
}

void levels_end(struct context *context) {
    struct levels_core *core = context->core;
    drain(core);
    core->context = NULL;
    context->core = NULL;
    if (context->inside)
        context->inside->core = NULL;
}

void levels_move(struct context *from, struct context *to) {
    struct levels_core *core = from->core;
    lock(core);
    drain(core);
    core->context = to;
    core->read_at = to->records_end = core->buffer;
    choose_set(core);
    unlock(core);
}

void levels_flush(struct context *context) {
    struct levels_core *core = context->core;
    if (!core)
        return;
    lock(core);
    if (core->context == context)
        drain(core);
    unlock(core);
}

/* Whether another thread is within a region: then the shared caches must not be written back yet. */
static bool others_go_on(const struct levels_core *core) {
    for (const struct levels_core *other = cores; other; other = other->next)
        for (unsigned i = 1; i < CONTEXT_REGIONS && other != core && other->context; i++)
            if (other->context->covers[i] > 0)
                return true;
    return false;
}

void levels_change_regions(struct context *context) {
    struct levels_core *core = context->core;
    if (!core)
        return;
    for (struct levels_core *other = cores; other && (request.how & DUMP_IN_STEP); other = other->next)
        if (other != core && other->context)
            levels_flush(other->context);
    lock(core);
    if (core->context == context) {
        drain(core);
        if (request.how & DUMP_WRITE_BACK)
            hierarchy_write_back(&core->thread, !others_go_on(core));
        choose_set(core);
    }
    unlock(core);
}

void levels_fold(struct context *from, struct context *into) {
    for (struct levels_set *set = from->levels; set; set = set->next) {
        struct levels_set *sum = find_set(into, set->regions);
        const size_t words = sizeof *set->counts / sizeof(uint64_t);
        for (unsigned group = 0; group < sampling.group_count; group++) {
            const uint64_t *more = (const uint64_t *)&set->counts[(size_t)group * RECORD_GROUPS_MOST];
            uint64_t *to = (uint64_t *)&sum->counts[(size_t)group * RECORD_GROUPS_MOST];
            for (size_t i = 0; i < words * record_plans.group_count; i++)
                to[i] += more[i];
        }
        seen_add_all(&sum->lines, &set->lines);
        seen_add_all(&sum->pages, &set->pages);
    }
    unmap_sets(from);
}

void levels_forget(struct context *contexts) {
    for (struct context *context = contexts; context; context = context->next) {
        unmap_sets(context);
        context->core = NULL;
    }
    for (struct levels_core *core = cores, *next; core; core = next) {
        next = core->next;
        unmap_core(core);
    }
    cores = NULL;
    for (unsigned i = 0; i < request.geometry.level_count; i++)
        if (levels_is_shared(i))
            unmap_cache(&outer[i], &request.geometry.levels[i]);
    make_outer();
}

/* The faulting instruction stores into the last begun record, at a distance from its end, or begins a record, at its
 * begin. */
bool levels_is_full(struct context *context, const siginfo_t *info, greg_t *registers) {
    struct levels_core *core = context->core;
    const uint64_t address = (uint64_t)info->si_addr, guard = core ? core->buffer + CORE_BUFFER_BYTES : 0;
    if (!core || address < guard || address >= guard + CORE_GUARD_BYTES)
        return false;
    struct instruction store;
    decode_instruction((uint64_t)registers[REG_RIP], ZYDIS_MAX_INSTRUCTION_LENGTH, &store);
    greg_t *end = registers_by_number(registers, (unsigned)ZydisRegisterGetId(store.operands[0].mem.base));
    const bool begins = store.operands[0].mem.disp.value == 0;
    lock(core);
    note_base(core);
    const uint64_t read = reader_take(core, (uint64_t)*end), begin = begins ? (uint64_t)*end : read,
                   bytes = (uint64_t)*end - begin, written = begin < guard ? guard - begin : 0;
    __builtin_memmove((void *)core->buffer, (const void *)begin, written);
    context->records_end = core->buffer + bytes;
    *end = (greg_t)context->records_end;
    core->read_at = core->buffer;
    unlock(core);
    return true;
}

void levels_finish(void) {
    for (struct levels_core *core = cores; core; core = core->next) {
        if (!core->context)
            continue;
        lock(core);
        drain(core);
        hierarchy_end(&core->thread);
        unlock(core);
    }
}

void levels_changes(uint64_t changes[SAMPLING_CLASSES]) {
    __builtin_memset(changes, 0, sizeof *changes * SAMPLING_CLASSES);
    for (const struct levels_core *core = cores; core; core = core->next)
        sampling_add_changes(&core->thread.sampling, changes);
}
