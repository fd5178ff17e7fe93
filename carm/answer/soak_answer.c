/* SPDX-License-Identifier: BSD-3-Clause
 * The answer of a soak (see soak_answer.h). */
#include "soak_answer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carm/model/describe.h"
#include "carm/store/fields.h"
#include "carm/text/csv.h"
#include "carm/text/shell_word.h"
#include "carm/text/or_null.h"
#include "render/page/units.h"

static const double IDLE_CPUS = 0.05; /* of which there is nothing to tell */
static const double LARGER = 1.02;    /* than the first one that is as large */
enum { MOST_ROWS = 13 };              /* that a screen has room for */

/* The value that was worst: of a rate the lowest, of a latency the highest. */
static double worst_of(const struct quantity *roof) {
    return roof->kind == QUANTITY_LATENCY ? roof->changes.high : roof->changes.low;
}

static double percent_an_hour(const struct quantity *quantity, double per_s) {
    return 3600 * 100 * quantity_share(quantity, per_s);
}

/* A number with its sign. */
static char *with_sign(double value, int decimals, char *out, size_t size) {
    snprintf(out, size, "%s%.*f", value < 0 ? "−" : "+", decimals, fabs(value));
    return out;
}

/* "−0.30 ±0.10", with no more digits than a short soak has: the further end of the interval. */
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

/* The largest step with its time, else the strongest period, and how many there are besides. */
static void set_change(char (*row)[TABLE_CELL_BYTES], size_t column, const struct findings *findings,
                       const struct quantity *roof) {
    const struct series_changes *changes = &roof->changes;
    const struct series_step *largest = &changes->steps[0];
    const size_t count = changes->step_count + changes->period_count;
    char by[UNITS_BYTES], time[UNITS_BYTES], more[UNITS_BYTES] = "";
    for (size_t i = 1; i < changes->step_count; i++)
        if (fabs(changes->steps[i].to - changes->steps[i].from) > LARGER * fabs(largest->to - largest->from))
            largest = &changes->steps[i];
    if (count > 1)
        snprintf(more, sizeof more, ", +%zu", count - 1);
    if (changes->step_count > 0) {
        table_set(row, column, "%s at %s%s", quantity_change(roof, quantity_step(roof, largest), by, sizeof by),
                  findings_time(findings, largest->at_s, time, sizeof time), more);
    } else if (changes->period_count > 0) {
        quantity_change(roof, changes->periods[0].amplitude, by, sizeof by);
        table_set(row, column, "±%s every %s%s", by + 1,
                  findings_duration(changes->periods[0].period_s, time, sizeof time), more);
    }
}

static void print_roofs(const struct findings *findings, const struct screen *screen) {
    static const char *const NAMES[] = {"", "median", "worst", "drift, %/h", "step or period"};
    struct table table = screen_table(screen, "lrrll", "00123");
    table_head(&table, NAMES, sizeof NAMES / sizeof NAMES[0]);
    for (size_t q = 0; q < findings->count && q < MOST_ROWS && quantity_is_roof(&findings->quantities[q]); q++) {
        const struct quantity *roof = &findings->quantities[q];
        char(*row)[TABLE_CELL_BYTES] = table_row(&table), text[UNITS_BYTES];
        table_set(row, 0, "%s", roof->name);
        if (roof->changes.count == 0)
            continue;
        table_set(row, 1, "%s", units_column(text, sizeof text, roof->changes.median, roof->unit));
        table_set(row, 2, "%s", quantity_change(roof, worst_of(roof) - roof->changes.median, text, sizeof text));
        set_drift(row, 3, roof);
        set_change(row, 4, findings, roof);
    }
    table_print(&table, screen->out);
}

/* "2.9 to 3.1 GHz, +0.2 % an hour": what a quantity beside the roofs did. */
static void print_other(const struct findings *findings, const struct quantity *quantity, const struct screen *screen) {
    const struct series_changes *changes = &quantity->changes;
    char low[UNITS_BYTES], high[UNITS_BYTES], by[UNITS_BYTES], time[UNITS_BYTES], name[sizeof quantity->name],
        steps[96] = "";
    if (changes->count == 0 || (quantity->kind == QUANTITY_CPUS && changes->high < IDLE_CPUS))
        return;
    const bool hertz = quantity->kind == QUANTITY_CLOCK;
    snprintf(name, sizeof name, "%c%s", quantity->name[0] - 'a' + 'A', quantity->name + 1);
    if (changes->step_count > 0)
        snprintf(steps, sizeof steps, "; %s at %s%s",
                 quantity_change(quantity, quantity_step(quantity, &changes->steps[0]), by, sizeof by),
                 findings_time(findings, changes->steps[0].at_s, time, sizeof time),
                 changes->step_count > 1 ? ", and more steps" : "");
    if (hertz)
        screen_note(screen, name, "%s to %s%s", units_si_digits(low, sizeof low, changes->low, "Hz", 3),
                    units_si_digits(high, sizeof high, changes->high, "Hz", 3), steps);
    else
        screen_note(screen, name, "%.*f to %.*f %s, mostly %.*f%s", quantity->kind == QUANTITY_HEAT ? 0 : 1,
                    changes->low, quantity->kind == QUANTITY_HEAT ? 0 : 1, changes->high, quantity->unit,
                    quantity->kind == QUANTITY_HEAT ? 0 : 1, changes->median, steps);
}

