/* SPDX-License-Identifier: BSD-3-Clause
 * The subjects and items of a plan. */
#include "memory_plan.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm/pattern.h"
#include "bench/kernels/memory.h"
#include "probe/error.h"
#include "probe/machine.h"
#include "probe/need.h"
#include "probe/text.h"

/* No-ops for each burst, in steps small enough for the knee: about a tenth of the roof apart, whether one core or a
 * hundred load the memory (seen: a core issues 12 to 18 no-ops per ns, a burst of 32 lines takes 80 to 700 ns). */
static const double MOST_NOOPS = 80000, LEAST_NOOPS = 80, NOOP_STEP = 1.3;
/* Of a visit, for the expected time. In a shared cache, the set is read again before each repetition. */
static const double LOADED_VISIT_S = 12e-3, SHARED_VISIT_S = 40e-3, PARALLEL_VISIT_S = 30e-3, WRITE_VISIT_S = 60e-3,
                    PAGES_VISIT_S = 4e-3, PAIR_VISIT_S = 2.5e-3;
enum { MOST_PAIRS = 19000, MOST_HOMES = 8 };
/* The system fills new pages with zeros; of the pages of one number, these are new (1 − 1/√2). */
static const double FIRST_TOUCH_BYTES_PER_S = 1e9, NEW_SHARE = 0.29;
/* Pages of one size touch at most this share of the free memory, and at most this many pages; of large ones as many as
 * take HUGE_PAGES_BYTES, or few. */
static const double PAGES_SHARE = 0.25;
enum { FEWEST_PAGES = 8, MOST_SMALL_PAGES = 1 << 15, MOST_HUGE_PAGES = 1 << 12, MOST_GIANT_PAGES = 64 };
static const uint64_t HUGE_PAGES_BYTES = (uint64_t)8 << 30;
static const uint64_t RANDOM_MOST_BYTES = (uint64_t)1 << 30;

/* Patterns whose stores need no write-allocate, so that the traffic is known without counters; with the share of reads
 * from all to none. */
static const char *const LOADED_PATTERNS[] = {"load", "axpy", "update", "ntstore"};
enum { LOADED_COUNT = sizeof LOADED_PATTERNS / sizeof *LOADED_PATTERNS };
static const char *const WRITE_PATTERNS[] = {"load", "update", "store", "ntstore"};
enum { WRITE_COUNT = sizeof WRITE_PATTERNS / sizeof *WRITE_PATTERNS };

void memory_plan_omit(struct memory_plan *plan, const char *format, ...) {
    va_list arguments;
    char sentence[256];
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    if (!strstr(plan->omitted, sentence))
        text_append(plan->omitted, sizeof plan->omitted, "%s%s.", *plan->omitted ? " " : "", sentence);
}

static struct memory_subject *add_subject(struct memory_plan *plan, enum memory_part part, const char *level,
                                          const char *kernel) {
    plan->subjects = need_realloc(plan->subjects, (plan->subject_count + 1) * sizeof *plan->subjects);
    struct memory_subject *subject = &plan->subjects[plan->subject_count++];
    *subject = (struct memory_subject){.series = {.part = part, .threads = 1, .page_bytes = plan->page_bytes}};
    snprintf(subject->series.level, sizeof subject->series.level, "%s", level);
    snprintf(subject->series.kernel, sizeof subject->series.kernel, "%s", kernel);
    return subject;
}

/* An item of the latest subject. */
static struct memory_item *memory_plan_add_item(struct memory_plan *plan, enum memory_part part, double setting,
                                                double visit_s) {
    if ((plan->item_count & (plan->item_count + 1)) == 0) /* 0, 1, 3, 7, …: the array is full */
        plan->items = need_realloc(plan->items, (2 * plan->item_count + 1) * sizeof *plan->items);
    struct memory_item *item = &plan->items[plan->item_count++];
    *item =
        (struct memory_item){.part = part, .subject = plan->subject_count - 1, .setting = setting, .visit_s = visit_s};
    return item;
}

/* The kernel of the widest instruction set that the machine can run. */
static const struct kernel *widest_kernel(const struct machine *machine, const char *op) {
    char name[48];
    for (size_t i = isa_vector_count; i-- > 0;) {
        snprintf(name, sizeof name, "%s.%s", isa_table[i].name, op);
        const struct kernel *kernel = plan_find_kernel(machine, name);
        if (kernel)
            return kernel;
    }
    return NULL;
}

