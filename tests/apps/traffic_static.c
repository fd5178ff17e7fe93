/* SPDX-License-Identifier: BSD-3-Clause
 * A static program of known flop, with marks that nobody sees: traffic_static [fork|generate]. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "carmine.h"
#include "work.h"

static void run_generated(void) { /* mov $100000, %ecx; 1: dec %ecx; jnz 1b; ret */
    static const unsigned char code[] = {0xb9, 0xa0, 0x86, 0x01, 0x00, 0xff, 0xc9, 0x75, 0xfc, 0xc3};
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    void (*function)(void);
    memcpy(page, code, sizeof code);
    memcpy(&function, &page, sizeof function);
    function();
}

int main(int argc, char **argv) {
    carmine_region_begin("unseen");
    work(12345);
    carmine_region_end("unseen");
    printf("region \"\" flop 12345 f64.scalar 12345\n");
    fflush(stdout);
    if (argc > 1 && strcmp(argv[1], "generate") == 0)
        run_generated();
    else if (argc > 1) { /* and the child seems to have done its parent's work, too */
        if (fork() == 0)
            _exit(0);
        wait(NULL);
    }
    return 3;
}
