/* SPDX-License-Identifier: BSD-3-Clause
 * Results → the report's data: the records of each result, with charts and lists. */
#include "report_parts.h"

#include <math.h>
#include <string.h>

#include "bench/kernels/doubt.h"
#include "bench/kernels/estimate.h"
#include "carm/chart/chart_points.h"
#include "carm/model/describe.h"
#include "carm/model/verdict_words.h"
#include "carm/report/compare_report.h"
#include "carm/report/report.h"
#include "carm/report/report_app.h"
#include "carm/report/validate_report.h"
#include "carm/store/fields.h"
#include "carm/store/results.h"
#include "carm/text/columns.h"
#include "carm/text/table.h"
#include "render/page/units.h"

enum { TEXT_BYTES = 160, UNIT_BYTES = 48 };

/* Removes a list from an object and returns it as a table. */
static json_t *take_table(json_t *object, const char *key) {
    json_t *list = json_incref(json_object_get(object, key));
    json_object_del(object, key);
    return report_table(list ? list : json_array());
}

static void report_data_set_text(json_t *object, const char *key, const char *text) {
    if (*text)
        json_object_set_new(object, key, fields_text(text));
}

/* "0.25 flop/B (simulated)" */
static void set_intensity(json_t *object, const char *key, double flop_per_byte, enum app_source source) {
    char text[TEXT_BYTES], number[UNIT_BYTES];
    if (!(flop_per_byte > 0) || !isfinite(flop_per_byte))
        return;
    snprintf(text, sizeof text, "%s flop/B%s%s%s", units_number(number, sizeof number, flop_per_byte),
             source == SOURCE_UNKNOWN ? "" : " (", source == SOURCE_UNKNOWN ? "" : app_source_names[source],
             source == SOURCE_UNKNOWN ? "" : ")");
    report_data_set_text(object, key, text);
}

/* Sets texts such as "L2 ⇄ L3: 137 GB, 0.0156 flop/B, 71 % of its time": each link's traffic, intensity, and time
 * alone. */
static void set_links(json_t *object, const struct link_times *times) {
    char text[TEXT_BYTES], bytes[UNIT_BYTES], intensity[UNIT_BYTES], share[24];
    for (unsigned i = 0; i < times->count; i++) {
        const struct link_time *link = &times->link[i];
        if (link->share < 0.001)
            snprintf(share, sizeof share, ", <0.1 %%");
        else
            snprintf(share, sizeof share, ", %.*f %%", link->share < 0.0095 ? 1 : 0, 100 * link->share);
        snprintf(text, sizeof text, "%s: %s, %s flop/B%s%s", link->name,
                 units_si(bytes, sizeof bytes, link->bytes, "B"),
                 units_number_digits(intensity, sizeof intensity, link->flop_per_byte, 3), link->roof ? share : "",
                 link->roof ? " of its time" : "");
        report_data_set_text(object, report_page_facts[REPORT_LINKS + i].key, text);
    }
    json_object_del(object, "links"); /* the page shows them as texts */
    json_object_del(object, "simulated");
    json_object_del(object, "advice");
    json_object_del(object, "ceiling_seconds_alone");
}

