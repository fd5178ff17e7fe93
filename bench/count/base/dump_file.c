/* SPDX-License-Identifier: BSD-3-Clause */
#include "dump_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "reach.h"
#include "system.h"

enum { MAX_IMAGES = 1000 };

/* Size of the report's file mapping, used where the program limits the size of files. */
enum { ROOM_BYTES = 64 << 20 };

static struct report {
    struct text name;
    long file;     /* open while counts are written */
    uint8_t *room; /* the mapped file; NULL: written by system calls */
    size_t end;    /* end of the last written bytes */
    size_t bytes;  /* file size when written by system calls */
    bool finished; /* the report holds all counts */
} report;
static bool lost;          /* this process has no report */
static char program[256];  /* path of the executed program */
static char executes[256]; /* path of the program that this process becomes; "": none */
static struct rank own_rank;

static struct text name_of(const char *kind, uint64_t image) {
    struct text name = {.length = 0};
    text_add(&name, kind);
    text_add_number(&name, (uint64_t)SYSTEM_CALL(SYS_getpid, 0), 10);
    text_add(&name, ".");
    text_add_number(&name, image, 10);
    return name;
}

void dump_prepare(const char *folder, struct rank rank) {
    reach_prepare(folder);
    own_rank = rank;
    if (program[0])
        return;
    const long length = SYSTEM_CALL(SYS_readlink, "/proc/self/exe", program, sizeof program - 1);
    program[system_failed(length) ? 0 : length] = '\0';
}

void dump_set_program(const char *path) {
    text_copy(program, path, sizeof program);
}

struct dump_header dump_header_now(void) {
    struct dump_header header = {.pid = (uint32_t)SYSTEM_CALL(SYS_getpid, 0),
                                 .parent = (uint32_t)SYSTEM_CALL(SYS_getppid, 0),
                                 .rank = own_rank,
                                 .spare = report.room != NULL};
    __builtin_memcpy(header.magic, DUMP_MAGIC, sizeof header.magic);
    text_copy(header.program, program, sizeof header.program);
    text_copy(header.executes, executes, sizeof header.executes);
    return header;
}

static void fail_writes(bool fail) {
    static struct { uint64_t handler, flags, restorer, mask; } before, ignore = {.handler = 1};
    SYSTEM_CALL(SYS_rt_sigaction, SIGXFSZ, fail ? &ignore : &before, fail ? &before : NULL, sizeof before.mask);
}

static long open_report(int flags) {
    const long held = reach_held(REACH_OWN_REPORT);
    return held >= 0 ? held : reach_open(REACH_REPORTS, report.name.bytes, O_RDWR | flags);
}

static bool put_header(long file, const struct dump_header *header) {
    fail_writes(true);
    const long put = SYSTEM_CALL(SYS_pwrite64, file, header, sizeof *header, 0);
    fail_writes(false);
    return put == (long)sizeof *header;
}

/* Overwrites the header in the file. */
static void dump_put_header(const struct dump_header *header) {
    if (lost)
        return;
    if (report.room) {
        __builtin_memcpy(report.room, header, sizeof *header);
        return;
    }
    const long file = open_report(0);
    if (!system_failed(file))
        put_header(file, header);
    reach_close(file);
}

/* A child without a report of its own may have put its failure into this report. */
static bool is_refused(void) {
    char failure = '\0';
    if (report.room)
        return ((const struct dump_header *)(const void *)report.room)->failure[0] != '\0';
    SYSTEM_CALL(SYS_pread64, report.file, &failure, 1, offsetof(struct dump_header, failure));
    return failure != '\0';
}

bool dump_begin(void) {
    if (lost)
        return false;
    report.finished = true;
    report.end = 0;
    report.file = open_report(0);
    if (!system_failed(report.file) && !is_refused()) {
        if (!report.room)
            SYSTEM_CALL(SYS_lseek, report.file, 0, SEEK_SET);
        fail_writes(true);
        return true;
    }
    reach_close(report.file);
    return false;
}

/* fallocate comes first: writing to a page without a disk block would end the program. */
static bool append_in_room(const void *bytes, size_t count) {
    const long kept = SYSTEM_CALL(SYS_fallocate, report.file, FALLOC_FL_KEEP_SIZE, report.end, count);
    if (report.end + count > ROOM_BYTES || (system_failed(kept) && kept != -EOPNOTSUPP))
        return false;
    __builtin_memcpy(report.room + report.end, bytes, count);
    report.end += count;
    return true;
}

bool dump_append(const void *bytes, size_t count) {
    if (report.room)
        return append_in_room(bytes, count);
    for (size_t done = 0; done < count;) {
        const long got = SYSTEM_CALL(SYS_write, report.file, (const uint8_t *)bytes + done, count - done);
        if (got == -EINTR)
            continue;
        if (got <= 0)
            return false;
        done += (size_t)got;
    }
    report.end += count;
    return true;
}

