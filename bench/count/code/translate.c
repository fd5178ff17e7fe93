/* SPDX-License-Identifier: BSD-3-Clause */
#include "translate.h"

#include "probe/marks/collector.h"
#include "cache.h"
#include "context.h"
#include "emit.h"
#include "gone.h"
#include "object.h"
#include "record.h"
#include "restartable.h"
#include "sequence.h"
#include "written.h"

/* A short loop of one block is copied several times in a row and counted once per round: counting takes as long as many
 * loop bodies, and its store adds another cache line to those of the program. */
enum { LOOP_ALIGNMENT = 64, LOOP_BYTES = 512, MAX_COPIES = 16 };

static struct sequence sequence;

/* A function of another library is called through a stub: a jump through a pointer. If nobody can write to the pointer,
 * the copy of the call leads directly to the function, and the stub has no copy: it counts as often as the call. */
static struct stub {
    uint64_t place, target; /* 0: the sequence does not end with a jump or call to a stub */
    struct block *block;
} stub;

/* From here on, the branch at the end of the sequence has been executed. */
static void keep_done(struct block *block) {
    cache_keep_done(block, sequence.count - 1, (uint64_t)emit_at);
}

/* A system call leaves the address after it in rcx. */
static void emit_system_call(struct code_arena *arena, struct block *block) {
    uint32_t number;
    struct exit *exit = exit_new(EXIT_SYSTEM_CALL, &number);
    emit_exit(number);
    exit->resume = (uint64_t)emit_at;
    exit->next = sequence.next;
    EMIT("\x0f\x05"); /* syscall */
    keep_done(block);
    emit_constant(RCX, sequence.next);
    link_emit(arena, -1, sequence.next, block);
}

/* loop, loope, loopne, jrcxz: over a jump to the other path. */
static void translate_emit_loop(struct code_arena *arena, const struct instruction *instruction, struct block *block) {
    if (instruction->decoded.address_width == 32)
        emit_byte(0x67);
    emit_byte(instruction->decoded.opcode);
    uint8_t *over = emit_at++;
    keep_done(block);
    link_emit(arena, -1, sequence.next, block);
    *over = (uint8_t)(emit_at - (over + 1));
    link_emit(arena, -1, decode_branch_target(instruction), block);
}

static void emit_return(const struct instruction *instruction, struct block *block) {
    emit_store(RCX, PASSING_OFFSET(lookup_rcx));
    EMIT("\x59"); /* pop %rcx */
    emit_store(RCX, PASSING_OFFSET(target));
    if (instruction->decoded.raw.imm[0].size) {
        EMIT("\x48\x8d\xa4\x24"); /* lea bytes(%rsp), %rsp */
        emit_u32((uint32_t)instruction->decoded.raw.imm[0].value.u);
    }
    keep_done(block);
    if (instruction->decoded.raw.imm[0].size)
        emit_indirect();
    else
        emit_indirect_return();
}

/* The length of a stub: with CET, endbr64 and bnd precede the jump. 0: not a stub. Sets `place` if it is one. */
static uint32_t stub_bytes(uint64_t begin, uint64_t *place) {
    static const uint8_t endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
    const uint8_t *at = (const uint8_t *)begin;
    int32_t distance;
    if (__builtin_memcmp(at, endbr64, sizeof endbr64) == 0)
        at += sizeof endbr64;
    at += *at == 0xf2;
    if (at[0] != 0xff || at[1] != 0x25) /* jmp *distance(%rip) */
        return 0;
    __builtin_memcpy(&distance, at + 2, sizeof distance);
    at += 2 + sizeof distance;
    *place = (uint64_t)at + (uint64_t)(int64_t)distance;
    return (uint32_t)((uint64_t)at - begin);
}

