/* SPDX-License-Identifier: BSD-3-Clause
 * The table of forms, JSON and JUnit XML (see check_formats.h). Those of monitoring systems: check_monitoring.c. */
#include "check_formats.h"
#include "check_monitoring.h"
#include "report_doubts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/kernels/doubt.h"
#include "carm/store/fields.h"
#include "carm/store/file_io.h"
#include "carm/text/junit.h"
#include "probe/need.h"
#include "render/page/text_stream.h"
#include "render/page/units.h"

static json_t *row_json(const struct check_row *row, const struct check_setting *setting) {
    struct column_walk to = columns_json();
    check_row_columns(&to, row, setting);
    return columns_end_json(&to);
}

json_t *check_json(const struct check *check, const struct check_setting *setting) {
    json_t *metrics = json_array(), *counts = json_object();
    for (size_t i = 0; i < check->count; i++)
        json_array_append_new(metrics, row_json(&check->rows[i], setting));
    for (int verdict = 0; verdict < CHECK_VERDICTS; verdict++)
        json_object_set_new(counts, check_verdict_names[verdict], json_integer((json_int_t)check->counts[verdict]));
    return json_pack(
        "{s:s,s:b,s:o,s:o,s:o,s:I,s:b,s:I,s:I,s:o,s:o}", "schema", "carmine.check/2", "passed",
        (int)(check_outcome(check, setting) == CHECK_PASSED), "file", fields_text(setting->path), "baseline",
        fields_text(setting->baseline_path), "host", fields_text(setting->result->machine.host), "baseline_results",
        (json_int_t)setting->baseline->result_count, "strict", (int)setting->strict, "more_roofs",
        (json_int_t)check->more, "uncertain", (json_int_t)check->uncertain, "counts", counts, "metrics", metrics);
}

static void print_json(const struct check *check, const struct check_setting *setting, FILE *out) {
    fields_print_to(check_json(check, setting), out);
}

static void write_case(const struct check_row *row, const struct check_setting *setting, struct junit_case *out) {
    char value[UNITS_BYTES], baseline[UNITS_BYTES], doubts[160];
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
        snprintf(out->message, sizeof out->message, "%s%s%s against %s: %+.1f %%, tolerance %g %%",
                 doubt_names(row->doubts, doubts, sizeof doubts), doubts_any(row->doubts) ? ": " : "",
                 check_value_text(row, row->value, per, value, sizeof value), was, 100 * (row->ratio - 1),
                 100 * row->tolerance);
}

static void print_junit(const struct check *check, const struct check_setting *setting, FILE *out) {
    struct junit_case *cases = need_calloc(check->count + 1, sizeof *cases);
    for (size_t i = 0; i < check->count; i++)
        write_case(&check->rows[i], setting, &cases[i]);
    junit_print("carmine check", setting->result->machine.host, setting->result->environment.started_utc, cases,
                check->count, out);
    free(cases);
}

/* Reference and thresholds as ReFrame's tests take them: the thresholds are fractions of the reference
 * (reframe-hpc.readthedocs.io, RegressionTest.reference). What has no value is no metric: the sanity check tells it.
 * What the intervals leave open, or a doubt, is logged and has no threshold, so that both judge alike. */
static void print_reframe(const struct check *check, const struct check_setting *setting, FILE *out) {
    json_t *metrics = json_object();
    for (size_t i = 0; i < check->count; i++) {
        const struct check_row *row = &check->rows[i];
        const bool latency = row->key.kind == SAMPLE_LATENCY,
                   open = row->uncertain || (row->verdict == CHECK_DOUBTFUL && !setting->strict);
        char name[224];
        if (isnan(row->value) || isnan(row->baseline))
            continue;
        json_t *below = latency || open ? json_null() : json_real(-row->tolerance),
               *above = latency && !open ? json_real(row->tolerance) : json_null();
        json_object_set_new(metrics, roof_key_text(&row->key, name, sizeof name),
                            json_pack("{s:f,s:[foos]}", "value", row->value, "reference", row->baseline, below, above,
                                      check_unit_name(row, setting->baseline->per)));
    }
    fields_print_to(json_pack("{s:s,s:b,s:o}", "schema", "carmine.check.reframe/1", "passed",
                              (int)(check_outcome(check, setting) == CHECK_PASSED), "metrics", metrics),
                    out);
}

const struct check_format check_formats[] = {
    {"json", "all of it, schema carmine.check/2", print_json, 1, 0, 2, NULL},
    {"junit", "JUnit XML, a test case per roof, for CI", print_junit, 1, 0, 2, NULL},
    {"reframe", "values with references, for a ReFrame test", print_reframe, 1, 0, 2, NULL},
    {"nagios", "a plugin's line with its exit status", check_print_nagios, 2, 1, 3, check_print_nagios_unknown},
    {"prometheus", "metrics for node_exporter's textfile collector", check_print_prometheus, 1, 0, 2, NULL},
    {0},
};

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
