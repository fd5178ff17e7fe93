/* SPDX-License-Identifier: BSD-3-Clause
 * Saves partial results from time to time. */
#include "measure.h"
#include "session_thresholds.h"

#include <math.h>

#include "probe/error.h"
#include "probe/now.h"
#include "carm/text/notice.h"

struct checkpoint checkpoint_begin(bool (*save)(void *context, struct error *err), void *context) {
    return (struct checkpoint){.save = save, .context = context, .last_s = now_s()};
}

double checkpoint_wait_s(double cost_s) {
    const double wanted_s = cost_s / session_thresholds.save_share.value;
    return fmin(session_thresholds.save_rarely_s.value, fmax(session_thresholds.save_s.value, wanted_s));
}

void checkpoint_if_due(struct checkpoint *checkpoint) {
    const double began_s = now_s();
    struct error err;
    if (!checkpoint->save || began_s - checkpoint->last_s < checkpoint_wait_s(checkpoint->cost_s))
        return;
    if (!checkpoint->save(checkpoint->context, &err) && !checkpoint->failed) {
        checkpoint->failed = true;
        notice_print("warning: partial results could not be saved: %s", err.text);
    }
    checkpoint->last_s = now_s();
    checkpoint->cost_s = checkpoint->last_s - began_s;
}
