/* SPDX-License-Identifier: BSD-3-Clause
 * The one way in which a function reports an error: what, where, and the remedy. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

struct error {
    char text[1024];
};

/* Writes the message and returns false, so that a caller can `return error_set(err, …)`. */
__attribute__((format(printf, 2, 3))) static inline bool error_set(struct error *err, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(err->text, sizeof err->text, format, arguments);
    va_end(arguments);
    return false;
}
