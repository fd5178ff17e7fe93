/* SPDX-License-Identifier: BSD-3-Clause
 * Draws the page's primitives by cairo, as PDF, EPS and PNG. */
#include "drawing.h"
#include "font.h"

#include <cairo-pdf.h>
#include <cairo-ps.h>

#include <math.h>
#include <stdint.h>

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

/* A PNG on its way into the file. Cairo's PNG has no resolution, without which programs place it at 72 or 96 pixels per
 * inch: the chunk that states it is inserted behind the header. */
struct png_stream {
    struct drawing *drawing;
    size_t length; /* of the PNG so far */
};

enum {
    PNG_HEADER = 8 + 25,
    PNG_RESOLUTION = 4 + 4 + 9 + 4
}; /* the signature and IHDR; pHYs: length, type, data, CRC */

static void put_number(unsigned char out[4], uint32_t number) {
    for (int i = 0; i < 4; i++)
        out[i] = (unsigned char)(number >> (24 - 8 * i));
}

/* The CRC of a chunk's type and data (PNG, ISO/IEC 15948, annex D). */
static uint32_t png_crc(const unsigned char *bytes, size_t count) {
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < count; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? 0xEDB88320U ^ crc >> 1 : crc >> 1;
    }
    return ~crc;
}

/* The chunk: pixels per metre along x and along y, and 1 for the unit of a metre. */
static bool put_resolution(struct drawing *drawing) {
    const double inches_per_metre = 1 / 0.0254;
    const uint32_t pixels_per_metre =
        (uint32_t)lround(drawing->style->pixels_per_point * PLOT_POINTS_PER_INCH * inches_per_metre);
    unsigned char chunk[PNG_RESOLUTION] = {0, 0, 0, 9, 'p', 'H', 'Y', 's'};
    put_number(chunk + 8, pixels_per_metre);
    put_number(chunk + 12, pixels_per_metre);
    chunk[16] = 1;
    put_number(chunk + 17, png_crc(chunk + 4, 13));
    return drawing_put(drawing, chunk, sizeof chunk);
}

static cairo_status_t put_png(void *context, const unsigned char *data, unsigned int length) {
    struct png_stream *png = context;
    const bool header_ends = png->length < PNG_HEADER && png->length + length >= PNG_HEADER;
    const size_t first = header_ends ? PNG_HEADER - png->length : length;
    png->length += length;
    const bool done =
        drawing_put(png->drawing, data, first) &&
        (!header_ends || (put_resolution(png->drawing) && drawing_put(png->drawing, data + first, length - first)));
    return done ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
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
    if (status == CAIRO_STATUS_SUCCESS && laid_out && sort == IMAGE)
        status = cairo_surface_write_to_png_stream(surface, put_png, &(struct png_stream){.drawing = drawing});
    cairo_surface_finish(surface);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    drawing->out_of_memory |= status == CAIRO_STATUS_NO_MEMORY;
    drawing->trouble = cairo_status_to_string(status);
    return laid_out && status == CAIRO_STATUS_SUCCESS && !drawing->write_error;
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
