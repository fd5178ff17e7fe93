/* SPDX-License-Identifier: BSD-3-Clause
 * A static binary: nothing can be preloaded into it. */
#include <stdio.h>

int main(void) {
    puts("static");
    return 3;
}
