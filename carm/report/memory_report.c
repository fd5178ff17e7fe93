/* SPDX-License-Identifier: BSD-3-Clause
 * The memory system under load: a table of each part, whose rows text, JSON and the answer share, and the rows of CSV;
 * memory_words.c has the sentences. */
#include "memory_report.h"
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/kernels/doubt.h"
#include "carm/model/describe.h"
#include "carm/store/results.h"
#include "carm/store/shape.h"
#include "carm/text/or_null.h"
#include "carm/text/columns.h"
#include "probe/need.h"
#include "probe/text.h"
#include "render/page/text_stream.h"
#include "render/page/units.h"

enum { MOST_WRITES = 512, ANSWER_ROWS = 24, BUS_BYTES = 2 * UNITS_BYTES + 8 };

/* A measured value: a point of a series, or one direction and kind of a pair. */
struct memory_value {
    const struct memory_series *series;
    const struct memory_point *point;
    const struct handover *pair;
    bool by_store;
    int owner; /* 0: the first CPU touched the page first */
};

static void number_columns(struct column_walk *to, struct memory_number number, const char *const keys[3],
                           unsigned char place) {
    const double values[] = {number.value, number.low, number.high};
    for (int i = 0; i < 3; i++)
        column(to, cell_number(number.value > 0, values[i]), .key = keys[i], .csv = place, .json = place,
               .csv_digits = 5, .optional = true);
}

/* What was measured, in CSV only. */
static void subject_columns(struct column_walk *to, const struct memory_value *value) {
    const struct memory_series *series = value->series;
    const struct handover *pair = value->pair;
    column(to, cell_text(memory_part_names[series ? series->part : MEMORY_CORES]), .key = "part", .csv = 1);
    column(to, cell_text(series ? series->level : ""), .key = "level", .csv = 2);
    column(to, cell_text(series ? series->kernel : value->by_store ? "store" : "swap"), .key = "name", .csv = 3);
    column(to, cell_amount(series && series->threads, series ? series->threads : 0), .key = "threads", .csv = 4);
    column(to, cell_place(series ? series->node : 0), .key = "node", .csv = 5);
    column(to, cell_place(series ? series->memory_node : 0), .key = "memory_node", .csv = 6);
    column(to, cell_amount(series && series->page_bytes, series ? (double)series->page_bytes : 0), .key = "page_bytes",
           .csv = 7);
    column(to, cell_amount(pair, pair ? pair->first : 0), .key = "first_cpu", .csv = 9);
    column(to, cell_amount(pair, pair ? pair->second : 0), .key = "second_cpu", .csv = 10);
    column(to,
           cell_amount(pair, !pair          ? 0
                             : value->owner ? pair->second
                                            : pair->first),
           .key = "touched_by", .csv = 11);
    column(to, cell_text(pair ? pair->shares : ""), .key = "shares", .csv = 12);
}

static void memory_report_value_columns(struct column_walk *to, const struct memory_value *value) {
    static const char *const LATENCY[] = {"latency_s", "latency_low_s", "latency_high_s"}, *const RATE[] = {
                                                                                               "bytes_per_s",
                                                                                               "bytes_per_s_low",
                                                                                               "bytes_per_s_high"};
    const struct memory_point *point = value->point;
    const struct handover *pair = value->pair;
    const bool idle = point && value->series->part == MEMORY_LOADED && point->setting >= MEMORY_IDLE;
    subject_columns(to, value);
    column(to, cell_amount(point && !idle, point ? point->setting : 0), .key = "setting", .csv = 8, .json = 1);
    number_columns(to,
                   point             ? point->latency_s
                   : value->by_store ? pair->store_s[value->owner]
                                     : pair->swap_s[value->owner],
                   LATENCY, 13);
    number_columns(to, point ? point->bytes_per_s : (struct memory_number){0}, RATE, 14);
    column(to, cell_amount(point, point ? point->visits : 0), .key = "visits", .csv = 15, .json = 15);
    column(to, cell_doubts(point ? point->doubts : pair->doubts), .key = "doubts", .csv = 16, .json = 16);
}

