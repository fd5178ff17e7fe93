/* SPDX-License-Identifier: BSD-3-Clause
 * The commands of carmine-node (see carm/cli/commands.c): all but those that load libraries into programs, or need a
 * library for terminals. */
#include "carm/cli/commands.h"

/* clang-format off */
const struct command *const commands_table[] = {
    &command_run,
    &command_machine,
    &command_doctor,
    &command_clock,
    &command_kernels,
    &command_sweep,
    &command_validate,
    &command_memory,
    &command_core,
    &command_soak,
    &command_import,
    &command_compare,
    &command_why,
    &command_check,
    &command_fleet,
    &command_show,
    &command_spec,
    &command_plot,
    NULL,
};

const struct command_group command_groups[] = {
    {"This machine", &command_run},
    {"Programs", &command_import},
    {"Several machines", &command_compare},
    {"Looking closer", &command_show},
    {0},
};

const char *const commands_elsewhere[] = {"app", "workload", "view", NULL};
/* clang-format on */
