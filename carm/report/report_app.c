/* SPDX-License-Identifier: BSD-3-Clause
 * Programs as text: tables with verdicts, the instruction mix, and one screen. */
#include "report_app.h"
#include "report.h"
#include "report_thresholds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/kernels/doubt.h"
#include "bench/programs/annotation.h"
#include "bench/programs/app_points.h"
#include "carm/model/advice.h"
#include "carm/model/verdict_words.h"
#include "carm/store/fields.h"
#include "carm/store/result_fields.h"
#include "carm/store/shape.h"
#include "carm/text/table.h"
#include "probe/need.h"
#include "probe/text.h"
#include "render/page/text_stream.h"
#include "render/page/units.h"

/* The instruction mix as text and JSON: flop by type and width, classes of instructions. */

/* A row of the mix: name, count, share. */
static void add_share(struct table *table, const char *what, const char *width, uint64_t part, uint64_t whole) {
    char(*row)[TABLE_CELL_BYTES] = table_row(table);
    table_set(row, 0, "  %s%s%s", what, *width ? " " : "", width);
    table_set(row, 1, "%llu", (unsigned long long)part);
    table_set(row, 2, "%.1f %%", whole ? 100 * (double)part / (double)whole : 0);
}

static void add_operations(struct table *table, const char *type, const char *width, uint64_t operations) {
    char what[64];
    snprintf(what, sizeof what, "%s operations, no flop", type);
    add_share(table, what, width, operations, 0);
}

void report_mix_print(const struct app_point *points, size_t count, FILE *out) {
    for (size_t i = 0; i < count; i++) {
        const struct count *mix = &points[i].count;
        if (!points[i].has_count)
            continue;
        uint64_t flop = count_flop(mix);
        fprintf(out, "\n── %s: %llu flop, %llu instructions, %llu of them load and %llu store ──\n\n", points[i].name,
                (unsigned long long)flop, (unsigned long long)mix->instructions,
                (unsigned long long)mix->load_instructions, (unsigned long long)mix->store_instructions);
        struct table table = table_begin("lrr");
        table_head(&table, (const char *const[]){"flop", "", ""}, table.columns);
        for (enum count_type type = 0; type < COUNT_TYPES; type++)
            for (size_t width = 0; width < COUNT_WIDTHS; width++)
                if (mix->flop[type][width] && count_is_integer(type))
                    add_operations(&table, count_type_names[type], count_width_names[width], mix->flop[type][width]);
                else if (mix->flop[type][width])
                    add_share(&table, count_type_names[type], count_width_names[width], mix->flop[type][width], flop);
        if (mix->waiting_instructions)
            fprintf(out, "waiting, not included: %llu instructions, %llu bytes\n\n",
                    (unsigned long long)mix->waiting_instructions, (unsigned long long)mix->waiting_bytes);
        if (mix->fused_flop)
            add_share(&table, "by fused multiply-adds", "", mix->fused_flop, flop);
        if (mix->unfused_flop)
            add_share(&table, "by pairs that FMA could fuse", "", mix->unfused_flop, flop);
        if (mix->full_flop != flop)
            add_share(&table, "with all masked lanes", "", mix->full_flop, flop);
        table_head(&table, (const char *const[]){"instructions", "", ""}, table.columns);
        for (size_t class = 0; class < CLASS_COUNT; class ++)
            if (mix->mix[class])
                add_share(&table, effect_class_names[class], "", mix->mix[class], mix->instructions);
        table_print(&table, out);
    }
}

static void report_mix_add(json_t *list, const struct app_point *points, size_t count) {
    for (size_t i = 0; i < count; i++)
        shape_set_optional(json_array_get(list, i), "count",
                           shape_nullable(points[i].has_count || shape_wanted()
                                              ? fields_write(result_count_fields, &points[i].count)
                                              : json_null()));
}

json_t *report_app_json(const struct report_app *app) {
    const struct app_points *points = app->points;
    json_t *program = report_points_json(app->model, &points->program, 1),
           *parts = report_points_json(app->model, points->points, points->count);
    if (app->mix) {
        report_mix_add(program, &points->program, 1);
        report_mix_add(parts, points->points, points->count);
    }
    json_t *all =
        json_pack("{s:s,s:i,s:i,s:o,s:O,s:o}", "schema", "carmine.app/1", "runs", (int)app->runs, "exit_status",
                  app->exit_status, "notes", app->notes, "program", json_array_get(program, 0), "points", parts);
    if (points->course)
        shape_set_optional(all, "course", fields_write(result_course_fields, points->course));
    if (app->annotations)
        shape_set_optional(all, "annotations", annotations_json(app->annotations, app->annotation_count));
    json_decref(program);
    return all;
}

