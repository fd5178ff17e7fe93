/* SPDX-License-Identifier: BSD-3-Clause
 * Blocks that a fault leaves in the middle (see partial.h). */
#include "partial.h"

#include "bench/count/base/system.h"
#include "cache.h"
#include "decode.h"

/* The counter of a part of a block: [first, last) by instructions, which start at `address`. One is made for each
 * place. */
static uint32_t part_counter(const struct block *whole, uint64_t address, uint32_t first, uint32_t last) {
    for (uint32_t i = cache_block_count() - 1; i > 0; i--) {
        const struct block *part = cache_block(i);
        if (part->code == 0 && part->original == address && part->instruction_count == last - first)
            return part->counter;
    }
    struct block *part = cache_new_block(address, 1);
    uint64_t end = address;
    part->object = whole->object;
    part->instruction_count = last - first;
    for (uint32_t i = first; i < last; i++) {
        const uint8_t *bytes = cache_bytes(whole->first_byte) + (end - whole->original);
        struct instruction instruction;
        if (decode_instruction((uint64_t)bytes, ZYDIS_MAX_INSTRUCTION_LENGTH, &instruction) &&
            instruction.effect.dynamic != DYNAMIC_NONE)
            cache_new_counter();
        end += instruction.decoded.length;
    }
    cache_keep_bytes(part, cache_bytes(whole->first_byte) + (address - whole->original), (uint32_t)(end - address));
    cache_publish(part, NULL);
    return part->counter;
}

void partial_find(struct interruption *interruption, bool fault, uint64_t rcx) {
    uint32_t place = 0;
    const struct block *block = cache_block_at(interruption->cache_rip, &place);
    if (!block) { /* a wild jump */
        interruption->program_rip = interruption->cache_rip;
        return;
    }
    const uint32_t copy = place / block->instruction_count, stopped = place % block->instruction_count;
    const bool counted = copy > 0 || stopped >= block->counted_at;
    struct instruction instruction = {0};
    uint64_t address = block->original;
    uint32_t counters = 1; /* its own, and those of the instructions before */
    for (uint32_t i = 0;; i++) {
        decode_instruction((uint64_t)(cache_bytes(block->first_byte) + (address - block->original)),
                           ZYDIS_MAX_INSTRUCTION_LENGTH, &instruction);
        if (i == stopped)
            break;
        address += instruction.decoded.length;
        counters += instruction.effect.dynamic != DYNAMIC_NONE;
    }
    interruption->program_rip = address;
    interruption->ahead = counted ? block->left_out : 0;
    interruption->ahead_count = counted ? 0 - (uint64_t)(block->copies - 1 - copy) : 0;
    if (!fault)
        return;
    system_lock();
    if (!counted) {
        interruption->part = stopped > 0 ? part_counter(block, block->original, 0, stopped) : 0;
        interruption->part_count = stopped > 0;
    } else {
        interruption->part = part_counter(block, address, stopped, block->instruction_count);
        interruption->part_count = (uint64_t)-1;
    }
    if (instruction.effect.dynamic == DYNAMIC_REPEAT) {
        interruption->repeat = block->counter + counters;
        interruption->repeat_count = (uint64_t)0 - rcx;
    }
    system_unlock();
}

void partial_leave(struct context *context, const struct interruption *interruption) {
    context->counters[interruption->part] += interruption->part_count;
    context->counters[interruption->repeat] += interruption->repeat_count;
    context->counters[interruption->ahead] += interruption->ahead_count;
}

void partial_resume(struct context *context, const struct interruption *interruption) {
    context->counters[interruption->part] -= interruption->part_count;
    context->counters[interruption->repeat] -= interruption->repeat_count;
    context->counters[interruption->ahead] -= interruption->ahead_count;
}
