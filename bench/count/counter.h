/* SPDX-License-Identifier: BSD-3-Clause
 * libcarmine-count.so as a whole: preparations before it takes over a program. */
#pragma once

#include <stdbool.h>

/* Opens the report in this folder, and makes the tables and the first thread's context; the program's environment lists
 * the enabled marks. False: the report cannot be written, and the program runs uncounted. Ends the process if it cannot
 * be counted for another reason. */
bool counter_prepare(const char *folder, char **environment);
