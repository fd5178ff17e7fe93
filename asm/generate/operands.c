/* SPDX-License-Identifier: BSD-3-Clause
 * Operands that stay normal numbers for any length of run, since denormals, infinities and NaNs cost microcode assists:
 * constants and start values of every type, found by trial, and the configuration of tiles. */
#include "generate.h"

#include <assert.h>
#include <math.h>
#include <string.h>

unsigned operands_offset_bytes(unsigned row) {
    return row * LINE_BYTES;
}

/* Rounds to the nearest number of the type. Results computed in double are rounded as by the type's own arithmetic,
 * since double has more than twice its digits. */
static double rounded(enum element_type type, double x) {
    enum { F16_DIGITS = 11 };
    int exponent;
    if (type == TYPE_F32)
        return (double)(float)x;
    if (type != TYPE_F16)
        return x;
    frexp(x, &exponent);
    return ldexp(nearbyint(ldexp(x, F16_DIGITS - exponent)), exponent - F16_DIGITS);
}

/* Steps have few bits, so that adding and subtracting them is exact. */
static double step_value(unsigned lane) {
    return (9 + lane) / 32.0;
}

static const double scale = 1.40625, fma_factor = 0.546875;

/* A contraction passes close to zero on its way to its fixed point: never so close that it becomes denormal, whichever
 * of its two steps comes first. */
static bool fma_stays_normal(enum element_type type, double x, double step) {
    enum { STEPS = 256 };
    double least = type == TYPE_F16 ? 0x1p-12 : type == TYPE_F32 ? 0x1p-120 : 0x1p-1000, y = x;
    bool normal = true;
    for (unsigned n = 0; n < STEPS && normal; n++) {
        x = rounded(type, fma(x, fma_factor, n % 2 == 0 ? step : -step));
        y = rounded(type, fma(y, fma_factor, n % 2 != 0 ? step : -step));
        normal = fabs(x) > least && fabs(y) > least;
    }
    return normal;
}

/* A suitable start value returns exactly after adding and subtracting a step, and after scaling up and down by products
 * and by quotients, in either order: its orbit then has two elements for ever. Most values are suitable. */
static bool start_returns(enum element_type type, double x, double step) {
    double back = rounded(type, 1 / scale);
    return rounded(type, rounded(type, x + step) - step) == x && rounded(type, rounded(type, x - step) + step) == x &&
           rounded(type, rounded(type, x * scale) * back) == x && rounded(type, rounded(type, x * back) * scale) == x &&
           rounded(type, rounded(type, x / scale) / back) == x && rounded(type, rounded(type, x / back) / scale) == x &&
           fma_stays_normal(type, x, step);
}

/* Fraction bits that fit the significand beside the step's. Dot products add up exactly to three digits before the
 * point. */
static int fraction_bits(enum element_type type) {
    return type == TYPE_F64 ? 48 : type == TYPE_F32 ? 20 : type == TYPE_F16 ? 8 : 12;
}

static double start_value(enum element_type type, unsigned row, unsigned lane) {
    int bits = fraction_bits(type);
    double x = 2.5 + fmod((row * 16 + lane) * 0.6180339887, 1.0);
    for (unsigned tries = 0; tries < 10000; tries++) {
        x = ldexp(floor(ldexp(x, bits)), -bits);
        if (type == TYPE_BF16 || start_returns(type, x, step_value(lane)))
            return x;
        x += ldexp(1, -bits);
    }
    fprintf(stderr, "generate: no start value for %s row %u, lane %u\n", element_table[type].name, row, lane);
    assert(false);
    return x;
}

static double operand_value(enum element_type type, unsigned row, unsigned lane) {
    switch (row) {
    case ROW_STEP:
        return step_value(lane);
    case ROW_SCALE:
        return scale;
    case ROW_SCALE_BACK:
        return rounded(type, 1 / scale);
    case ROW_SCALE_NEGATIVE: /* of dot products: added products are subtracted again */
        return -scale;
    case ROW_FMA:
        return fma_factor;
    default:
        return start_value(type, row, lane);
    }
}

