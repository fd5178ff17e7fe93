/* SPDX-License-Identifier: BSD-3-Clause
 * Samples what a program's threads do (see waits.h). */
#include "waits.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "probe/need.h"
#include "probe/now.h"

const char *const wait_kind_names[WAIT_KINDS + 1] = {"running", "page faults", "kernel", "ready",   "locks",
                                                     "sleep",   "files",       "pipes",  "sockets", "devices",
                                                     "events",  "children",    "pages",  "other",   NULL};

/* System calls that wait; the newest by number, because headers may be older. Newer architectures lack the oldest. */
enum { NONE = -1, CALLS_MOST = 32 };
#ifndef SYS_open
enum { SYS_open = NONE, SYS_poll = NONE, SYS_select = NONE, SYS_epoll_wait = NONE, SYS_pause = NONE, SYS_vfork = NONE };
#endif
static const struct {
    enum wait_kind kind;
    bool by_descriptor; /* the first argument is one: its file decides */
    int of;             /* argument with the number of things to wait for: zero is a sleep */
    int calls[CALLS_MOST];
} CALLS[] = {
    {WAIT_LOCKS,
     false,
     NONE,
     {SYS_futex, 449 /* futex_waitv */, 455 /* futex_wait */, SYS_semop, SYS_semtimedop, NONE}},
    {WAIT_SLEEP, false, NONE, {SYS_nanosleep, SYS_clock_nanosleep, NONE}},
    {WAIT_FILES, true, NONE, {SYS_read,     SYS_readv,   SYS_pread64,  SYS_preadv,    SYS_write,     SYS_writev,
                              SYS_pwrite64, SYS_pwritev, SYS_sendfile, SYS_splice,    SYS_recvfrom,  SYS_recvmsg,
                              SYS_sendto,   SYS_sendmsg, SYS_accept,   SYS_accept4,   SYS_connect,   SYS_ioctl,
                              SYS_fcntl,    SYS_flock,   SYS_fsync,    SYS_fdatasync, SYS_ftruncate, NONE}},
    {WAIT_FILES, false, NONE, {SYS_openat, SYS_close, SYS_io_getevents, SYS_open, NONE}},
    {WAIT_EVENTS, false, 1, {SYS_ppoll, SYS_poll, NONE}},
    {WAIT_EVENTS, false, 0, {SYS_pselect6, SYS_select, NONE}},
    {WAIT_EVENTS,
     false,
     NONE,
     {SYS_epoll_pwait, 441 /* epoll_pwait2 */, 426 /* io_uring_enter */, SYS_rt_sigsuspend, SYS_rt_sigtimedwait,
      SYS_epoll_wait, SYS_pause, NONE}},
    {WAIT_CHILDREN, false, NONE, {SYS_wait4, SYS_waitid, SYS_clone, 435 /* clone3 */, SYS_vfork, NONE}},
};

enum wait_kind wait_kind_of_call(const char *line, int *descriptor) {
    int number;
    unsigned long long arguments[2];
    *descriptor = NONE;
    if (strncmp(line, "running", 7) == 0)
        return WAIT_RUNS;
    if (sscanf(line, "%d %llx %llx", &number, &arguments[0], &arguments[1]) != 3)
        return WAIT_OTHER;
    if (number == NONE) /* then follow stack and code: without them it has ended */
        return arguments[0] || arguments[1] ? WAIT_PAGES : WAIT_KINDS;
    for (size_t row = 0; row < sizeof CALLS / sizeof CALLS[0]; row++)
        for (const int *call = CALLS[row].calls; *call != NONE; call++) {
            if (*call != number)
                continue;
            if (CALLS[row].by_descriptor)
                *descriptor = (int)arguments[0];
            return CALLS[row].of != NONE && arguments[CALLS[row].of] == 0 ? WAIT_SLEEP : CALLS[row].kind;
        }
    return WAIT_OTHER;
}

enum wait_kind wait_kind_of_file(unsigned mode) {
    return S_ISFIFO(mode)                                    ? WAIT_PIPES
           : S_ISSOCK(mode)                                  ? WAIT_SOCKETS
           : S_ISCHR(mode)                                   ? WAIT_DEVICES
           : S_ISREG(mode) || S_ISDIR(mode) || S_ISBLK(mode) ? WAIT_FILES
                                                             : WAIT_EVENTS; /* eventfd and its like */
}

double waits_sum_s(const struct waits *waits) {
    double sum_s = 0;
    for (size_t kind = 0; kind < WAIT_KINDS; kind++)
        sum_s += 1e-9 * (double)waits->ns[kind];
    return sum_s;
}

