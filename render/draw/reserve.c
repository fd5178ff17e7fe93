/* SPDX-License-Identifier: BSD-3-Clause
 * Takes memory and gives it back to the heap, which keeps it for the next allocations. */
#include "reserve.h"

#include <malloc.h>
#include <stdlib.h>
#include <sys/mman.h>

bool reserve_memory(void) {
    enum {
        HEAP_BYTES = 32 << 20,     /* glibc keeps no larger block */
        RESERVED_BYTES = 31 << 20, /* a PNG of the usual size takes 10 MiB */
        MAPPED_BYTES = 16 << 20, /* fonts for characters that the first font lacks, such as ▲, are mapped on demand */
    };
    mallopt(M_MMAP_THRESHOLD, HEAP_BYTES);
    mallopt(M_TRIM_THRESHOLD, 2 * HEAP_BYTES);
    void *volatile block = malloc(RESERVED_BYTES);
    void *fonts = mmap(NULL, MAPPED_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const bool done = block && fonts != MAP_FAILED;
    if (fonts != MAP_FAILED)
        munmap(fonts, MAPPED_BYTES);
    free(block);
    return done;
}
