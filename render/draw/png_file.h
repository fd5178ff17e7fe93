/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "drawing.h"

#include <stdint.h>

/* Rows of pixels 0xRRGGBB of 32 bits, the upper byte unused. */
struct png_pixels {
    const unsigned char *bytes;
    size_t width, height, stride; /* stride in bytes */
};

/* Writes them as PNG with the resolution of the drawing's style. False: see the drawing. */
bool png_file_put(struct drawing *drawing, const struct png_pixels *pixels);
