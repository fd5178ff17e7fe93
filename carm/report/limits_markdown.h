/* SPDX-License-Identifier: BSD-3-Clause
 * The table of documented limits as a document: what is known of each microarchitecture, with its sources. */
#ifndef CARM_REPORT_LIMITS_MARKDOWN_H
#define CARM_REPORT_LIMITS_MARKDOWN_H

#include <stdio.h>

/* Markdown; docs/documented-limits.md is this, and a test compares the two. */
void limits_markdown_print(FILE *out);

#endif
