/* SPDX-License-Identifier: BSD-3-Clause
 * Winners by microarchitecture (see wisdom.h). */
#include "wisdom.h"

#include <stdint.h>
#include <string.h>

static size_t place_of(const struct uarch *uarch) {
    size_t at = 0;
    while (uarch_at(at) && uarch_at(at) != uarch)
        at++;
    return at;
}

/* Rows of the table of microarchitectures apart, which are in the order of their years; SIZE_MAX: another vendor's. */
static size_t distance(const struct uarch *a, const struct uarch *b) {
    const size_t at = place_of(a), other = place_of(b);
    if (!b || strcmp(uarch_vendor(a), uarch_vendor(b)) != 0)
        return SIZE_MAX;
    return at > other ? at - other : other - at;
}

static bool same_isa(const char *kernel, const char *other) {
    const size_t length = strcspn(kernel, ".");
    return strncmp(kernel, other, length + 1) == 0;
}

const char *wisdom_variant(const struct uarch *uarch, const char *level, const char *kernel) {
    const struct uarch *nearest = NULL;
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < wisdom_count && uarch; i++) {
        const struct uarch *other =
            same_isa(kernel, wisdom_table[i].kernel) ? uarch_named(wisdom_table[i].uarch) : NULL;
        if (other && other != nearest && distance(uarch, other) < least) {
            least = distance(uarch, other);
            nearest = other;
        }
    }
    for (size_t i = 0; i < wisdom_count && nearest; i++)
        if (uarch_named(wisdom_table[i].uarch) == nearest && strcmp(wisdom_table[i].level, level) == 0 &&
            strcmp(wisdom_table[i].kernel, kernel) == 0)
            return wisdom_table[i].variant;
    return NULL;
}
