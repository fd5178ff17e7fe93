/* SPDX-License-Identifier: BSD-3-Clause
 * The output of carmine-workload for one size: the runs, their times, and the theory of one run. Pure. */
#pragma once

#include <stdint.h>

#include "app_point.h"

struct error;

struct workload_report {
    char workload[64], type[8], isa[16];
    char library[160]; /* called by it, "OpenBLAS 0.3.21"; "" none */
    uint64_t size, block, working_set_bytes;
    unsigned threads, runs; /* runs per repetition */
    enum app_state data, code, tlb;
    size_t seconds_count;
    double *seconds;                      /* of one run, by repetition */
    double clock_hz;                      /* median of the repetitions; 0: unknown */
    bool flop_known;                      /* otherwise it is up to a library, and `flop` is 0 */
    double flop, load_bytes, store_bytes; /* of one run; no bytes if theory gives no exact value */
    double read_bytes, write_bytes;       /* compulsory; includes reads for write-allocate */
    double pseudo_flop;
    double check_error; /* of the result */
    bool ok;            /* it is small enough */
};

/* Reads one line of JSON. Error: not JSON, or something is missing. */
bool workload_report_read(const char *text, struct workload_report *out, struct error *err);
void workload_report_free(struct workload_report *report);
