/* SPDX-License-Identifier: BSD-3-Clause
 * Points: each column stated once for text tables, JSON and the page (see report_app.h). Places in JSON are groups,
 * each in the order of its statements. */
#include "report_app.h"
#include "report.h"
#include "report_thresholds.h"

#include <math.h>
#include <string.h>

#include "carm/model/advice.h"
#include "carm/model/theory.h"
#include "carm/model/verdict_words.h"
#include "carm/store/fields.h"
#include "carm/store/shape.h"
#include "carm/text/or_null.h"
#include "render/page/units.h"

/* Tables of workloads. */

double report_workload_flop_ratio(const struct app_point *point) {
    if (point->flop_source == SOURCE_UNKNOWN || point->flop_source == SOURCE_STATED ||
        (point->analytic_flop == 0 && point->flop.median > 0))
        return NAN;
    return point->analytic_flop > 0 ? point->flop.median / point->analytic_flop : 1;
}

double report_workload_bytes_ratio(const struct app_point *point) {
    double analytic_bytes = point->analytic_load_bytes + point->analytic_store_bytes;
    return point->bytes_source == SOURCE_UNKNOWN || point->bytes_source == SOURCE_STATED || !(analytic_bytes > 0)
               ? (double)NAN
               : app_core_bytes(point) / analytic_bytes;
}

/* Data that may be in the caches have no compulsory traffic. */
static double report_points_dram_ratio(const struct app_point *point, double measured, double compulsory) {
    bool known = point->dram_source != SOURCE_UNKNOWN && point->data == STATE_COLD && compulsory > 0;
    return known ? measured / compulsory : (double)NAN;
}

double report_workload_read_ratio(const struct app_point *point) {
    return report_points_dram_ratio(point, point->dram_read_bytes.median, point->compulsory_read_bytes);
}

double report_workload_write_ratio(const struct app_point *point) {
    return report_points_dram_ratio(point, point->dram_write_bytes.median, point->compulsory_write_bytes);
}

double report_workload_dram_ratio(const struct app_point *point) {
    return report_points_dram_ratio(point, app_dram_bytes(point),
                                    point->compulsory_read_bytes + point->compulsory_write_bytes);
}

void report_workload_print(const struct model *model, const struct app_point *points, size_t count, FILE *out) {
    struct column_walk to = columns_table(WORKLOAD);
    to.table.brief = true;
    struct doubts doubts = NO_DOUBTS;
    for (size_t i = 0; i < count; i++) {
        report_points_row(&to, model, &points[i]);
        doubts_join(&doubts, verdict_find(model, &points[i]).doubts);
    }
    columns_print(&to, out);
    report_doubts_print(doubts, out);
}

void report_workload_notes_print(const struct workload_request *request, const struct workload_outcome *outcomes,
                                 size_t count, FILE *out) {
    const struct workload_outcome *first = &outcomes[0];
    unsigned fewest_runs = first->runs, most_runs = first->runs, fewest = first->repeat;
    for (size_t i = 1; i < count; i++) {
        fewest_runs = outcomes[i].runs < fewest_runs ? outcomes[i].runs : fewest_runs;
        most_runs = outcomes[i].runs > most_runs ? outcomes[i].runs : most_runs;
        fewest = outcomes[i].repeat < fewest ? outcomes[i].repeat : fewest;
    }
    char least[40] = "";
    if (request->least_of > 1)
        snprintf(least, sizeof least, ", each the fastest of %u", request->least_of);
    if (request->own)
        fprintf(out, "\n%s by %s", request->own->file, request->own->compiler);
    else
        fprintf(out, "\n%s code%s%s", first->isa, *first->library ? ", " : "", first->library);
    fprintf(out, "; %u repetition%s%s, each of %u", first->wanted, first->wanted == 1 ? "" : "s", least, fewest_runs);
    fprintf(out, most_runs > fewest_runs ? " to %u runs\n" : most_runs > 1 ? " runs\n" : " run\n", most_runs);
    if (fewest < first->wanted)
        fprintf(out, "▲ only %u repetition%s, because %u would take longer than %.0f s; --repeat %u forces them\n",
                fewest, fewest == 1 ? "" : "s", first->wanted, request->budget_s, first->wanted);
    if (first->levels.hierarchy.level_count > 0)
        fprintf(out, "▲ simulated: %s%s%s\n", first->point.levels.caches, first->levels.note[0] ? "; " : "",
                first->levels.note);
}

/* Groups of JSON's keys. */
enum { IDENTITY = 1, CODE_OF, AMOUNTS, DRAM_BYTES, RATES, VERDICT, LEVELS, RANKS_OF, SETTINGS, THEORY, ADVICE };

