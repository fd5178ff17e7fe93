/* SPDX-License-Identifier: BSD-3-Clause
 * The rooflines of two to six machines over each other: a colour per machine, a dash pattern per level, and arrows
 * between the points of one application that several machines measured. */
#include "chart_compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carm/model/verdict.h"
#include "carm/store/results.h"
#include "probe/error.h"
#include "probe/need.h"
#include "probe/text.h"
#include "render/page/palette.h"
#include "render/page/units.h"

enum {
    OVERLAY_SIDES = COMPARE_COLUMNS,
    OVERLAY_LEVELS = 8,
    OVERLAY_LINES = OVERLAY_SIDES * (OVERLAY_LEVELS + 1) + OVERLAY_LEVELS + OVERLAY_SIDES * OVERLAY_POINTS,
    OVERLAY_NOTES = 4,
    OVERLAY_LABEL_BYTES = 160,
};

/* The picture of chart_overlay() while it is made. Rates are per second or per cycle, of all cores or of one
 * (view.per). */
struct overlay {
    const struct comparison *comparison; /* borrowed */
    struct picture_view view;
    unsigned cores;                               /* number of cores of the headlines that are drawn (roof_key.cores) */
    const struct compare_row *top;                /* headline of the highest ceilings; NULL: none */
    double peaks[OVERLAY_SIDES];                  /* each side's highest ceiling, in flop; NaN: none */
    size_t level_count;                           /* number of levels drawn */
    const char *levels[OVERLAY_LEVELS];           /* their names: "L1" */
    double slopes[OVERLAY_LEVELS][OVERLAY_SIDES]; /* each level's best bandwidth on each side, in bytes; NaN: none */

    struct plot_axis x, y;                                    /* flop/byte, and flop by time or cycle */
    size_t line_count, point_count, note_count;               /* entries used of lines, points and notes */
    struct plot_line lines[OVERLAY_LINES];                    /* roofs, ceilings, and arrows between applications */
    struct plot_point points[OVERLAY_SIDES * OVERLAY_POINTS]; /* the applications of all sides */
    const char *notes[OVERLAY_NOTES];

    /* Storage of lines, points, notes and axes. */
    double line_x[OVERLAY_LINES][2], line_y[OVERLAY_LINES][2];
    char labels[OVERLAY_LINES][OVERLAY_LABEL_BYTES], sublabels[OVERLAY_LINES][OVERLAY_LABEL_BYTES];
    char rates[OVERLAY_SIDES][48]; /* of ceilings */
    char point_sublabels[OVERLAY_SIDES * OVERLAY_POINTS][48], note_text[OVERLAY_NOTES][320];
    char title[256], subtitle[256], x_title[80], y_title[64];
    size_t lost_points; /* applications not drawn: other threads, no flop or bytes, or far off */
};

/* Adds a line from (x1, y1) to (x2, y2), in the units of the axes and the colour of the side, and returns it. Its
 * label and sublabel are the entries of labels and sublabels with its index. */
static struct plot_line *overlay_line(struct overlay *o, size_t side, double x1, double y1, double x2, double y2) {
    const size_t slot = o->line_count++;
    o->line_x[slot][0] = x1, o->line_x[slot][1] = x2;
    o->line_y[slot][0] = y1, o->line_y[slot][1] = y2;
    o->lines[slot] = (struct plot_line){.count = 2,
                                        .x = o->line_x[slot],
                                        .y = o->line_y[slot],
                                        .color = picture_color(side),
                                        .label = o->labels[slot],
                                        .sublabel = o->sublabels[slot]};
    return &o->lines[slot];
}

static const double MARGIN = 1.5; /* between a point and the frame */
enum { MAX_NAMED = 24 };          /* with more points, a label is drawn only where there is room */
static const double FAR = 1e6;    /* a point so far from the peak is a mistake and would spoil the axes */

/* A point's rate in the picture's unit; NaN: it has none. */
static double height_of(const struct overlay *o, const struct app_point *point) {
    const double reached = app_flop_per_s(point);
    if (!(reached > 0) || !(app_core_bytes(point) > 0))
        return NAN;
    const double cores = point->threads ? point->threads : 1;
    return o->view.per == PER_MACHINE ? reached
           : o->view.per == PER_CORE  ? reached / cores
           : point->clock_hz > 0      ? reached / cores / point->clock_hz
                                      : NAN;
}

