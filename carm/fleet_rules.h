/* SPDX-License-Identifier: BSD-3-Clause
 * What is wrong with a node, told by which of its roofs are slow together. */
#ifndef CARM_FLEET_RULES_H
#define CARM_FLEET_RULES_H

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

/* False when nothing is. Fills all but node and group. */
bool fleet_diagnose(const struct fleet_evidence *evidence, struct fleet_outlier *out);

#endif
