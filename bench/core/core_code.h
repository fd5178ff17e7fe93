/* SPDX-License-Identifier: BSD-3-Clause
 * What all architectures do to write an item's function: texts and the units of its loop are appended to its code. */
#pragma once

#include "core_plan.h"

struct written_code {
    uint8_t *code;
    size_t used;
};

/* A text of the program itself, which assembles. */
void core_code_put(struct written_code *to, const char *text);

/* The loop's units, from the start of a line on. Returns where that is; `*units`: how many. */
size_t core_code_units(struct written_code *to, const struct core_item *item, unsigned *units);
