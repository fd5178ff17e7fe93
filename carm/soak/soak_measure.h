/* SPDX-License-Identifier: BSD-3-Clause
 * Measuring round after round: which roofs, with the code and the size that each was best with, and a round of them. */
#ifndef CARM_SOAK_MEASURE_H
#define CARM_SOAK_MEASURE_H

#include "carm/session/measure.h"
#include "soak.h"

struct soak_bench {
    struct session session;
    struct plan plan;       /* a step for each sample of the log's result, in its order, with the one size */
    double began_s, base_s; /* when this process' first round began: by now_s(), and since the log's start */
    double round_s;         /* that a round takes, about */
};

/* Finds the machine's headline roofs for f64, by all cores and by one: a quick characterisation. The bench's session is
 * open already; `log` is new, and gets machine, samples and what the system tells. Error: nothing can be measured, or
 * it was stopped. */
bool soak_bench_choose(struct soak_bench *bench, struct soak *log, double for_s, const struct session_options *how,
                       struct error *err);

/* Makes ready for what the log's rounds have measured. Error: it is of another machine. */
bool soak_bench_resume(struct soak_bench *out, const struct soak *log, const char *command_line,
                       const struct session_options *how, struct error *err);

/* Measures a round and adds it to the log. False, with none added: stopped, or an error, which says so. */
bool soak_bench_round(struct soak_bench *bench, struct soak *log, struct error *err);

void soak_bench_close(struct soak_bench *bench);

#endif
