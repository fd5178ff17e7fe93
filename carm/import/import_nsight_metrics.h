/* SPDX-License-Identifier: BSD-3-Clause
 * The metrics of Nsight Compute that make a point, of one launch of a kernel: by name, with their units. */
#ifndef CARM_IMPORT_NSIGHT_METRICS_H
#define CARM_IMPORT_NSIGHT_METRICS_H

#include <stdbool.h>

enum { NSIGHT_F64, NSIGHT_F32, NSIGHT_F16, NSIGHT_TYPES };
enum { NSIGHT_ADD, NSIGHT_MUL, NSIGHT_FMA, NSIGHT_OPERATIONS };
enum nsight_scalar {
    NSIGHT_SECONDS,
    NSIGHT_READ_BYTES,
    NSIGHT_WRITTEN_BYTES,
    NSIGHT_BYTES,
    NSIGHT_BYTES_PER_S,
    NSIGHT_OPERATION_HZ,
    NSIGHT_CORE_HZ,
    NSIGHT_MEMORY_HZ,
    NSIGHT_PEAK_BYTES,
    NSIGHT_SCALARS
};

/* In base units; NaN: not told. */
struct nsight_launch {
    char id[32], kernel[512];
    double flop[NSIGHT_TYPES][NSIGHT_OPERATIONS], flop_per_cycle[NSIGHT_TYPES][NSIGHT_OPERATIONS];
    double peak_flop_per_cycle[NSIGHT_TYPES];
    double scalars[NSIGHT_SCALARS];
};

void nsight_begin(struct nsight_launch *launch, const char *id, const char *kernel);

/* Takes the value of a metric that counts; others are left. NULL when that is fine, else what is wrong with the value:
 * "is no number". */
const char *nsight_set(struct nsight_launch *launch, const char *metric, const char *unit, const char *value);

/* Of one type, from counts, else from rates; NaN: not told. */
double nsight_flop(const struct nsight_launch *launch, unsigned type);

/* Between caches and DRAM. Where reads and writes are not told apart, all is in `*read` and `*written` is NaN; both are
 * NaN: not told. */
void nsight_traffic(const struct nsight_launch *launch, double *read, double *written);

#endif
