/* SPDX-License-Identifier: BSD-3-Clause
 * The one screen of documented limits (see spec_answer.h). */
#include "spec_answer.h"
#include "shortfall_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carm/model/describe.h"
#include "carm/model/roof_key.h"
#include "carm/model/shortfall_evidence.h"
#include "carm/text/wrap.h"
#include "probe/need.h"
#include "render/page/units.h"

enum { ROWS = 12, PEAK_LINES = 2 }; /* rows of both tables, without their headings */

/* No limits of latencies are documented. */
static bool counts(const struct shortfall *shortfall) {
    return shortfall->roof->sample->kind != SAMPLE_LATENCY;
}

/* "140 of 242 roofs are within 2 % of documented, 12 below are explained, 3 are not; 87 have no documented limit" */
static void print_sum(const struct shortfalls *shortfalls, const struct screen *screen) {
    size_t sums[SHORTFALL_STANDINGS] = {0}, all = 0;
    char line[320], undocumented[64] = "";
    for (size_t i = 0; i < shortfalls->count; i++)
        if (counts(&shortfalls->shortfalls[i])) {
            sums[shortfall_standing(&shortfalls->shortfalls[i])]++;
            all++;
        }
    if (sums[SHORTFALL_UNDOCUMENTED])
        snprintf(undocumented, sizeof undocumented, "; %zu without a documented limit", sums[SHORTFALL_UNDOCUMENTED]);
    if (all == sums[SHORTFALL_UNDOCUMENTED])
        snprintf(line, sizeof line, "None of %zu roofs has a documented limit", all);
    else
        snprintf(line, sizeof line, "%zu of %zu roofs within %g %% of documented, %zu explained, %zu not%s",
                 sums[SHORTFALL_CLOSE], all, 100 * shortfall_thresholds.tolerance.value, sums[SHORTFALL_EXPLAINED],
                 sums[SHORTFALL_UNEXPLAINED], undocumented);
    screen_say(screen, line, "   ");
}

/* Roofs of one reason: how many, and which of them is the farthest from its limit. */
struct reason_sum {
    size_t count;
    const struct shortfall *worst;
};

static double distance_of(const struct shortfall *shortfall) {
    return shortfall->ratio > 0 ? fabs(log(shortfall->ratio)) : -1;
}

static struct reason_sum sum_of(const struct shortfalls *shortfalls, const struct shortfall_rule *rule) {
    struct reason_sum sum = {.count = 0};
    for (size_t i = 0; i < shortfalls->count; i++) {
        const struct shortfall *own = &shortfalls->shortfalls[i];
        if (!counts(own) || (own->cause != rule && (!rule || own->clock != rule)))
            continue;
        sum.count++;
        if (!sum.worst || distance_of(own) > distance_of(sum.worst))
            sum.worst = own;
    }
    return sum;
}

static size_t add_reason(struct table *table, const struct model *model, const struct shortfalls *shortfalls,
                         const struct shortfall_rule *rule, const char *name) {
    const struct reason_sum sum = sum_of(shortfalls, rule);
    if (sum.count == 0)
        return 0;
    char(*row)[TABLE_CELL_BYTES] = table_row(table), text[224];
    const struct roof_key key = roof_key_make(model, sum.worst->roof);
    table_set(row, 0, "%s", name);
    table_set(row, 1, "%zu", sum.count);
    if (sum.worst->ratio > 0) {
        table_set(row, 2, "%.1f %%", 100 * sum.worst->ratio);
        table_set(row, 3, "%s", roof_key_text(&key, text, sizeof text));
    }
    return 1;
}

/* How many roofs each reason is of, with the farthest off. Returns the rows. */
static size_t print_reasons(const struct model *model, const struct shortfalls *shortfalls,
                            const struct screen *screen) {
    static const char *const NAMES[] = {"", "roofs", "farthest", "roof"};
    struct table table = screen_table(screen, "lrrl", "0012");
    size_t rows = 0;
    table_head(&table, NAMES, sizeof NAMES / sizeof NAMES[0]);
    rows += add_reason(&table, model, shortfalls, NULL, "at its limit");
    for (size_t r = shortfall_cause_rule_count; r-- > 0;)
        rows += add_reason(&table, model, shortfalls, &shortfall_cause_rules[r], shortfall_cause_rules[r].name);
    for (size_t r = 0; r < shortfall_clock_rule_count; r++)
        rows += add_reason(&table, model, shortfalls, &shortfall_clock_rules[r], shortfall_clock_rules[r].name);
    table_print_section(&table, screen->out);
    return rows;
}

static void add_unexplained(struct table *table, const struct model *model, const struct shortfall *shortfall) {
    char(*row)[TABLE_CELL_BYTES] = table_row(table), text[224];
    const struct roof_key key = roof_key_make(model, shortfall->roof);
    const char *unit = model_roof_unit(shortfall->roof);
    table_set(row, 0, "%s", roof_key_text(&key, text, sizeof text));
    table_set(row, 1, "%s", units_column(text, sizeof text, shortfall->roof->sample->value, unit));
    table_set(row, 2, "%s", units_column(text, sizeof text, shortfall->documented, unit));
    table_set(row, 3, "%.1f %%", 100 * shortfall->ratio);
}

/* Those that are farthest off, in their usual order. */
static void print_unexplained(const struct model *model, const struct shortfalls *shortfalls, size_t room,
                              const struct screen *screen) {
    static const char *const NAMES[] = {"not explained", "measured", "documented", "ratio"};
    double *distances = need_calloc(shortfalls->count + 1, sizeof *distances);
    bool *chosen = need_calloc(shortfalls->count + 1, sizeof *chosen);
    struct table table = screen_table(screen, "lrrr", "0120");
    table_head(&table, NAMES, sizeof NAMES / sizeof NAMES[0]);
    for (size_t i = 0; i < shortfalls->count; i++) {
        const struct shortfall *own = &shortfalls->shortfalls[i];
        const bool unexplained = counts(own) && shortfall_standing(own) == SHORTFALL_UNEXPLAINED;
        distances[i] = unexplained ? distance_of(own) : -INFINITY;
    }
    screen_choose(distances, shortfalls->count, room, chosen);
    for (size_t i = 0; i < shortfalls->count; i++)
        if (chosen[i])
            add_unexplained(&table, model, &shortfalls->shortfalls[i]);
    table_print_section(&table, screen->out);
    free(distances);
    free(chosen);
}

void spec_answer_print(const struct model *model, const struct shortfalls *shortfalls, const struct spec *spec,
                       const struct screen *screen) {
    const struct result *result = model->result;
    char line[512] = "f64 peak ";
    const size_t label = strlen(line);
    print_sum(shortfalls, screen);
    if (spec && *shortfall_report_peak(model, spec, line + label, sizeof line - label))
        wrap_print(line, screen_columns(screen), "   ", screen->out);
    describe_cpu(result, line, sizeof line);
    wrap_print(line, screen_columns(screen), "   ", screen->out);
    const size_t rows = print_reasons(model, shortfalls, screen);
    const size_t room = spec ? ROWS - PEAK_LINES : ROWS;
    print_unexplained(model, shortfalls, rows < room ? room - rows : 1, screen);
    fputc('\n', screen->out);
    if (result->uarch_doubt[0])
        screen_line(screen, "▲", result->uarch_doubt);
    screen_note(screen, "Rows", "all %zu, what each reason means, and the sources: --all", shortfalls->count);
}
