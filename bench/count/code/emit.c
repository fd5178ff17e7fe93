/* SPDX-License-Identifier: BSD-3-Clause
 * Emits the counter's own machine code (see emit.h); comments show the assembly. A signal may come between any two
 * instructions, and place.c then finds the program's registers by decoding this code. So a register is stored before
 * use and reloaded from the same place; rax holds the flags between `seto` and `sahf`; a counter changes in the last
 * instruction before registers and flags are restored. */
#include "emit.h"

#include "context.h"

uint8_t *emit_at;

void emit_byte(unsigned byte) {
    *emit_at++ = (uint8_t)byte;
}

void emit_copy(const void *bytes, size_t count) {
    __builtin_memcpy(emit_at, bytes, count);
    emit_at += count;
}

void emit_u32(uint32_t value) {
    emit_copy(&value, sizeof value);
}

static void emit_u64(uint64_t value) {
    emit_copy(&value, sizeof value);
}

/* gs prefix, REX.W, opcode, ModRM and SIB of an absolute address. */
static void emit_gs(unsigned opcode, unsigned reg, uint32_t offset) {
    emit_byte(0x65);
    emit_byte(0x48 | (reg >> 3) << 2);
    emit_byte(opcode);
    emit_byte(0x04 | (reg & 7) << 3);
    emit_byte(0x25);
    emit_u32(offset);
}

/* The same with an address relative to eip, whose 32 bits wrap around: it reaches the whole context from anywhere. On
 * Zen 4, a load gets a value stored at such an address at once (consecutive `incq` take 1 cycle each), but only after 6
 * cycles with an absolute address. Nothing may follow the operand in the instruction. */
static void emit_gs_near(unsigned opcode, unsigned reg, uint32_t offset) {
    EMIT("\x67\x65");
    emit_byte(0x48 | (reg >> 3) << 2);
    emit_byte(opcode);
    emit_byte(0x05 | (reg & 7) << 3);
    emit_u32(offset - (uint32_t)(uint64_t)(emit_at + sizeof offset));
}

static void emit_store_near(unsigned reg, uint32_t offset) {
    emit_gs_near(0x89, reg, offset);
}
static void emit_load_near(unsigned reg, uint32_t offset) {
    emit_gs_near(0x8b, reg, offset);
}

void emit_store(unsigned reg, uint32_t offset) {
    emit_gs(0x89, reg, offset);
}

void emit_load(unsigned reg, uint32_t offset) {
    emit_gs(0x8b, reg, offset);
}

void emit_constant(unsigned reg, uint64_t value) {
    emit_byte(0x48 | reg >> 3);
    emit_byte(0xb8 | (reg & 7));
    emit_u64(value);
}

void emit_jump_through(uint32_t offset) {
    EMIT("\x65\xff\x24\x25"); /* jmp *%gs:offset */
    emit_u32(offset);
}

void emit_set(uint32_t offset, uint32_t value) {
    emit_gs(0xc7, 0, offset); /* movq $value, %gs:offset */
    emit_u32(value);
}

void emit_nops(unsigned bytes) {
    static const uint8_t nops[][8] = {{0},
                                      {0x90},
                                      {0x66, 0x90},
                                      {0x0f, 0x1f},
                                      {0x0f, 0x1f, 0x40},
                                      {0x0f, 0x1f, 0x44},
                                      {0x66, 0x0f, 0x1f, 0x44},
                                      {0x0f, 0x1f, 0x80},
                                      {0x0f, 0x1f, 0x84}};
    emit_copy(nops[bytes], bytes);
}

unsigned emit_jump_padding(const uint8_t *at) {
    const unsigned place = (uint64_t)at % 8;
    return place > 3 ? 8 - place : 0;
}

void emit_set_distance(uint8_t *distance, uint64_t target) {
    const uint32_t value = (uint32_t)(target - (uint64_t)(distance + EMIT_DISTANCE_BYTES));
    __builtin_memcpy(distance, &value, sizeof value);
}

