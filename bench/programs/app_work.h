/* SPDX-License-Identifier: BSD-3-Clause
 * Whether what was counted is what was timed: the runs of a program may do more or less, as time or chance will have
 * it. Pure. */
#ifndef BENCH_PROGRAMS_APP_WORK_H
#define BENCH_PROGRAMS_APP_WORK_H

#include "app.h"

struct app_work {
    bool flop, bytes; /* known of the runs that were timed */
    double scale;     /* times what was counted */
};

/* Whether time may have told the counted run what to do. Two readings of a clock only tell how long something took, and
 * ranks read it while they wait for each other. */
bool app_work_may_be_timed(const struct profile *profile);

/* Whether the counted run wrote more or less than those of the native runs that were as silent. Where these differ by
 * themselves, where there are not two, and where ranks talk to each other, nobody can say: false. */
bool app_work_wrote_otherwise(const struct app_runs *runs);

/* Of a region ("": the program) that the timed runs entered so often. */
struct app_work app_work_find(const struct app_runs *runs, const char *region, uint64_t timed_calls);

/* The count of the timed runs. */
struct count app_work_scale(const struct count *count, double scale);

/* Takes from a point what is not known, with the doubt that says so. */
void app_work_apply(const struct app_work *work, struct app_point *point);

#endif
