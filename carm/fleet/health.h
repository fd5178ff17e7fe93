/* SPDX-License-Identifier: BSD-3-Clause
 * Whether one node is as its group is, from the few roofs that a node is known by: for the moment before or after a
 * job. Pure. */
#ifndef CARM_HEALTH_H
#define CARM_HEALTH_H

#include "fleet.h"

/* The operations whose roofs in f64 are watched; NULL at the end. A fault that fleet_judge() tells shows in them. */
extern const char *const health_operations[];

/* In the order of the statuses that the command exits with. */
enum health_verdict { HEALTH_OK, HEALTH_SLOW, HEALTH_UNKNOWN };

struct health {
    enum health_verdict verdict;
    /* "f64 99 %, L3 97 %, DRAM 98 %, latency 101 % of the group"; where it is slow, the diagnosis before it; where
     * nothing can be told, why. */
    char text[1400];
};

/* Judges the node whose result has this path, read with those of its group; only the watched roofs of all of them are
 * looked at, so the fleet keeps no others. Of several results of a host only the newest counts. */
struct health health_judge(struct fleet *fleet, const char *path);

#endif
