/* SPDX-License-Identifier: BSD-3-Clause
 * A machine in words: this one or a recorded one, of which unknown is what the recording lacks; and a measured core. */
#pragma once

#include <jansson.h>
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

/* A result's measured core as text, JSON and CSV, beside the typed table of its core. */

struct result;

/* One screen: loads, stores in flight, branches and renaming, and how far the tables agree. */
void core_answer_print(const struct result *result, const struct screen *screen);

/* Every form, or only those that differ from the tables. */
void core_print(const struct result *result, bool only_differing, FILE *out);

/* Schema "carmine.core/1". The caller releases it. */
json_t *core_json(const struct result *result);

void core_csv(const struct result *result, FILE *out);
