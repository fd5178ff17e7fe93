/* SPDX-License-Identifier: BSD-3-Clause
 * One account of a loop: the cycles per iteration that each part of the machine needs for it alone, beside the measured
 * ones. Parts overlap in a core, so the longest one binds if it explains the measured time. Pure. */
#ifndef CARM_LOOP_ACCOUNT_H
#define CARM_LOOP_ACCOUNT_H

#include <stddef.h>

#include "link_times.h"

enum loop_part_kind {
    LOOP_CHAIN,    /* latencies from one iteration to the next; of a pointer chase with its lines' misses */
    LOOP_PORTS,    /* the busiest execution ports */
    LOOP_RENAMING, /* the number of instructions */
    LOOP_DIVIDER,
    LOOP_FETCH,  /* reading code, where that explains what nothing else does */
    LOOP_LINK,   /* traffic between caches, or with memory */
    LOOP_MISSES, /* latencies of lines, as many at a time as this core can have */
};
struct loop_part {
    enum loop_part_kind kind;
    char name[64]; /* "chain of vaddsd", "ports 0, 1", "L2 ⇄ L3" */
    double cycles; /* per iteration */
};
enum { LOOP_PARTS_MOST = 6 + POINT_LINKS_MAX };

struct loop_account {
    unsigned count;         /* of parts; 0: no loop, or not counted for this core */
    double measured_cycles; /* per iteration; 0: the clock or the time is unknown */
    double clock_hz;
    bool clock_assumed; /* that of its roofs */
    struct loop_part part[LOOP_PARTS_MOST];
    double unknown;        /* instructions per iteration that the core's table does not know */
    double serial_cycles;  /* latencies of its lines from beyond L1, one after the other, per iteration; 0: unknown */
    double branch_cycles;  /* at most, of mispredicted branches: the rarer way of each, and each exit; 0: unknown */
    bool lines_known;      /* they were simulated */
    int longest, second;   /* indices; -1: none */
    double share;          /* of the longest, of the measured cycles; 0: unknown */
    bool binds;            /* the longest explains the measured cycles */
    double faster;         /* at most so many times, if the longest were gone; 0: it does not bind */
    unsigned accumulators; /* that would make it so; 0: the chain is no plain sum or product */
};

/* `roof`: one that fits the loop, for its clock; NULL. `serial_s`: latencies of the lines of each thread, one after the
 * other; 0: unknown. `lines`: that a core can have in flight; 0: unknown. */
struct loop_account loop_account_find(const struct app_point *point, const struct link_times *times,
                                      const struct roof *roof, double serial_s, double lines);

/* "bound by its chain of vaddsd: 4 cycles per iteration of 4.1 measured; ports 0, 1 need 0.5; 8 accumulators would make
 * it up to 8 × faster". "": no account. */
enum { LOOP_WORDS_BYTES = 384 };
const char *loop_account_words(const struct loop_account *account, char out[LOOP_WORDS_BYTES]);

#endif
