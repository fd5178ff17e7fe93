/* SPDX-License-Identifier: BSD-3-Clause
 * The core's time for a loop (see in_core.h). */
#include "in_core.h"

#include <math.h>
#include <stdlib.h>

#include "asm/instruction.h"
#include "chain.h"
#include "core_table.h"
#include "pipes.h"
#include "probe/need.h"

struct known_instruction {
    struct instruction_demand demand;
    struct core_form form;
    struct decoded_instruction decoded;
    bool decodes, known;
};
enum { PIPES_OF_ONE = 3 };
struct counting {
    const struct core_table *table;
    const struct loop_instruction *instructions;
    struct known_instruction *known;
    size_t count;
};

/* Whether it becomes one operation with the branch right behind it, on that one's ports. */
static bool fuses(const struct counting *counting, size_t i) {
    const struct loop_instruction *instruction = &counting->instructions[i];
    return i + 1 < counting->count && instruction->address + instruction->code_bytes == instruction[1].address &&
           counting->known[i].demand.sets_flags && counting->known[i + 1].demand.branches_on_flags;
}

/* The uses of one execution. Returns their number. */
static size_t uses_of(const struct counting *counting, size_t i, struct core_use *out) {
    const struct core_table *table = counting->table;
    const struct known_instruction *of = &counting->known[i];
    size_t count = 0;
    const unsigned width = core_width(&of->demand);
    if (!core_renames(table, &of->demand) && !fuses(counting, i))
        for (unsigned k = 0; of->known && k < of->form.use_count; k++)
            out[count++] = of->form.uses[k];
    const double loads = of->known && of->form.loads > 0 ? of->form.loads : of->demand.loads;
    for (unsigned k = 0; loads > 0 && k < table->load[width].use_count; k++)
        out[count++] = (struct core_use){table->load[width].uses[k].ports, loads * table->load[width].uses[k].cycles};
    for (unsigned k = 0; of->demand.stores > 0 && k < table->store[width].use_count; k++)
        out[count++] = (struct core_use){table->store[width].uses[k].ports,
                                         of->demand.stores * table->store[width].uses[k].cycles};
    return count;
}

/* Operations that are renamed for one execution. */
static double renamed_of(const struct core_table *table, const struct known_instruction *of) {
    const struct instruction_demand *demand = &of->demand;
    double operations = of->known && of->form.operations > 1 ? of->form.operations : 1;
    if (table->stores_apart && demand->stores > 0 && demand->loads > 0)
        operations++;
    if (table->splits_indexed && demand->loads > 0 && demand->address.index && demand->reads.count > 0 &&
        demand->form[0] == 'v' && demand->writes.count > 0 && demand->reads.of[0] != demand->writes.of[0])
        operations++;
    return operations;
}

static void find_known(struct counting *counting) {
    for (size_t i = 0; i < counting->count; i++) {
        const struct loop_instruction *instruction = &counting->instructions[i];
        struct known_instruction *known = &counting->known[i];
        known->decodes =
            demand_find(instruction->code, instruction->code_bytes, instruction->address, &known->demand) &&
            instruction_decode(instruction->code, instruction->code_bytes, &known->decoded);
        known->known = known->decodes && (core_table_find(counting->table, &known->demand, &known->form) ||
                                          (!core_is_typed(counting->table) && known->decoded.flow != FLOW_NEXT));
    }
}

static void count_renaming(const struct counting *counting, unsigned issue_width, struct in_core *out) {
    double operations = 0;
    for (size_t i = 0; i < counting->count; i++) {
        const struct loop_instruction *instruction = &counting->instructions[i];
        out->instructions += instruction->executions;
        out->unknown += counting->known[i].known ? 0 : instruction->executions;
        out->calls += counting->known[i].decoded.flow == FLOW_CALL ? instruction->executions : 0;
        if (!fuses(counting, i))
            operations += instruction->executions * renamed_of(counting->table, &counting->known[i]);
    }
    out->cycles[IN_CORE_RENAMING] = issue_width > 0 ? operations / issue_width : 0;
}

