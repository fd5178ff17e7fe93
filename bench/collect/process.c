/* SPDX-License-Identifier: BSD-3-Clause
 * The process: its start, forks, end and report, and the hooks that libcarmine calls. */
#include "process.h"
#include "collect.h"
#include "events.h"
#include "pace.h"
#include "papi.h"
#include "real.h"
#include "samples.h"
#include "threads.h"
#include "ticks.h"
#include "visits.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "probe/marks/collector.h"
#include "probe/marks/ranks.h"

/* The report of the process: the file that bench/programs/regions.c reads.
 *
 * The output: COLLECTOR_FOLDER/regions.PID.N, one file per process and program image (N). Lines of fields separated
 * by tabs, as described in bench/programs/regions.h. The first line is there from the start; the last one is "end". */

static char path[4096], program[4096];
static char text[16384]; /* not yet written */
static size_t filled;
static unsigned lines;
static struct rank rank; /* of the process */
static int file = -1;
static struct stat identity; /* of the file */

/* Exceeding `ulimit -f` must not end the program. */
static void process_flush(void) {
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    struct sigaction before;
    real_sigaction(SIGXFSZ, &ignore, &before);
    for (size_t done = 0; done < filled;) {
        const ssize_t put = write(file, text + done, filled - done);
        if (put <= 0)
            break; /* the line "end" will then be missing */
        done += (size_t)put;
    }
    real_sigaction(SIGXFSZ, &before, NULL);
    filled = 0;
}

