/* SPDX-License-Identifier: BSD-3-Clause
 * Which code and which working set a step is measured with. Private to the campaign (campaign.h). */
#ifndef BENCH_KERNELS_CHOOSE_H
#define BENCH_KERNELS_CHOOSE_H

#include <stddef.h>

#include "campaign.h"

#include "probe/uarch.h"

/* Which code won on each microarchitecture, from results that were kept (results/): where a search begins. What a
 * campaign ends with rests on its own measurements: a wrong row costs time. Pure. */

struct wisdom_row {
    const char *uarch, *level; /* "Zen 5"; "" for compute, else "L1" … "DRAM" */
    const char *kernel, *variant;
};

/* wisdom_table.c, which `make wisdom` writes. */
extern const struct wisdom_row wisdom_table[];
extern const size_t wisdom_count;

/* The variant (one of the program's own, or a shape such as "2x48") that won for a kernel whose data lie in `level`: on
 * this core; on the nearest one of its vendor where no row is of this core and the kernel's instruction set. NULL:
 * nothing is known, or the program's first guess won. */
const char *wisdom_variant(const struct uarch *uarch, const char *level, const char *kernel);

/* The step whose choice is a good guess for step `at`: the same kernel elsewhere, or the same operation of another
 * type; an earlier one. SIZE_MAX: none. */
size_t choose_relative(const struct plan *plan, size_t at);

/* The step's first code and size: what won on this microarchitecture before, where that is wanted. */
void choose_first(struct campaign *campaign, size_t step, bool by_wisdom);

/* What else could be better, in this order. Each is done once for a step (choose_follow: whenever a relative, or one
 * who follows this step, has found something new; and again, later, where that one stays ahead with it: the core may
 * have been disturbed), and only where something is to be gained. */
bool choose_wants_variants(const struct campaign *campaign, size_t step);
bool choose_variants(struct campaign *campaign, size_t step, struct error *err);
bool choose_wants_sizes(const struct campaign *campaign, size_t step);
bool choose_sizes(struct campaign *campaign, size_t step, struct error *err);
bool choose_wants_follow(const struct campaign *campaign, size_t step);
bool choose_follow(struct campaign *campaign, size_t step, struct error *err);
bool choose_wants_shapes(const struct campaign *campaign, size_t step);
bool choose_shapes(struct campaign *campaign, size_t step, struct error *err);

/* Something is to be gained by it, but it has to wait: it was tried while the core was disturbed. */
bool choose_follow_waits(const struct campaign *campaign, size_t step);
bool choose_shapes_wait(const struct campaign *campaign, size_t step);

/* Begins the search anew for a step that stays under its documented limit all the same: some code runs in several ways,
 * and short tries may have met the slow one. Of one that has none the rest of the map is searched. False: not for this
 * one, or often enough. */
bool choose_again(struct campaign *campaign, size_t step);

/* The plateau among the sizes of a level: of merits[i] the best that another size supports within 4 %, else the middle
 * one; which it also is where it lies on that plateau: what makes another one higher there is the level inside (seen in
 * a Zen 3's L2: 33.2 bytes per cycle of twice the L1, 32.0 of four times), or chance. L1 has nothing inside it that
 * could raise a small size, so there the best counts. */
unsigned choose_plateau(const double *merits, unsigned count, bool innermost);

#endif
