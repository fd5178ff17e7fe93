/* SPDX-License-Identifier: BSD-3-Clause
 * A comparison as text (see compare_report.h). */
#include "compare_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/sample/doubt.h"
#include "render/page/units.h"
#include "carm/tables/report.h"
#include "carm/text/table.h"
#include "carm/model/describe.h"
#include "carm/tables/report_doubts.h"
#include "probe/need.h"
#include "render/page/safe_text.h"

enum { MAX_CARDS = 40 };

static const char *value_text(const struct roof *roof, enum compare_per per, char out[UNITS_BYTES]) {
    const double value = compare_value(roof, per);
    if (isnan(value))
        return !roof ? "–" : per == PER_CYCLE ? "clock unknown" : "cores unknown";
    if (per == PER_CYCLE)
        return units_digits(out, UNITS_BYTES, value, 4);
    return roof->sample->kind == SAMPLE_LATENCY ? units_seconds(out, UNITS_BYTES, value)
                                                : units_si(out, UNITS_BYTES, value, model_roof_unit(roof));
}

static const char *ratio_text(double ratio, char out[UNITS_BYTES]) {
    return isnan(ratio) ? "" : units_digits(out, UNITS_BYTES, ratio, 3);
}

/* "≈" before a ratio is no difference that was measured. */
static const char *alike_text(const struct comparison *c, const struct compare_row *row, size_t side,
                              enum compare_per per) {
    return compare_alike(row->roofs[side], row->roofs[c->base], per) ? "≈" : "";
}

static bool any_alike(const struct comparison *c, enum compare_per per) {
    bool any = false;
    for (size_t i = 0; i < c->row_count && c->side_count <= COMPARE_COLUMNS; i++)
        for (size_t turn = 1; turn < c->side_count; turn++)
            any |= *alike_text(c, &c->rows[i], compare_turn(c, turn), per) != 0;
    return any;
}

