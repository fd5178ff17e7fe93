/* SPDX-License-Identifier: BSD-3-Clause
 * carmine-node on its way to nodes that have no carmine. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct error;

#define NODE_PROGRAM "carmine-node"

/* Its path, if it is among the parts of this program. */
bool node_program_find(char *out, size_t size);

/* Puts it into a folder that the nodes share. Error: it cannot be read or written. */
bool node_program_copy(const char *program, const char *folder, struct error *err);

/* `sh -c` of this takes it from standard input, runs it with the words that follow, and removes it. A signal that ends
 * the shell alone reaches it. */
extern const char node_program_receive[];
