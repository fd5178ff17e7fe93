/* SPDX-License-Identifier: BSD-3-Clause */
#include "validate.h"
#include "model_thresholds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "asm/kernel.h"
#include "bench/kernels/plan.h"
#include "bench/kernels/run.h"
#include "probe/need.h"
#include "probe/text.h"

static const struct kernel *kernel_of(const struct sample *sample) {
    const struct kernel *const *first = kernel_find(sample->kernel, NULL);
    const struct kernel *exact = kernel_find_variant(sample->kernel, sample->variant);
    return exact || !first ? exact : *first;
}

/* Whether the sample is the peak (or the bandwidth) that bounds this mixed kernel. */
static bool is_peak_of(const struct sample *sample, const struct sample *mixed, const struct kernel *mixed_kernel) {
    const struct kernel *kernel = kernel_of(sample);
    return kernel && kernel->kind == KERNEL_COMPUTE && kernel->isa == mixed_kernel->isa &&
           kernel->type == mixed_kernel->type && strcmp(kernel->op, plan_mixed_peak(mixed_kernel)) == 0 &&
           sample_same_place(sample, mixed);
}

static bool is_bandwidth_of(const struct sample *sample, const struct sample *mixed,
                            const struct kernel *mixed_kernel) {
    const struct kernel *kernel = kernel_of(sample);
    return kernel && kernel->kind == KERNEL_MEMORY && kernel->isa == mixed_kernel->isa &&
           strcmp(kernel->op, plan_mixed_pattern(mixed_kernel)) == 0 && strcmp(sample->level, mixed->level) == 0 &&
           sample_same_place(sample, mixed);
}

typedef bool is_roof_of(const struct sample *sample, const struct sample *mixed, const struct kernel *mixed_kernel);

static bool is_paced(const struct sample *sample) {
    return levels_is_paced(sample->level);
}

/* The roof at the mixed kernel's clock, if the core's clock paces that kernel. */
static double value_beside(const struct sample *roof, const struct sample *mixed) {
    bool by_cycle = is_paced(mixed) && roof->per_cycle > 0 && mixed->clock_hz > 0;
    unsigned cores = roof->cores ? roof->cores : roof->threads;
    return by_cycle ? roof->per_cycle * mixed->clock_hz * cores : roof->value;
}

/* The reference of a mixed kernel. */
struct roof_beside {
    double value; /* 0: none */
    const char *kernel;
    struct doubts doubts;
};

/* The roof for samples[at] from the last one before and the first one after it. Per cycle the higher one, because only
 * disturbances change it, and they lower it; per second the mean, because clocks and neighbours drift. */
static struct roof_beside find_roof(const struct sample *samples, size_t count, size_t at, const struct kernel *kernel,
                                    is_roof_of *is_roof) {
    struct roof_beside out = {.kernel = ""};
    double sum = 0, highest = 0;
    unsigned found = 0;
    for (int direction = -1; direction <= 1; direction += 2)
        for (size_t i = at; i < count; i += (size_t)direction) /* below 0 it wraps round to a number over count */
            if (!sample_is_blank(&samples[i]) && is_roof(&samples[i], &samples[at], kernel)) {
                double value = value_beside(&samples[i], &samples[at]);
                sum += value;
                highest = fmax(highest, value);
                found++;
                doubts_join(&out.doubts, samples[i].doubts);
                out.kernel = samples[i].kernel;
                break;
            }
    out.value = found == 0 ? 0 : is_paced(&samples[at]) ? highest : sum / found;
    return out;
}

/* The limit of ports and issue width. The kernels' loads are separate instructions, so all must be renamed, except the
 * loop's dec and jnz, which fuse into one (Intel optimization manual, macro-fusion). */
static double port_limit(const struct uarch *uarch, const struct kernel *kernel) {
    double limit = bench_documented(uarch, kernel, 1).per_cycle;
    unsigned width = uarch_issue_width(uarch);
    if (limit <= 0 || width == 0)
        return limit;
    return fmin(limit, (double)kernel->cost.flop * width / (kernel->cost.instructions - 1));
}

