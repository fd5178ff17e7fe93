/* SPDX-License-Identifier: BSD-3-Clause
 * A comparison as text (see compare_report.h). */
#include "compare_report.h"
#include "compare_rows.h"
#include "report.h"
#include "report_doubts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/kernels/doubt.h"
#include "carm/model/describe.h"
#include "probe/need.h"
#include "render/page/safe_text.h"
#include "render/page/units.h"

enum { MAX_CARDS = 40 };

static bool any_alike(const struct comparison *c, enum compare_per per) {
    bool any = false;
    for (size_t i = 0; i < c->row_count && c->side_count <= COMPARE_COLUMNS; i++)
        for (size_t turn = 1; turn < c->side_count; turn++)
            any |= compare_alike(c->rows[i].roofs[compare_turn(c, turn)], c->rows[i].roofs[c->base], per);
    return any;
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
            best_names(c, &c->headlines[i], names, sizeof names);
            compare_rows_add(&rows, &c->headlines[i], name, names);
        }
        columns_print(&rows.to, out);
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
    char name[80];
    const char *const units[] = {integer ? "kernel (op/cycle)" : "kernel (flop/cycle)", "kernel (B/cycle)",
                                 "kernel (cycles, less is better)"};
    const char *second = per == PER_CYCLE ? units[kind] : kind == SAMPLE_LATENCY ? "kernel (less is better)" : "kernel";
    struct compare_rows rows = compare_rows_begin(c, per, second, true);
    for (size_t i = 0; i < c->row_count; i++) {
        const struct compare_row *row = &c->rows[i];
        const struct roof_key own = place_of(&row->key);
        if (row->key.kind != kind || memcmp(&own, place, sizeof own) != 0 ||
            model_is_integer(compare_any(c, row)) != integer)
            continue;
        snprintf(name, sizeof name, "%s%s", row->key.kernel, row->key.small_pages ? " (4 KiB pages)" : "");
        compare_rows_add(&rows, row, row->key.level, name);
    }
    columns_print_section(&rows.to, out);
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
    struct column_walk to = columns_table(0);
    for (size_t i = 0; i < c->side_count && i < MAX_CARDS; i++) {
        columns_row(&to);
        compare_side_columns(&to, &c->sides[i], i == c->base);
    }
    columns_print(&to, out);
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
    struct doubts doubts = NO_DOUBTS;
    print_cards(c, out);
    fprintf(out, "\n%s, ratios against %s%s\n", MEANING[per], c->sides[c->base].label,
            any_alike(c, per) ? " (≈: the intervals of both overlap, so none is known to be higher)" : "");
    print_missing(c, out);
    print_headlines(c, per, out);
    print_places(c, per, out);
    compare_print_applications(c, out);
    for (size_t i = 0; i < c->row_count; i++)
        for (size_t side = 0; side < c->side_count; side++)
            if (c->rows[i].roofs[side])
                doubts_join(&doubts, c->rows[i].roofs[side]->sample->doubts);
    report_doubts_print(doubts, out);
}
