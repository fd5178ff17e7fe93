/* SPDX-License-Identifier: BSD-3-Clause
 * Draws the page's primitives as SVG with text as text, which can be searched, read aloud and edited; a tenth of the
 * size that cairo writes, which draws each letter. Viewers may have another typeface, so each text has its width. A
 * file has its title as its name; within HTML, where a title would be shown on hovering everywhere, it has a label
 * and no namespace. */
#include "drawing.h"
#include "render/layout/layout.h"
#include "font.h"
#include "render/page/safe_text.h"
#include "render/page/style.h"
#include "render/page/text_stream.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_visible(struct plot_color color) {
    return color.a > 0;
}

/* Writes text or an attribute's value. */
static void print_escaped(FILE *out, const char *text) {
    for (; *text; text++) {
        const char *entity = xml_entity(*text);
        if (entity)
            fputs(entity, out);
        else
            fputc(*text, out);
    }
}

static unsigned byte_of(double part) {
    return (unsigned)lround(fmin(fmax(part, 0), 1) * 255);
}

static void print_color(FILE *out, const char *attribute, struct plot_color color) {
    if (!is_visible(color)) {
        fprintf(out, " %s=\"none\"", attribute);
        return;
    }
    fprintf(out, " %s=\"#%02x%02x%02x\"", attribute, byte_of(color.r), byte_of(color.g), byte_of(color.b));
    if (color.a < 1)
        fprintf(out, " %s-opacity=\"%.3g\"", attribute, color.a);
}

static void print_stroke(FILE *out, const struct primitive *p) {
    if (!is_visible(p->stroke) || !(p->width > 0))
        return;
    print_color(out, "stroke", p->stroke);
    fprintf(out, " stroke-width=\"%.3g\"", p->width);
    const struct dashes *dashes = &page_dashes[p->dash];
    for (int i = 0; i < dashes->count; i++)
        fprintf(out, "%s%.3g%s", i ? " " : " stroke-dasharray=\"", dashes->lengths[i],
                i + 1 == dashes->count ? "\"" : "");
}

/* Ends an element, with its hovering text. */
static void print_end(FILE *out, const char *element, struct page *page, const struct primitive *p) {
    char *detail = p->detail ? safe_text_copy(p->detail) : NULL;
    page->out_of_memory |= p->detail && !detail;
    if (!detail) {
        fputs("/>\n", out);
        return;
    }
    fputs("><title>", out);
    print_escaped(out, detail);
    fprintf(out, "</title></%s>\n", element);
    free(detail);
}

static void print_path(FILE *out, struct page *page, const struct primitive *p) {
    fputs("<path d=\"", out);
    for (size_t i = 0; i < p->count; i++) {
        const struct vec *at = &page->vertices[p->first + i];
        fprintf(out, "%s%.1f %.1f", i ? "L" : "M", at->x, at->y);
    }
    fputs(p->kind == PAGE_AREA ? "Z\"" : "\"", out);
    print_color(out, "fill", p->kind == PAGE_AREA ? p->fill : (struct plot_color){0});
    print_stroke(out, p);
    if (p->clipped)
        fputs(" clip-path=\"url(#plot-area)\"", out);
    print_end(out, "path", page, p);
}

static void print_circle(FILE *out, struct page *page, const struct primitive *p) {
    fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.3g\"", p->at.x, p->at.y, p->radius);
    print_color(out, "fill", p->fill);
    print_stroke(out, p);
    print_end(out, "circle", page, p);
}

/* A halo has the page's colour: white in light styles. */
static void print_ground(FILE *out, const char *attribute, const struct page *page) {
    if (page->ground.r == 1 && page->ground.g == 1 && page->ground.b == 1)
        fprintf(out, " %s=\"#fff\"", attribute);
    else
        print_color(out, attribute, page->ground);
}

static void print_halo(FILE *out, const struct page *page) {
    print_ground(out, "stroke", page);
    fputs(" stroke-opacity=\"0.85\" stroke-width=\"3.2\" paint-order=\"stroke\"", out);
}

static void print_text(FILE *out, struct page *page, const struct primitive *p) {
    static const char *const ANCHORS[] = {[PAGE_LEFT] = "start", [PAGE_MIDDLE] = "middle", [PAGE_RIGHT] = "end"};
    const double degrees = 90 / acos(0);
    fprintf(out, "<text font-size=\"%.3g\" textLength=\"%.1f\" text-anchor=\"%s\"", p->style.size,
            page_text_width(page, p->text, &p->style), ANCHORS[p->anchor]);
    if (p->angle != 0)
        fprintf(out, " transform=\"translate(%.1f %.1f) rotate(%.2f)\"", p->at.x, p->at.y, p->angle * degrees);
    else
        fprintf(out, " x=\"%.1f\" y=\"%.1f\"", p->at.x, p->at.y);
    if (p->style.bold)
        fputs(" font-weight=\"bold\"", out);
    if (p->style.halo)
        print_halo(out, page);
    print_color(out, "fill", p->style.color);
    fputs(">", out);
    print_escaped(out, p->text);
    fputs("</text>\n", out);
}