/* Reads a small file of /proc. False with errno: it is not there, or we may not. */
static bool waits_read_small(const char *path, char *out, size_t size) {
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t length = file < 0 ? -1 : read(file, out, size - 1);
    const int reason = errno;
    if (file >= 0)
        close(file);
    errno = reason;
    out[length > 0 ? length : 0] = '\0';
    return length > 0;
}

/* Files of a thread in /proc that are read at each sample. They stay open: to open them takes four times as long as to
 * read them. */
enum thread_file { FILE_CALL, FILE_TIMES, FILE_STAT, THREAD_FILES };
static const char *const FILE_NAMES[THREAD_FILES] = {"syscall", "schedstat", "stat"};

struct wait_thread {
    pid_t process, id; /* 0: a free entry */
    unsigned sample;   /* its last one */
    double ran_ns, ready_ns, kernel_ns, page_faults;
    int files[THREAD_FILES]; /* NONE: not open */
};

static struct wait_thread *waits_add_thread(struct wait_watch *watch, pid_t process, pid_t id) {
    size_t i = 0;
    while (i < watch->thread_count && watch->threads[i].id != 0)
        i++;
    if (i == watch->thread_count)
        watch->threads = need_realloc(watch->threads, ++watch->thread_count * sizeof *watch->threads);
    watch->threads[i] = (struct wait_thread){.process = process, .id = id, .files = {NONE, NONE, NONE}};
    return &watch->threads[i];
}

static void remove_thread(struct wait_watch *watch, struct wait_thread *thread) {
    for (unsigned which = 0; which < THREAD_FILES; which++)
        if (thread->files[which] != NONE) {
            close(thread->files[which]);
            watch->kept_files--;
        }
    thread->process = thread->id = 0;
}

/* Its folder in /proc, and a file there. */
enum { THREAD_PATH_BYTES = 96 };
static const char *thread_path(const struct wait_thread *thread, const char *file, char out[THREAD_PATH_BYTES]) {
    snprintf(out, THREAD_PATH_BYTES, "/proc/%d/task/%d/%s", (int)thread->process, (int)thread->id, file);
    return out;
}

/* As read_small(). The file stays open, unless many are. */
static bool waits_read_file(struct wait_watch *watch, struct wait_thread *thread, enum thread_file which, char *out,
                            size_t size) {
    char path[THREAD_PATH_BYTES];
    int *file = &thread->files[which];
    if (*file == NONE && watch->kept_files >= sysconf(_SC_OPEN_MAX) / 2)
        return waits_read_small(thread_path(thread, FILE_NAMES[which], path), out, size);
    if (*file == NONE) {
        if ((*file = open(thread_path(thread, FILE_NAMES[which], path), O_RDONLY | O_CLOEXEC)) < 0)
            return false;
        watch->kept_files++;
    }
    const ssize_t length = pread(*file, out, size - 1, 0);
    out[length > 0 ? length : 0] = '\0';
    return length > 0;
}

/* Adds the thread's time in the kernel and its page faults, since its last sample. */
static void waits_add_kernel(struct wait_watch *watch, struct wait_thread *thread) {
    char line[512];
    double ticks, minor, major;
    const char *name_end = waits_read_file(watch, thread, FILE_STAT, line, sizeof line) ? strrchr(line, ')') : NULL;
    if (!name_end ||
        sscanf(name_end, ") %*c %*d %*d %*d %*d %*d %*u %lf %*u %lf %*u %*u %lf", &minor, &major, &ticks) != 3)
        return;
    const double kernel_ns = 1e9 * ticks / (double)sysconf(_SC_CLK_TCK);
    watch->kernel_ns += fmax(0, kernel_ns - thread->kernel_ns);
    watch->page_faults += fmax(0, minor + major - thread->page_faults);
    thread->kernel_ns = kernel_ns, thread->page_faults = minor + major;
}

/* Likewise its time on a CPU, and ready. */
static void add_ready(struct wait_watch *watch, struct wait_thread *thread) {
    char line[64];
    double ran_ns, ready_ns;
    if (!waits_read_file(watch, thread, FILE_TIMES, line, sizeof line) ||
        sscanf(line, "%lf %lf", &ran_ns, &ready_ns) != 2)
        return;
    watch->ran_ns += fmax(0, ran_ns - thread->ran_ns);
    watch->ready_ns += fmax(0, ready_ns - thread->ready_ns);
    thread->ran_ns = ran_ns, thread->ready_ns = ready_ns;
    if (watch->often_s > 0)
        waits_add_kernel(watch, thread);
}

