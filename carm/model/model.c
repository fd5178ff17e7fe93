/* SPDX-License-Identifier: BSD-3-Clause */
#include "model.h"
#include "model_thresholds.h"
#include "memory_model.h"
#include "memory_peak.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm/element.h"
#include "asm/pattern.h"
#include "bench/kernels/doubt.h"
#include "bench/kernels/estimate.h"
#include "bench/kernels/levels.h"
#include "carm/store/results.h"
#include "probe/machine.h"
#include "probe/need.h"

/* Roofs as LART defines them: the median over all sizes of a sweep in the level, not the best size (its article,
 * algorithm 1). */

enum { MAX_LEVELS = sizeof(struct levels) / sizeof(struct level) };

/* The bytes of a level that one of the curve's threads has: its share of an instance. */
static double share_bytes(const struct result *result, const struct curve *curve, const struct level *level,
                          unsigned at) {
    const struct core_kind *kind = &result->machine.kinds[results_kind(result, curve->core_kind)];
    const unsigned cores = at < kind->cache_count ? kind->caches[at].sharing_core_count : 0;
    const unsigned sharing = cores == 0 ? 1 : cores < curve->threads ? cores : curve->threads;
    return (double)level->effective_bytes / sharing;
}

/* The sizes above `low` and up to `high`. False: too few. */
static bool model_median_of(const struct curve *curve, double above_bytes, double up_to_bytes, struct sample *out) {
    double *values = need_calloc(2 * curve->count + 1, sizeof *values), *cycles = values + curve->count;
    size_t count = 0;
    for (size_t i = 0; i < curve->count; i++) {
        const struct curve_point *point = &curve->points[i];
        if ((double)point->working_set_bytes <= above_bytes || (double)point->working_set_bytes > up_to_bytes)
            continue;
        values[count] = point->value;
        cycles[count++] = point->per_cycle;
        doubts_join(&out->doubts, point->doubts);
    }
    const struct statistics rate = sample_statistics(values, count), per_cycle = sample_statistics(cycles, count);
    out->rate = rate;
    out->rate.kept = 0; /* the sample counts sizes, not repetitions */
    out->value = rate.median;
    out->per_cycle = per_cycle.min > 0 ? per_cycle.median : 0;
    free(values);
    return (double)count >= model_thresholds.sizes.value;
}

static struct sample model_sample_of(const struct curve *curve, const char *level) {
    struct sample sample = {.kind = SAMPLE_BANDWIDTH, .threads = curve->threads};
    snprintf(sample.kernel, sizeof sample.kernel, "%.38s, median", curve->kernel);
    snprintf(sample.level, sizeof sample.level, "%s", level);
    snprintf(sample.core_kind, sizeof sample.core_kind, "%s", curve->core_kind);
    return sample;
}

/* Memory begins at twice the last cache, so that no size is half in the cache. */
static size_t model_add_levels(const struct result *result, const struct curve *curve, struct sample *out) {
    const struct levels *levels = &result->levels[results_kind(result, curve->core_kind)];
    double inside_bytes = 0;
    size_t count = 0;
    for (unsigned l = 0; l < levels->count && curve->kind == SAMPLE_BANDWIDTH; l++) {
        const bool memory = l + 1 == levels->count;
        const double bytes = memory ? DBL_MAX : share_bytes(result, curve, &levels->level[l], l);
        out[count] = model_sample_of(curve, levels->level[l].name);
        count += model_median_of(curve, memory ? 2 * inside_bytes : inside_bytes, bytes, &out[count]);
        inside_bytes = bytes;
    }
    return count;
}

/* A roof for each bandwidth curve and each level with at least three of its sizes: the median of bytes/s. The roofs
 * refer to `samples`; the caller frees both. */
static size_t model_medians(const struct result *result, struct roof **roofs, struct sample **samples) {
    const size_t most = result->curve_count * MAX_LEVELS + 1;
    size_t count = 0;
    *roofs = need_calloc(most, sizeof **roofs);
    *samples = need_calloc(most, sizeof **samples);
    for (size_t c = 0; c < result->curve_count; c++)
        count += model_add_levels(result, &result->curves[c], &(*samples)[count]);
    for (size_t i = 0; i < count; i++) {
        struct roof *roof = &(*roofs)[i];
        *roof = (struct roof){.sample = &(*samples)[i], .op = MODEL_MEDIAN};
        snprintf(roof->isa, sizeof roof->isa, "%.*s", (int)strcspn(roof->sample->kernel, "."), roof->sample->kernel);
    }
    return count;
}

