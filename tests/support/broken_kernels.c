/* SPDX-License-Identifier: BSD-3-Clause
 * The broken kernels: one correct loop of two FMA, two loads and a store, and its mutations in code or in
 * description. */
#include "broken_kernels.h"

/* A loop in a function, as the generator frames it, with the prologue and the sanitizer's code that the compiler
 * adds. */
#define FRAME(name, before, body, step, after)                                                                         \
    static void *name(const struct kernel_call *call) {                                                                \
        void *cursor = call->buffer;                                                                                   \
        uint64_t blocks = call->blocks, passes = call->passes;                                                         \
        __asm__ volatile(before "1:\n\t" body "add $" #step ", %[cursor]\n\t"                                          \
                                "dec %[blocks]\n\t"                                                                    \
                                "jnz 1b\n\t"                                                                           \
                                "dec %[passes]\n\t"                                                                    \
                                "jnz 1b\n\t" after                                                                     \
                         : [cursor] "+&r"(cursor), [blocks] "+&r"(blocks), [passes] "+&r"(passes)                      \
                         :                                                                                             \
                         : "xmm0", "xmm1", "xmm2", "xmm3", "rax", "cc", "memory");                                     \
        return call->buffer;                                                                                           \
    }

#define LOOP(name, body, step) FRAME(name, "", body, step, "")

#define LOADS  "vmovapd (%[cursor]), %%ymm0\n\tvmovapd 32(%[cursor]), %%ymm1\n\t"
#define STORE  "vmovapd %%ymm0, 64(%[cursor])\n\t"
#define FMA    "vfmadd213pd %%ymm2, %%ymm3, %%ymm0\n\t"
#define DECOYS "nopl 8(%[cursor])\n\tlea 8(%[cursor]), %%rax\n\t"

LOOP(right, LOADS FMA FMA STORE, 96)
/* Two that seem to access memory but do not. */
LOOP(decoys, LOADS FMA FMA STORE DECOYS, 96)
/* Code moved to the function's end, as compilers move rare code, jumps back; that is no loop. */
FRAME(out_of_line, "jz 8f\n\t", LOADS FMA FMA STORE, 96, "9:\n\tnop\n\tjmp 7f\n\t8:\n\tjmp 9b\n\t7:\n\t")
LOOP(extra_flop, LOADS FMA FMA "vaddpd %%ymm2, %%ymm3, %%ymm3\n\t" STORE, 96)
LOOP(undeclared_prefetch, LOADS FMA FMA STORE "prefetcht0 640(%[cursor])\n\t", 96)
LOOP(missing_store, LOADS FMA FMA, 96)
LOOP(narrow, LOADS FMA "vfmadd213pd %%xmm2, %%xmm3, %%xmm0\n\tvfmadd213pd %%xmm2, %%xmm3, %%xmm1\n\t" STORE, 96)
LOOP(half_narrow, LOADS FMA "vfmadd213pd %%xmm2, %%xmm3, %%xmm0\n\t" STORE, 96)
LOOP(narrow_move, "vmovapd (%[cursor]), %%ymm0\n\tvmovapd 32(%[cursor]), %%xmm1\n\t" FMA FMA STORE, 96)
LOOP(evex, LOADS FMA "vfmadd213pd %%ymm16, %%ymm3, %%ymm0\n\t" STORE, 96)
LOOP(other_type, LOADS FMA "vfmadd213ps %%ymm2, %%ymm3, %%ymm0\n\t" STORE, 96)
LOOP(wide, LOADS FMA "vfmadd213pd %%zmm2, %%zmm3, %%zmm0\n\t" STORE, 96)
LOOP(outside, LOADS FMA FMA "vmovapd %%ymm0, 96(%[cursor])\n\t", 96)
LOOP(repeated, LOADS FMA FMA "vmovapd %%ymm0, 32(%[cursor])\n\t", 96)
LOOP(other_step, LOADS FMA FMA STORE, 64)
LOOP(x87, LOADS FMA FMA STORE "fadd %%st, %%st(1)\n\t", 96)
LOOP(masked, LOADS FMA "vfmadd213pd %%ymm2, %%ymm3, %%ymm0%{%%k1%}\n\t" STORE, 96)
LOOP(gather, LOADS FMA FMA STORE "vgatherqpd %%ymm1, (%[cursor],%%ymm2), %%ymm3\n\t", 96)
LOOP(stack, LOADS FMA FMA STORE "push %%rax\n\tpop %%rax\n\t", 96)
LOOP(inner_branch, LOADS "jz 2f\n\t" FMA "2:\n\t" FMA STORE, 96)
LOOP(two_loops, "2:\n\tdec %[blocks]\n\tjnz 2b\n\t" LOADS "3:\n\t" FMA FMA STORE "jz 3b\n\t", 96)
LOOP(indirect, LOADS FMA FMA STORE "jmp *%[cursor]\n\t", 96)

