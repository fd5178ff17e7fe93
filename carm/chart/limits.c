/* SPDX-License-Identifier: BSD-3-Clause
 * Limits of axes (see limits.h). The renderer clips lines, bands and marks; here goes what has a label or a row of the
 * legend, and is outside. */
#include "limits.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/error.h"
#include "probe/need.h"
#include "probe/text.h"
#include "render/page/units.h"
#include "render/layout/trace.h"

enum { VALUE_BYTES = UNITS_BYTES + LIMITS_UNIT_BYTES };

static bool limits_is_number(const char *text) {
    return isdigit((unsigned char)*text) || (*text == '.' && isdigit((unsigned char)text[1]));
}

/* A number or a fraction such as 1/8, and what follows it. False: no number, or a word too long for a unit. */
static bool read_limit(const char *text, size_t length, struct limit *out) {
    const size_t sign = *text == '-';
    char copy[64], *end;
    *out = (struct limit){.set = length > 0};
    if (length == 0 || length >= sizeof copy)
        return length == 0;
    snprintf(copy, sizeof copy, "%.*s", (int)length, text);
    if (!limits_is_number(copy + sign) || tolower((unsigned char)copy[sign + 1]) == 'x')
        return false;
    out->number = strtod(copy, &end);
    if (*end == '/' && limits_is_number(end + 1))
        out->number /= strtod(end + 1, &end);
    const bool is_unit = !*end || isalpha((unsigned char)*end) || *end == '%' || (*end & 0x80); /* µ */
    return isfinite(out->number) && is_unit && snprintf(out->unit, sizeof out->unit, "%s", end) < LIMITS_UNIT_BYTES;
}

bool limits_read(const char *option, const char *text, struct limits_side *out, struct error *err) {
    const char *colon = strchr(text, ':');
    out->text = text;
    if (!colon || strchr(colon + 1, ':') || !read_limit(text, (size_t)(colon - text), &out->low) ||
        !read_limit(colon + 1, strlen(colon + 1), &out->high) || (!out->low.set && !out->high.set))
        return error_set(
            err, "--%s takes LOW:HIGH, of which one may be left out, such as 1/8:16, 10: or 2KiB:1MiB, not '%s'",
            option, text);
    return !out->low.set || !out->high.set || strcmp(out->low.unit, out->high.unit) != 0 ||
           out->low.number < out->high.number || error_set(err, "--%s '%s': LOW must be below HIGH", option, text);
}

static const struct {
    const char *name;
    double factor;
} PREFIXES[] = {{"", 1},    {"Ki", 0x1p10}, {"Mi", 0x1p20}, {"Gi", 0x1p30}, {"k", 1e3},  {"K", 1e3}, {"M", 1e6},
                {"G", 1e9}, {"T", 1e12},    {"m", 1e-3},    {"u", 1e-6},    {"µ", 1e-6}, {"n", 1e-9}};
enum { PREFIX_COUNT = sizeof PREFIXES / sizeof PREFIXES[0] };

static double limits_divisor_of(const struct plot_axis *axis) {
    return axis->divisor > 0 ? axis->divisor : 1;
}

/* The unit in which the axis has its values: "flop/s" of "Performance  [Gflop/s]", "flop/B" of "[flop per byte …]".
 * "": none. */
static void limits_write_unit(const struct plot_axis *axis, char out[LIMITS_UNIT_BYTES]) {
    const char *title = axis->title ? axis->title : "", *bracket = strrchr(title, '[');
    char word[LIMITS_UNIT_BYTES] = "", per[LIMITS_UNIT_BYTES] = "";
    if (axis->unit == PLOT_UNIT_BINARY || axis->unit == PLOT_UNIT_SECONDS) {
        snprintf(out, LIMITS_UNIT_BYTES, "%s", axis->unit == PLOT_UNIT_BINARY ? "B" : "s");
        return;
    }
    if (bracket && sscanf(bracket, "[%23[^] ,:] per %23[a-z]", word, per) == 2) {
        const char *unit = strcmp(per, "byte") == 0 ? "B" : per;
        text_append(word, sizeof word, "/%s", unit);
    }
    const char *unit = word;
    for (size_t i = 1; i < PREFIX_COUNT && limits_divisor_of(axis) != 1 && unit == word; i++)
        if (PREFIXES[i].factor == limits_divisor_of(axis) &&
            strncmp(word, PREFIXES[i].name, strlen(PREFIXES[i].name)) == 0)
            unit += strlen(PREFIXES[i].name);
    snprintf(out, LIMITS_UNIT_BYTES, "%s", unit);
}

