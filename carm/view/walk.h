/* SPDX-License-Identifier: BSD-3-Clause
 * A walk through a roofline in a terminal: keys choose and hide, and the screen is a text. */
#pragma once

#include "carm/model/model.h"
#include "render/draw/term.h"

struct error;

enum walk_key {
    WALK_LEAVE = -1, /* handled by the caller */
    WALK_OTHER,      /* does nothing */
    WALK_NEXT,       /* chooses the next point or roof */
    WALK_BEFORE,
    WALK_TELL,  /* shows or hides the text about the chosen one */
    WALK_ISA,   /* ceilings and roofs of the next instruction set; after the last, of all */
    WALK_PLACE, /* the next number of threads or part of the machine */
    WALK_CYCLE, /* rates per cycle or per second */
    WALK_HELP,  /* shows or hides what keys do */
    WALK_CLOSE, /* hides what WALK_HELP or WALK_TELL shows, else WALK_LEAVE */
    WALK_LEVEL, /* + the level's number, from 0: shows or hides it */
};

struct roof_walk {
    const struct model *model; /* borrowed */
    size_t isa, place;         /* from 1, of the model's; 0: all ISAs, and the default place */
    bool per_cycle, told, helped;
    unsigned hidden;      /* bit n: level n */
    size_t chosen, count; /* points first, then roofs; `count` is that of the last picture */
};

/* False: the key leaves. */
bool walk_key(struct roof_walk *walk, int key);

/* The whole screen, to be freed: this number of lines, each at most as wide as the terminal, with colours. If there
 * is no picture for the choice, the screen has the reason. If memory runs out, the program ends. */
char *walk_screen(struct roof_walk *walk, const struct plot_terminal *terminal, size_t lines);

/* A character of the screen, from 0. */
struct walk_place {
    size_t column, row;
};

/* Chooses the point or roof that is nearest to this place; does nothing outside of the chart's area. */
void walk_choose_at(struct roof_walk *walk, const struct plot_terminal *terminal, size_t lines,
                    struct walk_place place);

/* The same; at the text of a key, returns that key for walk_key() instead. */
int walk_click(struct roof_walk *walk, const struct plot_terminal *terminal, size_t lines, struct walk_place place);

/* The whole terminal, by ncurses: shows a coloured text and reads the keys of a walk. */

/* Takes over the terminal and sets the abilities in `*terminal`. Error: standard input or output is no terminal, or
 * a terminal that cannot place text. */
bool screen_open(struct plot_terminal *terminal, struct error *err);

void screen_close(void); /* restores the terminal */

/* Writes the terminal's present columns to `*terminal`; returns its lines. */
size_t screen_size(struct plot_terminal *terminal);

/* Shows lines of text. Keeps the escapes of a chart's colours and drops others. */
void screen_paint(const char *text);

/* Waits for a key: one of enum walk_key, or SCREEN_CLICK with its `*place`. The mouse's wheel acts as the arrow
 * keys; a new size of the terminal is WALK_OTHER. */
enum { SCREEN_CLICK = -2 };

int screen_key(struct walk_place *place);
