/* SPDX-License-Identifier: BSD-3-Clause
 * The time that a cache line takes from one CPU to another, measured by handing a number back and forth. */
#pragma once

#include "memory_plan.h"

#include "probe/clock.h"

/* MEMORY_AT_ONCE readings of the pair, each in two fresh pages: one that the first CPU touches first, and one of the
 * second. So the line's home is with one of the two, wherever the machine has homes. Error: as team_run(). */
bool handover_measure(const struct clock *clock, const struct handover *pair,
                      struct memory_reading readings[MEMORY_AT_ONCE], struct error *err);
