/* SPDX-License-Identifier: BSD-3-Clause */
#include "node_health.h"
#include "fleet_thresholds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench/kernels/number_thresholds.h"
#include "bench/kernels/others.h"
#include "bench/programs/scratch.h"
#include "carm/session/characterise.h"
#include "carm/store/file_io.h"
#include "carm/store/results.h"
#include "probe/error.h"
#include "probe/need.h"
#include "probe/text.h"

static const double BUDGET_S = 10; /* of a reading; two of them with all around them take a little more than 20 s */
static const double LOOK_S = 0.5;  /* how long other programs are watched before measuring */
static const char PROC_STAT[] = "/proc/stat";

struct request {
    const char *baseline, *path, *command_line;
    const struct session_options *how;
};

/* The CPUs that other programs use within a moment. */
static double others_now(void) {
    const struct activity before = activity_now(PROC_STAT);
    const struct timespec moment = {.tv_nsec = (long)(LOOK_S * 1e9)};
    nanosleep(&moment, NULL);
    const struct activity after = activity_now(PROC_STAT);
    return activity_of_others(&before, &after);
}

/* Checked before seconds are spent: the baseline holds a result. */
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

/* Measures the watched roofs of this node, into the file. */
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

/* Judges the file against the baseline. */
static bool judge(const struct request *request, struct node_health *out, struct error *err) {
    struct result_paths paths = {.nested = true};
    struct fleet fleet = {0};
    bool done = result_paths_add(&paths, request->baseline, err) && result_paths_add(&paths, request->path, err) &&
                fleet_read(&paths, false, &fleet, err);
    const char *own = done ? paths.list[paths.count - 1] : NULL;
    for (size_t i = 0; i < fleet.refusal_count && done; i++)
        if (fleet.refusals[i].path == own)
            done = error_set(err, "%s", fleet.refusals[i].why);
    if (done) {
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
    if (out->health.verdict == HEALTH_SLOW && others >= number_thresholds.others_work.value) {
        out->health.verdict = HEALTH_UNKNOWN;
        snprintf(out->health.text, sizeof out->health.text,
                 "other programs used %.1f CPUs during the measurement; check the node when it is idle", others);
    }
    return true;
}

/* A slow node is read again: only a node that is slow twice is reported as slow. */
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
    if (others >= number_thresholds.others_work.value) {
        snprintf(out->health.text, sizeof out->health.text, "other programs use %.1f CPUs; nothing was measured",
                 others);
        return true;
    }
    if (!scratch_make(&scratch, err))
        return false;
    snprintf(temporary, sizeof temporary, "%s/health.json", scratch.path);
    const bool done = read_it(&(struct request){baseline, path ? path : temporary, command_line, how}, out, err);
    scratch_remove(&scratch);
    return done;
}

const char *const health_operations[] = {"fma", "add", "load", "chase", NULL};

/* The values that describe a node, in printed order. */
static const struct headline_told {
    const char *name, *level; /* NULL: the machine's memory */
    enum sample_kind kind;
} HEADLINES[] = {{"f64", "", SAMPLE_COMPUTE},      {"L2", "L2", SAMPLE_BANDWIDTH},
                 {"L3", "L3", SAMPLE_BANDWIDTH},   {"DRAM", "DRAM", SAMPLE_BANDWIDTH},
                 {"HBM", "HBM", SAMPLE_BANDWIDTH}, {"latency", NULL, SAMPLE_LATENCY}};

static bool is_watched(const struct roof_key *key) {
    size_t i = 0;
    while (health_operations[i] && strcmp(health_operations[i], roof_key_operation(key)) != 0)
        i++;
    return health_operations[i] && !key->small_pages && !key->smt &&
           (key->kind != SAMPLE_COMPUTE || roof_key_type(key) == TYPE_F64);
}

/* Keeps all compute roofs, so that a switched-off instruction set is noticed; of the levels only the node's own
 * roofs, because others may have measured more. */