bool emit_reaches(uint64_t from, uint64_t to) {
    int64_t distance = (int64_t)(to - from);
    return distance == (int32_t)distance;
}

void emit_exit(uint32_t exit) {
    emit_set(PASSING_OFFSET(exit), exit);
    emit_jump_through(CONTEXT_OFFSET(dispatch));
}

/* The CPU has seen the call and predicts the function's return: see emit_indirect_return(). Only between
 * these instructions the stack differs from the program's. One store pushes the address, so that it can be forwarded to
 * loads. */
uint8_t *emit_call(const uint64_t *return_address) {
    uint8_t *landing = emit_at + EMIT_CALL_LANDING_AT;
    EMIT("\xe8\x05\0\0\0");       /* call over */
    EMIT("\xe9\0\0\0\0");         /* landing: jmp to the block there */
    EMIT("\x48\x8d\x64\x24\x08"); /* over: lea 8(%rsp), %rsp */
    EMIT("\xff\x35");             /* push address(%rip) */
    emit_at += EMIT_DISTANCE_BYTES;
    emit_set_distance(emit_at - EMIT_DISTANCE_BYTES, (uint64_t)return_address);
    return landing;
}

/* Converts the number of an entry in r11 to the entry's offset in units of 8 bytes. */
static void emit_find_entry(void) {
    EMIT("\x47\x8d\x1c\x1b"); /* lea (%r11,%r11), %r11d: an entry has 16 bytes */
}

/* An instruction with an operand in the table entry at r11's offset. */
#define EMIT_OF_ENTRY(literal, member)                                                                                 \
    do {                                                                                                               \
        EMIT(literal);                                                                                                 \
        emit_u32(CONTEXT_OFFSET(lookups) + (uint32_t)offsetof(struct lookup, member));                                 \
    } while (0)

/* jrcxz; returns the address of its distance. */
static uint8_t *emit_jrcxz(void) {
    emit_byte(0xe3);
    return emit_at++;
}

static void emit_land(uint8_t *distance) {
    *distance = (uint8_t)(emit_at - (distance + 1));
}

static void emit_load_r11_rcx(void) {
    emit_load(11, PASSING_OFFSET(lookup_r11));
    emit_load(RCX, PASSING_OFFSET(lookup_rcx));
}

void emit_indirect(void) {
    emit_store(11, PASSING_OFFSET(lookup_r11));
    emit_store(10, PASSING_OFFSET(lookup_r10));
    EMIT("\x44\x0f\xb7\xd9"); /* movzwl %cx, %r11d */
    emit_find_entry();
    EMIT_OF_ENTRY("\x65\x4e\x8b\x14\xdd", negated); /* mov %gs:lookups(,%r11,8), %r10 */
    EMIT("\x4a\x8d\x0c\x11");                       /* lea (%rcx,%r10), %rcx */
    uint8_t *found = emit_jrcxz();
    emit_load(10, PASSING_OFFSET(lookup_r10));
    emit_jump_through(CONTEXT_OFFSET(again));
    emit_land(found);
    EMIT_OF_ENTRY("\x65\x4e\x8b\x14\xdd", code); /* mov %gs:lookups+8(,%r11,8), %r10 */
    emit_store(10, PASSING_OFFSET(resume));
    emit_load(10, PASSING_OFFSET(lookup_r10));
    emit_load_r11_rcx();
    emit_jump_through(PASSING_OFFSET(resume));
}

/* The address to continue at is written below the program's stack, over the return address that the program has just
 * popped. */
