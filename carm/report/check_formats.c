/* SPDX-License-Identifier: BSD-3-Clause
 * The table of formats: JSON, JUnit XML, ReFrame, and monitoring systems. */
#include "check_report.h"
#include "next_answers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/kernels/doubt.h"
#include "carm/store/fields.h"
#include "carm/store/file_io.h"
#include "carm/store/results.h"
#include "carm/store/shape.h"
#include "carm/text/csv.h"
#include "carm/text/junit.h"
#include "carm/text/or_null.h"
#include "probe/need.h"
#include "render/page/safe_text.h"
#include "render/page/text_stream.h"
#include "render/page/units.h"

/* Formats for monitoring systems. */

/* Nagios' line names at most so many failing roofs. */
enum { NAMED = 3 };

/* Characters with a meaning in a plugin's line: performance data begin at '|'; '\' and '=' end a label
 * (monitoring-plugins.org/doc/guidelines.html, performance data). */
static const char IN_TEXT[] = "|", IN_LABEL[] = "|'=";

static void print_part(const char *text, const char *taken, FILE *out) {
    char *clean = need_made(safe_text_copy(text));
    for (char *c = clean + strcspn(clean, taken); *c; c += strcspn(c, taken))
        *c = '_';
    fputs(clean, out);
    free(clean);
}

static void print_failures(const struct check *check, const struct check_setting *setting, FILE *out) {
    size_t named = 0;
    for (size_t i = 0; i < check->count && named < NAMED; i++) {
        const struct check_row *row = &check->rows[i];
        char name[224], change[UNITS_BYTES];
        if (!check_is_failure(row->verdict, setting))
            continue;
        fputs(named++ ? "; " : ": ", out);
        print_part(roof_key_text(&row->key, name, sizeof name), IN_TEXT, out);
        if (isnan(row->ratio))
            fprintf(out, " is %s", check_verdict_names[row->verdict]);
        else
            fprintf(out, " %s", units_change(change, sizeof change, row->ratio - 1, 1));
    }
}

/* Units of performance data: a rate has none, a time has s. */
static void print_performance(const struct check_row *row, enum compare_per per, FILE *out) {
    const struct check_bounds bounds = check_bounds(row);
    char name[224];
    const char *unit = row->key.kind == SAMPLE_LATENCY && per != PER_CYCLE ? "s" : "";
    if (isnan(row->value))
        return;
    fputs(" '", out);
    print_part(roof_key_text(&row->key, name, sizeof name), IN_LABEL, out);
    fprintf(out, "'=%.6g%s;;", row->value, unit);
    if (isnan(bounds.upper))
        fprintf(out, "%.6g:;0", bounds.lower);
    else
        fprintf(out, "%.6g;0", bounds.upper);
}

/* One line for Nagios and similar plugins: status, failures, and the headlines as performance data with values and
 * limits in flop/s, bytes/s or s (monitoring-plugins.org/doc/guidelines.html). */
static void check_print_nagios(const struct check *check, const struct check_setting *setting, FILE *out) {
    const struct check_row *headlines[CHECK_MAX_HEADLINES];
    const size_t count = check_headlines(check, headlines);
    const enum check_outcome outcome = check_outcome(check, setting);
    char sum[256];
    fprintf(out, "CARMINE %s - ",
            outcome == CHECK_FAILED               ? "CRITICAL"
            : outcome == CHECK_UNKNOWN            ? "UNKNOWN"
            : check_doubtful_headlines(check) > 0 ? "WARNING"
                                                  : "OK");
    print_part(setting->result->machine.host, IN_TEXT, out);
    fprintf(out, " %s", check_sum(check, setting, sum, sizeof sum));
    print_failures(check, setting, out);
    fputs(" |", out);
    for (size_t i = 0; i < count; i++)
        print_performance(headlines[i], setting->baseline->per, out);
    fputc('\n', out);
}

/* The line without a check: monitoring shows stdout of plugins, not stderr. */
static void check_print_nagios_unknown(const char *why, FILE *out) {
    fputs("CARMINE UNKNOWN - ", out);
    print_part(why, IN_TEXT, out);
    fputc('\n', out);
}

/* A label's value, escaped. */
static void print_label(const char *name, const char *value, FILE *out) {
    fprintf(out, "%s=\"", name);
    for (; *value; value++)
        if (*value == '"' || *value == '\\')
            fprintf(out, "\\%c", *value);
        else if (*value == '\n')
            fputs("\\n", out);
        else
            fputc(*value, out);
    fputc('"', out);
}

