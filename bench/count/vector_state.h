/* SPDX-License-Identifier: BSD-3-Clause
 * The program's vector, x87 and tile registers. */
#pragma once

#include "bench/count/code/context.h"

/* Call once, before all others. Ends the program if the CPU has more vector state than fits. */
void vector_state_prepare(void);

/* Saved in the context while libraries may use them. */
void vector_state_save(struct context *context);
void vector_state_restore(struct context *context);

/* Sets them to the values with which the kernel enters a signal's handler. */
void vector_state_clear(struct context *context);