static json_t *memory_report_points_json(const struct memory_series *series) {
    json_t *list = json_array();
    for (size_t i = 0; i < series->count; i++) {
        struct column_walk to = columns_json();
        memory_report_value_columns(&to, &(struct memory_value){.series = series, .point = &series->points[i]});
        json_array_append_new(list, columns_end_json(&to));
    }
    return list;
}

static void points_column(struct column_walk *to, const struct memory_series *series) {
    if (to->form == COLUMNS_JSON)
        column(to, cell_json(memory_report_points_json(series)), .key = "points", .json = 90);
}

/* The i-th series of a part; NULL: there are fewer. */
static const struct memory_series *series_at(const struct result *result, enum memory_part part, size_t i) {
    for (size_t k = 0; k < result->memory.series_count; k++) {
        const struct memory_series *series = &result->memory.series[k];
        if (series->part == part && (part != MEMORY_PAGES || memory_is_paged(series)) && i-- == 0)
            return series;
    }
    return NULL;
}

/* "≥ 18.9 GB/s" */
static const char *at_least(bool is_least, double value, const char *unit, char out[UNITS_BYTES + 8]) {
    char number[UNITS_BYTES];
    snprintf(out, UNITS_BYTES + 8, "%s%s", is_least ? "≥ " : "",
             unit ? units_si(number, sizeof number, value, unit)
                  : units_number_digits(number, sizeof number, value, 2));
    return isfinite(value) ? out : "";
}

static void loaded_columns(struct column_walk *to, const struct result *result, size_t i) {
    static const char *const TITLES[] = {"50 %", "80 %", "90 %"}, *const KEYS[] = {"latency_50_s", "latency_80_s",
                                                                                   "latency_90_s"};
    const struct memory_series *series = series_at(result, MEMORY_LOADED, i);
    char traffic[DESCRIBE_TRAFFIC_BYTES], place[DESCRIBE_PLACE_BYTES], usable[UNITS_BYTES + 8];
    struct loaded_curve curve;
    memory_loaded(result, series, &curve);
    column(to, cell_text(describe_traffic(series->kernel, traffic)), .title = "beside", .text = {STAYS});
    column(to, cell_text(series->kernel), .key = "name", .json = 1);
    column(to, cell_amount(true, series->threads), .title = "loaders", .key = "threads", .format = COLUMN_WHOLE,
           .text = {3}, .json = 2);
    column(to, cell_text(series->level), .title = "in", .key = "level", .text = {STAYS}, .json = 3);
    column(to, cell_text(describe_memory_place(series, place)), .title = "", .text = {STAYS});
    column(to, cell_place(series->node), .key = "node", .json = 4, .optional = true);
    column(to, cell_place(series->memory_node), .key = "memory_node", .json = 5, .optional = true);
    column(to, cell_amount(true, (double)series->page_bytes), .key = "page_bytes", .json = 5);
    column(to, cell_positive(curve.idle_s.value), .title = "idle", .key = "idle_s", .format = COLUMN_ALIGNED,
           .unit = "s", .text = {STAYS}, .json = 6);
    for (int k = 0; k < LOADED_SHARES; k++)
        column(to, cell_number(true, curve.latency_s[k]), .title = TITLES[k], .key = KEYS[k], .format = COLUMN_ALIGNED,
               .unit = "s", .text = {k == 0 ? 1 : STAYS}, .json = 7);
    column(to, cell_positive(curve.roof_bytes_per_s), .title = "of", .key = "roof_bytes_per_s",
           .format = COLUMN_ALIGNED, .unit = "B/s", .text = {4}, .json = 8);
    column(to, cell_bool(true, curve.roof_is_measured), .key = "roof_is_measured", .json = 9);
    column(to, cell_number(true, curve.knee_bytes_per_s), .title = "knee", .key = "knee_bytes_per_s",
           .format = COLUMN_ALIGNED, .unit = "B/s", .text = {1}, .json = 10);
    column(to, cell_number(true, curve.knee_latency_s), .key = "knee_latency_s", .json = 11);
    column(to,
           cell_read(cell_number(true, curve.usable_bytes_per_s),
                     at_least(curve.usable_is_end, curve.usable_bytes_per_s, "B/s", usable)),
           .title = "usable", .key = "usable_bytes_per_s", .format = COLUMN_SI, .unit = "B/s", .text = {2}, .json = 12);
    column(to, cell_bool(true, curve.usable_is_end), .key = "usable_is_end", .json = 13);
    column(to, cell_number(true, curve.end_bytes_per_s), .title = "end", .key = "end_bytes_per_s",
           .format = COLUMN_ALIGNED, .unit = "B/s", .text = {STAYS}, .json = 14);
    column(to, cell_number(true, curve.end_latency_s), .title = "", .key = "end_latency_s", .format = COLUMN_ALIGNED,
           .unit = "s", .text = {1}, .json = 15);
    column(to, cell_bool(true, curve.ends_at_loaders), .key = "ends_at_loaders", .json = 16);
    column(to, cell_bool(true, curve.falls), .key = "falls", .json = 17);
    column(to, cell_bool(true, curve.latency_falls), .key = "latency_falls", .json = 18);
    points_column(to, series);
}

