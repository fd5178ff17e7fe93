/* SPDX-License-Identifier: BSD-3-Clause
 * A user's library as a row of workloads (see request.h). */
#include "request.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "carmine_workload.h"
#include "probe/error.h"
#include "probe/need.h"

struct hooks {
    void (*buffers)(uint64_t n, struct carmine_buffer *out);
    void (*run)(const struct carmine_part *part, void *const *data);
    void (*init)(const struct carmine_part *part, void *const *data);
    uint64_t (*flop)(uint64_t n);
    struct carmine_bytes (*bytes)(uint64_t n);
    bool (*check)(uint64_t n, void *const *data);
    void (*threads)(unsigned count);
};

struct file_workload {
    struct workload row;
    struct hooks hooks;
    void *library;
    struct carmine_buffer buffers[CARMINE_BUFFERS + 1]; /* the last one stays empty */
    struct carmine_part *parts;                         /* by thread */
    struct carmine_part whole;
};

/* Data for the crash message: signal handlers can only use globals. */
static struct {
    const char *name;
    _Atomic(const char *) hook; /* threads that run it set the same one */
    uint64_t n;
    int report; /* the original stdout */
} now = {.report = -1};

static void set_hook(const char *hook) {
    atomic_store_explicit(&now.hook, hook, memory_order_relaxed);
}

#define ROW_OF(task) ((struct file_workload *)(task)->workload)

static void tell_crash(int number) {
    char text[256];
    const int length =
        snprintf(text, sizeof text, "carmine-workload: %s: %s() crashed at size %" PRIu64 ": signal %d (%s)\n",
                 now.name, atomic_load_explicit(&now.hook, memory_order_relaxed), now.n, number, strsignal(number));
    if (write(STDERR_FILENO, text, (size_t)length) != length)
        _exit(3);
    _exit(2);
}

