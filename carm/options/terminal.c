/* SPDX-License-Identifier: BSD-3-Clause
 * Size, characters and colours of the terminal. */
#include "terminal.h"

#include "picture_options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "carm/text/table.h"

enum { WHEN_AUTO, WHEN_ALWAYS, WHEN_NEVER }; /* in the order of the set */

static const char *variable(const char *name) {
    const char *value = getenv(name);
    return value ? value : "";
}

/* The first variable that is set decides, as in the C library. */
static bool is_utf8(void) {
    static const char *const NAMES[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
        if (*variable(NAMES[i]))
            return strcasestr(variable(NAMES[i]), "UTF-8") || strcasestr(variable(NAMES[i]), "UTF8");
    return false;
}

static size_t find_columns(void) {
    struct winsize size = {.ws_col = 0};
    char *end;
    unsigned long columns = strtoul(variable("COLUMNS"), &end, 10);
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        columns = size.ws_col;
    if (columns < PLOT_TERMINAL_LEAST)
        return columns ? PLOT_TERMINAL_LEAST : PLOT_TERMINAL_COLUMNS;
    return columns > PLOT_TERMINAL_MAX ? PLOT_TERMINAL_MAX : columns;
}

static enum plot_terminal_colors find_colors(int when) {
    const char *term = variable("TERM");
    bool off = *variable("NO_COLOR") || !isatty(STDOUT_FILENO) || !*term || strcmp(term, "dumb") == 0;
    if (when == WHEN_NEVER || (when == WHEN_AUTO && off))
        return PLOT_COLORS_NONE;
    bool many = strstr(term, "256") || strstr(term, "direct") || *variable("COLORTERM");
    return many ? PLOT_COLORS_256 : PLOT_COLORS_8;
}

bool terminal_find(const struct arguments *arguments, struct plot_terminal *out, struct error *err) {
    const char *width = cli_value(arguments, "width");
    double columns = 0;
    if (width && (cli_knows(arguments, "style") || !cli_typed(arguments, "width")) && picture_is_width(width))
        width = NULL; /* width of the picture, or a default for pictures */
    *out = (struct plot_terminal){.unicode = is_utf8()};
    if (width && !cli_number(width, "--width", &columns, err))
        return false;
    if (width && !(columns >= PLOT_TERMINAL_LEAST && columns <= PLOT_TERMINAL_MAX && columns == floor(columns)))
        return error_set(err, "--width takes 60 to 500 columns, not '%s'", width);
    out->columns = width ? (size_t)columns : find_columns();
    out->colors = find_colors((int)cli_choice(arguments, "color", WHEN_AUTO));
    if (width)
        table_fit(out->columns);
    return true;
}

void terminal_fit_tables(void) {
    if (isatty(STDOUT_FILENO))
        table_fit(find_columns());
}
