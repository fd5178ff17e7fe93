/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks and MPI, and threads (see report_ranks.h). */
#include "report_ranks.h"

#include "carm/model/link_times.h"
#include "render/page/units.h"

/* Of the time, 0 to 1. */
static double mpi_share(const struct app_point *point) {
    const double share = point->seconds.median > 0 ? point->mpi_seconds.median / point->seconds.median : 0;
    return share < 1 ? share : 1;
}

static void add_row(struct table *table, const struct app_point *point) {
    char(*row)[TABLE_CELL_BYTES] = table_row(table), text[UNITS_BYTES];
    table_set(row, 0, "%s", point->name);
    if (point->ranks > 0 && point->rank == 0)
        table_set(row, 1, "%u", point->ranks);
    if (point->imbalance.n > 0)
        table_set(row, 2, "%.2f", point->imbalance.median);
    if (point->mpi_seconds.n > 0) {
        table_set(row, 3, "%s", units_seconds(text, sizeof text, point->mpi_seconds.median));
        table_set(row, 4, "%.0f %%", 100 * mpi_share(point));
    }
    if (point->mpi_calls > 0)
        table_set(row, 5, "%llu", (unsigned long long)point->mpi_calls);
    if (point->mpi_instructions > 0) {
        table_set(row, 6, "%s", units_si(text, sizeof text, (double)point->mpi_instructions, ""));
        table_set(row, 7, "%s", units_si(text, sizeof text, (double)point->mpi_bytes, "B"));
    }
}

void report_ranks_print(const struct app_point *points, size_t count, FILE *out) {
    static const char *const NAMES[] = {"ranks and MPI", "ranks", "imbalance",    "in MPI",
                                        "share",         "calls", "instructions", "loaded and stored"};
    struct table table = table_begin("lrrrrrrr");
    table_head(&table, NAMES, table.columns);
    for (size_t i = 0; i < count; i++)
        if (points[i].ranks > 0 || points[i].mpi_calls > 0)
            add_row(&table, &points[i]);
    table_print_section(&table, out);
}

const char *report_ranks_words(const struct app_point *point, char out[REPORT_RANKS_BYTES]) {
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

static json_t *count_json(bool known, uint64_t value) {
    return known ? json_integer((json_int_t)value) : json_null();
}

static json_t *median_json(const struct statistics *s) {
    return s->n > 0 ? json_real(s->median) : json_null();
}

void report_ranks_json(json_t *object, const struct app_point *point) {
    const bool called = point->mpi_calls > 0, counted = point->mpi_instructions > 0;
    json_object_set_new(object, "ranks", count_json(point->ranks > 0, point->ranks));
    json_object_set_new(object, "rank", count_json(point->rank > 0, point->rank - 1));
    json_object_set_new(object, "imbalance", median_json(&point->imbalance));
    json_object_set_new(object, "mpi_seconds", median_json(&point->mpi_seconds));
    json_object_set_new(object, "mpi_calls", count_json(called, point->mpi_calls));
    json_object_set_new(object, "mpi_instructions", count_json(counted, point->mpi_instructions));
    json_object_set_new(object, "mpi_bytes", count_json(counted, point->mpi_bytes));
}

enum { BEFORE_LINKS = 4 };

size_t report_threads_count(const struct app_point *points, size_t count) {
    size_t threads = 0;
    for (size_t i = 0; i < count; i++)
        threads += points[i].part == APP_THREAD;
    return threads;
}

/* Of any of them, since all are of the same simulated caches. */
static struct link_times links_of(const struct model *model, const struct app_point *points, size_t count) {
    struct link_times times = {.count = 0};
    for (size_t i = 0; i < count && times.count == 0; i++)
        if (points[i].part == APP_THREAD)
            times = link_times_find(model, &points[i]);
    return times;
}

static void add_thread(struct table *table, const struct app_point *point) {
    char(*row)[TABLE_CELL_BYTES] = table_row(table), text[UNITS_BYTES];
    table_set(row, 0, "%s", point->name);
    if (point->flop.median > 0)
        table_set(row, 1, "%s", units_si(text, sizeof text, point->flop.median, "flop"));
    if (point->imbalance.n > 0)
        table_set(row, 2, "%.2f", point->imbalance.median);
    table_set(row, 3, "%s", units_si(text, sizeof text, (double)point->count.instructions, ""));
    for (unsigned i = 0; i < point->levels.links; i++)
        table_set(row, BEFORE_LINKS + i, "%s",
                  units_si(text, sizeof text, point_link_bytes(&point->levels.link[i]), "B"));
}

void report_threads_fill(struct table *table, const struct model *model, const struct app_point *points, size_t count,
                         const bool *chosen) {
    const struct link_times times = links_of(model, points, count);
    const char *names[BEFORE_LINKS + POINT_LINKS_MAX] = {"threads", "flop", "of median", "instructions"};
    for (unsigned i = 0; i < times.count; i++)
        names[BEFORE_LINKS + i] = times.link[i].name;
    for (unsigned i = times.count; i < POINT_LINKS_MAX; i++)
        names[BEFORE_LINKS + i] = "";
    table->brief = true;
    table_head(table, names, table->columns);
    for (size_t i = 0; i < count; i++)
        if (points[i].part == APP_THREAD && (!chosen || chosen[i]))
            add_thread(table, &points[i]);
}

void report_threads_print(const struct model *model, const struct app_point *points, size_t count, FILE *out) {
    struct table table = table_begin(REPORT_THREADS_ALIGNMENT);
    table.order = REPORT_THREADS_ORDER;
    report_threads_fill(&table, model, points, count, NULL);
    table_print_section(&table, out);
}

const char *report_threads_words(const struct app_point *points, size_t count, char out[REPORT_THREADS_BYTES]) {
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
