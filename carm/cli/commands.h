/* SPDX-License-Identifier: BSD-3-Clause
 * The commands; each lives in the cmd_*.c of its name. */
#pragma once

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
