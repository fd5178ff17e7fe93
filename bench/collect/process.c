/* SPDX-License-Identifier: BSD-3-Clause
 * The process: its start, forks and end, and the hooks that libcarmine calls. */
#include "process.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probe/marks/collector.h"
#include "collect.h"
#include "descriptors.h"
#include "events.h"
#include "report.h"
#include "samples.h"
#include "thread.h"
#include "threads.h"
#include "visits.h"

static atomic_bool started, active, own_marks; /* own_marks: libcarmine's marks make regions */
static pid_t process; /* a vfork child shares this memory but has another number: it leaves no traces */
static uint64_t start_ns;
static char folder[3072]; /* the program may change its environment */

static void child_after_fork(void) {
    const int saved_errno = errno;
    process = getpid();
    thread_after_fork();
    active = active && report_create(folder);
    start_ns = clock_ns();
    errno = saved_errno;
}

static void start(void) {
    const char *wanted = getenv(COLLECTOR_FOLDER), *events = getenv(COLLECTOR_EVENTS),
               *sample = getenv(COLLECTOR_SAMPLE);
    if (!wanted || !*wanted || strlen(wanted) >= sizeof folder)
        return;
    strcpy(folder, wanted);
    own_marks = collector_takes(getenv(COLLECTOR_MARKS), "carmine");
    if (!report_create(folder) || !thread_prepare())
        return;
    process = getpid();
    if (sample && *sample == '1')
        samples_start();
    if (events && *events) {
        descriptors_hold();
        events_start(events);
        thread_begin(thread_new());
        descriptors_release();
    } else
        thread_begin(thread_new());
    pthread_atfork(threads_lock, threads_unlock, child_after_fork);
    at_quick_exit(process_end);
    start_ns = clock_ns();
    active = true;
}

/* Another library's constructor may mark regions or start threads before ours runs. Threads that PAPI starts for
 * itself here do not count as the program's. */
bool collecting(void) {
    if (atomic_load_explicit(&active, memory_order_relaxed))
        return true;
    if (!atomic_load_explicit(&started, memory_order_relaxed) && !atomic_exchange(&started, true)) {
        const int saved_errno = errno;
        start();
        errno = saved_errno;
    }
    return active;
}
static __attribute__((constructor)) void on_load(void) {
    collecting();
}

/* Our code inside the program's calls is not a cancellation point, and preserves errno. */
struct calm {
    int saved_errno, cancel;
};
static struct calm enter(void) {
    struct calm calm = {.saved_errno = errno};
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &calm.cancel);
    return calm;
}
static void leave(struct calm calm) {
    pthread_setcancelstate(calm.cancel, NULL);
    errno = calm.saved_errno;
}

void process_report(void) {
    const struct calm calm = enter();
    if (active && getpid() == process)
        report_write(start_ns, clock_ns());
    leave(calm);
}
void process_stays(void) {
    const struct calm calm = enter();
    if (active && getpid() == process)
        report_begin();
    leave(calm);
}
__attribute__((destructor)) void process_end(void) {
    const uint64_t now_ns = clock_ns();
    const struct calm calm = enter();
    if (getpid() == process && atomic_exchange(&active, false))
        report_write(start_ns, now_ns);
    leave(calm);
}

static void begin(const char *name) {
    const struct calm calm = enter();
    struct thread *thread = collecting() ? thread_self() : NULL;
    if (thread)
        visit_begin(thread, name);
    leave(calm);
}
static void end(const char *name) {
    const struct calm calm = enter();
    struct thread *thread = collecting() ? thread_self() : NULL;
    if (thread)
        visit_end(thread, name);
    leave(calm);
}
static void begin_own(const char *name) {
    if (collecting() && own_marks)
        begin(name);
}
static void end_own(const char *name) {
    if (collecting() && own_marks)
        end(name);
}

#define EXPORTED __attribute__((visibility("default")))
EXPORTED extern const struct carmine_collector carmine_collector, carmine_regions;
const struct carmine_collector carmine_collector = {COLLECTOR_VERSION, begin_own, end_own};
const struct carmine_collector carmine_regions = {COLLECTOR_VERSION, begin, end};