static void count_ports(const struct counting *counting, struct in_core *out) {
    struct core_use one[2 * CORE_USES_MOST + 2], *all = need_calloc(counting->count * 20 + 1, sizeof *all);
    size_t count = 0;
    for (size_t i = 0; i < counting->count; i++)
        for (size_t k = 0, uses = uses_of(counting, i, one); k < uses; k++)
            all[count++] = (struct core_use){one[k].ports, one[k].cycles * counting->instructions[i].executions};
    size_t pipelined = 0;
    double busy[64] = {0};
    for (size_t i = 0; i < count; i++)
        if (all[i].ports & counting->table->dividers)
            busy[__builtin_ctzll(all[i].ports)] += all[i].cycles / __builtin_popcountll(all[i].ports);
        else
            all[pipelined++] = all[i];
    for (unsigned i = 0; i < 64; i++)
        out->cycles[IN_CORE_DIVIDER] = busy[i] > out->cycles[IN_CORE_DIVIDER] ? busy[i] : out->cycles[IN_CORE_DIVIDER];
    const struct busiest_ports busiest = ports_busiest(all, pipelined);
    out->cycles[IN_CORE_PORTS] = busiest.cycles;
    out->ports = busiest.ports;
    free(all);
}

/* Where ports are unknown: what keeps its pipes busy, each with how often per execution. */
static unsigned pipes_of(const struct counting *counting, size_t i, struct pipe_use out[PIPES_OF_ONE]) {
    const struct known_instruction *of = &counting->known[i];
    const unsigned width = core_width(&of->demand);
    const struct pipe_use all[PIPES_OF_ONE] = {
        {core_renames(counting->table, &of->demand) || fuses(counting, i) ? NULL : of->form.busy, 1},
        {counting->table->load_busy[width], of->demand.loads},
        {counting->table->store_busy[width], of->demand.stores}};
    unsigned count = 0;
    for (unsigned k = 0; k < PIPES_OF_ONE; k++)
        if (all[k].of && all[k].cycles > 0)
            out[count++] = (struct pipe_use){all[k].of, counting->instructions[i].executions * all[k].cycles *
                                                            all[k].of->throughput_cycles[CORE_MEASURED]};
    return count;
}

static void count_pipes(const struct counting *counting, struct in_core *out) {
    struct pipe_use one[PIPES_OF_ONE], *all = need_calloc(2 * counting->count * PIPES_OF_ONE + 1, sizeof *all),
                                       *divisions = all + counting->count * PIPES_OF_ONE;
    size_t count = 0, division_count = 0;
    for (size_t i = 0; i < counting->count; i++)
        for (unsigned k = 0, uses = pipes_of(counting, i, one); k < uses; k++)
            if (similar_divides(one[k].of->form))
                divisions[division_count++] = one[k];
            else
                all[count++] = one[k];
    out->pipes = pipes_busiest(counting->table->measured, all, count);
    out->cycles[IN_CORE_PORTS] = out->pipes.cycles;
    out->cycles[IN_CORE_DIVIDER] = pipes_busiest(counting->table->measured, divisions, division_count).cycles;
    free(all);
}

static void blame_pipes(const struct counting *counting, struct in_core *out) {
    struct pipe_use one[PIPES_OF_ONE];
    for (size_t i = 0; i < counting->count; i++)
        for (unsigned k = 0, uses = pipes_of(counting, i, one); k < uses; k++)
            if (!similar_divides(one[k].of->form))
                out->of[i].ports_cycles += pipes_part(&out->pipes, &one[k]);
}

static void blame_ports(const struct counting *counting, struct in_core *out) {
    struct core_use one[2 * CORE_USES_MOST + 2];
    for (size_t i = 0; i < counting->count; i++) {
        struct in_core_instruction *of = &out->of[i];
        const double executions = counting->instructions[i].executions;
        for (size_t k = 0, uses = uses_of(counting, i, one); k < uses; k++)
            if (!(one[k].ports & counting->table->dividers) && (one[k].ports & ~out->ports) == 0)
                of->ports_cycles += executions * one[k].cycles / __builtin_popcountll(out->ports);
    }
}

