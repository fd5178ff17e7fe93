/* SPDX-License-Identifier: BSD-3-Clause
 * Results side by side, in one screen of a terminal: how fast the others are against the base, how much of that is the
 * clock, and the roofs that differ most. */
#ifndef CARM_REPORT_COMPARE_ANSWER_H
#define CARM_REPORT_COMPARE_ANSWER_H

#include "screen.h"

#include "carm/compare/compare.h"

/* Values are divided as `per` says. False, with nothing printed, where no roof is to be compared. */
bool compare_answer_print(const struct comparison *comparison, enum compare_per per, const struct screen *screen);

#endif
