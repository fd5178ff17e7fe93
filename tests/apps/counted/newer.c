/* SPDX-License-Identifier: BSD-3-Clause
 * newer WAY: a program with an instruction that no decoder of today knows and no CPU has. "ask": it asks first and does
 * not execute it. "handle": it executes it a thousand times and skips it when the signal comes. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>

#include "work.h"

enum { TIMES = 1000, BYTES = 6 };

static void skip(int number, siginfo_t *info, void *context) {
    (void)number, (void)info;
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP] += BYTES;
}

/* EVEX, map 6, an opcode without a meaning. */
static void execute(void) {
    __asm__ volatile(".byte 0x62, 0xf6, 0x7c, 0x48, 0x00, 0xc1" ::: "xmm0");
}

int main(int argc, char **argv) {
    const struct sigaction action = {.sa_sigaction = skip, .sa_flags = SA_SIGINFO};
    sigaction(SIGILL, &action, NULL);
    for (int i = 0; i < TIMES; i++) {
        work(1);
        if (argc > 1 && strcmp(argv[1], "handle") == 0)
            execute();
    }
    printf("region \"\" flop %d\n", TIMES);
    return 0;
}
