/* SPDX-License-Identifier: BSD-3-Clause
 * Why two results differ: one screen, text, JSON. */
#include "why_report.h"
#include "compare_report.h"
#include "report.h"
#include "report_thresholds.h"

#include <math.h>
#include <string.h>

#include "carm/model/describe.h"
#include "carm/store/fields.h"
#include "carm/store/results.h"
#include "carm/text/csv.h"
#include "carm/text/or_null.h"
#include "carm/text/table.h"
#include "probe/text.h"
#include "render/page/units.h"

/* One screen. */

enum { RATIO = 1, FIRST_FACTOR = 2, WORDS = FIRST_FACTOR + WHY_FACTORS, COLUMNS };

static bool is_latency(const struct why *why) {
    return why->key.kind == SAMPLE_LATENCY;
}

static bool takes_part(const struct why_list *list, bool latencies, int factor) {
    for (size_t i = 0; i < list->count; i++)
        if (is_latency(&list->list[i]) == latencies && !isnan(list->list[i].factors[factor]))
            return true;
    return false;
}

/* The headings from here on: cycles of latencies are below rates per cycle. */
static void add_heading(struct table *table, const struct why_list *list, const struct why *first) {
    char(*row)[TABLE_CELL_BYTES] = table_row(table), place[192];
    table_set(row, 0, "%s", roof_key_place(&first->key, place, sizeof place));
    table_set(row, RATIO, "B / A");
    for (int f = 0; f < WHY_FACTORS; f++)
        if (takes_part(list, is_latency(first), f))
            table_set(row, FIRST_FACTOR + (size_t)f, "%s", why_factor_label(first, (enum why_factor)f));
    table_set(row, WORDS, "B, not A");
}

static void add_ratio(struct table *table, const struct why *why) {
    char(*row)[TABLE_CELL_BYTES] = table_row(table), text[WHY_WORDS_BYTES];
    const char *sign = "=";
    table_set(row, 0, "%s", why_name(why, text, sizeof text));
    units_digits(text, sizeof text, why->ratio, 3);
    table_set(row, RATIO, "%s%s", why->alike ? "≈" : "", text);
    for (int f = 0; f < WHY_FACTORS; f++) {
        if (isnan(why->factors[f]))
            continue;
        units_digits(text, sizeof text, why->factors[f], 3);
        table_set(row, FIRST_FACTOR + (size_t)f, "%s %s", sign, text);
        sign = "×";
    }
    table_set(row, WORDS, "%.150s", why_meaning(why, text, sizeof text));
}

/* "L3, L3 latency": the roofs with warnings. */
static void name_doubtful(const struct why_list *list, struct sentence *out) {
    char name[WHY_TITLE_BYTES];
    for (size_t i = 0; i < list->count; i++)
        if (*why_doubts(&list->list[i], name, sizeof name))
            text_say(out->text, "%s%s", *out->text ? ", " : "", why_name(&list->list[i], name, sizeof name));
}

/* The outermost rate, as an example for details. */
static const struct why *example_of(const struct why_list *list) {
    const struct why *example = list->list;
    for (size_t i = 0; i < list->count; i++)
        example = is_latency(&list->list[i]) ? example : &list->list[i];
    return example;
}

static void print_notes(const struct why_list *list, const struct screen *screen) {
    struct sentence doubtful = {""};
    char name[WHY_TITLE_BYTES];
    name_doubtful(list, &doubtful);
    why_name(example_of(list), name, sizeof name);
    fputc('\n', screen->out);
    if (is_latency(&list->list[list->count - 1]))
        screen_note(screen, "Means", "each B / A is the product of its row; for latencies lower is better");
    if (*doubtful.text)
        screen_note(screen, "Warning", "about %s (which: --all)", doubtful.text);
    screen_note(screen, "Rows", "in words: --all; details of one: its name after the files, such as %s", name);
}

void why_answer_print(const struct comparison *c, const struct why_list *list, const struct screen *screen) {
    struct table table = screen_table(screen, "lrrrrrrrrrl", "00000000001");
    bool latencies = false;
    sentences_print(c, PER_MACHINE, screen);
    sentences_print_sides(c, screen);
    for (size_t i = 0; i < list->count; i++) {
        const struct why *why = &list->list[i];
        if (is_latency(why) && !latencies && i > 0)
            table_row(&table);
        if (i == 0 || (is_latency(why) && !latencies))
            add_heading(&table, list, why);
        latencies = is_latency(why);
        add_ratio(&table, why);
    }
    table_print_section(&table, screen->out);
    print_notes(list, screen);
}

