/* SPDX-License-Identifier: BSD-3-Clause
 * The data of the HTML report, schema "carmine.report/3": the records of each result; charts as layers of plots,
 * from the functions that make pictures; the controls, and the choices at which a layer is shown (report_plots.c);
 * and the texts of tables and cards (report_data.c, report_series.c). Here what these files share:
 * each result with its places, and the choices of all results together. */
#pragma once

#include <jansson.h>

#include "carm/chart/chart.h"
#include "carm/compare/compare.h"
#include "carm/model/link_times.h"

/* A report of more results holds only the headline roofs of one type (report_html.c); one of more than REPORT_MOST is
 * refused. */
enum { REPORT_WHOLE = 50, REPORT_MOST = 500 };

enum { REPORT_PLACES = 64, REPORT_NAMES = 64, REPORT_CHOICE_BYTES = 96 };

struct report_result {
    const struct compare_side *source;
    size_t place_count;
    struct model_view places[REPORT_PLACES]; /* without memory of another kind: it belongs to its cores' place */
    char choices[REPORT_PLACES][REPORT_CHOICE_BYTES]; /* their names for all machines: "one core", "all cores" */
    size_t shown;                                     /* the place shown at first */
    bool first;                                       /* among several results, this one is shown at first */
};

/* Names in the order of lists; borrowed from the models. */
struct report_names {
    size_t count;
    const char *list[REPORT_NAMES];
};

struct report_parts {
    const struct chart_options *options;
    const struct comparison *comparison;
    size_t count;
    struct report_result *results;
    struct report_names types, isas, levels, choices; /* levels: those with bandwidths */
    bool has_mixed, has_outlines;
    char first_type[16], first_choice[REPORT_CHOICE_BYTES];
    unsigned first_cores; /* of the first choice, as roof_key.cores; 0: no choice */
};

/* Finds the places and the choices. report_parts_free() frees them. */
void report_parts_find(const struct comparison *comparison, const struct chart_options *options,
                       struct report_parts *out);
void report_parts_free(struct report_parts *parts);

/* All of the data. Lists of similar objects are tables, {"columns": […], "rows": [[…], …]}, since repeated keys would
 * be most of the file. NULL: no memory. */
json_t *report_data_json(struct report_parts *parts);

/* Whether both views are the same place, such as that of a point's own roofs. */
bool report_is_place(const struct model_view *a, const struct model_view *b);

/* Turns a list of objects, which it releases, into a table with all their keys: {"columns": […], "rows": [[…], …]}. */
json_t *report_table(json_t *objects);

/* The controls: [{"name", "title", "kind", "options": [[value, text, color], …], "first": […]}, …]. */
json_t *report_controls_json(const struct report_parts *parts);

/* The columns of each list for hovering and tables: {"roofs": {"columns": [{"title", "key", "format", …}, …]}, …}. */
json_t *report_lists_json(void);

/* The series: each place of each result with its rows and the table of its levels. */
json_t *report_series_json(const struct report_parts *parts);

/* The names of a place in the control of places: a machine's one core is also all of its cores. */
json_t *report_choices_json(const struct report_result *result, size_t place);

/* The card of a result: {"facts": [[name, text], …]}. */
json_t *report_facts_json(const struct report_result *result);

/* The code of hot loops: [{"title", "tables": [{"heads": [{"title", "kind", "hint"}], "lines": [{"cells", "share"} or
 * {"gap"}]}], "notes"}, …]. */
json_t *report_code_json(const struct result *result);

/* The traffic over the links of a point: {"title", "levels": names, "links": [{"name", "share", "longest",
 * "inwards", "outwards": {"bytes", "texts"}}, …]}; NULL: not simulated. */
json_t *report_flow_json(const struct link_times *times, const struct app_point *point);

/* Sets "charts", as layers of plots, and "plots". */
bool report_plots_json(struct report_parts *parts, json_t *report);
