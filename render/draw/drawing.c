/* SPDX-License-Identifier: BSD-3-Clause
 * Functions that all formats of pictures share. */
#include "drawing.h"
#include "output_file.h"
#include "render/layout/layout.h"

bool drawing_put(struct drawing *drawing, const void *bytes, size_t count) {
    const int reason = output_file_put(drawing->descriptor, bytes, count);
    if (reason)
        drawing->write_error = reason;
    return reason == 0;
}

const char *drawing_font(const struct plot_style *style) {
    return style->font ? style->font : STYLE_FONT;
}

bool drawing_lay_out(struct drawing *drawing, struct page *page) {
    const double scale = drawing->style->scale;
    layout_plot(page, drawing->plot, drawing->width / scale, drawing->height / scale, &drawing->metrics);
    drawing->out_of_memory |= page->out_of_memory;
    return !drawing->out_of_memory;
}