static void parallel_columns(struct column_walk *to, const struct result *result, size_t i) {
    const struct memory_series *series = series_at(result, MEMORY_PARALLEL, i);
    char lines[UNITS_BYTES + 8], level[40], pages[DESCRIBE_PAGES_BYTES];
    struct parallel_curve curve;
    memory_parallel(series, machine_line_bytes(&result->machine), &curve);
    snprintf(level, sizeof level, "%s%s", series->level,
             describe_pages(memory_has_small_pages(series), series->page_bytes, pages));
    column(to, cell_text(level), .title = "chases in", .text = {STAYS});
    column(to, cell_text(series->level), .key = "level", .json = 1);
    column(to, cell_amount(true, (double)series->page_bytes), .key = "page_bytes", .json = 1);
    column(to, cell_positive(curve.latency_s.value), .title = "latency", .key = "latency_s", .format = COLUMN_ALIGNED,
           .unit = "s", .text = {STAYS}, .json = 2);
    column(to, cell_read(cell_positive(curve.lines), at_least(curve.is_end, curve.lines, NULL, lines)),
           .title = "lines in flight", .key = "lines", .format = COLUMN_NUMBER, .text = {STAYS}, .json = 3);
    column(to, cell_positive(curve.lines_low), .key = "lines_low", .json = 4);
    column(to, cell_positive(curve.lines_high), .key = "lines_high", .json = 5);
    column(to, cell_positive(curve.bytes_per_s.value), .title = "bandwidth", .key = "bytes_per_s",
           .format = COLUMN_ALIGNED, .unit = "B/s", .text = {STAYS}, .json = 6);
    column(to, cell_amount(curve.saturates_at > 0, curve.saturates_at), .title = "by chases", .key = "saturates_at",
           .format = COLUMN_WHOLE, .text = {STAYS}, .json = 7);
    column(to, cell_bool(true, curve.is_end), .key = "is_end", .json = 8);
    points_column(to, series);
}

static size_t count_clusters(const struct result *result) {
    struct memory_cluster clusters[MEMORY_MOST_CLUSTERS];
    return memory_clusters(&result->memory, clusters);
}

