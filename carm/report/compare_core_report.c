/* SPDX-License-Identifier: BSD-3-Clause */
#include "compare_report.h"

#include <math.h>
#include <string.h>

#include "carm/compare/compare_core.h"
#include "carm/store/shape.h"
#include "carm/text/columns.h"
#include "carm/text/or_null.h"
#include "carm/text/table.h"
#include "probe/text.h"
#include "render/page/units.h"

static const char *const QUANTITIES[CORE_QUANTITIES] = {"latency", "throughput"};

static size_t count_of(const struct core_comparison *core, enum core_difference difference) {
    size_t count = 0;
    for (size_t i = 0; i < core->count; i++)
        count += core_row_is(core, &core->rows[i], difference);
    return count;
}

/* The sides with the fewest and the most cycles. */
static void find_ends(const struct core_comparison *core, const struct compared_form *row, size_t *least,
                      size_t *most) {
    *least = *most = core->of->base;
    for (size_t side = 0; side < core->of->side_count; side++) {
        *least = core_ratio(core, row, side) < core_ratio(core, row, *least) ? side : *least;
        *most = core_ratio(core, row, side) > core_ratio(core, row, *most) ? side : *most;
    }
}

static const char *cycles_text(const struct compared_form *row, size_t side, char out[UNITS_BYTES]) {
    return units_number_digits(out, UNITS_BYTES, core_cycles(row->values[side], row->quantity)[CORE_MEASURED], 2);
}

/* "13 → 6"; of more sides "6 (B) to 13 (A)". */
static const char *ends_text(const struct core_comparison *core, const struct compared_form *row,
                             char out[3 * UNITS_BYTES]) {
    const struct comparison *c = core->of;
    char first[UNITS_BYTES], last[UNITS_BYTES], names[2][2];
    size_t least, most;
    find_ends(core, row, &least, &most);
    if (c->side_count == 2)
        snprintf(out, 3 * UNITS_BYTES, "%s → %s", cycles_text(row, c->base, first), cycles_text(row, !c->base, last));
    else if (c->side_count <= COMPARE_COLUMNS)
        snprintf(out, 3 * UNITS_BYTES, "%s (%s) to %s (%s)", cycles_text(row, least, first),
                 compare_letter(least, names[0]), cycles_text(row, most, last), compare_letter(most, names[1]));
    else
        snprintf(out, 3 * UNITS_BYTES, "%s to %s", cycles_text(row, least, first), cycles_text(row, most, last));
    return out;
}

/* "f64 division 13 → 6", of the one variant if others have other values. */
static void say_row(struct sentence *s, const struct core_comparison *core, const struct compared_form *row) {
    char ends[3 * UNITS_BYTES], other[3 * UNITS_BYTES];
    bool same = true;
    ends_text(core, row, ends);
    for (size_t i = 0; i < core->count; i++)
        if (core->rows[i].class && core->rows[i].quantity == row->quantity &&
            strcmp(core->rows[i].class->name, row->class->name) == 0)
            same &= strcmp(ends_text(core, &core->rows[i], other), ends) == 0;
    if (same || !*row->class->variant)
        text_say(s->text, "%s %s", row->class->name, ends);
    else
        text_say(s->text, "%s (%s) %s", row->class->name, row->class->variant, ends);
}

/* Says the first of the differing classes, each in one of its variants. Returns how many. */
static size_t say_quantity(struct sentence *s, const struct core_comparison *core, enum core_quantity quantity,
                           const char *before) {
    enum { MOST = 4 };
    const struct core_class *said[MOST];
    size_t count = 0;
    for (unsigned pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < core->count && count < MOST; i++) {
            const struct compared_form *row = &core->rows[i];
            bool known = false;
            if (!row->class || row->class->leads != (pass == 0) || row->quantity != quantity ||
                !core_row_is(core, row, CORE_DIFFERS))
                continue;
            for (size_t k = 0; k < count; k++)
                known |= strcmp(said[k]->name, row->class->name) == 0;
            if (known)
                continue;
            text_say(s->text, "%s", count == 0 ? before : ", ");
            say_row(s, core, row);
            said[count++] = row->class;
        }
    return count;
}