/* Adds to the record of `carmine show --json`: parts of the verdict, and the rate per cycle. */
static void add_to_point(json_t *object, const struct model *model, const struct app_point *point) {
    const struct verdict verdict = verdict_find(model, point);
    const double clock_hz = chart_clock_hz(model, point);
    const unsigned cores = point->threads ? point->threads : 1;
    char text[TEXT_BYTES];
    if (clock_hz > 0 && app_flop_per_s(point) > 0)
        json_object_set_new(object, "per_cycle", json_real(app_flop_per_s(point) / clock_hz / cores));
    set_intensity(object, report_page_facts[REPORT_OF_CORE].key, app_flop_per_byte(point), point->bytes_source);
    set_intensity(object, report_page_facts[REPORT_OF_DRAM].key, app_flop_per_dram_byte(point), point->dram_source);
    if (point->seconds.n > 1)
        report_data_set_text(object, "quartiles", report_quartiles_text(&point->seconds, text, sizeof text));
    report_data_set_text(object, report_page_facts[REPORT_ZONE].key, verdict_zone(&verdict));
    if (verdict.known)
        report_data_set_text(object, "bound_by", verdict_bound_cell(&verdict));
    set_links(object, &verdict.times);
    json_t *flow = report_flow_json(&verdict.times, point);
    if (flow)
        json_object_set_new(object, "flow", flow);
    report_data_set_text(object, report_page_facts[REPORT_BOUND].key, verdict_bound_line(&verdict, text, sizeof text));
    report_data_set_text(object, report_page_facts[REPORT_ALLOWS].key, verdict_next_line(&verdict, text, sizeof text));
    report_data_set_text(object, "next_roof", verdict_next_cell(&verdict, text, sizeof text));
}

/* The points that the options choose. */
static json_t *report_data_points_json(json_t *said, const struct model *model, const struct chart_options *options) {
    json_t *list = json_array();
    for (size_t i = 0; i < model->result->point_count; i++) {
        json_t *object = json_array_get(json_object_get(said, "points"), i);
        if (!points_chosen(&model->result->points[i], options))
            continue;
        add_to_point(object, model, &model->result->points[i]);
        json_array_append(list, object);
    }
    return report_table(list);
}

static void add_to_roof(json_t *object, const struct roof *roof) {
    const double uncertainty = estimate_uncertainty(roof->sample);
    report_data_set_text(object, "isa", roof->isa);
    report_data_set_text(object, "type", roof->type);
    if (isfinite(uncertainty))
        json_object_set_new(object, "uncertainty", json_real(uncertainty));
    if (roof->sample->small_pages)
        json_object_set_new(object, "small_pages", json_true());
}

static json_t *roofs_json(json_t *said, const struct model *model) {
    json_t *roofs = json_object_get(said, "roofs");
    for (size_t i = json_array_size(roofs); i > model->count; i--) /* blank ones: the page draws what it lists */
        json_array_remove(roofs, i - 1);
    for (size_t i = 0; i < model->count; i++)
        add_to_roof(json_array_get(roofs, i), &model->roofs[i]);
    return take_table(said, "roofs");
}

static json_t *report_data_notes_json(const struct result *result) {
    char store[CHART_MAX_NOTES][CHART_NOTE_BYTES];
    const char *notes[CHART_MAX_NOTES];
    const size_t count = chart_notes(result, NULL, 0, store, notes);
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, fields_text(notes[i]));
    if (result->environment.clock_doubt[0])
        json_array_append_new(list, fields_text(result->environment.clock_doubt));
    char line[DESCRIBE_LINE_BYTES], death[DESCRIBE_DEATH_BYTES];
    if (*describe_quota(result, line, sizeof line))
        json_array_append_new(list, fields_text(line));
    if (*describe_apart(result, line, sizeof line))
        json_array_append_new(list, fields_text(line));
    if (*describe_others(result, line, sizeof line))
        json_array_append_new(list, fields_text(line));
    for (size_t i = 0; i < result->death_count; i++)
        json_array_append_new(list, fields_text(describe_death(&result->deaths[i], death, sizeof death)));
    return list;
}

