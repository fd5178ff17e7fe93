/* SPDX-License-Identifier: BSD-3-Clause
 * What the files that write the report's data share: each result with its places, and what can be chosen of all of them
 * together. */
#ifndef CARM_REPORT_PARTS_H
#define CARM_REPORT_PARTS_H

#include "carm/model/link_times.h"
#include "report_data.h"

enum { REPORT_PLACES = 64, REPORT_TYPES = 8, REPORT_NAMES = 64 };

struct report_result {
    const struct report_source *source;
    size_t place_count;
    struct model_view places[REPORT_PLACES]; /* without those of memory of another kind, which belongs to its cores */
    size_t shown;                            /* the place that is shown at first */
};

/* Names in the order in which they are listed; borrowed of the models. */
struct report_names {
    size_t count;
    const char *list[REPORT_NAMES];
};

struct report_parts {
    const struct chart_options *options;
    size_t count;
    struct report_result *results;
    struct report_names types, isas, levels; /* levels: of bandwidths */
    bool has_mixed, has_outlines;
    char first_type[16];
};

/* Finds the places, and what there is to choose from. report_parts_free() releases them. */
void report_parts_find(const struct report_source *sources, size_t count, const struct chart_options *options,
                       struct report_parts *out);
void report_parts_free(struct report_parts *parts);

/* Whether a place is where the point's own roofs are. */
bool report_is_place(const struct model_view *a, const struct model_view *b);

/* {"columns": […], "rows": [[…], …]} of a list of objects, which is released: a table of all keys that any has. */
json_t *report_table(json_t *objects);

/* The controls: [{"name", "title", "kind", "options": [[value, text, color], …], "first": […]}, …]. */
json_t *report_controls_json(const struct report_parts *parts);

/* What hovering and tables say of a row of each list: {"roofs": {"columns": [{"title", "key", "format", …}, …]}, …}. */
json_t *report_lists_json(void);

/* The series: each place of each result with its rows and the table of its levels. */
json_t *report_series_json(const struct report_parts *parts);

/* The card of a result: {"facts": [[name, text], …]}. */
json_t *report_facts_json(const struct report_result *result);

/* The code of hot loops: [{"title", "tables": [{"heads": [{"title", "kind", "hint"}], "lines": [{"cells", "share"} or
 * {"gap"}]}], "notes"}, …]. */
json_t *report_code_json(const struct result *result);

/* What passed over the links of a point: {"title", "levels": names, "links": [{"name", "share", "longest", "inwards",
 * "outwards": {"bytes", "texts"}}, …]}; NULL where nothing was simulated. */
json_t *report_flow_json(const struct link_times *times, const struct app_point *point);

/* The charts as layers of plots, and the plots: sets "charts" and "plots". */
bool report_plots_json(struct report_parts *parts, json_t *report);

#endif