static void print_labels(const struct check_row *row, FILE *out) {
    char name[224], place[192];
    fputc('{', out);
    print_label("roof", roof_key_text(&row->key, name, sizeof name), out);
    print_label(",class", check_class_names[row->class], out);
    print_label(",level", row->key.level, out);
    print_label(",kernel", row->key.kernel, out);
    print_label(",place", roof_key_place(&row->key, place, sizeof place), out);
    fputc('}', out);
}

static double check_formats_value_of(const struct check_row *row) {
    return row->value;
}
static double low_of(const struct check_row *row) {
    return row->low;
}
static double high_of(const struct check_row *row) {
    return row->high;
}
static double ratio_of(const struct check_row *row) {
    return row->ratio;
}
static double failed_of(const struct check_row *row) {
    return row->verdict == CHECK_FAIL || row->verdict == CHECK_MISSING;
}

/* The metric families with a line per roof: for roofs with this unit, or for all. */
struct family {
    const char *name, *help, *unit; /* the unit of the roof's value in files; NULL: any */
    bool per_cycle;
    double (*of)(const struct check_row *row);
};
static const struct family VALUES[] = {
    {"carmine_roof_flop_per_second", "Measured ceiling.", "flop_per_s", false, check_formats_value_of},
    {"carmine_roof_op_per_second", "Measured ceiling of integers.", "op_per_s", false, check_formats_value_of},
    {"carmine_roof_bytes_per_second", "Measured bandwidth.", "bytes_per_s", false, check_formats_value_of},
    {"carmine_roof_latency_seconds", "Measured latency of a load.", "s", false, check_formats_value_of},
    {"carmine_roof_flop_per_cycle", "Measured ceiling per core and cycle.", "flop_per_s", true, check_formats_value_of},
    {"carmine_roof_op_per_cycle", "Measured ceiling of integers per core and cycle.", "op_per_s", true,
     check_formats_value_of},
    {"carmine_roof_bytes_per_cycle", "Measured bandwidth per core and cycle.", "bytes_per_s", true,
     check_formats_value_of},
    {"carmine_roof_latency_cycles", "Measured latency of a load in cycles.", "s", true, check_formats_value_of},
    {"carmine_roof_low", "Lower end of the value's interval, in its unit.", NULL, false, low_of},
    {"carmine_roof_high", "Upper end of the value's interval, in its unit.", NULL, false, high_of},
    {0},
};
static const struct family VERDICTS[] = {
    {"carmine_roof_ratio", "Measured over baseline.", NULL, false, ratio_of},
    {"carmine_roof_failed", "1 where the roof fails the check or is missing.", NULL, false, failed_of},
    {0},
};

static bool has_line(const struct family *family, const struct check_row *row) {
    return (!family->unit || strcmp(roof_key_unit_name(&row->key), family->unit) == 0) && !isnan(family->of(row));
}

static void print_family(const struct family *family, const struct check *check, FILE *out) {
    bool begun = false;
    for (size_t i = 0; i < check->count; i++) {
        const struct check_row *row = &check->rows[i];
        if (!has_line(family, row))
            continue;
        if (!begun)
            fprintf(out, "# HELP %s %s\n# TYPE %s gauge\n", family->name, family->help, family->name);
        begun = true;
        fputs(family->name, out);
        print_labels(row, out);
        fprintf(out, " %.9g\n", family->of(row));
    }
}

static void print_families(const struct family *family, const struct check *check, bool per_cycle, FILE *out) {
    for (; family->name; family++)
        if (!family->unit || family->per_cycle == per_cycle)
            print_family(family, check, out);
}

/* The text format of Prometheus without time stamps, for node_exporter's textfile collector
 * (prometheus.io/docs/instrumenting/exposition_formats). */
static void check_print_prometheus(const struct check *check, const struct check_setting *setting, FILE *out) {
    fprintf(out,
            "# HELP carmine_check_passed 1 where no roof fails the check and enough could be judged.\n# TYPE "
            "carmine_check_passed gauge\n"
            "carmine_check_passed %d\n",
            check_outcome(check, setting) == CHECK_PASSED);
    fputs("# HELP carmine_check_roofs Roofs by verdict.\n# TYPE carmine_check_roofs gauge\n", out);
    for (int verdict = 0; verdict < CHECK_VERDICTS; verdict++)
        fprintf(out, "carmine_check_roofs{verdict=\"%s\"} %zu\n", check_verdict_names[verdict], check->counts[verdict]);
    print_families(VALUES, check, setting->baseline->per == PER_CYCLE, out);
    print_families(VERDICTS, check, false, out);
}

static json_t *check_formats_row_json(const struct check_row *row, const struct check_setting *setting) {
    struct column_walk to = columns_json();
    check_row_columns(&to, row, setting);
    return columns_end_json(&to);
}

