/* SPDX-License-Identifier: BSD-3-Clause
 * Records of the memory accesses of blocks. Each run of a recorded copy writes a record to its thread's buffer: the
 * number of its plan, and the registers that determine all addresses (asm/x86/address_recipe.h).
 *
 * If a loop changes these registers by constants only, one record covers all its rounds: the registers before the first
 * round, and the register after the last round that determines the number of rounds.
 *
 * A record takes its place when it begins; the number of executed instructions is stored when it is complete. If a
 * signal cuts a record off, it is completed with the number executed so far. The memory after the buffer is not
 * writable: a fault there means that the buffer is full. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "asm/x86/address_recipe.h"
#include "cache.h"
#include "sequence.h"

enum {
    RECORD_WORDS_MOST = 480,      /* of one record; less than a page */
    RECORD_GROUPS_MOST = 1 << 19, /* of all plans */
    RECORD_NO_ACCESS = 0,         /* the first access means none */
    RECORD_GROUPS_TOGETHER = 6,   /* whose lines may share a set: fewer than the ways of a first-level cache */
};

struct record_header {
    uint32_t plan;
    uint32_t executed; /* instructions, over all copies; 0: cut off, or not complete yet */
};

/* Accesses through the same registers, near each other: one check of the lines from `low` to `high` tells whether any
 * of them matters. */
struct record_group {
    int64_t low, high;                  /* offsets of the first and the last byte */
    uint32_t first_access, last_access; /* linked by record_next_access() */
    uint16_t first, count;              /* index of the first instruction; number of accesses */
    uint16_t step;                      /* instructions between accesses; 0: accesses are not regular */
    uint16_t bytes;                     /* of each access, if regular */
    int32_t stride_bytes;               /* between accesses, if regular and more than one; above 0 */
    uint8_t kind;                       /* of each access, if regular */
    uint8_t base, index, scale;
    bool dense; /* all bytes from `low` to `high` are accessed, with one kind */
    bool alone; /* one access that needs a look of its own */
};
/* How a group's first byte follows from the words after a record's header; index -1 is the header itself:
 * (words[base_at] & base_mask) + words[index_at] × scale + low. */
struct record_reach {
    int16_t base_at, index_at;
    uint32_t span; /* bytes from the first to the last */
    int64_t low;
    uint64_t base_mask, scale;
    uint64_t step; /* in a loop: change of the begin from round to round */
    uint64_t used; /* a bit for each used byte among the first 64 */
    uint16_t first;
    bool alone;
    uint8_t kind; /* of each access, if all are the same */
};
/* Successive accesses of a group, which are one access if they lie within a line. */
struct record_run {
    int64_t offset; /* of the first byte */
    uint64_t used;  /* as above */
    uint32_t group, first_access;
    uint16_t count;
    uint8_t span; /* bytes from the first to the last; 64: these accesses are separate */
    uint8_t kind; /* RECIPE_UPDATE: a load, then a store */
};
/* A record for all rounds of a loop. Its last word is the value of `reg` after them. */
struct record_loop {
    uint32_t copies;    /* in a round; 0: a record covers one round */
    uint16_t rounds_by; /* the word after the header with the initial value of `reg` */
    uint8_t reg;
    int64_t copy_step; /* change of `reg` by each copy */
};
struct record_plan {
    uint32_t block;                                  /* index of the block */
    uint32_t first_group, first_value, first_access; /* accesses in program order */
    uint32_t first_run, run_count;
    uint16_t group_count, value_count, access_count;
    uint16_t words;        /* of 8 bytes, including the header */
    bool looks_alone;      /* one of its groups needs a look of its own */
    bool by_lines;         /* executed in full, each group's accesses of one line can be simulated together */
    bool part_by_lines;    /* executed in part, too */
    uint32_t instructions; /* over all copies */
    uint32_t small;        /* the same, if `by_lines` and no loop; else more than any number of them */
    struct record_loop loop;
    uint64_t begun_at; /* from this address in the cache on, the record has its place, and a loop's record its values */
};

/* From now on blocks are recorded. */
void record_start(void);
bool record_is_on(void);

/* All plans. */
struct record_plans {
    uint32_t plan_count, group_count; /* including plan 0, which means none */
    struct record_plan *plans;
    struct record_group *groups;
    struct record_reach *reaches; /* by group */
    struct record_run *runs;      /* of the plans that are not simulated by lines */
    struct recipe_access *accesses;
    uint16_t *group_of;          /* by access: its group, counted from the plan's first */
    uint32_t *next_access;       /* by access: the next one of its group, or RECORD_NO_ACCESS */
    struct recipe_value *values; /* from plan->first_value on, in the order of the accesses' numbers */
};
extern struct record_plans record_plans;
static inline const struct record_plan *record_plan(uint32_t number) {
    return &record_plans.plans[number];
}
static inline const struct record_group *record_group(uint32_t index) {
    return &record_plans.groups[index];
}
static inline const struct record_reach *record_reach(uint32_t index) {
    return &record_plans.reaches[index];
}
static inline const struct record_run *record_run(uint32_t index) {
    return &record_plans.runs[index];
}
static inline const struct recipe_access *record_access(uint32_t index) {
    return &record_plans.accesses[index];
}
static inline const uint16_t *record_group_of(uint32_t access) {
    return &record_plans.group_of[access];
}
static inline uint32_t record_next_access(uint32_t access) {
    return record_plans.next_access[access];
}
static inline const struct recipe_value *record_value(uint32_t index) {
    return &record_plans.values[index];
}

/* Whether a record can represent all accesses of the sequence. */
bool record_fits(const struct sequence *sequence);

/* How many copies of the sequence a record can represent, at most `copies`. */
uint32_t record_copies(const struct sequence *sequence, uint32_t copies);

/* Plans the records of the sequence's block. `block->record`: number of the plan, 0: none. `block->held`: the register
 * that holds the record's end meanwhile, -1: none is free. */
void record_make_plan(const struct sequence *sequence, struct block *block);

/* Code around the copies of the last planned block. begin: before the first copy. again: where the loop jumps back to.
 * values: before each instruction (numbered over all copies) and after the last. round: after the last copy, before the
 * jump back. complete, end: at each way out, with the number of executed instructions. None changes the flags; all
 * restore changed registers. */
void record_emit_begin(void);
void record_emit_again(void);
void record_emit_values(uint32_t instruction);
void record_emit_round(uint32_t executed);
void record_emit_complete(uint32_t executed);
void record_emit_end(void);

/* Whether a record of the block covers all rounds of a loop. */
bool record_is_of_rounds(const struct block *block);

/* Where a signal interrupted a block with a plan, if it does not continue there. */
struct record_interruption {
    uint64_t code;          /* in the cache */
    uint64_t records_end;   /* of the thread */
    uint64_t registers[16]; /* of the program, by number */
    uint32_t executed;      /* instructions, over all copies */
    bool repeats;           /* the next instruction is repeated and amid its rounds */
};

/* Completes the record with the accesses executed so far. */
void record_interrupt(const struct block *block, const struct record_interruption *at);
