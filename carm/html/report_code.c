/* SPDX-License-Identifier: BSD-3-Clause
 * Tables of texts that the page only draws: the code of hot loops, and the traffic over links. */
#include "report_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bench/programs/annotation.h"
#include "carm/store/fields.h"
#include "probe/text.h"
#include "carm/store/results.h"
#include "render/page/units.h"

/* The traffic over each link between the core, caches and memory: boxes in a row, with arrows in both directions
 * between them, as thick as their bytes. */

enum { TEXT_BYTES = 160 };

/* Adds "1.28 GB loads"; nothing for 0 bytes. */
static void add_flow_amount(json_t *texts, double bytes, const char *what) {
    char text[TEXT_BYTES], amount[UNITS_BYTES];
    if (!(bytes > 0))
        return;
    snprintf(text, sizeof text, "%s %s", units_si(amount, sizeof amount, bytes, "B"), what);
    json_array_append_new(texts, json_string(text));
}

static json_t *inwards_json(const struct point_link *moved) {
    json_t *texts = json_array();
    add_flow_amount(texts, moved->load_bytes, "loads");
    add_flow_amount(texts, moved->allocate_bytes, "write-allocate");
    return json_pack("{s:f,s:o}", "bytes", moved->load_bytes + moved->allocate_bytes, "texts", texts);
}

/* The outward traffic of the core is its stores. */
static json_t *outwards_json(const struct point_link *moved, bool of_core) {
    json_t *texts = json_array();
    add_flow_amount(texts, moved->write_back_bytes, of_core ? "stores" : "write-back");
    add_flow_amount(texts, moved->victim_bytes, "victims");
    add_flow_amount(texts, moved->nontemporal_bytes, "past the caches");
    return json_pack("{s:f,s:o}", "bytes", moved->write_back_bytes + moved->victim_bytes + moved->nontemporal_bytes,
                     "texts", texts);
}

static const char *share_text(double share, char out[TEXT_BYTES]) {
    if (share < 0.001)
        snprintf(out, TEXT_BYTES, "<0.1 %%");
    else
        snprintf(out, TEXT_BYTES, "%.*f %%", share < 0.0095 ? 1 : 0, 100 * share);
    return out;
}

static json_t *link_json(const struct link_times *times, const struct point_link *moved, unsigned i) {
    const struct link_time *link = &times->link[i];
    const bool longest = (int)i == times->longest;
    char text[TEXT_BYTES] = "", share[TEXT_BYTES];
    if (link->roof)
        snprintf(text, sizeof text, "%s%.16s of its time", longest ? "longest: " : "", share_text(link->share, share));
    return json_pack("{s:s,s:s,s:b,s:o,s:o}", "name", link->name, "share", text, "longest", (int)longest, "inwards",
                     inwards_json(moved), "outwards", outwards_json(moved, i == 0));
}

json_t *report_flow_json(const struct link_times *times, const struct app_point *point) {
    char title[2 * TEXT_BYTES], share[TEXT_BYTES], most[TEXT_BYTES] = "";
    json_t *levels, *links = json_array();
    if (times->count == 0) {
        json_decref(links);
        return NULL;
    }
    levels = json_pack("[s]", "core");
    for (unsigned i = 0; i < times->count; i++) {
        json_array_append_new(levels, fields_text(times->link[i].level));
        json_array_append_new(links, link_json(times, &point->levels.link[i], i));
    }
    if (times->longest == LINK_TIMES_CEILING)
        snprintf(most, sizeof most, "; its ceiling needs the longest, %.16s", share_text(times->ceiling_share, share));
    snprintf(title, sizeof title,
             "%.95s: simulated traffic between core, caches and memory, and the share of its time that each link "
             "would need alone%.64s.",
             point->name, most);
    return json_pack("{s:o,s:o,s:o}", "title", fields_text(title), "levels", levels, "links", links);
}

enum { CELL_BYTES = 160 };

/* `kind`: "number", "code", or "share", a number with a bar. */
struct code_column {
    const char *title, *kind, *hint;
};
static const struct code_column LINE_COLUMNS[] = {{"time", "share", ""},    {"runs", "number", ""},
                                                  {"flop", "number", ""},   {"loaded", "number", ""},
                                                  {"stored", "number", ""}, {"line", "number", ""},
                                                  {"source", "code", ""},   {0}},
                                INSTRUCTION_COLUMNS[] = {
                                    {"time", "share", ""},
                                    {"runs", "number", ""},
                                    {"flop", "number", "per execution"},
                                    {"load", "number", "B per execution"},
                                    {"store", "number", "B per execution"},
                                    {"chain", "number", "cycles per iteration: its part of the longest chain"},
                                    {"ports", "number", "cycles per iteration: its part of the busiest ports' time"},
                                    {"bits", "number", "width of its data"},
                                    {"line", "number", ""},
                                    {"at", "number", "from the beginning of its function"},
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

static void add_cycles(json_t *cells, double cycles) {
    char text[UNITS_BYTES];
    add_text(cells, cycles > 0 ? units_number_digits(text, sizeof text, cycles, 2) : "");
}

/* Begins a row with the cells of time and executions; the caller adds the others. */
static json_t *begin_row(json_t *table, double share, uint64_t executions) {
    char text[32];
    json_t *cells = json_array();
    snprintf(text, sizeof text, share < 0.0995 ? "%.1f %%" : "%.0f %%", 100 * share);
    add_text(cells, share > 0 ? text : "");
    add_amount(cells, (double)executions, "");
    json_array_append_new(json_object_get(table, "lines"), json_pack("{s:o,s:f}", "cells", cells, "share", share));
    return cells;
}

/* Adds a text between two rows. */
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
        add_cycles(cells, one->chain_cycles);
        add_cycles(cells, one->ports_cycles);
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
        snprintf(text, sizeof text, "%u more instructions ran, and took no more time than these.",
                 annotation->left_out);
        add_text(notes, text);
    }
    if (annotation->source_newer)
        add_text(notes, "The source was written after the program was built: lines may not match.");
    if (annotation->line_count > 0 && !annotation_has_text(annotation)) {
        snprintf(text, sizeof text, "%s did not exist when this was measured.", annotation->lines[0].file);
        add_text(notes, text);
    }
    return notes;
}

static json_t *annotation_json(const struct annotation *annotation) {
    char title[256], number[UNITS_BYTES];
    snprintf(title, sizeof title, "%s", annotation->name);
    if (annotation->time_share > 0)
        text_append(title, sizeof title, ", %.0f %% of the time", 100 * annotation->time_share);
    if (annotation->iterations > 0)
        text_append(title, sizeof title, ", %s iterations",
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
