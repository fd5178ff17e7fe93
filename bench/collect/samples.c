/* SPDX-License-Identifier: BSD-3-Clause
 * Samples the CPU time: each thread has a timer of its own CPU time. Its signal reaches a running thread at the
 * kernel's clock tick, and wakes up no sleeping thread. Unlike setitimer's pending timers, these timers end at an
 * exec and at a fork. */
#include "samples.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "pace.h"
#include "probe/arch.h"
#include "probe/marks/collector.h"
#include "real.h"
#include "threads.h"
#include "ticks.h"

enum { PLACES = 1 << 16, PERIOD_NS = 1000000, REGION_SHIFT = 48, MAX_CREATORS = 64 };
static const uint64_t ADDRESS = ((uint64_t)1 << REGION_SHIFT) - 1;

static struct sampled_address { /* an address and, above it, a region */
    _Atomic uint64_t key;
    atomic_uint hits;
    uint32_t order; /* of samples_each() */
} * places;
static atomic_bool running;
static atomic_uint lost;
static _Atomic(const char *) failure = "";

bool samples_running(void) {
    return atomic_load_explicit(&running, memory_order_relaxed);
}
const char *samples_failure(void) {
    const char *why = atomic_load_explicit(&failure, memory_order_relaxed);
    return !*why && atomic_load_explicit(&lost, memory_order_relaxed) > 0 ? "too many different sampled addresses"
                                                                          : why;
}
static void fail(const char *why) {
    atomic_store_explicit(&failure, why, memory_order_relaxed);
}

/* A thread without an open region works for the region of its creator. */
static unsigned region_here(void) {
    const struct thread *thread = thread_here;
    for (unsigned i = 0; thread && i < MAX_CREATORS; thread = thread_creator(thread), i++) {
        const unsigned region = atomic_load_explicit(&thread->innermost, memory_order_relaxed);
        if (region != WHOLE_PROGRAM)
            return region;
    }
    return WHOLE_PROGRAM;
}

static void add_sample(uint64_t address, unsigned hits) {
    const uint64_t key = address | (uint64_t)region_here() << REGION_SHIFT;
    size_t at = (size_t)((key * 0x9e3779b97f4a7c15) >> 40) % PLACES;
    for (unsigned tries = 0; tries < 64; tries++, at = (at + 1) % PLACES) {
        uint64_t there = 0;
        if (atomic_compare_exchange_strong_explicit(&places[at].key, &there, key, memory_order_relaxed,
                                                    memory_order_relaxed) ||
            there == key) {
            atomic_fetch_add_explicit(&places[at].hits, hits, memory_order_release); /* whoever sees it sees the key */
            ticks_add((uint32_t)gettid(), 1 + (uint32_t)at);
            pace_read();
            return;
        }
    }
    atomic_fetch_add_explicit(&lost, 1, memory_order_relaxed);
}

static void on_tick(int signal, siginfo_t *info, void *context) {
    const int saved_errno = errno;
    (void)signal;
    add_sample(arch_interrupted_at(context) & ADDRESS,
               1 + (info->si_code == SI_TIMER && info->si_overrun > 0 ? (unsigned)info->si_overrun : 0));
    errno = saved_errno;
}

void samples_start(void) {
    struct sigaction before;
    if (real_sigaction(SIGPROF, NULL, &before) != 0 || before.sa_handler != SIG_DFL) {
        fail("the program was started with its own handling of SIGPROF");
        return;
    }
    places = mmap(NULL, PLACES * sizeof *places, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (places == MAP_FAILED) {
        fail("no memory for samples");
        return;
    }
    struct sigaction action = {.sa_sigaction = on_tick, .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    real_sigaction(SIGPROF, &action, NULL);
    atomic_store_explicit(&running, true, memory_order_relaxed);
}

void samples_begin(struct thread *thread) {
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGPROF};
    event._sigev_un._tid = gettid();
    const long period_ns = ticks_period_ns() > 0 ? (long)ticks_period_ns() : PERIOD_NS;
    const struct timespec each = {period_ns / 1000000000, period_ns % 1000000000};
    const struct itimerspec period = {each, each};
    if (!samples_running())
        return;
    thread->tid = (uint32_t)gettid();
    ticks_add(thread->tid, 0);
    thread->sampled = timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &thread->timer) == 0;
    if (thread->sampled)
        timer_settime(thread->timer, 0, &period, NULL);
    else
        fail("a thread could not be sampled: too many timers");
}