static uint16_t bits_of_f16(double x) {
    enum { BIAS = 15, FRACTION_BITS = 10 };
    int exponent;
    double fraction = frexp(fabs(x), &exponent); /* in [0.5, 1) */
    return (uint16_t)((x < 0) << 15 | (exponent - 1 + BIAS) << FRACTION_BITS |
                      ((int)ldexp(fraction, FRACTION_BITS + 1) & ((1 << FRACTION_BITS) - 1)));
}

static uint32_t bits_of_f32(double x) {
    float narrow = (float)x;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    return bits;
}

/* Factors of a dot product. The first is positive, since i8 has it unsigned; the second has both signs, so that added
 * products are subtracted again. Small numbers, so that bf16 and the sums are exact. */
static int factor(unsigned row, unsigned lane) {
    int second = 17 + (int)(lane % 8);
    bool negative = row == ROW_SCALE_BACK || row == ROW_SCALE_NEGATIVE;
    return row == ROW_STEP ? 9 + (int)lane : row == ROW_SCALE ? second : negative ? -second : 0;
}

/* Eight tiles of 16 rows of 64 bytes (Intel SDM vol. 1, tile configuration, palette 1). */
static void tiles_write(uint8_t *bytes) {
    enum { TILES = 8, ROWS = 16, ROW_BYTES_AT = 16, ROWS_AT = 48 };
    memset(bytes, 0, LINE_BYTES);
    bytes[0] = 1;
    for (unsigned tile = 0; tile < TILES; tile++) {
        bytes[ROW_BYTES_AT + 2 * tile] = LINE_BYTES;
        bytes[ROWS_AT + tile] = ROWS;
    }
}

/* One row of the table of a narrow type. The sums of dot products have 32 bits. */
static void narrow_row(enum element_type type, unsigned row, uint32_t words[LINE_BYTES / 4]) {
    uint8_t *bytes = (uint8_t *)words;
    if (row == ROW_TILES) {
        tiles_write(bytes);
        return;
    }
    for (unsigned lane = 0; row >= ROW_START && type != TYPE_F16 && lane < LINE_BYTES / 4; lane++)
        words[lane] =
            element_table[type].integer ? 1000003u * (16 * row + lane) : bits_of_f32(start_value(type, row, lane));
    if (row >= ROW_START && type != TYPE_F16)
        return;
    for (unsigned byte = 0; byte < LINE_BYTES && element_table[type].integer; byte++)
        bytes[byte] = (uint8_t)factor(row, byte);
    for (unsigned lane = 0; lane < LINE_BYTES / 2 && !element_table[type].integer; lane++) {
        uint16_t half = type == TYPE_F16 ? bits_of_f16(operand_value(type, row, lane))
                                         : (uint16_t)(bits_of_f32(factor(row, lane) / 16.0) >> 16);
        memcpy(bytes + 2 * lane, &half, sizeof half);
    }
}

static void narrow_write(FILE *out, enum element_type type) {
    fprintf(out, "\nconst _Alignas(64) uint32_t kernel_operands_%s[%u][16] = {\n", element_table[type].name, ROW_COUNT);
    for (unsigned row = 0; row < ROW_COUNT; row++) {
        uint32_t words[LINE_BYTES / 4];
        narrow_row(type, row, words);
        fputs("    {", out);
        for (unsigned i = 0; i < LINE_BYTES / 4; i++)
            fprintf(out, "%s%#x", i > 0 ? ", " : "", words[i]);
        fputs("},\n", out);
    }
    fputs("};\n", out);
}

void operands_write(FILE *out, enum element_type type) {
    if (type > TYPE_F32) {
        narrow_write(out, type);
        return;
    }
    bool f32 = type == TYPE_F32;
    unsigned lanes = LINE_BYTES / element_table[type].bytes;
    fprintf(out, "\nconst _Alignas(64) %s kernel_operands_%s[%u][%u] = {\n", f32 ? "float" : "double",
            element_table[type].name, ROW_TILES, lanes);
    for (unsigned row = 0; row < ROW_TILES; row++) {
        fputs("    {", out);
        for (unsigned lane = 0; lane < lanes; lane++)
            fprintf(out, "%s%a%s", lane > 0 ? ", " : "", operand_value(type, row, lane), f32 ? "f" : "");
        fputs("},\n", out);
    }
    fputs("};\n", out);
}
