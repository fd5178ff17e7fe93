/* SPDX-License-Identifier: BSD-3-Clause
 * Estimates from sampled lines (see levels_estimate.h). */
#include "levels_estimate.h"

#include <math.h>

/* Student's t, 97.5 %. The groups are 4 or 16. */
static double quantile(unsigned groups) {
    return groups <= 4 ? 3.182 : 2.131;
}

/* What the classes that aren't sampled may have beyond the fullest sampled one, and those that are beyond their share.
 */
static void crowding(const struct sampling *sampling, const uint64_t *changes, double scale, double *above,
                     double *below) {
    uint64_t fullest = 0, all = 0, sampled = 0;
    for (unsigned class = 0; class < SAMPLING_CLASSES; class ++) {
        const bool has = sampling_has(sampling, class);
        all += changes[class];
        sampled += has ? changes[class] : 0;
        fullest = has && changes[class] > fullest ? changes[class] : fullest;
    }
    *above = 0;
    for (unsigned class = 0; class < SAMPLING_CLASSES; class ++)
        if (changes[class] > fullest)
            *above += (double)(changes[class] - fullest);
    *below = fmax(0, (double)sampled * scale - (double)all);
}

struct levels_estimate levels_estimate(const struct sampling *sampling, const uint64_t *of_group,
                                       const uint64_t *changes, double lines_each) {
    const double scale = SAMPLING_CLASSES >> sampling->class_bits, count = sampling->group_count;
    double sum = 0, squares = 0, above = 0, below = 0;
    for (unsigned group = 0; group < sampling->group_count; group++)
        sum += (double)of_group[group];
    if (scale <= 1)
        return (struct levels_estimate){sum, sum, sum, false};
    for (unsigned group = 0; group < sampling->group_count; group++)
        squares += pow((double)of_group[group] - sum / count, 2);
    const double variance = fmax(1, squares / (count - 1));
    const double half = quantile(sampling->group_count) * scale * sqrt((1 - 1 / scale) * variance * count);
    if (changes)
        crowding(sampling, changes, scale, &above, &below);
    return (struct levels_estimate){.value = sum * scale,
                                    .low = fmax(sum, sum * scale - half - lines_each * below),
                                    .high = sum * scale + half + lines_each * above,
                                    .crowded = lines_each * (above + below) > 2 * half};
}
