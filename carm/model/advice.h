/* SPDX-License-Identifier: BSD-3-Clause
 * What a program would gain at most by the usual remedies, from its own counts and simulated traffic. Pure.
 *
 * Each rule estimates the times of links and ceiling after the remedy. The gain is the measured time times the
 * reduction of the longest of them: an upper bound. A loop whose own code binds it (loop_account.h) gets the remedy for
 * that. A program that waits gets no advice, because its time does not follow from them. */
#pragma once

#include "verdict.h"

enum { ADVICE_MAX = 8, ADVICE_BYTES = 256 };

struct advice {
    const char *rule; /* "blocking", as in JSON */
    double seconds;   /* saved at most */
    char text[ADVICE_BYTES];
};

/* Uses the point's verdict; the largest gain first. Returns the count; 0 if nothing helps or the traffic is unknown. */
size_t advice_find(const struct model *model, const struct app_point *point, const struct verdict *verdict,
                   struct advice out[ADVICE_MAX]);
