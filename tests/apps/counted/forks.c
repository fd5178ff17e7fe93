/* SPDX-License-Identifier: BSD-3-Clause
 * A process that forks again and again: forks WAY. `same`: the children run code that it runs only after them. `other`:
 * they put other code in the place of some that it runs, and enter that where no instruction of its own begins. The
 * known flop of region "work" are printed. */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "carmine.h"
#include "work.h"

enum { CHILDREN = 6, FLOP = 100, MAP_BYTES = 4096, ENTRY_OF_OTHER = 2 };

/* mov $0x0606060606060606, %rax; mulsd %xmm0, %xmm0; ret. There is no instruction 0x06. */
static const unsigned char own_code[] = {0x48, 0xb8, 6, 6, 6, 6, 6, 6, 6, 6, 0xf2, 0x0f, 0x59, 0xc0, 0xc3};
/* nop; nop; mulsd %xmm0, %xmm0 twice; ret */
static const unsigned char other_code[] = {0x90, 0x90, 0xf2, 0x0f, 0x59, 0xc0, 0xf2, 0x0f, 0x59, 0xc0, 0xc3};

static unsigned char *map_code(const void *code, size_t bytes, void *at) {
    unlink("code");
    const int file = open("code", O_RDWR | O_CREAT | O_EXCL, 0755);
    if (file < 0 || write(file, code, bytes) != (ssize_t)bytes || ftruncate(file, MAP_BYTES) != 0)
        exit(1);
    void *map = mmap(at, MAP_BYTES, PROT_READ | PROT_EXEC, MAP_PRIVATE | (at ? MAP_FIXED : 0), file, 0);
    close(file);
    return map == MAP_FAILED ? NULL : map;
}

static void call(unsigned char *code) {
    void (*run)(void);
    memcpy(&run, &code, sizeof run);
    carmine_region_begin("work");
    run();
    carmine_region_end("work");
}

static void wait_for_child(void) {
    int status;
    if (wait(&status) < 0 || status != 0)
        exit(1);
}

static void fork_same(void) {
    for (int child = 0; child <= CHILDREN; child++) {
        const bool creator = child == CHILDREN;
        if (creator || fork() == 0) {
            carmine_region_begin("work");
            work(FLOP);
            carmine_region_end("work");
            if (!creator)
                _exit(0);
        } else {
            wait_for_child();
        }
    }
}

static void fork_other(void) {
    unsigned char *code = map_code(own_code, sizeof own_code, NULL);
    if (!code)
        exit(1);
    call(code);
    for (int child = 0; child < CHILDREN; child++) {
        if (fork() == 0) {
            if (!map_code(other_code, sizeof other_code, code))
                _exit(1);
            call(code + ENTRY_OF_OTHER);
            _exit(0);
        }
        wait_for_child();
    }
    call(code);
}

int main(int argc, char **argv) {
    const bool same = argc > 1 && strcmp(argv[1], "same") == 0;
    if (argc != 2)
        return 2;
    printf("region \"work\" flop %d\n", same ? (CHILDREN + 1) * FLOP : 2 * CHILDREN + 2);
    fflush(stdout);
    if (same)
        fork_same();
    else
        fork_other();
    return 0;
}