static void copy_part(char *out, size_t size, const char *from, size_t length) {
    length = length < size ? length : size - 1;
    memcpy(out, from, length);
    out[length] = '\0';
}

/* "avx512.f64.fma" → avx512, f64, fma; "avx512.load" → avx512, "", load; "chase" → "", "", chase. */
static void split_name(const char *name, struct roof *out) {
    const char *first = strchr(name, '.'), *last = strrchr(name, '.'), *op = last ? last + 1 : name;
    if (first)
        copy_part(out->isa, sizeof out->isa, name, (size_t)(first - name));
    if (last != first)
        copy_part(out->type, sizeof out->type, first + 1, (size_t)(last - first - 1));
    copy_part(out->op, sizeof out->op, op, strlen(op));
}

static bool is_cell_pattern(const struct roof *roof) {
    return pattern_only_loads(pattern_of_kernel(roof->op)) || roof->sample->kind == SAMPLE_LATENCY;
}

/* A node that the sample names: its memory is a roof if all patterns were measured there, else a cell of the matrix. */
static void model_judge_memory(struct model *model, struct roof *roof) {
    const struct result *result = model->result;
    const struct levels *levels = &result->levels[0];
    roof->other_memory = levels->count && levels_is_memory(roof->sample->level) &&
                         strcmp(roof->sample->level, levels->level[levels->count - 1].name) != 0;
    if (roof->sample->memory_node == 0)
        return;
    roof->cell = true;
    for (size_t i = 0; i < model->count && roof->cell; i++)
        roof->cell = is_cell_pattern(&model->roofs[i]) || !sample_same_place(model->roofs[i].sample, roof->sample);
}

/* A data sheet's peak or another tool's bandwidth has no number of threads: it then counts for any number. */
static void judge_threads(struct model *model, struct roof *roof) {
    roof->any_threads = roof->sample->threads == 0;
    for (size_t i = 0; i < model->count && roof->any_threads; i++) {
        const struct sample *other = model->roofs[i].sample;
        roof->any_threads = other->threads == 0 || other->kind != roof->sample->kind ||
                            strcmp(other->level, roof->sample->level) != 0 ||
                            strcmp(model->roofs[i].type, roof->type) != 0;
    }
}

struct model model_build(const struct result *result) {
    struct model model = {.result = result};
    const struct memory_peak memory = memory_peak_find(result, NULL);
    model.roofs = need_calloc(result->sample_count + 1, sizeof *model.roofs);
    model.blanks = need_calloc(result->sample_count + 1, sizeof *model.blanks);
    for (size_t i = 0; i < result->sample_count; i++) {
        const bool blank = sample_is_blank(&result->samples[i]);
        struct roof *roof = blank ? &model.blanks[model.blank_count++] : &model.roofs[model.count++];
        roof->sample = &result->samples[i];
        split_name(roof->sample->kernel, roof);
        roof->peak = estimate_is_peak(result->samples, result->sample_count, i);
        const double limit = memory_peak_of(&memory, result, roof->sample);
        if (roof->sample->documented_per_cycle > 0 && !blank)
            roof->documented_ratio = roof->sample->per_cycle / roof->sample->documented_per_cycle;
        else if (limit > 0 && !blank && memory_peak_uses_all_cores(result, roof->sample))
            roof->documented_ratio = roof->sample->value / limit;
    }
    for (size_t i = 0; i < model.count; i++) {
        model_judge_memory(&model, &model.roofs[i]);
        judge_threads(&model, &model.roofs[i]);
    }
    for (size_t i = 0; i < model.blank_count && model.count > 0; i++)
        model_judge_memory(&model, &model.blanks[i]);
    model.median_count = model_medians(result, &model.medians, &model.median_samples);
    model.figure_count = memory_figures(result, &model.figure_samples);
    model.figures = need_calloc(model.figure_count + 1, sizeof *model.figures);
    for (size_t i = 0; i < model.figure_count; i++)
        model.figures[i] = (struct roof){.sample = &model.figure_samples[i], .figure = true};
    return model;
}

size_t model_compared_count(const struct model *model) {
    return model->count + model->figure_count;
}

const struct roof *model_compared(const struct model *model, size_t i) {
    return i < model->count ? &model->roofs[i] : &model->figures[i - model->count];
}

static bool is_stated(const struct roof *roof) {
    return strcmp(roof->isa, "stated") == 0;
}

