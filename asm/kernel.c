/* SPDX-License-Identifier: BSD-3-Clause
 * Looking kernels up in the generated table. */
#include "kernel.h"

#include <string.h>

const struct kernel *const *kernel_find(const char *name, size_t *variants) {
    const struct kernel *const *end = kernel_table + kernel_count, *const *first = kernel_table;
    while (first < end && strcmp((*first)->name, name) != 0)
        first++;
    size_t count = 0;
    while (first + count < end && strcmp(first[count]->name, name) == 0)
        count++;
    if (variants != NULL)
        *variants = count;
    return count > 0 ? first : NULL;
}
