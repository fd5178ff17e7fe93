/* SPDX-License-Identifier: BSD-3-Clause
 * carmine check --health: this node against its group, for prologs and health checks of batch systems. Is it to be
 * believed? A node where something else runs is not judged, and what is slow must be so twice. */
#include "cmd_check_health.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "bench/threads/activity.h"
#include "bench/program/scratch.h"
#include "carm/fleet/health.h"
#include "carm/options/measure_options.h"
#include "carm/session/characterise.h"

static const double BUDGET_S = 10;   /* of a reading; two of them and what is around them take 20 s and some more */
static const double BUSY_CPUS = 0.5; /* that others use: a job still runs */
static const double LOOK_S = 0.5;    /* how long that is looked for before measuring */
static const char PROC_STAT[] = "/proc/stat";
static const char *const WORDS[] = {"OK", "SLOW", "UNKNOWN"};

/* The CPUs that others use, over a moment. */
static double others_now(void) {
    const struct activity before = activity_now(PROC_STAT);
    const struct timespec moment = {.tv_nsec = (long)(LOOK_S * 1e9)};
    nanosleep(&moment, NULL);
    const struct activity after = activity_now(PROC_STAT);
    return activity_of_others(&before, &after);
}

/* The watched roofs of this node, into the file at `path`. */
static bool measure(const struct arguments *arguments, const struct session_options *how, const char *path,
                    double *others, struct error *err) {
    struct session session = {0};
    struct plan plan = {0};
    struct plan_options options = {.quick = true, .budget_s = BUDGET_S, .types = {"f64"}, .type_count = 1};
    const struct activity before = activity_now(PROC_STAT);
    while (health_operations[options.mix_count]) {
        options.mixes[options.mix_count] = health_operations[options.mix_count];
        options.mix_count++;
    }
    bool done = session_open(&session, NULL, arguments->line, err) &&
                plan_roofs(&plan, &session.result.machine, session.result.levels, &options, err) &&
                characterise(&session, how, &options, &plan, err);
    if (done) {
        session_finish(&session);
        done = !cli_stop ? results_write(&session.result, path, false, err) : error_set(err, "interrupted");
    }
    const struct activity after = activity_now(PROC_STAT);
    *others = activity_of_others(&before, &after);
    plan_free(&plan);
    session_close(&session);
    return done;
}

/* What the file at `path` says beside the baseline. */
static bool judge(const char *baseline, const char *path, struct health *out, char *host, size_t size,
                  struct error *err) {
    struct result_paths paths = {.nested = true};
    struct fleet fleet = {0};
    bool done = result_paths_add(&paths, baseline, err) && result_paths_add(&paths, path, err) &&
                fleet_read(&paths, &fleet, err);
    if (done) {
        const char *own = paths.list[paths.count - 1];
        for (size_t i = 0; i < fleet.count; i++)
            if (fleet.nodes[i].path == own)
                snprintf(host, size, "%s", fleet.nodes[i].machine.host);
        *out = health_judge(&fleet, own);
    }
    fleet_free(&fleet);
    result_paths_free(&paths);
    return done;
}

static bool read_node(const struct arguments *arguments, const char *path, struct health *out, char *host, size_t size,
                      struct error *err) {
    struct session_options how;
    double others;
    if (!measure_options_session(arguments, &how, err) || !measure(arguments, &how, path, &others, err) ||
        !judge(cli_value(arguments, "baseline"), path, out, host, size, err))
        return false;
    if (out->verdict == HEALTH_SLOW && others >= BUSY_CPUS) {
        out->verdict = HEALTH_UNKNOWN;
        snprintf(out->text, sizeof out->text, "others used %.1f CPUs while it was measured; check it when it is idle",
                 others);
    }
    return true;
}

/* What is slow once is read once more: only what is slow twice is said to be. */
static bool look(const struct arguments *arguments, const char *path, struct health *out, char *host, size_t size,
                 struct error *err) {
    const double others = others_now();
    if (gethostname(host, size - 1) != 0)
        host[0] = '\0';
    if (others >= BUSY_CPUS) {
        out->verdict = HEALTH_UNKNOWN;
        snprintf(out->text, sizeof out->text, "something runs here: others use %.1f CPUs; nothing was measured",
                 others);
        return true;
    }
    return read_node(arguments, path, out, host, size, err) &&
           (out->verdict != HEALTH_SLOW || read_node(arguments, path, out, host, size, err));
}

int check_health_command(const struct arguments *arguments, struct error *err) {
    char path[sizeof((struct scratch *)0)->path + 32], host[256] = "";
    const char *kept = cli_value(arguments, "output");
    struct health health = {.verdict = HEALTH_UNKNOWN};
    struct scratch scratch;
    if (!cli_value(arguments, "baseline")) {
        error_set(err, "name the group's results: --baseline DIR");
        return CLI_ERROR;
    }
    if (!scratch_make(&scratch, err))
        return CLI_ERROR;
    snprintf(path, sizeof path, "%s/health.json", scratch.path);
    cli_catch_signals();
    const bool done = look(arguments, kept ? kept : path, &health, host, sizeof host, err);
    scratch_remove(&scratch);
    if (!done)
        return CLI_ERROR;
    printf("%s %s: %s\n", WORDS[health.verdict], host, health.text);
    return (int)health.verdict;
}
