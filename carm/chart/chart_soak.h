/* SPDX-License-Identifier: BSD-3-Clause
 * The picture of a soak: a panel for each quantity over time, with its levels, and its steps marked. */
#ifndef CARM_CHART_SOAK_H
#define CARM_CHART_SOAK_H

#include "carm/marks/chart_parts.h"
#include "carm/soak/findings.h"

/* Draws it to where chart_write() would; in a terminal one chart after the other. Error: it holds fewer than two
 * rounds, the file cannot be written. */
bool chart_soak(const struct findings *findings, const struct chart_options *options, const char *path,
                struct error *err);

#endif
