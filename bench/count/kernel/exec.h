/* SPDX-License-Identifier: BSD-3-Clause
 * Programs that the counted program executes: the counter comes with them, by LD_PRELOAD where the program passes that
 * on and the other takes it, and else as what is executed in its place (load.c). */
#ifndef BENCH_COUNT_EXEC_H
#define BENCH_COUNT_EXEC_H

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>

#include "bench/count/code/context.h"

/* Who the program is, where the counter was executed in its place: the kernel would name the counter. */

/* From now on this process is the program of this path: for itself, for the report, and for `ps`. */
void self_is(const char *path);

/* Makes a system call that speaks of /proc/self/exe about the program, and leaves the result in rax. False: it is none
 * of these, or the kernel says it right, and it has not been made. */
bool self_call(struct registers *registers);

/* The path itself, or the program's where it is /proc/self/exe. */
uint64_t self_path(uint64_t path);

/* Files that can be executed: what they say of themselves, and how they are put into memory, as the kernel does it. */

enum image_kind { IMAGE_OTHER, IMAGE_SCRIPT, IMAGE_PROGRAM }; /* OTHER: unreadable, or of another architecture */

enum { IMAGE_SEGMENTS = 32, IMAGE_PATH_BYTES = 256 };

struct image {
    enum image_kind kind;
    bool gains_rights; /* executing it changes who the process is: setuid, setgid, capabilities */
    /* A program. */
    Elf64_Ehdr header;
    Elf64_Phdr segments[IMAGE_SEGMENTS];
    char loader[IMAGE_PATH_BYTES]; /* what it names as its dynamic loader; "": it has none */
    /* A script: what its first line names, and the one argument that may follow; "": none. */
    char interpreter[IMAGE_PATH_BYTES], argument[IMAGE_PATH_BYTES];
};

/* Reads a file that may be executed; what may not is IMAGE_OTHER, so that the kernel says why. */
void image_read(const char *path, struct image *out);

/* Where a program lies in memory: addresses. */
struct image_place {
    uint64_t base, entry, headers; /* base: what is added to the addresses in the file */
};

/* Puts a program into memory. False: there is no room where it has to lie, or it cannot be read. */
bool image_map(const char *path, const struct image *image, struct image_place *out);

enum { EXEC_OWN_WORDS = 4 }; /* of the counter, before ARGV; even, so that the stack stays aligned as it is */

/* Keeps the folder of reports, and where the counter's own file lies: its path, or a list that it is in, as LD_PRELOAD
 * has it. */
void exec_prepare(const char *libraries, const char *folder);

/* Whether a program of this name (argv[0]) is the counter itself, which takes itself over (load.c). */
bool exec_is_counter(const char *name);

/* Makes the execve of the program, whose arguments need not be good addresses. Comes back with the kernel's error;
 * -EINTR: `*stop` is no longer 0 (system.h). */
long exec_counted(uint64_t path, uint64_t argv, uint64_t environment, const uint64_t *stop);

#endif