static void cluster_columns(struct column_walk *to, const struct result *result, size_t i) {
    struct memory_cluster clusters[MEMORY_MOST_CLUSTERS];
    memory_clusters(&result->memory, clusters);
    const struct memory_cluster *one = &clusters[i];
    column(to, cell_text(one->name), .title = "a line within", .key = "name", .text = {STAYS}, .json = 1);
    column(to, cell_amount(true, (double)one->pair_count), .title = "pairs", .key = "pairs", .format = COLUMN_WHOLE,
           .text = {STAYS}, .json = 2);
    column(to, cell_positive(one->swap_s.median), .title = "by swap", .key = "swap_s", .format = COLUMN_ALIGNED,
           .unit = "s", .text = {STAYS}, .json = 3);
    column(to, cell_positive(one->store_s.median), .title = "by store", .key = "store_s", .format = COLUMN_ALIGNED,
           .unit = "s", .text = {STAYS}, .json = 4);
    column(to, cell_positive(one->swap_s.min), .title = "swap, least", .key = "swap_min_s", .format = COLUMN_ALIGNED,
           .unit = "s", .text = {1}, .json = 5);
    column(to, cell_positive(one->swap_s.max), .title = "most", .key = "swap_max_s", .format = COLUMN_ALIGNED,
           .unit = "s", .text = {1}, .json = 6);
    column(to, cell_amount(true, (double)one->asymmetric), .title = "asymmetric", .key = "asymmetric",
           .format = COLUMN_WHOLE, .text = {STAYS}, .json = 7);
}

/* "42.6 GB/s"; "20.0 to 40.0 GB/s" */
static const char *bus_text(const struct memory_write *write, char out[BUS_BYTES]) {
    char least[UNITS_BYTES], most[UNITS_BYTES];
    units_column(most, sizeof most, write->bus_most_bytes_per_s, "B/s");
    units_column(least, sizeof least, write->bus_least_bytes_per_s, "B/s");
    snprintf(out, BUS_BYTES, "%s%s%s", strcmp(least, most) == 0 ? "" : least, strcmp(least, most) == 0 ? "" : " to ",
             most);
    return out;
}

static size_t count_writes(const struct result *result) {
    struct memory_write *writes = need_calloc(MOST_WRITES, sizeof *writes);
    const size_t count = memory_writes(result, writes, MOST_WRITES);
    free(writes);
    return count;
}

static void write_columns(struct column_walk *to, const struct result *result, size_t i) {
    struct memory_write *writes = need_calloc(i + 1, sizeof *writes);
    char bus[BUS_BYTES], evaded[48] = "", name[64];
    memory_writes(result, writes, i + 1);
    const struct memory_write *write = &writes[i];
    const double least = 100 * write->evaded_least, most = 100 * write->evaded_most;
    if (isfinite(least) && most - least < 1)
        snprintf(evaded, sizeof evaded, "%.0f %%", least);
    else if (isfinite(least))
        snprintf(evaded, sizeof evaded, "%.0f to %.0f %%", least, most);
    snprintf(name, sizeof name, "%.40s%s", write->series->kernel, write->zeros ? ", zeros" : "");
    column(to, cell_text(name), .title = "stores", .text = {STAYS});
    column(to, cell_text(write->series->kernel), .key = "name", .json = 1);
    column(to, cell_text(write->series->level), .key = "level", .json = 2);
    column(to, cell_amount(true, write->point->setting), .title = "threads", .key = "threads", .format = COLUMN_WHOLE,
           .text = {STAYS}, .json = 3);
    column(to, cell_positive(write->point->bytes_per_s.value), .title = "requested", .key = "bytes_per_s",
           .format = COLUMN_ALIGNED, .unit = "B/s", .text = {STAYS}, .json = 4);
    column(to, cell_text(bus_text(write, bus)), .title = "on the bus", .text = {STAYS}, .right = true);
    column(to, cell_number(true, write->bus_least_bytes_per_s), .key = "bus_least_bytes_per_s", .json = 5);
    column(to, cell_number(true, write->bus_most_bytes_per_s), .key = "bus_most_bytes_per_s", .json = 6);
    column(to, cell_text(evaded), .title = "evaded", .text = {STAYS}, .right = true);
    column(to, cell_number(true, write->evaded_least), .key = "evaded_least", .json = 7);
    column(to, cell_number(true, write->evaded_most), .key = "evaded_most", .json = 8);
    column(to, cell_bool(true, write->zeros), .key = "zeros", .json = 9);
    free(writes);
}

