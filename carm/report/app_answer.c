/* SPDX-License-Identifier: BSD-3-Clause
 * The one screen of a program (see app_answer.h). */
#include "app_answer.h"
#include "report_app.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/kernels/doubt.h"
#include "carm/model/advice.h"
#include "carm/model/model.h"
#include "carm/model/verdict_words.h"
#include "probe/need.h"
#include "render/page/units.h"

/* Programs of several ranks or threads: how even these are, what they spend in MPI, and what passed over each thread's
 * links.
 *
 * Ranks and MPI, and threads. */

/* "4: the slowest takes 1.54 times as long as the median one outside of MPI, …"; "" where nothing is known of them. */
enum { REPORT_RANKS_BYTES = 256 };

/* "4; prog/thread 2 does 1.31 times the flop of the median one"; "" where there are less than two. Returns `out`. */
enum { REPORT_THREADS_BYTES = 192 };

/* Of the time, 0 to 1. */
static double mpi_share(const struct app_point *point) {
    const double share = point->seconds.median > 0 ? point->mpi_seconds.median / point->seconds.median : 0;
    return share < 1 ? share : 1;
}

static const char *report_ranks_words(const struct app_point *point, char out[REPORT_RANKS_BYTES]) {
    size_t length = 0;
    out[0] = '\0';
    if (point->ranks > 0)
        length += (size_t)snprintf(out, REPORT_RANKS_BYTES, "%u", point->ranks);
    if (point->imbalance.n > 0)
        length += (size_t)snprintf(out + length, REPORT_RANKS_BYTES - length,
                                   "; the slowest takes %.2f times as long as the median one%s",
                                   point->imbalance.median, point->mpi_seconds.n > 0 ? ", outside of MPI" : "");
    if (point->mpi_seconds.n > 0)
        length +=
            (size_t)snprintf(out + length, REPORT_RANKS_BYTES - length, "%s%.0f %% of the time is in MPI%s",
                             length ? "; " : "", 100 * mpi_share(point),
                             point->mpi_instructions > 0 ? ", whose instructions and bytes are counted apart" : "");
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

/* "triad: memory-bound: at 82 % of the DRAM roof …" */
static void print_verdict(const struct verdict *verdict, const struct app_point *point, const struct screen *screen) {
    char words[VERDICT_WORDS_BYTES], line[VERDICT_WORDS_BYTES + sizeof point->name + 4];
    snprintf(line, sizeof line, "%s: %s", point->name, verdict_words(verdict, point, words));
    screen_say(screen, line, "   ");
}

static void set_rate(char (*row)[TABLE_CELL_BYTES], size_t column, double value, const char *unit) {
    char text[UNITS_BYTES];
    if (value > 0)
        table_set(row, column, "%s",
                  *unit ? units_column(text, sizeof text, value, unit) : units_number(text, sizeof text, value));
}

/* What each link of the program would need alone, with a bar of its share; nothing where that is not known. */
static void print_links(const struct link_times *times, const struct screen *screen) {
    struct table table = screen_table(screen, "lrrrrl", "001002");
    static const char *const NAMES[] = {"link", "bytes", "flop/B", "alone", "of its time", ""};
    table_head(&table, NAMES, table.columns);
    for (unsigned i = 0; i < times->count; i++) {
        const struct link_time *link = &times->link[i];
        char(*row)[TABLE_CELL_BYTES] = table_row(&table), text[UNITS_BYTES], bar[SCREEN_BAR_BYTES];
        table_set(row, 0, "%s", link->name);
        table_set(row, 1, "%s", units_si(text, sizeof text, link->bytes, "B"));
        set_rate(row, 2, link->flop_per_byte, "");
        if (!link->roof)
            continue;
        table_set(row, 3, "%s", units_seconds(text, sizeof text, link->seconds));
        table_set(row, 4, "%s", verdict_ratio_cell(link->share, text, sizeof text));
        table_set(row, 5, "%s", screen_bar(link->share, BAR_CELLS, screen->terminal->unicode, bar));
    }
    table_print_section(&table, screen->out);
}

/* The three remedies that save most. */
static void print_advice(const struct model *model, const struct app_point *point, const struct verdict *verdict,
                         const struct screen *screen) {
    struct advice advice[ADVICE_MAX];
    const size_t count = advice_find(model, point, verdict, advice);
    char text[UNITS_BYTES];
    for (size_t i = 0; i < count && i < MOST_ADVICE; i++)
        screen_note(screen, i == 0 ? "Faster" : "", "by up to %s: %s",
                    units_seconds(text, sizeof text, advice[i].seconds), advice[i].text);
}

static void print_doubts(const struct model *model, const struct app_point *points, size_t count,
                         const struct screen *screen) {
    char names[512];
    struct doubts doubts = NO_DOUBTS;
    for (size_t i = 0; i < count; i++)
        doubts_join(&doubts, verdict_find(model, &points[i]).doubts);
    if (doubts_any(doubts))
        screen_note(screen, "Doubts", "%s (why: --all)", doubt_names(doubts, names, sizeof names));
}

static size_t room_below(const struct app_point *program) {
    const size_t links = program->levels.links;
    return links > 0 ? ROWS - links - LINK_LINES : ROWS;
}

/* Those that do most, in their order; and how uneven they are. */
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

/* The parts that took the longest, in their usual order; single ranks where there is room for all. Threads have a table
 * of their own. */
static size_t add_points(struct column_walk *to, const struct model *model, const struct app_point *points,
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

static bool has_loops(const struct app_point *points, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (points[i].part == APP_LOOP)
            return true;
    return false;
}

void app_answer_print(const struct model *model, const struct app_point *points, size_t count,
                      const struct screen *screen) {
    char ranks[REPORT_RANKS_BYTES], threads[REPORT_THREADS_BYTES];
    const size_t thread_count = report_threads_count(points, count);
    struct column_walk to = columns_table(has_loops(points, count) ? ANSWER_LOOPS : ANSWER);
    screen_fit(screen, &to.table);
    const struct verdict verdict = verdict_find(model, &points[0]);
    print_verdict(&verdict, &points[0], screen);
    print_links(&verdict.times, screen);
    const size_t shown = add_points(&to, model, points, count);
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
    print_advice(model, &points[0], &verdict, screen);
    print_doubts(model, points, count, screen);
}
