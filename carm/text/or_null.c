/* SPDX-License-Identifier: BSD-3-Clause
 * JSON of unknown values and of doubts. */
#include "or_null.h"
#include "bench/kernels/doubt.h"
#include "carm/store/shape.h"

#include <math.h>

json_t *number_or_null(double value) {
    return isfinite(value) && !shape_wanted() ? json_real(value) : shape_unknown("number");
}

json_t *positive_or_null(double value) {
    return value > 0 ? number_or_null(value) : shape_unknown("number");
}

json_t *count_or_null(bool known, uint64_t count) {
    return known && !shape_wanted() ? json_integer((json_int_t)count) : shape_unknown("integer");
}

json_t *text_or_null(const char *text) {
    return *text && !shape_wanted() ? json_string(text) : shape_unknown("string");
}

json_t *bool_or_null(bool known, bool value) {
    return known && !shape_wanted() ? json_boolean(value) : shape_unknown("boolean");
}

json_t *doubts_json(struct doubts doubts) {
    json_t *names = json_array();
    if (shape_wanted())
        json_array_append_new(names, json_string(""));
    for (unsigned i = 0; i < DOUBT_COUNT; i++)
        if (doubts_has(doubts, i))
            json_array_append_new(names, json_string(doubt_table[i].name));
    return names;
}
