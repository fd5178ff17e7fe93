/* SPDX-License-Identifier: BSD-3-Clause
 * One screen of a comparison: how fast each side is against the base, how much of that is due to clock and cores, and
 * the roofs that differ most. */
#pragma once

#include "screen.h"

#include "carm/compare/compare.h"

/* Prints the first lines. Values are divided by `per`. */
void sentences_print(const struct comparison *comparison, enum compare_per per, const struct screen *screen);

/* Prints a line per side after a blank line: letter, name, cores, clock and file. */
void sentences_print_sides(const struct comparison *comparison, const struct screen *screen);

/* Prints the whole screen. Values are divided by `per`. False, with nothing printed, if there is no roof to compare. */
bool compare_answer_print(const struct comparison *comparison, enum compare_per per, const struct screen *screen);
