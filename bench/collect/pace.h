/* SPDX-License-Identifier: BSD-3-Clause
 * The core clock while the program runs: chains of known length, timed within its threads' samples. */
#pragma once

#include <stdint.h>

#include "probe/clock.h"

/* Of one reading: how long each chain of REGIONS_PACE_CYCLES took, and the pieces of no-ops. */
struct pace {
    uint32_t ns[CLOCK_SLICES], noops_ns;
};

/* For signal handlers: reads it, if the last reading is some time ago. */
void pace_read(void);

/* The latest readings. */
const struct pace *pace_all(unsigned *count);

/* For the child of a fork. */
void pace_forget(void);