/* Whether the point ran on the cores whose roofs are drawn. Its verdict uses the same roofs. */
static bool is_of_view(const struct overlay *o, size_t side, const struct app_point *point) {
    const struct roof *peak = o->top->roofs[side];
    const struct verdict verdict = verdict_find(o->comparison->sides[side].model, point);
    return peak && verdict.threads == peak->sample->threads;
}

static const struct app_point *point_named(const struct overlay *o, size_t side, const char *name) {
    const struct result *result = o->comparison->sides[side].model->result;
    for (size_t i = 0; i < result->point_count; i++)
        if (strcmp(result->points[i].name, name) == 0)
            return is_of_view(o, side, &result->points[i]) && !isnan(height_of(o, &result->points[i]))
                       ? &result->points[i]
                       : NULL;
    return NULL;
}

/* Adds an arrow from one point of an application to another. */
static void add_arrow(struct overlay *o, size_t side, const struct app_point *from, const struct app_point *to) {
    if (o->line_count == OVERLAY_LINES)
        return;
    struct plot_line *line =
        overlay_line(o, side, app_flop_per_byte(from), height_of(o, from), app_flop_per_byte(to), height_of(o, to));
    line->label = line->sublabel = NULL;
    line->width = 1.1;
    line->arrow = true;
}

/* The side where an application's arrows begin: the base, or the first side that has the application. */
static size_t start_of(const struct overlay *o, const char *name) {
    size_t turn = 0;
    while (turn < o->comparison->side_count && !point_named(o, compare_turn(o->comparison, turn), name))
        turn++;
    return compare_turn(o->comparison, turn);
}

/* "+35 %", "B −3 %" */
static void write_gain(const struct overlay *o, size_t side, double ratio, char *out, size_t size) {
    char letter[2];
    const char *name = o->comparison->side_count > 2 ? compare_letter(side, letter) : "";
    const double percent = round(100 * (ratio - 1));
    snprintf(out, size, "%s%s%s%.0f %%", name, *name ? " " : "",
             percent > 0   ? "+"
             : percent < 0 ? "−"
                           : "±",
             fabs(percent));
}

/* A point where arrows begin is an outline. A point where an arrow ends shows how much faster the application is
 * there. The name is at the end of a single arrow, or where several arrows begin. */
static void chart_compare_add_point(struct overlay *o, size_t side, const struct app_point *point, size_t shape,
                                    bool first) {
    const struct comparison *c = o->comparison;
    const size_t slot = o->point_count++, start = start_of(o, point->name);
    const struct app_point *from = side == start ? NULL : point_named(o, start, point->name);
    const bool several = c->side_count > 2;
    bool is_start = false;
    for (size_t other = 0; other < c->side_count && side == start; other++)
        is_start |= other != side && point_named(o, other, point->name);
    if (from) {
        write_gain(o, side, app_flop_per_s(point) / app_flop_per_s(from), o->point_sublabels[slot],
                   sizeof o->point_sublabels[0]);
        add_arrow(o, side, from, point);
    }
    o->points[slot] = (struct plot_point){.x = app_flop_per_byte(point),
                                          .y = height_of(o, point),
                                          .radius = 4.4,
                                          .shape = (enum plot_shape)(shape % PLOT_SHAPES),
                                          .hollow = is_start,
                                          .color = picture_color(side),
                                          .label = from && several        ? o->point_sublabels[slot]
                                                   : is_start && !several ? NULL
                                                                          : point->name,
                                          .sublabel = from && !several ? o->point_sublabels[slot] : NULL,
                                          .optional = from && several,
                                          .near = from && several,
                                          .priority = (int)(100 * point->time_share),
                                          .legend = first ? c->sides[side].label : NULL,
                                          .detail = point->command};
    chart_widen(&o->x, o->points[slot].x, MARGIN);
    chart_widen(&o->y, o->points[slot].y, MARGIN);
}

/* The point's number in the base's file, if it is there, so that all points of an application have one shape. */
static size_t chart_compare_shape_of(const struct overlay *o, const struct app_point *point, size_t index) {
    const struct result *base = o->comparison->sides[o->comparison->base].model->result;
    for (size_t i = 0; i < base->point_count; i++)
        if (strcmp(base->points[i].name, point->name) == 0)
            return i;
    return index;
}

/* Adds the applications of all sides as points, and an arrow from each point of the base to the same application on
 * every other side. Widens the axes so that they hold the points. */
