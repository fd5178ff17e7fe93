/* SPDX-License-Identifier: BSD-3-Clause
 * PNG with a palette. A chart has few colours, and shades of them at the edges of lines and letters: of those, 256 are
 * enough for the eye, in a third of the bytes. */
#include "drawing.h"

#include <png.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Pixels with the same upper bits of red, green and blue have one colour: that of the first of them. */
enum { SHADE_BITS = 6, SHADES = 1 << 3 * SHADE_BITS, PALETTE_COLORS = 256 };
struct shade {
    uint32_t color, pixels;
    unsigned char index; /* in the palette */
};

struct palette {
    size_t count;
    unsigned char colors[PALETTE_COLORS][3];
};

static unsigned char part_of(uint32_t color, unsigned part) {
    return (unsigned char)(color >> (16 - 8 * part));
}

static size_t shade_of(uint32_t color) {
    size_t shade = 0;
    for (unsigned part = 0; part < 3; part++)
        shade = shade << SHADE_BITS | part_of(color, part) >> (8 - SHADE_BITS);
    return shade;
}

static const uint32_t *row_of(const struct png_pixels *pixels, size_t y) {
    return (const uint32_t *)(const void *)(pixels->bytes + y * pixels->stride);
}

static void count_shades(const struct png_pixels *pixels, struct shade *shades) {
    for (size_t y = 0; y < pixels->height; y++)
        for (size_t x = 0; x < pixels->width; x++) {
            const uint32_t color = row_of(pixels, y)[x];
            struct shade *shade = &shades[shade_of(color)];
            if (shade->pixels++ == 0)
                shade->color = color;
        }
}

static int by_pixels(const void *a, const void *b) {
    const struct shade *p = *(struct shade *const *)a, *q = *(struct shade *const *)b;
    if (p->pixels != q->pixels)
        return p->pixels > q->pixels ? -1 : 1;
    return p->color < q->color ? -1 : p->color > q->color;
}

static unsigned char nearest(const struct palette *palette, uint32_t color) {
    size_t best = 0;
    int least = INT32_MAX;
    for (size_t i = 0; i < palette->count; i++) {
        int away = 0;
        for (unsigned part = 0; part < 3; part++) {
            const int differs = palette->colors[i][part] - part_of(color, part);
            away += differs * differs;
        }
        if (away < least)
            least = away, best = i;
    }
    return (unsigned char)best;
}

/* The shades of the most pixels; each of the others gets the nearest one. `order` has room for all. */
static void choose_palette(struct shade *shades, struct shade **order, struct palette *palette) {
    size_t count = 0;
    for (size_t i = 0; i < SHADES; i++)
        if (shades[i].pixels > 0)
            order[count++] = &shades[i];
    qsort(order, count, sizeof *order, by_pixels);
    for (palette->count = 0; palette->count < count && palette->count < PALETTE_COLORS; palette->count++)
        for (unsigned part = 0; part < 3; part++)
            palette->colors[palette->count][part] = part_of(order[palette->count]->color, part);
    for (size_t i = 0; i < count; i++)
        order[i]->index = i < palette->count ? (unsigned char)i : nearest(palette, order[i]->color);
}

/* A byte for each pixel. */
static void index_pixels(const struct png_pixels *pixels, const struct shade *shades, unsigned char *indices) {
    for (size_t y = 0; y < pixels->height; y++)
        for (size_t x = 0; x < pixels->width; x++)
            *indices++ = shades[shade_of(row_of(pixels, y)[x])].index;
}

/* libpng's simple interface states no resolution, without which programs place a picture at 72 or 96 pixels per inch:
 * the chunk with it is inserted behind the header. */
enum {
    PNG_HEADER = 8 + 25,
    PNG_RESOLUTION = 4 + 4 + 9 + 4
}; /* the signature and IHDR; pHYs: length, type, data, CRC */

static void put_number(unsigned char out[4], uint32_t number) {
    for (int i = 0; i < 4; i++)
        out[i] = (unsigned char)(number >> (24 - 8 * i));
}

/* The CRC of a chunk's type and data (PNG, ISO/IEC 15948, annex D). */
static uint32_t png_crc(const unsigned char *bytes, size_t count) {
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < count; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? 0xEDB88320U ^ crc >> 1 : crc >> 1;
    }
    return ~crc;
}

/* The chunk: pixels per metre along x and along y, and 1 for the unit of a metre. */
static bool put_resolution(struct drawing *drawing) {
    const double inches_per_metre = 1 / 0.0254;
    const uint32_t pixels_per_metre =
        (uint32_t)lround(drawing->style->pixels_per_point * PLOT_POINTS_PER_INCH * inches_per_metre);
    unsigned char chunk[PNG_RESOLUTION] = {0, 0, 0, 9, 'p', 'H', 'Y', 's'};
    put_number(chunk + 8, pixels_per_metre);
    put_number(chunk + 12, pixels_per_metre);
    chunk[16] = 1;
    put_number(chunk + 17, png_crc(chunk + 4, 13));
    return drawing_put(drawing, chunk, sizeof chunk);
}

/* False: memory ran out, or the bytes could not be written. */
static bool encode(struct drawing *drawing, const struct png_pixels *pixels, const struct palette *palette,
                   const unsigned char *indices) {
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)pixels->width,
                       .height = (png_uint_32)pixels->height,
                       .format = PNG_FORMAT_RGB_COLORMAP,
                       .colormap_entries = (png_uint_32)palette->count};
    png_alloc_size_t length = PNG_IMAGE_PNG_SIZE_MAX(image);
    unsigned char *bytes = malloc(length);
    const bool encoded = bytes && png_image_write_to_memory(&image, bytes, &length, 0, indices, 0, palette->colors);
    drawing->out_of_memory |= !encoded;
    const bool done = encoded && drawing_put(drawing, bytes, PNG_HEADER) && put_resolution(drawing) &&
                      drawing_put(drawing, bytes + PNG_HEADER, length - PNG_HEADER);
    free(bytes);
    return done;
}

bool png_file_put(struct drawing *drawing, const struct png_pixels *pixels) {
    struct shade *shades = calloc(SHADES, sizeof *shades), **order = calloc(SHADES, sizeof *order);
    unsigned char *indices = calloc(pixels->height, pixels->width);
    struct palette palette;
    bool done = shades && order && indices;
    drawing->out_of_memory |= !done;
    if (done) {
        count_shades(pixels, shades);
        choose_palette(shades, order, &palette);
        index_pixels(pixels, shades, indices);
        done = encode(drawing, pixels, &palette, indices);
    }
    free(shades), free(order), free(indices);
    return done;
}