/* Text. */

static const char INDENT[] = "    ";
enum { INDENT_COLUMNS = sizeof INDENT - 1 };

static void print_indented(const char *text, const struct plot_terminal *terminal, FILE *out) {
    const size_t columns = terminal->columns ? terminal->columns : PLOT_TERMINAL_COLUMNS;
    fputs(INDENT, out);
    wrap_print(text, columns - INDENT_COLUMNS, INDENT, out);
}

static void print_sides(const struct comparison *c, const struct plot_terminal *terminal, FILE *out) {
    const size_t columns = terminal->columns ? terminal->columns : PLOT_TERMINAL_COLUMNS;
    char line[512], letter[2];
    for (size_t turn = 0; turn < 2; turn++) {
        const struct compare_side *side = &c->sides[compare_turn(c, turn)];
        describe_machine(side->model->result, line, sizeof line);
        fprintf(out, "%s  %s\n   ", compare_letter(turn, letter), side->label);
        wrap_print(line, columns - 3, "   ", out);
    }
}

void why_print(const struct comparison *c, const struct why_list *list, const struct plot_terminal *terminal,
               FILE *out) {
    char title[WHY_TITLE_BYTES], words[WHY_WORDS_BYTES];
    bool latency = false;
    print_sides(c, terminal, out);
    fputs("\nB / A and its factors; in words B's number first\n\n", out);
    for (size_t i = 0; i < list->count; i++) {
        const struct why *why = &list->list[i];
        if (why->key.kind == SAMPLE_LATENCY && !latency)
            fputs("\nfor latencies lower is better\n\n", out);
        latency |= why->key.kind == SAMPLE_LATENCY;
        fprintf(out, "%s: %s\n", why_title(why, title, sizeof title), why_product(why, words, sizeof words));
        print_indented(why_meaning(why, words, sizeof words), terminal, out);
        if (*why_doubts(why, words, sizeof words))
            fprintf(out, "%s▲ %s\n", INDENT, words);
    }
}

static void add_factor(struct table *table, const struct why *why, enum why_factor factor) {
    char(*row)[TABLE_CELL_BYTES] = table_row(table), text[WHY_WORDS_BYTES];
    const double share = why_share(why, factor);
    table_set(row, 0, "%s", why_factor_label(why, factor));
    table_set(row, 1, "× %s", units_digits(text, sizeof text, why->factors[factor], 3));
    if (fabs(why->ratio - 1) > report_thresholds.shared_out.value)
        table_set(row, 2, "%ld %%", lround(100 * share));
    table_set(row, 3, "%.150s", why_factor_words(why, factor, text, sizeof text));
}

static void print_factors(const struct why *why, FILE *out) {
    struct table table = table_begin("lrrl");
    table.brief = true;
    char(*row)[TABLE_CELL_BYTES] = table_row(&table), number[UNITS_BYTES];
    table_set(row, 1, "factor");
    table_set(row, 2, "share");
    table_set(row, 3, "B, not A");
    for (int f = 0; f < WHY_FACTORS; f++)
        if (!isnan(why->factors[f]))
            add_factor(&table, why, (enum why_factor)f);
    row = table_row(&table);
    table_set(row, 0, "all");
    table_set(row, 1, "= %s", units_digits(number, sizeof number, why->ratio, 3));
    table_print_section(&table, out);
}

/* The kernels, and their documented limits. */
static void print_kernels(const struct why *why, FILE *out) {
    const struct sample *from = why->from.roof->sample, *to = why->to.roof->sample;
    const char *unit = model_roof_unit_per_cycle(why->from.roof);
    if (why->other_kernel)
        fprintf(out, "\nKernel      %s, not %s: the best of each\n", to->kernel, from->kernel);
    else
        fprintf(out, "\nKernel      %s on both\n", from->kernel);
    if (!(from->documented_per_cycle > 0) || !(to->documented_per_cycle > 0))
        return;
    fprintf(out, "Documented  %g %s of a core", to->documented_per_cycle, unit);
    if (to->documented_per_cycle == from->documented_per_cycle)
        fputs(" on both\n", out);
    else
        fprintf(out, ", not %g\n", from->documented_per_cycle);
}

