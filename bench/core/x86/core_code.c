/* SPDX-License-Identifier: BSD-3-Clause
 * An item's unit → a function with a loop of many units. */
#include <stdio.h>
#include <string.h>

#include "asm/assemble_line.h"
#include "bench/core/core_code.h"
#include "probe/isa.h"

enum { TRAP = 0xcc };

static const char SAVE[] = "push rbx; push rbp; push r12; push r13; push r14; push r15; mov r15, rsi",
                  RESTORE[] = "pop r15; pop r14; pop r13; pop r12; pop rbp; pop rbx; ret";

static void load_vectors(struct written_code *to, cpu_features needs) {
    const bool masks = needs & CPU_AVX512, vex = needs & (CPU_AVX | CPU_AVX2 | CPU_FMA3 | CPU_AVX_VNNI);
    const char *load = masks ? "vmovups zmm%u, 64[rdi+%u]"
                       : vex ? "vmovups ymm%u, 32[rdi+%u]"
                             : "movups xmm%u, 16[rdi+%u]";
    char text[64];
    for (unsigned i = 0; i < 16; i++) {
        snprintf(text, sizeof text, load, i, i == 15 ? 128u : i >= 12 ? 64u : 0u);
        core_code_put(to, text);
    }
    if (masks)
        core_code_put(to, "mov esi, 0x5555; kmovq k1, rsi; kmovq k2, rsi; kmovq k3, rsi; kmovq k4, rsi; kmovq k5, rsi; "
                          "kmovq k6, rsi; kmovq k7, rsi");
}

/* The constant in each place of the stack but one, which units push to. */
static void load_x87(struct written_code *to) {
    core_code_put(to, "fninit");
    for (unsigned i = 0; i < 7; i++)
        core_code_put(to, "fld 8[rdi+64]");
}

static void load_general(struct written_code *to) {
    static const char *const NAMES[CORE_GENERAL] = {"r8", "r9", "r10", "r11", "r12", "r13", "r14", "rbx", "rbp", "rax"};
    char text[64];
    for (unsigned i = 0; i < CORE_GENERAL; i++) {
        snprintf(text, sizeof text, "mov %s, 8[rdi+%u]", NAMES[i], 192 + 8 * i);
        core_code_put(to, text);
    }
    core_code_put(to, "mov esi, 3; mov ecx, 3; mov edx, 3");
}

/* jnz: its distance may be more than a short branch's. */
static void put_back(struct written_code *to, size_t loop) {
    uint8_t jump[6] = {0x0f, 0x85};
    const int32_t distance = (int32_t)loop - (int32_t)(to->used + sizeof jump);
    memcpy(jump + 2, &distance, sizeof distance);
    memcpy(to->code + to->used, jump, sizeof jump);
    to->used += sizeof jump;
}

size_t core_code_write(const struct core_item *item, uint8_t out[CORE_CODE_BYTES], unsigned *units) {
    struct written_code to = {out, 0};
    const cpu_features needs = assemble_needs(item->unit, item->unit_bytes);
    const bool wide = needs & ~(uint32_t)(CPU_SSE2 | CPU_SSE4_1 | CPU_SSE4_2);
    memset(out, TRAP, CORE_CODE_BYTES);
    core_code_put(&to, SAVE);
    load_vectors(&to, needs);
    load_general(&to);
    if (item->operands == CORE_X87)
        load_x87(&to);
    const size_t loop = core_code_units(&to, item, units);
    core_code_put(&to, "dec r15");
    put_back(&to, loop);
    if (wide)
        core_code_put(&to, "vzeroupper");
    if (item->operands == CORE_X87)
        core_code_put(&to, "fninit");
    core_code_put(&to, RESTORE);
    return to.used;
}
