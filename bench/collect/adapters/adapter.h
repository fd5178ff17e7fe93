/* SPDX-License-Identifier: BSD-3-Clause
 * Turns a program's existing marks, of other systems, into regions: adapters pass them to the collector. Adapters in
 * libcarmine-marks.so, which is preloaded, replace functions; they call the original function (original.h) before a
 * region begins and after it has ended. Adapters in libcarmine-tools.so are loaded by a system itself, through an
 * environment variable; preloaded, they would take precedence over a tool that the user has chosen.
 *
 * An adapter is a file here, written by hand from the system's documented interface, in one of the two libraries
 * (Makefile), and a row in probe/marks/systems.c. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/marks/systems.h"

#define EXPORTED __attribute__((visibility("default")))

/* A function of any type, for tables of functions that a program calls. */
#define ANY_FUNCTION(name) ((void (*)(void))(name))

/* Whether marks of this system become regions. */
bool adapter_takes(enum mark_system_number system);

/* For end marks with a name. `name` as in carmine_region_begin(); a thread's regions may end in any order. */
void adapter_begin(enum mark_system_number system, const char *name);
void adapter_end(enum mark_system_number system, const char *name);

/* For end marks without a name: they end the innermost region that the calling thread has opened with the same key
 * and not closed. Without such a region nothing happens. At most ADAPTER_DEPTH are open per thread; deeper ones are
 * not regions. */
enum { ADAPTER_DEPTH = 128 };
void adapter_open(enum mark_system_number system, uint64_t key, const char *name);
void adapter_close(enum mark_system_number system, uint64_t key);