/* The step by which `carmine run` measures a kernel in a level with so many threads at a place. */
static bool step_like_run(const struct machine *machine, const struct levels *levels, const char *kernel,
                          unsigned level, const struct spot *spot, struct plan_step *out) {
    const struct levels own = plan_levels(machine, levels, spot->kind);
    struct plan plan = {.count = 1, .capacity = 1, .steps = out};
    *out = (struct plan_step){
        .level = (int)level, .core_kind = spot->kind, .place = spot->place, .threads = spot->threads};
    snprintf(out->kernel, sizeof out->kernel, "%s", kernel);
    if (level >= own.count || !plan_find_kernel(machine, kernel))
        return false;
    plan_size(&plan, machine, levels, false);
    return out->size_count > 0;
}

/* What a run's step says of a chase. */
static void take_chase(struct memory_subject *subject, const struct plan_step *step) {
    subject->chase_bytes = step->size_bytes[step->middle_size];
    subject->inner_bytes = step->inner_bytes;
    subject->memory = step->memory;
    subject->paced = step->paced;
    doubts_join(&subject->doubts, step->doubts);
}

/* The first core of a node; the node of the nearest cores for memory without its own. */
static unsigned first_core(const struct machine *machine, unsigned node) {
    const unsigned near = machine->nodes[node].near_node;
    for (unsigned i = 0; i < machine->core_count; i++)
        if (machine->cores[i].node == near)
            return i;
    return 0;
}

static void take_nodes(struct memory_subject *subject, const struct machine *machine, unsigned memory_node) {
    subject->memory_node = memory_node;
    if (machine->node_count > 1) {
        subject->series.node = 1 + machine->nodes[machine->cores[subject->core].node].os_index;
        subject->series.memory_node = 1 + machine->nodes[memory_node].os_index;
    }
}

/* Of the first core. Not every system reports the L1. */
static unsigned first_beyond_l1(const struct machine *machine) {
    const struct core_kind *kind = &machine->kinds[machine->cores[0].kind];
    return kind->cache_count > 0 && kind->caches[0].level == 1;
}

/* Loaded latency. */

/* All cores near the memory, or all that share the chasing core's cache `shared`, except the chasing core. */
static void take_loaders(struct memory_subject *subject, const struct machine *machine, unsigned memory_node,
                         int shared) {
    const struct core *chaser = &machine->cores[subject->core];
    subject->loaders = need_calloc(machine->core_count, sizeof *subject->loaders);
    for (unsigned i = 0; i < machine->core_count; i++) {
        const struct core *core = &machine->cores[i];
        const bool near = shared < 0 ? core->node == machine->nodes[memory_node].near_node
                                     : core->kind == chaser->kind &&
                                           chaser->cache_instance[0][shared] != MACHINE_NO_INSTANCE &&
                                           core->cache_instance[0][shared] == chaser->cache_instance[0][shared];
        if (near && i != subject->core)
            subject->loaders[subject->loader_count++] = i;
    }
    subject->series.threads = subject->loader_count;
}

static void add_ladder(struct memory_plan *plan, bool memory) {
    const double visit_s = memory ? LOADED_VISIT_S : SHARED_VISIT_S;
    memory_plan_add_item(plan, MEMORY_LOADED, MEMORY_IDLE, visit_s);
    for (double noops = MOST_NOOPS; noops > LEAST_NOOPS; noops /= NOOP_STEP)
        memory_plan_add_item(plan, MEMORY_LOADED, round(noops), visit_s);
    memory_plan_add_item(plan, MEMORY_LOADED, 0, visit_s);
}

/* One family of curves: a chasing core, and the cores that load one level with the first few patterns. */
struct loaded_family {
    unsigned level, core, memory_node;
    size_t patterns;
};

