/* SPDX-License-Identifier: BSD-3-Clause
 * The one screen of a program (see app_answer.h). */
#include "app_answer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/sample/doubt.h"
#include "carm/model/verdict_words.h"
#include "carm/tables/report_ranks.h"
#include "probe/need.h"
#include "render/page/units.h"

enum { ROWS = 10 };

/* "triad: memory-bound: at 82 % of the DRAM roof …" */
static void print_verdict(const struct model *model, const struct app_point *point, const struct screen *screen) {
    const struct verdict verdict = verdict_find(model, point);
    char words[VERDICT_WORDS_BYTES], line[VERDICT_WORDS_BYTES + sizeof point->name + 4];
    snprintf(line, sizeof line, "%s: %s", point->name, verdict_words(&verdict, point, words));
    screen_say(screen, line, "   ");
}

static void set_rate(char (*row)[TABLE_CELL_BYTES], size_t column, double value, const char *unit) {
    char text[UNITS_BYTES];
    if (value > 0)
        table_set(row, column, "%s",
                  *unit ? units_column(text, sizeof text, value, unit) : units_number(text, sizeof text, value));
}

static void add_point(struct table *table, const struct model *model, const struct app_point *point) {
    const struct verdict verdict = verdict_find(model, point);
    char(*row)[TABLE_CELL_BYTES] = table_row(table), text[TABLE_CELL_BYTES];
    table_set(row, 0, "%s", point->name);
    if (point->seconds.n > 0)
        table_set(row, 1, "%s", units_seconds(text, sizeof text, point->seconds.median));
    if (point->time_share > 0)
        table_set(row, 2, "%.0f %%", 100 * point->time_share);
    set_rate(row, 3, app_flop_per_s(point), "flop/s");
    set_rate(row, 4, app_flop_per_byte(point), "");
    table_set(row, 5, "%s", verdict_bound_by(&verdict));
    if (verdict.known)
        table_set(row, 6, "%s", verdict_ratio_cell(verdict.ratio, text, sizeof text));
    table_set(row, 7, "%s", verdict_next_cell(&verdict, text, sizeof text));
    table_set(row, 8, "%s", doubt_names(verdict.doubts, text, sizeof text));
}

static void print_doubts(const struct model *model, const struct app_point *points, size_t count,
                         const struct screen *screen) {
    char names[512];
    uint32_t doubts = 0;
    for (size_t i = 0; i < count; i++)
        doubts |= verdict_find(model, &points[i]).doubts;
    if (doubts)
        screen_note(screen, "Doubts", "%s (why: --all)", doubt_names(doubts, names, sizeof names));
}

/* The parts that took the longest, in their usual order; single ranks where there is room for all. */
static size_t add_points(struct table *table, const struct model *model, const struct app_point *points, size_t count) {
    double *seconds = need_calloc(count, sizeof *seconds);
    bool *chosen = need_calloc(count, sizeof *chosen);
    for (size_t i = 0; i < count; i++)
        seconds[i] = count > ROWS && points[i].rank > 0 ? -INFINITY : points[i].seconds.median;
    const size_t shown = screen_choose(seconds, count, ROWS, chosen);
    for (size_t i = 0; i < count; i++)
        if (chosen[i])
            add_point(table, model, &points[i]);
    free(seconds);
    free(chosen);
    return shown;
}

void app_answer_print(const struct model *model, const struct app_point *points, size_t count,
                      const struct screen *screen) {
    static const char *const NAMES[] = {"", "time", "share", "flop/s", "flop/B", "bound by", "ratio", "next", "doubts"};
    char ranks[REPORT_RANKS_BYTES];
    struct table table = screen_table(screen, "lrrrrlrll", "003120045");
    print_verdict(model, &points[0], screen);
    table_head(&table, NAMES, sizeof NAMES / sizeof NAMES[0]);
    const size_t shown = add_points(&table, model, points, count);
    table_print_section(&table, screen->out);
    if (count > shown)
        fprintf(screen->out, "… and %zu more\n", count - shown);
    fputc('\n', screen->out);
    if (*report_ranks_words(&points[0], ranks))
        screen_note(screen, "Ranks", "%s", ranks);
    print_doubts(model, points, count, screen);
}
