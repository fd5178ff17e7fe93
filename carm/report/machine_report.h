/* SPDX-License-Identifier: BSD-3-Clause
 * What was found of a machine, this one or a recorded one, in words: what a recording does not tell is said so, and
 * nothing is told in its place. */
#ifndef CARM_REPORT_MACHINE_REPORT_H
#define CARM_REPORT_MACHINE_REPORT_H

#include <stdio.h>

#include "asm/kernel.h"
#include "probe/clock.h"
#include "probe/machine.h"
#include "probe/uarch.h"

/* All of it. `match` is of the first kind of cores; `clock` may be NULL. */
void machine_report(const struct machine *machine, const struct uarch_match *match, const struct clock *clock,
                    FILE *out);

/* Cores, caches and memory alone. */
void machine_report_places(const struct machine *machine, FILE *out);

/* The highest documented limit of a core of the first kind, per cycle: flop of this element type (of integers
 * operations of dot products), or for TYPE_NONE bytes from L1. 0: none is documented, or it has not this instruction
 * set. */
double machine_report_limit(const struct machine *machine, const struct uarch *uarch, const struct isa *isa,
                            enum element_type type);

#endif
