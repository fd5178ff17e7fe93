/* SPDX-License-Identifier: BSD-3-Clause
 * A comparison as JSON and CSV (see compare_report.h). */
#include <math.h>
#include <string.h>

#include "bench/sample/doubt.h"
#include "compare_report.h"
#include "carm/text/csv.h"
#include "carm/text/or_null.h"
#include "carm/store/fields.h"
#include "carm/tables/report.h"
#include "carm/store/results.h"
#include "carm/model/verdict_words.h"
#include "carm/tables/report_doubts.h"

enum { DIGITS = 7 }; /* of numbers in CSV */

/* "1", "all", "4"; "" for any number. */
static const char *cores_text(unsigned cores, char out[16]) {
    snprintf(out, 16, "%u", cores);
    return cores == 0 ? "" : cores == ROOF_ALL_CORES ? "all" : out;
}

static json_t *side_json(const struct compare_side *side) {
    const struct result *result = side->model->result;
    const struct machine *machine = &result->machine;
    char cores[16];
    return json_pack(
        "{s:o,s:o,s:o,s:o,s:s,s:o,s:i,s:i,s:I,s:f,s:s}", "label", fields_text(side->label), "file",
        fields_text(side->path), "host", fields_text(machine->host), "cpu", fields_text(machine->cpu.brand), "uarch",
        result->uarch, "only_cores", text_or_null(cores_text(side->cores, cores)), "cores", (int)machine->core_count,
        "machine_cores", (int)machine->machine_core_count, "memory_bytes", (json_int_t)machine->memory_total_bytes,
        "rest_clock_hz", result->environment.rest_clock_hz, "started_utc", result->environment.started_utc);
}

/* A list with a member for each side. */
static json_t *values_json(const struct comparison *c, const struct compare_row *row, enum compare_per per,
                           bool ratios) {
    json_t *list = json_array();
    for (size_t i = 0; i < c->side_count; i++)
        json_array_append_new(
            list, number_or_null(ratios ? compare_ratio(c, row, i, per) : compare_value(row->roofs[i], per)));
    return list;
}

/* Whether each side is no different from the base; null where an interval is not known. */
static json_t *alike_json(const struct comparison *c, const struct compare_row *row, enum compare_per per) {
    json_t *list = json_array();
    for (size_t i = 0; i < c->side_count; i++)
        json_array_append_new(list, isnan(compare_ratio_interval(c, row, i, per).low)
                                        ? json_null()
                                        : json_boolean(compare_alike(row->roofs[i], row->roofs[c->base], per)));
    return list;
}

static json_t *row_json(const struct comparison *c, const struct compare_row *row, bool headline) {
    const struct roof_key *key = &row->key;
    const struct roof *any = compare_any(c, row);
    json_t *object = json_object(), *doubts = json_array(), *clocks = json_array(), *names = json_array(),
           *lows = json_array(), *highs = json_array();
    char cores[16];
    for (size_t i = 0; i < c->side_count; i++) {
        const struct roof *roof = row->roofs[i];
        json_array_append_new(doubts, roof ? doubts_json(roof->sample->doubts) : json_null());
        json_array_append_new(clocks,
                              number_or_null(roof && roof->sample->clock_hz > 0 ? roof->sample->clock_hz : NAN));
        json_array_append_new(lows, number_or_null(compare_interval(roof, PER_MACHINE).low));
        json_array_append_new(highs, number_or_null(compare_interval(roof, PER_MACHINE).high));
        json_array_append_new(names, roof ? json_string(roof->sample->kernel) : json_null());
    }
    const struct {
        const char *key;
        json_t *value;
    } fields[] = {
        {headline ? "names" : "name", headline ? names : json_string(key->kernel)},
        {"kind", json_string(results_kind_names[key->kind])},
        {"type", headline ? text_or_null(key->kernel) : text_or_null(any->type)},
        {"level", text_or_null(key->level)},
        {"cores", text_or_null(cores_text(key->cores, cores))},
        {"core_kind", text_or_null(key->core_kind)},
        {"smt", json_boolean(key->smt)},
        {"small_pages", json_boolean(key->small_pages)},
        {"package", key->package ? json_integer((json_int_t)key->package - 1) : json_null()},
        {"node", key->node ? json_integer((json_int_t)key->node - 1) : json_null()},
        {"memory_node", key->memory_node ? json_integer((json_int_t)key->memory_node - 1) : json_null()},
        {"unit", json_string(compare_unit_name(any, PER_MACHINE))},
        {"values", values_json(c, row, PER_MACHINE, false)},
        {"ratios", values_json(c, row, PER_MACHINE, true)},
        {"alike", alike_json(c, row, PER_MACHINE)},
        {"values_per_core", values_json(c, row, PER_CORE, false)},
        {"ratios_per_core", values_json(c, row, PER_CORE, true)},
        {"alike_per_core", alike_json(c, row, PER_CORE)},
        {"values_per_cycle", values_json(c, row, PER_CYCLE, false)},
        {"ratios_per_cycle", values_json(c, row, PER_CYCLE, true)},
        {"alike_per_cycle", alike_json(c, row, PER_CYCLE)},
        {"lows", lows},
        {"highs", highs},
        {"clocks_hz", clocks},
        {"doubts", doubts},
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        json_object_set_new(object, fields[i].key, fields[i].value);
    if (!headline)
        json_decref(names);
    return object;
}

static json_t *rows_json(const struct comparison *c, const struct compare_row *rows, size_t count, bool headlines) {
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, row_json(c, &rows[i], headlines));
    return list;
}

