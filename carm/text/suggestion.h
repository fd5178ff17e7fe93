/* SPDX-License-Identifier: BSD-3-Clause
 * "Did you mean `run`?": suggests the known name nearest to a mistyped one. Pure. */
#pragma once

#include <stddef.h>

enum { SUGGESTION_MAX_NAME = 63 }; /* bytes of a name; a longer name is no typing error */

struct suggestion {
    const char *given, *name; /* as typed; the nearest name so far, NULL: none */
    size_t distance;          /* typing errors between the two */
    char text[SUGGESTION_MAX_NAME + 32];
};

/* Begin with the typed name, then call suggestion_consider() with each known name. Names must outlive the suggestion.
 */
struct suggestion suggestion_for(const char *given);

/* Typing errors are additional, missing, wrong and swapped letters (Damerau, CACM 7(3), 1964; only swaps of
 * neighbours), regardless of case. A name matches with one error, or with one in three letters. The beginning of a name
 * counts as one error. */
void suggestion_consider(struct suggestion *suggestion, const char *name);

/* " (did you mean `--threads`?)" with `before` "--"; "" if no name is near. */
const char *suggestion_text(struct suggestion *suggestion, const char *before);
