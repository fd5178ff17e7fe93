/* SPDX-License-Identifier: BSD-3-Clause
 * Sentences on each part of the memory system (see memory_report.h). The first clause of each has its main number and
 * ends at the first semicolon. */
#include "memory_report.h"
#include "report_thresholds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "asm/pattern.h"
#include "carm/model/describe.h"
#include "carm/model/model.h"
#include "probe/memory_kind.h"
#include "bench/kernels/levels.h"
#include "carm/store/results.h"
#include "probe/need.h"
#include "probe/text.h"
#include "render/page/units.h"

enum { MOST_WRITES = 512 };

#define say(out, ...) text_append(out, MEMORY_WORDS_BYTES, __VA_ARGS__)

/* Stores alone, through the caches. */
static bool is_plain_store(const struct memory_series *series) {
    const struct pattern *pattern = pattern_of_kernel(series->kernel);
    return pattern->stores > 0 && pattern->loads == 0 && !pattern->nontemporal;
}

/* The series that represents loaded latency: loads from the local memory, in huge pages if there are any; else the
 * first one. */
static const struct memory_series *headline(const struct result *result) {
    const struct memory_series *found = NULL;
    for (size_t i = result->memory.series_count; i-- > 0;) {
        const struct memory_series *series = &result->memory.series[i];
        if (series->part != MEMORY_LOADED)
            continue;
        const bool good = pattern_only_loads(pattern_of_kernel(series->kernel)) && levels_cache(series->level) == 0 &&
                          series->node == series->memory_node &&
                          (!found || memory_has_small_pages(series) <= memory_has_small_pages(found));
        if (!found || good || levels_cache(found->level) > 0)
            found = series;
    }
    return found;
}

static void say_loaded(const struct result *result, char *out) {
    enum { AT_80 = 1 };
    const struct memory_series *series = headline(result);
    struct loaded_curve curve;
    char time[UNITS_BYTES], other[UNITS_BYTES], rate[UNITS_BYTES], most[UNITS_BYTES], traffic[DESCRIBE_TRAFFIC_BYTES];
    if (!series || !memory_loaded(result, series, &curve))
        return;
    const bool reaches = isfinite(curve.latency_s[AT_80]);
    const double at = reaches ? loaded_shares[AT_80] * curve.roof_bytes_per_s : curve.end_bytes_per_s;
    units_si(most, sizeof most, curve.roof_bytes_per_s, "B/s");
    say(out, "A load from %s takes %s idle", series->level, units_seconds(time, sizeof time, curve.idle_s.value));
    if (series->points[series->count - 1].setting >= MEMORY_IDLE)
        return; /* interrupted before any load */
    say(out, " and %s beside %s of %s",
        units_seconds(other, sizeof other, reaches ? curve.latency_s[AT_80] : curve.end_latency_s),
        units_si(rate, sizeof rate, at, "B/s"), describe_traffic(series->kernel, traffic));
    if (reaches)
        say(out, "; that is %.0f %% of the %s, %s", 100 * loaded_shares[AT_80],
            curve.roof_is_measured ? "roof" : "most seen", most);
    if (!curve.usable_is_end)
        say(out, "; it doubles at %s", units_si(rate, sizeof rate, curve.usable_bytes_per_s, "B/s"));
    if (curve.ends_at_loaders)
        say(out, "; the curve ends at its loaders' limit, %s: %u core%s cannot load this %s further",
            units_si(rate, sizeof rate, curve.end_bytes_per_s, "B/s"), series->threads, series->threads == 1 ? "" : "s",
            levels_cache(series->level) > 0 ? series->level : "memory");
    if (curve.falls)
        say(out, "; at the most load the bandwidth falls");
    if (curve.latency_falls)
        say(out, "; beside some load the latency is below the idle one");
}