/* "1.2–1.3 ms", or "900 ns–1.1 µs". */
static const char *range_text(double low_s, double high_s, char *out, size_t size) {
    char low[UNITS_BYTES], high[UNITS_BYTES];
    units_seconds(low, sizeof low, low_s);
    units_seconds(high, sizeof high, high_s);
    const char *low_unit = strchr(low, ' '), *high_unit = strchr(high, ' ');
    bool alike = low_unit && high_unit && strcmp(low_unit, high_unit) == 0;
    snprintf(out, size, "%.*s–%s", alike ? (int)(low_unit - low) : (int)strlen(low), low, high);
    return out;
}

const char *report_quartiles_text(const struct statistics *seconds, char *out, size_t size) {
    return range_text(seconds->q1, seconds->q3, out, size);
}

/* The 95 % interval of the median of its repetitions; "" if they are not stored, or too few. */
static const char *interval_text(const struct app_point *point, char *out, size_t size) {
    const struct median_interval interval = app_median_interval(point);
    out[0] = '\0';
    return interval.high > 0 ? range_text(interval.low, interval.high, out, size) : out;
}

/* "8", or "8 on 2 CPUs". */
static const char *threads_place(const struct app_point *point, char *out, size_t size) {
    if (!point->cores)
        snprintf(out, size, "%u", point->threads);
    else
        snprintf(out, size, "%u on %u %s%s", point->threads, point->cpus ? point->cpus : point->cores,
                 point->cpus ? "CPU" : "core", (point->cpus ? point->cpus : point->cores) == 1 ? "" : "s");
    return out;
}

static json_t *next_json(const struct verdict *verdict) {
    static const struct sample NONE;
    const struct sample *next = verdict->next ? verdict->next->sample : &NONE;
    if (!verdict->next && !shape_wanted())
        return json_null();
    return shape_nullable(json_pack("{s:s,s:o,s:f}", "roof", next->kernel, "level", text_or_null(next->level),
                                    "flop_per_s", verdict->next_flop_per_s));
}

static struct cell source_cell(bool known, enum app_source source) {
    return cell_text(known && source != SOURCE_UNKNOWN ? app_source_names[source] : "");
}

static json_t *source_json(enum app_source source) {
    return text_or_null(source == SOURCE_UNKNOWN ? "" : app_source_names[source]);
}

static struct cell state_cell(enum app_state state) {
    return cell_text(state == STATE_UNKNOWN ? "" : app_state_names[state]);
}

/* Text tables show it only above zero. */
static struct cell above_zero(struct cell cell) {
    return cell.number > 0 ? cell : cell_read(cell, "");
}

/* Thread seconds by kind. */
static json_t *waits_json(const struct waits *waits) {
    if (shape_count(waits->samples) == 0)
        return json_null();
    json_t *seconds = json_object();
    for (size_t kind = 0; kind < WAIT_KINDS; kind++)
        json_object_set_new(seconds, wait_kind_names[kind], json_real(1e-9 * (double)waits->ns[kind]));
    return shape_nullable(json_pack("{s:i,s:f,s:o}", "samples", (int)waits->samples, "interval_s", waits->interval_s,
                                    "thread_seconds", seconds));
}

/* At most so many letters. */
static const char *report_points_cut(const char *text, int most, char out[TABLE_CELL_BYTES]) {
    snprintf(out, TABLE_CELL_BYTES, "%.*s", most, text);
    return out;
}

/* A ratio to theory in text tables of workloads: more digits near 1. */
static struct cell ratio_cell(double ratio, char out[UNITS_BYTES]) {
    snprintf(out, UNITS_BYTES, "%.*f", ratio < 0.995 || ratio > 1.005 ? 2 : 3, ratio);
    return isnan(ratio) ? cell_text("") : cell_read(cell_number(true, ratio), out);
}

const struct report_page_fact report_page_facts[REPORT_PAGE_FACTS] = {
    [REPORT_MACHINE] = {"machine", "machine"},   [REPORT_ZONE] = {"zone", "zone"},
    [REPORT_BOUND] = {"bound by", "bound"},      [REPORT_ALLOWS] = {"next", "allows"},
    [REPORT_OF_CORE] = {"intensity", "of_core"}, [REPORT_OF_DRAM] = {"of DRAM", "of_dram"},
    [REPORT_LINKS] = {"traffic", "link0"},       [REPORT_LINKS + 1] = {"further", "link1"},
    [REPORT_LINKS + 2] = {"further", "link2"},   [REPORT_LINKS + 3] = {"further", "link3"},
    [REPORT_LINKS + 4] = {"further", "link4"}};

