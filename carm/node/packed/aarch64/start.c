/* SPDX-License-Identifier: BSD-3-Clause
 * AArch64's part of what unpacks carmine-node. */
#include "carm/node/packed/start.h"

__asm__(".globl _start\n"
        "_start: mov x29, #0\n"
        "mov x30, #0\n"
        "mov x19, sp\n" /* aligned to 16 bytes (AAPCS64, 6.4.5.1) */
        "mov x0, sp\n"
        "bl start_unpack\n"
        "mov sp, x19\n"
        "mov x16, x0\n"
        "mov x0, #0\n" /* no function to be called at the end */
        "br x16\n");

long start_call(long number, uintptr_t a, uintptr_t b, uintptr_t c, long d) {
    register long result __asm__("x0") = (long)a, second __asm__("x1") = (long)b, third __asm__("x2") = (long)c;
    register long flags __asm__("x3") = d, file __asm__("x4") = -1, offset __asm__("x5") = 0,
                        call __asm__("x8") = number;
    __asm__ volatile("svc #0"
                     : "+r"(result)
                     : "r"(second), "r"(third), "r"(flags), "r"(file), "r"(offset), "r"(call)
                     : "memory");
    return result;
}

/* CTR_EL0 has the shortest line of the caches of data (bits 19 to 16) and of instructions (3 to 0), as the power of two
 * of its words of 4 bytes (Arm Architecture Reference Manual: CTR_EL0, and "Synchronization and coherency issues
 * between data and instruction accesses"). */
void start_wrote_code(const uint8_t *at, uint64_t bytes) {
    uint64_t type;
    __asm__("mrs %0, ctr_el0" : "=r"(type));
    const uintptr_t begin = (uintptr_t)at, end = begin + bytes, data = 4u << (type >> 16 & 15),
                    code = 4u << (type & 15);
    for (uintptr_t line = begin & -data; line < end; line += data)
        __asm__ volatile("dc cvau, %0" ::"r"(line) : "memory");
    __asm__ volatile("dsb ish" ::: "memory");
    for (uintptr_t line = begin & -code; line < end; line += code)
        __asm__ volatile("ic ivau, %0" ::"r"(line) : "memory");
    __asm__ volatile("dsb ish\n\tisb" ::: "memory");
}
