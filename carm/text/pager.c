/* SPDX-License-Identifier: BSD-3-Clause
 * A pager in a child process behind standard output. */
#include "pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* If the shell does not find it (127), print everything unchanged. */
static const char USUAL[] = "if command -v less >/dev/null; then exec less -FRX; else exec cat; fi",
                  NAMED[] = "eval \"$PAGER\"; [ $? -ne 127 ] || exec cat";

static struct {
    pid_t child;  /* 0: none */
    int terminal; /* the original standard output */
    void (*interrupted)(int), (*broken)(int);
} pager;

static void run_pager(int input) {
    const char *named = getenv("PAGER");
    dup2(input, STDIN_FILENO);
    setenv("LESSCHARSET", "utf-8", false); /* our marks, whatever the locale is */
    execl("/bin/sh", "sh", "-c", named && *named ? NAMED : USUAL, (char *)NULL);
    _exit(127);
}

/* Starts the child and redirects standard output to it. False: unchanged. */
static bool start(const int ends[2]) {
    pager.child = fork();
    if (pager.child == 0)
        run_pager(ends[0]);
    if (pager.child > 0 && dup2(ends[1], STDOUT_FILENO) >= 0)
        return true;
    pager.child = 0; /* an existing child reads nothing and ends */
    return false;
}

void pager_begin(void) {
    int ends[2];
    if (pager.child || !isatty(STDOUT_FILENO) || fflush(stdout) != 0)
        return;
    pager.terminal = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (pager.terminal < 0)
        return;
    const bool piped = pipe2(ends, O_CLOEXEC) == 0, started = piped && start(ends);
    if (piped)
        close(ends[0]), close(ends[1]);
    if (!started) {
        close(pager.terminal);
        return;
    }
    pager.interrupted = signal(SIGINT, SIG_IGN); /* Ctrl-C is a key of the pager */
    pager.broken = signal(SIGPIPE, SIG_IGN);
}

void pager_end(void) {
    if (!pager.child)
        return;
    if (fflush(stdout) != 0 || ferror(stdout)) { /* the reader has left */
        __fpurge(stdout);
        clearerr(stdout);
    }
    dup2(pager.terminal, STDOUT_FILENO);
    close(pager.terminal);
    while (waitpid(pager.child, NULL, 0) < 0 && errno == EINTR)
        continue;
    signal(SIGINT, pager.interrupted);
    signal(SIGPIPE, pager.broken);
    pager.child = 0;
}
