/* SPDX-License-Identifier: BSD-3-Clause
 * Regions of a program that is linked statically, so that nothing can be preloaded into it. */
#include <stdio.h>

#include "carmine.h"
#include "work.h"

int main(void) {
    for (int i = 0; i < 3; i++) {
        carmine_region_begin("outer");
        work(10);
        carmine_region_begin("inner");
        work(20);
        carmine_region_end("inner");
        carmine_region_end("outer");
    }
    printf("region \"outer\" calls 3 flop 90\n");
    printf("region \"inner\" calls 3 flop 60\n");
    return 0;
}
