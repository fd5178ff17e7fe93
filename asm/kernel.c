/* SPDX-License-Identifier: BSD-3-Clause
 * Search in the generated table of kernels, and their names. */
#include "kernel.h"

#include <stdio.h>
#include <string.h>

#include "arithmetic.h"

const char *kernel_operation(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot ? dot + 1 : name;
}

enum element_type kernel_type(const char *name) {
    char type[8];
    const char *first = strchr(name, '.'), *last = strrchr(name, '.');
    if (first == last || last - first > (ptrdiff_t)sizeof type)
        return TYPE_NONE;
    snprintf(type, sizeof type, "%.*s", (int)(last - first - 1), first + 1);
    return element_find(type);
}

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

const struct kernel *kernel_find_variant(const char *name, const char *variant) {
    size_t count = 0;
    const struct kernel *const *kernels = kernel_find(name, &count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(kernels[i]->variant, variant) == 0)
            return kernels[i];
    return NULL;
}

const struct isa *kernel_isa(size_t index) {
    const struct isa *isa = NULL;
    for (size_t k = 0; k < kernel_count; k++)
        if (kernel_table[k]->isa != NULL && kernel_table[k]->isa != isa) {
            isa = kernel_table[k]->isa; /* those of one stand together */
            if (index-- == 0)
                return isa;
        }
    return NULL;
}

const struct isa *kernel_vectors(void) {
    size_t i = 0;
    while (kernel_isa(i)->operands != ISA_VECTORS)
        i++;
    return kernel_isa(i);
}

static bool computes(const char *op) {
    for (size_t k = 0; k < kernel_count; k++)
        if (kernel_table[k]->kind == KERNEL_COMPUTE && strcmp(kernel_table[k]->op, op) == 0)
            return true;
    return false;
}

const struct arithmetic *kernel_arithmetic(size_t index) {
    for (size_t i = 0; i < arithmetic_count; i++)
        if (computes(arithmetic_table[i].op) && index-- == 0)
            return &arithmetic_table[i];
    return NULL;
}
