/* SPDX-License-Identifier: BSD-3-Clause
 * Legend rows flow from left to right like words. */
#include "legend.h"
#include "marker.h"
#include "render/page/palette.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool same(const struct legend_entry *a, const struct legend_entry *b) {
    return a->kind == b->kind && strcmp(a->text, b->text) == 0 && a->color.r == b->color.r &&
           a->color.g == b->color.g && a->color.b == b->color.b && a->dash == b->dash && a->hollow == b->hollow &&
           a->shape == b->shape && a->number == b->number;
}

bool legend_add(struct legend *legend, const struct legend_entry *entry) {
    for (size_t i = 0; i < legend->count; i++)
        if (same(&legend->entries[i], entry))
            return true;
    void *items = legend->entries;
    if (!array_grow(&items, &legend->capacity, legend->count, sizeof *entry))
        return false;
    legend->entries = items;
    legend->entries[legend->count++] = *entry;
    return true;
}

void legend_free(struct legend *legend) {
    free(legend->entries);
    *legend = (struct legend){0};
}

static void swatch(struct page *page, const struct legend_entry *entry, double left, double middle, double width) {
    struct vec center = {left + width / 2, middle}, line[2] = {{left, middle}, {left + width, middle}};
    struct vec block[4] = {
        {left, middle - 5}, {left + width, middle - 5}, {left + width, middle + 5}, {left, middle + 5}};
    struct plot_color visible = entry->color;
    switch (entry->kind) {
    case LEGEND_LINE:
        page_line(page, line, 2, entry->color, entry->width, entry->dash);
        if (entry->markers)
            page_circle(page, center, 2.4, PALETTE_WHITE, entry->color, 1.2);
        break;
    case LEGEND_BAND:
        visible.a = fmax(visible.a, 0.15); /* a small patch needs more colour than a large one */
        page_area(page, block, 4, visible, false);
        break;
    case LEGEND_POINT:
        marker_draw(page, entry->shape, center, marker_radius(0, entry->hollow), entry->hollow, entry->color);
        break;
    }
}

/* "3: label  sublabel", in one string; to be freed. */
static char *joined(const struct legend_entry *entry) {
    size_t room = strlen(entry->text) + (entry->subtext ? strlen(entry->subtext) : 0) + 32;
    char *text = malloc(room), number[24] = "";
    if (entry->number)
        snprintf(number, sizeof number, "%zu: ", entry->number);
    if (text)
        snprintf(text, room, "%s%s%s%s", number, entry->text, entry->subtext ? "  " : "",
                 entry->subtext ? entry->subtext : "");
    return text;
}

double legend_layout(const struct legend *legend, struct page *page, const struct theme *theme,
                     const struct frame *area, bool draw) {
    const double patch = 20 * theme->scale, gap = 6 * theme->scale, between = 22 * theme->scale;
    const double row = 1.5 * theme->legend.size, left = area->left, right = area->right;
    double x = left, y = area->top;
    if (legend->count == 0)
        return 0;
    for (size_t i = 0; i < legend->count; i++) {
        char more[48], *full = joined(&legend->entries[i]), *text = NULL;
        if (full)
            text = page_text_fit(page, full, &theme->legend, right - left - patch - gap);
        free(full);
        if (!text) {
            page->out_of_memory = true;
            break;
        }
        double width = patch + gap + page_text_width(page, text, &theme->legend);
        size_t rest = legend->count - i;
        snprintf(more, sizeof more, "… and %zu more", rest);
        double reserve = rest > 1 ? between + page_text_width(page, more, &theme->legend) : 0;
        if (x > left && x + width > right && y + 2 * row <= area->bottom) {
            x = left;
            y += row;
        }
        bool last_row = y + 2 * row > area->bottom;
        if (last_row && x + width + reserve > right) {
            if (draw)
                page_text(page, more, &theme->legend, PAGE_LEFT, (struct vec){x, y + PAGE_ASCENT * theme->legend.size},
                          0);
            free(text);
            break;
        }
        if (draw) {
            swatch(page, &legend->entries[i], x, y + (PAGE_ASCENT + PAGE_DESCENT) / 2 * theme->legend.size, patch);
            page_text(page, text, &theme->legend, PAGE_LEFT,
                      (struct vec){x + patch + gap, y + PAGE_ASCENT * theme->legend.size}, 0);
        }
        x += width + between;
        free(text);
    }
    return y + row - area->top;
}
