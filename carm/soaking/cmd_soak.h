/* SPDX-License-Identifier: BSD-3-Clause
 * carmine soak, as the table of commands takes it. */
#ifndef CARM_CMD_SOAK_H
#define CARM_CMD_SOAK_H

#include "carm/options/cli.h"

extern const struct command command_soak;

#endif
