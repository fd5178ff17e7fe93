/* SPDX-License-Identifier: BSD-3-Clause
 * The longest chain of a loop (see chain.h). */
#include "chain.h"

#include <stdlib.h>
#include <string.h>

#include "probe/need.h"

static const double RENAMED = 0.5; /* cycles: below, renaming exchanges registers */

/* TURNS: enough for chains that take several iterations to come round. A load finds the last STORES stores. */
enum { HALF = 24, TURNS = 2 * HALF, STORES = 256, FRESH = DEMAND_REGISTERS };

/* What is known of a register's value: an unknown one plus a constant. */
struct paper_value {
    uint32_t origin;
    int64_t offset;
};
struct paper_place { /* base + scale × index + offset */
    uint32_t base, index;
    unsigned scale;
    int64_t offset;
};
struct ready { /* when a value is there, and which instance made it */
    double cycle;
    int32_t maker;
};
struct stored {
    struct paper_place place;
    struct ready data;
    bool known;
};
struct access_walk { /* of a link's accesses, from iteration to iteration */
    struct paper_place last;
    int64_t stride_bytes;
    unsigned steady; /* iterations with this stride */
};
struct instance {                         /* one execution of a link */
    double memory_cycles, forward_cycles; /* of its load; of these, from a store in flight */
    int32_t before;                       /* the instance whose result came last; -1: none */
    double finish;
};
struct paper_core {
    const struct core_table *table;
    struct ready registers[DEMAND_REGISTERS];
    struct paper_value values[DEMAND_REGISTERS];
    struct stored stores[STORES];
    size_t store_count;
    uint32_t origins;
    unsigned top; /* of the registers of a stack, counted from where it began */
    struct instance *instances;
    struct access_walk *walks; /* by link */
    int32_t instance_count;
    const struct chain_link *links;
    size_t link_count;
};

/* Those of a stack move with its top. */
static struct ready *chain_register_of(struct paper_core *core, unsigned number) {
    const unsigned of_stack = number - DEMAND_STACK;
    const bool moves = number >= DEMAND_STACK && of_stack < DEMAND_STACK_DEPTH;
    return &core->registers[moves ? DEMAND_STACK + (of_stack + core->top) % DEMAND_STACK_DEPTH : number];
}

static struct ready later(struct ready a, struct ready b) {
    return b.cycle > a.cycle ? b : a;
}

static struct paper_place chain_place_of(const struct paper_core *core, const struct demand_address *address) {
    const struct paper_value base = core->values[address->base], index = core->values[address->index];
    struct paper_place place = {address->base ? base.origin : 0, address->index ? index.origin : 0,
                                address->index ? address->scale : 0, address->displacement};
    place.offset += address->base ? base.offset : 0;
    place.offset += address->index ? (int64_t)address->scale * index.offset : 0;
    return place;
}

static bool chain_same_registers(const struct paper_place *a, const struct paper_place *b) {
    return a->base == b->base && a->index == b->index && a->scale == b->scale;
}

static bool chain_same_place(const struct paper_place *a, const struct paper_place *b) {
    return chain_same_registers(a, b) && a->offset == b->offset;
}

static void walk_on(const struct paper_core *core, const struct demand_address *address, struct access_walk *walk) {
    const struct paper_place place = chain_place_of(core, address);
    const int64_t stride_bytes = place.offset - walk->last.offset;
    const bool steady = chain_same_registers(&place, &walk->last) && stride_bytes == walk->stride_bytes;
    *walk = (struct access_walk){place, stride_bytes, steady ? walk->steady + 1 : 0};
}

/* Whether it is at the same distance from its last access each time. */
static bool is_strided(const struct access_walk *walk) {
    const int64_t MOST_BYTES = 2048; /* farther ones leave a page before a prefetcher has followed them */
    return walk->steady >= HALF && llabs(walk->stride_bytes) <= MOST_BYTES;
}

/* The stack's own accesses have no address. */
static bool chain_accesses(const struct instruction_demand *demand) {
    return demand->loads + demand->stores > 0 && (demand->addressed || demand->address.base || demand->address.index);
}

static double strided_of(const struct paper_core *core) {
    double all = 0, strided = 0;
    for (size_t i = 0; i < core->link_count; i++) {
        const struct instruction_demand *demand = core->links[i].demand;
        all += chain_accesses(demand);
        strided += chain_accesses(demand) && demand->addressed && is_strided(&core->walks[i]);
    }
    return all > 0 ? strided / all : 0;
}

static const struct stored *find_store(const struct paper_core *core, const struct paper_place *place) {
    for (size_t i = core->store_count; i-- > 0 && core->store_count - i <= STORES;) {
        const struct stored *stored = &core->stores[i % STORES];
        if (stored->known && chain_same_place(&stored->place, place))
            return stored;
    }
    return NULL;
}

