/* SPDX-License-Identifier: BSD-3-Clause
 * The commands that carmine-node has, and those that it lacks (see carm/cli/commands.c). */
#include "carm/cli/commands.h"

/* clang-format off */
#define COMMAND(NAME) &command_##NAME,
#define WHOLE(NAME)
const struct command *const commands_table[] = {
#include "carm/cli/command_rows.inc"
    NULL,
};

const struct command_group command_groups[] = {
    {"This machine", &command_run},
    {"Programs", &command_import},
    {"Several machines", &command_compare},
    {"Looking closer", &command_show},
    {0},
};

#undef COMMAND
#undef WHOLE
#define COMMAND(NAME)
#define WHOLE(NAME) #NAME,
const char *const commands_elsewhere[] = {
#include "carm/cli/command_rows.inc"
    NULL,
};
/* clang-format on */
