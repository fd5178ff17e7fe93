/* SPDX-License-Identifier: BSD-3-Clause
 * A comparison as text: rows of roofs, machines, applications. */
#include "compare_report.h"
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "asm/arithmetic.h"
#include "bench/kernels/doubt.h"
#include "carm/compare/compare_thresholds.h"
#include "carm/store/results.h"
#include "carm/text/table.h"
#include "probe/need.h"
#include "probe/text.h"
#include "render/page/safe_text.h"
#include "render/page/units.h"

/* Tables with a row per roof. */

static const char *compare_report_value_text(const struct roof *roof, enum compare_per per,
                                             char out[DESCRIBE_VALUE_BYTES]) {
    const double value = compare_value(roof, per);
    if (isnan(value))
        return !roof ? "–" : per == PER_CYCLE ? "clock unknown" : "cores unknown";
    if (per == PER_CYCLE)
        return units_digits(out, UNITS_BYTES, value, 4);
    if (per == PER_MACHINE && describe_is_vague(roof->sample))
        return describe_value(roof->sample, model_roof_unit(roof), out, DESCRIBE_VALUE_BYTES);
    return units_column(out, UNITS_BYTES, value, model_roof_unit(roof));
}

static const char *compare_report_ratio_text(double ratio, char out[UNITS_BYTES]) {
    return isnan(ratio) ? "" : units_digits(out, UNITS_BYTES, ratio, 3);
}

static bool compare_report_is_vague(const struct comparison *c, const struct compare_row *row, size_t side) {
    const struct roof *own = row->roofs[side], *base = row->roofs[c->base];
    return (own && describe_is_vague(own->sample)) || (base && describe_is_vague(base->sample));
}

/* "≈": no measured difference; "▲": values that may be off by more than 25 %. */
static const char *mark_text(const struct comparison *c, const struct compare_row *row, size_t side,
                             enum compare_per per) {
    if (isnan(compare_ratio(c, row, side, per)))
        return "";
    return compare_alike(row->roofs[side], row->roofs[c->base], per) ? "≈"
           : compare_report_is_vague(c, row, side)                   ? "▲"
                                                                     : "";
}

struct compare_cell compare_cell(const struct comparison *c, const struct compare_row *row, size_t side,
                                 enum compare_per per) {
    struct compare_cell cell = {.ratio = ""};
    char value[DESCRIBE_VALUE_BYTES], ratio[UNITS_BYTES];
    snprintf(cell.value, sizeof cell.value, "%s", compare_report_value_text(row->roofs[side], per, value));
    if (side != c->base)
        snprintf(cell.ratio, sizeof cell.ratio, "%s%s", mark_text(c, row, side, per),
                 compare_report_ratio_text(compare_ratio(c, row, side, per), ratio));
    return cell;
}

/* "unstable" if all have it, else "B: unstable; C: others active". */
static void doubts_text(const struct comparison *c, const struct compare_row *row, char *out, size_t size) {
    char letter[2], names[TABLE_CELL_BYTES];
    struct doubts all = doubts_all();
    bool any = false;
    for (size_t i = 0; i < c->side_count; i++)
        if (row->roofs[i])
            any = true, all = doubts_common(all, row->roofs[i]->sample->doubts);
    snprintf(out, size, "%s", any ? doubt_names(all, names, sizeof names) : "");
    for (size_t i = 0; i < c->side_count; i++) {
        const struct doubts own = row->roofs[i] ? doubts_without(row->roofs[i]->sample->doubts, all) : all;
        if (row->roofs[i] && doubts_any(own))
            text_append(out, size, "%s%s: %s", *out ? "; " : "", compare_letter(i, letter),
                        doubt_names(own, names, sizeof names));
    }
}

/* The base, two columns for each other side, the warnings. If there is no room, the other sides' values are removed
 * before the base's; ratios stay. */
static void compare_report_side_columns(struct compare_rows *rows, const struct compare_row *row) {
    struct column_walk *to = &rows->to;
    const struct comparison *c = rows->of;
    char text[TABLE_CELL_BYTES], title[8], letter[2], base[2];
    const struct compare_cell own = compare_cell(c, row, c->base, rows->per);
    column(to, cell_text(own.value), .title = compare_letter(c->base, base), .right = true, .text = {2});
    for (size_t i = 0; i < c->side_count; i++) {
        if (i == c->base)
            continue;
        snprintf(title, sizeof title, "%s/%s", compare_letter(i, letter), base);
        const struct compare_cell cell = compare_cell(c, row, i, rows->per);
        column(to, cell_text(cell.value), .title = letter, .right = true, .text = {3});
        column(to, cell_text(cell.ratio), .title = title, .right = true, .text = {STAYS});
    }
    doubts_text(c, row, text, sizeof text);
    column(to, cell_text(text), .title = "warnings", .text = {5});
}

