/* SPDX-License-Identifier: BSD-3-Clause
 * Programs that are built to check themselves. */
#ifndef BENCH_PROGRAMS_SANITIZER_H
#define BENCH_PROGRAMS_SANITIZER_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the file needs a sanitizer's runtime, whose name ("libasan.so.8") is written to `out`. */
bool sanitizer_find(const char *path, char *out, size_t size);

#endif
