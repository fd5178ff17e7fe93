/* SPDX-License-Identifier: BSD-3-Clause
 * The table of element types. The build-time generator links it too. */
#include "element.h"

#include <string.h>

const struct element element_table[TYPE_COUNT] = {
    [TYPE_NONE] = {"", 8, false},   [TYPE_F64] = {"f64", 8, false},   [TYPE_F32] = {"f32", 4, false},
    [TYPE_F16] = {"f16", 2, false}, [TYPE_BF16] = {"bf16", 2, false}, [TYPE_I8] = {"i8", 1, true},
    [TYPE_I16] = {"i16", 2, true},  [TYPE_I32] = {"i32", 4, true},    [TYPE_I64] = {"i64", 8, true},
};

enum element_type element_find(const char *name) {
    for (enum element_type type = TYPE_F64; type < TYPE_COUNT; type++)
        if (strcmp(element_table[type].name, name) == 0)
            return type;
    return TYPE_NONE;
}
