/* SPDX-License-Identifier: BSD-3-Clause
 * Tables for effect.c: the arithmetic of each mnemonic, and the class of an instruction. */
#pragma once

#include "effect.h"

/* Arithmetic; flop_per_lane is 0 for instructions without any. */
struct operation_effect {
    uint8_t sort;       /* enum sort */
    uint8_t type;       /* enum element_type */
    uint8_t lane_bytes; /* of the type, but 2 for a dot product of 16-bit integers */
    uint8_t lanes;      /* 0: as many as fit the destination */
    uint8_t flop_per_lane;
};
extern const struct operation_effect operation_table[ZYDIS_MNEMONIC_MAX_VALUE + 1];

/* The class of an instruction whose other effects are known. */
enum effect_class effect_class_find(const ZydisDecodedInstruction *instruction, const struct effect *effect);