static const struct chain_link *chain_link_of(const struct paper_core *core, int32_t instance) {
    return instance < 0 ? NULL : &core->links[(size_t)instance % core->link_count];
}

/* The result of a maker: earlier for one of the same row, which gets it by a shorter way. */
static struct ready seen_by(const struct paper_core *core, struct ready ready, const struct core_form *form) {
    const struct chain_link *maker = chain_link_of(core, ready.maker);
    if (form && maker && maker->form && maker->form->row == form->row)
        ready.cycle -= maker->form->latency_cycles - maker->form->chained_cycles;
    return ready;
}

/* Renaming may know only places that are a register and a constant, and no sums of a register in memory. */
static double forward_cycles(const struct core_table *table, const struct instruction_demand *demand) {
    const unsigned width = core_width(demand);
    const double unrenamed = !demand->based                                  ? table->unrenamed_cycles
                             : demand->stores > 0 && demand->reads.count > 0 ? table->updated_cycles
                                                                             : 0;
    return demand->data == 'f' && table->forward_x87_cycles > 0 ? table->forward_x87_cycles
           : width == 0 && unrenamed > 0                        ? unrenamed
                                                                : table->forward_cycles[width];
}

/* A core may add two parts of an address without a delay, and three, or a multiple of one, with a cycle's. */
static bool is_complex(const struct demand_address *address) {
    return address->index && (address->scale > 1 || address->displacement != 0);
}

/* When the instruction's memory operand is there; `memory_cycles` of its own; whether from a store. */
static struct ready chain_load(const struct paper_core *core, const struct instruction_demand *demand,
                               double *memory_cycles, bool *forwarded) {
    const double forward = forward_cycles(core->table, demand);
    const struct demand_address *address = &demand->address;
    struct ready at = later(core->registers[address->base], core->registers[address->index]);
    const struct paper_place place = chain_place_of(core, address);
    const struct stored *stored = demand->addressed ? find_store(core, &place) : NULL;
    *memory_cycles = is_complex(address) && core_width(demand) == 0 && core->table->load_indexed_cycles > 0
                         ? core->table->load_indexed_cycles
                         : core->table->load_cycles[core_width(demand)];
    if (stored && stored->data.cycle + forward > at.cycle) {
        *memory_cycles = forward;
        at = stored->data;
    } else if (stored)
        *memory_cycles = 0;
    *forwarded = stored != NULL;
    at.cycle += *memory_cycles;
    return at;
}

static double own_cycles(const struct core_table *table, const struct chain_link *link) {
    return link->form && !core_renames(table, link->demand) ? link->form->latency_cycles : 0;
}

static void set_value(struct paper_core *core, const struct instruction_demand *demand) {
    struct paper_value value = {++core->origins, 0};
    const unsigned to = demand->writes.of[0];
    if (demand->steps)
        value = (struct paper_value){core->values[to].origin, core->values[to].offset + demand->step};
    else if (demand->moves && demand->data == 'q' && demand->reads.count == 1)
        value = core->values[demand->reads.of[0]];
    else if (demand->computes_address && demand->address.index == 0)
        value = (struct paper_value){core->values[demand->address.base].origin,
                                     core->values[demand->address.base].offset + demand->address.displacement};
    for (unsigned i = 0; i < demand->writes.count; i++)
        core->values[demand->writes.of[i]] = i == 0 ? value : (struct paper_value){++core->origins, 0};
}

/* What a called function leaves depends on nothing that is known, and what it keeps waits while it runs: that is not
 * the loop's own time. */
static void end_chains(struct paper_core *core) {
    for (unsigned i = 0; i < DEMAND_REGISTERS; i++) {
        core->registers[i] = (struct ready){0, -1};
        if (!demand_kept_by_calls(i))
            core->values[i] = (struct paper_value){++core->origins, 0};
    }
    core->store_count = 0;
}

/* As if the latency from the mask on were that of the data. */
static struct ready chosen_by(struct ready mask, const struct core_form *form) {
    if (form && form->mask_cycles > 0)
        mask.cycle += form->mask_cycles - form->latency_cycles;
    return mask;
}

/* When the last register is there that it reads; not those of a memory operand's address. */
static struct ready read_registers(struct paper_core *core, const struct chain_link *link) {
    const struct instruction_demand *demand = link->demand;
    struct ready input = {0, -1};
    for (unsigned i = 0; i < demand->reads.count && !demand->independent; i++) {
        const struct ready at = *chain_register_of(core, demand->reads.of[i]);
        input = later(input,
                      demand->reads.of[i] == demand->mask ? chosen_by(at, link->form) : seen_by(core, at, link->form));
    }
    if (demand->computes_address || demand->loads > 1)
        input = later(input, later(core->registers[demand->address.base], core->registers[demand->address.index]));
    return input;
}

