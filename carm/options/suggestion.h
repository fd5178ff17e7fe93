/* SPDX-License-Identifier: BSD-3-Clause
 * "Did you mean `run`?": of the names that are known, the one that was surely meant. Pure. */
#ifndef CARM_SUGGESTION_H
#define CARM_SUGGESTION_H

#include <stddef.h>

enum { SUGGESTION_MAX_NAME = 63 }; /* bytes of a name; one that is longer is no typing error */

struct suggestion {
    const char *given, *name; /* as typed; the nearest so far, NULL: none is near */
    size_t distance;          /* between the two, in typing errors */
    char text[SUGGESTION_MAX_NAME + 32];
};

/* For what was typed; then suggestion_consider() each name that is known, which lasts as long as the suggestion. */
struct suggestion suggestion_for(const char *given);

/* Typing errors are letters too many, missing, wrong, and two swapped (Damerau, CACM 7(3), 1964; between neighbours
 * alone, which no other change parts), whatever their case: one, or one in three letters. The beginning of a name
 * counts as one. */
void suggestion_consider(struct suggestion *suggestion, const char *name);

/* " (did you mean `--threads`?)" with `before` "--", or "" where no name is near. */
const char *suggestion_text(struct suggestion *suggestion, const char *before);

#endif
