/* SPDX-License-Identifier: BSD-3-Clause
 * This machine or a recorded one in words: everything, and one screen. What a recording lacks is reported as unknown.
 */
#pragma once

#include <stdio.h>

#include "screen.h"

#include "probe/clock.h"
#include "probe/uarch.h"

struct machine;

/* One screen: what the machine is, what one of its cores can do at most, and its parts. `match` belongs to the first
 * kind of cores; `clock` is NULL for a recorded machine. */
void machine_answer_print(const struct machine *machine, const struct uarch_match *match, const struct clock *clock,
                          const struct screen *screen);

/* Everything. The arguments are the same. */
void machine_report(const struct machine *machine, const struct uarch_match *match, const struct clock *clock,
                    FILE *out);
