/* SPDX-License-Identifier: BSD-3-Clause
 * Code that fills the instruction caches of AArch64 (see caches_run_code). */

__asm__(".pushsection .text.caches_run_code, \"ax\", @progbits\n"
        ".globl caches_run_code\n"
        ".type caches_run_code, @function\n"
        "caches_run_code:\n"
        ".rept 32768\n"
        "nop\n"
        ".endr\n"
        "ret\n"
        ".size caches_run_code, . - caches_run_code\n"
        ".popsection");
