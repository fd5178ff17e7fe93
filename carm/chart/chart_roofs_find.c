/* SPDX-License-Identifier: BSD-3-Clause
 * Which of a model's roofs a roofline shows, and the axes that show them (see chart_roofs.h). */
#include "chart_parts.h"
#include "chart_roofs.h"

#include <math.h>
#include <string.h>

#include "carm/model/applicable_roofs.h"
#include "probe/isa.h"

static const double SAME_HEIGHT = 1.025; /* what is closer than this is as high */

/* Per cycle there are only those whose clock is known. */
static bool is_known(const struct roofs *r, const struct roof *roof) {
    return !r->per_cycle || roof->sample->per_cycle > 0;
}

/* A band by loads or stores reaches down to the patterns that do nothing else. */
static bool is_plain(const struct roof *roof, enum chart_bytes bytes) {
    const struct pattern_share share = pattern_share(roof);
    bool reads = bytes == BYTES_LOADED || bytes == BYTES_DRAM_READ, both = bytes == BYTES_CORE || bytes == BYTES_DRAM;
    return both || (reads ? share.load : share.store) == 1;
}

/* What counts when patterns compete: one that does nothing else is the better name for what others reach too. */
static double merit(const struct roofs *r, const struct roof *roof) {
    return roofs_slope(r, roof) * (is_plain(roof, r->bytes) ? SAME_HEIGHT : 1);
}

/* The band by other bytes than those that the core asks for: its best pattern is another one. */
static bool find_band(const struct roofs *r, const struct model_view *view, const char *level,
                      struct model_level *out) {
    *out = (struct model_level){0};
    for (int floors = 0; floors < 2; floors++)
        for (size_t i = 0; i < r->model->count; i++) {
            const struct roof *roof = &r->model->roofs[i];
            double slope = roofs_slope(r, roof);
            if (!(slope > 0) || roof->stated_limit || !model_in_view(roof, view) ||
                strcmp(roof->sample->level, level) != 0 || (view->op && strcmp(view->op, roof->op) != 0))
                continue;
            if (!floors && (!out->roof || merit(r, roof) > merit(r, out->roof)))
                out->roof = roof;
            if (floors && is_plain(roof, r->bytes) && strcmp(roof->isa, out->roof->isa) == 0 &&
                (!out->floor || slope < roofs_slope(r, out->floor)))
                out->floor = roof;
        }
    if (!out->floor)
        out->floor = out->roof;
    return out->roof != NULL;
}

static bool is_memory(const struct levels *levels, unsigned index) {
    return index + 1 == levels->count || levels->level[index].name[0] != 'L';
}

static bool find_level(const struct roofs *r, const struct model_view *view, unsigned index, struct model_level *out) {
    const char *name = r->all_levels->level[index].name;
    if (r->bytes != BYTES_CORE)
        return (!chart_is_dram(r->bytes) || is_memory(r->all_levels, index)) && find_band(r, view, name, out);
    return model_level(r->model, view, name, out) && is_known(r, out->roof) && is_known(r, out->floor);
}

/* Where a level's best pattern was measured with another ISA alone, that of the view's ISA may be higher than what is
 * drawn. */
static void note_untried(struct roofs *r, const struct model_view *view, unsigned index) {
    const struct isa *isa = view->isa ? isa_find(view->isa) : NULL;
    struct model_view any = *view;
    struct model_level best;
    any.isa = NULL;
    if (!isa || view->op || isa >= isa_table + isa_vector_count || !find_level(r, &any, index, &best))
        return;
    const char *op = model_untried(r->model, view, best.roof);
    const size_t length = strlen(r->untried);
    if (op && !strstr(r->untried, op))
        snprintf(r->untried + length, sizeof r->untried - length, "%s%s", length ? ", " : "", op);
}

