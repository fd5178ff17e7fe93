/* SPDX-License-Identifier: BSD-3-Clause
 * Appends texts and the units of a loop to code (see core_code.h). */
#include "core_code.h"

#include <assert.h>
#include <string.h>

#include "asm/assemble_line.h"

_Static_assert(offsetof(struct core_data, constant) == 64 && offsetof(struct core_data, keep) == 128 &&
                   offsetof(struct core_data, general) == 192 && offsetof(struct core_data, table) == 4096,
               "the texts of each architecture have these places");

void core_code_put(struct written_code *to, const char *text) {
    const size_t bytes = assemble_lines(text, to->code + to->used, CORE_CODE_BYTES - to->used);
    assert(bytes > 0);
    to->used += bytes;
}

size_t core_code_units(struct written_code *to, const struct core_item *item, unsigned *units) {
    /* Long enough that the loop's own two instructions are about 1 % of it, short enough for the caches of code. */
    enum { LOOP_INSTRUCTIONS = 192, FEW_UNITS = 8, LOOP_BYTES = 2048, LINE_BYTES = 64 };
    while (to->used % LINE_BYTES != 0)
        core_code_put(to, "nop");
    const size_t loop = to->used;
    const unsigned most = item->renames ? FEW_UNITS : (LOOP_INSTRUCTIONS + item->instructions - 1) / item->instructions;
    for (*units = 0; *units == 0 || (*units < most && to->used - loop + item->unit_bytes <= LOOP_BYTES); ++*units) {
        memcpy(to->code + to->used, item->unit, item->unit_bytes);
        to->used += item->unit_bytes;
    }
    return loop;
}
