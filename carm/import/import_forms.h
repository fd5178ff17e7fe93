/* SPDX-License-Identifier: BSD-3-Clause
 * Forms of tools' output that are not read: each tool has a table of them. A row has a mark by which to know the form,
 * and a sentence: what the form is, and the option that makes one that is read. */
#ifndef CARM_IMPORT_FORMS_H
#define CARM_IMPORT_FORMS_H

#include <stddef.h>

struct unread_form {
    const char *mark;     /* in a line of the text; after '^' at the line's beginning; NULL: end of the table */
    const char *sentence; /* "this is the text of perf stat: run it with -x," */
};

/* The sentence of the first form whose mark the text has; NULL: none. Its lines may be cut by NULs. */
const char *forms_find(const struct unread_form *forms, const char *text, size_t length);

/* The same of binary files, which begin with a mark. */
const char *forms_find_binary(const char *bytes, size_t length);

#endif
