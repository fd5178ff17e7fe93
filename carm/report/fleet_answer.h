/* SPDX-License-Identifier: BSD-3-Clause
 * A fleet in one screen of a terminal: how many nodes stand apart and for what, the gravest of them, and what is usual
 * of each machine type. */
#ifndef CARM_REPORT_FLEET_ANSWER_H
#define CARM_REPORT_FLEET_ANSWER_H

#include "screen.h"

#include "carm/fleet/fleet.h"

void fleet_answer_print(const struct fleet *fleet, const struct fleet_groups *groups, const struct fleet_report *report,
                        const struct screen *screen);

#endif
