/* SPDX-License-Identifier: BSD-3-Clause
 * Forms of AArch64 (see core_table.h and pipes.h): no loop is decoded, so there are none. */
#include "asm/incore/core_table.h"
#include "asm/incore/pipes.h"

const struct core_text core_texts[] = {{0}};
const struct pipe_class pipe_classes[] = {{0}};
const size_t pipe_class_count = 0;
const char *const similar_loads[CORE_WIDTHS], *const similar_stores[CORE_WIDTHS];

const struct pipe_class *pipe_class_of(const char *form) {
    (void)form;
    return NULL;
}

bool similar_form(unsigned nth, char form[DEMAND_FORM_BYTES]) {
    (void)nth;
    (void)form;
    return false;
}

void similar_without_memory(char *letters) {
    (void)letters;
}

bool similar_has_family(const char *form) {
    (void)form;
    return false;
}

bool similar_only_accesses(const struct instruction_demand *demand) {
    (void)demand;
    return false;
}

bool similar_divides(const char *form) {
    (void)form;
    return false;
}
