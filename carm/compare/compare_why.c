/* SPDX-License-Identifier: BSD-3-Clause
 * What clock and cores explain (see compare_why.h). */
#include "compare_why.h"

#include <math.h>

#include "check.h"

/* What the causes multiply a ratio by; NaN: not known. Latencies are in seconds, and of one core. */
static double factor_of(const struct compare_row *row, const struct roof *own, const struct roof *base,
                        enum compare_per per, unsigned causes) {
    const bool latency = row->key.kind == SAMPLE_LATENCY;
    const double clock = own->sample->clock_hz / base->sample->clock_hz;
    double factor = 1;
    if (causes & COMPARE_CLOCK && per != PER_CYCLE)
        factor *= latency ? 1 / clock : clock;
    if (causes & COMPARE_CORES && per == PER_MACHINE && !latency)
        factor *= (double)roof_cores(own) / roof_cores(base);
    return factor > 0 && isfinite(factor) ? factor : NAN;
}

static double factor_at(const struct comparison *c, const struct compare_row *row, size_t side, enum compare_per per,
                        unsigned causes) {
    const struct roof *own = row->roofs[side], *base = row->roofs[c->base];
    return own && base ? factor_of(row, own, base, per, causes) : NAN;
}

bool compare_differs(const struct comparison *c, const struct compare_row *row, size_t side, enum compare_per per,
                     unsigned without) {
    const double factor = factor_at(c, row, side, per, without), ratio = compare_ratio(c, row, side, per) / factor;
    const struct compare_interval interval = compare_ratio_interval(c, row, side, per);
    const bool open = interval.low / factor <= 1 && interval.high / factor >= 1;
    return fabs(ratio - 1) > check_tolerances[check_class_of(&row->key)] && !open;
}

bool compare_differs_by(const struct comparison *c, const struct compare_row *row, size_t side, enum compare_per per,
                        unsigned causes) {
    return compare_differs(c, row, side, per, 0) && !isnan(factor_at(c, row, side, per, causes)) &&
           !compare_differs(c, row, side, per, causes);
}

struct compare_why compare_why(const struct comparison *c, size_t side, enum compare_per per) {
    struct compare_why why = {.both = 0};
    for (size_t i = 0; i < c->row_count; i++) {
        const struct compare_row *row = &c->rows[i];
        why.both += isnan(compare_ratio(c, row, side, per)) ? 0 : 1;
        why.differing += compare_differs(c, row, side, per, 0);
        for (unsigned causes = 1; causes < COMPARE_CAUSES; causes++)
            why.explained[causes] += compare_differs_by(c, row, side, per, causes);
    }
    return why;
}
