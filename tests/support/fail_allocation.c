/* SPDX-License-Identifier: BSD-3-Clause
 * Preloaded into a program: runs it repeatedly in child processes. In each, another allocation fails: the first of each
 * place in the program, alternately alone and with all later ones. Prints the faults of each wrong run and a line of
 * sums; exit status 1: some runs were wrong. A run is right if it reports that memory is short and ends with status 2,
 * or if it does the same as the undisturbed run. Its streams go to FAIL_STREAMS.out and .err. The file named by
 * FAIL_KEEPS, or "", is restored after a run that succeeds, and must be unchanged after one that does not. With
 * FAIL_AT=N ("N+": and all later ones) the program itself runs once, for a debugger. Allocations of the loader and the
 * OpenMP runtime do not fail, because these would end the program in their own way; neither do those of cairo and
 * fontconfig, for which render/draw/font.c ensures enough memory. */
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unwind.h>
#include <unistd.h>

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t bytes);

enum { MAX_SPARED = 32, LIMIT_S = 30, PROBLEMS_SHOWN = 4, STATUS_OUT_OF_MEMORY = 2 };

static bool armed;          /* this process is a run */
static long fails_at;       /* number of the failing allocation, from 1; 0: none */
static bool fails_for_good; /* and all later ones */
static long *allocations;   /* shared with the parent */

/* In the undisturbed run: the places in the program that have allocated, and each place's first allocation. */
enum { MAX_ALLOCATIONS = 1 << 20, PLACES = 1 << 16, FRAMES = 2 };
static struct seen { bool place[PLACES], is_first[MAX_ALLOCATIONS]; } * seen; /* shared too */

static struct range { uintptr_t from, to; } program, spared[MAX_SPARED];
static size_t spared_count;

static int find_spared(struct dl_phdr_info *object, size_t size, void *context) {
    (void)size, (void)context;
    static const char *const NAMES[] = {"/ld-linux", "/libgomp", "/libomp", "/libcairo", "/libfontconfig"};
    bool wanted = false;
    for (size_t i = 0; !*object->dlpi_name && !program.to && i < object->dlpi_phnum; i++)
        if (object->dlpi_phdr[i].p_type == PT_LOAD && (object->dlpi_phdr[i].p_flags & PF_X)) {
            program.from = object->dlpi_addr + object->dlpi_phdr[i].p_vaddr;
            program.to = program.from + object->dlpi_phdr[i].p_memsz;
        }
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
        wanted |= strstr(object->dlpi_name, NAMES[i]) != NULL;
    if (!wanted)
        return 0;
    for (size_t i = 0; i < object->dlpi_phnum && spared_count < MAX_SPARED; i++) {
        const uintptr_t from = object->dlpi_addr + object->dlpi_phdr[i].p_vaddr;
        if (object->dlpi_phdr[i].p_type == PT_LOAD)
            spared[spared_count++] = (struct range){from, from + object->dlpi_phdr[i].p_memsz};
    }
    return 0;
}

static _Unwind_Reason_Code look_at_caller(struct _Unwind_Context *frame, void *is_spared) {
    const uintptr_t at = _Unwind_GetIP(frame);
    for (size_t i = 0; i < spared_count; i++)
        *(bool *)is_spared |= at >= spared[i].from && at < spared[i].to;
    return _URC_NO_REASON;
}

struct place {
    uintptr_t hash;
    size_t frames;
};

/* A place: the innermost frames in the program. */
static _Unwind_Reason_Code add_frame(struct _Unwind_Context *frame, void *context) {
    struct place *place = context;
    const uintptr_t at = _Unwind_GetIP(frame);
    if (at >= program.from && at < program.to) {
        place->hash = (place->hash ^ at) * 0x9E3779B97F4A7C15u;
        place->frames++;
    }
    return place->frames < FRAMES ? _URC_NO_REASON : _URC_END_OF_STACK;
}

static void note_place(long number) {
    struct place place = {.hash = 0};
    _Unwind_Backtrace(add_frame, &place);
    const size_t slot = (place.hash >> 40) % PLACES;
    if (number < MAX_ALLOCATIONS && !seen->place[slot])
        seen->place[slot] = seen->is_first[number] = true;
}

static bool fails(void) {
    if (!armed)
        return false;
    const long number = __atomic_add_fetch(allocations, 1, __ATOMIC_RELAXED);
    if (!fails_at)
        note_place(number);
    if (!fails_at || number < fails_at || (number > fails_at && !fails_for_good))
        return false;
    bool is_spared = false;
    _Unwind_Backtrace(look_at_caller, &is_spared);
    if (is_spared)
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t bytes) {
    return fails() ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t size) {
    return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t bytes) {
    return fails() ? NULL : __libc_realloc(old, bytes);
}

struct text {
    char *bytes;
    size_t length;
};