static json_t *check_formats_rows_json(const struct check *check, const struct check_setting *setting) {
    json_t *rows = json_array();
    for (size_t i = 0; i < check->count; i++)
        json_array_append_new(rows, check_formats_row_json(&check->rows[i], setting));
    return rows;
}

json_t *check_json(const struct check *check, const struct check_setting *setting) {
    json_t *metrics = check_formats_rows_json(check, setting), *counts = json_object();
    for (int verdict = 0; verdict < CHECK_VERDICTS; verdict++)
        json_object_set_new(counts, check_verdict_names[verdict], json_integer((json_int_t)check->counts[verdict]));
    return json_pack(
        "{s:s,s:b,s:o,s:o,s:o,s:I,s:b,s:I,s:I,s:o,s:o}", "schema", "carmine.check/2", "passed",
        (int)(check_outcome(check, setting) == CHECK_PASSED), "file", fields_text(setting->path), "baseline",
        fields_text(setting->baseline_path), "host", fields_text(setting->result->machine.host), "baseline_results",
        (json_int_t)setting->baseline->result_count, "strict", (int)setting->strict, "more_roofs",
        (json_int_t)check->more, "uncertain", (json_int_t)check->uncertain, "counts", counts, "metrics", metrics);
}

static void check_formats_print_json(const struct check *check, const struct check_setting *setting, FILE *out) {
    fields_print_to(next_add(check_json(check, setting), next_of_check(check, setting)), out);
}

static void check_formats_print_csv(const struct check *check, const struct check_setting *setting, FILE *out) {
    csv_print_rows(check_formats_rows_json(check, setting), out);
}

static void write_case(const struct check_row *row, const struct check_setting *setting, struct junit_case *out) {
    char value[UNITS_BYTES], baseline[UNITS_BYTES], change[UNITS_BYTES], doubts[160];
    const enum compare_per per = setting->baseline->per;
    *out = (struct junit_case){.outcome = check_is_failure(row->verdict, setting) ? JUNIT_FAILED
                                          : row->verdict == CHECK_DOUBTFUL        ? JUNIT_SKIPPED
                                                                                  : JUNIT_PASSED,
                               .type = check_verdict_names[row->verdict]};
    snprintf(out->group, sizeof out->group, "carmine.%s", check_class_names[row->class]);
    roof_key_text(&row->key, out->name, sizeof out->name);
    if (row->verdict == CHECK_PASS || row->verdict == CHECK_BETTER)
        return;
    const char *was = check_value_text(row, row->baseline, per, baseline, sizeof baseline);
    if (row->verdict == CHECK_MISSING)
        snprintf(out->message, sizeof out->message, "missing: the baseline has %s", was);
    else if (isnan(row->ratio))
        snprintf(out->message, sizeof out->message, "its clock is not known: nothing to compare per cycle");
    else
        snprintf(out->message, sizeof out->message, "%s%s%s against %s: %s, tolerance %g %%",
                 doubt_names(row->doubts, doubts, sizeof doubts), doubts_any(row->doubts) ? ": " : "",
                 check_value_text(row, row->value, per, value, sizeof value), was,
                 units_change(change, sizeof change, row->ratio - 1, 1), 100 * row->tolerance);
}

static void print_junit(const struct check *check, const struct check_setting *setting, FILE *out) {
    struct junit_case *cases = need_calloc(check->count + 1, sizeof *cases);
    for (size_t i = 0; i < check->count; i++)
        write_case(&check->rows[i], setting, &cases[i]);
    junit_print("carmine check", setting->result->machine.host, setting->result->environment.started_utc, cases,
                check->count, out);
    free(cases);
}

/* Reference and thresholds for ReFrame's tests: the thresholds are fractions of the reference
 * (reframe-hpc.readthedocs.io, RegressionTest.reference). A roof without a value is no metric: the sanity check reports
 * it. Uncertain and doubtful roofs are logged without a threshold, so that ReFrame judges as `carmine check` does. */
json_t *reframe_json(const struct check *check, const struct check_setting *setting) {
    json_t *metrics = json_object();
    for (size_t i = 0; i < check->count; i++) {
        const struct check_row *row = &check->rows[i];
        const bool latency = row->key.kind == SAMPLE_LATENCY,
                   open = row->uncertain || (row->verdict == CHECK_DOUBTFUL && !setting->strict);
        char name[224];
        if (isnan(row->value) || isnan(row->baseline))
            continue;
        json_t *below = number_or_null(latency || open ? (double)NAN : -row->tolerance),
               *above = number_or_null(latency && !open ? row->tolerance : (double)NAN);
        json_object_set_new(metrics, shape_key(roof_key_text(&row->key, name, sizeof name)),
                            json_pack("{s:f,s:[foos]}", "value", row->value, "reference", row->baseline, below, above,
                                      check_unit_name(row, setting->baseline->per)));
    }
    return json_pack("{s:s,s:b,s:o}", "schema", "carmine.check.reframe/1", "passed",
                     (int)(check_outcome(check, setting) == CHECK_PASSED), "metrics", metrics);
}