static double positive(double value) {
    return value > 0 ? value : NAN;
}

/* What one side measured of an application, and against the base. */
static json_t *measured_json(const struct comparison *c, const struct compare_application *row, size_t side) {
    const struct app_point *point = row->points[side], *base = row->points[row->first];
    if (!point)
        return json_null();
    const struct verdict verdict = verdict_find(c->sides[side].model, point);
    const double seconds = positive(point->seconds.median), flop_per_s = positive(app_flop_per_s(point)),
                 flop_per_byte = positive(app_flop_per_byte(point));
    return json_pack(
        "{s:i,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "threads", (int)point->threads, "seconds",
        number_or_null(seconds), "seconds_ratio", number_or_null(seconds / positive(base->seconds.median)),
        "flop_per_s", number_or_null(flop_per_s), "flop_per_s_ratio",
        number_or_null(flop_per_s / positive(app_flop_per_s(base))), "flop_per_byte", number_or_null(flop_per_byte),
        "flop_per_byte_ratio", number_or_null(flop_per_byte / positive(app_flop_per_byte(base))), "bound_by",
        text_or_null(verdict_bound_by(&verdict)), "ratio", number_or_null(verdict.known ? verdict.ratio : NAN),
        "next_roof", verdict.next ? json_string(verdict.next->sample->kernel) : json_null(), "next_flop_per_s",
        number_or_null(verdict.next ? verdict.next_flop_per_s : NAN), "doubts", doubts_json(verdict.doubts));
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
    return json_pack("{s:s,s:I,s:o,s:o,s:o,s:o}", "schema", "carmine.compare/1", "base", (json_int_t)c->base,
                     "machines", machines, "best", rows_json(c, c->headlines, c->headline_count, true), "roofs",
                     rows_json(c, c->rows, c->row_count, false), "applications", applications);
}

static void csv_place(unsigned place, FILE *out) {
    if (place)
        fprintf(out, ",%u", place - 1);
    else
        fputc(',', out);
}

static void csv_roof(const struct comparison *c, const struct compare_row *row, size_t side, FILE *out) {
    const struct roof_key *key = &row->key;
    const struct roof *roof = row->roofs[side];
    char text[512];
    csv_put_text(c->sides[side].label, out);
    csv_put_next(c->sides[side].path, out);
    csv_put_next(results_kind_names[key->kind], out);
    csv_put_next(key->kernel, out);
    csv_put_next(key->level, out);
    csv_put_next(cores_text(key->cores, text), out);
    csv_put_next(key->core_kind, out);
    fprintf(out, ",%d,%d", key->smt, key->small_pages);
    csv_place(key->package, out);
    csv_place(key->node, out);
    csv_place(key->memory_node, out);
    csv_put_next(compare_unit_name(compare_any(c, row), PER_MACHINE), out);
    for (int per = PER_MACHINE; per <= PER_CYCLE; per++) {
        csv_put_number(compare_value(roof, (enum compare_per)per), DIGITS, out);
        csv_put_number(compare_ratio(c, row, side, (enum compare_per)per), DIGITS, out);
    }
    fputs(",,", out);
    csv_put_next(roof ? doubt_names(roof->sample->doubts, text, sizeof text) : "missing", out);
    csv_put_number(compare_interval(roof, PER_MACHINE).low, DIGITS, out);
    csv_put_number(compare_interval(roof, PER_MACHINE).high, DIGITS, out);
    fprintf(out, ",%s\n",
            isnan(compare_ratio_interval(c, row, side, PER_MACHINE).low) ? ""
            : compare_alike(roof, row->roofs[c->base], PER_MACHINE)      ? "1"
                                                                         : "0");
}

static void csv_application(const struct comparison *c, const struct compare_application *row, size_t side, FILE *out) {
    const struct app_point *point = row->points[side], *base = row->points[row->first];
    char text[512];
    csv_put_text(c->sides[side].label, out);
    csv_put_next(c->sides[side].path, out);
    csv_put_next("application", out);
    csv_put_next(row->name, out);
    fprintf(out, ",,%u,,,,,,", point->threads);
    csv_put_next("flop_per_s", out);
    csv_put_number(positive(app_flop_per_s(point)), DIGITS, out);
    csv_put_number(positive(app_flop_per_s(point)) / positive(app_flop_per_s(base)), DIGITS, out);
    fputs(",,,,", out);
    csv_put_number(positive(point->seconds.median), DIGITS, out);
    csv_put_number(positive(app_flop_per_byte(point)), DIGITS, out);
    csv_put_next(doubt_names(point->doubts, text, sizeof text), out);
    fputs(",,,\n", out);
}

void compare_csv(const struct comparison *c, FILE *out) {
    fputs("label,file,kind,name,level,cores,core_kind,smt,small_pages,package,node,memory_node,unit,value,ratio,"
          "value_per_core,ratio_per_core,value_per_cycle,ratio_per_cycle,seconds,flop_per_byte,doubts,low,high,alike\n",
          out);
    for (size_t i = 0; i < c->row_count; i++)
        for (size_t side = 0; side < c->side_count; side++)
            csv_roof(c, &c->rows[i], side, out);
    for (size_t i = 0; i < c->application_count; i++)
        for (size_t side = 0; side < c->side_count; side++)
            if (c->applications[i].points[side])
                csv_application(c, &c->applications[i], side, out);
}