/* Finds the stub that the sequence's last branch leads to, in the same object, if nobody writes code there. */
static void find_stub(uint32_t object) {
    enum { MOST_BYTES = 4 + 7, LEAST_MARKED_BYTES = 4 + 6 };
    const struct instruction *last = &sequence.instructions[sequence.count - 1];
    const ZydisInstructionCategory category = last->decoded.meta.category;
    stub = (struct stub){.target = 0};
    if (!sequence.branches || (category != ZYDIS_CATEGORY_CALL && category != ZYDIS_CATEGORY_UNCOND_BR) ||
        !decode_is_relative(last) || record_is_on())
        return;
    const uint64_t begin = decode_branch_target(last);
    if (object_known(last->address) != object || object_known(begin) != object ||
        object_get(object)->high - begin < MOST_BYTES || restartable_at(begin))
        return;
    const uint32_t bytes = stub_bytes(begin, &stub.place);
    stub.target = bytes ? object_constant(stub.place) : 0;
    if (!stub.target)
        return;
    stub.block = cache_new_follower(begin, (const uint8_t *)begin, bytes, bytes < LEAST_MARKED_BYTES ? 1 : 2);
    stub.block->object = (uint16_t)object;
}

/* The target of a call or jump if it is always the same; 0: unknown. A target that may change is read each time. */
static uint64_t constant_target(const struct instruction *instruction, struct block *block) {
    const uint32_t index = (uint32_t)(block - cache_block(0));
    if (stub.target) {
        block->constant = gone_rely(index, stub.place, stub.target, (uint32_t)(stub.block - cache_block(0)));
        return stub.target;
    }
    if (decode_is_relative(instruction))
        return decode_branch_target(instruction);
    if (!decode_is_rip_relative(instruction) || block->checked || decode_uses_segment(instruction, 0x64))
        return 0;
    const uint64_t place = decode_rip_target(instruction), target = object_constant(place);
    if (target)
        block->constant = gone_rely(index, place, target, 0);
    return target;
}

static void emit_call_or_jump(struct code_arena *arena, const struct instruction *instruction, struct block *block) {
    const uint64_t target = constant_target(instruction, block);
    if (!target) {
        emit_store(RCX, PASSING_OFFSET(lookup_rcx));
        copy_load_of_operand(instruction);
        emit_store(RCX, PASSING_OFFSET(target));
    }
    if (instruction->decoded.meta.category == ZYDIS_CATEGORY_CALL)
        landing_keep(sequence.next, block, emit_call(cache_keep_return(arena, sequence.next)));
    keep_done(block);
    if (target)
        link_emit(arena, -1, target, block);
    else if (decode_is_rip_relative(instruction)) /* a function of another library: its target seldom changes */
        link_emit_guess(arena);
    else
        emit_indirect();
}

static void emit_branch(struct code_arena *arena, const struct instruction *instruction, struct block *block) {
    switch (instruction->decoded.meta.category) {
    case ZYDIS_CATEGORY_RET:
        emit_return(instruction, block);
        break;
    case ZYDIS_CATEGORY_CALL:
    case ZYDIS_CATEGORY_UNCOND_BR:
        emit_call_or_jump(arena, instruction, block);
        break;
    case ZYDIS_CATEGORY_COND_BR:
        if (!decode_is_conditional_jump(instruction)) {
            translate_emit_loop(arena, instruction, block);
            break;
        }
        link_emit(arena, instruction->decoded.opcode & 15, decode_branch_target(instruction), block);
        keep_done(block);
        link_emit(arena, -1, sequence.next, block);
        break;
    default:
        emit_system_call(arena, block);
        break;
    }
}

static enum emit_vector vector_kind(ZydisRegister vector) {
    ZydisRegisterClass class = ZydisRegisterGetClass(vector);
    return class == ZYDIS_REGCLASS_YMM ? EMIT_YMM : class == ZYDIS_REGCLASS_MMX ? EMIT_MMX : EMIT_XMM;
}

static void emit_dynamic(const struct effect *effect, uint32_t counter) {
    unsigned mask = (unsigned)ZydisRegisterGetId(effect->mask), elements = effect->elements_most;
    switch (effect->dynamic) {
    case DYNAMIC_NONE:
        break;
    case DYNAMIC_REPEAT:
        emit_count_rcx(counter, false);
        break;
    case DYNAMIC_MASK:
        emit_count_mask(counter, mask, elements);
        break;
    case DYNAMIC_VECTOR_MASK:
        emit_count_vector_mask(counter, vector_kind(effect->mask), mask, effect->mask_element_bytes, elements);
        break;
    case DYNAMIC_TILE:
        emit_count_tile(counter, mask);
        break;
    case DYNAMIC_TILE_PRODUCT:
        emit_count_tile_product(counter, mask, (unsigned)ZydisRegisterGetId(effect->mask2), effect->mask_element_bytes);
        break;
    }
}

