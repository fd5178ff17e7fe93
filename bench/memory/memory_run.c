/* SPDX-License-Identifier: BSD-3-Clause
 * The visits of `carmine memory`. */
#include "memory_run.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "asm/pattern.h"
#include "bench/kernels/chain.h"
#include "bench/kernels/doubt.h"
#include "bench/kernels/number_thresholds.h"
#include "bench/kernels/timing.h"
#include "probe/events/uncore.h"
#include "probe/machine.h"
#include "probe/need.h"
#include "probe/now.h"

enum { REPETITIONS = 32, RANDOM_REPETITIONS = 16, TRY_REPETITIONS = 8, WRITE_REPETITIONS = 16, LOADED_TRIES = 4 };
/* A repetition; short in shared caches, so that other users evict few lines of it. */
static const double REPETITION_S = 100e-6, SHARED_REPETITION_S = 50e-6, TRY_S = 5e-3, VISIT_LIMIT_S = 60e-3;
/* A hop's expected time: L1 and L2, shared cache, memory. A wrong guess makes a repetition longer or shorter. */
static const double PACED_HOP_S = 6e-9, CACHE_HOP_S = 30e-9, MEMORY_HOP_S = 130e-9;
/* A loader that had less CPU time was taken away by the scheduler. */
static const double LOADER_RUNS = 0.95;
static const size_t NONE = SIZE_MAX;

struct memory_here {
    struct bench *bench;
    struct memory load_memory;
    struct load *load;
    size_t loaded; /* the subject that `load` belongs to, or NONE */
    struct chain chain;
    size_t chained; /* its subject, or NONE */
    unsigned char *set, *pages;
    uint64_t mapped_bytes;         /* of `pages` */
    size_t paged;                  /* the subject of `pages`, or NONE */
    bool looked_at, small_instead; /* the pages' size is known; huge ones were requested, and these are small */
    size_t at;                     /* the next element of the chain */
    const struct kernel **best;    /* [item]: variant that writes fastest; NULL: not tried */
    char missing_pages[256];
    struct event_set events;
    struct dram_traffic dram; /* of the whole machine */
};

/* The address space of the loads. */
static uint64_t load_node_bytes(const struct memory_plan *plan) {
    uint64_t most = MEMORY_UNIT_BYTES;
    for (size_t i = 0; i < plan->subject_count; i++) {
        const struct memory_subject *subject = &plan->subjects[i];
        const uint64_t own = memory_round_up(subject->loader_bytes) * subject->loader_count;
        most = own > most ? own : most;
    }
    return most;
}

uint64_t memory_here_node_bytes(const struct memory_plan *plan, const struct machine *machine) {
    struct plan steps = {0};
    uint64_t most = 0;
    for (size_t i = 0; i < plan->item_count; i++)
        if (plan->items[i].part == MEMORY_WRITES)
            plan_append(&steps, &plan->items[i].writes);
    most = plan_node_bytes(&steps, machine);
    for (size_t i = 0; i < plan->subject_count; i++)
        if (plan->subjects[i].series.part != MEMORY_PAGES && plan->subjects[i].chase_bytes > most)
            most = plan->subjects[i].chase_bytes;
    plan_free(&steps);
    return most;
}

struct memory_here *memory_here_open(struct bench *bench, const struct memory_plan *plan, struct error *err) {
    struct memory_here *here = need_calloc(1, sizeof *here);
    *here = (struct memory_here){.bench = bench, .loaded = NONE, .chained = NONE, .paged = NONE};
    here->best = need_calloc(plan->item_count + 1, sizeof *here->best);
    events_find(&bench->machine->cpu, NULL, &here->events);
    dram_traffic_open(&here->dram, &here->events);
    if (memory_open(&here->load_memory, bench->machine, load_node_bytes(plan), bench->huge_pages, err))
        return here;
    memory_here_close(here);
    return NULL;
}

static void drop_pages(struct memory_here *here) {
    if (here->pages)
        munmap(here->pages, here->mapped_bytes);
    here->pages = NULL;
    here->paged = NONE;
}

/* The pointers would be denormal operands of later kernels. */
static void drop_chain(struct memory_here *here) {
    for (size_t i = 0; i < here->chain.count && !here->pages; i++)
        *here->chain.elements[i] = NULL;
    chain_free(&here->chain);
    here->chained = NONE;
    here->looked_at = here->small_instead = false;
}

