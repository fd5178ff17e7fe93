/* SPDX-License-Identifier: BSD-3-Clause
 * Further facts from result and specification about a roof below its limit (see shortfall.h). */
#include "shortfall.h"

#include <stdlib.h>
#include <string.h>

#include "asm/pattern.h"
#include "bench/kernels/doubt.h"
#include "bench/kernels/sample.h"
#include "carm/store/results.h"
#include "probe/isa.h"
#include "probe/machine.h"
#include "probe/need.h"
#include "probe/uarch.h"

/* The median clock of narrower arithmetic on as many threads; 0: not measured. */
static double lighter_clock(const struct model *model, const struct sample *own) {
    double *clocks = need_calloc(model->count + 1, sizeof *clocks);
    size_t n = 0;
    for (size_t i = 0; i < model->count; i++) {
        const struct sample *s = model->roofs[i].sample;
        if (s->kind == SAMPLE_COMPUTE && s->clock_hz > 0 && sample_same_place(s, own)) {
            const struct isa *isa = isa_find(model->roofs[i].isa);
            if (isa && isa->vector_bytes < SHORTFALL_WIDE_BYTES)
                clocks[n++] = s->clock_hz;
        }
    }
    const double median = sample_statistics(clocks, n).median;
    free(clocks);
    return median;
}

static const struct level *level_of(const struct result *result, const struct sample *own) {
    for (unsigned k = 0; k < result->kind_count; k++)
        for (unsigned i = 0; i < result->levels[k].count; i++)
            if (own->level[0] && strcmp(result->levels[k].level[i].name, own->level) == 0 &&
                (!own->core_kind[0] || strcmp(result->machine.kinds[k].name, own->core_kind) == 0))
                return &result->levels[k].level[i];
    return NULL;
}

/* The same kernel and level on fewer (`more` false: the best value per thread) or more threads (the best value). */
static double best_on_other_threads(const struct model *model, const struct sample *own, bool more) {
    double best = 0;
    for (size_t i = 0; i < model->count; i++) {
        const struct sample *s = model->roofs[i].sample;
        if (!sample_same_part(s, own) || strcmp(s->kernel, own->kernel) != 0 || strcmp(s->level, own->level) != 0 ||
            s->threads == own->threads || (s->threads > own->threads) != more)
            continue;
        const double value = more ? s->value : s->value / s->threads;
        best = value > best ? value : best;
    }
    return best;
}

/* Whether another pattern of the same level on as many threads has a higher value. */
static bool other_gets_more(const struct model *model, const struct sample *own) {
    for (size_t i = 0; i < model->count; i++) {
        const struct sample *s = model->roofs[i].sample;
        if (s->kind == own->kind && strcmp(s->level, own->level) == 0 && sample_same_place(s, own) &&
            s->value > own->value)
            return true;
    }
    return false;
}

/* Raptor Cove and Redwood Cove execute as Golden Cove does. */
static bool is_golden_cove(const char *uarch) {
    return strstr(uarch, "Golden Cove") || strstr(uarch, "Raptor Cove") || strstr(uarch, "Redwood Cove");
}

static bool is_zen_3_or_4(const char *uarch) {
    return strcmp(uarch, "Zen 3") == 0 || strcmp(uarch, "Zen 4") == 0;
}

/* Measured on every machine with this core, and documented nowhere. */
struct known_shortfall {
    bool (*is_core)(const char *uarch);
    const char *op; /* NULL: any with stores, or only loads */
    bool only_loads;
    unsigned cache_level, vector_bytes; /* 0: any */
    const struct threshold *from, *to;
    const char *what;
};
#define BETWEEN(range) &shortfall_thresholds.range##_from, &shortfall_thresholds.range##_to
static const struct known_shortfall KNOWN[] = {
    {is_golden_cove, "2ld1st", false, 1, 32, BETWEEN(l1_256),
     "128 of 144 B/cycle with 256-bit vectors; 128-bit ones reach their limit"},
    {is_golden_cove, "axpy", false, 1, 32, BETWEEN(l1_256),
     "128 of 144 B/cycle with 256-bit vectors; 128-bit ones reach their limit"},
    {is_golden_cove, "2ld1st", false, 1, 64, BETWEEN(l1_512),
     "181 of 192 B/cycle at any unroll, once the working set is over 6 KiB"},
    {is_golden_cove, "axpy", false, 1, 64, BETWEEN(l1_512), "181 of 192 B/cycle at any unroll"},
    {is_golden_cove, NULL, false, 2, 64, BETWEEN(l2),
     "a line that is stored to costs about four cycles, and the link two"},
    {is_golden_cove, NULL, false, 2, 32, BETWEEN(l2),
     "a line that is stored to costs about four cycles, and the link two"},
    {is_zen_3_or_4, NULL, true, 3, 0, BETWEEN(l3),
     "24 (Zen 3) and 27 (Zen 4) of 32 B/cycle, as chipsandcheese measured"},
};

