/* SPDX-License-Identifier: BSD-3-Clause
 * What bounds an application: the roofs of the model that fit its own code, and how far below them it is. Facts alone;
 * verdict_words.h says them. Pure.
 *
 * Its ceiling is that of the element type that most of its flop are of. At each level it is judged against the access
 * pattern whose share of stores is nearest to its own (see applicable_roofs.h). The level that binds it is the slowest
 * one that still allows what it reaches, or of a workload that streams, the one that its data are in; in the end it is
 * memory- or compute-bound by which of the two lines is lower at its intensity. Which level its data really come from
 * is not known then, unless only the innermost level is fast enough, that level's roof binds it wherever its data are,
 * it is a workload that streams, or its memory traffic is what memory moves: `nearest` says so.
 *
 * Where caches were simulated (struct point_levels) all that is known: what binds is the link, or the ceiling, that
 * would need the longest alone; and where none needs much of the time, it waits. Its ceiling is first that of its own
 * width, and where it exceeds that, the highest. What is near, far or above is in verdict_thresholds.h. */
#ifndef CARM_VERDICT_H
#define CARM_VERDICT_H

#include "link_times.h"
#include "model.h"

#include "bench/programs/app_point.h"

/* What it is judged by; from VERDICT_NO_TIME on it is not, and this is why. */
enum verdict_basis {
    VERDICT_BY_LINKS, /* what passed over each link between the core, caches and memory was simulated */
    VERDICT_BY_CORE_BYTES,
    VERDICT_BY_DRAM_BYTES, /* the original roofline: nothing else of its bytes is known */
    VERDICT_NO_TIME,
    VERDICT_FLOP_UNKNOWN,
    VERDICT_BYTES_UNKNOWN,
    VERDICT_INTEGERS, /* it has dot products, and no flop */
    VERDICT_NO_FLOP,
    VERDICT_THREADS_UNKNOWN,
    VERDICT_NO_CEILING, /* of its type, for its threads */
    VERDICT_NO_BANDWIDTH,
};

/* Why it is at this share of its roof. */
enum verdict_why {
    VERDICT_ROOF_BINDS,
    VERDICT_WAITS,      /* far below: for latency, dependencies, branches */
    VERDICT_ABOVE_HOME, /* above the roof of where its data are said to be, by more than roofs spread */
    VERDICT_ABOVE_ALL,  /* above every roof by more than measuring explains: something is wrong */
};

enum verdict_memory {
    VERDICT_MEMORY_UNSURE, /* or its traffic is not known */
    VERDICT_MEMORY_BINDS,
    VERDICT_MEMORY_BINDS_NOT,
};

/* What a program waits for that is far below all its roofs. The latencies are of simulated traffic. */
struct verdict_waits {
    bool for_cpu;               /* it had none most of its time: it slept, waited for I/O or for other programs */
    bool latency_known;         /* the machine's, of each level that its lines came from */
    bool for_mpi;               /* its ranks, by their time in calls of MPI, as for_kernel */
    bool for_kernel;            /* a program: without the kernel's share of its time a roof would bind it, or that is
                                   most of it */
    bool for_latency;           /* its lines, one after the other, would take most of its time, or more */
    double lines;               /* from the level that takes the longest so */
    const struct roof *latency; /* of that level */
    double most_at_a_time;      /* lines of that level that independent random accesses get, per thread; 0: not known */
    double serial_s;            /* all its lines' latencies, one after the other on each thread */
    double instructions_per_cycle; /* of each thread; 0: not known */
    double clock_hz;               /* which that is by */
    bool clock_assumed;            /* that of its ceiling, as its own is not known */
};

struct verdict {
    bool known; /* it has a place on the roofline, and roofs that fit it; `basis` says why not */
    enum verdict_basis basis;
    enum verdict_why why;
    struct doubts doubts; /* the point's own, and DOUBT_ABOVE_ROOF */
    char type[8];         /* of its ceilings: "f64" */
    unsigned threads; /* of the roofs that it is judged by: its own, or where there are none, the fewest that are more,
                         else all cores */

    const struct roof *bandwidth;   /* the binding level's pattern; NULL unless memory-bound: at its intensity that line
                                       is lower than its ceiling */
    const struct roof *peak;        /* the ceiling of its type that is the highest */
    const struct roof *own_peak;    /* the highest ceiling of the width that its code uses; may be `peak` */
    const struct roof *ceiling;     /* `own_peak`, or where it exceeds that, `peak` */
    double attainable_flop_per_s;   /* of what binds it, at its intensity */
    double ratio;                   /* reached / attainable */
    const struct roof *same_mix;    /* a slower pattern with `bandwidth`'s mix that allows it as well; NULL: none */
    bool mix_known;                 /* its share of stores chose the pattern */
    double own_traffic_bytes_per_s; /* what the level allows by the program's own traffic, where that is not what the
                                       roof's pattern gets; 0: it is */

    double idle_share;       /* of a program's time: without a CPU, the mean of its threads. 0: little, or not known */
    bool delayed;            /* most of that was for a CPU that other programs had */
    bool scarce_flop;        /* its flop are so few that they do not matter */
    double kernel_share;     /* of its time, the kernel's; of a part of a program, of that program's CPU time. 0: not
                                known */
    struct link_times times; /* of VERDICT_BY_LINKS, and of what has no flop: what binds is `times.longest` */
    struct verdict_waits waits; /* of what VERDICT_WAITS */
    const struct roof *nearest; /* of the level next to the core, whose data may come from any level between that and
                                   the one of `bandwidth`; NULL: from which is known, or the ceiling binds */

    const struct roof *next; /* of the roofs above the one that binds it the lowest at its intensity: a faster level's,
                                or a ceiling; NULL: there is none */
    double next_flop_per_s;  /* that it allows */
    bool next_counts;        /* memory-bound and so near to its roof that the next one is of interest */

    const struct roof *bytes_roof; /* without flop: the roof of its bytes; NULL: not known, or it has flop */
    double bytes_ratio;            /* and how much of it is reached */

    const struct roof *dram_pattern; /* what its memory traffic is compared with; NULL: that is not known */
    double dram_ratio;               /* its memory traffic / what that pattern moves, write-allocate included */
    enum verdict_memory memory;      /* what follows from that */
};

struct verdict verdict_find(const struct model *model, const struct app_point *point);

bool verdict_is_above(const struct verdict *verdict); /* its roof, by more than can be right */

/* Whether the roof that `ratio` is of limits it: the level was looked at, and it is not far below that roof. */
bool verdict_limit_known(const struct verdict *verdict);

#endif
