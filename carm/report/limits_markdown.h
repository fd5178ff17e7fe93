/* SPDX-License-Identifier: BSD-3-Clause
 * The table of documented limits as a document: the limits of each microarchitecture, with sources. */
#pragma once

#include <stdio.h>

/* Prints Markdown. docs/documented-limits.md is this text; a test compares the two. */
void limits_markdown_print(FILE *out);
