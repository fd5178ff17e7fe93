/* SPDX-License-Identifier: BSD-3-Clause
 * What was counted, into the report (see bench/count/base/dump_file.h). */
#ifndef BENCH_COUNT_DUMP_WRITE_H
#define BENCH_COUNT_DUMP_WRITE_H

/* Called under the lock; may be called again. */
void dump_write(void);

#endif
