/* SPDX-License-Identifier: BSD-3-Clause
 * From the cache back to the program (see place.h). The counter's own instructions in a copy show what they did to
 * registers: each register is stored before use, and reloaded from there when it is the program's again (emit.c). So
 * they are decoded from the begin of an instruction's copy up to the interruption. Between two of them the copy can be
 * entered again if all registers are the program's. */
#include "place.h"

#include "bench/count/base/system.h"
#include "bench/count/code/cache.h"
#include "bench/count/code/decode.h"
#include "bench/count/code/emit.h"
#include "bench/count/code/gone.h"
#include "bench/count/code/links.h"
#include "bench/count/code/record.h"
#include "bench/count/code/registers.h"
#include "bench/count/code/restartable.h"
#include "bench/count/code/stubs.h"

/* Executes one instruction of the program on the registers of an interruption before it: the instruction is put between
 * code that exchanges all registers, and called. */

enum { STEP_REGISTERS = 15 };
/* By instruction numbering, in the order of struct registers. */
static const uint8_t numbers[STEP_REGISTERS] = {RAX, RCX, RDX, RBX, RBP, RSI, RDI, 8, 9, 10, 11, 12, 13, 14, 15};
static void emit_step(const struct instruction *instruction) {
    EMIT("\x53\x55\x41\x54\x41\x55\x41\x56\x41\x57"); /* push %rbx, %rbp, %r12 to %r15 */
    emit_store(RSP, PASSING_OFFSET(after));
    EMIT("\x65\xff\x34\x25"); /* pushq %gs:flags */
    emit_u32(PASSING_OFFSET(registers.flags));
    EMIT("\x9d"); /* popfq */
    for (unsigned i = 0; i < STEP_REGISTERS; i++)
        emit_load(numbers[i], PASSING_OFFSET(registers) + 8 * i);
    emit_load(RSP, PASSING_OFFSET(registers.rsp));
    emit_copy(instruction->bytes, instruction->decoded.length);
    for (unsigned i = 0; i < STEP_REGISTERS; i++)
        emit_store(numbers[i], PASSING_OFFSET(registers) + 8 * i);
    emit_store(RSP, PASSING_OFFSET(registers.rsp));
    emit_load(RSP, PASSING_OFFSET(after));
    EMIT("\x9c");             /* pushfq */
    EMIT("\x65\x8f\x04\x25"); /* popq %gs:flags */
    emit_u32(PASSING_OFFSET(registers.flags));
    EMIT("\xfc");                                         /* cld */
    EMIT("\x41\x5f\x41\x5e\x41\x5d\x41\x5c\x5d\x5b\xc3"); /* pop %r15 to %r12, %rbp, %rbx; ret */
}

/* Executes an instruction with decode_overwritten_flags(): on general registers and flags, without fault. Called under
 * the lock; uses context->passing.registers. */
static void step_instruction(struct context *context, const struct instruction *instruction, greg_t *registers) {
    registers_take(registers, &context->passing.registers);
    emit_at = (uint8_t *)stubs_get()->step;
    emit_step(instruction);
    ((void (*)(void))stubs_get()->step)();
    registers_put(&context->passing.registers, registers);
}

enum { REGISTERS = 16, SYSCALL_BYTES = 2 };

/* State of decoding the counter's own instructions. */
struct own_code {
    uint64_t at;               /* the next instruction */
    uint64_t resume;           /* after the last instruction where all registers were the program's; 0: none yet */
    unsigned counts, settled;  /* changed counters: so far, and up to `resume` */
    uint32_t saved[REGISTERS]; /* by register: context offset of the program's value; 0: in the register */
    bool keeps_flags;          /* the flags are in ax, or in the context at `flags_at` */
    uint32_t flags_at;
    bool lost_flags; /* a changed counter or a comparison has overwritten flags that the program's instruction replaces
                        next */
    bool uncounted;  /* the instruction is over, but its block, to be counted before it, is not counted */
    uint64_t core;   /* copy of the instruction itself; 0: a branch */
    int overwritten; /* register that it overwrites: its value there does not matter; -1: none */
    bool leaves;     /* an exit's number is on its way to the dispatcher */
    bool popped;     /* the return address has been popped from the program's stack */
    bool pushed;     /* the cache address to continue at has replaced it */
    int held;        /* register that a recorded copy holds throughout, saved in the context; -1: none */
};

