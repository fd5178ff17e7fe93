/* SPDX-License-Identifier: BSD-3-Clause
 * The report's series and cards: the rows of a place, the table of its levels, and facts about the machine. */
#include "report_parts.h"

#include <string.h>

#include "bench/kernels/levels.h"
#include "carm/chart/chart_points.h"
#include "carm/model/applicable_roofs.h"
#include "carm/store/fields.h"
#include "probe/text.h"
#include "carm/store/results.h"
#include "render/page/units.h"

enum { TEXT_BYTES = 320, UNIT_BYTES = 32 };

/* "64 cores", "16 E cores · node 1" */
static void write_place(const struct model_view *place, char *out, size_t size) {
    struct sample where = {.threads = place->threads,
                           .cores = place->smt,
                           .package = place->package,
                           .node = place->node,
                           .memory_node = place->memory_node};
    char text[128];
    model_place_text(&where, text, sizeof text);
    if (place->threads == 0) /* a GPU, or not stated by another tool */
        snprintf(out, size, "all roofs");
    else
        snprintf(out, size, "%u %s%s%s%s%s%s", place->threads, place->core_kind, *place->core_kind ? " " : "",
                 place->smt ? "thread" : "core", place->threads == 1 ? "" : "s", *text ? " · " : "", text);
}

/* Memory of another kind belongs to the place of its cores. */
static json_t *roofs_of(const struct report_result *result, size_t place) {
    const struct model *model = result->source->model;
    json_t *rows = json_array();
    for (size_t i = 0; i < model->count && result->place_count; i++)
        if (model_in_view(&model->roofs[i], &result->places[place]))
            json_array_append_new(rows, json_integer((json_int_t)i));
    return rows;
}

/* Points without a place of their own belong to the place that is shown at first. */
static json_t *points_of(const struct report_result *result, size_t place, const struct chart_options *options) {
    const struct model *model = result->source->model;
    json_t *rows = json_array();
    for (size_t i = 0, row = 0; i < model->result->point_count; i++) {
        const struct app_point *point = &model->result->points[i];
        struct applicable_roofs applicable;
        size_t own = result->shown;
        const bool fits = applicable_make(model, point, &applicable);
        for (size_t p = 0; p < result->place_count && fits; p++)
            if (report_is_place(&result->places[p], &applicable.view))
                own = p;
        if (own == place && points_chosen(point, options))
            json_array_append_new(rows, json_integer((json_int_t)row));
        row += points_chosen(point, options);
    }
    return rows;
}

/* A level's size, best bandwidth, ridge and latency; "" if unknown. */
static json_t *level_row(const struct model *model, const struct model_view *place, const struct level *level,
                         const struct model_level *band) {
    struct model_view view = *place;
    char size[UNIT_BYTES] = "", rate[UNIT_BYTES], pattern[64], reached[TEXT_BYTES], ridge[UNIT_BYTES] = "",
         latency[UNIT_BYTES] = "", number[UNIT_BYTES];
    view.type = "f64";
    view.op = NULL;
    const struct roof *peak = model_peak(model, &view);
    chart_label(band->roof, pattern, sizeof pattern);
    snprintf(reached, sizeof reached, "%s %s", units_si(rate, sizeof rate, band->roof->sample->value, "B/s"), pattern);
    if (level->effective_bytes)
        units_binary(size, sizeof size, (double)level->effective_bytes);
    if (peak)
        snprintf(ridge, sizeof ridge, "%.24s flop/B",
                 units_number(number, sizeof number, model_ridge(peak, band->roof)));
    for (size_t i = 0; i < model->count && !*latency; i++) {
        const struct sample *sample = model->roofs[i].sample;
        if (sample->kind == SAMPLE_LATENCY && !sample->small_pages && strcmp(sample->level, level->name) == 0)
            units_seconds(latency, sizeof latency, sample->value);
    }
    return json_pack("[s,s,s,s,s]", level->name, size, reached, ridge, latency);
}

static json_t *levels_of(const struct report_result *result, size_t place) {
    const struct model *model = result->source->model;
    json_t *rows = json_array();
    if (result->place_count) {
        struct model_view view = result->places[place];
        const struct levels levels = model_levels(model, &view);
        for (unsigned i = 0; i < levels.count; i++) {
            struct model_level band;
            if (model_level(model, &view, levels.level[i].name, &band))
                json_array_append_new(rows, level_row(model, &view, &levels.level[i], &band));
        }
    }
    return json_pack("{s:[s,s,s,s,s],s:o}", "columns", "", "size", "bandwidth", "ridge", "latency", "rows", rows);
}

