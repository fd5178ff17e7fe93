/* SPDX-License-Identifier: BSD-3-Clause
 * One screen of a result. */
#include "result_answer.h"
#include "memory_report.h"
#include "report_app.h"
#include "shortfall_report.h"
#include "validate_report.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm/arithmetic.h"
#include "asm/kernel.h"
#include "bench/kernels/doubt.h"
#include "bench/kernels/estimate.h"
#include "bench/kernels/levels.h"
#include "bench/kernels/number_thresholds.h"
#include "bench/kernels/sample.h"
#include "carm/model/describe.h"
#include "carm/model/validate.h"
#include "carm/model/verdict_words.h"
#include "carm/session/partial.h"
#include "carm/store/results.h"
#include "carm/text/next_step.h"
#include "carm/text/shell_word.h"
#include "carm/text/table.h"
#include "probe/isa.h"
#include "probe/machine.h"
#include "probe/text.h"
#include "render/page/units.h"

/* Facts about roofs beside their numbers: operations of the peak, pages of the data. */

enum { ROOF_FACTS_BYTES = 256 };

/* The widest instruction set of the machine whose own such operation was not measured there; NULL: none is wider. */
static const struct isa *roof_facts_unmeasured(const struct model *model, const struct model_view *view,
                                               const struct roof *peak) {
    const struct isa *own = isa_find(peak->isa), *widest = NULL;
    for (size_t i = 0; own && arithmetic_is_peak(peak->sample->kernel) && i < isa_vector_count; i++) {
        char kernel[sizeof peak->sample->kernel];
        snprintf(kernel, sizeof kernel, "%s.%s.%s", isa_table[i].name, peak->type, peak->op);
        bool measured = !kernel_find(kernel, NULL);
        for (size_t k = 0; k < model->result->sample_count && !measured; k++)
            measured = strcmp(model->result->samples[k].kernel, kernel) == 0 &&
                       model->result->samples[k].threads == view->threads;
        if (!measured && isa_table[i].vector_bytes > own->vector_bytes &&
            machine_has(&model->result->machine, isa_table[i].needs))
            widest = &isa_table[i];
    }
    return widest;
}

/* "f64 is FMA, as vendors count, 16 flop/cycle; FMA + ADD: 155 Gflop/s", for all of the view's threads, per cycle
 * of a core; "" without a peak at a known clock. */
static char *roof_facts_peak(const struct model *model, const struct model_view *view, const struct roof *peak,
                             char *out, size_t size) {
    char number[UNITS_BYTES], more[UNITS_BYTES + 96] = "", op[DESCRIBE_OPERATION_BYTES];
    const struct roof *highest = model_highest(model, view);
    out[0] = '\0';
    if (!(peak->sample->per_cycle > 0) || !*peak->op)
        return out;
    if (highest->sample->value > peak->sample->value * number_thresholds.same_height.value &&
        !model_blank_above(model, view, "", highest))
        snprintf(more, sizeof more, "; %s: %s", describe_operation(highest->op, op),
                 units_si(number, sizeof number, highest->sample->value, "flop/s"));
    const struct isa *unmeasured = roof_facts_unmeasured(model, view, peak);
    if (unmeasured)
        text_append(more, sizeof more, "; that of %s was not measured", unmeasured->label);
    const double limit = peak->sample->documented_per_cycle;
    snprintf(out, size, "f64 is %s%s %s flop/cycle%s", describe_operation(peak->op, op),
             arithmetic_is_peak(peak->sample->kernel) ? ", as vendors count," : ",",
             units_number(number, sizeof number, limit > 0 ? limit : peak->sample->per_cycle), more);
    return out;
}