/* A stated peak is the limit of the ceilings of its type, a stated bandwidth that of the roofs of its level, if any
 * have as many threads. */
static void judge_stated(struct model *model, struct roof *stated) {
    for (size_t i = 0; i < model->count && is_stated(stated); i++) {
        struct roof *roof = &model->roofs[i];
        if (is_stated(roof) || roof->sample->kind != stated->sample->kind ||
            strcmp(roof->sample->level, stated->sample->level) != 0 ||
            (stated->sample->kind == SAMPLE_COMPUTE && strcmp(roof->type, stated->type) != 0) ||
            (stated->sample->threads && stated->sample->threads != roof->sample->threads))
            continue;
        stated->stated_limit = true;
        if (roof->documented_ratio == 0)
            roof->documented_ratio = roof->sample->value / stated->sample->value;
    }
}

struct model model_with_limits(const struct model *model) {
    struct model limited = *model;
    limited.roofs = need_calloc(model->count + 1, sizeof *limited.roofs);
    memcpy(limited.roofs, model->roofs, model->count * sizeof *limited.roofs);
    for (size_t i = 0; i < limited.count; i++)
        judge_stated(&limited, &limited.roofs[i]);
    return limited;
}

void model_free(struct model *model) {
    free(model->roofs);
    free(model->blanks);
    free(model->medians);
    free(model->median_samples);
    free(model->figures);
    free(model->figure_samples);
    *model = (struct model){0};
}

static bool model_same(const char *wanted, const char *is) {
    return !wanted || strcmp(wanted, is) == 0;
}

/* A view without a part of the machine shows roofs without a part; a view of one node also shows a node that is a
 * package. */
static bool is_there(const struct roof *roof, const struct model_view *view) {
    const struct sample *sample = roof->sample;
    bool parts = view->package || view->node;
    return (!parts ? !sample->package && !sample->node
                   : (!view->package || view->package == sample->package) &&
                         (!view->node || view->node == sample->node)) &&
           view->smt == (sample->cores > 0) &&
           (view->memory_node == sample->memory_node || (!view->memory_node && roof->other_memory && !roof->cell));
}

bool model_is_random(const struct roof *roof) {
    return pattern_is_random(pattern_of_kernel(roof->op));
}

bool model_is_elementwise(const struct roof *roof) {
    return roof->sample->kind == SAMPLE_BANDWIDTH && element_table[element_find(roof->type)].integer;
}

bool model_in_view(const struct roof *roof, const struct model_view *view) {
    return (view->threads == 0 || view->threads == roof->sample->threads || roof->any_threads) &&
           is_there(roof, view) && model_same(view->core_kind, roof->sample->core_kind) &&
           model_same(view->isa, roof->isa) &&
           (roof->sample->kind != SAMPLE_COMPUTE || model_same(view->type, roof->type));
}

/* Whether it moves what the view selects: single elements, or anything else. */
static bool model_moves(const struct roof *roof, const struct model_view *view) {
    return strcmp(view->elements ? view->elements : "", model_is_elementwise(roof) ? roof->type : "") == 0;
}

static bool is_pattern(const struct roof *roof) {
    return roof->sample->kind == SAMPLE_BANDWIDTH && !roof->stated_limit && !model_is_random(roof) &&
           strcmp(roof->op, "traffic") != 0;
}

/* The highest roof of the level in the view; NULL: none. */
static const struct roof *best_of(const struct roof *roofs, size_t count, const struct model_view *view,
                                  const char *level) {
    const struct roof *best = NULL;
    for (size_t i = 0; i < count; i++) {
        const struct roof *roof = &roofs[i];
        bool candidate =
            view->op ? roof->sample->kind == SAMPLE_BANDWIDTH && !roof->sample->small_pages : is_pattern(roof);
        if (candidate && model_in_view(roof, view) && model_moves(roof, view) && model_same(view->op, roof->op) &&
            strcmp(roof->sample->level, level) == 0 && (!best || roof->sample->value > best->sample->value))
            best = roof;
    }
    return best;
}

bool model_level(const struct model *model, const struct model_view *view, const char *level, struct model_level *out) {
    const bool median = view->op && strcmp(view->op, MODEL_MEDIAN) == 0;
    *out = (struct model_level){.roof = median ? best_of(model->medians, model->median_count, view, level)
                                               : best_of(model->roofs, model->count, view, level)};
    for (size_t i = 0; i < model->count && out->roof; i++) {
        const struct roof *roof = &model->roofs[i];
        if (is_pattern(roof) && model_in_view(roof, view) && model_moves(roof, view) &&
            strcmp(roof->sample->level, level) == 0 && strcmp(roof->isa, out->roof->isa) == 0 &&
            (!out->floor || roof->sample->value < out->floor->sample->value))
            out->floor = roof;
    }
    if (!out->floor) /* random lines, without a pattern of their ISA beside them */
        out->floor = out->roof;
    return out->roof != NULL;
}