static void chart_compare_add_points(struct overlay *o) {
    const struct comparison *c = o->comparison;
    double highest = 0;
    for (size_t s = 0; s < c->side_count; s++)
        highest = fmax(highest, o->peaks[s]);
    for (size_t turn = 0; turn < c->side_count; turn++) {
        const size_t side = compare_turn(c, turn);
        const struct result *result = c->sides[side].model->result;
        for (size_t i = 0, drawn = 0; i < result->point_count; i++) {
            const struct app_point *point = &result->points[i];
            const double y = height_of(o, point), x = app_flop_per_byte(point);
            if (drawn == OVERLAY_POINTS || isnan(y) || !is_of_view(o, side, point) || y < highest / FAR ||
                y > highest * FAR || x < 1 / FAR || x > FAR) {
                o->lost_points++;
                continue;
            }
            chart_compare_add_point(o, side, point, chart_compare_shape_of(o, point, i), drawn++ == 0);
        }
    }
    if (compare_is_one_result(c)) /* each point belongs to one side's cores */
        o->lost_points = c->sides[0].model->result->point_count - o->point_count;
    for (size_t i = 0; i < o->point_count && o->point_count > MAX_NAMED; i++)
        o->points[i].optional = o->points[i].near = true;
}

enum { SHORT_LABEL = 26 };              /* longer labels are replaced by letters on lines */
static const double SAME_HEIGHT = 1.01; /* lines of several machines that are so close are drawn as one */

/* Finds the peaks and slopes of all sides; NaN: none. */
static void chart_compare_find_roofs(struct overlay *o) {
    const struct comparison *c = o->comparison;
    o->top = picture_headline(c, SAMPLE_COMPUTE, picture_type(&o->view), o->cores);
    for (size_t s = 0; s < c->side_count; s++)
        o->peaks[s] = compare_value(o->top ? o->top->roofs[s] : NULL, o->view.per);
    for (size_t i = 0; i < c->headline_count && o->level_count < OVERLAY_LEVELS; i++) {
        const struct compare_row *row = &c->headlines[i];
        if (row->key.kind != SAMPLE_BANDWIDTH || row->key.cores != o->cores)
            continue;
        for (size_t s = 0; s < c->side_count; s++)
            o->slopes[o->level_count][s] = compare_value(row->roofs[s], o->view.per);
        o->levels[o->level_count++] = row->key.level;
    }
}

static bool chart_compare_choose_axes(struct overlay *o) {
    double first_ridge = INFINITY, last_ridge = 0, lowest_slope = INFINITY, highest = 0, lowest = INFINITY;
    for (size_t s = 0; s < o->comparison->side_count; s++) {
        highest = fmax(highest, o->peaks[s]); /* fmax and fmin ignore NaN */
        lowest = fmin(lowest, o->peaks[s]);
        for (size_t l = 0; l < o->level_count; l++) {
            first_ridge = fmin(first_ridge, o->peaks[s] / o->slopes[l][s]);
            last_ridge = fmax(last_ridge, o->peaks[s] / o->slopes[l][s]);
            lowest_slope = fmin(lowest_slope, o->slopes[l][s]);
        }
    }
    if (!(highest > 0))
        return false;
    const double x_min = exp2(floor(log2(fmin(first_ridge, 0.25) / 16))),
                 x_max = exp2(ceil(log2(fmax(last_ridge, 1) * 4)));
    const bool cycle = o->view.per == PER_CYCLE;
    const char *operation = model_is_integer(compare_any(o->comparison, o->top)) ? "op" : "flop";
    snprintf(o->x_title, sizeof o->x_title, "Arithmetic intensity  [%s per byte loaded or stored]", operation);
    snprintf(o->y_title, sizeof o->y_title, "Performance  [%s%s%s%s]", cycle ? "" : "G", operation,
             cycle ? "/cycle" : "/s", o->view.per == PER_MACHINE ? "" : " per core");
    o->x = (struct plot_axis){
        .title = o->x_title, .scale = PLOT_LOG2, .unit = PLOT_UNIT_FRACTION, .min = x_min, .max = x_max};
    o->y = (struct plot_axis){.title = o->y_title,
                              .scale = PLOT_LOG10,
                              .min = fmin(lowest / 3, lowest_slope * x_min * 2),
                              .max = highest * 1.8,
                              .divisor = cycle ? 0 : 1e9};
    return true;
}