/* False: no core can load it. */
static bool memory_plan_add_loaded(struct memory_plan *plan, const struct machine *machine, const struct levels *levels,
                                   const struct loaded_family *family) {
    const struct levels *own = &levels[machine->cores[family->core].kind];
    const bool memory = family->level + 1 == own->count;
    const struct spot alone = {.kind = (int)machine->cores[family->core].kind, .threads = 1};
    const char *name =
        memory && machine->node_count ? machine->nodes[family->memory_node].kind : own->level[family->level].name;
    struct plan_step chase, load;
    if (!step_like_run(machine, levels, "chase", family->level, &alone, &chase))
        return false;
    for (size_t p = 0; p < family->patterns; p++) {
        const struct kernel *kernel = widest_kernel(machine, LOADED_PATTERNS[p]);
        if (!kernel || (!memory && pattern_of_kernel(kernel->op)->nontemporal))
            continue;
        struct memory_subject *subject = add_subject(plan, MEMORY_LOADED, name, kernel->name);
        subject->kernel = kernel;
        subject->core = family->core;
        take_chase(subject, &chase);
        take_loaders(subject, machine, family->memory_node, memory ? -1 : (int)family->level);
        take_nodes(subject, machine, family->memory_node);
        const struct spot all = {.kind = alone.kind, .threads = subject->loader_count + 1};
        const bool fits = all.threads <= team_capacity(machine, all.kind, &all.place);
        if (subject->loader_count == 0 ||
            !step_like_run(machine, levels, kernel->name, family->level, fits ? &all : &alone, &load)) {
            free(subject->loaders);
            plan->subject_count--;
            return false;
        }
        subject->loader_bytes = load.size_bytes[0];
        add_ladder(plan, memory);
    }
    return true;
}

/* Whether the node is the first of its kind. */
static bool is_first_node(const struct machine *machine, unsigned node) {
    bool is_first = true;
    for (unsigned i = 0; i < node; i++)
        is_first &= strcmp(machine->nodes[i].kind, machine->nodes[node].kind) != 0;
    return is_first;
}

/* All traffic of the first memory of each kind from the cores beside it; loads of others, and from elsewhere. */
static void plan_loaded(struct memory_plan *plan, const struct machine *machine, const struct levels *levels) {
    if (machine->core_count < 2) {
        memory_plan_omit(plan, "Loaded latency: there is one core, and loading needs another");
        return;
    }
    const unsigned homes = machine->node_count < MOST_HOMES ? machine->node_count : MOST_HOMES;
    for (unsigned memory = 0; memory < machine->node_count; memory++)
        for (unsigned home = 0; home < machine->node_count; home++) {
            const unsigned core = first_core(machine, home);
            const bool own = home == machine->nodes[memory].near_node;
            if (home >= homes && !own)
                continue;
            const struct loaded_family family = {.level = levels[machine->cores[core].kind].count - 1,
                                                 .core = core,
                                                 .memory_node = memory,
                                                 .patterns = own && is_first_node(machine, memory) ? LOADED_COUNT : 1};
            if (machine->nodes[home].core_count > 0 && !memory_plan_add_loaded(plan, machine, levels, &family) && own)
                memory_plan_omit(plan, "Loaded latency of node %u: no other core is near it",
                                 machine->nodes[memory].os_index);
        }
    if (homes < machine->node_count)
        memory_plan_omit(plan, "Loaded latency of distant memory from more than the first %u nodes", homes);
    const struct levels *own = &levels[machine->cores[0].kind];
    const struct cache *caches = machine->kinds[machine->cores[0].kind].caches;
    for (unsigned level = first_beyond_l1(machine); level + 1 < own->count; level++) {
        if (caches[level].sharing_core_count < 2 && level + 2 < own->count) /* a core's own */
            continue;
        const struct loaded_family family = {
            .level = level, .core = 0, .memory_node = machine->cores[0].node, .patterns = LOADED_COUNT};
        if (!memory_plan_add_loaded(plan, machine, levels, &family))
            memory_plan_omit(plan, "Loaded latency of the %s: no other core shares it", own->level[level].name);
    }
}

/* Parallel chases. */

