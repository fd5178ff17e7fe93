/* SPDX-License-Identifier: BSD-3-Clause
 * A result as text and as JSON, and a plan as text. */
#include "report.h"
#include "machine_report.h"
#include "memory_report.h"
#include "report_app.h"
#include "validate_report.h"

#include <inttypes.h>
#include <string.h>

#include "bench/kernels/doubt.h"
#include "bench/kernels/estimate.h"
#include "carm/model/describe.h"
#include "carm/session/partial.h"
#include "carm/store/results.h"
#include "carm/store/shape.h"
#include "carm/text/or_null.h"
#include "carm/text/table.h"
#include "probe/isa.h"
#include "render/page/units.h"

enum { MAX_PLACES = 64 };

static void print_levels(const struct model *model, const struct model_view *place, const char *op, FILE *out) {
    const struct levels all = model_levels(model, place), *levels = &all;
    struct model_view view = *place;
    struct table table = table_begin("llrlrrrr");
    const char *const names[] = {"",          "roof",        "bandwidth", "floor",
                                 "bandwidth", "ridge point", "detected",  "found to end near"};
    table_head(&table, names, sizeof names / sizeof names[0]);
    view.type = "f64";
    const struct roof *peak = model_peak(model, &view);
    view.type = NULL;
    view.op = op;
    for (unsigned i = 0; i < levels->count; i++) {
        struct model_level band;
        if (!model_level(model, &view, levels->level[i].name, &band))
            continue;
        char text[UNITS_BYTES];
        char(*row)[TABLE_CELL_BYTES] = table_row(&table);
        table_set(row, 0, "%s", levels->level[i].name);
        table_set(row, 1, "%s", band.roof->sample->kernel);
        table_set(row, 2, "%s", units_si(text, sizeof text, band.roof->sample->value, "B/s"));
        table_set(row, 3, "%s", band.floor->sample->kernel);
        table_set(row, 4, "%s", units_si(text, sizeof text, band.floor->sample->value, "B/s"));
        if (peak)
            table_set(row, 5, "%s flop/B", units_number(text, sizeof text, model_ridge(peak, band.roof)));
        if (levels->level[i].detected_bytes)
            table_set(row, 6, "%s", units_binary(text, sizeof text, (double)levels->level[i].detected_bytes));
        if (levels->level[i].found_bytes)
            table_set(row, 7, "%s", units_binary(text, sizeof text, (double)levels->level[i].found_bytes));
    }
    table_print_section(&table, out);
}

/* A row for an ISA with ceilings, if some level's best pattern was measured only with other ISAs. */
static void add_untried(struct table *table, const struct model *model, const struct model_view *own,
                        const struct levels *levels) {
    const char *ops[MACHINE_MAX_LEVELS] = {NULL};
    struct model_view any = *own;
    bool lacks = false;
    any.isa = NULL;
    for (unsigned i = 0; i < levels->count && i < sizeof ops / sizeof *ops; i++) {
        struct model_level best;
        if (model_level(model, &any, levels->level[i].name, &best))
            ops[i] = model_untried(model, own, best.roof);
        lacks |= ops[i] != NULL;
    }
    if (!lacks || !model_peak(model, own))
        return;
    char(*row)[TABLE_CELL_BYTES] = table_row(table);
    table_set(row, 0, "%s", isa_find(own->isa)->label);
    for (unsigned i = 0; i < sizeof ops / sizeof *ops; i++)
        if (ops[i])
            table_set(row, i + 1, "%s", ops[i]);
}

/* The roofs that an ISA lacks: its other roofs of these levels may be below its best. */
static void print_untried(const struct model *model, const struct model_view *place, FILE *out) {
    const struct levels levels = model_levels(model, place);
    static const char COLUMNS[] = "llllllllll";
    _Static_assert(sizeof COLUMNS - 1 == 1 + MACHINE_MAX_LEVELS, "a column for each level");
    struct table table = table_begin(COLUMNS + (sizeof COLUMNS - 1 - (1 + levels.count)));
    char(*head)[TABLE_CELL_BYTES] = table_row(&table);
    table_set(head, 0, "not measured");
    for (unsigned i = 0; i < levels.count; i++)
        table_set(head, i + 1, "%s", levels.level[i].name);
    for (size_t i = isa_vector_count; i-- > 0;) {
        struct model_view own = *place;
        own.isa = isa_table[i].name;
        add_untried(&table, model, &own, &levels);
    }
    table_print_section(&table, out);
}