static void keep_watched(struct fleet *fleet, const char *path) {
    bool *own = need_calloc(fleet->keys.count + 1, sizeof *own);
    for (size_t n = 0; n < fleet->count; n++)
        for (size_t i = 0; i < fleet->nodes[n].count && fleet->nodes[n].path == path; i++)
            own[fleet->nodes[n].values[i].key] = true;
    for (size_t n = 0; n < fleet->count; n++) {
        struct fleet_node *node = &fleet->nodes[n];
        size_t kept = 0;
        for (size_t i = 0; i < node->count; i++) {
            const uint32_t key = node->values[i].key;
            if (is_watched(&fleet->keys.keys[key]) && (own[key] || fleet->keys.keys[key].kind == SAMPLE_COMPUTE))
                node->values[kept++] = node->values[i];
        }
        node->count = kept;
    }
    free(own);
}

/* "f64 99 %, L3 97 %, … of the group": the medians of classes against the usual values. */
static void say_headlines(struct health *health, const struct fleet_group *group, size_t member) {
    const char *separator = "";
    for (size_t h = 0; h < sizeof HEADLINES / sizeof HEADLINES[0]; h++) {
        const size_t class = fleet_headline(group, HEADLINES[h].kind, HEADLINES[h].level);
        if (class == FLEET_NONE || isnan(group->classes[class].deviations[member]))
            continue;
        const double usual = 1 + group->classes[class].center, own = 1 + group->classes[class].deviations[member];
        text_say(health->text, "%s%s %.0f %%", separator, HEADLINES[h].name, 100 * own / usual);
        separator = ", ";
    }
    text_say(health->text, " of the group");
}

/* The group and member of the node; false: it is in no group, since its host has a newer result. */
static bool find(const struct fleet *fleet, const struct fleet_groups *groups, const char *path, size_t *group,
                 size_t *member) {
    for (*group = 0; *group < groups->count; ++*group)
        for (*member = 0; *member < groups->groups[*group].count; ++*member)
            if (fleet->nodes[groups->groups[*group].members[*member]].path == path)
                return true;
    return false;
}

static const struct fleet_outlier *outlier_at(const struct fleet_report *report, size_t group, size_t member) {
    for (size_t i = 0; i < report->count; i++)
        if (report->outliers[i].group == group && report->outliers[i].member == member)
            return &report->outliers[i];
    return NULL;
}

/* Not slow are a node that became faster, and a node beside other programs whose roofs are as usual. */
static bool is_slow(const struct fleet_outlier *outlier) {
    return outlier && strcmp(outlier->diagnosis, "faster than its group") != 0 &&
           (strcmp(outlier->diagnosis, "others active") != 0 || outlier->key != FLEET_NONE);
}

struct health health_judge(struct fleet *fleet, const char *path) {
    struct health health = {.verdict = HEALTH_UNKNOWN, .text = ""};
    keep_watched(fleet, path);
    fleet_drop_older(fleet, true);
    struct fleet_groups groups = fleet_group(fleet);
    struct fleet_report report = fleet_judge(fleet, &groups);
    size_t g, m;
    if (!find(fleet, &groups, path, &g, &m)) {
        text_say(health.text, "the baseline has a newer result of this host");
        goto out;
    }
    const struct fleet_group *group = &groups.groups[g];
    const struct fleet_outlier *outlier = outlier_at(&report, g, m);
    const bool slow = is_slow(outlier);
    if (slow) {
        health.verdict = HEALTH_SLOW;
        text_say(health.text, "%s: %s", outlier->diagnosis, outlier->text);
    } else if (!group->judged) {
        text_say(health.text, "the baseline has %zu other result%s of this machine type (%s); %d are needed",
                 group->count - 1, group->count == 2 ? "" : "s", group->name,
                 (int)fleet_thresholds.group_nodes.value - 1);
    } else {
        health.verdict = HEALTH_OK;
    }
    if (group->judged) {
        text_say(health.text, "%s", slow ? "; " : "");
        say_headlines(&health, group, m);
    }
out:
    fleet_report_free(&report);
    fleet_groups_free(&groups);
    return health;
}
