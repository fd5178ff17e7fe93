/* SPDX-License-Identifier: BSD-3-Clause
 * The contract between `carmine app`, libcarmine and the collectors (libcarmine-papi.so, libcarmine-count.so:
 * preloaded into the measured program). */
#pragma once

/* A collector exports `const struct carmine_collector carmine_collector`; libcarmine looks for it once, with dlsym.
 * The call comes before the SSC mark at a begin and after it at an end, so the code between the two SSC marks is the
 * program's own. The collector that counts instructions counts from mark to mark and only takes the name from here. */
struct carmine_collector {
    unsigned version; /* COLLECTOR_VERSION; libcarmine ignores other versions */
    void (*begin)(const char *name);
    void (*end)(const char *name);
};
enum { COLLECTOR_VERSION = 1 };

/* It also exports `const struct carmine_collector carmine_regions`, for the marks of other systems
 * (libcarmine-marks.so, of bench/collect/adapters/). These calls have no SSC marks beside them, and an end may close
 * any of the open regions. */

/* File names of the libraries that carmine loads into a program begin so; their code does not count as the
 * program's. */
#define COLLECTOR_LIBRARIES "libcarmine-"

enum { COLLECTOR_NAME_BYTES = 64 }; /* of a region, with the terminator; longer ones are cut */

/* The region that a mark names. NULL and "" have a name too, the same in all collectors, so their data can be
 * joined. */
static inline const char *collector_region(const char *name) {
    return name && *name ? name : "(no name)";
}

/* The maximum number of named regions of a process, with the whole program; the last one collects all later ones. */
enum { COLLECTOR_REGIONS = 1024 };
#define COLLECTOR_FURTHER "(further regions)"

/* Numbers for ARCH_MARK (probe/arch.h). Without a name from libcarmine they are the region COLLECTOR_SSC_REGION. A pair
 * of other SSC marks is the region COLLECTOR_SSC_PREFIX and the number of the pair's first mark, in hexadecimal. */
enum { SSC_MARK_BEGIN = 0x111, SSC_MARK_END = 0x222, COLLECTOR_SSC_PAIRS = 16 };
#define COLLECTOR_SSC_REGION "region"
#define COLLECTOR_SSC_PREFIX "ssc "

/* libcarmine passes the name by ARCH_MARK_TEXT, before SSC_MARK_BEGIN and after SSC_MARK_END: from a collector's
 * hooks, or by itself if it finds none, as in a statically linked program. */
enum { MARK_NAME_BEGIN = 0xca41, MARK_NAME_END = 0xca42 };

/* The messages of libcarmine-mpi.so, which intercepts MPI, to collectors: the thread enters an MPI call or has left
 * it. It sends them by marks, as above, and by calls if a collector exports `const struct carmine_mpi_clock
 * carmine_mpi_clock`. Calls may be nested. `left`, instead of `end`: left by a jump, some time before. */
enum { MPI_MARK_BEGIN = 0xca51, MPI_MARK_END = 0xca52 };
struct carmine_mpi_clock {
    void (*begin)(void);
    void (*end)(void);
    void (*left)(void);
};

/* The environment of the measured program. Children inherit it, so that they are measured too. */
#define COLLECTOR_FOLDER                                                                                               \
    "CARMINE_COLLECT_FOLDER" /* an existing folder, absolute: each process leaves its report there */
#define COLLECTOR_EVENTS                                                                                               \
    "CARMINE_COLLECT_EVENTS"                      /* native events for PAPI, one per line; empty or unset: only time   \
                                                   */
#define COLLECTOR_FAST   "CARMINE_COLLECT_FAST"   /* "1": while counting, time passes twice as fast for the program */
#define COLLECTOR_SAMPLE "CARMINE_COLLECT_SAMPLE" /* "1": also sample the CPU time (time of functions) */
#define COLLECTOR_EVERY                                                                                                \
    "CARMINE_COLLECT_EVERY" /* ns of each thread's CPU time from sample to sample, which are stored in order with      \
                               their times; natively with COLLECTOR_SAMPLE; unset: without times */
#define COLLECTOR_MARKS    "CARMINE_COLLECT_MARKS" /* accepted systems of marks (systems.h), "carmine,ssc"; unset: all */
#define COLLECTOR_NO_MARKS "none"
/* In reports, the path of all code that a process wrote at run time; the path of its jit-PID.dump, if any, follows.
 * Offsets there are addresses. */
#define COLLECTOR_WRITTEN "[written]"

/* Whether a list of names contains this one. NULL: no list, every name is accepted. */
static inline int collector_takes(const char *list, const char *name) {
    while (list && *list) {
        unsigned i = 0;
        while (name[i] && list[i] == name[i])
            i++;
        if (!name[i] && (!list[i] || list[i] == ','))
            return 1;
        while (*list && *list++ != ',')
            ;
    }
    return !list;
}
