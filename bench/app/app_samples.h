/* SPDX-License-Identifier: BSD-3-Clause
 * Where CPU time was found, function by function. */
#ifndef BENCH_APP_SAMPLES_H
#define BENCH_APP_SAMPLES_H

#include "bench/regions/regions.h"

struct app_sampled_function {
    char name[512];   /* as in its file; "" where no symbol covers it, as in a profile */
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
void app_samples_free(struct app_samples *samples);

/* Hits of a function; 0 where it was never found running. */
unsigned app_samples_find(const struct app_samples *samples, const char *name, const char *object);

#endif
