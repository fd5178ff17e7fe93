/* SPDX-License-Identifier: BSD-3-Clause
 * Checks that a page is readable: no text overlaps another or leaves the page. Finds numbers
 * of points. Include cmocka.h before it. */
#pragma once

#include <stdlib.h>
#include <string.h>

#include "render/layout/layout.h"

/* Letters as wide as in a usual font. */
static double width_of(void *context, const char *text, double size, bool bold) {
    (void)context;
    double letters = 0;
    for (const char *c = text; *c; c++)
        letters += ((unsigned char)*c & 0xC0) != 0x80;
    return letters * size * (bold ? 0.68 : 0.6);
}

static const struct metrics metrics = {.width = width_of};

static inline void assert_readable(const struct page *page) {
    const struct frame paper = {-0.01, -0.01, page->width + 0.01, page->height + 0.01};
    assert_false(page->out_of_memory);
    for (size_t i = 0; i < page->count; i++) {
        const struct primitive *a = &page->primitives[i];
        if (a->kind != PAGE_TEXT)
            continue;
        if (!box_is_inside(&a->box, &paper))
            fail_msg("\"%s\" leaves the page", a->text);
        struct box smaller = a->box; /* rows of one label may touch */
        smaller.half_width -= 0.05;
        smaller.half_height -= 0.05;
        for (size_t k = i + 1; k < page->count; k++)
            if (page->primitives[k].kind == PAGE_TEXT && box_overlaps(&smaller, &page->primitives[k].box))
                fail_msg("\"%s\" overlaps \"%s\"", a->text, page->primitives[k].text);
    }
}

/* Whether a label has this number: "3", or "1, 3–5" of points that share it. */
static inline bool holds_number(const char *text, size_t number) {
    size_t low = 0, high;
    while (*text >= '0' && *text <= '9') {
        char *end;
        low = high = strtoul(text, &end, 10);
        if (strncmp(end, "–", strlen("–")) == 0)
            high = strtoul(end + strlen("–"), &end, 10);
        if (number >= low && number <= high)
            return *end == '\0' || *end == ',';
        text = end + strspn(end, ", ");
    }
    return false;
}

static inline bool has_number(const struct page *page, size_t number) {
    for (size_t i = 0; i < page->count; i++)
        if (page->primitives[i].kind == PAGE_TEXT && page->primitives[i].part == PAGE_LABELS &&
            holds_number(page->primitives[i].text, number))
            return true;
    return false;
}
