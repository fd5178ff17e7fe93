/* SPDX-License-Identifier: BSD-3-Clause
 * Notices on standard error. */
#include "notice.h"

#include <stdarg.h>
#include <stdio.h>

#include "probe/text.h"
#include "render/page/safe_text.h"
#include "status_line.h"
#include "wrap.h"

enum { MOST_BYTES = 3 * 4096 }; /* two paths and text, without allocation */

static void put(char *line) {
    const unsigned columns = status_line_columns();
    safe_text_clean(line);
    if (columns)
        wrap_print(line, columns, "  ", stderr);
    else
        fprintf(stderr, "%s\n", line);
}

static bool quiet;

void notice_quiet(bool now) {
    quiet = now;
    status_line_quiet(now);
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
