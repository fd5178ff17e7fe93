/* SPDX-License-Identifier: BSD-3-Clause
 * The factors of a ratio in words (see why_report.h). */
#include "report_thresholds.h"
#include "why_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/kernels/doubt.h"
#include "probe/text.h"
#include "render/page/units.h"

enum { MAX_CLAUSES = 3 };

static bool is_latency(const struct why *why) {
    return why->key.kind == SAMPLE_LATENCY;
}

const char *why_factor_label(const struct why *why, enum why_factor factor) {
    static const char *const LABELS[WHY_FACTORS] = {"clock", "per cycle",       "level",        "per core",
                                                    "cores", "not to be split", "idle latency", "under load"};
    return factor == WHY_PER_CYCLE && is_latency(why)  ? "cycles"
           : factor == WHY_PER_CORE && is_latency(why) ? "per access"
                                                       : LABELS[factor];
}

const char *why_title(const struct why *why, char *out, size_t size) {
    char name[128], place[192];
    roof_key_place(&why->key, place, sizeof place);
    if (is_latency(why) && why->key.cores <= 1)
        place[0] = '\0';
    snprintf(out, size, "%s%s%s", why_name(why, name, sizeof name), *place ? ", " : "", place);
    return out;
}

const char *why_doubts(const struct why *why, char *out, size_t size) {
    const struct doubts from = why->from.roof->sample->doubts, to = why->to.roof->sample->doubts,
                        parts[] = {doubts_common(from, to), doubts_without(from, to), doubts_without(to, from)};
    static const char *const WHOSE[] = {"", "A: ", "B: "};
    char names[WHY_WORDS_BYTES];
    *out = '\0';
    for (size_t i = 0; i < 3; i++)
        if (doubts_any(parts[i]))
            text_append(out, size, "%s%s%s", *out ? "; " : "", WHOSE[i], doubt_names(parts[i], names, sizeof names));
    return out;
}

const char *why_value(const struct why *why, double value, char *out, size_t size) {
    return is_latency(why) ? units_seconds(out, size, value) : units_si(out, size, value, roof_key_unit(&why->key));
}

const char *why_product(const struct why *why, char *out, size_t size) {
    char number[UNITS_BYTES];
    snprintf(out, size, "%s%s", why->alike ? "≈" : "", units_digits(number, sizeof number, why->ratio, 3));
    bool first = true;
    for (int f = 0; f < WHY_FACTORS; f++) {
        if (isnan(why->factors[f]))
            continue;
        text_append(out, size, " %s %s %s", first ? "=" : "×", units_digits(number, sizeof number, why->factors[f], 3),
                    why_factor_label(why, (enum why_factor)f));
        first = false;
    }
    return out;
}

/* "3.58 GHz, not 3.26 GHz"; "3.58 GHz on both" if they read the same. */
static const char *versus(const char *to, const char *from, char *out, size_t size) {
    if (strcmp(to, from) == 0)
        snprintf(out, size, "%s on both", to);
    else
        snprintf(out, size, "%s, not %s", to, from);
    return out;
}

static const char *clock_words(const struct why *why, char *out, size_t size) {
    char to[UNITS_BYTES], from[UNITS_BYTES];
    const bool alone = why->alone_clock;
    return versus(units_si_digits(to, sizeof to, alone ? why->to.alone_clock_hz : why->to.clock_hz, "Hz", 3),
                  units_si_digits(from, sizeof from, alone ? why->from.alone_clock_hz : why->from.clock_hz, "Hz", 3),
                  out, size);
}

/* The work of a core per cycle: alone, if measured on both. */
static const char *per_cycle_words(const struct why *why, char *out, size_t size) {
    const bool alone = !isnan(why->kept_ratio);
    const char *unit = model_roof_unit_per_cycle(why->from.roof);
    char to[UNITS_BYTES], from[UNITS_BYTES], both[2 * UNITS_BYTES + 16];
    units_digits(to, sizeof to, alone ? why->to.alone_per_cycle : why->to.per_cycle, 3);
    units_digits(from, sizeof from, alone ? why->from.alone_per_cycle : why->from.per_cycle, 3);
    if (strcmp(to, from) == 0)
        snprintf(both, sizeof both, "%s %s on both", to, unit);
    else
        snprintf(both, sizeof both, "%s %s, not %s", to, unit, from);
    snprintf(out, size, "%s%s",
             is_latency(why) || why->key.cores == 1 ? ""
             : alone                                ? "a core alone does "
                                                    : "a core does ",
             both);
    return out;
}

