/* SPDX-License-Identifier: BSD-3-Clause
 * Measured values over typed ones (see core_overlay.h). */
#include "core_overlay.h"

#include <string.h>

#include "ports.h"
#include "probe/need.h"

static const double AGREES = 0.1;   /* relative: an interval and the loop around the instructions */
static const double RENAMED = 0.75; /* cycles of a chain's link: below, renaming does it; a unit takes one */

/* Cycles of a latency; 0: not known well enough. */
static double latency_of(const struct core_measured *measured, const char *form) {
    const struct core_value *value = core_measured_find(measured, form);
    return value && !value->disturbed ? value->latency_cycles[CORE_MEASURED] : 0;
}

static void replace(double *typed, double measured) {
    if (measured > 0)
        *typed = measured;
}

static void replace_flag(bool *typed, double cycles) {
    if (cycles > 0)
        *typed = cycles < RENAMED;
}

/* Whether no-ops were renamed as fast as documented: no neighbour took its share. */
static bool was_alone(const struct core_measured *measured, unsigned issue_width) {
    const struct core_value *nop = core_measured_find(measured, "nop");
    return nop && !nop->disturbed && issue_width > 0 &&
           nop->throughput_cycles[CORE_MEASURED] * issue_width < 1 + AGREES;
}

struct core_table *core_overlay_make(const struct core_table *typed, unsigned issue_width,
                                     const struct core_measured *measured) {
    static const char *const LOADS[CORE_WIDTHS] = {"load q", "load x", "load y", "load z"},
                             *const FORWARDS[CORE_WIDTHS] = {"forward q", "forward x", "forward y", "forward z"};
    struct core_table *table = need_calloc(1, sizeof *table);
    *table = *typed;
    table->measured = measured;
    table->alone = was_alone(measured, issue_width);
    replace(&table->mispredict_cycles, latency_of(measured, "mispredict"));
    replace(&table->load_indexed_cycles, latency_of(measured, "load indexed"));
    for (unsigned width = 0; width < CORE_WIDTHS; width++) {
        replace(&table->load_cycles[width], latency_of(measured, LOADS[width]));
        replace(&table->forward_cycles[width], latency_of(measured, FORWARDS[width]));
    }
    replace(&table->unrenamed_cycles, latency_of(measured, "forward indexed"));
    replace_flag(&table->moves_renamed[0], latency_of(measured, "move q"));
    replace_flag(&table->moves_renamed[1], latency_of(measured, "move x"));
    if (latency_of(measured, "add constant") > RENAMED)
        table->constants_renamed = 0;
    return table;
}

void core_overlay_form(const struct core_value *value, bool alone, struct core_form *form) {
    const double latency = value->latency_cycles[CORE_MEASURED], throughput = value->throughput_cycles[CORE_MEASURED],
                 typed = ports_busiest(form->uses, form->use_count).cycles;
    if (value->disturbed)
        return;
    if (latency > 0) { /* measured behind itself: what others wait in addition stays */
        form->latency_cycles = latency + form->latency_cycles - form->chained_cycles;
        form->chained_cycles = latency;
    }
    const bool better =
        throughput > 0 && throughput<(1 - AGREES) * typed, worse = throughput>(1 + AGREES) * typed && alone;
    for (unsigned i = 0; i < form->use_count && typed > 0 && (better || worse); i++)
        form->uses[i].cycles *= throughput / typed;
}
