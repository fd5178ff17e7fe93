/* SPDX-License-Identifier: BSD-3-Clause
 * A program whose traffic between simulated caches is known, judged by it: a part of verdict_find(). Pure. */
#ifndef CARM_VERDICT_LINKS_H
#define CARM_VERDICT_LINKS_H

#include "verdict.h"

/* By `verdict->times`, of which one is the longest. The point has a time, and flop. Returns true. */
bool verdict_judge_links(struct verdict *verdict, const struct applicable_roofs *applicable,
                         const struct app_point *point);

/* Whether its lines' latencies are what it waits for, by the same; also of what has no flop. */
void verdict_find_waits(struct verdict *verdict, const struct applicable_roofs *applicable,
                        const struct app_point *point);

/* Of any point: whether a program waits outside of its own code, and how fast it goes on. */
void verdict_find_elsewhere(struct verdict *verdict, const struct app_point *point);

#endif
