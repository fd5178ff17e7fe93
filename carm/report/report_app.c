/* SPDX-License-Identifier: BSD-3-Clause
 * Applications as text (see report_app.h). */
#include "report_app.h"
#include "report.h"
#include "report_doubts.h"
#include "report_levels.h"

#include <stdlib.h>

#include "carm/model/advice.h"
#include "carm/model/verdict_words.h"
#include "carm/text/wrap.h"
#include "probe/need.h"
#include "render/page/units.h"

/* The rows that one of the tables of points has: nothing where there are none. */
static void print_table(enum point_table which, bool (*has)(const struct app_point *), const struct model *model,
                        const struct app_point *points, size_t count, FILE *out) {
    struct column_walk to = columns_table(which);
    to.table.brief = which == CODE || which == THREADS;
    for (size_t i = 0; i < count; i++)
        if (has(&points[i]))
            report_points_row(&to, model, &points[i]);
    columns_print_section(&to, out);
}

static bool has_traffic(const struct app_point *point) {
    return point->dram_source != SOURCE_UNKNOWN;
}
static bool has_misses(const struct app_point *point) {
    return point->tlb_misses.n > 0;
}
static bool has_code(const struct app_point *point) {
    return point->part == APP_LOOP || point->part == APP_LINE;
}
static bool is_thread(const struct app_point *point) {
    return point->part == APP_THREAD;
}
static bool has_ranks(const struct app_point *point) {
    return point->ranks > 0 || point->mpi_calls > 0;
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
    struct doubts doubts = NO_DOUBTS;
    if (count == 0)
        return;
    struct verdict *verdicts = need_calloc(count, sizeof *verdicts);
    struct column_walk to = columns_table(SHOW);
    to.table.brief = true;
    for (size_t i = 0; i < count; i++) {
        verdicts[i] = verdict_find(model, &points[i]);
        columns_row(&to);
        report_point_columns(&to, model, &points[i], &verdicts[i]);
        doubts_join(&doubts, verdicts[i].doubts);
    }
    columns_print(&to, out);
    print_table(TRAFFIC, has_traffic, model, points, count, out);
    report_levels_print(points, verdicts, count, out);
    print_table(MISSES, has_misses, model, points, count, out);
    print_table(CODE, has_code, model, points, count, out);
    print_table(THREADS, is_thread, model, points, count, out);
    print_table(RANKS, has_ranks, model, points, count, out);
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
