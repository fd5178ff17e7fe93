/* SPDX-License-Identifier: BSD-3-Clause
 * A soak's log in one screen, as JSON and as CSV, and drawn (see soak_views.h). */
#include "soak_views.h"
#include "soak_thresholds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carm/html/html.h"
#include "carm/model/describe.h"
#include "carm/options/view_options.h"
#include "carm/report/next_answers.h"
#include "carm/store/fields.h"
#include "carm/text/csv.h"
#include "carm/text/or_null.h"
#include "carm/text/safe_output.h"
#include "carm/text/shell_word.h"
#include "probe/error.h"
#include "render/page/units.h"

enum { MOST_ROWS = 13 }; /* as many as a screen has room for */

/* The worst value: the lowest rate, the highest latency. */
static double worst_of(const struct quantity *roof) {
    return roof->kind == QUANTITY_LATENCY ? roof->changes.high : roof->changes.low;
}

static double percent_an_hour(const struct quantity *roof, double per_s) {
    return roof->changes.median > 0 ? 3600 * 100 * per_s / roof->changes.median : 0;
}

/* A number with its sign. */
static char *with_sign(double value, int decimals, char *out, size_t size) {
    snprintf(out, size, "%s%.*f", value < 0 ? "−" : "+", decimals, fabs(value));
    return out;
}

/* "−0.30 ±0.10", with the farther end of the interval, and fewer digits if it is wide. */
static void set_drift(char (*row)[TABLE_CELL_BYTES], size_t column, const struct quantity *roof) {
    const struct series_changes *changes = &roof->changes;
    char per_hour[UNITS_BYTES];
    if (!changes->judged)
        return;
    const double within =
        percent_an_hour(roof, fmax(changes->per_s_high - changes->per_s, changes->per_s - changes->per_s_low));
    const int decimals = within > 5 ? 0 : within > 0.5 ? 1 : 2;
    table_set(row, column, "%s ±%.*f%s",
              with_sign(percent_an_hour(roof, changes->per_s), decimals, per_hour, sizeof per_hour), decimals, within,
              changes->drifts ? " ▲" : "");
}

/* "−6 % at 14:32, +1": the largest step with its time, and the number of others. */
static const char *largest_step(const struct findings *findings, const struct quantity *quantity, char *out,
                                size_t size) {
    const struct series_changes *changes = &quantity->changes;
    const struct series_step *largest = &changes->steps[0];
    char by[UNITS_BYTES], time[UNITS_BYTES], more[UNITS_BYTES] = "";
    for (size_t i = 1; i < changes->step_count; i++)
        if (fabs(changes->steps[i].to - changes->steps[i].from) >
            soak_thresholds.larger_step.value * fabs(largest->to - largest->from))
            largest = &changes->steps[i];
    if (changes->step_count > 1)
        snprintf(more, sizeof more, ", +%zu", changes->step_count - 1);
    quantity_change(quantity, largest->to - largest->from, largest->from, by, sizeof by);
    snprintf(out, size, "%s at %s%s", by, findings_time(findings, largest->at_s, time, sizeof time), more);
    return changes->step_count > 0 ? out : "";
}

static void print_roofs(const struct findings *findings, const struct screen *screen) {
    static const char *const NAMES[] = {"", "median", "worst", "drift, %/h", "largest step"};
    struct table table = screen_table(screen, "lrrll", "00123");
    table_head(&table, NAMES, sizeof NAMES / sizeof NAMES[0]);
    for (size_t q = 0; q < findings->count && q < MOST_ROWS && quantity_is_roof(&findings->quantities[q]); q++) {
        const struct quantity *roof = &findings->quantities[q];
        const double median = roof->changes.median;
        char(*row)[TABLE_CELL_BYTES] = table_row(&table), text[TABLE_CELL_BYTES];
        table_set(row, 0, "%s", roof->name);
        if (roof->changes.count == 0)
            continue;
        table_set(row, 1, "%s", units_column(text, sizeof text, median, roof->unit));
        table_set(row, 2, "%s", quantity_change(roof, worst_of(roof) - median, median, text, sizeof text));
        if (findings->measured_s >= soak_thresholds.drift_s.value)
            set_drift(row, 3, roof);
        table_set(row, 4, "%s", largest_step(findings, roof, text, sizeof text));
    }
    table_print(&table, screen->out);
}

