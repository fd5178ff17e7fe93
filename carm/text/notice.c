/* SPDX-License-Identifier: BSD-3-Clause
 * Notices (see notice.h). */
#include "notice.h"

#include <stdarg.h>
#include <stdio.h>

#include "render/page/safe_text.h"

enum { MOST_BYTES = 3 * 4096 }; /* two paths and what is said of them, without asking for memory */

void notice_print(const char *format, ...) {
    char text[MOST_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    safe_text_clean(text);
    fprintf(stderr, "carmine: %s\n", text);
}
