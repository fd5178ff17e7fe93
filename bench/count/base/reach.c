/* SPDX-License-Identifier: BSD-3-Clause
 * Files opened by path or through held descriptors (see reach.h). */
#include "reach.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "system.h"

enum { FILE_MODE = 0644, NUMBERS = 1024, SPARE_NUMBERS = 16 };

static char paths[2][256] = {"", "/proc/"};       /* paths of the folders */
static long held[REACH_COUNT] = {-1, -1, -1, -1}; /* negative: not held */

void reach_prepare(const char *folder) {
    struct text path = {.length = 0};
    text_add(&path, folder);
    text_add(&path, "/");
    text_copy(paths[REACH_REPORTS], path.bytes, sizeof paths[REACH_REPORTS]);
}

static struct text path_of(enum reach_kind folder, const char *name) {
    struct text path = {.length = 0};
    if (held[folder] < 0)
        text_add(&path, paths[folder]);
    text_add(&path, name);
    return path;
}

long reach_open(enum reach_kind folder, const char *name, int flags) {
    const struct text path = path_of(folder, name);
    const long from = held[folder] < 0 ? AT_FDCWD : held[folder];
    return SYSTEM_CALL(SYS_openat, from, path.bytes, flags | O_CLOEXEC | O_NOFOLLOW, FILE_MODE);
}

void reach_remove(const char *name) {
    const struct text path = path_of(REACH_REPORTS, name);
    SYSTEM_CALL(SYS_unlinkat, held[REACH_REPORTS] < 0 ? AT_FDCWD : held[REACH_REPORTS], path.bytes, 0);
}

/* Moves a descriptor to a number that programs do not rely on: near the upper limit, but below NUMBERS. */
static long move_up(long file) {
    struct rlimit limit = {.rlim_cur = NUMBERS};
    SYSTEM_CALL(SYS_getrlimit, RLIMIT_NOFILE, &limit);
    const rlim_t most = limit.rlim_cur < NUMBERS ? limit.rlim_cur : NUMBERS;
    for (rlim_t lowest = most > SPARE_NUMBERS ? most - SPARE_NUMBERS : 3;; lowest /= 2) {
        const long moved = SYSTEM_CALL(SYS_fcntl, file, F_DUPFD_CLOEXEC, lowest);
        if (!system_failed(moved))
            return moved;
        if (lowest == 0)
            return moved;
    }
}

long reach_keep(enum reach_kind kind, long file) {
    const long moved = move_up(file), before = held[kind];
    if (!system_failed(moved)) {
        SYSTEM_CALL(SYS_close, file);
        file = moved;
    }
    held[kind] = file;
    if (before >= 0)
        SYSTEM_CALL(SYS_close, before);
    return file;
}

static void hold(enum reach_kind kind, long file) {
    if (!system_failed(file))
        reach_keep(kind, file);
}

void reach_hold(void) {
    for (enum reach_kind folder = REACH_REPORTS; folder <= REACH_PROC; folder++)
        if (held[folder] < 0)
            hold(folder, SYSTEM_CALL(SYS_open, paths[folder], O_PATH | O_DIRECTORY | O_CLOEXEC));
    hold(REACH_MAPS, reach_open(REACH_PROC, "self/maps", O_RDONLY));
}

bool reach_holds(void) {
    return held[REACH_REPORTS] >= 0;
}

long reach_held(enum reach_kind kind) {
    return held[kind];
}

bool reach_owns(uint64_t number) {
    for (unsigned i = 0; i < REACH_COUNT; i++)
        if (held[i] >= 0 && (uint32_t)number == (uint32_t)held[i])
            return true;
    return false;
}

void reach_close(long file) {
    if (!system_failed(file) && !reach_owns((uint64_t)file))
        SYSTEM_CALL(SYS_close, file);
}

long reach_path(uint64_t file, void *buffer, uint64_t size) {
    struct text link = {.length = 0};
    text_add(&link, "/proc/self/fd/");
    text_add_number(&link, file, 10);
    return SYSTEM_CALL(SYS_readlink, link.bytes, buffer, size);
}

long reach_maps(void) {
    if (held[REACH_MAPS] < 0)
        return reach_open(REACH_PROC, "thread-self/maps", O_RDONLY);
    SYSTEM_CALL(SYS_lseek, held[REACH_MAPS], 0, SEEK_SET);
    return held[REACH_MAPS];
}

void reach_make_way(uint64_t number) {
    for (unsigned i = 0; i < REACH_COUNT; i++)
        if (held[i] >= 0 && (uint32_t)number == (uint32_t)held[i]) {
            const long moved = move_up(held[i]);
            if (!system_failed(moved))
                held[i] = moved; /* the program's call closes the old one */
        }
}
