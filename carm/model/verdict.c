/* SPDX-License-Identifier: BSD-3-Clause
 * Verdicts (see verdict.h): which of the fitting roofs binds a program, and that in words. */
#include "verdict.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "bench/sample/doubt.h"
#include "render/page/units.h"
#include "applicable_roofs.h"

static const double NEAR = 1.1;         /* a roof that is exceeded by less still binds: both were measured */
static const double NEAR_HOME = 1.05;   /* the roof of where its data are: by more than roofs spread it is exceeded */
static const double FAR = 0.4;          /* what is so far below its roof waits for something else */
static const double MEMORY_BINDS = 0.8; /* of what it was seen to move */
static const double SAME = 1.05;        /* a roof that is higher by less is no other */
static const double DIFFERS = 0.02;     /* what is asked for and what it moves */
static const double REACHES = 0.7;      /* of its roof: then the next one is of interest */
enum { RATE_BYTES = 32 };

__attribute__((format(printf, 2, 3))) static void say(struct verdict *verdict, const char *format, ...) {
    size_t length = strlen(verdict->text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(verdict->text + length, sizeof verdict->text - length, format, arguments);
    va_end(arguments);
}

/* "82 %", "0.4 %" */
static const char *percent(double ratio, char *out) {
    if (ratio > 0 && ratio < 0.001)
        snprintf(out, RATE_BYTES, "under 0.1 %%");
    else
        snprintf(out, RATE_BYTES, "%.*f %%", ratio < 0.0995 ? 1 : 0, 100 * ratio);
    return out;
}

static const char *rate_of(const struct roof *roof, char *out) {
    return units_si(out, RATE_BYTES, roof->sample->value, model_roof_unit(roof));
}

static double attainable(const struct applicable_roofs *applicable, const struct roof *ceiling,
                         const struct roof *level, double intensity) {
    return model_attainable(ceiling, applicable_bytes_per_s(applicable, level), intensity);
}

/* The slowest level that still allows so many bytes per second; NULL when none does. */
static const struct roof *binding_level(const struct applicable_roofs *applicable, double bytes_per_s, bool any_width) {
    const struct levels levels = model_levels(applicable->model, &applicable->view);
    const struct roof *slowest = NULL;
    for (unsigned i = 0; i < levels.count; i++) {
        const struct roof *roof = applicable_pattern(applicable, levels.level[i].name, any_width);
        if (roof && roof->sample->value * NEAR >= bytes_per_s &&
            (!slowest || roof->sample->value <= slowest->sample->value))
            slowest = roof;
    }
    return slowest;
}

static const struct roof *fastest_level(const struct applicable_roofs *applicable) {
    const struct levels levels = model_levels(applicable->model, &applicable->view);
    const struct roof *fastest = NULL;
    for (unsigned i = 0; i < levels.count; i++) {
        const struct roof *roof = applicable_pattern(applicable, levels.level[i].name, true);
        if (roof && (!fastest || roof->sample->value > fastest->sample->value))
            fastest = roof;
    }
    return fastest;
}

/* What lies above: data in a faster level, as far as the ceiling allows; or code as wide as the highest ceiling. */
static void find_next(struct verdict *verdict, const struct applicable_roofs *applicable, const struct roof *level,
                      double intensity) {
    const struct levels levels = model_levels(applicable->model, &applicable->view);
    const double least = verdict->attainable_flop_per_s * SAME;
    if (!verdict->memory_bound) {
        const double higher = attainable(applicable, verdict->peak, level, intensity);
        verdict->next = higher > least ? verdict->peak : NULL;
        verdict->next_flop_per_s = verdict->next ? higher : 0;
        return;
    }
    for (unsigned i = 0; i < levels.count; i++) {
        const struct roof *roof = applicable_pattern(applicable, levels.level[i].name, true);
        const double higher = roof ? attainable(applicable, verdict->ceiling, roof, intensity) : 0;
        if (higher > least && (!verdict->next || higher < verdict->next_flop_per_s)) {
            verdict->next = higher < verdict->ceiling->sample->value ? roof : verdict->ceiling;
            verdict->next_flop_per_s = higher;
        }
    }
}

/* Whoever is at its roof wants to know what moves it higher. */
static void say_next(struct verdict *verdict) {
    char rate[RATE_BYTES], times[RATE_BYTES];
    const struct roof *next = verdict->next;
    if (!next || !verdict->memory_bound || verdict->ratio < REACHES || verdict->above_all)
        return;
    units_si(rate, sizeof rate, verdict->next_flop_per_s, "flop/s");
    units_number_digits(times, sizeof times, verdict->next_flop_per_s / verdict->attainable_flop_per_s, 2);
    if (next->sample->kind == SAMPLE_COMPUTE)
        say(verdict, ". With its data nearer to the core it could reach %s, the ceiling: %s times as much", rate,
            times);
    else
        say(verdict, ". With its data in %s it could reach %s, %s times as much", next->sample->level, rate, times);
}

/* "DRAM roof for 2 loads : 1 store (avx512.2ld1st, 27.1 GB/s)" */
static void say_level(struct verdict *verdict, const struct applicable_roofs *applicable, const struct roof *roof) {
    char rate[RATE_BYTES], own[RATE_BYTES];
    bool mix = !isnan(applicable->store_share);
    const double allowed = applicable_bytes_per_s(applicable, roof);
    say(verdict, "%s roof%s%s (%s, %s", roof->sample->level, mix ? " for " : "", mix ? applicable_mix(roof) : "",
        roof->sample->kernel, rate_of(roof, rate));
    if (fabs(allowed / roof->sample->value - 1) > DIFFERS)
        say(verdict, "; by its own traffic, %s", units_si(own, sizeof own, allowed, "B/s"));
    say(verdict, ")");
}

static void say_memory(struct verdict *verdict, const struct applicable_roofs *applicable, double bytes_per_s) {
    char rate[RATE_BYTES], share[RATE_BYTES];
    const struct roof *roof = verdict->bandwidth;
    say(verdict, "memory-bound: at %s of the ", percent(verdict->ratio, share));
    say_level(verdict, applicable, roof);
    const struct roof *other = isnan(applicable->store_share) ? NULL : applicable_other_pattern(applicable, roof);
    if (other && other->sample->value * NEAR < roof->sample->value && bytes_per_s <= other->sample->value * NEAR)
        say(verdict, "; %s, of the same mix, allows %s", other->sample->kernel, rate_of(other, rate));
}

static void say_compute(struct verdict *verdict) {
    char rate[RATE_BYTES], share[RATE_BYTES];
    const struct roof *ceiling = verdict->ceiling;
    bool own = ceiling != verdict->peak;
    say(verdict, "compute-bound%s: at %s of %s (%s)", own ? " by its own code" : "", percent(verdict->ratio, share),
        ceiling->sample->kernel, rate_of(ceiling, rate));
    if (own)
        say(verdict, "; %s allows %s", verdict->peak->sample->kernel, rate_of(verdict->peak, rate));
}

static void say_threads(struct verdict *verdict, const struct app_point *point) {
    if (point->threads != verdict->threads && point->threads > 0)
        say(verdict, ". Judged by the roofs of %u thread%s: there are none of %u", verdict->threads,
            verdict->threads == 1 ? "" : "s", point->threads);
}

/* What really passes between caches and memory is a stronger statement than the bytes that the core asks for. */
static void judge_traffic(struct verdict *verdict, const struct applicable_roofs *applicable,
                          const struct app_point *point) {
    double bytes = app_dram_bytes(point), write_share = bytes > 0 ? point->dram_write_bytes.median / bytes : 0;
    if (point->dram_source == SOURCE_UNKNOWN)
        return;
    verdict->dram_pattern = applicable_traffic(applicable, applicable->memory, write_share);
    if (verdict->dram_pattern)
        verdict->dram_ratio = bytes / point->seconds.median / applicable_traffic_bytes_per_s(verdict->dram_pattern);
}

static void say_traffic(struct verdict *verdict, const struct app_point *point) {
    char rate[RATE_BYTES], most[RATE_BYTES], share[RATE_BYTES];
    const struct roof *roof = verdict->dram_pattern;
    if (!roof)
        return;
    const char *level = roof->sample->level;
    units_si(rate, sizeof rate, app_dram_bytes(point) / point->seconds.median, "B/s");
    units_si(most, sizeof most, applicable_traffic_bytes_per_s(roof), "B/s");
    say(verdict, ". Its %s traffic of %s (%s) is %s of what %s moves, %s", level, rate,
        app_source_names[point->dram_source], percent(verdict->dram_ratio, share), roof->sample->kernel, most);
    if (verdict->dram_ratio >= MEMORY_BINDS || verdict->dram_ratio < FAR)
        say(verdict, ": %s %s it", level, verdict->dram_ratio < FAR ? "does not bind" : "binds");
}

static void say_distance(struct verdict *verdict, bool at_home) {
    if (verdict->above_all && at_home)
        say(verdict, ". That is above the roof of where its data are: they may be in a faster level, or the roofs were "
                     "measured at a lower clock");
    else if (verdict->above_all)
        say(verdict,
            ". That is above every roof: its flop or bytes, its time or its number of threads may be wrong, or "
            "the roofs were measured at a lower clock");
    else if (verdict->ratio < FAR && verdict->dram_ratio < MEMORY_BINDS)
        say(verdict, ". So far below it waits for something else, such as latency, dependencies or branches");
}

/* Without flop there is no place on the roofline, but bytes per second have one below the bandwidths. */
static void say_bytes(struct verdict *verdict, const struct applicable_roofs *applicable,
                      const struct app_point *point) {
    char rate[RATE_BYTES], share[RATE_BYTES];
    double bytes_per_s = app_core_bytes(point) / point->seconds.median;
    const struct roof *home = bytes_per_s > 0 ? applicable_home(applicable, point) : NULL,
                      *roof = home || !(bytes_per_s > 0) ? home : binding_level(applicable, bytes_per_s, true);
    if (!roof)
        return;
    verdict->bytes_roof = roof;
    verdict->bytes_ratio = bytes_per_s / applicable_bytes_per_s(applicable, roof);
    verdict->above_all = verdict->bytes_ratio > (home ? NEAR_HOME : NEAR);
    say(verdict, ". It asks for %s, %s of the ", units_si(rate, sizeof rate, bytes_per_s, "B/s"),
        percent(verdict->bytes_ratio, share));
    say_level(verdict, applicable, roof);
    if (verdict->above_all)
        say_distance(verdict, home != NULL);
}

/* Why it has no place on the roofline; NULL when it has one. */
static const char *missing(const struct app_point *point) {
    const uint64_t *integer = point->count.flop[COUNT_I8];
    uint64_t operations = 0;
    for (unsigned width = 0; point->has_count && width < COUNT_WIDTHS; width++)
        operations += integer[width];
    return !(point->seconds.median > 0)           ? "no time was measured"
           : point->flop_source == SOURCE_UNKNOWN ? "its flop are not known: count them, or state them with --flop"
           : point->flop.median > 0 ? point->bytes_source == SOURCE_UNKNOWN && point->dram_source == SOURCE_UNKNOWN
                                          ? "its bytes are not known: count them, or state them with "
                                            "--bytes"
                                          : NULL
           : operations > 0         ? "its dot products are of integers, which are no flop"
                                    : "it executes no floating-point arithmetic";
}

/* The slowest level that allows what it reaches; NULL when there are no levels at all. */
static const struct roof *find_level(const struct applicable_roofs *applicable, double bytes_per_s) {
    const struct roof *level = binding_level(applicable, bytes_per_s, false);
    if (!level) /* its loads may be wider than its arithmetic */
        level = binding_level(applicable, bytes_per_s, true);
    return level ? level : fastest_level(applicable);
}

static void find_ceiling(struct verdict *verdict, const struct applicable_roofs *applicable, double flop_per_s) {
    const struct roof *own = applicable_own_peak(applicable);
    verdict->known = true;
    verdict->peak = applicable_peak(applicable);
    verdict->own_peak = own ? own : verdict->peak;
    verdict->ceiling = flop_per_s <= verdict->own_peak->sample->value * NEAR ? verdict->own_peak : verdict->peak;
}

/* Where only its memory traffic is known it is judged by the original roofline. */
static bool judge_by_traffic(struct verdict *verdict, const struct applicable_roofs *applicable,
                             const struct app_point *point) {
    char rate[RATE_BYTES], share[RATE_BYTES];
    double reached = app_flop_per_s(point), intensity = app_flop_per_dram_byte(point);
    judge_traffic(verdict, applicable, point);
    const struct roof *roof = verdict->dram_pattern;
    if (!roof)
        return false;
    double most = applicable_traffic_bytes_per_s(roof);
    find_ceiling(verdict, applicable, reached);
    verdict->memory_bound = intensity * most < verdict->ceiling->sample->value;
    verdict->attainable_flop_per_s = verdict->memory_bound ? intensity * most : verdict->ceiling->sample->value;
    verdict->bandwidth = verdict->memory_bound ? roof : NULL;
    verdict->bound_by = verdict->memory_bound ? roof->sample->level : "compute";
    verdict->ratio = reached / verdict->attainable_flop_per_s;
    verdict->above_all = verdict->ratio > NEAR;
    if (verdict->memory_bound && verdict->ceiling->sample->value > verdict->attainable_flop_per_s * SAME) {
        verdict->next = verdict->ceiling;
        verdict->next_flop_per_s = verdict->ceiling->sample->value;
    }
    if (verdict->memory_bound)
        say(verdict, "memory-bound: at %s of what %s moves (%s, %s)", percent(verdict->ratio, share),
            roof->sample->level, roof->sample->kernel, units_si(rate, sizeof rate, most, "B/s"));
    else
        say_compute(verdict);
    say(verdict, ", by its %s bytes alone; those that the core asks for are not known", roof->sample->level);
    say_distance(verdict, false);
    return true;
}

static void say_unjudged(struct verdict *verdict, const struct applicable_roofs *applicable,
                         const struct app_point *point, bool fits) {
    if (point->threads == 0 && applicable->model->result->machine.core_count > 0)
        say(verdict, "not judged: how many threads took part is not known");
    else if (point->threads == 0)
        say(verdict, "not judged: the result holds no %s%s", fits ? "bandwidth" : applicable->view.type,
            fits ? "" : " ceiling");
    else
        say(verdict, "not judged: there is no %s%s of %u thread%s or more; `carmine run` measures it",
            fits ? "bandwidth" : applicable->view.type, fits ? "" : " ceiling", point->threads,
            point->threads == 1 ? "" : "s");
}

static struct verdict judge(const struct model *model, const struct app_point *point) {
    struct verdict verdict = {.bound_by = ""};
    struct applicable_roofs applicable;
    const char *trouble = missing(point);
    bool fits = applicable_make(model, point, &applicable);
    verdict.threads = applicable.view.threads;
    if (trouble) {
        say(&verdict, "no place on the roofline: %s", trouble);
        if (fits)
            say_bytes(&verdict, &applicable, point);
        return verdict;
    }
    if (point->bytes_source == SOURCE_UNKNOWN) {
        if (!fits || !judge_by_traffic(&verdict, &applicable, point))
            say_unjudged(&verdict, &applicable, point, fits);
        return verdict;
    }
    double reached = app_flop_per_s(point), bytes_per_s = app_core_bytes(point) / point->seconds.median;
    double intensity = app_core_bytes(point) > 0 ? app_flop_per_byte(point) : INFINITY; /* in registers alone */
    const struct roof *home = fits ? applicable_home(&applicable, point) : NULL,
                      *level = home || !fits ? home : find_level(&applicable, bytes_per_s);
    if (!level) {
        say_unjudged(&verdict, &applicable, point, fits);
        return verdict;
    }
    find_ceiling(&verdict, &applicable, reached);
    verdict.attainable_flop_per_s = attainable(&applicable, verdict.ceiling, level, intensity);
    verdict.memory_bound = verdict.attainable_flop_per_s < verdict.ceiling->sample->value;
    verdict.bandwidth = verdict.memory_bound ? level : NULL;
    verdict.bound_by = verdict.memory_bound ? level->sample->level : "compute";
    verdict.ratio = reached / verdict.attainable_flop_per_s;
    verdict.above_all = verdict.ratio > (home ? NEAR_HOME : NEAR);
    find_next(&verdict, &applicable, level, intensity);
    judge_traffic(&verdict, &applicable, point);
    if (verdict.memory_bound)
        say_memory(&verdict, &applicable, bytes_per_s);
    else
        say_compute(&verdict);
    say_distance(&verdict, home != NULL);
    say_next(&verdict);
    say_traffic(&verdict, point);
    say_threads(&verdict, point);
    return verdict;
}

struct verdict verdict_find(const struct model *model, const struct app_point *point) {
    struct verdict verdict = judge(model, point);
    verdict.doubts = point->doubts | (verdict.above_all ? DOUBT_ABOVE_ROOF : 0);
    return verdict;
}
