/* SPDX-License-Identifier: BSD-3-Clause
 * Applications as text (see report_app.h). */
#include "report_app.h"
#include "report_levels.h"
#include "report_ranks.h"

#include <stdlib.h>
#include <string.h>

#include "bench/sample/doubt.h"
#include "render/page/units.h"
#include "report.h"
#include "carm/text/table.h"
#include "carm/text/wrap.h"
#include "carm/model/advice.h"
#include "carm/model/verdict_words.h"
#include "report_doubts.h"
#include "probe/need.h"

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

const char *report_interval_text(const struct app_point *point, char *out, size_t size) {
    const struct median_interval interval = app_median_interval(point);
    out[0] = '\0';
    return interval.high > 0 ? range_text(interval.low, interval.high, out, size) : out;
}

static double stack_bytes(const struct app_point *point) {
    return (double)(point->count.stack_load_bytes + point->count.stack_store_bytes);
}

/* An amount with its unit; an empty cell where it is not known. */
static void set_amount(char (*row)[TABLE_CELL_BYTES], size_t column, bool known, double amount, const char *unit) {
    char text[UNITS_BYTES];
    if (known)
        table_set(row, column, "%s", units_si(text, sizeof text, amount, unit));
}

static void set_intensity(char (*row)[TABLE_CELL_BYTES], size_t column, double flop_per_byte) {
    char text[UNITS_BYTES];
    if (flop_per_byte > 0)
        table_set(row, column, "%s", units_number(text, sizeof text, flop_per_byte));
}

