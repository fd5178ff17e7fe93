/* SPDX-License-Identifier: BSD-3-Clause
 * Preloaded under callgrind, so that its counts are of what the exact counter's are of: they begin with the program's
 * first constructor; a forked process does not inherit its parent's; and what came before an exec is not forgotten. */
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <valgrind/callgrind.h>

static void begin(void) {
    CALLGRIND_ZERO_STATS;
}

__attribute__((constructor)) static void start(void) {
    begin();
    pthread_atfork(NULL, NULL, begin);
}

int execve(const char *path, char *const argv[], char *const environment[]) {
    CALLGRIND_DUMP_STATS;
    return (int)syscall(SYS_execve, path, argv, environment);
}
