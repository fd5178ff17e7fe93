/* SPDX-License-Identifier: BSD-3-Clause
 * Suggests the name that was meant. */
#include "suggestion.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

static bool same_letter(char a, char b) {
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Number of typing errors between the names, row by row. The last row compares all of `a` with each beginning of `b`.
 */
static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length) {
    size_t rows[3][SUGGESTION_MAX_NAME + 1], *before = rows[0], *above = rows[1], *row = rows[2];
    for (size_t j = 0; j <= b_length; j++)
        row[j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        size_t *oldest = before;
        before = above, above = row, row = oldest;
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            row[j] = least(least(above[j], row[j - 1]) + 1, above[j - 1] + !same_letter(a[i - 1], b[j - 1]));
            if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1]))
                row[j] = least(row[j], before[j - 2] + 1);
        }
    }
    return row[b_length];
}

struct suggestion suggestion_for(const char *given) {
    return (struct suggestion){.given = given};
}

void suggestion_consider(struct suggestion *suggestion, const char *name) {
    const char *given = suggestion->given;
    const size_t length = strlen(given), own = strlen(name), longer = length > own ? length : own;
    if (length < 2 || longer > SUGGESTION_MAX_NAME)
        return;
    const bool begins = strncasecmp(given, name, length) == 0;
    const size_t errors = begins ? 1 : distance(given, length, name, own), most = longer < 6 ? 1 : longer / 3;
    if (errors > most || (suggestion->name && suggestion->distance <= errors))
        return;
    suggestion->name = name;
    suggestion->distance = errors;
}

const char *suggestion_text(struct suggestion *suggestion, const char *before) {
    suggestion->text[0] = '\0';
    if (suggestion->name)
        snprintf(suggestion->text, sizeof suggestion->text, " (did you mean `%s%s`?)", before, suggestion->name);
    return suggestion->text;
}
