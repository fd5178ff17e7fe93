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

struct legend_entry legend_of_line(const struct plot_line *line, const struct theme *theme) {
    return (struct legend_entry){.kind = LEGEND_LINE,
                                 .text = line->label,
                                 .subtext =
                                     theme->sparse && line->short_sublabel ? line->short_sublabel : line->sublabel,
                                 .color = line->color,
                                 .width = line->width > 0 ? line->width : 1.2,
                                 .dash = line->dash,
                                 .markers = line->markers};
}

struct legend_entry legend_of_mark(const struct plot_mark *mark) {
    return (struct legend_entry){.kind = LEGEND_LINE,
                                 .text = mark->label,
                                 .color = mark->color,
                                 .width = mark->width > 0 ? mark->width : 0.9,
                                 .dash = mark->dash};
}

struct legend_entry legend_of_point(const struct plot_point *point, size_t number) {
    return (struct legend_entry){.kind = LEGEND_POINT,
                                 .number = number,
                                 .text = number ? point->label : point->legend,
                                 .subtext = number ? point->sublabel : NULL,
                                 .color = point->color,
                                 .shape = point->shape,
                                 .hollow = point->hollow};
}

struct legend_entry legend_of_kind(const struct plot_point *point, bool labels) {
    struct legend_entry entry = legend_of_point(point, 0);
    entry.text = labels && point->legend_of_labels ? point->legend_of_labels : point->legend;
    return entry;
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
static char *joined(const struct legend_entry *entry, const char *subtext) {
    size_t room = strlen(entry->text) + (subtext ? strlen(subtext) : 0) + 32;
    char *text = malloc(room), number[24] = "";
    if (entry->number)
        snprintf(number, sizeof number, "%zu: ", entry->number);
    if (text)
        snprintf(text, room, "%s%s%s%s", number, entry->text, subtext ? "  " : "", subtext ? subtext : "");
    return text;
}

/* What stands in a row of this width, to be freed: the sublabel, often a number, is there as a whole or not at all. */
static char *row_text(struct page *page, const struct theme *theme, const struct legend_entry *entry, double width) {
    char *text = joined(entry, entry->subtext);
    if (text && entry->subtext && page_text_width(page, text, &theme->legend) > width) {
        free(text);
        text = joined(entry, NULL);
    }
    char *fitted = text ? page_text_fit(page, text, &theme->legend, width) : NULL;
    free(text);
    return fitted;
}

double legend_layout(const struct legend *legend, struct page *page, const struct theme *theme,
                     const struct frame *area, bool draw) {
    const double patch = 20 * theme->scale, gap = 6 * theme->scale, between = 22 * theme->scale;
    const double row = 1.5 * theme->legend.size, left = area->left, right = area->right;
    double x = left, y = area->top;
    if (legend->count == 0)
        return 0;
    for (size_t i = 0; i < legend->count; i++) {
        char more[48], *text = row_text(page, theme, &legend->entries[i], right - left - patch - gap);
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
