/* SPDX-License-Identifier: BSD-3-Clause
 * Machine code, instruction by instruction, at a place that moves on. Called under the lock. No sequence here changes
 * the flags, unless it says so. */
#ifndef BENCH_COUNT_EMIT_H
#define BENCH_COUNT_EMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI }; /* registers, as instructions number them */

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

/* The bytes to leave out before a jump of 5 bytes that is to lie within an aligned word of 8. */
unsigned emit_jump_padding(const uint8_t *at);

/* Sets the 32-bit distance of a branch, at whose end it stands, to where that leads. */
void emit_set_distance(uint8_t *distance, uint64_t target);

/* jmp with such a distance. */
enum { EMIT_JUMP = 0xe9, EMIT_DISTANCE_BYTES = 4, EMIT_JUMP_BYTES = 5 };

/* The prefix by which an address has 32 bits, and is relative to eip in place of rip. */
enum { EMIT_ADDRESS_OF_32_BITS = 0x67 };

/* Whether a 32-bit distance from the end of an instruction reaches. */
bool emit_reaches(uint64_t from, uint64_t to);

/* Leaves the cache by the exit of that number; so many bytes. */
void emit_exit(uint32_t exit);
enum { EMIT_EXIT_BYTES = 21 };

/* Pushes the program's return address, which stands near, as a call does, and has the CPU predict that the function
 * returns to the jump whose place this gives, and which leads nowhere yet. */
uint8_t *emit_call(const uint64_t *return_address);
enum { EMIT_CALL_BYTES = 21, EMIT_CALL_LANDING_AT = 5, EMIT_CALL_POP_AT = 10 };

/* The program's address in rcx and passing.target, its own rcx in lookup_rcx: to the block there, by way of the
 * thread's table. As a return, it is by a return of the CPU's own, as that has predicted it. */
void emit_indirect(void);
void emit_indirect_return(void);
/* The same in place of emit_indirect(), where one target is expected: a jump to it, and one for all others. None is
 * expected yet. */
struct emit_guess {
    uint64_t *expected;    /* where the target stands that is expected, negated; replaced at one stroke */
    uint8_t *met, *missed; /* the 32-bit distances of the jumps */
};
struct emit_guess emit_guess(void);
enum { EMIT_GUESS_NONE = 1 };
/* Where they go on that have not found the block at the first place of the table: to where it is by the second one, or
 * out of the cache. Gives the last instruction's address. */
uint8_t *emit_indirect_again(bool returns);
/* Where guesses go on that are always missed: to what is at the first place, or on to emit_indirect_again(). */
void emit_indirect_anew(void);

void emit_set(uint32_t offset, uint32_t value); /* movq $value, %gs:offset */

/* Adds to a counter, -128 to 127. */
void emit_count(uint32_t counter, int count);
/* Adds one where the kernel may abort what it has interrupted: the registers that this uses are known by the context.
 */
void emit_count_restorably(uint32_t counter);
/* Adds one, and changes a register, none of rsp and r12. */
void emit_count_by(uint32_t counter, unsigned reg);
/* Adds one, and changes the flags, all but the carry. */
void emit_count_plainly(uint32_t counter);
/* Adds rcx, or takes it away: around a rep-prefixed instruction. */
void emit_count_rcx(uint32_t counter, bool negative);
/* Adds the set bits of opmask register `mask`, or the sign bits of a vector register's elements. */
void emit_count_mask(uint32_t counter, unsigned mask, unsigned elements);
enum emit_vector { EMIT_MMX, EMIT_XMM, EMIT_YMM };
void emit_count_vector_mask(uint32_t counter, enum emit_vector kind, unsigned vector, unsigned element_bytes,
                            unsigned elements);
/* Adds rows × bytes per row of a tile; or rows × bytes per row / 4 × bytes per row of `tile2` / element_bytes. */
void emit_count_tile(uint32_t counter, unsigned tile);
void emit_count_tile_product(uint32_t counter, unsigned tile, unsigned tile2, unsigned element_bytes);
/* Keeps how tiles are configured now. */
void emit_keep_tiles(void);

#endif
