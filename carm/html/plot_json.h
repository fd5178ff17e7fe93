/* SPDX-License-Identifier: BSD-3-Clause
 * Plots as JSON, for the page that draws them. All that a format may leave open is decided here as it is for pictures:
 * widths, radii, shapes, names of colours. What plots have in common is written once and named by its number:
 *
 * {"texts": ["L1  load", …], "looks": [{"color": "blue", "width": 2.4, …}, …], "axes": [{"title": …, "scale": …}, …],
 *  "shapes": [[], [[x, y], …], …]: corners at radius 1, none of a circle,
 *  "columns": {"lines": ["look", "label", …], "bands": […], "marks": […], "points": […]},
 *  "plots": [{"x": [axis, min, max], "y": …, "notes": [text, …], "footer": text, "reading": text, "lid": …, "edge": …,
 *             "lines": [[…], …], "bands": …}, …]}
 *
 * A row holds a look and texts by their numbers, coordinates in the plot's units with five digits, and null for what is
 * not there. */
#ifndef CARM_HTML_PLOT_JSON_H
#define CARM_HTML_PLOT_JSON_H

#include <jansson.h>

#include "render/page/plot.h"

/* Where the data of a line or point stand: a row of a list. The list is NULL where they stand nowhere. */
struct plot_origin {
    const char *list;
    size_t row;
};

struct plot_pool {
    json_t *texts, *looks, *axes, *plots;                         /* lists */
    json_t *known_texts, *known_looks, *known_axes, *known_plots; /* number by text */
    struct plot_origin (*find)(const void *source, const void *context);
    const void *context; /* may change between plots */
};

/* What the style sheet calls it: "blue", else "#rrggbb", which is put into `store`. */
const char *plot_color_name(struct plot_color color, char store[8]);

/* False without memory. */
bool plot_pool_begin(struct plot_pool *pool, struct plot_origin (*find)(const void *source, const void *context));

/* The number of the plot: that of an equal one where there is one. Without titles its axes are not told: then it is
 * laid over others. */
size_t plot_pool_add(struct plot_pool *pool, const struct plot *plot);

/* All of it; the pool is empty afterwards. */
json_t *plot_pool_end(struct plot_pool *pool);

#endif
