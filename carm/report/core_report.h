/* SPDX-License-Identifier: BSD-3-Clause
 * A measured core as text, JSON and CSV. */
#ifndef CARM_REPORT_CORE_REPORT_H
#define CARM_REPORT_CORE_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "asm/incore/core_measured.h"
#include "bench/programs/loop_time.h"
#include "screen.h"

/* `typed`: the tables of the core that was measured, to compare with. */

/* One screen: loads, stores in flight, branches and renaming, and how far the tables agree. */
void core_answer_print(const struct core_measured *measured, const struct loop_core *typed,
                       const struct screen *screen);

/* Every form, or only those that differ from the tables. */
void core_print(const struct core_measured *measured, const struct loop_core *typed, bool only_differing, FILE *out);

/* Schema "carmine.core/1". The caller releases it. */
json_t *core_json(const struct core_measured *measured, const struct loop_core *typed);

void core_csv(const struct core_measured *measured, const struct loop_core *typed, FILE *out);

#endif
