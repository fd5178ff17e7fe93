/* SPDX-License-Identifier: BSD-3-Clause
 * Slurm (see engine.h): a job a node, which Slurm queues; within a job, a step on its nodes. */
#include "engine.h"

#include <signal.h>
#include <string.h>

/* Slurm's reasons for jobs that wait until somebody changes the job, the node or the configuration. */
static const char *const NEVER[] = {
    "PartitionDown",  "PartitionInactive",  "PartitionConfig",  "PartitionNodeLimit",      "PartitionTimeLimit",
    "BadConstraints", "AccountNotAllowed",  "QOSNotAllowed",    "InvalidAccount",          "InvalidQOS",
    "JobHeld",        "ReservationDeleted", "UnavailableNodes", "Reserved for maintenance"};
static const char *const WAITING[] = {"PENDING", "REQUEUED", "REQUEUE_HOLD", "SPECIAL_EXIT"};
static const char *const RUNNING[] = {"RUNNING", "CONFIGURING", "COMPLETING", "SUSPENDED",
                                      "STOPPED", "SIGNALING",   "STAGE_OUT",  "RESIZING"};

static bool is_one_of(const char *state, const char *const *list, size_t count) {
    bool is = false;
    for (size_t i = 0; i < count; i++)
        is |= strcmp(state, list[i]) == 0;
    return is;
}

/* sinfo skips unknown nodes, so scontrol prints the requested names again. Idle nodes come first. */
static void list(const struct engine_request *request, FILE *out) {
    fputs("sinfo --noheader --Node --sort=+t '--format=%N|%T|%E'", out);
    if (request->partition)
        engine_word(out, "--partition=%s", request->partition);
    if (!request->nodes)
        return;
    engine_word(out, "--nodes=%s", request->nodes);
    fputs(" && scontrol show hostnames", out);
    engine_word(out, "%s", request->nodes);
}

/* The batch script of an exclusive job has all CPUs of the node that jobs may have. A job that its lost node had would
 * wait for that node. */
static void launch(const struct engine_request *request, FILE *out) {
    fputs("sbatch --parsable --nodes=1 --ntasks=1 --exclusive --no-requeue --open-mode=truncate", out);
    engine_word(out, "--job-name=%s", request->job);
    if (request->partition)
        engine_word(out, "--partition=%s", request->partition);
    engine_word(out, "--nodelist=%s", request->names);
    engine_word(out, "--output=%s/%s.log", request->folder, request->names);
    fputs(request->own, out);
    engine_word(out, "--wrap=exec %s", request->measure);
}

static void jobs(const struct engine_request *request, FILE *out) {
    fprintf(out, "squeue --noheader --states=all --name=%s '--format=%%i|%%n|%%T|%%r'", request->job);
}

static void cancel(const struct engine_request *request, FILE *out) {
    fputs("scancel --quiet", out);
    if (request->one_job)
        engine_word(out, "%s", request->one_job);
    else
        engine_word(out, "--name=%s", request->job);
}

static bool read_job(const char *line, struct engine_job *out) {
    char state[32], reason[100] = "";
    *out = (struct engine_job){.state = ENGINE_JOB_ENDED};
    if (sscanf(line, "%31[^|]|%63[^|]|%31[^|]|%99[^\r\n]", out->id, out->node, state, reason) < 3)
        return false;
    if (is_one_of(state, WAITING, sizeof WAITING / sizeof WAITING[0])) {
        out->state = ENGINE_JOB_WAITS;
        for (size_t i = 0; i < sizeof NEVER / sizeof NEVER[0]; i++)
            out->never |= strstr(reason, NEVER[i]) != NULL;
    } else if (is_one_of(state, RUNNING, sizeof RUNNING / sizeof RUNNING[0])) {
        out->state = ENGINE_JOB_RUNS;
    }
    if (out->state == ENGINE_JOB_WAITS)
        snprintf(out->why, sizeof out->why, "%s", strcmp(reason, "None") == 0 ? "" : reason);
    else
        snprintf(out->why, sizeof out->why, "%s (%s)", state, reason);
    return true;
}

static void list_step(const struct engine_request *request, FILE *out) {
    fputs("scontrol show hostnames", out);
    if (request->nodes)
        engine_word(out, "%s", request->nodes);
}

/* A step has all CPUs of the job on its nodes. */
static void launch_step(const struct engine_request *request, FILE *out) {
    fprintf(out, "exec srun --nodes=%zu --ntasks-per-node=1 --cpu-bind=none", request->count);
    engine_word(out, "--nodelist=%s", request->names);
    fprintf(out, "%s %s", request->own, request->measure);
    engine_input(out, request);
}

const struct engine engine_slurm = {.by = "slurm",
                                    .name = "Slurm",
                                    .program = "sbatch",
                                    .list = list,
                                    .launch = launch,
                                    .jobs = jobs,
                                    .cancel = cancel,
                                    .read_job = read_job,
                                    .limited = "limit"};
const struct engine engine_slurm_step = {.by = "slurm",
                                         .name = "Slurm",
                                         .program = "srun",
                                         .sends = true,
                                         .stop_signal = SIGTERM,
                                         .list = list_step,
                                         .launch = launch_step};
