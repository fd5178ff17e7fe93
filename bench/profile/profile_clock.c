/* SPDX-License-Identifier: BSD-3-Clause
 * How often a program looked at the time (see profile_cost.h). */
#include "profile_cost.h"

#include <stdlib.h>
#include <string.h>

#include "probe/need.h"

/* One execution is one reading: the kernel's functions return once each; a program's own has an instruction for it. */
static bool reads_clock(const struct dump_block *block, const uint8_t *code, bool is_kernels) {
    struct decoded_instruction instruction = {.flow = FLOW_NEXT};
    for (uint32_t at = 0; at < block->code_bytes; at += instruction.length_bytes) {
        if (!instruction_decode(code + at, block->code_bytes - at, &instruction))
            return false;
        if (!is_kernels && instruction.reads_clock)
            return true;
    }
    return is_kernels && instruction.flow == FLOW_AWAY;
}

uint64_t code_clock_readings(const struct dump *dump) {
    bool *reads = need_calloc(dump->header.counter_count + 1, sizeof *reads);
    const uint8_t *code = dump->code;
    uint64_t readings = 0;
    for (size_t i = 0; i < dump->header.block_count; i++) {
        const struct dump_block block = dump_block(dump, i);
        const struct dump_object object = dump_object(dump, block.object);
        reads[block.counter] = reads_clock(&block, code, strcmp(object.path, "[vdso]") == 0);
        code += block.code_bytes;
    }
    for (size_t i = 0; i < dump->header.count_count; i++)
        for (size_t v = 0; dump->records[i].region == 0 && v < dump->records[i].value_count; v++) {
            const struct dump_value value = dump_value(&dump->records[i], v);
            readings += reads[value.counter] ? value.value : 0;
        }
    free(reads);
    return readings;
}
