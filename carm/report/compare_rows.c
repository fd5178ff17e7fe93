/* SPDX-License-Identifier: BSD-3-Clause
 * Rows of comparisons (see compare_rows.h). */
#include "compare_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/kernels/doubt.h"
#include "carm/model/describe.h"
#include "probe/need.h"
#include "render/page/units.h"

static const char *value_text(const struct roof *roof, enum compare_per per, char out[DESCRIBE_VALUE_BYTES]) {
    const double value = compare_value(roof, per);
    if (isnan(value))
        return !roof ? "–" : per == PER_CYCLE ? "clock unknown" : "cores unknown";
    if (per == PER_CYCLE)
        return units_digits(out, UNITS_BYTES, value, 4);
    if (per == PER_MACHINE && describe_is_vague(roof->sample))
        return describe_value(roof->sample, model_roof_unit(roof), out, DESCRIBE_VALUE_BYTES);
    return units_column(out, UNITS_BYTES, value, model_roof_unit(roof));
}

static const char *ratio_text(double ratio, char out[UNITS_BYTES]) {
    return isnan(ratio) ? "" : units_digits(out, UNITS_BYTES, ratio, 3);
}

static bool is_vague(const struct comparison *c, const struct compare_row *row, size_t side) {
    const struct roof *own = row->roofs[side], *base = row->roofs[c->base];
    return (own && describe_is_vague(own->sample)) || (base && describe_is_vague(base->sample));
}

/* "≈" before a ratio is no difference that was measured, "▲" one of values that may be off by more than 25 %. */
static const char *mark_text(const struct comparison *c, const struct compare_row *row, size_t side,
                             enum compare_per per) {
    if (isnan(compare_ratio(c, row, side, per)))
        return "";
    return compare_alike(row->roofs[side], row->roofs[c->base], per) ? "≈" : is_vague(c, row, side) ? "▲" : "";
}

/* "unstable" where all have it, else "B: unstable; C: others active". */
static void doubts_text(const struct comparison *c, const struct compare_row *row, char *out, size_t size) {
    char letter[2], names[TABLE_CELL_BYTES];
    struct doubts all = doubts_all();
    bool any = false;
    for (size_t i = 0; i < c->side_count; i++)
        if (row->roofs[i])
            any = true, all = doubts_common(all, row->roofs[i]->sample->doubts);
    int length = snprintf(out, size, "%s", any ? doubt_names(all, names, sizeof names) : "");
    for (size_t i = 0; i < c->side_count && length < (int)size; i++) {
        const struct doubts own = row->roofs[i] ? doubts_without(row->roofs[i]->sample->doubts, all) : all;
        if (row->roofs[i] && doubts_any(own))
            length += snprintf(out + length, size - (size_t)length, "%s%s: %s", length ? "; " : "",
                               compare_letter(i, letter), doubt_names(own, names, sizeof names));
    }
}

/* The base, two columns for each other side, the doubts. What others reach in their unit goes before what the base
 * does; ratios stay. */
static void side_columns(struct compare_rows *rows, const struct compare_row *row) {
    struct column_walk *to = &rows->to;
    const struct comparison *c = rows->of;
    char text[TABLE_CELL_BYTES], ratio[DESCRIBE_VALUE_BYTES], title[8], letter[2], base[2];
    column(to, cell_text(value_text(row->roofs[c->base], rows->per, ratio)), .title = compare_letter(c->base, base),
           .right = true, .text = {2});
    for (size_t i = 0; i < c->side_count; i++) {
        if (i == c->base)
            continue;
        snprintf(title, sizeof title, "%s/%s", compare_letter(i, letter), base);
        column(to, cell_text(value_text(row->roofs[i], rows->per, ratio)), .title = letter, .right = true, .text = {3});
        snprintf(text, sizeof text, "%s%s", mark_text(c, row, i, rows->per),
                 ratio_text(compare_ratio(c, row, i, rows->per), ratio));
        column(to, cell_text(text), .title = title, .right = true, .text = {STAYS});
    }
    doubts_text(c, row, text, sizeof text);
    column(to, cell_text(text), .title = "doubts", .text = {5});
}

struct ranked_side {
    double ratio;
    size_t side;
};