/* After pages were touched. Reading their size takes long once much is mapped. */
static void look_at_pages(struct memory_here *here, const void *pages, uint64_t bytes, bool huge) {
    if (!here->looked_at)
        here->small_instead = huge && memory_page_bytes(pages, bytes) < machine_huge_page_bytes(here->bench->machine);
    here->looked_at = true;
}

static void drop_load(struct memory_here *here) {
    load_end(here->load);
    here->load = NULL;
    here->loaded = NONE;
}

void memory_here_close(struct memory_here *here) {
    if (!here)
        return;
    dram_traffic_close(&here->dram);
    drop_load(here);
    drop_chain(here);
    drop_pages(here);
    memory_close(&here->load_memory);
    free(here->best);
    free(here);
}

const char *memory_here_missing_pages(const struct memory_here *here) {
    return here->missing_pages;
}

static const struct memory_subject *memory_run_subject_of(const struct memory_plan *plan,
                                                          const struct memory_item *item) {
    return &plan->subjects[item->subject];
}

/* Timing chases. */

static unsigned line_bytes(const struct memory_here *here) {
    return machine_line_bytes(here->bench->machine);
}

/* A set that is read again before each repetition lets the chase use its first half only, as in a run (run.c). */
static uint64_t memory_run_reread_bytes(const struct memory_subject *subject) {
    return subject->inner_bytes > 0 && subject->chase_bytes > 2 * subject->inner_bytes ? subject->chase_bytes : 0;
}

static bool build_chain(struct memory_here *here, const struct memory_plan *plan, size_t index, struct error *err) {
    const struct memory_subject *subject = &plan->subjects[index];
    struct team team;
    void *set;
    drop_chain(here);
    drop_pages(here);
    team_make(&team, here->bench->machine, &subject->core, 1, subject->memory_node);
    const bool done = memory_take(&here->bench->memory, &team, subject->chase_bytes, &set, err);
    team_free(&team);
    if (!done)
        return false;
    here->set = set;
    here->chain = chain_make(set, memory_run_reread_bytes(subject) ? subject->chase_bytes / 2 : subject->chase_bytes,
                             line_bytes(here), subject->memory ? CHAIN_MAX_FLUSHED : CHAIN_MAX_ELEMENTS);
    here->chained = index;
    here->at = 0;
    look_at_pages(here, set, subject->chase_bytes, here->bench->huge_pages);
    return true;
}

/* A chase to be timed: `chains` of them start evenly spread over the chain, so that none meets another's lines. */
struct chase {
    const struct memory_subject *subject;
    const struct kernel *kernel;
    unsigned chains, repetitions;
    double hop_s, repetition_s;
    enum sample_statistic statistic;
};

static const struct kernel *chase_kernel(unsigned chains) {
    char name[16];
    snprintf(name, sizeof name, chains > 1 ? "chase%u" : "chase", chains);
    return *kernel_find(name, NULL);
}

/* Blocks of one repetition; all repetitions together visit no element of a flushed chain twice. */
static uint64_t chase_blocks(const struct memory_here *here, const struct chase *chase) {
    const double hops = kernel_hops(chase->kernel), most = (double)here->chain.count / chase->repetitions / hops,
                 wanted = chase->repetition_s / chase->hop_s / hops * fmin(chase->chains, 10);
    return (uint64_t)fmax(1, round(chase->subject->memory ? fmin(wanted, most) : wanted));
}

/* Elements are evicted right before they are visited, as in a run: flushing warms the way to their pages. */
static void evict(struct memory_here *here, const struct chase *chase, size_t hops) {
    const size_t count = here->chain.count, each = hops / chase->chains;
    for (unsigned i = 0; i < chase->chains && chase->subject->memory; i++)
        chain_flush(&here->chain, (here->at + i * count / chase->chains) % count, each);
}

