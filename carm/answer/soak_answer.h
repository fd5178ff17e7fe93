/* SPDX-License-Identifier: BSD-3-Clause
 * A soak in one screen of a terminal: the verdict, each roof's median, worst, drift, steps and periods, and what the
 * system told of heat, throttling and memory errors. Also as JSON and CSV. */
#ifndef CARM_SOAK_ANSWER_H
#define CARM_SOAK_ANSWER_H

#include <jansson.h>

#include "carm/soak/findings.h"
#include "screen.h"

/* `file` is where the log is. */
void soak_answer_print(const struct findings *findings, const char *file, const struct screen *screen);

json_t *soak_answer_json(const struct findings *findings);

/* A row for each round. */
void soak_answer_csv(const struct findings *findings, FILE *out);

#endif
