/* SPDX-License-Identifier: BSD-3-Clause
 * Verdicts for monitoring systems (see check_monitoring.h). */
#include "check_monitoring.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "probe/need.h"
#include "render/page/safe_text.h"

/* Up to so many roofs that fail are named in Nagios' line. */
enum { NAMED = 3 };

/* What has a meaning in a plugin's line: performance data begin at '|', and a label ends at '\'' and '='
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
        char name[224];
        if (!check_is_failure(row->verdict, setting))
            continue;
        fputs(named++ ? "; " : ": ", out);
        print_part(roof_key_text(&row->key, name, sizeof name), IN_TEXT, out);
        if (isnan(row->ratio))
            fprintf(out, " is %s", check_verdict_names[row->verdict]);
        else
            fprintf(out, " %+.1f %%", 100 * (row->ratio - 1));
    }
}

/* Performance data have units of their own: a rate has none, a time has s. */
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

void check_print_nagios(const struct check *check, const struct check_setting *setting, FILE *out) {
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

void check_print_nagios_unknown(const char *why, FILE *out) {
    fputs("CARMINE UNKNOWN - ", out);
    print_part(why, IN_TEXT, out);
    fputc('\n', out);
}

/* A label's value, with what would end it escaped. */
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

static double value_of(const struct check_row *row) {
    return row->value;
}
static double ratio_of(const struct check_row *row) {
    return row->ratio;
}
static double failed_of(const struct check_row *row) {
    return row->verdict == CHECK_FAIL || row->verdict == CHECK_MISSING;
}

/* The families of metrics that have a line for each roof: of the roofs with this unit, or of all. */
static const struct family {
    const char *name, *help, *unit; /* of the roof's value as files name it; NULL: any */
    bool per_cycle;
    double (*of)(const struct check_row *row);
} FAMILIES[] = {
    {"carmine_roof_flop_per_second", "Measured ceiling.", "flop_per_s", false, value_of},
    {"carmine_roof_op_per_second", "Measured ceiling of integers.", "op_per_s", false, value_of},
    {"carmine_roof_bytes_per_second", "Measured bandwidth.", "bytes_per_s", false, value_of},
    {"carmine_roof_latency_seconds", "Measured latency of a load.", "s", false, value_of},
    {"carmine_roof_flop_per_cycle", "Measured ceiling per core and cycle.", "flop_per_s", true, value_of},
    {"carmine_roof_op_per_cycle", "Measured ceiling of integers per core and cycle.", "op_per_s", true, value_of},
    {"carmine_roof_bytes_per_cycle", "Measured bandwidth per core and cycle.", "bytes_per_s", true, value_of},
    {"carmine_roof_latency_cycles", "Measured latency of a load in cycles.", "s", true, value_of},
    {"carmine_roof_ratio", "Measured over baseline.", NULL, false, ratio_of},
    {"carmine_roof_failed", "1 where the roof fails the check or is missing.", NULL, false, failed_of},
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

void check_print_prometheus(const struct check *check, const struct check_setting *setting, FILE *out) {
    const bool per_cycle = setting->baseline->per == PER_CYCLE;
    fprintf(out,
            "# HELP carmine_check_passed 1 where no roof fails the check and enough could be judged.\n# TYPE "
            "carmine_check_passed gauge\n"
            "carmine_check_passed %d\n",
            check_outcome(check, setting) == CHECK_PASSED);
    fputs("# HELP carmine_check_roofs Roofs by verdict.\n# TYPE carmine_check_roofs gauge\n", out);
    for (int verdict = 0; verdict < CHECK_VERDICTS; verdict++)
        fprintf(out, "carmine_check_roofs{verdict=\"%s\"} %zu\n", check_verdict_names[verdict], check->counts[verdict]);
    for (size_t i = 0; i < sizeof FAMILIES / sizeof FAMILIES[0]; i++)
        if (!FAMILIES[i].unit || FAMILIES[i].per_cycle == per_cycle)
            print_family(&FAMILIES[i], check, out);
}
