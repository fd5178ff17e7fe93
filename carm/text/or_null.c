/* SPDX-License-Identifier: BSD-3-Clause
 * JSON of what may not be known (see or_null.h). */
#include "or_null.h"

#include <math.h>

json_t *number_or_null(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *positive_or_null(double value) {
    return value > 0 ? number_or_null(value) : json_null();
}

json_t *text_or_null(const char *text) {
    return *text ? json_string(text) : json_null();
}
