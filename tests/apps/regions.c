/* SPDX-License-Identifier: BSD-3-Clause
 * Marks in all places: regions WAY. Prints the flop of each region, and how often it was entered. */
#include <omp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "carmine.h"
#include "work.h"

static void mark_outside(void) { /* covers the workers, also those of an earlier parallel region */
#pragma omp parallel num_threads(3)
    work(1000);
    carmine_region_begin("outside");
#pragma omp parallel num_threads(3)
    work(1000);
    carmine_region_end("outside");
#pragma omp parallel num_threads(3)
    work(1000);
    printf("region \"outside\" flop 3000 calls 1\n");
}
static void mark_inside(void) { /* each thread by itself; what is outside keeps away from the first one's region */
#pragma omp parallel num_threads(3)
    {
        work(1000);
#pragma omp barrier
        for (int i = 0; i < 200; i++) { /* regions that overlap in all ways */
            carmine_region_begin("inside");
            work(10 * (omp_get_thread_num() + 1));
            carmine_region_end("inside");
        }
#pragma omp barrier
        work(1000);
    }
    printf("region \"inside\" flop 12000 calls 600\n");
}
static void nest(void) {
    carmine_region_begin("outer");
    work(1000);
    for (int i = 0; i < 3; i++) {
        carmine_region_begin("inner");
        work(10);
        carmine_region_begin("innermost");
        work(1);
        carmine_region_end("innermost");
        carmine_region_end("inner");
    }
    carmine_region_end("outer");
    printf("region \"outer\" flop 1033 calls 1\n");
    printf("region \"inner\" flop 33 calls 3\n");
    printf("region \"innermost\" flop 3 calls 3\n");
}
static void enter_often(void) {
    for (int i = 0; i < 10000; i++) {
        work(10);
        carmine_region_begin("often");
        work(3);
        carmine_region_end("often");
    }
    printf("region \"often\" flop 30000 calls 10000\n");
}
static void use_long_name(void) {
    static const char name[] = "a name that is longer than the sixty-three bytes that count is cut there";
    carmine_region_begin(name);
    work(7);
    carmine_region_end(name);
    printf("region \"%.63s\" flop 7 calls 1\n", name);
}
static void use_no_name(void) {
    const char *const names[] = {"", NULL};
    for (int i = 0; i < 2; i++) {
        carmine_region_begin(names[i]);
        work(7);
        carmine_region_end(names[i]);
    }
    printf("region \"(no name)\" flop 14 calls 2 mismatched 0\n");
}
static void *work_in_region(void *name) {
    work(1000);
    carmine_region_begin(name);
    work(((char *)name)[0] == 'o' ? 100 : 10);
    carmine_region_end(name);
    return NULL;
}
static void mark_in_threads(void) { /* regions of several threads at the same time, of different names */
    static char names[2][8] = {"one", "two"};
    for (int i = 0; i < 50; i++) {
        pthread_t threads[2];
        for (int t = 0; t < 2; t++)
            pthread_create(&threads[t], NULL, work_in_region, names[t]);
        for (int t = 0; t < 2; t++)
            pthread_join(threads[t], NULL);
    }
    printf("region \"one\" flop 5000 calls 50\nregion \"two\" flop 500 calls 50\n");
}
static void mismatch(void) {
    carmine_region_end("never begun");
    carmine_region_begin("crossed");
    carmine_region_begin("crossing");
    work(10);
    carmine_region_end("crossed");
    carmine_region_end("crossing");
    carmine_region_begin("open");
    work(10);
    printf("region \"never begun\" calls 0 mismatched 1\n");
    printf("region \"crossed\" calls 1 mismatched 1\n");
    printf("region \"open\" calls 1 open 1 mismatched 0 flop 10\n");
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*run)(void);
    } ways[] = {
        {"outside", mark_outside},    {"inside", mark_inside}, {"nested", nest},
        {"often", enter_often},       {"long", use_long_name}, {"unnamed", use_no_name},
        {"threads", mark_in_threads}, {"mismatch", mismatch},
    };
    for (size_t i = 0; argc > 1 && i < sizeof ways / sizeof *ways; i++)
        if (strcmp(argv[1], ways[i].name) == 0)
            return ways[i].run(), 0;
    return 2;
}
