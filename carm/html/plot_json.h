/* SPDX-License-Identifier: BSD-3-Clause
 * Plots as JSON, for the page that draws them. All defaults are resolved here as for pictures: widths, radii,
 * shapes, names of colours. Parts that plots share are written once and have numbers:
 *
 * {"texts": ["L1  load", …], "looks": [{"color": "blue", "width": 2.4, …}, …], "axes": [{"title": …, "scale": …}, …],
 *  "shapes": [[], [[x, y], …], …]: corners at radius 1, none for a circle,
 *  "columns": {"lines": ["look", "label", …], "bands": […], "marks": […], "points": […]},
 *  "plots": [{"x": [axis, min, max], "y": …, "notes": [text, …], "footer": text, "reading": text, "lid": …, "edge": …,
 *             "lines": [[…], …], "bands": …}, …]}
 *
 * A row holds numbers for its look and texts, coordinates in the plot's units with five digits, and null for missing
 * values. */
#pragma once

#include <jansson.h>

#include "render/page/plot.h"

/* The data of a line or point: a row of a list. The list is NULL if there are none. */
struct plot_origin {
    const char *list;
    size_t row;
};

struct plot_pool {
    json_t *texts, *looks, *axes, *plots;                         /* lists */
    json_t *known_texts, *known_looks, *known_axes, *known_plots; /* index by text */
    struct plot_origin (*find)(const void *source, const void *context);
    const void *context; /* may change between plots */
};

/* The colour's name in the style sheet, such as "blue", else "#rrggbb", written into `store`. */
const char *plot_color_name(struct plot_color color, char store[8]);

/* False: no memory. */
bool plot_pool_begin(struct plot_pool *pool, struct plot_origin (*find)(const void *source, const void *context));

/* Adds the plot and returns its number, or that of an equal plot. A plot without titles is laid over others, so its
 * axes are left out. */
size_t plot_pool_add(struct plot_pool *pool, const struct plot *plot);

/* Everything as JSON; the pool is empty afterwards. */
json_t *plot_pool_end(struct plot_pool *pool);
