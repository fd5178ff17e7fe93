/* SPDX-License-Identifier: BSD-3-Clause
 * A result's measured core as text, JSON and CSV, beside the typed table of its core. */
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "screen.h"

struct result;

/* One screen: loads, stores in flight, branches and renaming, and how far the tables agree. */
void core_answer_print(const struct result *result, const struct screen *screen);

/* Every form, or only those that differ from the tables. */
void core_print(const struct result *result, bool only_differing, FILE *out);

/* Schema "carmine.core/1". The caller releases it. */
json_t *core_json(const struct result *result);

void core_csv(const struct result *result, FILE *out);
