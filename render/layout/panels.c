/* SPDX-License-Identifier: BSD-3-Clause
 * Panels (see panels.h): each is laid out as a page of its own, and its primitives are moved to where it stands. */
#include "panels.h"
#include "axes_and_notes.h"

#include <math.h>

static const double OVERLAP = 1.3; /* of panels, in margins of the page */

/* Moves what is on one page to another, further down; the former is empty then. */
static void append(struct page *page, struct page *panel, double down) {
    const size_t first = page->vertex_count;
    for (size_t i = 0; i < panel->vertex_count; i++) {
        void *vertices = page->vertices;
        if (!array_grow(&vertices, &page->vertex_capacity, page->vertex_count, sizeof *page->vertices)) {
            page->out_of_memory = true;
            return;
        }
        page->vertices = vertices;
        page->vertices[page->vertex_count++] = (struct vec){panel->vertices[i].x, panel->vertices[i].y + down};
    }
    for (size_t i = 0; i < panel->count; i++) {
        void *primitives = page->primitives;
        if (!array_grow(&primitives, &page->capacity, page->count, sizeof *page->primitives)) {
            page->out_of_memory = true;
            return;
        }
        page->primitives = primitives;
        struct primitive *moved = &page->primitives[page->count++];
        *moved = panel->primitives[i];
        panel->primitives[i].text = NULL;
        moved->first += first;
        moved->at.y += down;
        moved->box.center.y += down;
    }
}

/* A panel as it is drawn. */
static struct plot panel_of(const struct plot *plot, size_t i, double left) {
    struct plot panel = plot->panels[i];
    panel.style = plot->style;
    panel.least_left = left;
    return panel;
}

void panels_layout(struct page *page, const struct plot *plot,
                   void (*chart)(struct page *page, const struct plot *plot, double width, double height,
                                 const struct metrics *metrics)) {
    const struct plot_style *style = plot_style_of(plot);
    struct theme theme;
    theme_make(&theme, style, page->width, page->height);
    const double top = header_draw(page, plot, &theme, theme.margin),
                 bottom = footer_draw(page, plot, &theme, theme.margin);
    /* The upper margin of each lies over the lower one of the panel above. */
    const double overlap = OVERLAP * theme.margin, count = (double)plot->panel_count;
    const double height = fmax(1, bottom - top + (count - 1) * overlap) / count;
    double left = 0;
    style_color_page(page, style);
    for (int pass = 0; pass < 2; pass++) /* the first finds where the charts begin */
        for (size_t i = 0; i < plot->panel_count && !page->out_of_memory; i++) {
            const struct plot panel = panel_of(plot, i, left);
            struct page own;
            chart(&own, &panel, page->width, height, page->metrics);
            page->out_of_memory |= own.out_of_memory;
            page->plot = own.plot;
            left = fmax(left, own.plot.left);
            if (pass == 1)
                append(page, &own, top + (double)i * (height - overlap));
            page_free(&own);
        }
}