/* "128 MiB", or the name of a level without an end. */
static const char *level_text(const struct why_end *end, char *out, size_t size) {
    if (end->level_bytes)
        return units_binary(out, size, (double)end->level_bytes);
    snprintf(out, size, "%s", end->roof->sample->level);
    return out;
}

static const char *level_words(const struct why *why, char *out, size_t size) {
    char to[UNITS_BYTES], from[UNITS_BYTES], both[2 * UNITS_BYTES + 16], rates[WHY_WORDS_BYTES] = "";
    versus(level_text(&why->to, to, sizeof to), level_text(&why->from, from, sizeof from), both, sizeof both);
    if (!isnan(why->to.per_cycle) && !isnan(why->from.per_cycle))
        per_cycle_words(why, rates, sizeof rates);
    snprintf(out, size, "%s%s%s", both, *rates ? ": " : "", rates);
    return out;
}

/* The side whose clock, or number of cores, is unknown. */
static const char *unknown_of(bool from_known, bool to_known) {
    return to_known ? "A" : from_known ? "B" : "both";
}

static const char *per_core_words(const struct why *why, char *out, size_t size) {
    char to[UNITS_BYTES], from[UNITS_BYTES], both[2 * UNITS_BYTES + 16];
    const bool alone = !isnan(why->kept_ratio), latency = is_latency(why);
    why_value(why, alone ? why->to.alone : why->to.value / (latency ? 1 : why->to.cores), to, sizeof to);
    why_value(why, alone ? why->from.alone : why->from.value / (latency ? 1 : why->from.cores), from, sizeof from);
    versus(to, from, both, sizeof both);
    snprintf(out, size, "%s%s (the clock of %s is not known)",
             latency ? ""
             : alone ? "a core alone reaches "
                     : "a core reaches ",
             both, unknown_of(!isnan(why->from.per_cycle), !isnan(why->to.per_cycle)));
    return out;
}

/* " at 97 % of its rate alone, not 88 %"; a single core shares nothing. */
static const char *kept_words(const struct why *why, char *out, size_t size) {
    const double to = 100 * why->to.kept, from = 100 * why->from.kept;
    if (isnan(why->kept_ratio))
        snprintf(out, size, " (one core alone was not measured on %s)",
                 isnan(why->to.kept) && isnan(why->from.kept) ? "either"
                 : isnan(why->to.kept)                        ? "B"
                                                              : "A");
    else if (why->from.cores == 1)
        snprintf(out, size, ", each at %.0f %% of its rate alone", to);
    else if (why->to.cores == 1)
        snprintf(out, size, ", where each has %.0f %% of its rate alone", from);
    else if (lround(to) == lround(from))
        snprintf(out, size, ", each at %.0f %% of its rate alone%s", to,
                 why->to.cores == why->from.cores ? "" : " on both");
    else
        snprintf(out, size, ", each at %.0f %% of its rate alone, not %.0f %%", to, from);
    return out;
}

static const char *cores_words(const struct why *why, char *out, size_t size) {
    char to[32], from[32], both[80], kept[96];
    snprintf(to, sizeof to, "%u cores", why->to.cores);
    snprintf(from, sizeof from, "%u", why->from.cores);
    if (why->to.cores == why->from.cores)
        snprintf(both, sizeof both, "%s on both", to);
    else
        snprintf(both, sizeof both, "%u core%s, not %s", why->to.cores, why->to.cores == 1 ? "" : "s", from);
    snprintf(out, size, "%s%s", both, kept_words(why, kept, sizeof kept));
    return out;
}

static const char *unsplit_words(const struct why *why, char *out, size_t size) {
    snprintf(out, size, "the number of cores of %s is not known", unknown_of(why->from.cores, why->to.cores));
    return out;
}

static const char *idle_words(const struct why *why, char *out, size_t size) {
    char to[UNITS_BYTES], from[UNITS_BYTES], both[2 * UNITS_BYTES + 16];
    why_value(why, why->to.alone, to, sizeof to);
    why_value(why, why->from.alone, from, sizeof from);
    snprintf(out, size, "idle: %s", versus(to, from, both, sizeof both));
    return out;
}

