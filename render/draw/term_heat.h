/* SPDX-License-Identifier: BSD-3-Clause
 * A heat map as text: a table of its numbers, coloured where the terminal has 256 colours. */
#ifndef RENDER_TERM_HEAT_H
#define RENDER_TERM_HEAT_H

#include <stdbool.h>
#include <stdio.h>

#include "term.h"

/* plot->heat and its axes' titles. False: out of memory, and some are lacking. */
bool term_heat_print(const struct plot *plot, const struct plot_terminal *terminal, FILE *out);

#endif
