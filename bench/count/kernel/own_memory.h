/* SPDX-License-Identifier: BSD-3-Clause
 * Code that the program changes by system calls: writes to /proc/PID/mem and process_vm_writev, which need no
 * permission to write of the memory, and no instruction that could be seen. */
#ifndef BENCH_COUNT_OWN_MEMORY_H
#define BENCH_COUNT_OWN_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/count/code/context.h"

/* Notices a system call that opens a file of such a name. */
void own_memory_open(const struct registers *registers);

/* Whether a system call may change the process's own memory. */
bool own_memory_is_written(const struct registers *registers);

/* Whether a system call puts a breakpoint into the code of another process, as debuggers do. */
bool own_memory_breaks_others(const struct registers *registers);

/* What addresses it may change, once it has been made with the arguments in `registers`. */
struct memory_range {
    uint64_t low, high;
};
struct memory_range own_memory_range(const struct registers *registers);

#endif
