/* SPDX-License-Identifier: BSD-3-Clause */
#include "registers.h"

enum { VALUES = sizeof(struct registers) / sizeof(uint64_t) };

static const uint8_t places[VALUES] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RBP, REG_RSI, REG_RDI, REG_R8, REG_R9,
                                       REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_EFL, REG_RSP};

void registers_take(const greg_t *frame, struct registers *out) {
    uint64_t *values = (uint64_t *)out;
    for (unsigned i = 0; i < VALUES; i++)
        values[i] = (uint64_t)frame[places[i]];
}

void registers_put(const struct registers *registers, greg_t *frame) {
    const uint64_t *values = (const uint64_t *)registers;
    for (unsigned i = 0; i < VALUES; i++)
        frame[places[i]] = (greg_t)values[i];
}

greg_t *registers_by_number(greg_t *frame, unsigned number) {
    static const uint8_t numbers[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                                      REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
    return &frame[numbers[number]];
}