void compare_core_note(const struct comparison *c, const struct screen *screen) {
    struct core_comparison core = core_compare(c);
    const size_t differing = count_of(&core, CORE_DIFFERS);
    struct sentence s = {""};
    char names[2][2];
    if (core.count > 0 && c->side_count == 2)
        text_say(s.text, "%s → %s, cycles: ", compare_letter(c->base, names[0]), compare_letter(!c->base, names[1]));
    else if (core.count > 0)
        text_say(s.text, "cycles: ");
    const size_t latencies = say_quantity(&s, &core, CORE_LATENCY, "latency of "),
                 said = latencies +
                        say_quantity(&s, &core, CORE_THROUGHPUT, latencies ? "; throughput of " : "throughput of ");
    if (differing > said)
        text_say(s.text, "%s%zu %sof %zu values differ: --all", said ? "; " : "", differing - said, said ? "more " : "",
                 core.count);
    if (differing > 0)
        screen_note(screen, "Core", "%s", s.text);
    else if (core.count > 0)
        screen_note(screen, "Core", "none of %zu latencies and throughputs differs by more than 15 %%", core.count);
    core_comparison_free(&core);
}

/* A side's cycles: "~" a share, "▲" disturbed. */
static const char *value_text(const struct compared_form *row, size_t side, char out[UNITS_BYTES]) {
    const struct core_value *value = row->values[side];
    const double *cycles = core_cycles(value, row->quantity);
    if (!cycles)
        return "–";
    snprintf(out, UNITS_BYTES, "%s%s%.2f", value->disturbed ? "▲" : "",
             value->crosses && row->quantity == CORE_LATENCY ? "~" : "", cycles[CORE_MEASURED]);
    return out;
}

static const char *ratio_text(const struct core_comparison *core, const struct compared_form *row, size_t side,
                              char out[UNITS_BYTES + 8]) {
    static const char *const MARKS[] = {"≈", "", "▲"};
    char number[UNITS_BYTES];
    const double ratio = core_ratio(core, row, side);
    snprintf(out, UNITS_BYTES + 8, "%s%s", isnan(ratio) ? "" : MARKS[core_difference(core, row, side)],
             isnan(ratio) ? "" : units_digits(number, sizeof number, ratio, 3));
    return out;
}

static void side_columns(struct column_walk *to, const struct core_comparison *core, const struct compared_form *row,
                         size_t side, const char *title) {
    const struct comparison *c = core->of;
    char value[UNITS_BYTES], ratio[UNITS_BYTES + 8], letter[2], base[2], of[8];
    column(to, cell_text(value_text(row, side, value)), .title = title ? title : compare_letter(side, letter),
           .right = true, .text = {STAYS});
    if (side == c->base && !title)
        return;
    snprintf(of, sizeof of, "%s/%s", compare_letter(side, letter), compare_letter(c->base, base));
    column(to, cell_text(ratio_text(core, row, side, ratio)), .title = title ? "ratio" : of, .right = true,
           .text = {STAYS});
}

/* The base first; of many sides the ends. */
static void row_columns(struct column_walk *to, const struct core_comparison *core, const struct compared_form *row) {
    const struct comparison *c = core->of;
    char text[TABLE_CELL_BYTES];
    size_t least, most;
    column(to, cell_text(core_class_text(row->class, text, sizeof text)), .title = "", .text = {3});
    column(to, cell_text(row->form), .title = "form", .text = {STAYS});
    column(to, cell_text(QUANTITIES[row->quantity]), .title = "cycles of", .text = {STAYS});
    if (c->side_count > COMPARE_COLUMNS) {
        find_ends(core, row, &least, &most);
        side_columns(to, core, row, least, "lowest");
        side_columns(to, core, row, most, "highest");
        return;
    }
    for (size_t turn = 0; turn < c->side_count; turn++)
        side_columns(to, core, row, compare_turn(c, turn), NULL);
}

void compare_core_print(const struct comparison *c, FILE *out) {
    struct core_comparison core = core_compare(c);
    const size_t differing = count_of(&core, CORE_DIFFERS), unsure = count_of(&core, CORE_UNSURE);
    if (core.count > 0)
        fprintf(out, "\n── The core ──\n");
    struct column_walk to = columns_table(0);
    for (size_t i = 0; i < core.count; i++)
        if (core_row_is(&core, &core.rows[i], CORE_DIFFERS)) {
            columns_row(&to);
            row_columns(&to, &core, &core.rows[i]);
        }
    columns_print_section(&to, out);
    if (core.count > 0)
        wrap_format(out, "",
                    "\n%zu of %zu latencies and throughputs differ by more than 15 %%, and their intervals do not "
                    "meet.",
                    differing, core.count);
    if (unsure > 0)
        wrap_format(out, "  ",
                    "▲ %zu more may differ: others disturbed the measurement, a neighbour on the core may have made "
                    "a throughput longer, or a latency between kinds of registers is only a share. JSON and CSV have "
                    "them.",
                    unsure);
    core_comparison_free(&core);
}

