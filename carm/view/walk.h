/* SPDX-License-Identifier: BSD-3-Clause
 * A roofline walked through in a terminal: what is chosen and what is hidden, by keys, and the screen as text. */
#ifndef CARM_WALK_H
#define CARM_WALK_H

#include "carm/model/model.h"
#include "probe/error.h"
#include "render/draw/term.h"

enum walk_key {
    WALK_LEAVE = -1, /* for whoever walks */
    WALK_OTHER,      /* does nothing */
    WALK_NEXT,       /* the next point or roof is chosen; */
    WALK_BEFORE,
    WALK_TELL,  /* verdict and numbers of what is chosen are shown, or no longer */
    WALK_ISA,   /* ceilings and roofs of the next instruction set, after the last of all */
    WALK_PLACE, /* the roofs of the next number of threads or part of the machine */
    WALK_CYCLE, /* rates per cycle, or per second */
    WALK_LEVEL, /* + the level's number, from 0: it is shown, or hidden */
};

struct roof_walk {
    const struct model *model; /* borrowed */
    size_t isa, place;         /* of those that the model has, from 1; 0: all of them, and as `carmine plot` chooses */
    bool per_cycle, told;
    unsigned hidden;      /* bit n: level n */
    size_t chosen, count; /* points first, then roofs; `count` is of the last picture */
};

void walk_key(struct roof_walk *walk, int key);

/* The whole screen: so many lines, each as wide as the terminal at most, with its colours; to be freed. Where there is
 * no picture of what is chosen, it says why. Error: none but of memory, which ends the program. */
char *walk_screen(struct roof_walk *walk, const struct plot_terminal *terminal, size_t lines);

/* A character of that screen, from 0. */
struct walk_place {
    size_t column, row;
};

/* The point or roof that is drawn nearest becomes the chosen one; of places outside of the chart's area nothing does.
 */
void walk_choose_at(struct roof_walk *walk, const struct plot_terminal *terminal, size_t lines,
                    struct walk_place place);

/* The same, or where the keys are told the key that is told there, for walk_key(). */
int walk_click(struct roof_walk *walk, const struct plot_terminal *terminal, size_t lines, struct walk_place place);

/* The whole terminal, by ncurses: a text with its colours on it, and the keys of a walk. */

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
