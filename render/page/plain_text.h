/* SPDX-License-Identifier: BSD-3-Clause
 * ASCII forms of signs, for terminals without UTF-8: "×" is "x", "±" is "+-", a character without a form is "?". Pure.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The length in bytes of the character at `text`, which is safe text and not at its end. `*plain` becomes its ASCII
 * form; NULL: it is ASCII. `*raised` is false before the first character: the forms of "10⁻⁹" are "10^-9". */
size_t plain_text_next(const char *text, bool *raised, const char **plain);
