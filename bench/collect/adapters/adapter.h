/* SPDX-License-Identifier: BSD-3-Clause
 * The marks that a measured program already has, of other systems, become regions: adapters tell the collector. Those
 * in libcarmine-marks.so, which is preloaded, take functions over, and call what the program would have called
 * (original.h), before a region begins and after it has ended. Those in libcarmine-tools.so are what a system looks for
 * itself, by a variable of the environment; preloaded, they would stand before those of a tool that the user has
 * chosen.
 *
 * A system is a file here, declared by hand from the system's documented interface, in one of the two libraries
 * (Makefile), and a row in probe/marks/systems.c. */
#ifndef BENCH_COLLECT_ADAPTERS_ADAPTER_H
#define BENCH_COLLECT_ADAPTERS_ADAPTER_H

#include <stdbool.h>
#include <stdint.h>

#include "probe/marks/systems.h"

#define EXPORTED __attribute__((visibility("default")))

/* A function of whatever type, for tables of those that a program calls. */
#define ANY_FUNCTION(name) ((void (*)(void))(name))

/* Whether marks of this system are to be regions. */
bool adapter_takes(enum mark_system_number system);

/* For marks that name what they end. `name` as in carmine_region_begin(); regions of a thread may end in any order. */
void adapter_begin(enum mark_system_number system, const char *name);
void adapter_end(enum mark_system_number system, const char *name);

/* For marks that do not: the end is that of the innermost region which the calling thread has opened with the same key
 * and not closed. Without such a region it does nothing. At most ADAPTER_DEPTH of a thread are open at once, those
 * inside of them are no regions. */
enum { ADAPTER_DEPTH = 128 };
void adapter_open(enum mark_system_number system, uint64_t key, const char *name);
void adapter_close(enum mark_system_number system, uint64_t key);

#endif
