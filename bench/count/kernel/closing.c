/* SPDX-License-Identifier: BSD-3-Clause
 * What the program closes off (see closing.h). */
#include "closing.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "bench/count/base/dump_file.h"
#include "bench/count/base/reach.h"
#include "bench/count/base/system.h"

enum { LANDLOCK_RESTRICT_SELF = 446, MOVE_MOUNT = 429 }; /* that older headers do not have */

/* Whether paths may lead elsewhere behind this call, or rights to them may be gone. */
static bool closes_paths(uint64_t call) {
    static const uint16_t calls[] = {
        SYS_chroot, SYS_pivot_root,         SYS_unshare,   SYS_setns,    SYS_mount,     SYS_umount2,
        MOVE_MOUNT, LANDLOCK_RESTRICT_SELF, SYS_setuid,    SYS_setreuid, SYS_setresuid, SYS_setfsuid,
        SYS_setgid, SYS_setregid,           SYS_setresgid, SYS_setfsgid, SYS_setgroups, SYS_capset};
    for (unsigned i = 0; i < sizeof calls / sizeof *calls; i++)
        if (call == calls[i])
            return true;
    return false;
}

/* Whether it sets a limit of this kind for this process. */
static bool limits(const struct registers *r, uint64_t resource) {
    const bool own = r->rax == SYS_setrlimit || (r->rax == SYS_prlimit64 && r->rdx != 0 &&
                                                 (r->rdi == 0 || r->rdi == (uint64_t)SYSTEM_CALL(SYS_getpid, 0)));
    return own && (r->rax == SYS_setrlimit ? r->rdi : r->rsi) == resource;
}

/* Closes all of the range but what is held. */
static uint64_t close_range_but_held(const struct registers *r) {
    uint64_t first = (uint32_t)r->rdi;
    const uint64_t last = (uint32_t)r->rsi;
    long result = last < first ? -EINVAL : 0;
    while (result == 0 && first <= last) {
        uint64_t end = ~0ull; /* the next that is held */
        for (enum reach_kind kind = 0; kind < REACH_COUNT; kind++) {
            const uint64_t held = (uint64_t)reach_held(kind);
            end = reach_held(kind) >= 0 && held >= first && held < end ? held : end;
        }
        const uint64_t until = end > last ? last : end - 1;
        if (first != end)
            result = SYSTEM_CALL(SYS_close_range, first, until, r->rdx);
        first = end > last ? last + 1 : end + 1;
    }
    return (uint64_t)result;
}

bool closing_call(struct registers *r, bool own) {
    if (own && closes_paths(r->rax))
        dump_hold();
    else if (own && limits(r, RLIMIT_FSIZE))
        dump_hold_room();
    else if (own && limits(r, RLIMIT_NOFILE))
        dump_hold();
    if (!reach_holds())
        return false;
    switch (r->rax) {
    case SYS_close:
        if (!reach_owns(r->rdi))
            return false;
        r->rax = (uint64_t)-EBADF;
        return true;
    case SYS_close_range:
        r->rax = close_range_but_held(r);
        return true;
    case SYS_dup2:
    case SYS_dup3:
        reach_make_way(r->rsi);
        return false;
    default:
        return false;
    }
}
