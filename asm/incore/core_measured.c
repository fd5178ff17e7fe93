/* SPDX-License-Identifier: BSD-3-Clause
 * Values of a measured core by form. */
#include "core_measured.h"

#include <stdlib.h>
#include <string.h>

const struct core_value *core_measured_find(const struct core_measured *measured, const char *form) {
    for (size_t i = 0; i < measured->count; i++)
        if (strcmp(measured->values[i].form, form) == 0)
            return &measured->values[i];
    return NULL;
}

void core_measured_free(struct core_measured *measured) {
    free(measured->values);
    *measured = (struct core_measured){0};
}
