/* SPDX-License-Identifier: BSD-3-Clause
 * Code that the program changes by system calls (see own_memory.h). Descriptors are looked at only once a file with
 * such a name has been opened. */
#include "own_memory.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "bench/count/base/reach.h"
#include "bench/count/base/system.h"

enum { PATH_BYTES = 4096 };

static bool opened;

static bool ends_in_mem(const char *path, size_t length) {
    return length >= 3 && path[length - 3] == 'm' && path[length - 2] == 'e' && path[length - 1] == 'm' &&
           (length == 3 || path[length - 4] == '/');
}

void own_memory_open(const struct registers *registers) {
    const uint64_t call = registers->rax;
    char path[PATH_BYTES];
    if ((call == SYS_open || call == SYS_openat || call == SYS_openat2) && !opened &&
        system_copy_text(path, call == SYS_open ? registers->rdi : registers->rsi, sizeof path))
        opened = ends_in_mem(path, text_length(path));
}

static bool is_memory(uint64_t descriptor) {
    char path[256];
    const long length = reach_path((uint32_t)descriptor, path, sizeof path - 1);
    if (system_failed(length))
        return false;
    path[length] = '\0';
    return text_starts(path, "/proc/") && ends_in_mem(path, (size_t)length);
}

bool own_memory_is_written(const struct registers *registers) {
    switch (registers->rax) {
    case SYS_process_vm_writev:
        return true;
    case SYS_sendfile:
        return opened && is_memory(registers->rdi);
    case SYS_splice:
    case SYS_copy_file_range:
        return opened && is_memory(registers->rdx);
    case SYS_write:
    case SYS_pwrite64:
    case SYS_writev:
    case SYS_pwritev:
    case SYS_pwritev2:
        return opened && is_memory(registers->rdi);
    default:
        return false;
    }
}

static struct memory_range range_of(const struct iovec *pieces, uint64_t count) {
    struct memory_range range = {~0ull, 0};
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t low = (uint64_t)pieces[i].iov_base, high = low + pieces[i].iov_len;
        range.low = low < range.low ? low : range.low;
        range.high = high > range.high ? high : range.high;
    }
    return range;
}

struct memory_range own_memory_range(const struct registers *registers) {
    struct memory_range range = {0, ~0ull - 1};
    if (registers->rax == SYS_process_vm_writev)
        return range_of((const struct iovec *)registers->r10, registers->r8);
    if (registers->rax == SYS_pwrite64) {
        range.low = registers->r10;
        range.high = range.low + registers->rdx;
    } else if (registers->rax == SYS_write) { /* the descriptor stands behind it now */
        range.high = (uint64_t)SYSTEM_CALL(SYS_lseek, registers->rdi, 0, SEEK_CUR);
        range.low = range.high - registers->rdx;
    }
    return range;
}
