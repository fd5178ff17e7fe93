/* SPDX-License-Identifier: BSD-3-Clause
 * Widths of columns and pages in classes of LaTeX, by name. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* "ieee", …; NULL at the end. */
const char *column_width_name(size_t index);

/* The width in points of PDF, 72 to an inch. False: no such name. */
bool column_width_find(const char *name, double *points);
