/* SPDX-License-Identifier: BSD-3-Clause
 * Programs as text, JSON and on one screen: columns, tables, verdicts, instruction mix. */
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "screen.h"

#include "carm/model/model.h"
#include "carm/model/verdict.h"
#include "carm/text/columns.h"

struct app_point;

/* One screen: what binds the program, its distance from that roof, and its parts. The first point is the program; the
 * others, if any, are its parts. */
void app_answer_print(const struct model *model, const struct app_point *points, size_t count,
                      const struct screen *screen);

/* What the first sentence is about: the part with flop, or a loop with an account, with most of the time, if it has a
 * good deal of it and its links are as well known as the program's. Else the program: also if it waits, and not a part
 * without an account that is all of it. */
const struct app_point *report_app_subject_of(const struct model *model, const struct app_point *points, size_t count);

/* Says once whether the table that judged loops was never compared with such a core. */
void report_note_table(const struct model *model, const struct app_point *points, size_t count,
                       const struct screen *screen);

/* What the page alone shows of points: the columns' titles, and their keys in its data. */
enum {
    REPORT_MACHINE,
    REPORT_ZONE,
    REPORT_BOUND,
    REPORT_ALLOWS,
    REPORT_OF_CORE,
    REPORT_OF_DRAM,
    REPORT_LINKS, /* one for each link between levels */
    REPORT_PAGE_FACTS = REPORT_LINKS + POINT_LINKS_MAX
};
struct report_page_fact {
    const char *title, *key;
};
extern const struct report_page_fact report_page_facts[REPORT_PAGE_FACTS];

/* The text tables of points: `show --all` and the tables below it, `app`'s first, series of workloads. */
enum point_table { SHOW, TRAFFIC, MISSES, CODE, THREADS, RANKS, ANSWER, ANSWER_LOOPS, ANSWER_PHASES, WORKLOAD };

/* The columns of a point, for one walk; and a row of a text table. */
void report_point_columns(struct column_walk *to, const struct model *model, const struct app_point *point,
                          const struct verdict *verdict);
void report_points_row(struct column_walk *to, const struct model *model, const struct app_point *point);

/* Prints time, flop, bytes and their sources, known DRAM traffic, a verdict each, and warnings with remedies. Nothing
 * without points. */
void report_points_print(const struct model *model, const struct app_point *points, size_t count, FILE *out);

/* Prints flop by type and width, and classes of instructions, for counted points. */
void report_mix_print(const struct app_point *points, size_t count, FILE *out);

/* The list "points" of schema "carmine.roofs/1". */
json_t *report_points_json(const struct model *model, const struct app_point *points, size_t count);

/* A measured program as JSON of the schema "carmine.app/1"; the caller releases it. */
struct report_app {
    const struct model *model;
    const struct app_points *points;
    size_t runs;
    int exit_status;
    json_t *notes;                        /* texts; released */
    bool mix;                             /* with the key "count", as in a file, in each point */
    const struct annotation *annotations; /* NULL: not requested */
    size_t annotation_count;
};
json_t *report_app_json(const struct report_app *app);

/* The code of loops, as in a file. */
struct annotation;
struct statistics;
json_t *annotations_json(const struct annotation *annotations, size_t count);

/* "12.1–12.6 ms": the unit once, if both share it. */
const char *report_quartiles_text(const struct statistics *seconds, char *out, size_t size);
