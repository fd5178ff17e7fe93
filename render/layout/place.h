/* SPDX-License-Identifier: BSD-3-Clause
 * Where labels go: candidates are weighed against what is on the page already. Texts and points are never covered,
 * lines only where nothing better is left. Greedy: what is placed first has the choice. Pure. */
#ifndef RENDER_PLACE_H
#define RENDER_PLACE_H

#include "trace.h"

struct label_place {
    struct page *page;
    size_t obstacle_count, obstacle_capacity;
    struct obstacle *obstacles;
    size_t course_count, course_capacity;
    struct course *courses;
};

/* Begins a page without obstacles; place_free() ends it. */
void place_init(struct label_place *place, struct page *page);
void place_free(struct label_place *place);

/* Nothing may be written over a mark; a text moreover may not be crossed by a leader line. */
void place_forbid(struct label_place *place, const struct box *box, bool is_text);

/* Something that labels may cover, if need be, lies from a to b: each point of length that is covered costs so much. */
void place_discourage(struct label_place *place, struct vec a, struct vec b, double cost);

/* A thin line from a to b, so wide, that is to be followed by eye: no label stands on it, and leaders do not run along
 * it. */
void place_keep_clear(struct label_place *place, struct vec a, struct vec b, double width);

/* What it costs that a label stands in this box; infinite where that is not allowed, or as soon as it is dearer than
 * `limit`. A cost of PLACE_ON_LEADER or more means that it covers a leader. */
#define PLACE_ON_LEADER 1e6
double place_cost(const struct label_place *place, const struct box *box, double limit);

/* How many markers are closer than `gap` points to a box, or to the straight way from `at` to `end`; those that lie at
 * `at` do not count. */
unsigned place_markers_near(const struct label_place *place, const struct box *box, double gap, struct vec at);
unsigned place_markers_on_way(const struct label_place *place, struct vec at, struct vec end, double gap);

/* Leaders join labels to their points. They cross neither texts nor each other. */
double place_leader_cost(const struct label_place *place, struct vec a, struct vec b); /* of running along such lines */
bool place_leader_is_free(const struct label_place *place, struct vec a, struct vec b);
void place_leader(struct label_place *place, struct vec a, struct vec b, struct plot_color color);

/* A label of one or two texts: beside each other, or stacked. */
struct label {
    const char *text, *subtext; /* the second may be NULL */
    struct text_style style, substyle;
    bool stacked;
    bool must_stand; /* rather over a leader than nowhere */
    bool near;       /* without a leader, or nowhere */
    bool calm;       /* where no other marker is near and no line below, or nowhere */
    double dearest;  /* along lines: covering more of others than this costs, it is not written; 0: any is fine */
    struct plot_color leader;
};

/* Width and height of the label's texts, in points. */
void label_size(struct page *page, const struct label *label, double *width, double *height);

/* Writes the label into a box of its size; `anchor` says at which side the rows of a stacked label are flush. The box
 * becomes an obstacle. */
void label_write(struct label_place *place, const struct label *label, const struct box *box, enum page_anchor anchor);

/* Each finds the best place for the label, along a line of this width, around a point of this radius, or beside a mark
 * from a to b, and writes it there. False when there is none: then nothing was written. All in points. */
bool place_along(struct label_place *place, const struct label *label, const struct trace *trace, double line_width);
bool place_around(struct label_place *place, const struct label *label, struct vec at, double radius);
bool place_beside_mark(struct label_place *place, const struct label *label, struct vec a, struct vec b);

#endif