static void plan_parallel(struct memory_plan *plan, const struct machine *machine, const struct levels *levels) {
    const struct levels *own = &levels[machine->cores[0].kind];
    const struct spot alone = {.kind = (int)machine->cores[0].kind, .threads = 1};
    /* A hit in the L1 is no miss in flight. */
    for (unsigned level = first_beyond_l1(machine); level < own->count; level++) {
        struct plan_step step;
        if (!step_like_run(machine, levels, "chase", level, &alone, &step))
            continue;
        const bool memory = level + 1 == own->count;
        struct memory_subject *subject = add_subject(
            plan, MEMORY_PARALLEL,
            memory && machine->node_count ? machine->nodes[machine->cores[0].node].kind : own->level[level].name,
            "chase");
        take_chase(subject, &step);
        take_nodes(subject, machine, machine->cores[0].node);
        for (size_t i = 0; pattern_chases[i]; i++)
            memory_plan_add_item(plan, MEMORY_PARALLEL, pattern_chases[i],
                                 memory       ? PARALLEL_VISIT_S
                                 : step.paced ? PAGES_VISIT_S
                                              : SHARED_VISIT_S);
    }
}

/* Pairs of CPUs. */

/* The name of the innermost cache that two cores share, of one kind or of two; false: none. */
static bool shared_cache(const struct machine *machine, const struct core *a, const struct core *b,
                         char name[CACHE_NAME_BYTES]) {
    const struct core_kind *kind = &machine->kinds[a->kind];
    for (unsigned c = 0; c < kind->cache_count; c++) {
        const unsigned other =
            machine_cache_index(&machine->kinds[b->kind], machine_cache_name(&kind->caches[c], name));
        if (other != MACHINE_NO_INSTANCE && a->cache_instance[0][c] != MACHINE_NO_INSTANCE &&
            a->cache_instance[0][c] == b->cache_instance[0][other])
            return true;
    }
    return false;
}

static const char *shared_part(const struct machine *machine, const struct core *a, const struct core *b,
                               char name[CACHE_NAME_BYTES]) {
    if (a == b)
        return "core";
    if (shared_cache(machine, a, b, name))
        return name;
    return a->package != b->package                       ? "machine"
           : a->node != b->node                           ? "package"
           : machine->node_count > machine->package_count ? "die"
                                                          : "package";
}

static void memory_plan_add_pair(struct memory_plan *plan, const struct machine *machine, const struct core *a,
                                 unsigned a_pu, const struct core *b, unsigned b_pu) {
    struct handover *pair = &plan->pairs[plan->pair_count++];
    const unsigned one = a->pus[a_pu], other = b->pus[b_pu];
    *pair = (struct handover){.first = one < other ? one : other, .second = one < other ? other : one};
    char name[CACHE_NAME_BYTES];
    snprintf(pair->shares, sizeof pair->shares, "%s", shared_part(machine, a, b, name));
}

/* All pairs of cores, by the first CPU of each, and both CPUs of a core. On a machine with too many, only every n-th
 * core takes part. */
static void plan_cores(struct memory_plan *plan, const struct machine *machine) {
    const size_t cores = machine->core_count;
    unsigned every = 1;
    size_t siblings = 0;
    for (size_t i = 0; i < cores; i++)
        siblings += machine->cores[i].pu_count > 1;
    if (cores + siblings < 2) {
        memory_plan_omit(plan, "Lines between cores: this process may use one CPU");
        return;
    }
    while ((cores / every) * (cores / every) / 2 + siblings > MOST_PAIRS)
        every++;
    plan->pairs = need_calloc(cores * cores / 2 + siblings + cores, sizeof *plan->pairs);
    plan->pairs_in_all = (unsigned)(cores * (cores - 1) / 2 + siblings);
    for (size_t i = 0; i < cores; i++)
        if (machine->cores[i].pu_count > 1)
            memory_plan_add_pair(plan, machine, &machine->cores[i], 0, &machine->cores[i], 1);
    for (size_t i = 0; i < cores; i += every)
        for (size_t j = i + every; j < cores; j += every)
            memory_plan_add_pair(plan, machine, &machine->cores[i], 0, &machine->cores[j], 0);
    if (every > 1)
        memory_plan_omit(plan, "Lines between cores: one core in %u takes part", every);
    /* In steps through the list, so that a measurement cut short has pairs of all parts. */
    size_t step = plan->pair_count * 5 / 8 + 1;
    while (step > 1 && plan->pair_count % step == 0)
        step++;
    size_t common = plan->pair_count, rest = step; /* step and count without a common divisor reach every pair */
    while (rest) {
        const size_t next = common % rest;
        common = rest, rest = next;
    }
    step = common == 1 ? step : 1;
    for (size_t i = 0, at = 0; i < plan->pair_count; i++, at = (at + step) % plan->pair_count)
        memory_plan_add_item(plan, MEMORY_CORES, 0, PAIR_VISIT_S)->subject = at;
}