/* Random lines with pages of this size, bytes/s; 0: not measured. */
static double random_rate(const struct result *result, const struct memory_series *of) {
    double rate = 0;
    for (size_t i = 0; i < result->memory.series_count; i++) {
        const struct memory_series *series = &result->memory.series[i];
        for (size_t k = 0; k < series->count && series->part == MEMORY_PAGES && series->page_bytes == of->page_bytes;
             k++)
            if (!(series->points[k].setting > 0))
                rate = fmax(rate, series->points[k].bytes_per_s.value);
    }
    return rate;
}

static void page_columns(struct column_walk *to, const struct result *result, size_t i) {
    static const struct {
        const char *reach, *reach_key, *cost, *cost_key;
    } TLBS[] = {{"first TLB", "first_pages", NULL, "first_s"},
                {"second TLB", "second_pages", "adds", "second_s"},
                {"third TLB", "third_pages", "adds", "third_s"}};
    const struct memory_series *series = series_at(result, MEMORY_PAGES, i);
    char text[UNITS_BYTES + 8];
    struct memory_reach reach;
    const bool known = memory_reach(series, memory_same_lines(result, series), &reach);
    column(to, cell_amount(true, (double)series->page_bytes), .title = "pages of", .key = "page_bytes",
           .format = COLUMN_BINARY, .text = {STAYS}, .json = 1);
    for (unsigned k = 0; k < 3; k++) {
        const bool has = known && k < reach.level_count;
        const unsigned char text_rank = k < 2 ? STAYS : 0;
        snprintf(text, sizeof text, "%s%.0f", has && reach.reach_is_end[k] ? "≥ " : "", has ? reach.reach_pages[k] : 0);
        column(to, cell_read(cell_amount(has, reach.reach_pages[k]), has ? text : ""), .title = TLBS[k].reach,
               .key = TLBS[k].reach_key, .format = COLUMN_WHOLE, .text = {text_rank}, .json = 2, .optional = k == 2);
        column(to, cell_number(has && k > 0, reach.cost_s[k]), .title = "adds", .key = TLBS[k].cost_key,
               .format = COLUMN_ALIGNED, .unit = "s", .text = {k == 1 ? STAYS : 0}, .json = 3, .optional = k != 1);
    }
    column(to, cell_number(known, reach.walk_s), .title = "a walk", .key = "walk_s", .format = COLUMN_ALIGNED,
           .unit = "s", .text = {STAYS}, .json = 4);
    column(to, cell_positive(random_rate(result, series)), .title = "random lines", .key = "random_bytes_per_s",
           .format = COLUMN_ALIGNED, .unit = "B/s", .text = {STAYS}, .json = 5);
    points_column(to, series);
}

/* The rows of each part. No function: they are the series of the part. */
static const struct memory_table {
    size_t (*count)(const struct result *result);
    void (*put)(struct column_walk *to, const struct result *result, size_t i);
} TABLES[MEMORY_PARTS] = {
    [MEMORY_LOADED] = {NULL, loaded_columns},
    [MEMORY_PARALLEL] = {NULL, parallel_columns},
    [MEMORY_CORES] = {count_clusters, cluster_columns},
    [MEMORY_WRITES] = {count_writes, write_columns},
    [MEMORY_PAGES] = {NULL, page_columns},
};

static size_t count_rows(const struct result *result, enum memory_part part) {
    size_t count = 0;
    while (!TABLES[part].count && series_at(result, part, count))
        count++;
    return TABLES[part].count ? TABLES[part].count(result) : count;
}

unsigned memory_parts(const struct result *result) {
    unsigned parts = 0;
    for (unsigned part = 0; part < MEMORY_PARTS; part++)
        parts |= count_rows(result, (enum memory_part)part) ? 1U << part : 0;
    return parts;
}

static struct column_walk memory_report_table_of(const struct result *result, enum memory_part part) {
    struct column_walk to = columns_table(0);
    for (size_t i = 0, count = count_rows(result, part); i < count; i++) {
        columns_row(&to);
        TABLES[part].put(&to, result, i);
    }
    to.table.brief = true;
    return to;
}

