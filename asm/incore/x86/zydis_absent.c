/* SPDX-License-Identifier: BSD-3-Clause
 * Without Zydis it is not known what an instruction demands (see demand.h). */
#include "asm/incore/demand.h"

bool demand_find(const void *code, size_t code_bytes, uint64_t address, struct instruction_demand *out) {
    (void)code, (void)code_bytes, (void)address;
    *out = (struct instruction_demand){0};
    return false;
}
bool demand_kept_by_calls(unsigned number) {
    (void)number;
    return false;
}
