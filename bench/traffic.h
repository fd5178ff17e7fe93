/* SPDX-License-Identifier: BSD-3-Clause
 * The second backend, valgrind: exact counts of programs that the first refuses (static ones), and DRAM traffic by a
 * simulated cache. */
#ifndef BENCH_TRAFFIC_H
#define BENCH_TRAFFIC_H

#include "../probe/machine.h"
#include "profile.h"

/* Runs the program under callgrind (stdin, stdout and stderr as given; -1: /dev/null) and decodes what it executed.
 * Regions are those of libcarmine's marks. Errors: no valgrind, an instruction that it can't run (AVX-512), the
 * program's own end. `*status` gets the program's wait status. */
struct traffic_run {
    char *const *argv;
    const char *folder; /* for files of its own */
    int in, out, err;
};
bool callgrind_count(const struct traffic_run *run, struct profile *out, int *status, struct error *err);

/* What passes between the last-level cache and DRAM, write-allocate and write-back included, with this machine's
 * geometry; per region (as in the profile: [0] is the whole program). */
struct traffic {
    char name[64];
    uint64_t dram_read_bytes, dram_write_bytes;
};
enum { TRAFFIC_MOST = 64 };
struct traffic_cache { /* what was simulated; sizes that no simulation can have are rounded, and `note` says so */
    uint64_t l1_bytes, llc_bytes;
    unsigned l1_ways, llc_ways, line_bytes;
    char note[160];
};
/* `llc_bytes` is where the last level was found to end, 0: as detected. */
void traffic_geometry(const struct machine *machine, uint64_t llc_bytes, struct traffic_cache *out);
bool traffic_simulate(const struct traffic_run *run, const struct traffic_cache *cache,
                      struct traffic out[TRAFFIC_MOST], size_t *count, int *status, struct error *err);

#endif