/* "2 MiB pages": those of a level's roofs, except additional roofs with small pages; "" if unknown or mixed. */
static void roof_facts_pages(const struct model *model, const char *level, char out[UNITS_BYTES]) {
    uint64_t bytes = 0;
    for (size_t i = 0; i < model->count; i++) {
        const struct sample *sample = model->roofs[i].sample;
        if (sample->small_pages || strcmp(sample->level, level) != 0)
            continue;
        if (bytes && sample->page_bytes != bytes)
            return;
        bytes = sample->page_bytes;
    }
    char page[UNITS_BYTES];
    if (bytes)
        snprintf(out, UNITS_BYTES, "%s pages", units_binary(page, sizeof page, (double)bytes));
}

/* Whether any roof has a documented limit. */
static bool roof_facts_documented(const struct model *model) {
    for (size_t i = 0; i < model->count; i++)
        if (model->roofs[i].documented_ratio > 0)
            return true;
    return false;
}

enum {
    MAX_PLACES = 64,
    MAX_COLUMNS = 4,
    MAX_POINTS = 5,
    FEWER_TYPES = 2 /* beside points and lines about memory */,
    BAR_CELLS = 8
};

/* The places with a column: one core and all cores, of each kind of core. */
struct columns {
    size_t count;
    struct model_view views[MAX_COLUMNS];
};

static bool is_special(const struct model_view *view) {
    return view->package || view->node || view->memory_node || view->smt;
}

static struct columns result_answer_columns_find(const struct model *model) {
    struct model_view places[MAX_PLACES];
    struct columns columns = {.count = 0};
    const size_t count = model_places(model, places, MAX_PLACES);
    for (size_t i = 0; i < count; i++) {
        if (is_special(&places[i]))
            continue;
        if (columns.count == MAX_COLUMNS) /* the most threads stay last */
            columns.views[MAX_COLUMNS - 1] = places[i];
        else
            columns.views[columns.count++] = places[i];
    }
    return columns;
}

static void set_column_name(char (*row)[TABLE_CELL_BYTES], size_t column, const struct model_view *view) {
    const char *kind = view->core_kind ? view->core_kind : "";
    if (view->threads == 0)
        table_set(row, column, "measured");
    else
        table_set(row, column, "%u %s%score%s", view->threads, kind, *kind ? " " : "", view->threads == 1 ? "" : "s");
}

/* One line: a roof per column, and the latency of the level. */
struct answer_line {
    char name[48];
    const struct roof *roofs[MAX_COLUMNS], *latency;
    const struct roof *blanks[MAX_COLUMNS]; /* the highest is not known there: this one may be it */
    char pattern[24];                       /* the pattern of the level's roof */
};

/* Sets the column's roof, or the reason why it is blank. */
static void set_roof(struct answer_line *line, size_t column, const struct model *model, const struct model_view *view,
                     const char *level, const struct roof *best) {
    line->blanks[column] = model_blank_above(model, view, level, best);
    line->roofs[column] = line->blanks[column] ? NULL : best;
}

static bool has_number(const struct answer_line *line, size_t columns) {
    for (size_t c = 0; c < columns; c++)
        if (line->roofs[c] || line->blanks[c])
            return true;
    return line->latency;
}

/* The share of the documented limit on the most cores, with a bar. */
static void set_documented(char (*row)[TABLE_CELL_BYTES], size_t column, const struct answer_line *line,
                           size_t columns) {
    for (size_t c = columns; c-- > 0 && !line->blanks[c];) {
        const double ratio = line->roofs[c] ? line->roofs[c]->documented_ratio : 0;
        char bar[SCREEN_BAR_BYTES];
        if (ratio > 0) {
            table_set(row, column, "%3.0f %% %s", 100 * ratio, screen_bar(ratio, BAR_CELLS, bar));
            return;
        }
    }
}

static void result_answer_add_line(struct table *table, const struct answer_line *line, size_t columns) {
    if (!has_number(line, columns))
        return;
    char(*row)[TABLE_CELL_BYTES] = table_row(table), text[DESCRIBE_VALUE_BYTES];
    table_set(row, 0, "%s", line->name);
    for (size_t c = 0; c < columns; c++)
        if (line->roofs[c])
            table_set(row, c + 1, "%s",
                      describe_value(line->roofs[c]->sample, model_roof_unit(line->roofs[c]), text, sizeof text));
    set_documented(row, columns + 1, line, columns);
    if (line->latency)
        table_set(row, columns + 2, "%s", describe_value(line->latency->sample, "s", text, sizeof text));
    table_set(row, columns + 3, "%s", line->pattern);
}

