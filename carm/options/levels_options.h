/* SPDX-License-Identifier: BSD-3-Clause
 * Options of the caches that are simulated while a program is counted. */
#pragma once

#include "cli.h"

#include "bench/programs/levels_geometry.h"

/* `more`: further words of the list. */
#define LEVELS_OPTION(more)                                                                                            \
    {                                                                                                                  \
        "levels", 0, "[=LIST]",                                                                                        \
            "simulate all caches and print the traffic between them; exact: all cache lines; L1=48K:12,L3=none: "      \
            "other sizes and ways" more                                                                                \
    }

/* `repeat`: set by "repeat=N"; NULL: the command does not take it. Error: a wrong value. */
bool levels_options_read(const struct arguments *arguments, struct levels_choice *out, unsigned *repeat,
                         struct error *err);
