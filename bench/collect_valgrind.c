/* SPDX-License-Identifier: BSD-3-Clause
 * libcarmine-valgrind.so, preloaded into programs that run under callgrind: cuts callgrind's counts into parts where
 * regions begin and end, threads start and processes fork, and its own work out of them. bench/callgrind_slices.c puts
 * them together again.
 *
 * It speaks to valgrind by client requests (valgrind.h): instructions without an effect on a CPU. Each process also
 * leaves a copy of its memory map, for code that valgrind knows no file of. */
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../probe/collector.h"
#include "callgrind_marks.h"

#define EXPORTED __attribute__((visibility("default")))

enum {
    REQUEST_MONITOR = 0x1202,                        /* valgrind.h: VG_USERREQ__GDB_MONITOR_COMMAND */
    REQUEST_DUMP_THREAD = 'C' << 24 | 'T' << 16 | 3, /* callgrind.h: VG_USERREQ__DUMP_STATS_AT */
};

static void request(uintptr_t number, const char *text) {
    const uintptr_t arguments[6] = {number, (uintptr_t)text};
    uintptr_t answer = 0;
    __asm__ volatile("rolq $3, %%rdi; rolq $13, %%rdi; rolq $61, %%rdi; rolq $51, %%rdi; xchgq %%rbx, %%rbx"
                     : "+d"(answer)
                     : "a"(arguments)
                     : "cc", "memory");
}

/* `mark` is a literal: nothing may be called before the program's work is cut off from ours. */
#define CUT_ALL(mark) request(REQUEST_MONITOR, "dump " mark)
#define CUT_OWN(mark) request(REQUEST_DUMP_THREAD, mark)

static void mark_region(const char *what, const char *name) {
    char mark[sizeof MARK_BEGIN + COLLECTOR_NAME_BYTES], cut[COLLECTOR_NAME_BYTES];
    snprintf(cut, sizeof cut, "%s", name);
    for (char *at = cut; *at; at++) /* it becomes a part of a line */
        if ((unsigned char)*at < ' ')
            *at = '?';
    snprintf(mark, sizeof mark, "%s%s", what, cut);
    CUT_OWN(mark);
}
static void region_begin(const char *name) {
    CUT_ALL(MARK_CUT);
    mark_region(MARK_BEGIN, name);
}
static void region_end(const char *name) {
    CUT_ALL(MARK_CUT);
    mark_region(MARK_END, name);
}
EXPORTED extern const struct carmine_collector carmine_collector;
const struct carmine_collector carmine_collector = {COLLECTOR_VERSION, region_begin, region_end};

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
    *start = (struct start){routine, argument, atomic_fetch_add(&last_number, 1) + 1, ""};
    snprintf(start->mark, sizeof start->mark, MARK_THREAD, start->number, own_number);
    CUT_OWN(MARK_OWN);
    int reason = next(thread, attributes, start_thread, start);
    if (reason)
        free(start);
    return reason;
}

static char folder[3840]; /* "" outside of `carmine app` */

static void leave_map(void) {
    char path[sizeof folder + 32], text[4096];
    snprintf(path, sizeof path, "%s/" MARK_MAPS_FILE "%d", folder, (int)getpid());
    int from = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    int to = folder[0] ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;
    ssize_t bytes = 0;
    while (from >= 0 && to >= 0 && (bytes = read(from, text, sizeof text)) > 0 &&
           write(to, text, (size_t)bytes) == bytes)
        ;
    close(from);
    close(to);
}

static void after_fork(void) {
    CUT_ALL(MARK_INHERITED);
    leave_map();
    CUT_OWN(MARK_OWN);
}

__attribute__((constructor)) static void image_start(void) {
    CUT_ALL(MARK_START);
    const char *wanted = getenv(COLLECTOR_FOLDER);
    snprintf(folder, sizeof folder, "%s", wanted ? wanted : "");
    leave_map();
    pthread_atfork(NULL, NULL, after_fork);
    CUT_OWN(MARK_OWN);
}
__attribute__((destructor)) static void image_end(void) { /* with what was loaded meanwhile */
    CUT_ALL(MARK_CUT);
    leave_map();
    CUT_OWN(MARK_OWN);
}
