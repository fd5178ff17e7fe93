/* SPDX-License-Identifier: BSD-3-Clause
 * Rounds → quantities, their changes, and the verdict in a sentence (see findings.h). */
#include "findings.h"
#include "soak_thresholds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "asm/arithmetic.h"
#include "bench/kernels/sample.h"
#include "carm/model/describe.h"
#include "probe/need.h"
#include "probe/text.h"
#include "render/page/units.h"

static const struct soak_thresholds *const THRESHOLD = &soak_thresholds;

enum { OTHERS = 4 }; /* quantities beside roofs */

const struct findings_counter findings_counters[FINDINGS_COUNTERS] = {
    {"throttling", "throttlings", offsetof(struct soak_round, throttled)},
    {"corrected memory error", "corrected memory errors", offsetof(struct soak_round, corrected)},
    {"uncorrected memory error", "uncorrected memory errors", offsetof(struct soak_round, uncorrected)},
};

uint64_t findings_rise(const struct soak *soak, size_t round, const struct findings_counter *counter) {
    uint64_t before, now;
    memcpy(&before, (const char *)&soak->rounds[round] + counter->offset, sizeof before);
    memcpy(&now, (const char *)&soak->rounds[round + 1] + counter->offset, sizeof now);
    return now > before ? now - before : 0;
}

bool quantity_is_roof(const struct quantity *quantity) {
    return quantity->kind <= QUANTITY_LATENCY;
}

bool quantity_is_shown(const struct quantity *quantity) {
    return quantity->changes.count > 0 &&
           (quantity->kind != QUANTITY_CPUS || quantity->changes.high >= THRESHOLD->idle_cpus.value);
}

char *quantity_change(const struct quantity *quantity, double change, double from, char *out, size_t size) {
    const bool share = quantity->kind <= QUANTITY_CLOCK;
    const double value = !share ? change : from > 0 ? 100 * change / from : 0;
    const size_t sign = (size_t)snprintf(out, size, "%s", value < 0 ? "−" : "+");
    units_number_digits(out + sign, size - sign, fabs(value), 2);
    text_append(out, size, " %s", share ? "%" : quantity->unit);
    return out;
}

/* The moment by a day's format, with seconds if the soak is short. */
static char *moment(const struct findings *findings, double at_s, const char *day, char *out, size_t size) {
    const time_t at = (time_t)((double)findings->soak->started_s + at_s);
    char format[32];
    struct tm utc;
    snprintf(format, sizeof format, "%s%s", day, findings->span_s < 600 ? "%H:%M:%S" : "%H:%M");
    if (!gmtime_r(&at, &utc) || strftime(out, size, format, &utc) == 0)
        snprintf(out, size, "%.0f s", at_s);
    return out;
}

char *findings_time(const struct findings *findings, double at_s, char *out, size_t size) {
    static const double DAY_S = 86400;
    const double started_s = (double)findings->soak->started_s;
    const bool one_day = findings->rounds == 0 ||
                         floor(started_s / DAY_S) == floor((started_s + findings->at_s[findings->rounds - 1]) / DAY_S);
    return moment(findings, at_s, one_day ? "" : "%d %b ", out, size);
}

char *findings_date(const struct findings *findings, char *out, size_t size) {
    return moment(findings, 0, "%Y-%m-%d ", out, size);
}

char *findings_duration(double seconds, char *out, size_t size) {
    static const struct {
        double most_s, unit_s;
        const char *name;
    } UNITS[] = {{120, 1, "s"}, {7200, 60, "min"}, {172800, 3600, "h"}, {INFINITY, 86400, "d"}};
    char digits[UNITS_BYTES];
    size_t i = 0;
    while (seconds >= UNITS[i].most_s)
        i++;
    snprintf(out, size, "%s %s", units_number_digits(digits, sizeof digits, seconds / UNITS[i].unit_s, 2),
             UNITS[i].name);
    return out;
}

/* Whether a ceiling is beside the peak as vendors count it, for the same cores. */
static bool beside_peak(const struct result *result, const struct sample *own) {
    bool beside = false;
    for (size_t i = 0; i < result->sample_count; i++) {
        const struct sample *other = &result->samples[i];
        beside |= other->threads == own->threads && strcmp(other->core_kind, own->core_kind) == 0 &&
                  arithmetic_is_peak(other->kernel);
    }
    return beside && !arithmetic_is_peak(own->kernel);
}

