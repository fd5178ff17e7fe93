/* SPDX-License-Identifier: BSD-3-Clause
 * How many threads work at the same time. Intervals end when a thread begins or ends. In an interval, threads count as
 * concurrent if each does a good part of the busiest one's instructions or flop. Called under the lock. */
#pragma once

#include <stdint.h>

#include "bench/count/code/context.h"

/* A new thread begins to count; a thread ends. */
void together_begin(struct context *thread);
void together_end(const struct context *thread);

/* How many threads live. */
uint32_t together_living(void);

/* The highest number of concurrent threads so far, over a good part of the program. */
uint32_t together_most(void);

/* Call in the child of a fork, on its only thread, whose counters are zero. */
void together_forked(struct context *thread);
