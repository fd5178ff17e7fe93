/* SPDX-License-Identifier: BSD-3-Clause
 * Measured cores: a row for each class of instructions, with its latency and throughput on an axis of cycles, their
 * intervals, and what the core's typed table says. Widths of a class with the same values share a row. */
#include "chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "asm/incore/core_overlay.h"
#include "bench/core/core_classes.h"
#include "bench/programs/loop_time.h"
#include "carm/compare/compare_core.h"
#include "carm/model/describe.h"
#include "picture.h"
#include "carm/store/results.h"
#include "probe/error.h"
#include "probe/need.h"
#include "render/draw/term_canvas.h"
#include "render/page/palette.h"
#include "render/page/style.h"
#include "render/page/units.h"

enum {
    MOST_ROWS = 96,
    NAME_BYTES = 64,
    LABEL_BYTES = 48,
    LEGEND_BYTES = 96,
    MOST_VALUES = MOST_ROWS * CORE_QUANTITIES * COMPARE_COLUMNS,
    MOST_NOTES = 2 * COMPARE_COLUMNS
};
static const double ALIKE = 1.05,  /* widths that share a row */
    SIDES_SHARE = 0.7,             /* of a row's height, for its sides */
    LITTLE_ROOM = 1.3, ROOM = 5.5, /* at an end of the axis, without and with numbers */
    BESIDE = 1.04,                 /* from a mark to a number */
    HOLLOW = 1.08,                 /* likewise, more from a hollow one, which is larger */
    MOST_SPREAD = 8,               /* longer bars may leave the axis */
    ROW = 17.5, MORE_SIDES = 8;    /* points on the page: a row of one side, and for each further one */
static const double RADIUS[] = {3.6, 3}, AROUND_TYPED[] = {2.4, 1.5};

struct class_row {
    const struct core_class *first, *last; /* the variants that it stands for; NULL: empty, between subjects */
    unsigned more;                         /* of them, beside the first */
    char name[NAME_BYTES];
    const struct core_value *values[CORE_QUANTITIES][COMPARE_COLUMNS]; /* of the first */
};
struct core_chart {
    size_t side_count, row_count, point_count, line_count, number_count, note_count;
    const struct model *models[COMPARE_COLUMNS];
    const char *labels[COMPARE_COLUMNS];
    bool has_numbers, is_text; /* is_text: for a terminal */
    struct loop_core typed[COMPARE_COLUMNS];
    struct class_row rows[MOST_ROWS];
    const char *names[MOST_ROWS]; /* from the lowest row upwards */
    struct plot_point points[2 * MOST_VALUES];
    struct plot_band numbers[CORE_QUANTITIES * MOST_ROWS]; /* without area */
    double number_x[CORE_QUANTITIES * MOST_ROWS][2], number_y[CORE_QUANTITIES * MOST_ROWS][2];
    char texts[CORE_QUANTITIES * MOST_ROWS][LABEL_BYTES], legends[1 + CORE_QUANTITIES * COMPARE_COLUMNS][LEGEND_BYTES];
    bool is_told[1 + CORE_QUANTITIES * COMPARE_COLUMNS]; /* by a point with this legend */
    struct plot_line lines[MOST_ROWS * COMPARE_COLUMNS];
    double ends[MOST_ROWS * COMPARE_COLUMNS][4], least, most;
    char title[256], subtitle[512], notes[MOST_NOTES][CHART_NOTE_BYTES];
    const char *shown_notes[MOST_NOTES];
};

/* The values of a class; false: no side has any. */
static bool fill_row(const struct core_chart *chart, const struct core_class *class, struct class_row *row) {
    bool any = false;
    *row = (struct class_row){.first = class, .last = class};
    for (size_t side = 0; side < chart->side_count; side++)
        for (int q = 0; q < CORE_QUANTITIES; q++) {
            row->values[q][side] = core_class_value(class, &chart->models[side]->result->core, q == CORE_LATENCY);
            any |= row->values[q][side] != NULL;
        }
    return any;
}

static bool is_width(const struct core_class *class) {
    const char *bits = strstr(class->variant, " bits");
    return strcmp(class->variant, "scalar") == 0 || (bits && !bits[sizeof " bits" - 1]);
}

