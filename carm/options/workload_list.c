/* SPDX-License-Identifier: BSD-3-Clause
 * Reads and prints the list of workloads; parses problem sizes. */
#include "workload_list.h"
#include "cli.h"

#include <assert.h>
#include <ctype.h>
#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "asm/element.h"
#include "bench/programs/child.h"
#include "bench/programs/scratch.h"
#include "carm/store/file_io.h"
#include "carm/text/columns.h"
#include "probe/error.h"
#include "probe/need.h"

/* The first row whose name matches the beginning counts. Sizes are those of the papers, if a run of them is short. */
static const struct {
    const char *prefix, *sizes, *validation;
} SIZES[] = {
    {"dgemm-openblas", "100:2800:+300", "100:600:+100"},
    {"dgemm-blis", "100:2800:+300", "100:600:+100"},
    {"dgemm", "100:1000:+300", "50:300:+50"},
    {"dgemv", "100:2800:+300", "1000:2000:+200"}, /* sums of rows are passed on the stack: 2 % of small sizes */
    {"fft", "2^5..2^20", "2^5..2^14"},
    {"wht", "2^5..2^22", "2^10..2^16"},
    {"cg", "8..64", "8:24:+4"},
    {"order", "1K:1M:*10", "10K:1M:*10"},
    {"add", "1K:10M:*10", "1K:1M:*10"},
    {"mul", "1K:10M:*10", "1K:1M:*10"},
    {"intensity", "1K:10M:*10", "10K:1M:*10"},
    {"", "10K,40K,130K,280K,490K,760K,1090K,1480K,1930K,2440K", "100K:600K:+100K"},
};

void workload_list_sizes(const struct workload_entry *entry, bool validation, uint64_t out[SIZES_MAX], size_t *count) {
    struct error err;
    size_t row = 0;
    while (strncmp(SIZES[row].prefix, entry->name, strlen(SIZES[row].prefix)) != 0)
        row++;
    bool parsed = sizes_parse(validation ? SIZES[row].validation : SIZES[row].sizes, out, count, &err);
    assert(parsed);
    (void)parsed;
}

static bool copy_text(const json_t *row, const char *key, char *out, size_t size) {
    const char *text = json_string_value(json_object_get(row, key));
    snprintf(out, size, "%s", text ? text : "");
    return text != NULL;
}

static bool parse_row(const json_t *row, struct workload_entry *out) {
    const json_t *types = json_object_get(row, "types");
    char threads[8];
    *out = (struct workload_entry){.size_least = (uint64_t)json_integer_value(json_object_get(row, "size_least")),
                                   .power_of_two = json_is_true(json_object_get(row, "power_of_two")),
                                   .block = (unsigned)json_integer_value(json_object_get(row, "block"))};
    for (size_t i = 0; i < json_array_size(types); i++) {
        const char *type = json_string_value(json_array_get(types, i));
        out->has_f32 |= type && element_find(type) == TYPE_F32;
    }
    copy_text(row, "missing", out->missing, sizeof out->missing);
    bool done = copy_text(row, "workload", out->name, sizeof out->name) &&
                copy_text(row, "summary", out->summary, sizeof out->summary) &&
                copy_text(row, "size", out->size, sizeof out->size) &&
                copy_text(row, "threads", threads, sizeof threads) && json_is_array(types);
    out->one_thread = done && strcmp(threads, "one") == 0;
    return done && out->name[0];
}

bool workload_list_parse(const char *text, struct workload_list *out, struct error *err) {
    *out = (struct workload_list){0};
    while (*text) {
        size_t length = strcspn(text, "\n");
        json_t *row = json_loadb(text, length, 0, NULL);
        bool done = out->count < WORKLOAD_LIST_MAX && parse_row(row, &out->entries[out->count]);
        json_decref(row);
        if (!done)
            return error_set(err, WORKLOAD_PROGRAM " printed '%.*s' instead of a workload",
                             length < 80 ? (int)length : 80, text);
        out->count++;
        text += length + (text[length] == '\n');
    }
    return out->count > 0 || error_set(err, WORKLOAD_PROGRAM " lists no workloads");
}

