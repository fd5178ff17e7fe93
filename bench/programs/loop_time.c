/* SPDX-License-Identifier: BSD-3-Clause */
#include "loop_time.h"
#include "app_point.h"

#include <stdlib.h>
#include <string.h>

#include "asm/incore/core_overlay.h"
#include "asm/instruction.h"
#include "bench/core/core_classes.h"
#include "probe/machine.h"
#include "probe/need.h"
#include "probe/uarch.h"

struct loop_core loop_core_find(const struct machine *machine, const struct core_measured *measured) {
    const struct uarch *uarch =
        machine ? uarch_find(&machine->cpu, machine->kind_count ? machine->kinds[0].name : "").uarch : NULL;
    struct loop_core core = {.table = core_table_named(uarch_in_core(uarch)), .issue_width = uarch_issue_width(uarch)};
    if (!measured || measured->count == 0 || (!core.table && core_classes_only(measured)))
        return core;
    if (!core.table && core.issue_width == 0)
        core.issue_width = core_overlay_issue_width(measured);
    core.table = core.overlaid = core_overlay_make(core.table, core.issue_width, measured);
    return core;
}

void loop_core_free(struct loop_core *core) {
    free(core->overlaid);
    *core = (struct loop_core){0};
}

static int by_start(const void *a, const void *b) {
    const struct profile_place *x = *(const struct profile_place *const *)a,
                               *y = *(const struct profile_place *const *)b;
    return (x->start > y->start) - (x->start < y->start);
}

/* The loop's own places, by address. Returns their number. */
static size_t own_places(const struct profile_parts *parts, uint32_t loop, const struct profile_place ***out) {
    size_t count = 0;
    *out = need_calloc(parts->place_count + 1, sizeof **out);
    for (size_t i = 0; i < parts->place_count; i++)
        if (parts->places[i].loop == loop)
            (*out)[count++] = &parts->places[i];
    qsort(*out, count, sizeof **out, by_start);
    return count;
}

bool loop_detail_find(const struct profile_parts *parts, uint32_t loop, const struct loop_core *core,
                      struct loop_detail *out) {
    const struct profile_loop *of = &parts->loops[loop];
    *out = (struct loop_detail){.table = core ? core->table : NULL};
    if (!out->table || of->iterations == 0)
        return false;
    out->count = own_places(parts, loop, &out->places);
    struct loop_instruction *instructions = need_calloc(out->count + 1, sizeof *instructions);
    for (size_t i = 0; i < out->count; i++)
        instructions[i] =
            (struct loop_instruction){out->places[i]->start, out->places[i]->code, out->places[i]->code_bytes,
                                      (double)out->places[i]->executions / (double)of->iterations};
    const uint64_t header = (out->count ? out->places[0]->function_start : 0) + of->source.offset;
    in_core_find(out->table, core->issue_width, instructions, out->count, header, &out->in_core);
    free(instructions);
    return true;
}

void loop_detail_free(struct loop_detail *detail) {
    in_core_free(&detail->in_core);
    free(detail->places);
    *detail = (struct loop_detail){0};
}

/* The chain's instruction that takes longest; -1: none. */
static long chain_head(const struct loop_detail *detail) {
    long head = -1;
    for (size_t i = 0; i < detail->count; i++)
        if (detail->in_core.of[i].chain_cycles > 0 &&
            (head < 0 || detail->in_core.of[i].chain_cycles > detail->in_core.of[head].chain_cycles))
            head = (long)i;
    return head;
}

/* Whether the chain is nothing but additions, or multiplications, or both fused, each on what the last one made. */
static bool chain_accumulates(const struct loop_detail *detail, const char *mnemonic) {
    for (size_t i = 0; i < detail->count; i++) {
        struct decoded_instruction decoded;
        if (!(detail->in_core.of[i].chain_cycles > 0))
            continue;
        if (!instruction_decode(detail->places[i]->code, detail->places[i]->code_bytes, &decoded) ||
            strcmp(decoded.mnemonic, mnemonic) != 0)
            return false;
        const enum sort sort = decoded.effect.sort;
        if (sort != SORT_ADD && sort != SORT_MUL && sort != SORT_FMA && sort != SORT_DOT)
            return false;
    }
    return detail->in_core.chain_memory_cycles == 0;
}

static void set_chain(const struct loop_detail *detail, struct point_in_core *out) {
    const long head = chain_head(detail);
    struct instruction_demand demand;
    if (head < 0 || !demand_find(detail->places[head]->code, detail->places[head]->code_bytes, 0, &demand))
        return;
    snprintf(out->chain_of, sizeof out->chain_of, "%.*s", (int)strcspn(demand.form, " "), demand.form);
    out->chain_instructions = detail->in_core.chain_count;
    out->chain_memory = detail->in_core.chain_memory_cycles - detail->in_core.chain_forward_cycles;
    out->accumulates = chain_accumulates(detail, out->chain_of);
}

void loop_time_find(const struct profile_parts *parts, uint32_t loop, const struct loop_core *core,
                    struct point_in_core *out) {
    struct loop_detail detail;
    *out = (struct point_in_core){0};
    if (!loop_detail_find(parts, loop, core, &detail))
        return;
    const struct in_core *in_core = &detail.in_core;
    const struct core_table *table = detail.table;
    out->known = true;
    snprintf(out->core, sizeof out->core, "%s%s", table->name,
             core->overlaid && core_is_typed(table) ? ", measured" : "");
    out->instructions = in_core->instructions;
    out->unknown_instructions = in_core->unknown;
    out->ports = in_core->cycles[IN_CORE_PORTS];
    out->renaming = in_core->cycles[IN_CORE_RENAMING];
    out->divider = in_core->cycles[IN_CORE_DIVIDER];
    out->chain = in_core->cycles[IN_CORE_CHAIN];
    if (core_is_typed(table))
        core_ports_text(table, in_core->ports, out->busiest_ports, sizeof out->busiest_ports);
    else
        pipes_text(&in_core->pipes, out->busiest_ports, sizeof out->busiest_ports);
    out->fetch = in_core->fetch_cycles;
    out->calls = in_core->calls;
    out->branches = in_core->taken * table->taken_cycles;
    out->strided = in_core->strided;
    out->rarer_ways = in_core->rarer_ways;
    out->rarer_wait = in_core->rarer_wait;
    out->mispredict = table->mispredict_cycles;
    out->flight = table->window / (in_core->instructions > 1 ? in_core->instructions : 1);
    set_chain(&detail, out);
    loop_detail_free(&detail);
}
