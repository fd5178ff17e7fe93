/* SPDX-License-Identifier: BSD-3-Clause
 * What functions, loops and lines are called on the screen and in files. */
#ifndef BENCH_PROGRAMS_PART_LABEL_H
#define BENCH_PROGRAMS_PART_LABEL_H

#include <stddef.h>

#include "bench/profile/profile_parts.h"

enum { PART_LABEL_BYTES = 61, PART_FUNCTION_BYTES = 128 };

/* A function as its source has it; without a name its object. Returns the length of it without its arguments. */
int part_function(char out[PART_FUNCTION_BYTES], const char *name, const char *object);

/* Whose the code is: the innermost inlined function. Returns the length as above. */
int part_owner(char out[PART_FUNCTION_BYTES], const struct part_source *source);

/* The first `most` bytes at most of a text, which fit `out`; of a longer one the last are "…". */
const char *part_cut(char *out, size_t most, const char *text);

/* "solve:17", or "solve loop 0x1a4". */
const char *part_loop_label(const struct part_source *source, char out[PART_LABEL_BYTES]);

#endif
