/* SPDX-License-Identifier: BSD-3-Clause
 * What clock and cores explain (see compare_why.h). */
#include "compare_why.h"

#include <math.h>

#include "check.h"
#include "why.h"

/* What the causes multiply a ratio by; NaN: not known. Cores wait for their own accesses, so that of a latency how many
 * there are explains nothing. */
static double factor_of(const struct why *why, enum compare_per per, unsigned causes) {
    double factor = 1;
    if (causes & COMPARE_CLOCK && per != PER_CYCLE)
        factor *= why->factors[WHY_CLOCK];
    if (causes & COMPARE_CORES && per == PER_MACHINE && why->key.kind != SAMPLE_LATENCY)
        factor *= why->count_ratio;
    return factor;
}

static struct why why_of(const struct comparison *c, const struct compare_row *row, size_t side) {
    const struct why_roof from = {c->sides[c->base].model, row->roofs[c->base]},
                          to = {c->sides[side].model, row->roofs[side]};
    return why_make(&row->key, from, to);
}

/* Whether they differ when this factor is taken out. False where it or the ratio is not known. */
static bool differs(const struct comparison *c, const struct compare_row *row, size_t side, enum compare_per per,
                    double factor) {
    const double ratio = compare_ratio(c, row, side, per) / factor;
    const struct compare_interval interval = compare_ratio_interval(c, row, side, per);
    const bool open = interval.low / factor <= 1 && interval.high / factor >= 1;
    return fabs(ratio - 1) > check_tolerances[check_class_of(&row->key)] && !open;
}

bool compare_differs(const struct comparison *c, const struct compare_row *row, size_t side, enum compare_per per,
                     unsigned without) {
    if (without == 0 || isnan(compare_ratio(c, row, side, per)))
        return differs(c, row, side, per, 1);
    const struct why why = why_of(c, row, side);
    return differs(c, row, side, per, factor_of(&why, per, without));
}

/* Whether a row that differs does so by these causes. */
static bool is_explained(const struct comparison *c, const struct compare_row *row, size_t side, enum compare_per per,
                         const struct why *why, unsigned causes) {
    const double factor = factor_of(why, per, causes);
    return !isnan(factor) && !differs(c, row, side, per, factor);
}

bool compare_differs_by(const struct comparison *c, const struct compare_row *row, size_t side, enum compare_per per,
                        unsigned causes) {
    if (!differs(c, row, side, per, 1))
        return false;
    const struct why why = why_of(c, row, side);
    return is_explained(c, row, side, per, &why, causes);
}

struct compare_why compare_why(const struct comparison *c, size_t side, enum compare_per per) {
    struct compare_why sum = {.both = 0};
    for (size_t i = 0; i < c->row_count; i++) {
        const struct compare_row *row = &c->rows[i];
        sum.both += isnan(compare_ratio(c, row, side, per)) ? 0 : 1;
        if (!differs(c, row, side, per, 1))
            continue;
        sum.differing++;
        const struct why why = why_of(c, row, side);
        for (unsigned causes = 1; causes < COMPARE_CAUSES; causes++)
            sum.explained[causes] += is_explained(c, row, side, per, &why, causes);
    }
    return sum;
}
