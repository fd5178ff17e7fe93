/* SPDX-License-Identifier: BSD-3-Clause
 * Libraries that are used where they are installed, and that nothing needs to be built. */
#ifndef BENCH_WORKLOADS_KERNELS_LIBRARY_H
#define BENCH_WORKLOADS_KERNELS_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

#include "probe/error.h"

/* Stays loaded to the end. NULL and an error, which names the Debian package: it is not there. */
void *library_open(const char *file, const char *name, const char *package, struct error *err);

/* `function` points to a function pointer. Error: the library has no function of this name. */
bool library_function(void *library, const char *name, void *function, struct error *err);

/* The string that an array of characters of the library holds; "" where there is none. */
void library_text(void *library, const char *name, char *out, size_t size);

#endif
