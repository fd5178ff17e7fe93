/* SPDX-License-Identifier: BSD-3-Clause
 * The ratio of two roofs as a product (see why.h). */
#include "why.h"

#include <math.h>
#include <string.h>

#include "bench/kernels/levels.h"

const char *const why_factor_names[WHY_FACTORS] = {"clock", "per_cycle", "level", "per_core", "cores", "unsplit"};

static bool is_latency(const struct why *why) {
    return why->key.kind == SAMPLE_LATENCY;
}

/* The roof of one core that is the same otherwise; NULL: not measured. */
static const struct roof *alone_of(const struct why_roof *of) {
    struct roof_key key = roof_key_make(of->model, of->roof);
    key.cores = 1;
    if (roof_cores(of->roof) == 1)
        return of->roof;
    for (size_t i = 0; i < of->model->count; i++) {
        const struct roof *roof = &of->model->roofs[i];
        const struct roof_key own = roof_key_make(of->model, roof);
        if (memcmp(&own, &key, sizeof key) == 0 && roof->cell == of->roof->cell)
            return roof;
    }
    return NULL;
}

/* From the value itself, and not as the file says it: so that nothing is left over by rounding. */
static double per_cycle_of(const struct roof *roof) {
    const struct sample *sample = roof->sample;
    if (!(sample->clock_hz > 0) || !(sample->per_cycle > 0))
        return NAN;
    if (sample->kind == SAMPLE_LATENCY)
        return sample->value * sample->clock_hz;
    return roof_cores(roof) ? sample->value / roof_cores(roof) / sample->clock_hz : NAN;
}

static uint64_t level_bytes_of(const struct why_roof *of) {
    const struct sample *sample = of->roof->sample;
    const struct model_view view = {.core_kind = sample->core_kind[0] ? sample->core_kind : NULL};
    const struct levels levels = model_levels(of->model, &view);
    const int at = levels_find(&levels, sample->level);
    return at < 0 ? 0 : levels.level[at].effective_bytes;
}

static double clock_of(const struct roof *roof) {
    return roof->sample->clock_hz > 0 ? roof->sample->clock_hz : NAN;
}

static struct why_end end_of(struct why_roof of) {
    const struct roof *alone = alone_of(&of);
    struct why_end end = {.roof = of.roof,
                          .value = of.roof->sample->value,
                          .clock_hz = clock_of(of.roof),
                          .alone_clock_hz = alone ? clock_of(alone) : NAN,
                          .per_cycle = per_cycle_of(of.roof),
                          .alone = alone ? alone->sample->value : NAN,
                          .alone_per_cycle = alone ? per_cycle_of(alone) : NAN,
                          .kept = NAN,
                          .cores = roof_cores(of.roof),
                          .level_bytes = level_bytes_of(&of)};
    return end;
}

/* A cache of another size, or another kind of memory. What the core's own clock paces is part of the core. */
static bool is_other_level(const struct why *why) {
    const struct why_end *from = &why->from, *to = &why->to;
    if (strcmp(from->roof->sample->level, to->roof->sample->level) != 0)
        return true;
    if (why->paced || !from->level_bytes || !to->level_bytes)
        return false;
    const double ratio = (double)to->level_bytes / (double)from->level_bytes;
    return ratio > LEVELS_AGREE_FACTOR || ratio < 1 / LEVELS_AGREE_FACTOR;
}

/* Where the clock paces the work, what it loses when all cores work belongs to the clock, and the rest to the cores.
 * What it does not pace is shared by the second. */
static void find_kept(struct why *why) {
    struct why_end *const ends[] = {&why->from, &why->to};
    const double known = ends[0]->per_cycle + ends[0]->alone_per_cycle + ends[1]->per_cycle + ends[1]->alone_per_cycle;
    const bool by_cycle = why->paced && !isnan(known);
    for (size_t i = 0; i < 2; i++)
        ends[i]->kept =
            by_cycle ? ends[i]->per_cycle / ends[i]->alone_per_cycle : ends[i]->value / ends[i]->cores / ends[i]->alone;
    why->kept_ratio = ends[1]->kept / ends[0]->kept;
    why->alone_clock = !why->paced && !isnan(known);
}

/* What a core does, alone where that was measured of both: by the clock and the cycle, or in one. */
static void split_core(struct why *why, double core_ratio) {
    const struct why_end *from = &why->from, *to = &why->to;
    const bool clocks = !isnan(from->per_cycle) && !isnan(to->per_cycle);
    const double clock = why->alone_clock ? to->alone_clock_hz / from->alone_clock_hz : to->clock_hz / from->clock_hz;
    if (!clocks) {
        why->factors[why->other_level ? WHY_LEVEL : WHY_PER_CORE] = core_ratio;
        return;
    }
    why->factors[WHY_CLOCK] = is_latency(why) ? 1 / clock : clock;
    why->factors[why->other_level ? WHY_LEVEL : WHY_PER_CYCLE] = core_ratio / why->factors[WHY_CLOCK];
}

static void split(struct why *why) {
    const struct why_end *from = &why->from, *to = &why->to;
    if (is_latency(why)) { /* each core waits for itself */
        split_core(why, why->ratio);
        return;
    }
    if (!from->cores || !to->cores) {
        why->factors[WHY_UNSPLIT] = why->ratio;
        return;
    }
    why->count_ratio = (double)to->cores / from->cores;
    double cores = why->count_ratio;
    if (from->cores > 1 || to->cores > 1) {
        find_kept(why);
        cores *= isnan(why->kept_ratio) ? 1 : why->kept_ratio;
        why->factors[WHY_CORES] = cores;
    }
    split_core(why, why->ratio / cores);
}

struct why why_make(const struct roof_key *key, struct why_roof from, struct why_roof to) {
    struct why why = {.key = *key,
                      .from = end_of(from),
                      .to = end_of(to),
                      .count_ratio = NAN,
                      .kept_ratio = NAN,
                      .paced = levels_is_paced(from.roof->sample->level) && levels_is_paced(to.roof->sample->level),
                      .other_kernel = strcmp(from.roof->sample->kernel, to.roof->sample->kernel) != 0,
                      .alike = compare_alike(from.roof, to.roof, PER_MACHINE)};
    for (int f = 0; f < WHY_FACTORS; f++)
        why.factors[f] = NAN;
    why.ratio = why.to.value / why.from.value;
    why.other_level = is_other_level(&why);
    split(&why);
    return why;
}

double why_share(const struct why *why, enum why_factor factor) {
    const double whole = log(why->ratio);
    return fabs(whole) > 1e-12 ? log(why->factors[factor]) / whole : NAN;
}
