/* SPDX-License-Identifier: BSD-3-Clause
 * The program's vector, x87 and tile registers. */
#ifndef BENCH_COUNT_VECTOR_STATE_H
#define BENCH_COUNT_VECTOR_STATE_H

#include "bench/count/code/context.h"

/* To be called once, first. Ends the program where the CPU has more of it than fits. */
void vector_state_prepare(void);

/* Put aside in the context while libraries may use them. */
void vector_state_save(struct context *context);
void vector_state_restore(struct context *context);

/* Makes them what they are where the kernel enters a signal's handler. */
void vector_state_clear(struct context *context);

#endif
