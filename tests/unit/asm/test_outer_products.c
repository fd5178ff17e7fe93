/* SPDX-License-Identifier: BSD-3-Clause
 * Kernels of SME: the sums in their tiles, and the state that they leave. To see the tiles, a test lets a kernel's last
 * word leave them on. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

#include "asm/generate/generate.h"
#include "probe/cpu.h"

extern const char kernel_operands_f64[], kernel_operands_f32[], kernel_operands_f16[], kernel_operands_bf16[],
    kernel_operands_i8[], kernel_operands_i16[];
static const char *const OPERANDS[] = {
    [TYPE_F64] = kernel_operands_f64,   [TYPE_F32] = kernel_operands_f32, [TYPE_F16] = kernel_operands_f16,
    [TYPE_BF16] = kernel_operands_bf16, [TYPE_I8] = kernel_operands_i8,   [TYPE_I16] = kernel_operands_i16};

enum { VECTORS_MOST = 256, REPEATED_BYTES = 16 }; /* each operand is 16 bytes, repeated */
static const uint32_t SMSTOP = 0xd503467f, SMSTOP_MODE = 0xd503427f, NOP = 0xd503201f;

static char tiles[VECTORS_MOST][VECTORS_MOST]; /* ZA */

static bool executable(const struct kernel *kernel) {
    struct cpu_identity cpu;
    cpu_identify(&cpu);
    return kernel->cost.mix.outer && (kernel->needs & ~cpu.features) == 0;
}

static bool is_outer_product(uint32_t word) {
    return (word & 0xde00fc10) == 0x80000000 && (word & 0x00800000) != 0;
}

/* The words of a kernel that a test changes, and what they were. */
struct change {
    uint32_t *stop, *last, last_word;
};

static void set_words(const struct change *change, uint32_t stop, uint32_t last) {
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), from = (uintptr_t)change->last & ~(page - 1),
                    to = ((uintptr_t)(change->stop + 1) + page - 1) & ~(page - 1);
    assert_int_equal(mprotect((void *)from, to - from, PROT_READ | PROT_WRITE | PROT_EXEC), 0);
    *change->stop = stop;
    *change->last = last;
    __builtin___clear_cache((char *)change->last, (char *)(change->stop + 1));
    assert_int_equal(mprotect((void *)from, to - from, PROT_READ | PROT_EXEC), 0);
}

static struct change find_words(const struct kernel *kernel) {
    struct change change = {.stop = (uint32_t *)(uintptr_t)kernel->entry};
    for (; *change.stop != SMSTOP; change.stop++)
        if (is_outer_product(*change.stop))
            change.last = change.stop;
    assert_non_null(change.last);
    change.last_word = *change.last;
    return change;
}

/* And bytes of a sum. */
static unsigned tile_count(const struct kernel *kernel) {
    return kernel->type == TYPE_F64 || kernel->type == TYPE_I16 ? 8 : 4;
}

/* Copies ZA, and switches it off: `str za[w12, #0], [x1]` and `smstop za`. */
static void take_tiles(unsigned vector_bytes) {
    for (uint32_t i = 0; i < vector_bytes; i++)
        __asm__ volatile("mov w12, %w0\n\tmov x1, %1\n\t.inst 0xe1200020" ::"r"(i), "r"(tiles[i])
                         : "x1", "x12", "memory");
    __asm__ volatile(".inst 0xd503447f");
}

static uint64_t mode(void) {
    uint64_t value;
    __asm__ volatile(".inst 0xd53b4243\n\tmov %0, x3" : "=r"(value) : : "x3"); /* mrs x3, svcr */
    return value;
}

static double half(uint16_t bits, unsigned exponent_bits) {
    const int fraction_bits = 15 - (int)exponent_bits, bias = (1 << (exponent_bits - 1)) - 1;
    const int exponent = (bits >> fraction_bits) & ((1 << exponent_bits) - 1);
    const double fraction = 1 + (bits & ((1 << fraction_bits) - 1)) / (double)(1 << fraction_bits);
    double value = bits >> 15 ? -fraction : fraction;
    for (int i = exponent; i < bias; i++)
        value /= 2;
    for (int i = bias; i < exponent; i++)
        value *= 2;
    return value;
}

