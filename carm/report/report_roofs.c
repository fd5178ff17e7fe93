/* SPDX-License-Identifier: BSD-3-Clause
 * Roofs in every form, each column stated once; warnings and trust as text. */
#include "report.h"

#include <stdlib.h>

#include "bench/kernels/doubt.h"
#include "bench/kernels/estimate.h"
#include "carm/model/describe.h"
#include "carm/store/results.h"
#include "carm/text/next_step.h"
#include "carm/text/table.h"

/* Older results, and those of other tools, have none. */
static bool has_intervals(const struct model *model) {
    bool any = false;
    for (size_t i = 0; i < model->count; i++)
        any |= model->roofs[i].sample->high > 0;
    return any;
}

/* The uncertainty of the value; "–" in a table with intervals if it is unknown. */
static struct cell uncertainty_of(const struct sample *s) {
    const bool imported = doubts_has(s->doubts, DOUBT_IMPORTED);
    const struct cell known = cell_number(!imported, estimate_uncertainty(s));
    return known.known || imported ? known : cell_read(known, "–");
}

/* The cores of the threads, and the place of their memory. */
static void place_columns(struct column_walk *to, const struct sample *s) {
    column(to, cell_amount(s->cores > 0, s->cores), .key = "cores", .csv = 16, .json = 20, .optional = true);
    column(to, cell_place(s->package), .key = "package", .csv = 17, .json = 21, .optional = true);
    column(to, cell_place(s->node), .key = "node", .csv = 18, .json = 22, .optional = true);
    column(to, cell_place(s->memory_node), .key = "memory_node", .csv = 19, .json = 23, .optional = true);
}

/* The rate per time and per cycle. */
static void rate_columns(struct column_walk *to, const struct roof *roof, bool intervals) {
    const struct sample *s = roof->sample;
    const char *unit = model_roof_unit(roof), *per_cycle = model_roof_unit_per_cycle(roof);
    const double documented = s->documented_per_cycle, ratio = roof->documented_ratio;
    column(to, cell_number(!sample_is_blank(s), s->value), .title = "measured", .key = "value", .format = COLUMN_SI,
           .unit = unit, .rate = true, .text = {STAYS}, .csv = 6, .json = 6, .page = IN_TABLE);
    column(to, cell_text(model_roof_unit_name(roof)), .key = "unit", .csv = 7, .json = 7);
    column(to, cell_positive(s->per_cycle), .title = "per cycle", .heading = per_cycle, .key = "per_cycle",
           .format = COLUMN_PER_CYCLE, .rate_per_cycle = true, .text = {5}, .csv = 8, .raw_csv = true, .json = 8,
           .page = IN_TABLE);
    column(to, cell_positive(documented), .title = "documented", .key = "documented_per_cycle", .format = COLUMN_LIMIT,
           .text = {6}, .csv = 10, .raw_csv = true, .json = 10, .page = IN_TABLE,
           .tip = &(struct column_tip){.title = "documented", .rate_per_cycle = true});
    column(to, documented > 0 || to->form != COLUMNS_TABLE ? cell_positive(ratio) : cell_text(""), .title = "ratio",
           .key = "documented_ratio", .format = COLUMN_PERCENT, .digits = 1, .text = {1}, .json = 11, .page = IN_TABLE,
           .tip = &(struct column_tip){.title = "reached"});
    column(to, cell_number(!sample_is_blank(s) && !doubts_has(s->doubts, DOUBT_IMPORTED), s->clock_hz),
           .title = "clock", .key = "clock_hz", .format = COLUMN_CLOCK, .unit = "Hz", .text = {4}, .csv = 9,
           .raw_csv = true, .json = 9, .raw_json = true, .page = ON_PAGE);
    column(to, uncertainty_of(s), .title = "±", .key = "uncertainty", .format = COLUMN_PERCENT, .digits = 1,
           .text = {intervals ? 2 : 0}, .page = ON_PAGE);
    column(to, cell_number(!(doubts_has(s->doubts, DOUBT_IMPORTED)), s->spread), .title = "spread", .key = "spread",
           .format = COLUMN_PERCENT, .digits = 1, .text = {intervals ? 0 : 2}, .csv = 11, .csv_digits = 5,
           .raw_csv = true, .json = 12, .raw_json = true, .page = ON_PAGE);
}