static int by_ratio(const void *a, const void *b) {
    const struct ranked_side *p = a, *q = b;
    return p->ratio != q->ratio ? (p->ratio < q->ratio ? -1 : 1) : (p->side > q->side) - (p->side < q->side);
}

/* An end of the range: its ratio, and the side's name. */
static void end_columns(struct compare_rows *rows, const struct compare_row *row, const struct ranked_side *end,
                        const char *title, bool named) {
    char ratio[UNITS_BYTES], text[TABLE_CELL_BYTES] = "";
    if (end)
        snprintf(text, sizeof text, "%s%s", is_vague(rows->of, row, end->side) ? "▲" : "",
                 ratio_text(end->ratio, ratio));
    column(&rows->to, cell_text(text), .title = title, .right = true, .text = {STAYS});
    snprintf(text, sizeof text, "%.60s", named ? rows->of->sides[end->side].label : "");
    column(&rows->to, cell_text(text), .title = "", .text = {2});
}

/* Of many sides: the base, and the range of the ratios with the sides at its ends. */
static void range_columns(struct compare_rows *rows, const struct compare_row *row) {
    const struct comparison *c = rows->of;
    struct column_walk *to = &rows->to;
    struct ranked_side *ranked = need_calloc(c->side_count, sizeof *ranked);
    size_t count = 0, holders = 0, doubtful = 0;
    for (size_t i = 0; i < c->side_count; i++) {
        const double ratio = compare_ratio(c, row, i, rows->per);
        holders += row->roofs[i] != NULL;
        doubtful += row->roofs[i] && doubts_any(row->roofs[i]->sample->doubts);
        if (i != c->base && !isnan(ratio))
            ranked[count++] = (struct ranked_side){ratio, i};
    }
    qsort(ranked, count, sizeof *ranked, by_ratio);
    const struct ranked_side *lowest = count ? &ranked[0] : NULL, *highest = count ? &ranked[count - 1] : NULL;
    const bool alike = count > 1 && (highest->ratio < lowest->ratio * (1 + COMPARE_SAME) ||
                                     compare_alike(row->roofs[lowest->side], row->roofs[highest->side],
                                                   rows->per)); /* then no end has a name */
    const double median = count ? (ranked[(count - 1) / 2].ratio + ranked[count / 2].ratio) / 2 : NAN;
    char text[DESCRIBE_VALUE_BYTES], have[48];
    snprintf(have, sizeof have, "%zu of %zu", holders, c->side_count);
    column(to, cell_text(value_text(row->roofs[c->base], rows->per, text)), .title = c->sides[c->base].label,
           .right = true, .text = {4});
    column(to, cell_text(have), .title = "have it", .right = true, .text = {5});
    end_columns(rows, row, lowest, "lowest", count && !alike);
    column(to, cell_number(count > 0, median), .title = "median", .format = COLUMN_DIGITS, .text = {3});
    end_columns(rows, row, highest, "highest", count && !alike);
    column(to, cell_amount(doubtful > 0, (double)doubtful), .title = "doubtful", .format = COLUMN_WHOLE, .text = {6});
    free(ranked);
}

struct compare_rows compare_rows_begin(const struct comparison *c, enum compare_per per, const char *second,
                                       bool named_by_second) {
    return (struct compare_rows){columns_table(0), c, per, second, named_by_second};
}

void compare_rows_add(struct compare_rows *rows, const struct compare_row *row, const char *first, const char *second) {
    const bool few = rows->of->side_count <= COMPARE_COLUMNS;
    columns_row(&rows->to);
    column(&rows->to, cell_text(first), .title = "", .text = {STAYS});
    column(&rows->to, cell_text(second), .title = rows->second, .text = {rows->named_by_second ? STAYS : few ? 4 : 7});
    (few ? side_columns : range_columns)(rows, row);
}

const char *compare_headline_name(const struct compare_row *row, char *out, size_t size) {
    const struct roof_key *key = &row->key;
    snprintf(out, size, "%s%s", key->kind == SAMPLE_COMPUTE ? key->kernel : key->level,
             key->kind == SAMPLE_COMPUTE     ? " peak"
             : key->kind == SAMPLE_BANDWIDTH ? " bandwidth"
                                             : " latency");
    return out;
}
