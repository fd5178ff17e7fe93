/* SPDX-License-Identifier: BSD-3-Clause
 * The health of a node (see health.h). */
#include "health.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/need.h"

const char *const health_operations[] = {"fma", "add", "load", "chase", NULL};

/* What a node is known by, in the order in which it is told. */
static const struct headline_told {
    const char *name, *level;
    enum sample_kind kind;
} HEADLINES[] = {{"f64", "", SAMPLE_COMPUTE},
                 {"L2", "L2", SAMPLE_BANDWIDTH},
                 {"L3", "L3", SAMPLE_BANDWIDTH},
                 {"DRAM", "DRAM", SAMPLE_BANDWIDTH},
                 {"latency", "DRAM", SAMPLE_LATENCY}};

static bool is_watched(const struct roof_key *key) {
    size_t i = 0;
    while (health_operations[i] && strcmp(health_operations[i], roof_key_operation(key)) != 0)
        i++;
    return health_operations[i] && !key->small_pages && !key->smt &&
           (key->kind != SAMPLE_COMPUTE || roof_key_type(key) == TYPE_F64);
}

/* All ceilings, so that an instruction set that is switched off is missed; of the levels what the node itself has:
 * others may have measured more. */
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

__attribute__((format(printf, 2, 3))) static void say(struct health *health, const char *format, ...) {
    const size_t length = strlen(health->text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(health->text + length, sizeof health->text - length, format, arguments);
    va_end(arguments);
}

/* "f64 99 %, L3 97 %, … of the group": the medians of classes against what is usual. */
static void say_headlines(struct health *health, const struct fleet_group *group, size_t member) {
    const char *separator = "";
    for (size_t h = 0; h < sizeof HEADLINES / sizeof HEADLINES[0]; h++) {
        const size_t class = fleet_headline(group, HEADLINES[h].kind, HEADLINES[h].level);
        if (class == FLEET_NONE || isnan(group->classes[class].deviations[member]))
            continue;
        const double usual = 1 + group->classes[class].center, own = 1 + group->classes[class].deviations[member];
        say(health, "%s%s %.0f %%", separator, HEADLINES[h].name, 100 * own / usual);
        separator = ", ";
    }
    say(health, " of the group");
}

/* Where the node stands; false: in none of the groups, since a newer result of its host is there. */
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

/* A node that has become faster is well, and so is one that does as others do although something runs beside. */
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
        say(&health, "the baseline has a newer result of this host");
        goto out;
    }
    const struct fleet_group *group = &groups.groups[g];
    const struct fleet_outlier *outlier = outlier_at(&report, g, m);
    const bool slow = is_slow(outlier);
    if (slow) {
        health.verdict = HEALTH_SLOW;
        say(&health, "%s: %s", outlier->diagnosis, outlier->text);
    } else if (!group->judged) {
        say(&health, "the baseline has %zu other result%s of this machine type (%s), and %d are needed",
            group->count - 1, group->count == 2 ? "" : "s", group->name, FLEET_GROUP_LEAST - 1);
    } else {
        health.verdict = HEALTH_OK;
    }
    if (group->judged) {
        say(&health, "%s", slow ? "; " : "");
        say_headlines(&health, group, m);
    }
out:
    fleet_report_free(&report);
    fleet_groups_free(&groups);
    return health;
}
