/* SPDX-License-Identifier: BSD-3-Clause
 * The counter as a program. Into some programs nothing can be preloaded: those without a dynamic loader, or with one of
 * another C library, and those that are started without our environment. Then the counter is executed in their place,
 *
 *     libcarmine-count.so FOLDER PROGRAM -- ARGV…
 *
 * puts the program into memory as the kernel does, and goes on as it with all instructions counted. FOLDER is the
 * report's, and the environment the program's own. */
#ifndef BENCH_COUNT_LOAD_H
#define BENCH_COUNT_LOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/count/code/context.h"

enum { LOAD_WORDS = 4 }; /* before ARGV; even, so that the stack stays aligned as it is */

/* Makes a system call that speaks of /proc/self/exe, where the kernel would name the counter, about the program, and
 * leaves the result in rax. False: it is none of these, and has not been made. */
bool load_stands_in(struct registers *registers);

/* The path itself, or the program's where it is /proc/self/exe. */
uint64_t load_own_path(uint64_t path);

#endif