/* Stores. */

static void add_writes(struct memory_plan *plan, const struct machine *machine, const struct levels *levels,
                       const struct kernel *kernel, const unsigned *threads) {
    const int kind = machine->kind_count > 1 ? TEAM_ANY_KIND : 0;
    const unsigned level = plan_levels(machine, levels, kind).count - 1;
    struct memory_subject *subject = NULL;
    for (; *threads; threads++) {
        const struct spot spot = {.kind = kind, .threads = *threads};
        struct plan_step step, like;
        if (!step_like_run(machine, levels, widest_kernel(machine, "store")->name, level, &spot, &like))
            continue;
        step = like;
        snprintf(step.kernel, sizeof step.kernel, "%s", kernel->name);
        if (!subject) {
            const char *memory = machine->node_count ? machine->nodes[machine->cores[0].node].kind : "DRAM";
            subject = add_subject(plan, MEMORY_WRITES, memory, kernel->name);
            subject->kernel = kernel;
            subject->memory = true;
            subject->series.threads = 0;
            doubts_join(&subject->doubts, step.doubts);
        }
        memory_plan_add_item(plan, MEMORY_WRITES, *threads, WRITE_VISIT_S)->writes = step;
    }
}

static void plan_writes(struct memory_plan *plan, const struct machine *machine, const struct levels *levels) {
    const unsigned cores = machine->core_count;
    unsigned threads[5] = {0}, count = 0;
    for (unsigned share = 8; share; share /= 2) { /* an eighth, a quarter, half of the cores, and all */
        const unsigned wanted = share == 8 ? 1 : cores / share;
        if (wanted > 0 && (count == 0 || wanted > threads[count - 1]))
            threads[count++] = wanted;
    }
    for (size_t p = 0; p < WRITE_COUNT; p++) {
        const struct kernel *kernel = widest_kernel(machine, WRITE_PATTERNS[p]);
        if (kernel)
            add_writes(plan, machine, levels, kernel, threads);
    }
    for (const struct store_way *way = store_ways; way->op; way++) {
        const struct kernel *kernel =
            way->whole_line ? plan_find_kernel(machine, way->op) : widest_kernel(machine, way->op);
        if (kernel)
            add_writes(plan, machine, levels, kernel, threads);
    }
}

/* Pages. */

/* x86-64 and arm64 with pages of 16 KiB have pages of 1 GiB, too; with 64 KiB, where huge ones have 512 MiB, 32
 * contiguous pages count as one of 2 MiB (Linux, Documentation/arch/arm64/hugetlbpage.rst). */
void memory_page_sizes(const struct machine *machine, uint64_t out[MEMORY_PAGE_SIZES]) {
    const uint64_t huge = machine_huge_page_bytes(machine), contiguous = (uint64_t)2 << 20, giant = (uint64_t)1 << 30;
    const bool vast = huge > giant / 4;
    out[0] = machine_page_bytes(machine);
    out[1] = vast ? contiguous : huge;
    out[2] = vast ? huge : giant;
}

bool memory_page_is_reserved(const struct machine *machine, uint64_t page_bytes) {
    return page_bytes != machine_page_bytes(machine) && page_bytes != machine_huge_page_bytes(machine);
}

/* Chases through one line of each of so many pages; `level` "lines": through as many neighbouring lines. */
static void add_page_series(struct memory_plan *plan, const struct machine *machine, uint64_t page_bytes,
                            uint64_t most_pages, const char *level) {
    struct memory_subject *subject = add_subject(plan, MEMORY_PAGES, level, "chase");
    const double touched_bytes = strcmp(level, "lines") == 0                    ? machine_line_bytes(machine)
                                 : memory_page_is_reserved(machine, page_bytes) ? 0 /* hardly ever there */
                                                                                : (double)page_bytes;
    subject->series.page_bytes = page_bytes;
    take_nodes(subject, machine, machine->cores[0].node);
    for (double pages = FEWEST_PAGES; pages <= (double)most_pages * 1.01; pages *= M_SQRT2)
        memory_plan_add_item(plan, MEMORY_PAGES, round(pages),
                             PAGES_VISIT_S +
                                 NEW_SHARE * pages * touched_bytes / FIRST_TOUCH_BYTES_PER_S / MEMORY_LEAST_VISITS);
}