static void find_levels(struct roofs *r, const struct chart_options *options) {
    r->documented = options->documented;
    const struct levels *levels = r->all_levels;
    struct model_view view = r->view;
    view.op = options->op;
    view.type = NULL;
    for (unsigned i = 0; i < levels->count; i++) {
        if (find_level(r, &view, i, &r->levels[r->level_count]))
            r->level_index[r->level_count++] = i;
        note_untried(r, &view, i);
    }
    view.op = "random";
    /* In L1 and L2 the making of random addresses is the limit, not the level. */
    for (unsigned i = 2; i < levels->count && options->random && r->bytes == BYTES_CORE; i++)
        if (find_level(r, &view, i, &r->random[r->random_count]))
            r->random_index[r->random_count++] = i;
}

/* In the order in which they name a ceiling that several reach. */
static const char *const PLAIN[] = {"fma", "add", "mul", "div", "sqrt", "shift", "cmpeq", "cmpgt", "cmp"};
enum { PLAIN_COUNT = sizeof PLAIN / sizeof PLAIN[0] };

static size_t plain_rank(const struct roof *roof) {
    size_t rank = 0;
    while (rank < PLAIN_COUNT && strcmp(roof->op, PLAIN[rank]) != 0)
        rank++;
    return rank;
}

/* Worth a line of its own: the best operation of each ISA, and the plain ones of the ISA that sets the peak. */
static bool is_notable(const struct roofs *r, const struct roof *roof) {
    struct model_view own = r->view;
    own.isa = roof->isa;
    return model_peak(r->model, &own) == roof ||
           (plain_rank(roof) < PLAIN_COUNT && strcmp(roof->isa, r->peak->isa) == 0);
}

static bool is_candidate(const struct roofs *r, const struct roof *roof) {
    return roof->sample->kind == SAMPLE_COMPUTE && !roof->stated_limit && model_in_view(roof, &r->view) &&
           is_known(r, roof) && is_notable(r, roof);
}

/* Most operations of integers share their height with others: of those that reach it the ISA of the peak has the first
 * word, and there the plainest operation. */
static const struct roof *name_ceiling(const struct roofs *r, const struct roof *highest) {
    const struct roof *name = highest;
    for (size_t i = 0; i < r->model->count && model_is_integer(highest); i++) {
        const struct roof *roof = &r->model->roofs[i];
        const bool as_high = roofs_rate(r, roof->sample) * SAME_HEIGHT >= roofs_rate(r, highest->sample) &&
                             roofs_rate(r, roof->sample) <= roofs_rate(r, highest->sample);
        const bool own = strcmp(roof->isa, r->peak->isa) == 0, known = strcmp(name->isa, r->peak->isa) == 0;
        if (is_candidate(r, roof) && as_high && own && (!known || plain_rank(roof) < plain_rank(name)))
            name = roof;
    }
    return name;
}

/* From the highest down, leaving out what another ceiling already shows (AVX and AVX2 add at one height). */
static void find_ceilings(struct roofs *r) {
    double below = INFINITY;
    while (r->ceiling_count < ROOFS_MAX_CEILINGS) {
        const struct roof *next = NULL;
        for (size_t i = 0; i < r->model->count; i++) {
            const struct roof *roof = &r->model->roofs[i];
            double height = roofs_rate(r, roof->sample);
            if (is_candidate(r, roof) && height * SAME_HEIGHT < below &&
                (!next || height > roofs_rate(r, next->sample)))
                next = roof;
        }
        if (!next)
            return;
        r->ceilings[r->ceiling_count++] = name_ceiling(r, next);
        below = roofs_rate(r, next->sample);
    }
}

/* 0: not documented */
static double documented_peak(const struct roofs *r) {
    const double ratio = r->peak->documented_ratio;
    return ratio > 0 ? roofs_rate(r, r->peak->sample) / ratio : 0;
}

