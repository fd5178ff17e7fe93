/* SPDX-License-Identifier: BSD-3-Clause
 * What was found of a machine, this one or a recorded one, in words: what a recording does not tell is said so, and
 * nothing is told in its place. */
#ifndef CARM_MACHINE_REPORT_H
#define CARM_MACHINE_REPORT_H

#include "probe/clock.h"
#include "probe/machine.h"
#include "probe/uarch.h"

/* `match` is of the first kind of cores; `clock` may be NULL. Prints to standard output. */
void machine_report(const struct machine *machine, const struct uarch_match *match, const struct clock *clock);

#endif
