/* SPDX-License-Identifier: BSD-3-Clause
 * Made-up measured cores. Include cmocka.h before it. */
#pragma once

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/core/core_classes.h"
#include "carm/store/results.h"

static inline void cores_set(double cycles[CORE_ENDS], double value) {
    cycles[CORE_MEASURED] = value, cycles[CORE_LOW] = 0.99 * value, cycles[CORE_HIGH] = 1.01 * value;
}

/* Adds a form; 0: not measured. Valid until the next one. */
static inline struct core_value *cores_add(struct result *result, const char *form, double latency, double throughput) {
    struct core_measured *core = &result->core;
    core->values = realloc(core->values, (core->count + 1) * sizeof *core->values);
    struct core_value *value = &core->values[core->count++];
    *value = (struct core_value){.clock_hz = 3e9};
    snprintf(value->form, sizeof value->form, "%s", form);
    cores_set(value->latency_cycles, latency);
    cores_set(value->throughput_cycles, throughput);
    return value;
}

/* A value for each class: each is longer than the one before it by a part of itself, from one cycle on. The machine of
 * fixtures.h renames six no-ops per cycle. */
static inline void cores_fill(struct result *result, double part) {
    double cycles = 1;
    for (const struct core_class *class = core_classes; class->name; class ++, cycles *= 1 + part)
        cores_add(result, class->forms[0], 4 * cycles, strcmp(class->forms[0], "nop") == 0 ? 1 / 6.0 : cycles);
}
