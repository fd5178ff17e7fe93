/* SPDX-License-Identifier: BSD-3-Clause
 * Adds up struct profile_parts (profile.h). */
#pragma once

#include "profile.h"

struct profile_parts *profile_parts_new(void); /* empty */

/* Adds the work of one process: `steps` by counter. profile_parts_merge() follows once, after all of them. */
struct code_cost;
struct code_files;
struct dump;
void profile_parts_add(struct profile_parts *parts, const struct dump *dump, const struct code_cost *cost,
                       struct code_files *files, const uint64_t *steps);
void profile_parts_merge(struct profile_parts *parts);
void profile_parts_free(struct profile_parts *parts); /* NULL: no effect */
