/* SPDX-License-Identifier: BSD-3-Clause
 * Code that a program changes through /proc/self/mem, while counting: changed WAY. Region "work" is to have the flop of
 * the code as it is at each time. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "carmine.h"

/* Each is as long as the other. */
__asm__(".text; .balign 64\n"
        "changing: mulsd %xmm0, %xmm0; mov $1, %eax; ret; nop; nop; nop; nop\n"
        "other: mulsd %xmm0, %xmm0; mulsd %xmm0, %xmm0; mov $2, %eax; ret\n"
        "end_of_other:\n");
long changing(void);
extern const char other[], end_of_other[];

static int memory;
static char first[16], second[16];
static size_t bytes;

static void change_at_offset(const char *code) {
    if (pwrite(memory, code, bytes, (off_t)changing) != (ssize_t)bytes)
        exit(77);
}
static void change_behind(const char *code) {
    if (lseek(memory, (off_t)changing, SEEK_SET) < 0 || write(memory, code, bytes) != (ssize_t)bytes)
        exit(77);
}
static void change_in_pieces(const char *code) {
    struct iovec pieces[] = {{(void *)code, 5}, {(void *)(code + 5), bytes - 5}};
    if (pwritev(memory, pieces, 2, (off_t)changing) != (ssize_t)bytes)
        exit(77);
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*change)(const char *code);
    } ways[] = {{"pwrite", change_at_offset}, {"write", change_behind}, {"pwritev", change_in_pieces}};
    long sum = 0, flop = 0;
    bytes = (size_t)(end_of_other - other);
    memcpy(first, (const void *)changing, bytes);
    memcpy(second, other, bytes);
    memory = open("/proc/self/mem", O_RDWR);
    if (memory < 0)
        return 77;
    carmine_region_begin("work");
    for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
        if (argc > 1 && strcmp(argv[1], ways[way].name) != 0)
            continue;
        for (int i = 0; i < 100; i++) {
            ways[way].change(i % 2 ? second : first);
            for (int j = 0; j < 10; j++)
                sum += changing();
            flop += i % 2 ? 20 : 10;
        }
    }
    carmine_region_end("work");
    printf("sum %ld\nregion \"work\" flop %ld\n", sum, flop);
    return 0;
}
