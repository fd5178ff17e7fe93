/* SPDX-License-Identifier: BSD-3-Clause
 * Executes AVX-512 without asking whether the CPU has it, as what is compiled with -march=native does. With an argument
 * the instruction is of another extension (AMX) that valgrind does not know. */
int main(int argc, char **argv) {
    (void)argv;
    if (argc == 1)
        __asm__ volatile("vaddpd %%zmm0, %%zmm0, %%zmm1" : : : "xmm1");
    else
        __asm__ volatile(".byte 0xc4, 0xe2, 0x78, 0x49, 0xc0"); /* tilerelease */
    return 0;
}