static size_t find_address(const struct counting *counting, uint64_t address) {
    size_t low = 0, high = counting->count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (counting->instructions[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < counting->count && counting->instructions[low].address == address ? low : counting->count;
}

/* The instruction that most often follows; `count`: none of the loop. */
static size_t next_of(const struct counting *counting, size_t i) {
    const struct loop_instruction *instruction = &counting->instructions[i];
    const uint64_t end = instruction->address + instruction->code_bytes;
    const enum flow flow = counting->known[i].decoded.flow;
    const size_t next = find_address(counting, end),
                 target = find_address(counting, end + (uint64_t)counting->known[i].decoded.branch_bytes);
    if (flow == FLOW_JUMP)
        return target;
    if (flow == FLOW_AWAY)
        return counting->count;
    if (flow != FLOW_EITHER || target == counting->count)
        return next;
    const bool jumps =
        next == counting->count || counting->instructions[target].executions > counting->instructions[next].executions;
    return jumps ? target : next;
}

/* Branches both of whose ways stay in the loop: a way that runs less often than the branch is its own. */
static void count_rarer_ways(const struct counting *counting, struct in_core *out) {
    for (size_t i = 0; i < counting->count; i++) {
        const struct loop_instruction *instruction = &counting->instructions[i];
        const struct decoded_instruction *decoded = &counting->known[i].decoded;
        if (decoded->flow != FLOW_EITHER)
            continue;
        const uint64_t end = instruction->address + instruction->code_bytes;
        const size_t ways[2] = {find_address(counting, end),
                                find_address(counting, end + (uint64_t)decoded->branch_bytes)};
        double least = instruction->executions;
        for (unsigned k = 0; k < 2 && ways[0] < counting->count && ways[1] < counting->count; k++) {
            const double executions = counting->instructions[ways[k]].executions;
            if (executions < instruction->executions)
                least = fmin(least, fmin(executions, instruction->executions - executions));
        }
        if (least < instruction->executions) {
            out->rarer_ways += least;
            out->rarer_wait += least * out->of[i].inputs_cycles;
        }
    }
}

/* The main path of an iteration, from its header back to it. Returns its length; 0: it leaves the loop. */
static size_t find_path(const struct counting *counting, uint64_t header, size_t *path) {
    const size_t first = find_address(counting, header);
    size_t length = 0;
    for (size_t i = first; i < counting->count && length < counting->count;) {
        path[length++] = i;
        if (!counting->known[i].decodes)
            return 0;
        i = next_of(counting, i);
        if (i == first)
            return length;
    }
    return 0;
}

/* Each line of code, and each taken jump, begins another cycle's instructions. */
static double fetch_cycles(const struct counting *counting, const size_t *path, size_t length) {
    const uint64_t bytes = counting->table->fetch_bytes;
    double cycles = 0;
    for (size_t i = 0; i < length && bytes > 0; i++) {
        const struct loop_instruction *instruction = &counting->instructions[path[i]],
                                      *before = i > 0 ? &counting->instructions[path[i - 1]] : NULL;
        const uint64_t first = instruction->address / bytes,
                       last = (instruction->address + instruction->code_bytes - 1) / bytes;
        const bool follows = before && before->address + before->code_bytes == instruction->address &&
                             (before->address + before->code_bytes - 1) / bytes == first;
        cycles += (follows ? 0 : 1) + (double)(last - first);
    }
    return cycles;
}

static void count_path(const struct counting *counting, uint64_t header, struct in_core *out) {
    size_t *path = need_calloc(counting->count + 1, sizeof *path);
    struct chain_link *links = need_calloc(counting->count + 1, sizeof *links);
    const size_t length = find_path(counting, header, path);
    struct loop_chain chain;
    for (size_t i = 0; i < length; i++) {
        const struct known_instruction *known = &counting->known[path[i]];
        links[i] =
            (struct chain_link){&known->demand, known->known ? &known->form : NULL, known->decoded.flow == FLOW_CALL};
    }
    chain_find(counting->table, links, length, &chain);
    out->cycles[IN_CORE_CHAIN] = chain.cycles;
    out->strided = chain.strided;
    out->taken = length > 0 && counting->known[path[length - 1]].decoded.flow == FLOW_EITHER;
    out->chain_memory_cycles = chain.memory_cycles;
    out->chain_forward_cycles = chain.forward_cycles;
    for (size_t i = 0; i < length; i++)
        out->of[path[i]].inputs_cycles = chain.inputs[i];
    for (size_t i = 0; i < length; i++)
        if (chain.of[i] > 0) {
            out->of[path[i]].chain_cycles = chain.of[i];
            out->chain_count++;
        }
    out->fetch_cycles = fetch_cycles(counting, path, length);
    free(chain.of);
    free(chain.inputs);
    free(links);
    free(path);
}

void in_core_find(const struct core_table *table, unsigned issue_width, const struct loop_instruction *instructions,
                  size_t count, uint64_t header, struct in_core *out) {
    struct counting counting = {table, instructions, need_calloc(count + 1, sizeof *counting.known), count};
    *out = (struct in_core){.of = need_calloc(count + 1, sizeof *out->of)};
    find_known(&counting);
    count_renaming(&counting, issue_width, out);
    if (core_is_typed(table)) {
        count_ports(&counting, out);
        blame_ports(&counting, out);
    } else {
        count_pipes(&counting, out);
        blame_pipes(&counting, out);
    }
    count_path(&counting, header, out);
    for (size_t i = 0; i < count; i++)
        out->taken += counting.known[i].decoded.flow == FLOW_JUMP ? instructions[i].executions : 0;
    count_rarer_ways(&counting, out);
    free(counting.known);
}

void in_core_free(struct in_core *in_core) {
    free(in_core->of);
    in_core->of = NULL;
}
