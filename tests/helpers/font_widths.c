/* SPDX-License-Identifier: BSD-3-Clause
 * Prints render/draw/font_widths.inc, as cairo measures DejaVu Sans. Status 1: that font is missing here. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "render/draw/font.h"
#include "render/page/style.h"

/* Latin, Greek, punctuation, raised and lowered digits, arrows, signs of mathematics, shapes. */
static const struct {
    uint32_t first, last;
} BLOCKS[] = {{0x20, 0x7e},     {0xa0, 0x17f},    {0x370, 0x3ff},   {0x2010, 0x2027}, {0x2030, 0x205e},
              {0x2070, 0x209c}, {0x2190, 0x2199}, {0x2202, 0x2265}, {0x25a0, 0x25ff}};
enum { EM_UNITS = 2048, NUMBERS_A_LINE = 24 };

static unsigned units_of(const struct metrics *metrics, uint32_t code, bool bold) {
    const char text[] = {(char)(code < 0x80    ? code
                                : code < 0x800 ? 0xC0 | code >> 6
                                               : 0xE0 | code >> 12),
                         (char)(code < 0x80    ? 0
                                : code < 0x800 ? 0x80 | (code & 0x3F)
                                               : 0x80 | (code >> 6 & 0x3F)),
                         (char)(code < 0x800 ? 0 : 0x80 | (code & 0x3F)), 0};
    return (unsigned)(metrics->width(metrics->context, text, EM_UNITS, bold) + 0.5);
}

static void print_block(const struct metrics *metrics, uint32_t first, uint32_t last) {
    printf("{0x%x, 0x%x, (const uint16_t[]){", first, last);
    const uint32_t count = last - first + 1;
    for (uint32_t i = 0; i < 2 * count; i++)
        printf("%s%u,", i % NUMBERS_A_LINE ? " " : "\n ", units_of(metrics, first + i % count, i >= count));
    printf("}},\n");
}

int main(void) {
    struct metrics metrics;
    char found[64];
    if (!font_found(STYLE_FONT, found, sizeof found) || strcmp(found, STYLE_FONT) != 0)
        return 1;
    font_open(&metrics, STYLE_FONT);
    for (size_t i = 0; i < sizeof BLOCKS / sizeof BLOCKS[0]; i++)
        print_block(&metrics, BLOCKS[i].first, BLOCKS[i].last);
    return !font_close(&metrics);
}
