/* SPDX-License-Identifier: BSD-3-Clause
 * Strips of dots (see chart_strips.h). */
#include "chart_strips.h"

#include <math.h>
#include <stdlib.h>

#include "probe/need.h"
#include "render/page/palette.h"

static const double HALF_WIDTH = 0.3; /* of a strip: how far dots are put aside from each other */

struct store {
    const char **names;
    struct plot_point *points;
    struct plot_mark mark;
    const struct strip_dot **sorted;
};

static int by_value(const void *a, const void *b) {
    const struct strip_dot *p = *(const struct strip_dot *const *)a, *q = *(const struct strip_dot *const *)b;
    return p->value < q->value ? -1 : p->value > q->value;
}

/* The golden ratio spreads any number of them evenly, and the same every time. */
static double aside(size_t i) {
    return HALF_WIDTH * (2 * fmod((double)i * 0.6180339887, 1) - 1);
}

static void add_dots(const struct strip *strip, double row, struct store *store, size_t *count) {
    size_t usual = 0;
    for (size_t i = 0; i < strip->count; i++)
        if (!strip->dots[i].apart && isfinite(strip->dots[i].value))
            store->sorted[usual++] = &strip->dots[i];
    qsort(store->sorted, usual, sizeof(struct strip_dot *), by_value);
    const size_t shown = usual < STRIPS_MAX_DOTS ? usual : STRIPS_MAX_DOTS;
    const double radius = shown < 40 ? 2.8 : 1.8;
    struct plot_color faint = PALETTE_BLUE;
    faint.a = 0.45;
    for (size_t i = 0; i < shown; i++) {
        const size_t at = shown > 1 ? i * (usual - 1) / (shown - 1) : 0;
        store->points[(*count)++] =
            (struct plot_point){.x = store->sorted[at]->value, .y = row + aside(i), .radius = radius, .color = faint};
    }
    for (size_t i = 0, apart = 0; i < strip->count; i++)
        if (strip->dots[i].apart && isfinite(strip->dots[i].value))
            store->points[(*count)++] = (struct plot_point){.x = strip->dots[i].value,
                                                            .y = row + aside(apart++) / 2,
                                                            .radius = 3.2,
                                                            .shape = PLOT_DIAMOND,
                                                            .color = PALETTE_VERMILLION,
                                                            .label = strip->dots[i].label,
                                                            .priority = strip->dots[i].several ? -1 : 0,
                                                            .optional = true};
}

bool strips_plot(const struct strip *strips, size_t count, const struct strips_text *text, struct plot *plot,
                 void **out) {
    size_t most = 0, dots = 0, longest = 0;
    for (size_t i = 0; i < count; i++) {
        most += strips[i].count;
        longest = strips[i].count > longest ? strips[i].count : longest;
    }
    /* One block, that one free() releases. */
    const size_t bytes = sizeof(struct store) + count * sizeof(char *) + most * sizeof(struct plot_point) +
                         longest * sizeof(struct strip_dot *);
    if (most == 0)
        return false;
    struct store *store = need_calloc(1, bytes);
    store->points = (struct plot_point *)(store + 1);
    store->names = (const char **)(store->points + most);
    store->sorted = (const struct strip_dot **)(store->names + count);
    double low = text->difference ? -0.02 : 0.98, high = text->difference ? 0.02 : 1.02;
    for (size_t i = 0; i < count; i++) {
        store->names[count - 1 - i] = strips[i].name;
        add_dots(&strips[i], (double)(count - 1 - i), store, &dots);
    }
    for (size_t i = 0; i < dots; i++) {
        low = fmin(low, store->points[i].x);
        high = fmax(high, store->points[i].x);
    }
    const double room = 0.04 * (high - low);
    const bool wide = !text->difference && low > 0 && high / low > 8;
    store->mark = (struct plot_mark){.vertical = true, .at = text->difference ? 0 : 1, .color = PALETTE_DARK_GREY};
    *plot = (struct plot){.title = text->title,
                          .subtitle = text->subtitle,
                          .x = {.title = text->axis,
                                .scale = wide ? PLOT_LOG10 : PLOT_LINEAR,
                                .min = wide ? low / 1.2 : low - room,
                                .max = wide ? high * 1.2 : high + 3 * room, /* names stand right of their dots */
                                .divisor = text->shown_per_value > 0 ? 1 / text->shown_per_value : 0},
                          .y = {.min = -0.6, .max = (double)count - 0.4, .name_count = count, .names = store->names},
                          .mark_count = 1,
                          .marks = &store->mark,
                          .point_count = dots,
                          .points = store->points,
                          .footer = text->footer};
    *out = store;
    return dots > 0;
}
