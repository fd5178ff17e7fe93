/* SPDX-License-Identifier: BSD-3-Clause
 * Telling the exact counter which caches to simulate. */
#ifndef BENCH_LEVELS_REQUEST_H
#define BENCH_LEVELS_REQUEST_H

#include "levels_geometry.h"

/* One class of lines in so many is simulated, where nothing else is asked for. */
enum { LEVELS_SAMPLED_ONE_OF = 64 };

/* Into the folder where the counter will leave its reports. Error: it can't be written. */
bool levels_request_write(const char *folder, const struct hierarchy_geometry *caches, unsigned one_of,
                          struct error *err);

#endif
