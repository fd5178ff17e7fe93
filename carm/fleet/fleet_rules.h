/* SPDX-License-Identifier: BSD-3-Clause
 * The rules that find a node's faults from the roofs that are slow together. */
#pragma once

#include "fleet.h"

/* How one node compares with its group, and the questions of the rules of diagnosis (fleet_rules.c) about it. */

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

/* The classes of roofs that a rule looks at. */
struct fleet_scope {
    bool compute, fma, other; /* compute roofs: all, FMA, all other operations */
    bool bandwidth, latency;  /* bandwidths; latencies */
    bool streams, one_core;   /* of bandwidths only streams, not random lines; only those of one core */
    bool figure;              /* figures of the memory system instead of roofs */
    const char *level;        /* roofs of this level: "L3", or "memory" for all that are not caches; NULL: any level */
    const char *isa;          /* roofs of this instruction set; NULL: any */
};

/* The index in group->classes of the class with this flag (-1 slow, 1 fast) that deviates most within the scope, as
 * a multiple of its tolerance. Classes of one core and of random lines count half. FLEET_NONE: no class of the scope
 * has the flag. */
size_t evidence_worst(const struct fleet_evidence *e, const struct fleet_scope *scope, int flag);

/* The share (0 to 1) of the node's classes in the scope that have this flag. 0: it has no class there. */
double evidence_share(const struct fleet_evidence *e, const struct fleet_scope *scope, int flag);

/* The node's deviation from the group's usual value in this class (an index in group->classes): -0.3 is 30 % below. */
double evidence_off(const struct fleet_evidence *e, size_t class);

/* Names this value of the node as the roof that shows the fault: sets key, value, median, deviation and doubts of
 * `out`. */
void evidence_set_roof(const struct fleet_evidence *e, struct fleet_outlier *out, const struct fleet_value *value);

/* Names the roof of this class (an index in group->classes) that deviates most as the one that shows the fault; also
 * sets class and z of `out`. Does nothing if a graver rule has named a roof already. */
void evidence_blame(const struct fleet_evidence *e, struct fleet_outlier *out, size_t class);

/* Applies the rules to one node. True: there is a fault, and all members of `out` are set but node and group. */
bool fleet_diagnose(const struct fleet_evidence *evidence, struct fleet_outlier *out);
