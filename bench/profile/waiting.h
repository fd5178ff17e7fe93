/* SPDX-License-Identifier: BSD-3-Clause
 * Which blocks of a program only wait for another thread: loops around `pause`, as the C library's locks and the OpenMP
 * runtimes' barriers have them. How often these go round is chance, and none of it is the program's work. */
#ifndef BENCH_PROFILE_WAITING_H
#define BENCH_PROFILE_WAITING_H

#include <stdbool.h>

#include "code_instructions.h"

/* Sets `waits` of each block of a dump that was checked, by their code; all are false to begin with. A block waits that
 * pauses, and one that lies on a way from there back to it, as long as nothing on that way computes, or stores to what
 * others may see. */
void waiting_find(const struct dump *dump, const struct code_block *code, bool *waits);

#endif
