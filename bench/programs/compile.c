/* SPDX-License-Identifier: BSD-3-Clause
 * Runs the compiler (see program.h). The header that files include is embedded, so it is always the matching one. */
#include "program.h"
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probe/error.h"
#include "probe/need.h"

__asm__(".pushsection .rodata\n.globl workload_header\nworkload_header:\n.incbin "
        "\"bench/workloads/carmine_workload.h\"\n.byte 0\n.popsection\n");
extern const char workload_header[] __attribute__((visibility("hidden")));

enum { MAX_WORDS = 128, WORDS_BYTES = 4096, MESSAGES_BYTES = 1 << 16, PATH_BYTES = 600 };

/* A command line under construction. */
struct words {
    size_t count, length;
    char *argv[MAX_WORDS + 1], text[WORDS_BYTES];
};

static bool add_word(struct words *words, const char *word, size_t length) {
    if (words->count == MAX_WORDS || words->length + length + 1 > sizeof words->text)
        return false;
    words->argv[words->count++] = words->text + words->length;
    words->argv[words->count] = NULL;
    memcpy(words->text + words->length, word, length);
    words->text[words->length + length] = '\0';
    words->length += length + 1;
    return true;
}

static bool add(struct words *words, const char *word) {
    return add_word(words, word, strlen(word));
}

/* Adds the words of a text, separated by blanks. */
static bool add_all(struct words *words, const char *text) {
    static const char BLANKS[] = " \t\n";
    bool done = true;
    for (text += strspn(text, BLANKS); *text && done; text += strspn(text, BLANKS)) {
        const size_t length = strcspn(text, BLANKS);
        done = add_word(words, text, length);
        text += length;
    }
    return done;
}

static bool is_cpp(const char *file) {
    static const char *const ENDINGS[] = {".cc", ".cpp", ".cxx", ".C"};
    const char *ending = strrchr(file, '.');
    for (size_t i = 0; ending && i < sizeof ENDINGS / sizeof *ENDINGS; i++)
        if (strcmp(ending, ENDINGS[i]) == 0)
            return true;
    return false;
}

static const char *compiler_of(const struct compile_wish *wish) {
    const bool cpp = is_cpp(wish->file);
    const char *set = wish->compiler ? wish->compiler : getenv(cpp ? "CXX" : "CC");
    return set && set[strspn(set, " \t")] ? set : cpp ? "c++" : "cc";
}

static bool find_compiler(const struct words *words, struct program *out, struct error *err) {
    struct error why;
    return program_find(words->argv[0], out, &why) ||
           error_set(err, "there is no compiler %s; install one (on Debian gcc), or name another with --cflags or $CC",
                     words->argv[0]);
}

/* Its output, on both streams, is written to `*printed`. */
static bool run_compiler(struct words *words, const struct scratch *scratch, char **printed, int *status,
                         struct error *err) {
    struct program program;
    struct child_end end = {0};
    char path[PATH_BYTES];
    *printed = NULL;
    if (!find_compiler(words, &program, err))
        return false;
    snprintf(path, sizeof path, "%s/compiler", scratch->path);
    const int out = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    const struct child child = {.path = program.path, .argv = words->argv, .in = -1, .out = out, .err = out};
    bool done = (out >= 0 || error_set(err, "cannot write to %s: %s", scratch->path, strerror(errno))) &&
                child_run(&child, &end, err);
    if (done) {
        *printed = need_calloc(1, MESSAGES_BYTES);
        done = pread(out, *printed, MESSAGES_BYTES - 1, 0) >= 0 || error_set(err, "cannot read %s", path);
    }
    close(out);
    *status = end.status;
    return done;
}

bool compile_describe(const struct compile_wish *wish, const struct scratch *scratch, char *out, size_t size,
                      struct error *err) {
    struct words words = {0};
    char *version = NULL;
    int status = 0;
    if (access(wish->file, R_OK) != 0)
        return error_set(err, "cannot read %s: %s", wish->file, strerror(errno));
    if (!add_all(&words, compiler_of(wish)) || !add(&words, "--version"))
        return error_set(err, "--cflags: too long");
    bool done = run_compiler(&words, scratch, &version, &status, err);
    if (done) {
        const bool known = status == 0 && *version;
        snprintf(out, size, "%.*s: %s", known ? (int)strcspn(version, "\n") : (int)strlen(words.argv[0]),
                 known ? version : words.argv[0], wish->flags ? wish->flags : COMPILE_FLAGS);
    }
    free(version);
    return done;
}

static bool write_header(const struct scratch *scratch, struct error *err) {
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/carmine_workload.h", scratch->path);
    FILE *file = fopen(path, "w");
    bool done = file && fputs(workload_header, file) >= 0;
    done = file && fclose(file) == 0 && done;
    return done || error_set(err, "cannot write %s: %s", path, strerror(errno));
}

bool compile_library(const struct compile_wish *wish, const struct scratch *scratch, const char *path, char **messages,
                     struct error *err) {
    struct words words = {0};
    int status = 0;
    char how[96];
    *messages = NULL;
    /* Libraries must follow the code that uses them. The linker reports missing ones, with their users. */
    if (!add_all(&words, compiler_of(wish)) || !add_all(&words, "-shared -fPIC -g -Wl,-z,defs -I") ||
        !add(&words, scratch->path) || !add(&words, "-o") || !add(&words, path) || !add(&words, wish->file) ||
        !add_all(&words, wish->flags ? wish->flags : COMPILE_FLAGS) || !add_all(&words, wish->more) ||
        !add(&words, "-lm"))
        return error_set(err, "--cflags: too long");
    return write_header(scratch, err) && run_compiler(&words, scratch, messages, &status, err) &&
           (status == 0 || error_set(err, "%s does not compile: %s ended with %s", wish->file, words.argv[0],
                                     child_status_text(status, how, sizeof how)));
}
