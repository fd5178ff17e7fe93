/* SPDX-License-Identifier: BSD-3-Clause
 * The rules that find a node's faults from the roofs that are slow together. */
#pragma once

#include "fleet.h"

/* All that the rules know about one node. Everything is borrowed. */
struct fleet_evidence {
    const struct fleet *fleet;
    const struct fleet_group *group; /* the group of the node */
    const struct fleet_node *node;
    size_t member;            /* the index of the node in group->members */
    const signed char *flags; /* for each class of the group: -1 where the node is slow, 1 where fast, else 0 */
    /* Medians over the node's compute roofs: the clocks' deviation from the group's (-0.3 is 30 % below), and the
     * clocks in Hz. NaN: no clock is known. */
    double clock_deviation, clock_hz;
    bool clock_low;    /* nearly all of these clocks stand out below the group's, and their roofs are slow */
    size_t slow_value; /* index in node->values of a roof that is slow although its class is not; SIZE_MAX: none */
    size_t missing;    /* number of roofs that the node lacks and nine in ten nodes of its group have */
    const struct roof_key *first_missing; /* the first of the missing roofs; NULL: none */
    /* The type of most hosts with such a name ("node17" and "node18"), if this node is of another type; NULL: it is
     * of that type, or the names show nothing. */
    const struct fleet_machine *expected;
    const struct fleet_node *namesake; /* another node that is the same host by name and CPU; NULL: none */
};

/* Applies the rules to one node. True: there is a fault, and all members of `out` are set but node and group. */
bool fleet_diagnose(const struct fleet_evidence *evidence, struct fleet_outlier *out);