bool compare_rows_lack(struct compare_rows *rows, size_t side) {
    enum { BEFORE = 3, OF_A_SIDE = 2 }; /* the row's name, the second column, the base; value and ratio */
    const size_t place = side < rows->of->base ? side : side - 1;
    return columns_lack(&rows->to, BEFORE + OF_A_SIDE * place);
}

struct ranked_side {
    double ratio;
    size_t side;
};

static int by_ratio(const void *a, const void *b) {
    const struct ranked_side *p = a, *q = b;
    return p->ratio != q->ratio ? (p->ratio < q->ratio ? -1 : 1) : (p->side > q->side) - (p->side < q->side);
}

/* Columns of a screen that a range needs beside its two names: its row's name, two ratios, gaps. */
enum { BESIDE_NAMES = 14 + 2 * 7 + 4, LEAST_NAME = 12 };

/* One end of the range: its ratio and the side's name. */
static void compare_report_end_columns(struct compare_rows *rows, const struct compare_row *row,
                                       const struct ranked_side *end, const char *title, bool named) {
    char ratio[UNITS_BYTES], text[TABLE_CELL_BYTES] = "";
    if (end)
        snprintf(text, sizeof text, "%s%s", compare_report_is_vague(rows->of, row, end->side) ? "▲" : "",
                 compare_report_ratio_text(end->ratio, ratio));
    column(&rows->to, cell_text(text), .title = title, .right = true, .text = {STAYS});
    snprintf(text, sizeof text, "%.60s", named ? rows->of->sides[end->side].label : "");
    if (rows->to.table.width > 0 && table_form() == TABLE_TEXT)
        table_shorten(text, rows->to.table.width > 2 * LEAST_NAME + BESIDE_NAMES
                                ? (rows->to.table.width - BESIDE_NAMES) / 2
                                : LEAST_NAME);
    column(&rows->to, cell_text(text), .title = "", .text = {2});
}

/* For many sides: the base, and the range of ratios with the sides at its ends. */
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
    const bool alike = count > 1 && (highest->ratio < lowest->ratio * (1 + compare_thresholds.same.value) ||
                                     compare_alike(row->roofs[lowest->side], row->roofs[highest->side],
                                                   rows->per)); /* no end is named then */
    const double median = count ? (ranked[(count - 1) / 2].ratio + ranked[count / 2].ratio) / 2 : NAN;
    char text[DESCRIBE_VALUE_BYTES], have[48];
    snprintf(have, sizeof have, "%zu of %zu", holders, c->side_count);
    column(to, cell_text(compare_report_value_text(row->roofs[c->base], rows->per, text)),
           .title = c->sides[c->base].label, .right = true, .text = {4});
    column(to, cell_text(have), .title = "have it", .right = true, .text = {5});
    compare_report_end_columns(rows, row, lowest, "lowest", count && !alike);
    column(to, cell_number(count > 0, median), .title = "median", .format = COLUMN_DIGITS, .text = {3});
    compare_report_end_columns(rows, row, highest, "highest", count && !alike);
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
    (few ? compare_report_side_columns : range_columns)(rows, row);
}

const char *compare_headline_name(const struct compare_row *row, char *out, size_t size) {
    const struct roof_key *key = &row->key;
    snprintf(out, size, "%s%s", key->kind == SAMPLE_COMPUTE ? key->type : key->level,
             key->kind == SAMPLE_COMPUTE     ? " peak"
             : key->kind == SAMPLE_BANDWIDTH ? " bandwidth"
                                             : " latency");
    return out;
}

/* All of it as text. */

static void compare_report_print_applications(const struct comparison *c, FILE *out) {
    if (c->application_count) {
        fprintf(out, "\n── applications ──\n\n");
        struct column_walk to = columns_table(0);
        for (size_t i = 0; i < c->application_count; i++) {
            bool first = true;
            for (size_t turn = 0; turn < c->side_count; turn++) {
                const size_t side = compare_turn(c, turn);
                if (!c->applications[i].points[side])
                    continue;
                columns_row(&to);
                compare_application_columns(&to, c, &c->applications[i], side, first);
                first = false;
            }
        }
        columns_print(&to, out);
    }
    if (c->lone_points)
        fprintf(out, "\n%zu application%s measured on one side alone: `carmine show FILE` prints %s\n", c->lone_points,
                c->lone_points == 1 ? " was" : "s were", c->lone_points == 1 ? "it" : "them");
}