/* How many of the axis's base units one is; 0: the axis has another one. Without a unit a number is one of the axis. */
static double limits_factor_of(const struct plot_axis *axis, const char *unit) {
    char own[LIMITS_UNIT_BYTES];
    limits_write_unit(axis, own);
    if (!*unit)
        return limits_divisor_of(axis);
    for (size_t i = 0; i < PREFIX_COUNT; i++) {
        const size_t length = strlen(PREFIXES[i].name);
        const bool begins = strncmp(unit, PREFIXES[i].name, length) == 0;
        if (begins && (strcmp(unit + length, own) == 0 || !unit[length]))
            return PREFIXES[i].factor;
    }
    return 0;
}

/* A number of the axis with its unit: "1.2 GiB", "172 GB/s". */
static const char *limits_write_value(const struct plot_axis *axis, double value, char out[VALUE_BYTES]) {
    char unit[LIMITS_UNIT_BYTES];
    const char *prefix = "";
    if (axis->unit == PLOT_UNIT_BINARY || axis->unit == PLOT_UNIT_SECONDS)
        return axis->unit == PLOT_UNIT_BINARY ? units_binary(out, VALUE_BYTES, value)
                                              : units_seconds(out, VALUE_BYTES, value);
    limits_write_unit(axis, unit);
    if (limits_divisor_of(axis) > 1)
        return units_si(out, VALUE_BYTES, value, unit);
    for (size_t i = 1; i < PREFIX_COUNT; i++)
        if (PREFIXES[i].factor == limits_divisor_of(axis))
            prefix = PREFIXES[i].name;
    snprintf(out, VALUE_BYTES, "%.4g%s%s%s", value / limits_divisor_of(axis), *unit ? " " : "", prefix, unit);
    return out;
}

struct named_axis {
    const char *option; /* "xlim" */
    const struct limits_side *side;
    struct plot_axis *axis;
};

static bool find_limit(const struct named_axis *of, const struct limit *limit, double *out, struct error *err) {
    const double factor = limits_factor_of(of->axis, limit->unit);
    char unit[LIMITS_UNIT_BYTES];
    if (!limit->set)
        return true;
    limits_write_unit(of->axis, unit);
    if (factor == 0)
        return error_set(err, "--%s '%s': the axis has %s%s, not '%s'; without a unit, numbers are those of the axis",
                         of->option, of->side->text, *unit ? "the unit " : "no unit", unit, limit->unit);
    *out = limit->number * factor;
    return of->axis->scale == PLOT_LINEAR || *out > 0 ||
           error_set(err, "--%s '%s': the axis is logarithmic, so its limits must be above 0", of->option,
                     of->side->text);
}

static bool find_limits(const struct named_axis *of, struct error *err) {
    const struct limits_side *side = of->side;
    struct plot_axis *axis = of->axis;
    if (axis->name_count)
        return error_set(err, "--%s: this chart has names on that axis, no numbers; leave it out", of->option);
    if (!find_limit(of, &side->low, &axis->min, err) || !find_limit(of, &side->high, &axis->max, err))
        return false;
    if (axis->min < axis->max)
        return true;
    if (side->low.set && side->high.set)
        return error_set(err, "--%s '%s': LOW must be below HIGH", of->option, side->text);
    char own[VALUE_BYTES];
    return error_set(err, "--%s '%s': the chart's own axis %s %s; name both limits", of->option, side->text,
                     side->low.set ? "ends at" : "begins at",
                     limits_write_value(axis, side->low.set ? axis->max : axis->min, own));
}

