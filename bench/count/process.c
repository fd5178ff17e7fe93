/* SPDX-License-Identifier: BSD-3-Clause
 * The process that is counted (see process.h). */
#include "process.h"
#include "lessons.h"
#include "region.h"
#include "threads.h"

#include <sys/syscall.h>

#include "bench/count/base/dump_file.h"
#include "bench/count/base/system.h"
#include "bench/count/caches/levels.h"

static long own_pid;

void process_start(void) {
    own_pid = SYSTEM_CALL(SYS_getpid, 0);
}

bool process_is_own(void) {
    return SYSTEM_CALL(SYS_getpid, 0) == own_pid;
}

void process_forked(struct context *context) {
    process_start();
    lessons_forked();
    system_unlock(); /* whoever held it is not in this process */
    threads_keep_only(context);
    region_forked(context);
    if (levels_request())
        levels_begin(context);
    dump_forked();
}
