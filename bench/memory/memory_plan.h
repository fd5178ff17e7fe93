/* SPDX-License-Identifier: BSD-3-Clause
 * What `carmine memory` measures on a machine, and how visits become numbers. Pure: it measures through functions of
 * the caller, so that it can be tested on simulated machines. */
#pragma once

#include <stdatomic.h>

#include "memory_system.h"

#include "asm/kernel.h"
#include "bench/kernels/levels.h"
#include "bench/kernels/plan.h"

struct core;
struct machine;
struct memory_node;
struct error;

enum { MEMORY_VISITS = 15, MEMORY_LEAST_VISITS = 5, MEMORY_AT_ONCE = 5, MEMORY_VALUES = 4 };

/* Half of an interval's width beyond which a number is measured again. */
#define MEMORY_BOUND 0.05

/* One measurement of an item. A series' point: latency in s, bytes/s, counted bytes/s at the memory. A pair: swap_s[0],
 * swap_s[1], store_s[0], store_s[1]. 0: has none. */
struct memory_reading {
    double of[MEMORY_VALUES];
    struct doubts doubts;
};

/* How a series is measured. Cores are indices into the machine's cores. */
struct memory_subject {
    struct memory_series series; /* without points */
    const struct kernel *kernel; /* of the loaders, of the writers, of random lines; NULL: chases only */
    unsigned core;               /* that chases */
    unsigned loader_count;
    unsigned *loaders;
    unsigned memory_node;  /* index of the node of all data */
    uint64_t chase_bytes;  /* of the chased buffer */
    uint64_t inner_bytes;  /* > 0: a larger set is read again before each repetition (struct plan_step) */
    uint64_t loader_bytes; /* of each loader's buffer */
    bool memory;           /* the level is memory */
    bool paced;            /* by the core clock */
    struct doubts doubts;  /* known in advance */
};

/* One point of a series, or a pair. */
struct memory_item {
    enum memory_part part;
    size_t subject;          /* index; of a pair: into the plan's pairs */
    double setting;          /* of the point */
    struct plan_step writes; /* of MEMORY_WRITES */
    double visit_s;          /* expected */
    bool done;               /* a resumed file has it */
    bool impossible;         /* a visit gave no number */
    unsigned visit_count;
    struct memory_reading visits[MEMORY_VISITS];
};

struct memory_plan {
    size_t subject_count, item_count, pair_count;
    struct memory_subject *subjects;
    struct memory_item *items; /* in measuring order */
    struct handover *pairs;    /* without times */
    unsigned pairs_in_all;     /* also those left out on a big machine */
    uint64_t page_bytes;       /* of all data but that of MEMORY_PAGES: the machine's huge ones */
    char omitted[512];         /* sentences about the parts left out */
    double expected_s;         /* with the least number of visits */
};

/* The page sizes of MEMORY_PAGES on a machine, in order: its small ones, its huge ones, and a third size that root
 * reserves. */
enum { MEMORY_PAGE_SIZES = 3 };
void memory_page_sizes(const struct machine *machine, uint64_t out[MEMORY_PAGE_SIZES]);

/* Whether the system has such pages only if root reserved them. */
bool memory_page_is_reserved(const struct machine *machine, uint64_t page_bytes);

/* `parts[part]`: it is wanted. `levels` has one entry per core kind. The caller ends with memory_plan_free(), also
 * after an error. Error: no wanted part can be measured here, with the reasons. */
bool memory_plan_make(struct memory_plan *out, const struct machine *machine, const struct levels *levels,
                      const bool parts[MEMORY_PARTS], struct error *err);
void memory_plan_free(struct memory_plan *plan);

/* Adds to `omitted` of the plan. */
__attribute__((format(printf, 2, 3))) void memory_plan_omit(struct memory_plan *plan, const char *format, ...);

/* Marks items that the memory system has, with enough visits, as done. */
void memory_plan_resume(struct memory_plan *plan, const struct memory_system *held);

/* The measuring machine, real or simulated. */
struct memory_bench {
    void *context;
    /* One visit of an item: one reading, or up to MEMORY_AT_ONCE. None: it cannot be measured here. */
    bool (*visit)(void *context, const struct memory_plan *plan, const struct memory_item *item,
                  struct memory_reading readings[MEMORY_AT_ONCE], unsigned *count, struct error *err);
    double (*now_s)(void *context);
    /* Called before each visit; may be NULL. */
    void (*progress)(void *context, const struct memory_plan *plan, size_t item, unsigned round);
    const atomic_int *stop; /* ends the measurement after the current visit; may be NULL */
};

/* Visits all items in rounds, so that a disturbance of some seconds meets each item once, until each has
 * MEMORY_LEAST_VISITS and its intervals are narrower than MEMORY_BOUND, or MEMORY_VISITS, or the budget is spent. A
 * part whose visit fails is left out, with its error in `omitted`. Error: nothing else was visited. */
bool memory_measure(struct memory_plan *plan, const struct memory_bench *bench, double budget_s, struct error *err);

/* The median of an item's readings `of[value]` with its 90 % interval; zeros without visits. */
struct memory_number memory_item_number(const struct memory_item *item, unsigned value);

/* Replaces what `out` has of the plan's subjects and pairs by everything that was visited; the rest of `out` stays. */
void memory_plan_keep(const struct memory_plan *plan, struct memory_system *out);

/* Items wanted, visited and settled. */
struct memory_progress {
    size_t wanted, visited, settled;
};
struct memory_progress memory_plan_progress(const struct memory_plan *plan);
