/* SPDX-License-Identifier: BSD-3-Clause
 * Tick choice: of the round steps, from the densest to the sparsest, the first whose labels do not touch. Plain
 * steps serve linear axes, and logarithmic axes with fewer than three round powers. */
#include "ticks.h"
#include "render/page/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct step {
    double every; /* number of exponents; for plain steps the step itself */
    int mantissa_count;
    double mantissas[3];
};

static const struct step steps_log10[] = {
    {1, 3, {1, 2, 5}}, {1, 2, {1, 3}}, {1, 1, {1}},  {2, 1, {1}},   {3, 1, {1}},   {5, 1, {1}},
    {10, 1, {1}},      {20, 1, {1}},   {50, 1, {1}}, {100, 1, {1}}, {200, 1, {1}},
};
static const struct step steps_log2[] = {
    {1, 1, {1}},  {2, 1, {1}},  {3, 1, {1}},   {4, 1, {1}},   {5, 1, {1}},   {10, 1, {1}},
    {20, 1, {1}}, {50, 1, {1}}, {100, 1, {1}}, {200, 1, {1}}, {500, 1, {1}},
};

static double scaled(enum plot_scale scale, double value) {
    return scale == PLOT_LINEAR ? value : scale == PLOT_LOG2 ? log2(value) : log10(value);
}

double axis_position(const struct plot_axis *axis, double value) {
    if (!isfinite(value) || (axis->scale != PLOT_LINEAR && value <= 0))
        return NAN;
    double low = scaled(axis->scale, axis->min), high = scaled(axis->scale, axis->max);
    return (scaled(axis->scale, value) - low) / (high - low);
}

const char *axis_trouble(const struct plot_axis *axis) {
    if (!isfinite(axis->min) || !isfinite(axis->max))
        return "its limits are not finite";
    if (axis->scale != PLOT_LINEAR && axis->min <= 0)
        return "a logarithmic scale cannot begin at 0 or below";
    if (!(axis->min < axis->max))
        return "its lower limit is not below the upper one";
    double low = scaled(axis->scale, axis->min), high = scaled(axis->scale, axis->max);
    if (!isfinite(high - low) || high - low < 1e-9 * fmax(fabs(low), fabs(high)))
        return "its limits are too close together or too far apart";
    if (axis->divisor < 0 || !isfinite(axis->divisor))
        return "its divisor is negative or not finite";
    return NULL;
}

static bool push(struct ticks *ticks, const struct plot_axis *axis, double value) {
    double at = axis_position(axis, value);
    bool between_counts = axis->unit == PLOT_UNIT_COUNT && fabs(value - round(value)) > 1e-9;
    if (!(at >= -1e-9 && at <= 1 + 1e-9) || between_counts)
        return true;
    if (ticks->count == (axis->name_count ? NAMES_MAX : TICKS_MAX))
        return false;
    ticks->ticks[ticks->count++] = (struct tick){.value = value, .at = fmin(fmax(at, 0), 1)};
    return true;
}

/* Both functions fill ticks, and return false if there are too many. */
static bool fill_powers(struct ticks *ticks, const struct plot_axis *axis, const struct step *step) {
    double base = axis->scale == PLOT_LOG2 ? 2 : 10;
    double first = floor(scaled(axis->scale, axis->min) / step->every) * step->every;
    double last = scaled(axis->scale, axis->max);
    if ((last - first) / step->every > 2 * TICKS_MAX)
        return false;
    for (double exponent = first; exponent <= last + 1e-9; exponent += step->every)
        for (int i = 0; i < step->mantissa_count; i++)
            if (!push(ticks, axis, step->mantissas[i] * pow(base, exponent)))
                return false;
    return true;
}

static bool fill_plain(struct ticks *ticks, const struct plot_axis *axis, double every) {
    double first = ceil(axis->min / every - 1e-6), last = floor(axis->max / every + 1e-6);
    if (last - first > 2 * TICKS_MAX)
        return false;
    for (double i = first; i <= last; i++)
        if (!push(ticks, axis, i * every))
            return false;
    return true;
}

static void write_label(const struct plot_axis *axis, double value, int digits, char *out, size_t n) {
    const bool fraction = axis->unit == PLOT_UNIT_FRACTION;
    bool plain = value == 0 || ((fraction || axis->unit == PLOT_UNIT_POWER) && digits > 3) ||
                 (fraction && axis->scale == PLOT_LINEAR); /* 0.02, 0.04, 0.06: without 1/50 and 1/25 among them */
    switch (plain ? PLOT_UNIT_NONE : axis->unit) {
    case PLOT_UNIT_FRACTION:
        units_fraction(out, n, value);
        break;
    case PLOT_UNIT_BINARY:
        units_binary_digits(out, n, value, digits);
        break;
    case PLOT_UNIT_SI:
        units_si_digits(out, n, value, "", digits);
        break;
    case PLOT_UNIT_SECONDS:
        units_si_digits(out, n, value, "s", digits);
        break;
    case PLOT_UNIT_POWER:
        units_power(out, n, value);
        break;
    case PLOT_UNIT_COUNT:
        units_number_digits(out, n, value, value < 1e6 ? 6 : digits);
        break;
    case PLOT_UNIT_NONE:
        units_number_digits(out, n, value, digits);
        break;
    }
}

