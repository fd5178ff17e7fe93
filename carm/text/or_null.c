/* SPDX-License-Identifier: BSD-3-Clause
 * JSON of unknown values and of doubts. */
#include "or_null.h"
#include "bench/kernels/doubt.h"

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

json_t *doubts_json(struct doubts doubts) {
    json_t *names = json_array();
    for (unsigned i = 0; i < DOUBT_COUNT; i++)
        if (doubts_has(doubts, i))
            json_array_append_new(names, json_string(doubt_table[i].name));
    return names;
}
