/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers as text. One row is one number; the tricky ones round into the next prefix. */
#include "render/page/units.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static void si(void **state) {
    static const struct {
        double value;
        const char *unit, *text;
    } rows[] = {
        {89.4e9, "flop/s", "89.4 Gflop/s"},
        {89.44e9, "flop/s", "89.4 Gflop/s"},
        {32e9, "B/s", "32 GB/s"},
        {999.4e6, "B/s", "999 MB/s"},
        {999.6e6, "B/s", "1 GB/s"},
        {999.96, "Hz", "1 kHz"},
        {1.03e12, "B/s", "1.03 TB/s"},
        {0, "B/s", "0 B/s"},
        {-2.5e6, "B", "-2.5 MB"},
        {1e-3, "s", "1 ms"},
        {0.5, "flop", "500 mflop"},
        {1e18, "B", "1 EB"},
        {1e24, "B", "1 YB"},
        {3e30, "B/s", "3×10³⁰ B/s"},
        {1e308, "B/s", "10³⁰⁸ B/s"},
        {5e-324, "s", "4.94×10⁻³²⁴ s"},
        {20, "", "20"},
        {20e3, NULL, "20 k"},
        {NAN, "B/s", "n/a"},
        {INFINITY, "B/s", "n/a"},
        {-INFINITY, "B/s", "n/a"},
        {1e-15, "s", "1 fs"},
        {1e-21, "s", "10⁻²¹ s"},
    };
    char text[64];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(units_si(text, sizeof text, rows[i].value, rows[i].unit), rows[i].text);
    assert_string_equal(units_si_digits(text, sizeof text, 2.996e9, "Hz", 4), "2.996 GHz");
    assert_string_equal(units_column(text, sizeof text, 58e9, "B/s"), "58.0 GB/s");
    assert_string_equal(units_column(text, sizeof text, 0.9996e12, "flop/s"), "1.00 Tflop/s");
    assert_string_equal(units_column(text, sizeof text, 230.4e-9, "s"), "230 ns");
    assert_string_equal(units_column(text, sizeof text, 0, "B/s"), "0.00 B/s");
    assert_string_equal(units_si_digits(text, sizeof text, 2.9996e9, "Hz", 4), "3 GHz");
}

static void binary(void **state) {
    static const struct {
        double bytes;
        const char *text;
    } rows[] = {
        {0, "0 B"},
        {512, "512 B"},
        {1023, "1023 B"},
        {1024, "1 KiB"},
        {1536, "1.5 KiB"},
        {49152, "48 KiB"},
        {1000 * 1024, "1000 KiB"},
        {2097152, "2 MiB"},
        {1310720, "1.25 MiB"},
        {272629760, "260 MiB"},
        {2147483648.0, "2 GiB"},
        {1048575, "1 MiB"},
        {-4096, "-4 KiB"},
        {NAN, "n/a"},
        {INFINITY, "n/a"},
    };
    char text[64];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(units_binary(text, sizeof text, rows[i].bytes), rows[i].text);
}

static void seconds(void **state) {
    static const struct {
        double seconds;
        const char *text;
    } rows[] = {{5.4e-9, "5.4 ns"}, {200e-6, "200 µs"}, {0.0999996, "100 ms"}, {1, "1 s"},   {90, "90 s"},
                {1234, "1234 s"},   {0, "0 s"},         {1e-12, "1 ps"},       {NAN, "n/a"}, {INFINITY, "n/a"}};
    char text[64];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(units_seconds(text, sizeof text, rows[i].seconds), rows[i].text);
}

static void fractions_and_numbers(void **state) {
    static const struct {
        double value;
        const char *fraction, *number;
    } rows[] = {
        {1.0 / 64, "1/64", "0.0156"},
        {0.5, "1/2", "0.5"},
        {1.0 / 3, "1/3", "0.333"},
        {1, "1", "1"},
        {64, "64", "64"},
        {0.75, "0.75", "0.75"},
        {0, "0", "0"},
        {-0.5, "-0.5", "-0.5"},
        {12345, "12300", "12300"},
        {3e9, "3×10⁹", "3×10⁹"},
        {999999, "10⁶", "10⁶"},
        {NAN, "n/a", "n/a"},
        {2.5e-30, "2.5×10⁻³⁰", "2.5×10⁻³⁰"},
    };
    char text[64];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_string_equal(units_fraction(text, sizeof text, rows[i].value), rows[i].fraction);
        assert_string_equal(units_number(text, sizeof text, rows[i].value), rows[i].number);
    }
    assert_string_equal(units_fraction(text, sizeof text, 1e-5), "10⁻⁵");
    assert_string_equal(units_fraction(text, sizeof text, 1024), "1024");
    assert_string_equal(units_fraction(text, sizeof text, 65536), "65536");
    assert_string_equal(units_power(text, sizeof text, 1024), "2¹⁰");
    assert_string_equal(units_power(text, sizeof text, 1), "2⁰");
    assert_string_equal(units_power(text, sizeof text, 0.125), "2⁻³");
    assert_string_equal(units_power(text, sizeof text, 1000), "1000");
    assert_string_equal(units_power(text, sizeof text, 0), "0");
    assert_string_equal(units_digits(text, sizeof text, 32, 3), "32.0");
    assert_string_equal(units_digits(text, sizeof text, 128.34, 3), "128");
    assert_string_equal(units_digits(text, sizeof text, 0.99951, 3), "1.00");
}

/* No value, however odd, is printed with C's exponents or overruns the buffer. */
static void never_exponents(void **state) {
    char text[33];
    (void)state;
    for (int exponent = -320; exponent <= 308; exponent++)
        for (int sign = -1; sign <= 1; sign += 2) {
            double value = sign * 9.9951 * pow(10, exponent);
            text[32] = '!';
            char *(*const format[])(char *, size_t, double) = {units_binary, units_seconds, units_fraction,
                                                               units_number, units_power};
            for (size_t i = 0; i < sizeof format / sizeof *format; i++) {
                format[i](text, 32, value);
                assert_null(strstr(text, "e+"));
                assert_null(strstr(text, "e-"));
            }
            assert_null(strstr(units_si(text, 32, value, "B/s"), "e+"));
            assert_int_equal(text[32], '!');
        }
    assert_string_equal(units_si(text, 5, 89.4e9, "flop/s"), "89.4");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(si),
        cmocka_unit_test(binary),
        cmocka_unit_test(seconds),
        cmocka_unit_test(fractions_and_numbers),
        cmocka_unit_test(never_exponents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
