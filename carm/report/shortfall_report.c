/* SPDX-License-Identifier: BSD-3-Clause
 * Gaps between measured and documented as text, as JSON and on one screen. */
#include "shortfall_report.h"
#include "report.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carm/model/describe.h"
#include "carm/model/memory_peak.h"
#include "carm/model/roof_key.h"
#include "carm/model/shortfall.h"
#include "carm/store/results.h"
#include "carm/store/shape.h"
#include "carm/text/or_null.h"
#include "carm/text/table.h"
#include "probe/need.h"
#include "probe/text.h"
#include "probe/uarch.h"
#include "render/page/units.h"

enum { COLUMNS = 118, DETAIL_BYTES = 192 };

/* Also limited in a pipe. */
static void shortfall_report_print_wrapped(const char *line, FILE *out) {
    wrap_print(line, table_usual_width() ? table_usual_width() : COLUMNS, "  ", out);
}

/* The measured counterpart of a vendor's peak: f64 arithmetic on the most threads. */
static const struct sample *measured_peak(const struct model *model) {
    unsigned threads[64];
    const size_t count = model_threads(model, threads, 64);
    const struct roof *peak =
        count ? model_peak(model, &(struct model_view){.threads = threads[count - 1], .type = "f64"}) : NULL;
    return peak ? peak->sample : NULL;
}

void shortfall_report_spec(const struct spec *spec, FILE *out) {
    const struct spec_peaks peaks = spec_peaks(spec);
    char text[UNITS_BYTES], each[UNITS_BYTES];
    fprintf(out, "%s · %u core%s", spec->name, spec->cores, spec->cores == 1 ? "" : "s");
    if (spec->uarch[0])
        fprintf(out, " · %s", spec->uarch);
    char line[320];
    snprintf(line, sizeof line, "Source: %s", spec->source);
    fputc('\n', out);
    shortfall_report_print_wrapped(line, out);
    fputc('\n', out);
    if (peaks.flop_per_cycle > 0)
        fprintf(out, "f64 per core             %s flop/cycle, %s\n",
                units_number(text, sizeof text, peaks.flop_per_cycle),
                peaks.flop_per_cycle_stated ? "as the file states" : "from the table of documented limits");
    else
        fprintf(out,
                "f64 per core             not known: give flop_per_cycle_per_core, or a uarch that `carmine machine` "
                "knows\n");
    for (int i = 0; i < SPEC_CLOCKS; i++)
        if (peaks.flop_per_s[i] > 0)
            fprintf(out, "peak at %-15s  %s at %s\n", spec_clock_names[i],
                    units_si(text, sizeof text, peaks.flop_per_s[i], "flop/s"),
                    units_si(each, sizeof each, peaks.clock_hz[i], "Hz"));
    if (spec->peak_flop_per_s > 0)
        fprintf(out, "peak as stated           %s\n", units_si(text, sizeof text, spec->peak_flop_per_s, "flop/s"));
    if (peaks.memory_bytes_per_s > 0) {
        fprintf(out, "memory                   %s", units_si(text, sizeof text, peaks.memory_bytes_per_s, "B/s"));
        if (spec->memory_bytes_per_s > 0)
            fprintf(out, ", as the file states\n");
        else
            fprintf(out, " = %u channels × %s × %u bytes\n", spec->memory_channels,
                    units_si(each, sizeof each, spec->memory_transfers_per_s, "T/s"),
                    spec->memory_bus_bytes ? spec->memory_bus_bytes : 8);
    }
}

/* Writes "217 Gflop/s: avx512.f64.fma on 2 threads; of the peak of as many cores: 85 % at base" to `out`; "" if either
 * is unknown. */
