/* SPDX-License-Identifier: BSD-3-Clause
 * The program's blocks → the code cache: copied as they are, with a counter each; what depends on where the code lies
 * is rewritten. Called under the lock, with the program's vector state put aside. */
#ifndef BENCH_COUNT_TRANSLATE_H
#define BENCH_COUNT_TRANSLATE_H

#include <stdint.h>

#include "links.h"

/* The copy of the block at an address, which this exit leads to (NULL: none); 0 where nothing can be executed. Ends the
 * program where it can't be counted. */
uint64_t translate(uint64_t address, struct exit *from);

#endif
