/* SPDX-License-Identifier: BSD-3-Clause
 * The program that a command executes (see program.h). */
#include "program.h"
#include "child.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "probe/arch.h"
#include "probe/error.h"

enum { MAX_SCRIPTS = 4 }; /* interpreters of scripts that the kernel follows */

static bool is_file(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* The first executable file of that name in PATH. */
static bool search(const char *name, char *out, size_t size) {
    const char *rest = getenv("PATH");
    for (rest = rest ? rest : "/usr/bin:/bin"; *rest;) {
        size_t length = strcspn(rest, ":");
        int written =
            length ? snprintf(out, size, "%.*s/%s", (int)length, rest, name) : snprintf(out, size, "%s", name);
        if (written > 0 && (size_t)written < size && is_file(out) && access(out, X_OK) == 0)
            return true;
        rest += length + (rest[length] == ':');
    }
    return false;
}

/* Whether executing it changes user, group or capabilities. */
static bool gains_rights(const char *path) {
    struct stat status;
    if (stat(path, &status) != 0)
        return false;
    bool user = status.st_mode & S_ISUID && status.st_uid != geteuid();
    bool group = status.st_mode & S_ISGID && status.st_mode & S_IXGRP && status.st_gid != getegid();
    return user || group || (geteuid() != 0 && getxattr(path, "security.capability", NULL, 0) > 0);
}

/* The dynamic loader is named in a program header. */
static enum program_kind kind_of_elf(int file, const Elf64_Ehdr *header) {
    if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_machine != ARCH_ELF_MACHINE)
        return PROGRAM_FOREIGN;
    for (unsigned i = 0; i < header->e_phnum; i++) {
        Elf64_Phdr segment;
        char loader[256] = "";
        off_t at = (off_t)(header->e_phoff + (uint64_t)i * header->e_phentsize);
        if (pread(file, &segment, sizeof segment, at) != (ssize_t)sizeof segment || segment.p_type != PT_INTERP)
            continue;
        if (pread(file, loader, sizeof loader - 1, (off_t)segment.p_offset) <= 0)
            continue;
        return strstr(loader, "/ld-linux") ? PROGRAM_DYNAMIC : PROGRAM_STATIC; /* such as ld-musl */
    }
    return PROGRAM_STATIC;
}

static bool inspect(const char *path, struct program *out, unsigned depth, struct error *err) {
    union {
        Elf64_Ehdr header;
        char text[4096];
    } start = {.text = ""};
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) { /* executable but not readable: it can run, but not be counted */
        out->kind = PROGRAM_PRIVILEGED;
        return errno == EACCES || error_set(err, "%s: cannot open: %s", path, strerror(errno));
    }
    ssize_t length = pread(file, start.text, sizeof start.text - 1, 0);
    bool elf = length >= (ssize_t)sizeof start.header && memcmp(start.text, ELFMAG, SELFMAG) == 0;
    if (elf)
        out->kind = gains_rights(path) ? PROGRAM_PRIVILEGED : kind_of_elf(file, &start.header);
    close(file);
    if (elf)
        return true;
    if (length < 2 || start.text[0] != '#' || start.text[1] != '!' || depth == MAX_SCRIPTS)
        return error_set(err,
                         "%s: neither a program nor a script; a script's first line names its interpreter, such as "
                         "#!/bin/sh",
                         path);
    char *name = start.text + 2 + strspn(start.text + 2, " \t");
    name[strcspn(name, " \t\r\n")] = '\0';
    if (!is_file(name) || access(name, X_OK) != 0)
        return error_set(err, "%s: its first line names %s, which is not a program here", path,
                         *name ? name : "nothing");
    snprintf(out->interpreter, sizeof out->interpreter, "%s", name);
    return inspect(out->interpreter, out, depth + 1, err);
}

bool program_find(const char *name, struct program *out, struct error *err) {
    *out = (struct program){.kind = PROGRAM_DYNAMIC};
    struct stat status;
    if (!strchr(name, '/')) {
        if (!*name || !search(name, out->path, sizeof out->path))
            return error_set(err, "'%s': no such program in PATH; a program in this folder is named ./%s", name, name);
    } else {
        snprintf(out->path, sizeof out->path, "%s", name);
        if (stat(name, &status) != 0)
            return error_set(err, "%s: %s", name, strerror(errno));
        if (!S_ISREG(status.st_mode))
            return error_set(err, "%s: not a program, but a folder or a device", name);
        if (access(name, X_OK) != 0)
            return error_set(err, "%s: not executable; chmod +x %s makes it so", name, name);
    }
    return inspect(out->path, out, 0, err);
}

