/* SPDX-License-Identifier: BSD-3-Clause
 * Saves partial results from time to time. */
#include "checkpoint.h"

#include <stdio.h>

#include "probe/error.h"
#include "probe/now.h"
#include "carm/text/notice.h"

/* Saves every second. Slow saves are rarer, to take less than 1 % of the time, but frequent enough to lose at most two
 * seconds with the current step. */
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
        notice_print("warning: partial results could not be saved: %s", err.text);
    }
    checkpoint->last_s = now_s();
    checkpoint->cost_s = checkpoint->last_s - began_s;
}
