/* SPDX-License-Identifier: BSD-3-Clause
 * Picture files: the ending sets the format. A file is written beside the target and renamed when complete, so that
 * a full disk leaves the old picture. */
#include "drawing.h"
#include "output_file.h"
#include "render/layout/layout.h"
#include "font.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const struct format {
    const char *ending;
    bool (*draw)(struct drawing *drawing);
} FORMATS[] = {{".svg", draw_svg}, {".pdf", draw_pdf}, {".eps", draw_eps}, {".png", draw_png}};

static const struct format *format_of(const char *path) {
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof FORMATS / sizeof *FORMATS; i++) {
        size_t ending = strlen(FORMATS[i].ending);
        if (length > ending && strcasecmp(path + length - ending, FORMATS[i].ending) == 0)
            return &FORMATS[i];
    }
    return NULL;
}

bool plot_format_known(const char *path) {
    return format_of(path) != NULL;
}

const char *plot_refusal(const char *path) {
    const struct format *format = format_of(path);
    return format && format->draw != draw_svg ? drawing_refusal() : NULL;
}

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

static bool fail_write(struct plot_error *err, const char *path, int reason) {
    return fail(err, "%s: cannot write: %s; %s", path, output_file_why(reason), output_file_remedy(reason));
}

/* Reports an error of drawing. */
static bool explain(const struct drawing *drawing, const char *path, struct plot_error *err) {
    if (drawing->write_error)
        return fail_write(err, path, drawing->write_error);
    if (drawing->out_of_memory)
        return fail_memory(err, path);
    return fail(err, "%s: cannot draw: %s", path, drawing->trouble);
}

bool plot_write(const struct plot *plot, const char *path, double width, double height, struct plot_error *err) {
    char trouble[256];
    const struct format *format = format_of(path);
    const struct plot_style *style = plot_style_of(plot);
    struct drawing drawing = {.plot = plot, .style = style};
    drawing.width = width == 0 ? style->width : width;
    drawing.height = height == 0 ? drawing.width * style->height / style->width : height;
    if (!format)
        return fail(err, "%s: unknown picture format; name a file that ends in " PLOT_FORMATS, path);
    if (plot_trouble(plot, drawing.width, drawing.height, trouble, sizeof trouble))
        return fail(err, "%s: %s", path, trouble);

    if (!font_reserve_memory())
        return fail_memory(err, path);
    struct output_file file;
    int reason = output_file_open(&file, path);
    if (reason)
        return reason == ENOMEM ? fail_memory(err, path) : fail_write(err, path, reason);
    drawing.descriptor = file.descriptor;
    const bool whole = format->draw(&drawing) || explain(&drawing, path, err);
    reason = output_file_close(&file, whole, false);
    if (whole && reason)
        return fail_write(err, path, reason);
    return whole;
}
