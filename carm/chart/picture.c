/* SPDX-License-Identifier: BSD-3-Clause
 * Parts of pictures of comparisons: headlines, colours, titles, output, and strips of dots. */
#include "picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "probe/need.h"
#include "probe/text.h"
#include "render/page/palette.h"
#include "render/page/style.h"

struct plot_color picture_color(size_t side) {
    const struct plot_color colors[] = {PALETTE_STEEL, PALETTE_OCHRE, PALETTE_WINE,
                                        PALETTE_PINK,  PALETTE_BLACK, PALETTE_INDIGO};
    return colors[side % (sizeof colors / sizeof colors[0])];
}

const struct compare_row *picture_headline(const struct comparison *c, enum sample_kind kind, const char *name,
                                           unsigned cores) {
    for (size_t i = 0; i < c->headline_count; i++) {
        const struct roof_key *key = &c->headlines[i].key;
        if (key->kind == kind && key->cores == cores &&
            strcmp(kind == SAMPLE_COMPUTE ? key->type : key->level, name) == 0)
            return &c->headlines[i];
    }
    return NULL;
}

const char *picture_type(const struct picture_view *view) {
    return view->type ? view->type : "f64";
}

unsigned picture_cores(const struct comparison *c, const struct picture_view *view) {
    const unsigned tries[] = {0, view->cores ? view->cores : ROOF_ALL_CORES, view->cores ? view->cores : 1};
    for (size_t i = 0; i < 3; i++) {
        const struct compare_row *peak = picture_headline(c, SAMPLE_COMPUTE, picture_type(view), tries[i]);
        if (peak && (peak->roofs[c->base] || tries[i] == 0 || view->cores))
            return tries[i];
    }
    return tries[1];
}

void picture_title(const struct comparison *c, const struct picture_view *view, const char *what, char *out,
                   size_t size) {
    static const char *const PER[] = {"", " · per core", " · per cycle and core"};
    const struct roof_key key = {.cores = picture_cores(c, view)};
    char place[64], names[256] = "";
    unsigned least, most;
    roof_key_place(&key, place, sizeof place);
    if (c->side_count > 3) {
        snprintf(names, sizeof names, "%zu machines", c->side_count);
        if (key.cores == ROOF_ALL_CORES && compare_cores(c->sides, c->side_count, &least, &most))
            text_append(names, sizeof names, " of %u to %u cores", least, most);
    } else if (compare_is_one_machine(c)) {
        char machine[64];
        snprintf(names, sizeof names, "%s · ", compare_machine(c->sides[0].model->result, machine, sizeof machine));
    }
    for (size_t turn = 0; turn < c->side_count && c->side_count <= 3; turn++)
        text_append(names, sizeof names, "%s%s",
                    turn == 0                   ? ""
                    : turn + 1 == c->side_count ? " and "
                                                : ", ",
                    c->sides[turn].label);
    snprintf(out, size, "%s · %s%s%s%s", names, what, *place ? " · " : "", place, PER[view->per]);
}

double picture_width(const struct chart_options *options) {
    const struct plot_style *style = options->style ? options->style : &plot_styles[0];
    return (options->width > 0 ? options->width : style->width) / style->scale;
}

bool picture_write(struct picture *picture, const struct chart_options *options, const char *path, struct error *err) {
    const bool done = chart_write(&picture->plot, options, path, err);
    picture_free(picture);
    return done;
}

void picture_free(struct picture *picture) {
    for (size_t i = 0; i < sizeof picture->blocks / sizeof picture->blocks[0]; i++)
        free(picture->blocks[i]);
    *picture = (struct picture){0};
}

static const double HALF_WIDTH = 0.3; /* of a strip: how far dots are moved apart vertically */

/* A few machines: dots that would hide each other are below each other. In points. */
static const double FEW_RADIUS = 3.8, FEW_APART = 9, /* closer in x, dots hide each other */
    LANE_HEIGHT = 9, LANES_SHARE = 0.86,             /* of a row's height */
    LEAST_ROW = 19, BESIDE = 190;                    /* a name; the names' width */

struct store {
    const char **names;
    struct plot_point *points;
    struct plot_mark marks[2];
    const struct strip_dot **sorted;
};

static int by_value(const void *a, const void *b) {
    const struct strip_dot *p = *(const struct strip_dot *const *)a, *q = *(const struct strip_dot *const *)b;
    return p->value < q->value ? -1 : p->value > q->value;
}

/* Multiples of the golden ratio spread any number of dots evenly and reproducibly. */
static double aside(size_t i) {
    return HALF_WIDTH * (2 * fmod((double)i * 0.6180339887, 1) - 1);
}

/* Colours and shapes, so that both tell them apart. Those whose colour is the second of its kind are outlines. */
static struct plot_point dot_of_few(const struct strip_dot *dot, double y) {
    const unsigned i = dot->number - 1;
    return (struct plot_point){.x = dot->value,
                               .y = y,
                               .radius = i < PLOT_SHAPES ? FEW_RADIUS : FEW_RADIUS - 0.6,
                               .shape = (enum plot_shape)((i + i / PLOT_SHAPES) % PLOT_SHAPES),
                               .hollow = i >= PLOT_SHAPES,
                               .color = picture_color(i),
                               .detail = dot->label,
                               .legend = dot->label};
}

/* Writes the lane of each dot, from 0 at the top: no two dots of a lane touch. `order` is the dots by value. Returns
 * the number of lanes. */
