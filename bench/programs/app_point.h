/* SPDX-License-Identifier: BSD-3-Clause
 * An application on the roofline: its work, its time, and the source of each quantity. Plain data, and pure. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "bench/kernels/sample.h"
#include "bench/profile/profile.h"
#include "waits.h"

/* The source of a quantity. */
enum app_source {
    SOURCE_UNKNOWN,
    SOURCE_CLOCK,     /* time: read from the clock, natively */
    SOURCE_SAMPLED,   /* time: the program's, split by CPU samples */
    SOURCE_COUNTED,   /* exactly, instruction by instruction */
    SOURCE_COUNTERS,  /* by the CPU's counters */
    SOURCE_ESTIMATED, /* from counted instructions: bytes from loads and stores, weighted by vector width */
    SOURCE_SIMULATED, /* DRAM traffic: by simulated caches */
    SOURCE_CALLGRIND, /* in files of version 0.2: by callgrind, exactly, for code that runs without AVX-512 */
    SOURCE_STATED,    /* by the user */
    SOURCE_IMPORTED,  /* by another tool, named in `origin` */
    SOURCE_COUNT,
};
extern const char *const app_source_names[SOURCE_COUNT + 1]; /* "counted", … as in files; NULL at the end */

/* The kind of points to make. */
enum app_by {
    APP_BY_WHAT_IS_MARKED,
    APP_BY_PROGRAM,
    APP_BY_REGION,
    APP_BY_FUNCTION,
    APP_BY_LOOP,
    APP_BY_LINE,
    APP_BY_THREAD,
    APP_BY_PHASE
};
extern const char *const app_by_names[]; /* "", "program", …; NULL at the end */
bool app_by_code(enum app_by by);        /* functions, loops or lines: parts of the program's code */
bool app_by_counts(enum app_by by);      /* these, threads or phases: only exact counts tell them apart */

enum app_part { APP_PROGRAM, APP_REGION, APP_FUNCTION, APP_RANK, APP_LOOP, APP_LINE, APP_THREAD, APP_PHASE };
extern const char *const app_part_names[]; /* "program", "region", …; NULL at the end */

/* The state of data, code and their TLB entries before each run: not in the caches; in them, as far as they fit. */
enum app_state { STATE_UNKNOWN, STATE_COLD, STATE_WARM }; /* not in the caches; there, as far as they fit */
extern const char *const app_state_names[];               /* "unknown", "cold", "warm"; NULL at the end */

/* The time that a core needs for a loop whose data is in L1, in cycles per iteration (asm/incore/in_core.h). */
struct point_in_core {
    bool known;
    char core[32];                          /* the table of its core */
    double instructions;                    /* of its own code, per iteration */
    double unknown_instructions;            /* of these, unknown to the table */
    double ports, renaming, divider, chain; /* cycles; 0: needs none, or is unknown */
    char busiest_ports[40];                 /* "0, 1, 5" */
    char chain_of[32];                      /* the mnemonic with the largest part of the chain; "" */
    unsigned chain_instructions;
    double chain_memory; /* cycles of the chain in loads from L1 */
    bool accumulates;    /* the chain is sums or products alone, which several accumulators would share */
    double fetch;        /* cycles to read the code, if no buffer holds it; 0: unknown */
    double calls;        /* of functions, per iteration: chains end there */
    double branches;     /* cycles of its taken branches; 0: unknown */
    double strided;      /* share of its accesses to memory at constant strides; 0: none, or unknown */
    double rarer_ways;   /* of its branches, per iteration: executions of the rarer way */
    double rarer_wait;   /* cycles of these until their inputs are there */
    double mispredict;   /* cycles of a branch that went the other way; 0: unknown */
    double flight;       /* iterations that fit in the reorder buffer */
};

enum { APP_REPETITIONS_KEPT = 100 };

struct app_repetition {
    double seconds;
};