/* Starts at the begin of an instruction's copy, or after the copies. `holds`: the register for the record's end is
 * saved by then. */
static struct own_code place_walk_from(uint64_t at, const struct block *block, bool holds) {
    struct own_code walk = {.at = at, .overwritten = -1, .held = block->record ? block->held : -1};
    if (walk.held >= 0 && holds)
        walk.saved[walk.held] = PASSING_OFFSET(held);
    return walk;
}

static bool place_is_own(const struct own_code *walk) {
    for (unsigned i = 0; i < REGISTERS; i++)
        if (walk->saved[i] && (int)i != walk->held && (walk->at != walk->core || (int)i != walk->overwritten))
            return false;
    return !walk->keeps_flags && !walk->leaves;
}

static void place_settle(struct own_code *walk) {
    if (!place_is_own(walk))
        return;
    walk->resume = walk->at;
    walk->settled = walk->counts;
}

/* mov %reg, %gs:offset */
static void read_store(struct own_code *walk, unsigned reg, uint32_t offset) {
    if (offset >= CONTEXT_OFFSET(counters))
        walk->counts++;
    else if (!walk->saved[reg])
        walk->saved[reg] = offset;
    else if (reg == RAX && walk->keeps_flags)
        walk->flags_at = offset;
}

/* mov %gs:offset, %reg */
static void read_load(struct own_code *walk, unsigned reg, uint32_t offset) {
    if (walk->saved[reg] == offset)
        walk->saved[reg] = 0;
    else if (reg == RAX && walk->flags_at == offset)
        walk->flags_at = 0;
}

static void read_context(struct own_code *walk, const struct instruction *instruction) {
    const ZydisDecodedInstruction *decoded = &instruction->decoded;
    const unsigned reg = decoded->raw.modrm.reg | (unsigned)decoded->raw.rex.R << 3;
    const uint32_t offset = decode_is_rip_relative(instruction) ? (uint32_t)decode_rip_target(instruction)
                                                                : (uint32_t)decoded->raw.disp.value;
    if (decoded->opcode_map != ZYDIS_OPCODE_MAP_DEFAULT)
        return;
    switch (decoded->opcode) {
    case 0x89:
        read_store(walk, reg, offset);
        break;
    case 0x8b:
        read_load(walk, reg, offset);
        break;
    case 0xc7: /* movq $exit, %gs:exit */
        walk->leaves = walk->leaves || offset == PASSING_OFFSET(exit);
        break;
    case 0xff: /* incq %gs:counter; push %gs:lookups+8(,%r11,8); jmp *%gs:dispatch */
        walk->pushed = walk->pushed || decoded->raw.modrm.reg == 6;
        walk->lost_flags = walk->lost_flags || decoded->raw.modrm.reg == 0;
        walk->counts += decoded->raw.modrm.reg == 0;
        walk->leaves = false;
        break;
    case 0x01: /* add and sub %rcx, %gs:counter */
    case 0x29:
        walk->counts++;
        break;
    }
}

