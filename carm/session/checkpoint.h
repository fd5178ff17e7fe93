/* SPDX-License-Identifier: BSD-3-Clause
 * When what was measured so far is saved: often enough that a killed program has lost next to nothing, and so rarely
 * that nobody measures the saving. */
#ifndef CARM_CHECKPOINT_H
#define CARM_CHECKPOINT_H

#include <stdbool.h>

#include "probe/error.h"

struct checkpoint {
    bool (*save)(void *context, struct error *err); /* NULL: there is nowhere to save to */
    void *context;
    double last_s, cost_s; /* when it was saved, and how long that took */
    bool failed;           /* and that was told */
};

struct checkpoint checkpoint_begin(bool (*save)(void *context, struct error *err), void *context);

/* To be called after each step that was measured. Where it fails (a full disk) this is said once, the last file stays,
 * and the measurement goes on. */
void checkpoint_if_due(struct checkpoint *checkpoint);

#endif