const char *program_refusal(enum program_kind kind) {
    switch (kind) {
    case PROGRAM_STATIC:
        return "it is linked statically, or with another C library, so nothing can be preloaded into it; --counters "
               "count counts it anyway";
    case PROGRAM_PRIVILEGED:
        return "it runs with other rights than yours (setuid, setgid or capabilities), so nothing can be preloaded "
               "into it; measure a copy of it without them";
    case PROGRAM_FOREIGN:
        return "it is no " ARCH_NAME " program, so nothing can be preloaded into it";
    case PROGRAM_DYNAMIC:
        break;
    }
    return "";
}

/* Standard input for several runs. */

enum { CHUNK_BYTES = 65536, PUMP_CANNOT_KEEP = 1 };

bool input_open(struct input *out, int from, const char *folder, struct error *err) {
    *out = (struct input){.from = from, .copy = -1, .pipe_end = -1};
    struct stat status;
    if (fstat(from, &status) != 0) /* closed */
        return true;
    if (S_ISREG(status.st_mode)) {
        out->kind = INPUT_FILE;
        out->start = lseek(from, 0, SEEK_CUR);
        return true;
    }
    out->kind = S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode) ? INPUT_PIPE : INPUT_DEVICE;
    if (out->kind == INPUT_DEVICE)
        return true;
    char path[600];
    snprintf(path, sizeof path, "%s/input", folder);
    out->copy = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (out->copy < 0)
        return error_set(err, "cannot store standard input in %s: %s", folder, strerror(errno));
    unlink(path);
    return true;
}

static bool put(int to, const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t written = write(to, bytes, count);
        if (written < 0 && errno != EINTR)
            return false;
        bytes += written > 0 ? written : 0;
        count -= written > 0 ? (size_t)written : 0;
    }
    return true;
}

/* Writes to the copy first, so it contains all that the program has seen. Ends with the input, or when the program
 * closes its end. */
static void pump(int from, int copy, int to) {
    static char chunk[CHUNK_BYTES];
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    for (ssize_t got; (got = read(from, chunk, sizeof chunk)) != 0;) {
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            break;
        if (!put(copy, chunk, (size_t)got))
            _exit(PUMP_CANNOT_KEEP);
        if (!put(to, chunk, (size_t)got))
            break;
    }
    _exit(0);
}

static bool start_pump(struct input *input, struct error *err) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return error_set(err, "cannot forward standard input: %s", strerror(errno));
    const pid_t self = getpid();
    input->pump = fork();
    if (input->pump == 0) {
        child_end_with(self);
        close(ends[0]);
        pump(input->from, input->copy, ends[1]);
    }
    close(ends[1]);
    input->pipe_end = ends[0];
    return input->pump > 0 || error_set(err, "cannot forward standard input: %s", strerror(errno));
}

bool input_begin(struct input *input, int *descriptor, struct error *err) {
    *descriptor = input->kind == INPUT_NONE ? -1 : input->from;
    if (input->kind == INPUT_FILE)
        lseek(input->from, input->start, SEEK_SET);
    if (input->kind != INPUT_PIPE)
        return true;
    if (!input->kept) {
        bool started = start_pump(input, err);
        *descriptor = input->pipe_end;
        return started;
    }
    lseek(input->copy, 0, SEEK_SET);
    *descriptor = input->copy;
    return true;
}

/* The pump may wait for input that the program did not wait for. */
static int stop_pump(struct input *input) {
    int status = 0;
    if (input->pipe_end >= 0)
        close(input->pipe_end);
    input->pipe_end = -1;
    if (input->pump > 0) {
        kill(input->pump, SIGKILL);
        while (waitpid(input->pump, &status, 0) < 0 && errno == EINTR)
            ;
    }
    input->pump = 0;
    return status;
}

bool input_end(struct input *input, struct error *err) {
    if (input->kind != INPUT_PIPE || input->kept)
        return true;
    int status = stop_pump(input);
    input->kept = true;
    return !(WIFEXITED(status) && WEXITSTATUS(status) == PUMP_CANNOT_KEEP) ||
           error_set(err, "standard input is too large to store for the other runs; redirect it from a file (< FILE)");
}

void input_close(struct input *input) {
    stop_pump(input);
    if (input->copy >= 0)
        close(input->copy);
    input->copy = -1;
}
