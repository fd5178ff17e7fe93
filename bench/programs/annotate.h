/* SPDX-License-Identifier: BSD-3-Clause
 * The code of hot loops, annotated. Reads the sources, and nothing else of the machine. */
#ifndef BENCH_PROGRAMS_ANNOTATE_H
#define BENCH_PROGRAMS_ANNOTATE_H

#include <stddef.h>

#include "annotation.h"

#include "bench/profile/profile_parts.h"
#include "probe/error.h"

/* What functions, loops and lines are called on the screen and in files. */

enum { PART_LABEL_BYTES = 61, PART_FUNCTION_BYTES = 128 };

/* A function as its source has it; without a name its object. Returns the length of it without its arguments. */
int part_function(char out[PART_FUNCTION_BYTES], const char *name, const char *object);

/* Whose the code is: the innermost inlined function. Returns the length as above. */
int part_owner(char out[PART_FUNCTION_BYTES], const struct part_source *source);

/* The first `most` bytes at most of a text, which fit `out`; of a longer one the last are "…". */
const char *part_cut(char *out, size_t most, const char *text);

/* "solve:17", or "solve loop 0x1a4". */
const char *part_loop_label(const struct part_source *source, char out[PART_LABEL_BYTES]);

/* What was counted and sampled. */
struct annotate_from {
    const struct profile_parts *parts;
    const unsigned *hits; /* samples of each of its places */
    unsigned all_hits;    /* of the program */
    const char *program;
    const char *const *names; /* of each loop: as its point is called; NULL: it has none */
};

/* The loop or function that `wanted` names first ("",
 * the hottest loop), then the next hottest loops, ANNOTATIONS_MOST at most. The hottest is the one in whose own code,
 * without the loops within it, most time was sampled, or most was executed where there are few samples. A name is that
 * of a point, with or without the program before it; or a function's. Errors: nothing that ran is called so; nothing
 * went round. What is allocated is freed by annotations_free(). */
bool annotate(const struct annotate_from *from, const char *wanted, struct annotation **out, size_t *count,
              struct error *err);

#endif
