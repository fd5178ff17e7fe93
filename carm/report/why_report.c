/* SPDX-License-Identifier: BSD-3-Clause
 * Why two results differ, as text (see why_report.h). */
#include "why_report.h"
#include "report_doubts.h"
#include "why_words.h"

#include <math.h>

#include "carm/model/describe.h"
#include "carm/text/table.h"
#include "carm/text/wrap.h"
#include "render/page/units.h"

static const char INDENT[] = "    ";
enum { INDENT_COLUMNS = sizeof INDENT - 1 };
static const double LEAST_TO_SHARE = 0.1; /* nearer to 1, shares of the little that is left mislead */

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
    fputs("\nB / A, and what it is made of; in words B's number first\n\n", out);
    for (size_t i = 0; i < list->count; i++) {
        const struct why *why = &list->list[i];
        if (why->key.kind == SAMPLE_LATENCY && !latency)
            fputs("\nof latencies less is better\n\n", out);
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
    if (fabs(why->ratio - 1) > LEAST_TO_SHARE)
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

/* Which kernel each is of, and what is documented of it. */
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
            why->key.kind == SAMPLE_LATENCY ? " (less is better)" : "");
    print_indented(why_product(why, words, sizeof words), terminal, out);
    print_indented(why_meaning(why, words, sizeof words), terminal, out);
    fputc('\n', out);
    print_sides(c, terminal, out);
    print_factors(why, out);
    print_kernels(why, out);
    report_doubts_print(doubts_union(why->from.roof->sample->doubts, why->to.roof->sample->doubts), out);
}
