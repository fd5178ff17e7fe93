/* SPDX-License-Identifier: BSD-3-Clause
 * A machine in one screen of a terminal: what it is, what a core of it can do at most, and its parts. */
#ifndef CARM_MACHINE_ANSWER_H
#define CARM_MACHINE_ANSWER_H

#include "probe/clock.h"
#include "probe/machine.h"
#include "probe/uarch.h"
#include "screen.h"

/* `match` is of the first kind of cores; `clock` is NULL where the machine is a recorded one. */
void machine_answer_print(const struct machine *machine, const struct uarch_match *match, const struct clock *clock,
                          const struct screen *screen);

#endif
