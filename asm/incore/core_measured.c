/* SPDX-License-Identifier: BSD-3-Clause
 * Values of a measured core by form. */
#include "core_measured.h"

#include <stdlib.h>
#include <string.h>

#include "ports.h"

static const double BETTER = 0.1; /* an interval, and the loop around the instructions */

const struct core_value *core_measured_find(const struct core_measured *measured, const char *form) {
    for (size_t i = 0; i < measured->count; i++)
        if (strcmp(measured->values[i].form, form) == 0)
            return &measured->values[i];
    return NULL;
}

void core_measured_apply(const struct core_value *value, bool alone, struct core_form *form) {
    const double latency = value->latency_cycles[CORE_MEASURED], throughput = value->throughput_cycles[CORE_MEASURED],
                 typed = ports_busiest(form->uses, form->use_count).cycles;
    if (value->disturbed)
        return;
    if (latency > 0) { /* measured behind itself: what others wait in addition stays */
        form->latency_cycles = latency + form->latency_cycles - form->chained_cycles;
        form->chained_cycles = latency;
    }
    const double ratio = throughput > 0 && typed > 0 ? throughput / typed : 1;
    if (ratio < 1 - BETTER || (ratio > 1 + CORE_WORSE && alone))
        for (unsigned i = 0; i < form->use_count; i++)
            form->uses[i].cycles *= ratio;
}

void core_measured_free(struct core_measured *measured) {
    free(measured->values);
    *measured = (struct core_measured){0};
}