/* Writes the sides of a line: "A B C" or their labels; "" if the line is of all sides. */
static void chart_compare_names_of(const struct overlay *o, const bool *members, bool letters, char *out, size_t size) {
    char letter[2];
    bool all = true;
    for (size_t s = 0; s < o->comparison->side_count; s++)
        all &= members[s];
    out[0] = '\0';
    for (size_t s = 0; s < o->comparison->side_count && !all; s++)
        if (members[s])
            text_append(out, size, "%s%s",
                        !*out     ? ""
                        : letters ? " "
                                  : ", ",
                        letters ? compare_letter(s, letter) : o->comparison->sides[s].label);
}

/* Finds the sides from `first` on that have the same height and no label yet. */
static void chart_compare_gather(const struct overlay *o, const double *values, size_t first, bool *told,
                                 bool *members) {
    for (size_t s = 0; s < OVERLAY_SIDES; s++)
        members[s] = false;
    for (size_t s = first; s < o->comparison->side_count; s++) {
        const double ratio = values[s] / values[first];
        if (!told[s] && ratio < SAME_HEIGHT && ratio > 1 / SAME_HEIGHT)
            told[s] = members[s] = true;
    }
}

static const char *rate_text(const struct overlay *o, double value, const char *unit, const char *cycle_unit, char *out,
                             size_t size) {
    char number[32];
    if (o->view.per == PER_CYCLE)
        snprintf(out, size, "%s %s", units_number_digits(number, sizeof number, value, 3), cycle_unit);
    else
        units_si(out, size, value, unit);
    return out;
}

/* Labels the ceilings: by the machines' labels, or by their letters with a key of letters. */
static void chart_compare_add_ceilings(struct overlay *o, bool letters) {
    const struct comparison *c = o->comparison;
    const struct compare_row *row = o->top;
    bool told[OVERLAY_SIDES] = {false}, members[OVERLAY_SIDES],
         alike = true; /* one kernel sets all peaks, and the title names it */
    for (size_t s = 0; s < c->side_count; s++)
        alike &= !row->roofs[s] || strcmp(row->roofs[s]->sample->kernel, compare_any(c, row)->sample->kernel) == 0;
    for (size_t s = 0; s < c->side_count; s++) {
        if (isnan(o->peaks[s]) || told[s])
            continue;
        chart_compare_gather(o, o->peaks, s, told, members);
        double start = INFINITY;
        for (size_t l = 0; l < o->level_count; l++)
            start = fmin(start, o->peaks[s] / o->slopes[l][s]);
        const size_t slot = o->line_count;
        struct plot_line *line =
            overlay_line(o, s, isfinite(start) ? start : o->x.min, o->peaks[s], o->x.max, o->peaks[s]);
        char names[OVERLAY_LABEL_BYTES] = "", pattern[48], *rate = o->rates[s], letter[2];
        for (size_t k = s; k < c->side_count; k++)
            if (members[k]) {
                text_append(names, sizeof names, "%s%s%s%.60s", *names ? ", " : "",
                            letters ? compare_letter(k, letter) : "", letters ? "  " : "", c->sides[k].label);
            }
        chart_label(row->roofs[s], pattern, sizeof pattern);
        text_append(o->labels[slot], OVERLAY_LABEL_BYTES, "%s%s", names,
                    doubts_any(row->roofs[s]->sample->doubts) ? " ▲" : "");
        rate_text(o, o->peaks[s], model_roof_unit(row->roofs[s]),
                  model_is_integer(row->roofs[s]) ? "op/cycle" : "flop/cycle", rate, sizeof o->rates[s]);
        snprintf(o->sublabels[slot], OVERLAY_LABEL_BYTES, "%s%s%s", rate, alike ? "" : " · ", alike ? "" : pattern);
        line->short_sublabel = rate;
        line->width = 2.4;
        line->label_place = PLOT_LABEL_END;
        line->priority = 30;
    }
}

static enum plot_dash chart_compare_dash_of(size_t level) {
    const enum plot_dash dashes[] = {PLOT_SOLID, PLOT_DASHED, PLOT_DASH_DOTTED, PLOT_DOTTED};
    return dashes[level % 4];
}

/* Thin from the fifth level on, where dashes repeat. */
static double chart_compare_width_of(size_t level) {
    return level < 4 ? 1.9 : 0.8;
}

