/* SPDX-License-Identifier: BSD-3-Clause
 * libcarmine-valgrind.so, preloaded into programs that run under callgrind: cuts callgrind's counts into parts where
 * regions begin and end and where threads start, and its own work out of them. bench/callgrind/callgrind_slices.c puts
 * them together again. What processes do is in collect_valgrind_image.c. */
#include "collect_valgrind.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "probe/marks/collector.h"

#define EXPORTED __attribute__((visibility("default")))

/* Written out: each of the library's functions would add its instructions to every part. */
static void mark_region(const char *what, const char *name) {
    char mark[sizeof MARK_BEGIN + COLLECTOR_NAME_BYTES];
    size_t length = 0;
    while (*what)
        mark[length++] = *what++;
    for (size_t i = 0; i < COLLECTOR_NAME_BYTES - 1 && name[i]; i++)
        mark[length++] = (unsigned char)name[i] < ' ' ? '?' : name[i]; /* it becomes a part of a line */
    mark[length] = '\0';
    CUT_OWN(mark);
}
static void region_begin(const char *name) {
    CUT_ALL(MARK_CUT);
    mark_region(MARK_BEGIN, collector_region(name));
}
static void region_end(const char *name) {
    CUT_ALL(MARK_CUT);
    mark_region(MARK_END, collector_region(name));
}

/* Whether libcarmine's make regions; found out once, by what is the program's work here. */
static bool own_marks(void) {
    static atomic_int known;
    enum { UNKNOWN, NO, YES };
    if (known == UNKNOWN)
        known = collector_takes(getenv(COLLECTOR_MARKS), "carmine") ? YES : NO;
    return known == YES;
}
static void own_begin(const char *name) {
    if (own_marks())
        region_begin(name);
}
static void own_end(const char *name) {
    if (own_marks())
        region_end(name);
}
EXPORTED extern const struct carmine_collector carmine_collector, carmine_regions;
const struct carmine_collector carmine_collector = {COLLECTOR_VERSION, own_begin, own_end};
const struct carmine_collector carmine_regions = {COLLECTOR_VERSION, region_begin, region_end};

static _Thread_local unsigned own_number;
static atomic_uint last_number;

struct start {
    void *(*routine)(void *);
    void *argument;
    unsigned number;
    char mark[64];
};

static void *start_thread(void *context) {
    struct start *start = context;
    CUT_OWN(start->mark);
    void *(*routine)(void *) = start->routine;
    void *argument = start->argument;
    own_number = start->number;
    free(start);
    CUT_OWN(MARK_OWN);
    return routine(argument);
}

/* Valgrind may give the new thread the number of one that has ended, whose work is cut off here. */
EXPORTED int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*routine)(void *),
                            void *argument) {
    typedef int create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    create *next;
    CUT_ALL(MARK_CUT);
    *(void **)&next = dlsym(RTLD_NEXT, "pthread_create");
    struct start *start = malloc(sizeof *start);
    if (!start)
        return EAGAIN; /* as without the collector */
    *start = (struct start){routine, argument, atomic_fetch_add(&last_number, 1) + 1, ""};
    snprintf(start->mark, sizeof start->mark, MARK_THREAD, start->number, own_number);
    CUT_OWN(MARK_OWN);
    int reason = next(thread, attributes, start_thread, start);
    if (reason)
        free(start);
    return reason;
}