void why_print_roof(const struct comparison *c, const struct why *why, const struct plot_terminal *terminal,
                    FILE *out) {
    char title[WHY_TITLE_BYTES], words[WHY_WORDS_BYTES], from[UNITS_BYTES], to[UNITS_BYTES];
    fprintf(out, "%s: %s in B, %s in A%s\n", why_title(why, title, sizeof title),
            why_value(why, why->to.value, to, sizeof to), why_value(why, why->from.value, from, sizeof from),
            why->key.kind == SAMPLE_LATENCY ? " (lower is better)" : "");
    print_indented(why_product(why, words, sizeof words), terminal, out);
    print_indented(why_meaning(why, words, sizeof words), terminal, out);
    fputc('\n', out);
    print_sides(c, terminal, out);
    print_factors(why, out);
    print_kernels(why, out);
    report_doubts_print(doubts_union(why->from.roof->sample->doubts, why->to.roof->sample->doubts), out);
}

/* JSON. */

static json_t *end_json(const struct why_end *end) {
    const struct sample *sample = end->roof->sample;
    return json_pack("{s:s,s:o,s:f,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "name", sample->kernel, "level",
                     text_or_null(sample->level), "value", end->value, "clock_hz", number_or_null(end->clock_hz),
                     "per_cycle", number_or_null(end->per_cycle), "alone_value", number_or_null(end->alone),
                     "alone_clock_hz", number_or_null(end->alone_clock_hz), "alone_per_cycle",
                     number_or_null(end->alone_per_cycle), "kept", number_or_null(end->kept), "cores",
                     count_or_null(end->cores > 0, end->cores), "level_bytes",
                     count_or_null(end->level_bytes > 0, end->level_bytes), "doubts", doubts_json(sample->doubts));
}

static json_t *factors_json(const struct why *why) {
    json_t *list = json_array();
    char words[WHY_WORDS_BYTES];
    for (int f = 0; f < WHY_FACTORS; f++)
        if (!isnan(why->factors[f]))
            json_array_append_new(
                list, json_pack("{s:s,s:f,s:f,s:o,s:o}", "name", why_factor_names[f], "ratio", why->factors[f], "log2",
                                log2(why->factors[f]), "share", number_or_null(why_share(why, (enum why_factor)f)),
                                "words", fields_text(why_factor_words(why, (enum why_factor)f, words, sizeof words))));
    return list;
}

static json_t *ratio_json(const struct why *why) {
    char name[128], place[192], product[WHY_WORDS_BYTES], meaning[WHY_WORDS_BYTES];
    return json_pack("{s:o,s:s,s:s,s:s,s:f,s:b,s:b,s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "roof",
                     fields_text(why_name(why, name, sizeof name)), "kind", results_kind_names[why->key.kind], "place",
                     roof_key_place(&why->key, place, sizeof place), "unit", roof_key_unit_name(&why->key), "ratio",
                     why->ratio, "alike", (int)why->alike, "paced_by_clock", (int)why->paced, "factors",
                     factors_json(why), "cores_ratio", number_or_null(why->count_ratio), "kept_ratio",
                     number_or_null(why->kept_ratio), "a", end_json(&why->from), "b", end_json(&why->to), "product",
                     fields_text(why_product(why, product, sizeof product)), "meaning",
                     fields_text(why_meaning(why, meaning, sizeof meaning)));
}

json_t *why_json(const struct comparison *c, const struct why_list *list) {
    json_t *sides = json_array(), *ratios = json_array();
    for (size_t turn = 0; turn < 2; turn++) {
        const struct compare_side *side = &c->sides[compare_turn(c, turn)];
        json_array_append_new(sides, json_pack("{s:o,s:o,s:o}", "label", fields_text(side->label), "file",
                                               fields_text(side->path), "host",
                                               fields_text(side->model->result->machine.host)));
    }
    for (size_t i = 0; i < list->count; i++)
        json_array_append_new(ratios, ratio_json(&list->list[i]));
    return json_pack("{s:s,s:o,s:o}", "schema", "carmine.why/1", "machines", sides, "ratios", ratios);
}

void why_csv(const struct why_list *list, FILE *out) {
    json_t *rows = json_array();
    for (size_t i = 0; i < list->count; i++) {
        const struct why *why = &list->list[i];
        json_t *row = ratio_json(why), *factors = json_object();
        for (int f = 0; f < WHY_FACTORS; f++)
            json_object_set_new(factors, why_factor_names[f], number_or_null(why->factors[f]));
        json_object_set_new(row, "factors", factors);
        json_array_append_new(rows, row);
    }
    csv_print_rows(rows, out);
}