void emit_indirect_return(void) {
    emit_store(11, PASSING_OFFSET(lookup_r11));
    EMIT("\x44\x0f\xb7\xd9"); /* movzwl %cx, %r11d */
    emit_find_entry();
    EMIT_OF_ENTRY("\x65\x42\xff\x34\xdd", code);    /* push %gs:lookups+8(,%r11,8) */
    EMIT_OF_ENTRY("\x65\x4e\x8b\x1c\xdd", negated); /* mov %gs:lookups(,%r11,8), %r11 */
    EMIT("\x4a\x8d\x0c\x19");                       /* lea (%rcx,%r11), %rcx */
    uint8_t *found = emit_jrcxz();
    EMIT("\x48\x8d\x64\x24\x08"); /* lea 8(%rsp), %rsp */
    emit_jump_through(CONTEXT_OFFSET(again_returns));
    emit_land(found);
    emit_load_r11_rcx();
    emit_byte(0xc3); /* ret */
}

struct emit_guess emit_guess(void) {
    struct emit_guess guess;
    emit_store(11, PASSING_OFFSET(lookup_r11));
    while ((uint64_t)(emit_at + 2) % sizeof *guess.expected)
        emit_nops(1);
    guess.expected = (uint64_t *)(void *)(emit_at + 2);
    emit_constant(11, EMIT_GUESS_NONE);
    EMIT("\x4a\x8d\x0c\x19"); /* lea (%rcx,%r11), %rcx */
    uint8_t *met = emit_jrcxz();
    emit_load_r11_rcx();
    emit_byte(EMIT_JUMP);
    guess.missed = emit_at;
    emit_u32(0);
    emit_land(met);
    emit_load_r11_rcx();
    while ((uint64_t)(emit_at + 1) % EMIT_DISTANCE_BYTES)
        emit_nops(1);
    emit_byte(EMIT_JUMP);
    guess.met = emit_at;
    emit_u32(0);
    return guess;
}

/* Compares the target with that of entry r11; sets passing.resume to the entry's copy. The returned jump is taken if
 * they are equal. */
static uint8_t *emit_try_entry(void) {
    emit_find_entry();
    EMIT_OF_ENTRY("\x65\x4a\x8b\x0c\xdd", code); /* mov %gs:lookups+8(,%r11,8), %rcx */
    emit_store(RCX, PASSING_OFFSET(resume));
    EMIT_OF_ENTRY("\x65\x4e\x8b\x1c\xdd", negated); /* mov %gs:lookups(,%r11,8), %r11 */
    emit_load(RCX, PASSING_OFFSET(target));
    EMIT("\x4a\x8d\x0c\x19"); /* lea (%rcx,%r11), %rcx */
    return emit_jrcxz();
}

uint8_t *emit_indirect_again(bool returns) {
    EMIT("\x65\x44\x0f\xb7\x1c\x25"); /* movzwl %gs:target+1, %r11d */
    emit_u32(PASSING_OFFSET(target) + 1);
    EMIT("\x65\x0f\xb6\x0c\x25"); /* movzbl %gs:target, %ecx */
    emit_u32(PASSING_OFFSET(target));
    EMIT("\x45\x8d\x1c\xcb"); /* lea (%r11,%rcx,8), %r11d */
    EMIT("\x45\x0f\xb7\xdb"); /* movzwl %r11w, %r11d */
    uint8_t *found = emit_try_entry();
    emit_load_r11_rcx();
    emit_exit(0);
    emit_land(found);
    emit_load_r11_rcx();
    if (!returns) {
        uint8_t *last = emit_at;
        emit_jump_through(PASSING_OFFSET(resume));
        return last;
    }
    EMIT("\x65\xff\x34\x25"); /* push %gs:resume */
    emit_u32(PASSING_OFFSET(resume));
    emit_byte(0xc3); /* ret */
    return emit_at - 1;
}

void emit_indirect_anew(void) {
    EMIT("\x65\x44\x0f\xb7\x1c\x25"); /* movzwl %gs:target, %r11d */
    emit_u32(PASSING_OFFSET(target));
    uint8_t *found = emit_try_entry();
    emit_jump_through(CONTEXT_OFFSET(again));
    emit_land(found);
    emit_load_r11_rcx();
    emit_jump_through(PASSING_OFFSET(resume));
}

