/* SPDX-License-Identifier: BSD-3-Clause
 * What pictures of comparisons share (see picture.h). */
#include "picture.h"

#include <stdlib.h>
#include <string.h>

#include "render/page/palette.h"
#include "render/page/style.h"

struct plot_color picture_color(size_t side) {
    const struct plot_color colors[] = {PALETTE_BLUE,   PALETTE_ORANGE, PALETTE_WINE,
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

void picture_title(const struct comparison *c, const struct picture_view *view, const char *what, char *out,
                   size_t size) {
    static const char *const PER[] = {"", " · per core", " · per cycle and core"};
    const struct roof_key key = {.cores = picture_cores(c, view)};
    char place[64], names[160];
    int length = 0;
    roof_key_place(&key, place, sizeof place);
    if (c->side_count > 3) {
        length = snprintf(names, sizeof names, "%zu machines", c->side_count);
    } else if (compare_is_one_machine(c)) {
        char machine[64];
        length =
            snprintf(names, sizeof names, "%s · ", compare_machine(c->sides[0].model->result, machine, sizeof machine));
    }
    for (size_t turn = 0; turn < c->side_count && c->side_count <= 3 && length < (int)sizeof names; turn++)
        length += snprintf(names + length, sizeof names - (size_t)length, "%s%s",
                           turn == 0                   ? ""
                           : turn + 1 == c->side_count ? " and "
                                                       : ", ",
                           c->sides[turn].label);
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
