/* SPDX-License-Identifier: BSD-3-Clause
 * A table of decoded blocks by the hash of their code (see profile_cost.h). Branch targets are stored as
 * distances, so equal bytes are equal instructions at any address. */
#include "profile_cost.h"

#include <stdlib.h>
#include <string.h>

#include "probe/need.h"

/* Limit of stored instructions, some 100 MB. It is enough for those that later processes are likely to run again. */
enum { KEPT_MOST = 1 << 19 };

struct decoded_run { /* its code follows its instructions in memory */
    uint64_t hash;
    uint32_t code_bytes, wanted, count; /* wanted: instructions of the block; count: decoded ones */
    struct decoded_instruction instructions[];
};

static uint64_t hash_of(const uint8_t *code, size_t bytes) {
    uint64_t hash = bytes, word;
    for (; bytes > 0; code += sizeof word, bytes -= bytes < sizeof word ? bytes : sizeof word) {
        word = 0;
        memcpy(&word, code, bytes < sizeof word ? bytes : sizeof word);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15; /* 2^64 / golden ratio: Knuth, vol. 3, 6.4 */
        hash ^= hash >> 32;
    }
    return hash;
}

static struct decoded_run *decode(const struct dump_block *block, const uint8_t *code, uint64_t hash) {
    const size_t most = block->instruction_count * sizeof(struct decoded_instruction);
    struct decoded_run *run = need_calloc(1, sizeof *run + most + block->code_bytes);
    *run = (struct decoded_run){hash, block->code_bytes, block->instruction_count, 0};
    for (uint32_t at = 0; run->count < run->wanted && at < block->code_bytes; run->count++) {
        struct decoded_instruction *instruction = &run->instructions[run->count];
        if (!instruction_decode(code + at, block->code_bytes - at, instruction))
            break;
        at += instruction->length_bytes;
    }
    instructions_find_unfused(code, run->instructions, run->count);
    memcpy(&run->instructions[run->wanted], code, block->code_bytes);
    return run;
}

static bool is_of(const struct decoded_run *run, const struct dump_block *block, const uint8_t *code, uint64_t hash) {
    return run->hash == hash && run->code_bytes == block->code_bytes && run->wanted == block->instruction_count &&
           memcmp(&run->instructions[run->wanted], code, block->code_bytes) == 0;
}

static void grow(struct code_instructions *known) {
    const struct code_instructions old = *known;
    known->slot_count = old.slot_count > 0 ? 2 * old.slot_count : 1 << 12;
    known->slots = need_calloc(known->slot_count, sizeof *known->slots);
    for (size_t i = 0; i < old.slot_count; i++) {
        if (old.slots[i] == NULL)
            continue;
        size_t slot = (size_t)old.slots[i]->hash & (known->slot_count - 1);
        while (known->slots[slot] != NULL)
            slot = (slot + 1) & (known->slot_count - 1);
        known->slots[slot] = old.slots[i];
    }
    free(old.slots);
}

static const struct decoded_run *run_of(struct code_instructions *known, const struct dump_block *block,
                                        const uint8_t *code) {
    const uint64_t hash = hash_of(code, block->code_bytes);
    if (2 * known->run_count >= known->slot_count)
        grow(known);
    size_t slot = (size_t)hash & (known->slot_count - 1);
    while (known->slots[slot] != NULL && !is_of(known->slots[slot], block, code, hash))
        slot = (slot + 1) & (known->slot_count - 1);
    if (known->slots[slot] == NULL) {
        known->slots[slot] = decode(block, code, hash);
        known->run_count++;
        known->instruction_count += block->instruction_count;
    }
    return known->slots[slot];
}

struct code_block *code_instructions_find(struct code_instructions *known, const struct dump *dump) {
    const uint8_t *code = dump->code;
    struct code_block *blocks = need_calloc(dump->header.block_count + 1, sizeof *blocks);
    if (known->instruction_count > KEPT_MOST)
        code_instructions_free(known);
    for (size_t i = 0; i < dump->header.block_count; i++) {
        const struct dump_block block = dump_block(dump, i);
        const struct decoded_run *run = run_of(known, &block, code);
        blocks[i] = (struct code_block){code, run->instructions, run->count};
        code += block.code_bytes;
    }
    return blocks;
}

void code_instructions_free(struct code_instructions *known) {
    for (size_t i = 0; i < known->slot_count; i++)
        free(known->slots[i]);
    free(known->slots);
    *known = (struct code_instructions){.run_count = 0};
}
