/* SPDX-License-Identifier: BSD-3-Clause
 * A static program of known flop, with marks that nobody sees: traffic_static [fork]. */
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "carmine.h"
#include "work.h"

int main(int argc, char **argv) {
    (void)argv;
    carmine_region_begin("unseen");
    work(12345);
    carmine_region_end("unseen");
    printf("region \"\" flop 12345 f64.scalar 12345\n");
    fflush(stdout);
    if (argc > 1) { /* and the child seems to have done its parent's work, too */
        if (fork() == 0)
            _exit(0);
        wait(NULL);
    }
    return 3;
}