bool workload_list_read(const char *program, struct workload_list *out, struct error *err) {
    enum { MAX_BYTES = 1 << 20 };
    struct scratch scratch;
    struct child_end end;
    char path[600], *text = NULL;
    size_t length;
    if (!scratch_make(&scratch, err))
        return false;
    snprintf(path, sizeof path, "%s/list", scratch.path);
    char *const argv[] = {(char *)program, (char[]){"list"}, NULL};
    const struct child child = {
        .path = program,
        .argv = argv,
        .in = -1,
        .out = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600),
        .err = -1,
    };
    bool done = child_run(&child, &end, err) && file_read(path, MAX_BYTES, &text, &length, err);
    if (done && end.status != 0) {
        char how[96];
        done = error_set(err, WORKLOAD_PROGRAM " --list ended with %s", child_status_text(end.status, how, sizeof how));
    }
    done = done && workload_list_parse(text, out, err);
    free(text);
    close(child.out);
    scratch_remove(&scratch);
    return done;
}

const struct workload_entry *workload_list_find(const struct workload_list *list, const char *name) {
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->entries[i].name, name) == 0)
            return &list->entries[i];
    return NULL;
}

bool workload_list_choose(const struct workload_list *list, const char *names, const char *type,
                          const struct workload_entry *out[WORKLOAD_LIST_MAX], size_t *count, struct error *err) {
    const char *known[WORKLOAD_LIST_MAX + 1] = {NULL}, *chosen[WORKLOAD_LIST_MAX];
    bool f32 = element_find(type) == TYPE_F32;
    size_t chosen_count = 0;
    *count = 0;
    for (size_t i = 0; i < list->count; i++) {
        known[i] = list->entries[i].name;
        if (!names && !list->entries[i].missing[0] && (!f32 || list->entries[i].has_f32))
            out[(*count)++] = &list->entries[i];
    }
    if (names && !cli_names(names, "workload", known, chosen, WORKLOAD_LIST_MAX, &chosen_count, err))
        return false;
    for (size_t i = 0; i < chosen_count; i++) {
        const struct workload_entry *entry = workload_list_find(list, chosen[i]);
        if (entry->missing[0])
            return error_set(err, "%s: %s", entry->name, entry->missing);
        if (f32 && !entry->has_f32)
            return error_set(err, "%s exists only for f64", entry->name);
        out[(*count)++] = entry;
    }
    return true;
}

static void workload_list_columns(struct column_walk *to, const struct workload_entry *entry) {
    char summary[sizeof entry->summary + 16];
    snprintf(summary, sizeof summary, "%s%s", entry->summary,
             entry->one_thread && to->form == COLUMNS_TABLE ? "; one thread" : "");
    column(to, cell_text(entry->name), .title = "workload", .key = "name", .text = {STAYS}, .json = 1);
    column(to, cell_text(summary), .title = "description", .key = "summary", .text = {STAYS}, .json = 2);
    column(to, cell_text(entry->size), .title = "size", .key = "size", .text = {2}, .json = 3);
    column(to, cell_text(entry->has_f32 ? "f64, f32" : "f64"), .title = "types", .key = "types", .text = {1},
           .json = 4);
    column(to, cell_bool(true, entry->one_thread), .key = "one_thread", .json = 5);
    column(to, cell_text(entry->missing), .key = "missing", .json = 6);
}

json_t *workload_list_json(const struct workload_list *list) {
    json_t *rows = json_array();
    for (size_t i = 0; i < list->count; i++) {
        struct column_walk to = columns_json();
        workload_list_columns(&to, &list->entries[i]);
        json_array_append_new(rows, columns_end_json(&to));
    }
    return rows;
}

void workload_list_print(const struct workload_list *list, FILE *out) {
    struct column_walk to = columns_table(0);
    for (size_t i = 0; i < list->count; i++) {
        columns_row(&to);
        workload_list_columns(&to, &list->entries[i]);
    }
    columns_print(&to, out);
    for (size_t i = 0; i < list->count; i++)
        if (list->entries[i].missing[0])
            fprintf(out, "\n▲ %s: %s\n", list->entries[i].name, list->entries[i].missing);
}