/* Sets the limits. Error: as of limits_set(). */
static bool set_axis(const struct named_axis *of, struct error *err) {
    const struct plot_axis own = *of->axis;
    const bool done = !of->side->text || find_limits(of, err);
    if (!done)
        *of->axis = own;
    return done || of->side->by_default;
}

bool limits_set(const struct limits *limits, struct plot_axis *x, struct plot_axis *y, struct error *err) {
    return set_axis(&(struct named_axis){"xlim", &limits->x, x}, err) &&
           set_axis(&(struct named_axis){"ylim", &limits->y, y}, err);
}

bool limits_widen(const struct limits *limits, struct plot_axis *x, struct plot_axis *y, struct error *err) {
    const struct plot_axis own_x = *x, own_y = *y;
    if (!limits_set(limits, x, y, err))
        return false;
    x->min = fmin(x->min, own_x.min), x->max = fmax(x->max, own_x.max);
    y->min = fmin(y->min, own_y.min), y->max = fmax(y->max, own_y.max);
    return true;
}

static bool limits_is_beyond(const struct plot_axis *axis, double low, double high) {
    return high < axis->min || low > axis->max;
}

bool limits_exclude(const struct limits *limits, const struct plot_axis *x, const struct plot_axis *y, double at_x,
                    double at_y) {
    struct plot_axis of_x = *x, of_y = *y;
    struct error ignored;
    of_x.min = of_y.min = -INFINITY, of_x.max = of_y.max = INFINITY;
    return limits_set(limits, &of_x, &of_y, &ignored) &&
           (limits_is_beyond(&of_x, at_x, at_x) || limits_is_beyond(&of_y, at_y, at_y));
}

/* False: none, or a user's default, which is ignored where it does not fit. */
static bool is_given(const struct limits_side *side) {
    return side->text && !side->by_default;
}

bool limits_take_no_y(const struct limits *limits, struct error *err) {
    return !is_given(&limits->y) ||
           error_set(err, "--ylim: this picture has several charts, each with a y axis of its own; leave it out");
}

static bool holds_point(const struct plot *plot, const struct plot_point *point) {
    return !limits_is_beyond(&plot->x, point->x, point->x) && !limits_is_beyond(&plot->y, point->y, point->y);
}

/* A ghost belongs to the point below or above it. */
static bool has_point(const struct plot *plot, const struct plot *of, const struct plot_point *ghost) {
    for (size_t i = 0; i < of->point_count; i++)
        if (!of->points[i].ghost && of->points[i].x == ghost->x && holds_point(plot, &of->points[i]))
            return true;
    return false;
}

static bool look_alike(const struct plot_point *a, const struct plot_point *b) {
    return a->shape == b->shape && a->hollow == b->hollow && memcmp(&a->color, &b->color, sizeof a->color) == 0;
}

/* A point that is left out keeps its row of the legend, at its place there, for others within that look like it. */
static bool keeps_legend(const struct plot *plot, const struct plot *of, const struct plot_point *point) {
    for (size_t i = 0; i < of->point_count && point->legend; i++)
        if (!of->points[i].legend && look_alike(&of->points[i], point) && holds_point(plot, &of->points[i]))
            return true;
    return false;
}

/* Keeps the points within. Returns how many others the chart would show without limits. */
static size_t limits_take_points(const struct plot *of, struct limited *out) {
    struct plot *plot = &out->plot;
    size_t outside = 0;
    plot->points = out->points = need_calloc(of->point_count + 1, sizeof *out->points);
    plot->point_count = 0;
    for (size_t i = 0; i < of->point_count; i++) {
        const struct plot_point *point = &of->points[i];
        const bool within = holds_point(plot, point) && (!point->ghost || has_point(plot, of, point));
        if (within)
            out->points[plot->point_count++] = *point;
        else if (keeps_legend(plot, of, point))
            out->points[plot->point_count++] = (struct plot_point){.x = point->x,
                                                                   .y = point->y,
                                                                   .shape = point->shape,
                                                                   .hollow = point->hollow,
                                                                   .color = point->color,
                                                                   .legend = point->legend,
                                                                   .legend_of_labels = point->legend_of_labels};
        outside += !within && !point->ghost && holds_point(of, point);
        out->shows_any |= within;
    }
    return outside;
}

