/* SPDX-License-Identifier: BSD-3-Clause
 * What is known of one node against its group, and the questions that rules of diagnosis ask of it. */
#ifndef CARM_FLEET_EVIDENCE_H
#define CARM_FLEET_EVIDENCE_H

#include "fleet.h"

/* All that is known of one node. */
struct fleet_evidence {
    const struct fleet *fleet;
    const struct fleet_group *group;
    const struct fleet_node *node;
    size_t member;
    const signed char *flags;         /* of each class: -1 slow, 1 fast, 0 as usual */
    double clock_deviation, clock_hz; /* of its compute roofs, medians; NaN: not known */
    size_t slow_value;                /* a roof that is slow alone: its number among the node's values, or SIZE_MAX */
    size_t missing;                   /* roofs that nine in ten of its group have */
    const struct roof_key *first_missing;
    const struct fleet_machine *expected; /* what other hosts of its name are, where it is not; NULL */
    const struct fleet_node *namesake;    /* another result of its host; NULL */
};

/* Which classes a rule looks at. */
struct fleet_scope {
    bool compute, fma, other; /* of compute: FMA, all but FMA */
    bool bandwidth, latency;
    const char *level; /* "L3"; "memory" of all that are no caches; NULL: any */
    const char *isa;   /* NULL: any */
};

/* The flagged class of the scope that is farthest off for its tolerance; FLEET_NONE: there is none. */
size_t evidence_worst(const struct fleet_evidence *e, const struct fleet_scope *scope, int flag);

/* The part of the scope's classes that is flagged. */
double evidence_share(const struct fleet_evidence *e, const struct fleet_scope *scope, int flag);

/* How far the node's class is from what is usual: -0.3 is 30 % below. */
double evidence_off(const struct fleet_evidence *e, size_t class);

void evidence_set_roof(const struct fleet_evidence *e, struct fleet_outlier *out, const struct fleet_value *value);

/* The class's roof that is farthest off gives the node away, unless a graver rule named one. */
void evidence_blame(const struct fleet_evidence *e, struct fleet_outlier *out, size_t class);

#endif
