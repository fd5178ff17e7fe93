/* SPDX-License-Identifier: BSD-3-Clause
 * Dot products that are younger than this system's assemblers and decoders. Each has the operands of an older one, from
 * which it differs only in the prefix and opcode of the same VEX encoding. So the generator writes it as bytes, and the
 * decoder reads it as the older one, with a name, a type and a CPU feature of its own. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "asm/element.h"
#include "probe/isa.h"

/* Both are VEX.0F38.W0, by the prefix in VEX.pp. */
struct dot {
    const char *name; /* "vpdpbssd" */
    uint8_t prefix, opcode;
    uint8_t older_prefix, older_opcode;
    uint8_t type;       /* enum element_type */
    cpu_features needs; /* enum cpu_feature */
};

extern const struct dot dot_table[];
extern const size_t dot_count;

/* By its encoding; NULL: it is none of them. */
const struct dot *dot_find(unsigned prefix, unsigned opcode);