/* A list with one member per side: an end of the intervals, or ratios. */
static json_t *numbers_json(const struct core_comparison *core, const struct compared_form *row, int end) {
    json_t *list = json_array();
    for (size_t side = 0; side < core->of->side_count; side++) {
        const double *cycles = core_cycles(row->values[side], row->quantity);
        json_array_append_new(list, number_or_null(end == CORE_ENDS ? core_ratio(core, row, side)
                                                   : cycles         ? cycles[end]
                                                                    : NAN));
    }
    return list;
}

/* true, false, or null: not known. */
static json_t *differs_json(const struct core_comparison *core, const struct compared_form *row) {
    json_t *list = json_array();
    for (size_t side = 0; side < core->of->side_count; side++) {
        const enum core_difference difference = core_difference(core, row, side);
        json_array_append_new(list,
                              bool_or_null(row->values[side] && difference != CORE_UNSURE, difference == CORE_DIFFERS));
    }
    return list;
}

json_t *compare_core_json(const struct comparison *c) {
    static const char *const LISTS[] = {"values", "lows", "highs", "ratios"};
    struct core_comparison core = core_compare(c);
    json_t *rows = json_array();
    for (size_t i = 0; i < core.count; i++) {
        const struct compared_form *row = &core.rows[i];
        char text[TABLE_CELL_BYTES];
        json_t *object = json_pack("{s:s,s:s}", "form", row->form, "quantity", QUANTITIES[row->quantity]);
        if (row->class)
            shape_set_optional(object, "class", json_string(core_class_text(row->class, text, sizeof text)));
        for (int end = 0; end <= CORE_ENDS; end++)
            json_object_set_new(object, LISTS[end], numbers_json(&core, row, end));
        json_object_set_new(object, "differs", differs_json(&core, row));
        json_array_append_new(rows, object);
    }
    core_comparison_free(&core);
    return rows;
}

/* The columns of compare_csv(). Most are empty for a form. */
static void csv_columns(struct column_walk *to, const struct core_comparison *core, const struct compared_form *row,
                        size_t side) {
    enum { BEFORE_UNIT = 8, BETWEEN = 6 };
    const struct cell none = cell_number(false, 0);
    const struct compare_side *of = &core->of->sides[side];
    const double *cycles = core_cycles(row->values[side], row->quantity);
    const enum core_difference difference = core_difference(core, row, side);
    column(to, cell_text(of->label), .key = "label", .csv = 1);
    column(to, cell_text(of->path), .key = "file", .csv = 1);
    column(to, cell_text(row->quantity == CORE_LATENCY ? "core latency" : "core throughput"), .key = "kind", .csv = 1);
    column(to, cell_text(row->form), .key = "name", .csv = 1);
    for (int i = 0; i < BEFORE_UNIT; i++)
        column(to, none, .key = "", .csv = 1);
    column(to, cell_text("cycles"), .key = "unit", .csv = 1);
    column(to, cell_number(cycles, cycles ? cycles[CORE_MEASURED] : 0), .key = "value", .csv = 1);
    column(to, cell_number(true, core_ratio(core, row, side)), .key = "ratio", .csv = 1);
    for (int i = 0; i < BETWEEN; i++)
        column(to, none, .key = "", .csv = 1);
    column(to,
           cell_text(!cycles                        ? "missing"
                     : row->values[side]->disturbed ? "disturbed"
                                                    : ""),
           .key = "doubts", .csv = 1);
    column(to, cell_number(cycles, cycles ? cycles[CORE_LOW] : 0), .key = "low", .csv = 1);
    column(to, cell_number(cycles, cycles ? cycles[CORE_HIGH] : 0), .key = "high", .csv = 1);
    column(to, cell_bool(cycles && difference != CORE_UNSURE, difference == CORE_SAME), .key = "alike", .csv = 1);
}

void compare_core_csv(const struct comparison *c, FILE *out) {
    struct core_comparison core = core_compare(c);
    for (size_t i = 0; i < core.count; i++)
        for (size_t side = 0; side < c->side_count; side++) {
            struct column_walk to = columns_csv(false);
            csv_columns(&to, &core, &core.rows[i], side);
            columns_end_csv(&to, out);
        }
    core_comparison_free(&core);
}