/* Whether two widths have the same values on all sides. */
static bool chart_core_are_alike(const struct core_chart *chart, const struct class_row *a, const struct class_row *b) {
    bool alike = strcmp(a->first->name, b->first->name) == 0 && is_width(a->first) && is_width(b->first);
    for (size_t side = 0; side < chart->side_count; side++)
        for (int q = 0; q < CORE_QUANTITIES; q++) {
            const double *p = core_cycles(a->values[q][side], (enum core_quantity)q),
                         *r = core_cycles(b->values[q][side], (enum core_quantity)q);
            alike &= p && r ? fabs(log(p[CORE_MEASURED] / r[CORE_MEASURED])) < log(ALIKE) : p == r;
        }
    return alike;
}

/* "f64 addition, scalar to 512 bits" */
static void chart_core_name_row(struct class_row *row) {
    const struct core_class *first = row->first, *last = row->last;
    if (first)
        snprintf(row->name, sizeof row->name, "%s%s%s%s%s", first->name, *first->variant ? ", " : "", first->variant,
                 first == last    ? ""
                 : row->more == 1 ? " and "
                                  : " to ",
                 first == last ? "" : last->variant);
}

static void find_rows(struct core_chart *chart) {
    for (const struct core_class *class = core_classes; class->name && chart->row_count + 1 < MOST_ROWS; class ++) {
        struct class_row row, *before = chart->row_count ? &chart->rows[chart->row_count - 1] : NULL;
        if (!fill_row(chart, class, &row))
            continue;
        if (before && before->first && chart_core_are_alike(chart, before, &row)) {
            before->last = class, before->more++;
            continue;
        }
        if (before && before->first->subject != class->subject)
            chart->row_count++; /* an empty one */
        chart->rows[chart->row_count++] = row;
    }
    for (size_t i = 0; i < chart->row_count; i++) {
        chart_core_name_row(&chart->rows[i]);
        chart->names[chart->row_count - 1 - i] = chart->rows[i].name;
    }
}

/* One side's quantities have colours; of several sides each has one. */
static struct plot_color chart_core_color_of(const struct core_chart *chart, size_t side, enum core_quantity quantity) {
    const struct plot_color colors[CORE_QUANTITIES] = {PALETTE_BLUE, PALETTE_VERMILLION};
    return chart->side_count == 1 ? colors[quantity] : picture_color(side);
}

/* The legend's row of such points, the first time. Those of tables share one. */
static const char *chart_core_legend_of(struct core_chart *chart, size_t side, enum core_quantity quantity,
                                        bool is_typed) {
    static const char *const NAMES[CORE_QUANTITIES] = {"latency", "throughput"};
    const size_t at = is_typed ? 0 : 1 + side * CORE_QUANTITIES + quantity;
    const char *label = chart->side_count == 1 ? "" : chart->labels[side];
    if (chart->is_told[at])
        return NULL;
    chart->is_told[at] = true;
    if (is_typed)
        snprintf(chart->legends[at], LEGEND_BYTES, "%s%s (hollow)",
                 chart->side_count == 1 ? "table of " : "the cores' tables",
                 chart->side_count == 1 ? chart->typed[side].table->name : "");
    else
        snprintf(chart->legends[at], LEGEND_BYTES, "%.40s%s%s", label, *label ? ": " : "", NAMES[quantity]);
    return chart->legends[at];
}

static struct plot_point *chart_core_add_point(struct core_chart *chart, double x, double y, size_t side,
                                               enum core_quantity quantity, bool is_typed) {
    struct plot_point *point = &chart->points[chart->point_count++];
    *point = (struct plot_point){.x = x,
                                 .y = y,
                                 .radius = RADIUS[chart->side_count > 1] +
                                           (is_typed ? AROUND_TYPED[chart->side_count > 1] : 0),
                                 .shape = quantity == CORE_LATENCY ? PLOT_CIRCLE : PLOT_DIAMOND,
                                 .hollow = is_typed,
                                 .color = chart_core_color_of(chart, side, quantity),
                                 .legend = chart_core_legend_of(chart, side, quantity, is_typed)};
    chart->least = fmin(chart->least, x), chart->most = fmax(chart->most, x);
    return point;
}