static struct text read_file(const char *name, const char *ending) {
    char path[4096];
    snprintf(path, sizeof path, "%s%s", name, ending);
    struct text out = {.bytes = NULL};
    const int file = open(path, O_RDONLY);
    struct stat status;
    if (file < 0 || fstat(file, &status) != 0)
        return out;
    out.bytes = calloc((size_t)status.st_size + 1, 1);
    const ssize_t got = read(file, out.bytes, (size_t)status.st_size);
    out.length = got > 0 ? (size_t)got : 0;
    close(file);
    return out;
}

static void write_file(const char *path, struct text text) {
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (write(file, text.bytes, text.length) != (ssize_t)text.length)
        perror(path);
    close(file);
}

static bool is_same(struct text a, struct text b) {
    return !a.bytes == !b.bytes && a.length == b.length && (a.length == 0 || memcmp(a.bytes, b.bytes, a.length) == 0);
}

struct run {
    int status; /* in the format of waitpid() */
    struct text out, err, kept;
};

static void stream_to(const char *streams, const char *ending, int number) {
    char path[4096];
    snprintf(path, sizeof path, "%s%s", streams, ending);
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    dup2(file, number);
    close(file);
}

/* True in the child, which continues as the program. */
static bool run_child(const char *streams, const char *keeps, struct run *out) {
    *allocations = 0;
    const pid_t child = fork();
    if (child == 0) {
        stream_to(streams, ".out", STDOUT_FILENO);
        stream_to(streams, ".err", STDERR_FILENO);
        alarm(LIMIT_S);
        return true;
    }
    waitpid(child, &out->status, 0);
    out->out = read_file(streams, ".out"), out->err = read_file(streams, ".err");
    out->kept = read_file(keeps, "");
    return false;
}

static const char *what_is_wrong(const struct run *run, const struct run *undisturbed, struct text before) {
    if (WIFEXITED(run->status) && WEXITSTATUS(run->status) == STATUS_OUT_OF_MEMORY) {
        if (!strstr(run->err.bytes, "memory"))
            return "no word of memory";
        if (is_same(run->kept, before))
            return NULL;
        return strstr(run->err.bytes, "added to ") && run->kept.length == undisturbed->kept.length
                   ? NULL /* the file was written and reported; the output after it is missing */
                   : "the file is changed";
    }
    if (run->status != undisturbed->status)
        return "another exit status";
    if (run->kept.length != undisturbed->kept.length) /* times in the file may differ */
        return "another length of the file";
    return is_same(run->out, undisturbed->out) ? NULL : "other output";
}

static void show_problem(const char *problem, const struct run *run) {
    printf("allocation %ld%s: %s (status %d, signal %d): %.300s\n", fails_at, fails_for_good ? " and all after it" : "",
           problem, WIFEXITED(run->status) ? WEXITSTATUS(run->status) : -1,
           WIFSIGNALED(run->status) ? WTERMSIG(run->status) : 0, run->err.bytes ? run->err.bytes : "");
    fflush(stdout); /* otherwise the next child prints it, too */
}

static void free_run(struct run *run) {
    free(run->out.bytes), free(run->err.bytes), free(run->kept.bytes);
}

/* Returns in a child; the parent ends here. */
__attribute__((constructor)) static void begin(void) {
    const char *keeps = getenv("FAIL_KEEPS"), *streams = getenv("FAIL_STREAMS"), *at = getenv("FAIL_AT");
    struct run undisturbed, run;
    unsetenv("LD_PRELOAD");
    dl_iterate_phdr(find_spared, NULL);
    seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    allocations = mmap(NULL, sizeof *allocations, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (at) {
        fails_at = atol(at);
        fails_for_good = strchr(at, '+') != NULL;
        armed = true;
        return;
    }
    const struct text before = read_file(keeps, "");
    if (run_child(streams, keeps, &undisturbed)) {
        armed = true;
        return;
    }
    const long all = *allocations;
    long runs = 0, ended = 0, wrong = 0;
    for (fails_at = 1; fails_at <= all && fails_at < MAX_ALLOCATIONS; fails_at++) {
        if (!seen->is_first[fails_at])
            continue;
        fails_for_good = runs % 2;
        if (before.bytes)
            write_file(keeps, before);
        if (run_child(streams, keeps, &run)) {
            armed = true;
            return;
        }
        const char *problem = what_is_wrong(&run, &undisturbed, before);
        if (problem && wrong++ < PROBLEMS_SHOWN)
            show_problem(problem, &run);
        runs++, ended += WIFEXITED(run.status) && WEXITSTATUS(run.status) == STATUS_OUT_OF_MEMORY;
        free_run(&run);
    }
    printf("%ld allocations, %ld runs, %ld ended for want of memory, %ld wrong; undisturbed status %d\n", all, runs,
           ended, wrong, WIFEXITED(undisturbed.status) ? WEXITSTATUS(undisturbed.status) : -1);
    fflush(stdout);
    _exit(wrong > 0 || ended == 0 || !WIFEXITED(undisturbed.status) ||
          WEXITSTATUS(undisturbed.status) >= STATUS_OUT_OF_MEMORY);
}