static void chart_compare_add_levels(struct overlay *o, bool letters) {
    const struct comparison *c = o->comparison;
    for (size_t l = 0; l < o->level_count; l++) {
        const struct compare_row *row = picture_headline(c, SAMPLE_BANDWIDTH, o->levels[l], o->cores);
        bool told[OVERLAY_SIDES] = {false}, members[OVERLAY_SIDES];
        for (size_t s = 0; s < c->side_count; s++) {
            const double slope = o->slopes[l][s];
            if (isnan(slope) || told[s])
                continue;
            const size_t slot = o->line_count;
            chart_compare_gather(o, o->slopes[l], s, told, members);
            double peak = 0;
            for (size_t k = s; k < c->side_count; k++)
                peak = members[k] ? fmax(peak, o->peaks[k]) : peak;
            peak = peak > 0 ? peak : o->y.max;
            struct plot_line *line = overlay_line(o, s, o->x.min, o->x.min * slope, peak / slope, peak);
            char names[OVERLAY_LABEL_BYTES];
            chart_compare_names_of(o, members, letters, names, sizeof names);
            snprintf(o->labels[slot], OVERLAY_LABEL_BYTES, "%.100s%s%s%s", names, *names ? " " : "", o->levels[l],
                     doubts_any(row->roofs[s]->sample->doubts) ? " ▲" : "");
            rate_text(o, slope, "B/s", "B/cycle", o->sublabels[slot], OVERLAY_LABEL_BYTES);
            line->short_label = o->levels[l];
            line->width = chart_compare_width_of(l);
            line->dash = chart_compare_dash_of(l);
            line->label_place = PLOT_LABEL_ALONG;
            line->priority = 20 - (int)l;
        }
    }
    for (size_t l = 0; l < o->level_count; l++)
        o->lines[o->line_count++] = (struct plot_line){.color = PALETTE_DARK_GREY,
                                                       .width = chart_compare_width_of(l),
                                                       .dash = chart_compare_dash_of(l),
                                                       .label = o->levels[l],
                                                       .label_place = PLOT_LABEL_LEGEND};
}

/* Whether all applications that several sides measured have one thread. Then the roofs of one core apply. */
static bool are_serial(const struct comparison *c, const char *type) {
    const struct compare_row *peak = picture_headline(c, SAMPLE_COMPUTE, type, 1);
    bool serial = c->application_count && peak && peak->roofs[c->base];
    for (size_t i = 0; i < c->application_count; i++)
        for (size_t side = 0; side < c->side_count; side++)
            serial &= !c->applications[i].points[side] || c->applications[i].points[side]->threads == 1;
    return serial;
}

static char *next_note(struct overlay *o) {
    o->notes[o->note_count] = o->note_text[o->note_count];
    return o->note_text[o->note_count++];
}

static void write_notes(struct overlay *o) {
    const struct comparison *c = o->comparison;
    bool members[OVERLAY_SIDES] = {false}, doubtful[OVERLAY_SIDES] = {false};
    size_t without = 0, doubts = 0;
    char names[200];
    for (size_t s = 0; s < c->side_count; s++) {
        without += members[s] = isnan(o->peaks[s]);
        for (size_t i = 0; i < c->headline_count; i++) {
            const struct roof *roof = c->headlines[i].roofs[s];
            if (c->headlines[i].key.cores == o->cores && roof && doubts_any(roof->sample->doubts))
                doubtful[s] = true;
        }
        doubts += doubtful[s];
    }
    if (without) {
        chart_compare_names_of(o, members, c->side_count > 3, names, sizeof names);
        snprintf(next_note(o), sizeof o->note_text[0], "no %s ceiling of these cores: %s", picture_type(&o->view),
                 names);
    }
    if (doubts) {
        chart_compare_names_of(o, doubtful, c->side_count > 3, names, sizeof names);
        snprintf(next_note(o), sizeof o->note_text[0],
                 "some roofs of %s are doubtful; `carmine compare --all` says why", *names ? names : "each machine");
    }
    if (o->lost_points)
        snprintf(next_note(o), sizeof o->note_text[0],
                 "not drawn: %zu application%s with other threads, without flop or bytes, or far off", o->lost_points,
                 o->lost_points == 1 ? "" : "s");
}

/* Letters replace labels if there are many sides or long labels. */
static bool needs_letters(const struct comparison *c) {
    bool letters = c->side_count > 3;
    for (size_t s = 0; s < c->side_count; s++)
        letters |= strlen(c->sides[s].label) > SHORT_LABEL;
    return letters;
}