/* Emits the instruction with its own counters; returns the address at which it has been executed. */
static uint64_t emit_plain(const struct instruction *instruction) {
    const struct effect *effect = &instruction->effect;
    emit_dynamic(effect, instruction->counter);
    const uint64_t done = copy_instruction(instruction);
    if (effect->dynamic == DYNAMIC_REPEAT)
        emit_count_rcx(instruction->counter, true);
    if (instruction->decoded.mnemonic == ZYDIS_MNEMONIC_LDTILECFG ||
        instruction->decoded.mnemonic == ZYDIS_MNEMONIC_TILERELEASE)
        emit_keep_tiles();
    return done;
}

static void emit_mark(uint32_t mark) {
    uint32_t number;
    struct exit *exit = exit_new(EXIT_MARK, &number);
    emit_exit(number);
    exit->mark = mark;
    exit->resume = (uint64_t)emit_at;
}

static uint32_t copies_wanted(uint64_t address) {
    uint64_t fitting = LOOP_BYTES / (sequence.next - address);
    return !sequence.loops || fitting < 2 ? 1 : fitting < MAX_COPIES ? (uint32_t)fitting : MAX_COPIES;
}

/* Capped: tile products have more, and are just as often integer operations. */
static uint16_t translate_flop_of(const struct instruction *instruction) {
    enum { MOST = 256 };
    const unsigned flop = instruction->common ? 0 : instruction->effect.flop;
    return (uint16_t)(flop < MOST ? flop : MOST);
}

/* Creates the block at the sequence's address. */
static struct block *translate_new_block(struct code_arena *arena, uint32_t object, struct exit *from) {
    const uint64_t address = sequence.instructions[0].address;
    const uint32_t copies = record_copies(&sequence, copies_wanted(address));
    struct block *block = cache_new_block(address, copies);
    record_make_plan(&sequence, block);
    if (copies > 1 || record_is_of_rounds(block))
        emit_at = (uint8_t *)(((uint64_t)arena->at + LOOP_ALIGNMENT - 1) & ~(uint64_t)(LOOP_ALIGNMENT - 1));
    else
        emit_at = link_begin_code(arena, written_is_checked(address) ? NULL : from);
    block->code = (uint64_t)emit_at;
    block->object = (uint16_t)object;
    block->checked = written_is_checked(address);
    if (block->checked)
        block->address = ~0ull; /* no copy leads to it, not even its own */
    else if (written_object(address))
        gone_emit_entry();
    block->instruction_count = (uint16_t)sequence.count;
    block->counted_at = (uint8_t)sequence_count_place(&sequence).instruction;
    cache_keep_bytes(block, (const uint8_t *)address, (uint32_t)(sequence.next - address));
    for (uint32_t i = 0; i < sequence.count; i++) { /* they follow the block's counter */
        struct instruction *instruction = &sequence.instructions[i];
        instruction->counter = instruction->effect.dynamic != DYNAMIC_NONE ? cache_new_counter() : 0;
        block->flop += translate_flop_of(instruction);
    }
    return block;
}

static void emit_block_count(uint32_t counter, const struct count_place *place) {
    if (place->compares)
        copy_comparison(&sequence.instructions[place->instruction]);
    if (place->changes_flags)
        emit_count_plainly(counter);
    else if (place->changes_register >= 0)
        emit_count_by(counter, (unsigned)place->changes_register);
    else
        emit_count(counter, 1);
}

/* A copy of the sequence without the branch at its end. */
static void emit_copy_of(struct block *block, uint32_t copy) {
    const struct count_place counted = sequence_count_place(&sequence);
    const uint32_t plain = sequence.count - sequence.branches;
    for (uint32_t i = 0, place = copy * sequence.count; i < sequence.count; i++, place++) {
        cache_keep_begin(block, place, place == 0 ? block->code : (uint64_t)emit_at); /* including an end mark */
        record_emit_values(place);
        if (copy == 0 && i == counted.instruction)
            emit_block_count(block->counter, &counted);
        if (i < plain)
            cache_keep_done(block, place, emit_plain(&sequence.instructions[i]));
    }
}

