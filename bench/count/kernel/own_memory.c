/* SPDX-License-Identifier: BSD-3-Clause
 * Code that the program changes by system calls (see own_memory.h). Descriptors are looked at only once a file with
 * such a name has been opened. */
#include "own_memory.h"

#include <fcntl.h>
#include <sys/ptrace.h>
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

/* "": it is no process's memory. */
static void find_memory(uint64_t descriptor, struct text *out) {
    const long length = opened ? reach_path((uint32_t)descriptor, out->bytes, sizeof out->bytes - 1) : -1;
    out->bytes[system_failed(length) ? 0 : length] = '\0';
    if (!text_starts(out->bytes, "/proc/") || !ends_in_mem(out->bytes, text_length(out->bytes)))
        out->bytes[0] = '\0';
}

static bool is_memory(uint64_t descriptor) {
    struct text path;
    find_memory(descriptor, &path);
    return path.bytes[0] != '\0';
}

static bool is_memory_of_another(uint64_t descriptor) {
    struct text path, own = {.length = 0};
    find_memory(descriptor, &path);
    text_add(&own, "/proc/");
    text_add_number(&own, (uint64_t)SYSTEM_CALL(SYS_getpid, 0), 10);
    text_add(&own, "/");
    return path.bytes[0] != '\0' && !text_starts(path.bytes, own.bytes);
}

bool own_memory_breaks_others(const struct registers *registers) {
    enum { BREAKPOINT = 0xcc };
    uint8_t bytes[sizeof(uint64_t)] = {0};
    size_t count = 0;
    if (registers->rax == SYS_ptrace && (registers->rdi == PTRACE_POKETEXT || registers->rdi == PTRACE_POKEDATA))
        __builtin_memcpy(bytes, &registers->r10, count = sizeof bytes);
    else if ((registers->rax == SYS_write || registers->rax == SYS_pwrite64) && registers->rdx <= sizeof bytes &&
             is_memory_of_another(registers->rdi))
        count = system_copy(bytes, registers->rsi, registers->rdx);
    for (size_t i = 0; i < count; i++)
        if (bytes[i] == BREAKPOINT)
            return true;
    return false;
}

bool own_memory_is_written(const struct registers *registers) {
    switch (registers->rax) {
    case SYS_process_vm_writev:
        return true;
    case SYS_sendfile:
        return is_memory(registers->rdi);
    case SYS_splice:
    case SYS_copy_file_range:
        return is_memory(registers->rdx);
    case SYS_write:
    case SYS_pwrite64:
    case SYS_writev:
    case SYS_pwritev:
    case SYS_pwritev2:
        return is_memory(registers->rdi);
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
