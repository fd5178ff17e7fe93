/* SPDX-License-Identifier: BSD-3-Clause
 * x86-64's part of what unpacks carmine-node. */
#include "carm/node/packed/start.h"

__asm__(".globl _start\n"
        "_start: mov %rsp, %rbx\n"
        "mov %rsp, %rdi\n"
        "and $-16, %rsp\n"
        "call start_unpack\n"
        "mov %rbx, %rsp\n"
        "xor %edx, %edx\n" /* no function to be called at the end (System V ABI for x86-64, 3.4.1) */
        "jmp *%rax\n");

long start_call(long number, uintptr_t a, uintptr_t b, uintptr_t c, long d) {
    register long flags __asm__("r10") = d, file __asm__("r8") = -1, offset __asm__("r9") = 0;
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(flags), "r"(file), "r"(offset)
                     : "rcx", "r11", "memory");
    return result;
}

void start_wrote_code(const uint8_t *at, uint64_t bytes) {
    (void)at, (void)bytes; /* the core sees to that */
}
