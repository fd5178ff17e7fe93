/* SPDX-License-Identifier: BSD-3-Clause
 * The program's general registers, in the order of signal frames and in the dispatcher's order. */
#pragma once

#include <ucontext.h>

#include "context.h"

/* All of struct registers, from a frame; all registers of a frame except rip. */
void registers_take(const greg_t *frame, struct registers *out);
void registers_put(const struct registers *registers, greg_t *frame);

/* The register in a frame with this number in instructions, 0 to 15. */
greg_t *registers_by_number(greg_t *frame, unsigned number);