static const char *source_text(enum app_source source) {
    return source == SOURCE_UNKNOWN ? "" : app_source_names[source];
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

static void add_point(struct table *table, const struct app_point *point, const struct verdict *verdict) {
    char text[64], doubts[TABLE_CELL_BYTES];
    char(*row)[TABLE_CELL_BYTES] = table_row(table);
    bool flop = point->flop_source != SOURCE_UNKNOWN, bytes = point->bytes_source != SOURCE_UNKNOWN;
    table_set(row, 0, "%s", point->name);
    if (point->threads > 0)
        table_set(row, 1, "%s", threads_place(point, text, sizeof text));
    if (point->seconds.n > 0) {
        table_set(row, 2, "%s", units_seconds(text, sizeof text, point->seconds.median));
        if (point->seconds.n > 1)
            table_set(row, 3, "%s", report_quartiles_text(&point->seconds, text, sizeof text));
        if (point->time_share > 0)
            table_set(row, 4, "%.0f %%", 100 * point->time_share);
        table_set(row, 5, "%s", source_text(point->seconds_source));
    }
    set_amount(row, 6, flop, point->flop.median, "flop");
    table_set(row, 7, "%s", source_text(point->flop_source));
    set_amount(row, 8, bytes, point->load_bytes.median, "B");
    set_amount(row, 9, bytes, point->store_bytes.median, "B");
    table_set(row, 10, "%s", source_text(point->bytes_source));
    set_amount(row, 11, point->has_count, stack_bytes(point), "B");
    set_intensity(row, 12, app_flop_per_byte(point));
    set_amount(row, 13, app_flop_per_s(point) > 0, app_flop_per_s(point), "flop/s");
    table_set(row, 14, "%s", verdict_bound_cell(verdict));
    if (verdict->known)
        table_set(row, 15, "%s", verdict_reached_cell(verdict, text, sizeof text));
    table_set(row, 16, "%s", verdict_next_cell(verdict, text, sizeof text));
    table_set(row, 17, "%s", doubt_names(verdict->doubts, doubts, sizeof doubts));
}

/* DRAM bytes are another intensity, so they have a table of their own. */
static void print_traffic(const struct app_point *points, size_t count, FILE *out) {
    static const char *const NAMES[] = {"DRAM", "read", "written", "from", "flop/DRAM byte", "bandwidth bound"};
    struct table table = table_begin("lrrlrr");
    table_head(&table, NAMES, table.columns);
    for (size_t i = 0; i < count; i++) {
        const struct app_point *point = &points[i];
        if (point->dram_source == SOURCE_UNKNOWN)
            continue;
        char text[UNITS_BYTES];
        char(*row)[TABLE_CELL_BYTES] = table_row(&table);
        table_set(row, 0, "%s", point->name);
        set_amount(row, 1, point->dram_read_bytes.n > 0, point->dram_read_bytes.median, "B");
        set_amount(row, 2, point->dram_write_bytes.n > 0, point->dram_write_bytes.median, "B");
        table_set(row, 3, "%s", source_text(point->dram_source));
        set_intensity(row, 4, app_flop_per_dram_byte(point));
        if (app_core_bytes(point) > 0)
            table_set(row, 5, "%s", units_digits(text, sizeof text, app_bandwidth_bound(point), 3));
    }
    table_print_section(&table, out);
}

static void print_tlb_misses(const struct app_point *points, size_t count, FILE *out) {
    static const char *const NAMES[] = {"TLB", "misses", "from", "bytes per miss"};
    struct table table = table_begin("lrlr");
    table_head(&table, NAMES, table.columns);
    for (size_t i = 0; i < count; i++) {
        const struct app_point *point = &points[i];
        if (point->tlb_misses.n == 0)
            continue;
        char(*row)[TABLE_CELL_BYTES] = table_row(&table);
        table_set(row, 0, "%s", point->name);
        set_amount(row, 1, true, point->tlb_misses.median, "");
        table_set(row, 2, "%s", source_text(SOURCE_COUNTERS));
        set_amount(row, 3, app_core_bytes(point) > 0 && point->tlb_misses.median > 0,
                   app_core_bytes(point) / point->tlb_misses.median, "B");
    }
    table_print_section(&table, out);
}

/* Loops and lines: where they are in the source, and how often a loop went round. */
static void print_code(const struct app_point *points, size_t count, FILE *out) {
    static const char *const NAMES[] = {"code",  "depth", "iterations",   "entries",
                                        "trips", "of",    "inlined into", "source"};
    struct table table = table_begin("lrrrrlll");
    table.brief = true;
    table_head(&table, NAMES, table.columns);
    for (size_t i = 0; i < count; i++) {
        const struct app_point *point = &points[i];
        if (point->part != APP_LOOP && point->part != APP_LINE)
            continue;
        char text[UNITS_BYTES];
        char(*row)[TABLE_CELL_BYTES] = table_row(&table);
        table_set(row, 0, "%s", point->name);
        if (point->part == APP_LOOP)
            table_set(row, 1, "%u", point->depth);
        set_amount(row, 2, point->iterations > 0, (double)point->iterations, "");
        set_amount(row, 3, point->entries > 0, (double)point->entries, "");
        if (point->entries > 0)
            table_set(row, 4, "%s",
                      units_number(text, sizeof text, (double)point->iterations / (double)point->entries));
        table_set(row, 5, "%.60s", point->function);
        table_set(row, 6, "%.60s", point->inlined_in);
        if (point->line > 0)
            table_set(row, 7, "%.120s:%u", point->file, point->line);
    }
    table_print_section(&table, out);
}

/* What was stated, beside what was executed. */
static void print_stated(const struct app_point *point, FILE *out) {
    char stated[UNITS_BYTES], executed[UNITS_BYTES];
    double flop = (double)count_flop(&point->count);
    double bytes = (double)(point->count.load_bytes + point->count.store_bytes);
    if (!point->has_count)
        return;
    if (point->flop_source == SOURCE_STATED)
        fprintf(out, "  It executes %s, %+.1f %% against the %s that were stated.\n",
                units_si_digits(executed, sizeof executed, flop, "flop", 5), 100 * (flop / point->flop.median - 1),
                units_si_digits(stated, sizeof stated, point->flop.median, "flop", 5));
    if (point->bytes_source == SOURCE_STATED)
        fprintf(out, "  It asks for %s, %+.1f %% against the %s that were stated.\n",
                units_si_digits(executed, sizeof executed, bytes, "B", 5), 100 * (bytes / app_core_bytes(point) - 1),
                units_si_digits(stated, sizeof stated, app_core_bytes(point), "B", 5));
}

/* What would make it faster, and by how much at most. */
static void print_advice(const struct model *model, const struct app_point *point, const struct verdict *verdict,
                         FILE *out) {
    struct advice advice[ADVICE_MAX];
    const size_t count = advice_find(model, point, verdict, advice);
    for (size_t i = 0; i < count; i++) {
        char line[ADVICE_BYTES + 64], text[UNITS_BYTES];
        snprintf(line, sizeof line, "  Faster by up to %s: %s.", units_seconds(text, sizeof text, advice[i].seconds),
                 advice[i].text);
        wrap_fitted(line, "    ", out);
    }
}

void report_points_print(const struct model *model, const struct app_point *points, size_t count, FILE *out) {
    static const char *const NAMES[] = {"",       "threads", "time",     "quartiles", "share", "from",
                                        "flop",   "from",    "loaded",   "stored",    "from",  "stack",
                                        "flop/B", "flop/s",  "bound by", "ratio",     "next",  "doubts"};
    struct doubts doubts = NO_DOUBTS;
    if (count == 0)
        return;
    struct verdict *verdicts = need_calloc(count, sizeof *verdicts);
    struct table table = table_begin("lrrrrlrlrrlrrrlrll");
    table.order = "040765765569310028";
    table.brief = true;
    table_head(&table, NAMES, table.columns);
    for (size_t i = 0; i < count; i++) {
        verdicts[i] = verdict_find(model, &points[i]);
        add_point(&table, &points[i], &verdicts[i]);
        doubts_join(&doubts, verdicts[i].doubts);
    }
    table_print(&table, out);
    print_traffic(points, count, out);
    report_levels_print(points, verdicts, count, out);
    print_tlb_misses(points, count, out);
    print_code(points, count, out);
    report_threads_print(model, points, count, out);
    report_ranks_print(points, count, out);
    for (size_t i = 0; i < count; i++) {
        char words[VERDICT_WORDS_BYTES], line[sizeof words + sizeof points[i].name + 4];
        if (points[i].part == APP_THREAD) /* without a time of its own there is nothing to judge */
            continue;
        snprintf(line, sizeof line, "%s: %s.", points[i].name, verdict_words(&verdicts[i], &points[i], words));
        fputc('\n', out);
        wrap_fitted(line, "  ", out);
        print_advice(model, &points[i], &verdicts[i], out);
        print_stated(&points[i], out);
        if (points[i].origin[0])
            fprintf(out, "  Imported: %s.\n", points[i].origin);
        if (points[i].compiler[0])
            fprintf(out, "  Compiled: %s.\n", points[i].compiler);
    }
    report_doubts_print(doubts, out);
    free(verdicts);
}
