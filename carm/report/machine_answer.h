/* SPDX-License-Identifier: BSD-3-Clause
 * A machine in one screen of a terminal: what it is, what a core of it can do at most, and its parts. */
#ifndef CARM_REPORT_MACHINE_ANSWER_H
#define CARM_REPORT_MACHINE_ANSWER_H

#include "screen.h"

#include "probe/clock.h"
#include "probe/machine.h"
#include "probe/uarch.h"

/* `match` is of the first kind of cores; `clock` is NULL where the machine is a recorded one. */
void machine_answer_print(const struct machine *machine, const struct uarch_match *match, const struct clock *clock,
                          const struct screen *screen);

#endif