/* "1.64 times the idle latency, not 1.35" */
static const char *load_words(const struct why *why, char *out, size_t size) {
    char to[UNITS_BYTES], from[UNITS_BYTES], both[2 * UNITS_BYTES + 32];
    units_digits(to, sizeof to, why->to.value / why->to.alone, 3);
    units_digits(from, sizeof from, why->from.value / why->from.alone, 3);
    snprintf(both, sizeof both, "%s times the idle latency", to);
    snprintf(out, size, strcmp(to, from) == 0 ? "%s on both" : "%s, not %s", both, from);
    return out;
}

const char *why_factor_words(const struct why *why, enum why_factor factor, char *out, size_t size) {
    static const char *(*const WORDS[WHY_FACTORS])(const struct why *, char *, size_t) = {
        clock_words, per_cycle_words, level_words, per_core_words, cores_words, unsplit_words, idle_words, load_words};
    out[0] = '\0';
    return isnan(why->factors[factor]) ? out : WORDS[factor](why, out, size);
}

/* One reason and its weight. */
struct clause {
    double weight; /* the absolute logarithm of its factor */
    char text[WHY_WORDS_BYTES];
};

static void add_clause(struct clause *clauses, size_t *count, double factor, const char *text) {
    struct clause *clause = &clauses[(*count)++];
    clause->weight = fabs(log(factor));
    snprintf(clause->text, sizeof clause->text, "%s", text);
}

/* Levels that the clock does not pace keep their own rate: with a higher clock, the work per cycle falls. */
static void add_together(const struct why *why, struct clause *clauses, size_t *count) {
    char level[UNITS_BYTES], from[UNITS_BYTES], sizes[2 * UNITS_BYTES + 16], text[WHY_WORDS_BYTES], number[UNITS_BYTES];
    const enum why_factor other = isnan(why->factors[WHY_LEVEL]) ? WHY_PER_CYCLE : WHY_LEVEL;
    const double both = why->factors[WHY_CLOCK] * why->factors[other];
    const char *name = why->to.roof->sample->level;
    versus(level_text(&why->to, level, sizeof level), level_text(&why->from, from, sizeof from), sizes, sizeof sizes);
    if (other == WHY_LEVEL)
        snprintf(text, sizeof text, "%s%s%s: %s by clock and level together", why->to.level_bytes ? name : "",
                 why->to.level_bytes ? " of " : "", sizes, units_digits(number, sizeof number, both, 3));
    else
        snprintf(text, sizeof text, "clock and %s together %s, because the clock does not pace %s",
                 why_factor_label(why, other), units_digits(number, sizeof number, both, 3), name);
    add_clause(clauses, count, both, text);
}

static int by_weight(const void *a, const void *b) {
    const double p = ((const struct clause *)a)->weight, q = ((const struct clause *)b)->weight;
    return (p < q) - (p > q);
}

static size_t collect(const struct why *why, struct clause *clauses) {
    const bool together = !why->paced && !isnan(why->factors[WHY_CLOCK]);
    char words[WHY_WORDS_BYTES - 16], text[WHY_WORDS_BYTES];
    size_t count = 0;
    if (together)
        add_together(why, clauses, &count);
    for (int f = 0; f < WHY_FACTORS; f++) {
        if (isnan(why->factors[f]) || (together && (f == WHY_CLOCK || f == WHY_PER_CYCLE || f == WHY_LEVEL)))
            continue;
        why_factor_words(why, (enum why_factor)f, words, sizeof words);
        snprintf(text, sizeof text, "%s%s", f == WHY_CLOCK ? "clock " : "", words);
        add_clause(clauses, &count, why->factors[f], text);
        if (f == WHY_CORES && !isnan(why->kept_ratio)) /* twice the cores at half their rate is a reason, too */
            clauses[count - 1].weight = fmax(fabs(log(why->count_ratio)), fabs(log(why->kept_ratio)));
    }
    qsort(clauses, count, sizeof *clauses, by_weight);
    return count;
}

const char *why_meaning(const struct why *why, char *out, size_t size) {
    struct clause clauses[WHY_FACTORS];
    const size_t count = collect(why, clauses);
    const double least = log1p(report_thresholds.factor.value);
    const bool same = fabs(log(why->ratio)) < least;
    *out = '\0';
    for (size_t i = 0; i < count && i < MAX_CLAUSES; i++)
        if (clauses[i].weight >= least || (i == 0 && !same))
            text_append(out, size, "%s%s", *out ? "; " : "", clauses[i].text);
    if (why->alike || !*out)
        snprintf(out, size, "%s",
                 why->alike ? "no difference is known: the intervals of both overlap" : "next to no difference");
    return out;
}
