/* SPDX-License-Identifier: BSD-3-Clause
 * Measuring round after round: the roofs, with the best code and size of each, and a round of them. */
#pragma once

#include "carm/session/measure.h"
#include "soak.h"

struct soak_bench {
    struct session session;
    struct plan plan;       /* a step for each sample of the log's result, in its order, with one size */
    double began_s, base_s; /* start of this process' first round: by now_s(), and since the log's start */
    double round_s;         /* approximate length of a round */
};

/* Finds the machine's headline roofs for f64, by all cores and by one: a quick characterisation. The bench's session
 * is already open; `log` is new, and gets the machine, the samples and the list of system values. Error: nothing can
 * be measured, or it was stopped. */
bool soak_bench_choose(struct soak_bench *bench, struct soak *log, double for_s, const struct session_options *how,
                       struct error *err);

/* Prepares to measure the log's roofs again. Error: it is of another machine. */
bool soak_bench_resume(struct soak_bench *out, const struct soak *log, const char *command_line,
                       const struct session_options *how, struct error *err);

/* Measures a round and adds it to the log. False, with no round added: stopped, or an error in `err`. */
bool soak_bench_round(struct soak_bench *bench, struct soak *log, struct error *err);

void soak_bench_close(struct soak_bench *bench);