static const double LARGEST = 0x1p48; /* exact in a double, and above any memory size */
static const double LEAST_FACTOR = 1.01;

static const struct {
    const char *letters;
    double factor;
} SUFFIXES[] = {{"Ki", 0x1p10}, {"Mi", 0x1p20}, {"Gi", 0x1p30}, {"K", 1e3}, {"M", 1e6}, {"G", 1e9}};

/* The whole text as a number. No sign, "inf" or "0x5". */
static bool read_number(const char *text, double *out) {
    char *end;
    double exponent;
    if (!isdigit((unsigned char)*text) || tolower((unsigned char)text[1]) == 'x')
        return false;
    *out = strtod(text, &end);
    for (size_t i = 0; i < sizeof SUFFIXES / sizeof SUFFIXES[0]; i++)
        if (strcmp(end, SUFFIXES[i].letters) == 0) {
            *out *= SUFFIXES[i].factor;
            return true;
        }
    if (*end != '^')
        return !*end;
    if (!read_number(end + 1, &exponent))
        return false;
    *out = pow(*out, exponent);
    return true;
}

static bool read_size(const char *text, double *out) {
    return read_number(text, out) && *out >= 1 && *out <= LARGEST && *out == floor(*out);
}

/* One piece between commas: first and last size, and the step. */
struct range {
    double first, last, step, factor;
};

/* Cuts the text at the first `separator`. Returns the rest; NULL: no separator. */
static char *cut(char *text, const char *separator) {
    char *at = strstr(text, separator);
    if (!at)
        return NULL;
    *at = '\0';
    return at + strlen(separator);
}

static bool parse_range(char *from, char *to, bool doubles, struct range *out) {
    char *by = doubles ? NULL : cut(to, ":");
    if (!read_size(from, &out->first) || !read_size(to, &out->last))
        return false;
    if (doubles)
        out->factor = 2;
    else if (by)
        return (*by == '+' && read_number(by + 1, &out->step)) || (*by == '*' && read_number(by + 1, &out->factor));
    return doubles;
}

static bool read_range(const char *text, struct range *out, struct error *err) {
    char copy[128];
    snprintf(copy, sizeof copy, "%s", text);
    char *to = cut(copy, "..");
    bool doubles = to != NULL;
    to = to ? to : cut(copy, ":");
    *out = (struct range){.factor = 1};
    if (!to && !read_size(copy, &out->first))
        return error_set(err, "'%s' is not a size: a whole number from 1, such as 1000, 1.5M, 64Ki or 2^20", text);
    out->last = out->first;
    if (!to)
        return true;
    if (!parse_range(copy, to, doubles, out))
        return error_set(
            err, "'%s' is not a range of sizes: FROM:TO:+STEP, FROM:TO:*FACTOR, or FROM..TO, which doubles", text);
    if (out->last < out->first)
        return error_set(err, "'%s' ends before it begins", text);
    if (out->step < 1 && out->factor < LEAST_FACTOR)
        return error_set(err, "'%s' does not grow: the step must be 1 or more, the factor 1.01 or more", text);
    return true;
}

static bool add(double size, uint64_t *out, size_t *count, struct error *err) {
    for (size_t i = 0; i < *count; i++)
        if (out[i] == (uint64_t)size)
            return true;
    if (*count == SIZES_MAX)
        return error_set(err, "more than %d sizes", SIZES_MAX);
    out[(*count)++] = (uint64_t)size;
    return true;
}

bool sizes_parse(const char *text, uint64_t out[SIZES_MAX], size_t *count, struct error *err) {
    char *copy = need_strdup(text), *rest = copy, *piece;
    bool done = true;
    *count = 0;
    while (done && (piece = strsep(&rest, ","))) {
        struct range range;
        done = read_range(piece, &range, err);
        for (double size = range.first; done && floor(size) <= range.last; size = size * range.factor + range.step) {
            done = add(floor(size), out, count, err);
            if (range.first == range.last)
                break;
        }
    }
    free(copy);
    return done;
}