static const char *write_peak(const struct model *model, const struct spec *spec, char *out, size_t size) {
    const struct sample *sample = measured_peak(model);
    const struct spec_peaks peaks = spec_peaks(spec);
    char text[UNITS_BYTES];
    out[0] = '\0';
    if (!sample || peaks.flop_per_cycle <= 0)
        return out;
    snprintf(out, size, "%s: %s on %u thread%s; of the peak of as many cores:",
             units_si(text, sizeof text, sample->value, "flop/s"), sample->kernel, sample->threads,
             sample->threads == 1 ? "" : "s");
    bool first = true;
    for (int i = 0; i < SPEC_CLOCKS; i++)
        if (peaks.clock_hz[i] > 0) {
            text_append(out, size, "%s %.1f %% at %s", first ? "" : ",",
                        100 * sample->value / (sample_cores(sample) * peaks.flop_per_cycle * peaks.clock_hz[i]),
                        spec_clock_names[i]);
            first = false;
        }
    return out;
}

static const char *reasons(const struct shortfall *shortfall, char *out, size_t size) {
    snprintf(out, size, "%s%s%s", shortfall->cause ? shortfall->cause->name : "",
             shortfall->cause && shortfall->clock ? "; " : "", shortfall->clock ? shortfall->clock->name : "");
    return out;
}

/* "P L2", "DRAM node 1": the kind of cores, the level, and the place if it is not the whole machine. */
static const char *where(const struct sample *sample, char *out, size_t size) {
    snprintf(out, size, "%s%s%s", sample->core_kind, sample->core_kind[0] && sample->level[0] ? " " : "",
             sample->level);
    const struct {
        const char *name;
        unsigned number; /* 1 + its number */
    } places[] = {{"package", sample->package}, {"node", sample->node}, {"memory", sample->memory_node}};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        if (places[i].number)
            text_append(out, size, "%s%s %u", *out ? " " : "", places[i].name, places[i].number - 1);
    return out;
}

static void shortfall_report_set_rate(char (*row)[TABLE_CELL_BYTES], size_t column, double value, const char *unit) {
    char text[UNITS_BYTES];
    if (value > 0)
        table_set(row, column, "%s", units_si(text, sizeof text, value, unit));
}

static void print_gaps(const struct shortfalls *shortfalls, unsigned threads, bool nominal, FILE *out) {
    static const char *const NAMES[] = {"",      "kernel",     "measured", "documented", "ratio",
                                        "clock", "at nominal", "ratio",    "reason"};
    enum { NOMINAL = 6, REASON = 8 };
    struct table table = table_begin(nominal ? "llrrrrrrl" : "llrrrrl");
    table.order = nominal ? "003204651" : "0032041";
    const size_t reason = nominal ? REASON : NOMINAL; /* without a nominal clock its columns are left out */
    table_head(&table, NAMES, reason);
    table_set(table.cells[0], reason, "%s", NAMES[REASON]);
    for (size_t i = 0; i < shortfalls->count; i++) {
        const struct shortfall *shortfall = &shortfalls->shortfalls[i];
        const struct sample *sample = shortfall->roof->sample;
        if (sample->threads != threads || sample->kind == SAMPLE_LATENCY)
            continue;
        char text[TABLE_CELL_BYTES];
        char(*row)[TABLE_CELL_BYTES] = table_row(&table);
        table_set(row, 0, "%s", where(sample, text, sizeof text));
        table_set(row, 1, "%s", sample->kernel);
        shortfall_report_set_rate(row, 2, sample->value, model_roof_unit(shortfall->roof));
        shortfall_report_set_rate(row, 3, shortfall->documented, model_roof_unit(shortfall->roof));
        if (shortfall->ratio > 0)
            table_set(row, 4, "%.1f %%", 100 * shortfall->ratio);
        table_set(row, 5, "%.2f GHz", sample->clock_hz / 1e9);
        if (nominal && shortfall->documented_nominal != shortfall->documented) { /* memory has no such clock */
            shortfall_report_set_rate(row, NOMINAL, shortfall->documented_nominal, model_roof_unit(shortfall->roof));
            if (shortfall->nominal_ratio > 0)
                table_set(row, NOMINAL + 1, "%.1f %%", 100 * shortfall->nominal_ratio);
        }
        table_set(row, reason, "%s", reasons(shortfall, text, sizeof text));
    }
    table_print(&table, out);
}

/* This roof's numbers behind the reason; "": nothing to add. */
static const char *detail_of(const struct shortfall_rule *rule, const struct shortfall *shortfall,
                             char out[DETAIL_BYTES]) {
    out[0] = '\0';
    if (rule->detail)
        rule->detail(shortfall, out, DETAIL_BYTES);
    return out;
}

