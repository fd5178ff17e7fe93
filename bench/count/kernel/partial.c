/* SPDX-License-Identifier: BSD-3-Clause
 * Blocks that are left in the middle (see partial.h). */
#include "partial.h"

#include "bench/count/base/system.h"
#include "bench/count/code/cache.h"
#include "bench/count/code/decode.h"
#include "bench/count/code/gone.h"

/* The distance in the program of an instruction of a block from its begin; each that has a counter of its own gets one
 * in `counters`. */
static uint32_t distance_of(const struct block *block, uint32_t from, uint32_t instruction, uint32_t *counters) {
    static struct instruction decoded;
    uint32_t distance = 0;
    for (uint32_t i = 0; i < instruction; i++) {
        const uint8_t *bytes = cache_bytes(block->first_byte) + distance;
        decode_instruction((uint64_t)bytes, ZYDIS_MAX_INSTRUCTION_LENGTH, &decoded);
        *counters += i >= from && decoded.effect.dynamic != DYNAMIC_NONE;
        distance += decoded.decoded.length;
    }
    return distance;
}

/* The counter of a part of a block: [first, last) by instructions. One is made for each. */
static uint32_t part_counter(const struct block *whole, uint32_t first, uint32_t last) {
    uint32_t counters = 0;
    system_lock();
    const uint32_t start = distance_of(whole, first, first, &counters),
                   end = distance_of(whole, first, last, &counters);
    const struct block *known = whole;
    do
        known = cache_block(known->part);
    while (known != cache_block(0) && (known->original != whole->original + start || known->code_bytes != end - start));
    uint32_t counter = known->counter;
    if (known == cache_block(0)) {
        struct block *part = cache_new_block(whole->original + start, 1);
        part->object = whole->object;
        part->instruction_count = (uint16_t)(last - first);
        for (uint32_t i = 0; i < counters; i++)
            cache_new_counter();
        cache_keep_bytes(part, cache_bytes(whole->first_byte) + start, end - start);
        cache_publish_part(part, whole);
        counter = part->counter;
    }
    system_unlock();
    return counter;
}

/* With sign 1, from the counts of the whole block to those of what was executed; with -1 back. */
static void correct(struct context *context, const struct origin *place, uint64_t sign) {
    const struct block *block = place->block;
    if (!block)
        return;
    if (!place->counted && place->executed > 0)
        context->counters[part_counter(block, 0, place->executed)] += sign;
    if (place->counted && place->executed < block->instruction_count) {
        context->counters[part_counter(block, place->executed, block->instruction_count)] -= sign;
        if (gone_follower(block))
            context->counters[gone_follower(block)->counter] -= sign;
    }
    if (place->counted && block->copies > 1)
        context->counters[block->left_out] -= sign * (block->copies - 1 - place->copy);
    if (place->repeat)
        context->counters[place->repeat] -= sign * place->repeat_count;
}

void partial_leave(struct context *context, struct interruption *interruption) {
    if (!interruption->left)
        correct(context, &interruption->place, 1);
    interruption->left = true;
}

void partial_resume(struct context *context, struct interruption *interruption) {
    if (interruption->left)
        correct(context, &interruption->place, (uint64_t)-1);
    interruption->left = false;
}
