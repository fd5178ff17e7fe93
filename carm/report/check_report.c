/* SPDX-License-Identifier: BSD-3-Clause
 * Verdicts in their forms (see check_report.h). */
#include "check_report.h"
#include "report_doubts.h"

#include <math.h>

#include "carm/model/describe.h"
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
    char name[224], place[192], text[TABLE_CELL_BYTES];
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
    snprintf(text, sizeof text, "%s%+.1f %%", row->uncertain ? "≈" : "", 100 * (row->ratio - 1));
    column(to, cell_read(cell_number(true, row->ratio), isnan(row->ratio) ? "" : text), .title = "deviation",
           .key = "ratio", .format = COLUMN_CHANGE, .json = 2, .text = {STAYS});
    snprintf(text, sizeof text, "±%g %%", 100 * row->tolerance);
    column(to, cell_read(cell_number(true, row->tolerance), text), .title = "tolerance", .key = "tolerance",
           .format = COLUMN_PERCENT, .json = 2, .text = {4});
    column(to, cell_amount(true, row->roof ? row->roof->sample->rate.n : 0), .key = "samples", .json = 2);
    column(to, cell_bool(true, row->uncertain), .key = "uncertain", .json = 2);
    column(to, cell_doubts(row->doubts), .title = "doubts", .key = "doubts", .format = COLUMN_DOUBTS, .json = 2,
           .text = {5});
}

enum check_outcome check_outcome(const struct check *check, const struct check_setting *setting) {
    return check_failures(check, setting) ? CHECK_FAILED : check_can_tell(check) ? CHECK_PASSED : CHECK_UNKNOWN;
}

const char *check_sum(const struct check *check, const struct check_setting *setting, char *out, size_t size) {
    static const char *const WORDS[] = {"PASSED", "FAILED", "UNKNOWN"};
    const enum check_outcome outcome = check_outcome(check, setting);
    const size_t judged = check->count - check->counts[CHECK_DOUBTFUL];
    size_t length;
    if (outcome != CHECK_FAILED && judged < check->count)
        length = (size_t)snprintf(out, size, "%s: %zu of %zu roofs could be judged%s:", WORDS[outcome], judged,
                                  check->count, outcome == CHECK_UNKNOWN ? ", and no headline roof" : "");
    else
        length = (size_t)snprintf(out, size, "%s: of %zu roof%s", WORDS[outcome], check->count,
                                  check->count == 1 ? "" : "s");
    const char *separator = " ";
    for (int verdict = 0; verdict < CHECK_VERDICTS && length < size; verdict++)
        if (check->counts[verdict]) {
            length += (size_t)snprintf(out + length, size - length, "%s%zu %s", separator, check->counts[verdict],
                                       check_verdict_names[verdict]);
            separator = ", ";
        }
    return out;
}

void check_print(const struct check *check, const struct check_setting *setting, FILE *out) {
    char line[512];
    struct doubts doubts = NO_DOUBTS;
    bool latency = false;
    describe_machine(setting->result, line, sizeof line);
    fprintf(out, "%s\n", line);
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
        fputs("\nOf latencies (chase) less is better.\n", out);
    report_doubts_print(doubts, out);
    if (check->uncertain)
        fprintf(out, "\n≈ %zu roof%s beyond %s tolerance, but not by more than both measurements leave open\n",
                check->uncertain, check->uncertain == 1 ? " is" : "s are", check->uncertain == 1 ? "its" : "their");
    if (check->unplanned)
        fprintf(out,
                "\n%zu roof%s of the baseline not compared: the file is of a quick run, which does not measure %s\n",
                check->unplanned, check->unplanned == 1 ? "" : "s", check->unplanned == 1 ? "it" : "them");
    if (check->more)
        fprintf(out, "\n%zu roof%s of the file the baseline does not have\n", check->more, check->more == 1 ? "" : "s");
    fprintf(out, "\n%s\n", check_sum(check, setting, line, sizeof line));
}
