/* SPDX-License-Identifier: BSD-3-Clause
 * The whole terminal, by ncurses. */
#define NCURSES_WIDECHAR 1
#include "walk.h"
#include "probe/error.h"

#include <locale.h>
#include <ncurses.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static SCREEN *screen = NULL;

bool screen_open(struct plot_terminal *terminal, struct error *err) {
    const char *kind = getenv("TERM");
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return error_set(err, "standard input and output have to be a terminal; `carmine plot FILE` prints it");
    if (!setlocale(LC_CTYPE, "") ||
        (terminal->unicode && MB_CUR_MAX == 1)) /* ncurses writes characters by this locale */
        setlocale(LC_CTYPE, "C.UTF-8");
    FILE *out = fdopen(dup(STDOUT_FILENO), "w"); /* a new stream: the program's own filters control characters */
    screen = out ? newterm(NULL, out, stdin) : NULL;
    if (!screen && out)
        fclose(out);
    if (!screen)
        return error_set(err,
                         "unknown kind of terminal '%.40s' (TERM); `carmine plot FILE` needs "
                         "only text",
                         kind ? kind : "");
    set_term(screen);
    cbreak();
    noecho();
    keypad(stdscr, TRUE);
    set_escdelay(50);
    curs_set(0);
    mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
    mouseinterval(0); /* do not wait for a second click */
    if (terminal->colors != PLOT_COLORS_NONE && start_color() == OK && use_default_colors() == OK)
        for (short color = 0; color < COLORS && color < 256; color++)
            init_pair((short)(color + 1), color, -1);
    return true;
}

void screen_close(void) {
    endwin();
    delscreen(screen);
}

size_t screen_size(struct plot_terminal *terminal) {
    const size_t columns = (size_t)getmaxx(stdscr);
    terminal->columns = columns > PLOT_TERMINAL_MAX ? PLOT_TERMINAL_MAX : columns;
    return (size_t)getmaxy(stdscr);
}

/* Applies an escape such as "\033[1m" or "\033[38;5;75m" and returns the text behind it. */
static const char *take_escape(const char *text) {
    const char *end = text + 2 + strspn(text + 2, "0123456789;");
    const long first = strtol(text + 2, NULL, 10);
    const char *last = end;
    while (last[-1] >= '0' && last[-1] <= '9')
        last--;
    const long number = first == 38 ? strtol(last, NULL, 10) : first - 30;
    if (first == 0)
        attrset(A_NORMAL);
    else if (first == 1)
        attron(A_BOLD);
    else if (first == 2)
        attron(A_DIM);
    else if (number >= 0 && number < 256)
        color_set((short)(number + 1), NULL);
    return *end ? end + 1 : end;
}

void screen_paint(const char *text) {
    int line = 0;
    erase();
    move(0, 0);
    attrset(A_NORMAL);
    while (*text) {
        const size_t length = strcspn(text, "\n\033");
        addnstr(text, (int)length);
        text += length;
        if (strncmp(text, "\033[", 2) == 0) {
            text = take_escape(text);
        } else if (*text) {
            if (*text++ == '\n')
                move(++line, 0);
        }
    }
    refresh();
}

/* Only a pressed button and the wheel matter. */
static int take_mouse(struct walk_place *place) {
    MEVENT event;
    if (getmouse(&event) != OK)
        return WALK_OTHER;
    *place = (struct walk_place){.column = (size_t)event.x, .row = (size_t)event.y};
    return event.bstate & BUTTON1_PRESSED   ? SCREEN_CLICK
           : event.bstate & BUTTON4_PRESSED ? WALK_BEFORE
           : event.bstate & BUTTON5_PRESSED ? WALK_NEXT
                                            : WALK_OTHER;
}

int screen_key(struct walk_place *place) {
    static const struct {
        int pressed, key;
    } KEYS[] = {
        {KEY_RIGHT, WALK_NEXT}, {KEY_DOWN, WALK_NEXT}, {'\t', WALK_NEXT}, {KEY_LEFT, WALK_BEFORE},
        {KEY_UP, WALK_BEFORE},  {'\r', WALK_TELL},     {'\n', WALK_TELL}, {KEY_ENTER, WALK_TELL},
        {' ', WALK_TELL},       {'i', WALK_ISA},       {'t', WALK_PLACE}, {'c', WALK_CYCLE},
        {'?', WALK_HELP},       {'h', WALK_HELP},      {'q', WALK_LEAVE}, {27, WALK_CLOSE},
        {ERR, WALK_LEAVE}, /* the terminal has closed */
    };
    const int pressed = getch();
    if (pressed == KEY_MOUSE)
        return take_mouse(place);
    if (pressed >= '1' && pressed <= '9')
        return WALK_LEVEL + pressed - '1';
    for (size_t i = 0; i < sizeof KEYS / sizeof KEYS[0]; i++)
        if (KEYS[i].pressed == pressed)
            return KEYS[i].key;
    return WALK_OTHER;
}
