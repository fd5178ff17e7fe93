/* SPDX-License-Identifier: BSD-3-Clause
 * The table of commands, in the order of --help, and its groups. Separate from main.c, so that tests can link it. */
#include "commands.h"

/* clang-format off */
#define COMMAND(NAME) &command_##NAME,
#define WHOLE(NAME)   COMMAND(NAME)
const struct command *const commands_table[] = {
#include "command_rows.inc"
    NULL,
};

const struct command_group command_groups[] = {
    {"This machine", &command_run},
    {"Programs", &command_app},
    {"Several machines", &command_compare},
    {"Looking closer", &command_show},
    {0},
};

const char *const commands_elsewhere[] = {NULL};
/* clang-format on */