const char *model_untried(const struct model *model, const struct model_view *view, const struct roof *best) {
    struct model_view own = *view;
    struct model_level found;
    own.op = best->op;
    return model_level(model, &own, best->sample->level, &found) ? NULL : best->op;
}

static const struct roof *highest_of(const struct model *model, const struct model_view *view, bool any) {
    const struct roof *highest = NULL;
    for (size_t i = 0; i < model->count; i++) {
        const struct roof *roof = &model->roofs[i];
        if (roof->sample->kind == SAMPLE_COMPUTE && !roof->stated_limit && model_in_view(roof, view) &&
            (any || roof->peak) && (!highest || roof->sample->value > highest->sample->value))
            highest = roof;
    }
    return highest;
}

const struct roof *model_peak(const struct model *model, const struct model_view *view) {
    const struct roof *peak = highest_of(model, view, false);
    return peak ? peak : highest_of(model, view, true);
}

const struct roof *model_highest(const struct model *model, const struct model_view *view) {
    return highest_of(model, view, true);
}

bool model_goes_before(const struct roof *roof, const struct roof *other) {
    const bool less = roof->sample->kind == SAMPLE_LATENCY;
    if (roof->peak != other->peak)
        return roof->peak;
    return less ? roof->sample->value < other->sample->value : roof->sample->value > other->sample->value;
}

bool model_may_hide(const struct roof *blank, const struct roof *best) {
    return !best || ((blank->peak || !best->peak) && estimate_may_exceed(blank->sample, best->sample));
}

const struct roof *model_blank_above(const struct model *model, const struct model_view *view, const char *level,
                                     const struct roof *best) {
    for (size_t i = 0; i < model->blank_count; i++) {
        const struct roof *blank = &model->blanks[i];
        const bool candidate = *level ? is_pattern(blank) && !blank->sample->small_pages &&
                                            model_same(view->op, blank->op) && strcmp(blank->sample->level, level) == 0
                                      : blank->sample->kind == SAMPLE_COMPUTE;
        if (candidate && model_in_view(blank, view) && model_moves(blank, view) && model_may_hide(blank, best))
            return blank;
    }
    return NULL;
}

double model_ridge(const struct roof *peak, const struct roof *bandwidth) {
    return peak->sample->value / bandwidth->sample->value;
}

