/* SPDX-License-Identifier: BSD-3-Clause
 * Elements of answers on a terminal: bars, emphasis, headings with a right end. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "carm/text/table.h"
#include "render/draw/term.h"

/* A part of an answer; "" to begin with, grows by text_say(). */
struct sentence {
    char text[512];
};

/* A bar of at most 16 cells, in eighths. */
enum { SCREEN_BAR_BYTES = 16 * 3 + 1 };

/* A bar of so many cells for `share`, 0 to 1; larger shares are drawn as 1. Returns `out`. */
const char *screen_bar(double share, unsigned cells, char out[SCREEN_BAR_BYTES]);

/* The target of an answer. `out` is standard output, or a substitute without colours. */
struct screen {
    const struct plot_terminal *terminal;
    FILE *out;
};

/* Its number of columns. */
size_t screen_columns(const struct screen *screen);

/* The left text in bold (with colours), and the right one at the end of a line of 80 columns, or after it; on its own
 * line if both do not fit. `good`: the right one is green, else yellow. */
void screen_heading(const struct screen *screen, const char *left, const char *right, bool good);

/* The main sentence: in bold (with colours), wrapped, further lines after `indent`. */
void screen_say(const struct screen *screen, const char *text, const char *indent);

/* "Grade   C: 1 of 16": a name and its text, wrapped, further lines below the text. */
void screen_note(const struct screen *screen, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* "▲ CPUID says model 167 (Rocket Lake), but …": as much as fits on one line; --all has the rest. */
void screen_line(const struct screen *screen, const char *sign, const char *text);

/* Chooses those of `count` things that a screen has room for: the highest merits, of equal ones the first. -INFINITY:
 * never. `chosen` has a member for each; returns how many are chosen. */
size_t screen_choose(const double *merits, size_t count, size_t room, bool *chosen);

/* A table of an answer: as wide as the screen, without empty columns and without columns that find no room; --all has
 * the rest. The second function turns a table into one. */
struct table screen_table(const struct screen *screen, const char *alignment, const char *order);
void screen_fit(const struct screen *screen, struct table *table);
