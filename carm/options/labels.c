/* SPDX-License-Identifier: BSD-3-Clause */
#include "view_options.h"

#include <string.h>
#include <strings.h>

#include "bench/programs/app_point.h"
#include "bench/programs/course.h"
#include "carm/store/results.h"
#include "probe/error.h"
#include "render/page/safe_text.h"

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