/* Zombies are not shown to everybody either. */
static bool has_ended(const struct wait_thread *thread) {
    char path[THREAD_PATH_BYTES], line[128];
    const char *name_end =
        waits_read_small(thread_path(thread, "stat", path), line, sizeof line) ? strrchr(line, ')') : NULL;
    return !name_end || strncmp(name_end, ") Z", 3) == 0 || strncmp(name_end, ") X", 3) == 0;
}

static enum wait_kind kind_of_thread(struct wait_watch *watch, struct wait_thread *thread, double ns) {
    char path[THREAD_PATH_BYTES], file[24], line[256];
    int descriptor;
    struct statx about;
    if (!waits_read_file(watch, thread, FILE_CALL, line, sizeof line)) {
        if ((errno == EPERM || errno == EACCES) && !has_ended(thread))
            watch->refused_ns += ns;
        return WAIT_KINDS;
    }
    const enum wait_kind kind = wait_kind_of_call(line, &descriptor);
    if (descriptor < 0)
        return kind;
    snprintf(file, sizeof file, "fd/%d", descriptor);
    const bool known = statx(AT_FDCWD, thread_path(thread, file, path), AT_STATX_DONT_SYNC, STATX_TYPE, &about) == 0;
    return known ? wait_kind_of_file(about.stx_mode) : kind;
}

/* False: it has ended, or is not shown. */
static bool look_at_thread(struct wait_watch *watch, struct wait_thread *thread, double since_s) {
    const enum wait_kind kind = kind_of_thread(watch, thread, 1e9 * since_s);
    if (kind == WAIT_KINDS) {
        remove_thread(watch, thread);
        return false;
    }
    watch->sum.ns[kind] += (uint64_t)(1e9 * since_s);
    add_ready(watch, thread);
    thread->sample = watch->sum.samples;
    return true;
}

static bool was_seen(const struct wait_watch *watch, pid_t id) {
    for (size_t i = 0; i < watch->thread_count; i++)
        if (watch->threads[i].id == id && watch->threads[i].sample == watch->sum.samples)
            return true;
    return false;
}

/* False: the process has ended. Its folder is read only if it has other threads than the known ones, because that takes
 * longest: the folder's links are the number of threads and two. */
static bool look_at_process(struct wait_watch *watch, pid_t process, double since_s) {
    char path[64];
    struct statx about;
    size_t living = 0;
    for (size_t i = 0; i < watch->thread_count; i++)
        if (watch->threads[i].process == process && watch->threads[i].id != 0)
            living += look_at_thread(watch, &watch->threads[i], since_s);
    snprintf(path, sizeof path, "/proc/%d/task", (int)process);
    if (statx(AT_FDCWD, path, AT_STATX_DONT_SYNC, STATX_NLINK, &about) == 0 && living > 0 &&
        about.stx_nlink == living + 2)
        return true;
    DIR *threads = opendir(path);
    if (!threads)
        return false;
    for (const struct dirent *entry; (entry = readdir(threads));)
        if (entry->d_name[0] != '.' && !was_seen(watch, (pid_t)atoi(entry->d_name)))
            look_at_thread(watch, waits_add_thread(watch, process, (pid_t)atoi(entry->d_name)), since_s);
    closedir(threads);
    return true;
}

static bool waits_is_known(const struct wait_watch *watch, pid_t process) {
    for (size_t i = 0; i < watch->process_count; i++)
        if (watch->processes[i] == process)
            return true;
    return false;
}

static void waits_add_process(struct wait_watch *watch, pid_t process) {
    watch->processes = need_realloc(watch->processes, (watch->process_count + 1) * sizeof *watch->processes);
    watch->processes[watch->process_count++] = process;
}

/* A number may be a thread's or a process's; processes of known parents are added. */
static void examine(struct wait_watch *watch, unsigned number) {
    char path[64], text[512];
    int process, parent;
    snprintf(path, sizeof path, "/proc/%u/status", number);
    if (!waits_read_small(path, text, sizeof text))
        return;
    const char *group = strstr(text, "\nTgid:"), *of = strstr(text, "\nPPid:");
    if (group && of && sscanf(group, " Tgid: %d", &process) == 1 && sscanf(of, " PPid: %d", &parent) == 1 &&
        process == (int)number && waits_is_known(watch, parent) && !waits_is_known(watch, process))
        waits_add_process(watch, process);
}

/* The program's new children and theirs. The fifth number of /proc/loadavg is the newest process's, so most times there
 * is nothing to do. */
