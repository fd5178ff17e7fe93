/* SPDX-License-Identifier: BSD-3-Clause
 * A measuring session: the machine, the bench, and the result that grows as plans run. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "bench/kernels/plan.h"
#include "bench/kernels/run.h"
#include "carm/store/results.h"
#include "probe/uarch.h"

/* Decides when to save partial results: often enough that a killed program loses almost nothing, rarely enough that
 * saving does not disturb the measurement. */

struct error;

struct checkpoint {
    bool (*save)(void *context, struct error *err); /* NULL: no place to save */
    void *context;
    double last_s, cost_s; /* time and duration of the last save */
    bool failed;           /* a failure was reported */
};

struct checkpoint checkpoint_begin(bool (*save)(void *context, struct error *err), void *context);

/* The time between two saves in s, if a save takes `cost_s`. */
double checkpoint_wait_s(double cost_s);

/* Call after each measured step. A failure (a full disk) is reported once, the last file remains, and the measurement
 * continues. */
void checkpoint_if_due(struct checkpoint *checkpoint);

struct session_options {
    enum sample_statistic statistic; /* how to combine repetitions */
    bool huge_pages;                 /* of the buffers */
    const atomic_int *stop;          /* set to stop measuring; NULL: never */
};

struct session {
    struct bench bench;
    struct uarch_match uarch[MACHINE_MAX_KINDS]; /* per core kind */
    struct result result;                        /* of the measured machine */
    double began_s;                              /* by now_s() */
    uint64_t node_bytes;                         /* of buffers, on each memory node */
    size_t impossible;                           /* planned samples whose kernel died */
    bool lacks;                                  /* some planned samples were not measured */
    struct others_watch others;                  /* since measuring began */
    struct checkpoint checkpoint;                /* saves the result from time to time */
};

/* Finds the machine, its microarchitecture and the detected levels: enough to plan, not to measure. */
bool session_open(struct session *out, const char *topology_path, const char *command_line, struct error *err);

/* Reserves buffers for the plan's steps. Call for each plan before session_start(). */
void session_reserve(struct session *session, const struct plan *plan);

/* Prepares the measurement: clock and buffers. */
bool session_start(struct session *session, const struct session_options *options, struct error *err);

/* Runs a sweep's plan and adds it to the result as a curve. One thread's curve also shows where the levels end. */
bool session_sweep(struct session *session, const struct plan *plan, const struct campaign_options *options,
                   struct error *err);

/* Runs the plan's steps that the result lacks, and adds the samples. The progress function of `options` is replaced. */
bool session_run(struct session *session, const struct plan *plan, const struct campaign_options *options,
                 struct error *err);

double session_elapsed_s(const struct session *session);

/* Whether a file's result is of this machine. Error: it is not; `remedy` says what to do on that one: "resume it". */
bool session_is_here(const struct session *session, const struct result *file, const char *path, const char *remedy,
                     struct error *err);

/* Takes the load of other programs from a resumed result, unless it is higher now. */
void session_inherit_others(struct session *session, const struct environment *resumed);

/* Completes the result: elapsed time, and whether it was interrupted. Warns of kernels that died. */
void session_finish(struct session *session);

/* Error: the number of kernels that died. */
bool session_all_lived(const struct session *session, struct error *err);

void session_close(struct session *session);

/* "<folder>/<host>-<UTC>.json": an unused name. Creates the folder if missing. */
bool session_default_path(const struct session *session, const char *folder, char *out, size_t size, struct error *err);