double model_attainable(const struct roof *peak, double bytes_per_s, double intensity_flop_per_byte) {
    return fmin(peak->sample->value, intensity_flop_per_byte * bytes_per_s);
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

static bool any_told(const struct model *model) {
    for (size_t i = 0; i < model->count; i++)
        if (model->roofs[i].sample->threads > 0)
            return true;
    return false;
}

size_t model_places(const struct model *model, struct model_view *out, size_t max) {
    const struct roof *roofs = model->count ? model->roofs : model->blanks;
    const size_t roof_count = model->count ? model->count : model->blank_count;
    size_t count = 0;
    for (size_t i = 0; i < roof_count; i++) {
        const struct sample *sample = roofs[i].sample;
        bool known = roofs[i].cell || (roofs[i].any_threads && any_told(model));
        for (size_t j = 0; j < i && !known; j++)
            known = sample_same_place(roofs[j].sample, sample);
        if (known || count == max)
            continue;
        size_t at = count++;
        for (; at > 0 && out[at - 1].threads > sample->threads; at--)
            out[at] = out[at - 1];
        out[at] = (struct model_view){.threads = sample->threads,
                                      .core_kind = sample->core_kind,
                                      .package = sample->package,
                                      .node = sample->node,
                                      .memory_node = sample->memory_node,
                                      .smt = sample->cores > 0};
    }
    return count;
}

const char *model_place_text(const struct sample *sample, char *out, size_t size) {
    char kind[48] = "", package[32] = "", node[32] = "", memory[48] = "";
    if (sample->core_kind[0])
        snprintf(kind, sizeof kind, ", %s core%s", sample->core_kind, sample->threads == 1 ? "" : "s");
    if (sample->package)
        snprintf(package, sizeof package, ", package %u", sample->package - 1);
    if (sample->node)
        snprintf(node, sizeof node, ", node %u", sample->node - 1);
    if (sample->memory_node)
        snprintf(memory, sizeof memory, ", memory on node %u", sample->memory_node - 1);
    char all[256];
    snprintf(all, sizeof all, "%s%s%s%s%s", kind, sample->cores ? ", SMT" : "", package, node, memory);
    snprintf(out, size, "%s", all[0] ? all + 2 : "");
    return out;
}

/* The position of `number` in a rising list, after inserting it; `max` if there is no room. */
static size_t model_put(unsigned *list, size_t *count, unsigned number) {
    size_t at = 0;
    while (at < *count && list[at] < number)
        at++;
    if (at < *count && list[at] == number)
        return at;
    if (*count == MODEL_MATRIX_NODES)
        return MODEL_MATRIX_NODES;
    memmove(&list[at + 1], &list[at], (*count - at) * sizeof *list);
    (*count)++;
    list[at] = number;
    return at;
}

/* The node of a sample's threads: the only one with cores if none is named. */
static unsigned threads_node(const struct result *result, const struct sample *sample) {
    if (sample->node)
        return sample->node - 1;
    for (unsigned i = 0; i < result->machine.node_count; i++)
        if (result->machine.nodes[i].core_count > 0)
            return result->machine.nodes[i].os_index;
    return 0;
}

bool model_matrix(const struct model *model, enum sample_kind kind, struct model_matrix *out) {
    *out = (struct model_matrix){0};
    for (int pass = 0; pass < 2; pass++) /* first the nodes, then their entries */
        for (size_t i = 0; i < model->count; i++) {
            const struct roof *roof = &model->roofs[i];
            const struct sample *sample = roof->sample;
            if (!sample->memory_node || sample->kind != kind || !is_cell_pattern(roof))
                continue;
            size_t row = model_put(out->row_node, &out->rows, threads_node(model->result, sample));
            size_t column = model_put(out->column_node, &out->columns, sample->memory_node - 1);
            if (pass == 0 || row == MODEL_MATRIX_NODES || column == MODEL_MATRIX_NODES)
                continue;
            const struct roof **cell = &out->roof[row][column];
            out->column_kind[column] = sample->level;
            if (!*cell || sample->threads > (*cell)->sample->threads ||
                (sample->threads == (*cell)->sample->threads && sample->value > (*cell)->sample->value))
                *cell = roof;
        }
    return out->rows > 0;
}

struct levels model_levels(const struct model *model, const struct model_view *view) {
    struct levels levels = model->result->levels[results_kind(model->result, view->core_kind)];
    const unsigned room = sizeof levels.level / sizeof levels.level[0];
    for (size_t i = 0; i < model->count; i++) {
        const struct roof *roof = &model->roofs[i];
        if (!roof->other_memory || !model_in_view(roof, view) || levels.count == room ||
            levels_find(&levels, roof->sample->level) >= 0)
            continue;
        levels.level[levels.count] = levels.level[levels.count - 1];
        levels.level[levels.count - 1] = (struct level){0};
        snprintf(levels.level[levels.count - 1].name, sizeof levels.level[0].name, "%s", roof->sample->level);
        levels.count++;
    }
    return levels;
}

bool model_is_integer(const struct roof *roof) {
    return roof->sample->kind == SAMPLE_COMPUTE && element_table[element_find(roof->type)].integer;
}

const char *model_unit(enum sample_kind kind) {
    return (const char *const[]){"flop/s", "B/s", "s"}[kind];
}

const char *model_roof_unit(const struct roof *roof) {
    return model_is_integer(roof) ? "op/s" : model_unit(roof->sample->kind);
}

const char *model_roof_unit_name(const struct roof *roof) {
    static const char *const NAMES[] = {"flop_per_s", "bytes_per_s", "s"};
    return model_is_integer(roof) ? "op_per_s" : NAMES[roof->sample->kind];
}

const char *model_roof_unit_per_cycle(const struct roof *roof) {
    static const char *const NAMES[] = {"flop/cycle", "B/cycle", "cycles"};
    return model_is_integer(roof) ? "op/cycle" : NAMES[roof->sample->kind];
}

void model_count_doubts(const struct result *result, unsigned *counts) {
    memset(counts, 0, DOUBT_COUNT * sizeof *counts);
    for (size_t i = 0; i < result->sample_count; i++)
        for (unsigned d = 0; d < DOUBT_COUNT; d++)
            counts[d] += doubts_has(result->samples[i].doubts, d);
}