static uint64_t most_pages(const struct machine *machine, uint64_t page_bytes) {
    const uint64_t fill = HUGE_PAGES_BYTES / page_bytes;
    return page_bytes == machine_page_bytes(machine) ? MOST_SMALL_PAGES
           : fill > MOST_HUGE_PAGES                  ? MOST_HUGE_PAGES
           : fill < MOST_GIANT_PAGES                 ? MOST_GIANT_PAGES
                                                     : fill;
}

static void plan_pages(struct memory_plan *plan, const struct machine *machine) {
    const uint64_t free_bytes = machine->recorded ? machine->memory_total_bytes : machine->memory_available_bytes,
                   huge = machine_huge_page_bytes(machine);
    const char *kind = machine->node_count ? machine->nodes[machine->cores[0].node].kind : "DRAM";
    const uint64_t limit = (uint64_t)((double)free_bytes * PAGES_SHARE);
    const struct kernel *random = widest_kernel(machine, "random");
    uint64_t sizes[MEMORY_PAGE_SIZES];
    memory_page_sizes(machine, sizes);
    /* The same numbers of lines in few pages: what caches alone cost. */
    add_page_series(plan, machine, huge, MOST_SMALL_PAGES, "lines");
    for (size_t i = 0; i < MEMORY_PAGE_SIZES; i++) {
        const uint64_t page = sizes[i], fit = limit / page, most = most_pages(machine, page),
                       wanted = fit < most ? fit : most;
        if (wanted >= FEWEST_PAGES)
            add_page_series(plan, machine, page, wanted, "pages");
        else if (page == huge)
            memory_plan_omit(plan, "Pages of %.0f MiB: %.0f MiB of memory are free", (double)huge / 0x1p20,
                             (double)free_bytes / 0x1p20);
        const uint64_t random_bytes = limit < RANDOM_MOST_BYTES ? limit : RANDOM_MOST_BYTES;
        if (!random || random_bytes < page || random_bytes < MEMORY_UNIT_BYTES)
            continue;
        struct memory_subject *subject = add_subject(plan, MEMORY_PAGES, kind, random->name);
        subject->kernel = random;
        subject->memory = true;
        subject->chase_bytes = random_bytes;
        subject->series.page_bytes = page;
        take_nodes(subject, machine, machine->cores[0].node);
        memory_plan_add_item(plan, MEMORY_PAGES, 0, PAGES_VISIT_S);
    }
}

bool memory_plan_make(struct memory_plan *out, const struct machine *machine, const struct levels *levels,
                      const bool parts[MEMORY_PARTS], struct error *err) {
    *out = (struct memory_plan){.page_bytes = machine_huge_page_bytes(machine)};
    if (parts[MEMORY_LOADED])
        plan_loaded(out, machine, levels);
    if (parts[MEMORY_PARALLEL])
        plan_parallel(out, machine, levels);
    if (parts[MEMORY_CORES])
        plan_cores(out, machine);
    if (parts[MEMORY_WRITES])
        plan_writes(out, machine, levels);
    if (parts[MEMORY_PAGES])
        plan_pages(out, machine);
    for (size_t i = 0; i < out->item_count; i++)
        out->expected_s += out->items[i].visit_s * (out->items[i].part == MEMORY_CORES ? 1 : MEMORY_LEAST_VISITS);
    return out->item_count > 0 ||
           error_set(err, "nothing can be measured here: %s", out->omitted[0] ? out->omitted : "no part is wanted");
}

void memory_plan_free(struct memory_plan *plan) {
    for (size_t i = 0; i < plan->subject_count; i++)
        free(plan->subjects[i].loaders);
    free(plan->subjects);
    free(plan->items);
    free(plan->pairs);
    *plan = (struct memory_plan){0};
}
