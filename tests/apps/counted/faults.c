/* SPDX-License-Identifier: BSD-3-Clause
 * Page faults of known number, as events that the kernel counts on any machine: faults WAY [THREADS]. Prints how many
 * each region has at least; a few more come from stacks and the like. */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "carmine.h"

enum { PAGE_BYTES = 4096 };
static int thread_count = 1;

static void fault(long pages) {
    const size_t bytes = (size_t)pages * PAGE_BYTES;
    char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED || madvise(memory, bytes, MADV_NOHUGEPAGE) != 0)
        exit(77);
    for (size_t i = 0; i < bytes; i += PAGE_BYTES)
        ((volatile char *)memory)[i] = 1;
    munmap(memory, bytes);
}
static void says(const char *region, long faults, long calls) {
    printf("region \"%s\" faults %ld calls %ld\n", region, faults, calls);
}

static void mark_outside(void) {
#pragma omp parallel num_threads(thread_count)
    fault(1000);
    carmine_region_begin("outside");
#pragma omp parallel num_threads(thread_count)
    fault(1000);
    carmine_region_end("outside");
#pragma omp parallel num_threads(thread_count)
    fault(1000);
    says("outside", 1000L * thread_count, 1);
}
static void mark_inside(void) { /* the first thread's mark covers the others too, which mark themselves */
#pragma omp parallel num_threads(thread_count)
    {
#pragma omp barrier
        carmine_region_begin("inside");
#pragma omp barrier
        fault(1000);
#pragma omp barrier
        carmine_region_end("inside");
    }
    says("inside", 1000L * thread_count, thread_count);
}
static void mark_both(void) {
    carmine_region_begin("outer");
#pragma omp parallel num_threads(thread_count)
    {
        fault(500);
        if (omp_get_thread_num() > 0) {
            carmine_region_begin("workers");
            fault(1000);
            carmine_region_end("workers");
        }
    }
    carmine_region_end("outer");
    says("outer", 500L * thread_count + 1000L * (thread_count - 1), 1);
    says("workers", 1000L * (thread_count - 1), thread_count - 1);
}
static void recurse(int depth) {
    carmine_region_begin("recursion");
    fault(500);
    if (depth > 1)
        recurse(depth - 1);
    carmine_region_end("recursion");
}
static void mark_recursion(void) {
    recurse(4);
    says("recursion", 2000, 1);
}
static void *fault_in_region(void *pages) {
    carmine_region_begin("thread");
    fault((long)pages);
    carmine_region_end("thread");
    return NULL;
}
static void mark_in_threads(void) { /* that live at the same time, and have ended */
    pthread_t threads[256];
    for (int i = 0; i < thread_count; i++)
        if (pthread_create(&threads[i], NULL, fault_in_region, (void *)200L) != 0)
            exit(77);
    for (int i = 0; i < thread_count; i++)
        pthread_join(threads[i], NULL);
    says("thread", 200L * thread_count, thread_count);
}
static void *create_next(void *depth) {
    pthread_t next;
    fault(200);
    if (depth && pthread_create(&next, NULL, create_next, (char *)depth - 1) == 0)
        pthread_join(next, NULL);
    fault(200);
    return NULL;
}
static void mark_chain(void) { /* threads that threads created, in a region that was open before */
    carmine_region_begin("chain");
    create_next((void *)5);
    carmine_region_end("chain");
    create_next((void *)5);
    says("chain", 6 * 400, 1);
}
static void mark_in_children(void) {
    carmine_region_begin("parent");
    fault(500);
    pid_t child = fork();
    if (child == 0) {
        fault(1000);
        carmine_region_end("parent"); /* which is none of the child's */
        carmine_region_begin("child");
        fault(1000);
        carmine_region_end("child");
        exit(0);
    }
    waitpid(child, NULL, 0);
    carmine_region_end("parent");
    says("parent", 500, 1);
    says("child", 1000, 1);
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*run)(void);
    } ways[] = {
        {"outside", mark_outside},      {"inside", mark_inside},       {"both", mark_both},
        {"threads", mark_in_threads},   {"recursion", mark_recursion}, {"chain", mark_chain},
        {"children", mark_in_children},
    };
    thread_count = argc > 2 ? atoi(argv[2]) : 1;
    for (size_t i = 0; argc > 1 && i < sizeof ways / sizeof *ways; i++)
        if (strcmp(argv[1], ways[i].name) == 0) {
            ways[i].run();
            return 0;
        }
    return 2;
}