static uint32_t counter_offset(uint32_t counter) {
    return CONTEXT_OFFSET(counters) + 8 * counter;
}

/* Around sequences that change the flags: meanwhile ax holds them, and passing.scratch the program's rax. */
static void emit_flags_save(void) {
    emit_store(RAX, PASSING_OFFSET(scratch));
    EMIT("\x9f");         /* lahf */
    EMIT("\x0f\x90\xc0"); /* seto %al */
}

static void emit_flags_restore(void) {
    EMIT("\x04\x7f"); /* add $0x7f, %al: overflows if it was 1 */
    EMIT("\x9e");     /* sahf */
    emit_load(RAX, PASSING_OFFSET(scratch));
}

/* Programs seldom wait for r11. */
void emit_count(uint32_t counter, int count) {
    emit_store_near(11, PASSING_OFFSET(scratch));
    emit_load_near(11, counter_offset(counter));
    EMIT("\x4d\x8d\x5b"); /* lea count(%r11), %r11 */
    emit_byte((uint8_t)count);
    emit_store_near(11, counter_offset(counter));
    emit_load_near(11, PASSING_OFFSET(scratch));
}

void emit_count_restorably(uint32_t counter) {
    emit_store(RCX, PASSING_OFFSET(lookup_rcx));
    emit_store(RAX, PASSING_OFFSET(restoring_rax));
    emit_set(PASSING_OFFSET(restoring), 1);
    emit_load(RAX, counter_offset(counter));
    EMIT("\x48\x8d\x40\x01"); /* lea 1(%rax), %rax */
    emit_store(RAX, counter_offset(counter));
    emit_load(RAX, PASSING_OFFSET(restoring_rax));
    emit_load(RCX, PASSING_OFFSET(lookup_rcx));
    emit_set(PASSING_OFFSET(restoring), 0);
}

void emit_count_by(uint32_t counter, unsigned reg) {
    emit_store(reg, PASSING_OFFSET(scratch));
    emit_load_near(reg, counter_offset(counter));
    emit_byte(0x48 | (reg >> 3) << 2 | reg >> 3); /* lea 1(%reg), %reg */
    emit_byte(0x8d);
    emit_byte(0x40 | (reg & 7) << 3 | (reg & 7));
    emit_byte(1);
    emit_store_near(reg, counter_offset(counter));
}

void emit_count_plainly(uint32_t counter) {
    emit_gs_near(0xff, 0, counter_offset(counter)); /* incq %gs:counter */
}

static void emit_add_rcx(uint32_t counter) {
    emit_gs(0x01, RCX, counter_offset(counter)); /* add %rcx, %gs:counter */
}

void emit_count_rcx(uint32_t counter, bool negative) {
    emit_flags_save();
    if (negative)
        emit_gs(0x29, RCX, counter_offset(counter)); /* sub %rcx, %gs:counter */
    else
        emit_add_rcx(counter);
    emit_flags_restore();
}

/* Around sequences that need rcx too. */
static void emit_rcx_save(void) {
    emit_flags_save();
    emit_store(RCX, PASSING_OFFSET(scratch2));
}

static void emit_rcx_restore(void) {
    emit_load(RCX, PASSING_OFFSET(scratch2));
    emit_flags_restore();
}

static void emit_add_population(uint32_t counter, unsigned elements) {
    if (elements < 32) {
        EMIT("\x81\xe1"); /* and $elements, %ecx */
        emit_u32((1u << elements) - 1);
    } else if (elements == 32) {
        EMIT("\x89\xc9"); /* mov %ecx, %ecx */
    }
    EMIT("\xf3\x48\x0f\xb8\xc9"); /* popcnt %rcx, %rcx */
    emit_add_rcx(counter);
}