static void close_report(void) {
    fail_writes(false);
    reach_close(report.file);
}

/* The rest of an earlier, longer report is cut off after writing, not before: ext4 writes a file that was emptied to
 * the disk when it is closed, which takes longer than everything else. */
void dump_close_complete(struct dump_header header) {
    header.complete = 1;
    if (report.room) {
        __builtin_memcpy(report.room, &header, sizeof header);
    } else {
        if (report.end < report.bytes)
            SYSTEM_CALL(SYS_ftruncate, report.file, report.end);
        SYSTEM_CALL(SYS_pwrite64, report.file, &header, sizeof header, 0);
        report.bytes = report.end;
    }
    close_report();
}

void dump_close_failed(const char *reason) {
    if (!report.room)
        SYSTEM_CALL(SYS_ftruncate, report.file, 0);
    close_report();
    dump_failure(reason);
}

bool dump_start(void) {
    report = (struct report){.file = -1};
    const struct dump_header header = dump_header_now();
    long file = -EEXIST;
    for (uint64_t image = 0; file == -EEXIST && image < MAX_IMAGES; image++) {
        report.name = name_of("count.", image);
        file = reach_open(REACH_REPORTS, report.name.bytes, O_RDWR | O_CREAT | O_EXCL);
    }
    if (system_failed(file))
        return false;
    const bool done = put_header(file, &header);
    if (!done)
        reach_remove(report.name.bytes);
    if (done && reach_holds())
        reach_keep(REACH_OWN_REPORT, file);
    reach_close(file);
    return done;
}

void dump_forked(void) {
    const struct report parents = report;
    executes[0] = '\0'; /* another thread of the parent may be in an exec */
    if (lost)
        return;
    if (reach_holds())
        reach_hold();
    if (!dump_start()) {
        report = parents;
        dump_failure("a process that it created could not write its counts: is the disk full, or `ulimit -f` or "
                     "`ulimit -n` too low?");
        lost = true;
    }
    if (parents.room)
        SYSTEM_CALL(SYS_munmap, parents.room, ROOM_BYTES);
}

void dump_hold(void) {
    reach_hold();
    if (lost || reach_held(REACH_OWN_REPORT) >= 0)
        return;
    const long file = open_report(0);
    if (!system_failed(file))
        reach_keep(REACH_OWN_REPORT, file);
}

void dump_hold_room(void) {
    dump_hold();
    const long file = reach_held(REACH_OWN_REPORT);
    if (lost || report.room || file < 0)
        return;
    fail_writes(true);
    const long grown = SYSTEM_CALL(SYS_ftruncate, file, ROOM_BYTES);
    fail_writes(false);
    const long room = SYSTEM_CALL(SYS_mmap, 0, ROOM_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (!system_failed(grown) && !system_failed(room))
        report.room = (uint8_t *)room;
}

void dump_go_on(void) {
    const struct dump_header header = dump_header_now();
    report.finished = false;
    dump_put_header(&header);
}

void dump_unfinish(void) {
    if (report.finished)
        dump_go_on();
}

void dump_failure(const char *reason) {
    struct dump_header header = dump_header_now();
    header.complete = 1;
    text_copy(header.failure, reason, sizeof header.failure);
    dump_put_header(&header);
}

static void announce_by_file(const char *path) {
    const long file = reach_open(REACH_REPORTS, name_of("exec.", 0).bytes, O_WRONLY | O_CREAT | O_TRUNC);
    if (system_failed(file))
        return;
    fail_writes(true);
    SYSTEM_CALL(SYS_write, file, path, text_length(path));
    fail_writes(false);
    SYSTEM_CALL(SYS_close, file);
}

void dump_announce_exec(uint64_t path, bool has_report) {
    char text[sizeof executes] = "";
    if (!system_copy_text(text, path, sizeof text))
        text[sizeof text - 1] = '\0';
    if (!text[0])
        text_copy(text, "a program", sizeof text); /* by a descriptor */
    if (has_report && !lost)
        text_copy(executes, text, sizeof executes);
    else
        announce_by_file(text);
}

void dump_announce_kill(uint64_t pid) {
    struct text name = {.length = 0};
    text_add(&name, "kill.");
    text_add_number(&name, pid, 10);
    reach_close(reach_open(REACH_REPORTS, name.bytes, O_WRONLY | O_CREAT));
}

void dump_withdraw_exec(bool has_report) {
    if (has_report && !lost)
        executes[0] = '\0';
    else
        reach_remove(name_of("exec.", 0).bytes);
}