/* The result file without samples; the model's roofs replace them. */
static json_t *result_json(const struct report_parts *parts, size_t side) {
    static const char *const REPLACED[] = {"schema",      "samples", "points",        "validation",   "deaths",
                                           "annotations", "courses", "memory_series", "memory_pairs", "core"};
    const struct report_result *of = &parts->results[side];
    const struct model *model = of->source->model;
    const struct result *result = model->result;
    char name[160], conditions[512];
    size_t at;
    json_t *curve, *object = results_json(result), *said = report_json(model);
    for (size_t i = 0; i < sizeof REPLACED / sizeof REPLACED[0]; i++)
        json_object_del(object, REPLACED[i]);
    describe_conditions(result, conditions, sizeof conditions);
    report_data_set_text(object, "label", parts->comparison->sides[side].label);
    json_object_set_new(object, "first", json_boolean(of->first));
    report_data_set_text(object, "name", describe_cpu(result, name, sizeof name));
    report_data_set_text(object, "conditions", conditions);
    json_object_set_new(object, "notes", report_data_notes_json(result));
    json_object_set_new(object, "facts", report_facts_json(of));
    json_object_set_new(object, "code", report_code_json(result));
    json_object_set(object, "trust", json_object_get(said, "trust"));
    json_object_set_new(object, "roofs", roofs_json(said, model));
    json_object_set_new(object, "points", report_data_points_json(said, model, parts->options));
    json_object_set_new(object, "validation", take_table(said, "validation"));
    json_array_foreach(json_object_get(object, "curves"), at, curve)
        json_object_set_new(curve, "points", take_table(curve, "points"));
    json_decref(said);
    return object;
}

static json_t *report_data_doubts_json(void) {
    json_t *object = json_object();
    for (unsigned i = 0; i < DOUBT_COUNT; i++)
        json_object_set_new(object, doubt_table[i].name,
                            json_pack("{s:s,s:s}", "cause", doubt_table[i].cause, "remedy", doubt_table[i].remedy));
    return object;
}

/* The lists of the tables, the chart in which a row can be chosen, and the headings of the texts below them. */
static json_t *tables_json(void) {
    return json_pack("[{s:s,s:s,s:s,s:s},{s:s,s:s,s:s}]", "name", "points", "file", "applications", "chart", "roofline",
                     "texts", "Verdicts", "name", "roofs", "file", "roofs", "remedies", "Warnings and remedies");
}

/* Words of the page about the data. of and at: keys of the owner of a row. */
static json_t *words_json(const struct report_parts *parts) {
    return json_pack("{s:s,s:s,s:s,s:s,s:s,s:s,s:s,s:s,s:[s,s],s:s?}", "of", "machine", "at", "place", "places",
                     "Threads", "results", "Machines", "shown", "Shown are {shown} of {all} machines{how}.", "how",
                     ": the first, and those that differ most from it and from each other", "lacking",
                     "Without roofs for this number of cores: {names}.", "elsewhere",
                     "Applications with another number of threads, which Choose shows: {count}.", "notes", "warning",
                     "warnings", "brief",
                     parts->count > REPORT_WHOLE ? "A report of so many has of each machine the best roofs of one core "
                                                   "and of all cores; reports of fewer have all roofs and curves."
                                                 : NULL);
}

static json_t *report_data_side_json(const struct comparison *c, const struct compare_row *row, size_t side) {
    const struct compare_cell cell = compare_cell(c, row, side, PER_MACHINE);
    char doubts[TABLE_CELL_BYTES] = "";
    if (row->roofs[side])
        doubt_names(row->roofs[side]->sample->doubts, doubts, sizeof doubts);
    return json_pack("[s,s,s]", cell.value, cell.ratio, doubts);
}

/* A latency is measured by one core: its row is shown with any choice, and behind the others. */
static bool is_always(const struct compare_row *row) {
    return row->key.kind == SAMPLE_LATENCY && row->key.cores == 1;
}

static json_t *beside_row_json(const struct comparison *c, const struct compare_row *row) {
    const bool always = is_always(row);
    char name[64], place[REPORT_CHOICE_BYTES];
    json_t *cells = json_array();
    for (size_t side = 0; side < c->side_count; side++)
        json_array_append_new(cells, report_data_side_json(c, row, side));
    compare_headline_name(row, name, sizeof name);
    roof_key_place(&row->key, place, sizeof place);
    return json_pack("{s:s+,s:o,s:o}", "name", name, always ? ", one core" : "", "places",
                     always ? json_null() : json_string(place), "cells", cells);
}

