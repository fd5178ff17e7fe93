/* SPDX-License-Identifier: BSD-3-Clause
 * Rows of comparisons (see compare_rows.h). */
#include "compare_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/sample/doubt.h"
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

static void set_heading(struct table *table, const struct comparison *c, const char *first, const char *second) {
    char(*row)[TABLE_CELL_BYTES] = table_row(table), letter[2], base[2];
    table_set(row, 0, "%s", first);
    table_set(row, 1, "%s", second);
    size_t column = 2;
    table_set(row, column++, "%s", compare_letter(c->base, base));
    for (size_t i = 0; i < c->side_count; i++)
        if (i != c->base) {
            table_set(row, column++, "%s", compare_letter(i, letter));
            table_set(row, column++, "%s/%s", letter, base);
        }
    table_set(row, column, "doubts");
}

/* Two texts, the base, two columns for each other side, the doubts. What others reach in their unit goes before what
 * the base does; ratios stay. */
static void set_shape(struct compare_shape *shape, const struct comparison *c, char second) {
    const size_t doubts = 1 + 2 * c->side_count;
    snprintf(shape->alignment, sizeof shape->alignment, "ll");
    snprintf(shape->order, sizeof shape->order, "0%c", second);
    for (size_t i = 2; i < doubts; i++) {
        shape->alignment[i] = 'r';
        shape->order[i] = i == 2 ? '2' : i % 2 ? '3' : '0';
    }
    shape->alignment[doubts] = 'l', shape->order[doubts] = '5';
    shape->alignment[doubts + 1] = shape->order[doubts + 1] = '\0';
}

static void add_row(struct table *table, const struct comparison *c, const struct compare_row *row,
                    enum compare_per per, const char *first, const char *second) {
    char(*cells)[TABLE_CELL_BYTES] = table_row(table), text[DESCRIBE_VALUE_BYTES];
    table_set(cells, 0, "%s", first);
    table_set(cells, 1, "%s", second);
    size_t column = 2;
    table_set(cells, column++, "%s", value_text(row->roofs[c->base], per, text));
    for (size_t i = 0; i < c->side_count; i++)
        if (i != c->base) {
            table_set(cells, column++, "%s", value_text(row->roofs[i], per, text));
            table_set(cells, column++, "%s%s", mark_text(c, row, i, per),
                      ratio_text(compare_ratio(c, row, i, per), text));
        }
    doubts_text(c, row, cells[column], TABLE_CELL_BYTES);
}

/* Of many sides: the base, and the range of the ratios with the sides at its ends. */
static void add_range_heading(struct table *table, const struct comparison *c, const char *first, const char *second) {
    const char *const names[] = {
        first, second, c->sides[c->base].label, "have it", "lowest", "", "median", "highest", "", "doubtful"};
    table_head(table, names, sizeof names / sizeof names[0]);
}

struct ranked_side {
    double ratio;
    size_t side;
};

static int by_ratio(const void *a, const void *b) {
    const struct ranked_side *p = a, *q = b;
    return p->ratio != q->ratio ? (p->ratio < q->ratio ? -1 : 1) : (p->side > q->side) - (p->side < q->side);
}

static void add_range(struct table *table, const struct comparison *c, const struct compare_row *row,
                      enum compare_per per, const char *first, const char *second) {
    struct ranked_side *ranked = need_calloc(c->side_count, sizeof *ranked);
    size_t count = 0, holders = 0, doubtful = 0;
    for (size_t i = 0; i < c->side_count; i++) {
        const double ratio = compare_ratio(c, row, i, per);
        holders += row->roofs[i] != NULL;
        doubtful += row->roofs[i] && doubts_any(row->roofs[i]->sample->doubts);
        if (i != c->base && !isnan(ratio))
            ranked[count++] = (struct ranked_side){ratio, i};
    }
    char(*cells)[TABLE_CELL_BYTES] = table_row(table), text[DESCRIBE_VALUE_BYTES];
    table_set(cells, 0, "%s", first);
    table_set(cells, 1, "%s", second);
    table_set(cells, 2, "%s", value_text(row->roofs[c->base], per, text));
    table_set(cells, 3, "%zu of %zu", holders, c->side_count);
    if (count) {
        qsort(ranked, count, sizeof *ranked, by_ratio);
        const struct ranked_side *lowest = &ranked[0], *highest = &ranked[count - 1];
        const bool alike = count > 1 && (highest->ratio < lowest->ratio * (1 + COMPARE_SAME) ||
                                         compare_alike(row->roofs[lowest->side], row->roofs[highest->side],
                                                       per)); /* then no end has a name */
        table_set(cells, 4, "%s%s", is_vague(c, row, lowest->side) ? "▲" : "", ratio_text(lowest->ratio, text));
        table_set(cells, 5, "%.60s", alike ? "" : c->sides[lowest->side].label);
        table_set(cells, 6, "%s", ratio_text((ranked[(count - 1) / 2].ratio + ranked[count / 2].ratio) / 2, text));
        table_set(cells, 7, "%s%s", is_vague(c, row, highest->side) ? "▲" : "", ratio_text(highest->ratio, text));
        table_set(cells, 8, "%.60s", alike ? "" : c->sides[highest->side].label);
    }
    if (doubtful)
        table_set(cells, 9, "%zu", doubtful);
    free(ranked);
}

struct table compare_rows_begin(const struct comparison *c, struct compare_shape *shape, const char *first,
                                const char *second, bool named_by_second) {
    const bool wide = c->side_count <= COMPARE_COLUMNS;
    if (wide) {
        set_shape(shape, c, named_by_second ? '0' : '4');
    } else {
        snprintf(shape->alignment, sizeof shape->alignment, "llrrrlrrlr");
        snprintf(shape->order, sizeof shape->order, "0%c45023026", named_by_second ? '0' : '7');
    }
    struct table table = table_begin(shape->alignment);
    table.order = shape->order;
    (wide ? set_heading : add_range_heading)(&table, c, first, second);
    return table;
}

void compare_rows_add(struct table *table, const struct comparison *c, const struct compare_row *row,
                      enum compare_per per, const char *first, const char *second) {
    (c->side_count <= COMPARE_COLUMNS ? add_row : add_range)(table, c, row, per, first, second);
}

const char *compare_headline_name(const struct compare_row *row, char *out, size_t size) {
    const struct roof_key *key = &row->key;
    snprintf(out, size, "%s%s", key->kind == SAMPLE_COMPUTE ? key->kernel : key->level,
             key->kind == SAMPLE_COMPUTE     ? " peak"
             : key->kind == SAMPLE_BANDWIDTH ? " bandwidth"
                                             : " latency");
    return out;
}
