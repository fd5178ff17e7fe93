/* SPDX-License-Identifier: BSD-3-Clause
 * Each roof beside its documented limit (see shortfall.h). The reasons are in shortfall_rules.c. */
#include "memory_peak.h"
#include "shortfall.h"

#include <stdlib.h>
#include <string.h>

#include "carm/store/results.h"
#include "probe/need.h"

static bool is_memory(const struct sample *sample) {
    return levels_is_memory(sample->level);
}

static double nominal_clock(const struct result *result, const struct spec *spec, const struct sample *sample) {
    if (sample->core_kind[0]) /* a base clock belongs to one kind of cores, and no source says which */
        return 0;
    return spec_base_clock(spec, &result->machine.cpu);
}

static void compare(const struct model *model, const struct spec *spec, const struct memory_peak *memory,
                    struct shortfall *shortfall) {
    const struct sample *sample = shortfall->roof->sample;
    shortfall->nominal_clock_hz = nominal_clock(model->result, spec, sample);
    if (sample->kind == SAMPLE_LATENCY)
        return;
    if (is_memory(sample) && sample->kind == SAMPLE_BANDWIDTH) {
        shortfall->documented = shortfall->documented_nominal = memory_peak_of(memory, model->result, sample);
    } else {
        shortfall->documented = sample->documented_per_cycle * sample_cores(sample) * sample->clock_hz;
        shortfall->documented_nominal =
            sample->documented_per_cycle * sample_cores(sample) * shortfall->nominal_clock_hz;
    }
    if (shortfall->documented > 0)
        shortfall->ratio = sample->value / shortfall->documented;
    if (shortfall->documented_nominal > 0)
        shortfall->nominal_ratio = sample->value / shortfall->documented_nominal;
}

static const struct shortfall_rule *first(const struct shortfall_rule *rules, size_t count,
                                          const struct shortfall *shortfall) {
    for (size_t i = 0; i < count; i++)
        if (rules[i].applies(shortfall))
            return &rules[i];
    return NULL;
}

struct shortfalls shortfalls_find(const struct model *model, const struct spec *spec) {
    struct shortfalls shortfalls = {.count = model->count,
                                    .shortfalls = need_calloc(model->count + 1, sizeof *shortfalls.shortfalls)};
    const struct memory_peak memory = memory_peak_find(model->result, spec);
    for (size_t i = 0; i < model->count; i++) {
        struct shortfall *shortfall = &shortfalls.shortfalls[i];
        shortfall->roof = &model->roofs[i];
        shortfall->machine = &model->result->machine;
        compare(model, spec, &memory, shortfall);
        shortfall_gather(shortfall, model, spec);
        shortfall->clock = first(shortfall_clock_rules, shortfall_clock_rule_count, shortfall);
        shortfall->cause = first(shortfall_cause_rules, shortfall_cause_rule_count, shortfall);
    }
    return shortfalls;
}

enum shortfall_standing shortfall_standing(const struct shortfall *shortfall) {
    return shortfall->cause ? shortfall->cause->standing : SHORTFALL_CLOSE;
}

void shortfalls_free(struct shortfalls *shortfalls) {
    free(shortfalls->shortfalls);
    *shortfalls = (struct shortfalls){0};
}
