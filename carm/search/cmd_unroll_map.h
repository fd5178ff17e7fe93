/* SPDX-License-Identifier: BSD-3-Clause
 * carmine sweep --dlp, once that is given. */
#ifndef CARM_CMD_UNROLL_MAP_H
#define CARM_CMD_UNROLL_MAP_H

#include "carm/options/cli.h"

int unroll_map_command(const struct arguments *arguments, struct error *err);

#endif
