/* SPDX-License-Identifier: BSD-3-Clause
 * An application on the roofline: what it did, how long it took, and how each of these is known. Plain data, and pure.
 */
#ifndef BENCH_PROGRAMS_APP_POINT_H
#define BENCH_PROGRAMS_APP_POINT_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/caches/hierarchy.h"
#include "bench/caches/sampling.h"
#include "bench/kernels/sample.h"
#include "bench/profile/profile.h"
#include "bench/profile/profile_traffic.h"

/* What passed between simulated caches, in bytes of all lines: from what was counted of those that were sampled. */

/* What all lines would have counted, from those that were sampled. */

struct levels_estimate {
    double value, low, high; /* an interval of 95 %; equal where nothing was sampled */
    bool crowded;            /* most of the interval's width is from classes with more accesses than others */
};

/* `of_group` is one count in each of the sampling's groups. The interval is Student's, of the groups' totals as a
 * sample without replacement (Cochran, "Sampling Techniques", 1977, chapter 2); no less wide than if one line more or
 * less were in each group.
 *
 * `changes` is the sum over threads of sampling.changes, or NULL: an access fetches one line over a link at most, which
 * may put others out (`lines_each` in all, for each that is fetched). So where classes that aren't sampled have more of
 * them than any sampled one, they may add that; and what sampled ones have above their share may be too much. Counts of
 * a single owner are told without it. */
struct levels_estimate levels_estimate(const struct sampling *sampling, const uint64_t *of_group,
                                       const uint64_t *changes, double lines_each);

/* What passed over one link between simulated caches, in bytes of one run. At the link between the core and L1, what
 * the core asks for: loads, ordinary stores as write-backs, and stores past the caches. Further out, whole lines of
 * 64 bytes; what went past the caches is told at the last link, too, the one to memory. */
struct point_link {
    unsigned level;    /* outside of which level: 0: the core and L1; 1: L1 and the next; …; the last: and memory */
    double load_bytes; /* fetched for loads */
    double allocate_bytes;        /* fetched for stores (write-allocate) */
    double write_back_bytes;      /* changed lines that went outwards */
    double victim_bytes;          /* unchanged lines that went outwards, to a level that keeps what the inner one
                                     puts out */
    double nontemporal_bytes;     /* stored past the caches */
    double low_bytes, high_bytes; /* their sum is in here, in 95 of 100 cases */
};

enum { POINT_LINKS_MAX = HIERARCHY_LEVELS_MAX + 1 };

struct point_levels {
    unsigned links;  /* 0: nothing was simulated */
    unsigned one_of; /* 1: all lines were simulated; 64: one class of 64 */
    struct point_link link[POINT_LINKS_MAX];
    double utilisation;     /* of each line from memory, the share of bytes that was used, 0 to 1; 0: not known */
    double footprint_bytes; /* lines touched, each once; 0: not known, as are pages */
    double pages;           /* of 4 KiB that were touched, each once */
    double tlb_misses[HIERARCHY_TLBS], tlb_entries[HIERARCHY_TLBS]; /* of each level; 0: there is none */
    char caches[128]; /* "L1 32 KiB 8 ways, L2 1 MiB 16 ways, L3 32 MiB 16 ways (victims)" */
};

/* All that passed over the link, in bytes. */
double point_link_bytes(const struct point_link *link);

/* What stays near: of the last cache, and of those inside where it holds only what they put out. */
double levels_kept_bytes(const struct hierarchy_geometry *caches);

/* Where the counts are from. */
struct levels_origin {
    const struct hierarchy_geometry *caches;
    unsigned one_of;
    uint64_t seed;
    const uint64_t *changes; /* of all threads; NULL: a part of the program */
};

/* `load_bytes` and `store_bytes`: what the core asks for, with what it stores past the caches. The footprint is left
 * as it is. */
void point_levels_make(const struct levels_origin *origin, const struct profile_traffic *traffic, double load_bytes,
                       double store_bytes, struct point_levels *out);

/* As if all but what the core asks for had been so many times as often. */
void point_levels_scale(struct point_levels *levels, double scale);

