/* SPDX-License-Identifier: BSD-3-Clause
 * Writing the report (see dump.h, dump_write.h). The file is opened by its path each time: programs close descriptors
 * that they do not know. */
#include "dump_write.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>

#include "bench/count/base/system.h"
#include "bench/count/code/cache.h"
#include "bench/count/code/context.h"
#include "bench/count/code/object.h"
#include "bench/profile/dump.h"
#include "region.h"

enum { MOST_IMAGES = 1000, FILE_MODE = 0644 };

static char folder[256];
static struct text report; /* its path */

struct result_target {
    long file;
    size_t used;
    uint8_t buffer[1 << 16];
    bool failed;
};
static struct result_target target;

static void flush(void) {
    for (size_t done = 0; done < target.used && !target.failed;) {
        long got = SYSTEM_CALL(SYS_write, target.file, target.buffer + done, target.used - done);
        if (got == -EINTR)
            continue;
        target.failed = got <= 0;
        done += target.failed ? 0 : (size_t)got;
    }
    target.used = 0;
}

static void put(const void *bytes, size_t count) {
    const uint8_t *at = bytes;
    while (count > 0) {
        size_t room = sizeof target.buffer - target.used, part = count < room ? count : room;
        __builtin_memcpy(target.buffer + target.used, at, part);
        target.used += part;
        at += part;
        count -= part;
        if (target.used == sizeof target.buffer)
            flush();
    }
}

static struct text path_of(const char *kind, uint64_t image) {
    struct text path = {.length = 0};
    text_add(&path, folder);
    text_add(&path, kind);
    text_add_number(&path, (uint64_t)SYSTEM_CALL(SYS_getpid, 0), 10);
    text_add(&path, ".");
    text_add_number(&path, image, 10);
    return path;
}

void dump_prepare(const char *path) {
    text_copy(folder, path, sizeof folder);
}

static struct dump_header header_now(void) {
    struct dump_header header = {.pid = (uint32_t)SYSTEM_CALL(SYS_getpid, 0),
                                 .parent = (uint32_t)SYSTEM_CALL(SYS_getppid, 0)};
    __builtin_memcpy(header.magic, DUMP_MAGIC, sizeof header.magic);
    long length = SYSTEM_CALL(SYS_readlink, "/proc/self/exe", header.program, sizeof header.program - 1);
    header.program[system_failed(length) ? 0 : length] = '\0';
    return header;
}

/* Replaces the report's header. */
static bool write_header(const struct dump_header *header, int flags) {
    long file = SYSTEM_CALL(SYS_open, report.bytes, O_WRONLY | O_CLOEXEC | flags, FILE_MODE);
    if (system_failed(file))
        return false;
    bool done = SYSTEM_CALL(SYS_pwrite64, file, header, sizeof *header, 0) == (long)sizeof *header;
    SYSTEM_CALL(SYS_close, file);
    return done;
}

bool dump_start(void) {
    const struct dump_header header = header_now();
    for (uint64_t image = 0; image < MOST_IMAGES; image++) {
        SYSTEM_CALL(SYS_unlink, path_of("/exec.", image).bytes); /* announced by the image before, or its parent */
        report = path_of("/count.", image);
        if (SYSTEM_CALL(SYS_access, report.bytes, 0) == -ENOENT)
            return write_header(&header, O_CREAT | O_EXCL);
    }
    return false;
}

void dump_go_on(void) {
    const struct dump_header header = header_now();
    write_header(&header, 0);
}

void dump_failure(const char *reason) {
    struct dump_header header = header_now();
    header.complete = 1;
    text_copy(header.failure, reason, sizeof header.failure);
    write_header(&header, 0);
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

static void put_objects(void) {
    for (uint32_t i = 0; i < object_count(); i++) {
        const struct object *object = object_get(i);
        struct dump_object out = {.low = object->low, .high = object->high, .file_offset = object->file_offset};
        text_copy(out.path, object->path, sizeof out.path);
        put(&out, sizeof out);
    }
}

static void put_blocks(void) {
    for (uint32_t i = 1; i < cache_block_count(); i++) {
        const struct block *block = cache_block(i);
        struct dump_block out = {.address = block->original,
                                 .object = block->object,
                                 .counter = block->counter,
                                 .code_bytes = block->code_bytes,
                                 .instruction_count = block->instruction_count};
        put(&out, sizeof out);
    }
    for (uint32_t i = 1; i < cache_block_count(); i++)
        put(cache_bytes(cache_block(i)->first_byte), cache_block(i)->code_bytes);
}

/* The threads, oldest first; their `position` is the index here. */
static struct context *threads[CONTEXT_THREADS];

static uint32_t list_threads(void) {
    uint32_t count = 0;
    for (struct context *context = context_first(); context; context = context->next)
        context->position = count++;
    for (struct context *context = context_first(); context; context = context->next) {
        context->position = count - 1 - context->position;
        threads[context->position] = context;
    }
    return count;
}

static void put_regions(void) {
    for (uint32_t i = 0; i < region_count(); i++) {
        const struct region *region = region_get(i);
        struct dump_region out = {.calls = region->calls, .open = region_open(i), .mismatched = region->mismatched};
        text_copy(out.name, region->name, sizeof out.name);
        put(&out, sizeof out);
    }
}

static uint32_t value_count(const uint64_t *counters) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < cache_counter_count(); i++)
        count += cache_count(counters, i) != 0;
    return count;
}

static void put_counts(uint32_t region, uint32_t thread, const uint64_t *counters) {
    struct dump_counts out = {.region = region, .thread = thread, .value_count = value_count(counters)};
    put(&out, sizeof out);
    for (uint32_t i = 0; i < cache_counter_count(); i++) {
        struct dump_value value = {.counter = i, .value = cache_count(counters, i)};
        if (value.value != 0)
            put(&value, sizeof value);
    }
}

void dump_write(void) {
    struct dump_header header = header_now();
    header.object_count = object_count();
    header.block_count = cache_block_count() - 1;
    header.counter_count = cache_counter_count();
    header.region_count = region_count();
    header.thread_count = list_threads();
    for (uint32_t i = 1; i < cache_block_count(); i++)
        header.code_bytes += cache_block(i)->code_bytes;
    for (uint32_t thread = 0; thread < header.thread_count; thread++)
        for (uint32_t region = 0; region < header.region_count; region++)
            header.count_count += region_has(region, threads[thread]);

    target.used = 0;
    target.failed = false;
    target.file = SYSTEM_CALL(SYS_open, report.bytes, O_WRONLY | O_TRUNC | O_CLOEXEC);
    if (system_failed(target.file))
        return;
    put(&header, sizeof header);
    put_objects();
    put_blocks();
    put_regions();
    for (uint32_t i = 0; i < header.thread_count; i++) {
        struct dump_thread out = {.tid = threads[i]->tid, .creator = threads[i]->creator->position};
        put(&out, sizeof out);
    }
    for (uint32_t thread = 0; thread < header.thread_count; thread++)
        for (uint32_t region = 0; region < header.region_count; region++)
            if (region_has(region, threads[thread]))
                put_counts(region, thread, region_counters(region, threads[thread]));
    flush();
    SYSTEM_CALL(SYS_close, target.file);
    if (target.failed)
        return;
    header.complete = 1;
    write_header(&header, 0);
}
