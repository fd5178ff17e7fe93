/* SPDX-License-Identifier: BSD-3-Clause
 * Programs that are executed (see exec.h). */
#include "exec.h"
#include "image.h"

#include <errno.h>
#include <sys/syscall.h>

#include "bench/count/base/system.h"
#include "probe/marks/collector.h"

enum { EXEC_WORDS = 6144, EXEC_SCRIPTS = 4, EXEC_PATH_BYTES = 4096 };

/* What is executed in place of a program. */
struct exec {
    const char *words[EXEC_WORDS]; /* the counter, and all that follows; NULL at the end */
    char path[EXEC_PATH_BYTES];
    struct image image;
    char interpreters[EXEC_SCRIPTS][IMAGE_PATH_BYTES], arguments[EXEC_SCRIPTS][IMAGE_PATH_BYTES];
};

static char own_library[IMAGE_PATH_BYTES], own_folder[IMAGE_PATH_BYTES]; /* "": too long, or not known */

void exec_prepare(const char *libraries, const char *folder) {
    static const char NAME[] = "libcarmine-count.so";
    const char *start = libraries, *end = NULL;
    for (const char *at = libraries; at && *at && !end; at++) {
        if (text_starts(at, NAME))
            end = at + sizeof NAME - 1;
        else if (*at == ':' || *at == ' ')
            start = at + 1;
    }
    if (!end || (size_t)(end - start) >= sizeof own_library || text_length(folder) >= sizeof own_folder)
        return;
    text_copy(own_library, start, (size_t)(end - start) + 1);
    text_copy(own_folder, folder, sizeof own_folder);
}

bool exec_is_counter(const char *name) {
    return name && own_library[0] && text_equal(name, own_library);
}

/* Whether an environment has our library preloaded, and it knows its folder. */
static bool passes_on(const char *const *environment) {
    bool library = false, folder = false;
    for (; environment && *environment; environment++) {
        library |= text_starts(*environment, "LD_PRELOAD=") && text_holds(*environment, own_library);
        folder |= text_starts(*environment, COLLECTOR_FOLDER "=") && text_holds(*environment, own_folder);
    }
    return library && folder;
}

static bool is_preloaded(const struct image *image, uint64_t environment) {
    return text_starts(image->loader, "/lib64/ld-linux-x86-64.so") && passes_on((const char *const *)environment);
}

/* Follows the first lines of scripts to a program; gives how many there were. */
static unsigned follow_scripts(struct exec *out) {
    unsigned scripts = 0;
    image_read(out->path, &out->image);
    while (out->image.kind == IMAGE_SCRIPT && scripts < EXEC_SCRIPTS) {
        text_copy(out->interpreters[scripts], out->image.interpreter, IMAGE_PATH_BYTES);
        text_copy(out->arguments[scripts], out->image.argument, IMAGE_PATH_BYTES);
        image_read(out->interpreters[scripts++], &out->image);
    }
    return scripts;
}

/* Finds what to execute so that the program is counted. False: nothing, the kernel is left the call as it is. */
static bool find(uint64_t path, uint64_t argv, uint64_t environment, struct exec *out) {
    if (!own_library[0] || !system_copy_text(out->path, path, sizeof out->path))
        return false;
    const unsigned scripts = follow_scripts(out);
    if (out->image.kind != IMAGE_PROGRAM || out->image.gains_rights || is_preloaded(&out->image, environment))
        return false;
    size_t count = 0;
    out->words[count++] = own_library;
    out->words[count++] = own_folder;
    out->words[count++] = scripts ? out->interpreters[scripts - 1] : out->path;
    out->words[count++] = "--";
    for (unsigned script = scripts; script-- > 0;) {
        out->words[count++] = out->interpreters[script];
        if (out->arguments[script][0])
            out->words[count++] = out->arguments[script];
    }
    const size_t first = count; /* a script's own name takes the place of the first */
    const size_t words =
        system_copy(out->words + count, argv, (EXEC_WORDS - count) * sizeof *out->words) / sizeof *out->words;
    for (size_t i = 0; i < words; i++)
        if (!out->words[first + i]) {
            if (scripts && i > 0)
                out->words[first] = out->path;
            return i > 0;
        }
    return false;
}

long exec_counted(uint64_t path, uint64_t argv, uint64_t environment, const uint64_t *stop) {
    struct exec exec;
    if (find(path, argv, environment, &exec)) {
        const long result =
            system_call_unless(stop, SYS_execve, (long)own_library, (long)exec.words, (long)environment, 0, 0);
        if (result != -ENOENT && result != -EACCES) /* the counter is not there (chroot), or not for this user */
            return result;
    }
    return system_call_unless(stop, SYS_execve, (long)path, (long)argv, (long)environment, 0, 0);
}