/* On a separate stack, since the file may have exhausted the thread's. */
static void catch_crashes(void) {
    static const int SIGNALS[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    enum { STACK_BYTES = 1 << 16 };
    const stack_t stack = {.ss_sp = need_calloc(1, STACK_BYTES), .ss_size = STACK_BYTES};
    struct sigaction action = {.sa_handler = tell_crash, .sa_flags = SA_ONSTACK};
    sigaltstack(&stack, NULL);
    for (size_t i = 0; i < sizeof SIGNALS / sizeof *SIGNALS; i++)
        sigaction(SIGNALS[i], &action, NULL);
}

static void take_stdout(void) {
    fflush(stdout);
    if (now.report < 0)
        now.report = dup(STDOUT_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO);
}

void workload_file_report(void) {
    if (now.report < 0)
        return;
    fflush(stdout);
    dup2(now.report, STDOUT_FILENO);
}

static uint64_t array_bytes(const struct task *task, unsigned array) {
    return ROW_OF(task)->buffers[array].bytes;
}

static bool open_task(struct task *task, struct error *err) {
    (void)err;
    struct file_workload *file = ROW_OF(task);
    file->parts = need_calloc(task->threads, sizeof *file->parts);
    for (unsigned t = 0; t < task->threads; t++) {
        const struct lane lane = lane_of(task, t, task->n);
        file->parts[t] = (struct carmine_part){task->n, lane.first, lane.end, t, task->threads};
    }
    if (file->row.own_threads) {
        file->whole = (struct carmine_part){task->n, 0, task->n, 0, task->threads};
        set_hook("threads");
        file->hooks.threads(task->threads);
    }
    task->library = file;
    return true;
}

static void close_task(struct task *task) {
    struct file_workload *file = task->library;
    dlclose(file->library);
    free(file->parts);
    free(file);
}

static void fill_part(const struct lane *lane, void *const *arrays) {
    const struct file_workload *file = ROW_OF(lane->task);
    set_hook("init");
    file->hooks.init(&file->parts[lane->thread], arrays);
}

static void run_part(const struct lane *lane, void *const *arrays) {
    const struct file_workload *file = ROW_OF(lane->task);
    set_hook("run");
    file->hooks.run(file->row.own_threads ? &file->whole : &file->parts[lane->thread], arrays);
}

static void tell_work(const struct task *task, struct work *out) {
    const struct hooks *hooks = &ROW_OF(task)->hooks;
    set_hook("flop");
    out->flop_unknown = !hooks->flop;
    out->flop = hooks->flop ? hooks->flop(task->n) : 0;
    set_hook("bytes");
    if ((out->bytes_exact = hooks->bytes)) {
        const struct carmine_bytes asked = hooks->bytes(task->n);
        out->load_bytes = asked.load, out->store_bytes = asked.store;
    }
}

/* 1: wrong */
static double check_result(const struct task *task, void *const *arrays) {
    const struct hooks *hooks = &ROW_OF(task)->hooks;
    set_hook("check");
    return hooks->check && !hooks->check(task->n, arrays);
}

static bool find_hooks(struct file_workload *file, const char *name, struct error *err) {
    struct hooks *hooks = &file->hooks;
    const struct {
        const char *name;
        void *place;
        const char *needed; /* the required declaration; NULL: optional */
    } table[] = {
        {"buffers", &hooks->buffers, "void buffers(uint64_t n, struct carmine_buffer *out)"},
        {"run", &hooks->run, "void run(const struct carmine_part *part, void *const *data)"},
        {"init", &hooks->init, NULL},
        {"flop", &hooks->flop, NULL},
        {"bytes", &hooks->bytes, NULL},
        {"check", &hooks->check, NULL},
        {"threads", &hooks->threads, NULL},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        void *found = dlsym(file->library, table[i].name);
        memcpy(table[i].place, &found, sizeof found);
        if (!found && table[i].needed)
            return error_set(err, "%s: function %s() is missing; define %s, not static", name, table[i].name,
                             table[i].needed);
    }
    return true;
}

/* More than any address space, and sums of sizes below it do not overflow. */
static const uint64_t BUFFER_BYTES_MOST = (uint64_t)1 << 48;

static bool find_buffers(struct file_workload *file, uint64_t n, struct error *err) {
    static const unsigned KNOWN = CARMINE_UPDATED | CARMINE_PAST_CACHES;
    const char *name = file->row.name;
    unsigned count = 0;
    set_hook("buffers");
    file->hooks.buffers(n, file->buffers);
    for (; count < CARMINE_BUFFERS && file->buffers[count].bytes > 0; count++) {
        const struct carmine_buffer *buffer = &file->buffers[count];
        if (buffer->access & ~KNOWN)
            return error_set(err, "%s: buffers() sets the access of buffer %u to %u; use one of CARMINE_…", name, count,
                             buffer->access);
        if (buffer->bytes > BUFFER_BYTES_MOST)
            return error_set(
                err, "%s: buffers() gives buffer %u %" PRIu64 " bytes at size %" PRIu64 ", more than an address space",
                name, count, buffer->bytes, n);
        file->row.arrays[count] = (struct array){.name = buffer->name ? buffer->name : "", .access = buffer->access};
    }
    for (unsigned i = count; i <= CARMINE_BUFFERS; i++)
        if (file->buffers[i].bytes > 0)
            return error_set(err, "%s: buffers() leaves buffer %u empty at size %" PRIu64 ", but not a later one", name,
                             count, n);
    return count > 0 ||
           error_set(err, "%s: buffers() defines no buffer at size %" PRIu64 "; a run needs at least one", name, n);
}

/* enum access has the values of carmine_workload.h. */
_Static_assert((int)CARMINE_SCRATCH == (int)SCRATCH && (int)CARMINE_READ == (int)READ &&
                   (int)CARMINE_WRITTEN == (int)WRITTEN && (int)CARMINE_UPDATED == (int)UPDATED &&
                   (int)CARMINE_PAST_CACHES == (int)PAST_CACHES && (int)CARMINE_BUFFERS == (int)MAX_ARRAYS,
               "carmine_workload.h");

const struct workload *workload_file_load(const char *path, const char *name, uint64_t n, struct error *err) {
    struct file_workload *file = need_calloc(1, sizeof *file);
    now.name = name, now.n = n;
    set_hook("the file's own start");
    take_stdout();
    catch_crashes();
    file->row = (struct workload){
        .name = name,
        .size = "defined by the file",
        .array_bytes = array_bytes,
        .work = tell_work,
        .open = open_task,
        .close = close_task,
        .run = run_part,
        .check = check_result,
    };
    file->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!file->library)
        error_set(err, "%s cannot be loaded: %s", name, dlerror());
    if (!file->library || !find_hooks(file, name, err) || !find_buffers(file, n, err)) {
        if (file->library)
            dlclose(file->library);
        free(file);
        return NULL;
    }
    file->row.fill = file->hooks.init ? fill_part : NULL;
    file->row.own_threads = file->hooks.threads;
    return &file->row;
}