static struct answer_line peak_line(const struct model *model, const struct columns *columns, const char *type) {
    struct answer_line line = {.latency = NULL};
    for (size_t c = 0; c < columns->count; c++) {
        struct model_view view = columns->views[c];
        view.type = type;
        set_roof(&line, c, model, &view, "", model_peak(model, &view));
        const struct roof *named = line.roofs[c] ? line.roofs[c] : line.blanks[c];
        if (!named)
            continue;
        const struct isa *isa = isa_find(named->isa);
        snprintf(line.name, sizeof line.name, "%s peak%s%s", type, isa ? ", " : "", isa ? isa->label : "");
    }
    return line;
}

/* Whether the type is no faster than those before, on the most cores where both are known. */
static bool is_no_faster(const struct answer_line *line, size_t columns, const double *most) {
    for (size_t c = columns; c-- > 0;)
        if (line->roofs[c] && most[c] > 0)
            return line->roofs[c]->sample->value <= most[c];
    return false;
}

/* Points or lines about memory take room. */
static bool has_more(const struct result *result) {
    return result->point_count || memory_parts(result);
}

/* f64 and f32; then, if there is room, narrower types that are faster than all before, floating-point and integer types
 * separately. */
static void add_peaks(struct table *table, const struct model *model, const struct columns *columns) {
    static const char *const TYPES[] = {"f64", "f32", "f16", "bf16", "i16", "i8"};
    double most[2][MAX_COLUMNS] = {{0}};
    const size_t types = has_more(model->result) ? FEWER_TYPES : sizeof TYPES / sizeof TYPES[0];
    for (size_t t = 0; t < types; t++) {
        const struct answer_line line = peak_line(model, columns, TYPES[t]);
        const bool integer = element_table[element_find(TYPES[t])].integer;
        if (is_no_faster(&line, columns->count, most[integer]))
            continue;
        for (size_t c = 0; c < columns->count; c++)
            if (line.roofs[c])
                most[integer][c] = fmax(most[integer][c], line.roofs[c]->sample->value);
        result_answer_add_line(table, &line, columns->count);
    }
}

static const struct roof *result_answer_latency_of(const struct model *model, const struct model_view *view,
                                                   const char *level) {
    for (size_t i = 0; i < model->count; i++) {
        const struct sample *sample = model->roofs[i].sample;
        if (sample->kind == SAMPLE_LATENCY && model_in_view(&model->roofs[i], view) &&
            strcmp(sample->level, level) == 0 && !sample->small_pages)
            return &model->roofs[i];
    }
    return NULL;
}

static void result_answer_add_levels(struct table *table, const struct result_answer *answer,
                                     const struct columns *columns) {
    const struct levels levels = model_levels(answer->model, &columns->views[0]);
    for (unsigned i = 0; i < levels.count; i++) {
        const struct level *level = &levels.level[i];
        struct answer_line line = {.latency = result_answer_latency_of(answer->model, &columns->views[0], level->name)};
        char size[UNITS_BYTES] = "";
        if (level->effective_bytes)
            units_binary(size, sizeof size, (double)level->effective_bytes);
        else
            roof_facts_pages(answer->model, level->name, size);
        snprintf(line.name, sizeof line.name, "%s%s%s", level->name, *size ? " " : "", size);
        for (size_t c = 0; c < columns->count; c++) {
            struct model_view view = columns->views[c];
            struct model_level band;
            view.op = answer->op;
            if (!model_level(answer->model, &view, level->name, &band) && !view.op &&
                !model_blank_above(answer->model, &view, level->name, NULL)) {
                view.op = "random"; /* is shown where it is all that was measured */
                model_level(answer->model, &view, level->name, &band);
            }
            set_roof(&line, c, answer->model, &view, level->name, band.roof);
            if (line.roofs[c])
                snprintf(line.pattern, sizeof line.pattern, "%s", line.roofs[c]->op);
        }
        result_answer_add_line(table, &line, columns->count);
    }
}

