/* SPDX-License-Identifier: BSD-3-Clause
 * What commands that show results do with the log of a soak. */
#ifndef CARM_SOAK_VIEWS_H
#define CARM_SOAK_VIEWS_H

#include "carm/marks/chart_parts.h"
#include "carm/options/cli.h"
#include "carm/soak/findings.h"

/* The answer on standard output, or JSON or CSV where --json or --csv are given; `file` is where the log is. Returns
 * the status: CLI_NO where something was found. */
int soak_tell(const struct findings *findings, const char *file, const struct arguments *arguments,
              const struct plot_terminal *terminal);

/* carmine show, and carmine plot, of the log that is the first operand. */
int soak_show(const struct arguments *arguments, struct error *err);
int soak_plot(const struct arguments *arguments, const struct chart_options *options, struct error *err);

#endif
