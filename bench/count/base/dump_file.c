/* SPDX-License-Identifier: BSD-3-Clause
 * The report's file (see dump_file.h). It is opened by its path each time: programs close descriptors that they do not
 * know. */
#include "dump_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>

#include "system.h"

enum { MAX_IMAGES = 1000, FILE_MODE = 0644 };

static char folder[256];
static struct text report;      /* its path */
static bool finished;           /* counts stand in it */
static const char *own_program; /* NULL: as /proc/self/exe says */
static struct rank own_rank;

static struct text path_of(const char *kind, uint64_t image) {
    struct text path = {.length = 0};
    text_add(&path, folder);
    text_add(&path, kind);
    text_add_number(&path, (uint64_t)SYSTEM_CALL(SYS_getpid, 0), 10);
    text_add(&path, ".");
    text_add_number(&path, image, 10);
    return path;
}

void dump_prepare(const char *path, struct rank rank) {
    text_copy(folder, path, sizeof folder);
    own_rank = rank;
}

void dump_set_program(const char *path) {
    own_program = path;
}

struct dump_header dump_header_now(void) {
    struct dump_header header = {
        .pid = (uint32_t)SYSTEM_CALL(SYS_getpid, 0), .parent = (uint32_t)SYSTEM_CALL(SYS_getppid, 0), .rank = own_rank};
    __builtin_memcpy(header.magic, DUMP_MAGIC, sizeof header.magic);
    if (own_program) {
        text_copy(header.program, own_program, sizeof header.program);
        return header;
    }
    long length = SYSTEM_CALL(SYS_readlink, "/proc/thread-self/exe", header.program, sizeof header.program - 1);
    header.program[system_failed(length) ? 0 : length] = '\0';
    return header;
}

void dump_fail_writes(bool fail) {
    static struct { uint64_t handler, flags, restorer, mask; } before, ignore = {.handler = 1};
    SYSTEM_CALL(SYS_rt_sigaction, SIGXFSZ, fail ? &ignore : &before, fail ? &before : NULL, sizeof before.mask);
}

static bool write_header(const struct dump_header *header, int flags) {
    long file = SYSTEM_CALL(SYS_open, report.bytes, O_WRONLY | O_CLOEXEC | flags, FILE_MODE);
    if (system_failed(file))
        return false;
    dump_fail_writes(true);
    bool done = SYSTEM_CALL(SYS_pwrite64, file, header, sizeof *header, 0) == (long)sizeof *header;
    dump_fail_writes(false);
    SYSTEM_CALL(SYS_close, file);
    return done;
}

void dump_put_header(const struct dump_header *header) {
    write_header(header, 0);
}

long dump_truncate(void) {
    finished = true;
    return SYSTEM_CALL(SYS_open, report.bytes, O_WRONLY | O_TRUNC | O_CLOEXEC);
}

bool dump_start(void) {
    finished = false;
    const struct dump_header header = dump_header_now();
    for (uint64_t image = 0; image < MAX_IMAGES; image++) {
        SYSTEM_CALL(SYS_unlink, path_of("/exec.", image).bytes); /* announced by the image before, or its parent */
        report = path_of("/count.", image);
        if (SYSTEM_CALL(SYS_access, report.bytes, 0) == -ENOENT)
            return write_header(&header, O_CREAT | O_EXCL);
    }
    return false;
}

void dump_go_on(void) {
    const struct dump_header header = dump_header_now();
    finished = false;
    dump_put_header(&header);
}

void dump_unfinish(void) {
    if (finished)
        dump_go_on();
}

void dump_failure(const char *reason) {
    struct dump_header header = dump_header_now();
    header.complete = 1;
    text_copy(header.failure, reason, sizeof header.failure);
    dump_put_header(&header);
}

void dump_announce_exec(const char *program) {
    const struct text path = path_of("/exec.", 0);
    long file = SYSTEM_CALL(SYS_open, path.bytes, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, FILE_MODE);
    if (system_failed(file))
        return;
    SYSTEM_CALL(SYS_write, file, program, text_length(program));
    SYSTEM_CALL(SYS_close, file);
}

void dump_withdraw_exec(void) {
    SYSTEM_CALL(SYS_unlink, path_of("/exec.", 0).bytes);
}
