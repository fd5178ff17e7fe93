/* SPDX-License-Identifier: BSD-3-Clause
 * The commands carmine sweep --prefetch and --dlp. */
#pragma once

#include "carm/options/cli.h"

/* carmine sweep --dlp */

int unroll_map_command(const struct arguments *arguments, struct error *err);

int distances_command(const struct arguments *arguments, struct error *err);
