/* SPDX-License-Identifier: BSD-3-Clause
 * The columns of applications and machines of a comparison; the comparison as JSON and CSV. */
#include "compare_report.h"

#include <math.h>
#include <string.h>

#include "carm/compare/compare_thresholds.h"
#include "carm/model/verdict_words.h"
#include "carm/store/fields.h"
#include "carm/store/results.h"
#include "carm/store/shape.h"
#include "carm/text/or_null.h"
#include "render/page/units.h"

/* "1", "all", "4"; "" for any number. */
static const char *cores_text(unsigned cores, char out[16]) {
    snprintf(out, 16, "%u", cores);
    return cores == 0 ? "" : cores == ROOF_ALL_CORES ? "all" : out;
}

void compare_side_columns(struct column_walk *to, const struct compare_side *side, bool is_base) {
    enum { LABEL = 1, PATH, MACHINE };
    const struct result *result = side->model->result;
    const struct machine *machine = &result->machine;
    char text[TABLE_CELL_BYTES], cores[16];
    snprintf(text, sizeof text, "%s%s", side->label, is_base ? ", the base" : "");
    column(to, cell_text(text), .title = "", .text = {STAYS});
    column(to, cell_text(side->label), .key = "label", .json = LABEL, .raw_json = true);
    column(to, cell_text(machine->host), .key = "host", .json = MACHINE, .raw_json = true);
    column(to, cell_text(machine->cpu.brand), .key = "cpu", .json = MACHINE, .raw_json = true);
    column(to, cell_text(result->uarch), .key = "uarch", .json = MACHINE, .raw_json = true);
    column(to, cell_text(cores_text(side->cores, cores)), .key = "only_cores", .json = MACHINE);
    column(to, cell_amount(machine->core_count > 0, machine->core_count), .title = "cores", .key = "cores",
           .format = COLUMN_WHOLE, .json = MACHINE, .raw_json = true, .text = {2});
    column(to, cell_amount(true, machine->machine_core_count), .key = "machine_cores", .json = MACHINE);
    column(to, cell_amount(machine->memory_total_bytes > 0, (double)machine->memory_total_bytes), .title = "memory",
           .key = "memory_bytes", .format = COLUMN_BINARY, .json = MACHINE, .raw_json = true, .text = {4});
    column(to, cell_positive(result->environment.rest_clock_hz), .title = "at rest", .key = "rest_clock_hz",
           .format = COLUMN_CLOCK, .json = MACHINE, .raw_json = true, .text = {3});
    snprintf(text, sizeof text, "%.10s", result->environment.started_utc);
    column(to, cell_text(text), .title = "measured", .text = {5});
    column(to, cell_text(result->environment.started_utc), .key = "started_utc", .json = MACHINE, .raw_json = true);
    column(to, cell_text(side->path), .title = "file", .key = "file", .json = PATH, .raw_json = true, .text = {1});
}

static double positive(double value) {
    return value > 0 ? value : NAN;
}

/* The difference to the base, in words for the text table; nothing for the base. */
static struct cell change_cell(double ratio, bool is_base, char out[32]) {
    if (fabs(ratio - 1) < compare_thresholds.same.value)
        strcpy(out, "same");
    else
        units_change(out, 32, ratio - 1, 1);
    return cell_read(cell_number(true, ratio), is_base || isnan(ratio) ? "" : out);
}

