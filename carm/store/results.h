/* SPDX-License-Identifier: BSD-3-Clause
 * The result file: what was measured, with all that is needed to judge it on another machine, years later.
 * JSON, base units without prefixes, schema "carmine.result/1". */
#ifndef CARM_RESULTS_H
#define CARM_RESULTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "bench/app/app_point.h"
#include "bench/plan/levels.h"
#include "bench/sample/sample.h"
#include "bench/sample/validation_point.h"
#include "probe/error.h"
#include "probe/machine.h"

struct environment {
    char version[32];     /* of carmine */
    char started_utc[32]; /* 2026-11-20T15:04:05Z */
    double elapsed_s;
    char command_line[512];
    char kernel[128];    /* "Linux 6.1.0" */
    char governor[32];   /* "" when the system does not tell */
    char huge_pages[32]; /* "madvise" */
    char microcode[32];
    double load_average; /* over one minute, at the start */
    double tick_hz, rest_clock_hz;
    char clock_doubt[160];
    char statistic[24];       /* how repetitions became a value: "upper quartile" */
    unsigned planned_samples; /* of the largest plan that this file was made by; 0: a sweep alone */
    bool interrupted;         /* stopped before the plan's end, or not there yet */
    char partial[64];         /* "run: 34 of 302 samples": written meanwhile (partial.h); "" when that has ended */
};

/* Bandwidth or latency against working-set size, of one kernel. */
struct curve_point {
    uint64_t working_set_bytes; /* of one thread */
    double value;               /* bytes/s of all threads, or s per access */
    double per_cycle;           /* per core: bytes per cycle, or cycles per access; 0: not known */
    double clock_hz;
    uint32_t doubts;
};
struct curve {
    char kernel[48];
    enum sample_kind kind;
    unsigned threads;
    char core_kind[32]; /* "" where any */
    bool small_pages;   /* 4 KiB pages were asked for */
    bool partial;       /* larger sizes were not measured any more */
    size_t count;
    struct curve_point *points;
};

struct result {
    struct machine machine; /* no cores: only their count */
    char uarch[64];         /* "" when not known */
    char uarch_doubt[256];
    char documented_sources[256]; /* of the documented limits */
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
};

extern const char *const results_kind_names[]; /* of enum sample_kind, NULL at the end */

/* Whether it is of a GPU, as another tool measured it: then its memory's node is of the kind "GPU". */
bool results_of_gpu(const struct result *result);

/* Error: the file's path, the path inside the file, and what was expected there. */
bool results_read(const char *path, struct result *out, struct error *err);

/* What a file holds. */
json_t *results_json(const struct result *result);

/* Written beside `path` and renamed, so that a reader finds the old file or the new one. `fresh` refuses to replace a
 * file. Error: cannot write, disk full, exists. */
bool results_write(const struct result *result, const char *path, bool fresh, struct error *err);

void results_free(struct result *result);

#endif