static double typed_cycles(const struct core_chart *chart, const struct core_value *value, size_t side,
                           enum core_quantity quantity) {
    const struct loop_core *core = &chart->typed[side];
    if (!core->table || !core_cycles(value, quantity))
        return 0;
    const struct core_typed typed = core_overlay_typed(core->table, core->issue_width, value);
    return quantity == CORE_LATENCY ? typed.latency_cycles : typed.throughput_cycles;
}

/* What was measured, or what the table says. */
static void chart_core_add_value(struct core_chart *chart, const struct class_row *row, double y, size_t side,
                                 enum core_quantity quantity, bool is_typed) {
    const struct core_value *value = row->values[quantity][side];
    const double *cycles = core_cycles(value, quantity);
    const double of_table = is_typed ? typed_cycles(chart, value, side, quantity) : 0;
    if (of_table > 0)
        chart_core_add_point(chart, of_table, y, side, quantity, true);
    if (is_typed || !cycles)
        return;
    struct plot_point *point = chart_core_add_point(chart, cycles[CORE_MEASURED], y, side, quantity, false);
    point->x_min = cycles[CORE_LOW], point->x_max = cycles[CORE_HIGH];
    chart->least = fmin(chart->least, fmax(point->x_min, point->x / MOST_SPREAD));
    chart->most = fmax(chart->most, fmin(point->x_max, point->x * MOST_SPREAD));
}

/* "3 ≠ 4": the table says 4. */
static void chart_core_write_number(const struct core_chart *chart, const struct core_value *value,
                                    enum core_quantity quantity, char out[LABEL_BYTES]) {
    const double typed = typed_cycles(chart, value, 0, quantity);
    const struct core_typed figures = {typed, typed};
    const bool differs =
        !chart->is_text && (quantity == CORE_LATENCY ? core_latency_differs : core_throughput_differs)(value, &figures);
    char number[UNITS_BYTES], other[UNITS_BYTES];
    snprintf(out, LABEL_BYTES, "%s%s%s%s%s", value->disturbed ? "▲ " : "",
             value->crosses && quantity == CORE_LATENCY ? "~" : "",
             units_number_digits(number, sizeof number, core_cycles(value, quantity)[CORE_MEASURED], 3),
             differs ? " ≠ " : "", differs ? units_number_digits(other, sizeof other, typed, 3) : "");
}

/* The outermost mark of a side's row, on the side of this quantity. */
static double chart_core_end_of(const struct core_chart *chart, const struct class_row *row,
                                enum core_quantity quantity) {
    double end = quantity == CORE_LATENCY ? 0 : INFINITY;
    for (int q = 0; q < CORE_QUANTITIES; q++) {
        const double *own = core_cycles(row->values[q][0], (enum core_quantity)q);
        const double typed = typed_cycles(chart, row->values[q][0], 0, (enum core_quantity)q);
        if (own)
            end = quantity == CORE_LATENCY ? fmax(end, fmax(own[CORE_HIGH], HOLLOW * typed))
                                           : fmin(end, fmin(own[CORE_LOW], typed > 0 ? typed / HOLLOW : INFINITY));
    }
    return end;
}

/* Numbers beside all marks of a row: throughputs at the left, latencies at the right. A terminal has room at the right
 * alone. */
static void add_number(struct core_chart *chart, const struct class_row *row, double y, enum core_quantity quantity) {
    const bool is_right = quantity == CORE_LATENCY || chart->is_text,
               is_second = chart->is_text && quantity == CORE_THROUGHPUT && row->values[CORE_LATENCY][0];
    char *text = chart->texts[chart->number_count], first[LABEL_BYTES];
    double *x = chart->number_x[chart->number_count], *height = chart->number_y[chart->number_count];
    if (!core_cycles(row->values[quantity][0], quantity))
        return;
    chart_core_write_number(chart, row->values[quantity][0], quantity, text);
    if (is_second) {
        char *before = chart->texts[chart->number_count - 1];
        snprintf(first, sizeof first, "%.20s · %.20s", before, text);
        memcpy(before, first, sizeof first);
        return;
    }
    x[0] = chart_core_end_of(chart, row, is_right ? CORE_LATENCY : CORE_THROUGHPUT);
    x[1] = is_right ? x[0] * BESIDE : x[0] / BESIDE;
    height[0] = height[1] = y;
    chart->numbers[chart->number_count++] =
        (struct plot_band){.count = 2, .x = x, .y_low = height, .y_high = height, .label = text};
}

