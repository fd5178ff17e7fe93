/* SPDX-License-Identifier: BSD-3-Clause
 * The commands; each lives in the cmd_*.c of its name. */
#pragma once

#include <jansson.h>
#include <stddef.h>

#include "carm/options/cli.h"

extern const struct command *const commands_table[]; /* in the order of --help; NULL ends it */

/* Names of commands that this program leaves to the whole carmine; NULL ends it. */
extern const char *const commands_elsewhere[];

/* Groups of commands by purpose. The row without a title ends the table. */
struct command_group {
    const char *title;
    const struct command *first; /* the group continues in commands_table up to the next group */
};
extern const struct command_group command_groups[];

/* The commands themselves. */
#define COMMAND(NAME) extern const struct command command_##NAME;
#define WHOLE(NAME)   COMMAND(NAME)
#include "command_rows.inc"
#undef COMMAND
#undef WHOLE

/* The JSON Schemas of the result file and of the answers, made by the code that writes them (carm/store/shape.h) from a
 * result with one of each, one_of_each.json. */

struct model;

/* What the commands write that nobody else does, described with the help of a result. */
json_t *machine_described(const struct model *model);
json_t *clock_described(const struct model *model);
json_t *doctor_described(const struct model *model);
json_t *kernels_described(const struct model *model);
json_t *import_described(const struct model *model);
json_t *workload_described(const struct model *model);
json_t *workloads_described(const struct model *model);

/* "carmine.result/1" and so on; NULL at the end. */
const char *schema_name(size_t index);

/* The schema of one of them, released by the caller. NULL: no such name. */
json_t *schema_make(const char *name);

/* Texts made from the tables of commands and options: --help and the page for programs (help.c), completion scripts
 * (completion.c), manual pages (manual.c). */

/* On standard output. NULL: help of the program. */
void help_print(const struct command *command);

/* docs/agents.md, on standard output. */
void help_print_agents(void);

/* A script for bash, zsh or fish, on standard output. Error: another shell. */
bool help_print_completion(const char *shell, struct error *err);

/* A manual page, on standard output. NULL: that of the program. */
void help_print_man(const struct command *command);