static void say_parallel(const struct result *result, char *out) {
    const struct levels *levels = &result->levels[0];
    const struct memory_series *series = NULL;
    const unsigned line_bytes = machine_line_bytes(&result->machine);
    struct parallel_curve curve;
    char rate[UNITS_BYTES], number[UNITS_BYTES], one[UNITS_BYTES];
    for (unsigned i = levels->count; i-- > 0 && !series;)
        series = memory_parallel_series(result, levels->level[i].name);
    if (!series || !memory_parallel(series, line_bytes, &curve))
        return;
    units_number_digits(number, sizeof number, curve.lines, 2);
    say(out, "One core has %s %s line%s from %s in flight, %s", curve.is_end ? "at least" : "up to", number,
        strcmp(number, "1") == 0 ? "" : "s", series->level,
        units_si(rate, sizeof rate, curve.bytes_per_s.value, "B/s"));
    if (curve.saturates_at > 1)
        say(out, "; that needs %u independent chases, one reaches %s", curve.saturates_at,
            units_si(one, sizeof one, line_bytes / curve.latency_s.value, "B/s"));
}

static void say_cores(const struct result *result, char *out) {
    struct memory_cluster clusters[MEMORY_MOST_CLUSTERS];
    const struct memory_system *memory = &result->memory;
    const size_t count = memory_clusters(memory, clusters);
    char time[UNITS_BYTES];
    size_t asymmetric = 0, measured = 0;
    for (size_t i = 0; i < count; i++) {
        const struct memory_cluster *one = &clusters[i];
        const struct statistics *times = one->swap_s.n > 0 ? &one->swap_s : &one->store_s;
        say(out, "%s%s (%s)", i == 0 ? "A line goes from core to core in " : ", ",
            units_seconds(time, sizeof time, times->median), one->name);
        asymmetric += one->asymmetric, measured += one->pair_count;
    }
    if (asymmetric > 0)
        say(out, "; %zu of %zu pairs depend on who touched the page first", asymmetric, measured);
    if (count > 0 && measured < memory->pairs_planned)
        say(out, "; %zu of %u pairs are measured", measured, memory->pairs_planned);
}

/* A kernel of STREAM: so many arrays are loaded, and another one is stored. */
static bool is_stream(const struct pattern *pattern, unsigned loads) {
    return pattern->loads == loads && pattern->stores == 1 && !pattern->in_place && !pattern->nontemporal;
}

/* Whether the level is the memory that the cores have: DRAM, or HBM where there is no other. */
static bool is_main_memory(const struct result *result, const char *level) {
    const struct levels *levels = &result->levels[0];
    return memory_kind_of(level)->ordinary ||
           (levels->count && levels_is_memory(level) && strcmp(levels->level[levels->count - 1].name, level) == 0);
}

/* The highest bandwidth of memory with so many loads per store, as STREAM counts it: without write-allocates. 0:
 * unknown. */
static double stream_rate(const struct result *result, unsigned loads) {
    double most = 0;
    for (size_t i = 0; i < result->sample_count; i++) {
        const struct sample *sample = &result->samples[i];
        if (sample->kind == SAMPLE_BANDWIDTH && is_main_memory(result, sample->level) && !sample->small_pages &&
            is_stream(pattern_of_kernel(sample->kernel), loads))
            most = fmax(most, sample->value);
    }
    return most;
}

/* "STREAM's copy counts 28.4 GB/s of 42.6 on the bus, its triad 30.9 of 41.2": with this share of the write-allocates
 * evaded, a copy moves 3 lines where STREAM counts 2, a triad 4 where it counts 3. */
static void say_stream(const struct result *result, double evaded, char *out) {
    const struct {
        const char *name;
        unsigned loads;
        double counted, moved;
    } kernels[] = {{"STREAM's copy counts", 1, 2, 3 - evaded}, {"its triad", 2, 3, 4 - evaded}};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        char counted[UNITS_BYTES], moved[UNITS_BYTES];
        const double rate = stream_rate(result, kernels[i].loads);
        if (rate > 0)
            say(out, "%s%s %s of %s on the bus", i ? ", " : "; ", kernels[i].name,
                units_si(counted, sizeof counted, rate, "B/s"),
                units_si(moved, sizeof moved, rate * kernels[i].moved / kernels[i].counted, "B/s"));
        else
            say(out, "%s%s %.0f of %.3g bytes on the bus", i ? ", " : "; ", kernels[i].name, kernels[i].counted,
                kernels[i].moved);
    }
}

