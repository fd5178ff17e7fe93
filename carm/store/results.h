/* SPDX-License-Identifier: BSD-3-Clause
 * The result file: measurements, with everything needed to judge them on another machine, years later. JSON, base units
 * without prefixes, schema "carmine.result/1". */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "bench/kernels/timing.h"
#include "bench/kernels/levels.h"
#include "bench/kernels/others.h"
#include "bench/kernels/sample.h"
#include "asm/incore/core_measured.h"
#include "bench/memory/memory_system.h"
#include "bench/programs/annotation.h"
#include "bench/programs/course.h"
#include "probe/machine.h"

struct app_point;
struct error;

/* How it was measured. Unknown texts are "", unknown numbers 0. */
struct environment {
    char version[32];       /* of carmine */
    char started_utc[32];   /* 2026-11-20T15:04:05Z */
    double elapsed_s;       /* of the measurement */
    char command_line[512]; /* as typed */
    char kernel[128];       /* operating system: "Linux 6.1.0" */
    char governor[32];      /* of the clock */
    char huge_pages[32];    /* huge page setting: "madvise" */
    char microcode[32];     /* its revision */
    double load_average;    /* processes, over one minute, at the start */
    double cpu_quota_cpus;  /* CPUs granted by a control group; 0: no limit below the allowed CPUs */
    /* Average CPUs used by other programs during the measurement; allowed CPUs among them; the busiest program and its
     * CPUs. 0 and "": none, or not known. */
    double others_cpus, others_allowed_cpus, busiest_other_cpus;
    char busiest_other[OTHERS_NAME_BYTES];
    double apart_share;       /* of visits of cores that should share a cache: those in which they did not */
    double tick_hz;           /* clock of times: the TSC, else nanoseconds */
    double rest_clock_hz;     /* core clock with nothing else running */
    char clock_doubt[160];    /* why the clock is not trusted, with all readings; "": it is */
    char statistic[24];       /* how repetitions are combined: "upper quartile" */
    unsigned planned_samples; /* of the largest plan of this file; 0: only a sweep */
    bool interrupted;         /* stopped before the plan's end, or still running */
    char ended[32];           /* why it is interrupted: "it was interrupted"; "": it is not, or not known */
    char partial[64];         /* "run: 34 of 302 samples": an incomplete command (partial.c); "": complete */
    char unknown_doubts[120]; /* names that only a newer carmine knows, left out at reading; "": none */
};

/* One size of a curve. */
struct curve_point {
    uint64_t working_set_bytes; /* of one thread */
    double value;               /* bytes/s of all threads, or s per access */
    double per_cycle;           /* per core: bytes per cycle, or cycles per access; 0: not known */
    double clock_hz;            /* of the cores during it; 0: not known */
    struct doubts doubts;
};

/* Bandwidth or latency against working-set size, of one kernel. */
struct curve {
    char kernel[48];       /* as of a sample */
    enum sample_kind kind; /* bandwidth or latency */
    unsigned threads;      /* ISA of its code */
    char core_kind[32];    /* "": any */
    bool small_pages;      /* in small pages */
    bool partial;          /* larger sizes were not measured */
    size_t count;
    struct curve_point *points;
};

/* The members of a file. Each needs a row with the same name in result_fields.c. */
struct result {
    struct machine machine;       /* without cores, only their number */
    char uarch[64];               /* microarchitecture of the documented limits; "": not known */
    char uarch_doubt[256];        /* why that may be wrong; "": no doubt */
    char documented_sources[640]; /* source of those limits */
    struct environment environment;
    unsigned kind_count; /* of levels: one entry per core kind */
    struct levels levels[MACHINE_MAX_KINDS];
    size_t curve_count, sample_count;
    struct curve *curves;
    struct sample *samples;
    size_t validation_count;
    struct validation_point *validation; /* mixed kernels against the model; missing in older files */
    size_t point_count;
    struct app_point *points; /* applications of `carmine app`; missing in older files */
    size_t annotation_count;
    struct annotation *annotations; /* code of hot loops, from `carmine app --annotate` */
    size_t course_count;
    struct app_course *courses; /* of programs, from `carmine app --every` */
    size_t death_count;
    struct kernel_death *deaths; /* kernels that died of a signal at the last measurement of samples or curves */
    struct memory_system memory; /* of `carmine memory`; missing in older files */
    struct core_measured core;   /* of `carmine core`; likewise */
};

extern const char *const results_kind_names[]; /* by enum sample_kind, NULL at the end */

/* Whether another tool measured a GPU: then the memory node has the kind "GPU". */
bool results_of_gpu(const struct result *result);

/* The index of a core kind in the result, also for its levels; 0 if NULL or not found. */
unsigned results_kind(const struct result *result, const char *core_kind);

/* Judges the levels by a curve (levels_judge()), if it can show their ends: that of one thread, which uses a level's
 * whole capacity, in large pages and of ordered accesses, since address translation and random lines blur the steps. */
void results_judge(struct levels *levels, const struct curve *curve);

#define RESULTS_NO_FILE "%s: cannot open: there is no such file; `carmine run -o FILE` measures a result"

/* Reads the whole file, at most 16 MiB, and checks every value. Free with results_free(), not after an error. Error:
 * the file's path, the path in the file, and the expected value. */
bool results_read(const char *path, struct result *out, struct error *err);

/* The content of a file as JSON, to be released by the caller. */
json_t *results_json(const struct result *result);

/* Writes a temporary file and renames it: readers find the old file or the new one. `fresh` refuses to replace a file.
 * Error: cannot write, disk full, exists, or results_read() would refuse it (a list or the file is too long). */
bool results_write(const struct result *result, const char *path, bool fresh, struct error *err);

/* Makes all texts safe to print. results_read() does this too. */
void results_clean(struct result *result);

void results_free(struct result *result);

/* The values for comparing thousands of results, read several times faster than by results_read(). */

/* Reads only the fields that are `scanned` in result_fields.c: of machine, run and levels those that distinguish nodes,
 * of each sample its identity, value, clock and doubts. The rest is zero. False for a file not written like
 * results_write() does, even if it is a result: use results_read() then. Free with results_free(). */
bool results_scan(const char *path, struct result *out);

/* The same, with results_read() as fallback and for its errors. */
bool results_read_values(const char *path, struct result *out, struct error *err);
