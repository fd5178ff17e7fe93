/* SPDX-License-Identifier: BSD-3-Clause
 * Verdicts in their forms (see check_report.h). */
#include "check_report.h"

#include <math.h>

#include "bench/sample/doubt.h"
#include "render/page/units.h"
#include "carm/model/describe.h"
#include "carm/tables/report_doubts.h"
#include "render/page/safe_text.h"

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

const char *check_value_text(const struct check_row *row, double value, enum compare_per per, char *out, size_t size) {
    if (isnan(value))
        return row->roof ? "clock unknown" : "";
    if (per == PER_CYCLE)
        return units_digits(out, size, value, 4);
    return units_column(out, size, value, roof_key_unit(&row->key));
}

struct table check_rows_begin(void) {
    static const char *const NAMES[] = {"", "roof", "measured", "baseline", "deviation", "tolerance", "doubts"};
    struct table table = table_begin("llrrrrl");
    table.order = "0032045";
    table_head(&table, NAMES, sizeof NAMES / sizeof NAMES[0]);
    return table;
}

void check_rows_add(struct table *table, const struct check_row *row, const struct check_setting *setting) {
    char(*cells)[TABLE_CELL_BYTES] = table_row(table), text[TABLE_CELL_BYTES];
    const enum compare_per per = setting->baseline->per;
    table_set(cells, 0, "%s", check_verdict_names[row->verdict]);
    table_set(cells, 1, "%s", roof_key_text(&row->key, text, sizeof text));
    table_set(cells, 2, "%s", check_value_text(row, row->value, per, text, sizeof text));
    table_set(cells, 3, "%s", check_value_text(row, row->baseline, per, text, sizeof text));
    if (!isnan(row->ratio))
        table_set(cells, 4, "%s%+.1f %%", row->uncertain ? "≈" : "", 100 * (row->ratio - 1));
    table_set(cells, 5, "±%g %%", 100 * row->tolerance);
    table_set(cells, 6, "%s", doubt_names(row->doubts, text, sizeof text));
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
    struct table table = check_rows_begin();
    for (size_t i = 0; i < check->count; i++) {
        check_rows_add(&table, &check->rows[i], setting);
        doubts_join(&doubts, check->rows[i].doubts);
        latency |= check->rows[i].key.kind == SAMPLE_LATENCY;
    }
    table_print(&table, out);
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
