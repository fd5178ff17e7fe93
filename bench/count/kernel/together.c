/* SPDX-License-Identifier: BSD-3-Clause
 * Threads that work at the same time (see together.h). Work is measured in instructions and in flop: a serial, scalar
 * set-up may execute most instructions of a program whose threads do all of its flop. */
#include "together.h"

#include "bench/count/code/cache.h"

enum {
    GOOD_PART = 10,   /* divisor: a working thread's least part of the busiest one's work */
    SMALL_PART = 100, /* divisor: least part of all work; one thread may do most before others begin */
    FEW = 16          /* with fewer threads, each begin and end is noted */
};

enum measure { INSTRUCTIONS, FLOP, MEASURES };
struct amount {
    uint64_t of[MEASURES];
};

static struct { /* living threads, unordered */
    const struct context *context;
    struct amount before; /* its work at the last check */
} living[CONTEXT_THREADS];
static uint32_t living_count;
static uint64_t work[MEASURES][CONTEXT_THREADS + 1]; /* of the busiest thread, by the number of concurrent threads */
static uint32_t most;                                /* highest number of concurrent threads so far */

/* Calls of MPI are not work of the program. */
static struct amount amount_of(const struct context *thread) {
    struct amount sum = {{0, 0}};
    for (uint32_t i = 1; !thread->in_mpi && i < cache_counter_count(); i++) { /* index 0 is no counter */
        const uint32_t index = cache_counter_block(i);
        if (index == 0 || thread->counters[i] == 0)
            continue;
        const struct block *block = cache_block(index);
        const uint64_t count = cache_count(thread->counters, i);
        sum.of[INSTRUCTIONS] += count * block->instruction_count;
        sum.of[FLOP] += count * block->flop;
    }
    return sum;
}

/* Adds each thread's work since the last check, by one measure. `done`: for all living threads. */
static void add_up(enum measure measure, const struct amount *done) {
    uint64_t busiest = 0;
    uint32_t working = 0;
    for (uint32_t i = 0; i < living_count; i++)
        busiest = done[i].of[measure] > busiest ? done[i].of[measure] : busiest;
    for (uint32_t i = 0; i < living_count; i++)
        working += done[i].of[measure] > 0 && done[i].of[measure] >= busiest / GOOD_PART;
    work[measure][working] += busiest;
    most = working > most ? working : most;
}

static void note(void) {
    static struct amount done[CONTEXT_THREADS];
    for (uint32_t i = 0; i < living_count; i++) {
        const struct amount now = amount_of(living[i].context);
        for (unsigned m = 0; m < MEASURES; m++) { /* a loop's counter is briefly too high, then falls */
            const uint64_t before = living[i].before.of[m];
            done[i].of[m] = now.of[m] > before ? now.of[m] - before : 0;
        }
        living[i].before = now;
    }
    for (enum measure m = 0; m < MEASURES; m++)
        add_up(m, done);
}

/* A thread is about to begin or end. If there are many, a single one matters little. */
static void note_now_and_then(void) {
    static uint32_t passed_over;
    if (++passed_over > living_count / FEW) {
        passed_over = 0;
        note();
    }
}

void together_begin(struct context *thread) {
    note_now_and_then();
    living[living_count].context = thread;
    living[living_count++].before = (struct amount){{0, 0}};
}

void together_end(const struct context *thread) {
    note_now_and_then();
    for (uint32_t i = 0; i < living_count; i++)
        if (living[i].context == thread) {
            living[i] = living[--living_count];
            return;
        }
}

uint32_t together_living(void) {
    return living_count;
}

static uint32_t most_by(enum measure measure) {
    uint64_t all = 0, part = 0;
    uint32_t count;
    for (uint32_t i = 0; i <= most; i++)
        all += work[measure][i];
    for (count = most; count > 1; count--) {
        part += work[measure][count];
        if (part > 0 && part >= all / SMALL_PART)
            break;
    }
    return count;
}

uint32_t together_most(void) {
    note();
    const uint32_t by_instructions = most_by(INSTRUCTIONS), by_flop = most_by(FLOP);
    return by_flop > by_instructions ? by_flop : by_instructions;
}

void together_forked(struct context *thread) {
    for (uint32_t i = 0; i <= most; i++)
        work[INSTRUCTIONS][i] = work[FLOP][i] = 0;
    most = living_count = 0;
    together_begin(thread);
}