/* The headline roofs of several results side by side, with ratios to the first: {"base": a result, "about", "rows":
 * [{"name", "places": the choice at which it is shown, or null for any, "cells": for each result [value, ratio,
 * warnings]}, …]}: the values of `carmine compare`. */
static json_t *beside_json(const struct report_parts *parts) {
    const struct comparison *c = parts->comparison;
    json_t *rows = json_array();
    for (int always = 0; always < 2 && c->side_count > 1; always++)
        for (size_t i = 0; i < c->headline_count; i++)
            if (is_always(&c->headlines[i]) == always)
                json_array_append_new(rows, beside_row_json(c, &c->headlines[i]));
    return json_pack("{s:o,s:i,s:s}", "rows", rows, "base", (int)c->base, "about",
                     "Each with the best kernel of its machine; × is the ratio to the first. Lower latency is better. "
                     "≈ the intervals overlap, so neither is known to be higher. ▲ behind a value: it has warnings; "
                     "before a ratio: a value may be off by more than 25 %.");
}

/* The row of the outermost bandwidth for the same place. */
static const struct compare_row *report_data_memory_of(const struct comparison *c, const struct compare_row *peak) {
    const struct compare_row *found = NULL;
    for (size_t i = 0; i < c->headline_count; i++)
        if (c->headlines[i].key.kind == SAMPLE_BANDWIDTH && c->headlines[i].key.cores == peak->key.cores)
            found = &c->headlines[i];
    return found;
}

/* Cores, peak, memory, ridge, trust grade. */
static json_t *glance_cells_json(const struct comparison *c, const struct compare_row *peak,
                                 const struct compare_row *memory, size_t side) {
    const struct result *result = c->sides[side].model->result;
    const struct trust trust = trust_grade(result->samples, result->sample_count, result->environment.interrupted);
    const char letter[2] = {trust.grade};
    const double ridge =
        memory ? compare_value(peak->roofs[side], PER_MACHINE) / compare_value(memory->roofs[side], PER_MACHINE) : NAN;
    char cores[16] = "", digits[UNITS_BYTES] = "–";
    if (result->machine.core_count)
        snprintf(cores, sizeof cores, "%u", result->machine.core_count);
    if (!isnan(ridge))
        units_digits(digits, sizeof digits, ridge, 3);
    return json_pack("[s,s,s,s,s]", cores, compare_cell(c, peak, side, PER_MACHINE).value,
                     memory ? compare_cell(c, memory, side, PER_MACHINE).value : "–", digits,
                     trust.grade ? letter : "–");
}

/* All results at a glance, for each choice of places: {"heads", "rows": [{"places", "cells": for each result its
 * texts}, …], "about"}. */
static json_t *glance_json(const struct report_parts *parts) {
    const struct comparison *c = parts->comparison;
    const char *type = *parts->first_type ? parts->first_type : "f64", *level = "DRAM";
    char place[REPORT_CHOICE_BYTES], peak_head[48];
    json_t *rows = json_array();
    for (size_t i = 0; i < c->headline_count && c->side_count > 1; i++) {
        const struct compare_row *row = &c->headlines[i], *memory = report_data_memory_of(c, row);
        if (row->key.kind != SAMPLE_COMPUTE || strcmp(row->key.type, type) != 0)
            continue;
        json_t *cells = json_array();
        for (size_t side = 0; side < c->side_count; side++)
            json_array_append_new(cells, glance_cells_json(c, row, memory, side));
        roof_key_place(&row->key, place, sizeof place);
        level = memory ? memory->key.level : level;
        json_array_append_new(rows, json_pack("{s:s,s:o}", "places", place, "cells", cells));
    }
    snprintf(peak_head, sizeof peak_head, "%s peak", type);
    return json_pack(
        "{s:[s,s,s,s+,s,s],s:o,s:s}", "heads", "machine", "cores", peak_head, level, " bandwidth", "ridge, flop/byte",
        "grade", "rows", rows, "about",
        "Peak: most operations per second on numbers of 64 bits (f64), 32 (f32), …, by FMA, as vendors "
        "count. Ridge: below this many operations per byte, memory limits a program, above it the peak. "
        "Grade: how far the numbers can be trusted, A best. No colour: not in the charts; Choose shows it.");
}

