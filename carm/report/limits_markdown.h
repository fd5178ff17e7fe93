/* SPDX-License-Identifier: BSD-3-Clause
 * The table of documented limits as a document: the limits of each microarchitecture, with sources. */
#ifndef CARM_REPORT_LIMITS_MARKDOWN_H
#define CARM_REPORT_LIMITS_MARKDOWN_H

#include <stdio.h>

/* Prints Markdown. docs/documented-limits.md is this text; a test compares the two. */
void limits_markdown_print(FILE *out);

#endif
