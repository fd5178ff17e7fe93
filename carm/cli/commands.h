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

extern const struct command command_run;
extern const struct command command_machine;
extern const struct command command_doctor;
extern const struct command command_clock;
extern const struct command command_kernels;
extern const struct command command_sweep;
extern const struct command command_soak;
extern const struct command command_app;
extern const struct command command_workload;
extern const struct command command_import;
extern const struct command command_validate;
extern const struct command command_memory;
extern const struct command command_core;
extern const struct command command_show;
extern const struct command command_spec;
extern const struct command command_compare;
extern const struct command command_why;
extern const struct command command_check;
extern const struct command command_fleet;
extern const struct command command_plot;
extern const struct command command_view;