static void emit_once(struct code_arena *arena, struct block *block) {
    if (sequence.ends_region)
        emit_mark(sequence.ends_region);
    record_emit_begin();
    record_emit_again();
    emit_copy_of(block, 0);
    record_emit_values(sequence.count);
    record_emit_complete(sequence.count);
    record_emit_end();
    if (sequence.branches) {
        emit_branch(arena, &sequence.instructions[sequence.count - 1], block);
    } else {
        if (sequence.mark)
            emit_mark(sequence.mark);
        link_emit(arena, -1, sequence.next, block);
    }
}

/* A conditional jump; returns the place of its distance. */
static uint8_t *translate_emit_jump(unsigned condition) {
    emit_byte(0x0f);
    emit_byte(0x80 | condition);
    emit_u32(0);
    return emit_at - 4;
}

/* The first copy counts the round. If another copy leaves the loop, the copies after it are subtracted. */
static void emit_rounds(struct code_arena *arena, struct block *block) {
    const unsigned condition = sequence.instructions[sequence.count - 1].decoded.opcode & 15, last = block->copies - 1;
    uint8_t *leaves[MAX_COPIES];
    record_emit_begin();
    const uint64_t again = (uint64_t)emit_at;
    record_emit_again();
    for (unsigned copy = 0; copy <= last; copy++) {
        emit_copy_of(block, copy);
        if (copy == last)
            record_emit_round(block->copies * sequence.count);
        leaves[copy] = translate_emit_jump(copy < last ? condition ^ 1 : condition);
        cache_keep_done(block, (copy + 1) * sequence.count - 1, (uint64_t)emit_at);
    }
    emit_set_distance(leaves[last], again);
    if (record_is_of_rounds(block))
        record_emit_complete(block->copies * sequence.count);
    record_emit_end();
    link_emit(arena, -1, sequence.next, block);
    for (unsigned copy = 0; copy < last; copy++) {
        emit_set_distance(leaves[copy], (uint64_t)emit_at);
        record_emit_complete((copy + 1) * sequence.count);
        record_emit_end();
        emit_count(block->left_out, -(int)(last - copy));
        link_emit(arena, -1, sequence.next, block);
    }
}

/* The end of the code that a block at this address may span: the mapping's end or, for code that the program writes,
 * the page's end plus an instruction that crosses it. From now on writes to these pages are watched. */
static uint64_t end_of_code(uint64_t address, uint32_t object) {
    enum { PAGE_BYTES = 4096 };
    const bool written = written_object(address) != 0;
    const uint64_t end = written ? (address | (PAGE_BYTES - 1)) + 1 : object_get(object)->high;
    if (written)
        written_watch(address);
    if (end - address >= ZYDIS_MAX_INSTRUCTION_LENGTH || object_find(end) == 0)
        return end;
    if (written_object(end))
        written_watch_across(address);
    return end + ZYDIS_MAX_INSTRUCTION_LENGTH;
}

uint64_t translate(uint64_t address, struct exit *from) {
    uint32_t object = object_find(address);
    if (object == 0)
        return 0;
    const uint64_t high = end_of_code(address, object);
    const bool checked = written_is_checked(address);
    const struct block *before = checked ? NULL : gone_revive(address, object, high);
    if (before) {
        written_own(address, (uint32_t)(before - cache_block(0)));
        return before->code;
    }
    sequence_decode(address, high, checked, &sequence);
    while (sequence.count > 1 && !record_fits(&sequence))
        sequence_cut(&sequence);
    struct code_arena *arena = cache_arena(address);
    const struct restartable *restartable = restartable_at(address);
    if (restartable)
        return restartable_translate(restartable, arena, object);
    find_stub(object);
    struct block *block = translate_new_block(arena, object, from);
    if (block->copies > 1 || record_is_of_rounds(block))
        emit_rounds(arena, block);
    else
        emit_once(arena, block);
    arena->at = emit_at;
    cache_publish(block, arena);
    written_own(address, (uint32_t)(block - cache_block(0)));
    return block->code;
}
