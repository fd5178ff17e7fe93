/* SPDX-License-Identifier: BSD-3-Clause
 * What is measured of a core of AArch64 (see core_plan.h): nothing yet. */
#include "bench/core/core_plan.h"

#include <string.h>

#include "bench/core/core_classes.h"
#include "probe/error.h"

const struct core_class core_classes[] = {{0}};

bool core_plan_make(struct core_plan *out, struct error *err) {
    memset(out, 0, sizeof *out);
    return error_set(err, "instructions of AArch64 are not measured yet");
}

void core_plan_free(struct core_plan *plan) {
    memset(plan, 0, sizeof *plan);
}

void core_plan_keep(struct core_plan *plan, cpu_features features) {
    (void)plan;
    (void)features;
}

size_t core_code_write(const struct core_item *item, uint8_t out[CORE_CODE_BYTES], unsigned *units) {
    (void)item;
    (void)out;
    *units = 0;
    return 0;
}

void core_data_set(struct core_data *data, enum core_operands operands, uint64_t random) {
    (void)operands;
    (void)random;
    memset(data, 0, sizeof *data);
}
