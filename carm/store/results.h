/* SPDX-License-Identifier: BSD-3-Clause
 * The result file: what was measured, with all that is needed to judge it on another machine, years later.
 * JSON, base units without prefixes, schema "carmine.result/1". */
#ifndef CARM_RESULTS_H
#define CARM_RESULTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "bench/kernels/timing.h"
#include "bench/kernels/levels.h"
#include "bench/kernels/others.h"
#include "bench/kernels/sample.h"
#include "bench/programs/annotation.h"
#include "bench/programs/app_point.h"
#include "probe/error.h"
#include "probe/machine.h"

/* How it was measured. Texts are "" and numbers 0 where something is not known. */
struct environment {
    char version[32];       /* of carmine */
    char started_utc[32];   /* 2026-11-20T15:04:05Z */
    double elapsed_s;       /* that measuring took */
    char command_line[512]; /* as it was typed */
    char kernel[128];       /* the operating system's: "Linux 6.1.0" */
    char governor[32];      /* of the clock */
    char huge_pages[32];    /* the system's setting: "madvise" */
    char microcode[32];     /* its revision */
    double load_average;    /* processes, over one minute, at the start */
    double cpu_quota_cpus;  /* CPUs' worth of time that a control group grants; 0: enough for all that are allowed */
    /* CPUs that other programs kept busy on average while it was measured; of these, CPUs that were allowed; and the
     * program that used the most of them, with its own. 0 and "": none, or not known. */
    double others_cpus, others_allowed_cpus, busiest_other_cpus;
    char busiest_other[OTHERS_NAME_BYTES];
    double tick_hz;           /* of what times are read from: the TSC, else nanoseconds */
    double rest_clock_hz;     /* the core's clock with nothing else running */
    char clock_doubt[160];    /* why the clock is not to be believed, with all readings; "": it is */
    char statistic[24];       /* how repetitions became a value: "upper quartile" */
    unsigned planned_samples; /* of the largest plan that this file was made by; 0: a sweep alone */
    bool interrupted;         /* stopped before the plan's end, or not there yet */
    char partial[64];         /* "run: 34 of 302 samples": written meanwhile (signal.c); "" when that has ended */
};

/* One size of a curve. */
struct curve_point {
    uint64_t working_set_bytes; /* of one thread */
    double value;               /* bytes/s of all threads, or s per access */
    double per_cycle;           /* per core: bytes per cycle, or cycles per access; 0: not known */
    double clock_hz;            /* of the cores meanwhile; 0: not known */
    struct doubts doubts;
};

/* Bandwidth or latency against working-set size, of one kernel. */
struct curve {
    char kernel[48];       /* as of a sample */
    enum sample_kind kind; /* which of the two */
    unsigned threads;      /* that ran it */
    char core_kind[32];    /* "" where any */
    bool small_pages;      /* 4 KiB pages were asked for */
    bool partial;          /* larger sizes were not measured any more */
    size_t count;
    struct curve_point *points;
};

/* A file's fields are in result_fields.c, by the same names: with a member here goes a row there. */
struct result {
    struct machine machine;       /* no cores: only their count */
    char uarch[64];               /* the microarchitecture that documented limits are of; "" when not known */
    char uarch_doubt[256];        /* why that may be wrong; "": nothing speaks against it */
    char documented_sources[256]; /* who documents those limits */
    struct environment environment;
    unsigned kind_count; /* of levels: one entry per core kind */
    struct levels levels[MACHINE_MAX_KINDS];
    size_t curve_count, sample_count;
    struct curve *curves;
    struct sample *samples;
    size_t validation_count;
    struct validation_point *validation; /* mixed kernels against the model; in older files there are none */
    size_t point_count;
    struct app_point *points; /* applications, as `carmine app` measured them; in older files there are none */
    size_t annotation_count;
    struct annotation *annotations; /* the code of hot loops, where `carmine app --annotate` was asked for it */
    size_t death_count;
    struct kernel_death *deaths; /* kernels that died of a signal, when samples or curves were measured last */
};

extern const char *const results_kind_names[]; /* of enum sample_kind, NULL at the end */

/* Whether it is of a GPU, as another tool measured it: then its memory's node is of the kind "GPU". */
bool results_of_gpu(const struct result *result);

/* The index of the cores of a kind among the result's, and of their levels; 0 where it is NULL or none of them. */
unsigned results_kind(const struct result *result, const char *core_kind);

/* The whole file, every value checked, at most 16 MiB; to be freed by results_free(). On an error there is nothing to
 * be freed. Error: the file's path, the path inside the file, and what was expected there. */
bool results_read(const char *path, struct result *out, struct error *err);

/* What a file holds, as JSON that the caller releases. */
json_t *results_json(const struct result *result);

/* Written beside `path` and renamed, so that a reader finds the old file or the new one. `fresh` refuses to replace a
 * file. Error: cannot write, disk full, exists; results_read() would refuse it (a list or the file is too long). */
bool results_write(const struct result *result, const char *path, bool fresh, struct error *err);

/* Makes all its texts safe to print, wherever they came from: what was read is so. */
void results_clean(struct result *result);

void results_free(struct result *result);

/* What comparing thousands of results needs of each, read several times faster than results_read() reads all of it. */

/* The fields that are `scanned` in result_fields.c: of the machine, the run and the levels what tells nodes apart, and
 * of each sample what it is of, its value, clock and doubts; the rest is zero. False for a file that is not as
 * results_write() writes them, even if it is a result: then results_read() tells. To be freed by results_free(). */
bool results_scan(const char *path, struct result *out);

/* The same, or where that does not do, all of the result. Error: as results_read() says it. */
bool results_read_values(const char *path, struct result *out, struct error *err);

#endif
