/* SPDX-License-Identifier: BSD-3-Clause
 * Keeps the descriptors of the first counters out of the program's way. */
#ifndef BENCH_COLLECT_DESCRIPTORS_H
#define BENCH_COLLECT_DESCRIPTORS_H

#include <stdbool.h>

void descriptors_hold(void);
void descriptors_release(void);
bool descriptors_intact(void);
void descriptors_forget(void); /* the first counters end, or are those of a forked child's parent */

#endif
