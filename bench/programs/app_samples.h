/* SPDX-License-Identifier: BSD-3-Clause
 * Where CPU time was sampled: by function, and by loop, line and instruction of a counted program. */
#pragma once

#include "regions.h"

struct app_sampled_function {
    char name[512];   /* as in its file; "" if no symbol covers it, as in a profile */
    char object[128]; /* file name */
    unsigned hits;
};
struct app_samples {
    unsigned hits; /* of all functions */
    size_t count;
    struct app_sampled_function *functions; /* most hits first */
};

/* Finds the functions of the report's places in their ELF files. */
void app_samples_resolve(const struct regions_report *report, struct app_samples *out);
/* Likewise, in the order of their first places; `functions`: the index of each place's. */
void app_samples_by_place(const struct regions_report *report, unsigned *functions, struct app_samples *out);
void app_samples_free(struct app_samples *samples);

/* Hits of a function; 0 if it was never sampled. */
unsigned app_samples_find(const struct app_samples *samples, const char *name, const char *object);

/* Samples of all runs, by part of a counted program. */
struct app_runs;
struct app_hits {
    unsigned *loops;  /* by loop of the profile's parts, with inner loops */
    unsigned *lines;  /* by line */
    unsigned *places; /* by instruction */
    unsigned all;     /* with samples in code that was not counted */
};

/* For runs that were counted with loops and lines. */
void app_hits_find(const struct app_runs *runs, struct app_hits *out);
void app_hits_free(struct app_hits *hits);