void compare_application_columns(struct column_walk *to, const struct comparison *c,
                                 const struct compare_application *row, size_t side, bool first) {
    const struct app_point *point = row->points[side], *base = row->points[row->first];
    const struct verdict v = verdict_find(c->sides[side].model, point);
    char text[TABLE_CELL_BYTES], letter[2];
    const struct {
        const char *title, *key, *ratio_key, *unit;
        double value, base;
        enum column_format format;
        unsigned char rank, ratio_rank;
    } quantities[] = {
        {"time", "seconds", "seconds_ratio", "s", point->seconds.median, base->seconds.median, COLUMN_SI, 2, STAYS},
        {"flop/s", "flop_per_s", "flop_per_s_ratio", "flop/s", app_flop_per_s(point), app_flop_per_s(base), COLUMN_SI,
         STAYS, 5},
        {"flop/B", "flop_per_byte", "flop_per_byte_ratio", NULL, app_flop_per_byte(point), app_flop_per_byte(base),
         COLUMN_NUMBER, 4, STAYS}};
    column(to, cell_text(first ? row->name : ""), .title = "", .text = {STAYS});
    column(to, cell_text(c->side_count <= COMPARE_COLUMNS ? compare_letter(side, letter) : c->sides[side].label),
           .title = "", .text = {STAYS});
    column(to, cell_amount(true, point->threads), .title = "threads", .key = "threads", .format = COLUMN_WHOLE,
           .json = 1, .text = {6});
    for (size_t q = 0; q < sizeof quantities / sizeof quantities[0]; q++) {
        const double value = positive(quantities[q].value), ratio = value / positive(quantities[q].base);
        column(to, cell_number(true, value), .title = quantities[q].title, .key = quantities[q].key,
               .format = quantities[q].format, .unit = quantities[q].unit, .json = 1, .text = {quantities[q].rank});
        column(to, change_cell(ratio, side == row->first, text), .title = "", .key = quantities[q].ratio_key,
               .format = COLUMN_PERCENT, .json = 1, .text = {quantities[q].ratio_rank});
    }
    column(to, cell_text(verdict_bound_by(&v)), .key = "bound_by", .json = 1);
    column(to, cell_text(v.known ? verdict_bound_cell(&v) : ""), .title = "bound by", .text = {1});
    column(to, cell_read(cell_number(v.known, v.ratio), v.known ? verdict_reached_cell(&v, text, sizeof text) : ""),
           .title = "ratio", .key = "ratio", .format = COLUMN_PERCENT, .json = 1, .text = {3});
    column(to, cell_text(v.known ? verdict_gain_cell(&v, point, text, sizeof text) : ""), .title = "next roof",
           .text = {7});
    column(to, cell_text(v.next ? v.next->sample->kernel : ""), .key = "next_roof", .json = 1);
    column(to, cell_number(v.next != NULL, v.next_flop_per_s), .key = "next_flop_per_s", .json = 1);
    column(to, cell_doubts(v.doubts), .title = "warnings", .key = "doubts", .format = COLUMN_DOUBTS, .json = 1,
           .text = {8});
}

/* A list with one member per side. */
static json_t *values_json(const struct comparison *c, const struct compare_row *row, enum compare_per per,
                           bool ratios) {
    json_t *list = json_array();
    for (size_t i = 0; i < c->side_count; i++)
        json_array_append_new(
            list, number_or_null(ratios ? compare_ratio(c, row, i, per) : compare_value(row->roofs[i], per)));
    return list;
}

/* Whether each side is equal to the base within the intervals; null if an interval is unknown. */
static json_t *alike_json(const struct comparison *c, const struct compare_row *row, enum compare_per per) {
    json_t *list = json_array();
    for (size_t i = 0; i < c->side_count; i++)
        json_array_append_new(list, bool_or_null(!isnan(compare_ratio_interval(c, row, i, per).low),
                                                 compare_alike(row->roofs[i], row->roofs[c->base], per)));
    return list;
}