/* "unstable" where all have it, else "B: unstable; C: others active". */
static void doubts_text(const struct comparison *c, const struct compare_row *row, char *out, size_t size) {
    char letter[2], names[TABLE_CELL_BYTES];
    uint32_t all = ~0u;
    for (size_t i = 0; i < c->side_count; i++)
        all &= row->roofs[i] ? row->roofs[i]->sample->doubts : ~0u;
    int length = snprintf(out, size, "%s", all != ~0u ? doubt_names(all, names, sizeof names) : "");
    for (size_t i = 0; i < c->side_count && length < (int)size; i++) {
        const uint32_t own = row->roofs[i] ? row->roofs[i]->sample->doubts & ~all : 0;
        if (own)
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

/* "llrrr…l": two texts, the base, two columns for each other side, the doubts. */
static const char *alignment_of(const struct comparison *c, char out[TABLE_MAX_COLUMNS + 1]) {
    const size_t numbers = 2 * c->side_count - 1;
    memset(out, 'r', TABLE_MAX_COLUMNS);
    out[0] = out[1] = out[2 + numbers] = 'l';
    out[3 + numbers] = '\0';
    return out;
}

static void add_row(struct table *table, const struct comparison *c, const struct compare_row *row,
                    enum compare_per per, const char *first, const char *second) {
    char(*cells)[TABLE_CELL_BYTES] = table_row(table), text[UNITS_BYTES];
    table_set(cells, 0, "%s", first);
    table_set(cells, 1, "%s", second);
    size_t column = 2;
    table_set(cells, column++, "%s", value_text(row->roofs[c->base], per, text));
    for (size_t i = 0; i < c->side_count; i++)
        if (i != c->base) {
            table_set(cells, column++, "%s", value_text(row->roofs[i], per, text));
            table_set(cells, column++, "%s%s", alike_text(c, row, i, per),
                      ratio_text(compare_ratio(c, row, i, per), text));
        }
    doubts_text(c, row, cells[column], TABLE_CELL_BYTES);
}

/* Of many sides: the base, and the range of the ratios with the sides at its ends. */
static void add_range_heading(struct table *table, const struct comparison *c, const char *first, const char *second) {
    const char *const names[] = {
        first, second, c->sides[c->base].label, "have it", "lowest", "", "median", "highest", "", "doubtful"};
    char(*row)[TABLE_CELL_BYTES] = table_row(table);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        table_set(row, i, "%s", names[i]);
}

struct ranked_side {
    double ratio;
    size_t side;
};

static int by_ratio(const void *a, const void *b) {
    const struct ranked_side *p = a, *q = b;
    return p->ratio < q->ratio ? -1 : p->ratio > q->ratio;
}

static void add_range(struct table *table, const struct comparison *c, const struct compare_row *row,
                      enum compare_per per, const char *first, const char *second) {
    struct ranked_side *ranked = need_calloc(c->side_count, sizeof *ranked);
    size_t count = 0, holders = 0, doubtful = 0;
    for (size_t i = 0; i < c->side_count; i++) {
        const double ratio = compare_ratio(c, row, i, per);
        holders += row->roofs[i] != NULL;
        doubtful += row->roofs[i] && row->roofs[i]->sample->doubts;
        if (i != c->base && !isnan(ratio))
            ranked[count++] = (struct ranked_side){ratio, i};
    }
    char(*cells)[TABLE_CELL_BYTES] = table_row(table), text[UNITS_BYTES];
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
        table_set(cells, 4, "%s", ratio_text(lowest->ratio, text));
        table_set(cells, 5, "%.60s", alike ? "" : c->sides[lowest->side].label);
        table_set(cells, 6, "%s", ratio_text((ranked[(count - 1) / 2].ratio + ranked[count / 2].ratio) / 2, text));
        table_set(cells, 7, "%s", ratio_text(highest->ratio, text));
        table_set(cells, 8, "%.60s", alike ? "" : c->sides[highest->side].label);
    }
    if (doubtful)
        table_set(cells, 9, "%zu", doubtful);
    free(ranked);
}

/* One of the two forms. */
static struct table begin(const struct comparison *c, char alignment[TABLE_MAX_COLUMNS + 1], const char *first,
                          const char *second) {
    const bool wide = c->side_count <= COMPARE_COLUMNS;
    struct table table = table_begin(wide ? alignment_of(c, alignment) : "llrrrlrrlr");
    (wide ? set_heading : add_range_heading)(&table, c, first, second);
    return table;
}

static void add(struct table *table, const struct comparison *c, const struct compare_row *row, enum compare_per per,
                const char *first, const char *second) {
    (c->side_count <= COMPARE_COLUMNS ? add_row : add_range)(table, c, row, per, first, second);
}

/* "L1 latency", "f64 peak", "DRAM" */
static void headline_name(const struct compare_row *row, char *out, size_t size) {
    const struct roof_key *key = &row->key;
    snprintf(out, size, "%s%s", key->kind == SAMPLE_COMPUTE ? key->kernel : key->level,
             key->kind == SAMPLE_COMPUTE     ? " peak"
             : key->kind == SAMPLE_BANDWIDTH ? " bandwidth"
                                             : " latency");
}

/* The names of the best roofs: the base's, and those of sides where it is another. */
static void best_names(const struct comparison *c, const struct compare_row *row, char *out, size_t size) {
    const struct roof *first = row->roofs[c->base] ? row->roofs[c->base] : compare_any(c, row);
    int length = snprintf(out, size, "%s", first->sample->kernel);
    char letter[2];
    for (size_t i = 0; i < c->side_count && length < (int)size; i++) {
        if (!row->roofs[i] || strcmp(row->roofs[i]->sample->kernel, first->sample->kernel) == 0)
            continue;
        if (c->side_count > COMPARE_COLUMNS) {
            snprintf(out, size, "the best of each");
            return;
        }
        length += snprintf(out + length, size - (size_t)length, "; %s: %s", compare_letter(i, letter),
                           row->roofs[i]->sample->kernel);
    }
}

static void print_headlines(const struct comparison *c, enum compare_per per, FILE *out) {
    char alignment[TABLE_MAX_COLUMNS + 1], name[64], names[TABLE_CELL_BYTES], place[96];
    for (size_t from = 0, to; from < c->headline_count; from = to) {
        const unsigned cores = c->headlines[from].key.cores;
        for (to = from; to < c->headline_count && c->headlines[to].key.cores == cores;)
            to++;
        roof_key_place(&c->headlines[from].key, place, sizeof place);
        fprintf(out, "\n── The best of each%s%s ──\n\n", *place ? ", " : "", place);
        struct table table = begin(c, alignment, "", "roof");
        for (size_t i = from; i < to; i++) {
            headline_name(&c->headlines[i], name, sizeof name);
            best_names(c, &c->headlines[i], names, sizeof names);
            add(&table, c, &c->headlines[i], per, name, names);
        }
        table_print(&table, out);
    }
}

static struct roof_key place_of(const struct roof_key *key) {
    struct roof_key place = *key;
    memset(place.kernel, 0, sizeof place.kernel);
    memset(place.level, 0, sizeof place.level);
    place.kind = SAMPLE_COMPUTE;
    place.small_pages = false;
    return place;
}

static void print_kind(const struct comparison *c, const struct roof_key *place, enum sample_kind kind, bool integer,
                       enum compare_per per, FILE *out) {
    char alignment[TABLE_MAX_COLUMNS + 1], name[80];
    const char *const units[] = {integer ? "kernel (op/cycle)" : "kernel (flop/cycle)", "kernel (B/cycle)",
                                 "kernel (cycles, less is better)"};
    struct table table = begin(c, alignment, "",
                               per == PER_CYCLE         ? units[kind]
                               : kind == SAMPLE_LATENCY ? "kernel (less is better)"
                                                        : "kernel");
    for (size_t i = 0; i < c->row_count; i++) {
        const struct compare_row *row = &c->rows[i];
        const struct roof_key own = place_of(&row->key);
        if (row->key.kind != kind || memcmp(&own, place, sizeof own) != 0 ||
            model_is_integer(compare_any(c, row)) != integer)
            continue;
        snprintf(name, sizeof name, "%s%s", row->key.kernel, row->key.small_pages ? " (4 KiB pages)" : "");
        add(&table, c, row, per, row->key.level, name);
    }
    table_print_section(&table, out);
}

static void print_places(const struct comparison *c, enum compare_per per, FILE *out) {
    struct roof_keys places = {0};
    char text[192];
    for (size_t i = 0; i < c->row_count; i++) {
        const struct roof_key place = place_of(&c->rows[i].key);
        roof_keys_put(&places, &place);
    }
    for (size_t p = 0; p < places.count; p++) {
        roof_key_place(&places.keys[p], text, sizeof text);
        fprintf(out, "\n── %s ──\n", *text ? text : "roof by roof");
        for (int kind = SAMPLE_COMPUTE; kind <= SAMPLE_LATENCY; kind++)
            for (int integer = 0; integer < 2; integer++)
                print_kind(c, &places.keys[p], (enum sample_kind)kind, integer, per, out);
    }
    roof_keys_free(&places);
}

/* A card per machine; of many a line. */
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
            fprintf(out, "\n   %s\n   ", line);
            safe_text_print(c->sides[i].path, out);
            fputc('\n', out);
        }
        return;
    }
    struct table table = table_begin("lrrrll");
    const char *const names[] = {"", "cores", "memory", "at rest", "measured", "file"};
    char(*row)[TABLE_CELL_BYTES] = table_row(&table);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        table_set(row, i, "%s", names[i]);
    for (size_t i = 0; i < c->side_count && i < MAX_CARDS; i++) {
        const struct result *result = c->sides[i].model->result;
        row = table_row(&table);
        table_set(row, 0, "%s%s", c->sides[i].label, i == c->base ? ", the base" : "");
        if (result->machine.core_count)
            table_set(row, 1, "%u", result->machine.core_count);
        if (result->machine.memory_total_bytes)
            table_set(row, 2, "%s", units_binary(line, UNITS_BYTES, (double)result->machine.memory_total_bytes));
        if (result->environment.rest_clock_hz > 0)
            table_set(row, 3, "%.2f GHz", result->environment.rest_clock_hz / 1e9);
        table_set(row, 4, "%.10s", result->environment.started_utc);
        table_set(row, 5, "%s", c->sides[i].path);
    }
    table_print(&table, out);
    if (c->side_count > MAX_CARDS)
        fprintf(out, "… and %zu more (all are in --csv and --json)\n", c->side_count - MAX_CARDS);
}

static void print_missing(const struct comparison *c, FILE *out) {
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
    uint32_t doubts = 0;
    print_cards(c, out);
    fprintf(out, "\n%s, ratios against %s%s\n", MEANING[per], c->sides[c->base].label,
            any_alike(c, per) ? " (≈: the intervals of both overlap, so none is known to be higher)" : "");
    print_missing(c, out);
    print_headlines(c, per, out);
    print_places(c, per, out);
    compare_print_applications(c, out);
    for (size_t i = 0; i < c->row_count; i++)
        for (size_t side = 0; side < c->side_count; side++)
            doubts |= c->rows[i].roofs[side] ? c->rows[i].roofs[side]->sample->doubts : 0;
    report_doubts_print(doubts, out);
}
