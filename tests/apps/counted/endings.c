/* SPDX-License-Identifier: BSD-3-Clause
 * Programs that end badly, and such as do unusual things: endings WAY. The flop of
 * region "work" is printed first. */
#include <dirent.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "carmine.h"
#include "work.h"

static void die_by_fault(void) {
    volatile int *volatile nowhere = NULL;
    *nowhere = 1;
}
static void die_by_abort(void) {
    abort();
}
static void die_by_kill(void) {
    kill(getpid(), SIGKILL);
}
static void die_by_term(void) {
    raise(SIGTERM);
}
/* AArch64 divides by zero without a fault: there the signal is sent. */
static void die_by_division(void) {
    volatile int zero = 0, seven = 7;
    seven = seven / zero;
    raise(SIGFPE);
}
static void exit_at_once(void) {
    _exit(5);
}
static void exit_quickly(void) {
    quick_exit(6);
}
static void print_binary(void) {
    for (int i = 0; i < 100000; i++)
        putchar(i * 7 & 255);
}
static void ignore_interrupt(void) {
    signal(SIGINT, SIG_IGN);
    raise(SIGINT);
}
static void use_all_memory(void) {
    struct rlimit limit;
    void *volatile block; /* so that no compiler takes the loops for endless ones */
    getrlimit(RLIMIT_AS, &limit);
    limit.rlim_cur = (rlim_t)1 << 30; /* from here on: nothing is left, whoever may have mapped how much */
    setrlimit(RLIMIT_AS, &limit);
    while ((block = malloc(1 << 20)))
        continue;
    while ((block = malloc(100)))
        continue;
    static const char message[] = "no memory\n";
    exit(write(1, message, sizeof message - 1) > 0 ? 7 : 8);
}
static void close_everything(void) {
    for (int i = 3; i < 1024; i++)
        close(i);
    syscall(SYS_close_range, 3U, ~0U, 0);
}
static void use_every_descriptor(void) {
    while (dup(1) >= 0)
        continue;
}
static void change_folder(void) {
    if (chdir("/") != 0)
        abort();
}
static void clear_environment(void) {
    clearenv();
}
static void copy_input(void) {
    for (int c; (c = getchar()) != EOF;)
        putchar(c);
}

static const struct {
    const char *name;
    void (*run)(void);
} ways[] = {
    {"fault", die_by_fault},         {"abort", die_by_abort},
    {"kill", die_by_kill},           {"term", die_by_term},
    {"division", die_by_division},   {"_exit", exit_at_once},
    {"quick", exit_quickly},         {"binary", print_binary},
    {"interrupt", ignore_interrupt}, {"memory", use_all_memory},
    {"closed", close_everything},    {"descriptors", use_every_descriptor},
    {"folder", change_folder},       {"environment", clear_environment},
    {"input", copy_input},
};

int main(int argc, char **argv) {
    for (size_t i = 0; argc > 1 && i < sizeof ways / sizeof *ways; i++)
        if (strcmp(argv[1], ways[i].name) == 0) {
            carmine_region_begin("work");
            work(100);
            carmine_region_end("work");
            printf("region \"work\" flop 100\n");
            fflush(stdout);
            ways[i].run();
            return 0;
        }
    return 2;
}