/* The rules that apply, their meanings, and the numbers of their first roofs. */
static void print_rules(const struct shortfalls *shortfalls, const struct shortfall_rule *rules, size_t count,
                        FILE *out) {
    enum { DETAILS = 3 };
    for (size_t r = 0; r < count; r++) {
        unsigned roofs = 0, details = 0;
        char lines[DETAILS][256];
        for (size_t i = 0; i < shortfalls->count; i++) {
            const struct shortfall *shortfall = &shortfalls->shortfalls[i];
            const bool own = shortfall->cause == &rules[r], speaks = own || shortfall->clock == &rules[r];
            if (!speaks || shortfall->roof->sample->kind == SAMPLE_LATENCY)
                continue;
            roofs++;
            char detail[DETAIL_BYTES];
            if (*detail_of(&rules[r], shortfall, detail) && details < DETAILS)
                snprintf(lines[details++], sizeof lines[0], "%s%s%s × %u: %s", shortfall->roof->sample->level,
                         shortfall->roof->sample->level[0] ? " " : "", shortfall->roof->sample->kernel,
                         shortfall->roof->sample->threads, detail);
        }
        if (!roofs)
            continue;
        char line[512];
        snprintf(line, sizeof line, "%s (%u): %s.", rules[r].name, roofs, rules[r].meaning);
        fputc('\n', out);
        shortfall_report_print_wrapped(line, out);
        for (unsigned i = 0; i < details; i++)
            fprintf(out, "  %s\n", lines[i]);
        if (roofs > details && details == DETAILS)
            fprintf(out, "  … and %u more; --json has them all\n", roofs - details);
    }
}

static void print_memory_limit(const struct result *result, const struct spec *spec, FILE *out) {
    const struct memory_peak peak = memory_peak_find(result, spec);
    char line[320], text[UNITS_BYTES];
    if (peak.bytes_per_s <= 0)
        return;
    snprintf(line, sizeof line, "Memory limit: %s, by %s", units_si(text, sizeof text, peak.bytes_per_s, "B/s"),
             peak.source);
    shortfall_report_print_wrapped(line, out);
}

void shortfall_report_print(const struct model *model, const struct shortfalls *shortfalls, const struct spec *spec,
                            FILE *out) {
    char line[768];
    const int label = snprintf(line, sizeof line, "measured peak            ");
    if (spec && *write_peak(model, spec, line + label, sizeof line - (size_t)label))
        shortfall_report_print_wrapped(line, out);
    if (spec)
        fputc('\n', out);
    describe_machine(model->result, line, sizeof line);
    fprintf(out, "%s\n", line);
    const char *sources = model->result->documented_sources;
    snprintf(line, sizeof line, "Documented limits: %s%s%s",
             model->result->uarch[0] ? model->result->uarch : "not known", sources[0] ? ", " : "", sources);
    shortfall_report_print_wrapped(line, out);
    print_memory_limit(model->result, spec, out);
    if (model->result->uarch_doubt[0]) {
        snprintf(line, sizeof line, "▲ %s", model->result->uarch_doubt);
        shortfall_report_print_wrapped(line, out);
    }
    double nominal_hz = 0;
    for (size_t i = 0; i < shortfalls->count; i++)
        nominal_hz =
            shortfalls->shortfalls[i].nominal_clock_hz > 0 ? shortfalls->shortfalls[i].nominal_clock_hz : nominal_hz;
    if (nominal_hz > 0)
        fprintf(out, "Nominal clock: %.2f GHz, from the %s\n", nominal_hz / 1e9,
                spec && spec->base_clock_hz > 0 ? "specification" : "CPU's name");
    else
        fprintf(out, "Nominal clock: not known; --spec FILE states it\n");
    unsigned threads[64];
    const size_t count = model_threads(model, threads, 64);
    for (size_t t = 0; t < count; t++) {
        fprintf(out, "\n── %u thread%s ──\n\n", threads[t], threads[t] == 1 ? "" : "s");
        print_gaps(shortfalls, threads[t], nominal_hz > 0, out);
    }
    print_rules(shortfalls, shortfall_cause_rules, shortfall_cause_rule_count, out);
    print_rules(shortfalls, shortfall_clock_rules, shortfall_clock_rule_count, out);
    fprintf(out, "\nLatencies are left out: the table has no limits for them.\n");
}

