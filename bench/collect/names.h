/* SPDX-License-Identifier: BSD-3-Clause
 * The regions' names and numbers: 0 is the whole program, which has none. */
#ifndef BENCH_COLLECT_NAMES_H
#define BENCH_COLLECT_NAMES_H

/* The region of that name, which is numbered now if it is new; the last one stands for all that there is no room for.
 * NULL and "" are a name too. */
unsigned names_find(const char *name);

unsigned names_count(void); /* of regions, with the whole program */
const char *names_text(unsigned region);
void names_after_fork(void); /* in the child */

#endif
