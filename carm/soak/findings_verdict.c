/* SPDX-License-Identifier: BSD-3-Clause
 * The verdict in a line: the gravest change of a roof, and what changed together with it. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "findings.h"
#include "render/page/units.h"

static const double BETTER_WEIGHS = 0.5;    /* what gets better is told after what gets worse */
static const double SAME_TIME_ROUNDS = 2.5; /* between steps that came together */
static const double SAME_TIME_SHARE = 0.01; /* of the whole: likewise */
static const double SAME_PERIOD = 0.05;
static const double GRAVER = 1.1; /* than one that is told before */
enum { MAX_TOGETHER = 4 };

/* One thing that a quantity did. */
struct change {
    const struct quantity *quantity; /* NULL: there is none */
    enum { CHANGE_STEP, CHANGE_DRIFT, CHANGE_PERIOD } kind;
    double at_s; /* of a step */
    double by;   /* in the quantity's unit: of a step, or of all of a drift */
    double period_s;
    double weight;
};

__attribute__((format(printf, 2, 3))) static void say(struct findings *findings, const char *format, ...) {
    const size_t used = strlen(findings->text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(findings->text + used, sizeof findings->text - used, format, arguments);
    va_end(arguments);
}

static void consider(struct change *best, size_t *count, struct change change) {
    const bool worse = change.kind == CHANGE_PERIOD || (change.by > 0) == (change.quantity->kind == QUANTITY_LATENCY);
    change.weight = fabs(quantity_share(change.quantity, change.by)) * (worse ? 1 : BETTER_WEIGHS);
    ++*count;
    if (!best->quantity || change.weight > GRAVER * best->weight)
        *best = change;
}

/* The gravest of the roofs' changes; `*count`: how many there are. */
static struct change gravest(const struct findings *findings, size_t *count) {
    struct change best = {.quantity = NULL};
    *count = 0;
    for (size_t q = 0; q < findings->count && quantity_is_roof(&findings->quantities[q]); q++) {
        const struct quantity *roof = &findings->quantities[q];
        const struct series_changes *changes = &roof->changes;
        for (size_t i = 0; i < changes->step_count; i++)
            consider(&best, count,
                     (struct change){.quantity = roof,
                                     .kind = CHANGE_STEP,
                                     .at_s = changes->steps[i].at_s,
                                     .by = quantity_step(roof, &changes->steps[i])});
        if (changes->drifts)
            consider(&best, count,
                     (struct change){.quantity = roof, .kind = CHANGE_DRIFT, .by = changes->per_s * findings->span_s});
        for (size_t i = 0; i < changes->period_count; i++)
            consider(&best, count,
                     (struct change){.quantity = roof,
                                     .kind = CHANGE_PERIOD,
                                     .by = changes->periods[i].amplitude,
                                     .period_s = changes->periods[i].period_s});
    }
    return best;
}

/* Whether the quantity did the same at that time; `*by` is how much. */
static bool came_together(const struct findings *findings, const struct change *change, const struct quantity *other,
                          double within_s, double *by) {
    const struct series_changes *changes = &other->changes;
    if (change->kind == CHANGE_DRIFT) {
        *by = changes->per_s * findings->span_s;
        return changes->drifts;
    }
    for (size_t i = 0; i < changes->step_count && change->kind == CHANGE_STEP; i++)
        if (fabs(changes->steps[i].at_s - change->at_s) <= within_s) {
            *by = quantity_step(other, &changes->steps[i]);
            return true;
        }
    for (size_t i = 0; i < changes->period_count && change->kind == CHANGE_PERIOD; i++)
        if (fabs(changes->periods[i].period_s / change->period_s - 1) <= SAME_PERIOD) {
            *by = changes->periods[i].amplitude;
            return true;
        }
    return false;
}

/* Causes first: what is no roof is looked at before roofs. */
static void say_together(struct findings *findings, const struct change *change) {
    const double round_s = findings->span_s / (double)(findings->rounds > 1 ? findings->rounds - 1 : 1);
    const double within_s = fmax(SAME_TIME_ROUNDS * round_s, SAME_TIME_SHARE * findings->span_s);
    const uint64_t throttled =
        findings_rise(findings->soak, findings_throttled, change->at_s - within_s, change->at_s + within_s);
    const char *separator = ", together with ";
    size_t told = 0, more = 0;
    if (change->kind == CHANGE_STEP && throttled > 0) {
        say(findings, "%sthrottling (%llu times)", separator, (unsigned long long)throttled);
        separator = ", ", told++;
    }
    for (int roofs = 0; roofs < 2; roofs++)
        for (size_t q = 0; q < findings->count; q++) {
            const struct quantity *other = &findings->quantities[q];
            char by_text[UNITS_BYTES];
            double by;
            if (other == change->quantity || quantity_is_roof(other) != (roofs == 1) ||
                !came_together(findings, change, other, within_s, &by))
                continue;
            if (told++ < MAX_TOGETHER)
                say(findings, "%s%s (%s)", separator, other->name, quantity_change(other, by, by_text, sizeof by_text));
            else
                more++;
            separator = ", ";
        }
    if (more)
        say(findings, " and %zu more", more);
}

static void say_change(struct findings *findings, const struct change *change) {
    char by[UNITS_BYTES], time[UNITS_BYTES];
    const struct quantity *quantity = change->quantity;
    const struct series_changes *changes = &quantity->changes;
    quantity_change(quantity, fabs(change->by), by, sizeof by);
    if (change->kind == CHANGE_STEP)
        say(findings, "%s %s by %s at %s UTC", quantity->name, change->by < 0 ? "fell" : "rose", by + 1,
            findings_time(findings, change->at_s, time, sizeof time));
    else if (change->kind == CHANGE_DRIFT)
        say(findings, "%s drifts by %.2g %% an hour (%.2g to %.2g)", quantity->name,
            3600 * 100 * quantity_share(quantity, changes->per_s),
            3600 * 100 * quantity_share(quantity, changes->per_s_low),
            3600 * 100 * quantity_share(quantity, changes->per_s_high));
    else
        say(findings, "%s moves by ±%s every %s", quantity->name, by + 1,
            findings_duration(change->period_s, time, sizeof time));
}

static void say_counters(struct findings *findings) {
    const struct {
        uint64_t count;
        const char *one, *many;
    } COUNTERS[] = {{findings->uncorrected, "uncorrected memory error", "uncorrected memory errors"},
                    {findings->throttled, "throttling", "throttlings"},
                    {findings->corrected, "corrected memory error", "corrected memory errors"}};
    const char *separator = "";
    for (size_t i = 0; i < sizeof COUNTERS / sizeof COUNTERS[0]; i++)
        if (COUNTERS[i].count) {
            say(findings, "%s%llu %s", separator, (unsigned long long)COUNTERS[i].count,
                COUNTERS[i].count == 1 ? COUNTERS[i].one : COUNTERS[i].many);
            separator = ", ";
        }
}

/* The most that a roof may have drifted by unseen: the far end of its interval, in parts of the median. */
static double unseen(const struct findings *findings, const struct quantity **of) {
    double most = 0;
    *of = NULL;
    for (size_t q = 0; q < findings->count && quantity_is_roof(&findings->quantities[q]); q++) {
        const struct quantity *roof = &findings->quantities[q];
        const double end_per_s = fmax(fabs(roof->changes.per_s_low), fabs(roof->changes.per_s_high));
        const double share = quantity_share(roof, end_per_s * findings->span_s);
        if (roof->changes.judged && share > most)
            most = share, *of = roof;
    }
    return most;
}

static void say_steady(struct findings *findings, const char *length) {
    const struct quantity *noisiest;
    const double most = unseen(findings, &noisiest);
    if (most <= 0.01)
        say(findings, "OK: %s, %zu rounds: nothing drifted by more than 1 %%, and nothing stepped", length,
            findings->rounds);
    else
        say(findings, "NOTHING FOUND: %s, %zu rounds; noise may hide a drift of %.2g %% (%s)", length, findings->rounds,
            100 * most, noisiest->name);
}

static bool is_judged(const struct findings *findings) {
    for (size_t q = 0; q < findings->count && quantity_is_roof(&findings->quantities[q]); q++)
        if (findings->quantities[q].changes.judged)
            return true;
    return false;
}

void findings_judge(struct findings *findings) {
    const bool counted = findings->throttled || findings->corrected || findings->uncorrected;
    char length[UNITS_BYTES];
    size_t count;
    const struct change change = gravest(findings, &count);
    findings_duration(findings->measured_s, length, sizeof length);
    findings->verdict = counted || count ? SOAK_CHANGED : is_judged(findings) ? SOAK_STEADY : SOAK_TOO_SHORT;
    if (findings->verdict == SOAK_TOO_SHORT)
        say(findings, "TOO SHORT: %s, %zu round%s; what changes is told from %d rounds on", length, findings->rounds,
            findings->rounds == 1 ? "" : "s", SERIES_LEAST);
    else if (findings->verdict == SOAK_STEADY)
        say_steady(findings, length);
    else
        say(findings, "ATTENTION: ");
    if (counted)
        say_counters(findings);
    if (count) {
        say(findings, "%s", counted ? "; " : "");
        say_change(findings, &change);
        say_together(findings, &change);
        if (count > 1)
            say(findings, "; %zu changes in all", count);
    }
}