static json_t *spec_json(const struct spec *spec, const struct sample *peak) {
    if (!spec)
        return json_null();
    const struct spec_peaks peaks = spec_peaks(spec);
    json_t *clocks = json_array();
    for (int i = 0; i < SPEC_CLOCKS; i++) {
        if (peaks.clock_hz[i] <= 0)
            continue;
        json_t *entry = json_pack("{s:s,s:f,s:o}", "clock", spec_clock_names[i], "clock_hz", peaks.clock_hz[i],
                                  "flop_per_s", positive_or_null(peaks.flop_per_s[i]));
        if (peak)
            shape_set_optional(
                entry, "measured_ratio",
                number_or_null(peak->value / (sample_cores(peak) * peaks.flop_per_cycle * peaks.clock_hz[i])));
        json_array_append_new(clocks, entry);
    }
    json_t *object =
        json_pack("{s:s,s:s,s:s,s:i,s:o,s:b,s:o,s:o,s:o}", "name", spec->name, "uarch", spec->uarch, "source",
                  spec->source, "cores", (int)spec->cores, "flop_per_cycle_per_core",
                  positive_or_null(peaks.flop_per_cycle), "flop_per_cycle_stated", peaks.flop_per_cycle_stated,
                  "stated_peak_flop_per_s", positive_or_null(spec->peak_flop_per_s), "memory_bytes_per_s",
                  positive_or_null(peaks.memory_bytes_per_s), "peaks", clocks);
    if (peak)
        shape_set_optional(
            object, "measured_peak",
            json_pack("{s:s,s:i,s:f}", "name", peak->kernel, "threads", (int)peak->threads, "flop_per_s", peak->value));
    return shape_nullable(object);
}

static void add_reason(json_t *list, const struct shortfall *shortfall, const struct shortfall_rule *rule) {
    char detail[DETAIL_BYTES];
    if (rule)
        json_array_append_new(list, json_pack("{s:s,s:s,s:s}", "rule", rule->name, "meaning", rule->meaning, "detail",
                                              detail_of(rule, shortfall, detail)));
}

static json_t *shortfall_json(const struct shortfall *shortfall) {
    const struct sample *sample = shortfall->roof->sample;
    json_t *list = json_array();
    if (shape_wanted())
        json_array_append_new(list, json_pack("{s:s,s:s,s:s}", "rule", "", "meaning", "", "detail", ""));
    add_reason(list, shortfall, shortfall->cause);
    add_reason(list, shortfall, shortfall->clock);
    json_t *object =
        json_pack("{s:s,s:s,s:o,s:i,s:f,s:s,s:o,s:f,s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "name", sample->kernel, "kind",
                  results_kind_names[sample->kind], "level", text_or_null(sample->level), "threads",
                  (int)sample->threads, "value", sample->value, "unit", model_roof_unit_name(shortfall->roof),
                  "per_cycle", positive_or_null(sample->per_cycle), "clock_hz", sample->clock_hz,
                  "documented_per_cycle", positive_or_null(sample->documented_per_cycle), "documented",
                  positive_or_null(shortfall->documented), "documented_ratio", positive_or_null(shortfall->ratio),
                  "nominal_clock_hz", positive_or_null(shortfall->nominal_clock_hz), "documented_at_nominal",
                  positive_or_null(shortfall->documented_nominal), "nominal_ratio",
                  positive_or_null(shortfall->nominal_ratio), "reasons", list);
    if (sample->core_kind[0] || shape_wanted())
        shape_set_optional(object, "core_kind", json_string(sample->core_kind));
    return object;
}