/* "2.9 GHz to 3.1 GHz; −6 % at 14:32": range and largest step of a quantity beside the roofs. */
static void print_other(const struct findings *findings, const struct quantity *quantity, const struct screen *screen) {
    const struct series_changes *changes = &quantity->changes;
    const int decimals = quantity->kind == QUANTITY_HEAT ? 0 : 1;
    char low[UNITS_BYTES], high[UNITS_BYTES], name[sizeof quantity->name], steps[TABLE_CELL_BYTES];
    if (!quantity_is_shown(quantity))
        return;
    snprintf(name, sizeof name, "%c%s", quantity->name[0] - 'a' + 'A', quantity->name + 1);
    largest_step(findings, quantity, steps, sizeof steps);
    const char *separator = changes->step_count > 0 ? "; " : "", *step = changes->step_count > 0 ? steps : "";
    if (quantity->kind == QUANTITY_CLOCK)
        screen_note(screen, name, "%s to %s%s%s", units_si_digits(low, sizeof low, changes->low, "Hz", 3),
                    units_si_digits(high, sizeof high, changes->high, "Hz", 3), separator, step);
    else
        screen_note(screen, name, "%.*f to %.*f %s, median %.*f%s%s", decimals, changes->low, decimals, changes->high,
                    quantity->unit, decimals, changes->median, separator, step);
}

static void print_counters(const struct findings *findings, const struct screen *screen) {
    const struct soak *soak = findings->soak;
    if (soak->has_throttling)
        screen_note(screen, "Throttled", findings->counted[0] ? "%llu times" : "never",
                    (unsigned long long)findings->counted[0]);
    if (soak->has_memory_errors)
        screen_note(screen, "Memory errors", "%llu corrected, %llu uncorrected",
                    (unsigned long long)findings->counted[1], (unsigned long long)findings->counted[2]);
    if (findings->doubtful)
        screen_note(screen, "Warnings", "about some roof in %zu of %zu rounds", findings->doubtful, findings->rounds);
    if (*soak->absent)
        screen_note(screen, "Not known", "%s", soak->absent);
}

static void print_machine(const struct findings *findings, const struct screen *screen) {
    const struct result *result = &findings->soak->result;
    char cpu[160], from[UNITS_BYTES], to[UNITS_BYTES] = "";
    fprintf(screen->out, "%s · %u core%s · %s\n", describe_cpu(result, cpu, sizeof cpu), result->machine.core_count,
            result->machine.core_count == 1 ? "" : "s", result->machine.host);
    if (findings->rounds > 0)
        findings_time(findings, findings->at_s[findings->rounds - 1], to, sizeof to);
    screen_note(screen, "Time", "%s%s%s UTC", findings_date(findings, from, sizeof from), *to ? " to " : "", to);
}

void soak_answer_print(const struct findings *findings, const char *file, const struct screen *screen) {
    screen_say(screen, findings->text, "  ");
    print_machine(findings, screen);
    print_roofs(findings, screen);
    for (size_t q = 0; q < findings->count; q++)
        if (!quantity_is_roof(&findings->quantities[q]))
            print_other(findings, &findings->quantities[q], screen);
    print_counters(findings, screen);
    if (findings->soak->cut)
        screen_note(screen, "Cut", "the last line of %s was incomplete, and is left out", file);
    char *word = shell_word(file);
    screen_note(screen, "Over time", "carmine plot %s -o soak.svg", word);
    free(word);
}

static json_t *steps_json(const struct series_changes *changes) {
    json_t *list = json_array();
    for (size_t i = 0; i < changes->step_count; i++)
        json_array_append_new(list, json_pack("{s:f,s:f,s:f}", "at_s", changes->steps[i].at_s, "from",
                                              changes->steps[i].from, "to", changes->steps[i].to));
    return list;
}

static json_t *quantity_json(const struct quantity *quantity) {
    const struct series_changes *changes = &quantity->changes;
    const bool known = changes->count > 0, judged = changes->judged;
    return json_pack(
        "{s:o,s:s,s:b,s:o,s:o,s:o,s:o,s:o,s:o,s:b,s:o}", "name", fields_text(quantity->name), "unit", quantity->unit,
        "is_roof", quantity_is_roof(quantity), "median", number_or_null(known ? changes->median : NAN), "low",
        number_or_null(known ? changes->low : NAN), "high", number_or_null(known ? changes->high : NAN), "drift_per_s",
        number_or_null(judged ? changes->per_s : NAN), "drift_per_s_low",
        number_or_null(judged ? changes->per_s_low : NAN), "drift_per_s_high",
        number_or_null(judged ? changes->per_s_high : NAN), "drifts", changes->drifts, "steps", steps_json(changes));
}

json_t *soak_answer_json(const struct findings *findings) {
    static const char *const VERDICTS[] = {
        [SOAK_STEADY] = "steady", [SOAK_TOO_SHORT] = "too short", [SOAK_CHANGED] = "changed"};
    const struct soak *soak = findings->soak;
    json_t *quantities = json_array();
    for (size_t q = 0; q < findings->count; q++)
        json_array_append_new(quantities, quantity_json(&findings->quantities[q]));
    return json_pack("{s:s,s:s,s:o,s:s,s:I,s:I,s:f,s:o,s:o,s:o,s:o}", "schema", "carmine.soak-findings/1", "verdict",
                     VERDICTS[findings->verdict], "text", fields_text(findings->text), "started_utc",
                     soak->result.environment.started_utc, "started_s", (json_int_t)soak->started_s, "rounds",
                     (json_int_t)findings->rounds, "measured_s", findings->measured_s, "throttled",
                     count_or_null(soak->has_throttling, findings->counted[0]), "corrected_errors",
                     count_or_null(soak->has_memory_errors, findings->counted[1]), "uncorrected_errors",
                     count_or_null(soak->has_memory_errors, findings->counted[2]), "quantities", quantities);
}