void samples_end(struct thread *thread) {
    if (thread->sampled) {
        timer_delete(thread->timer);
        ticks_add(thread->tid, 0);
    }
    thread->sampled = false;
}

/* Ignoring the signal discards pending ones. */
void samples_give_way(const char *why) {
    const struct sigaction ignore = {.sa_handler = SIG_IGN}, none = {.sa_handler = SIG_DFL};
    if (!atomic_exchange_explicit(&running, false, memory_order_relaxed))
        return;
    fail(why);
    threads_each(samples_end);
    real_sigaction(SIGPROF, &ignore, NULL);
    real_sigaction(SIGPROF, &none, NULL);
}

void samples_after_fork(struct thread *thread) {
    if (!samples_running())
        return;
    memset((void *)places, 0, PLACES * sizeof *places);
    ticks_forget();
    pace_forget();
    samples_begin(thread);
}

static uint32_t used[PLACES];

static char written[256] =
    COLLECTOR_WRITTEN; /* followed by the file in which a just-in-time compiler lists names for perf */
static size_t used_count;
static sample_visitor *visitor;
static uint32_t visited;

static uint64_t key_of(uint32_t place) {
    return atomic_load_explicit(&places[place].key, memory_order_relaxed);
}

static void visit(uint32_t place, const char *path, uint64_t file_offset) {
    places[place].order = visited++;
    visitor(path, file_offset, (unsigned)(key_of(place) >> REGION_SHIFT),
            atomic_load_explicit(&places[place].hits, memory_order_relaxed));
}

uint32_t samples_order(uint32_t place) {
    return places[place].order;
}

/* The start of the path in a line of /proc/self/maps; NULL: not such a line; "": no file is mapped. */
static const char *path_in(const char *line) {
    int path = 0;
    return sscanf(line, "%*x-%*x %*s %*x %*s %*s%n", &path) == 0 && path > 0 ? line + path + strspn(line + path, " ")
                                                                             : NULL;
}

static void note_names(const char *line) {
    const char *path = path_in(line), *slash = path ? strrchr(path, '/') : NULL,
               *end = slash ? strrchr(slash, '.') : NULL;
    if (slash && strncmp(slash, "/jit-", 5) == 0 && end && strcmp(end, ".dump") == 0)
        snprintf(written, sizeof written, COLLECTOR_WRITTEN "%s", path);
}

/* Whether the memory belongs to no file, or to a file without a name in any folder. */
static bool is_written(const char *path) {
    return *path == '\0' || strcmp(path, "[heap]") == 0 || strcmp(path, "[stack]") == 0 ||
           strncmp(path, "[anon", 5) == 0 || strncmp(path, "/memfd:", 7) == 0;
}

/* Passes the samples in a line of /proc/self/maps to the visitor and removes them. */
static void take(const char *line) {
    uint64_t low, high, offset;
    const char *path = path_in(line);
    if (!path || sscanf(line, "%lx-%lx %*s %lx", &low, &high, &offset) < 3)
        return;
    for (size_t i = 0; i < used_count;) {
        const uint64_t address = key_of(used[i]) & ADDRESS;
        if (address < low || address >= high) {
            i++;
            continue;
        }
        if (is_written(path))
            visit(used[i], written, address);
        else
            visit(used[i], path, address - low + offset);
        used[i] = used[--used_count];
    }
}

static void each_mapping(void (*each)(const char *line)) {
    static char text[8192];
    size_t filled = 0;
    ssize_t got;
    const int maps = open("/proc/thread-self/maps", O_RDONLY | O_CLOEXEC);
    while (maps >= 0 && (got = read(maps, text + filled, sizeof text - 1 - filled)) > 0) {
        filled += (size_t)got;
        text[filled] = '\0';
        char *line = text, *end;
        for (; (end = strchr(line, '\n')); line = end + 1) {
            *end = '\0';
            each(line);
        }
        filled -= (size_t)(line - text);
        memmove(text, line, filled);
    }
    if (maps >= 0)
        close(maps);
}

void samples_each(sample_visitor *each) {
    if (!places)
        return;
    used_count = visited = 0;
    visitor = each;
    for (uint32_t i = 0; i < PLACES; i++)
        if (atomic_load_explicit(&places[i].hits, memory_order_acquire) > 0)
            used[used_count++] = i;
    each_mapping(note_names);
    each_mapping(take);
    /* Unmapped code, usually of just-in-time compilers, which clean up before the end. */
    for (size_t i = 0; i < used_count; i++)
        visit(used[i], written, key_of(used[i]) & ADDRESS);
}
