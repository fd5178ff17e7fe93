/* SPDX-License-Identifier: BSD-3-Clause
 * Rounds → quantities and their changes (see findings.h). */
#include "findings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "probe/need.h"
#include "bench/sample/sample.h"

/* A change of less is not told: of roofs and the clock in parts of the median. */
static const double LEAST[] = {[QUANTITY_RATE] = 0.01,
                               [QUANTITY_LATENCY] = 0.01,
                               [QUANTITY_CLOCK] = 0.01,
                               [QUANTITY_HEAT] = 3,
                               [QUANTITY_CPUS] = 0.1};

enum { OTHERS = 4 }; /* quantities beside roofs */

/* "f64 peak, 2 cores", "L1, 1 core", "DRAM latency, 1 core" */
static void name_roof(const struct sample *sample, char *out, size_t size) {
    const char *kind = sample->core_kind;
    snprintf(out, size, "%s%s, %u %s%score%s", sample->kind == SAMPLE_COMPUTE ? "f64 peak" : sample->level,
             sample->kind == SAMPLE_LATENCY ? " latency" : "", sample->threads, kind, *kind ? " " : "",
             sample->threads == 1 ? "" : "s");
}

static struct quantity *add(struct findings *findings, enum quantity_kind kind, const char *unit) {
    struct quantity *quantity = &findings->quantities[findings->count++];
    *quantity = (struct quantity){
        .kind = kind, .unit = unit, .values = need_calloc(findings->rounds + 1, sizeof *quantity->values)};
    return quantity;
}

static double known(double value) {
    return value > 0 ? value : NAN;
}

static void add_roofs(struct findings *findings) {
    const struct soak *soak = findings->soak;
    static const char *const UNITS[] = {
        [SAMPLE_COMPUTE] = "flop/s", [SAMPLE_BANDWIDTH] = "B/s", [SAMPLE_LATENCY] = "s"};
    for (size_t s = 0; s < soak->result.sample_count; s++) {
        const struct sample *sample = &soak->result.samples[s];
        struct quantity *roof =
            add(findings, sample->kind == SAMPLE_LATENCY ? QUANTITY_LATENCY : QUANTITY_RATE, UNITS[sample->kind]);
        name_roof(sample, roof->name, sizeof roof->name);
        for (size_t i = 0; i < findings->rounds; i++)
            roof->values[i] = known(soak->rounds[i].values[s].value);
    }
}

static void add_others(struct findings *findings) {
    const struct soak *soak = findings->soak;
    struct quantity *clock = add(findings, QUANTITY_CLOCK, "Hz");
    snprintf(clock->name, sizeof clock->name, "clock");
    struct quantity *heat = soak->has_temperature ? add(findings, QUANTITY_HEAT, "°C") : NULL,
                    *stolen = soak->has_activity ? add(findings, QUANTITY_CPUS, "CPUs") : NULL,
                    *others = soak->has_activity ? add(findings, QUANTITY_CPUS, "CPUs") : NULL;
    if (heat)
        snprintf(heat->name, sizeof heat->name, "temperature");
    if (stolen)
        snprintf(stolen->name, sizeof stolen->name, "steal time");
    if (others)
        snprintf(others->name, sizeof others->name, "other programs");
    for (size_t i = 0; i < findings->rounds; i++) {
        const struct soak_round *round = &soak->rounds[i];
        clock->values[i] = known(round->clock_hz);
        if (heat)
            heat->values[i] = known(round->temperature_c);
        if (stolen)
            stolen->values[i] = round->stolen_cpus;
        if (others)
            others->values[i] = round->others_cpus;
    }
}

static void find_changes(struct findings *findings) {
    for (size_t q = 0; q < findings->count; q++) {
        struct quantity *quantity = &findings->quantities[q];
        const struct timeline series = {findings->rounds, findings->at_s, quantity->values};
        double least = LEAST[quantity->kind];
        if (quantity->kind <= QUANTITY_CLOCK) {
            double *present = need_calloc(findings->rounds + 1, sizeof *present);
            size_t count = 0;
            for (size_t i = 0; i < findings->rounds; i++)
                if (isfinite(quantity->values[i]))
                    present[count++] = quantity->values[i];
            least *= sample_statistics(present, count).median;
            free(present);
        }
        quantity->changes = series_changes_find(&series, least);
    }
}

static bool is_doubtful(const struct soak_round *round) {
    struct doubts doubts = NO_DOUBTS;
    for (size_t i = 0; i < round->value_count; i++)
        doubts_join(&doubts, round->values[i].doubts);
    return doubts_any(doubts);
}

struct findings findings_make(const struct soak *soak) {
    struct findings out = {.soak = soak,
                           .rounds = soak->count,
                           .at_s = need_calloc(soak->count + 1, sizeof *out.at_s),
                           .measured_s = soak_measured_s(soak),
                           .quantities = need_calloc(soak->result.sample_count + OTHERS, sizeof *out.quantities)};
    for (size_t i = 0; i < soak->count; i++) {
        out.at_s[i] = soak->rounds[i].at_s;
        out.doubtful += is_doubtful(&soak->rounds[i]);
    }
    out.span_s = soak->count ? out.at_s[soak->count - 1] - out.at_s[0] : 0;
    out.throttled = findings_rise(soak, findings_throttled, -INFINITY, INFINITY);
    out.corrected = findings_rise(soak, findings_corrected, -INFINITY, INFINITY);
    out.uncorrected = findings_rise(soak, findings_uncorrected, -INFINITY, INFINITY);
    add_roofs(&out);
    add_others(&out);
    find_changes(&out);
    findings_judge(&out);
    return out;
}

void findings_free(struct findings *findings) {
    for (size_t q = 0; q < findings->count; q++)
        free(findings->quantities[q].values);
    free(findings->quantities);
    free(findings->at_s);
    *findings = (struct findings){0};
}