void memory_print(const struct result *result, unsigned parts, struct doubts explained, FILE *out) {
    struct doubts doubts = NO_DOUBTS;
    parts &= memory_parts(result);
    for (unsigned part = 0; part < MEMORY_PARTS; part++)
        if (parts & 1U << part) {
            struct column_walk to = memory_report_table_of(result, (enum memory_part)part);
            columns_print_section(&to, out);
        }
    for (size_t i = 0; i < result->memory.series_count; i++)
        for (size_t k = 0; k < result->memory.series[i].count && parts & 1U << result->memory.series[i].part; k++)
            doubts_join(&doubts, result->memory.series[i].points[k].doubts);
    for (size_t i = 0; i < result->memory.pair_count && parts & 1U << MEMORY_CORES; i++)
        doubts_join(&doubts, result->memory.pairs[i].doubts);
    report_doubts_print(doubts_without(doubts, explained), out);
}

/* The reasons are those of the points that prevent a better grade. */
static void print_grade(const struct result *result, unsigned parts, const struct screen *screen) {
    const struct memory_trust trust = memory_trust(&result->memory, parts);
    char names[160] = "";
    if (!trust.grade)
        return;
    if (trust.uncertain == 0) {
        screen_note(screen, "Grade", "A: all %zu points are known to 5 %%", trust.points);
        return;
    }
    doubt_names(trust.doubts, names, sizeof names);
    screen_note(screen, "Grade",
                "%c: %zu of %zu points are uncertain by more than 5 %%%s%s%s; the same command with -o "
                "FILE measures them again",
                trust.grade, trust.uncertain, trust.points, *names ? " (" : "", names, *names ? ")" : "");
}

/* The sentences: the first in bold, the others with their names, and without what their tables show better. */
static void print_sentences(const struct result *result, unsigned parts, const struct screen *screen) {
    char text[MEMORY_WORDS_BYTES];
    bool first = true;
    for (unsigned part = 0; part < MEMORY_PARTS; part++) {
        const bool brief = !first && (part == MEMORY_PARALLEL || part == MEMORY_PAGES);
        if (!(parts & 1U << part) || !*memory_words(result, (enum memory_part)part, brief, text))
            continue;
        if (first)
            screen_say(screen, text, "");
        else
            screen_note(screen, memory_words_name((enum memory_part)part), "%s", text);
        first = false;
    }
    print_grade(result, parts, screen);
    if (result->memory.omitted[0])
        screen_note(screen, "Lacks", "%s", result->memory.omitted);
}

static size_t memory_report_count_lines(const char *text) {
    size_t count = 0;
    for (; *text; text++)
        count += *text == '\n';
    return count;
}

void memory_answer_print(const struct result *result, unsigned parts, const struct screen *screen) {
    struct plot_terminal plain = *screen->terminal;
    char *text, left_out[96] = "";
    size_t length;
    plain.colors = PLOT_COLORS_NONE;
    parts &= memory_parts(result);
    FILE *stream = need_made(text_stream(&text, &length));
    print_sentences(result, parts, &(struct screen){&plain, stream});
    if (!text_stream_close(stream))
        need_end();
    size_t used = memory_report_count_lines(text) + 1; /* and the last line */
    free(text);
    print_sentences(result, parts, screen);
    for (unsigned part = 0; part < MEMORY_PARTS; part++) {
        const size_t rows = parts & 1U << part ? count_rows(result, (enum memory_part)part) + 2 : 0;
        if (rows > 0 && (used + rows <= ANSWER_ROWS || parts == 1U << part)) {
            struct column_walk to = memory_report_table_of(result, (enum memory_part)part);
            screen_fit(screen, &to.table);
            columns_print_section(&to, screen->out);
            used += rows;
        } else if (rows > 0)
            text_append(left_out, sizeof left_out, "%s%s", *left_out ? ", " : "", memory_part_names[part]);
    }
    if (*left_out)
        screen_note(screen, "Rows", "of %s: --all", left_out);
}

