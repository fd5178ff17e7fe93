/* SPDX-License-Identifier: BSD-3-Clause
 * What is wrong with a node, told by which of its roofs are slow together. */
#ifndef CARM_FLEET_RULES_H
#define CARM_FLEET_RULES_H

#include "fleet.h"

/* How one node compares with its group, and the questions that the rules of diagnosis (fleet_rules.c) ask about it. */

/* All that the rules know about one node. Everything is borrowed. */
struct fleet_evidence {
    const struct fleet *fleet;
    const struct fleet_group *group; /* the group of the node */
    const struct fleet_node *node;
    size_t member;            /* the index of the node in group->members */
    const signed char *flags; /* for each class of the group: -1 where the node is slow, 1 where fast, else 0 */
    /* Medians over the node's compute roofs: how far their clocks are off the group's (-0.3 is 30 % below), and the
     * clocks in Hz. NaN: no clock is known. */
    double clock_deviation, clock_hz;
    bool clock_low; /* the clocks of nearly all of them stand apart below the group's, and what they reach does, too */
    size_t slow_value; /* the index in node->values of a roof that is slow though its class is not; SIZE_MAX: none */
    size_t missing;    /* the number of roofs that the node lacks and nine in ten nodes of its group have */
    const struct roof_key *first_missing; /* the first of the missing roofs; NULL: none is missing */
    /* The type that most hosts with such a name have ("node17" and "node18"), where the node is of another one; NULL:
     * it is of that type, or the names tell nothing. */
    const struct fleet_machine *expected;
    const struct fleet_node *namesake; /* another node whose result names the same host; NULL: there is none */
};

/* Which classes of roofs a rule looks at. */
struct fleet_scope {
    bool compute, fma, other; /* compute roofs: all of them, those of FMA, those of all other operations */
    bool bandwidth, latency;  /* bandwidths; latencies */
    bool streams, one_core;   /* of bandwidths only those of streams, not of random lines; only what one core reaches */
    const char *level; /* roofs of this level: "L3", or "memory" for all that are no caches; NULL: of any level */
    const char *isa;   /* roofs of this instruction set; NULL: of any */
};

/* The index in group->classes of the class that is farthest off, as a multiple of its tolerance, among those of the
 * scope that carry this flag (-1 slow, 1 fast). Classes of one core and of random lines count half. FLEET_NONE: no
 * class of the scope carries the flag. */
size_t evidence_worst(const struct fleet_evidence *e, const struct fleet_scope *scope, int flag);

/* Which part, from 0 to 1, of the scope's classes that the node has carries this flag. 0 where it has none of them. */
double evidence_share(const struct fleet_evidence *e, const struct fleet_scope *scope, int flag);

/* How far the node is off what is usual in its group in this class (an index in group->classes): -0.3 is 30 % below. */
double evidence_off(const struct fleet_evidence *e, size_t class);

/* Names this value of the node as the roof that gives it away: sets key, value, median, deviation and doubts of `out`.
 */
void evidence_set_roof(const struct fleet_evidence *e, struct fleet_outlier *out, const struct fleet_value *value);

/* Names the roof of this class (an index in group->classes) that is farthest off as the one that gives the node away,
 * and sets class and z of `out` with it. Does nothing when `out` names a roof already, which a graver rule has found.
 */
void evidence_blame(const struct fleet_evidence *e, struct fleet_outlier *out, size_t class);

/* Applies the rules to one node. True: something is wrong, and all members of `out` are set but node and group. False:
 * no rule finds fault with the node. */
bool fleet_diagnose(const struct fleet_evidence *evidence, struct fleet_outlier *out);

#endif