static bool known_applies(const struct known_shortfall *known, const struct shortfall *shortfall, const char *uarch) {
    const char *op = shortfall->roof->op;
    return known->is_core(uarch) && (!known->op || strcmp(op, known->op) == 0) &&
           pattern_only_loads(pattern_of_kernel(op)) == known->only_loads &&
           shortfall->evidence.cache_level == known->cache_level &&
           (known->vector_bytes == 0 || shortfall->evidence.vector_bytes == known->vector_bytes) &&
           shortfall_is_between(shortfall->ratio, known->from, known->to);
}

static const char *known_of(const struct shortfall *shortfall, const char *uarch) {
    if (!shortfall_is_below(shortfall) || shortfall->roof->sample->kind != SAMPLE_BANDWIDTH)
        return NULL;
    for (size_t i = 0; i < sizeof KNOWN / sizeof KNOWN[0]; i++)
        if (known_applies(&KNOWN[i], shortfall, uarch))
            return KNOWN[i].what;
    return NULL;
}

/* All doubts about the measurement: not those about the reference, and not those with a rule of their own. Its interval
 * says how far an unstable one may be off: if that excludes the limit, it is no reason. */
static struct doubts lowering(const struct sample *sample, double documented) {
    const double enough = (1 - shortfall_thresholds.tolerance.value) * documented;
    struct doubts doubts = doubts_without(
        sample->doubts, DOUBTS(DOUBT_ABOVE_DOCUMENTED, DOUBT_MASKED_CPU, DOUBT_SIZE_DISAGREES, DOUBT_SHARED_CACHE));
    if (sample->kind != SAMPLE_LATENCY && sample->high > 0 && sample->high < enough)
        doubts_remove(&doubts, DOUBT_UNSTABLE);
    return doubts;
}

bool shortfall_is_between(double ratio, const struct threshold *from, const struct threshold *to) {
    return ratio > from->value && ratio < to->value;
}

bool shortfall_is_below(const struct shortfall *shortfall) {
    return shortfall->documented > 0 && shortfall->ratio < 1 - shortfall_thresholds.tolerance.value;
}

/* All cores of a machine that is no virtual one, whose packages may have more than it shows. */
static unsigned package_cores(const struct machine *machine) {
    return cpu_is_guest(&machine->cpu) || !machine->package_count
               ? 0
               : machine->machine_core_count / machine->package_count;
}

void shortfall_gather(struct shortfall *shortfall, const struct model *model, const struct spec *spec) {
    const struct sample *sample = shortfall->roof->sample;
    const struct isa *isa = isa_find(shortfall->roof->isa);
    struct shortfall_evidence *evidence = &shortfall->evidence;
    *evidence = (struct shortfall_evidence){
        .vector_bytes = isa ? isa->vector_bytes : 0,
        .cache_level = levels_cache(sample->level),
        .memory = levels_is_memory(sample->level),
        .lighter_clock_hz = lighter_clock(model, sample),
        .turbo_clock_hz = spec && !sample->core_kind[0] ? spec->turbo_clock_hz : 0,
        .level = level_of(model->result, sample),
        .fewer_each = best_on_other_threads(model, sample, false),
        .more = best_on_other_threads(model, sample, true),
        .other_gets_more = other_gets_more(model, sample),
        .package_cores = spec ? spec->cores : package_cores(&model->result->machine),
        .lowering_doubts = lowering(sample, shortfall->documented),
    };
    evidence->fewer_get_more =
        evidence->fewer_each > shortfall_thresholds.clearly_more.value * sample->value / sample->threads;
    evidence->sustained_bytes_per_cycle = uarch_sustained_bytes_per_cycle(
        uarch_named(model->result->uarch), evidence->cache_level, &evidence->sustained_source);
    evidence->seen_before = known_of(shortfall, model->result->uarch);
}