static void identity_columns(struct column_walk *to, const struct app_point *p) {
    static const char *const NAMES[COLUMN_TABLES] = {
        [TRAFFIC] = "DRAM", [MISSES] = "TLB", [CODE] = "code", [THREADS] = "threads", [RANKS] = "ranks and MPI"};
    const char *name = NAMES[to->which] ? NAMES[to->which] : "";
    char text[UNITS_BYTES];
    column(to, cell_text(""), .title = "application", .key = "name", .page = IN_TITLE);
    column(to, cell_text(p->name), .title = "application", .heading = name, .key = "name", .json = IDENTITY,
           .raw_json = true, .page = IN_TABLE,
           .text = {[SHOW] = STAYS,
                    [ANSWER] = STAYS,
                    [ANSWER_LOOPS] = STAYS,
                    [ANSWER_PHASES] = STAYS,
                    [TRAFFIC] = STAYS,
                    [MISSES] = STAYS,
                    [CODE] = STAYS,
                    [THREADS] = STAYS,
                    [RANKS] = STAYS});
    for (size_t i = 0; i < REPORT_PAGE_FACTS && to->form == COLUMNS_PAGE; i++)
        column(to, cell_text(""), .title = report_page_facts[i].title, .key = report_page_facts[i].key,
               .page = i == REPORT_MACHINE ? ON_PAGE : IN_TIP);
    column(to, cell_text(p->program), .key = "program", .json = IDENTITY, .raw_json = true);
    column(to, cell_text(app_part_names[p->part]), .key = "part", .json = IDENTITY);
    column(to, cell_text(p->region), .key = "region", .json = IDENTITY);
    column(to, cell_text(p->function), .key = "function", .json = IDENTITY);
    column(to, cell_text(p->command), .key = "command", .json = IDENTITY, .raw_json = true);
    column(to, cell_text(p->measured_utc), .key = "measured_utc", .json = IDENTITY, .raw_json = true);
    column(to, cell_read(cell_amount(true, p->threads), p->threads ? threads_place(p, text, sizeof text) : ""),
           .title = "threads", .key = "threads", .format = COLUMN_WHOLE, .json = IDENTITY, .page = ON_PAGE,
           .text = {[SHOW] = 4});
    column(to, cell_amount(p->cores > 0, p->cores), .key = "cores", .json = IDENTITY);
    column(to, cell_amount(p->cpus > 0, p->cpus), .key = "cpus", .json = IDENTITY);
    column(to, cell_amount(true, p->processes), .key = "processes", .json = IDENTITY);
    column(to, cell_amount(true, (double)p->calls), .key = "calls", .json = IDENTITY);
    column(to, cell_text(p->series), .key = "series", .json = SETTINGS);
    column(to, cell_amount(p->size > 0, (double)p->size), .title = "size", .key = "size", .format = COLUMN_WHOLE,
           .json = SETTINGS, .text = {[WORKLOAD] = STAYS});
    column(to, cell_amount(p->size > 0, (double)p->working_set_bytes), .title = "data", .key = "working_set_bytes",
           .format = COLUMN_BINARY, .json = SETTINGS, .text = {[WORKLOAD] = 1});
}

/* Rates of a workload: flop, or bytes without flop. */
static void report_points_rate_columns(struct column_walk *to, const struct app_point *p) {
    const bool flop = p->flop.median > 0, known = p->seconds.median > 0;
    const double rate = !known ? 0 : flop ? app_flop_per_s(p) : app_core_bytes(p) / p->seconds.median;
    char text[UNITS_BYTES], per_cycle[UNITS_BYTES + 8];
    units_digits(text, sizeof text, p->clock_hz > 0 ? rate / p->clock_hz : 0, 3);
    snprintf(per_cycle, sizeof per_cycle, "%s %s", text, flop ? "flop" : "B");
    column(to, cell_number(known, rate), .title = "reached", .format = COLUMN_SI, .unit = flop ? "flop/s" : "B/s",
           .text = {[WORKLOAD] = 1});
    column(to, cell_text(known && p->clock_hz > 0 ? per_cycle : ""), .title = "per cycle", .right = true,
           .text = {[WORKLOAD] = 1});
}

static json_t *pair_json(bool known, double low, double high) {
    return known || shape_wanted() ? shape_nullable(json_pack("[f,f]", low, high)) : json_null();
}

