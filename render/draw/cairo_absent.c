/* SPDX-License-Identifier: BSD-3-Clause
 * Without cairo there are pictures in terminals alone (see drawing.h, font.h). A report for browsers lacks only what it
 * shows without JavaScript. */
#include "drawing.h"
#include "font.h"

#include <stdio.h>
#include <stdlib.h>

const char *plot_files_refusal(void) {
    return BUILT_WITHOUT;
}

static bool refuse(struct drawing *drawing) {
    drawing->trouble = BUILT_WITHOUT;
    return false;
}

bool draw_svg(struct drawing *drawing) {
    return refuse(drawing);
}
bool draw_pdf(struct drawing *drawing) {
    return refuse(drawing);
}
bool draw_png(struct drawing *drawing) {
    return refuse(drawing);
}
bool draw_eps(struct drawing *drawing) {
    return refuse(drawing);
}

bool plot_svg(const struct plot *plot, double width, double height, char **svg, struct plot_error *err) {
    (void)plot, (void)width, (void)height;
    *svg = calloc(1, 1);
    *err = (struct plot_error){.out_of_memory = !*svg};
    return *svg;
}

bool font_found(const char *family, char *out, size_t size) {
    (void)family;
    snprintf(out, size, "%s", "");
    return true;
}

bool font_reserve_memory(void) {
    return true;
}
