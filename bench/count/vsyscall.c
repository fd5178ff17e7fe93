/* SPDX-License-Identifier: BSD-3-Clause
 * The page of old calls (see vsyscall.h; the kernel's arch/x86/entry/vsyscall/). */
#include "vsyscall.h"

#include <sys/syscall.h>

#include "bench/count/code/object.h"

#define PAGE 0xffffffffff600000ull
enum { PAGE_BYTES = 4096, EACH_BYTES = 1024 };

bool vsyscall_holds(uint64_t target) {
    return target >= PAGE && target < PAGE + PAGE_BYTES;
}

/* Kernels may be without. */
static bool page_is_there(void) {
    static enum { UNKNOWN, THERE, NOT_THERE } page;
    if (page == UNKNOWN)
        page = object_is_mapped(PAGE) ? THERE : NOT_THERE;
    return page == THERE;
}

bool vsyscall_prepare(uint64_t target, struct registers *registers) {
    static const uint16_t calls[] = {SYS_gettimeofday, SYS_time, SYS_getcpu};
    const uint64_t index = (target - PAGE) / EACH_BYTES;
    if ((target - PAGE) % EACH_BYTES != 0 || index >= sizeof calls / sizeof *calls || !page_is_there())
        return false;
    registers->rax = calls[index];
    return true;
}

uint64_t vsyscall_return(struct registers *registers) {
    const uint64_t to = *(const uint64_t *)registers->rsp;
    registers->rsp += sizeof to;
    return to;
}
