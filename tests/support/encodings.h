/* SPDX-License-Identifier: BSD-3-Clause
 * Every encoding of an x86-64 instruction except for its operands' registers: prefixes, operation, memory or register.
 * Most encode no instruction, and many encode the same one. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { ENCODING_BYTES = 16 };

typedef void encoding_visit(const uint8_t code[ENCODING_BYTES]);

/* After the prefixes: all operations, with a memory operand (rax + rcx, or a vector of indices) and with registers; the
 * second register is `second`, or each of 8 where it may select the operation. */
static inline void each_opcode(encoding_visit *visit, const uint8_t *prefix, size_t prefix_bytes, unsigned second) {
    for (unsigned opcode = 0; opcode < 256; opcode++)
        for (unsigned modrm = 0; modrm < 256; modrm++) {
            uint8_t code[ENCODING_BYTES] = {0};
            if (modrm < 0xc0 ? (modrm & 0xc7) != 0x04 : second < 8 && (modrm & 7) != second)
                continue;
            memcpy(code, prefix, prefix_bytes);
            code[prefix_bytes] = (uint8_t)opcode;
            code[prefix_bytes + 1] = (uint8_t)modrm;
            code[prefix_bytes + 2] = 0x08;
            visit(code);
        }
}

static inline void each_legacy(encoding_visit *visit) {
    static const uint8_t mandatory[] = {0, 0x66, 0xf2, 0xf3}, maps[] = {0, 0x0f, 0x38, 0x3a};
    for (unsigned p = 0; p < 4; p++)
        for (unsigned wide = 0; wide < 2; wide++)
            for (unsigned map = 0; map < 4; map++) {
                uint8_t code[4];
                size_t at = 0;
                if (mandatory[p] != 0)
                    code[at++] = mandatory[p];
                if (wide)
                    code[at++] = 0x48;
                if (map > 0)
                    code[at++] = 0x0f;
                if (map > 1)
                    code[at++] = maps[map];
                each_opcode(visit, code, at, 8);
            }
}

/* VEX: W, vvvv (none or 3), L and the mandatory prefix are the third byte. */
static inline void each_vex(encoding_visit *visit) {
    for (unsigned map = 1; map <= 3; map++)
        for (unsigned last = 0; last < 256; last++)
            if ((last & 0x78) == 0x78 || (last & 0x78) == 0x60)
                each_opcode(visit, (uint8_t[]){0xc4, (uint8_t)(0xe0 | map), (uint8_t)last}, 3, 3);
}

/* EVEX: of every length, with and without zeroing, broadcast or rounding, and mask k1. */
static inline void each_evex(encoding_visit *visit) {
    for (unsigned map = 1; map <= 6; map++)
        for (unsigned middle = 0; middle < 256; middle++)
            for (unsigned last = 0; last < 256; last++)
                if (((middle & 0x7c) == 0x7c || (middle & 0x7c) == 0x64) && (last & 0x0e) == 0x08)
                    each_opcode(visit, (uint8_t[]){0x62, (uint8_t)(0xf0 | map), (uint8_t)middle, (uint8_t)last}, 4, 3);
}

static inline void each_encoding(encoding_visit *visit) {
    each_legacy(visit);
    each_vex(visit);
    each_evex(visit);
}
