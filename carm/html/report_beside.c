/* SPDX-License-Identifier: BSD-3-Clause
 * The report's table of several results side by side: the values and ratios of `carmine compare`. */
#include "report_parts.h"

#include "bench/kernels/doubt.h"
#include "carm/report/compare_report.h"
#include "carm/text/table.h"

static json_t *side_json(const struct comparison *c, const struct compare_row *row, size_t side) {
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

static json_t *row_json(const struct comparison *c, const struct compare_row *row) {
    const bool always = is_always(row);
    char name[64], place[REPORT_CHOICE_BYTES];
    json_t *cells = json_array();
    for (size_t side = 0; side < c->side_count; side++)
        json_array_append_new(cells, side_json(c, row, side));
    compare_headline_name(row, name, sizeof name);
    roof_key_place(&row->key, place, sizeof place);
    return json_pack("{s:s+,s:o,s:o}", "name", name, always ? ", one core" : "", "places",
                     always ? json_null() : json_string(place), "cells", cells);
}

json_t *report_beside_json(const struct report_parts *parts) {
    const struct comparison *c = parts->comparison;
    json_t *rows = json_array();
    for (int always = 0; always < 2 && c->side_count > 1; always++)
        for (size_t i = 0; i < c->headline_count; i++)
            if (is_always(&c->headlines[i]) == always)
                json_array_append_new(rows, row_json(c, &c->headlines[i]));
    return json_pack("{s:o,s:i,s:s}", "rows", rows, "base", (int)c->base, "about",
                     "Each with the best kernel of its machine; × is the ratio to the first. Lower latency is better. "
                     "≈ the intervals overlap, so neither is known to be higher. ▲ behind a value: it has warnings; "
                     "before a ratio: a value may be off by more than 25 %.");
}
