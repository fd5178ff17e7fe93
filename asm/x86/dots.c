/* SPDX-License-Identifier: BSD-3-Clause
 * The table of dots.h. Encodings and features: Intel, Architecture Instruction Set Extensions Programming Reference;
 * SDM volume 2. The generator and the counter link it too. */
#include "dots.h"

#include "probe/isa.h"

enum { NONE, P66, PF3, PF2 };

/* The older ones, in the order of their first rows: TDPBF16PS, VPDPBUSD, VPDPBUSDS, VPDPWSSD, VPDPWSSDS. */
const struct dot dot_table[] = {
    {"tdpfp16ps", PF2, 0x5c, PF3, 0x5c, TYPE_F16, CPU_AMX_FP16},
    {"tcmmrlfp16ps", NONE, 0x6c, PF3, 0x5c, TYPE_F16, CPU_AMX_COMPLEX},
    {"tcmmimfp16ps", P66, 0x6c, PF3, 0x5c, TYPE_F16, CPU_AMX_COMPLEX},
    {"vpdpbssd", PF2, 0x50, P66, 0x50, TYPE_I8, CPU_AVX_VNNI_INT8},
    {"vpdpbsud", PF3, 0x50, P66, 0x50, TYPE_I8, CPU_AVX_VNNI_INT8},
    {"vpdpbuud", NONE, 0x50, P66, 0x50, TYPE_I8, CPU_AVX_VNNI_INT8},
    {"vpdpbssds", PF2, 0x51, P66, 0x51, TYPE_I8, CPU_AVX_VNNI_INT8},
    {"vpdpbsuds", PF3, 0x51, P66, 0x51, TYPE_I8, CPU_AVX_VNNI_INT8},
    {"vpdpbuuds", NONE, 0x51, P66, 0x51, TYPE_I8, CPU_AVX_VNNI_INT8},
    {"vpdpwsud", PF3, 0xd2, P66, 0x52, TYPE_I16, CPU_AVX_VNNI_INT16},
    {"vpdpwusd", P66, 0xd2, P66, 0x52, TYPE_I16, CPU_AVX_VNNI_INT16},
    {"vpdpwuud", NONE, 0xd2, P66, 0x52, TYPE_I16, CPU_AVX_VNNI_INT16},
    {"vpdpwsuds", PF3, 0xd3, P66, 0x53, TYPE_I16, CPU_AVX_VNNI_INT16},
    {"vpdpwusds", P66, 0xd3, P66, 0x53, TYPE_I16, CPU_AVX_VNNI_INT16},
    {"vpdpwuuds", NONE, 0xd3, P66, 0x53, TYPE_I16, CPU_AVX_VNNI_INT16},
};
const size_t dot_count = sizeof dot_table / sizeof *dot_table;

const struct dot *dot_find(unsigned prefix, unsigned opcode) {
    for (size_t i = 0; i < dot_count; i++)
        if (dot_table[i].prefix == prefix && dot_table[i].opcode == opcode)
            return &dot_table[i];
    return NULL;
}