json_t *shortfall_report_json(const struct spec_answer *answer) {
    json_t *roofs = json_array();
    for (size_t i = 0; i < answer->shortfalls->count; i++)
        json_array_append_new(roofs, shortfall_json(&answer->shortfalls->shortfalls[i]));
    json_t *machine = json_null();
    if (answer->model) {
        const struct result *r = answer->model->result;
        machine = shape_nullable(json_pack("{s:s,s:s,s:s,s:s,s:s}", "host", r->machine.host, "cpu",
                                           r->machine.cpu.brand, "uarch", r->uarch, "uarch_doubt", r->uarch_doubt,
                                           "documented_sources", r->documented_sources));
    }
    return json_pack("{s:s,s:o,s:o,s:o,s:o}", "schema", "carmine.gaps/1", "machine", machine, "specification",
                     answer->specification ? shape_nullable(specification_json(answer->specification)) : json_null(),
                     "spec", spec_json(answer->spec, answer->model ? measured_peak(answer->model) : NULL), "roofs",
                     roofs);
}

/* One screen. */

enum { SCREEN_LINES = 24, TABLE_LINES = 2 }; /* above a table's rows */

/* Latencies have no documented limits. */
static bool shortfall_report_counts(const struct shortfall *shortfall) {
    return shortfall->roof->sample->kind != SAMPLE_LATENCY;
}

/* "140 of 242 roofs within 2 % of their documented limit; gaps: 12 explained, 3 unexplained; 87 without a limit" */
static void shortfall_report_print_sum(const struct shortfalls *shortfalls, const struct screen *screen) {
    size_t sums[SHORTFALL_STANDINGS] = {0}, all = 0;
    struct sentence line = {""};
    for (size_t i = 0; i < shortfalls->count; i++)
        if (shortfall_report_counts(&shortfalls->shortfalls[i])) {
            sums[shortfall_standing(&shortfalls->shortfalls[i])]++;
            all++;
        }
    if (all == sums[SHORTFALL_UNDOCUMENTED])
        text_say(line.text, "None of %zu roofs has a documented limit", all);
    else
        text_say(line.text, "%zu of %zu roofs within %g %% of their documented limit", sums[SHORTFALL_CLOSE], all,
                 100 * shortfall_thresholds.tolerance.value);
    const size_t explained = sums[SHORTFALL_EXPLAINED], unexplained = sums[SHORTFALL_UNEXPLAINED],
                 undocumented = sums[SHORTFALL_UNDOCUMENTED];
    if (explained + unexplained)
        text_say(line.text, "; gaps: %zu explained, %zu unexplained", explained, unexplained);
    if (undocumented && undocumented < all)
        text_say(line.text, "; %zu without a limit", undocumented);
    screen_say(screen, line.text, "   ");
}

/* The roofs of one reason: their number, and the farthest from its limit. */
struct reason_sum {
    size_t count;
    const struct shortfall *worst;
};

static double shortfall_report_distance_of(const struct shortfall *shortfall) {
    return shortfall->ratio > 0 ? fabs(log(shortfall->ratio)) : -1;
}

static struct reason_sum shortfall_report_sum_of(const struct shortfalls *shortfalls,
                                                 const struct shortfall_rule *rule) {
    struct reason_sum sum = {.count = 0};
    for (size_t i = 0; i < shortfalls->count; i++) {
        const struct shortfall *own = &shortfalls->shortfalls[i];
        if (!shortfall_report_counts(own) || (own->cause != rule && (!rule || own->clock != rule)))
            continue;
        sum.count++;
        if (!sum.worst || shortfall_report_distance_of(own) > shortfall_report_distance_of(sum.worst))
            sum.worst = own;
    }
    return sum;
}

