/* SPDX-License-Identifier: BSD-3-Clause
 * Restartable sequences (see restartable.h). Descriptors are recognized by properties that seldom occur by chance: they
 * are aligned, and the kernel's signature precedes the abort address that they contain. */
#include "restartable.h"

#include <sys/rseq.h>

#include "bench/count/base/fail.h"
#include "bench/count/base/system.h"
#include "emit.h"
#include "gone.h"
#include "sequence.h"

enum { MAX_SEQUENCES = 1024, MAX_INSTRUCTIONS = 256, MAX_BYTES = 4096, ALIGNMENT = 32 };

static struct restartable sequences[MAX_SEQUENCES];
static uint32_t count, signature = 0x53053053; /* libc's; else the program's registered one */

void restartable_begin(struct context *context) {
    uint64_t thread;
    __asm__("mov %%fs:0, %0" : "=r"(thread));
    if (__rseq_size > 0) /* libc registers threads */
        context->rseq = thread + (uint64_t)__rseq_offset;
}

void restartable_register(struct context *context, const struct registers *call) {
    const uint64_t none = (uint64_t)context->no_rseq;
    if (call->rdx == 0 && context->rseq == none) {
        context->rseq = call->rdi;
        signature = (uint32_t)call->r10;
    } else if (call->rdx != 0 && context->rseq == call->rdi) {
        context->rseq = none;
    }
}

const struct restartable *restartable_at(uint64_t address) {
    for (uint32_t i = 0; i < count; i++)
        if (sequences[i].start == address)
            return &sequences[i];
    return NULL;
}

static bool is_descriptor(uint64_t address, struct restartable *out) {
    if (address < 0x10000 || address % ALIGNMENT != 0 || !system_readable((const void *)address))
        return false;
    const struct rseq_cs *descriptor = (const struct rseq_cs *)address;
    *out = (struct restartable){.start = descriptor->start_ip,
                                .end = descriptor->start_ip + descriptor->post_commit_offset,
                                .abort = descriptor->abort_ip};
    const uint32_t *before_abort = (const uint32_t *)(out->abort - sizeof *before_abort);
    return descriptor->version == 0 && descriptor->post_commit_offset > 0 &&
           descriptor->post_commit_offset < MAX_BYTES && out->abort > MAX_BYTES &&
           (out->abort < out->start || out->abort >= out->end) && system_readable((const void *)out->start) &&
           system_readable(before_abort) && *before_abort == signature;
}

void restartable_look_for(const struct instruction *instruction) {
    const ZydisDecodedInstruction *decoded = &instruction->decoded;
    struct restartable found;
    uint64_t address = 0;
    if (decoded->mnemonic == ZYDIS_MNEMONIC_LEA && decode_is_rip_relative(instruction))
        address = decode_rip_target(instruction);
    else if (decoded->mnemonic == ZYDIS_MNEMONIC_MOV && decoded->raw.imm[0].size >= 32)
        address = decoded->raw.imm[0].value.u;
    if (address == 0 || !is_descriptor(address, &found) || restartable_at(found.start))
        return;
    if (count == MAX_SEQUENCES)
        fail_program("it has more restartable sequences than the counter's tables hold", 0);
    sequences[count++] = found;
    gone_change(found.start, found.end);
}

/* All its instructions. A block begins at each branch target, and after each branch. */
static struct {
    struct instruction instructions[MAX_INSTRUCTIONS];
    bool begins[MAX_INSTRUCTIONS + 1];
    uint64_t code[MAX_INSTRUCTIONS];     /* address of its copy */
    uint8_t *distance[MAX_INSTRUCTIONS]; /* place of the distance of a branch within the sequence */
    uint32_t count;
} unit;

static uint32_t index_of(uint64_t address) {
    uint32_t i = 0;
    while (i < unit.count && unit.instructions[i].address != address)
        i++;
    return i;
}

