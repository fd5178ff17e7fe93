/* SPDX-License-Identifier: BSD-3-Clause
 * JSON text walked through without building it: for thousands of files of which little is wanted. Every value must be
 * taken or skipped, in its order. What is not plain JSON ends the walk, and nothing after it is true. */
#ifndef CARM_SCAN_H
#define CARM_SCAN_H

#include <stdbool.h>
#include <stddef.h>

struct scan {
    const char *at; /* in a text that ends in NUL */
    bool failed;
};

/* Where it stands in the text; length 0 where it has escapes. */
struct scan_key {
    const char *text;
    size_t length;
};

/* An object or list: true when there is a next member or item, which then has to be taken or skipped. Begin with
 * *inside false. */
bool scan_member(struct scan *scan, bool *inside, struct scan_key *key);
bool scan_item(struct scan *scan, bool *inside);

/* Texts with escapes, and those that do not fit, fail. */
void scan_text(struct scan *scan, char *out, size_t size);
double scan_number(struct scan *scan); /* finite and not negative */
bool scan_bool(struct scan *scan);
void scan_skip(struct scan *scan);
bool scan_is_end(struct scan *scan); /* only blanks are left */

#endif
