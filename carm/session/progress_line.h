/* SPDX-License-Identifier: BSD-3-Clause
 * The line that tells on a terminal how far a campaign is: time, what is settled, the grade so far, what it does or
 * waits for. Elsewhere there is none. */
#ifndef CARM_PROGRESS_LINE_H
#define CARM_PROGRESS_LINE_H

#include "bench/kernels/campaign.h"
#include "carm/store/results.h"

struct progress_line {
    double shown_s; /* when last */
    bool graded;    /* the result's samples are what is measured */
};

/* A few times a second; `elapsed_s` is of the whole session. */
void progress_line_show(struct progress_line *line, const struct result *result, const struct campaign *campaign,
                        enum campaign_doing doing, size_t step, double elapsed_s);

#endif
