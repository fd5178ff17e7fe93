/* SPDX-License-Identifier: BSD-3-Clause
 * Other programs as the cause of what a node lacks: whether they used more than is usual, and how much that explains.
 */
#ifndef CARM_FLEET_OTHERS_H
#define CARM_FLEET_OTHERS_H

#include "fleet_evidence.h"

/* What other programs used beyond what is usual in the group. */
struct fleet_disturbance {
    double cpus, usual_cpus; /* on this node; the median of the group. Both 0: no more than is usual */
    const char *program;     /* that used them: then both numbers are of it; "": several did, or nobody sees it */
};

struct fleet_disturbance others_of_node(const struct fleet_evidence *e);

/* Whether they may be why the node is slow in this class (an index in group->classes): it is of a level that cores
 * share, and so many CPUs can take what is lacking. */
bool others_explain(const struct fleet_evidence *e, size_t class);

/* The class that they explain and that is farthest off; of those that work, else, also one whose interval leaves it
 * open whether it is off. FLEET_NONE: there is none. */
size_t others_worst(const struct fleet_evidence *e);

/* Whether caches and memory of this level are shared with other programs: "L3", "DRAM", … */
bool others_share(const char *level);

#endif
