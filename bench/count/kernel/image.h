/* SPDX-License-Identifier: BSD-3-Clause
 * Files that can be executed: what they say of themselves, and how they are put into memory, as the kernel does it. */
#ifndef BENCH_COUNT_IMAGE_H
#define BENCH_COUNT_IMAGE_H

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>

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

#endif
