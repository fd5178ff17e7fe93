/* SPDX-License-Identifier: BSD-3-Clause
 * Slices of a dump → a profile's (profile.h). */
#pragma once

#include "profile_cost.h"
#include "profile_dump.h"

/* Adds the process's slices. Each thread's sum is its count of the whole program. */
void profile_slices_add(struct profile *profile, const struct dump *dump, const struct code_cost *cost);

/* Sorts them, after the last process. */
void profile_slices_sort(struct profile *profile);
