/* SPDX-License-Identifier: BSD-3-Clause
 * This node measured and judged against its group, for prologs and health checks of batch systems. Is it to be
 * believed? A node where something else runs is not judged, and what is slow must be so twice. */
#ifndef CARM_NODE_HEALTH_H
#define CARM_NODE_HEALTH_H

#include "health.h"

#include "carm/session/measure.h"

struct node_health {
    struct health health;
    char host[256];
};

/* Against the results in the folder `baseline`, for some seconds. The result is kept at `path`; NULL: it is not kept.
 * `command_line` is what the result says it is of. Error: nothing can be measured, or no result be read. */
bool node_health_find(const char *baseline, const char *path, const char *command_line,
                      const struct session_options *how, struct node_health *out, struct error *err);

#endif
