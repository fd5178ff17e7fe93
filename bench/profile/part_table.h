/* SPDX-License-Identifier: BSD-3-Clause
 * Which loops and lines a profile has: each once, by where it is in the source, whichever process ran it. */
#ifndef BENCH_PROFILE_PART_TABLE_H
#define BENCH_PROFILE_PART_TABLE_H

#include "profile_parts.h"

/* The loop or line of a source whose texts are kept by the parts; a new one, where there is none yet. */
uint32_t part_table_loop(struct profile_parts *parts, const struct part_source *source, uint32_t parent,
                         unsigned depth);
uint32_t part_table_line(struct profile_parts *parts, const struct part_source *source);

#endif
