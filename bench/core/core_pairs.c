/* SPDX-License-Identifier: BSD-3-Clause */
#include "core_reduce.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "asm/incore/pipes.h"
#include "probe/need.h"

enum { TARGETS_MOST = 16, INSTRUCTIONS_MOST = 48 };
static const double COVERS = 1.25; /* its registers in turn leave so much time for the latency behind each */
/* Mixes are renamed more slowly than no-ops (Zen 5: 6.3 of 8 per cycle): a pair so near to that may be bound by it. */
static const double RENAMING = 0.28;
static const double ALONE = 0.1; /* what a pair takes longer than its longer half without sharing anything */

/* Independent instructions of a form, and the targets that a pair uses of them. */
struct pair_side {
    const struct core_item *item;
    double throughput_cycles, latency_cycles; /* the latter if it reads what it writes; else 0 */
    unsigned first, targets;                  /* of its unit's instructions */
    unsigned count;                           /* in a pair's unit */
    size_t at[TARGETS_MOST + 1];              /* where each instruction of its unit begins; the last one's end */
};

static const struct core_item *find_independent(const struct core_plan *plan, const char *form) {
    for (size_t i = 0; i < plan->count; i++)
        if (!plan->items[i].chains && strcmp(plan->items[i].form, form) == 0)
            return &plan->items[i];
    return NULL;
}

static bool find_side(const struct core_plan *plan, const struct core_measured *measured, const char *form,
                      struct pair_side *out) {
    const struct core_value *value = core_measured_find(measured, form); /* disturbed: the share is rather too small */
    *out = (struct pair_side){.item = find_independent(plan, form)};
    if (!out->item || !value || !(value->throughput_cycles[CORE_MEASURED] > 0))
        return false;
    out->throughput_cycles = value->throughput_cycles[CORE_MEASURED];
    out->latency_cycles = out->item->targets > 0 ? value->latency_cycles[CORE_MEASURED] : 0;
    for (out->targets = 0; out->targets < out->item->count && out->targets < TARGETS_MOST; out->targets++) {
        struct instruction_demand demand;
        const size_t at = out->at[out->targets];
        if (!demand_find(out->item->unit + at, out->item->unit_bytes - at, 0, &demand))
            return false;
        out->at[out->targets + 1] = at + demand.length_bytes;
    }
    return true;
}

static bool needs(const struct instruction_demand *of, const struct instruction_demand *other) {
    for (unsigned i = 0; i < of->writes.count; i++)
        if (memchr(other->writes.of, of->writes.of[i], other->writes.count) ||
            memchr(other->reads.of, of->writes.of[i], other->reads.count))
            return true;
    return of->stores > 0 && other->loads > 0;
}

/* Whether the first of each, which have the first target of their kind, have to do with each other. */
static bool meet(const struct pair_side *a, const struct pair_side *b) {
    struct instruction_demand of_a, of_b;
    return !demand_find(a->item->unit, a->item->unit_bytes, 0, &of_a) ||
           !demand_find(b->item->unit, b->item->unit_bytes, 0, &of_b) || needs(&of_a, &of_b) || needs(&of_b, &of_a);
}

/* Who reads what it writes gets the more targets. */
static void divide_targets(struct pair_side *a, struct pair_side *b) {
    const unsigned most = a->targets < b->targets ? a->targets : b->targets;
    const bool both = (a->latency_cycles > 0) == (b->latency_cycles > 0);
    if (!meet(a, b))
        return;
    a->targets = both ? most / 2 : a->latency_cycles > 0 ? most - 2 : 2;
    b->first = a->targets;
    b->targets = most - a->targets;
}

static bool covers_latency(const struct pair_side *side) {
    const unsigned targets = side->count < side->targets ? side->count : side->targets;
    return targets * side->throughput_cycles >= COVERS * side->latency_cycles;
}

