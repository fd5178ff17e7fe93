/* SPDX-License-Identifier: BSD-3-Clause
 * Memory that is taken and given back to the heap, which keeps it for the allocations that follow (see reserve.h). */
#include "reserve.h"

#include <malloc.h>
#include <stdlib.h>

bool reserve_memory(void) {
    enum {
        RESERVED_BYTES = 31 << 20,
        HEAP_BYTES = 32 << 20
    }; /* glibc keeps no larger block; a PNG of the usual size takes 10 MiB */
    mallopt(M_MMAP_THRESHOLD, HEAP_BYTES);
    mallopt(M_TRIM_THRESHOLD, 2 * HEAP_BYTES);
    void *volatile block = malloc(RESERVED_BYTES);
    const bool done = block != NULL;
    free(block);
    return done;
}
