/* SPDX-License-Identifier: BSD-3-Clause
 * The mark of an incomplete result: its command, how far it got, and the command that measures the rest. Pure, except
 * partial_warn(). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct environment;
struct result;

enum { PARTIAL_TEXT_BYTES = 8192 };

struct progress { /* "run: 34 of 302 samples" */
    const char *command;
    size_t done, planned;
    const char *what; /* in the plural */
};

/* Marks the result, unless it has the mark of another command. */
void partial_mark(struct environment *environment, const struct progress *progress);

/* The command has finished: removes its mark. */
void partial_clear(struct environment *environment, const char *command);

/* Inherits the marks of commands other than run and sweep: `carmine run --resume` does not complete their work. */
void partial_inherit(struct environment *out, const struct environment *resumed);

/* Whether its roofs are incomplete: then they cannot judge applications. */
bool partial_lacks_roofs(const struct result *result);

/* Two sentences: the state, and the remedy; and warnings that a newer carmine alone knows. `path` NULL: "FILE". "" for
 * a complete result. */
const char *partial_text(const struct result *result, const char *path, char *out, size_t size);

/* Prints the same on stderr, for commands that use files without printing them. */
void partial_warn(const struct result *result, const char *path);
