/* SPDX-License-Identifier: BSD-3-Clause
 * What old programs do: oldcalls WAY. vsyscall: calls the kernel's page at a fixed address. step: sets the trap flag,
 * and counts its own steps. share: a process that shares its memory, as threads once were. */
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>

#include "work.h"

#define PAGE 0xffffffffff600000

static void call_page(void) {
    time_t (*volatile get_time)(time_t *) = (time_t(*)(time_t *))(PAGE + 0x400);
    int (*volatile get_day)(struct timeval *, void *) = (int (*)(struct timeval *, void *))PAGE;
    long (*volatile get_cpu)(unsigned *, unsigned *, void *) = (long (*)(unsigned *, unsigned *, void *))(PAGE + 0x800);
    struct timeval day = {0, 0};
    unsigned cpu = ~0u;
    time_t now = 0, before = time(NULL);
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512];
    int there = 0;
    while (maps && fgets(line, sizeof line, maps))
        there |= strstr(line, "[vsyscall]") != NULL;
    if (maps)
        fclose(maps);
    if (!there) {
        printf("this kernel has no such page\n");
        exit(77);
    }
    work(30);
    for (int i = 0; i < 3; i++) {
        const time_t given = get_time(&now);
        printf("time %d, day %d, cpu %d\n", given == now && now >= before && now < before + 100,
               get_day(&day, NULL) == 0 && day.tv_sec >= now, get_cpu(&cpu, NULL, NULL) == 0 && cpu < 100000);
    }
}

static volatile sig_atomic_t steps;
static void step(int number) {
    steps += number == SIGTRAP;
}

static void trap_each(void) {
    signal(SIGTRAP, step);
    __asm__ volatile("pushfq\n\torq $0x100, (%%rsp)\n\tpopfq\n\tnop\n\tnop\n\tnop\n\t"
                     "pushfq\n\tandq $~0x100, (%%rsp)\n\tpopfq" ::
                         : "memory", "cc");
    printf("%d steps\n", (int)steps);
}

static int end_with(void *status) {
    return *(int *)status;
}

static void share_memory(void) {
    static char stack[1 << 16];
    int status = 7;
    const pid_t child = clone(end_with, stack + sizeof stack, CLONE_VM | SIGCHLD, &status);
    if (child > 0 && waitpid(child, &status, 0) == child)
        printf("ended with %d\n", WEXITSTATUS(status));
}

int main(int argc, char **argv) {
    if (argc != 2)
        return 2;
    if (strcmp(argv[1], "vsyscall") == 0)
        call_page();
    else if (strcmp(argv[1], "share") == 0)
        share_memory();
    else
        trap_each();
    printf("region \"\" flop 30\n");
    return 0;
}
