/* SPDX-License-Identifier: BSD-3-Clause
 * Lengths of pictures, with their units. */
#include "carm/options/picture_options.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static void lengths_with_units(void **state) {
    static const struct {
        const char *text;
        double points;
        bool pixels;
        const char *rest;
    } ROWS[] = {
        {"8.5cm", 240.945, false, ""},
        {"85mm", 240.945, false, ""},
        {"3.3in", 237.6, false, ""},
        {"240pt", 240, false, ""},
        {"1200px", 900, true, ""},
        {".5in", 36, false, ""},
        {"12cmx8cm", 340.157, false, "x8cm"},
        {"5cm2", 141.732, false, "2"},
        {"5px5", 3.75, true, "5"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
        const char *end;
        double points;
        bool pixels;
        assert_true(picture_length(ROWS[i].text, false, &end, &points, &pixels));
        assert_true(fabs(points - ROWS[i].points) < 0.001);
        assert_int_equal(pixels, ROWS[i].pixels);
        assert_string_equal(end, ROWS[i].rest);
    }
}

static void no_lengths(void **state) {
    static const char *const TEXTS[] = {"",      "cm",  "0cm",    "-1cm",  " 5cm",  "+5cm",  "nancm", "infcm",
                                        "0x5cm", "8.5", "8.5 cm", "8.5CM", "1e3cm", "..5cm", "8,5cm", "1.2.3cm"};
    const char *end;
    double points;
    bool pixels;
    (void)state;
    for (size_t i = 0; i < sizeof TEXTS / sizeof TEXTS[0]; i++)
        assert_false(picture_length(TEXTS[i], false, &end, &points, &pixels));
    assert_true(picture_length("960x640", true, &end, &points, &pixels) && points == 960 && *end == 'x');
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lengths_with_units), cmocka_unit_test(no_lengths)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
