/* SPDX-License-Identifier: BSD-3-Clause
 * What a result says, in one screen of a terminal: its machine, how far it can be trusted, the roofs that answers rest
 * on, what they mean, and where the rest is. */
#ifndef CARM_REPORT_RESULT_ANSWER_H
#define CARM_REPORT_RESULT_ANSWER_H

#include "screen.h"

#include "carm/model/model.h"

struct result_answer {
    const struct model *model;
    const char *op;      /* the access pattern whose roof stands for a level; NULL: the best one of each */
    const char *file;    /* as remedies name it; NULL: it is in none */
    const char *picture; /* beside it; NULL: none was drawn */
};

/* False, with nothing printed, where the result holds no roof that an answer could rest on. */
bool result_answer_print(const struct result_answer *answer, const struct screen *screen);

#endif
