/* SPDX-License-Identifier: BSD-3-Clause
 * Notices and the status line on standard error. */
#include "notice.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "probe/text.h"
#include "render/page/safe_text.h"
#include "safe_output.h"
#include "table.h"

static const char ERASE[] = "\r\033[K", MORE[] = "…";
enum { LEAST_COLUMNS = 20, USUAL_COLUMNS = 80 };

/* Bytes of the text that fit the columns. */
static int bytes_that_fit(const char *text, size_t columns) {
    size_t bytes = strlen(text);
    while (bytes > 0 && table_width_of(text, bytes) > columns)
        do
            bytes--;
        while (bytes > 0 && (text[bytes] & 0xc0) == 0x80);
    return (int)bytes;
}

static bool quiet;

void notice_quiet(bool now) {
    quiet = now;
}

bool status_line_is_seen(void) {
    return !quiet && isatty(STDERR_FILENO);
}

/* 0: no terminal. */
static unsigned status_line_columns(void) {
    struct winsize window;
    if (!isatty(STDERR_FILENO))
        return 0;
    const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > LEAST_COLUMNS;
    return known ? window.ws_col : USUAL_COLUMNS;
}

void status_line_show(const char *format, ...) {
    char text[400];
    if (!status_line_is_seen())
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    safe_text_clean(text);
    const size_t columns = status_line_columns() - 1;
    const int all = bytes_that_fit(text, columns), part = bytes_that_fit(text, columns - table_width(MORE));
    status_line_clear();
    fprintf(stderr, "%.*s%s", text[all] ? part : all, text, text[all] ? MORE : "");
}

void status_line_clear(void) {
    if (status_line_is_seen())
        safe_output_own(ERASE, stderr);
}

enum { MOST_BYTES = 3 * 4096 }; /* two paths and text, without allocation */

static void put(char *line) {
    const unsigned columns = status_line_columns();
    safe_text_clean(line);
    if (columns)
        wrap_print(line, columns, "  ", stderr);
    else
        fprintf(stderr, "%s\n", line);
}

void notice_print(const char *format, ...) {
    char text[MOST_BYTES] = "carmine: ";
    va_list arguments;
    if (quiet)
        return;
    va_start(arguments, format);
    text_append_list(text, sizeof text, format, arguments);
    va_end(arguments);
    put(text);
}

void notice_error(const char *command, const char *what) {
    char text[MOST_BYTES];
    snprintf(text, sizeof text, "carmine %s: %s", command, what);
    put(text);
}