static size_t add_reason_row(struct table *table, const struct model *model, const struct shortfalls *shortfalls,
                             const struct shortfall_rule *rule, const char *name) {
    const struct reason_sum sum = shortfall_report_sum_of(shortfalls, rule);
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

/* The number of roofs of each reason, with the farthest, at most `room` rows. Returns the rows. */
static size_t shortfall_report_print_reasons(const struct spec_answer *answer, size_t room,
                                             const struct screen *screen) {
    static const char *const NAMES[] = {"", "roofs", "farthest", "roof"};
    const size_t causes = shortfall_cause_rule_count, clocks = shortfall_clock_rule_count;
    struct table table = screen_table(screen, "lrrl", "0012");
    size_t rows = 0;
    table_head(&table, NAMES, sizeof NAMES / sizeof NAMES[0]);
    for (size_t r = 0; r <= causes + clocks && rows < room; r++) { /* the last rules are the worst news */
        const struct shortfall_rule *rule = r == 0        ? NULL
                                            : r <= causes ? &shortfall_cause_rules[causes - r]
                                                          : &shortfall_clock_rules[r - causes - 1];
        rows += add_reason_row(&table, answer->model, answer->shortfalls, rule, rule ? rule->name : "at its limit");
    }
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

/* The farthest ones, in their usual order. */
static void print_unexplained(const struct model *model, const struct shortfalls *shortfalls, size_t room,
                              const struct screen *screen) {
    static const char *const NAMES[] = {"not explained", "measured", "documented", "ratio"};
    double *distances = need_calloc(shortfalls->count + 1, sizeof *distances);
    bool *chosen = need_calloc(shortfalls->count + 1, sizeof *chosen);
    struct table table = screen_table(screen, "lrrr", "0120");
    table_head(&table, NAMES, sizeof NAMES / sizeof NAMES[0]);
    for (size_t i = 0; i < shortfalls->count; i++) {
        const struct shortfall *own = &shortfalls->shortfalls[i];
        const bool unexplained = shortfall_report_counts(own) && shortfall_standing(own) == SHORTFALL_UNEXPLAINED;
        distances[i] = unexplained ? shortfall_report_distance_of(own) : -INFINITY;
    }
    screen_choose(distances, shortfalls->count, room, chosen);
    for (size_t i = 0; i < shortfalls->count; i++)
        if (chosen[i])
            add_unexplained(&table, model, &shortfalls->shortfalls[i]);
    table_print_section(&table, screen->out);
    free(distances);
    free(chosen);
}

/* The verdicts, and how many roofs are at their limits. */
static void print_verdicts(const struct spec_answer *answer, const struct screen *screen) {
    char line[SPECIFICATION_LINE_BYTES + 64];
    specification_line(answer->specification, false, line);
    if (table_width(line) > screen_columns(screen)) /* the table has all of them */
        specification_line(answer->specification, true, line);
    if (!*line)
        snprintf(line, sizeof line, "Nothing that vendors state was measured");
    line[0] = (char)toupper((unsigned char)line[0]);
    screen_say(screen, line, "   ");
    describe_cpu(answer->model->result, line, sizeof line);
    wrap_print(line, screen_columns(screen), "   ", screen->out);
    specification_print(answer->specification, screen);
    fputc('\n', screen->out);
    shortfall_report_print_sum(answer->shortfalls, screen);
}

/* The lines that a part takes. */
static size_t shortfall_report_lines_of(void (*print)(const struct spec_answer *answer, const struct screen *screen),
                                        const struct spec_answer *answer, const struct screen *screen) {
    char *text = NULL;
    size_t bytes, lines = 0;
    struct plot_terminal plain = *screen->terminal;
    plain.colors = PLOT_COLORS_NONE;
    FILE *out = need_made(open_memstream(&text, &bytes));
    print(answer, &(struct screen){&plain, out});
    if (fclose(out) != 0 || !text)
        need_end();
    for (const char *c = text; *c; c++)
        lines += *c == '\n';
    free(text);
    return lines;
}

/* As many reasons and unexplained roofs as there is room for. */
void spec_answer_print(const struct spec_answer *answer, const struct screen *screen) {
    const struct result *result = answer->model->result;
    const size_t used = shortfall_report_lines_of(print_verdicts, answer, screen) + (result->uarch_doubt[0] ? 3 : 2),
                 room = used + TABLE_LINES < SCREEN_LINES ? SCREEN_LINES - used - TABLE_LINES : 0;
    print_verdicts(answer, screen);
    const size_t rows = shortfall_report_print_reasons(answer, room, screen);
    if (rows + TABLE_LINES < room)
        print_unexplained(answer->model, answer->shortfalls, room - rows - TABLE_LINES, screen);
    fputc('\n', screen->out);
    if (result->uarch_doubt[0])
        screen_line(screen, "▲", result->uarch_doubt);
    screen_note(screen, "Rows", "all, what each reason means, and the sources: --all");
}
