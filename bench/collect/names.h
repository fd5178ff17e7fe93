/* SPDX-License-Identifier: BSD-3-Clause
 * The names of regions, and their numbers from 1; number 0 is the whole program, which has no name. */
#pragma once

/* The number of the region with this name; a new name gets the next number, or the last one when there are
 * MAX_REGIONS. NULL and "" stand for the name "(no name)". */
unsigned names_find(const char *name);

/* Number of regions, including the whole program. */
unsigned names_count(void);

/* The name of the region with this number. */
const char *names_text(unsigned region);

/* For the child of a fork: makes the lock usable again. */
void names_after_fork(void);