/* Both busy for about as long; more of both while chains of their own would be longer. */
static bool find_counts(struct pair_side *a, struct pair_side *b) {
    const double ratio = b->throughput_cycles / a->throughput_cycles;
    const double of_a = fmax(1, ratio), of_b = fmax(1, 1 / ratio);
    for (double times = 1; times * (of_a + of_b) <= INSTRUCTIONS_MOST; times++) {
        a->count = (unsigned)lround(times * of_a);
        b->count = (unsigned)lround(times * of_b);
        if (covers_latency(a) && covers_latency(b))
            return true;
    }
    return false;
}

static bool put(struct core_item *unit, const struct pair_side *side, unsigned nth) {
    const unsigned i = side->first + nth % side->targets;
    const size_t bytes = side->at[i + 1] - side->at[i];
    if (unit->unit_bytes + bytes > sizeof unit->unit)
        return false;
    memcpy(unit->unit + unit->unit_bytes, side->item->unit + side->at[i], bytes);
    unit->unit_bytes += bytes;
    return true;
}

/* The two evenly mixed. False: too long. */
static bool write_unit(const struct pair_side *a, const struct pair_side *b, struct core_item *out) {
    *out = (struct core_item){
        .operands = CORE_DOUBLES, .scale = 1, .count = a->count, .instructions = a->count + b->count};
    memcpy(out->form, a->item->form, sizeof out->form);
    memcpy(out->less[0], b->item->form, sizeof out->less[0]);
    for (unsigned i = 0, of_a = 0; i < out->instructions; i++) {
        const bool a_is_next = of_a * out->instructions <= i * a->count && of_a < a->count;
        if (!put(out, a_is_next ? a : b, a_is_next ? of_a : i - of_a))
            return false;
        of_a += a_is_next;
    }
    return true;
}

void core_pairs_plan(const struct core_plan *plan, const struct core_measured *measured, struct core_plan *out) {
    *out = (struct core_plan){0, need_calloc(pipe_class_count * pipe_class_count + 1, sizeof *out->items)};
    for (size_t i = 0; i < pipe_class_count; i++)
        for (size_t k = i + 1; k < pipe_class_count; k++) {
            struct pair_side a, b;
            if (!find_side(plan, measured, pipe_classes[i].form, &a) ||
                !find_side(plan, measured, pipe_classes[k].form, &b))
                continue;
            divide_targets(&a, &b);
            out->count += find_counts(&a, &b) && write_unit(&a, &b, &out->items[out->count]);
        }
}

static double busy_cycles(const struct core_measured *measured, const char *form, unsigned count) {
    return count * core_measured_find(measured, form)->throughput_cycles[CORE_MEASURED];
}

/* NaN: unknown. */
static double share_of(const struct core_item *item, double cycles, const struct core_measured *measured) {
    const double of_a = busy_cycles(measured, item->form, item->count),
                 of_b = busy_cycles(measured, item->less[0], item->instructions - item->count),
                 longer = fmax(of_a, of_b), shorter = fmin(of_a, of_b);
    const struct core_value *nop = core_measured_find(measured, "nop");
    if (cycles < (1 + ALONE) * longer)
        return 0;
    if (isnan(cycles) || !nop || cycles < (1 + RENAMING) * item->instructions * nop->throughput_cycles[CORE_MEASURED])
        return NAN;
    return fmin(1, (cycles - longer) / shorter);
}

void core_pairs_reduce(const struct core_plan *pairs, const struct core_slices *slices,
                       struct core_measured *measured) {
    measured->pairs = need_calloc(pairs->count + 1, sizeof *measured->pairs);
    for (size_t i = 0; i < pairs->count; i++) {
        const struct core_item *item = &pairs->items[i];
        const double cycles = core_slices_disturbed(&slices[i]) ? NAN : core_slices_cycles(&slices[i]);
        struct core_pair *pair = &measured->pairs[measured->pair_count];
        memcpy(pair->form, item->form, sizeof pair->form);
        memcpy(pair->other, item->less[0], sizeof pair->other);
        pair->share = share_of(item, cycles, measured);
        measured->pair_count += isnan(pair->share) ? 0 : 1;
    }
}
