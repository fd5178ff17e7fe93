/* SPDX-License-Identifier: BSD-3-Clause
 * Draws the page's primitives by cairo, as PDF, EPS and PNG. */
#include "drawing.h"
#include "font.h"

#include <cairo-pdf.h>
#include <cairo-ps.h>

#include <math.h>

static void set_color(cairo_t *cr, struct plot_color color) {
    cairo_set_source_rgba(cr, color.r, color.g, color.b, color.a);
}

static void set_dash(cairo_t *cr, const struct primitive *p) {
    cairo_set_dash(cr, page_dashes[p->dash].lengths, page_dashes[p->dash].count, 0);
    cairo_set_line_width(cr, p->width);
}

static void trace_path(cairo_t *cr, const struct page *page, const struct primitive *p) {
    for (size_t i = 0; i < p->count; i++)
        cairo_line_to(cr, page->vertices[p->first + i].x, page->vertices[p->first + i].y);
}

static void draw_line(cairo_t *cr, const struct page *page, const struct primitive *p) {
    trace_path(cr, page, p);
    set_dash(cr, p);
    set_color(cr, p->stroke);
    cairo_stroke(cr);
}

static void draw_area(cairo_t *cr, const struct page *page, const struct primitive *p) {
    cairo_save(cr);
    if (p->clipped) {
        cairo_rectangle(cr, page->plot.left, page->plot.top, page->plot.right - page->plot.left,
                        page->plot.bottom - page->plot.top);
        cairo_clip(cr);
    }
    trace_path(cr, page, p);
    cairo_close_path(cr);
    set_color(cr, p->fill);
    cairo_fill_preserve(cr);
    set_dash(cr, p);
    set_color(cr, p->stroke);
    if (p->stroke.a > 0 && p->width > 0)
        cairo_stroke(cr);
    cairo_restore(cr);
}

static void draw_circle(cairo_t *cr, const struct page *page, const struct primitive *p) {
    (void)page;
    cairo_new_sub_path(cr);
    cairo_arc(cr, p->at.x, p->at.y, p->radius, 0, 4 * acos(0));
    set_color(cr, p->fill);
    cairo_fill_preserve(cr);
    set_dash(cr, p);
    set_color(cr, p->stroke);
    if (p->stroke.a > 0 && p->width > 0)
        cairo_stroke(cr);
}

static void draw_text(cairo_t *cr, const struct page *page, const struct primitive *p) {
    double width = font_width(cr, p->text, p->style.size, p->style.bold);
    cairo_save(cr);
    cairo_translate(cr, p->at.x, p->at.y);
    cairo_rotate(cr, p->angle);
    cairo_translate(cr, p->anchor == PAGE_LEFT ? 0 : p->anchor == PAGE_MIDDLE ? -width / 2 : -width, 0);
    if (p->style.halo) {
        cairo_move_to(cr, 0, 0);
        cairo_text_path(cr, p->text);
        cairo_set_source_rgba(cr, page->ground.r, page->ground.g, page->ground.b, page->flat ? 1 : 0.85);
        cairo_set_line_width(cr, 3.2);
        cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
        cairo_stroke(cr);
    }
    set_color(cr, p->style.color);
    cairo_move_to(cr, 0, 0);
    cairo_show_text(cr, p->text);
    cairo_restore(cr);
}

static void draw_page(cairo_t *cr, const struct page *page) {
    static void (*const draw[])(cairo_t *, const struct page *, const struct primitive *) = {
        [PAGE_LINE] = draw_line, [PAGE_AREA] = draw_area, [PAGE_CIRCLE] = draw_circle, [PAGE_TEXT] = draw_text};
    set_color(cr, page->ground);
    cairo_paint(cr);
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    for (size_t i = 0; i < page->count; i++) {
        cairo_new_path(cr); /* text leaves a current point behind */
        draw[page->primitives[i].kind](cr, page, &page->primitives[i]);
    }
}

static cairo_status_t put(void *drawing, const unsigned char *data, unsigned int length) {
    return drawing_put(drawing, data, length) ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

static bool put_image(cairo_surface_t *surface, struct drawing *drawing) {
    cairo_surface_flush(surface);
    return png_file_put(drawing, &(struct png_pixels){.bytes = cairo_image_surface_get_data(surface),
                                                      .width = (size_t)cairo_image_surface_get_width(surface),
                                                      .height = (size_t)cairo_image_surface_get_height(surface),
                                                      .stride = (size_t)cairo_image_surface_get_stride(surface)});
}

enum surface_sort { VECTORS, FLAT_VECTORS, IMAGE };

/* Lays out and draws on the surface, encodes an image surface, and destroys the surface. */
static bool draw_on(cairo_surface_t *surface, enum surface_sort sort, struct drawing *drawing) {
    cairo_t *cr = cairo_create(surface);
    struct page page;
    cairo_scale(cr, drawing->style->scale, drawing->style->scale);
    font_prepare(cr, drawing_font(drawing->style), &drawing->metrics);
    const bool laid_out = drawing_lay_out(drawing, &page);
    if (laid_out && sort == FLAT_VECTORS)
        style_flatten_page(&page);
    if (laid_out)
        draw_page(cr, &page);
    page_free(&page);

    cairo_status_t status = cairo_status(cr);
    cairo_destroy(cr);
    const bool put = status == CAIRO_STATUS_SUCCESS && laid_out && (sort != IMAGE || put_image(surface, drawing));
    cairo_surface_finish(surface);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    drawing->out_of_memory |= status == CAIRO_STATUS_NO_MEMORY;
    drawing->trouble = cairo_status_to_string(status);
    return put && status == CAIRO_STATUS_SUCCESS && !drawing->write_error;
}

const char *drawing_refusal(void) {
    return NULL;
}

bool draw_pdf(struct drawing *drawing) {
    return draw_on(cairo_pdf_surface_create_for_stream(put, drawing, drawing->width, drawing->height), VECTORS,
                   drawing);
}

bool draw_eps(struct drawing *drawing) {
    cairo_surface_t *surface = cairo_ps_surface_create_for_stream(put, drawing, drawing->width, drawing->height);
    cairo_ps_surface_set_eps(surface, true);
    return draw_on(surface, FLAT_VECTORS, drawing);
}

bool draw_png(struct drawing *drawing) {
    const double density = drawing->style->pixels_per_point;
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)lround(drawing->width * density),
                                                          (int)lround(drawing->height * density));
    cairo_surface_set_device_scale(surface, density, density);
    return draw_on(surface, IMAGE, drawing);
}