/* Identifies a roof or application in JSON and CSV; neither for CSV's heading. In CSV a headline's name is its type. */
static void key_columns(struct column_walk *to, const struct comparison *c, const struct compare_row *row,
                        const struct compare_application *application, unsigned threads, bool headline) {
    enum { NAME = 1, OTHERS };
    static const struct roof_key NO_KEY;
    const struct roof_key *key = row ? &row->key : &NO_KEY;
    const struct roof *any = row ? compare_any(c, row) : NULL;
    const struct cell none = cell_number(false, 0);
    char cores[16];
    column(to, cell_text(application ? "application" : results_kind_names[key->kind]), .key = "kind", .csv = 1,
           .json = OTHERS);
    column(to,
           cell_text(application ? application->name
                     : headline  ? key->type
                                 : key->kernel),
           .key = "name", .csv = 1, .json = headline ? 0 : NAME);
    column(to, cell_text(headline ? key->type : any ? any->type : ""), .key = "type", .json = OTHERS);
    column(to, row ? cell_text(key->level) : none, .key = "level", .csv = 1, .json = OTHERS);
    column(to, row ? cell_text(cores_text(key->cores, cores)) : cell_amount(true, threads), .key = "cores", .csv = 1,
           .json = OTHERS);
    column(to, row ? cell_text(key->core_kind) : none, .key = "core_kind", .csv = 1, .json = OTHERS);
    column(to, cell_bool(row, key->smt), .key = "smt", .csv = 1, .json = OTHERS);
    column(to, cell_bool(row, key->small_pages), .key = "small_pages", .csv = 1, .json = OTHERS);
    column(to, cell_place(key->package), .key = "package", .csv = 1, .json = OTHERS);
    column(to, cell_place(key->node), .key = "node", .csv = 1, .json = OTHERS);
    column(to, cell_place(key->memory_node), .key = "memory_node", .csv = 1, .json = OTHERS);
    column(to, cell_text(any ? compare_unit_name(any, PER_MACHINE) : "flop_per_s"), .key = "unit", .csv = 1,
           .json = OTHERS);
}

static json_t *row_json(const struct comparison *c, const struct compare_row *row, bool headline) {
    static const char *const LISTS[][3] = {{"values", "ratios", "alike"},
                                           {"values_per_core", "ratios_per_core", "alike_per_core"},
                                           {"values_per_cycle", "ratios_per_cycle", "alike_per_cycle"}};
    json_t *doubts = json_array(), *clocks = json_array(), *names = json_array(), *lows = json_array(),
           *highs = json_array();
    struct column_walk to = columns_json();
    for (size_t i = 0; i < c->side_count; i++) {
        const struct roof *roof = row->roofs[i];
        json_array_append_new(doubts, shape_nullable(roof ? doubts_json(roof->sample->doubts) : json_null()));
        json_array_append_new(clocks, positive_or_null(roof ? roof->sample->clock_hz : NAN));
        json_array_append_new(lows, number_or_null(compare_interval(roof, PER_MACHINE).low));
        json_array_append_new(highs, number_or_null(compare_interval(roof, PER_MACHINE).high));
        json_array_append_new(names, text_or_null(roof ? roof->sample->kernel : ""));
    }
    if (headline)
        column(&to, cell_json(json_incref(names)), .key = "names", .json = 1);
    key_columns(&to, c, row, NULL, 0, headline);
    for (int per = PER_MACHINE; per <= PER_CYCLE; per++) {
        column(&to, cell_json(values_json(c, row, (enum compare_per)per, false)), .key = LISTS[per][0], .json = 3);
        column(&to, cell_json(values_json(c, row, (enum compare_per)per, true)), .key = LISTS[per][1], .json = 3);
        column(&to, cell_json(alike_json(c, row, (enum compare_per)per)), .key = LISTS[per][2], .json = 3);
    }
    column(&to, cell_json(lows), .key = "lows", .json = 3);
    column(&to, cell_json(highs), .key = "highs", .json = 3);
    column(&to, cell_json(clocks), .key = "clocks_hz", .json = 3);
    column(&to, cell_json(doubts), .key = "doubts", .json = 3);
    json_decref(names);
    return columns_end_json(&to);
}

static json_t *rows_json(const struct comparison *c, const struct compare_row *rows, size_t count, bool headlines) {
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, row_json(c, &rows[i], headlines));
    return list;
}

static json_t *measured_json(const struct comparison *c, const struct compare_application *row, size_t side) {
    struct column_walk to = columns_json();
    if (!row->points[side])
        return json_null();
    compare_application_columns(&to, c, row, side, false);
    return shape_nullable(columns_end_json(&to));
}

static json_t *side_json(const struct compare_side *side) {
    struct column_walk to = columns_json();
    compare_side_columns(&to, side, false);
    return columns_end_json(&to);
}

