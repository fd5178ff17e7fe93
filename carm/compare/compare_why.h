/* SPDX-License-Identifier: BSD-3-Clause
 * How much of what two results differ by is their clock, and the number of their cores: the factors of why.h, counted
 * over all roofs. Pure. */
#ifndef CARM_COMPARE_WHY_H
#define CARM_COMPARE_WHY_H

#include "compare.h"

/* What may be taken out of a ratio, as bits: then it is that of equal clocks, of equally many cores, or of both. */
enum compare_cause { COMPARE_CLOCK = 1, COMPARE_CORES = 2, COMPARE_CAUSES = 4 };

/* Whether a side and the base differ: what is left of their ratio without these causes is farther off 1 than two runs
 * on one quiet machine are (check_tolerances), and no value in its interval is 1. False where they cannot be compared.
 */
bool compare_differs(const struct comparison *comparison, const struct compare_row *row, size_t side,
                     enum compare_per per, unsigned without);

/* Whether they differ, and do not without these causes. False where clocks or cores are not known. */
bool compare_differs_by(const struct comparison *comparison, const struct compare_row *row, size_t side,
                        enum compare_per per, unsigned causes);

/* All roofs of a side against those of the base. */
struct compare_why {
    size_t both, differing;           /* roofs that both have, and those of them that differ */
    size_t explained[COMPARE_CAUSES]; /* those of the differing that do so by these causes, by their bits */
};

struct compare_why compare_why(const struct comparison *comparison, size_t side, enum compare_per per);

#endif
