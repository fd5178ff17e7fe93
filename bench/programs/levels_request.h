/* SPDX-License-Identifier: BSD-3-Clause
 * Telling the exact counter which caches to simulate. */
#ifndef BENCH_PROGRAMS_LEVELS_REQUEST_H
#define BENCH_PROGRAMS_LEVELS_REQUEST_H

#include "levels_geometry.h"

/* One class of lines in so many is simulated, where nothing else is asked for. */
enum { LEVELS_SAMPLED_ONE_OF = 64 };

/* What is simulated: one class of lines in so many, by chance from `seed`. Where a region begins or ends for a thread:
 * what the other threads did before, else some of it may come later; and changed lines are written back, those of
 * before, which are not its own, and its own. `by_code`: what functions, loops and source lines touched is told, too,
 * which takes longer. */
struct levels_how {
    unsigned one_of;
    uint64_t seed;
    bool in_step, write_back, by_code;
};

/* Into the folder where the counter will leave its reports. Error: it can't be written. */
bool levels_request_write(const char *folder, const struct hierarchy_geometry *caches, const struct levels_how *how,
                          struct error *err);

#endif
