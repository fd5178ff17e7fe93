/* SPDX-License-Identifier: BSD-3-Clause
 * A result against a baseline, in one screen of a terminal: passed or failed, whether the clock is why, how many roofs
 * of each class, and the worst of all. */
#ifndef CARM_REPORT_CHECK_ANSWER_H
#define CARM_REPORT_CHECK_ANSWER_H

#include "check_report.h"
#include "screen.h"

/* `per_cycle` is the same check of values per cycle; NULL: not made. */
void check_answer_print(const struct check *check, const struct check *per_cycle, const struct check_setting *setting,
                        const struct screen *screen);

#endif
