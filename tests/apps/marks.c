/* SPDX-License-Identifier: BSD-3-Clause
 * Marks in unusual ways: marks WAY. Prints how often each region was entered. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <threads.h>
#include <unistd.h>

#include "carmine.h"
#include "work.h"

static void mark(const char *name) {
    carmine_region_begin(name);
    work(10);
    carmine_region_end(name);
}

/* Before the program has begun. */
static __attribute__((constructor(101))) void mark_in_constructor(void) {
    mark("constructor");
}

static void recurse_with_pauses(void) { /* in which time would be counted three times */
    for (int i = 0; i < 3; i++)
        carmine_region_begin("recursion");
    usleep(20000);
    for (int i = 0; i < 3; i++)
        carmine_region_end("recursion");
    printf("region \"recursion\" calls 1 open 0 mismatched 0\n");
}
static void use_odd_names(void) {
    mark("tab\tline\nand 100%");
    mark("");
    mark(NULL);
    mark("été");
    printf("region \"été\" calls 1\nregion \"(no name)\" calls 2\n");
}
static void use_many_names(void) {
    char name[32];
    for (int i = 0; i < 3000; i++) {
        snprintf(name, sizeof name, "region %d", i % 1500);
        mark(name);
    }
    printf("region \"region 1000\" calls 2\n"); /* of 1,024 one is the program, one stands for the others */
    printf("region \"(further regions)\" calls %d\n", 2 * (1500 + 1 - (1024 - 2)));
}
static void nest_deeply(void) {
    char name[32];
    for (int i = 0; i < 1000; i++) {
        snprintf(name, sizeof name, "level %d", i % 500);
        carmine_region_begin(name);
    }
    for (int i = 999; i >= 0; i--) {
        snprintf(name, sizeof name, "level %d", i % 500);
        carmine_region_end(name);
    }
    printf("region \"level 0\" calls 1 open 0 mismatched 0\nregion \"level 499\" calls 1 open 0 mismatched 0\n");
}
static void keep_errno(void) {
    errno = 77;
    mark("errno");
    printf("region \"errno\" calls %d\n", errno == 77);
}
static int c11_thread(void *unused) {
    (void)unused;
    mark("thread");
    return 7;
}
static void use_c11_threads(void) {
    thrd_t thread;
    int status = 0;
    thrd_create(&thread, c11_thread, NULL);
    thrd_join(thread, &status);
    printf("region \"thread\" calls %d\n", status == 7);
}
static void *open_and_end(void *unused) {
    carmine_region_begin("left open");
    return unused;
}
static void leave_open_in_threads(void) {
    pthread_t thread;
    for (int i = 0; i < 3; i++) {
        pthread_create(&thread, NULL, open_and_end, NULL);
        pthread_join(thread, NULL);
    }
    printf("region \"left open\" calls 3 open 3\n");
}
static volatile sig_atomic_t ticks;
static void on_tick(int signal) {
    (void)signal;
    ticks++;
}
static void use_the_profiling_signal(void) { /* that samples come with */
    struct sigaction action = {.sa_handler = on_tick}, old;
    const struct itimerval often = {{0, 1000}, {0, 1000}};
    if (sigaction(SIGPROF, NULL, &old) != 0 || old.sa_handler != SIG_DFL)
        abort();
    if (sigaction(SIGPROF, &action, &old) != 0 || old.sa_handler != SIG_DFL)
        abort();
    if (ticks > 0)
        abort();
    setitimer(ITIMER_PROF, &often, NULL);
    while (ticks < 3)
        work(1000000);
    mark("ticking");
    printf("region \"ticking\" calls 1\n");
}
static void spin(void) { /* CPU time to sample */
    carmine_region_begin("spin");
    struct timespec used;
    do {
        work(1000000);
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    } while (used.tv_sec == 0 && used.tv_nsec < 300000000);
    carmine_region_end("spin");
    printf("region \"spin\" calls 1\n");
}
/* A program that has no descriptor left while samples are taken. */
static void spin_without_descriptors(void) {
    struct rlimit most, none;
    getrlimit(RLIMIT_NOFILE, &most);
    none = (struct rlimit){0, most.rlim_max};
    setrlimit(RLIMIT_NOFILE, &none);
    errno = 77;
    for (const double end_s = now_s() + 0.1; now_s() < end_s;) /* a call: compilers read errno again */
        work(10000);
    const int kept = errno == 77;
    setrlimit(RLIMIT_NOFILE, &most);
    mark("full");
    printf("region \"full\" calls %d\n", kept);
}
/* Threads that create threads mark the same regions, and try to execute a program. */
static void *mark_many(void *unused) {
    char name[32];
    for (int i = 0; i < 200; i++) {
        snprintf(name, sizeof name, "crowd %d", i % 50);
        mark(name);
    }
    return unused;
}
static void *create_and_mark(void *unused) {
    pthread_t threads[3];
    carmine_region_begin("creator");
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, mark_many, NULL);
    mark_many(NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    carmine_region_end("creator");
    execl("/nowhere/at all", "none", NULL);
    return unused;
}
static void let_them_mark(void) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, create_and_mark, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    printf("region \"creator\" calls 4\nregion \"crowd 7\" calls 64\n");
}
static void *mark_for_ever(void *unused) {
    for (;;)
        mark("for ever");
    return unused;
}
static void end_amid_marks(void) {
    pthread_t other;
    let_them_mark();
    pthread_create(&other, NULL, mark_for_ever, NULL);
    usleep(20000);
    exit(0);
}
static void *end_later(void *unused) {
    (void)unused;
    usleep(20000);
    exit(0);
}
static void end_after_the_first_thread(void) {
    pthread_t other;
    let_them_mark();
    pthread_create(&other, NULL, end_later, NULL);
    pthread_exit(NULL);
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*run)(void);
    } ways[] = {
        {"recursion", recurse_with_pauses},
        {"names", use_odd_names},
        {"many", use_many_names},
        {"deep", nest_deeply},
        {"errno", keep_errno},
        {"c11", use_c11_threads},
        {"open", leave_open_in_threads},
        {"own", use_the_profiling_signal},
        {"spin", spin},
        {"full", spin_without_descriptors},
        {"crowd", end_amid_marks},
        {"headless", end_after_the_first_thread},
    };
    printf("region \"constructor\" calls 1\n");
    for (size_t i = 0; argc > 1 && i < sizeof ways / sizeof *ways; i++)
        if (strcmp(argv[1], ways[i].name) == 0)
            return ways[i].run(), 0;
    return 2;
}