static const char *operand(enum element_type type, unsigned row, unsigned offset_bytes) {
    return OPERANDS[type] + row * LINE_BYTES + offset_bytes % REPEATED_BYTES;
}

/* An element of a row of the operands, as the kernel's type, or as that of its sums. */
static double element(const struct kernel *kernel, unsigned row, unsigned index, unsigned bytes) {
    const enum element_type type = kernel->type;
    const bool is_unsigned = strstr(kernel->op, "uu") != NULL, sum = row >= ROW_START;
    const char *at = operand(type, row, index * bytes);
    union {
        double f64;
        float f32;
        uint16_t u16;
        int16_t i16;
        uint8_t u8;
        int8_t i8;
    } value;
    memcpy(&value, at, bytes);
    if (type == TYPE_F64 || type == TYPE_F32 || (sum && !element_table[type].integer))
        return bytes == 8 ? value.f64 : (double)value.f32;
    if (type == TYPE_F16 || type == TYPE_BF16)
        return half(value.u16, type == TYPE_F16 ? 5 : 8);
    if (type == TYPE_I16)
        return is_unsigned ? value.u16 : value.i16;
    return is_unsigned ? value.u8 : value.i8;
}

enum { SIGNS = 2 }; /* products with the one constant, and with the other one */

/* A sum in a tile: its start value, and so many products of each sign of its row and column. */
static void check_sum(const struct kernel *kernel, unsigned tile, unsigned row, unsigned column,
                      const unsigned times[SIGNS]) {
    static const unsigned FACTORS[SIGNS] = {ROW_SCALE, ROW_SCALE_NEGATIVE};
    const unsigned sum_bytes = tile_count(kernel), bytes = element_table[kernel->type].bytes, each = sum_bytes / bytes,
                   start = ROW_START + tile % 4;
    const char *found = tiles[row * sum_bytes + tile] + column * sum_bytes;
    double products = 0;
    for (unsigned i = 0; i < SIGNS * each; i++)
        products += times[i % SIGNS] * element(kernel, ROW_STEP, row * each + i / SIGNS, bytes) *
                    element(kernel, FACTORS[i % SIGNS], column * each + i / SIGNS, bytes);
    const double sum = element_table[kernel->type].integer ? 0 : element(kernel, start, column, sum_bytes) + products;
    const float narrow = (float)sum;
    int64_t whole = 0;
    memcpy(&whole, operand(kernel->type, start, column * sum_bytes), sum_bytes);
    whole = (int64_t)((uint64_t)whole + (uint64_t)(int64_t)products);
    const void *wanted = element_table[kernel->type].integer ? (const void *)&whole
                         : sum_bytes == 8                    ? (const void *)&sum
                                                             : &narrow;
    if (memcmp(wanted, found, sum_bytes) != 0)
        fail_msg("%s %s: tile %u, row %u, column %u is wrong", kernel->name, kernel->variant, tile, row, column);
}

/* The constant's register is the one behind the first factor's, or the next. */
static void check_tiles(const struct kernel *kernel, const struct change *change, uint64_t blocks, bool lacks_last) {
    const unsigned count = tile_count(kernel), side = kernel->isa->vector_bytes / count;
    unsigned times[8][SIGNS] = {{0}};
    for (const uint32_t *word = (const uint32_t *)(uintptr_t)kernel->entry; word < change->stop; word++)
        if (is_outer_product(*word) && !(lacks_last && word == change->last))
            times[*word & (count - 1)][(*word >> 16 & 31) - count - 1] += (unsigned)blocks;
    for (unsigned tile = 0; tile < kernel->accumulators; tile++)
        for (unsigned row = 0; row < side; row++)
            for (unsigned column = 0; column < side; column++)
                check_sum(kernel, tile, row, column, times[tile]);
}

static void run_to_tiles(const struct kernel *kernel, bool whole, uint64_t blocks) {
    const struct change change = find_words(kernel);
    set_words(&change, SMSTOP_MODE, whole ? change.last_word : NOP);
    kernel->entry(&(struct kernel_call){.blocks = blocks, .passes = 1});
    take_tiles(kernel->isa->vector_bytes);
    set_words(&change, SMSTOP, change.last_word);
    check_tiles(kernel, &change, blocks, !whole);
}