size_t validation_compare(const struct sample *samples, size_t count, const struct uarch *uarch,
                          struct validation_point *out) {
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        const struct sample *sample = &samples[i];
        const struct kernel *kernel = kernel_of(sample);
        if (!kernel || kernel->kind != KERNEL_MIXED || sample_is_blank(sample))
            continue;
        struct validation_point *point = &out[found];
        *point = (struct validation_point){.threads = sample->threads,
                                           .working_set_bytes = sample->working_set_bytes,
                                           .flop_per_byte = plan_intensity(kernel),
                                           .flop_per_s = sample->value,
                                           .per_cycle = is_paced(sample) ? sample->per_cycle : 0,
                                           .clock_hz = is_paced(sample) ? sample->clock_hz : 0,
                                           .spread = sample->spread,
                                           .port_limit_per_cycle = port_limit(uarch, kernel),
                                           .doubts = sample->doubts};
        memcpy(point->kernel, sample->kernel, sizeof point->kernel);
        memcpy(point->variant, sample->variant, sizeof point->variant);
        memcpy(point->core_kind, sample->core_kind, sizeof point->core_kind);
        memcpy(point->level, sample->level, sizeof point->level);
        const struct roof_beside peak = find_roof(samples, count, i, kernel, is_peak_of),
                                 bandwidth = find_roof(samples, count, i, kernel, is_bandwidth_of);
        point->peak_flop_per_s = peak.value;
        point->bandwidth_bytes_per_s = bandwidth.value;
        snprintf(point->peak_kernel, sizeof point->peak_kernel, "%s", peak.kernel);
        snprintf(point->bandwidth_kernel, sizeof point->bandwidth_kernel, "%s", bandwidth.kernel);
        doubts_join(&point->doubts, doubts_union(peak.doubts, bandwidth.doubts));
        found += point->peak_flop_per_s > 0 && point->bandwidth_bytes_per_s > 0;
    }
    return found;
}

double validation_model(const struct validation_point *point) {
    return fmin(point->peak_flop_per_s, point->flop_per_byte * point->bandwidth_bytes_per_s);
}

double validation_deviation(const struct validation_point *point) {
    double model = validation_model(point);
    return model > 0 ? point->flop_per_s / model - 1 : 0;
}

bool validation_is_compute_bound(const struct validation_point *point) {
    return point->peak_flop_per_s <= point->flop_per_byte * point->bandwidth_bytes_per_s;
}

const char *const validation_side_names[VALIDATION_SIDES] = {"memory side", "ridge", "compute side"};

enum validation_side validation_side_of(const struct validation_point *point) {
    const double over_ridge = point->flop_per_byte * point->bandwidth_bytes_per_s / point->peak_flop_per_s;
    return over_ridge < 1 / model_thresholds.ridge.value ? VALIDATION_MEMORY_SIDE
           : over_ridge > model_thresholds.ridge.value   ? VALIDATION_COMPUTE_SIDE
                                                         : VALIDATION_RIDGE;
}

double validation_model_per_cycle(const struct validation_point *point) {
    return point->per_cycle / (1 + validation_deviation(point));
}

bool validation_is_port_limited(const struct validation_point *point) {
    return point->port_limit_per_cycle > 0 &&
           point->port_limit_per_cycle < (1 - model_thresholds.limits_differ.value) * validation_model_per_cycle(point);
}

static double limit_of_model(const struct validation_point *point) {
    return point->port_limit_per_cycle / validation_model_per_cycle(point);
}

struct validation_limited validation_limited_points(const struct validation_point *points, size_t count) {
    struct validation_limited out = {0};
    double *deviations = need_calloc(count + 1, sizeof *deviations);
    for (size_t i = 0; i < count; i++) {
        const struct validation_point *point = &points[i];
        if (!validation_is_port_limited(point))
            continue;
        deviations[out.count++] = fabs(point->per_cycle / point->port_limit_per_cycle - 1);
        out.lowest = !out.lowest || limit_of_model(point) < limit_of_model(out.lowest) ? point : out.lowest;
    }
    out.median = out.count ? sample_statistics(deviations, out.count).median : 0;
    free(deviations);
    return out;
}

static bool same_series(const struct validation_point *a, const struct validation_point *b) {
    return a->threads == b->threads && strcmp(a->level, b->level) == 0 && strcmp(a->core_kind, b->core_kind) == 0 &&
           strcmp(a->peak_kernel, b->peak_kernel) == 0 && strcmp(a->bandwidth_kernel, b->bandwidth_kernel) == 0;
}

static const struct validation_point *worse(const struct validation_point *a, const struct validation_point *b) {
    return !a || (b && fabs(validation_deviation(b)) > fabs(validation_deviation(a))) ? b : a;
}