/* A thin line joins a side's two values. */
static void chart_core_join(struct core_chart *chart, const struct class_row *row, size_t side, double y) {
    const double *latency = core_cycles(row->values[CORE_LATENCY][side], CORE_LATENCY),
                 *throughput = core_cycles(row->values[CORE_THROUGHPUT][side], CORE_THROUGHPUT);
    if (!latency || !throughput)
        return;
    double *ends = chart->ends[chart->line_count];
    ends[0] = throughput[CORE_MEASURED], ends[1] = latency[CORE_MEASURED], ends[2] = ends[3] = y;
    chart->lines[chart->line_count++] =
        (struct plot_line){.count = 2, .x = ends, .y = ends + 2, .color = PALETTE_GREY, .width = 0.8};
}

/* The points of all rows: measured ones, or those of the tables. */
static void place_rows(struct core_chart *chart, bool is_typed) {
    for (size_t i = 0; i < chart->row_count; i++)
        for (size_t side = 0; side < chart->side_count && chart->rows[i].first; side++) {
            const double share = (double)(2 * side + 1) / (double)(2 * chart->side_count) - 0.5,
                         y = (double)(chart->row_count - 1 - i) - SIDES_SHARE * share;
            for (int q = 0; q < CORE_QUANTITIES; q++) {
                chart_core_add_value(chart, &chart->rows[i], y, side, (enum core_quantity)q, is_typed);
                if (chart->has_numbers && !is_typed)
                    add_number(chart, &chart->rows[i], y, (enum core_quantity)q);
            }
            if (!is_typed)
                chart_core_join(chart, &chart->rows[i], side, y);
        }
}

static void chart_core_add_notes(struct core_chart *chart, size_t side) {
    const struct core_measured *measured = &chart->models[side]->result->core;
    const unsigned issue_width = chart->typed[side].issue_width;
    const size_t disturbed = core_measured_disturbed(measured);
    const char *label = chart->side_count == 1 ? "" : chart->labels[side];
    if (disturbed > 0)
        snprintf(chart->notes[chart->note_count++], CHART_NOTE_BYTES,
                 "%s%s%zu of %zu forms were disturbed by other programs%s: rather too high", label, *label ? ": " : "",
                 disturbed, measured->count, chart->has_numbers ? " (▲)" : "");
    if (issue_width > 0 && core_measured_steady(measured, "nop") && !core_measured_alone(measured, issue_width))
        snprintf(chart->notes[chart->note_count++], CHART_NOTE_BYTES,
                 "%s%srenaming was slower than documented: a neighbour on the core may have made throughputs longer",
                 label, *label ? ": " : "");
}

#define MEANING                                                                                                        \
    "Latency: of an instruction that waits for the one before it; a mispredicted branch: its cost. Throughput: "       \
    "cycles per instruction of many independent ones. Bars: first tenth to median of the slices. "
#define SHARES "Loads into vectors: without a share of the way back."

/* The axis's end over the largest value, so that numbers have room behind all marks of a terminal. */
static double text_room(const struct core_chart *chart, const struct plot_terminal *terminal) {
    const double MOST_SHARE = 0.6, AROUND_NAMES = 3, AROUND_NUMBERS = 3; /* columns */
    double names = 0, numbers = 0;
    for (size_t i = 0; i < chart->row_count; i++)
        names = fmax(names, (double)term_columns(chart->rows[i].name));
    for (size_t i = 0; i < chart->number_count; i++)
        numbers = fmax(numbers, (double)term_columns(chart->texts[i]));
    const double columns = terminal->columns ? (double)terminal->columns : PLOT_TERMINAL_COLUMNS,
                 share = fmin(MOST_SHARE, (numbers + AROUND_NUMBERS) / fmax(1, columns - names - AROUND_NAMES));
    return pow(LITTLE_ROOM * chart->most / chart->least, share / (1 - share));
}

