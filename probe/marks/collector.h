/* SPDX-License-Identifier: BSD-3-Clause
 * What `carmine app`, libcarmine and the collectors (libcarmine-papi.so, libcarmine-count.so: preloaded into the
 * measured program) agree on. */
#ifndef PROBE_COLLECTOR_H
#define PROBE_COLLECTOR_H

/* A collector exports `const struct carmine_collector carmine_collector`; libcarmine looks for it once, with dlsym. At
 * a begin the call comes before the SSC mark, at an end after it, so that the code between the two SSC marks is the
 * program's own: the collector that counts instructions counts from mark to mark and takes only the name from here. */
struct carmine_collector {
    unsigned version; /* COLLECTOR_VERSION; libcarmine ignores another */
    void (*begin)(const char *name);
    void (*end)(const char *name);
};
enum { COLLECTOR_VERSION = 1 };

/* It also exports `const struct carmine_collector carmine_regions`, for the marks of other systems
 * (libcarmine-marks.so, of bench/collect/adapters/): there, no SSC marks stand beside the calls, and a region ends wherever it
 * stands among those that are open. */

/* What carmine puts into a program has a file name that begins so; its code does not count as the program's. */
#define COLLECTOR_LIBRARIES "libcarmine-"

enum { COLLECTOR_NAME_BYTES = 64 }; /* of a region, with the end; longer ones are cut */

/* The region that a mark names: NULL and "" have a name, too, the same in all collectors, which joins what they know.
 */
static inline const char *collector_region(const char *name) {
    return name && *name ? name : "(no name)";
}

/* Regions with names of their own that a process has, the whole program among them; the last one stands for all that
 * come later. */
enum { COLLECTOR_REGIONS = 1024 };
#define COLLECTOR_FURTHER "(further regions)"

/* Of ARCH_MARK (probe/arch.h). Without a name from libcarmine they are the region COLLECTOR_SSC_REGION; a pair of other
 * SSC marks is the region COLLECTOR_SSC_PREFIX and the number of its first, in hexadecimal. */
enum { SSC_MARK_BEGIN = 0x111, SSC_MARK_END = 0x222, COLLECTOR_SSC_PAIRS = 16 };
#define COLLECTOR_SSC_REGION "region"
#define COLLECTOR_SSC_PREFIX "ssc "

/* By ARCH_MARK_TEXT libcarmine tells the name, before SSC_MARK_BEGIN and behind SSC_MARK_END: from a collector's hooks,
 * and where it finds none, as in a program that is linked statically. */
enum { MARK_NAME_BEGIN = 0xca41, MARK_NAME_END = 0xca42 };

/* What libcarmine-mpi.so, which stands before MPI, tells collectors: by marks, as above, that the thread enters a call
 * of MPI or has left it; and by calls, where a collector exports `const struct carmine_mpi_clock carmine_mpi_clock`.
 * Calls may be nested. `left`, instead of `end`: by a jump, some time before. */
enum { MPI_MARK_BEGIN = 0xca51, MPI_MARK_END = 0xca52 };
struct carmine_mpi_clock {
    void (*begin)(void);
    void (*end)(void);
    void (*left)(void);
};

/* The environment of the measured program. Children inherit it, so that they are measured too. */
#define COLLECTOR_FOLDER   "CARMINE_FOLDER" /* an existing folder, absolute: each process leaves its report there */
#define COLLECTOR_EVENTS   "CARMINE_EVENTS" /* native events for PAPI, one per line; empty or unset: time alone */
#define COLLECTOR_FAST     "CARMINE_FAST"   /* "1": while counting, time passes twice as fast for the program */
#define COLLECTOR_SAMPLE   "CARMINE_SAMPLE" /* "1": sample where the CPU time goes too (time of functions) */
#define COLLECTOR_MARKS    "CARMINE_MARKS"  /* whose marks are taken (systems.h), "carmine,ssc"; unset: everyone's */
#define COLLECTOR_NO_MARKS "none"
/* In reports, the path of all code that a process wrote while it ran; the path of its jit-PID.dump, if it has one,
 * follows it. Offsets there are addresses. */
#define COLLECTOR_WRITTEN "[written]"

/* Whether a list of names has this one. NULL: there is no list, and everything is taken. */
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

#endif