void memory_lines_print(const struct result *result, const struct screen *screen) {
    char text[MEMORY_WORDS_BYTES];
    for (unsigned part = 0; part < MEMORY_PARTS; part++)
        if (*memory_words(result, (enum memory_part)part, true, text))
            screen_note(screen, memory_words_name((enum memory_part)part), "%s", text);
}

/* Calls for each measured direction and kind of each pair. */
static void walk_pairs(const struct memory_system *memory, void (*put)(const struct memory_value *value, void *context),
                       void *context) {
    for (size_t i = 0; i < memory->pair_count; i++)
        for (int k = 0; k < 4; k++) {
            const struct memory_value value = {.pair = &memory->pairs[i], .by_store = k / 2, .owner = k % 2};
            const struct memory_number *times = value.by_store ? value.pair->store_s : value.pair->swap_s;
            if (times[value.owner].value > 0)
                put(&value, context);
        }
}

struct csv {
    struct column_walk to;
    FILE *out;
};

static void put_csv(const struct memory_value *value, void *context) {
    struct csv *csv = context;
    memory_report_value_columns(&csv->to, value);
    columns_end_csv(&csv->to, csv->out);
}

void memory_csv(const struct result *result, unsigned parts, FILE *out) {
    struct csv csv = {columns_csv_rows(), out};
    for (size_t i = 0; i < result->memory.series_count; i++) {
        const struct memory_series *series = &result->memory.series[i];
        for (size_t k = 0; k < series->count && parts & 1U << series->part; k++)
            put_csv(&(struct memory_value){.series = series, .point = &series->points[k]}, &csv);
    }
    if (parts & 1U << MEMORY_CORES)
        walk_pairs(&result->memory, put_csv, &csv);
}

static json_t *memory_report_numbers_json(const struct memory_number numbers[2]) {
    json_t *list = json_array();
    for (int i = 0; i < 2; i++)
        json_array_append_new(list, numbers[i].value > 0 ? shape_nullable(json_pack("[f,f,f]", numbers[i].value,
                                                                                    numbers[i].low, numbers[i].high))
                                                         : json_null());
    return list;
}

static json_t *memory_report_pairs_json(const struct memory_system *memory) {
    json_t *list = json_array();
    for (size_t i = 0; i < memory->pair_count; i++) {
        const struct handover *pair = &memory->pairs[i];
        json_array_append_new(
            list, json_pack("{s:i,s:i,s:s,s:o,s:o,s:o}", "first_cpu", (int)pair->first, "second_cpu", (int)pair->second,
                            "shares", pair->shares, "swap_s", memory_report_numbers_json(pair->swap_s), "store_s",
                            memory_report_numbers_json(pair->store_s), "doubts", doubts_json(pair->doubts)));
    }
    return list;
}

json_t *memory_json(const struct result *result, unsigned parts) {
    json_t *all = json_pack("{s:s}", "schema", "carmine.memory/1");
    for (unsigned part = 0; part < MEMORY_PARTS; part++) {
        json_t *list = json_array();
        for (size_t i = 0; parts & 1U << part && i < count_rows(result, (enum memory_part)part); i++) {
            struct column_walk to = columns_json();
            TABLES[part].put(&to, result, i);
            json_array_append_new(list, columns_end_json(&to));
        }
        if (parts & 1U << part)
            shape_set_optional(all, part == MEMORY_CORES ? "clusters" : memory_part_names[part], list);
        else
            json_decref(list);
    }
    if (parts & 1U << MEMORY_CORES) {
        shape_set_optional(all, "pairs", memory_report_pairs_json(&result->memory));
        shape_set_optional(all, "pairs_planned", json_integer(result->memory.pairs_planned));
    }
    const struct memory_trust trust = memory_trust(&result->memory, parts);
    json_object_set_new(all, "grade", json_stringn(&trust.grade, trust.grade ? 1 : 0));
    json_object_set_new(all, "uncertain_points", json_integer((json_int_t)trust.uncertain));
    json_object_set_new(all, "omitted", json_string(result->memory.omitted));
    return all;
}