static void print_counters(const struct findings *findings, const struct screen *screen) {
    const struct soak *soak = findings->soak;
    if (soak->has_throttling)
        screen_note(screen, "Throttled", findings->throttled ? "%llu times" : "never",
                    (unsigned long long)findings->throttled);
    if (soak->has_memory_errors)
        screen_note(screen, "Memory errors", "%llu corrected, %llu uncorrected",
                    (unsigned long long)findings->corrected, (unsigned long long)findings->uncorrected);
    if (findings->doubtful)
        screen_note(screen, "Doubts", "about some roof in %zu of %zu rounds", findings->doubtful, findings->rounds);
    if (*soak->absent)
        screen_note(screen, "Not told", "%s", soak->absent);
}

static void print_machine(const struct findings *findings, const struct screen *screen) {
    const struct result *result = &findings->soak->result;
    char cpu[160], from[UNITS_BYTES], to[UNITS_BYTES];
    describe_cpu(result, cpu, sizeof cpu);
    fprintf(screen->out, "%s · %u core%s · %s · %s UTC", cpu, result->machine.core_count,
            result->machine.core_count == 1 ? "" : "s", result->machine.host,
            findings_date(findings, from, sizeof from));
    if (findings->rounds > 0)
        fprintf(screen->out, " to %s", findings_time(findings, findings->at_s[findings->rounds - 1], to, sizeof to));
    fputs("\n", screen->out);
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
        screen_note(screen, "Cut", "the last line of %s was not whole, and is left out", file);
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

static json_t *periods_json(const struct series_changes *changes) {
    json_t *list = json_array();
    for (size_t i = 0; i < changes->period_count; i++)
        json_array_append_new(list, json_pack("{s:f,s:f}", "period_s", changes->periods[i].period_s, "amplitude",
                                              changes->periods[i].amplitude));
    return list;
}

static json_t *quantity_json(const struct quantity *quantity) {
    const struct series_changes *changes = &quantity->changes;
    const bool known = changes->count > 0, judged = changes->judged;
    return json_pack("{s:o,s:s,s:b,s:o,s:o,s:o,s:o,s:o,s:o,s:b,s:o,s:o}", "name", fields_text(quantity->name), "unit",
                     quantity->unit, "is_roof", quantity_is_roof(quantity), "median",
                     number_or_null(known ? changes->median : NAN), "low", number_or_null(known ? changes->low : NAN),
                     "high", number_or_null(known ? changes->high : NAN), "drift_per_s",
                     number_or_null(judged ? changes->per_s : NAN), "drift_per_s_low",
                     number_or_null(judged ? changes->per_s_low : NAN), "drift_per_s_high",
                     number_or_null(judged ? changes->per_s_high : NAN), "drifts", changes->drifts, "steps",
                     steps_json(changes), "periods", periods_json(changes));
}

json_t *soak_answer_json(const struct findings *findings) {
    static const char *const VERDICTS[] = {
        [SOAK_STEADY] = "steady", [SOAK_TOO_SHORT] = "too short", [SOAK_CHANGED] = "changed"};
    const struct soak *soak = findings->soak;
    json_t *quantities = json_array();
    for (size_t q = 0; q < findings->count; q++)
        json_array_append_new(quantities, quantity_json(&findings->quantities[q]));
    return json_pack(
        "{s:s,s:s,s:o,s:s,s:I,s:I,s:f,s:o,s:o,s:o,s:o}", "schema", "carmine.soak-findings/1", "verdict",
        VERDICTS[findings->verdict], "text", fields_text(findings->text), "started_utc",
        soak->result.environment.started_utc, "started_s", (json_int_t)soak->started_s, "rounds",
        (json_int_t)findings->rounds, "measured_s", findings->measured_s, "throttled",
        soak->has_throttling ? json_integer((json_int_t)findings->throttled) : json_null(), "corrected_errors",
        soak->has_memory_errors ? json_integer((json_int_t)findings->corrected) : json_null(), "uncorrected_errors",
        soak->has_memory_errors ? json_integer((json_int_t)findings->uncorrected) : json_null(), "quantities",
        quantities);
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
