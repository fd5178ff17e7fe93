/* SPDX-License-Identifier: BSD-3-Clause
 * Size, characters and colours of the terminal. */
#include "terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "carm/text/table.h"

static const char *variable(const char *name) {
    const char *value = getenv(name);
    return value ? value : "";
}

bool terminal_has_utf8(void) { /* as in the C library */
    static const char *const NAMES[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
        if (*variable(NAMES[i]))
            return strcasestr(variable(NAMES[i]), "UTF-8") || strcasestr(variable(NAMES[i]), "UTF8");
    return false;
}

/* 0: unknown. */
static size_t given_columns(void) {
    struct winsize size = {.ws_col = 0};
    const unsigned long columns = strtoul(variable("COLUMNS"), NULL, 10);
    if (columns == 0)
        ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
    return columns ? columns : size.ws_col;
}

static size_t find_columns(void) {
    const size_t columns = given_columns();
    if (columns < PLOT_TERMINAL_LEAST)
        return columns ? PLOT_TERMINAL_LEAST : PLOT_TERMINAL_COLUMNS;
    return columns > PLOT_TERMINAL_MAX ? PLOT_TERMINAL_MAX : columns;
}

static enum plot_terminal_colors find_colors(void) {
    const char *term = variable("TERM"), *force = variable("CLICOLOR_FORCE");
    const bool forced = *force && strcmp(force, "0") != 0;
    if (*variable("NO_COLOR") || (!forced && (!isatty(STDOUT_FILENO) || !*term || strcmp(term, "dumb") == 0)))
        return PLOT_COLORS_NONE;
    const bool many = strstr(term, "256") || strstr(term, "direct") || *variable("COLORTERM");
    return many ? PLOT_COLORS_256 : PLOT_COLORS_8;
}

struct plot_terminal terminal_find(void) {
    return (struct plot_terminal){.columns = find_columns(), .colors = find_colors(), .unicode = terminal_has_utf8()};
}

void terminal_fit_tables(void) {
    if (given_columns() > 0)
        table_fit(find_columns());
}
