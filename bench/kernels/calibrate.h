/* SPDX-License-Identifier: BSD-3-Clause
 * Counters checked against kernels of known counts: measured over expected per metric and kernel, as in table IV of the
 * roofline measurement paper (Ofenbeck et al., ISPASS 2014). 1 is right. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "asm/kernel.h"
#include "probe/events/events.h"
#include "probe/events/papi.h"
#include "probe/events/uncore.h"

struct machine;

enum { CALIBRATE_REPETITIONS = 11, CALIBRATE_MAX = 128 };

struct calibration {
    enum metric metric;
    char kernel[48];
    double expected;      /* per repetition */
    double median, worst; /* measured / expected; the worst is the farthest from 1 */
    char failure[192];    /* why it was not measured; "" if it was */
};
bool calibration_doubtful(const struct calibration *calibration); /* measured, and not close to 1 */

/* The work of one repetition. */
struct calibrate_work {
    const struct kernel *kernel; /* NULL: a chain */
    double iterations;
    double chain_cycles; /* per iteration of a chain */
};

/* The work's expected count of the metric; 0 if the work says nothing about it. */
double calibrate_expected(enum metric metric, const struct calibrate_work *work);

/* Fills in median and worst. Pure. */
void calibrate_judge(struct calibration *out, size_t count, const double *measured);

/* Interface of the counters: PAPI and the kernel in the product. Tests use made-up counters, which are passed the
 * work. */
struct calibrate_reader {
    void *context;
    bool (*open)(void *context, size_t count, const char (*events)[96], struct error *err);
    bool (*start)(void *context, const struct calibrate_work *work, struct error *err);
    bool (*stop)(void *context, double *values, struct error *err); /* since the start, one per event */
    void (*close)(void *context);                                   /* only after a successful open */
};

/* The product's counters. The events of one formula are all of the core, or all of the memory controllers. */
struct calibrate_counters {
    bool of_memory;
    size_t count;
    struct papi_events papi;
    struct uncore uncore;
    double before[EVENTS_MAX_TERMS];
};
struct calibrate_reader calibrate_counters_reader(struct calibrate_counters *context);

/* The machine and the kind of its cores whose counters are calibrated. */
struct calibrate_subject {
    const struct machine *machine;
    unsigned kind; /* of the cores */
    const struct event_set *set;
    bool memory; /* include DRAM metrics, which need a buffer of four times the last-level caches */
};

/* Runs each metric of the set that has events against all kernels that exercise it, on one core of that kind. Writes at
 * most CALIBRATE_MAX. Error: the core or the memory is not available. */
bool calibrate_run(const struct calibrate_subject *subject, const struct calibrate_reader *reader,
                   struct calibration *out, size_t *count, struct error *err);
