/* SPDX-License-Identifier: BSD-3-Clause
 * Which classes of a node's roofs are slow, and which roof gives it away (see fleet_evidence.h). */
#include "fleet_evidence.h"

#include <math.h>
#include <string.h>

static bool is_of_isa(const struct roof_key *key, const char *isa) {
    const size_t length = strlen(isa);
    return strncmp(key->kernel, isa, length) == 0 && key->kernel[length] == '.';
}

static bool is_in(const struct roof_key *key, const struct fleet_scope *scope) {
    const bool fma = key->kind == SAMPLE_COMPUTE && strstr(key->kernel, ".fma"), memory = key->level[0] != 'L';
    const bool kind = key->kind == SAMPLE_COMPUTE     ? scope->compute || (fma ? scope->fma : scope->other)
                      : key->kind == SAMPLE_BANDWIDTH ? scope->bandwidth
                                                      : scope->latency;
    const bool left_out =
        (scope->streams && key->kind == SAMPLE_BANDWIDTH && key->kernel[0]) || (scope->one_core && key->cores != 1);
    return kind && !left_out && (!scope->isa || is_of_isa(key, scope->isa)) &&
           (!scope->level || (strcmp(scope->level, "memory") == 0 ? memory : strcmp(scope->level, key->level) == 0));
}

/* Rather of all cores than of one, and of patterns than of random lines. */
size_t evidence_worst(const struct fleet_evidence *e, const struct fleet_scope *scope, int flag) {
    size_t found = FLEET_NONE;
    double most = 0;
    for (size_t c = 0; c < e->group->class_count; c++) {
        const struct fleet_class *class = &e->group->classes[c];
        const bool random = class->key.kind == SAMPLE_BANDWIDTH && class->key.kernel[0];
        const double off = fabs(class->deviations[e->member] - class->center) / class->tolerance *
                           (class->key.cores == 1 ? 0.5 : 1) * (random ? 0.5 : 1);
        if (e->flags[c] == flag && is_in(&class->key, scope) && off > most) {
            most = off;
            found = c;
        }
    }
    return found;
}

double evidence_share(const struct fleet_evidence *e, const struct fleet_scope *scope, int flag) {
    size_t all = 0, flagged = 0;
    for (size_t c = 0; c < e->group->class_count; c++) {
        const struct fleet_class *class = &e->group->classes[c];
        if (!is_in(&class->key, scope) || isnan(class->deviations[e->member]))
            continue;
        all++;
        flagged += e->flags[c] == flag;
    }
    return all ? (double)flagged / (double)all : 0;
}

double evidence_off(const struct fleet_evidence *e, size_t class) {
    return e->group->classes[class].deviations[e->member] - e->group->classes[class].center;
}

void evidence_set_roof(const struct fleet_evidence *e, struct fleet_outlier *out, const struct fleet_value *value) {
    const struct fleet_roof *roof = &e->group->roofs[value->key];
    out->key = value->key;
    out->value = (double)value->value;
    out->median = roof->median;
    out->deviation = (double)value->value / roof->median - 1;
    out->doubts = check_doubts(value->doubts, value->doubts);
}

void evidence_blame(const struct fleet_evidence *e, struct fleet_outlier *out, size_t class) {
    const struct fleet_class *of = &e->group->classes[class];
    const struct fleet_value *most = NULL;
    double farthest = -1;
    if (out->key != FLEET_NONE)
        return;
    for (size_t i = 0; i < e->node->count; i++) {
        const struct fleet_value *value = &e->node->values[i];
        const double own = (double)value->value / e->group->roofs[value->key].median - 1;
        if (e->group->roofs[value->key].class == class && own * evidence_off(e, class) > 0 && fabs(own) > farthest) {
            farthest = fabs(own);
            most = value;
        }
    }
    out->class = class;
    out->z = evidence_off(e, class) / of->sigma;
    if (most)
        evidence_set_roof(e, out, most);
}
