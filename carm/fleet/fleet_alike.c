/* SPDX-License-Identifier: BSD-3-Clause
 * Outliers that are alike (see fleet.h): a hundred nodes with another setting are one finding, not a hundred. */
#include <math.h>
#include <string.h>

#include "fleet.h"

/* Whether one of two members would stand apart from the other in a class. A difference of two numbers varies by the
 * square root of two more than either. A class that just one of them has tells them apart. */
static bool differ_in(const struct fleet_class *class, size_t a, size_t b) {
    const double p = class->deviations[a], q = class->deviations[b];
    return isnan(p) != isnan(q) || fleet_is_apart(class, ((1 + p) / (1 + q) - 1) / sqrt(2));
}

/* Where no roof tells what is wrong, the words do, such as a cache's size or another file. */
static bool are_alike(const struct fleet *fleet, const struct fleet_group *group, const struct fleet_outlier *a,
                      const struct fleet_outlier *b) {
    const double own = (double)fleet->nodes[a->node].machine.memory_bytes,
                 other = (double)fleet->nodes[b->node].machine.memory_bytes;
    const bool by_words = a->key == FLEET_NONE || b->key == FLEET_NONE;
    if (a->group != b->group || a->diagnoses != b->diagnoses || fabs(own - other) > FLEET_MEMORY_LOST * other ||
        (by_words && strcmp(a->text, b->text) != 0))
        return false;
    for (size_t c = 0; c < group->class_count; c++)
        if (differ_in(&group->classes[c], a->member, b->member))
            return false;
    return true;
}

void fleet_find_alike(const struct fleet *fleet, const struct fleet_groups *groups, struct fleet_report *report) {
    for (size_t i = 0; i < report->count; i++) {
        struct fleet_outlier *outlier = &report->outliers[i];
        size_t first = 0;
        while (first < i && !(report->outliers[first].first_alike == first &&
                              are_alike(fleet, &groups->groups[outlier->group], &report->outliers[first], outlier)))
            first++;
        outlier->first_alike = first;
        report->outliers[first].alike_count++;
    }
}
