/* SPDX-License-Identifier: BSD-3-Clause
 * The table of commands, in the order of --help, and its groups. Separate from main.c, so that tests can link it. */
#include "commands.h"

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
    &command_app,
    &command_workload,
    &command_import,
    &command_compare,
    &command_why,
    &command_check,
    &command_fleet,
    &command_show,
    &command_spec,
    &command_plot,
    &command_view,
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
