/* SPDX-License-Identifier: BSD-3-Clause
 * The blocks of a program that only wait for another thread: loops around `pause`, as in the C library's locks and in
 * the OpenMP runtimes' barriers. Their number of iterations is chance, and none of it is the program's work. */
#pragma once

#include <stdbool.h>

#include "code_instructions.h"

/* Sets `waits` for each block of a checked dump; all must be false before. A block waits if it pauses, or if it lies on
 * a path from a pausing block back to it, and nothing on this path computes or stores to visible memory. */
void waiting_find(const struct dump *dump, const struct code_block *code, bool *waits);
