/* SPDX-License-Identifier: BSD-3-Clause
 * The page's primitives through cairo, and files: written beside the target and renamed once they are complete, so that
 * a full disk leaves the old picture. */
#include "font.h"
#include "output_file.h"
#include "render/layout/layout.h"
#include "render/page/style.h"
#include "reserve.h"

#include <cairo.h>
#include <cairo-pdf.h>
#include <cairo-svg.h>

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

struct cairo_output {
    int file;
    int error; /* errno of the first write that failed */
};

static bool fail(struct plot_error *err, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(err->text, sizeof err->text, format, arguments);
    va_end(arguments);
    err->out_of_memory = false;
    return false;
}

static bool fail_memory(struct plot_error *err, const char *path) {
    fail(err, "%s: not enough memory to draw the picture", path);
    err->out_of_memory = true;
    return false;
}

static cairo_status_t write_out(void *closure, const unsigned char *data, unsigned int length) {
    struct cairo_output *output = closure;
    while (length > 0) {
        ssize_t written = write(output->file, data, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {
            output->error = written < 0 ? errno : EIO;
            return CAIRO_STATUS_WRITE_ERROR;
        }
        data += written;
        length -= (unsigned int)written;
    }
    return CAIRO_STATUS_SUCCESS;
}

static cairo_surface_t *open_svg(struct cairo_output *output, double width, double height, double density) {
    (void)density;
    return cairo_svg_surface_create_for_stream(write_out, output, width, height);
}

static cairo_surface_t *open_pdf(struct cairo_output *output, double width, double height, double density) {
    (void)density;
    return cairo_pdf_surface_create_for_stream(write_out, output, width, height);
}

static cairo_surface_t *open_png(struct cairo_output *output, double width, double height, double density) {
    (void)output;
    cairo_surface_t *surface =
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)lround(width * density), (int)lround(height * density));
    cairo_surface_set_device_scale(surface, density, density);
    return surface;
}

static const struct format {
    const char *ending;
    /* Width and height in points; the density, of pixels by points, is of images alone. */
    cairo_surface_t *(*open)(struct cairo_output *output, double width, double height, double density);
    bool image; /* to be encoded when complete */
} formats[] = {
    {".svg", open_svg, false},
    {".pdf", open_pdf, false},
    {".png", open_png, true},
};

static const struct format *format_of(const char *path) {
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        size_t ending = strlen(formats[i].ending);
        if (length > ending && strcasecmp(path + length - ending, formats[i].ending) == 0)
            return &formats[i];
    }
    return NULL;
}

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
        cairo_set_source_rgba(cr, page->ground.r, page->ground.g, page->ground.b, 0.85);
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

/* Lays out, draws and encodes into the open file. */
static bool render(const struct plot *plot, const struct format *format, struct cairo_output *output, double width,
                   double height, const char *path, struct plot_error *err) {
    const struct plot_style *style = plot_style_of(plot);
    cairo_surface_t *surface = format->open(output, width, height, style->pixels_per_point);
    cairo_t *cr = cairo_create(surface);
    struct metrics metrics = {.context = cr, .width = font_width};
    struct page page;

    cairo_scale(cr, style->scale, style->scale);
    font_prepare(cr, style->font ? style->font : STYLE_FONT);
    layout_plot(&page, plot, width / style->scale, height / style->scale, &metrics);
    bool enough_memory = !page.out_of_memory;
    if (enough_memory)
        draw_page(cr, &page);
    page_free(&page);

    cairo_status_t status = cairo_status(cr);
    cairo_destroy(cr);
    if (status == CAIRO_STATUS_SUCCESS && enough_memory && format->image)
        status = cairo_surface_write_to_png_stream(surface, write_out, output);
    cairo_surface_finish(surface);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_status(surface);
    cairo_surface_destroy(surface);

    if (output->error)
        return fail(err, "%s: cannot write: %s; free some space there, raise `ulimit -f`, or choose another place",
                    path, strerror(output->error));
    if (!enough_memory || status == CAIRO_STATUS_NO_MEMORY)
        return fail_memory(err, path);
    if (status != CAIRO_STATUS_SUCCESS)
        return fail(err, "%s: cannot draw: %s", path, cairo_status_to_string(status));
    return true;
}

bool plot_write(const struct plot *plot, const char *path, double width, double height, struct plot_error *err) {
    char trouble[256];
    const struct format *format = format_of(path);
    width = width == 0 ? plot_style_of(plot)->width : width;
    height = height == 0 ? width * plot_style_of(plot)->height / plot_style_of(plot)->width : height;
    if (!format)
        return fail(err, "%s: unknown picture format; name a file that ends in .svg, .pdf or .png", path);
    if (plot_trouble(plot, width, height, trouble, sizeof trouble))
        return fail(err, "%s: %s", path, trouble);

    if (!reserve_memory())
        return fail_memory(err, path);
    struct output_file file;
    int reason = output_file_open(&file, path);
    if (reason)
        return reason == ENOMEM ? fail_memory(err, path)
                                : fail(err, "%s: cannot write: %s; choose a folder that exists and is yours to write",
                                       path, output_file_why(reason));
    struct cairo_output output = {.file = file.descriptor};
    const bool whole = render(plot, format, &output, width, height, path, err);
    reason = output_file_close(&file, whole, false);
    if (whole && reason)
        return fail(err, "%s: cannot write: %s; free some space there, raise `ulimit -f`, or choose another place",
                    path, output_file_why(reason));
    return whole;
}
