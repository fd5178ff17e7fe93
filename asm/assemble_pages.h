/* SPDX-License-Identifier: BSD-3-Clause
 * Memory for one kernel assembled at run time: first writable, then executable, never both. The constants are at its
 * start. */
#pragma once

#include <stddef.h>

#include "kernel.h"

struct error;

/* Rows of constants, one cache line each: the addend, -1, the factor of a contraction, then a start value per
 * accumulator. */
enum pages_row { ROW_STEP, ROW_NEGATIVE, ROW_FACTOR, ROW_START };
enum { PAGES_LINE_BYTES = 64, PAGES_CODE_BYTES = 1 << 16 };

struct pages {
    unsigned char *base; /* the constants; NULL: released */
    unsigned char *code; /* PAGES_CODE_BYTES */
    size_t bytes;
};

/* Writes the constants of a type and fills the code with `trap`, a byte that stops execution. Error: no memory. */
bool pages_open(struct pages *out, enum element_type type, unsigned char trap, struct error *err);

/* Makes the pages executable. Error: the system forbids it, with the remedy. */
bool pages_seal(const struct pages *pages, struct error *err);

void pages_release(struct pages *pages);
