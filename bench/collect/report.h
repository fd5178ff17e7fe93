/* SPDX-License-Identifier: BSD-3-Clause
 * What is left behind. */
#ifndef BENCH_COLLECT_REPORT_H
#define BENCH_COLLECT_REPORT_H

#include <stdbool.h>
#include <stdint.h>

bool report_create(const char *folder);
void report_begin(void); /* an incomplete one */
void report_write(uint64_t start_ns, uint64_t now_ns);

#endif
