/* SPDX-License-Identifier: BSD-3-Clause
 * The clock's history under each load; of `carmine clock`, not of a result. */
#ifndef CARM_CHART_CLOCK_H
#define CARM_CHART_CLOCK_H

#include "bench/run/clockcheck.h"
#include "probe/error.h"

bool chart_clock(const struct clock_history *history, const char *cpu, const char *path, struct error *err);

#endif
