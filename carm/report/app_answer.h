/* SPDX-License-Identifier: BSD-3-Clause
 * A measured program in one screen of a terminal: what binds it and how close it is, and where its parts are. */
#ifndef CARM_REPORT_APP_ANSWER_H
#define CARM_REPORT_APP_ANSWER_H

#include "screen.h"

#include "bench/programs/app_point.h"
#include "carm/model/model.h"

/* The first point, at least one, is that of the program; the others, if any, are of its parts. */
void app_answer_print(const struct model *model, const struct app_point *points, size_t count,
                      const struct screen *screen);

#endif
