/* SPDX-License-Identifier: BSD-3-Clause
 * The libraries that are preloaded into measured programs, and under which path the loader takes them. */
#ifndef BENCH_PRELOAD_H
#define BENCH_PRELOAD_H

#include "scratch.h"

#define PRELOAD_TIMER   "libcarmine-papi.so"
#define PRELOAD_COUNTER "libcarmine-count.so"
#define PRELOAD_MARKS   "libcarmine-valgrind.so" /* under valgrind, which counts */
enum { PRELOAD_PATH_BYTES = 4608 };

/* The library's path in the folder of collectors. The loader takes blanks and colons in LD_PRELOAD for separators; then
 * a link without them, in `scratch`, stands for the library. Error: that folder's path holds blanks or colons too. */
bool preload_path(const char *collectors, const char *library, const struct scratch *scratch,
                  char out[PRELOAD_PATH_BYTES], struct error *err);

#endif
