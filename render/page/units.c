/* SPDX-License-Identifier: BSD-3-Clause
 * Number formatting. The exponent is taken after rounding, so that 999.96e6 becomes "1 G" and never "1000 M". */
#include "units.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* From here on a plain number becomes a power of ten: nobody counts its digits. */
static const double LONG = 1e6;

static bool not_finite(char *out, size_t n, double value) {
    if (isfinite(value))
        return false;
    snprintf(out, n, "n/a");
    return true;
}

static void drop_zeros(char *text) {
    if (!strchr(text, '.'))
        return;
    char *end = text + strlen(text);
    while (end[-1] == '0')
        *--end = 0;
    if (end[-1] == '.')
        *--end = 0;
}

/* Rounds to this number of significant digits and returns the decimal exponent of the result. */
static double round_digits(double value, int digits, int *exponent) {
    char text[40];
    snprintf(text, sizeof text, "%.*e", digits - 1, value);
    *exponent = value == 0 ? 0 : atoi(strchr(text, 'e') + 1);
    return value == 0 ? 0 : strtod(text, NULL);
}

char *units_digits(char *out, size_t n, double value, int digits) {
    if (not_finite(out, n, value))
        return out;
    int exponent;
    double rounded = round_digits(value, digits, &exponent);
    if (exponent < -6 || exponent >= 8)
        return units_number_digits(out, n, value, digits);
    int decimals = digits - 1 - exponent;
    snprintf(out, n, "%.*f", decimals > 0 ? decimals : 0, rounded);
    return out;
}

char *units_fixed(char *out, size_t n, double value, int decimals) {
    if (not_finite(out, n, value))
        return out;
    if (fabs(value) >= LONG)
        return units_number(out, n, value);
    snprintf(out, n, "%.*f", decimals, value);
    return out;
}

char *units_percent(char *out, size_t n, double ratio, int decimals) {
    char number[UNITS_BYTES - 4];
    const bool known = isfinite(ratio);
    snprintf(out, n, "%s%s", units_fixed(number, sizeof number, 100 * ratio, decimals), known ? " %" : "");
    return out;
}

char *units_change(char *out, size_t n, double ratio, int decimals) {
    char percent[UNITS_BYTES - 1];
    const bool plus = isfinite(ratio) && !signbit(ratio);
    snprintf(out, n, "%s%s", plus ? "+" : "", units_percent(percent, sizeof percent, ratio, decimals));
    return out;
}

static char *trimmed(char *out, size_t n, double value, int digits) {
    units_digits(out, n, value, digits);
    drop_zeros(out);
    return out;
}

/* `write` is units_digits() or trimmed(): with or without zeros at the end. */
static char *with_prefix(char *out, size_t n, double value, const char *unit, int digits,
                         char *(*write)(char *, size_t, double, int)) {
    static const char *const prefixes[] = {"a", "f", "p", "n", "µ", "m", "", "k", "M", "G", "T", "P", "E", "Z", "Y"};
    const int base = 6, count = sizeof prefixes / sizeof *prefixes;

    if (not_finite(out, n, value))
        return out;
    int exponent;
    double rounded = round_digits(value, digits, &exponent);
    int row = base + (exponent >= 0 ? exponent / 3 : -((2 - exponent) / 3));
    const bool named = row >= 0 && row < count;
    row = named ? row : base;
    char number[UNITS_BYTES];
    if (named)
        write(number, sizeof number, rounded / pow(10, 3 * (row - base)), digits);
    else
        units_number_digits(number, sizeof number, value, digits);
    bool bare = !unit || !*unit;
    snprintf(out, n, "%s%s%s%s", number, bare && row == base ? "" : " ", prefixes[row], bare ? "" : unit);
    return out;
}

char *units_si_digits(char *out, size_t n, double value, const char *unit, int digits) {
    return with_prefix(out, n, value, unit, digits, trimmed);
}

char *units_column(char *out, size_t n, double value, const char *unit) {
    return with_prefix(out, n, value, unit, 3, units_digits);
}

char *units_si(char *out, size_t n, double value, const char *unit) {
    return units_si_digits(out, n, value, unit, 3);
}

char *units_binary(char *out, size_t n, double bytes) {
    return units_binary_digits(out, n, bytes, 3);
}

char *units_binary_digits(char *out, size_t n, double bytes, int digits) {
    static const char *const prefixes[] = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "Zi", "Yi"};
    const size_t count = sizeof prefixes / sizeof *prefixes;

    if (not_finite(out, n, bytes))
        return out;
    size_t row = 0;
    double scaled = bytes;
    /* 1023.7 would round to four digits of the smaller prefix; whole numbers up to 1023 keep all digits. */
    while (row + 1 < count && fabs(scaled) >= 1023.5) {
        scaled /= 1024;
        row++;
    }
    char number[UNITS_BYTES];
    if (fabs(scaled) >= LONG)
        units_number_digits(number, sizeof number, scaled, digits);
    else
        trimmed(number, sizeof number, scaled, digits < 4 && fabs(scaled) >= 1000 ? 4 : digits);
    snprintf(out, n, "%s %sB", number, prefixes[row]);
    return out;
}

char *units_seconds(char *out, size_t n, double seconds) {
    /* Nobody uses kiloseconds: plain seconds from 1000 s on. */
    if (fabs(seconds) < 999.5)
        return units_si(out, n, seconds, "s");
    if (not_finite(out, n, seconds))
        return out;
    char number[UNITS_BYTES];
    snprintf(out, n, "%s s", units_fixed(number, sizeof number, seconds, 0));
    return out;
}

char *units_fraction(char *out, size_t n, double value) {
    double inverse = 1 / value, whole = round(inverse);
    if (value > 0 && value < 1 && whole <= 65536 && fabs(inverse - whole) < 1e-9 * whole)
        snprintf(out, n, "1/%.0f", whole);
    else if (value >= 1 && value <= 65536 && value == exp2(round(log2(value)))) /* 1024, not 1020 */
        snprintf(out, n, "%.0f", value);
    else
        units_number(out, n, value);
    return out;
}

static void superscript(char out[40], int exponent) {
    static const char *const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    char decimal[12];
    snprintf(decimal, sizeof decimal, "%d", abs(exponent));
    strcpy(out, exponent < 0 ? "⁻" : "");
    for (const char *d = decimal; *d; d++)
        strcat(out, digits[*d - '0']);
}

char *units_power(char *out, size_t n, double value) {
    int exponent;
    char power[40];
    if (!(value > 0) || frexp(value, &exponent) != 0.5)
        return units_number(out, n, value);
    superscript(power, exponent - 1);
    snprintf(out, n, "2%s", power);
    return out;
}

char *units_number(char *out, size_t n, double value) {
    return units_number_digits(out, n, value, 3);
}

char *units_number_digits(char *out, size_t n, double value, int digits) {
    if (not_finite(out, n, value))
        return out;
    int exponent;
    round_digits(value, digits, &exponent);
    if (exponent >= -4 && exponent < 6)
        return trimmed(out, n, value, digits);
    char mantissa[UNITS_BYTES], power[40];
    snprintf(mantissa, sizeof mantissa, "%.*e", digits - 1, value);
    *strchr(mantissa, 'e') = '\0'; /* no quotient by a power of ten that a double cannot hold */
    drop_zeros(mantissa);
    superscript(power, exponent);
    bool one = strcmp(mantissa, "1") == 0;
    snprintf(out, n, "%s%s10%s", one ? "" : mantissa, one ? "" : "×", power);
    return out;
}
