/* SPDX-License-Identifier: BSD-3-Clause
 * System calls that change what is mapped, or what may be done with it, and what the kernel writes for the program. */
#ifndef BENCH_COUNT_MAPPINGS_H
#define BENCH_COUNT_MAPPINGS_H

#include <stdbool.h>

#include "own_memory.h"

#include "bench/count/code/context.h"

/* Whether the call changes mappings, and between which addresses code may be gone or other code afterwards. */
bool mappings_change(const struct registers *call, struct memory_range *out);

/* Called under the lock, right before such a call is made: code there is copied anew when it is executed next. True:
 * look-ups of threads for code there must be forgotten, too. */
bool mappings_leave(const struct registers *call, const struct memory_range *range);

/* Where the arguments of any call point to, the kernel may write, also where code was copied. */
void mappings_open_arguments(const struct registers *call);

#endif
