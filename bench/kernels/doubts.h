/* SPDX-License-Identifier: BSD-3-Clause
 * A set of doubts, as it accompanies a number. Its members are in doubt.h. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct doubts {
    uint64_t words[1]; /* a bit per doubt; doubt.c checks that they suffice */
};
#define NO_DOUBTS ((struct doubts){{0}})

void doubts_join(struct doubts *set, struct doubts more);
struct doubts doubts_union(struct doubts a, struct doubts b);
struct doubts doubts_common(struct doubts a, struct doubts b);
struct doubts doubts_without(struct doubts set, struct doubts less);

bool doubts_any(struct doubts set);
bool doubts_equal(struct doubts a, struct doubts b);

/* Writes the names, separated by ", "; returns `out`. */
char *doubt_names(struct doubts doubts, char *out, size_t size);
