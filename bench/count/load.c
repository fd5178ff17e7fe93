/* SPDX-License-Identifier: BSD-3-Clause
 * The counter as a program. Some programs cannot be preloaded into: those without a dynamic loader, those with another
 * C library, and those started without our environment. Then the counter is executed in their place:
 *
 *     libcarmine-count.so FOLDER PROGRAM -- ARGV…
 *
 * It loads the program as the kernel does, and continues as that program with all instructions counted. FOLDER is the
 * report's folder; the environment is the program's own. */

#include "counter.h"

#include <elf.h>
#include <linux/rseq.h>
#include <sys/rseq.h>
#include <sys/syscall.h>

#include "bench/count/base/system.h"
#include "bench/count/kernel/exec.h"

/* The counter is loaded by ld.so itself. */
__attribute__((section(".interp"), used)) static const char interpreter[] = "/lib64/ld-linux-x86-64.so.2";

/* In assembly: where the kernel starts us, through ld.so. A program starts with zeros in its registers. */
/* clang-format off */
__asm__(
    ".text\n"
    ".globl counter_load\n"
    ".hidden counter_load\n"
    "counter_load:\n"
    "mov %rsp, %rdi\n"
    "and $-16, %rsp\n"
    "call load_program\n"
    "mov %rdx, %rsp\n"
    "push %rax\n"
    "xor %eax, %eax\n"
    "xor %edx, %edx\n"
    "xor %ebx, %ebx\n"
    "xor %ebp, %ebp\n"
    "xor %esi, %esi\n"
    "xor %edi, %edi\n"
    "xor %r8d, %r8d\n"
    "xor %r9d, %r9d\n"
    "xor %r10d, %r10d\n"
    "xor %r11d, %r11d\n"
    "xor %r12d, %r12d\n"
    "xor %r13d, %r13d\n"
    "xor %r14d, %r14d\n"
    "xor %r15d, %r15d\n"
    "jmp counter_take_over\n");
/* clang-format on */

/* The program's start address, and its stack. */
struct load_begin {
    uint64_t entry, stack;
};
__attribute__((used, visibility("hidden"))) struct load_begin load_program(uint64_t *stack);

static void set_auxiliary(Elf64_auxv_t *entry, const struct image *image, const struct image_place *own,
                          const struct image_place *loader, const char *path) {
    for (; entry->a_type != AT_NULL; entry++)
        switch (entry->a_type) {
        case AT_PHDR:
            entry->a_un.a_val = own->headers;
            break;
        case AT_PHNUM:
            entry->a_un.a_val = image->header.e_phnum;
            break;
        case AT_BASE:
            entry->a_un.a_val = loader->base;
            break;
        case AT_ENTRY:
            entry->a_un.a_val = own->entry;
            break;
        case AT_EXECFN:
            entry->a_un.a_val = (uint64_t)path;
            break;
        default:
            break;
        }
}

/* Unregisters our libc's per-CPU area (rseq) from the kernel: the program's libc will register its own. */
static void leave_libc(void) {
    uint64_t thread;
    __asm__("mov %%fs:0, %0" : "=r"(thread));
    if (__rseq_size)
        SYSTEM_CALL(SYS_rseq, thread + (uint64_t)__rseq_offset, sizeof(struct rseq), RSEQ_FLAG_UNREGISTER, RSEQ_SIG);
}

static void refuse(const char *path, const char *reason) {
    struct text line = {.length = 0};
    text_add(&line, "carmine: ");
    text_add(&line, path);
    text_add(&line, reason);
    text_add(&line, "\n");
    SYSTEM_CALL(SYS_write, 2, line.bytes, line.length);
    for (;;)
        SYSTEM_CALL(SYS_exit_group, 127);
}

struct load_begin load_program(uint64_t *stack) {
    const uint64_t count = stack[0];
    char **argv = (char **)(stack + 1), **environment = argv + count + 1, **at = environment;
    if (count <= EXEC_OWN_WORDS)
        refuse("libcarmine-count.so", ": a library for `carmine app`, not a program to run by hand");
    while (*at)
        at++;
    const char *folder = argv[1], *path = argv[2];
    struct image image, loader = {.kind = IMAGE_PROGRAM};
    struct image_place own, loader_place = {.base = 0};
    exec_prepare(argv[0], folder);
    image_read(path, &image);
    const uint64_t never = 0;
    if (image.kind != IMAGE_PROGRAM) /* a script, or a file that the kernel cannot execute either */
        exec_counted((uint64_t)path, (uint64_t)(argv + EXEC_OWN_WORDS), (uint64_t)environment,
                     &(struct system_place){.stop = &never});
    if (image.kind != IMAGE_PROGRAM || !image_map(path, &image, &own))
        refuse(path, ": cannot be loaded beside the counter");
    loader_place.entry = own.entry;
    if (image.loader[0])
        image_read(image.loader, &loader);
    if (image.loader[0] && (loader.kind != IMAGE_PROGRAM || !image_map(image.loader, &loader, &loader_place)))
        refuse(image.loader, ": the program's loader cannot be loaded beside the counter");
    set_auxiliary((Elf64_auxv_t *)(void *)(at + 1), &image, &own, &loader_place, path);
    self_is(path);
    leave_libc();
    if (!counter_prepare(folder, environment)) /* it runs uncounted */
        system_call_unless(&never, SYS_execve, (long)path, (long)(argv + EXEC_OWN_WORDS), (long)environment, 0, 0);
    stack[EXEC_OWN_WORDS] = count - EXEC_OWN_WORDS;
    return (struct load_begin){.entry = loader_place.entry, .stack = (uint64_t)(stack + EXEC_OWN_WORDS)};
}