/* The outermost measured level, the source of streams. All zero if there is none. */
static struct level result_answer_memory_of(const struct model *model, const struct model_view *view) {
    const struct levels levels = model_levels(model, view);
    return levels.count ? levels.level[levels.count - 1] : (struct level){.name = ""};
}

/* STREAM counts a triad's two loads and one store, without write-allocates; so does this pattern. It is the best code,
 * which a compiler's loop over three arrays does not reach: STREAM reports less. */
static struct answer_line triad_line(const struct model *model, const struct columns *columns) {
    struct answer_line line = {.name = "Triad, best code"};
    for (size_t c = 0; c < columns->count; c++) {
        struct model_view view = columns->views[c];
        const struct level memory = result_answer_memory_of(model, &view);
        struct model_level band;
        view.op = "2ld1st";
        model_level(model, &view, memory.name, &band);
        set_roof(&line, c, model, &view, memory.name, band.roof);
        if (line.roofs[c])
            snprintf(line.pattern, sizeof line.pattern, "%s", view.op);
    }
    return line;
}

/* If the terminal has no room, the pattern is removed first, then the latency, the share, and the columns of fewer
 * cores. */
static void result_answer_print_table(const struct result_answer *answer, const struct columns *columns,
                                      const struct screen *screen) {
    static const char *const ALIGNMENTS[MAX_COLUMNS + 1] = {"llrl", "lrlrl", "lrrlrl", "lrrrlrl", "lrrrrlrl"},
                                                      *const ORDERS[MAX_COLUMNS + 1] = {"0345", "00345", "020345",
                                                                                        "0120345", "01220345"};
    struct table table = screen_table(screen, ALIGNMENTS[columns->count], ORDERS[columns->count]);
    char(*row)[TABLE_CELL_BYTES] = table_row(&table);
    for (size_t c = 0; c < columns->count; c++)
        set_column_name(row, c + 1, &columns->views[c]);
    table_set(row, columns->count + 1, "of documented");
    table_set(row, columns->count + 2, "latency");
    table_set(row, columns->count + 3, "pattern");
    add_peaks(&table, answer->model, columns);
    result_answer_add_levels(&table, answer, columns);
    const struct answer_line triad = triad_line(answer->model, columns);
    result_answer_add_line(&table, &triad, columns->count);
    table_print_section(&table, screen->out);
}

/* The ridge point of all cores together. */
static void print_meaning(const struct result_answer *answer, const struct columns *columns,
                          const struct screen *screen) {
    struct model_view view = columns->views[columns->count - 1];
    const struct level memory = result_answer_memory_of(answer->model, &view);
    struct model_level band;
    char number[UNITS_BYTES], note[ROOF_FACTS_BYTES];
    view.type = "f64";
    const struct roof *peak = model_peak(answer->model, &view);
    if (model_blank_above(answer->model, &view, "", peak))
        peak = NULL;
    fputc('\n', screen->out);
    if (peak && *roof_facts_peak(answer->model, &view, peak, note, sizeof note))
        screen_note(screen, "Peak", "%s", note);
    view.type = NULL, view.op = answer->op;
    if (!peak || !model_level(answer->model, &view, memory.name, &band) ||
        model_blank_above(answer->model, &view, memory.name, band.roof))
        return;
    screen_note(screen, "Means", "code that streams from %s needs %s flop/B to be compute-bound", memory.name,
                units_number(number, sizeof number, model_ridge(peak, band.roof)));
}

