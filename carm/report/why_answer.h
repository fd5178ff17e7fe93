/* SPDX-License-Identifier: BSD-3-Clause
 * Why two results differ, in one screen of a terminal: how fast B is against A, and of each headline roof the factors
 * that its ratio is the product of. */
#ifndef CARM_REPORT_WHY_ANSWER_H
#define CARM_REPORT_WHY_ANSWER_H

#include "screen.h"

#include "carm/compare/why_choose.h"

/* The list holds a rate at least. */
void why_answer_print(const struct comparison *comparison, const struct why_list *list, const struct screen *screen);

#endif
