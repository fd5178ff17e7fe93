/* SPDX-License-Identifier: BSD-3-Clause
 * Who the program is (see self.h). */
#include "self.h"
#include "image.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "bench/count/base/dump_file.h"
#include "bench/count/base/reach.h"
#include "bench/count/base/system.h"

static char program[IMAGE_PATH_BYTES]; /* where it lies; "": the kernel says it right */

/* Has the kernel write where a file lies to a buffer, which need not be good; what it says of that. */
static long locate(const char *path, uint64_t buffer, uint64_t size) {
    const long file = SYSTEM_CALL(SYS_open, path, O_PATH | O_CLOEXEC);
    const long length = system_failed(file) ? file : reach_path((uint64_t)file, (void *)buffer, size);
    SYSTEM_CALL(SYS_close, file);
    return length;
}

void self_is(const char *path) {
    const char *name = path;
    const long length = locate(path, (uint64_t)program, sizeof program - 1);
    if (system_failed(length))
        text_copy(program, path, sizeof program);
    else
        program[length] = '\0';
    for (const char *at = path; *at; at++)
        name = *at == '/' ? at + 1 : name;
    SYSTEM_CALL(SYS_prctl, PR_SET_NAME, name);
    dump_set_program(program);
}

/* "/proc/self/exe", "/proc/PID/exe" */
static bool is_own(uint64_t path) {
    char text[32];
    struct text other = {.length = 0};
    if (!system_copy_text(text, path, sizeof text) || !text_starts(text, "/proc/"))
        return false;
    text_add(&other, "/proc/");
    text_add_number(&other, (uint64_t)SYSTEM_CALL(SYS_getpid, 0), 10);
    text_add(&other, "/exe");
    return text_equal(text, "/proc/self/exe") || text_equal(text, other.bytes);
}

uint64_t self_path(uint64_t path) {
    return program[0] && is_own(path) ? (uint64_t)program : path;
}

bool self_call(struct registers *r) {
    uint64_t words[] = {r->rdi, r->rsi, r->rdx, r->r10};
    unsigned path_at = 0;
    switch (program[0] ? r->rax : ~0ull) {
    case SYS_readlinkat:
    case SYS_openat:
    case SYS_newfstatat:
    case SYS_statx:
    case SYS_faccessat:
    case SYS_faccessat2:
        path_at = 1;
        break;
    case SYS_readlink:
    case SYS_open:
    case SYS_stat:
    case SYS_access:
        break;
    default:
        return false;
    }
    if (!is_own(words[path_at]))
        return false;
    if (r->rax == SYS_readlink || r->rax == SYS_readlinkat) {
        r->rax = (uint64_t)locate(program, words[path_at + 1], words[path_at + 2]);
    } else {
        words[path_at] = (uint64_t)program;
        r->rax = (uint64_t)SYSTEM_CALL((long)r->rax, words[0], words[1], words[2], words[3], r->r8);
    }
    return true;
}