/* Reads the next instruction. Takes a jump if that does not skip `until`. */
static void read_next(struct own_code *walk, uint64_t until) {
    static struct instruction instruction;
    if (!decode_instruction(walk->at, ZYDIS_MAX_INSTRUCTION_LENGTH, &instruction))
        return;
    const ZydisDecodedInstruction *decoded = &instruction.decoded;
    walk->at += decoded->length;
    if (decode_uses_segment(&instruction, 0x65)) {
        read_context(walk, &instruction);
        return;
    }
    switch (decoded->mnemonic) {
    case ZYDIS_MNEMONIC_SETO:
        walk->keeps_flags = true;
        break;
    case ZYDIS_MNEMONIC_SAHF:
        walk->keeps_flags = false;
        break;
    case ZYDIS_MNEMONIC_CMP: /* copy_comparison() */
    case ZYDIS_MNEMONIC_TEST:
        walk->lost_flags = true;
        break;
    case ZYDIS_MNEMONIC_POP:
        walk->popped = true;
        break;
    case ZYDIS_MNEMONIC_CALL: /* emit_call() */
        walk->at = decode_branch_target(&instruction);
        break;
    case ZYDIS_MNEMONIC_LEA: /* 8(%rsp), %rsp */
        walk->pushed = walk->pushed && decoded->raw.modrm.reg != RSP;
        break;
    case ZYDIS_MNEMONIC_JRCXZ:
        if (decode_branch_target(&instruction) <= until)
            walk->at = decode_branch_target(&instruction);
        break;
    default:
        break;
    }
}

static void read_to(struct own_code *walk, uint64_t until) {
    place_settle(walk);
    while (walk->at < until) {
        read_next(walk, until);
        place_settle(walk);
    }
}

/* A changed counter or an executed instruction cannot be undone: reads on to where it is over. */
static void read_on(struct own_code *walk) {
    while (!walk->resume || walk->counts > walk->settled) {
        read_next(walk, walk->at);
        place_settle(walk);
    }
}

static void restore(const struct own_code *walk, const struct context *context, greg_t *registers) {
    enum { LAHF = 0xd5, OVERFLOW = 0x800, SUM_OF_OVERFLOW = 0x80 };
    const uint8_t *slots = (const uint8_t *)context;
    if (walk->keeps_flags) {
        uint64_t kept = (uint64_t)registers[REG_RAX];
        if (walk->flags_at)
            kept = *(const uint64_t *)(const void *)(slots + walk->flags_at);
        bool overflow = (uint8_t)kept == 1 || (uint8_t)kept == SUM_OF_OVERFLOW;
        registers[REG_EFL] &= ~(greg_t)(LAHF | OVERFLOW);
        registers[REG_EFL] |= (greg_t)((kept >> 8 & LAHF) | (overflow ? OVERFLOW : 0));
    }
    for (unsigned i = 0; i < REGISTERS; i++)
        if (walk->saved[i])
            *registers_by_number(registers, i) = *(const greg_t *)(const void *)(slots + walk->saved[i]);
    if (walk->pushed) {
        *(uint64_t *)registers[REG_RSP] = context->passing.target;
        registers[REG_RSP] += 8;
    }
    if (walk->popped)
        registers[REG_RSP] -= 8;
}

/* An instruction of a block, and its copy. */
struct position {
    const struct block *block;
    uint32_t place, copy, index; /* its index over all copies; its copy, and its index there */
    uint64_t next;               /* the address in the program after it */
    uint32_t counter;            /* counter of its elements, if effect.dynamic has some */
    struct instruction instruction;
};

static bool position_find(uint64_t code, struct position *out) {
    out->block = cache_block_at(code, &out->place);
    if (!out->block)
        return false;
    out->copy = out->place / out->block->instruction_count;
    out->index = out->place % out->block->instruction_count;
    out->next = out->block->original;
    out->counter = out->block->counter + 1;
    for (uint32_t i = 0; i <= out->index; i++) {
        const uint8_t *bytes = cache_bytes(out->block->first_byte) + (out->next - out->block->original);
        out->counter += i > 0 && out->instruction.effect.dynamic != DYNAMIC_NONE;
        decode_instruction((uint64_t)bytes, ZYDIS_MAX_INSTRUCTION_LENGTH, &out->instruction);
        out->instruction.address = out->next;
        out->next += out->instruction.decoded.length;
    }
    return true;
}

/* After a loop of several copies: a pass that left it before the last copy subtracts the copies after that. Completes
 * this. */
