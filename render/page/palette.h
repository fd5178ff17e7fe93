/* SPDX-License-Identifier: BSD-3-Clause
 * Colours that colour-blind readers can distinguish (after Okabe and Ito, "Color Universal Design", 2008), and the
 * greys of frames and grids. */
#pragma once

#include "plot.h"

#define PALETTE_RGBA(hex, alpha)                                                                                       \
    ((struct plot_color){((hex) >> 16 & 255) / 255.0, ((hex) >> 8 & 255) / 255.0, ((hex)&255) / 255.0, (alpha)})
#define PALETTE_RGB(hex) PALETTE_RGBA(hex, 1.0)

/* Blue, green, orange, vermillion and purple, for levels, are a little darker or lighter than Okabe's and Ito's. They
 * have a contrast of at least 3 to white. Lines, labels, black and grey differ by a CIE76 distance of at least 15 from
 * each other for the dichromacies (theirs: 2.6 between labels of orange and vermillion), and all but purple by at least
 * 8 in lightness, for grey paper (tests/unit/charts/test_palette.c). */
#define PALETTE_BLUE       PALETTE_RGB(0x003C72)
#define PALETTE_GREEN      PALETTE_RGB(0x158C58)
#define PALETTE_ORANGE     PALETTE_RGB(0xCF8400)
#define PALETTE_VERMILLION PALETTE_RGB(0x9A2400)
#define PALETTE_PURPLE     PALETTE_RGB(0xB476B0)
#define PALETTE_BLACK      PALETTE_RGB(0x1A1A1A)
#define PALETTE_DARK_GREY  PALETTE_RGB(0x555555)
#define PALETTE_GREY       PALETTE_RGB(0x8C8C8C)
#define PALETTE_LIGHT_GREY PALETTE_RGB(0xE4E4E4)
#define PALETTE_AMBER      PALETTE_RGB(0xA85800)
#define PALETTE_WHITE      PALETTE_RGB(0xFFFFFF)

/* For points above such lines: the five have a CIE76 distance of at least 26 from each other, also for people with
 * any of the three dichromacies (Machado, Oliveira and Fernandes 2009), and differ in lightness. */
#define PALETTE_MAGENTA PALETTE_RGB(0xC2006B)
#define PALETTE_NAVY    PALETTE_RGB(0x14206E)
#define PALETTE_AZURE   PALETTE_RGB(0x4D8FDC)
#define PALETTE_VIOLET  PALETTE_RGB(0x722FD4)
#define PALETTE_BROWN   PALETTE_RGB(0x6B3A0A)

/* With black for machines beside each other: contrast and distances as of levels, and any two of the six differ by at
 * least 8 in lightness. */
#define PALETTE_STEEL  PALETTE_RGB(0x005691)
#define PALETTE_OCHRE  PALETTE_RGB(0xAF6B00)
#define PALETTE_WINE   PALETTE_RGB(0x7E0D49)
#define PALETTE_PINK   PALETTE_RGB(0xC876A4)
#define PALETTE_INDIGO PALETTE_RGB(0x2B1D78)

/* The same colour as a faint fill for bands. */
static inline struct plot_color palette_faint(struct plot_color color) {
    color.a *= 0.10;
    return color;
}
