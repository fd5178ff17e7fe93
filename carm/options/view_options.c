/* SPDX-License-Identifier: BSD-3-Clause
 * The options that choose a part of a result; size, characters and colours of the terminal. */
#include "view_options.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "bench/programs/app_point.h"
#include "bench/programs/course.h"
#include "carm/store/fields.h"
#include "carm/store/file_io.h"
#include "carm/store/results.h"
#include "carm/text/csv.h"
#include "carm/text/table.h"
#include "probe/error.h"
#include "render/page/plot.h"
#include "render/page/safe_text.h"

static const char *variable(const char *name) {
    const char *value = getenv(name);
    return value ? value : "";
}

bool terminal_has_utf8(void) { /* as in the C library */
    static const char *const NAMES[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
        if (*variable(NAMES[i]))
            return strcasestr(variable(NAMES[i]), "UTF-8") || strcasestr(variable(NAMES[i]), "UTF8");
    return false;
}

/* 0: unknown. */
static size_t given_columns(void) {
    struct winsize size = {.ws_col = 0};
    const char *given = variable("COLUMNS");
    const unsigned long columns = isdigit((unsigned char)*given) ? strtoul(given, NULL, 10) : 0;
    if (columns == 0)
        ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
    return columns ? columns : size.ws_col;
}

static size_t find_columns(void) {
    const size_t columns = given_columns();
    if (columns < PLOT_TERMINAL_LEAST)
        return columns ? PLOT_TERMINAL_LEAST : PLOT_TERMINAL_COLUMNS;
    return columns > PLOT_TERMINAL_MAX ? PLOT_TERMINAL_MAX : columns;
}

static enum plot_terminal_colors find_colors(void) {
    const char *term = variable("TERM"), *force = variable("CLICOLOR_FORCE");
    const bool forced = *force && strcmp(force, "0") != 0;
    if (*variable("NO_COLOR") || (!forced && (!isatty(STDOUT_FILENO) || !*term || strcmp(term, "dumb") == 0)))
        return PLOT_COLORS_NONE;
    const bool many = strstr(term, "256") || strstr(term, "direct") || *variable("COLORTERM");
    return many ? PLOT_COLORS_256 : PLOT_COLORS_8;
}

struct plot_terminal terminal_find(void) {
    return (struct plot_terminal){.columns = find_columns(), .colors = find_colors(), .unicode = terminal_has_utf8()};
}

void terminal_fit_tables(void) {
    if (given_columns() > 0)
        table_fit(find_columns());
}

bool view_options_data(const struct arguments *arguments) {
    return cli_given(arguments, "json") || cli_given(arguments, "csv");
}

void view_options_print(const struct arguments *arguments, json_t *answer, const char *rows) {
    if (cli_given(arguments, "json")) {
        fields_print(answer);
        return;
    }
    csv_print_rows(json_incref(json_object_get(answer, rows)), stdout);
    json_decref(answer);
}

enum compare_per view_options_per(const struct arguments *arguments) {
    static const enum compare_per PER[] = {PER_CYCLE, PER_CORE, PER_MACHINE}; /* in the order of the sets */
    return PER[cli_choice(arguments, "per", 2)];
}

static bool read_number(const char *value, const char *what, unsigned *out, struct error *err) {
    double number = 0;
    *out = strcmp(value, "all") == 0 ? ROOF_ALL_CORES : 0;
    if (*out == ROOF_ALL_CORES)
        return true;
    if (!cli_number(value, "--threads", &number, err) || number > 1e6 || number != (unsigned)number)
        return error_set(err, "--threads takes %s, or all, not '%s'", what, value);
    *out = (unsigned)number;
    return true;
}

bool view_options_threads(const struct arguments *arguments, unsigned *out, struct error *err) {
    const char *value = cli_value(arguments, "threads");
    *out = 0;
    return !value || read_number(value, "a number of threads", out, err);
}

bool view_options_thread_list(const struct arguments *arguments, unsigned out[VIEW_THREADS_MAX], size_t *count,
                              struct error *err) {
    const char *value = cli_value(arguments, "threads"), *names[VIEW_THREADS_MAX];
    *count = 0;
    if (value && !cli_names(value, "thread count", NULL, names, VIEW_THREADS_MAX, count, err))
        return false;
    for (size_t i = 0; i < *count; i++)
        if (!read_number(names[i], "numbers of threads", &out[i], err))
            return false;
    return true;
}

bool view_options_plot(const struct arguments *arguments, struct error *err) {
    const char *path = cli_value(arguments, "plot");
    if (path && !plot_format_known(path))
        return error_set(err, "--plot %s: unknown picture format; name a file that ends in " PLOT_FORMATS, path);
    if (path && plot_refusal(path))
        return error_set(err, "--plot %s: %s", path, plot_refusal(path));
    return !path || file_writable(path, err);
}

bool view_options_output(const struct arguments *arguments, struct error *err) {
    const char *path = cli_value(arguments, "output");
    return !path || !plot_format_known(path) ||
           error_set(err, "-o names the result, and %s is a picture; name a FILE.json (`carmine plot` draws it)", path);
}

static bool has_pair(const struct labels *labels, const char *old) {
    for (size_t i = 0; i < labels->count; i++)
        if (strcasecmp(labels->pairs[i].old, old) == 0)
            return true;
    return false;
}

bool labels_read(const struct arguments *arguments, struct labels *out, struct error *err) {
    const char *value = cli_value(arguments, "labels");
    out->count = 0;
    if (!value)
        return true;
    for (char *rest = cli_keep(value), *pair; (pair = strsep(&rest, ","));) {
        char *new = strchr(pair, '=');
        if (!new || new == pair || !new[1])
            return error_set(err, "--labels takes OLD=NEW,…, such as triad=STREAM, not '%s'", pair);
        if (out->count == LABELS_MAX)
            return error_set(err, "--labels: more than %d names", LABELS_MAX);
        *new ++ = '\0';
        if (has_pair(out, pair))
            return error_set(err, "--labels: '%s' has two other names", pair);
        out->pairs[out->count++] = (struct label_pair){.old = pair, .new = new, .near = suggestion_for(pair)};
    }
    return true;
}

/* The other name; NULL: none. */
static const char *other_name(struct labels *labels, const char *name) {
    for (size_t i = 0; i < labels->count; i++) {
        struct label_pair *pair = &labels->pairs[i];
        suggestion_consider(&pair->near, name);
        if (pair->near.name == name) /* it may be renamed before it is suggested */
            pair->near.name = cli_keep(name);
        if (strcasecmp(pair->old, name) == 0)
            return pair->used = true, pair->new;
    }
    return NULL;
}

static bool rename_one(struct labels *labels, char *name, size_t size) {
    const char *other = *name ? other_name(labels, name) : NULL;
    if (other)
        snprintf(name, size, "%s", other), safe_text_clean(name);
    return other != NULL;
}

/* A point of a program is "PROGRAM/POINT", of which charts show the second part. */
static void rename_point(struct labels *labels, char *name, size_t size, const char *program) {
    char head[160], tail[160];
    const size_t length = strlen(program);
    if (rename_one(labels, name, size) || strncmp(name, program, length) != 0 || name[length] != '/' ||
        length >= sizeof head)
        return;
    snprintf(head, sizeof head, "%s", program);
    snprintf(tail, sizeof tail, "%s", name + length + 1);
    rename_one(labels, head, sizeof head);
    rename_one(labels, tail, sizeof tail);
    if (snprintf(name, size, "%s/%s", head, tail) > 0) /* names that are too long are cut */
        safe_text_clean(name);
}

static void rename_course(struct labels *labels, struct app_course *course) {
    for (size_t i = 0; i < course->phase_count; i++)
        rename_point(labels, course->phases[i].point, sizeof course->phases[i].point, course->program);
    rename_one(labels, course->program, sizeof course->program);
}

void labels_rename_points(struct labels *labels, struct result *results, size_t count) {
    if (labels->count == 0)
        return;
    for (size_t r = 0; r < count; r++) {
        for (size_t i = 0; i < results[r].point_count; i++) {
            struct app_point *point = &results[r].points[i];
            rename_point(labels, point->name, sizeof point->name, point->program);
            rename_one(labels, point->program, sizeof point->program);
            if (point->part == APP_FUNCTION)
                rename_one(labels, point->function, sizeof point->function);
            else if (point->part < APP_LOOP && point->part != APP_RANK) /* the others are shown by their names */
                rename_one(labels, point->region, sizeof point->region);
            rename_one(labels, point->series, sizeof point->series);
        }
        for (size_t i = 0; i < results[r].course_count; i++)
            rename_course(labels, &results[r].courses[i]);
    }
}

/* A side is named by its label, its file in any form, or its letter. Error: two of them have other names. */
static bool rename_side(struct labels *labels, struct compare_side *side, const char *letter, struct error *err) {
    char stem[256];
    const char *slash = strrchr(side->path, '/'), *other = NULL, *by = "";
    const char *const names[] = {side->label, side->path, slash ? slash + 1 : side->path,
                                 compare_file_name(side->path, stem, sizeof stem), letter};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *own = other_name(labels, names[i]);
        if (own && other && own != other)
            return error_set(err, "--labels: '%s' and '%s' are one machine", by, names[i]);
        if (own)
            other = own, by = names[i];
    }
    if (other)
        snprintf(side->label, sizeof side->label, "%s", other), safe_text_clean(side->label);
    return true;
}

/* The letter of a side; its path if another side's file has this name. */
static const char *free_letter(const struct compare_side *sides, size_t count, size_t side, char out[2]) {
    char stem[256];
    bool taken = side >= COMPARE_COLUMNS;
    compare_letter(side, out);
    for (size_t i = 0; i < count; i++)
        taken |= i != side && strcasecmp(compare_file_name(sides[i].path, stem, sizeof stem), out) == 0;
    return taken ? sides[side].path : out;
}

bool labels_rename_sides(struct labels *labels, struct compare_side *sides, size_t count, struct error *err) {
    char letter[2];
    bool done = true;
    for (size_t i = 0; i < count && done; i++)
        done = rename_side(labels, &sides[i], free_letter(sides, count, i, letter), err);
    return done;
}

bool labels_check(struct labels *labels, struct error *err) {
    for (size_t i = 0; i < labels->count; i++)
        if (!labels->pairs[i].used)
            return error_set(err, "--labels: nothing here is named '%s'%s", labels->pairs[i].old,
                             suggestion_text(&labels->pairs[i].near, ""));
    return true;
}
