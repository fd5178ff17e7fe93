/* SPDX-License-Identifier: BSD-3-Clause
 * What was measured of a core: latency and throughput by form, and what its tables have in their heads. */
#ifndef ASM_INCORE_CORE_MEASURED_H
#define ASM_INCORE_CORE_MEASURED_H

#include <stdbool.h>
#include <stddef.h>

#include "demand.h"

enum core_interval { CORE_MEASURED, CORE_LOW, CORE_HIGH, CORE_ENDS };

struct core_value {
    char form[DEMAND_FORM_BYTES];        /* as in demand.h; "mispredict", "load indexed": of the head */
    double latency_cycles[CORE_ENDS];    /* of a chain; 0: not measured */
    double throughput_cycles[CORE_ENDS]; /* of one of many independent ones; 0: not measured */
    bool crosses;    /* its latency is a share of a way to another kind of register and back: true in such sums alone */
    double clock_hz; /* beside it */
    bool disturbed;  /* the host disturbed it: too high rather than too low */
};
struct core_measured {
    size_t count;
    struct core_value *values; /* a form once; allocated */
};

/* NULL: not measured. */
const struct core_value *core_measured_find(const struct core_measured *measured, const char *form);

void core_measured_free(struct core_measured *measured);

#endif