/* How a quantity is known. */
enum app_source {
    SOURCE_UNKNOWN,
    SOURCE_CLOCK,     /* time: read from the clock, natively */
    SOURCE_SAMPLED,   /* time: the program's, shared out by where its CPU time was found */
    SOURCE_COUNTED,   /* exactly, instruction by instruction */
    SOURCE_COUNTERS,  /* by the CPU's counters */
    SOURCE_ESTIMATED, /* from counted instructions: bytes from loads and stores, weighted by vector width */
    SOURCE_SIMULATED, /* DRAM traffic: by a simulated cache */
    SOURCE_CALLGRIND, /* in files of version 0.2: by callgrind, exactly, of the code that runs without AVX-512 */
    SOURCE_STATED,    /* by the user */
    SOURCE_IMPORTED,  /* by another tool; `origin` names it */
    SOURCE_COUNT,
};
extern const char *const app_source_names[SOURCE_COUNT + 1]; /* "counted", … as in files; NULL at the end */

/* What the points are to be of. */
enum app_by {
    APP_BY_WHAT_IS_MARKED,
    APP_BY_PROGRAM,
    APP_BY_REGION,
    APP_BY_FUNCTION,
    APP_BY_LOOP,
    APP_BY_LINE,
    APP_BY_THREAD
};
extern const char *const app_by_names[]; /* "", "program", …; NULL at the end */
bool app_by_code(enum app_by by);        /* functions, loops or lines: found in the program's code */
bool app_by_counts(enum app_by by);      /* these or threads: what exact counts alone tell apart */

enum app_part { APP_PROGRAM, APP_REGION, APP_FUNCTION, APP_RANK, APP_LOOP, APP_LINE, APP_THREAD };
extern const char *const app_part_names[]; /* "program", "region", …; NULL at the end */

/* Where data, code and the translations of their addresses are before each run. */
enum app_state { STATE_UNKNOWN, STATE_COLD, STATE_WARM }; /* not in the caches; there, as far as they fit */
extern const char *const app_state_names[];               /* "unknown", "cold", "warm"; NULL at the end */

enum { APP_REPETITIONS_KEPT = 100 };

struct app_repetition {
    double seconds;
};

/* Statistics over the repetitions; n is 0 where a quantity is not known. Bytes are those that the core asks for. */
struct app_point {
    char name[96];    /* its label, one of a kind in a file */
    char program[64]; /* points of one program share it, and a colour */
    enum app_part part;
    char region[64];      /* its region; of a function the one that it was counted in; "" for the whole program */
    char function[128];   /* of APP_FUNCTION, and the one that a loop or a line is of */
    char inlined_in[128]; /* of a loop or a line: the function that this one was inlined into; "" */
    char file[192];       /* of a loop or a line: of the source; "" where no debug information tells */
    unsigned line;
    unsigned depth;               /* of a loop: 1 where it is in no other one */
    uint64_t iterations, entries; /* of a loop, in one run; entries: 0 where they are not known */
    char command[256];            /* as it was typed */
    char measured_utc[32];
    unsigned threads, processes; /* that took part */
    unsigned cores, cpus; /* that its threads run on, where those are known to be fewer (a workload's): cores where
                             several share one (SMT), CPUs where they take turns; 0: one for each thread */
    unsigned ranks;       /* of a program that was started as so many (MPI); 0: as none */
    unsigned rank;        /* of APP_RANK: 1 + its number; 0: all together */
    uint64_t calls;       /* of the region in one run */
    struct statistics seconds;
    unsigned repetition_count; /* of a workload: the first so many, in the order in which they were measured */
    struct app_repetition repetitions[APP_REPETITIONS_KEPT];
    enum app_source seconds_source;
    double time_share;                                          /* of the program's time: 0 to 1 */
    struct statistics cpu_seconds, kernel_seconds, page_faults; /* of its program's processes: their CPU time, less what
                                                                   starting and ending may have been, and of that the
                                                                   kernel's */
    struct statistics idle_seconds, delay_seconds; /* of its program: without a CPU, on each of its threads; and of its
                                                      first thread: ready to run, while other programs had the CPU */
    double clock_hz;                               /* of its cores while it ran; 0: not known */
    struct statistics flop;
    enum app_source flop_source;
    struct statistics load_bytes, store_bytes; /* without the implicit stack */
    enum app_source bytes_source;
    struct statistics dram_read_bytes, dram_write_bytes;
    enum app_source dram_source;
    double cache_bytes;            /* that the simulated caches keep of what DRAM delivered; 0: nothing was simulated */
    struct statistics mpi_seconds; /* of `seconds`, in calls of MPI: of the mean rank */
    struct statistics imbalance;   /* slowest / median rank, by their time outside of MPI; of a thread: what it did of
                                      what the median one did, in flop, and where there are none in instructions */
    uint64_t mpi_calls, mpi_instructions, mpi_bytes; /* what is MPI's own, and in no other count */
    struct statistics tlb_misses;                    /* page walks, by the CPU's counters */
    bool has_count; /* then `count` tells more: flop by type and width, the mix, the stack */
    struct count count;
    char origin[192];  /* of what was imported: "sde, mix output of 2 processes; vtune, uncore CAS counts"; else "" */
    char flop_type[8]; /* of most of its flop, where no count tells: "f32"; "" where that is not known either */

