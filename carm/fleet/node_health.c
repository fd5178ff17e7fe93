/* SPDX-License-Identifier: BSD-3-Clause
 * The health of this node (see node_health.h). */
#include "node_health.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench/kernels/others.h"
#include "bench/programs/scratch.h"
#include "carm/session/characterise.h"
#include "carm/store/result_paths.h"
#include "carm/store/results_scan.h"

static const double BUDGET_S = 10; /* of a reading; two of them and what is around them take 20 s and some more */
static const double LOOK_S = 0.5;  /* how long that is looked for before measuring */
static const char PROC_STAT[] = "/proc/stat";

/* What is asked for. */
struct request {
    const char *baseline, *path, *command_line;
    const struct session_options *how;
};

/* The CPUs that others use, over a moment. */
static double others_now(void) {
    const struct activity before = activity_now(PROC_STAT);
    const struct timespec moment = {.tv_nsec = (long)(LOOK_S * 1e9)};
    nanosleep(&moment, NULL);
    const struct activity after = activity_now(PROC_STAT);
    return activity_of_others(&before, &after);
}

/* Said before seconds are spent, and whatever else runs: the baseline holds a result. */
static bool has_result(const char *baseline, struct error *err) {
    struct result_paths paths = {.nested = true};
    struct result result;
    bool found = false, done = result_paths_add(&paths, baseline, err);
    for (size_t i = 0; i < paths.count && done && !found; i++)
        if ((found = results_read_values(paths.list[i], &result, err)))
            results_free(&result);
    result_paths_free(&paths);
    return found;
}

/* The watched roofs of this node, into the file. */
static bool measure(const struct request *request, double *others, struct error *err) {
    struct session session = {0};
    struct plan plan = {0};
    struct plan_options options = {.quick = true, .budget_s = BUDGET_S, .types = {"f64"}, .type_count = 1};
    const struct activity before = activity_now(PROC_STAT);
    while (health_operations[options.mix_count]) {
        options.mixes[options.mix_count] = health_operations[options.mix_count];
        options.mix_count++;
    }
    bool done = session_open(&session, NULL, request->command_line, err) &&
                plan_roofs(&plan, &session.result.machine, session.result.levels, &options, err) &&
                characterise(&session, request->how, &options, &plan, err);
    if (done) {
        session_finish(&session);
        done = session.result.environment.interrupted ? error_set(err, "interrupted: nothing is known of this node")
                                                      : results_write(&session.result, request->path, false, err);
    }
    const struct activity after = activity_now(PROC_STAT);
    *others = activity_of_others(&before, &after);
    plan_free(&plan);
    session_close(&session);
    return done;
}

/* What the file says beside the baseline. */
static bool judge(const struct request *request, struct node_health *out, struct error *err) {
    struct result_paths paths = {.nested = true};
    struct fleet fleet = {0};
    bool done = result_paths_add(&paths, request->baseline, err) && result_paths_add(&paths, request->path, err) &&
                fleet_read(&paths, false, &fleet, err);
    if (done) {
        const char *own = paths.list[paths.count - 1];
        for (size_t i = 0; i < fleet.count; i++)
            if (fleet.nodes[i].path == own)
                snprintf(out->host, sizeof out->host, "%s", fleet.nodes[i].machine.host);
        out->health = health_judge(&fleet, own);
    }
    fleet_free(&fleet);
    result_paths_free(&paths);
    return done;
}

static bool read_once(const struct request *request, struct node_health *out, struct error *err) {
    double others;
    if (!measure(request, &others, err) || !judge(request, out, err))
        return false;
    if (out->health.verdict == HEALTH_SLOW && others >= OTHERS_WORK) {
        out->health.verdict = HEALTH_UNKNOWN;
        snprintf(out->health.text, sizeof out->health.text,
                 "others used %.1f CPUs while it was measured; check it when it is idle", others);
    }
    return true;
}

/* What is slow once is read once more: only what is slow twice is said to be. */
static bool read_it(const struct request *request, struct node_health *out, struct error *err) {
    return read_once(request, out, err) && (out->health.verdict != HEALTH_SLOW || read_once(request, out, err));
}

bool node_health_find(const char *baseline, const char *path, const char *command_line,
                      const struct session_options *how, struct node_health *out, struct error *err) {
    char temporary[sizeof((struct scratch *)0)->path + 32];
    struct scratch scratch;
    if (!has_result(baseline, err))
        return false;
    const double others = others_now();
    *out = (struct node_health){.health.verdict = HEALTH_UNKNOWN};
    gethostname(out->host, sizeof out->host - 1);
    if (others >= OTHERS_WORK) {
        snprintf(out->health.text, sizeof out->health.text,
                 "something runs here: others use %.1f CPUs; nothing was measured", others);
        return true;
    }
    if (!scratch_make(&scratch, err))
        return false;
    snprintf(temporary, sizeof temporary, "%s/health.json", scratch.path);
    const bool done = read_it(&(struct request){baseline, path ? path : temporary, command_line, how}, out, err);
    scratch_remove(&scratch);
    return done;
}
