/* SPDX-License-Identifier: BSD-3-Clause
 * JSON text walked through without building it: for thousands of files of which little is wanted. Every value must be
 * taken or skipped, in its order. What is not plain JSON ends the walk, and nothing after it is true. */
#ifndef CARM_SCAN_H
#define CARM_SCAN_H

#include <stdbool.h>
#include <stddef.h>

struct scan {
    const char *at; /* in a text that ends in NUL: what is read next */
    bool failed;    /* from then on every function below does nothing, and answers false, 0 or "" */
};

/* Its bytes in the text, without the quotes and without a NUL; length 0 where it has escapes. */
struct scan_key {
    const char *text;
    size_t length;
};

/* An object or list: true when there is a next member or item, which then has to be taken or skipped. Begin with
 * *inside false. */
bool scan_member(struct scan *scan, bool *inside, struct scan_key *key);
bool scan_item(struct scan *scan, bool *inside);

/* Each takes one value, and fails where it is of another sort. Texts with escapes, and those that do not fit `size`
 * bytes with their NUL, fail too; so do numbers that are negative or not finite. */
void scan_text(struct scan *scan, char *out, size_t size);
double scan_number(struct scan *scan);
bool scan_bool(struct scan *scan);

/* Passes over a value of any sort, with all that is in it. Fails where it is nested more than 64 deep. */
void scan_skip(struct scan *scan);

/* Nothing has failed, and only blanks are left. */
bool scan_is_end(struct scan *scan);

#endif
