/* SPDX-License-Identifier: BSD-3-Clause
 * Growing text (see sentence.h). */
#include "sentence.h"

#include <stdarg.h>

#include "probe/text.h"

void sentence_say(struct sentence *s, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    text_append_list(s->text, sizeof s->text, format, arguments);
    va_end(arguments);
}