static void print_doubts(const struct result *result, FILE *out) {
    unsigned counts[DOUBT_COUNT];
    model_count_doubts(result, counts);
    char notes[MACHINE_MAX_CACHES * MACHINE_MAX_KINDS][160];
    size_t note_count = describe_level_notes(result, notes, sizeof notes / sizeof notes[0]);
    if (result->uarch_doubt[0])
        wrap_format(out, "  ", "\n▲ %s", result->uarch_doubt);
    if (result->environment.clock_doubt[0])
        wrap_format(out, "  ", "\n▲ %s", result->environment.clock_doubt);
    char line[DESCRIBE_LINE_BYTES], death[DESCRIBE_DEATH_BYTES];
    if (*describe_quota(result, line, sizeof line))
        wrap_format(out, "  ", "\n▲ %s.", line);
    if (*describe_apart(result, line, sizeof line))
        wrap_format(out, "  ", "\n▲ %s.", line);
    if (*describe_others(result, line, sizeof line))
        wrap_format(out, "  ", "\n▲ %s.", line);
    for (size_t i = 0; i < result->death_count; i++)
        wrap_format(out, "  ", "\n▲ %s.", describe_death(&result->deaths[i], death, sizeof death));
    for (size_t i = 0; i < note_count; i++)
        wrap_format(out, "  ", "\n▲ %s", notes[i]);
    for (unsigned i = 0; i < DOUBT_COUNT; i++)
        if (counts[i])
            wrap_format(out, "  ", "\n▲ %s (%u of %zu): %s.\n  Remedy: %s.", doubt_table[i].name, counts[i],
                        result->sample_count, doubt_table[i].cause, doubt_table[i].remedy);
    char lacking[PARTIAL_TEXT_BYTES];
    if (*partial_text(result, NULL, lacking, sizeof lacking))
        wrap_format(out, "  ", "\n▲ %s", lacking);
}

static void print_heading(const struct model *model, const struct model_view *place, FILE *out) {
    const struct sample *first = NULL;
    for (size_t i = 0; i < model->count && !first; i++)
        if (model_in_view(&model->roofs[i], place))
            first = model->roofs[i].sample;
    char where[128] = "";
    if (first)
        model_place_text(first, where, sizeof where);
    if (place->threads == 0)
        fprintf(out, "\n── roofs ──\n");
    else if (first && !*first->cpus)
        fprintf(out, "\n── %u thread%s ──\n", place->threads, place->threads == 1 ? "" : "s");
    else
        fprintf(out, "\n── %u thread%s on CPU%s %s%s%s ──\n", place->threads, place->threads == 1 ? "" : "s",
                place->threads == 1 ? "" : "s", first ? first->cpus : "", *where ? " · " : "", where);
}

/* From node to node, if measured: a row for the threads' node, a column for the memory's. */
static void print_matrix(const struct model *model, enum sample_kind kind, FILE *out) {
    struct model_matrix matrix;
    if (!model_matrix(model, kind, &matrix))
        return;
    char align[MODEL_MATRIX_NODES + 2] = "r";
    for (size_t j = 0; j < matrix.columns; j++)
        strcat(align, "r");
    struct table table = table_begin(align);
    char(*row)[TABLE_CELL_BYTES] = table_row(&table), text[UNITS_BYTES];
    for (size_t j = 0; j < matrix.columns; j++)
        table_set(row, j + 1, "%s %u", matrix.column_kind[j] ? matrix.column_kind[j] : "", matrix.column_node[j]);
    for (size_t i = 0; i < matrix.rows; i++) {
        row = table_row(&table);
        table_set(row, 0, "node %u", matrix.row_node[i]);
        for (size_t j = 0; j < matrix.columns; j++)
            if (matrix.roof[i][j])
                table_set(row, j + 1, "%s%s",
                          kind == SAMPLE_LATENCY ? units_seconds(text, sizeof text, matrix.roof[i][j]->sample->value)
                                                 : units_si(text, sizeof text, matrix.roof[i][j]->sample->value, "B/s"),
                          doubts_any(matrix.roof[i][j]->sample->doubts) ? " ▲" : "");
    }
    fprintf(out, "\n── %s ──\n\n",
            kind == SAMPLE_LATENCY ? "Latency: one thread on the row's node, memory on the column's"
                                   : "Bandwidth of loads: all cores of the row's node, memory on the column's");
    table_print(&table, out);
}

/* Warnings of roofs are explained already. */
static void print_memory(const struct result *result, FILE *out) {
    struct doubts explained = NO_DOUBTS;
    for (size_t i = 0; i < result->sample_count; i++)
        doubts_join(&explained, result->samples[i].doubts);
    if (memory_parts(result))
        fprintf(out, "\n── memory under load ──\n");
    memory_print(result, MEMORY_ALL_PARTS, explained, out);
}

