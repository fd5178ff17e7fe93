/* SPDX-License-Identifier: BSD-3-Clause
 * The one screen of a check (see check_answer.h). */
#include "check_answer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/kernels/sample.h"
#include "carm/text/wrap.h"
#include "probe/need.h"
#include "render/page/safe_text.h"

enum { WORST = 6, NOTE_LINES = 2 };
static const double SAME_CLOCK = 0.01;

/* "; per cycle none of them fails: the clock is 8.4 % lower"; "" where nothing is known. */
static void write_clock(const struct check *check, const struct check *per_cycle, char *out, size_t size) {
    const struct check_clock clock = check_clock_find(check, per_cycle);
    const double off = clock.ratio - 1;
    char why[64] = "";
    out[0] = '\0';
    if (clock.failed == 0 || isnan(off))
        return;
    if (fabs(off) > SAME_CLOCK)
        snprintf(why, sizeof why, ": the clock is %.2g %% %s", 100 * fabs(off), off < 0 ? "lower" : "higher");
    if (clock.still == 0)
        snprintf(out, size, "; per cycle none of them fails%s", why);
    else if (clock.still == clock.failed)
        snprintf(out, size, "; per cycle they fail too%s", why);
    else
        snprintf(out, size, "; per cycle %zu of them fail%s%s", clock.still, clock.still == 1 ? "s" : "", why);
}

/* "new.json against old.json: medians of 4 results, per cycle and core" */
static void print_subject(const struct check_setting *setting, const struct screen *screen) {
    char line[2048], results[48] = "";
    if (setting->baseline->result_count > 1)
        snprintf(results, sizeof results, ": medians of %zu results", setting->baseline->result_count);
    snprintf(line, sizeof line, "%s against %s%s%s", setting->path, setting->baseline_path, results,
             setting->baseline->per == PER_CYCLE ? ", per cycle and core" : "");
    safe_text_clean(line);
    wrap_print(line, screen_columns(screen), "   ", screen->out);
}

/* Positive where it is worse than the baseline. NaN: the result lacks it. */
static double loss_of(const struct check_row *row) {
    return row->key.kind == SAMPLE_LATENCY ? row->ratio - 1 : 1 - row->ratio;
}

static void add_class(struct table *table, const struct check *check, enum check_class class) {
    size_t counts[CHECK_VERDICTS] = {0}, count = 0, known = 0;
    double *deviations = need_calloc(check->count + 1, sizeof *deviations), tolerance = 0;
    for (size_t i = 0; i < check->count; i++) {
        const struct check_row *row = &check->rows[i];
        if (row->class != class)
            continue;
        count++;
        counts[row->verdict]++;
        tolerance = fmax(tolerance, row->tolerance);
        if (!isnan(row->ratio))
            deviations[known++] = row->ratio - 1;
    }
    if (count) {
        char(*cells)[TABLE_CELL_BYTES] = table_row(table);
        table_set(cells, 0, "%s", check_class_names[class]);
        table_set(cells, 1, "%zu", count);
        for (size_t verdict = 0; verdict < CHECK_VERDICTS; verdict++)
            if (counts[verdict])
                table_set(cells, 2 + verdict, "%zu", counts[verdict]);
        if (known)
            table_set(cells, 2 + CHECK_VERDICTS, "%+.1f %%", 100 * sample_statistics(deviations, known).median);
        table_set(cells, 3 + CHECK_VERDICTS, "±%g %%", 100 * tolerance);
    }
    free(deviations);
}

static void print_classes(const struct check *check, const struct screen *screen) {
    struct table table = screen_table(screen, "lrrrrrrrr", "000000013");
    char(*cells)[TABLE_CELL_BYTES] = table_row(&table);
    table_set(cells, 1, "roofs");
    for (size_t verdict = 0; verdict < CHECK_VERDICTS; verdict++)
        table_set(cells, 2 + verdict, "%s", check_verdict_names[verdict]);
    table_set(cells, 2 + CHECK_VERDICTS, "median deviation");
    table_set(cells, 3 + CHECK_VERDICTS, "tolerance");
    for (int class = 0; class < CHECK_CLASSES; class ++)
        add_class(&table, check, (enum check_class) class);
    table_print_section(&table, screen->out);
}

/* By verdict, then how far off it is, as a part of what it may be; else as they stand. A library sorts otherwise where
 * memory is short. */
static int by_gravity(const void *left, const void *right) {
    const struct check_row *a = *(const struct check_row *const *)left, *b = *(const struct check_row *const *)right;
    const double own = fabs(loss_of(a)) / a->tolerance, other = fabs(loss_of(b)) / b->tolerance;
    if (a->verdict != b->verdict)
        return a->verdict < b->verdict ? -1 : 1;
    const int graver = (own < other) - (own > other);
    return graver ? graver : (a > b) - (a < b);
}

static void print_worst(const struct check *check, const struct check_setting *setting, const struct screen *screen) {
    const struct check_row **rows = need_calloc(check->count + 1, sizeof(*rows));
    const size_t room = check->uncertain ? WORST - NOTE_LINES : WORST;
    bool latency = false;
    for (size_t i = 0; i < check->count; i++)
        rows[i] = &check->rows[i];
    qsort(rows, check->count, sizeof(*rows), by_gravity);
    struct column_walk to = columns_table(0);
    screen_fit(screen, &to.table);
    for (size_t i = 0; i < check->count && i < room && rows[i]->verdict != CHECK_PASS; i++) {
        columns_row(&to);
        check_row_columns(&to, rows[i], setting);
        latency |= rows[i]->key.kind == SAMPLE_LATENCY;
    }
    columns_print_section(&to, screen->out);
    if (latency)
        fputs("Of latencies (chase) less is better.\n", screen->out);
    free(rows);
}

static void print_notes(const struct check *check, const struct screen *screen) {
    size_t doubtful = 0;
    for (size_t i = 0; i < check->count; i++)
        doubtful += doubts_any(check->rows[i].doubts);
    fputc('\n', screen->out);
    if (check->uncertain)
        screen_note(screen, "≈", "%zu roof%s beyond %s tolerance, but not by more than both measurements leave open",
                    check->uncertain, check->uncertain == 1 ? " is" : "s are", check->uncertain == 1 ? "its" : "their");
    if (check->unplanned)
        screen_note(screen, "Depth", "%zu roof%s of the baseline %s not compared: a quick run does not measure %s",
                    check->unplanned, check->unplanned == 1 ? "" : "s", check->unplanned == 1 ? "is" : "are",
                    check->unplanned == 1 ? "it" : "them");
    if (check->more)
        screen_note(screen, "More", "%zu roof%s of the file %s not in the baseline", check->more,
                    check->more == 1 ? "" : "s", check->more == 1 ? "is" : "are");
    if (doubtful)
        screen_note(screen, "Doubts", "%zu of the verdicts (why: --all)", doubtful);
    screen_note(screen, "Rows", "all %zu: --all", check->count);
}

void check_answer_print(const struct check *check, const struct check *per_cycle, const struct check_setting *setting,
                        const struct screen *screen) {
    char line[512], clock[128] = "";
    check_sum(check, setting, line, sizeof line);
    if (per_cycle)
        write_clock(check, per_cycle, clock, sizeof clock);
    strncat(line, clock, sizeof line - strlen(line) - 1);
    screen_say(screen, line, "   ");
    print_subject(setting, screen);
    print_classes(check, screen);
    print_worst(check, setting, screen);
    print_notes(check, screen);
}
