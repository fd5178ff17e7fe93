/* SPDX-License-Identifier: BSD-3-Clause
 * How libcarmine-valgrind.so speaks to valgrind: by client requests (valgrind.h), which are instructions without an
 * effect on a CPU. */
#ifndef BENCH_COLLECT_VALGRIND_H
#define BENCH_COLLECT_VALGRIND_H

#include <stdint.h>

#include "callgrind_marks.h"

enum {
    REQUEST_RUNNING_ON_VALGRIND = 0x1001,            /* valgrind.h */
    REQUEST_MONITOR = 0x1202,                        /* valgrind.h: VG_USERREQ__GDB_MONITOR_COMMAND */
    REQUEST_DUMP_THREAD = 'C' << 24 | 'T' << 16 | 3, /* callgrind.h: VG_USERREQ__DUMP_STATS_AT */
};

/* valgrind's answer; 0 on a CPU. */
static inline uintptr_t request(uintptr_t number, const char *text) {
    const uintptr_t arguments[6] = {number, (uintptr_t)text};
    uintptr_t answer = 0;
    __asm__ volatile("rolq $3, %%rdi; rolq $13, %%rdi; rolq $61, %%rdi; rolq $51, %%rdi; xchgq %%rbx, %%rbx"
                     : "+d"(answer)
                     : "a"(arguments)
                     : "cc", "memory");
    return answer;
}

/* `mark` is a literal: nothing may be called before the program's work is cut off from ours. */
#define CUT_ALL(mark) request(REQUEST_MONITOR, "dump " mark)
#define CUT_OWN(mark) request(REQUEST_DUMP_THREAD, mark)

#endif