json_t *report_data_json(struct report_parts *parts) {
    json_t *results = json_array();
    for (size_t i = 0; i < parts->count; i++)
        json_array_append_new(results, result_json(parts, i));
    json_t *report = json_pack("{s:s,s:s,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "schema", "carmine.report/3", "version",
                               CARMINE_VERSION, "results", results, "series", report_series_json(parts), "doubts",
                               report_data_doubts_json(), "lists", report_lists_json(), "tables", tables_json(),
                               "words", words_json(parts), "glance", glance_json(parts), "beside", beside_json(parts));
    if (report && report_plots_json(parts, report))
        json_object_set_new(report, "controls", report_controls_json(parts));
    return report;
}

/* Columns of the report's lists, for tables and hovering. */

static void roof_columns(struct column_walk *to) {
    report_roof_columns(to, &(struct roof){.sample = &(struct sample){.kind = SAMPLE_COMPUTE}}, true);
}

static void points_columns(struct column_walk *to) {
    static const struct verdict NONE;
    report_point_columns(to, NULL, &(struct app_point){.name = ""}, &NONE);
}

static void validation_columns(struct column_walk *to) {
    report_validation_columns(to, &(struct validation_point){.level = ""});
}

static void bandwidth_columns(struct column_walk *to) {
    column(to, cell_text(""), .title = "per thread", .key = "working_set_bytes", .format = COLUMN_BINARY,
           .unit = "per thread", .page = IN_TITLE);
    column(to, cell_text(""), .title = "bandwidth", .key = "value", .format = COLUMN_SI, .unit = "B/s", .page = LEADS);
    column(to, cell_text(""), .title = "per cycle", .key = "per_cycle", .format = COLUMN_NUMBER, .unit = "B/cycle",
           .page = LEADS);
    column(to, cell_text(""), .title = "clock", .key = "clock_hz", .format = COLUMN_SI, .unit = "Hz", .page = ON_PAGE);
    column(to, cell_text(""), .title = "warnings", .key = "doubts", .format = COLUMN_DOUBTS, .page = ON_PAGE);
}

static void latency_columns(struct column_walk *to) {
    column(to, cell_text(""), .title = "per thread", .key = "working_set_bytes", .format = COLUMN_BINARY,
           .unit = "per thread", .page = IN_TITLE);
    column(to, cell_text(""), .title = "latency", .key = "value", .format = COLUMN_SI, .unit = "s", .page = LEADS);
    column(to, cell_text(""), .title = "per cycle", .key = "per_cycle", .format = COLUMN_NUMBER, .unit = "cycles",
           .page = LEADS);
    column(to, cell_text(""), .title = "clock", .key = "clock_hz", .format = COLUMN_SI, .unit = "Hz", .page = ON_PAGE);
    column(to, cell_text(""), .title = "warnings", .key = "doubts", .format = COLUMN_DOUBTS, .page = ON_PAGE);
}

json_t *report_lists_json(void) {
    static const struct {
        const char *name;
        void (*columns)(struct column_walk *to);
    } LISTS[] = {{"roofs", roof_columns},
                 {"points", points_columns},
                 {"validation", validation_columns},
                 {"bandwidth", bandwidth_columns},
                 {"latency", latency_columns}};
    json_t *lists = json_object();
    for (size_t i = 0; i < sizeof LISTS / sizeof LISTS[0]; i++) {
        struct column_walk to = columns_page();
        LISTS[i].columns(&to);
        json_object_set_new(lists, LISTS[i].name, to.list);
    }
    return lists;
}