/* One visit → the time of a hop, s; of several chains the time between any two hops. */
static bool time_chase(struct memory_here *here, const struct chase *chase, struct sample *out, struct error *err) {
    void *heads[PATTERN_MOST_CHASES];
    struct team team;
    const struct kernel *kernel = chase->kernel;
    const uint64_t blocks = chase_blocks(here, chase), set_bytes = memory_run_reread_bytes(chase->subject);
    const size_t hops = chase->repetitions * blocks * kernel_hops(kernel), count = here->chain.count;
    evict(here, chase, hops);
    for (unsigned i = 0; i < chase->chains; i++)
        heads[i] = here->chain.elements[(here->at + i * count / chase->chains) % count];
    void *buffers[1] = {chase->chains > 1 ? (void *)heads : heads[0]}, *sets[1] = {here->set};
    team_make(&team, here->bench->machine, &chase->subject->core, 1, chase->subject->memory_node);
    const struct timing_request request = {.clock = &here->bench->clock,
                                           .team = &team,
                                           .kernel = kernel,
                                           .call = {.blocks = blocks, .passes = 1},
                                           .buffers = buffers,
                                           .segments = 1,
                                           .sets = sets,
                                           .set_bytes = set_bytes,
                                           .cached = !chase->subject->memory,
                                           .repetitions = chase->repetitions,
                                           .limit_s = VISIT_LIMIT_S,
                                           .stop = here->bench->stop};
    struct timing timing = {0};
    const bool done = timing_run(&request, &timing, err);
    *out = (struct sample){.kind = SAMPLE_LATENCY, .threads = 1};
    if (done)
        sample_reduce(out,
                      &(struct repetitions){.of = timing.repetitions,
                                            .count = timing.count,
                                            .lanes = 1,
                                            .work = (double)(blocks * kernel_hops(kernel)),
                                            .core_paced = chase->subject->paced,
                                            .clock_within = here->bench->clock.within,
                                            .step_s = clock_step_s(&here->bench->clock)},
                      chase->statistic);
    here->at = (here->at + hops / chase->chains) % count;
    timing_free(&timing);
    team_free(&team);
    return done;
}

static struct chase chase_of(const struct memory_here *here, const struct memory_item *item,
                             const struct memory_subject *subject, unsigned chains) {
    const double guess_s = subject->paced    ? PACED_HOP_S
                           : subject->memory ? MEMORY_HOP_S
                                             : CACHE_HOP_S,
                 last_s = item->visit_count > 0 ? item->visits[item->visit_count - 1].of[0] : 0;
    return (struct chase){.subject = subject,
                          .kernel = chase_kernel(chains),
                          .chains = chains,
                          .repetitions = REPETITIONS,
                          .hop_s = last_s > 0 ? last_s : guess_s,
                          .repetition_s = clock_at_least_s(
                              &here->bench->clock, subject->inner_bytes > 0 ? SHARED_REPETITION_S : REPETITION_S),
                          .statistic = here->bench->statistic};
}

/* The clock does not matter to a latency in seconds, and starting hardly; steps of the tick do. */
static struct doubts memory_run_doubts_of(struct memory_here *here, const struct sample *sample) {
    const bool coarse =
        number_thresholds.tick_steps.value * clock_step_s(&here->bench->clock) > number_thresholds.too_short_s.value;
    struct doubts doubts = doubts_without(sample->doubts, coarse ? DOUBTS(DOUBT_CLOCK_UNKNOWN)
                                                                 : DOUBTS(DOUBT_CLOCK_UNKNOWN, DOUBT_TOO_SHORT));
    doubts_add_if(&doubts, bench_others_are_active(here->bench), DOUBT_OTHERS_ACTIVE);
    doubts_add_if(&doubts, here->small_instead, DOUBT_NO_HUGE_PAGES);
    return doubts;
}

/* Visits by part. */

