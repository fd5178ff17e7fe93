/* SPDX-License-Identifier: BSD-3-Clause
 * Without cairo there is no picture but SVG, whose texts a table measures (see drawing.h, font.h). */
#include "drawing.h"
#include "font.h"

#include <stdio.h>

const char *drawing_refusal(void) {
    return BUILT_WITHOUT;
}

static bool refuse(struct drawing *drawing) {
    drawing->trouble = BUILT_WITHOUT;
    return false;
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

void font_open(struct metrics *out, const char *family) {
    (void)family;
    *out = (struct metrics){.width = font_table_width};
}

bool font_close(const struct metrics *metrics) {
    (void)metrics;
    return true;
}

bool font_found(const char *family, char *out, size_t size) {
    (void)family;
    snprintf(out, size, "%s", "");
    return true;
}

bool font_reserve_memory(void) {
    return true;
}