/* Writes a text of the plot as an element or an attribute, between these two strings. */
static void print_safe(FILE *out, struct page *page, const char *before, const char *text, const char *after) {
    char *safe = safe_text_copy(text ? text : "");
    page->out_of_memory |= !safe;
    fputs(before, out);
    print_escaped(out, safe ? safe : "");
    fputs(after, out);
    free(safe);
}

/* Draws the plot area's clip path, the page's colour, and all primitives. */
static void print_body(FILE *out, struct page *page) {
    static void (*const print[])(FILE *, struct page *, const struct primitive *) = {
        [PAGE_LINE] = print_path, [PAGE_AREA] = print_path, [PAGE_CIRCLE] = print_circle, [PAGE_TEXT] = print_text};
    const struct frame *plot = &page->plot;
    fprintf(out,
            "<clipPath id=\"plot-area\"><rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>"
            "</clipPath>\n<rect width=\"100%%\" height=\"100%%\"",
            plot->left, plot->top, plot->right - plot->left, plot->bottom - plot->top);
    print_ground(out, "fill", page);
    fputs("/>\n", out);
    for (size_t i = 0; i < page->count; i++)
        print[page->primitives[i].kind](out, page, &page->primitives[i]);
    fputs("</svg>\n", out);
}

static void print_inside(FILE *out, struct page *page, const struct drawing *drawing) {
    fprintf(out,
            "<svg viewBox=\"0 0 %g %g\" role=\"img\" font-family=\"" STYLE_FONT
            ", Verdana, sans-serif\" stroke-linejoin=\"round\" style=\"white-space:pre\"",
            page->width, page->height);
    print_safe(out, page, " aria-label=\"", drawing->plot->title, "\">\n");
    print_body(out, page);
}

/* Labels have runs of several blanks. Browsers preserve them by a style rule, which text does not inherit; readers
 * without style sheets by the attribute. */
static void print_file(FILE *out, struct page *page, const struct drawing *drawing) {
    const struct plot *plot = drawing->plot;
    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%gpt\" "
            "height=\"%gpt\" viewBox=\"0 0 %g %g\" role=\"img\" font-family=\"",
            drawing->width, drawing->height, page->width, page->height);
    if (drawing->style->font)
        print_safe(out, page, "'", drawing->style->font, "', ");
    fputs(STYLE_FONT ", Verdana, sans-serif\" stroke-linejoin=\"round\" xml:space=\"preserve\">\n", out);
    if (plot->title && *plot->title)
        print_safe(out, page, "<title>", plot->title, "</title>\n");
    if (plot->subtitle)
        print_safe(out, page, "<desc>", plot->subtitle, "");
    if (plot->subtitle && plot->caption)
        print_safe(out, page, ". ", plot->caption, "");
    if (plot->subtitle)
        print_safe(out, page, plot->caption ? " " : ". ", plot->footer, "</desc>\n");
    fputs("<style>text{white-space:pre}</style>\n", out);
    print_body(out, page);
}

/* The whole text, to be freed; NULL: memory ran out. */
static char *print_svg(struct drawing *drawing, void (*print)(FILE *, struct page *, const struct drawing *)) {
    char *svg;
    size_t length;
    FILE *out = text_stream(&svg, &length);
    struct page page;
    font_open(&drawing->metrics, drawing_font(drawing->style));
    bool done = drawing_lay_out(drawing, &page) && out;
    if (done)
        print(out, &page, drawing);
    done = font_close(&drawing->metrics) && done && !page.out_of_memory;
    page_free(&page);
    done = out && text_stream_close(out) && done;
    drawing->out_of_memory = !done;
    if (!done)
        free(svg);
    return done ? svg : NULL;
}

bool draw_svg(struct drawing *drawing) {
    char *svg = print_svg(drawing, print_file);
    const bool done = svg && drawing_put(drawing, svg, strlen(svg));
    free(svg);
    return done;
}

static bool fail_memory(struct plot_error *err) {
    snprintf(err->text, sizeof err->text, "not enough memory to lay out the picture");
    err->out_of_memory = true;
    return false;
}

bool plot_svg(const struct plot *plot, double width, double height, char **svg, struct plot_error *err) {
    char trouble[256];
    width = width == 0 ? PLOT_WIDTH : width;
    height = height == 0 ? PLOT_HEIGHT : height;
    *svg = NULL;
    if (plot_trouble(plot, width, height, trouble, sizeof trouble)) {
        err->out_of_memory = false;
        snprintf(err->text, sizeof err->text, "%s", trouble);
        return false;
    }
    if (!font_reserve_memory())
        return fail_memory(err);
    struct drawing drawing = {.plot = plot, .style = plot_style_of(plot), .width = width, .height = height};
    *svg = print_svg(&drawing, print_inside);
    return *svg || fail_memory(err);
}
