/* SPDX-License-Identifier: BSD-3-Clause
 * A result beside its documented limits, in one screen of a terminal: how many roofs reach them, how many do not and
 * why, and those that nothing explains. */
#ifndef CARM_REPORT_SPEC_ANSWER_H
#define CARM_REPORT_SPEC_ANSWER_H

#include "screen.h"

#include "carm/model/shortfall.h"

/* `spec` may be NULL. */
void spec_answer_print(const struct model *model, const struct shortfalls *shortfalls, const struct spec *spec,
                       const struct screen *screen);

#endif
