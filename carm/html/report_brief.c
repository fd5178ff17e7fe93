/* SPDX-License-Identifier: BSD-3-Clause
 * Results for a report of many: of each the headline roofs of one core and of all cores, and the named applications. */
#include "report_parts.h"

#include <stdlib.h>

#include "probe/need.h"

static bool is_headline(const struct comparison *c, size_t side, const struct roof *roof) {
    bool any = false;
    for (size_t i = 0; i < c->headline_count && !any; i++) {
        const struct compare_row *row = &c->headlines[i];
        any = row->roofs[side] == roof && (row->key.cores == 1 || row->key.cores == ROOF_ALL_CORES);
    }
    return any;
}

void report_brief_make(const struct comparison *c, const struct chart_options *options, struct report_brief *out) {
    *out = (struct report_brief){.count = c->side_count,
                                 .results = need_calloc(c->side_count, sizeof *out->results),
                                 .models = need_calloc(c->side_count, sizeof *out->models),
                                 .sides = need_calloc(c->side_count, sizeof *out->sides)};
    for (size_t i = 0; i < c->side_count; i++) {
        const struct model *model = c->sides[i].model;
        struct model *few = &out->models[i];
        out->results[i] = *model->result;
        out->results[i].curve_count = out->results[i].validation_count = out->results[i].annotation_count = 0;
        if (!options->points)
            out->results[i].point_count = 0;
        *few = *model;
        few->result = &out->results[i];
        few->roofs = need_calloc(model->count + 1, sizeof *few->roofs);
        few->count = 0;
        for (size_t r = 0; r < model->count; r++)
            if (is_headline(c, i, &model->roofs[r]))
                few->roofs[few->count++] = model->roofs[r];
        out->sides[i] = c->sides[i];
        out->sides[i].model = few;
    }
}

void report_brief_free(struct report_brief *brief) {
    for (size_t i = 0; i < brief->count; i++)
        free(brief->models[i].roofs);
    free(brief->results);
    free(brief->models);
    free(brief->sides);
}
