/* SPDX-License-Identifier: BSD-3-Clause */
#include "ranges.h"

#include <math.h>
#include <string.h>

#include "bench/kernels/sample.h"
#include "probe/error.h"

/* Wide enough for a cluster's run of a year and a single cycle's part; narrow enough that no quotient or sum of two
 * leaves the numbers that a double can hold. */
static const struct unit_range RANGES[] = {
    {NULL, 1e-15, 1e18},
    {"share", 1e-15, 10}, /* a region's median time may exceed its program's a little */
    {"s", 1e-15, 1e10},
    {"ns", 1, 1e19},
    {"Hz", 1, 1e12},
    {"B/s", 1e-3, 1e21},
    {"flop/s", 1e-3, 1e21},
    {"B/s or s", 1e-15, 1e21},
    {"flop/s, B/s or s", 1e-15, 1e21},
    {"flop/s (op/s of integer types, `….i8.…`), B/s or s", 1e-15, 1e21},
    {"B", 1e-6, 1e26},
    {"flop", 1e-6, 1e26},
    {"flop/B", 1e-6, 1e6},
    {"per cycle and core", 1e-9, 1e9},
    {"cycles", 1e-9, 1e12},
    {"CPUs", 1e-15, 1e7},
    {"bit", 1, 1e9},
    {"°C", 1e-3, 1e3},
};

/* Numbers of one record are rounded one by one, to four digits at least. */
static const double ROUNDED = 2e-3, FOLLOWS_WITHIN = 0.01;

const struct unit_range *range_of(const char *unit) {
    for (size_t i = 0; i < sizeof RANGES / sizeof RANGES[0]; i++) {
        const char *own = RANGES[i].unit;
        if (own == unit || (own && unit && own[0] == unit[0] && strcmp(own, unit) == 0))
            return &RANGES[i];
    }
    return NULL;
}

double range_floor(const char *unit, double value) {
    const struct unit_range *range = range_of(unit);
    return range && fabs(value) < range->low ? 0 : value;
}

bool range_contains(double low, double high, double value) {
    return low <= value * (1 + ROUNDED) && value <= high * (1 + ROUNDED);
}

bool range_rate_fits(bool latency, double value, double per_cycle, double clock_hz, unsigned cores) {
    if (!(value > 0) || !(per_cycle > 0) || !(clock_hz > 0) || cores == 0)
        return true;
    const double follows = latency ? per_cycle / clock_hz / cores : per_cycle * clock_hz * cores;
    return fabs(value / follows - 1) <= FOLLOWS_WITHIN;
}

static bool in_range(const struct field *row, double number, struct error *err) {
    if (number == 0)
        return true;
    const struct unit_range *range = range_of(row->unit);
    if (!range || (number >= range->low && number <= range->high))
        return true;
    return error_set(err, "%s: must be 0, or from %g to %g%s%s, not %g", row->key, range->low, range->high,
                     row->unit ? " " : "", row->unit ? row->unit : "", number);
}

/* Numbers one after another; of intervals: value, low, high, value, … */
static bool numbers_hold(const struct field *row, const double *numbers, struct error *err) {
    const size_t count = row->size / sizeof *numbers;
    for (size_t i = 0; i < count; i++)
        if (!in_range(row, numbers[i], err))
            return false;
    for (size_t i = 0; row->intervals && i + 2 < count; i += 3)
        if (!range_contains(numbers[i + 1], numbers[i + 2], numbers[i]))
            return error_set(err, "%s: must be a value between the ends of its interval, not [%g, %g, %g]", row->key,
                             numbers[i], numbers[i + 1], numbers[i + 2]);
    return true;
}

static bool statistics_hold(const struct field *row, const struct statistics *s, struct error *err) {
    const double numbers[] = {s->min, s->q1, s->median, s->q3, s->max};
    for (size_t i = 0; i < 5; i++) {
        if (!in_range(row, numbers[i], err))
            return false;
        if (i > 0 && numbers[i] < numbers[i - 1] * (1 - ROUNDED))
            return error_set(err, "%s: must be [n, kept, min, q1, median, q3, max], the last five in this order",
                             row->key);
    }
    return s->n == 0 || s->kept <= s->n || error_set(err, "%s: must not keep more than its n repetitions", row->key);
}

static bool parts_hold(const struct field *row, const void *record, struct error *err) {
    const char *entries = field_entries(row, record);
    for (size_t i = 0; entries && i < field_count(row, record); i++) {
        const void *entry = entries + i * row->size;
        const char *wrong = row->fits ? row->fits(entry) : NULL;
        struct error inner;
        if (!wrong && ranges_hold(row->of, entry, &inner))
            continue;
        char at[24] = "";
        if (row->type != FIELD_RECORD)
            snprintf(at, sizeof at, "[%zu]", i);
        return error_set(err, "%s%s%s%s", row->key, at,
                         wrong           ? ": "
                         : row->of->bare ? ""
                                         : ".",
                         wrong ? wrong : inner.text);
    }
    return true;
}

static bool row_holds(const struct field *row, const void *record, struct error *err) {
    const void *at = (const char *)record + row->offset;
    switch (row->type) {
    case FIELD_NUMBER:
    case FIELD_AMOUNT:
    case FIELD_NUMBERS:
        return numbers_hold(row, at, err);
    case FIELD_STATISTICS:
        return statistics_hold(row, at, err);
    case FIELD_RECORD:
    case FIELD_LIST:
    case FIELD_ALLOCATED:
        return parts_hold(row, record, err);
    default: /* counts have the range of their type */
        return true;
    }
}

bool ranges_hold(const struct field *fields, const void *record, struct error *err) {
    for (const struct field *row = fields; row->key; row++)
        if (!row_holds(row, record, err))
            return false;
    return true;
}

void ranges_print(FILE *out) {
    fputs("| unit | from | to |\n|---|---|---|\n", out);
    for (size_t i = 0; i < sizeof RANGES / sizeof RANGES[0]; i++)
        fprintf(out, "| %s | %g | %g |\n", RANGES[i].unit ? RANGES[i].unit : "none", RANGES[i].low, RANGES[i].high);
}