static void say_writes(const struct result *result, char *out) {
    struct memory_write *writes = need_calloc(MOST_WRITES, sizeof *writes);
    const size_t count = memory_writes(result, writes, MOST_WRITES);
    const struct memory_write *store = NULL, *zeros = NULL, *other = NULL;
    char rate[UNITS_BYTES];
    double most_else = 0;
    for (size_t i = 0; i < count; i++) { /* with the most threads */
        const struct memory_write *write = &writes[i], **kind = write->zeros                    ? &zeros
                                                                : is_plain_store(write->series) ? &store
                                                                                                : &other;
        if (!*kind || (*kind)->point->setting < write->point->setting)
            *kind = write;
        most_else = fmax(most_else, write->zeros ? 0 : write->point->bytes_per_s.high);
    }
    if (store) {
        const double least = store->evaded_least, most = store->evaded_most;
        const bool known = most - least < report_thresholds.evasion_known.value;
        if (known && least > report_thresholds.evades.value)
            say(out, "A store to memory passes its own bytes only: the core evades write-allocates");
        else if (known)
            say(out, "A store to memory passes %.2g times its bytes, since lines are read first",
                2 - (least + most) / 2);
        else if (least > report_thresholds.some_evaded.value)
            say(out, "A store to memory passes at most %.2g times its bytes, since lines are read first", 2 - least);
        else
            say(out, "A store to memory passes its bytes once or twice; this memory is too fast to tell which");
        if (known)
            say_stream(result, (least + most) / 2, out);
    } else if (other)
        say(out, "%s writes %s", other->series->kernel,
            units_si(rate, sizeof rate, other->point->bytes_per_s.value, "B/s"));
    if (zeros && zeros->point->bytes_per_s.low > most_else)
        say(out, "; zeros are written at %s, which is no roof: other data are slower",
            units_si(rate, sizeof rate, zeros->point->bytes_per_s.value, "B/s"));
    free(writes);
}

static void say_pages(const struct result *result, char *out) {
    for (size_t i = 0; i < result->memory.series_count; i++) {
        const struct memory_series *series = &result->memory.series[i];
        struct memory_reach reach;
        char size[UNITS_BYTES], time[UNITS_BYTES], most[UNITS_BYTES], bytes[UNITS_BYTES], pages[UNITS_BYTES];
        if (!memory_is_paged(series) || !memory_reach(series, memory_same_lines(result, series), &reach))
            continue;
        const unsigned last = reach.level_count - 1;
        say(out, "%sTLBs reach %s%s pages of %s (%s)", *out ? "; " : "", reach.reach_is_end[last] ? "at least " : "",
            units_number_digits(pages, sizeof pages, reach.reach_pages[last], 4),
            units_binary(size, sizeof size, (double)series->page_bytes),
            units_binary(bytes, sizeof bytes, reach.reach_pages[last] * (double)series->page_bytes));
        if (isfinite(reach.walk_s))
            say(out, ", a walk adds %s", units_seconds(time, sizeof time, reach.walk_s));
        if (isfinite(reach.walk_s) && reach.walk_most_s > report_thresholds.walk_range.value * reach.walk_s)
            say(out, " to %s", units_seconds(most, sizeof most, reach.walk_most_s));
    }
}

static const struct {
    const char *name;
    void (*words)(const struct result *result, char *out);
} PARTS[MEMORY_PARTS] = {
    [MEMORY_LOADED] = {"Loaded", say_loaded}, [MEMORY_PARALLEL] = {"Chases", say_parallel},
    [MEMORY_CORES] = {"Cores", say_cores},    [MEMORY_WRITES] = {"Writes", say_writes},
    [MEMORY_PAGES] = {"Pages", say_pages},
};

const char *memory_words(const struct result *result, enum memory_part part, bool brief, char out[MEMORY_WORDS_BYTES]) {
    out[0] = '\0';
    PARTS[part].words(result, out);
    if (brief)
        out[strcspn(out, ";")] = '\0';
    return out;
}

const char *memory_words_name(enum memory_part part) {
    return PARTS[part].name;
}
