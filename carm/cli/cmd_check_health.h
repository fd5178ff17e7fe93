/* SPDX-License-Identifier: BSD-3-Clause
 * carmine check --health, once that is given. */
#ifndef CARM_CMD_CHECK_HEALTH_H
#define CARM_CMD_CHECK_HEALTH_H

#include "carm/options/cli.h"

/* Measures this node, prints one line, and returns the exit status: 0 as its group, 1 slower, 2 cannot be told. */
int check_health_command(const struct arguments *arguments, struct error *err);

#endif
