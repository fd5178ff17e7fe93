/* SPDX-License-Identifier: BSD-3-Clause
 * Samples → roofs (see model.h). */
#include "model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../bench/doubt.h"

/* "avx512.f64.fma" → avx512, f64, fma; "avx512.load" → avx512, "", load; "chase" → "", "", chase. */
static void split_name(const char *name, struct roof *out) {
    const char *first = strchr(name, '.'), *last = strrchr(name, '.');
    if (first)
        snprintf(out->isa, sizeof out->isa, "%.*s", (int)(first - name), name);
    if (last != first)
        snprintf(out->type, sizeof out->type, "%.*s", (int)(last - first - 1), first + 1);
    snprintf(out->op, sizeof out->op, "%.23s", last ? last + 1 : name);
}

struct model model_build(const struct result *result) {
    struct model model = {.result = result, .count = result->sample_count};
    model.roofs = calloc(model.count + 1, sizeof *model.roofs);
    for (size_t i = 0; i < model.count; i++) {
        struct roof *roof = &model.roofs[i];
        roof->sample = &result->samples[i];
        split_name(roof->sample->kernel, roof);
        if (roof->sample->documented_per_cycle > 0)
            roof->documented_ratio = roof->sample->per_cycle / roof->sample->documented_per_cycle;
    }
    return model;
}

void model_free(struct model *model) {
    free(model->roofs);
    *model = (struct model){0};
}

static bool same(const char *wanted, const char *is) {
    return !wanted || strcmp(wanted, is) == 0;
}

bool model_in_view(const struct roof *roof, const struct model_view *view) {
    return (view->threads == 0 || view->threads == roof->sample->threads) &&
           same(view->core_kind, roof->sample->core_kind) && same(view->isa, roof->isa) &&
           (roof->sample->kind != SAMPLE_COMPUTE || same(view->type, roof->type));
}

static bool is_pattern(const struct roof *roof) {
    return roof->sample->kind == SAMPLE_BANDWIDTH && strcmp(roof->op, "random") != 0;
}

bool model_level(const struct model *model, const struct model_view *view, const char *level, struct model_level *out) {
    *out = (struct model_level){0};
    for (size_t i = 0; i < model->count; i++) {
        const struct roof *roof = &model->roofs[i];
        if (is_pattern(roof) && model_in_view(roof, view) && same(view->op, roof->op) &&
            strcmp(roof->sample->level, level) == 0 && (!out->roof || roof->sample->value > out->roof->sample->value))
            out->roof = roof;
    }
    for (size_t i = 0; i < model->count && out->roof; i++) {
        const struct roof *roof = &model->roofs[i];
        if (is_pattern(roof) && model_in_view(roof, view) && strcmp(roof->sample->level, level) == 0 &&
            strcmp(roof->isa, out->roof->isa) == 0 && (!out->floor || roof->sample->value < out->floor->sample->value))
            out->floor = roof;
    }
    return out->roof != NULL;
}

const struct roof *model_peak(const struct model *model, const struct model_view *view) {
    const struct roof *peak = NULL;
    for (size_t i = 0; i < model->count; i++) {
        const struct roof *roof = &model->roofs[i];
        if (roof->sample->kind == SAMPLE_COMPUTE && model_in_view(roof, view) &&
            (!peak || roof->sample->value > peak->sample->value))
            peak = roof;
    }
    return peak;
}

double model_ridge(const struct roof *peak, const struct roof *bandwidth) {
    return peak->sample->value / bandwidth->sample->value;
}

double model_attainable(const struct roof *peak, const struct roof *bandwidth, double intensity_flop_per_byte) {
    return fmin(peak->sample->value, intensity_flop_per_byte * bandwidth->sample->value);
}

size_t model_threads(const struct model *model, unsigned *out, size_t max) {
    size_t count = 0;
    for (unsigned threads = 0; count < max;) { /* the next larger count, until there is none */
        unsigned next = 0;
        for (size_t i = 0; i < model->count; i++) {
            unsigned own = model->roofs[i].sample->threads;
            if (own > threads && (next == 0 || own < next))
                next = own;
        }
        if (next == 0)
            break;
        out[count++] = threads = next;
    }
    return count;
}

const char *model_unit(enum sample_kind kind) {
    return (const char *const[]){"flop/s", "B/s", "s"}[kind];
}

void model_count_doubts(const struct result *result, unsigned *counts) {
    memset(counts, 0, doubt_count * sizeof *counts);
    for (size_t i = 0; i < result->sample_count; i++)
        for (size_t d = 0; d < doubt_count; d++)
            counts[d] += (result->samples[i].doubts & doubt_table[d].bit) != 0;
}
