/* SPDX-License-Identifier: BSD-3-Clause
 * What other programs explain of a node (see fleet_others.h). */
#include "fleet_others.h"

#include <math.h>
#include <string.h>

#include "bench/kernels/others.h"

/* As of classes of roofs: of some million numbers not one lies so far off by chance. */
static const double SIGMAS = 5;
/* Times what one core reaches when it loads: a program that stores moves twice that, one that jumps about delays others
 * more, and one that runs on a measured CPU takes that away, too. */
static const double TAKEN_MOST = 3;

/* How much more than usual; 0: not so much that it matters. */
static double excess(double cpus, const struct fleet_usual *usual) {
    const double more = cpus - usual->median;
    return more >= OTHERS_MATTER && more >= SIGMAS * usual->sigma ? more : 0;
}

/* One program is named where most of it is its doing. It may stand apart although the sum does not: a node that is a
 * container sees the whole host's time, and its own processes alone. */
struct fleet_disturbance others_of_node(const struct fleet_evidence *e) {
    const struct others *own = &e->node->others;
    const struct fleet_group *group = e->group;
    const double all = group->judged ? excess(own->cpus, &group->others) : 0,
                 one = group->judged ? excess(own->busiest_cpus, &group->busiest_other) : 0;
    if (one > 0 && one >= all / 2)
        return (struct fleet_disturbance){own->busiest_cpus, group->busiest_other.median, own->busiest};
    if (all > 0)
        return (struct fleet_disturbance){own->cpus, group->others.median, ""};
    return (struct fleet_disturbance){.program = ""};
}

bool others_share(const char *level) {
    return *level && strcmp(level, "L1") != 0 && strcmp(level, "L2") != 0;
}

/* What a roof of several cores lacks, against what the others' CPUs can take. Not known: they can. */
static bool can_take(const struct fleet_evidence *e, const struct fleet_value *value, double cpus) {
    struct roof_key one_core = e->fleet->keys.keys[value->key];
    one_core.cores = 1;
    const size_t key = roof_keys_find(&e->fleet->keys, &one_core);
    const double lost = e->group->roofs[value->key].median - (double)value->value;
    return key == ROOF_KEYS_NONE || isnan(e->group->roofs[key].median) ||
           lost <= TAKEN_MOST * cpus * e->group->roofs[key].median;
}

bool others_explain(const struct fleet_evidence *e, size_t class) {
    const struct roof_key *key = &e->group->classes[class].key;
    const struct fleet_disturbance others = others_of_node(e);
    bool explained = others.cpus > 0 && key->kind != SAMPLE_COMPUTE && others_share(key->level);
    for (size_t i = 0; i < e->node->count && explained && key->kind == SAMPLE_BANDWIDTH && key->cores != 1; i++)
        if (e->group->roofs[e->node->values[i].key].class == class)
            explained = can_take(e, &e->node->values[i], others.cpus);
    return explained;
}

/* The bandwidth that is lowest, beyond its tolerance, though its interval may leave that open: it is wide where others
 * come and go. */
static size_t lowest(const struct fleet_evidence *e) {
    size_t found = FLEET_NONE;
    double most = 1;
    for (size_t c = 0; c < e->group->class_count; c++) {
        const struct fleet_class *class = &e->group->classes[c];
        const double lost = -evidence_off(e, c) / class->tolerance;
        if (class->key.kind == SAMPLE_BANDWIDTH && lost >= most && others_explain(e, c)) {
            most = lost;
            found = c;
        }
    }
    return found;
}

size_t others_worst(const struct fleet_evidence *e) {
    static const struct fleet_scope SCOPES[] = {{.bandwidth = true, .level = "memory"},
                                                {.bandwidth = true, .level = "L3"},
                                                {.latency = true, .level = "memory"},
                                                {.latency = true, .level = "L3"}};
    for (size_t i = 0; i < sizeof SCOPES / sizeof SCOPES[0]; i++) {
        const size_t class = evidence_worst(e, &SCOPES[i], -1);
        if (class != FLEET_NONE && others_explain(e, class))
            return class;
    }
    return others_of_node(e).cpus >= OTHERS_WORK ? lowest(e) : FLEET_NONE;
}
