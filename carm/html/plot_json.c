/* SPDX-License-Identifier: BSD-3-Clause
 * Plots as JSON. */
#include "plot_json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "render/layout/series.h"
#include "render/page/palette.h"
#include "render/page/safe_text.h"

static const char *const DASHES[] = {"solid", "dashed", "dotted", "dash-dotted"};
static const char *const PLACES[] = {"along", "end", "legend"};
static const char *const SCALES[] = {"linear", "log10", "log2"};
static const char *const UNITS[] = {"none", "fraction", "si", "binary", "seconds", "count", "power"};

const char *plot_color_name(struct plot_color color, char out[8]) {
    const struct {
        struct plot_color color;
        const char *name;
    } names[] = {{PALETTE_BLUE, "blue"},      {PALETTE_GREEN, "green"},          {PALETTE_ORANGE, "orange"},
                 {PALETTE_PURPLE, "purple"},  {PALETTE_VERMILLION, "vermilion"}, {PALETTE_BLACK, "ink"},
                 {PALETTE_DARK_GREY, "soft"}, {PALETTE_GREY, "faint"},           {PALETTE_MAGENTA, "magenta"},
                 {PALETTE_NAVY, "navy"},      {PALETTE_AZURE, "azure"},          {PALETTE_VIOLET, "violet"},
                 {PALETTE_BROWN, "brown"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].color.r == color.r && names[i].color.g == color.g && names[i].color.b == color.b)
            return names[i].name;
    snprintf(out, 8, "#%02x%02x%02x", (unsigned)lround(255 * color.r), (unsigned)lround(255 * color.g),
             (unsigned)lround(255 * color.b));
    return out;
}

/* The index of the value in the list; a new value is appended. Takes the value. */
static json_t *number_of(json_t *list, json_t *known, const char *key, json_t *value) {
    json_t *number = json_object_get(known, key);
    if (!number) {
        number = json_integer((json_int_t)json_array_size(list));
        json_array_append(list, value);
        json_object_set_new(known, key, number);
    }
    json_decref(value);
    return json_incref(number);
}

static json_t *number_of_object(json_t *list, json_t *known, json_t *object) {
    char *key = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(6));
    json_t *number = number_of(list, known, key ? key : "", object);
    free(key);
    return number;
}

/* Tabs and line ends remain: the page formats hovering texts by them. Names were cleaned when they were read. Bytes
 * that are not UTF-8 become "?", as in pictures. */
static json_t *text_json(struct plot_pool *pool, const char *text) {
    if (!text || !*text)
        return json_null();
    json_t *value = json_string(text);
    char *clean = value ? NULL : safe_text_copy(text);
    if (clean)
        value = json_string(clean);
    json_t *number = value ? number_of(pool->texts, pool->known_texts, json_string_value(value), value) : json_null();
    free(clean);
    return number;
}

static json_t *coordinate(double value) {
    char digits[32];
    snprintf(digits, sizeof digits, "%.5g", value);
    return isfinite(value) ? json_real(strtod(digits, NULL)) : json_null();
}

static json_t *coordinates(const double *values, size_t count) {
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, coordinate(values[i]));
    return list;
}

static void set_text(json_t *object, const char *key, const char *text) {
    if (text)
        json_object_set_new(object, key, json_string(text));
}

/* Takes the members and adds those of the colour. */
static json_t *look_json(struct plot_pool *pool, struct plot_color color, const char *group, json_t *members) {
    char store[8];
    json_object_set_new(members, "color", json_string(plot_color_name(color, store)));
    if (color.a < 1)
        json_object_set_new(members, "alpha", coordinate(color.a));
    set_text(members, "group", group);
    return number_of_object(pool->looks, pool->known_looks, members);
}

static struct plot_origin origin_of(const struct plot_pool *pool, const void *source) {
    return source && pool->find ? pool->find(source, pool->context) : (struct plot_origin){0};
}

static json_t *row_json(const struct plot_origin *origin) {
    return origin->list ? json_integer((json_int_t)origin->row) : json_null();
}

