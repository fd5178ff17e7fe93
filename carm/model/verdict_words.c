/* SPDX-License-Identifier: BSD-3-Clause
 * Verdicts in words (see verdict_words.h). Words follow from the verdict's facts; nothing is judged here. */
#include "verdict_words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "render/page/units.h"
#include "applicable_roofs.h"
#include "verdict_speech.h"

static const char *name_of(const struct roof *roof) {
    return roof->sample->level[0] ? roof->sample->level : roof->sample->kernel;
}

/* "DRAM roof for 2 loads : 1 store (avx512.2ld1st, 27.1 GB/s)" */
static void say_level(const struct speech *speech, const struct roof *roof) {
    const struct verdict *verdict = speech->verdict;
    char rate[RATE_BYTES], mix[PATTERN_RATIO_BYTES];
    verdict_say(speech, "%s roof%s%s (%s, %s", roof->sample->level, verdict->mix_known ? " for " : "",
                verdict->mix_known ? applicable_mix(roof, mix) : "", roof->sample->kernel, verdict_rate(roof, rate));
    if (verdict->own_traffic_bytes_per_s > 0)
        verdict_say(speech, "; by its own traffic, %s",
                    units_si(rate, sizeof rate, verdict->own_traffic_bytes_per_s, "B/s"));
    verdict_say(speech, ")");
}

static void say_memory(const struct speech *speech) {
    char rate[RATE_BYTES], share[RATE_BYTES];
    const struct roof *other = speech->verdict->same_mix;
    verdict_say(speech, "%sat %s of the ", speech->verdict->why == VERDICT_WAITS ? "" : "memory-bound: ",
                verdict_percent(speech->verdict->ratio, share));
    say_level(speech, speech->verdict->bandwidth);
    if (other)
        verdict_say(speech, "; %s, of the same mix, allows %s", other->sample->kernel, verdict_rate(other, rate));
}

/* For a roof whose level is unknown: roofs have a few per cent of uncertainty, and no program exceeds its roof. */
static double at_most(double ratio) {
    return fmin(1, ratio);
}

/* Any level that is fast enough may serve its bytes. */
static void say_unknown_level(const struct speech *speech) {
    char share[RATE_BYTES];
    const struct verdict *verdict = speech->verdict;
    const double ratio = at_most(verdict->known ? verdict->ratio : verdict->bytes_ratio);
    verdict_say(speech, "%s%s of the ", verdict_is_least(ratio) ? "" : "at most ", verdict_percent(ratio, share));
    say_level(speech, verdict->known ? verdict->bandwidth : verdict->bytes_roof);
    verdict_say(speech, "; `carmine app --levels` finds its level");
}

/* At its roof, the next roof is of interest. */
static void say_next(const struct speech *speech) {
    char rate[RATE_BYTES], times[RATE_BYTES];
    const struct verdict *verdict = speech->verdict;
    if (!verdict->next_counts)
        return;
    units_si(rate, sizeof rate, verdict->next_flop_per_s, "flop/s");
    units_number_digits(times, sizeof times, verdict->next_flop_per_s / verdict->attainable_flop_per_s, 2);
    if (verdict->next->sample->kind == SAMPLE_COMPUTE)
        verdict_say(speech, ". With its data nearer to the core it could reach %s, the ceiling: %s times as much", rate,
                    times);
    else
        verdict_say(speech, ". With its data in %s it could reach %s, %s times as much", verdict->next->sample->level,
                    rate, times);
}

static void say_traffic(const struct speech *speech) {
    static const char *const BINDS[] = {[VERDICT_MEMORY_BINDS] = "binds", [VERDICT_MEMORY_BINDS_NOT] = "does not bind"};
    char rate[RATE_BYTES], most[RATE_BYTES], share[RATE_BYTES];
    const struct verdict *verdict = speech->verdict;
    const struct app_point *point = speech->point;
    const struct roof *roof = verdict->dram_pattern;
    if (!roof)
        return;
    units_si(rate, sizeof rate, app_dram_bytes(point) / point->seconds.median, "B/s");
    units_si(most, sizeof most, applicable_traffic_bytes_per_s(roof), "B/s");
    verdict_say(speech, ". Its %s traffic of %s (%s) is %s of what %s moves, %s", roof->sample->level, rate,
                app_source_names[point->dram_source], verdict_percent(verdict->dram_ratio, share), roof->sample->kernel,
                most);
    if (verdict->memory != VERDICT_MEMORY_UNSURE)
        verdict_say(speech, ": %s %s it", roof->sample->level, BINDS[verdict->memory]);
}

