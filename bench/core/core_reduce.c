/* SPDX-License-Identifier: BSD-3-Clause
 * Slices → values (see core_reduce.h). Slices count if the clock was steady and no other program used the core.
 * Others on the host only add cycles, so the value is the first quartile of these slices. The interval goes from their
 * first tenth to their median. */
#include "core_reduce.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/kernels/number_thresholds.h"
#include "probe/need.h"
#include "probe/order.h"

static const double LOW = 0.1, MEASURED = 0.25, HIGH = 0.5;
static const double WIDE = 0.1;         /* a median this far above the first quartile: most slices were disturbed */
static const double STEADY_SHARE = 0.5; /* of all slices, at least */
/* Registers written in turn, each needing its old value: latency over their number is a bound of its own. */
static const double BY_REGISTERS = 0.9;

static const double RENAMED = 0.01; /* what renaming does takes no time, but 0 is unknown */

struct unit_time {
    double cycles[CORE_ENDS], clock_hz;
    bool known, disturbed;
};

static double quantile(const double *sorted, unsigned count, double share) {
    const double at = share * (count - 1);
    const unsigned below = (unsigned)at, above = below + 1 < count ? below + 1 : below;
    return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
}

static bool is_alone(const struct core_slices *slices, unsigned i) {
    return slices->noops_per_cycle[i] >= number_thresholds.core_alone.value * slices->alone_noops_per_cycle;
}

static struct unit_time time_of(const struct core_slices *slices) {
    double cycles[CORE_SLICES_MOST], clock_hz[CORE_SLICES_MOST];
    unsigned count = 0, steady = 0, alone = 0;
    for (unsigned i = 0; i < slices->count; i++) {
        steady += slices->steady[i];
        alone += slices->steady[i] && is_alone(slices, i);
    }
    const bool few = steady < CORE_SLICES_LEAST || steady < STEADY_SHARE * slices->count || alone < CORE_SLICES_ALONE;
    for (unsigned i = 0; i < slices->count; i++)
        if ((slices->steady[i] || steady < CORE_SLICES_LEAST) && (is_alone(slices, i) || alone < CORE_SLICES_ALONE)) {
            cycles[count] = slices->cycles[i];
            clock_hz[count++] = slices->clock_hz[i];
        }
    if (count == 0)
        return (struct unit_time){0};
    qsort(cycles, count, sizeof *cycles, order_doubles);
    qsort(clock_hz, count, sizeof *clock_hz, order_doubles);
    struct unit_time time = {
        {quantile(cycles, count, MEASURED), quantile(cycles, count, LOW), quantile(cycles, count, HIGH)},
        quantile(clock_hz, count, HIGH),
        true,
        few};
    time.disturbed |= time.cycles[CORE_HIGH] > (1 + WIDE) * time.cycles[CORE_MEASURED];
    return time;
}

bool core_slices_disturbed(const struct core_slices *slices) {
    const struct unit_time time = time_of(slices);
    return !time.known || time.disturbed;
}

double core_slices_cycles(const struct core_slices *slices) {
    return time_of(slices).cycles[CORE_MEASURED];
}

static const struct core_item *find_item(const struct core_plan *plan, const char *form, bool chains) {
    for (size_t i = 0; i < plan->count; i++)
        if (plan->items[i].chains == chains && strcmp(plan->items[i].form, form) == 0)
            return &plan->items[i];
    return NULL;
}

/* An item's own time per instruction, without that of the others in its chain, and of those likewise: the tables have
 * no circle. Of two chains for one form the first that runs here counts. */
static struct unit_time own_time(const struct core_plan *plan, const struct core_slices *slices,
                                 const struct core_item *item) {
    struct unit_time time = time_of(&slices[item - plan->items]);
    for (unsigned i = 0; i < CORE_LESS_MOST && item->less[i][0]; i++) {
        const struct core_item *less = find_item(plan, item->less[i], true);
        struct unit_time of = less ? own_time(plan, slices, less) : (struct unit_time){0};
        for (unsigned end = 0; end < CORE_ENDS; end++) {
            const unsigned other = end == CORE_LOW ? CORE_HIGH : end == CORE_HIGH ? CORE_LOW : CORE_MEASURED;
            time.cycles[end] -= of.cycles[other];
        }
        time.known &= of.known;
        time.disturbed |= of.disturbed;
    }
    for (unsigned end = 0; end < CORE_ENDS; end++)
        time.cycles[end] = fmax(item->renames ? RENAMED : 0, time.cycles[end] * item->scale / item->count);
    time.known &= time.cycles[CORE_MEASURED] > 0;
    return time;
}

static struct core_value *value_of(struct core_measured *out, const char *form) {
    for (size_t i = out->count; i-- > 0;)
        if (strcmp(out->values[i].form, form) == 0)
            return &out->values[i];
    struct core_value *value = &out->values[out->count++];
    memcpy(value->form, form, sizeof value->form);
    return value;
}

/* Whether the latency of a form explains the time of its independent instructions, too. */
static bool bound_by_registers(const struct core_item *item, const struct core_value *value) {
    const double latency = value->latency_cycles[CORE_MEASURED];
    return item->targets > 0 && latency / item->targets > BY_REGISTERS * value->throughput_cycles[CORE_MEASURED];
}

void core_reduce(const struct core_plan *plan, const struct core_slices *slices, struct core_measured *out) {
    *out = (struct core_measured){.values = need_calloc(plan->count + 1, sizeof *out->values)};
    for (size_t i = 0; i < plan->count; i++) { /* a form's chain comes first */
        const struct core_item *item = &plan->items[i];
        const struct unit_time time = own_time(plan, slices, item);
        if (!time.known || item->helps)
            continue;
        struct core_value *value = value_of(out, item->form);
        double *cycles = item->chains ? value->latency_cycles : value->throughput_cycles;
        if (cycles[CORE_MEASURED] > 0)
            continue;
        memcpy(cycles, time.cycles, sizeof time.cycles);
        value->clock_hz = time.clock_hz;
        value->crosses |= item->crosses;
        value->disturbed |= time.disturbed;
        if (!item->chains && bound_by_registers(item, value))
            memset(cycles, 0, sizeof time.cycles);
    }
}