static void time_columns(struct column_walk *to, const struct app_point *p) {
    const struct median_interval interval = app_median_interval(p);
    const bool known = p->seconds.n > 0;
    char quartiles[64] = "", median[64];
    if (p->seconds.n > 1)
        report_quartiles_text(&p->seconds, quartiles, sizeof quartiles);
    const bool phase = p->part == APP_PHASE;
    column(to, cell_number(phase, p->from_s), .title = "from", .key = "from_s", .format = COLUMN_SI, .unit = "s",
           .json = AMOUNTS, .optional = true, .text = {[ANSWER_PHASES] = STAYS});
    column(to, cell_number(phase, p->to_s), .title = "to", .key = "to_s", .format = COLUMN_SI, .unit = "s",
           .json = AMOUNTS, .optional = true, .text = {[ANSWER_PHASES] = STAYS});
    column(to, cell_number(known, p->seconds.median), .title = "time", .key = "seconds", .format = COLUMN_SI,
           .unit = "s", .json = AMOUNTS, .page = ON_PAGE,
           .text = {[SHOW] = STAYS, [ANSWER] = STAYS, [ANSWER_LOOPS] = STAYS, [WORKLOAD] = 1});
    column(to, cell_amount(true, p->seconds.n), .title = "runs", .key = "repetitions", .format = COLUMN_WHOLE,
           .json = IDENTITY, .page = IN_TIP);
    column(to, cell_text(quartiles), .title = "quartiles", .key = "quartiles", .right = true, .page = IN_TIP,
           .text = {[SHOW] = 7, [WORKLOAD] = 1});
    column(to, cell_json(pair_json(known, p->seconds.q1, p->seconds.q3)), .key = "seconds_quartiles", .json = AMOUNTS);
    column(to, cell_json(pair_json(known, p->seconds.min, p->seconds.max)), .key = "seconds_extremes", .json = AMOUNTS);
    column(to, cell_text(interval_text(p, median, sizeof median)), .title = "median, 95 %", .right = true,
           .text = {[WORKLOAD] = 1});
    column(to, cell_json(pair_json(interval.high > 0, interval.low, interval.high)), .key = "seconds_interval",
           .json = AMOUNTS);
    column(to, cell_json(to->form == COLUMNS_JSON ? waits_json(&p->waits) : NULL), .key = "waits", .json = AMOUNTS);
    column(to, cell_read(cell_positive(p->time_share), known || to->which != SHOW ? NULL : ""), .title = "share",
           .key = "time_share", .format = COLUMN_PERCENT, .json = AMOUNTS, .raw_json = true, .page = IN_TIP,
           .text = {[SHOW] = 6, [ANSWER] = 3, [ANSWER_LOOPS] = 3, [ANSWER_PHASES] = STAYS});
    column(to, source_cell(known, p->seconds_source), .title = "from", .text = {[SHOW] = 5});
    report_points_rate_columns(to, p);
}

static json_t *rest_json(const struct loop_account *account) {
    char words[LOOP_CAUSE_BYTES];
    json_t *rest = json_array();
    if (shape_wanted())
        json_array_append_new(rest, json_string(""));
    for (enum loop_cause cause = 0; cause < LOOP_CAUSES; cause++)
        if (account->may[cause])
            json_array_append_new(rest, fields_text(loop_cause_words(account, cause, words)));
    return rest;
}

/* The parts of a loop's account; null: unknown. */
static json_t *loop_json(const struct loop_account *account) {
    json_t *parts = json_array();
    for (unsigned i = 0; i < shape_count(account->count); i++)
        json_array_append_new(parts, json_pack("{s:o,s:f,s:f,s:b}", "part", fields_text(account->part[i].name),
                                               "cycles", account->part[i].cycles, "most_cycles",
                                               account->part[i].most_cycles, "refuted", account->part[i].refuted));
    if (json_array_size(parts) == 0) {
        json_decref(parts);
        return json_null();
    }
    return shape_nullable(json_pack("{s:o,s:b,s:o,s:o,s:o,s:b}", "parts", parts, "bound", account->binds, "faster",
                                    positive_or_null(account->faster), "faster_at_most",
                                    number_or_null(account->faster > 0 ? account->faster_at_most : (double)NAN),
                                    "rest_may_be", rest_json(account), "from_documents", account->from_documents));
}

/* For a loop or a line. */
static void code_columns(struct column_walk *to, const struct app_point *p, const struct loop_account *account) {
    const bool loop = p->part == APP_LOOP, needs = account->longest >= 0;
    char text[TABLE_CELL_BYTES];
    column(to, cell_text(p->inlined_in), .key = "inlined_in", .json = CODE_OF);
    column(to, cell_text(p->file), .key = "file", .json = CODE_OF);
    column(to, cell_amount(p->line > 0, p->line), .key = "line", .json = CODE_OF);
    column(to, cell_amount(loop, p->depth), .title = "depth", .key = "depth", .format = COLUMN_WHOLE, .json = CODE_OF,
           .text = {[CODE] = 1, [ANSWER_LOOPS] = 2});
    column(to, above_zero(cell_amount(loop, (double)p->iterations)), .title = "iterations", .key = "iterations",
           .format = COLUMN_SI, .unit = "", .json = CODE_OF, .text = {[CODE] = 1, [ANSWER_LOOPS] = 2});
    column(to, cell_amount(p->entries > 0, (double)p->entries), .title = "entries", .key = "entries",
           .format = COLUMN_SI, .unit = "", .json = CODE_OF, .text = {[CODE] = 1});
    column(to, cell_number(p->entries > 0, (double)p->iterations / (double)p->entries), .title = "trips",
           .format = COLUMN_NUMBER, .text = {[CODE] = 1, [ANSWER_LOOPS] = 1});
    column(to, cell_positive(account->measured_cycles), .title = "cycles", .key = "cycles_per_iteration",
           .format = COLUMN_NUMBER, .json = CODE_OF, .page = IN_TIP, .text = {[CODE] = 1, [ANSWER_LOOPS] = STAYS});
    column(to, cell_positive(needs ? account->part[account->longest].cycles : 0), .title = "needed",
           .key = "needed_cycles_per_iteration", .format = COLUMN_NUMBER, .json = CODE_OF, .page = IN_TIP,
           .text = {[CODE] = 1, [ANSWER_LOOPS] = STAYS});
    column(to, cell_json(to->form == COLUMNS_JSON ? loop_json(account) : NULL), .key = "loop", .json = CODE_OF);
    column(to, cell_text(report_points_cut(p->function, 60, text)), .title = "of", .text = {[CODE] = 1});
    column(to, cell_text(report_points_cut(p->inlined_in, 60, text)), .title = "inlined into", .text = {[CODE] = 1});
    snprintf(text, sizeof text, "%.120s:%u", p->file, p->line);
    column(to, cell_text(p->line > 0 ? text : ""), .title = "source", .text = {[CODE] = 1});
}

