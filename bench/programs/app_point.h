/* SPDX-License-Identifier: BSD-3-Clause
 * An application on the roofline: what it did, how long it took, and how each of these is known. Plain data, and pure.
 */
#ifndef BENCH_PROGRAMS_APP_POINT_H
#define BENCH_PROGRAMS_APP_POINT_H

#include <stdbool.h>
#include <stdint.h>

#include "point_levels.h"

#include "bench/kernels/bootstrap.h"
#include "bench/kernels/sample.h"
#include "bench/profile/profile.h"

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

/* Where the median of its time lies, by its repetitions (bench/kernels/bootstrap.h); 0, 0: too few were kept. */
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
