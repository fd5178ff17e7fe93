/* SPDX-License-Identifier: BSD-3-Clause
 * The names of functions that a program wrote while it ran, from the two files that just-in-time compilers leave for
 * perf: a map, /tmp/perf-PID.map, and a dump, jit-PID.dump (formats: linux, tools/perf/Documentation/jit-interface.txt
 * and jitdump-specification.txt). */
#ifndef BENCH_PROFILE_WRITTEN_NAMES_H
#define BENCH_PROFILE_WRITTEN_NAMES_H

#include <stdint.h>

struct written_names;

/* What is known of a process: by its map, and by its dump at `dump_path` ("": it has none). Files that are another
 * user's, or are damaged, tell nothing. Never NULL. */
struct written_names *written_names_open(uint32_t pid, const char *dump_path);
void written_names_close(struct written_names *names); /* also of NULL */

/* The function that was last put at an address; NULL: none is known. The text lives as long as `names`. */
const char *written_names_find(const struct written_names *names, uint64_t address);
/* With where it begins. */
const char *written_names_find_start(const struct written_names *names, uint64_t address, uint64_t *start);

#endif