void report_print(const struct model *model, const char *op, FILE *out) {
    char line[512];
    describe_machine(model->result, line, sizeof line);
    wrap_fitted(line, "   ", out);
    describe_conditions(model->result, line, sizeof line);
    wrap_fitted(line, "   ", out);
    if (*report_trust_text(model->result, line, sizeof line))
        wrap_format(out, "   ", "\n%s", line);
    struct model_view places[MAX_PLACES];
    size_t count = model_places(model, places, MAX_PLACES);
    for (size_t p = 0; p < count; p++) {
        print_heading(model, &places[p], out);
        for (int kind = SAMPLE_COMPUTE; kind <= SAMPLE_LATENCY; kind++)
            for (int integer = 0; integer < 2; integer++)
                report_roofs_print(model, &places[p], (enum sample_kind)kind, integer, out);
        print_levels(model, &places[p], op, out);
        print_untried(model, &places[p], out);
    }
    print_matrix(model, SAMPLE_BANDWIDTH, out);
    print_matrix(model, SAMPLE_LATENCY, out);
    if (model->result->validation_count)
        fprintf(out, "\n── mixed kernels against min(π, I·β) ──\n\n");
    validation_print(model->result->validation, model->result->validation_count, out);
    print_doubts(model->result, out);
    print_memory(model->result, out);
    if (model->result->core.count > 0) {
        fprintf(out, "\n── the core ──\n\n");
        core_print(model->result, false, out);
    }
    if (model->result->point_count)
        fprintf(out, "\n── applications ──\n\n");
    report_points_print(model, model->result->points, model->result->point_count, out);
}

/* The plan. */

void plan_report_print(const struct plan *plan, const struct result *result, double budget_s, FILE *out) {
    struct table table = table_begin("rlllrlrr");
    const char *const names[] = {"threads", "", "kernel", "level", "working sets", "", "repetitions", "expected"};
    table_head(&table, names, sizeof names / sizeof names[0]);
    for (size_t i = 0; i < plan->count; i++) {
        const struct plan_step *step = &plan->steps[i];
        struct sample place = {0};
        plan_describe(step, &result->machine, result->levels, &place);
        char text[3][32], where[128], pages[DESCRIBE_PAGES_BYTES];
        char(*row)[TABLE_CELL_BYTES] = table_row(&table);
        table_set(row, 0, "%u", step->threads);
        table_set(row, 1, "%s", model_place_text(&place, where, sizeof where));
        table_set(row, 2, "%s%s", step->kernel,
                  describe_pages(step->small_pages, machine_page_bytes(&result->machine), pages));
        table_set(row, 3, "%s", place.level);
        if (step->size_count)
            table_set(row, 4, "%s%s%s", units_binary(text[0], 32, (double)step->size_bytes[0]),
                      step->size_count > 1 ? " … " : "",
                      step->size_count > 1 ? units_binary(text[1], 32, (double)step->size_bytes[step->size_count - 1])
                                           : "");
        table_set(row, 6, "%u", step->repetitions);
        table_set(row, 7, "%s", units_seconds(text[2], 32, step->expected_s));
    }
    table_print(&table, out);
    wrap_format(out, "",
                "\n%zu roofs, each visited until its interval is narrow enough (at most %.0f s in all), after a sweep "
                "that finds the levels; %" PRIu64 " MiB of buffers per memory node",
                plan->count, budget_s, plan_node_bytes(plan, &result->machine) >> 20);
    if (plan->note[0])
        fprintf(out, "%s\n", plan->note);
}

/* JSON. */

/* null without a grade. */
static json_t *trust_json(const struct result *result) {
    const struct trust trust = trust_grade(result->samples, result->sample_count, result->environment.interrupted);
    const char grade[2] = {trust.grade};
    char text[400];
    if (!trust.grade && !shape_wanted())
        return json_null();
    return shape_nullable(json_pack("{s:s,s:i,s:i,s:i,s:b,s:b,s:o,s:s}", "grade", grade, "headline_roofs",
                                    (int)trust.headline, "beyond_1_percent", (int)trust.beyond_1, "beyond_5_percent",
                                    (int)trust.beyond_5, "partial", (int)trust.partial, "clock_uncertain",
                                    (int)trust.clock_uncertain, "doubts", doubts_json(trust.doubts), "text",
                                    report_trust_text(result, text, sizeof text)));
}

json_t *report_json(const struct model *model) {
    const struct result *result = model->result;
    json_t *machine =
        json_pack("{s:s,s:s,s:s,s:s,s:i,s:i,s:i,s:s}", "host", result->machine.host, "cpu", result->machine.cpu.brand,
                  "vendor", result->machine.cpu.vendor, "uarch", result->uarch, "packages",
                  (int)result->machine.package_count, "cores", (int)result->machine.machine_core_count, "usable_cores",
                  (int)result->machine.core_count, "hypervisor", result->machine.cpu.hypervisor);
    json_object_set_new(machine, "documented_sources", json_string(result->documented_sources));
    json_object_set_new(machine, "started_utc", json_string(result->environment.started_utc));
    json_t *all = json_pack("{s:s,s:o,s:o,s:o,s:o,s:o}", "schema", "carmine.roofs/1", "machine", machine, "trust",
                            trust_json(result), "roofs", report_roofs_json(model), "points",
                            report_points_json(model, result->points, result->point_count), "validation",
                            validation_points_json(result->validation, result->validation_count));
    if (result->annotation_count > 0)
        shape_set_optional(all, "annotations", annotations_json(result->annotations, result->annotation_count));
    if (memory_parts(result))
        shape_set_optional(all, "memory", memory_json(result, MEMORY_ALL_PARTS));
    if (result->core.count > 0)
        shape_set_optional(all, "core", core_json(result));
    return all;
}
