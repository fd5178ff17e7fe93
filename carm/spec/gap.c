/* SPDX-License-Identifier: BSD-3-Clause
 * Each roof beside its documented limit (see gap.h). The reasons are in gap_rules.c. */
#include "gap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "probe/isa.h"

static bool is_memory(const struct sample *sample) {
    return sample->level[0] && sample->level[0] != 'L';
}

unsigned gap_cores(const struct sample *sample) {
    return sample->cores ? sample->cores : sample->threads;
}

/* The memory of all packages is one thing to a run, wherever its threads are, unless it keeps to a package or to a
 * node; channels are spread evenly over the nodes. */
static double documented_memory(const struct result *result, const struct spec *spec, const struct sample *sample) {
    const unsigned packages = result->machine.package_count ? result->machine.package_count : 1;
    unsigned nodes = 0;
    for (unsigned i = 0; i < result->machine.node_count; i++)
        nodes += strcmp(result->machine.nodes[i].kind, "DRAM") == 0;
    if (!spec || strcmp(sample->level, "DRAM") != 0)
        return 0;
    const double package = spec_peaks(spec).memory_bytes_per_s;
    if (sample->node || sample->memory_node)
        return nodes ? package * packages / nodes : 0;
    return sample->package ? package : package * packages;
}

static double nominal_clock(const struct result *result, const struct spec *spec, const struct sample *sample) {
    if (sample->core_kind[0]) /* a base clock is that of one kind of cores, and nobody says which */
        return 0;
    return spec && spec->base_clock_hz > 0 ? spec->base_clock_hz : spec_brand_clock(result->machine.cpu.brand);
}

static void compare(const struct model *model, const struct spec *spec, struct gap *gap) {
    const struct sample *sample = gap->roof->sample;
    gap->nominal_clock_hz = nominal_clock(model->result, spec, sample);
    if (sample->kind == SAMPLE_LATENCY)
        return;
    if (is_memory(sample) && sample->kind == SAMPLE_BANDWIDTH) {
        gap->documented = gap->documented_nominal = documented_memory(model->result, spec, sample);
    } else {
        gap->documented = sample->documented_per_cycle * gap_cores(sample) * sample->clock_hz;
        gap->documented_nominal = sample->documented_per_cycle * gap_cores(sample) * gap->nominal_clock_hz;
    }
    if (gap->documented > 0)
        gap->ratio = sample->value / gap->documented;
    if (gap->documented_nominal > 0)
        gap->nominal_ratio = sample->value / gap->documented_nominal;
}

static const struct gap_rule *first(const struct gap_rule *rules, size_t count, const struct gap_case *about,
                                    char *detail, size_t size) {
    for (size_t i = 0; i < count; i++)
        if (rules[i].applies(about)) {
            if (rules[i].detail)
                rules[i].detail(about, detail, size);
            return &rules[i];
        }
    return NULL;
}

struct gaps gaps_find(const struct model *model, const struct spec *spec) {
    struct gaps gaps = {.count = model->count, .gaps = calloc(model->count + 1, sizeof *gaps.gaps)};
    for (size_t i = 0; i < model->count; i++) {
        struct gap *gap = &gaps.gaps[i];
        gap->roof = &model->roofs[i];
        compare(model, spec, gap);
        const struct sample *sample = gap->roof->sample;
        const struct isa *isa = isa_find(gap->roof->isa);
        const struct gap_case about = {.model = model,
                                       .spec = spec,
                                       .gap = gap,
                                       .sample = sample,
                                       .uarch = uarch_named(model->result->uarch),
                                       .vector_bytes = isa ? isa->vector_bytes : 0,
                                       .cache_level = sample->level[0] == 'L' ? (unsigned)atoi(sample->level + 1) : 0,
                                       .memory = is_memory(sample)};
        gap->clock = first(gap_clock_rules, gap_clock_rule_count, &about, gap->clock_detail, sizeof gap->clock_detail);
        gap->cause = first(gap_cause_rules, gap_cause_rule_count, &about, gap->cause_detail, sizeof gap->cause_detail);
    }
    return gaps;
}

void gaps_free(struct gaps *gaps) {
    free(gaps->gaps);
    *gaps = (struct gaps){0};
}
