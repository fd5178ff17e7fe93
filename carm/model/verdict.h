/* SPDX-License-Identifier: BSD-3-Clause
 * What bounds an application: the roofs of the model that fit its own code, and its distance from them. Facts only;
 * verdict_words.h puts them into words. Pure.
 *
 * Its ceiling is that of the element type of most of its flop. At each level the access pattern with the nearest share
 * of stores judges it (see applicable_roofs.h). The binding level is the slowest one that allows its rate; for a
 * streaming workload, the level that holds its data. The lower of level and ceiling at its intensity makes it memory-
 * or compute-bound. The level that serves its data is then unknown (`nearest`), with these exceptions: only the
 * innermost level is fast enough, that level's roof binds it anyway, the workload streams, or its memory traffic is at
 * memory's rate.
 *
 * With simulated caches (struct point_levels) all of this is known: the link or ceiling with the longest time alone
 * binds; if none needs much of the time, the program waits. Its ceiling is that of its own width, or if it exceeds
 * that, the highest. model_thresholds.c defines near, far and above. */
#pragma once

#include "link_times.h"
#include "loop_account.h"
#include "model.h"

struct app_point;

/* The basis of the verdict; from VERDICT_NO_TIME on, the reason why there is none. */
enum verdict_basis {
    VERDICT_BY_LINKS, /* simulated traffic of each link between core, caches and memory */
    VERDICT_BY_CORE_BYTES,
    VERDICT_BY_DRAM_BYTES, /* the original roofline: no other bytes are known */
    VERDICT_NO_TIME,
    VERDICT_FLOP_UNKNOWN,
    VERDICT_BYTES_UNKNOWN,
    VERDICT_INTEGERS, /* it has dot products but no flop */
    VERDICT_NO_FLOP,
    VERDICT_THREADS_UNKNOWN,
    VERDICT_NO_CEILING, /* of its type, for its threads */
    VERDICT_NO_BANDWIDTH,
};

/* Why it is at this share of its roof. */
enum verdict_why {
    VERDICT_ROOF_BINDS,
    VERDICT_WAITS,      /* far below: latency, dependencies, branches */
    VERDICT_ABOVE_HOME, /* above the roof of the level that should hold its data, by more than roofs spread */
    VERDICT_ABOVE_ALL,  /* above every roof by more than measuring errors explain: something is wrong */
};

enum verdict_memory {
    VERDICT_MEMORY_UNSURE, /* or the traffic is unknown */
    VERDICT_MEMORY_BINDS,
    VERDICT_MEMORY_BINDS_NOT,
};

/* What a program far below all its roofs waits for. The latencies are for simulated traffic. */
struct verdict_waits {
    bool for_cpu;       /* it had none for most of the time: it slept, or waited for I/O or other programs */
    struct wait_cause { /* of its time without a CPU, sampled; kind WAIT_RUNS: none, or unknown */
        enum wait_kind kind;
        double share;        /* of its time, mean of the threads at work; of all causes at most `idle_share` */
        double threads;      /* that waited so at a time */
    } cause[2];              /* the largest two */
    struct wait_cause crowd; /* that of the most threads, beside these two */
    double threads;          /* that there were at a time */
    double fault_share;      /* of its time: page faults; part of `kernel_share`. 0: little, or unknown */
    bool latency_known;      /* of each level that served its lines */
    bool for_mpi;            /* its ranks, by their time in MPI calls, as for_kernel */
    bool for_kernel;       /* a program: a roof would bind it without the kernel's time, or that is most of its time */
    bool fetches_much;     /* its line fetches, one after the other, would take at least most of its time */
    bool may_be_latency;   /* and it has no more in flight than independent random accesses reach */
    bool for_latency;      /* and its loops wait for these lines */
    bool for_instructions; /* its loops' own instructions bind most of its time, or it executes very many */
    bool loops_known;
    double own_share, lines_share; /* of its time, in such loops (loop_account.h); 0: none, or unknown */
    double lines;                  /* from the level with the longest total latency */
    const struct roof *latency;    /* of that level */
    double most_at_a_time; /* lines of that level that independent random accesses have in flight, per thread; 0:
                              unknown */
    double most_lines;     /* that parallel pointer chases in one core had in flight; 0: not measured */
    double serial_s;       /* all its lines' latencies, one after the other on each thread */
    double shared_s;       /* the same, if others fill the last cache: its lines come from memory */
    double instructions_per_cycle; /* of each thread; 0: unknown */
    double clock_hz;               /* the clock for that */
    bool clock_assumed;            /* that of its ceiling, because its own is unknown */
};

struct verdict {
    bool known; /* it has a place on the roofline, and roofs that fit it; else `basis` gives the reason */
    enum verdict_basis basis;
    enum verdict_why why;
    struct doubts doubts; /* the point's own, and DOUBT_ABOVE_ROOF */
    char type[8];         /* of its ceilings: "f64" */
    unsigned threads;     /* of the roofs that judge it: its own number, else the next larger, else all cores */

    const struct roof *bandwidth;   /* the binding level's pattern; NULL unless memory-bound: its line is below the
                                       ceiling at this intensity */
    const struct roof *peak;        /* the highest ceiling of its type */
    const struct roof *own_peak;    /* the highest ceiling of its code's vector width; may be `peak` */
    const struct roof *ceiling;     /* `own_peak`; if it exceeds that, a higher one, up to `peak` */
    double attainable_flop_per_s;   /* by the binding roof, at its intensity */
    double ratio;                   /* reached / attainable */
    const struct roof *same_mix;    /* a slower pattern with `bandwidth`'s mix that is also sufficient; NULL: none */
    bool mix_known;                 /* its share of stores chose the pattern */
    double own_traffic_bytes_per_s; /* the level's rate for the program's own traffic, if it differs from the pattern's;
                                       0: it does not */

    double existing_threads;    /* those at work; of a program the mean number that existed, if it is known and less */
    double idle_share;          /* of a program's time: without a CPU, mean of these threads. 0: little, or unknown */
    bool delayed;               /* for most of that time other programs had the CPU */
    bool scarce_flop;           /* too little flop to matter */
    double kernel_share;        /* of its time: in the kernel; for a part, of the program's CPU time. 0: unknown */
    struct link_times times;    /* for VERDICT_BY_LINKS, and without flop: `times.longest` binds */
    struct verdict_waits waits; /* for VERDICT_WAITS */
    struct loop_account loop;   /* of a loop: what each part of the machine needs; without parts: unknown */
    const struct roof *nearest; /* the roof next to the core, if any level from that one to `bandwidth`'s may serve the
                                   data; NULL: the level is known, or the ceiling binds */

    const struct roof
        *next; /* the lowest roof above the binding one at its intensity: a faster level's, or a ceiling; NULL: none */
    double next_flop_per_s; /* allowed by `next` */
    bool next_counts;       /* memory-bound, and near enough to its roof for the next one to matter */

    const struct roof *bytes_roof; /* without flop: the roof of its bytes; NULL: unknown, or it has flop */
    double bytes_ratio;            /* reached share of it */

    const struct roof *dram_pattern; /* the reference of its memory traffic; NULL: unknown */
    double dram_ratio;               /* its memory traffic / that pattern's, write-allocate included */
    enum verdict_memory memory;      /* the conclusion */
};

struct verdict verdict_find(const struct model *model, const struct app_point *point);

bool verdict_is_above(const struct verdict *verdict); /* above its roof, by more than measuring errors explain */

/* Whether the roof of `ratio` limits it: its level is known, and it is not far below that roof. */
bool verdict_limit_known(const struct verdict *verdict);