static void write_registers(struct paper_core *core, const struct instruction_demand *demand, struct ready result) {
    core->top += DEMAND_STACK_DEPTH - demand->pushes;
    for (unsigned i = 0; i < demand->writes.count; i++)
        *chain_register_of(core, demand->writes.of[i]) = result;
    core->top += demand->pops;
    if (demand->writes.count > 0)
        set_value(core, demand);
}

static void exchange(struct paper_core *core, const struct instruction_demand *demand) {
    struct ready *a = chain_register_of(core, demand->writes.of[0]), *b = chain_register_of(core, demand->writes.of[1]);
    const struct ready first = *a;
    *a = *b;
    *b = first;
    core->instances[core->instance_count++] = (struct instance){.before = -1};
}

static void chain_execute(struct paper_core *core, const struct chain_link *link) {
    const struct instruction_demand *demand = link->demand;
    const double own = own_cycles(core->table, link);
    if (demand->exchanges && demand->writes.count == 2 && own < RENAMED) {
        exchange(core, demand);
        return;
    }
    struct ready input = read_registers(core, link);
    double memory_cycles = 0;
    bool forwarded = false;
    if (demand->loads == 1 && demand->addressed) {
        double cycles;
        const struct ready loaded = chain_load(core, demand, &cycles, &forwarded);
        memory_cycles = loaded.cycle > input.cycle ? cycles : 0;
        input = later(input, loaded);
    }
    const int32_t instance = core->instance_count++;
    walk_on(core, &demand->address, &core->walks[(size_t)instance % core->link_count]);
    const struct ready result = {input.cycle + own, instance};
    core->instances[instance] =
        (struct instance){memory_cycles, forwarded ? memory_cycles : 0, input.maker, result.cycle};
    if (demand->stores > 0) {
        core->stores[core->store_count++ % STORES] =
            (struct stored){chain_place_of(core, &demand->address), result, demand->addressed};
    }
    write_registers(core, demand, result);
    if (link->calls)
        end_chains(core);
}

/* The last result of the first `turns` iterations. */
static struct ready chain_last_of(const struct paper_core *core, size_t turns) {
    struct ready last = {0, -1};
    for (size_t i = 0; i < turns * core->link_count; i++)
        last = later(last, (struct ready){core->instances[i].finish, (int32_t)i});
    return last;
}

/* Walks back from the last result over the second half of the iterations. The chain returns to the same instruction
 * after whole iterations: only those count, not what follows the chain in the last iteration. */
static void blame(const struct paper_core *core, struct loop_chain *out) {
    const int32_t count = (int32_t)core->link_count, half = HALF * count, last = chain_last_of(core, TURNS).maker;
    int32_t from = last, to = last, turns;
    while (core->instances[from].before >= half)
        from = core->instances[from].before;
    while (to > from && (to - from) % count != 0)
        to = core->instances[to].before;
    turns = (to - from) / count;
    if (turns == 0) /* it takes more iterations than these to come round */
        from = half - 1, to = last, turns = HALF;
    for (int32_t i = to; i > from; i = core->instances[i].before) {
        const struct instance *instance = &core->instances[i];
        const double before = instance->before >= 0 ? core->instances[instance->before].finish : 0;
        out->of[i % count] += (instance->finish - before) / turns;
        out->memory_cycles += instance->memory_cycles / turns;
        out->forward_cycles += instance->forward_cycles / turns;
    }
}

void chain_find(const struct core_table *table, const struct chain_link *links, size_t count, struct loop_chain *out) {
    *out = (struct loop_chain){.of = need_calloc(count + 1, sizeof *out->of),
                               .inputs = need_calloc(count + 1, sizeof *out->inputs)};
    if (count == 0)
        return;
    struct paper_core *core = need_calloc(1, sizeof *core);
    core->table = table;
    core->links = links;
    core->link_count = count;
    core->instances = need_calloc(count * TURNS, sizeof *core->instances);
    core->walks = need_calloc(count, sizeof *core->walks);
    core->origins = FRESH;
    for (unsigned i = 0; i < DEMAND_REGISTERS; i++) {
        core->registers[i] = (struct ready){0, -1};
        core->values[i] = (struct paper_value){i, 0};
    }
    for (unsigned turn = 0; turn < TURNS; turn++)
        for (size_t i = 0; i < count; i++)
            chain_execute(core, &links[i]);
    out->cycles = (chain_last_of(core, TURNS).cycle - chain_last_of(core, HALF).cycle) / HALF;
    if (out->cycles > 0)
        blame(core, out);
    for (size_t i = 0; i < count; i++)
        out->inputs[i] = core->instances[i].finish - own_cycles(table, &links[i]);
    out->strided = strided_of(core);
    free(core->walks);
    free(core->instances);
    free(core);
}
