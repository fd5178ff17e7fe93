/* SPDX-License-Identifier: BSD-3-Clause
 * Who the program is, where the counter was executed in its place: the kernel would name the counter. */
#ifndef BENCH_COUNT_SELF_H
#define BENCH_COUNT_SELF_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/count/code/context.h"

/* From now on this process is the program of this path: for itself, for the report, and for `ps`. */
void self_is(const char *path);

/* Makes a system call that speaks of /proc/self/exe about the program, and leaves the result in rax. False: it is none
 * of these, or the kernel says it right, and it has not been made. */
bool self_call(struct registers *registers);

/* The path itself, or the program's where it is /proc/self/exe. */
uint64_t self_path(uint64_t path);

#endif
