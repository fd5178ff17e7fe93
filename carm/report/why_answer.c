/* SPDX-License-Identifier: BSD-3-Clause
 * The one screen of a why (see why_report.h). */
#include "why_report.h"
#include "compare_sentences.h"
#include "why_words.h"

#include <math.h>
#include <string.h>

#include "render/page/units.h"

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

/* What the columns hold from this one on: cycles of latencies stand below what rates do per cycle. */
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

/* "L3, L3 latency": the roofs that there is a doubt about. */
static void name_doubtful(const struct why_list *list, struct sentence *out) {
    char name[WHY_TITLE_BYTES];
    for (size_t i = 0; i < list->count; i++)
        if (*why_doubts(&list->list[i], name, sizeof name))
            sentence_say(out, "%s%s", out->length ? ", " : "", why_name(&list->list[i], name, sizeof name));
}

/* The outermost rate, to be told more of. */
static const struct why *example_of(const struct why_list *list) {
    const struct why *example = list->list;
    for (size_t i = 0; i < list->count; i++)
        example = is_latency(&list->list[i]) ? example : &list->list[i];
    return example;
}

static void print_notes(const struct why_list *list, const struct screen *screen) {
    struct sentence doubtful = {.length = 0};
    char name[WHY_TITLE_BYTES];
    name_doubtful(list, &doubtful);
    why_name(example_of(list), name, sizeof name);
    fputc('\n', screen->out);
    if (is_latency(&list->list[list->count - 1]))
        screen_note(screen, "Means", "each B / A is the product of its row; of latencies less is better");
    if (doubtful.length)
        screen_note(screen, "Doubts", "about %s (which: --all)", doubtful.text);
    screen_note(screen, "Rows", "in words: --all; one in depth: its name behind the files, such as %s", name);
}

void why_answer_print(const struct comparison *c, const struct why_list *list, const struct screen *screen) {
    struct table table = screen_table(screen, "lrrrrrrrl", "000000001");
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
