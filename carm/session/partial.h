/* SPDX-License-Identifier: BSD-3-Clause
 * What a result says of itself while it is still being measured, and goes on saying when that was cut off: which
 * command was at it, how far it had come, and what measures the rest. Pure, but for partial_warn. */
#ifndef CARM_PARTIAL_H
#define CARM_PARTIAL_H

#include "carm/store/results.h"

enum { PARTIAL_TEXT_BYTES = 8192 };

struct progress { /* "run: 34 of 302 samples" */
    const char *command;
    size_t done, planned;
    const char *what; /* in the plural */
};

/* What another command left undone stays said. */
void partial_mark(struct environment *environment, const struct progress *progress);

/* The command has come to its end. */
void partial_clear(struct environment *environment, const char *command);

/* What `carmine run --resume` does not measure is still lacking afterwards. */
void partial_inherit(struct environment *out, const struct environment *resumed);

/* Whether its roofs are being measured still: then they are no measure for applications yet. */
bool partial_lacks_roofs(const struct result *result);

/* A sentence on what is there, and one on what to do; `path` NULL: "FILE". "" of a complete result. */
const char *partial_text(const struct result *result, const char *path, char *out, size_t size);

/* The same on stderr, for what is made of files without printing them. */
void partial_warn(const struct result *result, const char *path);

#endif