enum { MAX_CARDS = 40 };

static bool any_alike(const struct comparison *c, enum compare_per per) {
    bool any = false;
    for (size_t i = 0; i < c->row_count && c->side_count <= COMPARE_COLUMNS; i++)
        for (size_t turn = 1; turn < c->side_count; turn++)
            any |= compare_alike(c->rows[i].roofs[compare_turn(c, turn)], c->rows[i].roofs[c->base], per);
    return any;
}

/* Whether one is a peak as vendors count, and the other is not. */
static bool is_other_operation(const char *kernel, const char *other) {
    const char *op = strrchr(kernel, '.'), *other_op = strrchr(other, '.');
    return op && other_op && arithmetic_find(op + 1) && arithmetic_find(other_op + 1) &&
           arithmetic_is_peak(kernel) != arithmetic_is_peak(other);
}

void compare_best_names(const struct comparison *c, const struct compare_row *row, bool brief, char *out, size_t size) {
    const char *own = (row->roofs[c->base] ? row->roofs[c->base] : compare_any(c, row))->sample->kernel;
    const size_t isa_bytes = strcspn(own, ".") + 1;
    snprintf(out, size, "%s", own);
    char letter[2];
    for (size_t i = 0; i < c->side_count; i++) {
        const char *other = row->roofs[i] ? row->roofs[i]->sample->kernel : own;
        const bool same_isa = strncmp(own, other, isa_bytes) == 0, op = brief && is_other_operation(own, other);
        if (brief ? same_isa && !op : strcmp(own, other) == 0)
            continue;
        if (c->side_count > COMPARE_COLUMNS) {
            if (!brief)
                snprintf(out, size, "the best of each");
            return;
        }
        text_append(out, size, "; %s: %.*s", compare_letter(i, letter),
                    (int)(brief && !op ? strcspn(other, ".") : strlen(other)),
                    op && same_isa ? strrchr(other, '.') + 1 : other);
    }
}

static void print_headlines(const struct comparison *c, enum compare_per per, FILE *out) {
    char name[64], names[TABLE_CELL_BYTES], place[96];
    for (size_t from = 0, to; from < c->headline_count; from = to) {
        const unsigned cores = c->headlines[from].key.cores;
        for (to = from; to < c->headline_count && c->headlines[to].key.cores == cores;)
            to++;
        roof_key_place(&c->headlines[from].key, place, sizeof place);
        fprintf(out, "\n── The best of each%s%s ──\n\n", *place ? ", " : "", place);
        struct compare_rows rows = compare_rows_begin(c, per, "roof", false);
        for (size_t i = from; i < to; i++) {
            compare_headline_name(&c->headlines[i], name, sizeof name);
            compare_best_names(c, &c->headlines[i], false, names, sizeof names);
            compare_rows_add(&rows, &c->headlines[i], name, names);
        }
        columns_print(&rows.to, out);
    }
}

static struct roof_key compare_report_place_of(const struct roof_key *key) {
    struct roof_key place = *key;
    place.kernel[0] = '\0';
    place.level[0] = '\0';
    place.kind = SAMPLE_COMPUTE;
    place.small_pages = 0;
    if (place.figure) /* their names say by how many cores */
        place.cores = 0;
    return place;
}

static void print_kind(const struct comparison *c, const struct roof_key *place, enum sample_kind kind, bool integer,
                       enum compare_per per, FILE *out) {
    char name[80], pages[ROOF_KEY_PAGES_BYTES];
    const char *const units[] = {integer ? "kernel (op/cycle)" : "kernel (flop/cycle)", "kernel (B/cycle)",
                                 "kernel (cycles, lower is better)"};
    const char *second = per == PER_CYCLE         ? units[kind]
                         : kind == SAMPLE_LATENCY ? "kernel (lower is better)"
                                                  : "kernel";
    struct compare_rows rows = compare_rows_begin(c, per, second, true);
    for (size_t i = 0; i < c->row_count; i++) {
        const struct compare_row *row = &c->rows[i];
        const struct roof_key own = compare_report_place_of(&row->key);
        if (row->key.kind != kind || !roof_key_same(&own, place) || model_is_integer(compare_any(c, row)) != integer)
            continue;
        snprintf(name, sizeof name, "%s%s", row->key.kernel, roof_key_pages(&row->key, pages));
        compare_rows_add(&rows, row, row->key.level, name);
    }
    columns_print_section(&rows.to, out);
}

