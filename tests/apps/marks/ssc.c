/* SPDX-License-Identifier: BSD-3-Clause
 * SSC marks, which are instructions without an effect: pairs of them in all ways. */
#include "regions.h"

#define MARK(number) __asm__ volatile("movl $" #number ", %%ebx; .byte 0x64, 0x67, 0x90" : : : "%ebx", "memory")

int main(void) {
    MARK(0x111);
    work(1000);
    MARK(0xface);
    work(20);
    MARK(0x222); /* another pair's */
    work(3);
    MARK(0xdead);
    work(7);
    MARK(111); /* other tools' (IACA), and none here */
    work(7);
    MARK(222);
    for (int i = 0; i < 3; i++) { /* from one to the next: --marks ssc,1:2,2:3 */
        MARK(1);
        work(10);
        MARK(2);
        work(5);
        MARK(3);
    }
    printf("region \"region\" calls 1 open 0 flop 1020\n"
           "region \"ssc 0xface\" calls 1 open 0 flop 23\n"
           "region \"ssc 0x1\" calls 3 open 0 flop 30\n"
           "region \"ssc 0x2\" calls 3 open 0 flop 15\n");
    return 0;
}
