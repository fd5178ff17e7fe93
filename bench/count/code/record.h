/* SPDX-License-Identifier: BSD-3-Clause
 * Recording what blocks access in memory. A copy that is recorded leaves, each time it runs, a record in its thread's
 * buffer: the number of its plan, and the registers from which all addresses follow (asm/x86/address_recipe.h).
 *
 * Where a loop changes these registers by constants alone, one record stands for all of its rounds: the registers
 * before the first, and the one behind the last that tells how many there were.
 *
 * The place of a record is taken when it is begun, and how many instructions were executed is noted when it is
 * complete: one that a signal cuts off is completed with what was executed by then. Behind the buffer lies memory that
 * cannot be written: the fault says that it is full. */
#ifndef BENCH_COUNT_RECORD_H
#define BENCH_COUNT_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "asm/x86/address_recipe.h"
#include "cache.h"
#include "sequence.h"

enum {
    RECORD_WORDS_MOST = 480,      /* of one record; less than a page */
    RECORD_GROUPS_MOST = 1 << 19, /* of all plans */
    RECORD_NO_ACCESS = 0,         /* the first of all is none */
};

struct record_header {
    uint32_t plan;
    uint32_t executed; /* instructions, over all copies; 0: it was cut off, or is not complete yet */
};

/* Accesses by the same registers, not far from each other: whether any is of interest is told by one look at the lines
 * from `low` to `high`. */
struct record_group {
    int64_t low, high;                  /* offsets of the first and the last byte */
    uint32_t first_access, last_access; /* record_next_access() leads from one to the other */
    uint16_t first, count;              /* index of the first instruction; accesses */
    uint16_t step;        /* instructions from one to the next; 0: not always the same, or the rest is not */
    uint16_t bytes;       /* of each, with `step` */
    int32_t stride_bytes; /* from one to the next, with `step` and more than one; above 0 */
    uint8_t kind;         /* of each, with `step` */
    uint8_t base, index, scale;
    bool dense; /* all bytes from `low` to `high` are accessed, in one way */
    bool alone; /* one access that has to be looked at by itself */
};
/* Of a group, how its first byte follows from the words behind a record's header, -1 being the header itself:
 * (words[base_at] & base_mask) + words[index_at] × scale + low. */
struct record_reach {
    int16_t base_at, index_at;
    uint32_t span; /* bytes from the first to the last */
    int64_t low;
    uint64_t base_mask, scale;
    uint64_t step; /* of a loop: by so much more it begins in the next round */
    uint16_t first;
    bool alone;
};
/* A record that stands for all rounds of a loop. Its last word is what `reg` holds behind them. */
struct record_loop {
    uint32_t copies;    /* in a round; 0: a record is of one round */
    uint16_t rounds_by; /* the word behind the header that `reg` begins with */
    uint8_t reg;
    int64_t copy_step; /* by which each copy changes `reg` */
};
struct record_plan {
    uint32_t block;                                  /* the index of the block */
    uint32_t first_group, first_value, first_access; /* accesses in the order of the program */
    uint16_t group_count, value_count, access_count;
    uint16_t words;        /* of 8 bytes, with the header */
    bool looks_alone;      /* a group of it is */
    uint32_t instructions; /* over all copies */
    struct record_loop loop;
    uint64_t begun_at; /* from there on in the cache the record has its place, and a loop's its values */
};

/* From now on blocks are recorded. */
void record_start(void);
bool record_is_on(void);

/* All that was planned. */
struct record_plans {
    uint32_t plan_count, group_count; /* with the none, plan 0 */
    struct record_plan *plans;
    struct record_group *groups;
    struct record_reach *reaches; /* by group */
    struct recipe_access *accesses;
    uint16_t *group_of;          /* by access: its group, counted from the plan's first */
    uint32_t *next_access;       /* by access: the next one of its group, or RECORD_NO_ACCESS */
    struct recipe_value *values; /* from plan->first_value on, as the accesses number them */
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

/* Whether a record can tell all that the sequence accesses. */
bool record_fits(const struct sequence *sequence);

/* How many copies of the sequence a record can tell of, up to so many. */
uint32_t record_copies(const struct sequence *sequence, uint32_t copies);

/* Plans the block that is made of this sequence; `block->record` gets the plan's number, 0 where it has none, and
 * `block->held` the register that holds the end of the record meanwhile, -1 where none is unused. */
void record_make_plan(const struct sequence *sequence, struct block *block);

/* Around the copies of the block that was planned last: before the first, before each instruction (counted over all
 * copies) and behind them all; behind the last copy where it leads back to where record_emit_again() was; and, with as
 * many as were executed, where the copies are left. None changes the flags; all that change registers put them back. */
void record_emit_begin(void);
void record_emit_again(void);
void record_emit_values(uint32_t instruction);
void record_emit_round(uint32_t executed);
void record_emit_complete(uint32_t executed);
void record_emit_end(void);

/* Whether a record of the block stands for all rounds of a loop. */
bool record_is_of_rounds(const struct block *block);

/* Where a block that has a plan was interrupted, which is not gone on with there. */
struct record_interruption {
    uint64_t code;          /* in the cache */
    uint64_t records_end;   /* the thread's */
    uint64_t registers[16]; /* the program's, by number */
    uint32_t executed;      /* instructions, over all copies */
    bool repeats;           /* the next one is a repeated one in the midst of its rounds */
};

/* Completes the record with what was executed by then. */
void record_interrupt(const struct block *block, const struct record_interruption *at);

#endif
