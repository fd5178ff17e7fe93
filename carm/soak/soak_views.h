/* SPDX-License-Identifier: BSD-3-Clause
 * Views of a soak: one screen of a terminal with the verdict and each roof's median, worst round, drift and steps;
 * the same as JSON and CSV; and one picture. */
#pragma once

#include <jansson.h>

#include "findings.h"

#include "carm/chart/chart_parts.h"
#include "carm/options/cli.h"
#include "carm/report/screen.h"

/* `file` is the path of the log. */
void soak_answer_print(const struct findings *findings, const char *file, const struct screen *screen);
json_t *soak_answer_json(const struct findings *findings);

/* A row for each round. */
void soak_answer_csv(const struct findings *findings, FILE *out);

/* A panel for each quantity over time, with its levels, and its steps marked. Drawn like chart_write(); in a
 * terminal one chart after the other. Error: fewer than two rounds, the file cannot be written. */
bool soak_chart(const struct findings *findings, const struct chart_options *options, const char *path,
                struct error *err);

/* Prints the answer on standard output, or JSON or CSV with --json or --csv. Returns the status: CLI_NO if something
 * changed. */
int soak_tell(const struct findings *findings, const char *file, const struct arguments *arguments,
              const struct plot_terminal *terminal);

/* carmine show and carmine plot for the log in the first operand. */
int soak_show(const struct arguments *arguments, struct error *err);
int soak_plot(const struct arguments *arguments, const struct chart_options *options, struct error *err);
