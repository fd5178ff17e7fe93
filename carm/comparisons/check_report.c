/* SPDX-License-Identifier: BSD-3-Clause
 * Verdicts in their forms (see check_report.h). */
#include "check_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/sample/doubt.h"
#include "render/page/units.h"
#include "carm/store/fields.h"
#include "carm/text/junit.h"
#include "carm/tables/report.h"
#include "carm/store/results.h"
#include "carm/text/or_null.h"
#include "carm/model/describe.h"
#include "carm/tables/report_doubts.h"
#include "probe/need.h"
#include "render/page/safe_text.h"

size_t check_failures(const struct check *check, const struct check_setting *setting) {
    return check->counts[CHECK_FAIL] + check->counts[CHECK_MISSING] +
           (setting->strict ? check->counts[CHECK_DOUBTFUL] : 0);
}

static const char *value_text(const struct check_row *row, double value, enum compare_per per, char out[UNITS_BYTES]) {
    if (isnan(value))
        return row->roof ? "clock unknown" : "";
    if (per == PER_CYCLE)
        return units_digits(out, UNITS_BYTES, value, 4);
    return units_column(out, UNITS_BYTES, value, roof_key_unit(&row->key));
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
    table_set(cells, 2, "%s", value_text(row, row->value, per, text));
    table_set(cells, 3, "%s", value_text(row, row->baseline, per, text));
    if (!isnan(row->ratio))
        table_set(cells, 4, "%s%+.1f %%", row->uncertain ? "≈" : "", 100 * (row->ratio - 1));
    table_set(cells, 5, "±%g %%", 100 * row->tolerance);
    table_set(cells, 6, "%s", doubt_names(row->doubts, text, sizeof text));
}

const char *check_sum(const struct check *check, const struct check_setting *setting, char *out, size_t size) {
    size_t length =
        (size_t)snprintf(out, size, "%s: of %zu roof%s", check_failures(check, setting) ? "FAILED" : "PASSED",
                         check->count, check->count == 1 ? "" : "s");
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
    uint32_t doubts = 0;
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
        doubts |= check->rows[i].doubts;
        latency |= check->rows[i].key.kind == SAMPLE_LATENCY;
    }
    table_print(&table, out);
    if (latency)
        fputs("\nOf latencies (chase) less is better.\n", out);
    report_doubts_print(doubts, out);
    if (check->uncertain)
        fprintf(out, "\n≈ %zu roof%s beyond %s tolerance, but not by more than both measurements leave open\n",
                check->uncertain, check->uncertain == 1 ? " is" : "s are", check->uncertain == 1 ? "its" : "their");
    if (check->more)
        fprintf(out, "\n%zu roof%s of the file the baseline does not have\n", check->more, check->more == 1 ? "" : "s");
    fprintf(out, "\n%s\n", check_sum(check, setting, line, sizeof line));
}

static json_t *row_json(const struct check_row *row, const struct check_setting *setting) {
    char place[192];
    const bool cycle = setting->baseline->per == PER_CYCLE;
    return json_pack("{s:s,s:s,s:o,s:s,s:b,s:s,s:s,s:s,s:o,s:o,s:o,s:f,s:o,s:o,s:o,s:o,s:o,s:b}", "verdict",
                     check_verdict_names[row->verdict], "name", row->key.kernel, "level", text_or_null(row->key.level),
                     "place", roof_key_place(&row->key, place, sizeof place), "small_pages", (int)row->key.small_pages,
                     "kind", results_kind_names[row->key.kind], "class", check_class_names[row->class], "unit",
                     !cycle                            ? roof_key_unit_name(&row->key)
                     : row->key.kind == SAMPLE_LATENCY ? "cycles"
                                                       : "per_cycle",
                     "value", number_or_null(row->value), "baseline", number_or_null(row->baseline), "ratio",
                     number_or_null(row->ratio), "tolerance", row->tolerance, "doubts", report_doubts_json(row->doubts),
                     "low", number_or_null(row->low), "high", number_or_null(row->high), "baseline_low",
                     number_or_null(row->baseline_low), "baseline_high", number_or_null(row->baseline_high),
                     "uncertain", (int)row->uncertain);
}

json_t *check_json(const struct check *check, const struct check_setting *setting) {
    json_t *roofs = json_array(), *counts = json_object();
    for (size_t i = 0; i < check->count; i++)
        json_array_append_new(roofs, row_json(&check->rows[i], setting));
    for (int verdict = 0; verdict < CHECK_VERDICTS; verdict++)
        json_object_set_new(counts, check_verdict_names[verdict], json_integer((json_int_t)check->counts[verdict]));
    return json_pack("{s:s,s:b,s:o,s:o,s:o,s:I,s:b,s:I,s:I,s:o,s:o}", "schema", "carmine.check/1", "passed",
                     (int)(check_failures(check, setting) == 0), "file", fields_text(setting->path), "baseline",
                     fields_text(setting->baseline_path), "host", fields_text(setting->result->machine.host),
                     "baseline_results", (json_int_t)setting->baseline->result_count, "strict", (int)setting->strict,
                     "more_roofs", (json_int_t)check->more, "uncertain", (json_int_t)check->uncertain, "counts", counts,
                     "roofs", roofs);
}

static void write_case(const struct check_row *row, const struct check_setting *setting, struct junit_case *out) {
    char value[UNITS_BYTES], baseline[UNITS_BYTES], doubts[160];
    const enum compare_per per = setting->baseline->per;
    const bool failed = row->verdict == CHECK_FAIL || row->verdict == CHECK_MISSING ||
                        (row->verdict == CHECK_DOUBTFUL && setting->strict);
    *out = (struct junit_case){.outcome = failed                           ? JUNIT_FAILED
                                          : row->verdict == CHECK_DOUBTFUL ? JUNIT_SKIPPED
                                                                           : JUNIT_PASSED,
                               .type = check_verdict_names[row->verdict]};
    snprintf(out->group, sizeof out->group, "carmine.%s", check_class_names[row->class]);
    roof_key_text(&row->key, out->name, sizeof out->name);
    if (row->verdict == CHECK_PASS || row->verdict == CHECK_BETTER)
        return;
    if (row->verdict == CHECK_MISSING)
        snprintf(out->message, sizeof out->message, "missing: the baseline has %s",
                 value_text(row, row->baseline, per, baseline));
    else if (isnan(row->ratio))
        snprintf(out->message, sizeof out->message, "its clock is not known: nothing to compare per cycle");
    else
        snprintf(out->message, sizeof out->message, "%s%s%s against %s: %+.1f %%, tolerance %g %%",
                 doubt_names(row->doubts, doubts, sizeof doubts), row->doubts ? ": " : "",
                 value_text(row, row->value, per, value), value_text(row, row->baseline, per, baseline),
                 100 * (row->ratio - 1), 100 * row->tolerance);
}

bool check_junit(const struct check *check, const struct check_setting *setting, const char *path, struct error *err) {
    struct junit_case *cases = need_calloc(check->count + 1, sizeof *cases);
    for (size_t i = 0; i < check->count; i++)
        write_case(&check->rows[i], setting, &cases[i]);
    const bool done = junit_write(path, "carmine check", setting->result->machine.host,
                                  setting->result->environment.started_utc, cases, check->count, err);
    free(cases);
    return done;
}