/* One of each narrow type, in f64 code. */
LOOP(half, LOADS FMA "vfmadd213ph %%ymm2, %%ymm3, %%ymm0\n\t" STORE, 96)
LOOP(pairs, LOADS FMA "vdpbf16ps %%ymm2, %%ymm3, %%ymm0\n\t" STORE, 96)
LOOP(bytes_dot, LOADS FMA "%{vex%} vpdpbusd %%ymm2, %%ymm3, %%ymm0\n\t" STORE, 96)
LOOP(division, LOADS FMA "vdivpd %%ymm2, %%ymm3, %%ymm0\n\t" STORE, 96)
LOOP(masked_half, LOADS FMA "vfmadd213ph %%ymm2, %%ymm3, %%ymm0%{%%k1%}\n\t" STORE, 96)
LOOP(saturating, LOADS FMA "%{vex%} vpdpbusds %%ymm2, %%ymm3, %%ymm0\n\t" STORE, 96)
LOOP(tile, LOADS FMA "tdpbf16ps %%tmm2, %%tmm1, %%tmm0\n\t" STORE, 96)

/* Two operations on 32-bit integers, in a loop without an array. */
#define COUNTED(name, body)                                                                                            \
    static void *name(const struct kernel_call *call) {                                                                \
        uint64_t blocks = call->blocks, passes = call->passes;                                                         \
        __asm__ volatile("1:\n\t" body "dec %[blocks]\n\tjnz 1b\n\tdec %[passes]\n\tjnz 1b\n\t"                        \
                         : [blocks] "+&r"(blocks), [passes] "+&r"(passes)                                              \
                         :                                                                                             \
                         : "xmm0", "xmm1", "rax", "cc");                                                               \
        return call->buffer;                                                                                           \
    }

#define PADDD "vpaddd %%ymm1, %%ymm0, %%ymm0\n\t"
COUNTED(integers, PADDD "vpsubd %%ymm1, %%ymm0, %%ymm0\n\t")
COUNTED(integers_of_16, PADDD "vpaddw %%ymm1, %%ymm0, %%ymm0\n\t")
COUNTED(integers_narrow, PADDD "vpaddd %%xmm1, %%xmm0, %%xmm0\n\t")
COUNTED(integers_product, PADDD "vpmulld %%ymm1, %%ymm0, %%ymm0\n\t")
COUNTED(integers_shift, PADDD "vpslld $3, %%ymm0, %%ymm0\n\t")
COUNTED(integers_general, PADDD "add %%eax, %%eax\n\t")
COUNTED(integers_minimum, PADDD "vpminsd %%ymm1, %%ymm0, %%ymm0\n\t")
LOOP(integers_aside, LOADS FMA FMA STORE PADDD, 96)

static void *no_loop(const struct kernel_call *call) {
    return call->buffer;
}

__attribute__((naked)) static void *endless(__attribute__((unused)) const struct kernel_call *call) {
    __asm__("jmp .-4096");
}

static const struct isa avx2 = {"avx2", "AVX2", 32, ISA_VECTORS, true, CPU_AVX2 | CPU_FMA3};

#define NEEDS CPU_AVX2 | CPU_FMA3
#define ROW(entry_, needs_, flop_, instructions_, message_)                                                            \
    {                                                                                                                  \
        {.name = "avx2.f64." #entry_,                                                                                  \
         .variant = "1",                                                                                               \
         .op = #entry_,                                                                                                \
         .isa = &avx2,                                                                                                 \
         .type = TYPE_F64,                                                                                             \
         .kind = KERNEL_MIXED,                                                                                         \
         .needs = needs_,                                                                                              \
         .accumulators = 1,                                                                                            \
         .unroll = 1,                                                                                                  \
         .block_bytes = 96,                                                                                            \
         .entry = entry_,                                                                                              \
         .cost = {.flop = flop_,                                                                                       \
                  .load_bytes = 64,                                                                                    \
                  .store_bytes = 32,                                                                                   \
                  .instructions = instructions_,                                                                       \
                  .mix = {.vector_bytes = 32, .fma = 2, .load = 2, .store = 1}}},                                      \
            message_                                                                                                   \
    }

#define INTEGERS(entry_, op_, instructions_, message_)                                                                 \
    {                                                                                                                  \
        {.name = "avx2.i32." #entry_,                                                                                  \
         .variant = "1",                                                                                               \
         .op = #entry_,                                                                                                \
         .isa = &avx2,                                                                                                 \
         .type = TYPE_I32,                                                                                             \
         .kind = KERNEL_COMPUTE,                                                                                       \
         .needs = NEEDS,                                                                                               \
         .entry = entry_,                                                                                              \
         .cost = {.flop = op_,                                                                                         \
                  .instructions = instructions_,                                                                       \
                  .mix = {.vector_bytes = 32, .element_bytes = 4, .integer = true, .add = 2}}},                        \
            message_                                                                                                   \
    }