static void amount_columns(struct column_walk *to, const struct app_point *p) {
    const bool flop = p->flop_source != SOURCE_UNKNOWN, bytes = p->bytes_source != SOURCE_UNKNOWN;
    const struct count *count = &p->count;
    char text[UNITS_BYTES];
    column(to, cell_amount(flop, p->flop.median), .title = "flop", .key = "flop", .format = COLUMN_SI, .unit = "flop",
           .json = AMOUNTS, .page = ON_PAGE, .text = {[SHOW] = 7, [WORKLOAD] = 1});
    column(to, ratio_cell(report_workload_flop_ratio(p), text), .title = "/ W", .format = COLUMN_NUMBER,
           .text = {[WORKLOAD] = 1});
    column(to, source_cell(true, p->flop_source), .title = "from", .text = {[SHOW] = 6});
    column(to, cell_amount(p->has_count, (double)count_flop(count)), .key = "executed_flop", .json = AMOUNTS);
    column(to, cell_amount(bytes, app_core_bytes(p)), .title = "requested", .key = "core_bytes", .format = COLUMN_SI,
           .unit = "B", .json = AMOUNTS, .text = {[WORKLOAD] = 1});
    column(to, ratio_cell(report_workload_bytes_ratio(p), text), .title = "/ analytic", .format = COLUMN_NUMBER,
           .text = {[WORKLOAD] = 1});
    column(to, cell_amount(bytes, p->load_bytes.median), .title = "loaded", .key = "load_bytes", .format = COLUMN_SI,
           .unit = "B", .json = AMOUNTS, .text = {[SHOW] = 5});
    column(to, cell_amount(bytes, p->store_bytes.median), .title = "stored", .key = "store_bytes", .format = COLUMN_SI,
           .unit = "B", .json = AMOUNTS, .text = {[SHOW] = 5});
    column(to, source_cell(true, p->bytes_source), .title = "from", .text = {[SHOW] = 6});
    column(to, cell_amount(p->has_count, (double)(count->stack_load_bytes + count->stack_store_bytes)),
           .title = "stack", .key = "stack_bytes", .format = COLUMN_SI, .unit = "B", .json = AMOUNTS,
           .text = {[SHOW] = 9});
    column(to, cell_amount(p->has_count, (double)count->waiting_bytes), .key = "waiting_bytes", .json = AMOUNTS);
    column(to, cell_amount(p->has_count, (double)count->instructions), .key = "instructions", .json = RATES);
}

static void intensity_columns(struct column_walk *to, const struct app_point *p) {
    const bool flop = p->flop_source != SOURCE_UNKNOWN;
    const struct cell rate = above_zero(cell_number(flop && p->seconds.median > 0, app_flop_per_s(p)));
    column(to, rate, .title = "flop/s", .key = "flop_per_s", .format = COLUMN_ALIGNED, .unit = "flop/s", .json = RATES,
           .text = {[ANSWER] = 1, [ANSWER_LOOPS] = 2, [ANSWER_PHASES] = 1});
    column(to,
           above_zero(cell_number(p->bytes_source != SOURCE_UNKNOWN && p->seconds.median > 0,
                                  app_core_bytes(p) / p->seconds.median)),
           .title = "bytes/s", .format = COLUMN_ALIGNED, .unit = "B/s", .text = {[ANSWER_PHASES] = 2});
    column(to, above_zero(cell_number(flop && app_core_bytes(p) > 0, app_flop_per_byte(p))), .title = "flop/B",
           .key = "flop_per_byte", .format = COLUMN_NUMBER, .json = RATES, .page = IN_TABLE,
           .text = {[SHOW] = 3, [ANSWER] = 2, [ANSWER_LOOPS] = 3, [ANSWER_PHASES] = 3, [WORKLOAD] = 1});
    column(to, cell_text(""), .title = "flop/DRAM B", .key = "flop_per_dram_byte", .format = COLUMN_NUMBER,
           .page = IN_TABLE);
    column(to, rate, .title = "reached", .heading = "flop/s", .key = "flop_per_s", .format = COLUMN_SI,
           .unit = "flop/s", .page = IN_TABLE, .text = {[SHOW] = 1});
    column(to, cell_text(""), .title = "reached", .key = "flop_per_s", .format = COLUMN_SI, .unit = "flop/s",
           .page = LEADS);
    column(to, cell_text(""), .title = "per cycle", .key = "per_cycle", .format = COLUMN_NUMBER, .unit = "flop/cycle",
           .page = LEADS);
}