    /* Of a workload (`carmine workload`), and what theory says of one run of it; 0 where it says nothing exact. */
    char series[96]; /* "dgemm-blocked cold 1 thread": points that a line joins, by size; "" of what is no workload */
    uint64_t size, working_set_bytes;
    enum app_state data, code;
    enum app_state tlb; /* unknown of cold data, unless it was emptied: runs are on other copies */
    double analytic_flop, analytic_load_bytes, analytic_store_bytes; /* that the core asks for */
    double compulsory_read_bytes, compulsory_write_bytes;            /* that DRAM moves at least, of cold data */
    char compiler[192]; /* of one of the user's own: "gcc (Debian 12.2.0-14) 12.2.0: -O3"; "" */
    double pseudo_flop; /* by which implementations of one transform are compared: 5 n log2 n of an FFT */

    struct point_levels levels;

    struct doubts doubts;
};

/* Cores that its threads work on, and threads that run at a time; 0 where not even its threads are known. */
unsigned app_point_cores(const struct app_point *point);
unsigned app_point_at_a_time(const struct app_point *point);

/* "8 threads on 2 CPUs", "4 threads on 2 cores", "1 thread": what is special is said. */
enum { APP_THREADS_BYTES = 64 };
const char *app_threads_text(unsigned threads, unsigned cores, unsigned cpus, char out[APP_THREADS_BYTES]);

/* What was counted or simulated once. */
struct statistics app_once(double value);

extern const double APP_SHORTEST_S; /* of one passage through a region */

/* Read from the clock, over so many passages (0: of the program); with the doubts that follow. */
void app_point_set_time(struct app_point *point, struct statistics seconds, double passages);

/* Where the median of its time lies, by its repetitions (bench/kernels/sample.h); 0, 0: too few were kept. */
struct median_interval app_median_interval(const struct app_point *point);

/* Flop and bytes from exact counts; with the doubts that follow. */
void app_point_set_count(struct app_point *point, const struct count *count);

/* Medians; 0 where not known. */
double app_flop_per_s(const struct app_point *point);
double app_core_bytes(const struct app_point *point);         /* loads + stores */
double app_dram_bytes(const struct app_point *point);         /* reads + writes */
double app_flop_per_byte(const struct app_point *point);      /* cache-aware: by core bytes */
double app_flop_per_dram_byte(const struct app_point *point); /* operational intensity */
/* Intensity at L1 over intensity at DRAM = DRAM bytes / core bytes: the "bandwidth bound" figure of merit, 1 for what
 * streams from DRAM, near 0 for what lives in the caches. 0 where not known. */
double app_bandwidth_bound(const struct app_point *point);

/* What passed between the simulated caches of a counted program (`traffic`, of one of its parts), by loads and stores
 * of the point, which are set before; with the bytes of DRAM that follow, and what was `touched` (NULL: not known).
 * `whole`: the region that it is, or NULL.
 * `scale`: so many times as often as it was counted. Nothing where nothing was simulated,
 * or where the runs that were timed may have moved other bytes. */
struct profile_traffic;
void app_point_set_levels(struct app_point *point, const struct profile *profile, const struct profile_traffic *traffic,
                          const struct touched *touched, const struct profile_region *whole, double scale);

#endif