/* Draws the picture, and frees it. */
static bool chart_core_write_chart(struct core_chart *chart, const struct chart_options *options, const char *path,
                                   struct error *err) {
    const double row = ROW + MORE_SIDES * (double)(chart->side_count - 1);
    struct chart_options sized = *options;
    struct plot_terminal terminal;
    double room = chart->has_numbers ? ROOM : LITTLE_ROOM;
    if (options->terminal) {
        terminal = *options->terminal, sized.terminal = &terminal;
        room = chart->has_numbers ? text_room(chart, &terminal) : room;
        terminal.rows = terminal.rows ? terminal.rows : chart->row_count * 9 / 8 + 1; /* each name has a line */
    }
    for (size_t i = 0; i < chart->note_count; i++)
        chart->shown_notes[i] = chart->notes[i];
    struct picture picture = {
        .plot = {.title = chart->title,
                 .subtitle = chart->subtitle,
                 .note_count = chart->note_count,
                 .notes = chart->shown_notes,
                 .x = {.title = "Cycles of one instruction",
                       .scale = PLOT_LOG2,
                       .unit = PLOT_UNIT_FRACTION,
                       .min = chart->least / (chart->has_numbers && !chart->is_text ? ROOM : LITTLE_ROOM),
                       .max = chart->most * room},
                 .y = {.min = -0.7,
                       .max = (double)chart->row_count - 0.3,
                       .name_count = chart->row_count,
                       .names = chart->names},
                 .band_count = chart->number_count,
                 .bands = chart->numbers,
                 .line_count = chart->line_count,
                 .lines = chart->lines,
                 .point_count = chart->point_count,
                 .points = chart->points,
                 .rows_height = (double)chart->row_count * row,
                 .footer =
                     chart->has_numbers ? MEANING "≠ The table's figure, if it differs. ~ " SHARES : MEANING SHARES},
        .blocks = {chart}};
    return picture_write(&picture, &sized, path, err);
}

/* Whether names leave room for marks and numbers. */
static bool chart_core_is_wide(const struct chart_options *options) {
    const double least = 800; /* points of the layout */
    const struct plot_style *style = options->style ? options->style : &plot_styles[0];
    return options->terminal || (options->width > 0 ? options->width : style->width) >= least * style->scale;
}

/* Of a chart with its sides; frees it. */
static bool chart_core_draw(struct core_chart *chart, const struct chart_options *options, const char *path,
                            struct error *err) {
    chart->least = INFINITY;
    chart->is_text = options->terminal != NULL;
    chart->has_numbers = chart->side_count == 1 && chart_core_is_wide(options);
    for (size_t side = 0; side < chart->side_count; side++)
        chart->typed[side] = loop_core_find(&chart->models[side]->result->machine, NULL);
    find_rows(chart);
    place_rows(chart, true); /* measured ones are drawn over them */
    place_rows(chart, false);
    for (size_t side = 0; side < chart->side_count; side++) {
        chart_core_add_notes(chart, side);
        loop_core_free(&chart->typed[side]);
    }
    if (chart->point_count > 0)
        return chart_core_write_chart(chart, options, path, err);
    free(chart);
    return error_set(err, "the result holds no measured core; `carmine core -o FILE` measures it");
}

bool chart_core(const struct model *model, const struct chart_options *options, const char *path, struct error *err) {
    struct core_chart *chart = need_calloc(1, sizeof *chart);
    chart->models[chart->side_count++] = model;
    chart_title(options, model->result, "the core's instructions", chart->title, sizeof chart->title);
    describe_conditions(model->result, chart->subtitle, sizeof chart->subtitle);
    return chart_core_draw(chart, options, path, err);
}

bool chart_cores_beside(const struct comparison *c, const struct chart_options *options, const char *path,
                        struct error *err) {
    if (c->side_count > COMPARE_COLUMNS)
        return error_set(err, "a chart of cores has room for %d results, and %zu are named", COMPARE_COLUMNS,
                         c->side_count);
    struct core_chart *chart = need_calloc(1, sizeof *chart);
    for (size_t side = 0; side < c->side_count; side++) {
        chart->labels[side] = c->sides[side].label;
        chart->models[chart->side_count++] = c->sides[side].model;
    }
    picture_title(c, &(struct picture_view){.cores = 1}, "instructions", chart->title, sizeof chart->title);
    return chart_core_draw(chart, options, path, err);
}