static void print_reframe(const struct check *check, const struct check_setting *setting, FILE *out) {
    fields_print_to(next_add(reframe_json(check, setting), next_of_check(check, setting)), out);
}

const struct check_format check_formats[] = {
    {"json", "everything, schema carmine.check/2", check_formats_print_json, 1, 0, 2, NULL},
    {"csv", "a row per roof", check_formats_print_csv, 1, 0, 2, NULL},
    {"junit", "JUnit XML, a test case per roof, for CI", print_junit, 1, 0, 2, NULL},
    {"reframe", "values with references, for a ReFrame test", print_reframe, 1, 0, 2, NULL},
    {"nagios", "a plugin's line with its exit status", check_print_nagios, 2, 1, 3, check_print_nagios_unknown},
    {"prometheus", "metrics for node_exporter's textfile collector", check_print_prometheus, 1, 0, 2, NULL},
    {0},
};

/* A row for each roof and figure of the memory with a value, without a verdict. */
static struct check values_of(const struct model *model) {
    struct check all = {.rows = need_calloc(model_compared_count(model) + 1, sizeof *all.rows)};
    struct roof_keys keys = {0};
    for (size_t i = 0; i < model_compared_count(model); i++) {
        const struct roof *roof = model_compared(model, i);
        const struct roof_key key = roof_key_make(model, roof);
        const struct compare_interval interval = compare_interval(roof, PER_MACHINE);
        if (roof_keys_put(&keys, &key) == all.count)
            all.rows[all.count++] = (struct check_row){.key = key,
                                                       .class = check_class_of(&key),
                                                       .value = roof->sample->value,
                                                       .low = interval.low,
                                                       .high = interval.high,
                                                       .roof = roof};
    }
    roof_keys_free(&keys);
    return all;
}

json_t *flat_json(const struct model *model) {
    struct check all = values_of(model);
    json_t *metrics = json_object();
    for (size_t i = 0; i < all.count; i++) {
        const struct check_row *row = &all.rows[i];
        char name[224];
        json_object_set_new(metrics, shape_key(roof_key_text(&row->key, name, sizeof name)),
                            json_pack("{s:f,s:s,s:o,s:o}", "value", row->value, "unit", roof_key_unit_name(&row->key),
                                      "low", number_or_null(row->low), "high", number_or_null(row->high)));
    }
    check_free(&all);
    return json_pack("{s:s,s:o,s:o,s:o}", "schema", "carmine.flat/1", "host", fields_text(model->result->machine.host),
                     "measured_utc", fields_text(model->result->environment.started_utc), "metrics", metrics);
}

static void print_flat(const struct model *model, const char *path, FILE *out) {
    fields_print_to(next_add(flat_json(model), next_of_result(model, path)), out);
}

static void print_flat_prometheus(const struct model *model, const char *path, FILE *out) {
    (void)path;
    struct check all = values_of(model);
    print_families(VALUES, &all, false, out);
    check_free(&all);
}

const struct flat_format flat_formats[] = {{"flat", print_flat}, {"prometheus", print_flat_prometheus}, {0}};

void flat_print(const char *name, const struct model *model, const char *path, FILE *out) {
    for (const struct flat_format *format = flat_formats; format->name; format++)
        if (strcmp(format->name, name) == 0)
            format->print(model, path, out);
}

const struct check_format *check_format_find(const char *name) {
    const struct check_format *format = check_formats;
    while (format->name && strcmp(format->name, name) != 0)
        format++;
    return format->name ? format : NULL;
}

bool check_format_write(const struct check_format *format, const struct check *check,
                        const struct check_setting *setting, const char *path, struct error *err) {
    char *text = NULL;
    size_t length = 0;
    FILE *out = need_made(text_stream(&text, &length));
    format->print(check, setting, out);
    if (!text_stream_close(out))
        need_end();
    const bool done = file_write(path, text, length, false, err);
    free(text);
    return done;
}

int check_format_status(const struct check_format *format, const struct check *check,
                        const struct check_setting *setting) {
    const enum check_outcome outcome = check_outcome(check, setting);
    return outcome == CHECK_FAILED               ? format->failed
           : outcome == CHECK_UNKNOWN            ? format->unknown
           : check_doubtful_headlines(check) > 0 ? format->doubtful
                                                 : 0;
}