static struct validation_summary summarise(const struct validation_point *points, size_t count, size_t first) {
    struct validation_summary summary = {.first = &points[first]};
    double *deviations = need_calloc(count, sizeof *deviations);
    for (enum validation_side side = 0; side < VALIDATION_SIDES; side++) {
        struct validation_side_summary *const out = &summary.sides[side];
        for (size_t i = first; i < count; i++)
            if (same_series(&points[i], summary.first) && validation_side_of(&points[i]) == side) {
                deviations[out->count++] = fabs(validation_deviation(&points[i]));
                out->worst = worse(out->worst, &points[i]);
            }
        out->median = out->count ? sample_statistics(deviations, out->count).median : 0;
        summary.count += out->count;
    }
    free(deviations);
    return summary;
}

const struct validation_side_summary *validation_worst_side(const struct validation_summary *summaries, size_t count) {
    const struct validation_side_summary *worst = NULL;
    for (size_t i = 0; i < count; i++)
        for (enum validation_side side = 0; side < VALIDATION_SIDES; side++) {
            const struct validation_side_summary *one = &summaries[i].sides[side];
            if (one->count > 0 && (!worst || one->median > worst->median))
                worst = one;
        }
    return worst;
}

const struct validation_point *validation_worst_point(const struct validation_summary *summary) {
    const struct validation_point *worst = NULL;
    for (enum validation_side side = 0; side < VALIDATION_SIDES; side++)
        worst = worse(worst, summary->sides[side].worst);
    return worst;
}

size_t validation_summarise(const struct validation_point *points, size_t count, struct validation_summary *out,
                            size_t max) {
    size_t found = 0;
    for (size_t i = 0; i < count && found < max; i++) {
        bool seen = false;
        for (size_t j = 0; j < i && !seen; j++)
            seen = same_series(&points[i], &points[j]);
        if (!seen)
            out[found++] = summarise(points, count, i);
    }
    return found;
}

static bool is_roof(const struct sample *sample) {
    const struct kernel *kernel = kernel_of(sample);
    return kernel && kernel->kind != KERNEL_MIXED;
}

static bool is_again(const struct sample *a, const struct sample *b) {
    return strcmp(a->kernel, b->kernel) == 0 && strcmp(a->level, b->level) == 0 && sample_same_place(a, b);
}

/* How many samples of the same roof are smaller; of equal ones the earlier. */
static size_t rank_of(const struct sample *samples, size_t count, size_t at, size_t *all) {
    size_t rank = 0;
    *all = 0;
    for (size_t i = 0; i < count; i++)
        if (is_again(&samples[i], &samples[at])) {
            ++*all;
            rank += samples[i].value < samples[at].value || (samples[i].value <= samples[at].value && i < at);
        }
    return rank;
}

size_t validation_roofs(const struct sample *samples, size_t count, struct sample *out) {
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        size_t all, rank = rank_of(samples, count, i, &all);
        if (is_roof(&samples[i]) && rank == (all - 1) / 2)
            out[found++] = samples[i];
    }
    return found;
}

static bool is_taken(const struct sample *wanted, const struct sample *taken, size_t taken_count) {
    for (size_t i = 0; i < taken_count; i++)
        if (strcmp(wanted->kernel, taken[i].kernel) == 0 && strcmp(wanted->level, taken[i].level) == 0 &&
            sample_same_place(wanted, &taken[i]))
            return true;
    return false;
}

size_t validation_left_out(const struct sample *wanted, size_t wanted_count, const struct sample *taken,
                           size_t taken_count, char *levels, size_t size) {
    size_t count = 0;
    levels[0] = '\0';
    for (size_t i = 0; i < wanted_count; i++) {
        if (is_roof(&wanted[i]) || is_taken(&wanted[i], taken, taken_count))
            continue;
        count++;
        if (!strstr(levels, wanted[i].level))
            text_append(levels, size, "%s%s", count > 1 ? "," : "", wanted[i].level);
    }
    return count;
}

void validation_merge(struct validation_point **list, size_t *list_count, const struct validation_point *points,
                      size_t count) {
    *list = need_realloc(*list, (*list_count + count + 1) * sizeof **list);
    size_t kept = 0;
    for (size_t i = 0; i < *list_count; i++) {
        const struct validation_point *old = &(*list)[i];
        bool replaced = false;
        for (size_t k = 0; k < count && !replaced; k++)
            replaced = strcmp(points[k].kernel, old->kernel) == 0 && same_series(&points[k], old);
        if (!replaced)
            (*list)[kept++] = *old;
    }
    for (size_t k = 0; k < count; k++)
        (*list)[kept++] = points[k];
    *list_count = kept;
}