static void compare_report_print_places(const struct comparison *c, enum compare_per per, FILE *out) {
    struct roof_keys places = {0};
    char text[192];
    for (size_t i = 0; i < c->row_count; i++) {
        const struct roof_key place = compare_report_place_of(&c->rows[i].key);
        if (!place.figure || per != PER_CYCLE) /* no clock paces memory */
            roof_keys_put(&places, &place);
    }
    for (size_t p = 0; p < places.count; p++) {
        roof_key_place(&places.keys[p], text, sizeof text);
        if (places.keys[p].figure)
            fprintf(out, "\n── Memory under load%s%s ──\n", *text ? ", " : "", text);
        else
            fprintf(out, "\n── %s ──\n", *text ? text : "roof by roof");
        for (int kind = SAMPLE_COMPUTE; kind <= SAMPLE_LATENCY; kind++)
            for (int integer = 0; integer < 2; integer++)
                print_kind(c, &places.keys[p], (enum sample_kind)kind, integer, per, out);
    }
    roof_keys_free(&places);
}

/* A card per machine; a line for each of many. */
static void print_cards(const struct comparison *c, FILE *out) {
    char line[512], letter[2];
    if (c->side_count <= COMPARE_COLUMNS) {
        for (size_t i = 0; i < c->side_count; i++) {
            const struct result *result = c->sides[i].model->result;
            describe_machine(result, line, sizeof line);
            fprintf(out, "%s  %s%s\n", compare_letter(i, letter), c->sides[i].label, i == c->base ? ", the base" : "");
            if (compare_is_one_result(c) && i + 1 < c->side_count)
                continue; /* one card for all */
            fprintf(out, "   %s", line);
            if (result->machine.memory_total_bytes)
                fprintf(out, " · %s", units_binary(line, UNITS_BYTES, (double)result->machine.memory_total_bytes));
            describe_conditions(result, line, sizeof line);
            wrap_format(out, "   ", "\n   %s", line);
            fputs("   ", out);
            safe_text_print(c->sides[i].path, out);
            fputc('\n', out);
        }
        return;
    }
    struct column_walk to = columns_table(0);
    for (size_t i = 0; i < c->side_count && i < MAX_CARDS; i++) {
        columns_row(&to);
        compare_side_columns(&to, &c->sides[i], i == c->base);
    }
    columns_print(&to, out);
    if (c->side_count > MAX_CARDS)
        fprintf(out, "… and %zu more (all are in --csv and --json)\n", c->side_count - MAX_CARDS);
}

static void compare_report_print_missing(const struct comparison *c, FILE *out) {
    enum { MAX_SAID = 12 };
    size_t said = 0;
    char own[2], base[2];
    for (size_t i = 0; i < c->side_count; i++) {
        size_t missing, more;
        compare_count(c, i, &missing, &more);
        if ((!missing && !more) || said++ >= MAX_SAID)
            continue;
        const bool letters = c->side_count <= COMPARE_COLUMNS;
        const char *side = letters ? compare_letter(i, own) : c->sides[i].label,
                   *than = letters ? compare_letter(c->base, base) : c->sides[c->base].label;
        fprintf(out, "%s▲ %s", said == 1 ? "\n" : "", side);
        if (missing)
            fprintf(out, " lacks %zu roof%s that %s has", missing, missing == 1 ? "" : "s", than);
        if (more)
            fprintf(out, "%s has %zu that %s lacks", missing ? ", and" : "", more, than);
        fputc('\n', out);
    }
    if (said > MAX_SAID)
        fprintf(out, "▲ … and so do %zu more\n", said - MAX_SAID);
}

void compare_print(const struct comparison *c, enum compare_per per, FILE *out) {
    static const char *const MEANING[] = {"values of all cores together", "values per core",
                                          "values per cycle and core"};
    struct doubts doubts = NO_DOUBTS;
    print_cards(c, out);
    wrap_format(out, "", "\n%s, ratios against %s%s", MEANING[per], c->sides[c->base].label,
                any_alike(c, per) ? " (≈: the intervals overlap, so neither is known to be higher)" : "");
    compare_report_print_missing(c, out);
    print_headlines(c, per, out);
    compare_report_print_places(c, per, out);
    compare_core_print(c, out);
    compare_report_print_applications(c, out);
    for (size_t i = 0; i < c->row_count; i++)
        for (size_t side = 0; side < c->side_count; side++)
            if (c->rows[i].roofs[side])
                doubts_join(&doubts, c->rows[i].roofs[side]->sample->doubts);
    report_doubts_print(doubts, out);
}