static void find_children(struct wait_watch *watch) {
    enum { MOST = 1000 };
    char text[128];
    unsigned newest;
    if (!waits_read_small("/proc/loadavg", text, sizeof text) || sscanf(text, "%*s %*s %*s %*s %u", &newest) != 1)
        return;
    unsigned number = newest < watch->newest ? 0 : watch->newest; /* less: they begin anew */
    for (number = newest - number > MOST ? newest - MOST : number; number < newest; number++)
        examine(watch, number + 1);
    watch->newest = newest;
}

static double cpu_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Each interval is 2 % of the time so far, of 1 to 50 ms, longer if a sample costs much; and varied, because programs
 * may have a rhythm of their own. Phases are no shorter than a hundredth of a run. */
int waits_next_ms(const struct wait_watch *watch, double seconds, double cost_s) {
    const double GROWS = 0.02, LEAST_S = 0.001, MOST_S = 0.05, OF_RUN = 1e-4, GOLDEN = 0.6180339887;
    const bool often = watch->often_s > 0;
    const double most_s = often ? fmin(MOST_S, fmax(watch->often_s, OF_RUN * seconds)) : MOST_S,
                 costs_s = (often ? 50 : 400) * cost_s,
                 interval_s = fmin(1, fmax(costs_s, fmin(most_s, fmax(LEAST_S, GROWS * seconds))));
    return (int)ceil(1e3 * interval_s * (0.75 + 0.5 * fmod(watch->sum.samples * GOLDEN, 1)));
}

static void add_moment(const struct wait_watch *watch, double seconds) {
    enum { MOST = 4096 }; /* of rare ones: then the last one is replaced */
    struct wait_course *course = watch->course;
    if (watch->often_s > 0 || course->count < MOST)
        course->moments = need_realloc(course->moments, ++course->count * sizeof *course->moments);
    struct wait_moment *moment = &course->moments[course->count - 1];
    *moment = (struct wait_moment){.seconds = seconds,
                                   .ran_ns = watch->ran_ns,
                                   .ready_ns = watch->ready_ns,
                                   .kernel_ns = watch->kernel_ns,
                                   .page_faults = watch->page_faults};
    for (size_t kind = 0; kind < WAIT_KINDS; kind++)
        moment->ns[kind] = (double)watch->sum.ns[kind];
}

int wait_watch_look(void *context, pid_t pid, double seconds) {
    struct wait_watch *watch = context;
    const double began_s = cpu_s();
    size_t kept = 0;
    if (watch->sum.samples++ == 0) {
        waits_add_process(watch, pid);
        watch->newest = (unsigned)pid;
        if (watch->course)
            watch->course->began_s = now_s() - seconds;
    }
    find_children(watch);
    for (size_t i = 0; i < watch->process_count; i++)
        if (look_at_process(watch, watch->processes[i], seconds - watch->last_s))
            watch->processes[kept++] = watch->processes[i];
    watch->process_count = kept;
    watch->last_s = seconds;
    if (watch->course)
        add_moment(watch, seconds);
    return waits_next_ms(watch, seconds, cpu_s() - began_s);
}

/* A part of the threads that run in their own code waits for a CPU, as the scheduler tells. */
static void split_ready(struct waits *waits, double ran_ns, double ready_ns) {
    const double all_ns = ran_ns + ready_ns;
    waits->ns[WAIT_CPU] = all_ns > 0 ? (uint64_t)((double)waits->ns[WAIT_RUNS] * ready_ns / all_ns) : 0;
    waits->ns[WAIT_RUNS] -= waits->ns[WAIT_CPU];
}

/* On the line through two moments: `share` 0 is the first one, 1 the second. */
static struct wait_moment waits_on_line(const struct wait_moment *first, const struct wait_moment *second,
                                        double share) {
    struct wait_moment out;
    for (size_t i = 0; i < sizeof out / sizeof(double); i++) {
        const double from = ((const double *)first)[i];
        ((double *)&out)[i] = from + share * (((const double *)second)[i] - from);
    }
    return out;
}

/* What had been seen by then; returns the number of samples. */
static unsigned seen_until(const struct wait_course *course, double at_s, struct wait_moment *out) {
    static const struct wait_moment NOTHING = {0};
    unsigned next = 0;
    while (next < course->count && course->moments[next].seconds < at_s)
        next++;
    const struct wait_moment *before = next > 0 ? &course->moments[next - 1] : &NOTHING,
                             *after = next < course->count ? &course->moments[next] : before;
    const double length_s = after->seconds - before->seconds,
                 share = length_s > 0 ? fmax(0, at_s - before->seconds) / length_s : 0;
    *out = waits_on_line(before, after, share);
    return next;
}