/* Medians: the fastest repetitions are those with the least load. */
static bool visit_loaded(struct memory_here *here, const struct memory_plan *plan, const struct memory_item *item,
                         struct memory_reading *out, struct error *err) {
    const struct memory_subject *subject = memory_run_subject_of(plan, item);
    if (here->chained != item->subject) {
        drop_load(here);
        if (!build_chain(here, plan, item->subject, err))
            return false;
    }
    if (here->loaded != item->subject) {
        drop_load(here);
        if (!(here->load = load_begin(subject, here->bench->machine, &here->load_memory, err)))
            return false;
        here->loaded = item->subject;
    }
    struct chase chase = chase_of(here, item, subject, 1);
    const bool loads = item->setting < MEMORY_IDLE;
    chase.statistic = STATISTIC_MEDIAN;
    bool done = true, taken_away = true;
    load_set(here->load, item->setting);
    for (unsigned tries = 0; done && taken_away && tries < LOADED_TRIES; tries++) {
        struct sample sample;
        const struct load_reading before = load_read(here->load);
        const double began_s = now_s();
        done = time_chase(here, &chase, &sample, err);
        const double taken_s = now_s() - began_s;
        const struct load_reading after = load_read(here->load);
        if (!done || !(sample.value > 0))
            break;
        *out = (struct memory_reading){
            .of = {sample.value, (after.bytes - before.bytes) / taken_s + line_bytes(here) / sample.value},
            .doubts = memory_run_doubts_of(here, &sample)};
        taken_away = loads && after.cpu_s - before.cpu_s < LOADER_RUNS * taken_s * subject->loader_count;
        doubts_add_if(&out->doubts, taken_away, DOUBT_CORE_SHARED);
    }
    load_set(here->load, MEMORY_IDLE);
    return done;
}

static bool visit_parallel(struct memory_here *here, const struct memory_plan *plan, const struct memory_item *item,
                           struct memory_reading *out, struct error *err) {
    if (here->chained != item->subject && !build_chain(here, plan, item->subject, err))
        return false;
    const struct chase chase = chase_of(here, item, memory_run_subject_of(plan, item), (unsigned)item->setting);
    struct sample sample;
    if (!time_chase(here, &chase, &sample, err))
        return false;
    if (sample.value > 0)
        *out = (struct memory_reading){.of = {sample.value * chase.chains, line_bytes(here) / sample.value},
                                       .doubts = memory_run_doubts_of(here, &sample)};
    return true;
}

static bool write_once(struct memory_here *here, const struct memory_item *item, const struct kernel *kernel,
                       bool brief, struct sample *out, struct error *err) {
    const struct campaign_trial trial = {.step = &item->writes,
                                         .code = {.kernel = kernel},
                                         .bytes = item->writes.size_bytes[0],
                                         .repetitions = brief ? TRY_REPETITIONS : WRITE_REPETITIONS,
                                         .repetition_s = item->writes.repetition_s,
                                         .limit_s = brief ? TRY_S : VISIT_LIMIT_S,
                                         .brief = brief};
    return bench_measure(here->bench, &trial, out, err);
}

/* Counted bytes at the memory per requested byte, for a visit that read its buffer in segments; 0: not counted. */
static double counted_share(struct memory_here *here, const struct memory_item *item, const struct sample *sample) {
    double read_bytes, write_bytes;
    const struct kernel *kernel = kernel_find_variant(sample->kernel, sample->variant);
    if (!dram_traffic_end(&here->dram, &read_bytes, &write_bytes) || !kernel)
        return 0;
    const double blocks = (double)sample->working_set_bytes / item->writes.repetitions / kernel->block_bytes,
                 requested = blocks * (kernel->cost.load_bytes + kernel->cost.store_bytes) * sample->rate.n;
    return requested > 0 ? (read_bytes + write_bytes) / requested : 0;
}

/* The variant that writes fastest in short tries. */
static bool find_best(struct memory_here *here, const struct memory_item *item, const struct kernel **best,
                      struct error *err) {
    size_t count = 0;
    const struct kernel *const *variants = kernel_find(item->writes.kernel, &count);
    double most = 0;
    *best = variants[0];
    for (size_t i = 0; i < count; i++) {
        struct sample sample;
        if (!write_once(here, item, variants[i], true, &sample, err))
            return false;
        if (sample.value > most)
            most = sample.value, *best = variants[i];
    }
    return true;
}

static bool visit_writes(struct memory_here *here, const struct memory_plan *plan, const struct memory_item *item,
                         struct memory_reading *out, struct error *err) {
    const struct kernel **best = &here->best[item - plan->items];
    struct sample sample;
    drop_chain(here);
    if (!*best && !find_best(here, item, best, err))
        return false;
    dram_traffic_begin(&here->dram);
    if (!write_once(here, item, *best, false, &sample, err))
        return false;
    if (sample.value > 0)
        *out = (struct memory_reading){.of = {0, sample.value, sample.value * counted_share(here, item, &sample)},
                                       .doubts = memory_run_doubts_of(here, &sample)};
    return true;
}

