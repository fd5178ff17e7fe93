/* SPDX-License-Identifier: BSD-3-Clause */
#include "core_overlay.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core_table.h"
#include "pipes.h"
#include "probe/need.h"

static const double AGREES = 0.1; /* relative: an interval and the loop around the instructions */
static const double DIFFERS = 0.15;
static const double RENAMED = 0.75; /* cycles of a chain's link: below, renaming does it; a unit takes one */

/* What nobody typed is such that no bound becomes too long: the largest known window (Lion Cove), in which most passes
 * overlap, and the sums that a core may rename (Golden Cove: below 1024) take no time unless they were measured to. */
static const struct core_table UNTYPED = {
    .name = "measured", .letters = "", .window = 576, .constants_renamed = 1024, .moves_renamed = {true, true}};

/* Cycles of a latency; 0: not known well enough. */
static double latency_of(const struct core_measured *measured, const char *form) {
    const struct core_value *value = core_measured_steady(measured, form);
    return value ? value->latency_cycles[CORE_MEASURED] : 0;
}

static void replace(double *typed, double measured) {
    if (measured > 0)
        *typed = measured;
}

static void replace_flag(bool *typed, double cycles) {
    if (cycles > 0)
        *typed = cycles < RENAMED;
}

bool core_measured_alone(const struct core_measured *measured, unsigned issue_width) {
    const struct core_value *nop = core_measured_steady(measured, "nop");
    return nop && issue_width > 0 && nop->throughput_cycles[CORE_MEASURED] * issue_width < 1 + AGREES;
}

unsigned core_overlay_issue_width(const struct core_measured *measured) {
    const struct core_value *nop = core_measured_steady(measured, "nop");
    const double cycles = nop ? nop->throughput_cycles[CORE_MEASURED] : 0;
    return cycles > 0 ? (unsigned)lround(1 / cycles) : 0;
}

static const char *const LOADS[CORE_WIDTHS] = {"load q", "load x", "load y", "load z"}, *const FORWARDS[CORE_WIDTHS] = {
                                                                                            "forward q", "forward x",
                                                                                            "forward y", "forward z"};

struct core_table *core_overlay_make(const struct core_table *typed, unsigned issue_width,
                                     const struct core_measured *measured) {
    struct core_table *table = need_calloc(1, sizeof *table);
    *table = typed ? *typed : UNTYPED;
    table->measured = measured;
    table->alone = core_measured_alone(measured, issue_width);
    replace(&table->mispredict_cycles, latency_of(measured, "mispredict"));
    const struct core_value *taken = core_measured_steady(measured, "taken branch");
    if (taken && table->alone)
        replace(&table->taken_cycles, taken->throughput_cycles[CORE_MEASURED]);
    replace(&table->load_indexed_cycles, latency_of(measured, "load indexed"));
    for (unsigned width = 0; width < CORE_WIDTHS; width++) {
        replace(&table->load_cycles[width], latency_of(measured, LOADS[width]));
        replace(&table->forward_cycles[width], latency_of(measured, FORWARDS[width]));
        table->load_busy[width] = core_measured_steady(measured, similar_loads[width]);
        table->store_busy[width] = core_measured_steady(measured, similar_stores[width]);
    }
    replace(&table->forward_x87_cycles, latency_of(measured, "forward x87"));
    replace(&table->unrenamed_cycles, latency_of(measured, "forward indexed"));
    table->updated_cycles = table->unrenamed_cycles;
    replace(&table->updated_cycles, latency_of(measured, "forward add"));
    replace_flag(&table->moves_renamed[0], latency_of(measured, "move q"));
    replace_flag(&table->moves_renamed[1], latency_of(measured, "move x"));
    if (latency_of(measured, "add constant") > RENAMED)
        table->constants_renamed = 0;
    return table;
}

static double typed_head(const struct core_table *table, const char *form) {
    for (unsigned width = 0; width < CORE_WIDTHS; width++)
        if (strcmp(form, LOADS[width]) == 0 || strcmp(form, FORWARDS[width]) == 0)
            return strcmp(form, LOADS[width]) == 0 ? table->load_cycles[width] : table->forward_cycles[width];
    return strcmp(form, "mispredict") == 0        ? table->mispredict_cycles
           : strcmp(form, "load indexed") == 0    ? fmax(table->load_cycles[0], table->load_indexed_cycles)
           : strcmp(form, "forward add") == 0     ? table->updated_cycles
           : strcmp(form, "forward indexed") == 0 ? table->unrenamed_cycles
           : strcmp(form, "forward double") == 0  ? table->forward_cycles[1]
                                                  : 0;
}

/* Shares of ways between registers are divided otherwise in each table. */
struct core_typed core_overlay_typed(const struct core_table *table, unsigned issue_width,
                                     const struct core_value *value) {
    struct core_typed typed = {.latency_cycles = typed_head(table, value->form)};
    struct instruction_demand demand = {.data = 'q'};
    struct core_form form;
    snprintf(demand.form, sizeof demand.form, "%s", value->form);
    const bool case_of_form = strchr(value->form, ':') != NULL; /* tables know none */
    const bool known = typed.latency_cycles == 0 && !case_of_form && core_table_find(table, &demand, &form);
    if (known) {
        const double ports = ports_busiest(form.uses, form.use_count).cycles,
                     renaming = issue_width > 0 ? (double)form.operations / issue_width : 0;
        typed.throughput_cycles = ports > 0 ? fmax(ports, renaming) : 0;
        typed.latency_cycles = form.chained_cycles;
    }
    if (value->crosses)
        typed.latency_cycles = 0;
    return typed;
}

bool core_latency_differs(const struct core_value *value, const struct core_typed *typed) {
    const double latency = value->latency_cycles[CORE_MEASURED];
    return latency > 0 && typed->latency_cycles > 0 && fabs(latency / typed->latency_cycles - 1) > DIFFERS;
}

bool core_throughput_differs(const struct core_value *value, const struct core_typed *typed) {
    const double throughput = value->throughput_cycles[CORE_MEASURED];
    return throughput > 0 && typed->throughput_cycles > 0 &&
           (throughput < (1 - DIFFERS) * typed->throughput_cycles ||
            throughput > (1 + CORE_WORSE) * typed->throughput_cycles);
}