static void leave_rounds(struct context *context, const struct block *block, uint64_t code, greg_t *registers) {
    const uint32_t instructions = block->copies * block->instruction_count;
    uint64_t start = cache_done(block, instructions - 1);
    uint32_t left = 0;
    for (uint32_t copy = 0; copy + 1 < block->copies; copy++) {
        uint64_t jump_end = cache_done(block, (copy + 1) * block->instruction_count - 1);
        int32_t distance;
        __builtin_memcpy(&distance, (const uint8_t *)jump_end - sizeof distance, sizeof distance);
        uint64_t target = jump_end + (uint64_t)(int64_t)distance;
        if (target <= code && target >= start) {
            start = target;
            left = block->copies - 1 - copy;
        }
    }
    struct own_code walk = place_walk_from(start, block, true);
    read_to(&walk, code);
    restore(&walk, context, registers);
    if (left && walk.counts == 0)
        context->counters[block->left_out] -= left;
}

/* The target of the branch that ends a block and has been executed. */
static uint64_t branch_target(const struct context *context, const struct position *at, uint64_t code, uint64_t done) {
    switch (at->instruction.decoded.meta.category) {
    case ZYDIS_CATEGORY_COND_BR:
        if (decode_is_conditional_jump(&at->instruction) || code < done + ((const uint8_t *)done)[-1])
            return at->next;
        return decode_branch_target(&at->instruction);
    case ZYDIS_CATEGORY_RET:
    case ZYDIS_CATEGORY_CALL:
    case ZYDIS_CATEGORY_UNCOND_BR:
        if (at->block->constant)
            return gone_constant(at->block);
        return decode_is_relative(&at->instruction) ? decode_branch_target(&at->instruction) : context->passing.target;
    default:
        return at->next;
    }
}

/* Within a call (emit_call()): sets `code` back to its begin. True: at its landing, to which the function has
 * returned. */
static bool undo_call(uint64_t done, uint64_t *code, greg_t *registers) {
    const uint64_t call = done - EMIT_CALL_BYTES;
    if (*code == call + EMIT_CALL_LANDING_AT)
        return true;
    if (*code == call + EMIT_CALL_POP_AT)
        registers[REG_RSP] += 8;
    if (*code > call && *code < done)
        *code = call;
    return false;
}

/* In the branch at the end of a block, or after it. */
static void find_branch(struct context *context, const struct position *at, greg_t *registers, struct own_code *walk,
                        struct origin *out) {
    const uint64_t done = cache_done(at->block, at->place);
    uint64_t code = (uint64_t)registers[REG_RIP];
    bool calls = at->instruction.decoded.meta.category == ZYDIS_CATEGORY_CALL;
    bool system_call = at->instruction.decoded.mnemonic == ZYDIS_MNEMONIC_SYSCALL;
    if (calls && undo_call(done, &code, registers)) {
        out->rip = at->next;
        out->block = NULL;
        walk->resume = 0;
        return;
    }
    if (system_call && (uint64_t)registers[REG_RCX] == done)
        registers[REG_RCX] = (greg_t)at->next;
    if (code < done) {
        read_to(walk, code);
        restore(walk, context, registers);
        read_on(walk);
        if (system_call && walk->resume == done - SYSCALL_BYTES) /* the dispatcher may have to see the call again */
            walk->resume -= EMIT_EXIT_BYTES;
        out->rip = at->instruction.address;
        return;
    }
    if (at->block->copies > 1 || record_is_of_rounds(at->block)) {
        leave_rounds(context, at->block, code, registers);
    } else if (!decode_is_relative(&at->instruction) && !system_call) {
        read_to(walk, code);
        walk->popped = false;
        restore(walk, context, registers);
    }
    out->rip = branch_target(context, at, code, done);
    out->block = NULL;
    walk->resume = 0;
}