void emit_count_mask(uint32_t counter, unsigned mask, unsigned elements) {
    emit_rcx_save();
    if (elements <= 16)
        EMIT("\xc5\xf8\x93"); /* kmovw %kN, %ecx: AVX512F alone */
    else
        EMIT("\xc4\xe1\xfb\x93"); /* kmovq %kN, %rcx */
    emit_byte(0xc8 | mask);
    emit_add_population(counter, elements);
    emit_rcx_restore();
}

void emit_count_vector_mask(uint32_t counter, enum emit_vector kind, unsigned vector, unsigned element_bytes,
                            unsigned elements) {
    emit_rcx_save();
    if (element_bytes == 1) { /* pmovmskb %mmN or %xmmN, %ecx */
        if (kind == EMIT_XMM)
            emit_byte(0x66);
        if (vector & 8)
            emit_byte(0x41);
        EMIT("\x0f\xd7");
    } else { /* vmovmskps or vmovmskpd %xmmN or %ymmN, %ecx */
        emit_byte(0xc4);
        emit_byte(vector & 8 ? 0xc1 : 0xe1);
        emit_byte(0x78 | (kind == EMIT_YMM ? 4 : 0) | (element_bytes == 8 ? 1 : 0));
        emit_byte(0x50);
    }
    emit_byte(0xc8 | (vector & 7));
    emit_add_population(counter, elements);
    emit_rcx_restore();
}

enum { TILE_BYTES_AT = 16, TILE_ROWS_AT = 48 }; /* in what sttilecfg writes: 16-bit bytes per row, 8-bit rows */

/* movzwl %gs:(bytes per row of the tile), %ecx */
static void emit_load_row_bytes(unsigned tile) {
    EMIT("\x65\x0f\xb7\x0c\x25");
    emit_u32(CONTEXT_OFFSET(tiles) + TILE_BYTES_AT + 2 * tile);
}

/* Multiplies rcx by a value from the context. The flags in ax are saved in the context, not on the stack, whose red
 * zone belongs to the program. */
static void emit_multiply(const char *load, uint32_t offset) {
    emit_store(RAX, PASSING_OFFSET(relative));
    emit_copy(load, 5);
    emit_u32(offset);
    EMIT("\x48\x0f\xaf\xc8"); /* imul %rax, %rcx */
    emit_load(RAX, PASSING_OFFSET(relative));
}
#define LOAD_BYTE_EAX "\x65\x0f\xb6\x04\x25" /* movzbl %gs:offset, %eax */
#define LOAD_WORD_EAX "\x65\x0f\xb7\x04\x25" /* movzwl %gs:offset, %eax */

void emit_count_tile(uint32_t counter, unsigned tile) {
    emit_rcx_save();
    emit_load_row_bytes(tile);
    emit_multiply(LOAD_BYTE_EAX, CONTEXT_OFFSET(tiles) + TILE_ROWS_AT + tile);
    emit_add_rcx(counter);
    emit_rcx_restore();
}

void emit_count_tile_product(uint32_t counter, unsigned tile, unsigned tile2, unsigned element_bytes) {
    emit_rcx_save();
    emit_load_row_bytes(tile);
    emit_multiply(LOAD_BYTE_EAX, CONTEXT_OFFSET(tiles) + TILE_ROWS_AT + tile);
    emit_multiply(LOAD_WORD_EAX, CONTEXT_OFFSET(tiles) + TILE_BYTES_AT + 2 * tile2);
    EMIT("\x48\xc1\xe9"); /* shr $bits, %rcx: a column has 4 bytes */
    emit_byte(element_bytes == 1 ? 2 : element_bytes == 2 ? 3 : 4);
    emit_add_rcx(counter);
    emit_rcx_restore();
}

void emit_keep_tiles(void) {
    EMIT("\x65\xc4\xe2\x79\x49\x04\x25"); /* sttilecfg %gs:tiles */
    emit_u32(CONTEXT_OFFSET(tiles));
}
