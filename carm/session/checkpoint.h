/* SPDX-License-Identifier: BSD-3-Clause
 * Decides when to save partial results: often enough that a killed program loses almost nothing, rarely enough that
 * saving does not disturb the measurement. */
#pragma once

#include <stdbool.h>

struct error;

struct checkpoint {
    bool (*save)(void *context, struct error *err); /* NULL: no place to save */
    void *context;
    double last_s, cost_s; /* time and duration of the last save */
    bool failed;           /* a failure was reported */
};

struct checkpoint checkpoint_begin(bool (*save)(void *context, struct error *err), void *context);

/* The time between two saves in s, if a save takes `cost_s`. */
double checkpoint_wait_s(double cost_s);

/* Call after each measured step. A failure (a full disk) is reported once, the last file remains, and the measurement
 * continues. */
void checkpoint_if_due(struct checkpoint *checkpoint);
