/* SPDX-License-Identifier: BSD-3-Clause
 * Places of labels: candidates are weighed against the content of the page. Labels never cover texts and points, and
 * no lines except a number that must stand. Greedy: the first label has the most choice. Pure. */
#pragma once

#include "trace.h"

#include "render/page/plot.h"

struct label_place {
    struct page *page;
    double beside; /* the width of the column right of the plot, where numbers may be, too */
    size_t obstacle_count, obstacle_capacity;
    struct obstacle *obstacles;
    size_t course_count, course_capacity;
    struct course *courses;
};

/* Begins a page without obstacles; place_free() ends it. */
void place_init(struct label_place *place, struct page *page);
void place_free(struct label_place *place);

/* Removes what was placed since then. */
struct place_state {
    size_t obstacle_count, course_count, primitive_count, vertex_count;
};
struct place_state place_now(const struct label_place *place);
void place_return(struct label_place *place, const struct place_state *then);

/* Nothing may cover a mark; in addition, no leader may cross a text. */
void place_forbid(struct label_place *place, const struct box *box, bool is_text);

/* Adds a line from a to b that no label covers; a label along another line is not close to it either. */
void place_line(struct label_place *place, struct vec a, struct vec b);

/* Adds a thin reference line from a to b that labels cover if there is no better place. */
void place_mark(struct label_place *place, struct vec a, struct vec b);

/* Adds a thin line of this width from a to b that readers follow by eye: no label covers it but a number that must
 * stand, and leaders do not run along it. */
void place_keep_clear(struct label_place *place, struct vec a, struct vec b, double width);

/* The cost of a label in this box; infinite if it is not allowed. PLACE_ON_LINE or more: it covers a line; once it is
 * above `limit`, no further lines are examined. */
#define PLACE_ON_LINE 1e4
double place_cost(const struct label_place *place, const struct box *box, double limit);

/* Whether the box covers a text. */
bool place_covers_text(const struct label_place *place, const struct box *box);

/* The number of markers closer than `gap` points to a box, or to the straight way from `at` to `end`; markers at
 * `at` do not count. */
unsigned place_markers_near(const struct label_place *place, const struct box *box, double gap, struct vec at);
unsigned place_markers_on_way(const struct label_place *place, struct vec at, struct vec end, double gap);

/* Leaders join labels to their points. They cross neither texts nor, but as a last resort, each other. Running along
 * clear lines has a cost. */
double place_leader_cost(const struct label_place *place, struct vec a, struct vec b);
bool place_leader_is_free(const struct label_place *place, struct vec a, struct vec b);
void place_leader(struct label_place *place, struct vec a, struct vec b, struct plot_color color);

/* A label of one or two texts, beside each other or stacked. */
struct label {
    const char *text, *subtext; /* the second may be NULL */
    struct text_style style, substyle;
    bool stacked;
    bool must_stand;  /* rather over a line than not at all */
    bool thorough;    /* also between the usual places: slower */
    bool last_resort; /* rather over a leader, or across one */
    bool near;        /* without a leader, or not at all */
    bool calm;        /* only with no other marker near and one thin line below */
    struct plot_color leader;
};

/* Width and height of the label's texts, in points. */
void label_size(struct page *page, const struct label *label, double *width, double *height);

/* Writes the label into a box of its size; rows of a stacked label are flush at the side of `anchor`. The box
 * becomes an obstacle. */
void label_write(struct label_place *place, const struct label *label, const struct box *box, enum page_anchor anchor);

/* Each function finds the best place for the label (along a line of this width, around a point of this radius, or
 * beside a mark from a to b) and writes it there. False: no place, and nothing is written. All in points. */
bool place_along(struct label_place *place, const struct label *label, const struct trace *trace, double line_width);
bool place_around(struct label_place *place, const struct label *label, struct vec at, double radius);
bool place_beside_mark(struct label_place *place, const struct label *label, struct vec a, struct vec b);

/* The order in which labels look for room: by importance, then in the plot's order. */

struct label_rank {
    int priority; /* of the line or point in the plot: the highest is first */
    size_t index; /* of the line or point */
};

/* Fills `out`, which has room for all lines (or points) of the plot, with ranks in the order of placing. The first
 * label has the most choice. */
void label_order_of_lines(const struct plot *plot, struct label_rank *out);
void label_order_of_points(const struct plot *plot, struct label_rank *out);