void soak_answer_csv(const struct findings *findings, FILE *out) {
    const struct soak *soak = findings->soak;
    fputs("utc,at_s", out);
    for (size_t q = 0; q < findings->count; q++) {
        char name[96];
        snprintf(name, sizeof name, "%s [%s]", findings->quantities[q].name, findings->quantities[q].unit);
        csv_put_next(name, out);
    }
    fputs(",throttled,corrected errors,uncorrected errors\n", out);
    for (size_t i = 0; i < findings->rounds; i++) {
        const struct soak_round *round = &soak->rounds[i];
        csv_put_text(round->utc, out);
        csv_put_number(round->at_s, 9, out);
        for (size_t q = 0; q < findings->count; q++)
            csv_put_number(findings->quantities[q].values[i], 6, out);
        fprintf(out, ",%llu,%llu,%llu\n", (unsigned long long)round->throttled, (unsigned long long)round->corrected,
                (unsigned long long)round->uncorrected);
    }
}

/* Error: an option that is only for results. */
static bool takes_only(const struct arguments *arguments, const char *const *allowed, struct error *err) {
    const struct cli_option *option;
    for (size_t i = 0; (option = cli_option_at(arguments->command, i)); i++) {
        const char *name = option->name;
        size_t a = 0;
        while (allowed[a] && strcmp(allowed[a], name) != 0)
            a++;
        if (cli_typed(arguments, name) && !allowed[a])
            return error_set(err, "--%s is an option for results, but %s is the log of a soak", name,
                             arguments->operands[0]);
    }
    return true;
}

static json_t *next_of_soak(const struct findings *findings, const char *file) {
    char *word = shell_word(file);
    json_t *next = findings->verdict == SOAK_TOO_SHORT ? next_step_json(NEXT_SOAK, word, NULL)
                   : findings->verdict == SOAK_CHANGED ? next_step_json(NEXT_DOCTOR, "", findings->text)
                                                       : next_step_json(NEXT_NOTHING, "", findings->text);
    free(word);
    return next;
}

int soak_tell(const struct findings *findings, const char *file, const struct arguments *arguments,
              const struct plot_terminal *terminal) {
    if (cli_given(arguments, "json"))
        fields_print(next_add(soak_answer_json(findings), next_of_soak(findings, file)));
    else if (cli_given(arguments, "csv"))
        soak_answer_csv(findings, stdout);
    else
        soak_answer_print(findings, file, &(struct screen){terminal, stdout});
    return findings->verdict == SOAK_CHANGED ? CLI_NO : CLI_DONE;
}

int soak_show(const struct arguments *arguments, struct error *err) {
    static const char *const ALLOWED[] = {"json", "csv", "markdown", "quiet", NULL};
    const struct plot_terminal terminal = terminal_find();
    struct soak soak;
    if (!takes_only(arguments, ALLOWED, err) || !soak_read(arguments->operands[0], &soak, err))
        return CLI_ERROR;
    struct findings findings = findings_make(&soak);
    const int status = soak_tell(&findings, arguments->operands[0], arguments, &terminal);
    findings_free(&findings);
    soak_free(&soak);
    return status;
}

int soak_plot(const struct arguments *arguments, const struct chart_options *asked, struct error *err) {
    static const char *const ALLOWED[] = {"output", "size", "style", "title", "xlim", "quiet", NULL};
    const char *path = cli_value(arguments, "output");
    struct chart_options options = *asked;
    struct soak soak;
    char *text = NULL;
    if (arguments->operand_count > 1)
        return error_set(err, "%s is the log of a soak, which is drawn by itself", arguments->operands[0]), CLI_ERROR;
    if (path && report_html_wanted(path))
        return error_set(err, "there is no report of a soak's log; name a picture: -o FILE.svg"), CLI_ERROR;
    if (!takes_only(arguments, ALLOWED, err) || !soak_read(arguments->operands[0], &soak, err))
        return CLI_ERROR;
    struct findings findings = findings_make(&soak);
    options.text = &text;
    const bool done = soak_chart(&findings, &options, path, err);
    if (done && options.terminal)
        safe_output_own(text, stdout);
    free(text);
    findings_free(&findings);
    soak_free(&soak);
    return done ? CLI_DONE : CLI_ERROR;
}