/* False if a byte is no instruction, or an instruction cannot be aborted: each may only use the program's registers. */
static bool decode_unit(const struct restartable *restartable) {
    uint64_t next = restartable->start;
    for (unit.count = 0; next < restartable->end; unit.count++) {
        struct instruction *instruction = &unit.instructions[unit.count];
        if (unit.count == MAX_INSTRUCTIONS || !decode_instruction(next, restartable->end - next, instruction))
            return false;
        next += instruction->decoded.length;
        bool jumps =
            decode_is_conditional_jump(instruction) ||
            (instruction->decoded.meta.category == ZYDIS_CATEGORY_UNCOND_BR && decode_is_relative(instruction));
        if ((decode_is_branch(instruction) && !jumps) || instruction->effect.dynamic != DYNAMIC_NONE)
            return false;
    }
    __builtin_memset(unit.begins, 0, sizeof unit.begins);
    unit.begins[0] = true;
    for (uint32_t i = 0; i < unit.count; i++)
        if (decode_is_branch(&unit.instructions[i])) {
            unit.begins[i + 1] = true;
            unit.begins[index_of(decode_branch_target(&unit.instructions[i]))] = true;
        }
    return true;
}

static struct block *new_block(uint64_t address, uint32_t first, uint32_t object) {
    struct block *block = cache_new_block(address, 1);
    uint32_t last = first + 1;
    while (last < unit.count && !unit.begins[last])
        last++;
    const struct instruction *end = &unit.instructions[last - 1];
    block->original = unit.instructions[first].address;
    block->code = (uint64_t)emit_at;
    block->object = (uint16_t)object;
    block->instruction_count = (uint16_t)(last - first);
    cache_keep_bytes(block, (const uint8_t *)block->original,
                     (uint32_t)(end->address + end->decoded.length - block->original));
    return block;
}

/* The code at which the kernel continues: it leaves the cache. The kernel requires its signature before it. */
static uint64_t emit_abort(const struct restartable *restartable, struct code_arena *arena) {
    uint32_t number;
    struct exit *exit = exit_new(EXIT_ABORT, &number);
    exit->target = restartable->abort;
    emit_u32(signature);
    struct block *block = cache_new_block(~0ull, 1);
    struct instruction first;
    block->original = restartable->abort;
    block->code = (uint64_t)emit_at;
    block->instruction_count = block->counted_at = 1;
    decode_instruction(restartable->abort, ZYDIS_MAX_INSTRUCTION_LENGTH, &first);
    cache_keep_bytes(block, first.bytes, first.decoded.length);
    cache_keep_begin(block, 0, block->code);
    emit_exit(number);
    cache_keep_done(block, 0, (uint64_t)emit_at + first.decoded.length);
    cache_publish(block, arena);
    return block->code;
}

/* Activates a descriptor with its last instruction. */
static void emit_arm(const struct rseq_cs *descriptor) {
    emit_store(RCX, PASSING_OFFSET(lookup_rcx));
    emit_store(RAX, PASSING_OFFSET(restoring_rax));
    emit_load(RAX, CONTEXT_OFFSET(rseq));
    emit_constant(RCX, (uint64_t)descriptor);
    emit_set(PASSING_OFFSET(restoring), 1);
    EMIT("\x48\x89\x48"); /* mov %rcx, rseq_cs(%rax) */
    emit_byte(offsetof(struct rseq, rseq_cs));
}

static void emit_arm_end(void) {
    emit_load(RCX, PASSING_OFFSET(lookup_rcx));
    emit_load(RAX, PASSING_OFFSET(restoring_rax));
    emit_set(PASSING_OFFSET(restoring), 0);
}

