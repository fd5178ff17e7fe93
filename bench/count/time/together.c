/* SPDX-License-Identifier: BSD-3-Clause
 * Threads that work at the same time (see together.h). What a thread did is how many blocks it ran. */
#include "together.h"

#include "bench/count/code/cache.h"

enum {
    GOOD_PART = 10,   /* one of so many: what a thread does of what the busiest one does meanwhile */
    SMALL_PART = 100, /* of all that the program does: before its threads begin, one may do most */
    FEW = 16          /* threads that are looked at each time */
};

static struct { /* that live, in no order */
    const struct context *context;
    uint64_t blocks; /* when it was looked at last */
} living[CONTEXT_THREADS];
static uint32_t living_count;
static uint64_t work[CONTEXT_THREADS + 1]; /* of the busiest thread, by how many worked together */
static uint32_t most;                      /* that ever did */

/* What is MPI's is no work of the program. */
static uint64_t blocks_of(const struct context *thread) {
    uint64_t sum = 0;
    for (uint32_t i = 1; !thread->in_mpi && i < cache_counter_count(); i++) /* [0] takes what is of no counter */
        sum += thread->counters[i];
    return sum;
}

/* What each has done since the last time. */
static void note(void) {
    static uint64_t done[CONTEXT_THREADS];
    uint64_t busiest = 0;
    uint32_t working = 0;
    for (uint32_t i = 0; i < living_count; i++) {
        const uint64_t now = blocks_of(living[i].context);
        done[i] = now - living[i].blocks;
        living[i].blocks = now;
        busiest = done[i] > busiest ? done[i] : busiest;
    }
    for (uint32_t i = 0; i < living_count; i++)
        working += done[i] > 0 && done[i] >= busiest / GOOD_PART;
    work[working] += busiest;
    most = working > most ? working : most;
}

/* Another thread is about to begin or to end. Of many, one that does makes little difference. */
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
    living[living_count++].blocks = 0;
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

uint32_t together_most(void) {
    uint64_t all = 0, part = 0;
    uint32_t count;
    note();
    for (uint32_t i = 0; i <= most; i++)
        all += work[i];
    for (count = most; count > 1; count--) {
        part += work[count];
        if (part >= all / SMALL_PART)
            break;
    }
    return count;
}

void together_forked(struct context *thread) {
    for (uint32_t i = 0; i <= most; i++)
        work[i] = 0;
    most = living_count = 0;
    together_begin(thread);
}
