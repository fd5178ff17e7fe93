/* SPDX-License-Identifier: BSD-3-Clause
 * The page: a flat list of primitives in points, y downwards, in the order of drawing. Layout fills it, renderers walk
 * it. Text is measured through a callback, so that nothing here needs a graphics library. A page that ran out of memory
 * says so once, in out_of_memory. */
#ifndef RENDER_PAGE_H
#define RENDER_PAGE_H

#include "geometry.h"
#include "plot.h"

struct metrics {
    void *context;
    /* The advance width in points. */
    double (*width)(void *context, const char *text, double size, bool bold);
};

/* How far letters reach above and below the baseline, in parts of the font size; bold covers the height of "Ä" loosely.
 */
#define PAGE_ASCENT  0.80
#define PAGE_DESCENT 0.24

/* How a line is dashed: marks and gaps in turns, in points; none of a solid one. */
struct dashes {
    int count;
    double lengths[4];
};
extern const struct dashes page_dashes[]; /* of enum plot_dash */

/* What a primitive is part of, for those who draw some of it by other means. */
enum page_part { PAGE_AROUND, PAGE_AXES, PAGE_DATA, PAGE_LABELS, PAGE_LEGEND };

enum page_anchor { PAGE_LEFT, PAGE_MIDDLE, PAGE_RIGHT };

struct text_style {
    double size;
    bool bold;
    bool halo; /* a white rim, where lines may pass below */
    struct plot_color color;
};

struct primitive {
    enum { PAGE_LINE, PAGE_AREA, PAGE_CIRCLE, PAGE_TEXT } kind;
    size_t first, count;      /* LINE and AREA: their vertices in page->vertices */
    bool clipped;             /* AREA: only what lies in page->plot is shown */
    struct plot_color fill;   /* AREA and CIRCLE; alpha 0: none */
    struct plot_color stroke; /* alpha 0: none */
    double width;             /* of the stroke */
    enum plot_dash dash;
    struct vec at; /* CIRCLE: its centre; TEXT: the anchor on the baseline */
    double radius;
    char *text; /* TEXT: owned, valid UTF-8 without control characters */
    struct text_style style;
    enum page_anchor anchor;
    double angle;       /* TEXT: radians, clockwise around `at` */
    struct box box;     /* TEXT: what it covers */
    const char *detail; /* borrowed from the plot: a hovering text, or NULL */
    enum page_part part;
    bool keeps_colors; /* they mean values: they are the same in every style */
};

struct page {
    double width, height;
    struct frame plot; /* the plot area */
    struct plot_color ground;
    bool keeps_colors; /* both are given to what is added */
    enum page_part part;
    bool flat; /* nothing lets anything through */
    const struct metrics *metrics;
    size_t count, capacity;
    struct primitive *primitives;
    size_t vertex_count, vertex_capacity;
    struct vec *vertices;
    bool out_of_memory;
};

void page_init(struct page *page, double width, double height, const struct metrics *metrics);
void page_free(struct page *page);

/* Makes room for one more item of this size in *items; false when there is no memory. */
bool array_grow(void **items, size_t *capacity, size_t count, size_t size);

void page_line(struct page *page, const struct vec *vertices, size_t count, struct plot_color color, double width,
               enum plot_dash dash);
void page_area(struct page *page, const struct vec *vertices, size_t count, struct plot_color fill, bool clipped);
void page_outlined(struct page *page, const struct vec *vertices, size_t count, struct plot_color fill,
                   struct plot_color stroke, double width);
void page_circle(struct page *page, struct vec center, double radius, struct plot_color fill, struct plot_color stroke,
                 double width);
void page_text(struct page *page, const char *text, const struct text_style *style, enum page_anchor anchor,
               struct vec at, double angle);

/* The hovering text of the primitive added last. */
void page_detail(struct page *page, const char *detail);

/* This and what follows tell in page->out_of_memory. */
double page_text_width(struct page *page, const char *text, const struct text_style *style);

/* A cleaned copy; where it is too wide, cut behind a clause or a word, with "…" at its end; to be freed. */
char *page_text_fit(struct page *page, const char *text, const struct text_style *style, double width);

/* Breaks a text into lines no wider than width, at spaces, of a list with " · " rather between its members; returns how
 * many, at most max. The last one is cut as by page_text_fit() where text was left over. Lines are to be freed. */
size_t page_text_wrap(struct page *page, const char *text, const struct text_style *style, double width, char **lines,
                      size_t max);

#endif
