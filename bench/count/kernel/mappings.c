/* SPDX-License-Identifier: BSD-3-Clause
 * Mappings (see mappings.h). */
#include "mappings.h"

#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "bench/count/base/reach.h"
#include "bench/count/base/system.h"
#include "bench/count/code/cache.h"
#include "bench/count/code/gone.h"
#include "bench/count/code/object.h"
#include "bench/count/code/written.h"

/* Just-in-time compilers map the file in which they note what they make, for perf to find it. */
static void note_names(uint64_t descriptor) {
    char path[256];
    const long length = reach_path((uint32_t)descriptor, path, sizeof path - 1);
    if (system_failed(length))
        return;
    path[length] = '\0';
    const char *name = path + length;
    while (name > path && name[-1] != '/')
        name--;
    if (text_starts(name, "jit-") && text_equal(path + length - 5, ".dump"))
        object_names_written(path);
}

static bool drops_contents(uint64_t advice) {
    return advice == MADV_DONTNEED || advice == MADV_FREE || advice == MADV_REMOVE;
}

bool mappings_change(const struct registers *call, struct memory_range *out) {
    *out = (struct memory_range){call->rdi, call->rdi + call->rsi};
    switch (call->rax) {
    case SYS_mmap:
        if ((call->rdx & PROT_EXEC) && !(call->r10 & MAP_ANONYMOUS))
            note_names(call->r8);
        return (call->r10 & MAP_FIXED) != 0;
    case SYS_munmap:
    case SYS_mprotect:
    case SYS_pkey_mprotect:
    case SYS_mremap:
        return true;
    case SYS_madvise:
        return drops_contents(call->rdx);
    default:
        return false;
    }
}

/* Whole pages change. */
static void leave_constants(uint64_t low, uint64_t high) {
    enum { PAGE_BYTES = 4096 };
    low &= ~(uint64_t)(PAGE_BYTES - 1);
    high = (high + PAGE_BYTES - 1) & ~(uint64_t)(PAGE_BYTES - 1);
    object_forget_constants(low, high);
    gone_change_constants(low, high);
}

bool mappings_leave(const struct registers *call, const struct memory_range *range) {
    const bool may_write = (call->rax == SYS_mprotect || call->rax == SYS_pkey_mprotect) && (call->rdx & PROT_WRITE);
    written_forget(range->low, range->high);
    leave_constants(range->low, range->high);
    if (call->rax == SYS_mremap && (call->r10 & MREMAP_FIXED)) {
        written_forget(call->r8, call->r8 + call->rdx);
        leave_constants(call->r8, call->r8 + call->rdx);
    }
    if (!object_forget(range->low, range->high))
        return false;
    if (may_write) /* a part of it may change, and the rest still leads there */
        gone_change(range->low, range->high);
    else
        gone_forget(range->low, range->high);
    return true;
}

static void open_pieces(uint64_t pieces, uint64_t count) {
    enum { MOST_PIECES = 1024 };
    struct iovec piece;
    for (uint64_t i = 0; i < count && i < MOST_PIECES; i++)
        if (system_copy(&piece, pieces + i * sizeof piece, sizeof piece) == sizeof piece)
            written_open((uint64_t)piece.iov_base, (uint64_t)piece.iov_base + piece.iov_len);
}

/* What is received by one call, or by several at a time. */
static void open_messages(uint64_t messages, uint64_t count, uint64_t apart) {
    enum { MOST_MESSAGES = 1024 };
    struct msghdr message;
    for (uint64_t i = 0; i < count && i < MOST_MESSAGES; i++) {
        if (system_copy(&message, messages + i * apart, sizeof message) != sizeof message)
            return;
        open_pieces((uint64_t)message.msg_iov, message.msg_iovlen);
        written_open((uint64_t)message.msg_control, (uint64_t)message.msg_control + message.msg_controllen);
        written_open((uint64_t)message.msg_name, (uint64_t)message.msg_name + message.msg_namelen);
    }
}

static void open_what_they_lead_to(const struct registers *call) {
    switch (call->rax) {
    case SYS_readv:
    case SYS_preadv:
    case SYS_preadv2:
    case SYS_process_vm_readv:
    case SYS_vmsplice:
        open_pieces(call->rsi, call->rdx);
        break;
    case SYS_process_vm_writev: /* to itself */
        open_pieces(call->r10, call->r8);
        break;
    case SYS_recvmsg:
        open_messages(call->rsi, 1, sizeof(struct msghdr));
        break;
    case SYS_recvmmsg:
        open_messages(call->rsi, call->rdx, sizeof(struct mmsghdr));
        break;
    default:
        break;
    }
}

/* An argument behind an address may be a length. */
void mappings_open_arguments(const struct registers *call) {
    enum { STRUCT_BYTES = 4096, MOST_BYTES = 1 << 30 };
    const uint64_t arguments[] = {call->rdi, call->rsi, call->rdx, call->r10, call->r8, call->r9, 0};
    if (!written_any_watched())
        return;
    system_lock();
    for (unsigned i = 0; i < 6; i++) {
        const uint64_t low = arguments[i], next = arguments[i + 1],
                       bytes = next > STRUCT_BYTES && next < MOST_BYTES ? next : STRUCT_BYTES;
        written_open(low, low + bytes < low ? ~0ull : low + bytes);
    }
    open_what_they_lead_to(call);
    system_unlock();
}