json_t *compare_json(const struct comparison *c) {
    json_t *machines = json_array(), *applications = json_array();
    for (size_t i = 0; i < c->side_count; i++)
        json_array_append_new(machines, side_json(&c->sides[i]));
    for (size_t i = 0; i < c->application_count; i++) {
        json_t *measured = json_array();
        for (size_t side = 0; side < c->side_count; side++)
            json_array_append_new(measured, measured_json(c, &c->applications[i], side));
        json_array_append_new(
            applications, json_pack("{s:o,s:o}", "name", fields_text(c->applications[i].name), "measured", measured));
    }
    return json_pack("{s:s,s:I,s:o,s:o,s:o,s:o,s:o}", "schema", "carmine.compare/1", "base", (json_int_t)c->base,
                     "machines", machines, "best", rows_json(c, c->headlines, c->headline_count, true), "roofs",
                     rows_json(c, c->rows, c->row_count, false), "core", compare_core_json(c), "applications",
                     applications);
}

/* In CSV: a side's roof or application; neither for the heading. */
static void csv_columns(struct column_walk *to, const struct comparison *c, const struct compare_row *row,
                        const struct compare_application *application, size_t side) {
    static const char *const RATES[][2] = {
        {"value", "ratio"}, {"value_per_core", "ratio_per_core"}, {"value_per_cycle", "ratio_per_cycle"}};
    static const struct app_point NO_POINT;
    const struct roof *roof = row ? row->roofs[side] : NULL;
    const struct app_point *point = application ? application->points[side] : &NO_POINT,
                           *base = application ? application->points[application->first] : &NO_POINT;
    const double rate = positive(app_flop_per_s(point)), rate_ratio = rate / positive(app_flop_per_s(base));
    const struct compare_interval interval = compare_interval(roof, PER_MACHINE);
    column(to, cell_text(c->sides[side].label), .key = "label", .csv = 1);
    column(to, cell_text(c->sides[side].path), .key = "file", .csv = 1);
    key_columns(to, c, row, application, point->threads, false);
    for (int per = PER_MACHINE; per <= PER_CYCLE; per++) {
        const bool rated = application && per == PER_MACHINE;
        column(to,
               cell_number(true, row     ? compare_value(roof, (enum compare_per)per)
                                 : rated ? rate
                                         : NAN),
               .key = RATES[per][0], .csv = 1);
        column(to,
               cell_number(true, row     ? compare_ratio(c, row, side, (enum compare_per)per)
                                 : rated ? rate_ratio
                                         : NAN),
               .key = RATES[per][1], .csv = 1);
    }
    column(to, cell_number(true, positive(point->seconds.median)), .key = "seconds", .csv = 1);
    column(to, cell_number(true, positive(app_flop_per_byte(point))), .key = "flop_per_byte", .csv = 1);
    column(to, row && !roof ? cell_text("missing") : cell_doubts(roof ? roof->sample->doubts : point->doubts),
           .key = "doubts", .csv = 1);
    column(to, cell_number(true, interval.low), .key = "low", .csv = 1);
    column(to, cell_number(true, interval.high), .key = "high", .csv = 1);
    column(to,
           cell_bool(row && !isnan(compare_ratio_interval(c, row, side, PER_MACHINE).low),
                     row && compare_alike(roof, row->roofs[c->base], PER_MACHINE)),
           .key = "alike", .csv = 1);
}

static void print_csv(const struct comparison *c, const struct compare_row *row,
                      const struct compare_application *application, size_t side, FILE *out) {
    struct column_walk to = columns_csv(!row && !application);
    csv_columns(&to, c, row, application, side);
    columns_end_csv(&to, out);
}

void compare_csv(const struct comparison *c, FILE *out) {
    print_csv(c, NULL, NULL, 0, out);
    for (size_t i = 0; i < c->row_count; i++)
        for (size_t side = 0; side < c->side_count; side++)
            print_csv(c, &c->rows[i], NULL, side, out);
    for (size_t i = 0; i < c->application_count; i++)
        for (size_t side = 0; side < c->side_count; side++)
            if (c->applications[i].points[side])
                print_csv(c, NULL, &c->applications[i], side, out);
    compare_core_csv(c, out);
}