static size_t find_lanes(const struct strip_dot *const *order, size_t count, const struct plot *plot, double touch,
                         unsigned *lane) {
    const bool wide = plot->x.scale == PLOT_LOG10;
    double ends[STRIPS_FEW];
    size_t lanes = 0;
    for (size_t i = 0; i < count; i++) {
        const double at = wide ? log(order[i]->value) : order[i]->value;
        size_t free = 0;
        while (free < lanes && at < ends[free] + touch)
            free++;
        lanes += free == lanes;
        ends[free] = at;
        lane[i] = (unsigned)free;
    }
    return lanes;
}

/* Adds the dots of a few machines to a row, in their order. All rows have room for `most` lanes. Returns how many this
 * row needs. `points` NULL: only counts them. */
static size_t place_few(const struct strip *strip, double row, size_t most, double touch, struct plot *plot,
                        struct plot_point *points) {
    const struct strip_dot *order[STRIPS_FEW];
    unsigned lane[STRIPS_FEW];
    size_t own = 0;
    for (size_t i = 0; i < strip->count && own < STRIPS_FEW; i++)
        if (isfinite(strip->dots[i].value))
            order[own++] = &strip->dots[i];
    qsort(order, own, sizeof order[0], by_value);
    const size_t lanes = find_lanes(order, own, plot, touch, lane);
    const double step = LANES_SHARE / (double)most;
    for (size_t i = 0; i < strip->count && points; i++)
        for (size_t k = 0; k < own; k++)
            if (order[k] == &strip->dots[i])
                points[plot->point_count++] = dot_of_few(order[k], row + step * ((double)(lanes - 1) / 2 - lane[k]));
    return lanes;
}

/* The height of the names of a few machines in the legend, in points of a screen. */
static double legend_height(const struct strip *strips, size_t count, const struct strips_text *text) {
    const double row = 18, around = 44;
    double widest = 1;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < strips[i].count; k++)
            widest = fmax(widest, chart_text_width(strips[i].dots[k].label) + around);
    return row * ceil(text->few / fmax(1, floor(text->page_width / widest)));
}

/* Adds the dots of a few machines to the store, and sets the picture's least height. */
static void add_few(const struct strip *strips, size_t count, const struct strips_text *text, struct store *store,
                    struct picture *out) {
    struct plot *plot = &out->plot;
    const double range = plot->x.scale == PLOT_LOG10 ? log(plot->x.max / plot->x.min) : plot->x.max - plot->x.min,
                 touch = range * FEW_APART / fmax(text->page_width - BESIDE, BESIDE);
    size_t most = 2; /* two lanes at least, so that rows of one are not far apart */
    for (size_t i = 0; i < count; i++) {
        const size_t lanes = place_few(&strips[i], 0, 1, touch, plot, NULL);
        most = lanes > most ? lanes : most;
    }
    for (size_t i = 0; i < count; i++)
        place_few(&strips[i], (double)(count - 1 - i), most, touch, plot, store->points);
    plot->rows_height =
        (double)count * fmax(LEAST_ROW, (double)most * LANE_HEIGHT / LANES_SHARE) + legend_height(strips, count, text);
}

/* Dots of many machines; outliers have labels. */
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

/* From the least to the highest value, and around 1, or a difference of 0. */
static struct plot_axis axis_of(const struct strip *strips, size_t count, const struct strips_text *text) {
    double low = text->difference ? -0.02 : 0.98, high = text->difference ? 0.02 : 1.02;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < strips[i].count; k++)
            if (isfinite(strips[i].dots[k].value)) {
                low = fmin(low, strips[i].dots[k].value);
                high = fmax(high, strips[i].dots[k].value);
            }
    const double room = 0.04 * (high - low);
    const bool wide = !text->difference && low > 0 && high / low > 8;
    return (struct plot_axis){.title = text->axis,
                              .scale = wide ? PLOT_LOG10 : PLOT_LINEAR,
                              .min = wide ? low / 1.2 : low - room,
                              .max = wide ? high * 1.2 : high + 3 * room, /* names are right of their dots */
                              .divisor = text->shown_per_value > 0 ? 1 / text->shown_per_value : 0};
}

bool strips_plot(const struct strip *strips, size_t count, const struct strips_text *text, struct picture *out) {
    size_t most = 0, longest = 0;
    for (size_t i = 0; i < count; i++) {
        most += strips[i].count;
        longest = strips[i].count > longest ? strips[i].count : longest;
    }
    /* One block, freed by one free(). */
    const size_t bytes = sizeof(struct store) + count * sizeof(char *) + most * sizeof(struct plot_point) +
                         longest * sizeof(struct strip_dot *);
    if (most == 0)
        return false;
    struct store *store = need_calloc(1, bytes);
    store->points = (struct plot_point *)(store + 1);
    store->names = (const char **)(store->points + most);
    store->sorted = (const struct strip_dot **)(store->names + count);
    store->marks[0] = (struct plot_mark){.vertical = true, .at = text->difference ? 0 : 1, .color = PALETTE_DARK_GREY};
    store->marks[1] = (struct plot_mark){.at = text->rule - 0.5, .color = PALETTE_DARK_GREY};
    out->plot =
        (struct plot){.title = text->title,
                      .subtitle = text->subtitle,
                      .x = axis_of(strips, count, text),
                      .y = {.min = -0.6, .max = (double)count - 0.4, .name_count = count, .names = store->names},
                      .mark_count = text->rule > 0 ? 2 : 1,
                      .marks = store->marks,
                      .points = store->points,
                      .footer = text->footer};
    out->blocks[PICTURE_STRIPS] = store;
    for (size_t i = 0; i < count; i++)
        store->names[count - 1 - i] = strips[i].name;
    for (size_t i = 0; i < count && !text->few; i++)
        add_dots(&strips[i], (double)(count - 1 - i), store, &out->plot.point_count);
    if (text->few)
        add_few(strips, count, text, store, out);
    return out->plot.point_count > 0;
}
