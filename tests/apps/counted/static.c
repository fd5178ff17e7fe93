/* SPDX-License-Identifier: BSD-3-Clause
 * A program for what takes no preloaded library: static FLOP-free work whose output tells how it was started. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Whether a call leaves what the CPU does: the address behind it in rcx, and in r11 the flags, of which one is always
 * set. Also where somebody else makes the call. */
static bool leaves_registers(const char *path) {
    enum { ALWAYS_SET = 2 };
    char out[64];
    long result = SYS_readlink;
    uint64_t address, behind;
    register long size __asm__("rdx") = sizeof out;
    register uint64_t flags __asm__("r11") = 0;
    __asm__ volatile("syscall\n1: lea 1b(%%rip), %2"
                     : "+a"(result), "=c"(address), "=&r"(behind), "+r"(flags)
                     : "D"(path), "S"(out), "r"(size)
                     : "memory");
    return address == behind && (flags & ALWAYS_SET);
}

int main(int argc, char **argv) {
    char path[4096];
    const long length = readlink("/proc/self/exe", path, sizeof path);
    printf("%d arguments, the last is %s\n", argc, argv[argc - 1]);
    printf("I am %.*s\n", length < 0 ? 0 : (int)length, path);
    printf("registers %s\n",
           leaves_registers("/proc/self/exe") && leaves_registers("/") ? "as the CPU leaves them" : "wrong");
    return 3;
}