const struct broken_kernel broken_kernels[] = {
    INTEGERS(integers, 16, 4, NULL),
    INTEGERS(integers, 15, 4, "flop per iteration: declared 15, executed 16"),
    INTEGERS(integers_of_16, 8 + 16, 4, "not of the kernel's type"),
    INTEGERS(integers_narrow, 8 + 4, 4, "works on 16 bytes, the kernel on 32"),
    INTEGERS(integers_product, 16, 4, "add per iteration: declared 2, executed 1"),
    INTEGERS(integers_shift, 16, 4, "add per iteration: declared 2, executed 1"),
    INTEGERS(integers_general, 8 + 1, 4, "works on 4 bytes, the kernel on 32"),
    INTEGERS(integers_minimum, 8, 4, "is not known"),
    ROW(integers_aside, NEEDS, 16, 9, "is not known"),
    ROW(right, NEEDS, 16, 8, NULL),
    ROW(decoys, NEEDS, 16, 10, NULL),
    ROW(out_of_line, NEEDS, 16, 8, NULL),
    ROW(right, NEEDS, 32, 8, "flop per iteration: declared 32, executed 16"),
    ROW(right, NEEDS, 16, 9, "instructions per iteration: declared 9, executed 8"),
    ROW(right, CPU_AVX, 16, 8, "needs fma"),
    ROW(right, CPU_SSE2, 16, 8, "needs avx"),
    ROW(evex, NEEDS, 16, 8, "needs avx512"),
    ROW(extra_flop, NEEDS, 16, 8, "flop per iteration: declared 16, executed 20"),
    ROW(undeclared_prefetch, NEEDS, 16, 9, "the loop has a prefetcht0, which the kernel does not declare"),
    ROW(missing_store, NEEDS, 16, 8, "store_bytes per iteration: declared 32, executed 0"),
    ROW(narrow, NEEDS, 16, 9, "fma per iteration: declared 2, executed 3"),
    ROW(half_narrow, NEEDS, 12, 8, "works on 16 bytes, the kernel on 32"),
    ROW(narrow_move, NEEDS, 16, 8, "load_bytes per iteration: declared 64, executed 48"),
    ROW(other_type, NEEDS, 24, 8, "not of the kernel's type"),
    ROW(wide, NEEDS, 24, 8, "vector_bytes per iteration: declared 32, executed 64"),
    ROW(half, NEEDS, 8 + 32, 8, "not of the kernel's type"),
    ROW(half, NEEDS, 8 + 16, 8, "flop per iteration: declared 24, executed 40"),
    ROW(pairs, NEEDS, 8 + 32, 8, "fma per iteration: declared 2, executed 1"),
    ROW(bytes_dot, NEEDS, 8 + 32, 8, "flop per iteration: declared 40, executed 72"),
    ROW(bytes_dot, NEEDS, 8 + 64, 8, "fma per iteration: declared 2, executed 1"),
    ROW(division, NEEDS, 8 + 4, 8, "fma per iteration: declared 2, executed 1"),
    ROW(masked_half, NEEDS, 8 + 32, 8, "is not known"),
    ROW(saturating, NEEDS, 8 + 64, 8, "is not known"),
    ROW(tile, NEEDS, 8 + 16384, 8, "vector_bytes per iteration: declared 32, executed 1024"),
    ROW(outside, NEEDS, 16, 8, "accesses from 0 to 128 are not all of the block of 96 bytes"),
    ROW(repeated, NEEDS, 16, 8, "accesses from 0 to 64 are not all of the block of 96 bytes"),
    ROW(other_step, NEEDS, 16, 8, "the pointer moves by 64"),
    ROW(x87, NEEDS, 17, 9, "x87 per iteration"),
    ROW(masked, NEEDS, 16, 8, "is not known"),
    ROW(gather, NEEDS, 16, 9, "is not known"),
    ROW(stack, NEEDS, 16, 10, "is not known"),
    ROW(inner_branch, NEEDS, 16, 9, "branches"),
    ROW(two_loops, NEEDS, 16, 8, "two innermost loops"),
    ROW(indirect, NEEDS, 16, 9, "indirect"),
    ROW(no_loop, NEEDS, 16, 8, "no loop"),
    ROW(endless, NEEDS, 16, 8, "out of the function"),
};
const size_t broken_kernel_count = sizeof broken_kernels / sizeof *broken_kernels;
