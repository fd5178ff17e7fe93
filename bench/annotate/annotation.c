/* SPDX-License-Identifier: BSD-3-Clause
 * The end of annotations (see annotation.h). */
#include "annotation.h"

#include <stdlib.h>

void annotations_free(struct annotation *annotations, size_t count) {
    for (size_t i = 0; i < count; i++) {
        free(annotations[i].lines);
        free(annotations[i].instructions);
    }
    free(annotations);
}