static void say_by_core_bytes(const struct speech *speech) {
    if (speech->verdict->nearest)
        say_unknown_level(speech);
    else if (speech->verdict->bandwidth)
        say_memory(speech);
    else
        verdict_say_compute(speech);
    verdict_say_why(speech);
    if (speech->verdict->scarce_flop && speech->verdict->why != VERDICT_WAITS)
        verdict_say_pace(speech);
    say_next(speech);
    say_traffic(speech);
    verdict_say_threads(speech);
}

static void say_by_dram_bytes(const struct speech *speech) {
    char rate[RATE_BYTES], share[RATE_BYTES];
    const struct roof *roof = speech->verdict->dram_pattern;
    if (speech->verdict->bandwidth)
        verdict_say(speech, "%sat %s of what %s moves (%s, %s)",
                    speech->verdict->why == VERDICT_WAITS ? "" : "memory-bound: ",
                    verdict_percent(speech->verdict->ratio, share), roof->sample->level, roof->sample->kernel,
                    units_si(rate, sizeof rate, applicable_traffic_bytes_per_s(roof), "B/s"));
    else
        verdict_say_compute(speech);
    verdict_say(speech, ", by its %s bytes only; the bytes that the core requests are not known", roof->sample->level);
    verdict_say_why(speech);
}

/* Without flop there is no place on the roofline, but bytes per second can be compared with bandwidths. */
static void say_no_place(const struct speech *speech) {
    static const char *const MISSING[] = {
        [VERDICT_NO_TIME] = "no time was measured",
        [VERDICT_FLOP_UNKNOWN] = "its flop are not known: count them, or state them with --flop",
        [VERDICT_BYTES_UNKNOWN] = "its bytes are not known: count them, or state them with --bytes",
        [VERDICT_INTEGERS] = "its dot products are integer operations, not flop",
        [VERDICT_NO_FLOP] = "it has no flop",
    };
    char rate[RATE_BYTES], share[RATE_BYTES];
    const struct verdict *verdict = speech->verdict;
    verdict_say(speech, "no place on the roofline: %s", MISSING[verdict->basis]);
    if (!verdict->bytes_roof)
        return;
    units_si(rate, sizeof rate, app_core_bytes(speech->point) / speech->point->seconds.median, "B/s");
    const bool links = verdict->times.longest >= 0;
    if (links)
        verdict_say(speech, ". Its slowest link is %s: %s of its time at that roof (%s)",
                    verdict->times.link[verdict->times.longest].name, verdict_percent(verdict->bytes_ratio, share),
                    verdict->bytes_roof->sample->kernel);
    else if (verdict->nearest) {
        verdict_say(speech, ". It requests %s, ", rate);
        say_unknown_level(speech);
    } else {
        verdict_say(speech, ". It requests %s, %s of the ", rate, verdict_percent(verdict->bytes_ratio, share));
        say_level(speech, verdict->bytes_roof);
    }
    if (links && verdict->why == VERDICT_WAITS) {
        if (!verdict->waits.for_kernel)
            verdict_say(speech, ". It is %s-bound", verdict_waits_for(verdict));
        verdict_say_waits(speech);
    } else
        verdict_say_why(speech);
    if (verdict->why != VERDICT_WAITS)
        verdict_say_pace(speech);
    if (speech->point->cores > 0) /* with bytes only, nothing else about its threads is reported */
        verdict_say_threads(speech);
}

static void say_no_roofs(const struct speech *speech) {
    const struct verdict *verdict = speech->verdict;
    bool bandwidth = verdict->basis == VERDICT_NO_BANDWIDTH;
    const char *type = bandwidth ? "" : verdict->type, *what = bandwidth ? "bandwidth" : " ceiling";
    unsigned threads = app_point_cores(speech->point);
    if (verdict->basis == VERDICT_THREADS_UNKNOWN)
        verdict_say(speech, "not judged: how many threads took part is not known");
    else if (threads == 0)
        verdict_say(speech, "not judged: the result holds no %s%s", type, what);
    else
        verdict_say(speech, "not judged: there is no %s%s of %u thread%s or more; `carmine run` measures it", type,
                    what, threads, verdict_plural(threads));
}

const char *verdict_words(const struct verdict *verdict, const struct app_point *point, char out[VERDICT_WORDS_BYTES]) {
    static void (*const SAY[])(const struct speech *) = {
        [VERDICT_BY_LINKS] = verdict_say_links,      [VERDICT_BY_CORE_BYTES] = say_by_core_bytes,
        [VERDICT_BY_DRAM_BYTES] = say_by_dram_bytes, [VERDICT_NO_TIME] = say_no_place,
        [VERDICT_FLOP_UNKNOWN] = say_no_place,       [VERDICT_BYTES_UNKNOWN] = say_no_place,
        [VERDICT_INTEGERS] = say_no_place,           [VERDICT_NO_FLOP] = say_no_place,
        [VERDICT_THREADS_UNKNOWN] = say_no_roofs,    [VERDICT_NO_CEILING] = say_no_roofs,
        [VERDICT_NO_BANDWIDTH] = say_no_roofs,
    };
    const struct speech speech = {verdict, point, out};
    out[0] = '\0';
    if (verdict_say_first(&speech))
        SAY[verdict->basis](&speech);
    return out;
}

