/* SPDX-License-Identifier: BSD-3-Clause
 * The options that choose a part of a result; size, characters and colours of the terminal. */
#include "view_options.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "carm/store/fields.h"
#include "carm/store/file_io.h"
#include "carm/text/csv.h"
#include "carm/text/table.h"
#include "probe/error.h"
#include "render/page/plot.h"

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
    const char *given = variable("COLUMNS");
    const unsigned long columns = isdigit((unsigned char)*given) ? strtoul(given, NULL, 10) : 0;
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

bool view_options_data(const struct arguments *arguments) {
    return cli_given(arguments, "json") || cli_given(arguments, "csv");
}

void view_options_print(const struct arguments *arguments, json_t *answer, const char *rows) {
    if (cli_given(arguments, "json")) {
        fields_print(answer);
        return;
    }
    csv_print_rows(json_incref(json_object_get(answer, rows)), stdout);
    json_decref(answer);
}

enum compare_per view_options_per(const struct arguments *arguments) {
    static const enum compare_per PER[] = {PER_CYCLE, PER_CORE, PER_MACHINE}; /* in the order of the sets */
    return PER[cli_choice(arguments, "per", 2)];
}

static bool read_number(const char *value, const char *what, unsigned *out, struct error *err) {
    double number = 0;
    *out = strcmp(value, "all") == 0 ? ROOF_ALL_CORES : 0;
    if (*out == ROOF_ALL_CORES)
        return true;
    if (!cli_number(value, "--threads", &number, err) || number > 1e6 || number != (unsigned)number)
        return error_set(err, "--threads takes %s, or all, not '%s'", what, value);
    *out = (unsigned)number;
    return true;
}

bool view_options_threads(const struct arguments *arguments, unsigned *out, struct error *err) {
    const char *value = cli_value(arguments, "threads");
    *out = 0;
    return !value || read_number(value, "a number of threads", out, err);
}

bool view_options_thread_list(const struct arguments *arguments, unsigned out[VIEW_THREADS_MAX], size_t *count,
                              struct error *err) {
    const char *value = cli_value(arguments, "threads"), *names[VIEW_THREADS_MAX];
    *count = 0;
    if (value && !cli_names(value, "thread count", NULL, names, VIEW_THREADS_MAX, count, err))
        return false;
    for (size_t i = 0; i < *count; i++)
        if (!read_number(names[i], "numbers of threads", &out[i], err))
            return false;
    return true;
}

bool view_options_plot(const struct arguments *arguments, struct error *err) {
    const char *path = cli_value(arguments, "plot");
    if (path && !plot_format_known(path))
        return error_set(err, "--plot %s: unknown picture format; name a file that ends in " PLOT_FORMATS, path);
    if (path && plot_refusal(path))
        return error_set(err, "--plot %s: %s", path, plot_refusal(path));
    return !path || file_writable(path, err);
}

bool view_options_output(const struct arguments *arguments, struct error *err) {
    const char *path = cli_value(arguments, "output");
    return !path || !plot_format_known(path) ||
           error_set(err, "-o names the result, and %s is a picture; name a FILE.json (`carmine plot` draws it)", path);
}