static void note_missing_pages(struct memory_here *here, uint64_t page) {
    const bool gib = page >> 30;
    snprintf(here->missing_pages, sizeof here->missing_pages,
             "Pages of %u %s: %s; reserve some as root: echo %u > /sys/kernel/mm/hugepages/hugepages-%ukB/nr_hugepages",
             (unsigned)(page >> (gib ? 30 : 20)), gib ? "GiB" : "MiB", strerror(errno), gib ? 64 : 4096,
             (unsigned)(page >> 10));
}

/* Maps the subject's pages. False without an error: the system has no such pages. */
static bool map_pages(struct memory_here *here, const struct memory_plan *plan, const struct memory_item *item,
                      uint64_t bytes) {
    const struct memory_subject *subject = memory_run_subject_of(plan, item);
    const struct machine *machine = here->bench->machine;
    const uint64_t page = subject->series.page_bytes;
    const bool reserved = memory_page_is_reserved(machine, page), huge = page == machine_huge_page_bytes(machine);
    const int size_flag = __builtin_ctzll(page) << 26; /* MAP_HUGE_SHIFT */
    const uint64_t map_bytes = (bytes + page - 1) / page * page + (huge ? page : 0);
    if (here->paged == item->subject && here->mapped_bytes >= map_bytes)
        return true;
    drop_chain(here);
    drop_pages(here);
    unsigned char *map =
        mmap(NULL, map_bytes, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | (reserved ? MAP_HUGETLB | size_flag : MAP_NORESERVE), -1, 0);
    if (map == MAP_FAILED) {
        if (reserved)
            note_missing_pages(here, page);
        return false;
    }
    if (!reserved)
        madvise(map, map_bytes, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    here->pages = map;
    here->mapped_bytes = map_bytes;
    here->paged = item->subject;
    for (uint64_t at = 0; at < map_bytes && subject->kernel; at += MEMORY_LEAST_PAGE_BYTES)
        *(volatile unsigned char *)(map + at) = 0;
    return true;
}

static unsigned char *first_page(const struct memory_here *here, uint64_t page) {
    return here->pages + (page - (uintptr_t)here->pages % page) % page;
}

/* One line in each of `count` pages, none at the same place as its neighbours', in random order. */
static struct chain page_chain(const struct memory_here *here, uint64_t page, size_t count) {
    /* 64 KiB of places: more than a cache's sets of one way. */
    const uint64_t line = line_bytes(here), places = (page < (64 << 10) ? page : (64 << 10)) / line;
    unsigned char *numbers = need_made(aligned_alloc(64, count * 64)), *first = first_page(here, page);
    struct chain chain = chain_make(numbers, count * 64, 64, count);
    for (size_t i = 0; i < count; i++) {
        const size_t number = (size_t)((unsigned char *)chain.elements[i] - numbers) / 64;
        chain.elements[i] = (void **)(void *)(first + number * page + number * 0x9e3779b1u % places * line);
    }
    for (size_t i = 0; i < count; i++)
        *chain.elements[i] = chain.elements[(i + 1) % count];
    free(numbers);
    return chain;
}

static bool visit_random(struct memory_here *here, const struct memory_subject *subject, struct memory_reading *out,
                         struct error *err) {
    const uint64_t bytes = subject->chase_bytes / MEMORY_UNIT_BYTES * MEMORY_UNIT_BYTES;
    void *buffers[1] = {first_page(here, subject->series.page_bytes)};
    struct team team;
    team_make(&team, here->bench->machine, &subject->core, 1, subject->memory_node);
    const uint64_t blocks = 2048;
    const struct timing_request request = {
        .clock = &here->bench->clock,
        .team = &team,
        .kernel = subject->kernel,
        .call = {.blocks = blocks, .passes = 1, .lines = bytes / KERNEL_LINE_BYTES, .seed = 1},
        .buffers = buffers,
        .segments = 1,
        .repetitions = RANDOM_REPETITIONS,
        .limit_s = VISIT_LIMIT_S,
        .stop = here->bench->stop};
    struct timing timing = {0};
    const bool done = timing_run(&request, &timing, err);
    struct sample sample = {.kind = SAMPLE_BANDWIDTH, .threads = 1};
    if (done)
        sample_reduce(&sample,
                      &(struct repetitions){.of = timing.repetitions,
                                            .count = timing.count,
                                            .lanes = 1,
                                            .work = (double)blocks * bench_random_bytes(here->bench, subject->kernel),
                                            .clock_within = here->bench->clock.within,
                                            .step_s = clock_step_s(&here->bench->clock)},
                      here->bench->statistic);
    if (sample.value > 0)
        *out = (struct memory_reading){.of = {0, sample.value}, .doubts = memory_run_doubts_of(here, &sample)};
    timing_free(&timing);
    team_free(&team);
    return done;
}

/* The most pages that a subject's items touch. */
static double most_setting(const struct memory_plan *plan, size_t subject) {
    double most = 0;
    for (size_t i = 0; i < plan->item_count; i++)
        if (plan->items[i].subject == subject && plan->items[i].part == MEMORY_PAGES)
            most = fmax(most, plan->items[i].setting);
    return most;
}

static bool visit_pages(struct memory_here *here, const struct memory_plan *plan, const struct memory_item *item,
                        struct memory_reading *out, struct error *err) {
    const struct memory_subject *subject = memory_run_subject_of(plan, item);
    const uint64_t page = subject->series.page_bytes, huge = machine_huge_page_bytes(here->bench->machine);
    const unsigned line = line_bytes(here);
    const bool random = subject->kernel != NULL, lines = strcmp(subject->series.level, "lines") == 0;
    const uint64_t most = (uint64_t)most_setting(plan, item->subject),
                   bytes = random ? subject->chase_bytes : most * (lines ? line : page);
    if (!map_pages(here, plan, item, bytes))
        return true;
    if (random) {
        look_at_pages(here, here->pages, here->mapped_bytes, page == huge);
        return visit_random(here, subject, out, err);
    }
    const size_t count = (size_t)item->setting;
    chain_free(&here->chain);
    here->chain = lines ? chain_make(first_page(here, page), count * line, line, count) : page_chain(here, page, count);
    here->chained = NONE;
    here->at = 0;
    look_at_pages(here, here->pages, here->mapped_bytes, page == huge);
    struct chase chase = chase_of(here, item, subject, 1);
    chase.hop_s = item->visit_count > 0 ? chase.hop_s : CACHE_HOP_S;
    struct sample sample;
    if (!time_chase(here, &chase, &sample, err))
        return false;
    if (sample.value > 0)
        *out = (struct memory_reading){.of = {sample.value, 0}, .doubts = memory_run_doubts_of(here, &sample)};
    return true;
}

bool memory_here_visit(void *context, const struct memory_plan *plan, const struct memory_item *item,
                       struct memory_reading readings[MEMORY_AT_ONCE], unsigned *count, struct error *err) {
    struct memory_here *here = context;
    static bool (*const VISITS[MEMORY_PARTS])(struct memory_here *, const struct memory_plan *,
                                              const struct memory_item *, struct memory_reading *,
                                              struct error *) = {[MEMORY_LOADED] = visit_loaded,
                                                                 [MEMORY_PARALLEL] = visit_parallel,
                                                                 [MEMORY_WRITES] = visit_writes,
                                                                 [MEMORY_PAGES] = visit_pages};
    *count = 0;
    if (item->part != MEMORY_LOADED)
        drop_load(here);
    if (item->part == MEMORY_CORES) {
        if (!handover_measure(&here->bench->clock, machine_page_bytes(here->bench->machine),
                              &plan->pairs[item->subject], readings, err))
            return false;
        *count = MEMORY_AT_ONCE;
        return true;
    }
    readings[0] = (struct memory_reading){.doubts = NO_DOUBTS};
    if (!VISITS[item->part](here, plan, item, readings, err))
        return false;
    *count = readings[0].of[0] > 0 || readings[0].of[1] > 0;
    /* Mapping gigabytes takes longer than all visits to them. */
    for (bool again = item->part == MEMORY_PAGES; again && *count > 0 && *count < MEMORY_AT_ONCE; ++*count)
        if (!visit_pages(here, plan, item, &readings[*count], err))
            return false;
    return true;
}