/* A branch within the sequence must not leave it: the kernel would not recognize the code outside. */
static void emit_jump(struct code_arena *arena, uint32_t i, const struct block *block) {
    const struct instruction *instruction = &unit.instructions[i];
    const uint64_t target = decode_branch_target(instruction);
    const int condition = decode_is_conditional_jump(instruction) ? instruction->decoded.opcode & 15 : -1;
    unit.distance[i] = NULL;
    if (index_of(target) == unit.count) {
        link_emit(arena, condition, target, block);
        return;
    }
    if (condition < 0) {
        EMIT("\xe9"); /* jmp */
    } else {
        EMIT("\x0f"); /* jcc */
        emit_byte(0x80 | (unsigned)condition);
    }
    unit.distance[i] = emit_at;
    emit_u32(0);
}

static void set_distances(void) {
    for (uint32_t i = 0; i < unit.count; i++) {
        if (!decode_is_branch(&unit.instructions[i]) || !unit.distance[i])
            continue;
        emit_set_distance(unit.distance[i], unit.code[index_of(decode_branch_target(&unit.instructions[i]))]);
    }
}

/* The blocks, one after the other; returns where the copy of the first instruction begins for the kernel. */
static uint64_t emit_blocks(const struct restartable *restartable, struct code_arena *arena, uint32_t object,
                            const struct rseq_cs *descriptor, uint64_t *first) {
    struct block *block = NULL;
    uint64_t low = 0;
    uint32_t begin = 0;
    for (uint32_t i = 0; i < unit.count; i++) {
        unit.code[i] = (uint64_t)emit_at;
        if (unit.begins[i]) {
            if (block)
                cache_publish(block, arena);
            block = new_block(i == 0 ? restartable->start : ~0ull, i, object);
            begin = i;
        }
        cache_keep_begin(block, i - begin, (uint64_t)emit_at);
        if (i == 0) {
            *first = block->code;
            emit_count(block->counter, 1);
            emit_arm(descriptor);
            low = (uint64_t)emit_at;
            emit_arm_end();
        } else if (unit.begins[i]) {
            emit_count_restorably(block->counter);
        }
        if (decode_is_branch(&unit.instructions[i]))
            emit_jump(arena, i, block);
        else
            copy_instruction(&unit.instructions[i]);
        cache_keep_done(block, i - begin, (uint64_t)emit_at);
    }
    cache_publish(block, arena);
    return low;
}

uint64_t restartable_translate(const struct restartable *restartable, struct code_arena *arena, uint32_t object) {
    if (!decode_unit(restartable))
        fail_program("it has a restartable sequence (rseq) with a call or an unusual instruction, at",
                     restartable->start);
    uint64_t first = 0;
    emit_at = (uint8_t *)(((uint64_t)arena->at + ALIGNMENT - 1) & ~(uint64_t)(ALIGNMENT - 1));
    struct rseq_cs *descriptor = (struct rseq_cs *)emit_at;
    emit_at += sizeof *descriptor;
    const uint64_t abort = emit_abort(restartable, arena);
    emit_at = (uint8_t *)(((uint64_t)emit_at + ALIGNMENT - 1) & ~(uint64_t)(ALIGNMENT - 1));
    const uint64_t low = emit_blocks(restartable, arena, object, descriptor, &first);
    const uint64_t high = (uint64_t)emit_at;
    const struct block none = {.address = ~0ull};
    link_emit(arena, -1, restartable->end, &none);
    set_distances();
    *descriptor = (struct rseq_cs){.start_ip = low, .post_commit_offset = high - low, .abort_ip = abort};
    arena->at = emit_at;
    return first;
}

void restartable_abort(struct context *context, const struct exit *exit) {
    struct passing *passing = &context->passing;
    if (passing->restoring) {
        passing->registers.rax = passing->restoring_rax;
        passing->registers.rcx = passing->lookup_rcx;
    }
    passing->restoring = 0;
    passing->target = exit->target;
    passing->exit = 0;
}

void restartable_restore(struct context *context, greg_t *registers) {
    if (context->passing.restoring) {
        registers[REG_RAX] = (greg_t)context->passing.restoring_rax;
        registers[REG_RCX] = (greg_t)context->passing.lookup_rcx;
    }
    context->passing.restoring = 0;
}