const char *verdict_ratio_of(const struct verdict *verdict) {
    const struct roof *roof = verdict->known ? verdict->bandwidth : verdict->bytes_roof;
    return roof ? roof->sample->level : verdict->known ? "compute" : "";
}

const char *verdict_bound_by(const struct verdict *verdict) {
    const struct verdict_waits *waits = &verdict->waits;
    const bool elsewhere = waits->for_cpu || waits->for_mpi || waits->for_kernel;
    if (verdict->why == VERDICT_WAITS && (elsewhere || verdict->basis == VERDICT_BY_LINKS))
        return verdict_waits_for(verdict);
    return verdict_limit_known(verdict) ? verdict_ratio_of(verdict) : "";
}

const char *verdict_bound_cell(const struct verdict *verdict) {
    const char *by = verdict_bound_by(verdict);
    return *by || !verdict->known ? by : "unknown";
}

/* "82 %"; "≤ 22 % of DRAM" if the level is unknown; "2 % of compute" if that does not limit it. */
const char *verdict_reached_cell(const struct verdict *verdict, char *out, size_t size) {
    const double ratio = verdict->known ? verdict->ratio : verdict->bytes_ratio;
    const bool limits = verdict->why != VERDICT_WAITS && !verdict->nearest;
    out[0] = '\0';
    if (verdict->known || verdict->bytes_roof)
        snprintf(out, size, "%s%.0f %%%s%s", verdict->nearest ? "≤ " : "",
                 100 * (verdict->nearest ? at_most(ratio) : ratio), limits ? "" : " of ",
                 limits ? "" : verdict_ratio_of(verdict));
    return out;
}

const char *verdict_ratio_cell(double ratio, char *out, size_t size) {
    snprintf(out, size, "%.0f %%", 100 * ratio);
    return out;
}

const char *verdict_next_cell(const struct verdict *verdict, char *out, size_t size) {
    char times[RATE_BYTES];
    out[0] = '\0';
    if (verdict->next)
        snprintf(
            out, size, "%s ×%s", name_of(verdict->next),
            units_number_digits(times, sizeof times, verdict->next_flop_per_s / verdict->attainable_flop_per_s, 2));
    return out;
}

const char *verdict_gain_cell(const struct verdict *verdict, const struct app_point *point, char *out, size_t size) {
    char times[RATE_BYTES];
    out[0] = '\0';
    if (verdict->next)
        snprintf(out, size, "%s, %s×", name_of(verdict->next),
                 units_number_digits(times, sizeof times, verdict->next_flop_per_s / app_flop_per_s(point), 2));
    return out;
}

const char *verdict_zone(const struct verdict *verdict) {
    return !verdict->known                 ? ""
           : verdict->why == VERDICT_WAITS ? "waits"
           : verdict->nearest              ? "level not known"
           : verdict->bandwidth            ? "memory-bound"
                                           : "compute-bound";
}

const char *verdict_bound_line(const struct verdict *verdict, char *out, size_t size) {
    char rate[RATE_BYTES];
    out[0] = '\0';
    if (!verdict->known)
        return out;
    units_si(rate, sizeof rate, verdict->attainable_flop_per_s, "flop/s");
    if (verdict_limit_known(verdict))
        snprintf(out, size, "%s, %.0f %% of %s", verdict_ratio_of(verdict), 100 * verdict->ratio, rate);
    else
        snprintf(out, size, "%s%.0f %% of %s (%s)", verdict->nearest ? "at most " : "",
                 100 * (verdict->nearest ? at_most(verdict->ratio) : verdict->ratio), rate, verdict_ratio_of(verdict));
    return out;
}

const char *verdict_next_line(const struct verdict *verdict, char *out, size_t size) {
    char rate[RATE_BYTES];
    out[0] = '\0';
    if (verdict->next)
        snprintf(out, size, "%s allows %s", name_of(verdict->next),
                 units_si(rate, sizeof rate, verdict->next_flop_per_s, "flop/s"));
    return out;
}

const char *verdict_mark(const struct verdict *verdict, const char *by, double ratio, bool unseen, char *out,
                         size_t size) {
    const int digits = ratio < 0.1 ? 1 : 0;
    if (!verdict->known)
        snprintf(out, size, "not judged");
    else if (unseen)
        snprintf(out, size, "≤ %.*f %% of %s", digits, 100 * at_most(ratio), by);
    else
        snprintf(out, size, "%s %.*f %%", by, digits, 100 * ratio);
    return out;
}