/* A line that reaches an end of the axis continues beyond it when the view moves. */
static void set_open(json_t *look, const struct plot_axis *axis, const double *x, size_t count) {
    if (count && x[0] <= axis->min)
        json_object_set_new(look, "begins", json_true());
    if (count && x[count - 1] >= axis->max)
        json_object_set_new(look, "goes", json_true());
}

static json_t *line_json(struct plot_pool *pool, const struct plot *plot, const struct plot_line *line) {
    const struct plot_origin origin = origin_of(pool, line->source);
    json_t *look = json_pack("{s:f,s:s,s:s}", "width", series_line_width(line), "dash", DASHES[line->dash], "place",
                             PLACES[line->label_place]);
    if (line->markers)
        json_object_set_new(look, "rings", json_real(SERIES_RING_RADIUS));
    if (line->clear)
        json_object_set_new(look, "clear", json_true());
    set_text(look, "list", origin.list);
    set_open(look, &plot->x, line->x, line->count);
    return json_pack("[o,o,o,o,o,o,o]", look_json(pool, line->color, line->group, look), text_json(pool, line->label),
                     text_json(pool, line->sublabel), text_json(pool, line->aside), row_json(&origin),
                     coordinates(line->x, line->count), coordinates(line->y, line->count));
}

static json_t *band_json(struct plot_pool *pool, const struct plot *plot, const struct plot_band *band) {
    json_t *look = json_object();
    set_open(look, &plot->x, band->x, band->count);
    return json_pack("[o,o,o,o,o]", look_json(pool, band->color, band->group, look), text_json(pool, band->legend),
                     coordinates(band->x, band->count), coordinates(band->y_low, band->count),
                     coordinates(band->y_high, band->count));
}

/* A mark without ends runs from edge to edge. */
static json_t *mark_json(struct plot_pool *pool, const struct plot *plot, const struct plot_mark *mark) {
    const struct plot_axis *across = mark->vertical ? &plot->y : &plot->x;
    const bool whole = mark->from == 0 && mark->to == 0;
    json_t *look = json_pack("{s:f,s:s,s:b}", "width", series_mark_width(mark), "dash", DASHES[mark->dash], "vertical",
                             mark->vertical);
    return json_pack("[o,o,o,o,o]", look_json(pool, mark->color, mark->group, look), text_json(pool, mark->label),
                     coordinate(mark->at), whole || mark->from <= across->min ? json_null() : coordinate(mark->from),
                     whole || mark->to >= across->max ? json_null() : coordinate(mark->to));
}

/* Minimum, quartiles and maximum; null without spread. */
static json_t *spread_json(double min, double q1, double q3, double max) {
    return min < max || q1 < q3 ? coordinates((const double[]){min, q1, q3, max}, 4) : json_null();
}

static json_t *point_json(struct plot_pool *pool, const struct plot *plot, const struct plot_point *point) {
    (void)plot;
    const struct plot_origin origin = origin_of(pool, point->source);
    json_t *look = json_pack("{s:i,s:o,s:b}", "shape", (int)point->shape, "radius",
                             coordinate(marker_radius(point->radius, point->hollow)), "hollow", point->hollow);
    set_text(look, "list", origin.list);
    return json_pack("[o,o,o,o,o,o,o,o,o]", look_json(pool, point->color, point->group, look),
                     text_json(pool, point->label), text_json(pool, point->sublabel), row_json(&origin),
                     coordinate(point->x), coordinate(point->y),
                     spread_json(point->x_min, point->x_q1, point->x_q3, point->x_max),
                     spread_json(point->y_min, point->y_q1, point->y_q3, point->y_max),
                     text_json(pool, point->legend_of_labels ? point->legend_of_labels : point->legend));
}

/* [axis, min, max] */
static json_t *axis_json(struct plot_pool *pool, const struct plot_axis *axis) {
    json_t *object = json_pack("{s:s,s:s,s:s,s:f}", "title", axis->title, "scale", SCALES[axis->scale], "unit",
                               UNITS[axis->unit], "divisor", axis->divisor > 0 ? axis->divisor : 1);
    return json_pack("[o,o,o]", number_of_object(pool->axes, pool->known_axes, object), coordinate(axis->min),
                     coordinate(axis->max));
}

