/* SPDX-License-Identifier: BSD-3-Clause
 * The whole terminal, by ncurses: a text with its colours on it, and the keys of a walk. */
#ifndef CARM_SCREEN_H
#define CARM_SCREEN_H

#include "walk.h"

#include "probe/error.h"
#include "render/draw/term.h"

/* Takes the terminal over; `*terminal` gets what it can show. Error: standard input or output is no terminal, or it is
 * of a kind that cannot place text. */
bool screen_open(struct plot_terminal *terminal, struct error *err);
void screen_close(void); /* as it was before */

/* Columns of the terminal now, into `*terminal`; returns its lines. */
size_t screen_size(struct plot_terminal *terminal);

/* Lines of text; of escapes those that a chart has for its colours, the others are left out. */
void screen_paint(const char *text);

/* Waits for a key: one of enum walk_key, or SCREEN_CLICK, and then `*place` is where. The mouse's wheel is as the arrow
 * keys are; a terminal of another size is WALK_OTHER. */
enum { SCREEN_CLICK = -2 };
int screen_key(struct walk_place *place);

#endif