/* The verdict on what the vendor states; beside points and lines about memory only bad news has room. */
static void print_specification(const struct model *model, const struct screen *screen) {
    struct shortfalls shortfalls = shortfalls_find(model, NULL);
    const struct specification specification = specification_judge(model, &shortfalls, NULL);
    const bool foreign = model->result->machine.core_count == 0; /* another tool's: little is known of it */
    if ((!has_more(model->result) && !foreign && specification.count) ||
        specification_verdict(&specification) == SPEC_BELOW)
        specification_note(&specification, screen);
    shortfalls_free(&shortfalls);
}

static void result_answer_print_points(const struct model *model, const struct screen *screen) {
    const struct result *result = model->result;
    struct table table = screen_table(screen, "lrrl", "0210");
    if (result->point_count > 0)
        fprintf(screen->out, "\n");
    for (size_t i = 0; i < result->point_count && i < MAX_POINTS; i++) {
        const struct app_point *point = &result->points[i];
        const struct verdict verdict = verdict_find(model, point);
        char(*row)[TABLE_CELL_BYTES] = table_row(&table), text[UNITS_BYTES], line[128];
        table_set(row, 0, "%s", point->name);
        table_set(row, 1, "%s", point->seconds.n ? units_seconds(text, sizeof text, point->seconds.median) : "");
        table_set(row, 2, "%s",
                  app_flop_per_s(point) > 0 ? units_column(text, sizeof text, app_flop_per_s(point), "flop/s") : "");
        table_set(row, 3, "%s", verdict_bound_line(&verdict, line, sizeof line));
    }
    table.brief = false, table.headless = true;
    table_print(&table, screen->out);
    if (result->point_count > MAX_POINTS)
        fprintf(screen->out, "… and %zu more\n", result->point_count - MAX_POINTS);
}

/* "Xeon Platinum 8488C · Sapphire Rapids · 2 of 4 cores · vm" */
static void name_machine(const struct result *result, char *out, size_t size) {
    const struct machine *machine = &result->machine;
    char cpu[160], of[24] = "";
    describe_cpu(result, cpu, sizeof cpu);
    if (machine->core_count != machine->machine_core_count)
        snprintf(of, sizeof of, " of %u", machine->machine_core_count);
    if (machine->core_count == 0)
        snprintf(out, size, "%s", cpu);
    else
        snprintf(out, size, "%s · %u%s core%s · %s", cpu, machine->core_count, of,
                 machine->machine_core_count == 1 ? "" : "s", machine->host);
}

static void result_answer_print_head(const struct model *model, const struct columns *columns,
                                     const struct trust *trust, const struct screen *screen) {
    const struct result *result = model->result;
    char machine[256], grade[16] = "", line[512], last[1][TABLE_CELL_BYTES];
    set_column_name(last, 0, &columns->views[columns->count - 1]);
    name_machine(result, machine, sizeof machine);
    if (trust->grade)
        snprintf(grade, sizeof grade, "grade %c", trust->grade);
    screen_heading(screen, machine, grade, trust->grade == 'A' || trust->grade == 'B');
    if (result->machine.core_count > 0 && result->environment.rest_clock_hz > 0) {
        const bool documented = roof_facts_documented(model);
        char rest[64], conditions[256];
        snprintf(conditions, sizeof conditions, "%s at rest · %.10s%s%s%s",
                 units_si_digits(rest, sizeof rest, result->environment.rest_clock_hz, "Hz", 3),
                 result->environment.started_utc, documented ? " · of documented: " : "", documented ? last[0] : "",
                 documented ? ", at the clock under load" : "");
        wrap_print(conditions, screen_columns(screen), "", screen->out);
    }
    if (result->uarch_doubt[0])
        screen_line(screen, "▲", result->uarch_doubt);
    if (machine_unproven(&result->machine))
        screen_line(screen, "▲", machine_unproven(&result->machine));
    if (*describe_quota(result, line, sizeof line))
        screen_line(screen, "▲", line);
}

