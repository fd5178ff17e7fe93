/* SPDX-License-Identifier: BSD-3-Clause
 * Kernels whose flop and bytes are known, for every instruction set here: known [ITERATIONS] (a multiple of 256). Each
 * runs in a region of its own; what must be counted in it is printed as profile prints it. Those that this CPU
 * or system can't run are named on stderr. */
#include <cpuid.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "carmine.h"

enum isa { SSE2, AVX, AVX2, AVX512, F16, BF16, VNNI, AVX_VNNI, AMX };

struct cost { /* of one iteration; of a masked one on average, as its mask runs through all values of eight bits */
    const char *type, *width; /* of the flop */
    uint64_t flop, load_bytes, store_bytes;
    uint64_t idle_flop, idle_load_bytes, idle_store_bytes; /* more by so many, if all lanes were active */
};
struct kernel {
    const char *name;
    enum isa isa;
    void (*run)(uint64_t iterations);
    struct cost cost;
};

static _Alignas(64) double x[64], y[64];
static _Alignas(64) const int64_t mask_f64[4] = {-1, -1, 0, -1};
static _Alignas(64) const int32_t mask_f32[8] = {-1, 0, -1, -1, 0, -1, 0, -1};
static _Alignas(64) const int32_t indices[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
static _Alignas(64) const char text[16] = "roofline", other_text[16] = "roofs";

/* Tiles that are not full: C (0) has 8 rows of 32 bytes, A (1) 8 of 16, B (2) 4 of 32. */
static _Alignas(64) const struct {
    uint8_t palette, start_row, reserved[14];
    uint16_t row_bytes[16];
    uint8_t rows[16];
} tiles = {.palette = 1, .row_bytes = {32, 16, 32}, .rows = {8, 8, 4}};

/* A kernel with its entry in the table: flop (of one type and width), bytes loaded and stored by one iteration; for a
 * masked one also how many more they were, if all lanes were active. The marks stand right beside the loop, and what it
 * needs is in registers, so all loads and stores of the region are the body's. (AVX-512's registers can't be clobbers
 * without its compiler flags; no caller keeps anything in them.) */
#define MASKED(function, isa, type, width, flop, load, store, idle_flop, idle_load, idle_store, body)                  \
    static __attribute__((noinline)) void function(uint64_t iterations) {                                              \
        carmine_region_begin(#function);                                                                               \
        __asm__ volatile("1:\n\t" body "\n\tdec %[left]\n\tjnz 1b"                                                     \
                         : [left] "+r"(iterations)                                                                     \
                         : [x] "r"(x), [y] "r"(y), [mask_f64] "m"(mask_f64), [mask_f32] "m"(mask_f32),                 \
                           [indices] "m"(indices), [tiles] "m"(tiles), [text] "m"(text), [other] "m"(other_text)       \
                         : "memory", "cc", "rax", "rcx", "rsi", "rdi", "xmm0", "xmm1", "xmm2", "xmm3");                \
        carmine_region_end(#function);                                                                                 \
    }                                                                                                                  \
    static const struct kernel function##_kernel = {                                                                   \
        #function, isa, function, {type, width, flop, load, store, idle_flop, idle_load, idle_store}};                 \
    static const struct kernel *const function##_entry __attribute__((used, section("kernels"))) = &function##_kernel;
#define KERNEL(function, isa, type, width, flop, load, store, body)                                                    \
    MASKED(function, isa, type, width, flop, load, store, 0, 0, 0, body)

/* k1 = the lowest byte of the iterations that are left, four times */
#define MASK "movzbl %b[left], %%eax; imul $0x01010101, %%eax; kmovd %%eax, %%k1;"

KERNEL(scalar_f64, SSE2, "f64", "scalar", 2, 16, 8,
       "movsd (%[x]), %%xmm0; mulsd %%xmm1, %%xmm0; addsd (%[y]), %%xmm0; movsd %%xmm0, (%[y])")
KERNEL(scalar_f32, SSE2, "f32", "scalar", 2, 8, 4,
       "movss (%[x]), %%xmm0; mulss %%xmm1, %%xmm0; addss (%[y]), %%xmm0; movss %%xmm0, (%[y])")
KERNEL(x87_f64, SSE2, "x87", "scalar", 2, 24, 8, "fldl (%[x]); fmull (%[y]); faddl 8(%[y]); fstpl (%[y])")
KERNEL(x87_f80, SSE2, "x87", "scalar", 1, 20, 10, "fldt (%[x]); fldt 16(%[x]); faddp; fstpt 32(%[x])")

KERNEL(sse_f64, SSE2, "f64", "128", 4, 32, 16,
       "movapd (%[x]), %%xmm0; mulpd %%xmm1, %%xmm0; addpd (%[y]), %%xmm0; movapd %%xmm0, (%[y])")
KERNEL(sse_f32, SSE2, "f32", "128", 8, 32, 16,
       "movaps (%[x]), %%xmm0; mulps %%xmm1, %%xmm0; addps (%[y]), %%xmm0; movaps %%xmm0, (%[y])")
KERNEL(sse_others, SSE2, "f64", "128", 8, 48, 0,
       "divpd (%[y]), %%xmm0; sqrtpd (%[x]), %%xmm1; maxpd (%[x]), %%xmm2; minpd %%xmm2, %%xmm2")

KERNEL(avx_f64, AVX, "f64", "256", 8, 64, 32,
       "vmulpd (%[x]), %%ymm1, %%ymm0; vaddpd (%[y]), %%ymm0, %%ymm0; vmovapd %%ymm0, (%[y])")
KERNEL(avx_f32, AVX, "f32", "256", 16, 64, 32,
       "vmulps (%[x]), %%ymm1, %%ymm0; vaddps (%[y]), %%ymm0, %%ymm0; vmovaps %%ymm0, (%[y])")
MASKED(avx_maskmov_f64, AVX, "f64", "256", 4, 32 + 24, 24, 0, 8, 8,
       "vmovapd %[mask_f64], %%ymm2; vmaskmovpd (%[x]), %%ymm2, %%ymm0; vaddpd %%ymm0, %%ymm0, %%ymm0;"
       "vmaskmovpd %%ymm0, %%ymm2, (%[y])")
MASKED(avx_maskmov_f32, AVX, NULL, NULL, 0, 32 + 20, 20, 0, 12, 12,
       "vmovaps %[mask_f32], %%ymm2; vmaskmovps (%[x]), %%ymm2, %%ymm0; vmaskmovps %%ymm0, %%ymm2, (%[y])")

KERNEL(avx2_f64_fma, AVX2, "f64", "256", 8, 64, 32,
       "vmovapd (%[x]), %%ymm0; vfmadd213pd (%[y]), %%ymm1, %%ymm0; vmovapd %%ymm0, (%[y])")
KERNEL(avx2_f32_fma, AVX2, "f32", "256", 16, 64, 32,
       "vmovaps (%[x]), %%ymm0; vfmadd213ps (%[y]), %%ymm1, %%ymm0; vmovaps %%ymm0, (%[y])")
KERNEL(avx2_f64_fma_scalar, AVX2, "f64", "scalar", 2, 8, 0, "vfnmsub231sd (%[x]), %%xmm1, %%xmm0")
MASKED(avx2_gather_f64, AVX2, "f64", "256", 4, 32 + 16 + 24, 0, 0, 8, 0,
       "vmovapd %[mask_f64], %%ymm2; vmovdqa %[indices], %%xmm3; vgatherdpd %%ymm2, (%[x], %%xmm3, 8), %%ymm0;"
       "vaddpd %%ymm0, %%ymm1, %%ymm1")
MASKED(avx2_gather_i32, AVX2, NULL, NULL, 0, 32 + 32 + 20, 0, 0, 12, 0,
       "vmovaps %[mask_f32], %%ymm2; vmovdqa %[indices], %%ymm3; vpgatherdd %%ymm2, (%[x], %%ymm3, 4), %%ymm0")

KERNEL(avx512_f64_fma, AVX512, "f64", "512", 16, 128, 64,
       "vmovapd (%[x]), %%zmm0; vfmadd213pd (%[y]), %%zmm1, %%zmm0; vmovapd %%zmm0, (%[y])")
KERNEL(avx512_f32_fma, AVX512, "f32", "512", 32, 128, 64,
       "vmovaps (%[x]), %%zmm0; vfmadd213ps (%[y]), %%zmm1, %%zmm0; vmovaps %%zmm0, (%[y])")
KERNEL(avx512_f64_broadcast, AVX512, "f64", "512", 8, 8, 0, "vaddpd (%[x])%{1to8%}, %%zmm1, %%zmm1")
MASKED(avx512_f64_masked, AVX512, "f64", "512", 8, 64, 32, 8, 64, 32,
       MASK "vmovupd (%[x]), %%zmm0%{%%k1%}%{z%}; vfmadd213pd (%[y]), %%zmm1, %%zmm0%{%%k1%};"
            "vmovupd %%zmm0, (%[y])%{%%k1%}")
MASKED(avx512_f32_masked, AVX512, "f32", "512", 8, 32, 32, 8, 32, 32,
       MASK "vmulps (%[x]), %%zmm1, %%zmm0%{%%k1%}%{z%}; vmovups %%zmm0, (%[y])%{%%k1%}")
MASKED(avx512_f64_masked_256, AVX512, "f64", "256", 2, 16, 16, 2, 16, 16,
       MASK "vaddpd (%[x]), %%ymm1, %%ymm0%{%%k1%}%{z%}; vmovupd %%ymm0, (%[y])%{%%k1%}")
MASKED(avx512_gather_f64, AVX512, "f64", "512", 8, 32 + 32, 0, 0, 32, 0,
       MASK "vmovdqa64 %[indices], %%ymm3; vgatherdpd (%[x], %%ymm3, 8), %%zmm0%{%%k1%};"
            "vaddpd %%zmm0, %%zmm1, %%zmm1")
MASKED(avx512_scatter_f32, AVX512, NULL, NULL, 0, 64, 32, 0, 0, 32,
       MASK "vmovdqa64 %[indices], %%zmm3; vscatterdps %%zmm0, (%[y], %%zmm3, 4)%{%%k1%}")
MASKED(avx512_compress, AVX512, NULL, NULL, 0, 32, 32, 0, 32, 32,
       MASK "vcompresspd %%zmm0, (%[y])%{%%k1%}; vexpandpd (%[x]), %%zmm0%{%%k1%}%{z%}")
MASKED(avx512_narrow, AVX512, NULL, NULL, 0, 0, 16, 0, 0, 16, MASK "vpmovqd %%zmm0, (%[y])%{%%k1%}")

KERNEL(f16_512_fma, F16, "f16", "512", 64, 128, 64,
       "vmovups (%[x]), %%zmm0; vfmadd213ph (%[y]), %%zmm1, %%zmm0; vmovups %%zmm0, (%[y])")
MASKED(f16_512_masked, F16, "f16", "512", 16, 32, 0, 16, 32, 0, MASK "vaddph (%[x]), %%zmm1, %%zmm0%{%%k1%}%{z%}")
KERNEL(f16_scalar, F16, "f16", "scalar", 1, 2, 0, "vmulsh (%[x]), %%xmm1, %%xmm0")
KERNEL(bf16_512_dot, BF16, "bf16", "512", 64, 64, 0, "vdpbf16ps (%[x]), %%zmm1, %%zmm0")
KERNEL(i8_512_dot, VNNI, "i8", "512", 128, 64, 0, "vpdpbusd (%[x]), %%zmm1, %%zmm0")
KERNEL(i8_256_dot, AVX_VNNI, "i8", "256", 64, 32, 0, "%{vex%} vpdpbusd (%[x]), %%ymm1, %%ymm0")
KERNEL(amx_bf16, AMX, "bf16", "tile", 8 * 8 * 4 * 4, 64 + 8 * 16 + 4 * 32, 8 * 32,
       "mov $32, %%eax; ldtilecfg %[tiles]; tileloadd (%[x], %%rax), %%tmm1; tileloadd (%[x], %%rax), %%tmm2;"
       "tdpbf16ps %%tmm2, %%tmm1, %%tmm0; tilestored %%tmm0, (%[y], %%rax)")
KERNEL(amx_i8, AMX, "i8", "tile", 8 * 8 * 4 * 8, 64, 0,
       "ldtilecfg %[tiles]; tilezero %%tmm1; tdpbssd %%tmm2, %%tmm1, %%tmm0")

KERNEL(rep_movsb, SSE2, NULL, NULL, 0, 100, 100, "mov %[x], %%rsi; mov %[y], %%rdi; mov $100, %%ecx; rep movsb")
KERNEL(rep_stosq, SSE2, NULL, NULL, 0, 0, 15 * 8,
       "mov %[y], %%rdi; mov %k[left], %%ecx; and $15, %%ecx; add %%ecx, %%ecx; rep stosq")
KERNEL(rep_scasb, SSE2, NULL, NULL, 0, 9, 0, "lea %[text], %%rdi; mov $99, %%ecx; xor %%eax, %%eax; repne scasb")
KERNEL(rep_cmpsb, SSE2, NULL, NULL, 0, 2 * 5, 0, "lea %[text], %%rdi; lea %[other], %%rsi; mov $99, %%ecx; repe cmpsb")
KERNEL(integer, SSE2, NULL, NULL, 0, 1 + 2 + 4 + 8 + 8 + 4, 1 + 2 + 4 + 8 + 8 + 4,
       "mov (%[x]), %%al; mov (%[x]), %%ax; add (%[x]), %%eax; xor (%[x]), %%rax; mov %%al, (%[y]); mov %%ax, (%[y]);"
       "mov %%eax, (%[y]); mov %%rax, (%[y]); lock xadd %%rax, (%[y]); addl $1, (%[y])")
KERNEL(nothing, SSE2, NULL, NULL, 0, 0, 0,
       "prefetcht0 (%[x]); nopl (%[x]); lea (%[x]), %%rax; xorpd %%xmm0, %%xmm0; ucomisd %%xmm0, %%xmm1;"
       "cvtsi2sd %%eax, %%xmm2; shufpd $1, %%xmm0, %%xmm0")

extern const struct kernel *const __start_kernels[], *const __stop_kernels[]; /* by the linker */

/* Where CPUID tells of it (word: 0 eax … 3 edx), and the state that the system must save for it (in XCR0). */
static const struct {
    unsigned leaf, subleaf, word, bit;
    uint64_t state;
} isas[] = {
    [SSE2] = {1, 0, 3, 26, 0x3},    [AVX] = {1, 0, 2, 28, 0x7},     [AVX2] = {7, 0, 1, 5, 0x7},
    [AVX512] = {7, 0, 1, 31, 0xe7}, [F16] = {7, 0, 3, 23, 0xe7},    [BF16] = {7, 1, 0, 5, 0xe7},
    [VNNI] = {7, 0, 2, 11, 0xe7},   [AVX_VNNI] = {7, 1, 0, 4, 0x7}, [AMX] = {7, 0, 3, 22, 0x60007},
};
static bool can_run(enum isa isa) {
    enum { OSXSAVE_BIT = 27, TILE_DATA = 18, ARCH_REQ_XCOMP_PERM = 0x1023 };
    unsigned word[4], low = 3, high = 0;
    if (isa == SSE2)
        return true;
    __cpuid(1, word[0], word[1], word[2], word[3]);
    if (word[2] >> OSXSAVE_BIT & 1)
        __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    if (!__get_cpuid_count(isas[isa].leaf, isas[isa].subleaf, &word[0], &word[1], &word[2], &word[3]) ||
        !(word[isas[isa].word] >> isas[isa].bit & 1) || (low & isas[isa].state) != isas[isa].state)
        return false;
    return isa != AMX || syscall(SYS_arch_prctl, ARCH_REQ_XCOMP_PERM, TILE_DATA) == 0;
}

/* Numbers that are zero, or no different with all lanes active, profile leaves out. */
static void print(const char *name, const struct cost *cost, uint64_t n) {
    bool integer = cost->type && strcmp(cost->type, "i8") == 0; /* whose operations are no flop */
    printf("region \"%s\" calls 1 flop %lu", name, integer ? 0 : cost->flop * n);
    if (cost->type)
        printf(" %s.%s %lu", cost->type, cost->width, cost->flop * n);
    printf(" load %lu store %lu", cost->load_bytes * n, cost->store_bytes * n);
    if (cost->idle_flop)
        printf(" full_flop %lu", (cost->flop + cost->idle_flop) * n);
    if (cost->idle_load_bytes)
        printf(" full_load %lu", (cost->load_bytes + cost->idle_load_bytes) * n);
    if (cost->idle_store_bytes)
        printf(" full_store %lu", (cost->store_bytes + cost->idle_store_bytes) * n);
    putchar('\n');
}

int main(int argc, char **argv) {
    uint64_t iterations = argc > 1 ? strtoull(argv[1], NULL, 10) : 256;
    for (const struct kernel *const *each = __start_kernels; each < __stop_kernels; each++) {
        const struct kernel *kernel = *each;
        if (!can_run(kernel->isa)) {
            fprintf(stderr, "known: %s can't be run here\n", kernel->name);
            continue;
        }
        kernel->run(iterations);
        print(kernel->name, &kernel->cost, iterations);
    }
    return 0;
}
