/* SPDX-License-Identifier: BSD-3-Clause
 * Options of the caches that are simulated while a program is counted. */
#pragma once

#include "cli.h"

#include "bench/programs/levels_geometry.h"

#define LEVELS_OPTIONS                                                                                                 \
    {"levels", 0, "[=exact]", "simulate all caches and print the traffic between them; exact: all cache lines"}, {     \
        "cache", 0, "LIST", "caches for --levels instead of this machine's: L1=48K:12,L3=none (size and ways)"         \
    }

/* Error: a wrong value, or --cache without --levels. */
bool levels_options_read(const struct arguments *arguments, struct levels_choice *out, struct error *err);
