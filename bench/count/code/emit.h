/* SPDX-License-Identifier: BSD-3-Clause
 * Emits machine code, instruction by instruction, at `emit_at`. Called under the lock. No sequence here changes the
 * flags unless noted. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI }; /* as instructions number them */

extern uint8_t *emit_at;

void emit_byte(unsigned byte);
void emit_u32(uint32_t value);
void emit_copy(const void *bytes, size_t count);
#define EMIT(literal) emit_copy(literal, sizeof(literal) - 1)

void emit_store(unsigned reg, uint32_t offset);   /* mov %reg, %gs:offset */
void emit_load(unsigned reg, uint32_t offset);    /* mov %gs:offset, %reg */
void emit_constant(unsigned reg, uint64_t value); /* mov $value, %reg */
void emit_jump_through(uint32_t offset);          /* jmp *%gs:offset */
void emit_nops(unsigned bytes);                   /* up to 8, as one instruction */

/* The bytes to skip before a jump of 5 bytes so that it lies within an aligned word of 8. */
unsigned emit_jump_padding(const uint8_t *at);

/* Sets the 32-bit distance at the end of a branch so that it leads to `target`. */
void emit_set_distance(uint8_t *distance, uint64_t target);

/* jmp with such a distance. */
enum { EMIT_JUMP = 0xe9, EMIT_DISTANCE_BYTES = 4, EMIT_JUMP_BYTES = 5 };

/* The prefix for addresses of 32 bits, which are relative to eip instead of rip. */
enum { EMIT_ADDRESS_OF_32_BITS = 0x67 };

/* Whether a 32-bit distance from the end of an instruction reaches `to`. */
bool emit_reaches(uint64_t from, uint64_t to);

/* Leaves the cache by the exit of this number; takes EMIT_EXIT_BYTES. */
void emit_exit(uint32_t exit);
enum { EMIT_EXIT_BYTES = 21 };

/* Pushes the program's return address, stored nearby, like a call, and makes the CPU predict a return to a jump.
 * Returns the jump's place; the jump leads nowhere yet. */
uint8_t *emit_call(const uint64_t *return_address);
enum { EMIT_CALL_BYTES = 21, EMIT_CALL_LANDING_AT = 5, EMIT_CALL_POP_AT = 10 };

/* Continues at the block of the program's address in rcx and passing.target, found in the thread's table; the program's
 * rcx is in lookup_rcx. emit_indirect_return() does so with a `ret` instruction, as the CPU has predicted it. */
void emit_indirect(void);
void emit_indirect_return(void);
/* Replaces emit_indirect() where one target is expected: a jump to that target, and a jump for all others. Expects none
 * at first. */
struct emit_guess {
    uint64_t *expected;    /* place of the expected target, negated; replaced in one store */
    uint8_t *met, *missed; /* the 32-bit distances of the jumps */
};
struct emit_guess emit_guess(void);
enum { EMIT_GUESS_NONE = 1 };
/* For targets that are not at the table's first place: continues at the copy that the second place names, or leaves the
 * cache. Returns the address of the last instruction. */
uint8_t *emit_indirect_again(bool returns);
/* For guesses that always fail: continues at the copy that the first place names, or at emit_indirect_again(). */
void emit_indirect_anew(void);

void emit_set(uint32_t offset, uint32_t value); /* movq $value, %gs:offset */

/* Adds -128 to 127 to a counter. */
void emit_count(uint32_t counter, int count);
/* Adds one in code that the kernel may abort: the context knows the registers that this uses. */
void emit_count_restorably(uint32_t counter);
/* Adds one; changes a register other than rsp and r12. */
void emit_count_by(uint32_t counter, unsigned reg);
/* Adds one; changes these flags, bits of rflags: PF, AF, ZF, SF, OF. */
void emit_count_plainly(uint32_t counter);
enum { EMIT_COUNT_PLAINLY_FLAGS = 0x8d4 };
/* Adds or subtracts rcx: around an instruction with a rep prefix. */
void emit_count_rcx(uint32_t counter, bool negative);
/* Adds the number of set bits in opmask register `mask`, or of set sign bits in a vector register's elements. */
void emit_count_mask(uint32_t counter, unsigned mask, unsigned elements);
enum emit_vector { EMIT_MMX, EMIT_XMM, EMIT_YMM };
void emit_count_vector_mask(uint32_t counter, enum emit_vector kind, unsigned vector, unsigned element_bytes,
                            unsigned elements);
/* Adds rows × bytes per row of a tile; or rows × bytes per row / 4 × bytes per row of `tile2` / element_bytes. */
void emit_count_tile(uint32_t counter, unsigned tile);
void emit_count_tile_product(uint32_t counter, unsigned tile, unsigned tile2, unsigned element_bytes);
/* Stores the current configuration of the tiles. */
void emit_keep_tiles(void);