/* Writes where and when each side was measured. */
static void chart_compare_write_subtitle(struct overlay *o) {
    const struct comparison *c = o->comparison;
    const size_t turns = compare_is_one_result(c) ? 1 : c->side_count;
    *o->subtitle = '\0';
    for (size_t turn = 0; turn < turns; turn++) {
        const struct compare_side *side = &c->sides[compare_turn(c, turn)];
        const struct result *result = side->model->result;
        text_append(o->subtitle, sizeof o->subtitle, "%s%s, %.10s", turn ? " · " : "",
                    result->machine.host[0] ? result->machine.host : side->label, result->environment.started_utc);
    }
}

static bool no_ceiling(const struct overlay *o, struct error *err) {
    char place[64];
    roof_key_place(&(struct roof_key){.cores = o->cores}, place, sizeof place);
    return error_set(err, "none of the results holds a %s ceiling%s%s; `carmine show FILE` lists its roofs",
                     picture_type(&o->view), *place ? " of " : "", place);
}

/* Ceilings and levels: between the axes' own ends, or as far as the limits are. */
static bool chart_compare_add_roofs(struct overlay *o, bool letters, struct error *err) {
    const struct plot_axis x = o->x, y = o->y;
    if (o->view.limits && !limits_widen(o->view.limits, &o->x, &o->y, err))
        return false;
    chart_compare_add_ceilings(o, letters);
    chart_compare_add_levels(o, letters);
    o->x = x, o->y = y;
    return true;
}

static const char *const
    BYTES = "Horizontal: the most operations (flop) per second. Slanted: what the bandwidth of a cache or of memory "
            "allows, by the best access pattern of each machine. Bytes are those that the core loads and stores. Lines "
            "of several machines within 1 % are drawn as one.",
    *const ARROWS = "Arrows lead from an application on one side (outlined) to the same application on "
                    "the others; percentages compare its flop/s. Each level: best access "
                    "pattern of its machine.";

bool overlay_make(const struct comparison *c, const struct picture_view *view, struct picture *out, struct error *err) {
    if (c->side_count > OVERLAY_SIDES)
        return error_set(err,
                         "%zu machines over each other are unreadable: at most %d; --chart ratios draws "
                         "them as strips",
                         c->side_count, OVERLAY_SIDES);
    struct overlay *o = need_calloc(1, sizeof *o);
    o->comparison = c;
    o->view = *view;
    if (!view->cores && are_serial(c, picture_type(view)))
        o->view.cores = 1;
    o->cores = picture_cores(c, &o->view);
    chart_compare_find_roofs(o);
    if (!chart_compare_choose_axes(o)) {
        no_ceiling(o, err);
        free(o);
        return false;
    }
    const bool letters = needs_letters(c);
    chart_compare_add_points(o);
    const size_t arrow_count = o->line_count;
    if (!chart_compare_add_roofs(o, letters, err)) {
        free(o);
        return false;
    }
    write_notes(o);
    picture_title(c, &o->view, picture_type(view), o->title, sizeof o->title);
    chart_compare_write_subtitle(o);
    *out = (struct picture){.blocks = {o}};
    out->plot = (struct plot){.title = o->title,
                              .subtitle = o->subtitle,
                              .note_count = o->note_count,
                              .notes = o->notes,
                              .x = o->x,
                              .y = o->y,
                              .line_count = o->line_count,
                              .lines = o->lines,
                              .point_count = o->point_count,
                              .points = o->points,
                              .footer = arrow_count ? ARROWS : BYTES};
    return true;
}

bool chart_overlay(const struct comparison *c, const struct picture_view *view, const struct chart_options *options,
                   const char *path, struct error *err) {
    struct picture picture;
    struct picture_view limited = *view;
    limited.limits = &options->limits;
    if (!overlay_make(c, &limited, &picture, err))
        return false;
    const bool done = chart_write(&picture.plot, options, path, err);
    picture_free(&picture);
    return done;
}

enum { MAX_OVER_EACH_OTHER = 3 }; /* each adds a ceiling and a line per level */

bool several_are_ratios(const struct comparison *c) {
    return c->side_count > MAX_OVER_EACH_OTHER;
}

bool chart_several(const struct comparison *c, const struct picture_view *view, const struct chart_options *options,
                   const char *path, struct error *err) {
    return (several_are_ratios(c) ? chart_ratios : chart_overlay)(c, view, options, path, err);
}
