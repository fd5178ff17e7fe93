/* SPDX-License-Identifier: BSD-3-Clause
 * A check against a baseline as text: all verdicts, and one screen. */
#include "check_report.h"
#include "report.h"
#include "report_thresholds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/kernels/sample.h"
#include "carm/model/describe.h"
#include "carm/store/results.h"
#include "carm/text/table.h"
#include "probe/need.h"
#include "probe/text.h"
#include "render/page/safe_text.h"
#include "render/page/units.h"

bool check_is_failure(enum check_verdict verdict, const struct check_setting *setting) {
    return verdict == CHECK_FAIL || verdict == CHECK_MISSING || (verdict == CHECK_DOUBTFUL && setting->strict);
}

size_t check_failures(const struct check *check, const struct check_setting *setting) {
    size_t failures = 0;
    for (int verdict = 0; verdict < CHECK_VERDICTS; verdict++)
        if (check_is_failure((enum check_verdict)verdict, setting))
            failures += check->counts[verdict];
    return failures;
}

const char *check_unit_name(const struct check_row *row, enum compare_per per) {
    return per != PER_CYCLE ? roof_key_unit_name(&row->key) : row->key.kind == SAMPLE_LATENCY ? "cycles" : "per_cycle";
}

const char *check_value_text(const struct check_row *row, double value, enum compare_per per, char *out, size_t size) {
    if (isnan(value))
        return row->roof ? "clock unknown" : "";
    if (per == PER_CYCLE)
        return units_digits(out, size, value, 4);
    return units_column(out, size, value, roof_key_unit(&row->key));
}

void check_row_columns(struct column_walk *to, const struct check_row *row, const struct check_setting *setting) {
    const enum compare_per per = setting->baseline->per;
    const struct check_bounds bounds = check_bounds(row);
    char name[224], place[192], text[TABLE_CELL_BYTES], change[UNITS_BYTES];
    column(to, cell_text(check_verdict_names[row->verdict]), .title = "", .key = "verdict", .json = 2, .text = {STAYS});
    column(to, cell_text(roof_key_text(&row->key, name, sizeof name)), .title = "roof", .key = "name", .json = 1,
           .text = {STAYS});
    column(to, cell_text(row->key.kernel), .key = "kernel", .json = 2, .raw_json = true);
    column(to, cell_text(row->key.level), .key = "level", .json = 2);
    column(to, cell_text(roof_key_place(&row->key, place, sizeof place)), .key = "place", .json = 2, .raw_json = true);
    column(to, cell_bool(true, row->key.small_pages), .key = "small_pages", .json = 2);
    column(to, cell_text(results_kind_names[row->key.kind]), .key = "kind", .json = 2);
    column(to, cell_text(check_class_names[row->class]), .key = "class", .json = 2);
    column(to, cell_text(check_unit_name(row, per)), .key = "unit", .json = 2);
    column(to, cell_read(cell_number(true, row->value), check_value_text(row, row->value, per, text, sizeof text)),
           .title = "measured", .key = "value", .format = COLUMN_SI, .json = 2, .text = {3});
    column(to, cell_number(true, row->low), .key = "low", .json = 2);
    column(to, cell_number(true, row->high), .key = "high", .json = 2);
    column(to,
           cell_read(cell_number(true, row->baseline), check_value_text(row, row->baseline, per, text, sizeof text)),
           .title = "baseline", .key = "reference", .format = COLUMN_SI, .json = 2, .text = {2});
    column(to, cell_number(true, row->baseline_low), .key = "reference_low", .json = 2);
    column(to, cell_number(true, row->baseline_high), .key = "reference_high", .json = 2);
    column(to, cell_number(true, bounds.lower), .key = "lower", .json = 2);
    column(to, cell_number(true, bounds.upper), .key = "upper", .json = 2);
    snprintf(text, sizeof text, "%s%s", row->uncertain ? "≈" : "",
             units_change(change, sizeof change, row->ratio - 1, 1));
    column(to, cell_read(cell_number(true, row->ratio), isnan(row->ratio) ? "" : text), .title = "deviation",
           .key = "ratio", .format = COLUMN_CHANGE, .json = 2, .text = {STAYS});
    snprintf(text, sizeof text, "±%g %%", 100 * row->tolerance);
    column(to, cell_read(cell_number(true, row->tolerance), text), .title = "tolerance", .key = "tolerance",
           .format = COLUMN_PERCENT, .json = 2, .text = {4});
    column(to, cell_amount(true, row->roof ? row->roof->sample->rate.n : 0), .key = "samples", .json = 2);
    column(to, cell_bool(true, row->uncertain), .key = "uncertain", .json = 2);
    column(to, cell_doubts(row->doubts), .title = "warnings", .key = "doubts", .format = COLUMN_DOUBTS, .json = 2,
           .text = {5});
}

enum check_outcome check_outcome(const struct check *check, const struct check_setting *setting) {
    return check_failures(check, setting) ? CHECK_FAILED : check_can_tell(check) ? CHECK_PASSED : CHECK_UNKNOWN;
}

const char *check_sum(const struct check *check, const struct check_setting *setting, char *out, size_t size) {
    static const char *const WORDS[] = {"PASSED", "FAILED", "UNKNOWN"};
    const enum check_outcome outcome = check_outcome(check, setting);
    const size_t judged = check->count - check->counts[CHECK_DOUBTFUL];
    if (outcome != CHECK_FAILED && judged < check->count)
        snprintf(out, size, "%s: %zu of %zu roofs could be judged%s:", WORDS[outcome], judged, check->count,
                 outcome == CHECK_UNKNOWN ? ", and no headline roof" : "");
    else
        snprintf(out, size, "%s: of %zu roof%s", WORDS[outcome], check->count, check->count == 1 ? "" : "s");
    const char *separator = " ";
    for (int verdict = 0; verdict < CHECK_VERDICTS; verdict++)
        if (check->counts[verdict]) {
            text_append(out, size, "%s%zu %s", separator, check->counts[verdict], check_verdict_names[verdict]);
            separator = ", ";
        }
    return out;
}

