/* SPDX-License-Identifier: BSD-3-Clause
 * This node measured and judged against its group, for prologs and health checks of batch systems. Is it to be
 * believed? A node where something else runs is not judged, and what is slow must be so twice. */
#ifndef CARM_NODE_HEALTH_H
#define CARM_NODE_HEALTH_H

#include "fleet.h"

#include "carm/session/measure.h"

/* Whether one node is as its group is, from the few roofs that a node is known by: for the moment before or after a
 * job. Pure. */

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

struct node_health {
    struct health health;
    char host[256];
};

/* Against the results in the folder `baseline`, for some seconds. The result is kept at `path`; NULL: it is not kept.
 * `command_line` is what the result says it is of. Error: nothing can be measured, or no result be read. */
bool node_health_find(const char *baseline, const char *path, const char *command_line,
                      const struct session_options *how, struct node_health *out, struct error *err);

#endif