/* False: a row of the legend alone. */
static bool is_placed(const struct plot_line *line) {
    bool placed = false;
    for (size_t i = 0; i < line->count; i++)
        placed |= isfinite(line->x[i]) && isfinite(line->y[i]);
    return placed;
}

/* Whether a piece of the line is within, or it has no place. */
static bool holds_line(const struct plot *plot, const struct plot_line *line) {
    static const struct frame UNIT = {0, 0, 1, 1};
    struct trace trace;
    if (!is_placed(line))
        return true;
    if (!trace_make(&trace, plot, &UNIT, line->count, line->x, line->y))
        need_end();
    const bool within = trace.count > 0;
    trace_free(&trace);
    return within;
}

/* Keeps the lines within. Returns how many with a name are not. */
static size_t take_lines(const struct plot *of, struct limited *out) {
    struct plot *plot = &out->plot;
    size_t outside = 0;
    plot->lines = out->lines = need_calloc(of->line_count + 1, sizeof *out->lines);
    plot->line_count = 0;
    for (size_t i = 0; i < of->line_count; i++)
        if (holds_line(plot, &of->lines[i])) {
            out->lines[plot->line_count++] = of->lines[i];
            out->shows_any |= is_placed(&of->lines[i]);
        } else {
            outside += of->lines[i].label != NULL;
        }
    return outside;
}

/* Whether the number at a bar's end has a place. Bands are clipped; the first of a kind has its row of the legend. */
static bool holds_band(const struct plot *plot, const struct plot_band *band) {
    const double end = band->x[band->count - 1];
    return !band->label || (!limits_is_beyond(&plot->x, fmin(end, band->x[0]), fmax(end, band->x[0])) &&
                            !limits_is_beyond(&plot->y, band->y_low[0], band->y_high[0]));
}

/* Keeps the bands within. Returns how many bars are not. */
static size_t take_bands(const struct plot *of, struct limited *out) {
    struct plot *plot = &out->plot;
    plot->bands = out->bands = need_calloc(of->band_count + 1, sizeof *out->bands);
    plot->band_count = 0;
    for (size_t i = 0; i < of->band_count; i++)
        if (holds_band(plot, &of->bands[i])) {
            out->bands[plot->band_count++] = of->bands[i];
            out->shows_any |= of->bands[i].label != NULL;
        }
    return of->band_count - plot->band_count;
}

struct outside {
    const char *name;
    size_t count;
};
enum { OUTSIDE_KINDS = 3 };

/* "outside of the chosen limits: 2 points, 1 line", before the other notes. */
static void limits_add_note(const struct plot *of, const struct outside kinds[OUTSIDE_KINDS], struct limited *out) {
    const char *before = "outside of the chosen limits: ";
    *out->note = '\0';
    for (size_t i = 0; i < OUTSIDE_KINDS; i++) {
        if (kinds[i].count == 0)
            continue;
        text_append(out->note, sizeof out->note, "%s%zu %s%s", before, kinds[i].count, kinds[i].name,
                    kinds[i].count == 1 ? "" : "s");
        before = ", ";
    }
    if (!*out->note)
        return;
    out->notes = need_calloc(of->note_count + 1, sizeof *out->notes);
    out->notes[0] = out->note;
    for (size_t i = 0; i < of->note_count; i++)
        out->notes[i + 1] = of->notes[i];
    out->plot.notes = out->notes, out->plot.note_count = of->note_count + 1;
}

static void widen(double range[2], double value) {
    range[0] = fmin(range[0], value), range[1] = fmax(range[1], value);
}

/* The ranges of the plot's data. */
static void limits_find_ranges(const struct plot *of, double x[2], double y[2]) {
    for (size_t i = 0; i < of->point_count; i++)
        widen(x, of->points[i].x), widen(y, of->points[i].y);
    for (size_t i = 0; i < of->line_count; i++)
        for (size_t k = 0; k < of->lines[i].count; k++)
            if (isfinite(of->lines[i].x[k]) && isfinite(of->lines[i].y[k]))
                widen(x, of->lines[i].x[k]), widen(y, of->lines[i].y[k]);
    for (size_t i = 0; i < of->band_count; i++)
        for (size_t k = 0; k < of->bands[i].count && of->bands[i].label; k++)
            widen(x, of->bands[i].x[k]), widen(y, of->bands[i].y_low[k]), widen(y, of->bands[i].y_high[k]);
}

