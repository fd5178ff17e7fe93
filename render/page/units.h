/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers as text: prefixes, fractions, three significant digits. The only place that prints "G", "Gi" or "µ". Every
 * function fills out (n bytes, always terminated) and returns it, so that it can be a printf argument. Zeros at the
 * end are dropped ("5.4 ns", not "5.40 ns"). No number gets long, whatever its value: beyond a million or the prefixes it
 * becomes a power of ten (3×10³⁰), and what is not finite "n/a". UNITS_BYTES are enough. */
#pragma once

#include <stddef.h>

enum { UNITS_BYTES = 32 };

/* 89.4e9, "flop/s" → "89.4 Gflop/s". Without a unit (NULL or ""): "89.4 G". */
char *units_si(char *out, size_t n, double value, const char *unit);

/* The same with always three digits, for columns of numbers: 58e9, "B/s" → "58.0 GB/s". */
char *units_column(char *out, size_t n, double value, const char *unit);

/* The same with 1 to 9 significant digits: 2.996e9, "Hz", 4 → "2.996 GHz". */
char *units_si_digits(char *out, size_t n, double value, const char *unit, int digits);

/* Bytes: 49152 → "48 KiB". Below 1 KiB: "512 B". */
char *units_binary(char *out, size_t n, double bytes);
char *units_binary_digits(char *out, size_t n, double bytes, int digits);

/* Times: 5.4e-9 → "5.4 ns", 90 → "90 s". */
char *units_seconds(char *out, size_t n, double seconds);

/* 1/n if that is exact for n up to 65536, else a number: 0.015625 → "1/64", 4 → "4". */
char *units_fraction(char *out, size_t n, double value);

/* A power of two with a whole exponent: 1024 → "2¹⁰"; other values as plain numbers. */
char *units_power(char *out, size_t n, double value);

/* A plain number: 0.125 → "0.125", 12345 → "12300", 3e9 → "3×10⁹". */
char *units_number(char *out, size_t n, double value);
char *units_number_digits(char *out, size_t n, double value, int digits);

/* With this number of decimals: 12.345, 1 → "12.3". */
char *units_fixed(char *out, size_t n, double value, int decimals);

/* A ratio in percent: 0.1234, 1 → "12.3 %"; as a change with its sign: "+12.3 %". */
char *units_percent(char *out, size_t n, double ratio, int decimals);
char *units_change(char *out, size_t n, double ratio, int decimals);

/* Exactly this number of significant digits, for columns: 32, 3 → "32.0". */
char *units_digits(char *out, size_t n, double value, int digits);
