/* SPDX-License-Identifier: BSD-3-Clause
 * The names of functions that a program wrote while it ran, from the two files that just-in-time compilers leave for
 * perf: a map, /tmp/perf-PID.map, and a dump, jit-PID.dump (formats: linux, tools/perf/Documentation/jit-interface.txt
 * and jitdump-specification.txt). */
#pragma once

#include <stdint.h>

/* For code that a process wrote while it ran (COLLECTOR_WRITTEN): the path of its dump, "" without one, from the path
 * of an object or a sample. NULL: code of a file. */
const char *written_names_dump(const char *path);

struct written_names;

/* The names of a process: from its map, and from its dump at `dump_path` ("": none). Files of other users and damaged
 * files are ignored. Never NULL. */
struct written_names *written_names_open(uint32_t pid, const char *dump_path);
void written_names_close(struct written_names *names); /* NULL: no effect */

/* The function that was last written at an address, and its start; NULL: unknown. The text lives as long as `names`. */
const char *written_names_find_start(const struct written_names *names, uint64_t address, uint64_t *start);
