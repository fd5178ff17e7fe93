/* SPDX-License-Identifier: BSD-3-Clause */
#include "compare_core.h"
#include "compare_thresholds.h"

#include <math.h>
#include <stdlib.h>

#include "asm/incore/core_overlay.h"
#include "bench/programs/loop_time.h"
#include "carm/store/results.h"
#include "probe/need.h"

const double *core_cycles(const struct core_value *value, enum core_quantity quantity) {
    if (!value)
        return NULL;
    const double *cycles = quantity == CORE_LATENCY ? value->latency_cycles : value->throughput_cycles;
    return cycles[CORE_MEASURED] > 0 ? cycles : NULL;
}

static const struct core_measured *measured_of(const struct comparison *c, size_t side) {
    return &c->sides[side].model->result->core;
}

/* Of the same form; else, since another architecture has others, of its class. */
static const struct core_value *find_like(const struct core_measured *measured, const struct core_measured *of_base,
                                          const struct core_value *base, enum core_quantity quantity) {
    const struct core_value *value = core_measured_find(measured, base->form);
    const struct core_class *class = value ? NULL : core_class_of(base->form);
    return class && core_class_value(class, of_base, quantity == CORE_LATENCY) == base
               ? core_class_value(class, measured, quantity == CORE_LATENCY)
               : value;
}

/* Adds the base's form, if another side measured it or its like, too. */
static void add_row(struct core_comparison *core, const struct core_value *base, enum core_quantity quantity) {
    const struct comparison *c = core->of;
    struct compared_form *row = &core->rows[core->count];
    bool shared = false;
    if (!core_cycles(base, quantity))
        return;
    *row = (struct compared_form){base->form, core_class_of(base->form), quantity,
                                  need_calloc(c->side_count, sizeof *row->values)};
    for (size_t side = 0; side < c->side_count; side++) {
        const struct core_value *value = find_like(measured_of(c, side), measured_of(c, c->base), base, quantity);
        row->values[side] = core_cycles(value, quantity) ? value : NULL;
        shared |= side != c->base && row->values[side];
    }
    if (shared)
        core->count++;
    else
        free(row->values);
}

/* Classes in their order, then forms in that of the file. */
static int by_class(const void *a, const void *b) {
    const struct compared_form *p = a, *q = b;
    if (p->class != q->class)
        return !q->class || (p->class && p->class < q->class) ? -1 : 1;
    return p->form != q->form ? (p->form < q->form ? -1 : 1) : (int)p->quantity - (int)q->quantity;
}

static bool was_alone(const struct result *result) {
    struct loop_core typed = loop_core_find(&result->machine, NULL);
    const bool alone = core_measured_alone(&result->core, typed.issue_width);
    loop_core_free(&typed);
    return alone;
}

struct core_comparison core_compare(const struct comparison *c) {
    const struct core_measured *base = measured_of(c, c->base);
    struct core_comparison core = {.of = c};
    if (base->count == 0 || compare_is_one_result(c))
        return core;
    core.rows = need_calloc(CORE_QUANTITIES * base->count, sizeof *core.rows);
    core.alone = need_calloc(c->side_count, sizeof *core.alone);
    for (size_t i = 0; i < base->count; i++)
        for (int quantity = 0; quantity < CORE_QUANTITIES; quantity++)
            add_row(&core, &base->values[i], (enum core_quantity)quantity);
    qsort(core.rows, core.count, sizeof *core.rows, by_class);
    for (size_t side = 0; side < c->side_count; side++)
        core.alone[side] = was_alone(c->sides[side].model->result);
    return core;
}

void core_comparison_free(struct core_comparison *core) {
    for (size_t i = 0; i < core->count; i++)
        free(core->rows[i].values);
    free(core->rows);
    free(core->alone);
    *core = (struct core_comparison){0};
}

double core_ratio(const struct core_comparison *core, const struct compared_form *row, size_t side) {
    const double *own = core_cycles(row->values[side], row->quantity),
                 *base = core_cycles(row->values[core->of->base], row->quantity);
    return own && base ? own[CORE_MEASURED] / base[CORE_MEASURED] : NAN;
}

enum core_difference core_difference(const struct core_comparison *core, const struct compared_form *row, size_t side) {
    const struct core_value *own = row->values[side], *base = row->values[core->of->base];
    const double ratio = core_ratio(core, row, side), least = compare_thresholds.core_differs.value;
    if (isnan(ratio) || side == core->of->base || (ratio < least && ratio > 1 / least))
        return CORE_SAME;
    const double *longer = core_cycles(ratio > 1 ? own : base, row->quantity),
                 *shorter = core_cycles(ratio > 1 ? base : own, row->quantity);
    const bool is_share = row->quantity == CORE_LATENCY && (own->crosses || base->crosses),
               is_alone = row->quantity == CORE_LATENCY || core->alone[ratio > 1 ? side : core->of->base];
    if (longer[CORE_LOW] <= shorter[CORE_HIGH])
        return CORE_SAME;
    return own->disturbed || base->disturbed || is_share || !is_alone ? CORE_UNSURE : CORE_DIFFERS;
}

bool core_row_is(const struct core_comparison *core, const struct compared_form *row, enum core_difference difference) {
    bool any = false;
    for (size_t side = 0; side < core->of->side_count; side++)
        any |= side != core->of->base && core_difference(core, row, side) == difference;
    return any;
}
