/* SPDX-License-Identifier: BSD-3-Clause
 * What answers are drawn with on a terminal: bars, emphasis, a line with something at its right end. */
#ifndef CARM_REPORT_SCREEN_H
#define CARM_REPORT_SCREEN_H

#include <stdbool.h>
#include <stdio.h>

#include "carm/text/table.h"
#include "render/draw/term.h"

/* A bar of at most 16 cells, in eighths where there is Unicode, else in '#'. */
enum { SCREEN_BAR_BYTES = 16 * 3 + 1 };

/* `share` of a bar of so many cells, 0 to 1; what is beyond is drawn as 1. Returns `out`. */
const char *screen_bar(double share, unsigned cells, bool unicode, char out[SCREEN_BAR_BYTES]);

/* Where an answer goes. `out` is standard output, or what takes its place without colours. */
struct screen {
    const struct plot_terminal *terminal;
    FILE *out;
};

/* How many columns it has. */
size_t screen_columns(const struct screen *screen);

/* The left text in bold, where colours are wanted, and the right one at the end of a line of 80 columns, or behind it;
 * on a line of its own where both do not fit. `good`: the right one is green, else yellow. */
void screen_heading(const struct screen *screen, const char *left, const char *right, bool good);

/* A sentence that answers: in bold where colours are wanted, broken between words, further lines behind `indent`. */
void screen_say(const struct screen *screen, const char *text, const char *indent);

/* "Trust   C: 1 of 16": what stands beside the name, broken between words, further lines below it. */
void screen_note(const struct screen *screen, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* "▲ CPUID says model 167 (Rocket Lake), but …": as much as one line holds; all of it is behind --all. */
void screen_line(const struct screen *screen, const char *sign, const char *text);

/* Of `count` things those that a screen has room for: the ones of the highest merit, of equal ones the first.
 * -INFINITY: not this one. `chosen` has a member for each; returns how many are chosen. */
size_t screen_choose(const double *merits, size_t count, size_t room, bool *chosen);

/* A table of an answer: as wide as the screen, and without columns that hold nothing or find no room; the rest is
 * behind --all. The second makes one of another. */
struct table screen_table(const struct screen *screen, const char *alignment, const char *order);
void screen_fit(const struct screen *screen, struct table *table);

#endif
