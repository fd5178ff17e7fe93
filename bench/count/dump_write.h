/* SPDX-License-Identifier: BSD-3-Clause
 * Writes the counts into the report (see bench/count/base/dump_file.h). */
#pragma once

/* Replaces the report's content with the current counts of all threads. Called under the lock, also repeatedly. */
void dump_write(void);

/* Maps the needed memory. Call once, before all others: a program may have no memory left when it ends. */
void dump_write_prepare(void);
