/* SPDX-License-Identifier: BSD-3-Clause
 * Classes of instructions by form, and their names. */
#include "core_classes.h"

#include <stdio.h>
#include <string.h>

const struct core_class *core_class_of(const char *form) {
    for (const struct core_class *class = core_classes; class->name; class ++)
        for (unsigned i = 0; i < sizeof class->forms / sizeof *class->forms && class->forms[i]; i++)
            if (strcmp(class->forms[i], form) == 0)
                return class;
    return NULL;
}

const char *core_class_text(const struct core_class *class, char *out, size_t size) {
    snprintf(out, size, "%s%s%s", class ? class->name : "", class && *class->variant ? ", " : "",
             class ? class->variant : "");
    return out;
}
