/* SPDX-License-Identifier: BSD-3-Clause
 * What carmine-workload prints of one size: what it ran, how long each run took, and what theory says of one. Pure. */
#ifndef BENCH_PROGRAMS_WORKLOAD_REPORT_H
#define BENCH_PROGRAMS_WORKLOAD_REPORT_H

#include <stdint.h>

#include "app_point.h"

#include "probe/error.h"

struct workload_report {
    char workload[64], type[8], isa[16];
    char library[160]; /* that it calls, "OpenBLAS 0.3.21"; "" none */
    uint64_t size, block, working_set_bytes;
    unsigned threads, runs; /* runs of each repetition */
    enum app_state data, code, tlb;
    size_t seconds_count;
    double *seconds;                      /* of one run, by repetition */
    double clock_hz;                      /* median of the repetitions; 0: not known */
    bool flop_known;                      /* else `flop` is a library's own, and 0 here */
    double flop, load_bytes, store_bytes; /* of one run; no bytes where nothing exact is known of them */
    double read_bytes, write_bytes;       /* compulsory; what caches read to allocate on writes is among it */
    double pseudo_flop;
    double check_error; /* of the result */
    bool ok;            /* it is small enough */
};

/* One line of JSON. Error: it is none, or something is missing. */
bool workload_report_read(const char *text, struct workload_report *out, struct error *err);
void workload_report_free(struct workload_report *report);

#endif