void report_roof_columns(struct column_walk *to, const struct roof *roof, bool intervals) {
    const struct sample *s = roof->sample;
    const bool memory = s->working_set_bytes > 0;
    char kernel[sizeof s->kernel + DESCRIBE_PAGES_BYTES], pages[DESCRIBE_PAGES_BYTES];
    snprintf(kernel, sizeof kernel, "%s%s", s->kernel, describe_pages(s->small_pages, s->page_bytes, pages));
    /* On the page the kernel leads; in text tables, which name its pages, the level. */
    column(to, cell_text(s->kernel), .title = "kernel", .key = "name", .csv = 1, .json = 1, .page = ON_PAGE);
    column(to, cell_text(results_kind_names[s->kind]), .key = "kind", .csv = 2, .json = 2);
    column(to, cell_text(s->level), .title = "level", .heading = "", .key = "level", .text = {STAYS}, .csv = 3,
           .json = 3, .page = IN_TABLE);
    column(to, cell_text(kernel), .title = "kernel", .text = {STAYS});
    column(to, cell_text(""), .title = "machine", .key = "machine", .page = ON_PAGE);
    column(to, cell_text(""), .title = "place", .key = "place", .page = ON_PAGE);
    column(to, cell_amount(true, s->threads), .key = "threads", .csv = 4, .json = 4);
    column(to, cell_text(s->core_kind), .key = "core_kind", .csv = 5, .json = 19, .optional = true);
    column(to, cell_text(s->cpus), .title = "CPUs", .key = "cpus", .json = 5, .raw_json = true, .page = IN_TIP);
    rate_columns(to, roof, intervals);
    column(to, cell_amount(memory, (double)s->working_set_bytes), .title = "data",
           .heading = s->kind == SAMPLE_COMPUTE ? "" : "working set", .key = "working_set_bytes",
           .format = COLUMN_BINARY, .text = {7}, .csv = 12, .raw_csv = true, .json = 17, .optional = true,
           .page = IN_TABLE, .tip = &(struct column_tip){.title = "data", .unit = "per thread"});
    column(to, cell_amount(memory, (double)s->page_bytes), .title = "pages", .key = "page_bytes",
           .format = COLUMN_BINARY, .csv = 13, .raw_csv = true, .json = 18, .optional = true, .page = IN_TIP);
    column(to, cell_text(s->variant), .title = "variant", .key = "variant", .text = {9}, .csv = 14, .json = 16,
           .raw_json = true, .page = IN_TIP);
    column(to, cell_doubts(s->doubts), .title = "warnings", .key = "doubts", .format = COLUMN_DOUBTS, .text = {3},
           .csv = 15, .json = 13, .page = ON_PAGE);
    place_columns(to, s);
    column(to, cell_number(s->high > 0, s->low), .key = "low", .csv = 20, .json = 14);
    column(to, cell_number(s->high > 0, s->high), .key = "high", .csv = 21, .json = 15);
}

/* Every roof, then the blank ones. */
static const struct roof *row_of(const struct model *model, size_t i) {
    return i < model->count ? &model->roofs[i] : &model->blanks[i - model->count];
}

void report_roofs_print(const struct model *model, const struct model_view *view, enum sample_kind kind, bool integer,
                        FILE *out) {
    struct column_walk to = columns_table(0);
    const bool intervals = has_intervals(model);
    for (size_t i = 0; i < model->count + model->blank_count; i++) {
        const struct roof *roof = row_of(model, i);
        if (model_in_view(roof, view) && roof->sample->kind == kind && model_is_integer(roof) == integer) {
            columns_row(&to);
            report_roof_columns(&to, roof, intervals);
        }
    }
    columns_print_section(&to, out);
}

json_t *report_roofs_json(const struct model *model) {
    json_t *list = json_array();
    for (size_t i = 0; i < model->count + model->blank_count; i++) {
        struct column_walk to = columns_json();
        report_roof_columns(&to, row_of(model, i), false);
        json_array_append_new(list, columns_end_json(&to));
    }
    return list;
}

void report_csv(const struct model *model, FILE *out) {
    struct column_walk to = columns_csv(true);
    report_roof_columns(&to, &(struct roof){.sample = &(struct sample){.kind = SAMPLE_COMPUTE}}, false);
    columns_end_csv(&to, out);
    for (size_t i = 0; i < model->count + model->blank_count; i++) {
        to = columns_csv(false);
        report_roof_columns(&to, row_of(model, i), false);
        columns_end_csv(&to, out);
    }
}

void report_doubts_print(struct doubts doubts, FILE *out) {
    char line[1024];
    for (unsigned i = 0; i < DOUBT_COUNT; i++)
        if (doubts_has(doubts, i)) {
            snprintf(line, sizeof line, "\n▲ %s: %s.\n  Remedy: %s.", doubt_table[i].name, doubt_table[i].cause,
                     doubt_table[i].remedy);
            wrap_fitted(line, "  ", out);
        }
}

char *report_trust_text(const struct result *result, char *out, size_t size) {
    const struct trust trust = trust_grade(result->samples, result->sample_count, result->environment.interrupted);
    char *resume = next_command(NEXT_RESUME, NULL);
    trust_text(&trust, resume, out, size);
    free(resume);
    return out;
}