/* Workloads without flop are judged by their bytes. */
static void workload_verdict_columns(struct column_walk *to, const struct app_point *p, const struct verdict *v) {
    const bool timed = p->seconds.median > 0;
    char text[TABLE_CELL_BYTES];
    column(to, cell_text(timed ? verdict_work_cell(v) : ""), .title = "bound by", .text = {[WORKLOAD] = 1});
    column(to, cell_text(timed ? verdict_reached_cell(v, text, sizeof text) : ""), .title = "of", .right = true,
           .text = {[WORKLOAD] = 1});
    column(to, cell_text(timed ? verdict_next_cell(v, text, sizeof text) : ""), .title = "next",
           .text = {[WORKLOAD] = 1});
}

static void verdict_columns(struct column_walk *to, const struct app_point *p, const struct verdict *v) {
    const bool json = to->form == COLUMNS_JSON;
    char text[TABLE_CELL_BYTES], words[VERDICT_WORDS_BYTES];
    column(to, cell_text(verdict_bound_by(v)), .key = "bound_by", .json = VERDICT);
    column(to, cell_text(verdict_bound_cell(v)), .title = "bound by", .key = "bound_by", .page = IN_TABLE,
           .text = {[SHOW] = STAYS, [ANSWER] = STAYS, [ANSWER_LOOPS] = STAYS});
    column(to, cell_text(verdict_work_cell(v)), .title = "bound by", .text = {[ANSWER_PHASES] = STAYS});
    column(to, cell_bool(v->known, !v->nearest), .key = "level_known", .json = VERDICT);
    column(to, cell_number(v->known, v->attainable_flop_per_s), .key = "attainable_flop_per_s", .json = VERDICT);
    column(to, cell_read(cell_number(v->known, v->ratio), v->known ? verdict_reached_cell(v, text, sizeof text) : ""),
           .title = "of it", .heading = "ratio", .key = "ratio", .format = COLUMN_PERCENT, .json = VERDICT,
           .page = IN_TABLE, .text = {[SHOW] = STAYS, [ANSWER] = STAYS, [ANSWER_LOOPS] = 1});
    if (v->idle_share >= 0.5)
        snprintf(text, sizeof text, "%.0f %% idle", 100 * v->idle_share);
    else
        verdict_reached_cell(v, text, sizeof text);
    column(to, cell_text(text), .title = "ratio", .right = true, .text = {[ANSWER_PHASES] = 4});
    column(to, cell_text(p->part == APP_PHASE ? report_points_cut(p->function, 32, text) : ""), .title = "code",
           .text = {[ANSWER_PHASES] = 5});
    column(to, cell_text(v->known ? verdict_ratio_of(v) : ""), .key = "ratio_of", .json = VERDICT);
    column(to, cell_text(verdict_next_cell(v, text, sizeof text)), .title = "next roof", .heading = "next",
           .key = "next_roof", .page = IN_TABLE, .text = {[SHOW] = 2, [ANSWER] = 4, [ANSWER_LOOPS] = 4});
    column(to, cell_json(json ? next_json(v) : NULL), .key = "next", .json = VERDICT);
    column(to, cell_text(json ? verdict_words(v, p, words) : ""), .key = "verdict", .json = VERDICT, .raw_json = true);
    column(to,
           cell_json(json ? json_pack("{s:o,s:o,s:o,s:o}", "seconds", source_json(p->seconds_source), "flop",
                                      source_json(p->flop_source), "core_bytes", source_json(p->bytes_source),
                                      "dram_bytes", source_json(p->dram_source))
                          : NULL),
           .key = "sources", .json = VERDICT);
    workload_verdict_columns(to, p, v);
    column(to, cell_text(p->origin), .title = "from", .key = "origin", .json = VERDICT, .page = IN_TIP);
}

