/* SPDX-License-Identifier: BSD-3-Clause
 * Blocks and the branches between them (see flow.h). */
#include "flow.h"

#include <stdlib.h>
#include <string.h>

#include "probe/need.h"

static int by_address(const void *a, const void *b) {
    const struct flow_block *x = a, *y = b;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    return (x->block > y->block) - (x->block < y->block);
}

size_t flow_from(const struct code_flow *flow, uint64_t address) {
    size_t low = 0, high = flow->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (flow->blocks[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static size_t block_at(const struct code_flow *flow, uint64_t address) {
    const size_t found = flow_from(flow, address);
    return found < flow->count && flow->blocks[found].address == address ? found : FLOW_NOWHERE;
}

/* What the block does, and its last instruction. Code that doesn't decode is found out later. */
static const struct decoded_instruction *look_at(const struct code_block *code, uint32_t instruction_count,
                                                 struct flow_block *block) {
    static const struct decoded_instruction away = {.flow = FLOW_AWAY};
    block->innocent = true;
    for (uint32_t i = 0; i < code->count; i++) {
        const struct decoded_instruction *instruction = &code->instructions[i];
        block->pauses |= instruction->pauses;
        block->innocent &= instruction->effect.flop == 0 && instruction->effect.element_flop == 0 &&
                           instruction->effect.dynamic != DYNAMIC_REPEAT && !instruction->stores_outside;
    }
    return code->count > 0 && code->count == instruction_count ? &code->instructions[code->count - 1] : &away;
}

static void connect(const struct code_flow *flow, const struct decoded_instruction *last, struct flow_block *block) {
    const uint64_t target = block->end + (uint64_t)last->branch_bytes;
    const bool goes_on = last->flow == FLOW_NEXT || last->flow == FLOW_EITHER || last->flow == FLOW_CALL;
    const bool jumps = last->flow == FLOW_JUMP || last->flow == FLOW_EITHER;
    block->next[0] = goes_on ? block_at(flow, block->end) : FLOW_NOWHERE;
    block->next[1] = jumps ? block_at(flow, target) : FLOW_NOWHERE;
    block->calls = last->flow == FLOW_CALL && last->branch_bytes ? block_at(flow, target) : FLOW_NOWHERE;
    block->leaves = last->flow;
    block->returns = last->flow == FLOW_AWAY;
    block->jumps_unknown = block->returns && last->effect.class == CLASS_BRANCH;
    block->calls_any = last->flow == FLOW_CALL;
    block->calls_unknown = block->calls_any && last->branch_bytes == 0;
}

/* Of each counter, in the whole program. */
static uint64_t *count_executions_of(const struct dump *dump) {
    uint64_t *executions = need_calloc(dump->header.counter_count + 1, sizeof *executions);
    for (size_t i = 0; i < dump->header.count_count; i++)
        for (size_t v = 0; dump->records[i].region == 0 && v < dump->records[i].value_count; v++) {
            const struct dump_value value = dump_value(&dump->records[i], v);
            executions[value.counter] += value.value;
        }
    return executions;
}

void flow_build(const struct dump *dump, const struct code_block *code, struct code_flow *out) {
    const size_t count = dump->header.block_count;
    uint64_t *executions = count_executions_of(dump);
    *out = (struct code_flow){count, need_calloc(count + 1, sizeof *out->blocks)};
    for (size_t i = 0; i < count; i++) {
        const struct dump_block block = dump_block(dump, i);
        out->blocks[i] = (struct flow_block){.address = block.address,
                                             .end = block.address + block.code_bytes,
                                             .block = i,
                                             .object = block.object,
                                             .executions = executions[block.counter]};
    }
    qsort(out->blocks, count, sizeof *out->blocks, by_address);
    for (size_t i = 0; i < count; i++) {
        struct flow_block *block = &out->blocks[i];
        const uint32_t instruction_count = dump_block(dump, block->block).instruction_count;
        connect(out, look_at(&code[block->block], instruction_count, block), block);
    }
    free(executions);
}

void flow_free(struct code_flow *flow) {
    free(flow->blocks);
}
