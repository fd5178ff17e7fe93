/* SPDX-License-Identifier: BSD-3-Clause
 * Many threads while counting: threads WAY [COUNT]. All of them do work of known flop in region "work", which the first thread
 * marks; the sum is printed. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "carmine.h"
#include "work.h"

enum { WORK_FLOP = 100, AT_ONCE = 500, IN_SEQUENCE = 5000 };

static pthread_barrier_t all_live;
static pthread_attr_t small;
static pthread_t first;

static void *meet_and_work(void *unused) {
    pthread_barrier_wait(&all_live);
    work(WORK_FLOP);
    return unused;
}
static void *only_work(void *unused) {
    work(WORK_FLOP);
    return unused;
}
static void *wait_forever(void *unused) {
    pause();
    return unused;
}
static void *create_and_work(void *depth) { /* each creates the next one */
    pthread_t next;
    if (depth && pthread_create(&next, &small, create_and_work, (char *)depth - 1) == 0)
        pthread_join(next, NULL);
    work(WORK_FLOP);
    return NULL;
}
static void *outlive_first(void *unused) {
    (void)unused;
    pthread_join(first, NULL);
    work(WORK_FLOP);
    printf("region \"work\" flop %d\n", 2 * WORK_FLOP);
    return NULL; /* the last thread: the process ends */
}

/* In code that nothing has reached before: the first thread has ended, and with it what /proc/self tells. */
static void *work_after_first(void *way) {
    pthread_join(first, NULL);
    carmine_region_begin("late");
    work(WORK_FLOP);
    carmine_region_end("late");
    printf("region \"late\" flop %d\n", WORK_FLOP);
    fflush(stdout);
    if (strcmp(way, "raw") == 0)
        syscall(SYS_exit, 4); /* of the last thread: the process ends without its destructors */
    if (dlopen("libm.so.6", RTLD_NOW) == NULL)
        exit(1);
    return NULL;
}
static void end_first(const char *way) {
    if (strcmp(way, "raw") == 0)
        syscall(SYS_exit, 3);
    pthread_exit(NULL);
}

static void live_at_once(void) {
    static pthread_t threads[AT_ONCE];
    pthread_barrier_init(&all_live, NULL, AT_ONCE);
    for (int i = 0; i < AT_ONCE; i++)
        if (pthread_create(&threads[i], &small, meet_and_work, NULL) != 0)
            exit(77);
    for (int i = 0; i < AT_ONCE; i++)
        pthread_join(threads[i], NULL);
    printf("region \"work\" flop %d\n", AT_ONCE * WORK_FLOP);
}
static void live_in_sequence(int count) {
    pthread_t thread;
    for (int i = 0; i < count; i++) {
        pthread_create(&thread, NULL, only_work, NULL);
        pthread_join(thread, NULL);
    }
    printf("region \"work\" flop %d\n", count * WORK_FLOP);
}
static void create_in_a_chain(void) {
    create_and_work((void *)20);
    printf("region \"work\" flop %d\n", 21 * WORK_FLOP);
}
enum { LONG_FLOP = 1000000, BESIDE = 3 };
static void *work_long(void *meets) {
    if (meets)
        pthread_barrier_wait(&all_live);
    work(LONG_FLOP);
    if (meets)
        pthread_barrier_wait(&all_live);
    work(LONG_FLOP);
    return meets;
}
static void work_in_turns(void) { /* as many threads as below, and never two that work */
    pthread_t thread;
    work_long(NULL);
    for (int i = 0; i < BESIDE; i++) {
        pthread_create(&thread, NULL, work_long, NULL);
        pthread_join(thread, NULL);
    }
    printf("region \"work\" flop %d\n", (BESIDE + 1) * 2 * LONG_FLOP);
}
static void work_beside(void) {
    pthread_t threads[BESIDE];
    pthread_barrier_init(&all_live, NULL, BESIDE + 1);
    for (int i = 0; i < BESIDE; i++)
        if (pthread_create(&threads[i], NULL, work_long, &all_live) != 0)
            exit(77);
    work_long(&all_live);
    for (int i = 0; i < BESIDE; i++)
        pthread_join(threads[i], NULL);
    printf("region \"work\" flop %d\n", (BESIDE + 1) * 2 * LONG_FLOP);
}
static void work_beside_late(void) { /* after the first thread has gone round far longer, alone */
    for (long i = 0; i < 60L * LONG_FLOP; i++)
        __asm__ volatile("");
    work_beside();
}
static void be_cancelled(void) {
    pthread_t thread;
    for (int i = 0; i < 100; i++) {
        pthread_create(&thread, &small, create_and_work, NULL);
        pthread_cancel(thread);
        pthread_join(thread, NULL);
    }
    pthread_create(&thread, &small, wait_forever, NULL);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
}

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "";
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 65536);
    first = pthread_self();
    carmine_region_begin("work");
    if (strcmp(way, "once") == 0)
        live_at_once();
    else if (strcmp(way, "sequence") == 0)
        live_in_sequence(argc > 2 ? atoi(argv[2]) : IN_SEQUENCE);
    else if (strcmp(way, "chain") == 0)
        create_in_a_chain();
    else if (strcmp(way, "turns") == 0)
        work_in_turns();
    else if (strcmp(way, "beside") == 0)
        work_beside();
    else if (strcmp(way, "late") == 0)
        work_beside_late();
    else if (strcmp(way, "cancel") == 0)
        be_cancelled();
    else if (strcmp(way, "last") == 0) {
        pthread_t thread;
        pthread_create(&thread, NULL, outlive_first, NULL);
        work(WORK_FLOP);
        pthread_exit(NULL); /* with the region open */
    } else if (strcmp(way, "first") == 0 || strcmp(way, "raw") == 0) {
        pthread_t thread;
        pthread_create(&thread, NULL, work_after_first, argv[1]);
        carmine_region_end("work");
        end_first(way);
    } else
        return 2;
    carmine_region_end("work");
    return 0;
}
