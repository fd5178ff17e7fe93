/* SPDX-License-Identifier: BSD-3-Clause
 * Programs that the counted program executes: the counter comes with them, by LD_PRELOAD where the program passes that
 * on and the other takes it, and else as what is executed in its place (load.c). */
#ifndef BENCH_COUNT_EXEC_H
#define BENCH_COUNT_EXEC_H

#include <stdbool.h>
#include <stdint.h>

enum { EXEC_OWN_WORDS = 4 }; /* of the counter, before ARGV; even, so that the stack stays aligned as it is */

/* Keeps the folder of reports, and where the counter's own file lies: its path, or a list that it is in, as LD_PRELOAD
 * has it. */
void exec_prepare(const char *libraries, const char *folder);

/* Whether a program of this name (argv[0]) is the counter itself, which takes itself over (load.c). */
bool exec_is_counter(const char *name);

/* Makes the execve of the program, whose arguments need not be good addresses. Comes back with the kernel's error;
 * -EINTR: `*stop` is no longer 0 (system.h). */
long exec_counted(uint64_t path, uint64_t argv, uint64_t environment, const uint64_t *stop);

#endif
