/* SPDX-License-Identifier: BSD-3-Clause
 * The programs that are sent to nodes, one for each architecture: carmine-node beside this program is of its own
 * architecture, carmine-node-aarch64 and carmine-node-x86_64 are of these. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct error;

struct node_program {
    const char *machine; /* as `uname -m` names it */
    char path[4096];
    size_t bytes;
};

struct node_programs {
    struct node_program list[2];
    size_t count;      /* 0: nothing is there to be sent */
    char folder[4200]; /* of the results */
    char input[4300];  /* the launcher's input, one file; "": jobs find them in the folder */
};

/* Finds them. `queued`: jobs share the folder. */
void node_programs_find(struct node_programs *out, const char *folder, bool queued);

/* Writes the beginning of a node's command, words for a shell: it runs the program of the node's architecture with the
 * words that follow, or says that there is none. */
void node_programs_command(const struct node_programs *programs, FILE *out);

/* Puts them where the nodes find them, and removes what was only the launcher's input. Error: a file cannot be read or
 * written. */
bool node_programs_place(const struct node_programs *programs, struct error *err);
void node_programs_end(const struct node_programs *programs);
