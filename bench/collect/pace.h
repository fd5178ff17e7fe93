/* SPDX-License-Identifier: BSD-3-Clause
 * The core clock while the program runs: chains of known length, timed within its threads' samples. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/clock.h"

/* Of one reading: how long each chain of REGIONS_PACE_CYCLES took, and the pieces of no-ops. */
struct pace {
    uint32_t ns[CLOCK_SLICES], noops_ns;
};

/* For signal handlers: reads it, if the last reading is some time ago. */
void pace_read(void);

/* The latest readings, from index 0. False: the reading is not there yet. */
unsigned pace_count(void);
bool pace_at(unsigned index, struct pace *out);

/* For the child of a fork. */
void pace_forget(void);
