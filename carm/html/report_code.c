/* SPDX-License-Identifier: BSD-3-Clause
 * The code of a result's hot loops, as tables of texts that the page only draws. */
#include <inttypes.h>
#include <string.h>

#include "carm/store/fields.h"
#include "render/page/units.h"
#include "report_parts.h"

enum { CELL_BYTES = 160 };

/* `kind`: "number", "code", or "share", which is a number with a bar. */
struct code_column {
    const char *title, *kind, *hint;
};
static const struct code_column LINE_COLUMNS[] = {{"time", "share", ""},    {"runs", "number", ""},
                                                  {"flop", "number", ""},   {"loaded", "number", ""},
                                                  {"stored", "number", ""}, {"line", "number", ""},
                                                  {"source", "code", ""},   {0}},
                                INSTRUCTION_COLUMNS[] = {{"time", "share", ""},
                                                         {"runs", "number", ""},
                                                         {"flop", "number", "of one execution"},
                                                         {"load", "number", "B of one execution"},
                                                         {"store", "number", "B of one execution"},
                                                         {"bits", "number", "width of its data"},
                                                         {"line", "number", ""},
                                                         {"at", "number", "from where its function begins"},
                                                         {"instruction", "code", ""},
                                                         {0}};

static json_t *table_json(const struct code_column *columns) {
    json_t *heads = json_array();
    for (; columns->title; columns++)
        json_array_append_new(
            heads, json_pack("{s:s,s:s,s:s}", "title", columns->title, "kind", columns->kind, "hint", columns->hint));
    return json_pack("{s:o,s:[]}", "heads", heads, "lines");
}

static void add_text(json_t *cells, const char *text) {
    json_array_append_new(cells, fields_text(text));
}

static void add_amount(json_t *cells, double amount, const char *unit) {
    char text[UNITS_BYTES];
    add_text(cells, amount > 0 ? units_si(text, sizeof text, amount, unit) : "");
}

static void add_once(json_t *cells, uint64_t amount, uint64_t executions) {
    char text[UNITS_BYTES];
    add_text(cells,
             amount > 0 && executions > 0 ? units_number(text, sizeof text, (double)amount / (double)executions) : "");
}

/* With the cells of its share of the time and of its executions; the others are to be added. */
static json_t *begin_row(json_t *table, double share, uint64_t executions) {
    char text[32];
    json_t *cells = json_array();
    snprintf(text, sizeof text, share < 0.0995 ? "%.1f %%" : "%.0f %%", 100 * share);
    add_text(cells, share > 0 ? text : "");
    add_amount(cells, (double)executions, "");
    json_array_append_new(json_object_get(table, "lines"), json_pack("{s:o,s:f}", "cells", cells, "share", share));
    return cells;
}

/* What stands between two rows. */
static void add_gap(json_t *table, const char *text) {
    json_array_append_new(json_object_get(table, "lines"), json_pack("{s:o}", "gap", fields_text(text)));
}

static json_t *lines_json(const struct annotation *annotation) {
    json_t *table = table_json(LINE_COLUMNS);
    for (size_t i = 0; i < annotation->line_count; i++) {
        const struct annotated_line *line = &annotation->lines[i], *before = i > 0 ? line - 1 : NULL;
        const struct annotated_sums sums = annotation_sums(annotation, i);
        char text[ANNOTATED_LABEL_BYTES];
        if (!before || strcmp(before->inlined, line->inlined) != 0 || strcmp(before->file, line->file) != 0)
            add_gap(table, annotated_line_heading(line, text));
        else if (before->line + 1 < line->line)
            add_gap(table, "…");
        json_t *cells = begin_row(table, sums.time_share, sums.executions);
        add_amount(cells, (double)sums.flop, "");
        add_amount(cells, (double)sums.load_bytes, "B");
        add_amount(cells, (double)sums.store_bytes, "B");
        snprintf(text, sizeof text, "%u", line->line);
        add_text(cells, text);
        add_text(cells, line->text);
    }
    return table;
}

static json_t *instructions_json(const struct annotation *annotation) {
    json_t *table = table_json(INSTRUCTION_COLUMNS);
    for (size_t i = 0; i < annotation->instruction_count; i++) {
        const struct annotated_instruction *one = &annotation->instructions[i], *before = i > 0 ? one - 1 : NULL;
        const bool known = one->line > 0 && one->line <= annotation->line_count;
        char text[ANNOTATED_LABEL_BYTES];
        if (before && before->offset + before->code_bytes != one->offset)
            add_gap(table, "…");
        json_t *cells = begin_row(table, one->time_share, one->executions);
        add_once(cells, one->flop, one->executions);
        add_once(cells, one->load_bytes, one->executions);
        add_once(cells, one->store_bytes, one->executions);
        snprintf(text, sizeof text, "%u", one->data_bits);
        add_text(cells, one->data_bits > 0 ? text : "");
        add_text(cells, known ? annotated_line_label(&annotation->lines[one->line - 1], text) : "");
        snprintf(text, sizeof text, "%#" PRIx64, one->offset);
        add_text(cells, text);
        add_text(cells, one->text);
    }
    return table;
}

static json_t *notes_json(const struct annotation *annotation) {
    json_t *notes = json_array();
    char text[512];
    if (annotation->left_out > 0) {
        snprintf(text, sizeof text, "%u instructions more, which ran and took less than these.", annotation->left_out);
        add_text(notes, text);
    }
    if (annotation->source_newer)
        add_text(notes, "The source was written after the program was built: lines may not match.");
    if (annotation->line_count > 0 && !annotation_has_text(annotation)) {
        snprintf(text, sizeof text, "%s was not there when this was measured.", annotation->lines[0].file);
        add_text(notes, text);
    }
    return notes;
}

static json_t *annotation_json(const struct annotation *annotation) {
    char title[256], number[UNITS_BYTES];
    size_t length = (size_t)snprintf(title, sizeof title, "%s", annotation->name);
    if (annotation->time_share > 0)
        length += (size_t)snprintf(title + length, sizeof title - length, ", %.0f %% of the time",
                                   100 * annotation->time_share);
    if (annotation->iterations > 0)
        snprintf(title + length, sizeof title - length, ", %s iterations",
                 units_si(number, sizeof number, (double)annotation->iterations, ""));
    json_t *tables = json_array();
    if (annotation_has_text(annotation))
        json_array_append_new(tables, lines_json(annotation));
    json_array_append_new(tables, instructions_json(annotation));
    return json_pack("{s:o,s:o,s:o}", "title", fields_text(title), "tables", tables, "notes", notes_json(annotation));
}

json_t *report_code_json(const struct result *result) {
    json_t *list = json_array();
    for (size_t i = 0; i < result->annotation_count; i++)
        json_array_append_new(list, annotation_json(&result->annotations[i]));
    return list;
}
