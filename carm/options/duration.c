/* SPDX-License-Identifier: BSD-3-Clause
 * Durations (see duration.h). */
#include "duration.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const double MOST_S = 366 * 86400.0;

bool duration_read(const char *text, const char *what, double *seconds, struct error *err) {
    static const struct {
        char letter;
        double seconds;
    } UNITS[] = {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}};
    char *end = (char *)text;
    const double number = isdigit((unsigned char)*text) && !strpbrk(text, "xX") ? strtod(text, &end) : 0;
    for (size_t i = 0; i < sizeof UNITS / sizeof UNITS[0]; i++)
        if (end[0] == UNITS[i].letter && !end[1] && number > 0 && number * UNITS[i].seconds <= MOST_S) {
            *seconds = number * UNITS[i].seconds;
            return true;
        }
    return error_set(err, "%s takes a time with its unit, such as 30s, 10m, 6h or 2d, up to a year; not '%s'", what,
                     text);
}
