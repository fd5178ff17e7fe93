/* SPDX-License-Identifier: BSD-3-Clause
 * The list of primitives, and text: cleaned, cut, wrapped. */
#include "page.h"
#include "palette.h"
#include "safe_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct dashes page_dashes[] = {
    [PLOT_DASHED] = {2, {6, 3.5}}, [PLOT_DOTTED] = {2, {1.6, 2.6}}, [PLOT_DASH_DOTTED] = {4, {7, 2.6, 1.6, 2.6}}};

void page_init(struct page *page, double width, double height, const struct metrics *metrics) {
    *page = (struct page){.width = width, .height = height, .metrics = metrics, .ground = PALETTE_WHITE};
}

void page_free(struct page *page) {
    for (size_t i = 0; i < page->count; i++)
        free(page->primitives[i].text);
    free(page->primitives);
    free(page->vertices);
    *page = (struct page){0};
}

bool array_grow(void **items, size_t *capacity, size_t count, size_t size) {
    if (count < *capacity)
        return true;
    size_t wanted = *capacity ? 2 * *capacity : 64;
    void *grown = realloc(*items, wanted * size);
    if (!grown)
        return false;
    *items = grown;
    *capacity = wanted;
    return true;
}

static void add(struct page *page, const struct primitive *primitive) {
    void *items = page->primitives;
    if (page->out_of_memory || !array_grow(&items, &page->capacity, page->count, sizeof *primitive)) {
        page->out_of_memory = true;
        free(primitive->text);
        return;
    }
    page->primitives = items;
    page->primitives[page->count] = *primitive;
    page->primitives[page->count].part = page->part;
    page->primitives[page->count++].keeps_colors = page->keeps_colors;
}

static size_t add_vertices(struct page *page, const struct vec *vertices, size_t count) {
    size_t first = page->vertex_count;
    for (size_t i = 0; i < count; i++) {
        void *items = page->vertices;
        if (page->out_of_memory || !array_grow(&items, &page->vertex_capacity, page->vertex_count, sizeof *vertices)) {
            page->out_of_memory = true;
            return first;
        }
        page->vertices = items;
        page->vertices[page->vertex_count++] = vertices[i];
    }
    return first;
}

void page_line(struct page *page, const struct vec *vertices, size_t count, struct plot_color color, double width,
               enum plot_dash dash) {
    size_t first = add_vertices(page, vertices, count);
    add(page, &(struct primitive){
                  .kind = PAGE_LINE, .first = first, .count = count, .stroke = color, .width = width, .dash = dash});
}

void page_area(struct page *page, const struct vec *vertices, size_t count, struct plot_color fill, bool clipped) {
    size_t first = add_vertices(page, vertices, count);
    add(page, &(struct primitive){.kind = PAGE_AREA, .first = first, .count = count, .fill = fill, .clipped = clipped});
}

void page_outlined(struct page *page, const struct vec *vertices, size_t count, struct plot_color fill,
                   struct plot_color stroke, double width) {
    size_t first = add_vertices(page, vertices, count);
    add(page, &(struct primitive){
                  .kind = PAGE_AREA, .first = first, .count = count, .fill = fill, .stroke = stroke, .width = width});
}

void page_circle(struct page *page, struct vec center, double radius, struct plot_color fill, struct plot_color stroke,
                 double width) {
    add(page, &(struct primitive){
                  .kind = PAGE_CIRCLE, .at = center, .radius = radius, .fill = fill, .stroke = stroke, .width = width});
}

void page_text(struct page *page, const char *text, const struct text_style *style, enum page_anchor anchor,
               struct vec at, double angle) {
    char *clean = safe_text_copy(text);
    if (!clean) {
        page->out_of_memory = true;
        return;
    }
    double width = page_text_width(page, clean, style), c = cos(angle), s = sin(angle);
    double along = anchor == PAGE_LEFT ? width / 2 : anchor == PAGE_RIGHT ? -width / 2 : 0;
    double up = (PAGE_ASCENT - PAGE_DESCENT) / 2 * style->size;
    add(page, &(struct primitive){.kind = PAGE_TEXT,
                                  .text = clean,
                                  .style = *style,
                                  .anchor = anchor,
                                  .at = at,
                                  .angle = angle,
                                  .box = {.center = {at.x + along * c + up * s, at.y + along * s - up * c},
                                          .half_width = width / 2,
                                          .half_height = (PAGE_ASCENT + PAGE_DESCENT) / 2 * style->size,
                                          .angle = angle}});
}

/* Where a line of this length from a to b is free of labels next, from `from` on; false: nowhere. */
static bool next_gap(const struct page *page, struct vec a, struct vec b, double *from, double *to) {
    const double clear = 2, length = hypot(b.x - a.x, b.y - a.y);
    bool moved = true;
    *to = length;
    while (moved) {
        moved = false;
        for (size_t i = 0; i < page->count; i++) {
            struct box box = page->primitives[i].box;
            double begin, end;
            box.half_width += clear, box.half_height += clear;
            if (page->primitives[i].kind != PAGE_TEXT || page->primitives[i].part != PAGE_LABELS ||
                !box_cuts(&box, a, b, &begin, &end) || end <= *from)
                continue;
            if (begin <= *from)
                *from = end, *to = length, moved = true;
            else
                *to = fmin(*to, begin);
        }
    }
    return *from < length;
}

