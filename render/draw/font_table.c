/* SPDX-License-Identifier: BSD-3-Clause
 * The widths of DejaVu Sans's letters, for pictures that are laid out where there is no cairo, and maybe no font. */
#include "font.h"

#include <stdint.h>

#include "render/page/safe_text.h"

enum { EM_UNITS = 2048, OTHER_UNITS = 1229, WIDE_UNITS = 2048, WIDE_FROM = 0x1100 };

/* Blocks of characters; `widths` has those of regular letters, and behind them those of bold ones.
 * Written by tests/helpers/font_widths. */
static const struct font_block {
    uint32_t first, last;
    const uint16_t *widths;
} BLOCKS[] = {
#include "font_widths.inc"
};

static unsigned units_of(uint32_t code, bool bold) {
    for (size_t i = 0; i < sizeof BLOCKS / sizeof BLOCKS[0]; i++)
        if (code >= BLOCKS[i].first && code <= BLOCKS[i].last)
            return BLOCKS[i].widths[code - BLOCKS[i].first + (bold ? BLOCKS[i].last - BLOCKS[i].first + 1 : 0)];
    return code < WIDE_FROM ? OTHER_UNITS : WIDE_UNITS; /* Hangul, CJK and pictures are about as wide as high */
}

double font_table_width(void *context, const char *text, double size, bool bold) {
    const char *instead;
    unsigned units = 0;
    (void)context;
    while (*text) {
        const size_t length = safe_text_next(text, &instead);
        units += length < 4 ? units_of(instead ? (unsigned char)*instead : safe_text_code(text), bold) : WIDE_UNITS;
        text += length;
    }
    return units * size / EM_UNITS;
}
