/* SPDX-License-Identifier: BSD-3-Clause
 * The options about caches that are simulated while a program is counted. */
#ifndef CARM_LEVELS_OPTIONS_H
#define CARM_LEVELS_OPTIONS_H

#include "cli.h"

#include "bench/programs/levels_geometry.h"

#define LEVELS_OPTIONS                                                                                                 \
    {"levels", 0, "[=exact]", "simulate all caches meanwhile, and tell what passes between them; exact: all lines"}, { \
        "cache", 0, "LIST", "caches for --levels in place of this machine's: L1=48K:12,L2=2M:16 (size and ways)"       \
    }

/* Errors: an option's value; caches without --levels. */
bool levels_options_read(const struct arguments *arguments, struct levels_choice *out, struct error *err);

#endif