/* DRAM bytes give another intensity, so they have their own table, with TLB misses. */
static void dram_columns(struct column_walk *to, const struct app_point *p) {
    const bool dram = p->dram_source != SOURCE_UNKNOWN, flop = p->flop_source != SOURCE_UNKNOWN,
               misses = p->tlb_misses.n > 0;
    const double read = p->dram_read_bytes.median, written = p->dram_write_bytes.median;
    char text[UNITS_BYTES];
    column(to, cell_amount(dram, app_dram_bytes(p)), .title = "DRAM", .key = "dram_bytes", .format = COLUMN_SI,
           .unit = "B", .json = DRAM_BYTES, .text = {[WORKLOAD] = 1});
    column(to, ratio_cell(report_workload_dram_ratio(p), text), .title = "/ Q", .format = COLUMN_NUMBER,
           .text = {[WORKLOAD] = 1});
    column(to, cell_read(cell_amount(dram, read), p->dram_read_bytes.n > 0 ? NULL : ""), .title = "read",
           .key = "dram_read_bytes", .format = COLUMN_SI, .unit = "B", .json = DRAM_BYTES, .text = {[TRAFFIC] = 1});
    column(to, cell_read(cell_amount(dram, written), p->dram_write_bytes.n > 0 ? NULL : ""), .title = "written",
           .key = "dram_write_bytes", .format = COLUMN_SI, .unit = "B", .json = DRAM_BYTES, .text = {[TRAFFIC] = 1});
    column(to, source_cell(dram, p->dram_source), .title = "from", .text = {[TRAFFIC] = 1});
    column(to, above_zero(cell_number(flop && app_dram_bytes(p) > 0, app_flop_per_dram_byte(p))),
           .title = "flop/DRAM B", .heading = to->which == TRAFFIC ? "flop/DRAM byte" : NULL,
           .key = "flop_per_dram_byte", .format = COLUMN_NUMBER, .json = RATES,
           .text = {[TRAFFIC] = 1, [WORKLOAD] = 1});
    column(to, cell_number(dram && app_core_bytes(p) > 0, app_bandwidth_bound(p)), .title = "bandwidth bound",
           .key = "bandwidth_bound", .format = COLUMN_DIGITS, .json = RATES, .text = {[TRAFFIC] = 1});
    column(to, cell_amount(misses, p->tlb_misses.median), .title = "misses",
           .heading = to->which == WORKLOAD ? "TLB misses" : NULL, .format = COLUMN_SI, .unit = "",
           .text = {[MISSES] = 1, [WORKLOAD] = 1});
    column(to, source_cell(misses, SOURCE_COUNTERS), .title = "from", .text = {[MISSES] = 1});
    column(to, cell_number(app_core_bytes(p) > 0 && p->tlb_misses.median > 0, app_core_bytes(p) / p->tlb_misses.median),
           .title = "bytes per miss", .format = COLUMN_SI, .unit = "B", .text = {[MISSES] = 1});
}

/* Share of the time, 0 to 1. */
static double report_points_mpi_share(const struct app_point *p) {
    return p->seconds.median > 0 ? fmin(p->mpi_seconds.median / p->seconds.median, 1) : 0;
}

/* A thread's part of the work, with a column per link; balance of ranks, and their MPI costs. */
static void rank_columns(struct column_walk *to, const struct app_point *p, const struct link_times *times) {
    const bool all = p->ranks > 0 && p->rank == 0, counted = p->mpi_instructions > 0;
    static const unsigned char LINKS_GO[POINT_LINKS_MAX] = {4, 3, 2, 1, 1};
    char text[REPORT_LEVELS_BYTES];
    column(to, above_zero(cell_amount(true, p->flop.median)), .title = "flop", .format = COLUMN_SI, .unit = "flop",
           .text = {[THREADS] = 1});
    column(to, cell_read(cell_amount(p->ranks > 0, p->ranks), all ? NULL : ""), .title = "ranks", .key = "ranks",
           .format = COLUMN_WHOLE, .json = RANKS_OF, .text = {[RANKS] = 1});
    column(to, cell_place(p->rank), .key = "rank", .json = RANKS_OF);
    column(to, cell_number(p->imbalance.n > 0, p->imbalance.median), .title = "imbalance",
           .heading = to->which == THREADS ? "of median" : NULL, .key = "imbalance", .format = COLUMN_FIXED,
           .digits = 2, .json = RANKS_OF, .text = {[RANKS] = 1, [THREADS] = STAYS});
    column(to, cell_amount(true, (double)p->count.instructions), .title = "instructions", .format = COLUMN_SI,
           .unit = "", .text = {[THREADS] = 5});
    for (unsigned i = 0; i < POINT_LINKS_MAX && to->form == COLUMNS_TABLE; i++)
        column(to,
               cell_read(cell_number(i < p->levels.links, point_link_bytes(&p->levels.link[i])),
                         i < p->levels.links
                             ? report_levels_bytes(&p->levels.link[i], report_thresholds.interval_first.value, text)
                             : ""),
               .format = COLUMN_SI, .title = i < times->count ? times->link[i].name : "", .unit = "B",
               .text = {[THREADS] = LINKS_GO[i]});
    column(to, cell_number(p->mpi_seconds.n > 0, p->mpi_seconds.median), .title = "in MPI", .key = "mpi_seconds",
           .format = COLUMN_SI, .unit = "s", .json = RANKS_OF, .text = {[RANKS] = 1});
    column(to, cell_number(p->mpi_seconds.n > 0, report_points_mpi_share(p)), .title = "share",
           .format = COLUMN_PERCENT, .text = {[RANKS] = 1});
    column(to, cell_amount(p->mpi_calls > 0, (double)p->mpi_calls), .title = "calls", .key = "mpi_calls",
           .format = COLUMN_WHOLE, .json = RANKS_OF, .text = {[RANKS] = 1});
    column(to, cell_amount(counted, (double)p->mpi_instructions), .title = "instructions", .key = "mpi_instructions",
           .format = COLUMN_SI, .unit = "", .json = RANKS_OF, .text = {[RANKS] = 1});
    column(to, cell_amount(counted, (double)p->mpi_bytes), .title = "loaded and stored", .key = "mpi_bytes",
           .format = COLUMN_SI, .unit = "B", .json = RANKS_OF, .text = {[RANKS] = 1});
}

