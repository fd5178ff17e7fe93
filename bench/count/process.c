/* SPDX-License-Identifier: BSD-3-Clause */
#include "process.h"
#include "counter.h"
#include "region.h"
#include "threads.h"

#include <signal.h>
#include <stddef.h>
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
    system_unlock(); /* its holder is not in this process */
    threads_keep_only(context);
    region_forked(context);
    if (levels_request())
        levels_begin(context);
    dump_forked();
}

/* Ends by signals. */

/* The kernel's layout. */
struct kernel_action {
    uint64_t handler, flags, restorer, mask;
};
enum { DEFAULT_ACTION = 0, HAS_RESTORER = 0x04000000 };

/* Without the signals of faults: the program has caused them itself, and has crashed. */
static const uint64_t ENDINGS = 1ull << (SIGHUP - 1) | 1ull << (SIGINT - 1) | 1ull << (SIGQUIT - 1) |
                                1ull << (SIGABRT - 1) | 1ull << (SIGUSR1 - 1) | 1ull << (SIGUSR2 - 1) |
                                1ull << (SIGPIPE - 1) | 1ull << (SIGALRM - 1) | 1ull << (SIGTERM - 1) |
                                1ull << (SIGXCPU - 1) | 1ull << (SIGVTALRM - 1) | 1ull << (SIGPROF - 1);
static uint64_t receiver;

static uint64_t bit_of(uint64_t number) {
    return number >= 1 && number <= 64 ? 1ull << (number - 1) : 0;
}

bool endings_include(uint64_t number) {
    return (ENDINGS & bit_of(number)) != 0;
}

/* The kernel requires a restorer; the counter does not use it to return from its handler. */
long endings_watch(uint64_t number, void *old) {
    const uint64_t restart = number == SIGPROF ? SA_RESTART : 0; /* a tick (slices.h) must not end a system call */
    const struct kernel_action watch = {
        .handler = receiver, .flags = SA_SIGINFO | HAS_RESTORER | restart, .restorer = receiver, .mask = ~0ull};
    return SYSTEM_CALL(SYS_rt_sigaction, number, &watch, old, sizeof watch.mask);
}

void endings_prepare(uint64_t entry) {
    receiver = entry;
    endings_watch(SIGSEGV, NULL); /* writes to code arrive as faults */
    for (uint64_t number = 1; number <= 64; number++) {
        struct kernel_action now = {.handler = DEFAULT_ACTION};
        if (endings_include(number) && !SYSTEM_CALL(SYS_rt_sigaction, number, NULL, &now, sizeof now.mask) &&
            now.handler == DEFAULT_ACTION)
            endings_watch(number, NULL);
    }
}

void endings_end(int number) {
    const struct kernel_action none = {.handler = DEFAULT_ACTION};
    const uint64_t own = bit_of((uint64_t)number);
    enum { AS_A_SHELL_SAYS = 128 };
    if (process_is_own()) { /* a child of vfork has no counts of its own to report */
        system_lock();
        dump_write();
        system_unlock();
    }
    SYSTEM_CALL(SYS_rt_sigaction, number, &none, NULL, sizeof none.mask);
    SYSTEM_CALL(SYS_rt_sigprocmask, SIG_UNBLOCK, &own, NULL, sizeof own);
    SYSTEM_CALL(SYS_tgkill, SYSTEM_CALL(SYS_getpid, 0), SYSTEM_CALL(SYS_gettid, 0), number);
    for (;;)
        SYSTEM_CALL(SYS_exit_group, AS_A_SHELL_SAYS + number);
}
