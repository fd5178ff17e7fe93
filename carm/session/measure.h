/* SPDX-License-Identifier: BSD-3-Clause
 * A measuring session: the machine, the bench, and the result that fills up as plans are run. */
#ifndef CARM_MEASURE_H
#define CARM_MEASURE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "checkpoint.h"

#include "bench/kernels/plan.h"
#include "bench/kernels/run.h"
#include "carm/store/results.h"
#include "probe/uarch.h"

struct session_options {
    enum sample_statistic statistic;   /* how repetitions become a number */
    bool huge_pages;                   /* under the buffers */
    const volatile sig_atomic_t *stop; /* set by whoever wants measuring to end; NULL: nobody does */
};

struct session {
    struct bench bench;
    struct uarch_match uarch[MACHINE_MAX_KINDS]; /* per core kind */
    struct result result;                        /* its machine is the one that is measured */
    double began_s;                              /* by now_s() */
    uint64_t node_bytes;                         /* of buffers, on each memory node */
    size_t impossible;                           /* samples that were planned, and whose kernel died */
    struct others_watch others;                  /* since measuring began */
    struct checkpoint checkpoint;                /* what the result holds is saved by it meanwhile */
};

/* Finds the machine, its microarchitecture and its levels as detected. Enough to plan, not yet to measure. */
bool session_open(struct session *out, const char *topology_path, const char *command_line, struct error *err);

/* The plan's steps will find buffers that are large enough. To be called for each plan, before session_start(). */
void session_reserve(struct session *session, const struct plan *plan);

/* Makes ready to measure: the clock, and the buffers. */
bool session_start(struct session *session, const struct session_options *options, struct error *err);

/* Runs a sweep's plan and adds it to the result as a curve; one thread's also tells where the levels end. */
bool session_sweep(struct session *session, const struct plan *plan, const struct campaign_options *options,
                   struct error *err);

/* Runs the plan's steps, all but those that the result holds already, and adds the samples. The options' progress is
 * the session's own. */
bool session_run(struct session *session, const struct plan *plan, const struct campaign_options *options,
                 struct error *err);

double session_elapsed_s(const struct session *session);

/* What is known of other programs is that of a result that is resumed, unless there are more of them now. */
void session_inherit_others(struct session *session, const struct environment *resumed);

/* Closes the books: elapsed time, and whether it was interrupted. Warns of kernels that died. */
void session_finish(struct session *session);

/* Error: how many kernels died. */
bool session_all_lived(const struct session *session, struct error *err);

void session_close(struct session *session);

/* "<folder>/<host>-<UTC>.json": a name that nothing has yet. The folder is made where it is missing. */
bool session_default_path(const struct session *session, const char *folder, char *out, size_t size, struct error *err);

#endif
