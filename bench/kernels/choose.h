/* SPDX-License-Identifier: BSD-3-Clause
 * Which code and which working set a step is measured with. Private to the campaign (campaign.h). */
#pragma once

#include <stddef.h>

#include "campaign.h"

#include "probe/uarch.h"

/* Code that won on each microarchitecture in the results of results/: a search begins with it. A campaign's result
 * rests on its own measurements: a wrong row costs only time. */

struct wisdom_row {
    const char *uarch, *level; /* "Zen 5"; "" for compute, else "L1" … "DRAM" */
    const char *kernel, *variant;
};

/* wisdom_table.c, which `make wisdom` writes. */
extern const struct wisdom_row wisdom_table[];
extern const size_t wisdom_count;

/* The variant (one of the program's own, or a shape such as "2x48") that won for a kernel with its data in `level` on
 * this core; or on the nearest core of its vendor if no row has this core and the kernel's instruction set. NULL:
 * nothing is known, or the program's first guess won. Pure. */
const char *wisdom_variant(const struct uarch *uarch, const char *level, const char *kernel);

/* An earlier step whose code is a good guess for step `at`: the same kernel elsewhere, or the same operation of another
 * type. SIZE_MAX: none. */
size_t choose_relative(const struct plan *plan, size_t at);

/* Sets the step's first code and size; `by_wisdom`: with the winner on this microarchitecture. */
void choose_first(struct campaign *campaign, size_t step, bool by_wisdom);

/* Other code that could be better, in this order. Each is tried once per step, and only if a gain is possible.
 * choose_follow() is repeated when a relative or a follower has found new code, and later if that step stays ahead with
 * the same code: the core may have been disturbed. */
bool choose_wants_variants(const struct campaign *campaign, size_t step);
bool choose_variants(struct campaign *campaign, size_t step, struct error *err);
bool choose_wants_sizes(const struct campaign *campaign, size_t step);
bool choose_sizes(struct campaign *campaign, size_t step, struct error *err);
bool choose_wants_follow(const struct campaign *campaign, size_t step);
bool choose_follow(struct campaign *campaign, size_t step, struct error *err);
bool choose_wants_shapes(const struct campaign *campaign, size_t step);
bool choose_shapes(struct campaign *campaign, size_t step, struct error *err);

/* A gain is possible, but the last attempt was too recent, or found the core disturbed. */
bool choose_follow_waits(const struct campaign *campaign, size_t step);
bool choose_shapes_wait(const struct campaign *campaign, size_t step);

/* Restarts the search for a step that still stays below its documented limit: some code runs at different speeds, and
 * short tries may have met a slow run. Without a limit, searches the rest of the map. False: not for this step, or
 * often enough. */
bool choose_again(struct campaign *campaign, size_t step);

/* Chooses among the sizes of a level: the best of merits[i] that another size supports within 4 %, else the middle
 * size. The middle size also wins if it lies on that plateau: another size is higher only by chance or because of the
 * inner level (seen in a Zen 3's L2: 33.2 bytes per cycle at twice the L1, 32.0 at four times). Sizes from `alone_from`
 * need no support, and only 1 % more than the middle: in L1 (0) no inner level raises a small size, and in no private
 * cache does one raise a larger size than the middle one. */
unsigned choose_plateau(const double *merits, unsigned count, unsigned middle, unsigned alone_from);