/* Sets each non-empty kind of thing under its name. */
#define SET_ROWS(object, pool, plot, kind)                                                                             \
    do {                                                                                                               \
        json_t *rows = json_array();                                                                                   \
        for (size_t i = 0; i < (plot)->kind##_count; i++)                                                              \
            json_array_append_new(rows, kind##_json(pool, plot, &(plot)->kind##s[i]));                                 \
        if ((plot)->kind##_count)                                                                                      \
            json_object_set(object, #kind "s", rows);                                                                  \
        json_decref(rows);                                                                                             \
    } while (0)

bool plot_pool_begin(struct plot_pool *pool, struct plot_origin (*find)(const void *source, const void *context)) {
    *pool = (struct plot_pool){json_array(),  json_array(),  json_array(),  json_array(), json_object(),
                               json_object(), json_object(), json_object(), find,         NULL};
    return pool->texts && pool->looks && pool->axes && pool->plots && pool->known_texts && pool->known_looks &&
           pool->known_axes && pool->known_plots;
}

size_t plot_pool_add(struct plot_pool *pool, const struct plot *plot) {
    json_t *object = json_object(), *notes = json_array();
    if (plot->x.title && plot->y.title) {
        json_object_set_new(object, "x", axis_json(pool, &plot->x));
        json_object_set_new(object, "y", axis_json(pool, &plot->y));
    }
    for (size_t i = 0; i < plot->note_count; i++)
        json_array_append_new(notes, text_json(pool, plot->notes[i]));
    if (plot->note_count)
        json_object_set(object, "notes", notes);
    json_decref(notes);
    if (plot->footer)
        json_object_set_new(object, "footer", text_json(pool, plot->footer));
    if (plot->reading)
        json_object_set_new(object, "reading", text_json(pool, plot->reading));
    if (plot->lid > 0)
        json_object_set_new(object, "lid", coordinate(plot->lid));
    if (plot->edge > 0)
        json_object_set_new(object, "edge", coordinate(plot->edge));
    SET_ROWS(object, pool, plot, band);
    SET_ROWS(object, pool, plot, line);
    SET_ROWS(object, pool, plot, mark);
    SET_ROWS(object, pool, plot, point);
    json_t *number = number_of_object(pool->plots, pool->known_plots, object);
    const size_t index = (size_t)json_integer_value(number);
    json_decref(number);
    return index;
}

static json_t *shapes_json(void) {
    json_t *list = json_array();
    for (int shape = 0; shape < PLOT_SHAPES; shape++) {
        struct vec corners[MARKER_MAX_CORNERS];
        const size_t count = marker_corners((enum plot_shape)shape, (struct vec){0, 0}, 1, corners);
        json_t *outline = json_array();
        for (size_t i = 0; i < count; i++)
            json_array_append_new(outline, coordinates((const double[]){corners[i].x, corners[i].y}, 2));
        json_array_append_new(list, outline);
    }
    return list;
}

json_t *plot_pool_end(struct plot_pool *pool) {
    json_t *columns = json_pack("{s:[s,s,s,s,s,s,s],s:[s,s,s,s,s],s:[s,s,s,s,s],s:[s,s,s,s,s,s,s,s,s]}", "lines",
                                "look", "label", "sublabel", "aside", "row", "x", "y", "bands", "look", "legend", "x",
                                "low", "high", "marks", "look", "label", "at", "from", "to", "points", "look", "label",
                                "sublabel", "row", "x", "y", "xSpread", "ySpread", "legend");
    json_t *all = json_pack("{s:o,s:o,s:o,s:o,s:o,s:o}", "texts", pool->texts, "looks", pool->looks, "axes", pool->axes,
                            "shapes", shapes_json(), "columns", columns, "plots", pool->plots);
    json_decref(pool->known_texts);
    json_decref(pool->known_looks);
    json_decref(pool->known_axes);
    json_decref(pool->known_plots);
    *pool = (struct plot_pool){0};
    return all;
}
