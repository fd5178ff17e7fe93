/* SPDX-License-Identifier: BSD-3-Clause
 * Whether the counted work is the timed work: runs of a program may differ, by time or by chance. Pure. */
#pragma once

#include "app.h"

struct app_work {
    bool flop, bytes; /* known for the timed runs */
    double scale;     /* factor for the counts */
};

/* Whether time may have influenced the counted run. Two readings of a clock only measure a duration, and ranks read it
 * while they wait for each other. */
bool app_work_may_be_timed(const struct profile *profile);

/* For a region ("": the program) that the timed runs entered so often. */
struct app_work app_work_find(const struct app_runs *runs, const char *region, uint64_t timed_calls);

/* The count, scaled to the timed runs. */
struct count app_work_scale(const struct count *count, double scale);

/* Removes unknown work from a point, and adds the doubt. */
void app_work_apply(const struct app_work *work, struct app_point *point);