/* A workload's settings, and its minimum work. */
static void settings_columns(struct column_walk *to, const struct app_point *p) {
    const double analytic_bytes = p->analytic_load_bytes + p->analytic_store_bytes;
    const bool sized = p->size > 0;
    column(to, state_cell(p->data), .key = "data", .json = SETTINGS);
    column(to, state_cell(p->code), .key = "code", .json = SETTINGS);
    column(to, state_cell(p->tlb), .key = "tlb", .json = SETTINGS);
    column(to, cell_positive(p->clock_hz), .key = "clock_hz", .json = SETTINGS);
    column(to, cell_amount(sized, p->analytic_flop), .key = "analytic_flop", .json = SETTINGS);
    column(to, cell_amount(analytic_bytes > 0, analytic_bytes), .key = "analytic_bytes", .json = SETTINGS);
    column(to, cell_amount(sized, p->compulsory_read_bytes), .key = "compulsory_read_bytes", .json = SETTINGS);
    column(to, cell_amount(sized, p->compulsory_write_bytes), .key = "compulsory_write_bytes", .json = SETTINGS);
    column(to, cell_text(p->compiler), .title = "compiled", .key = "compiler", .json = SETTINGS, .page = IN_TIP);
    column(to, cell_amount(p->pseudo_flop > 0, p->pseudo_flop), .key = "pseudo_flop", .json = SETTINGS);
}

/* Theory for its size (carm/model): bytes of memory, and misses of the simulated TLBs, the first level first. */
static void theory_columns(struct column_walk *to, const struct app_point *p) {
    const struct theory *theory = theory_of(p);
    const struct theory_case of = theory ? theory_case_of(theory, p, 0) : (struct theory_case){0};
    json_t *misses = json_array();
    for (unsigned i = 0; i < HIERARCHY_TLBS; i++)
        json_array_append_new(
            misses, number_or_null(theory ? theory_tlb_misses(theory, &of, p->levels.tlb_entries[i]) : (double)NAN));
    column(to, cell_number(theory != NULL, theory ? theory_bytes(theory, &of, p->data == STATE_WARM) : 0),
           .key = "theory_dram_bytes", .json = THEORY);
    column(to, cell_json(misses), .key = "theory_tlb_misses", .json = THEORY);
    column(to, cell_bool(theory != NULL, theory && theory->bound), .key = "theory_is_bound", .json = THEORY);
}

static json_t *advice_json(const struct model *model, const struct app_point *point, const struct verdict *verdict) {
    struct advice advice[ADVICE_MAX] = {{.rule = ""}};
    const size_t count = advice_find(model, point, verdict, advice);
    json_t *list = json_array();
    for (size_t i = 0; i < shape_count(count); i++)
        json_array_append_new(list, json_pack("{s:s,s:f,s:o}", "rule", advice[i].rule, "seconds", advice[i].seconds,
                                              "text", fields_text(advice[i].text)));
    return list;
}

void report_point_columns(struct column_walk *to, const struct model *model, const struct app_point *point,
                          const struct verdict *verdict) {
    identity_columns(to, point);
    time_columns(to, point);
    code_columns(to, point, &verdict->loop);
    amount_columns(to, point);
    intensity_columns(to, point);
    verdict_columns(to, point, verdict);
    dram_columns(to, point);
    rank_columns(to, point, &verdict->times);
    settings_columns(to, point);
    column(to, cell_doubts(verdict->doubts), .title = "warnings", .key = "doubts", .format = COLUMN_DOUBTS,
           .json = VERDICT, .page = ON_PAGE, .text = {[SHOW] = 8, [ANSWER] = 5, [ANSWER_LOOPS] = 5, [WORKLOAD] = 1});
    if (to->form != COLUMNS_JSON)
        return;
    report_levels_columns(to, &verdict->times, point, LEVELS);
    theory_columns(to, point);
    column(to, cell_json(advice_json(model, point, verdict)), .key = "advice", .json = ADVICE);
    column(to, cell_number(verdict->bytes_roof != NULL, verdict->bytes_ratio), .key = "bytes_ratio", .json = ADVICE);
}

void report_points_row(struct column_walk *to, const struct model *model, const struct app_point *point) {
    const struct verdict verdict = verdict_find(model, point);
    columns_row(to);
    report_point_columns(to, model, point, &verdict);
}

json_t *report_points_json(const struct model *model, const struct app_point *points, size_t count) {
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        struct column_walk to = columns_json();
        const struct verdict verdict = verdict_find(model, &points[i]);
        report_point_columns(&to, model, &points[i], &verdict);
        json_array_append_new(list, columns_end_json(&to));
    }
    return list;
}
