/* SPDX-License-Identifier: BSD-3-Clause
 * This node measured and judged against its group, for prologs and health checks of batch systems. A node with other
 * programs running is not judged. A node is slow only if two readings agree. */
#pragma once

#include "fleet.h"

#include "carm/session/measure.h"

/* Whether one node matches its group, from the few roofs that show a fault: for use before or after a job. Pure. */

/* The operations whose roofs in f64 are watched; NULL at the end. Every fault that fleet_judge() finds shows in
 * them. */
extern const char *const health_operations[];

/* In the order of the command's exit statuses. */
enum health_verdict { HEALTH_OK, HEALTH_SLOW, HEALTH_UNKNOWN };

struct health {
    enum health_verdict verdict;
    /* "f64 99 %, L3 97 %, DRAM 98 %, latency 101 % of the group"; for a slow node after its diagnosis; for an
     * unknown one the reason. */
    char text[1400];
};

/* Judges the node of this path, read together with its group's nodes. Removes all but the watched roofs from the
 * fleet. Only the newest result of a host counts. */
struct health health_judge(struct fleet *fleet, const char *path);

struct node_health {
    struct health health;
    char host[256];
};

/* Measures this node for some seconds and judges it against the results in the folder `baseline`. The result is
 * stored at `path`; NULL: not stored. `command_line` is the command that the result names. Error: nothing can be
 * measured, or no result can be read. */
bool node_health_find(const char *baseline, const char *path, const char *command_line,
                      const struct session_options *how, struct node_health *out, struct error *err);