#define EMPTY "--%s '%s': nothing of the chart is there; its data: "

/* The error of limits that show nothing: it has the ranges of the chart's data. */
static bool refuse_empty(const struct limits *limits, const struct plot *of, struct error *err) {
    double x[2] = {INFINITY, -INFINITY}, y[2] = {INFINITY, -INFINITY};
    char low[VALUE_BYTES], high[VALUE_BYTES], text[4 * VALUE_BYTES] = "";
    limits_find_ranges(of, x, y);
    if (!of->x.name_count)
        text_append(text, sizeof text, "x from %s to %s", limits_write_value(&of->x, x[0], low),
                    limits_write_value(&of->x, x[1], high));
    if (!of->y.name_count)
        text_append(text, sizeof text, "%sy from %s to %s", *text ? ", " : "", limits_write_value(&of->y, y[0], low),
                    limits_write_value(&of->y, y[1], high));
    return error_set(err, EMPTY "%s", limits->x.text ? "xlim" : "ylim",
                     limits->x.text ? limits->x.text : limits->y.text, text);
}

/* All panels have one x axis, which the last one names. */
static bool limit_panels(const struct limits *limits, const struct plot *of, struct limited *out, struct error *err) {
    const struct plot_axis *own = &of->panels[of->panel_count - 1].x;
    struct plot_axis x = *own;
    char low[VALUE_BYTES], high[VALUE_BYTES];
    if (!limits_take_no_y(limits, err) || !set_axis(&(struct named_axis){"xlim", &limits->x, &x}, err))
        return false;
    if (limits_is_beyond(own, x.min, x.max) && !is_given(&limits->x))
        return true;
    if (limits_is_beyond(own, x.min, x.max))
        return error_set(err, EMPTY "x from %s to %s", "xlim", limits->x.text, limits_write_value(own, own->min, low),
                         limits_write_value(own, own->max, high));
    out->plot.panels = out->panels = need_calloc(of->panel_count, sizeof *out->panels);
    for (size_t i = 0; i < of->panel_count; i++) {
        out->panels[i] = of->panels[i];
        out->panels[i].x.min = x.min, out->panels[i].x.max = x.max;
    }
    return true;
}

/* Error: a table of cells has no axis with numbers. */
static bool takes_any(const struct limits *limits, struct error *err) {
    return (!is_given(&limits->x) && !is_given(&limits->y)) ||
           error_set(err, "--%s: this chart is a table of cells, without an axis of numbers; leave it out",
                     is_given(&limits->x) ? "xlim" : "ylim");
}

bool limits_apply(const struct limits *limits, const struct plot *of, struct limited *out, struct error *err) {
    *out = (struct limited){.plot = *of};
    if (!limits->x.text && !limits->y.text)
        return true;
    if (of->heat)
        return takes_any(limits, err);
    if (of->panel_count)
        return limit_panels(limits, of, out, err);
    if (!limits_set(limits, &out->plot.x, &out->plot.y, err))
        return false;
    const struct outside kinds[OUTSIDE_KINDS] = {
        {"point", limits_take_points(of, out)}, {"line", take_lines(of, out)}, {"bar", take_bands(of, out)}};
    limits_add_note(of, kinds, out);
    if (out->shows_any || of->point_count + of->line_count + of->band_count == 0)
        return true;
    if (!is_given(&limits->x) && !is_given(&limits->y)) {
        limits_free(out);
        *out = (struct limited){.plot = *of};
        return true;
    }
    return refuse_empty(limits, of, err);
}

void limits_free(struct limited *limited) {
    free(limited->panels);
    free(limited->points);
    free(limited->lines);
    free(limited->bands);
    free(limited->notes);
}
