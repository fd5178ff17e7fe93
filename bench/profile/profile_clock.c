/* SPDX-License-Identifier: BSD-3-Clause
 * How often a program looked at the time (see profile_cost.h). */
#include "profile_cost.h"

#include <stdlib.h>
#include <string.h>

#include "probe/need.h"

/* One execution is one reading: the kernel's functions return once each; a program's own has an instruction for it. */
static bool reads_clock(const struct code_block *block, bool is_kernels) {
    for (uint32_t i = 0; i < block->count && !is_kernels; i++)
        if (block->instructions[i].reads_clock)
            return true;
    return is_kernels && block->count > 0 && block->instructions[block->count - 1].flow == FLOW_AWAY;
}

uint64_t code_clock_readings(const struct dump *dump, const struct code_cost *cost) {
    bool *reads = need_calloc(dump->header.counter_count + 1, sizeof *reads);
    uint64_t readings = 0;
    for (size_t i = 0; i < dump->header.block_count; i++) {
        const struct dump_block block = dump_block(dump, i);
        reads[block.counter] =
            reads_clock(&cost->code[i], strcmp(cost->objects[block.object].from.path, "[vdso]") == 0);
    }
    for (size_t i = 0; i < dump->header.count_count; i++)
        for (size_t v = 0; dump->records[i].region == 0 && v < dump->records[i].value_count; v++) {
            const struct dump_value value = dump_value(&dump->records[i], v);
            readings += reads[value.counter] ? value.value : 0;
        }
    free(reads);
    return readings;
}
