/* SPDX-License-Identifier: BSD-3-Clause
 * Counters against kernels whose counts are known: measured over expected per metric and kernel, as in table IV of the
 * roofline measurement paper (Ofenbeck et al., ISPASS 2014). 1 is right. */
#ifndef BENCH_KERNELS_CALIBRATE_H
#define BENCH_KERNELS_CALIBRATE_H

#include <stdbool.h>
#include <stddef.h>

#include "asm/kernel.h"
#include "probe/events/events.h"
#include "probe/events/papi.h"
#include "probe/events/uncore.h"
#include "probe/machine.h"

extern const double CALIBRATE_LOW, CALIBRATE_HIGH; /* ratios outside are a doubt */
enum { CALIBRATE_REPETITIONS = 11, CALIBRATE_MAX = 128 };

struct calibration {
    enum metric metric;
    char kernel[48];
    double expected;      /* of one repetition */
    double median, worst; /* measured / expected; the worst is the farthest from 1 */
    char failure[192];    /* why it was not measured; "" */
};
bool calibration_doubtful(const struct calibration *calibration); /* measured, and not near 1 */

/* What one repetition executes. */
struct calibrate_work {
    const struct kernel *kernel; /* NULL: a chain */
    double iterations;
    double chain_cycles; /* of one iteration, of a chain */
};

/* What the work does of the metric; 0 when it says nothing of it. */
double calibrate_expected(enum metric metric, const struct calibrate_work *work);

/* Fills in median and worst. Pure. */
void calibrate_judge(struct calibration *out, size_t count, const double *measured);

/* Who counts: PAPI and the kernel in the product, made-up counters in tests, which are told what comes. */
struct calibrate_reader {
    void *context;
    bool (*open)(void *context, size_t count, const char (*events)[96], struct error *err);
    bool (*start)(void *context, const struct calibrate_work *work, struct error *err);
    bool (*stop)(void *context, double *values, struct error *err); /* since the start, by event */
    void (*close)(void *context);                                   /* after an open that succeeded */
};

/* The product's: a formula's events are either all of the core or all of the memory controllers. */
struct calibrate_counters {
    bool of_memory;
    size_t count;
    struct papi_events papi;
    struct uncore uncore;
    double before[EVENTS_MAX_TERMS];
};
struct calibrate_reader calibrate_counters_reader(struct calibrate_counters *context);

/* Whose counters are calibrated. */
struct calibrate_subject {
    const struct machine *machine;
    unsigned kind; /* of its cores */
    const struct event_set *set;
    bool memory; /* DRAM metrics too, which takes a buffer of four times the last-level caches */
};

/* Each metric of the set that has events against all kernels that tell something of it, on one core of that kind.
 * Writes at most CALIBRATE_MAX. Error: the core cannot be had, or the memory. */
bool calibrate_run(const struct calibrate_subject *subject, const struct calibrate_reader *reader,
                   struct calibration *out, size_t *count, struct error *err);

#endif