json_t *annotations_json(const struct annotation *annotations, size_t count) {
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, fields_write(result_annotation_fields, &annotations[i]));
    return list;
}

/* The rows of one of the tables of points; nothing without rows. */
static void report_app_print_table(enum point_table which, bool (*has)(const struct app_point *),
                                   const struct model *model, const struct app_point *points, size_t count, FILE *out) {
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

/* Stated amounts against executed ones. */
static void print_stated(const struct app_point *point, FILE *out) {
    char stated[UNITS_BYTES], executed[UNITS_BYTES];
    double flop = (double)count_flop(&point->count);
    double bytes = (double)(point->count.load_bytes + point->count.store_bytes);
    if (!point->has_count)
        return;
    if (point->flop_source == SOURCE_STATED)
        fprintf(out, "  It executes %s, %+.1f %% against the stated %s.\n",
                units_si_digits(executed, sizeof executed, flop, "flop", 5), 100 * (flop / point->flop.median - 1),
                units_si_digits(stated, sizeof stated, point->flop.median, "flop", 5));
    if (point->bytes_source == SOURCE_STATED)
        fprintf(out, "  It requests %s, %+.1f %% against the stated %s.\n",
                units_si_digits(executed, sizeof executed, bytes, "B", 5), 100 * (bytes / app_core_bytes(point) - 1),
                units_si_digits(stated, sizeof stated, app_core_bytes(point), "B", 5));
}

/* "4 at a time: 40 % running, 35 % locks, 25 % sleep (243 samples, one in 4.9 ms)"; "" if unknown. */
enum { REPORT_WAITS_BYTES = 512 };
static const char *report_waits_words(const struct app_point *point, char out[REPORT_WAITS_BYTES]) {
    const double LEAST = 0.005, all_s = waits_sum_s(&point->waits);
    char number[UNITS_BYTES];
    out[0] = '\0';
    if (!(all_s > 0))
        return out;
    text_append(out, REPORT_WAITS_BYTES,
                "%s at a time: ", units_number_digits(number, sizeof number, all_s / point->seconds.median, 2));
    const char *between = "";
    for (size_t kind = 0; kind < WAIT_KINDS; kind++) {
        const double share = 1e-9 * (double)point->waits.ns[kind] / all_s;
        if (share < LEAST)
            continue;
        text_append(out, REPORT_WAITS_BYTES, "%s%.0f %% %s", between, 100 * share, wait_kind_names[kind]);
        between = ", ";
    }
    text_append(out, REPORT_WAITS_BYTES, " (%u samples, one in %s)", point->waits.samples,
                units_seconds(number, sizeof number, point->waits.interval_s));
    return out;
}

static void print_waits(const struct app_point *point, FILE *out) {
    char line[REPORT_WAITS_BYTES + 32], words[REPORT_WAITS_BYTES];
    snprintf(line, sizeof line, "  Its threads, %s.", report_waits_words(point, words));
    if (*words)
        wrap_fitted(line, "    ", out);
}

/* On the first screen only if most threads wait, and the verdict does not say so. */
static void note_waits(const struct app_point *point, const struct verdict *verdict, const struct screen *screen) {
    const struct waits *waits = &point->waits;
    const double ran_s = 1e-9 * (double)(waits->ns[WAIT_RUNS] + waits->ns[WAIT_FAULTS] + waits->ns[WAIT_KERNEL]);
    char words[REPORT_WAITS_BYTES];
    if (waits->samples >= WAITS_LEAST_SAMPLES && verdict->idle_share == 0 && point->ranks == 0 &&
        2 * ran_s < waits_sum_s(waits))
        screen_note(screen, "Threads", "%s", report_waits_words(point, words));
}

/* The remedies, and their largest gains. */
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

/* A point's verdict in words, and what follows on lines of its own. */
struct said {
    char words[VERDICT_WORDS_BYTES];
    char *more; /* to be freed */
};

static struct said say(const struct model *model, const struct app_point *point, const struct verdict *verdict) {
    struct said said;
    size_t length;
    FILE *out = need_made(text_stream(&said.more, &length));
    verdict_words(verdict, point, said.words);
    print_advice(model, point, verdict, out);
    print_waits(point, out);
    print_stated(point, out);
    if (point->origin[0])
        fprintf(out, "  Imported: %s.\n", point->origin);
    if (point->compiler[0])
        fprintf(out, "  Compiled: %s.\n", point->compiler);
    if (!text_stream_close(out))
        need_end();
    return said;
}

/* What is the same of neighbours is said once. Threads have no time of their own, so they cannot be judged. */
static void say_points(const struct model *model, const struct app_point *points, const struct verdict *verdicts,
                       size_t count, FILE *out) {
    for (size_t i = 0, next; i < count; i = next) {
        char several[sizeof points[i].name + 64] = "";
        char line[sizeof points[i].name + sizeof several + VERDICT_WORDS_BYTES + 8];
        bool alike = true;
        next = i + 1;
        if (points[i].part == APP_THREAD)
            continue;
        const struct said said = say(model, &points[i], &verdicts[i]);
        while (alike && next < count && points[next].part != APP_THREAD) {
            const struct said other = say(model, &points[next], &verdicts[next]);
            alike = strcmp(said.words, other.words) == 0 && strcmp(said.more, other.more) == 0;
            next += alike;
            free(other.more);
        }
        if (next == i + 2)
            snprintf(several, sizeof several, " and %s", points[i + 1].name);
        else if (next > i + 2)
            snprintf(several, sizeof several, " to %s, %zu points", points[next - 1].name, next - i);
        snprintf(line, sizeof line, "%s%s: %s.", points[i].name, several, said.words);
        fputc('\n', out);
        wrap_fitted(line, "  ", out);
        fputs(said.more, out);
        free(said.more);
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
    report_app_print_table(TRAFFIC, has_traffic, model, points, count, out);
    report_levels_print(points, verdicts, count, out);
    report_app_print_table(MISSES, has_misses, model, points, count, out);
    report_app_print_table(CODE, has_code, model, points, count, out);
    report_app_print_table(THREADS, is_thread, model, points, count, out);
    report_app_print_table(RANKS, has_ranks, model, points, count, out);
    say_points(model, points, verdicts, count, out);
    report_doubts_print(doubts, out);
    free(verdicts);
}

/* One screen. */

/* "4: the slowest takes 1.54 times as long as the median one outside of MPI, …"; "" if nothing is known of ranks. */
enum { REPORT_RANKS_BYTES = 256 };

/* "4; prog/thread 2 does 1.31 times the flop of the median one"; "" for fewer than two. Returns `out`. */
enum { REPORT_THREADS_BYTES = 192 };

/* Share of the time, 0 to 1. */
static double report_app_mpi_share(const struct app_point *point) {
    const double share = point->seconds.median > 0 ? point->mpi_seconds.median / point->seconds.median : 0;
    return share < 1 ? share : 1;
}

static const char *report_ranks_words(const struct app_point *point, char out[REPORT_RANKS_BYTES]) {
    out[0] = '\0';
    if (point->ranks > 0)
        snprintf(out, REPORT_RANKS_BYTES, "%u", point->ranks);
    if (point->imbalance.n > 0)
        text_append(out, REPORT_RANKS_BYTES, "; the slowest takes %.2f times as long as the median one%s",
                    point->imbalance.median, point->mpi_seconds.n > 0 ? ", outside of MPI" : "");
    if (point->mpi_seconds.n > 0)
        text_append(out, REPORT_RANKS_BYTES, "%s%.0f %% of the time is in MPI%s", *out ? "; " : "",
                    100 * report_app_mpi_share(point),
                    point->mpi_instructions > 0 ? ", with instructions and bytes counted separately" : "");
    return out;
}

/* How many of the points are threads. */
static size_t report_threads_count(const struct app_point *points, size_t count) {
    size_t threads = 0;
    for (size_t i = 0; i < count; i++)
        threads += points[i].part == APP_THREAD;
    return threads;
}

static const char *report_threads_words(const struct app_point *points, size_t count, char out[REPORT_THREADS_BYTES]) {
    const size_t threads = report_threads_count(points, count);
    const struct app_point *most = NULL;
    out[0] = '\0';
    for (size_t i = 0; i < count; i++)
        if (points[i].part == APP_THREAD && (!most || points[i].imbalance.median > most->imbalance.median))
            most = &points[i];
    if (threads > 1 && most->imbalance.n > 0)
        snprintf(out, REPORT_THREADS_BYTES, "%zu; %s does %.2f times the %s of the median one", threads, most->name,
                 most->imbalance.median, most->flop.median > 0 ? "flop" : "instructions");
    return out;
}

enum { ROWS = 10, BAR_CELLS = 12, LINK_LINES = 2, MOST_ADVICE = 3 };
_Static_assert(ROWS > POINT_LINKS_MAX + LINK_LINES, "there is room for parts below the links");

const struct app_point *report_app_subject_of(const struct model *model, const struct app_point *points, size_t count) {
    const double least_share = report_thresholds.subject_least.value, most_share = report_thresholds.subject_most.value;
    const struct app_point *subject = points;
    if (verdict_find(model, points).idle_share > report_thresholds.subject_waits.value)
        return points;
    for (size_t i = 1; i < count; i++) {
        const struct app_point *point = &points[i];
        const double least_s = subject == points ? least_share * points->seconds.median : subject->seconds.median,
                     most_s = point->in_core.known ? INFINITY : most_share * points->seconds.median;
        if (point->part != APP_THREAD && point->rank == 0 && (point->flop.median > 0 || point->in_core.known) &&
            point->seconds.median > least_s && point->seconds.median < most_s &&
            point->levels.links >= points->levels.links)
            subject = point;
    }
    return subject;
}

/* "triad, 60 % of the time: memory-bound: at 82 % of the DRAM roof …" */
static void print_verdict(const struct verdict *verdict, const struct app_point *point, const struct app_point *program,
                          const struct screen *screen) {
    char words[VERDICT_WORDS_BYTES], share[48] = "", line[VERDICT_WORDS_BYTES + sizeof point->name + sizeof share + 4];
    if (point != program)
        snprintf(share, sizeof share, ", %.0f %% of the time", 100 * point->time_share);
    snprintf(line, sizeof line, "%s%s: %s", point->name, share, verdict_words(verdict, point, words));
    screen_say(screen, line, "   ");
}

static void report_app_set_rate(char (*row)[TABLE_CELL_BYTES], size_t column, double value, const char *unit) {
    char text[UNITS_BYTES];
    if (value > 0)
        table_set(row, column, "%s",
                  *unit ? units_column(text, sizeof text, value, unit) : units_number(text, sizeof text, value));
}

/* The time that each link of the program would need alone, with a bar of its share; nothing if unknown. */
static void report_app_print_links(const struct link_times *times, const struct app_point *point,
                                   const struct screen *screen) {
    struct table table = screen_table(screen, "lrrrrl", "001002");
    static const char *const NAMES[] = {"link", "bytes", "flop/B", "alone", "of its time", ""};
    table_head(&table, NAMES, table.columns);
    for (unsigned i = 0; i < times->count; i++) {
        const struct link_time *link = &times->link[i];
        char(*row)[TABLE_CELL_BYTES] = table_row(&table), text[REPORT_LEVELS_BYTES], bar[SCREEN_BAR_BYTES];
        table_set(row, 0, "%s", link->name);
        table_set(row, 1, "%s",
                  report_levels_bytes(&point->levels.link[i], report_thresholds.interval_first.value, text));
        report_app_set_rate(row, 2, link->flop_per_byte, "");
        if (!link->roof)
            continue;
        table_set(row, 3, "%s", units_seconds(text, sizeof text, link->seconds));
        table_set(row, 4, "%s", verdict_ratio_cell(link->share, text, sizeof text));
        table_set(row, 5, "%s", screen_bar(link->share, BAR_CELLS, bar));
    }
    table_print_section(&table, screen->out);
}

/* The three remedies with the largest gains. */
static void note_advice(const struct model *model, const struct app_point *point, const struct verdict *verdict,
                        const struct screen *screen) {
    struct advice advice[ADVICE_MAX];
    const size_t count = advice_find(model, point, verdict, advice);
    char text[UNITS_BYTES];
    for (size_t i = 0; i < count && i < MOST_ADVICE; i++)
        screen_note(screen, i == 0 ? "Faster" : "", "by up to %s: %s",
                    units_seconds(text, sizeof text, advice[i].seconds), advice[i].text);
}

static void report_app_print_doubts(const struct model *model, const struct app_point *points, size_t count,
                                    const struct screen *screen) {
    char names[512];
    struct doubts doubts = NO_DOUBTS;
    for (size_t i = 0; i < count; i++)
        doubts_join(&doubts, verdict_find(model, &points[i]).doubts);
    if (doubts_any(doubts))
        screen_note(screen, "Warning", "%s (why: --all)", doubt_names(doubts, names, sizeof names));
}

void report_note_table(const struct model *model, const struct app_point *points, size_t count,
                       const struct screen *screen) {
    for (size_t i = 0; i < count; i++) {
        if (!points[i].in_core.known || !verdict_find(model, &points[i]).loop.from_documents)
            continue;
        screen_note(screen, "Table", "%s: from documents, never measured on this core", points[i].in_core.core);
        return;
    }
}

static size_t room_below(const struct app_point *program) {
    const size_t links = program->levels.links;
    return links > 0 ? ROWS - links - LINK_LINES : ROWS;
}

/* The busiest threads, in order, and their imbalance. */
static void print_threads(const struct model *model, const struct app_point *points, size_t count,
                          const struct screen *screen) {
    struct column_walk to = columns_table(THREADS);
    double *work = need_calloc(count, sizeof *work);
    bool *chosen = need_calloc(count, sizeof *chosen);
    for (size_t i = 0; i < count; i++)
        work[i] = points[i].part == APP_THREAD ? points[i].imbalance.median : -INFINITY;
    const size_t shown = screen_choose(work, count, room_below(&points[0]), chosen);
    screen_fit(screen, &to.table);
    for (size_t i = 0; i < count; i++)
        if (chosen[i])
            report_points_row(&to, model, &points[i]);
    columns_print_section(&to, screen->out);
    if (report_threads_count(points, count) > shown)
        fprintf(screen->out, "… and %zu more threads\n", report_threads_count(points, count) - shown);
    free(work);
    free(chosen);
}

/* The longest parts, in their usual order; single ranks if there is room for all. Threads have their own table. */
static size_t report_app_add_points(struct column_walk *to, const struct model *model, const struct app_point *points,
                                    size_t count) {
    const size_t room = room_below(&points[0]);
    double *seconds = need_calloc(count, sizeof *seconds);
    bool *chosen = need_calloc(count, sizeof *chosen);
    for (size_t i = 0; i < count; i++)
        seconds[i] =
            (count > room && points[i].rank > 0) || points[i].part == APP_THREAD ? -INFINITY : points[i].seconds.median;
    const size_t shown = screen_choose(seconds, count, room, chosen);
    for (size_t i = 0; i < count; i++)
        if (chosen[i])
            report_points_row(to, model, &points[i]);
    free(seconds);
    free(chosen);
    return shown;
}

static enum point_table report_app_table_of(const struct app_point *points, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (points[i].part == APP_LOOP || points[i].part == APP_PHASE)
            return points[i].part == APP_LOOP ? ANSWER_LOOPS : ANSWER_PHASES;
    return ANSWER;
}

void app_answer_print(const struct model *model, const struct app_point *points, size_t count,
                      const struct screen *screen) {
    char ranks[REPORT_RANKS_BYTES], threads[REPORT_THREADS_BYTES];
    const size_t thread_count = report_threads_count(points, count);
    struct column_walk to = columns_table(report_app_table_of(points, count));
    screen_fit(screen, &to.table);
    const struct app_point *subject = report_app_subject_of(model, points, count);
    const struct verdict verdict = verdict_find(model, subject);
    print_verdict(&verdict, subject, &points[0], screen);
    report_app_print_links(&verdict.times, subject, screen);
    const size_t shown = report_app_add_points(&to, model, points, count);
    columns_print_section(&to, screen->out);
    if (count - thread_count > shown)
        fprintf(screen->out, "… and %zu more\n", count - thread_count - shown);
    if (thread_count > 0)
        print_threads(model, points, count, screen);
    fputc('\n', screen->out);
    if (*report_threads_words(points, count, threads))
        screen_note(screen, "Threads", "%s", threads);
    if (*report_ranks_words(&points[0], ranks))
        screen_note(screen, "Ranks", "%s", ranks);
    note_waits(&points[0], &verdict, screen);
    note_advice(model, subject, &verdict, screen);
    report_note_table(model, points, count, screen);
    report_app_print_doubts(model, points, count, screen);
}