/* Statistics over the repetitions; n is 0 if a quantity is unknown. Bytes are the core's requests. */
struct app_point {
    char name[96];    /* its label, unique in a file */
    char program[64]; /* points of one program share it, and a colour */
    enum app_part part;
    char region[64];      /* its region; for a function the region that it was counted in; "" for the whole program */
    char function[128];   /* of APP_FUNCTION; the function of a loop or a line; of a phase the most sampled one */
    char inlined_in[128]; /* of a loop or a line: the function that this one was inlined into; "" */
    char file[192];       /* of a loop or a line: in the source; "" without debug information */
    unsigned line;
    unsigned depth;               /* of a loop: 1 is outermost */
    uint64_t iterations, entries; /* of a loop, in one run; entries: 0 if unknown */
    char command[256];            /* as typed */
    char measured_utc[32];
    unsigned threads, processes; /* that took part */
    unsigned cores, cpus; /* used by its threads, if known to be fewer (for a workload): cores if several share one
                             (SMT), CPUs if they take turns; 0: one per thread */
    unsigned ranks;       /* of a program that was started as so many (MPI); 0: it was not */
    unsigned rank;        /* of APP_RANK: 1 + its number; 0: all together */
    double from_s, to_s;  /* of a phase: since the program's begin; of several: from the first to the last */
    uint64_t calls;       /* of the region in one run; of a phase: how many alike */
    struct statistics seconds;
    unsigned repetition_count; /* of a workload: the first so many, in the order of measurement */
    struct app_repetition repetitions[APP_REPETITIONS_KEPT];
    enum app_source seconds_source;
    double time_share; /* of the program's time: 0 to 1 */
    struct statistics cpu_seconds, kernel_seconds,
        page_faults; /* of its processes' CPU time, without start and end; of that the kernel's */
    struct statistics idle_seconds, delay_seconds; /* of its program: time without a CPU, per thread; and time that its
                                                      first thread was ready while other programs had the CPU */
    struct waits waits;                            /* of a program: its threads; without any samples: unknown */
    double clock_hz;                               /* of its cores while it ran; 0: unknown */
    double neighbour_share; /* of that time, something else used the same core; 0: nobody did, or unknown */
    struct statistics flop;
    enum app_source flop_source;
    struct statistics load_bytes, store_bytes; /* without the implicit stack */
    enum app_source bytes_source;
    struct statistics dram_read_bytes, dram_write_bytes;
    enum app_source dram_source;
    double cache_bytes;            /* data from DRAM that the simulated caches hold; 0: nothing was simulated */
    struct statistics mpi_seconds; /* part of `seconds` in MPI calls: of the mean rank */
    struct statistics imbalance;   /* slowest / median rank, by time outside of MPI; for a thread: its work / the median
                                      thread's, in flop, or in instructions if there are none */
    uint64_t mpi_calls, mpi_instructions, mpi_bytes; /* MPI's own work, in no other count */
    struct statistics tlb_misses;                    /* page walks, by the CPU's counters */
    bool has_count; /* then `count` has details: flop by type and width, the mix, the stack */
    struct count count;
    char origin[192];  /* of imported data: "sde, mix output of 2 processes; vtune, uncore CAS counts"; else "" */
    char flop_type[8]; /* type of most of its flop, if there is no count: "f32"; "" if unknown too */

    /* Of a workload (`carmine workload`), with the theory of one run; 0 if theory gives no exact value. */
    char series[96]; /* "dgemm-blocked cold 1 thread": a line joins these points, by size; "" if it is no workload */
    uint64_t size, working_set_bytes;
    enum app_state data, code;
    enum app_state tlb; /* unknown for cold data, unless it was flushed: each run uses another copy */
    double analytic_flop, analytic_load_bytes, analytic_store_bytes; /* the core's requests */
    double compulsory_read_bytes, compulsory_write_bytes;            /* least DRAM traffic of cold data */
    char compiler[192]; /* of a workload from a file: "gcc (Debian 12.2.0-14) 12.2.0: -O3"; "" */
    double pseudo_flop; /* to compare implementations of one transform: 5 n log2 n for an FFT */

    struct point_levels levels;
    struct point_in_core in_core;

    struct doubts doubts;
};

/* Whether it is all that its threads do in its time: a program, or a phase. */
bool app_point_is_whole(const struct app_point *point);

/* Cores that its threads use, and threads that run at a time; 0 if even its threads are unknown. */
unsigned app_point_cores(const struct app_point *point);
unsigned app_point_at_a_time(const struct app_point *point);

/* "8 threads on 2 CPUs", "4 threads on 2 cores", "1 thread": only unusual places are named. */
enum { APP_THREADS_BYTES = 64 };
const char *app_threads_text(unsigned threads, unsigned cores, unsigned cpus, char out[APP_THREADS_BYTES]);

/* The statistics of a single value. */
struct statistics app_once(double value);

extern const double APP_SHORTEST_S; /* of one passage through a region */

/* Read from the clock, for so many passages (0: of the program); with the doubts that follow. */
void app_point_set_time(struct app_point *point, struct statistics seconds, double passages);

/* Confidence interval of its median time, from its repetitions (bench/kernels/sample.h); 0, 0: too few were stored. */
struct median_interval app_median_interval(const struct app_point *point);

/* Flop and bytes from exact counts; with the doubts that follow. */
void app_point_set_count(struct app_point *point, const struct count *count);

/* Medians; 0 if unknown. */
double app_flop_per_s(const struct app_point *point);
double app_core_bytes(const struct app_point *point);         /* loads + stores */
double app_dram_bytes(const struct app_point *point);         /* reads + writes */
double app_flop_per_byte(const struct app_point *point);      /* cache-aware: by core bytes */
double app_flop_per_dram_byte(const struct app_point *point); /* operational intensity */
/* Intensity at L1 over intensity at DRAM = DRAM bytes / core bytes: the "bandwidth bound" figure of merit. It is 1 if
 * all data stream from DRAM, and near 0 if they stay in the caches. 0 if unknown. */
double app_bandwidth_bound(const struct app_point *point);

/* Sets the simulated traffic of a counted program (`traffic`, of one of its parts), with its DRAM bytes and what was
 * `touched` (NULL: unknown). The point's loads and stores must be set before. `whole`: the region of the traffic, or
 * NULL for a part. `scale`: factor for the traffic. No effect if nothing was simulated, or if the timed runs may have
 * moved other bytes. */
void app_point_set_levels(struct app_point *point, const struct profile *profile, const struct profile_traffic *traffic,
                          const struct touched *touched, const struct profile_region *whole, double scale);