/* Replaces line i by its pieces between labels, the first one in its place. */
static void interrupt_line(struct page *page, size_t i) {
    const struct primitive line = page->primitives[i];
    const struct vec a = page->vertices[line.first], b = page->vertices[line.first + 1];
    const double length = hypot(b.x - a.x, b.y - a.y);
    double from = 0, to;
    size_t pieces = 0;
    for (; length > 0 && next_gap(page, a, b, &from, &to); pieces++, from = to) {
        const struct vec ends[2] = {{a.x + from / length * (b.x - a.x), a.y + from / length * (b.y - a.y)},
                                    {a.x + to / length * (b.x - a.x), a.y + to / length * (b.y - a.y)}};
        page->part = line.part;
        page_line(page, ends, 2, line.stroke, line.width, line.dash);
        if (page->out_of_memory)
            return;
        struct primitive piece = page->primitives[page->count - 1];
        piece.detail = line.detail;
        if (pieces == 0)
            page->count--;
        else
            memmove(page->primitives + i + pieces + 1, page->primitives + i + pieces,
                    (page->count - 1 - i - pieces) * sizeof piece);
        page->primitives[i + pieces] = piece;
    }
    if (pieces == 0) /* labels cover all of it */
        page->primitives[i].stroke.a = 0;
}

void page_interrupt_lines(struct page *page) {
    for (size_t i = page->count; i-- > 0;)
        if (page->primitives[i].kind == PAGE_LINE && page->primitives[i].yields)
            interrupt_line(page, i);
}

void page_detail(struct page *page, const char *detail) {
    if (page->count)
        page->primitives[page->count - 1].detail = detail;
}

double page_text_width(struct page *page, const char *text, const struct text_style *style) {
    char *clean = safe_text_copy(text);
    page->out_of_memory |= !clean;
    double width = clean ? page->metrics->width(page->metrics->context, clean, style->size, style->bold) : 0;
    free(clean);
    return width;
}

/* The length of the longest prefix of text, in whole characters, that fits into the width together with the tail. */
static size_t fitting(struct page *page, const char *text, const char *tail, const struct text_style *style,
                      double width) {
    size_t length = strlen(text), low = 0, high = length;
    char *trial = malloc(length + strlen(tail) + 1);
    if (!trial) {
        page->out_of_memory = true;
        return 0;
    }
    while (low < high) {
        size_t middle = (low + high + 1) / 2, cut = middle;
        while (cut > low && ((unsigned char)text[cut] & 0xC0) == 0x80)
            cut--;
        memcpy(trial, text, cut);
        strcpy(trial + cut, tail);
        if (page_text_width(page, trial, style) <= width)
            low = middle;
        else
            high = middle - 1;
    }
    while (low > 0 && low < length && ((unsigned char)text[low] & 0xC0) == 0x80)
        low--;
    free(trial);
    return low;
}

/* Whether a clause ends before the space at text[i]. */
static bool ends_clause(const char *text, size_t i) {
    static const char DOT[] = "·";
    const size_t length = strlen(DOT);
    return strchr(",;:.", text[i - 1]) || text[i + 1] == '(' ||
           (i > length && strncmp(text + i - length, DOT, length) == 0);
}

/* The last space within the first `most` bytes or right behind them. With `clauses`, a space behind a clause in the
 * farther half is preferred. 0: no space. */
static size_t last_space(const char *text, size_t most, bool clauses) {
    size_t space = 0;
    for (size_t i = most; i > 0; i--) {
        if (text[i] != ' ')
            continue;
        space = space ? space : i;
        if (!clauses)
            break;
        if (i > most / 2 && ends_clause(text, i))
            return i;
    }
    return space;
}

/* Cuts a malloced text so that it fits with "…" at its end: behind a clause, else behind a word; within a word only
 * if that word fills most of the room. */
static char *shorten(struct page *page, char *text, const struct text_style *style, double width) {
    const size_t most = fitting(page, text, " …", style, width), space = last_space(text, most, true);
    size_t keep = space > most / 3 ? space : most;
    while (keep > 0 && strchr(" ,;:", text[keep - 1]))
        keep--;
    const char *tail = space > most / 3 ? " …" : "…";
    char *grown = realloc(text, keep + strlen(tail) + 1);
    if (!grown) {
        page->out_of_memory = true;
        return text;
    }
    strcpy(grown + keep, tail);
    return grown;
}

char *page_text_fit(struct page *page, const char *text, const struct text_style *style, double width) {
    char *clean = safe_text_copy(text);
    page->out_of_memory |= !clean;
    if (clean && page_text_width(page, clean, style) > width)
        return shorten(page, clean, style, width);
    return clean;
}

size_t page_text_wrap(struct page *page, const char *text, const struct text_style *style, double width, char **lines,
                      size_t max) {
    char *clean = safe_text_copy(text);
    const char *rest = clean;
    size_t count = 0;
    page->out_of_memory |= !clean;
    while (rest && *rest && count < max) {
        size_t length = fitting(page, rest, "", style, width), cut = length;
        if (rest[length]) {
            cut = last_space(rest, length, strstr(rest, " · ") != NULL);
            cut = cut ? cut : length ? length : 1;
        }
        bool last = count + 1 == max && rest[cut];
        char *line = strndup(rest, last ? strlen(rest) : cut);
        if (line && last)
            line = shorten(page, line, style, width);
        page->out_of_memory |= !line;
        if (!line)
            break;
        lines[count++] = line;
        rest += cut;
        while (*rest == ' ')
            rest++;
    }
    free(clean);
    return count;
}