void waits_add_between(const struct wait_course *course, double from_s, double to_s, struct waits_part *part) {
    struct wait_moment from, to;
    struct waits *sum = &part->waits;
    struct waits own = {0};
    const unsigned first = seen_until(course, from_s, &from), samples = seen_until(course, to_s, &to) - first;
    for (size_t kind = 0; kind < WAIT_KINDS; kind++)
        own.ns[kind] = (uint64_t)(to.ns[kind] - from.ns[kind]);
    split_ready(&own, to.ran_ns - from.ran_ns, to.ready_ns - from.ready_ns);
    for (size_t kind = 0; kind < WAIT_KINDS; kind++)
        sum->ns[kind] += own.ns[kind];
    sum->interval_s = (sum->samples * sum->interval_s + to_s - from_s) / fmax(1, sum->samples + samples);
    sum->samples += samples;
    part->kernel_s += 1e-9 * (to.kernel_ns - from.kernel_ns);
    part->page_faults += to.page_faults - from.page_faults;
}

/* What follows the last sample is as right before it, but for the kernel. */
static void extend_course(struct wait_course *course, double seconds) {
    if (course->count < 2)
        return;
    course->moments = need_realloc(course->moments, (course->count + 1) * sizeof *course->moments);
    const struct wait_moment *last = &course->moments[course->count - 1], *before = last - 1;
    const double length_s = last->seconds - before->seconds,
                 more = length_s > 0 ? fmax(0, seconds - last->seconds) / length_s : 0;
    struct wait_moment *end = &course->moments[course->count++];
    *end = waits_on_line(before, last, 1 + more);
    end->kernel_ns = last->kernel_ns, end->page_faults = last->page_faults;
}

struct waits wait_watch_end(struct wait_watch *watch, double seconds) {
    const double REFUSED_MOST = 0.05; /* threads that end are, for a moment */
    const bool blind = watch->refused_ns > REFUSED_MOST * 1e9 * waits_sum_s(&watch->sum);
    struct waits out = blind ? (struct waits){0} : watch->sum;
    const double stretch = watch->last_s > 0 ? seconds / watch->last_s : 0;
    split_ready(&out, watch->ran_ns, watch->ready_ns);
    if (blind && watch->course)
        watch->course->count = 0;
    if (watch->course)
        extend_course(watch->course, seconds);
    out.interval_s = out.samples > 0 ? watch->last_s / out.samples : 0;
    for (size_t i = 0; i < WAIT_KINDS; i++) /* what follows the last sample is as before */
        out.ns[i] = (uint64_t)((double)out.ns[i] * stretch);
    for (size_t i = 0; i < watch->thread_count; i++)
        if (watch->threads[i].id != 0)
            remove_thread(watch, &watch->threads[i]);
    free(watch->processes);
    free(watch->threads);
    watch->processes = NULL;
    watch->threads = NULL;
    return out;
}

void waits_split_kernel(struct waits *waits, double cpu_s, double kernel_s, double page_faults, double fault_s) {
    if (!(kernel_s > 0 && cpu_s > 0))
        return;
    const double kernel_ns = fmin(1, kernel_s / cpu_s) * (double)waits->ns[WAIT_RUNS];
    waits->ns[WAIT_FAULTS] = (uint64_t)(fmin(1, page_faults * fault_s / kernel_s) * kernel_ns);
    waits->ns[WAIT_KERNEL] = (uint64_t)kernel_ns - waits->ns[WAIT_FAULTS];
    waits->ns[WAIT_RUNS] -= waits->ns[WAIT_FAULTS] + waits->ns[WAIT_KERNEL];
}

double waits_fault_seconds(void) {
    enum { PAGES = 1024, TRIES = 3 };
    const size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
    double least_s = INFINITY;
    for (unsigned i = 0; i < TRIES; i++) {
        volatile char *pages =
            mmap(NULL, PAGES * page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (pages == MAP_FAILED)
            return 0;
        madvise((void *)pages, PAGES * page_bytes, MADV_NOHUGEPAGE);
        const double began_s = cpu_s();
        for (size_t page = 0; page < PAGES; page++)
            pages[page * page_bytes] = 1;
        least_s = fmin(least_s, (cpu_s() - began_s) / PAGES);
        munmap((void *)pages, PAGES * page_bytes);
    }
    return least_s;
}