/* The notes below the verdicts: their names on a screen, and their texts; "": nothing to note. */
enum check_note { NOTE_UNCERTAIN, NOTE_UNPLANNED, NOTE_UNMEASURED, NOTE_MORE, NOTE_COUNT };
static const char *const NOTE_NAMES[NOTE_COUNT] = {"≈", "Depth", "Memory", "More"};

static const char *note_text(const struct check *check, enum check_note note, char *out, size_t size) {
    const size_t count = (const size_t[]){check->uncertain, check->unplanned, check->unmeasured, check->more}[note];
    const bool one = count == 1;
    out[0] = '\0';
    if (count == 0)
        return out;
    if (note == NOTE_UNCERTAIN)
        snprintf(out, size, "%zu roof%s beyond %s tolerance, but within the uncertainty of the two measurements", count,
                 one ? " is" : "s are", one ? "its" : "their");
    else if (note == NOTE_UNPLANNED)
        snprintf(out, size, "%zu roof%s of the baseline %s not compared: a quick run does not measure %s", count,
                 one ? "" : "s", one ? "is" : "are", one ? "it" : "them");
    else if (note == NOTE_UNMEASURED)
        snprintf(out, size, "%zu figure%s of the baseline's memory system %s not compared: the file has none", count,
                 one ? "" : "s", one ? "is" : "are");
    else
        snprintf(out, size, "%zu roof%s of the file %s not in the baseline", count, one ? "" : "s", one ? "is" : "are");
    return out;
}

void check_print(const struct check *check, const struct check_setting *setting, FILE *out) {
    char line[512];
    struct doubts doubts = NO_DOUBTS;
    bool latency = false;
    describe_machine(setting->result, line, sizeof line);
    wrap_fitted(line, "  ", out);
    safe_text_print(setting->path, out);
    fputs(" against ", out);
    safe_text_print(setting->baseline_path, out);
    if (setting->baseline->result_count > 1)
        fprintf(out, ": medians of %zu results", setting->baseline->result_count);
    fprintf(out, "%s\n\n", setting->baseline->per == PER_CYCLE ? ", per cycle and core" : "");
    struct column_walk to = columns_table(0);
    for (size_t i = 0; i < check->count; i++) {
        columns_row(&to);
        check_row_columns(&to, &check->rows[i], setting);
        doubts_join(&doubts, check->rows[i].doubts);
        latency |= check->rows[i].key.kind == SAMPLE_LATENCY;
    }
    columns_print(&to, out);
    if (latency)
        fputs("\nFor latencies (pointer chase) lower is better.\n", out);
    report_doubts_print(doubts, out);
    for (int note = 0; note < NOTE_COUNT; note++)
        if (*note_text(check, (enum check_note)note, line, sizeof line))
            wrap_format(out, "  ", "\n%s%s", note == NOTE_UNCERTAIN ? "≈ " : "", line);
    wrap_format(out, "  ", "\n%s", check_sum(check, setting, line, sizeof line));
}

/* One screen. */

enum { WORST = 6, NOTE_LINES = 2 };

/* "; per cycle none of them fails: the clock is 8.4 % lower"; "" if unknown. */
static void write_clock(const struct check *check, const struct check *per_cycle, char *out, size_t size) {
    const struct check_clock clock = check_clock_find(check, per_cycle);
    const double off = clock.ratio - 1;
    char why[64] = "";
    out[0] = '\0';
    if (clock.failed == 0 || isnan(off))
        return;
    if (fabs(off) > report_thresholds.same_clock.value)
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

static void add_class(struct table *table, const struct check *check, enum check_class class) {
    char change[UNITS_BYTES];
    size_t counts[CHECK_VERDICTS] = {0}, count = 0, known = 0;
    double *deviations = need_calloc(check->count + 1, sizeof *deviations);
    for (size_t i = 0; i < check->count; i++) {
        const struct check_row *row = &check->rows[i];
        if (row->class != class)
            continue;
        count++;
        counts[row->verdict]++;
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
            table_set(cells, 2 + CHECK_VERDICTS, "%s",
                      units_change(change, sizeof change, sample_statistics(deviations, known).median, 1));
        table_set(cells, 3 + CHECK_VERDICTS, "±%g %%", 100 * check->tolerances[class]);
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

/* By verdict, then by the deviation relative to the tolerance, then in their order: the library's sort is not stable if
 * memory is short. */
static int by_gravity(const void *left, const void *right) {
    const struct check_row *a = *(const struct check_row *const *)left, *b = *(const struct check_row *const *)right;
    const double own = fabs(a->ratio - 1) / a->tolerance, other = fabs(b->ratio - 1) / b->tolerance;
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
        fputs("For latencies (pointer chase) lower is better.\n", screen->out);
    free(rows);
}

static void print_notes(const struct check *check, const struct screen *screen) {
    char text[160];
    size_t doubtful = 0;
    for (size_t i = 0; i < check->count; i++)
        doubtful += doubts_any(check->rows[i].doubts);
    fputc('\n', screen->out);
    for (int note = 0; note < NOTE_COUNT; note++)
        if (*note_text(check, (enum check_note)note, text, sizeof text))
            screen_note(screen, NOTE_NAMES[note], "%s", text);
    if (doubtful)
        screen_note(screen, "Warning", "%zu of the verdicts (why: --all)", doubtful);
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
