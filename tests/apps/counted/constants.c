/* SPDX-License-Identifier: BSD-3-Clause
 * Calls by way of places that nobody can write to, and that become others after all: constants WAY changes such a place
 * of its own, or the jump by way of it that is called; constants USER LIBRARY LIBRARY loads each library in turn and USER, whose work() calls what it finds
 * there. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
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
        "work_at_place: call *place(%rip); add $0, %rax; jmp *place(%rip)\n"
        "work_by_jump: call jump; add $0, %rax; jmp jump\n"
        ".balign 4096; jump: jmp *place(%rip)\n" /* on a page of its own */
        ".balign 4096\n");
long work_at_place(void), work_by_jump(void);
extern const char one_flop[], two_flop[];
extern char jump[];
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

/* To where it led, or to the second function. */
static int by_jump(const char *target) {
    enum { JUMP_BYTES = 16 };
    static char before[JUMP_BYTES];
    int32_t distance = (int32_t)(two_flop - (jump + 5));
    if (!*before && target == one_flop)
        return 0;
    if (mprotect(jump, 4096, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
        return 77;
    if (!*before)
        memcpy(before, jump, sizeof before);
    memcpy(jump, before, sizeof before);
    if (target == two_flop) {
        *jump = (char)0xe9;
        memcpy(jump + 1, &distance, sizeof distance);
    }
    return mprotect(jump, 4096, PROT_READ | PROT_EXEC);
}

static int change(const char *way, long *flop) {
    int (*put)(const char *) = *way == 'm' ? by_mprotect : *way == 'j' ? by_jump : by_file;
    for (int i = 0; i < 100; i++) {
        const int failure = put(i % 2 ? two_flop : one_flop);
        if (failure)
            return failure;
        for (int call = 0; call < 10; call++)
            (put == by_jump ? work_by_jump : work_at_place)();
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
