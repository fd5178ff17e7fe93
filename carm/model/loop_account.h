/* SPDX-License-Identifier: BSD-3-Clause
 * One account of a loop: the cycles per iteration that each part of the machine needs for it alone, beside the measured
 * ones. Parts overlap in a core, so the longest one binds if it explains the measured time. A part that needs clearly
 * more than was measured is refuted: it neither binds nor promises anything. Pure. */
#pragma once


#include "link_times.h"

enum loop_part_kind {
    LOOP_CHAIN,    /* latencies from one iteration to the next; of a pointer chase with its lines' misses */
    LOOP_PORTS,    /* the busiest execution ports */
    LOOP_RENAMING, /* the number of instructions */
    LOOP_DIVIDER,
    LOOP_BRANCHES, /* taken ones, as many per cycle as were measured */
    LOOP_FETCH,    /* reading code, where that explains what nothing else does */
    LOOP_LINK,     /* traffic between caches, or with memory */
    LOOP_MISSES,   /* latencies of lines, as many at a time as this core can have */
};
struct loop_part {
    enum loop_part_kind kind;
    char name[64];      /* "chain of vaddsd", "ports 0, 1", "L2 ⇄ L3" */
    double cycles;      /* per iteration, at least */
    double most_cycles; /* as many, or of a chain clearly more: if its loop's passes do not overlap */
    bool refuted;       /* the loop took less: the core's table, the roof or the latency is not true of it */
};
/* What may take the cycles that no part explains. */
enum loop_cause {
    LOOP_CAUSE_INSTRUCTIONS, /* unknown to the core's table */
    LOOP_CAUSE_REFUTED,      /* the longest refuted part: its true length is unknown */
    LOOP_CAUSE_PASSES,       /* its chain, as far as passes do not overlap */
    LOOP_CAUSE_CALLS,        /* chains through the functions that it calls */
    LOOP_CAUSE_LINES,        /* cache lines: they are long enough, or unknown */
    LOOP_CAUSE_BRANCHES,     /* likewise */
    LOOP_CAUSE_FETCH,        /* unknown */
    LOOP_CAUSE_NEIGHBOUR,    /* something else on its core, which takes ports and renaming */
    LOOP_CAUSE_AROUND,       /* code around it */
    LOOP_CAUSE_KERNEL,
    LOOP_CAUSES
};
enum { LOOP_PARTS_MOST = 7 + POINT_LINKS_MAX };

struct loop_account {
    unsigned count;         /* of parts; 0: no loop, or not counted for this core */
    double measured_cycles; /* per iteration; 0: the clock or the time is unknown */
    double most_cycles;     /* of the longest run */
    double clock_hz;
    bool clock_assumed; /* that of its roofs */
    struct loop_part part[LOOP_PARTS_MOST];
    bool from_documents;   /* nobody compared the core's table with such a core */
    bool measured_core;    /* it has no table: all that is known was measured */
    double unknown;        /* instructions per iteration that the core's table does not know */
    bool chases;           /* most of its chain is loads */
    bool streams;          /* all its accesses are at constant strides, which a core fetches ahead */
    double way_back;       /* share of its renaming: its counter, and the jump back */
    double calls;          /* of functions, per iteration: their time is not in `measured_cycles` */
    bool lines_known;      /* they were simulated */
    double serial_cycles;  /* latencies of its lines from beyond L1, one after the other, per iteration; NaN: unknown */
    double shared_cycles;  /* the same, if others fill the last cache and something else did use its core */
    double branch_cycles;  /* at most, of mispredicted branches: the rarer way of each, and each exit; NaN: unknown */
    double neighbour;      /* share of the time that something else used its core; 0: nobody did, or unknown */
    bool may[LOOP_CAUSES]; /* the rest, if no part explains the measured cycles */
    int longest, second;   /* of the parts that are not refuted; indices; -1: none */
    int chain;             /* the part; -1: none */
    int refuted;           /* the longest part that a table or a roof has wrong; -1: none */
    double share;          /* of the longest, of the measured cycles; 0: unknown */
    bool binds;            /* the longest explains the measured cycles */
    double faster;         /* so many times, without the longest part, or with as many chains as are worth it, since the
                              others hinder each other; 0: the longest does not bind, or unknown */
    double faster_at_most; /* if they did not */
    unsigned accumulators; /* of these chains; 0: the chain is no plain sum or product */
};

/* Its cache lines from beyond L1: their latencies, one after the other on each thread; the same if others fill the last
 * cache, so that its lines come from memory; how many a core can have in flight, 0: unknown. */
struct loop_lines {
    double serial_s; /* NaN: unknown */
    double shared_s, in_flight;
};

/* `roof`: one that fits the loop, for its clock; NULL. */
struct loop_account loop_account_find(const struct app_point *point, const struct link_times *times,
                                      const struct roof *roof, const struct loop_lines *lines);

/* "bound by its chain of vaddsd: 4 of 4.1 cycles per iteration; ports 0, 1 need 0.5; 9 accumulators would make it about
 * 6.8 × faster, at most 8 ×". "": no account. */
enum { LOOP_WORDS_BYTES = 832 };
const char *loop_account_words(const struct loop_account *account, char out[LOOP_WORDS_BYTES]);

/* "4", "2.3 to 4". */
enum { LOOP_CYCLES_BYTES = 72 };
const char *loop_cycles_words(const struct loop_part *part, int digits, char out[LOOP_CYCLES_BYTES]);

/* "mispredicted branches (up to 6.8 cycles)". */
enum { LOOP_CAUSE_BYTES = 160 };
const char *loop_cause_words(const struct loop_account *account, enum loop_cause cause, char out[LOOP_CAUSE_BYTES]);

/* Whether its own instructions bind it; whether its cache lines do, or nothing else than these can be the rest. */
bool loop_account_computes(const struct loop_account *account);
bool loop_account_fetches(const struct loop_account *account);
