/* SPDX-License-Identifier: BSD-3-Clause
 * Inclusion of the caches of documented products, and their TLBs: not needed, since the exact counter, which simulates
 * caches, is of x86-64 alone. */
#include <stddef.h>

#include "bench/programs/levels_geometry.h"

const struct uarch_caches *uarch_caches_at(unsigned index) {
    (void)index;
    return NULL;
}

const struct uarch_caches *uarch_caches_of(const struct uarch *uarch) {
    (void)uarch;
    return NULL;
}