static void process_put(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void process_put(const char *format, ...) {
    va_list arguments;
    if (filled > sizeof text - 512)
        process_flush();
    va_start(arguments, format);
    filled += (size_t)vsnprintf(text + filled, sizeof text - filled, format, arguments);
    va_end(arguments);
}

/* Writes a field with any text. */
static void process_put_text(const char *field) {
    process_put("\t");
    for (; *field; field++)
        process_put((unsigned char)*field < ' ' || *field == '%' ? "%%%02x" : "%c", (unsigned char)*field);
}
static void put_end(void) {
    process_put("\n");
    lines++;
}

static void put_line(const char *name, const char *field) {
    process_put("%s", name);
    process_put_text(field);
    put_end();
}

static void put_place(const char *object, uint64_t file_offset, unsigned region, unsigned hits) {
    process_put("place\t%u\t%u\t%" PRIx64, region, hits, file_offset);
    process_put_text(object);
    put_end();
}

/* Returns the number of ticks until then: while the report is written, more may come, at places that it lacks. */
static uint32_t end_ticks(void) {
    uint32_t count, lost;
    const bool locked = threads_lock_for_the_end();
    for (const struct thread *thread = threads_living(); thread; thread = thread->next)
        if (thread->sampled)
            ticks_add(thread->tid, 0);
    if (locked)
        threads_unlock();
    ticks_all(&count, &lost);
    return count;
}

static void put_ticks(uint32_t count) {
    uint32_t later, lost;
    const struct tick_record *ticks = ticks_all(&later, &lost);
    for (uint32_t i = 0; i < count && lost == 0; i++) {
        const uint32_t tid = atomic_load_explicit(&ticks[i].tid, memory_order_acquire);
        if (tid == 0)
            continue;
        const uint32_t place = ticks[i].place > 0 ? 1 + samples_order(ticks[i].place - 1) : 0;
        process_put("tick\t%" PRIu32 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu32, tid, ticks[i].wall_ns,
                    ticks[i].cpu_ns, ticks[i].delay_ns, place);
        put_end();
    }
    if (lost > 0)
        put_line("unsampled", "the program ran too long for samples so often; a longer --every needs fewer");
}

static void put_paces(void) {
    struct pace pace;
    for (unsigned i = 0; i < pace_count(); i++) {
        if (!pace_at(i, &pace))
            continue;
        process_put("pace");
        for (unsigned chain = 0; chain < CLOCK_SLICES; chain++)
            process_put("\t%" PRIu32, pace.ns[chain]);
        process_put("\t%" PRIu32, pace.noops_ns);
        put_end();
    }
}

static void put_region(unsigned region, const struct total *total) {
    process_put("region");
    process_put_text(names_text(region));
    process_put("\t%" PRIu64 "\t%u\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64, total->calls, total->threads,
                total->longest_ns, total->open, total->mismatched);
    for (unsigned i = 0; i < papi_event_count(); i++)
        process_put("\t%lld", total->events[i]);
    put_end();
}

/* An extra line, if the region has MPI calls. */
static void put_mpi(unsigned region, const struct total *total) {
    if (total->mpi_calls == 0)
        return;
    process_put("mpi\t%u\t%" PRIu64 "\t%" PRIu64, region, total->mpi_calls, total->longest_mpi_ns);
    put_end();
}

static void put_rank(void) {
    if (rank.count == 0)
        return;
    process_put("rank\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32, rank.number, rank.count, rank.launcher);
    put_end();
}

static void put_events(void) {
    for (unsigned i = 0; i < papi_event_count(); i++) {
        bool of_machine = false;
        const char *name = papi_event(i, &of_machine);
        process_put("event\t%s", of_machine ? "machine" : "threads");
        process_put_text(name);
        put_end();
    }
    if (papi_multiplexed())
        put_line("multiplexed", "");
    if (*papi_failure())
        put_line("failure", papi_failure());
    if (*samples_failure())
        put_line("unsampled", samples_failure());
}

/* Whether it is still the report: the program may have closed it and reused its number. */
static bool process_is_report(int descriptor) {
    struct stat now;
    return descriptor >= 0 && fstat(descriptor, &now) == 0 && now.st_dev == identity.st_dev &&
           now.st_ino == identity.st_ino;
}

static bool start_file(void) {
    lines = 0;
    filled = 0;
    if (!process_is_report(file))
        file = open(path, O_WRONLY | O_CLOEXEC);
    if (!process_is_report(file) || ftruncate(file, 0) != 0 || lseek(file, 0, SEEK_SET) != 0)
        return false;
    process_put("carmine regions 1\t%d", getpid());
    process_put_text(program);
    put_end();
    put_rank();
    return true;
}

/* Writes a report marked as incomplete, in case the process ends without notice. */
static void report_begin(void) {
    if (start_file())
        process_flush();
}

/* An image of this process that executed this one has left its own report. The file stays open, above the numbers
 * that programs use: at the end there may be no descriptor left. */
static bool report_create(const char *folder) {
    enum { LOWEST = 100 };
    rank = rank_find(environ);
    if (process_is_report(file)) /* a fork: the parent's */
        close(file);
    file = -1;
    const ssize_t length = readlink("/proc/thread-self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    for (unsigned image = 0; file < 0 && image < 10000; image++) {
        snprintf(path, sizeof path, "%s/regions.%d.%u", folder, getpid(), image);
        file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    }
    const int higher = fcntl(file, F_DUPFD_CLOEXEC, LOWEST);
    if (higher >= 0) {
        close(file);
        file = higher;
    }
    if (file < 0 || fstat(file, &identity) != 0)
        return false;
    report_begin();
    return true;
}

/* Writes the report of a process that began at `start_ns`, as of `now_ns` (clock_ns()). */
static void report_write(uint64_t start_ns, uint64_t now_ns) {
    static struct total totals[MAX_REGIONS];
    events_settle();
    const uint32_t tick_count = end_ticks();
    thread_totals(totals, now_ns);
    events_total_of_machine(totals);
    totals[WHOLE_PROGRAM].longest_ns = now_ns - start_ns;
    if (!start_file())
        return;
    process_put("span\t%" PRIu64 "\t%" PRIu64, start_ns, now_ns);
    put_end();
    put_events();
    for (unsigned region = 0; region < names_count(); region++)
        put_region(region, &totals[region]);
    for (unsigned region = 0; region < names_count(); region++)
        put_mpi(region, &totals[region]);
    samples_each(put_place);
    put_ticks(tick_count);
    put_paces();
    process_put("end\t%u\n", lines);
    process_flush();
}

static atomic_bool started, active, own_marks; /* own_marks: libcarmine's marks make regions */
static pid_t process; /* a vfork child shares this memory but has another number: it leaves no traces */
static uint64_t start_ns;
static char folder[3072]; /* the program may change its environment */

/* Threads that execute a program, or end the process, write the report one by one; a handler may end the process amid
 * the report of the thread that it interrupts. */
static const pthread_mutex_t unlocked = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t writing = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static void child_after_fork(void) {
    const int saved_errno = errno;
    process = getpid();
    writing = unlocked;
    thread_after_fork();
    if (atomic_load_explicit(&active, memory_order_relaxed) && !report_create(folder))
        atomic_store_explicit(&active, false, memory_order_relaxed);
    start_ns = clock_ns();
    errno = saved_errno;
}

static void process_starts(void) {
    const char *wanted = getenv(COLLECTOR_FOLDER), *events = getenv(COLLECTOR_EVENTS),
               *sample = getenv(COLLECTOR_SAMPLE);
    if (!wanted || !*wanted || strlen(wanted) >= sizeof folder)
        return;
    strcpy(folder, wanted);
    const bool takes = collector_takes(getenv(COLLECTOR_MARKS), "carmine");
    atomic_store_explicit(&own_marks, takes, memory_order_relaxed);
    if (!report_create(folder) || !thread_prepare())
        return;
    process = getpid();
    if (sample && *sample == '1') {
        ticks_start(getenv(COLLECTOR_EVERY));
        samples_start();
    }
    if (events && *events) {
        descriptors_hold();
        events_start(events);
        thread_begin(thread_new(NULL));
        descriptors_release();
    } else
        thread_begin(thread_new(NULL));
    pthread_atfork(threads_lock, threads_unlock, child_after_fork);
    at_quick_exit(process_end);
    start_ns = clock_ns();
    atomic_store_explicit(&active, true, memory_order_release);
}

/* Another library's constructor may mark regions or start threads before ours runs. Threads that PAPI starts for
 * itself here do not count as the program's. */
bool collecting(void) {
    if (atomic_load_explicit(&active, memory_order_acquire)) /* and with it all that process_starts() has set */
        return true;
    if (!atomic_load_explicit(&started, memory_order_relaxed) &&
        !atomic_exchange_explicit(&started, true, memory_order_relaxed)) {
        const int saved_errno = errno;
        process_starts();
        errno = saved_errno;
    }
    return atomic_load_explicit(&active, memory_order_acquire);
}
static __attribute__((constructor)) void on_load(void) {
    collecting();
}

/* Our code inside the program's calls is not a cancellation point, and preserves errno. */
struct calm {
    int saved_errno, cancel;
};
static struct calm process_enter(void) {
    struct calm calm = {.saved_errno = errno};
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &calm.cancel);
    return calm;
}
static void leave(struct calm calm) {
    pthread_setcancelstate(calm.cancel, NULL);
    errno = calm.saved_errno;
}

static bool is_active_here(void) {
    return atomic_load_explicit(&active, memory_order_acquire) && getpid() == process;
}

/* For 2 s: what another thread writes may have to wait for a disk. */
static bool report_lock(void) {
    bool locked = false;
    for (unsigned tries = 0; tries < 20 && !locked; tries++)
        locked = threads_lock_other_for_the_end(&writing);
    return locked;
}

static void report_again(bool complete) {
    const struct calm calm = process_enter();
    const bool locked = is_active_here() && report_lock();
    if (locked && is_active_here()) { /* no thread has ended the process meanwhile */
        if (complete)
            report_write(start_ns, clock_ns());
        else
            report_begin();
    }
    if (locked)
        pthread_mutex_unlock(&writing);
    leave(calm);
}
void process_report(void) {
    report_again(true);
}
void process_stays(void) {
    report_again(false);
}
__attribute__((destructor)) void process_end(void) {
    const uint64_t now_ns = clock_ns();
    const struct calm calm = process_enter();
    if (is_active_here() && atomic_exchange_explicit(&active, false, memory_order_relaxed) && report_lock()) {
        report_write(start_ns, now_ns);
        pthread_mutex_unlock(&writing);
    }
    leave(calm);
}

static void process_begin(const char *name) {
    const struct calm calm = process_enter();
    struct thread *thread = collecting() ? thread_self() : NULL;
    if (thread)
        visit_begin(thread, name);
    leave(calm);
}
static void process_end_mark(const char *name) {
    const struct calm calm = process_enter();
    struct thread *thread = collecting() ? thread_self() : NULL;
    if (thread)
        visit_end(thread, name);
    leave(calm);
}
static void begin_own(const char *name) {
    if (collecting() && atomic_load_explicit(&own_marks, memory_order_relaxed))
        process_begin(name);
}
static void end_own(const char *name) {
    if (collecting() && atomic_load_explicit(&own_marks, memory_order_relaxed))
        process_end_mark(name);
}

#define EXPORTED __attribute__((visibility("default")))
EXPORTED extern const struct carmine_collector carmine_collector, carmine_regions;
const struct carmine_collector carmine_collector = {COLLECTOR_VERSION, begin_own, end_own};
const struct carmine_collector carmine_regions = {COLLECTOR_VERSION, process_begin, process_end_mark};