/* Enough digits to distinguish all neighbours: 1.001 and 1.002 need four. */
static void write_labels(struct ticks *ticks, const struct plot_axis *axis) {
    bool distinct = false;
    for (int digits = 3; digits <= 9 && !distinct; digits++) {
        distinct = true;
        for (size_t i = 0; i < ticks->count; i++) {
            write_label(axis, ticks->ticks[i].value, digits, ticks->ticks[i].label, sizeof ticks->ticks[i].label);
            distinct &= i == 0 || strcmp(ticks->ticks[i].label, ticks->ticks[i - 1].label) != 0;
        }
    }
}

/* The room of an axis for its labels. */
struct ruler {
    const struct plot_axis *axis;
    double length;
    bool vertical;
    double gap; /* between neighbours, in font sizes */
    struct page *page;
    const struct text_style *style;
};

static bool stand_clear(struct ticks *ticks, const struct ruler *ruler) {
    double before = 0, size = ruler->style->size;
    ticks->widest = 0;
    for (size_t i = 0; i < ticks->count; i++) {
        double width = page_text_width(ruler->page, ticks->ticks[i].label, ruler->style);
        double needed = (ruler->vertical ? size : (before + width) / 2) + ruler->gap * size;
        ticks->widest = fmax(ticks->widest, width);
        if (i > 0 && (ticks->ticks[i].at - ticks->ticks[i - 1].at) * ruler->length < needed)
            return false;
        before = width;
    }
    return true;
}

static void choose_powers(struct ticks *ticks, const struct ruler *ruler) {
    bool binary = ruler->axis->scale == PLOT_LOG2;
    const struct step *steps = binary ? steps_log2 : steps_log10;
    size_t count = binary ? sizeof steps_log2 / sizeof *steps_log2 : sizeof steps_log10 / sizeof *steps_log10;
    for (size_t i = 0; i < count; i++) {
        ticks->count = 0;
        if (!fill_powers(ticks, ruler->axis, &steps[i]))
            continue;
        write_labels(ticks, ruler->axis);
        if (stand_clear(ticks, ruler))
            return;
    }
    ticks->count = 0;
}

static void choose_plain(struct ticks *ticks, const struct ruler *ruler) {
    static const double mantissas[] = {1, 2, 5};
    const struct plot_axis *axis = ruler->axis;
    double span = axis->max - axis->min;
    const int first_decade = (int)floor(log10(span / TICKS_MAX));
    for (int i = 0; i < 12; i++) {
        const int decade = first_decade + i / 3;
        /* Bytes have steps of powers of two, others 1-2-5. */
        double every = axis->unit == PLOT_UNIT_BINARY ? exp2(floor(log2(span / TICKS_MAX)) + i)
                                                      : mantissas[i % 3] * pow(10, decade);
        ticks->count = 0;
        if (!fill_plain(ticks, axis, every))
            continue;
        write_labels(ticks, axis);
        if (stand_clear(ticks, ruler))
            return;
    }
    ticks->count = 0;
}

/* Counted things have names: every one, or without room every second, third, … */
static void name_ticks(struct ticks *ticks, const struct ruler *ruler) {
    const struct plot_axis *axis = ruler->axis;
    for (size_t every = 1; every <= axis->name_count; every++) {
        ticks->count = 0;
        bool complete = true;
        for (size_t i = 0; i < axis->name_count && complete; i += every) {
            const size_t before = ticks->count;
            complete = push(ticks, axis, (double)i);
            if (ticks->count > before)
                snprintf(ticks->ticks[before].label, sizeof ticks->ticks[0].label, "%s", axis->names[i]);
        }
        if (complete && stand_clear(ticks, ruler))
            return;
    }
}

void ticks_make(struct ticks *ticks, const struct plot_axis *axis, double length, bool vertical, struct page *page,
                const struct text_style *style) {
    /* Ticks are round in the labels' unit. */
    double divisor = axis->divisor > 0 ? axis->divisor : 1;
    struct plot_axis shown = *axis;
    shown.min /= divisor;
    shown.max /= divisor;
    *ticks = (struct ticks){0};
    if (axis->name_count) {
        name_ticks(ticks, &(struct ruler){&shown, length, vertical, vertical ? 0.1 : 0.8, page, style});
        return;
    }
    /* Sparse first; denser if fewer than three ticks would be left. */
    for (int closer = 0; closer < 2 && ticks->count < 3; closer++) {
        struct ruler ruler = {&shown, length, vertical, vertical ? 1.1 : closer ? 0.8 : 2.2, page, style};
        struct ticks trial = {0};
        if (axis->scale != PLOT_LINEAR)
            choose_powers(&trial, &ruler);
        if (trial.count > ticks->count)
            *ticks = trial;
        if (ticks->count < 3)
            choose_plain(&trial, &ruler);
        if (trial.count > ticks->count)
            *ticks = trial;
    }
    for (size_t i = 0; i < ticks->count; i++)
        ticks->ticks[i].value *= divisor;
}
