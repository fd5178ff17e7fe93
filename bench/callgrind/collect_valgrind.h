/* SPDX-License-Identifier: BSD-3-Clause
 * How libcarmine-valgrind.so speaks to valgrind: by client requests (valgrind.h), which are instructions without an
 * effect on a CPU. */
#ifndef BENCH_COLLECT_VALGRIND_H
#define BENCH_COLLECT_VALGRIND_H

#include "probe/arch.h"
#include "callgrind_marks.h"

enum {
    REQUEST_RUNNING_ON_VALGRIND = 0x1001,            /* valgrind.h */
    REQUEST_MONITOR = 0x1202,                        /* valgrind.h: VG_USERREQ__GDB_MONITOR_COMMAND */
    REQUEST_DUMP_THREAD = 'C' << 24 | 'T' << 16 | 3, /* callgrind.h: VG_USERREQ__DUMP_STATS_AT */
};

/* `mark` is a literal: nothing may be called before the program's work is cut off from ours. */
#define CUT_ALL(mark) arch_valgrind_request(REQUEST_MONITOR, "dump " mark)
#define CUT_OWN(mark) arch_valgrind_request(REQUEST_DUMP_THREAD, mark)

#endif
