/* SPDX-License-Identifier: BSD-3-Clause
 * The one way in which a function says what went wrong: what, where, and what to do about it. */
#ifndef PROBE_ERROR_H
#define PROBE_ERROR_H

#include <stdbool.h>
#include <stdio.h>

struct error {
    char text[1024];
};

/* Writes the message and returns false, so that a caller can `return error_set(err, …)`. */
#define error_set(err, ...) (snprintf((err)->text, sizeof(err)->text, __VA_ARGS__), false)

#endif
