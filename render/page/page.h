/* SPDX-License-Identifier: BSD-3-Clause
 * The page: a flat list of primitives in points, y downwards, in drawing order. Layout fills it, renderers read it.
 * A callback measures text, so nothing here needs a graphics library. After an allocation fails, out_of_memory is
 * set. */
#pragma once

#include "geometry.h"
#include "plot.h"

struct metrics {
    void *context;
    /* The advance width in points. */
    double (*width)(void *context, const char *text, double size, bool bold);
};

/* Extent of letters above and below the baseline, as shares of the font size; bold roughly covers the height of "Ä". */
#define PAGE_ASCENT  0.80
#define PAGE_DESCENT 0.24

/* Dash patterns: lengths of marks and gaps in turns, in points; empty for a solid line. */
struct dashes {
    int count;
    double lengths[4];
};
extern const struct dashes page_dashes[]; /* by enum plot_dash */

/* The part of the picture that a primitive belongs to, for renderers that draw some parts themselves. */
enum page_part { PAGE_AROUND, PAGE_AXES, PAGE_DATA, PAGE_LABELS, PAGE_LEGEND };

enum page_anchor { PAGE_LEFT, PAGE_MIDDLE, PAGE_RIGHT };

struct text_style {
    double size;
    bool bold;
    bool halo; /* a white rim, for text over lines */
    struct plot_color color;
};

struct primitive {
    enum { PAGE_LINE, PAGE_AREA, PAGE_CIRCLE, PAGE_TEXT } kind;
    size_t first, count;      /* LINE and AREA: vertices in page->vertices */
    bool clipped;             /* AREA: clipped to page->plot */
    bool yields;              /* LINE of two vertices: interrupted where a label lies on it */
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
    struct box box;     /* TEXT: the box that it covers */
    const char *detail; /* text for hovering, borrowed from the plot; NULL: none */
    enum page_part part;
    bool keeps_colors; /* the colours show values and are the same in every style */
};

struct page {
    double width, height;
    struct frame plot; /* the plot area */
    struct plot_color ground;
    bool keeps_colors; /* this and part are copied into each primitive that is added */
    enum page_part part;
    bool flat; /* all colours are opaque */
    const struct metrics *metrics;
    size_t count, capacity;
    struct primitive *primitives;
    size_t vertex_count, vertex_capacity;
    struct vec *vertices;
    bool out_of_memory;
};

void page_init(struct page *page, double width, double height, const struct metrics *metrics);
void page_free(struct page *page);

/* Makes room for one more item of this size in *items; false: no memory. */
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

/* Interrupts the lines that yield where a text of the labels lies on them. */
void page_interrupt_lines(struct page *page);

/* Sets the hovering text of the primitive added last. */
void page_detail(struct page *page, const char *detail);

/* The functions below set page->out_of_memory on failure. */
double page_text_width(struct page *page, const char *text, const struct text_style *style);

/* A cleaned copy, to be freed. If it is too wide, it is cut behind a clause or a word, with "…" at its end. */
char *page_text_fit(struct page *page, const char *text, const struct text_style *style, double width);

/* Breaks a text into at most `max` lines no wider than width, at spaces; a list with " · " rather breaks between its
 * members. If text is left over, the last line is cut as by page_text_fit(). Returns the number of lines, which are
 * to be freed. */
size_t page_text_wrap(struct page *page, const char *text, const struct text_style *style, double width, char **lines,
                      size_t max);