/* QEMU 7.2 does it wrongly: products of ones leave 4 in each place, up to a tile's last row. */
static bool multiplies_bytes(unsigned vector_bytes) {
    int32_t last;
    __asm__ volatile(".inst 0xd503477f\n\t.inst 0xc00800ff\n\t" /* smstart, zero {za} */
                     ".inst 0x2518e3e0\n\t.inst 0x2538c020\n\t" /* ptrue p0.b, dup z0.b, #1 */
                     ".inst 0xa0800000\n\t"                     /* smopa za0.s, p0/m, p0/m, z0.b, z0.b */
                     ".inst 0xd503427f"                         /* smstop sm */
                     ::
                         : "p0", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13",
                           "v14", "v15", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26",
                           "v27", "v28", "v29", "v30", "v31");
    take_tiles(vector_bytes);
    memcpy(&last, tiles[vector_bytes - 4], sizeof last);
    return last == 4;
}

static bool believable(const struct kernel *kernel) {
    return kernel->type != TYPE_I8 || multiplies_bytes(kernel->isa->vector_bytes);
}

static void tiles_have_the_right_sums(void **state) {
    (void)state;
    size_t executed = 0;
    for (size_t i = 0; i < kernel_count; i++)
        if (executable(kernel_table[i])) {
            executed++;
            if (!believable(kernel_table[i])) {
                print_message("%s: this emulator adds up products of bytes wrongly\n", kernel_table[i]->name);
                continue;
            }
            run_to_tiles(kernel_table[i], false, 1);
            if (kernel_table[i]->type != TYPE_F16) /* its start values are no multiples of its products */
                run_to_tiles(kernel_table[i], true, 2);
        }
    if (executed == 0)
        skip();
}

/* Streaming mode and tiles are off, flags as before, and registers of the caller whole. */
static void state_is_as_before(void **state) {
    (void)state;
    enum { INEXACT = 1 << 4 };
    size_t executed = 0;
    for (size_t i = 0; i < kernel_count; i++) {
        register double kept __asm__("d8") = 1.25;
        uint64_t flags = INEXACT, usual;
        if (!executable(kernel_table[i]))
            continue;
        executed++;
        assert_int_equal(mode(), 0);
        __asm__ volatile("mrs %0, fpsr\n\tmsr fpsr, %1" : "=&r"(usual), "+r"(flags), "+w"(kept));
        kernel_table[i]->entry(&(struct kernel_call){.blocks = 1, .passes = 1});
        __asm__ volatile("mrs %0, fpsr\n\tmsr fpsr, %1" : "=&r"(flags) : "r"(usual), "w"(kept));
        assert_int_equal(flags, INEXACT);
        assert_int_equal(mode(), 0);
        assert_true(kept == 1.25);
    }
    if (executed == 0)
        skip();
}

static volatile sig_atomic_t interruptions;
static volatile double handled;

static void interrupt(int number) {
    (void)number;
    interruptions++;
    handled = handled * 0.5 + 1; /* uses a register of vectors */
}

static void signals_leave_the_sums(void **state) {
    (void)state;
    enum { SIGNALS = 3, INTERVAL_US = 500 };
    const struct kernel *kernel = NULL;
    for (size_t i = 0; i < kernel_count && !kernel; i++)
        kernel = executable(kernel_table[i]) ? kernel_table[i] : NULL;
    if (!kernel)
        skip();
    signal(SIGALRM, interrupt);
    setitimer(ITIMER_REAL, &(struct itimerval){{0, INTERVAL_US}, {0, INTERVAL_US}}, NULL);
    for (uint64_t blocks = 64; interruptions < SIGNALS; blocks += blocks / 2)
        run_to_tiles(kernel, true, blocks);
    setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 0}}, NULL);
    signal(SIGALRM, SIG_DFL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiles_have_the_right_sums),
        cmocka_unit_test(state_is_as_before),
        cmocka_unit_test(signals_leave_the_sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
