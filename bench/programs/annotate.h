/* SPDX-License-Identifier: BSD-3-Clause
 * Annotates the code of hot loops. Reads source files, and nothing else of the machine. */
#pragma once

#include <stddef.h>

#include "annotation.h"

#include "bench/profile/profile.h"

struct error;

/* Labels of functions, loops and lines, on screens and in files. */

enum { PART_LABEL_BYTES = 61, PART_FUNCTION_BYTES = 128 };

/* A function's name as in the source; without a name its object's. Returns the length without the arguments. */
int part_function(char out[PART_FUNCTION_BYTES], const char *name, const char *object);

/* The function that the code is from: the innermost inlined one. Returns the length as above. */
int part_owner(char out[PART_FUNCTION_BYTES], const struct part_source *source);

/* At most the first `most` bytes of a text, which must fit `out`; a longer text ends with "…". */
const char *part_cut(char *out, size_t most, const char *text);

/* "solve:17", or "solve loop 0x1a4". */
const char *part_loop_label(const struct part_source *source, char out[PART_LABEL_BYTES]);

/* The counts and samples. */
struct annotate_from {
    const struct profile_parts *parts;
    const unsigned *hits; /* samples, by place of `parts` */
    unsigned all_hits;    /* samples of the program */
    const char *program;
    const struct loop_core *core; /* that ran it; NULL: unknown */
    const char *const *names;     /* by loop: the name of its point; NULL: it has none */
};

/* Annotates the loop or function named `wanted` ("": the hottest loop), then the next hottest loops, ANNOTATIONS_MOST
 * at most. The hottest loop has the most samples in its own code, without inner loops; with few samples, the most
 * executed instructions. `wanted` is the name of a point, with or without the program's name before it, or of a
 * function. Errors: nothing that ran has this name; there were no loops. Free the result with annotations_free(). */
bool annotate(const struct annotate_from *from, const char *wanted, struct annotation **out, size_t *count,
              struct error *err);