/* "f64 peak, 2 cores", "f64 FMA + ADD, 2 cores", "L1, 1 core", "DRAM latency, 1 core" */
static void findings_name_roof(const struct result *result, const struct sample *sample, char *out, size_t size) {
    const char *kind = sample->core_kind, *name = sample->level, *op = strrchr(sample->kernel, '.');
    char label[DESCRIBE_OPERATION_BYTES], ceiling[DESCRIBE_OPERATION_BYTES + 8] = "f64 peak";
    if (op && beside_peak(result, sample))
        snprintf(ceiling, sizeof ceiling, "f64 %s", describe_operation(op + 1, label));
    if (sample->kind == SAMPLE_COMPUTE)
        name = ceiling;
    snprintf(out, size, "%s%s, %u %s%score%s", name, sample->kind == SAMPLE_LATENCY ? " latency" : "", sample->threads,
             kind, *kind ? " " : "", sample->threads == 1 ? "" : "s");
}

static struct quantity *findings_add(struct findings *findings, const char *name, enum quantity_kind kind,
                                     const char *unit) {
    struct quantity *quantity = &findings->quantities[findings->count++];
    *quantity = (struct quantity){
        .kind = kind, .unit = unit, .values = need_calloc(findings->rounds + 1, sizeof *quantity->values)};
    snprintf(quantity->name, sizeof quantity->name, "%s", name);
    return quantity;
}

static double findings_known(double value) {
    return value > 0 ? value : NAN;
}

static void findings_add_roofs(struct findings *findings) {
    const struct soak *soak = findings->soak;
    static const char *const UNITS[] = {
        [SAMPLE_COMPUTE] = "flop/s", [SAMPLE_BANDWIDTH] = "B/s", [SAMPLE_LATENCY] = "s"};
    for (size_t s = 0; s < soak->result.sample_count; s++) {
        const struct sample *sample = &soak->result.samples[s];
        struct quantity *roof = findings_add(
            findings, "", sample->kind == SAMPLE_LATENCY ? QUANTITY_LATENCY : QUANTITY_RATE, UNITS[sample->kind]);
        findings_name_roof(&soak->result, sample, roof->name, sizeof roof->name);
        for (size_t i = 0; i < findings->rounds; i++)
            roof->values[i] = findings_known(soak->rounds[i].values[s].value);
    }
}

static void add_others(struct findings *findings) {
    const struct soak *soak = findings->soak;
    struct quantity *clock = findings_add(findings, "clock", QUANTITY_CLOCK, "Hz");
    struct quantity *heat = soak->has_temperature ? findings_add(findings, "temperature", QUANTITY_HEAT, "°C") : NULL,
                    *stolen = soak->has_activity ? findings_add(findings, "steal time", QUANTITY_CPUS, "CPUs") : NULL,
                    *others =
                        soak->has_activity ? findings_add(findings, "other programs", QUANTITY_CPUS, "CPUs") : NULL;
    for (size_t i = 0; i < findings->rounds; i++) {
        const struct soak_round *round = &soak->rounds[i];
        clock->values[i] = findings_known(round->clock_hz);
        if (heat)
            heat->values[i] = findings_known(round->temperature_c);
        if (stolen)
            stolen->values[i] = round->stolen_cpus;
        if (others)
            others->values[i] = round->others_cpus;
    }
}

static void findings_find_changes(const struct findings *findings, struct quantity *quantity) {
    double *present = need_calloc(findings->rounds + 1, sizeof *present),
           least = THRESHOLD->least[quantity->kind].value;
    size_t count = 0;
    for (size_t i = 0; i < findings->rounds; i++)
        if (isfinite(quantity->values[i]))
            present[count++] = quantity->values[i];
    if (quantity->kind <= QUANTITY_CLOCK)
        least *= sample_median(present, count);
    free(present);
    quantity->changes =
        series_changes_find(&(struct timeline){findings->rounds, findings->at_s, quantity->values}, least);
}

/* The gravest change of the roofs: a step of `of`, or its drift. */
struct change {
    const struct quantity *of; /* NULL: none */
    const struct series_step *step;
    double weight;
    size_t count; /* of all changes */
};

static void findings_consider(struct change *best, const struct quantity *roof, const struct series_step *step,
                              double share) {
    const bool worse = (share > 0) == (roof->kind == QUANTITY_LATENCY);
    const double weight = fabs(share) * (worse ? 1 : THRESHOLD->better_weighs.value);
    best->count++;
    if (!best->of || weight > best->weight)
        best->of = roof, best->step = step, best->weight = weight;
}

static struct change gravest(const struct findings *findings) {
    struct change best = {0};
    for (size_t q = 0; q < findings->count && quantity_is_roof(&findings->quantities[q]); q++) {
        const struct quantity *roof = &findings->quantities[q];
        const struct series_changes *changes = &roof->changes;
        for (size_t i = 0; i < changes->step_count; i++)
            findings_consider(&best, roof, &changes->steps[i], changes->steps[i].to / changes->steps[i].from - 1);
        if (changes->drifts)
            findings_consider(&best, roof, NULL, changes->per_s * findings->span_s / changes->median);
    }
    return best;
}

