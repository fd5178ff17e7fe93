/* SPDX-License-Identifier: BSD-3-Clause
 * Executes itself, over and over, while another process sends it signals: executes [LEFT SENDER]. A program that is
 * executed begins with no signal blocked, as its predecessor had none blocked. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "work.h"

static void ignore(int number) {
    (void)number;
}

int main(int argc, char **argv) {
    enum { TIMES = 40 };
    const int left = argc > 2 ? atoi(argv[1]) : TIMES;
    pid_t sender = argc > 2 ? atoi(argv[2]) : 0;
    char numbers[2][16];
    sigset_t blocked;
    sigprocmask(SIG_BLOCK, NULL, &blocked);
    for (int number = 1; number < 32; number++)
        if (sigismember(&blocked, number)) {
            printf("signal %d is blocked, with %d times left\n", number, left);
            return 1;
        }
    signal(SIGWINCH, ignore); /* by default it is ignored */
    const pid_t own = getpid();
    if (!sender && (sender = fork()) == 0) {
        while (getppid() == own && kill(own, SIGWINCH) == 0)
            usleep(200);
        _exit(0);
    }
    work(10);
    if (left > 0) {
        snprintf(numbers[0], sizeof numbers[0], "%d", left - 1);
        snprintf(numbers[1], sizeof numbers[1], "%d", (int)sender);
        execl("/proc/self/exe", argv[0], numbers[0], numbers[1], NULL);
        return 2;
    }
    kill(sender, SIGTERM);
    waitpid(sender, NULL, 0);
    printf("region \"\" flop %d\n", 10 * (TIMES + 1));
    return 0;
}
