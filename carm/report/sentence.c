/* SPDX-License-Identifier: BSD-3-Clause
 * Growing text (see sentence.h). */
#include "sentence.h"

#include <stdarg.h>
#include <stdio.h>

void sentence_say(struct sentence *s, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int more = vsnprintf(s->text + s->length, sizeof s->text - s->length, format, arguments);
    va_end(arguments);
    s->length += more > 0 ? (size_t)more : 0;
    if (s->length >= sizeof s->text)
        s->length = sizeof s->text - 1;
}
