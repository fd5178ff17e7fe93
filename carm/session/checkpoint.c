/* SPDX-License-Identifier: BSD-3-Clause
 * Saving now and then (see checkpoint.h). */
#include "checkpoint.h"

#include <stdio.h>

#include "probe/now.h"
#include "carm/text/notice.h"

/* After a second it is due; where saving is slow later, so that it takes less than a hundredth of the time, but not so
 * late that with the step that is being measured two seconds would be lost. */
static const double OFTEN_S = 1, SELDOM_S = 1.8, SHARE = 0.01;

struct checkpoint checkpoint_begin(bool (*save)(void *context, struct error *err), void *context) {
    return (struct checkpoint){.save = save, .context = context, .last_s = now_s()};
}

void checkpoint_if_due(struct checkpoint *checkpoint) {
    const double began_s = now_s(), wanted_s = checkpoint->cost_s / SHARE;
    const double wait_s = wanted_s < OFTEN_S ? OFTEN_S : wanted_s > SELDOM_S ? SELDOM_S : wanted_s;
    struct error err;
    if (!checkpoint->save || began_s - checkpoint->last_s < wait_s)
        return;
    if (!checkpoint->save(checkpoint->context, &err) && !checkpoint->failed) {
        checkpoint->failed = true;
        notice_print("warning: what was measured so far could not be saved: %s", err.text);
    }
    checkpoint->last_s = now_s();
    checkpoint->cost_s = checkpoint->last_s - began_s;
}
