/* SPDX-License-Identifier: BSD-3-Clause
 * libcarmine-valgrind.so: the images of processes, from their start to their end or to the exec that replaces them.
 * Valgrind forgets an image at an exec, and gives a forked process its parent's counts: here the first is saved, and
 * the second set apart. Each image also leaves a copy of its memory map, for code that valgrind knows no file of. */
#include "collect_valgrind.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "probe/marks/collector.h"

#define EXPORTED __attribute__((visibility("default")))

static char folder[3840]; /* "" where nothing is to be left: outside of valgrind, as in valgrind's own launcher */
static pid_t own_pid;

enum { PATH_BYTES = sizeof folder + 64, LAST_IMAGE = -1 };

/* The file of this process's last image, or of an earlier one. */
static void file_path(char path[PATH_BYTES], const char *name, int image) {
    if (image == LAST_IMAGE)
        snprintf(path, PATH_BYTES, "%s/%s%d", folder, name, (int)own_pid);
    else
        snprintf(path, PATH_BYTES, "%s/%s%d.%d", folder, name, (int)own_pid, image);
}

static void leave_map(void) {
    char path[PATH_BYTES], text[4096];
    file_path(path, MARK_MAPS_FILE, LAST_IMAGE);
    int from = folder[0] ? open("/proc/self/maps", O_RDONLY | O_CLOEXEC) : -1;
    if (from < 0)
        return; /* an earlier copy is better than an empty one */
    int to = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    ssize_t bytes = 0;
    while (to >= 0 && (bytes = read(from, text, sizeof text)) > 0 && write(to, text, (size_t)bytes) == bytes)
        ;
    close(from);
    close(to);
}

static void after_fork(void) {
    CUT_ALL(MARK_INHERITED);
    own_pid = getpid();
    leave_map();
    CUT_OWN(MARK_OWN);
}

__attribute__((constructor)) static void image_start(void) {
    if (!arch_valgrind_request(REQUEST_RUNNING_ON_VALGRIND, NULL))
        return;
    CUT_ALL(MARK_START);
    char path[PATH_BYTES];
    const char *wanted = getenv(COLLECTOR_FOLDER);
    snprintf(folder, sizeof folder, "%s", wanted ? wanted : "");
    own_pid = getpid();
    file_path(path, MARK_MAPS_FILE, LAST_IMAGE);
    if (access(path, F_OK) == 0)
        CUT_OWN(MARK_LOST);
    leave_map();
    pthread_atfork(NULL, NULL, after_fork);
    CUT_OWN(MARK_OWN);
}
__attribute__((destructor)) static void image_end(void) { /* with what was loaded meanwhile */
    if (!folder[0])
        return;
    CUT_ALL(MARK_CUT);
    leave_map();
    CUT_OWN(MARK_OWN);
}

static void rename_files(int from_image, int to_image) {
    static const char *const NAMES[] = {MARK_COUNTS_FILE, MARK_MAPS_FILE};
    char from[PATH_BYTES], to[PATH_BYTES];
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        file_path(from, NAMES[i], from_image);
        file_path(to, NAMES[i], to_image);
        rename(from, to);
    }
}

static bool saved; /* already: one function of the family may call another */

/* Number of the image that is saved. A child of vfork has its parent's counts and no image to be saved. */
static int before_exec(void) {
    if (!folder[0] || saved)
        return LAST_IMAGE;
    if (getpid() != own_pid) {
        CUT_ALL(MARK_INHERITED);
        return LAST_IMAGE;
    }
    CUT_ALL(MARK_EXEC);
    char path[PATH_BYTES];
    int image = 0;
    while (file_path(path, MARK_COUNTS_FILE, image), access(path, F_OK) == 0)
        image++;
    leave_map();
    rename_files(LAST_IMAGE, image);
    saved = true;
    return image;
}

static void exec_failed(int image) {
    if (image == LAST_IMAGE)
        return;
    int reason = errno;
    rename_files(image, LAST_IMAGE);
    saved = false;
    errno = reason;
    CUT_OWN(MARK_OWN);
}

#define EXEC(name, parameters, arguments)                                                                              \
    EXPORTED int name parameters {                                                                                     \
        typedef int exec parameters;                                                                                   \
        exec *next;                                                                                                    \
        int image = before_exec();                                                                                     \
        *(void **)&next = dlsym(RTLD_NEXT, #name);                                                                     \
        next arguments;                                                                                                \
        exec_failed(image);                                                                                            \
        return -1;                                                                                                     \
    }
EXEC(execve, (const char *path, char *const argv[], char *const envp[]), (path, argv, envp))
EXEC(execv, (const char *path, char *const argv[]), (path, argv))
EXEC(execvp, (const char *file, char *const argv[]), (file, argv))
EXEC(execvpe, (const char *file, char *const argv[], char *const envp[]), (file, argv, envp))
EXEC(fexecve, (int file, char *const argv[], char *const envp[]), (file, argv, envp))

static size_t count_words(va_list words) {
    va_list copy;
    size_t count = 1;
    va_copy(copy, words);
    while (va_arg(copy, const char *))
        count++;
    va_end(copy);
    return count;
}

/* `call` execs with an array in place of the words, behind which an environment may stand. */
#define EXEC_LIST(name, call)                                                                                          \
    EXPORTED int name(const char *path, const char *first, ...) {                                                      \
        va_list words;                                                                                                 \
        va_start(words, first);                                                                                        \
        size_t count = count_words(words);                                                                             \
        char *argv[count + 1];                                                                                         \
        argv[0] = (char *)first;                                                                                       \
        for (size_t i = 1; i <= count; i++)                                                                            \
            argv[i] = va_arg(words, char *);                                                                           \
        call;                                                                                                          \
        va_end(words);                                                                                                 \
        return -1;                                                                                                     \
    }
EXEC_LIST(execl, execv(path, argv))
EXEC_LIST(execlp, execvp(path, argv))
EXEC_LIST(execle, execve(path, argv, va_arg(words, char **)))
