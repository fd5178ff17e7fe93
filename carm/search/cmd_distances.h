/* SPDX-License-Identifier: BSD-3-Clause
 * carmine sweep --prefetch, once that is given. */
#ifndef CARM_CMD_DISTANCES_H
#define CARM_CMD_DISTANCES_H

#include "carm/options/cli.h"

/* carmine sweep --dlp, once that is given. */

int unroll_map_command(const struct arguments *arguments, struct error *err);

int distances_command(const struct arguments *arguments, struct error *err);

#endif
