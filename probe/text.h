/* SPDX-License-Identifier: BSD-3-Clause
 * A text that grows in a fixed place. */
#pragma once

#include <stdarg.h>
#include <stddef.h>

/* Adds to the text in `out`, of `size` bytes. A text without room for it ends with "…", so that readers see the cut. */
void text_append(char *out, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
void text_append_list(char *out, size_t size, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

/* Adds to the text in an array; with text_say_next() after `between`, if the text has begun. */
#define text_say(array, ...) text_append(array, sizeof(array) / TEXT_IS_ARRAY(array), __VA_ARGS__)
#define text_say_next(array, between, ...)                                                                             \
    (text_say(array, "%s", *(array) ? (between) : ""), text_say(array, __VA_ARGS__))
#define TEXT_IS_ARRAY(array) !__builtin_types_compatible_p(__typeof__(array), __typeof__(&*(array)))
