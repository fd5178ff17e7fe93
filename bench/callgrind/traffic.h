/* SPDX-License-Identifier: BSD-3-Clause
 * The second backend, valgrind: exact counts of programs that the first refuses (static ones), and DRAM traffic by a
 * simulated cache. */
#ifndef BENCH_TRAFFIC_H
#define BENCH_TRAFFIC_H

#include "probe/machine.h"
#include "bench/profile/profile.h"
#include "bench/program/child.h"

/* Regions are those whose marks come through `collector`; a static program has none. Errors: no
 * valgrind; an instruction that it can't run (AVX-512), or debug information that it can't read; the program, or a
 * process of it, was killed; processes that can't be told apart. `*status` gets the program's wait status, also where
 * an error comes after its end. */
struct traffic_run {
    char *const *argv;
    const char *folder;    /* absolute, for files of its own */
    const char *collector; /* what is preloaded, libcarmine-valgrind.so first; NULL: no regions, one process */
    const struct child_variable *variables; /* of its environment, beside the folder */
    size_t variable_count;
    int in, out, err; /* descriptors; -1: /dev/null */
};

/* Decodes what the program executed under callgrind, which shows it a CPU without AVX-512. Masked accesses of AVX2 are
 * counted with their full width, and as `bytes_unknown`, as is code that lies in no file. */
bool callgrind_count(const struct traffic_run *run, struct profile *out, int *status, struct error *err);

/* What passes between the last-level cache and DRAM, write-allocate and write-back included, with this machine's
 * geometry; per region (as in the profile: [0] is the whole program). Dirty lines that the cache still holds at the
 * end are not written back. */
struct traffic {
    char name[64];
    uint64_t dram_read_bytes, dram_write_bytes;
};
enum { TRAFFIC_MAX = 64 };
struct traffic_cache { /* what was simulated; sizes that no simulation can have are rounded, and `note` says so */
    uint64_t l1_bytes, llc_bytes;
    unsigned l1_ways, llc_ways, line_bytes;
    char note[160];
};
/* `llc_bytes` is where one instance of the last level was found to end, 0: as detected. The threads (0: one) share as
 * many instances as they have cores for, as one cache. */
void traffic_geometry(const struct machine *machine, uint64_t llc_bytes, unsigned threads, struct traffic_cache *out);
/* Error also: more than TRAFFIC_MAX regions. */
bool traffic_simulate(const struct traffic_run *run, const struct traffic_cache *cache, struct traffic out[TRAFFIC_MAX],
                      size_t *count, int *status, struct error *err);

#endif