/* Names the quantities beside the roofs that stepped at the same time: the likely causes. */
static void say_together(struct findings *findings, const struct series_step *step) {
    const double round_s = findings->span_s / (double)(findings->rounds > 1 ? findings->rounds - 1 : 1);
    const double within_s =
        fmax(THRESHOLD->same_time_rounds.value * round_s, THRESHOLD->same_time_share.value * findings->span_s);
    const char *separator = ", together with ";
    for (size_t q = 0; q < findings->count; q++) {
        const struct quantity *other = &findings->quantities[q];
        for (size_t i = 0; i < other->changes.step_count && !quantity_is_roof(other); i++) {
            const struct series_step *same = &other->changes.steps[i];
            char by[UNITS_BYTES];
            if (fabs(same->at_s - step->at_s) > within_s)
                continue;
            text_say(findings->text, "%s%s (%s)", separator, other->name,
                     quantity_change(other, same->to - same->from, same->from, by, sizeof by));
            separator = ", ";
            break;
        }
    }
}

static void say_change(struct findings *findings, const struct change *change) {
    const struct series_changes *changes = &change->of->changes;
    const double percent_per_hour = 3600 * 100 / (changes->median > 0 ? changes->median : 1);
    char by[UNITS_BYTES], time[UNITS_BYTES];
    if (change->step) {
        const double size = change->step->to - change->step->from;
        quantity_change(change->of, fabs(size), change->step->from, by, sizeof by);
        text_say(findings->text, "%s %s by %s at %s UTC", change->of->name, size < 0 ? "fell" : "rose", by + 1,
                 findings_time(findings, change->step->at_s, time, sizeof time));
        say_together(findings, change->step);
    } else {
        text_say(findings->text, "%s drifts by %.2g %% an hour (%.2g to %.2g)", change->of->name,
                 percent_per_hour * changes->per_s, percent_per_hour * changes->per_s_low,
                 percent_per_hour * changes->per_s_high);
    }
    if (change->count > 1)
        text_say(findings->text, "; %zu changes in all", change->count);
}

/* Reports the largest drift that the noise of a roof may hide: the far end of its interval, in parts of the median, but
 * no more than the values' range: few rounds have an interval far wider than that. */
static void say_hidden(struct findings *findings) {
    const struct quantity *of = NULL;
    double most = THRESHOLD->hidden_drift.value;
    for (size_t q = 0; q < findings->count && quantity_is_roof(&findings->quantities[q]); q++) {
        const struct series_changes *changes = &findings->quantities[q].changes;
        const double end_per_s = fmax(fabs(changes->per_s_low), fabs(changes->per_s_high));
        const double drift = fmin(end_per_s * findings->span_s, changes->high - changes->low),
                     share = changes->judged ? drift / changes->median : 0;
        if (share > most)
            most = share, of = &findings->quantities[q];
    }
    if (of)
        text_say(findings->text, "; the noise of %s may hide a drift of up to %.2g %% in all", of->name, 100 * most);
}

static void findings_judge(struct findings *findings) {
    const struct change change = gravest(findings);
    char length[UNITS_BYTES];
    const char *separator = "Changed: ";
    bool judged = false;
    findings_duration(findings->measured_s, length, sizeof length);
    for (size_t q = 0; q < findings->count && quantity_is_roof(&findings->quantities[q]); q++)
        judged = judged || findings->quantities[q].changes.judged;
    findings->verdict = judged ? SOAK_STEADY : SOAK_TOO_SHORT;
    for (size_t i = FINDINGS_COUNTERS; i-- > 0;)
        if (findings->counted[i]) {
            findings->verdict = SOAK_CHANGED;
            text_say(findings->text, "%s%llu %s", separator, (unsigned long long)findings->counted[i],
                     findings->counted[i] == 1 ? findings_counters[i].one : findings_counters[i].many);
            separator = ", ";
        }
    if (change.of) {
        text_say(findings->text, "%s", findings->verdict == SOAK_CHANGED ? "; " : separator);
        findings->verdict = SOAK_CHANGED;
        say_change(findings, &change);
    } else if (findings->verdict == SOAK_TOO_SHORT) {
        text_say(findings->text, "Too short: %s, %zu round%s; changes can be found from %d rounds on", length,
                 findings->rounds, findings->rounds == 1 ? "" : "s", (int)THRESHOLD->judged_values.value);
    } else if (findings->verdict == SOAK_STEADY) {
        text_say(findings->text, "No roof stepped or drifted in %s, %zu rounds", length, findings->rounds);
        say_hidden(findings);
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
    for (size_t c = 0; c < FINDINGS_COUNTERS; c++)
        for (size_t i = 0; i + 1 < soak->count; i++)
            out.counted[c] += findings_rise(soak, i, &findings_counters[c]);
    findings_add_roofs(&out);
    add_others(&out);
    for (size_t q = 0; q < out.count; q++)
        findings_find_changes(&out, &out.quantities[q]);
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