/* The largest deviation of mixed kernels from min(π, I·β). */
static void print_validation(const struct result *result, const struct screen *screen) {
    const size_t count = result->validation_count;
    if (count == 0)
        return;
    char worst[256];
    struct validation_summary summaries[VALIDATION_MAX_SERIES];
    const size_t series = validation_summarise(result->validation, count, summaries, VALIDATION_MAX_SERIES);
    validation_name_worst(validation_worst_side(summaries, series), worst, sizeof worst);
    screen_note(screen, "Model", "%zu mixed kernels; farthest from it is %s", count, worst);
}

/* "unstable 45, clock drifted 1", with numbers of rows; "" for none. */
static void name_doubts(const struct result *result, char *out, size_t size) {
    unsigned counts[DOUBT_COUNT];
    model_count_doubts(result, counts);
    out[0] = '\0';
    for (size_t i = 0; i < DOUBT_COUNT; i++)
        if (counts[i])
            text_append(out, size, "%s%s %u", *out ? ", " : "", doubt_table[i].name, counts[i]);
}

static void print_deaths(const struct result *result, const struct screen *screen) {
    char death[DESCRIBE_DEATH_BYTES];
    for (size_t i = 0; i < result->death_count; i++)
        screen_note(screen, "▲", "%s", describe_death(&result->deaths[i], death, sizeof death));
}

/* "2 roofs of 2 threads have no number: core shared" */
static void print_blanks(const struct model *model, const struct screen *screen) {
    struct doubts doubts = NO_DOUBTS;
    char reasons[512];
    for (size_t i = 0; i < model->blank_count; i++)
        doubts_join(&doubts,
                    doubts_common(model->blanks[i].sample->doubts, DOUBTS(DOUBT_TOO_SHORT, DOUBT_CORE_SHARED)));
    if (model->blank_count)
        screen_note(screen, "Blank", "%zu roof%s without a number%s%s", model->blank_count,
                    model->blank_count == 1 ? "" : "s", doubts_any(doubts) ? ": " : "",
                    doubt_names(doubts, reasons, sizeof reasons));
}

/* The reasons against a better grade, unfinished work of the run, and the warnings. */
static void result_answer_print_warnings(const struct result_answer *answer, const struct trust *trust,
                                         const struct screen *screen) {
    const struct result *result = answer->model->result;
    char text[PARTIAL_TEXT_BYTES], doubts[1024], *resume = next_command(NEXT_RESUME, answer->file);
    if (trust->grade && trust->grade != 'A')
        screen_note(screen, "Grade", "%c (A to D)%s", trust->grade, trust_text(trust, resume, text, sizeof text) + 1);
    if (*partial_text(result, answer->file, text, sizeof text))
        screen_note(screen, "Lacks", "%s", text);
    name_doubts(result, doubts, sizeof doubts);
    if (*doubts)
        screen_note(screen, "Warning", "%s (why: --all)", doubts);
    report_note_table(answer->model, answer->model->result->points, answer->model->result->point_count, screen);
    free(resume);
}

static void print_files(const struct result_answer *answer, const struct screen *screen) {
    char *file = shell_word(answer->file ? answer->file : "FILE");
    if (answer->picture)
        screen_note(screen, "Files", "%s · %s", file, answer->picture);
    screen_note(screen, "Rows", "all %zu: carmine show %s --all", answer->model->count + answer->model->blank_count,
                file);
    free(file);
}

bool result_answer_print(const struct result_answer *answer, const struct screen *screen) {
    const struct columns columns = result_answer_columns_find(answer->model);
    const struct result *result = answer->model->result;
    if (columns.count == 0)
        return false;
    const struct trust trust = trust_grade(result->samples, result->sample_count, result->environment.interrupted);
    result_answer_print_head(answer->model, &columns, &trust, screen);
    result_answer_print_table(answer, &columns, screen);
    result_answer_print_points(answer->model, screen);
    print_meaning(answer, &columns, screen);
    print_specification(answer->model, screen);
    print_validation(result, screen);
    memory_lines_print(result, screen);
    print_deaths(result, screen);
    print_blanks(answer->model, screen);
    result_answer_print_warnings(answer, &trust, screen);
    print_files(answer, screen);
    return true;
}