static void choose_axes(struct roofs *r) {
    double peak = roofs_rate(r, r->peak->sample), last_ridge = 1, lowest = peak;
    for (size_t i = 0; i < r->level_count; i++)
        last_ridge = fmax(last_ridge, peak / roofs_slope(r, r->levels[i].roof));
    double first_ridge = r->level_count ? peak / roofs_slope(r, r->levels[0].roof) : 1;
    double x_min = exp2(floor(log2(fmin(first_ridge, 0.25) / 16))), x_max = exp2(ceil(log2(last_ridge * 8)));
    if (r->level_count) /* the outermost roof leaves the chart through its left half */
        lowest = roofs_slope(r, r->levels[r->level_count - 1].roof) * x_min * 2;
    if (r->random_count)
        lowest = fmin(lowest, roofs_slope(r, r->random[r->random_count - 1].roof) * x_min * 8);
    lowest = fmin(lowest, roofs_rate(r, r->ceilings[r->ceiling_count - 1]->sample) / 1.5);
    r->x = (struct plot_axis){
        .title = r->x_title, .scale = PLOT_LOG2, .unit = PLOT_UNIT_FRACTION, .min = x_min, .max = x_max};
    r->y = (struct plot_axis){.title = r->y_title,
                              .scale = PLOT_LOG10,
                              .min = lowest,
                              .max = (r->documented ? fmax(peak, documented_peak(r)) : peak) * 1.8,
                              .divisor = r->per_cycle ? 1 : 1e9};
}

void roofs_write_titles(struct roofs *r, const char *traffic_source) {
    static const char *const NAMES[][2] = {
        [BYTES_CORE] = {"Arithmetic", "requested by the core"},
        [BYTES_LOADED] = {"Read", "loaded by the core"},
        [BYTES_STORED] = {"Write", "stored by the core"},
        [BYTES_DRAM] = {"Operational", "between caches and memory"},
        [BYTES_DRAM_READ] = {"Read", "read from memory"},
        [BYTES_DRAM_WRITTEN] = {"Write", "written to memory"},
    };
    const char *const *name = NAMES[r->bytes], *unit = model_is_integer(r->peak) ? "op" : "flop";
    unsigned cores = chart_cores(r->peak->sample);
    snprintf(r->x_title, sizeof r->x_title, "%s intensity  [%s per byte %s%s%s]", name[0],
             model_is_integer(r->peak) ? "operations" : unit, name[1], traffic_source ? ", " : "",
             traffic_source ? traffic_source : "");
    snprintf(r->reading, sizeof r->reading, "{x} %s/B allows {y}%s%s", unit, r->per_cycle ? " " : "",
             r->per_cycle ? model_roof_unit_per_cycle(r->peak) : model_roof_unit(r->peak));
    if (!r->per_cycle)
        snprintf(r->y_title, sizeof r->y_title, "Performance  [G%s/s]", unit);
    else if (r->shared_by)
        snprintf(r->y_title, sizeof r->y_title, "Performance  [%s per cycle and core]", unit);
    else if (r->several)
        snprintf(r->y_title, sizeof r->y_title, "Performance  [%s/cycle of all cores together]", unit);
    else if (cores == 1)
        snprintf(r->y_title, sizeof r->y_title, "Performance  [%s/cycle]", unit);
    else
        snprintf(r->y_title, sizeof r->y_title, "Performance  [%s/cycle of %u cores together]", unit, cores);
}

void roofs_find(struct roofs *r, const struct chart_options *options) {
    r->peak = model_peak(r->model, &r->view);
    find_levels(r, options);
    find_ceilings(r);
    r->peak = r->ceilings[0]; /* per cycle another one may be the highest */
    choose_axes(r);
    roofs_write_titles(r, NULL);
}

static bool is_drawn_at(const struct roofs *first, const struct roofs *end, double height) {
    for (const struct roofs *r = first; r != end; r = r->fewer)
        for (size_t i = 0; i < r->ceiling_count; i++) {
            const double ratio = height / roofs_rate(r, r->ceilings[i]->sample);
            if (ratio < SAME_HEIGHT && ratio > 1 / SAME_HEIGHT)
                return true;
        }
    return false;
}

void roofs_join(struct roofs *first) {
    for (struct roofs *r = first->fewer; r; r = r->fewer) {
        size_t kept = 1;
        for (size_t i = 1; i < r->ceiling_count; i++)
            if (!is_drawn_at(first, r, roofs_rate(r, r->ceilings[i]->sample)))
                r->ceilings[kept++] = r->ceilings[i];
        r->ceiling_count = kept;
        first->x.min = fmin(first->x.min, r->x.min), first->x.max = fmax(first->x.max, r->x.max);
        first->y.min = fmin(first->y.min, r->y.min), first->y.max = fmax(first->y.max, r->y.max);
    }
}
