/* SPDX-License-Identifier: BSD-3-Clause
 * The picture of `carmine clock`: the core clock over time under each load. */
#ifndef CARM_CHART_CLOCK_H
#define CARM_CHART_CLOCK_H

#include "bench/kernels/clockcheck.h"
#include "probe/error.h"

/* Draws the history into the file at `path`, whose ending says the format; `cpu` names the CPU in the title. Error: the
 * file cannot be written. */
bool chart_clock(const struct clock_history *history, const char *cpu, const char *path, struct error *err);

#endif
