/* SPDX-License-Identifier: BSD-3-Clause
 * Calls by way of places that nobody can write to, and that become others after all: constants WAY changes such a place
 * of its own; constants USER LIBRARY LIBRARY loads each library in turn and USER, whose work() calls what it finds
 * there. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "carmine.h"

/* The linker makes them read-only. */
__asm__(".pushsection .data.rel.ro, \"aw\"; .balign 8\n"
        "place: .quad one_flop\n"
        ".popsection\n"
        ".text\n"
        "one_flop: mulsd %xmm0, %xmm0; mov $1, %eax; ret\n"
        "two_flop: mulsd %xmm0, %xmm0; mulsd %xmm0, %xmm0; mov $2, %eax; ret\n"
        "work_at_place: call *place(%rip); add $0, %rax; jmp *place(%rip)\n");
long work_at_place(void);
extern const char one_flop[], two_flop[];
extern const char *place;

static int by_mprotect(const char *target) {
    void *page = (void *)((size_t)&place & ~4095ul);
    if (mprotect(page, 4096, PROT_READ | PROT_WRITE) != 0)
        return 77;
    place = target;
    return mprotect(page, 4096, PROT_READ);
}

static int by_file(const char *target) {
    const int memory = open("/proc/self/mem", O_RDWR);
    if (memory < 0 || pwrite(memory, &target, sizeof target, (off_t)(size_t)&place) != sizeof target)
        return 77;
    return close(memory);
}

static int change(const char *way, long *flop) {
    for (int i = 0; i < 100; i++) {
        const int failure = (*way == 'm' ? by_mprotect : by_file)(i % 2 ? two_flop : one_flop);
        if (failure)
            return failure;
        for (int call = 0; call < 10; call++)
            work_at_place();
        *flop += 10 * 2 * (1 + i % 2);
    }
    return 0;
}

static int load(char **libraries, long *flop) {
    for (int i = 0; i < 1000; i++) {
        void *chosen = dlopen(libraries[1 + i % 2], RTLD_NOW | RTLD_GLOBAL), *user = dlopen(libraries[0], RTLD_NOW);
        if (!chosen || !user)
            return 1;
        long (*work)(void);
        *(void **)&work = dlsym(user, "work");
        for (int call = 0; call < 3; call++)
            *flop += work();
        dlclose(user);
        dlclose(chosen);
    }
    return 0;
}

int main(int argc, char **argv) {
    long flop = 0;
    carmine_region_begin("work");
    const int failure = argc == 4 ? load(argv + 1, &flop) : change(argv[1], &flop);
    carmine_region_end("work");
    printf("region \"work\" flop %ld\n", flop);
    return failure;
}
