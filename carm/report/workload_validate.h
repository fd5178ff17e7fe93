/* SPDX-License-Identifier: BSD-3-Clause
 * carmine workload --validate: what is counted against what theory says, like table IV of Ofenbeck et al., "Applying
 * the Roofline Model". */
#ifndef CARM_REPORT_WORKLOAD_VALIDATE_H
#define CARM_REPORT_WORKLOAD_VALIDATE_H

#include <stdio.h>

#include "bench/programs/workload.h"

enum workload_quantity { QUANTITY_FLOP, QUANTITY_BYTES, QUANTITY_READ, QUANTITY_WRITTEN, QUANTITY_DRAM, QUANTITIES };

/* One workload, over its sizes: measured / expected. */
struct workload_validation {
    char name[64];
    size_t size_count;
    uint64_t least_size, largest_size;
    double median[QUANTITIES], farthest[QUANTITIES]; /* from 1; NaN where theory says nothing, or nothing is measured */
    enum app_source dram_source;
    bool judged; /* theory says something of its flop or bytes */
    bool passed; /* and they are within WORKLOAD_BOUND, or within what is known of a library that does other work */
};
extern const double WORKLOAD_BOUND; /* of what is counted exactly: 1.00 ± this */

/* Of one workload's points, one at least. Pure. */
struct workload_validation workload_validation_make(const struct workload_outcome *outcomes, size_t count);

void workload_validation_print(const struct workload_validation *rows, size_t count, FILE *out);
/* A line about the first size at which the flop() of a user's own file is not what was executed; none where all are. */
void workload_validation_print_claim(const char *file, const struct workload_outcome *outcomes, size_t count,
                                     FILE *out);
void workload_validation_print_json(const struct workload_validation *rows, size_t count);

#endif
