/* SPDX-License-Identifier: BSD-3-Clause
 * Programs that the counted program executes. The counter comes along by LD_PRELOAD, if the program passes it on and
 * the other program supports it; otherwise the counter is executed in its place (load.c). */
#pragma once

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>

#include "bench/count/base/system.h"

#include "bench/count/code/context.h"

/* The program's identity if the counter was executed in its place: the kernel would name the counter. */

/* From now on this process is the program with this path: for itself, for the report, and for `ps`. */
void self_is(const char *path);

/* If a system call is about /proc/self/exe: makes it for the program's file, and puts the result in rax. False: another
 * call, or the kernel knows the program; nothing was done. */
bool self_call(struct registers *registers);

/* The path itself, or the program's if it is /proc/self/exe. */
uint64_t self_path(uint64_t path);

/* Executable files: their headers, and loading as the kernel does it. */

enum image_kind { IMAGE_OTHER, IMAGE_SCRIPT, IMAGE_PROGRAM }; /* OTHER: unreadable, or of another architecture */

enum { IMAGE_SEGMENTS = 32, IMAGE_PATH_BYTES = 256 };

struct image {
    enum image_kind kind;
    bool gains_rights; /* executing it changes the process's rights: setuid, setgid, capabilities */
    /* A program. */
    Elf64_Ehdr header;
    Elf64_Phdr segments[IMAGE_SEGMENTS];
    char loader[IMAGE_PATH_BYTES]; /* its dynamic loader; "": none */
    /* A script: the interpreter in its first line, and the one argument that may follow; "": none. */
    char interpreter[IMAGE_PATH_BYTES], argument[IMAGE_PATH_BYTES];
};

/* Reads a file to be executed. IMAGE_OTHER if it may not be executed: the kernel then reports why. */
void image_read(const char *path, struct image *out);

/* Addresses of a program in memory. */
struct image_place {
    uint64_t base, entry, headers; /* base: added to the addresses in the file */
};

/* Loads a program. False: there is no room at its address, or it cannot be read. */
bool image_map(const char *path, const struct image *image, struct image_place *out);

enum { EXEC_OWN_WORDS = 4 }; /* of the counter, before ARGV; even, to keep the stack's alignment */

/* Stores the folder of reports and the path of the counter's own file, given alone or in a list like LD_PRELOAD. */
void exec_prepare(const char *libraries, const char *folder);

/* Whether this program name (argv[0]) is the counter itself, which takes itself over (load.c). */
bool exec_is_counter(const char *name);

/* Makes the program's execve, whose arguments may be invalid addresses. Returns the kernel's error; -EINTR: `*stop` is
 * no longer 0 (system.h). `place`: where from, without number and arguments; no stack: as it is here. */
long exec_counted(uint64_t path, uint64_t argv, uint64_t environment, const struct system_place *place);

/* Makes the call of execve or execveat from there. */
long exec_call(const struct system_place *place, long number, const long arguments[5]);
