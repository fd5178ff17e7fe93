/* SPDX-License-Identifier: BSD-3-Clause
 * What a program would gain by the usual remedies, from its own counts and simulated traffic. Pure.
 *
 * Each rule says how long the links and the ceiling would need afterwards; what is saved is the measured time, times
 * the share by which the longest of them becomes shorter. So it is the most that the model allows, and nothing is said
 * of a program that waits, whose time does not follow from them. */
#ifndef CARM_ADVICE_H
#define CARM_ADVICE_H

#include "verdict.h"

enum { ADVICE_MAX = 8, ADVICE_BYTES = 256 };

struct advice {
    const char *rule; /* "blocking", as in JSON */
    double seconds;   /* saved at most */
    char text[ADVICE_BYTES];
};

/* By the point's verdict; the most seconds first. Returns how many, 0 where nothing helps or its traffic is not known.
 */
size_t advice_find(const struct model *model, const struct app_point *point, const struct verdict *verdict,
                   struct advice out[ADVICE_MAX]);

#endif