json_t *report_series_json(const struct report_parts *parts) {
    json_t *list = json_array();
    for (size_t r = 0; r < parts->count; r++) {
        const struct report_result *result = &parts->results[r];
        for (size_t p = 0; p < (result->place_count ? result->place_count : 1); p++) {
            char label[160] = "no roofs", name[TEXT_BYTES];
            if (result->place_count)
                write_place(&result->places[p], label, sizeof label);
            snprintf(name, sizeof name, "%.150s, %s", result->source->label, label);
            json_array_append_new(list, json_pack("{s:i,s:s,s:o,s:i,s:b,s:o,s:{s:o,s:o},s:o}", "result", (int)r,
                                                  "label", label, "name", fields_text(parts->count > 1 ? name : label),
                                                  "count", (int)result->places[p].threads, "shown", p == result->shown,
                                                  "places", report_choices_json(result, p), "rows", "roofs",
                                                  roofs_of(result, p), "points", points_of(result, p, parts->options),
                                                  "levels", levels_of(result, p)));
        }
    }
    return list;
}

/* With the machines' facts that are worth a comparison, true follows. */
static void add_fact(json_t *facts, const char *name, const char *text, bool compared) {
    if (*text)
        json_array_append_new(facts, json_pack("[s,o,b]", name, fields_text(text), compared));
}

/* "23.5 GiB DRAM, 64 GiB HBM", "8 × 64 GiB DRAM" */
static void write_memory(const struct machine *machine, char *out, size_t size) {
    enum { FEW = 4 };
    char one[UNIT_BYTES];
    size_t count = 0;
    out[0] = '\0';
    for (unsigned i = 0; i < machine->node_count; i++)
        count += machine->nodes[i].memory_bytes > 0;
    for (unsigned i = 0, told = 0; i < machine->node_count; i++) {
        const struct memory_node *node = &machine->nodes[i];
        if (node->memory_bytes == 0 || (count > FEW && told))
            continue;
        units_binary(one, sizeof one, (double)node->memory_bytes);
        if (count > FEW)
            text_append(out, size, "%zu × ", count);
        text_append(out, size, "%s%s %s", told++ ? ", " : "", one, node->kind);
    }
}

json_t *report_facts_json(const struct report_result *result) {
    const struct result *r = result->source->model->result;
    const struct environment *environment = &r->environment;
    const char *slash = strrchr(result->source->path, '/');
    char text[TEXT_BYTES], unit[UNIT_BYTES];
    json_t *facts = json_array();
    add_fact(facts, "processor", r->machine.cpu.brand, true);
    add_fact(facts, "microarchitecture", r->uarch, true);
    add_fact(facts, "hypervisor", r->machine.cpu.hypervisor, true);
    snprintf(text, sizeof text, "%u of %u usable", r->machine.core_count, r->machine.machine_core_count);
    add_fact(facts, "cores", r->machine.core_count ? text : "", true);
    snprintf(text, sizeof text, "%u", r->machine.package_count);
    add_fact(facts, "packages", r->machine.package_count ? text : "", true);
    write_memory(&r->machine, text, sizeof text);
    add_fact(facts, "memory", text, true);
    add_fact(facts, "clock at rest",
             environment->rest_clock_hz > 0 ? units_si(text, sizeof text, environment->rest_clock_hz, "Hz") : "", true);
    add_fact(facts, "governor", environment->governor, true);
    add_fact(facts, "huge pages", environment->huge_pages, true);
    add_fact(facts, "kernel", environment->kernel, true);
    add_fact(facts, "microcode", environment->microcode, true);
    add_fact(facts, "load before",
             environment->load_average > 0 ? units_number(text, sizeof text, environment->load_average) : "", false);
    snprintf(text, sizeof text, "%s%s%s", environment->started_utc, environment->elapsed_s > 0 ? ", in " : "",
             environment->elapsed_s > 0 ? units_si(unit, sizeof unit, environment->elapsed_s, "s") : "");
    add_fact(facts, "measured", text, false);
    snprintf(text, sizeof text, "carmine %s", environment->version);
    add_fact(facts, "by", text, true);
    add_fact(facts, "command", environment->command_line, false);
    add_fact(facts, "documented by", r->documented_sources, false);
    add_fact(facts, "file", slash ? slash + 1 : result->source->path, false);
    return facts;
}
