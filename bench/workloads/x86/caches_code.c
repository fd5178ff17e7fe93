/* SPDX-License-Identifier: BSD-3-Clause
 * Code that fills the instruction caches of x86-64 (see caches_run_code). */

__asm__(".pushsection .text.caches_run_code, \"ax\", @progbits\n"
        ".globl caches_run_code\n"
        ".type caches_run_code, @function\n"
        "caches_run_code:\n"
        ".rept 16384\n"
        ".byte 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0\n" /* nop of 8 bytes */
        ".endr\n"
        "ret\n"
        ".size caches_run_code, . - caches_run_code\n"
        ".popsection");
