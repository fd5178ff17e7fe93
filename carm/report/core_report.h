/* SPDX-License-Identifier: BSD-3-Clause
 * A measured core as text, JSON and CSV. */
#ifndef CARM_REPORT_CORE_REPORT_H
#define CARM_REPORT_CORE_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "asm/incore/core_measured.h"
#include "screen.h"

/* One screen: loads, stores in flight, branches and renaming. */
void core_answer_print(const struct core_measured *measured, const struct screen *screen);

/* Every form. */
void core_print(const struct core_measured *measured, FILE *out);

/* Schema "carmine.core/1". The caller releases it. */
json_t *core_json(const struct core_measured *measured);

void core_csv(const struct core_measured *measured, FILE *out);

#endif
