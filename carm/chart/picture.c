/* SPDX-License-Identifier: BSD-3-Clause
 * Parts of pictures of comparisons: headlines, colours, titles, output, and strips of dots. */
#include "picture.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "probe/need.h"
#include "render/page/palette.h"
#include "render/page/style.h"

struct plot_color picture_color(size_t side) {
    const struct plot_color colors[] = {PALETTE_BLUE,   PALETTE_YELLOW, PALETTE_WINE,
                                        PALETTE_PURPLE, PALETTE_BLACK,  PALETTE_INDIGO};
    return colors[side % (sizeof colors / sizeof colors[0])];
}

const struct compare_row *picture_headline(const struct comparison *c, enum sample_kind kind, const char *name,
                                           unsigned cores) {
    for (size_t i = 0; i < c->headline_count; i++) {
        const struct roof_key *key = &c->headlines[i].key;
        if (key->kind == kind && key->cores == cores &&
            strcmp(kind == SAMPLE_COMPUTE ? key->kernel : key->level, name) == 0)
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

/* " (16 cores)" or " of 1 to 16 cores", if all cores are not the same number of each; "" else. */
static const char *cores_text(const struct comparison *c, unsigned cores, size_t side, char out[48]) {
    unsigned least = UINT_MAX, most = 0;
    for (size_t i = 0; i < c->side_count; i++) {
        const unsigned own = c->sides[i].model->result->machine.core_count;
        least = own < least ? own : least;
        most = own > most ? own : most;
    }
    const unsigned own = c->sides[side].model->result->machine.core_count;
    out[0] = '\0';
    if (cores == ROOF_ALL_CORES && least != most && least > 0 && c->side_count > 3)
        snprintf(out, 48, " of %u to %u cores", least, most);
    else if (cores == ROOF_ALL_CORES && least != most && own > 0)
        snprintf(out, 48, " (%u core%s)", own, own == 1 ? "" : "s");
    return out;
}

void picture_title(const struct comparison *c, const struct picture_view *view, const char *what, char *out,
                   size_t size) {
    static const char *const PER[] = {"", " · per core", " · per cycle and core"};
    const struct roof_key key = {.cores = picture_cores(c, view)};
    char place[64], names[256], cores[48];
    int length = 0;
    roof_key_place(&key, place, sizeof place);
    if (c->side_count > 3) {
        length = snprintf(names, sizeof names, "%zu machines%s", c->side_count, cores_text(c, key.cores, 0, cores));
    } else if (compare_is_one_machine(c)) {
        char machine[64];
        length =
            snprintf(names, sizeof names, "%s · ", compare_machine(c->sides[0].model->result, machine, sizeof machine));
    }
    for (size_t turn = 0; turn < c->side_count && c->side_count <= 3 && length < (int)sizeof names; turn++)
        length += snprintf(names + length, sizeof names - (size_t)length, "%s%s%s",
                           turn == 0                   ? ""
                           : turn + 1 == c->side_count ? " and "
                                                       : ", ",
                           c->sides[turn].label, cores_text(c, key.cores, turn, cores));
    snprintf(out, size, "%s · %s%s%s%s", names, what, *place ? " · " : "", place, PER[view->per]);
}

double picture_height(const struct picture *picture, const struct chart_options *options) {
    const struct plot_style *style = options->style ? options->style : &plot_styles[0];
    return picture->height > PLOT_HEIGHT ? picture->height * style->scale : 0;
}

bool picture_write(struct picture *picture, double height, const struct chart_options *options, const char *path,
                   struct error *err) {
    struct chart_options sized = *options;
    if (!(sized.height > 0))
        sized.height = height;
    const bool done = chart_write(&picture->plot, &sized, path, err);
    picture_free(picture);
    return done;
}

void picture_free(struct picture *picture) {
    for (size_t i = 0; i < sizeof picture->blocks / sizeof picture->blocks[0]; i++)
        free(picture->blocks[i]);
    *picture = (struct picture){0};
}

static const double HALF_WIDTH = 0.3; /* of a strip: how far dots are moved apart vertically */

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

/* Colours and shapes, so that both tell them apart; all rows have them in the same order from top to bottom. */
static struct plot_point dot_of_few(const struct strip_dot *dot, double row, unsigned few) {
    const unsigned i = dot->number - 1;
    return (struct plot_point){.x = dot->value,
                               .y = row + HALF_WIDTH * (few > 1 ? 1 - 2 * i / (few - 1.0) : 0),
                               .radius = 3.8,
                               .shape = (enum plot_shape)((i + i / PLOT_SHAPES) % PLOT_SHAPES),
                               .color = picture_color(i),
                               .detail = dot->label,
                               .legend = dot->label};
}

static void add_dots(const struct strip *strip, double row, unsigned few, struct store *store, size_t *count) {
    size_t usual = 0;
    for (size_t i = 0; i < strip->count; i++)
        if (strip->dots[i].number && isfinite(strip->dots[i].value))
            store->points[(*count)++] = dot_of_few(&strip->dots[i], row, few);
        else if (!strip->dots[i].apart && isfinite(strip->dots[i].value))
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
    /* One block, freed by one free(). */
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
        add_dots(&strips[i], (double)(count - 1 - i), text->few, store, &dots);
    }
    for (size_t i = 0; i < dots; i++) {
        low = fmin(low, store->points[i].x);
        high = fmax(high, store->points[i].x);
    }
    const double room = 0.04 * (high - low);
    const bool wide = !text->difference && low > 0 && high / low > 8;
    store->marks[0] = (struct plot_mark){.vertical = true, .at = text->difference ? 0 : 1, .color = PALETTE_DARK_GREY};
    store->marks[1] = (struct plot_mark){.at = text->rule - 0.5, .color = PALETTE_DARK_GREY};
    *plot = (struct plot){.title = text->title,
                          .subtitle = text->subtitle,
                          .x = {.title = text->axis,
                                .scale = wide ? PLOT_LOG10 : PLOT_LINEAR,
                                .min = wide ? low / 1.2 : low - room,
                                .max = wide ? high * 1.2 : high + 3 * room, /* names are right of their dots */
                                .divisor = text->shown_per_value > 0 ? 1 / text->shown_per_value : 0},
                          .y = {.min = -0.6, .max = (double)count - 0.4, .name_count = count, .names = store->names},
                          .mark_count = text->rule > 0 ? 2 : 1,
                          .marks = store->marks,
                          .point_count = dots,
                          .points = store->points,
                          .footer = text->footer};
    *out = store;
    return dots > 0;
}