/* In an instruction other than a branch, or in the code before or after it. */
static void find_plain(struct context *context, const struct position *at, greg_t *registers, struct own_code *walk,
                       bool faults, struct origin *out) {
    const uint64_t done = cache_done(at->block, at->place);
    uint64_t code = (uint64_t)registers[REG_RIP];
    walk->core = done - at->instruction.decoded.length;
    walk->overwritten = decode_overwritten_register(&at->instruction);
    read_to(walk, code < done ? code : walk->core);
    if (walk->lost_flags && walk->at == code && code < done && !faults) {
        step_instruction(context, &at->instruction, registers);
        walk->uncounted = walk->counts == 0;
        code = done;
    }
    out->rip = code < done ? at->instruction.address : at->next;
    out->executed += code >= done;
    if (code >= done) {
        if (walk->overwritten >= 0)
            walk->saved[walk->overwritten] = 0;
        walk->at = done;
        walk->resume = 0;
        read_to(walk, code);
    }
    restore(walk, context, registers);
    read_on(walk);
    out->keeps = walk->resume == walk->core && walk->overwritten >= 0 && walk->saved[walk->overwritten];
    out->kept = (uint8_t)walk->overwritten;
}

/* Completes the record of a recorded block with its accesses so far. */
static void complete_record(const struct context *context, const struct position *at, uint64_t code, greg_t *registers,
                            const struct origin *place) {
    const uint64_t core = cache_done(at->block, at->place) - at->instruction.decoded.length;
    struct record_interruption interruption = {
        .code = code,
        .records_end = context->records_end,
        .executed = at->copy * at->block->instruction_count + place->executed,
        .repeats =
            at->instruction.effect.dynamic == DYNAMIC_REPEAT && code == core && place->rip == at->instruction.address,
    };
    for (unsigned i = 0; i < REGISTERS; i++)
        interruption.registers[i] = (uint64_t)*registers_by_number(registers, i);
    record_interrupt(at->block, &interruption);
}

/* In the code that looks up an indirect branch's target again. */
static void leave_again(const struct stubs *stubs, const struct context *context, greg_t *registers) {
    const bool pushed = (uint64_t)registers[REG_RIP] == stubs->again_returned;
    const struct own_code walk = {.saved = {[RCX] = PASSING_OFFSET(lookup_rcx), [11] = PASSING_OFFSET(lookup_r11)},
                                  .pushed = pushed};
    restore(&walk, context, registers);
}

void place_find(struct context *context, greg_t *registers, bool faults, struct origin *out) {
    static struct position at;
    const uint64_t code = (uint64_t)registers[REG_RIP];
    const struct stubs *stubs = stubs_get();
    restartable_restore(context, registers);
    *out = (struct origin){.rip = code};
    system_lock();
    if (code >= stubs->target && code < stubs->mask) {
        out->rip = context->passing.target;
    } else if (code >= stubs->anew && code < stubs->step) {
        leave_again(stubs, context, registers);
        out->rip = context->passing.target;
    } else if (exit_at_stub(code, context->passing.target, &out->rip) || !position_find(code, &at)) {
        /* no instruction of the program is in progress */
    } else if (code == at.block->code && at.block->address != at.block->original) {
        out->rip = at.block->original; /* it was about to enter a copy that must not be entered any more */
    } else {
        struct own_code walk = place_walk_from(cache_begin(at.block, at.place), at.block, at.place > 0);
        const bool counts = at.copy == 0 && at.index == at.block->counted_at;
        out->block = at.block;
        out->copy = at.copy;
        out->executed = at.index;
        if (decode_is_branch(&at.instruction))
            find_branch(context, &at, registers, &walk, out);
        else
            find_plain(context, &at, registers, &walk, faults, out);
        if (at.block->record)
            complete_record(context, &at, code, registers, out);
        out->resume = at.block->record || walk.uncounted ? 0 : walk.resume; /* with a record: it is complete now */
        out->counted = at.copy > 0 || at.index > at.block->counted_at || (counts && walk.settled > 0);
        if (at.instruction.effect.dynamic == DYNAMIC_REPEAT && walk.settled == counts + 1u) {
            out->repeat = at.counter;
            out->repeat_count = (uint64_t)registers[REG_RCX];
        }
    }
    system_unlock();
    registers[REG_RIP] = (greg_t)out->rip;
}

uint64_t place_address(uint64_t code) {
    static struct position at;
    system_lock();
    uint64_t address = position_find(code, &at) ? at.instruction.address : 0;
    system_unlock();
    return address;
}
