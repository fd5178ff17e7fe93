/* SPDX-License-Identifier: BSD-3-Clause
 * Tables of fields as a document: each field, its unit, and the meaning of a missing key. */
#pragma once

#include <stdio.h>

#include "fields.h"

/* Markdown: a heading and a table for the record `name`, then for each record and list in it, named by its path.
 * docs/result-file.md contains this; a test compares the two. */
void fields_markdown_print(const struct field *fields, const char *name, FILE *out);
