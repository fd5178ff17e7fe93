/* SPDX-License-Identifier: BSD-3-Clause
 * The parts into which libcarmine-valgrind.so cuts callgrind's files, put together by region and thread. A region holds
 * what its thread does between the marks, and what the threads do meanwhile that it created, as everywhere (carmine.h).
 */
#ifndef BENCH_CALLGRIND_SLICES_H
#define BENCH_CALLGRIND_SLICES_H

#include "callgrind_file.h"

struct slice {
    const struct callgrind_part *part;
    const char *maps;    /* path of the process's memory map; there may be no such file */
    size_t thread;       /* of all processes: an index in the order of creation */
    size_t region_count; /* that it belongs to; [0] is the whole program */
    const size_t *regions;
};
struct slices_region {
    char name[64]; /* "" for the whole program, which comes first */
    uint64_t calls;
    unsigned open, mismatched; /* marks without their counterpart */
};
struct slices {
    unsigned process_count;
    size_t thread_count, region_count;
    struct slices_region *regions;
};

/* Hands all that the processes in the folder did to `take`, slice by slice. Errors: nothing there; a process that was
 * killed or still runs; one that forked where the collector could not see it; damaged; that of `take`. */
bool slices_read(const char *folder, bool (*take)(void *context, const struct slice *slice, struct error *err),
                 void *context, struct slices *out, struct error *err);
void slices_free(struct slices *slices);

#endif
