/* SPDX-License-Identifier: BSD-3-Clause
 * Curves of the memory system (see memory_model.h); the clusters of CPUs are in memory_clusters.c. */
#include "memory_model.h"
#include "model_thresholds.h"

#include <math.h>
#include <string.h>

#include "asm/kernel.h"
#include "asm/pattern.h"
#include "bench/kernels/doubt.h"
#include "bench/kernels/memory.h"
#include "bench/memory/memory_plan.h"
#include "carm/store/results.h"

const double loaded_shares[LOADED_SHARES] = {0.5, 0.8, 0.9};

static const struct model_thresholds *const THRESHOLD = &model_thresholds;

/* The pattern of a kernel, "avx512.load"; NULL: none. */
static const struct pattern *memory_model_pattern_of(const char *kernel, bool *zeros) {
    const char *op = kernel_operation(kernel);
    *zeros = false;
    for (const struct store_way *way = store_ways; way->op; way++)
        if (strcmp(op, way->op) == 0) {
            *zeros = way->zeros;
            return pattern_find(way->nontemporal ? "ntstore" : "store");
        }
    return pattern_find(op);
}

/* Bytes that pass the memory per requested byte. */
static double bus_factor(const struct pattern *pattern) {
    return (double)(pattern_reads(pattern) + pattern->stores) / (pattern->loads + pattern->stores);
}

static unsigned cores_of_node(const struct result *result, unsigned node) {
    for (unsigned i = 0; i < result->machine.node_count; i++)
        if (result->machine.nodes[i].os_index + 1 == node)
            return result->machine.nodes[i].core_count;
    return result->machine.core_count;
}

static bool is_cache(const struct memory_series *series) {
    return levels_cache(series->level) > 0;
}

/* Whether the sample is of this memory: of all memory if the series names no node, else by all cores of any node. */
static bool is_of_memory(const struct sample *sample, const struct memory_series *series) {
    const unsigned memory = sample->memory_node ? sample->memory_node : sample->node;
    return sample->kind == SAMPLE_BANDWIDTH && !sample->small_pages && strcmp(sample->level, series->level) == 0 &&
           (is_cache(series) || memory == series->memory_node);
}

/* Bytes/s that the level passed in a sample by all cores. Caches are measured by all cores of the machine: then the
 * part for the series' cores. */
static double sample_bus(const struct result *result, const struct sample *sample, const struct memory_series *series,
                         const struct pattern *pattern) {
    const unsigned cores = sample_cores(sample), own = series->threads + 1;
    if (cores < cores_of_node(result, sample->node))
        return 0;
    return sample->value * bus_factor(pattern) * (is_cache(series) && cores > own ? (double)own / cores : 1);
}

static double roof_of(const struct result *result, const struct memory_series *series) {
    bool zeros;
    const struct pattern *own = memory_model_pattern_of(series->kernel, &zeros);
    double roof = 0;
    for (size_t i = 0; i < result->sample_count; i++) {
        const struct sample *sample = &result->samples[i];
        const struct pattern *pattern = memory_model_pattern_of(sample->kernel, &zeros);
        if (pattern && pattern == own && is_of_memory(sample, series))
            roof = fmax(roof, sample_bus(result, sample, series, pattern));
    }
    return roof;
}

static bool is_measured(const struct memory_point *point) {
    return point->latency_s.value > 0 && point->bytes_per_s.value > 0;
}

/* The next measured point of the rising branch: with a higher bandwidth than all before it. NULL: none. */
static const struct memory_point *next_rising(const struct memory_series *series, const struct memory_point *last) {
    for (size_t i = last ? (size_t)(last - series->points) + 1 : 0; i < series->count; i++)
        if (is_measured(&series->points[i]) && (!last || series->points[i].bytes_per_s.value > last->bytes_per_s.value))
            return &series->points[i];
    return NULL;
}

/* The y at x on the line through two points. */
static double memory_model_on_line(double x, double x0, double y0, double x1, double y1) {
    return y0 + (y1 - y0) * (x - x0) / (x1 - x0);
}

struct memory_number memory_latency_within(const struct memory_series *series, double bytes_per_s) {
    const struct memory_point *a = next_rising(series, NULL), *b = a;
    while (b && b->bytes_per_s.value < bytes_per_s)
        a = b, b = next_rising(series, b);
    if (!b || !(b->bytes_per_s.value >= bytes_per_s) || (a == b && a->bytes_per_s.value > bytes_per_s))
        return (struct memory_number){NAN, NAN, NAN};
    if (a == b)
        return a->latency_s;
    const double x0 = a->bytes_per_s.value, x1 = b->bytes_per_s.value;
    return (struct memory_number){memory_model_on_line(bytes_per_s, x0, a->latency_s.value, x1, b->latency_s.value),
                                  memory_model_on_line(bytes_per_s, x0, a->latency_s.low, x1, b->latency_s.low),
                                  memory_model_on_line(bytes_per_s, x0, a->latency_s.high, x1, b->latency_s.high)};
}

double memory_latency_at(const struct memory_series *series, double bytes_per_s) {
    return memory_latency_within(series, bytes_per_s).value;
}

/* The first, the last and the highest measured points; false: none. */
static bool ends_of(const struct memory_series *series, const struct memory_point *ends[3]) {
    ends[0] = next_rising(series, NULL);
    for (size_t i = 0; i < series->count && ends[0]; i++) {
        const struct memory_point *point = &series->points[i];
        if (!is_measured(point))
            continue;
        ends[1] = point;
        if (point == ends[0] || point->bytes_per_s.value > ends[2]->bytes_per_s.value)
            ends[2] = point;
    }
    return ends[0] != NULL;
}

/* The point farthest below the chord, if both axes are scaled to the curve's ends (V. Satopää, J. Albrecht, D. Irwin,
 * B. Raghavan, Finding a "Kneedle" in a Haystack, ICDCS workshops 2011). NULL: none beyond the intervals. */
static const struct memory_point *knee_of(const struct memory_point *const ends[3]) {
    const struct memory_number from = ends[0]->latency_s, to = ends[1]->latency_s;
    const double x0 = ends[0]->bytes_per_s.value, width = ends[2]->bytes_per_s.value - x0, rise = to.value - from.value;
    const struct memory_point *knee = NULL;
    double deepest = THRESHOLD->knee_depth.value;
    if (!(width > 0) || to.value < THRESHOLD->knee_rise.value * from.value || to.low <= from.high ||
        doubts_has(doubts_union(ends[0]->doubts, ends[1]->doubts), DOUBT_UNSTABLE))
        return NULL;
    for (const struct memory_point *point = ends[0]; point <= ends[1]; point++) {
        const double x = (point->bytes_per_s.value - x0) / width, y = (point->latency_s.value - from.value) / rise;
        if (is_measured(point) && x - y > deepest && point->latency_s.high < from.value + x * rise)
            knee = point, deepest = x - y;
    }
    return knee;
}

/* The highest bandwidth up to a latency; beyond the last point below it, where the line to the next point crosses it.
 */
static double bandwidth_up_to(const struct memory_series *series, double latency_s, bool *is_end) {
    double most = NAN;
    const struct memory_point *last = NULL;
    *is_end = true;
    for (size_t i = 0; i < series->count; i++) {
        const struct memory_point *point = &series->points[i];
        if (!is_measured(point))
            continue;
        const bool within = point->latency_s.value <= latency_s;
        if (within)
            most = fmax(most, point->bytes_per_s.value);
        else if (last && last->latency_s.value <= latency_s)
            most = fmax(most, memory_model_on_line(latency_s, last->latency_s.value, last->bytes_per_s.value,
                                                   point->latency_s.value, point->bytes_per_s.value));
        *is_end &= within;
        last = point;
    }
    return most;
}

/* Fewer visits have no 90 % interval. */
static bool has_interval(const struct memory_point *point) {
    return is_measured(point) && point->visits >= MEMORY_LEAST_VISITS;
}

bool memory_loaded(const struct result *result, const struct memory_series *series, struct loaded_curve *out) {
    const struct memory_point *ends[3] = {0};
    *out = (struct loaded_curve){.series = series, .idle_s = {NAN, NAN, NAN}};
    if (series->part != MEMORY_LOADED || !ends_of(series, ends))
        return false;
    const bool has_idle = ends[0]->setting >= MEMORY_IDLE;
    const struct memory_number highest = ends[2]->bytes_per_s, last = ends[1]->bytes_per_s;
    const struct memory_point *knee = knee_of(ends);
    if (has_idle)
        out->idle_s = ends[0]->latency_s;
    const double roof = roof_of(result, series);
    out->roof_is_measured = roof > 0;
    out->roof_bytes_per_s = fmax(roof, highest.value);
    for (int i = 0; i < LOADED_SHARES; i++)
        out->latency_s[i] = memory_latency_at(series, loaded_shares[i] * out->roof_bytes_per_s);
    out->knee_bytes_per_s = knee ? knee->bytes_per_s.value : NAN;
    out->knee_latency_s = knee ? knee->latency_s.value : NAN;
    const double usable = THRESHOLD->usable.value;
    bool ignored;
    out->usable_low_bytes_per_s = bandwidth_up_to(series, usable * out->idle_s.low, &ignored);
    out->usable_high_bytes_per_s = bandwidth_up_to(series, usable * out->idle_s.high, &ignored);
    out->usable_bytes_per_s = bandwidth_up_to(series, usable * out->idle_s.value, &out->usable_is_end);
    out->end_bytes_per_s = last.value;
    out->end_latency_s = ends[1]->latency_s.value;
    out->ends_at_loaders =
        !(ends[1]->setting > 0) && ((roof > 0 && highest.value < THRESHOLD->end_near_roof.value * roof) ||
                                    out->end_latency_s < THRESHOLD->end_queues.value * out->idle_s.value);
    out->falls = highest.low > last.high && has_interval(ends[1]) && has_interval(ends[2]);
    for (const struct memory_point *point = ends[0]; has_idle && has_interval(ends[0]) && point <= ends[1]; point++)
        out->latency_falls |= has_interval(point) && point->latency_s.high < out->idle_s.low;
    return true;
}

bool memory_has_small_pages(const struct memory_series *series) {
    return series->part != MEMORY_PAGES && series->page_bytes > 0 && series->page_bytes < MEMORY_UNIT_BYTES;
}

/* How well a series of parallel chases stands for its level. */
static int memory_model_rank(const struct memory_series *series) {
    return 2 * !memory_has_small_pages(series) + (series->node == series->memory_node);
}

const struct memory_series *memory_parallel_series(const struct result *result, const char *level) {
    const struct memory_series *found = NULL;
    for (size_t i = 0; i < result->memory.series_count; i++) {
        const struct memory_series *series = &result->memory.series[i];
        if (series->part == MEMORY_PARALLEL && strcmp(series->level, level) == 0 &&
            (!found || memory_model_rank(series) > memory_model_rank(found)))
            found = series;
    }
    return found;
}

/* Little's law (J. D. C. Little, A Proof for the Queuing Formula L = λW, Operations Research 9, 1961). The latency is
 * that of a chase alone: with more chases, each one waits for its turn, which is no line in flight. */
bool memory_parallel(const struct memory_series *series, unsigned line_bytes, struct parallel_curve *out) {
    *out = (struct parallel_curve){.series = series};
    if (series->part != MEMORY_PARALLEL)
        return false;
    double most = 0;
    for (size_t i = 0; i < series->count; i++) {
        const struct memory_point *point = &series->points[i];
        if (!is_measured(point))
            continue;
        if (fabs(point->setting - 1) < 0.5)
            out->latency_s = point->latency_s;
        if (point->bytes_per_s.value > out->bytes_per_s.value)
            out->bytes_per_s = point->bytes_per_s;
        most = fmax(most, point->setting);
    }
    for (size_t i = series->count; i-- > 0;)
        if (is_measured(&series->points[i]) &&
            series->points[i].bytes_per_s.value >= THRESHOLD->saturates.value * out->bytes_per_s.value)
            out->saturates_at = (unsigned)fmin(series->points[i].setting, 1e9); /* of a file */
    out->lines = out->bytes_per_s.value * out->latency_s.value / line_bytes;
    out->lines_low = out->bytes_per_s.low * out->latency_s.low / line_bytes;
    out->lines_high = out->bytes_per_s.high * out->latency_s.high / line_bytes;
    out->is_end = out->saturates_at >= THRESHOLD->still_rises.value * most;
    return out->latency_s.value > 0;
}

/* Whether a write-allocate reads the lines before they are stored: the core may evade it. */
static bool allocates(const struct pattern *pattern) {
    return pattern_reads(pattern) > pattern->loads;
}

/* The highest traffic that this memory was seen to pass for as many threads, zeros aside. What a store with
 * write-allocate requests passes in any case. */
static double highest_bus(const struct result *result, const struct memory_series *of, double threads) {
    double most = 0;
    bool zeros;
    for (size_t i = 0; i < result->memory.series_count; i++) {
        const struct memory_series *series = &result->memory.series[i];
        const struct pattern *pattern = memory_model_pattern_of(series->kernel, &zeros);
        for (size_t k = 0; k < series->count && series->part == MEMORY_WRITES && pattern && !zeros; k++)
            if (fabs(series->points[k].setting - threads) < 0.5 && series->memory_node == of->memory_node &&
                series->node == of->node)
                most = fmax(most, series->points[k].bytes_per_s.value);
    }
    for (size_t i = 0; i < result->sample_count; i++) {
        const struct sample *sample = &result->samples[i];
        if (memory_model_pattern_of(sample->kernel, &zeros) && is_of_memory(sample, of) &&
            fabs(sample->threads - threads) < 0.5)
            most = fmax(most, sample->value);
    }
    return most;
}

static struct memory_write write_of(const struct result *result, const struct memory_series *series,
                                    const struct memory_point *point, const struct pattern *pattern) {
    const double asked = point->bytes_per_s.value, allocated = asked * (bus_factor(pattern) - 1);
    struct memory_write write = {.series = series,
                                 .point = point,
                                 .bus_least_bytes_per_s = asked,
                                 .bus_most_bytes_per_s = asked,
                                 .evaded_least = NAN,
                                 .evaded_most = NAN};
    if (allocates(pattern)) {
        const double highest = fmax(asked, highest_bus(result, series, point->setting));
        write.bus_most_bytes_per_s = fmin(asked + allocated, highest);
        write.evaded_least = fmax(0, 1 - (highest - asked) / allocated);
        write.evaded_most = 1;
    }
    const double counted = point->bus_bytes_per_s.value;
    if (counted > 0)
        write.bus_least_bytes_per_s = write.bus_most_bytes_per_s = counted;
    if (counted > 0 && allocates(pattern))
        write.evaded_least = write.evaded_most = fmin(1, fmax(0, 1 - (counted - asked) / allocated));
    return write;
}

size_t memory_writes(const struct result *result, struct memory_write *out, size_t most) {
    size_t count = 0;
    for (size_t i = 0; i < result->memory.series_count; i++) {
        const struct memory_series *series = &result->memory.series[i];
        bool zeros;
        const struct pattern *pattern = memory_model_pattern_of(series->kernel, &zeros);
        if (series->part != MEMORY_WRITES || !pattern || !pattern->stores)
            continue;
        for (size_t k = 0; k < series->count && count < most; k++)
            if (series->points[k].bytes_per_s.value > 0) {
                out[count] = write_of(result, series, &series->points[k], pattern);
                out[count++].zeros = zeros;
            }
    }
    return count;
}

bool memory_is_paged(const struct memory_series *series) {
    return series->part == MEMORY_PAGES && pattern_is_chase(pattern_of_kernel(series->kernel)) &&
           strcmp(series->level, "lines") != 0;
}

const struct memory_series *memory_same_lines(const struct result *result, const struct memory_series *series) {
    const struct memory_series *found = NULL;
    for (size_t i = 0; i < result->memory.series_count; i++) {
        const struct memory_series *one = &result->memory.series[i];
        if (one->part != MEMORY_PAGES || !pattern_is_chase(pattern_of_kernel(one->kernel)))
            continue;
        if (!memory_is_paged(one))
            return one;
        if (one->page_bytes > (found ? found->page_bytes : series->page_bytes))
            found = one;
    }
    return found;
}

/* What translation adds to a load. */
struct added {
    double pages, cost_s, within_s; /* the least step that is one */
};

/* The numbers of `lines` at a setting; between two settings, a line over their logarithms. */
static bool lines_at(const struct memory_series *lines, double setting, struct memory_number *out) {
    const struct memory_point *before = NULL;
    for (size_t i = 0; i < lines->count; i++) {
        const struct memory_point *point = &lines->points[i];
        if (!(point->latency_s.value > 0) || !(point->setting > 0))
            continue;
        *out = point->latency_s;
        if (point->setting >= setting) {
            if (before && point->setting > setting)
                out->value = memory_model_on_line(log(setting), log(before->setting), before->latency_s.value,
                                                  log(point->setting), point->latency_s.value);
            return true;
        }
        before = point;
    }
    return false;
}

static size_t added_costs(const struct memory_series *series, const struct memory_series *lines, struct added *out,
                          size_t most) {
    size_t count = 0;
    for (size_t i = 0; i < series->count && count < most; i++) {
        const struct memory_number own = series->points[i].latency_s;
        struct memory_number base;
        if (own.value > 0 && series->points[i].setting > 0 && lines_at(lines, series->points[i].setting, &base))
            out[count++] =
                (struct added){series->points[i].setting, own.value - base.value,
                               fmax(THRESHOLD->step_s.value, (own.high - own.low + base.high - base.low) / 2)};
    }
    return count;
}

static double cost_near(const struct added *added, size_t count, size_t at) {
    return at + 2 < count ? sample_median_of_three(added[at].cost_s, added[at + 1].cost_s, added[at + 2].cost_s)
                          : fmin(added[at].cost_s, added[count - 1].cost_s);
}

/* The first point beyond a plateau: it and the median of the next ones are higher. */
static size_t plateau_end(const struct added *added, size_t count, size_t from, double plateau_s) {
    size_t at = from;
    while (at + 1 < count && fmin(added[at].cost_s, cost_near(added, count, at)) <= plateau_s + added[at].within_s)
        at++;
    return at + 1 < count ? at : count;
}

bool memory_reach(const struct memory_series *series, const struct memory_series *same_lines,
                  struct memory_reach *out) {
    enum { MOST_POINTS = 256, MOST_LEVELS = sizeof out->cost_s / sizeof *out->cost_s };
    struct added added[MOST_POINTS];
    *out = (struct memory_reach){.series = series, .walk_s = NAN, .walk_most_s = NAN};
    if (series->part != MEMORY_PAGES || !same_lines)
        return false;
    const size_t count = added_costs(series, same_lines, added, MOST_POINTS);
    double first_s = 0, plateau_s = 0;
    for (size_t at = 0, end; at < count; at = end) {
        while (out->level_count && at + 1 < count && added[at + 1].cost_s > added[at].cost_s + added[at].within_s)
            at++; /* still rising */
        plateau_s = cost_near(added, count, at);
        end = plateau_end(added, count, at, plateau_s);
        if (!out->level_count)
            first_s = plateau_s;
        const double cost_s = plateau_s - first_s;
        if (out->level_count == MOST_LEVELS || cost_s > THRESHOLD->tlb_hit_s.value ||
            (end == count && out->level_count > 1)) {
            if (isnan(out->walk_s))
                out->walk_s = cost_s, out->walk_within_s = added[at].within_s;
            out->walk_most_s = fmax(out->walk_most_s, cost_s);
            continue;
        }
        out->cost_s[out->level_count] = cost_s;
        out->reach_is_end[out->level_count] = end == count;
        out->reach_pages[out->level_count++] = added[end - 1].pages;
    }
    return out->level_count > 0;
}

/* How far the numbers can be trusted. */

static void trust_point(struct memory_trust *trust, struct doubts doubts) {
    const bool uncertain = doubts_has(doubts, DOUBT_UNSTABLE);
    trust->points++;
    trust->uncertain += uncertain;
    if (uncertain)
        doubts_join(&trust->doubts, doubts);
}

struct memory_trust memory_trust(const struct memory_system *memory, unsigned parts) {
    struct memory_trust trust = {.doubts = NO_DOUBTS};
    for (size_t i = 0; i < memory->series_count; i++)
        for (size_t k = 0; k < memory->series[i].count && parts >> memory->series[i].part & 1; k++)
            trust_point(&trust, memory->series[i].points[k].doubts);
    for (size_t i = 0; i < memory->pair_count && parts >> MEMORY_CORES & 1; i++)
        trust_point(&trust, memory->pairs[i].doubts);
    doubts_remove(&trust.doubts, DOUBT_UNSTABLE);
    const double share = trust.points > 0 ? (double)trust.uncertain / (double)trust.points : 0;
    if (trust.points > 0)
        trust.grade = trust.uncertain == 0                       ? 'A'
                      : share <= THRESHOLD->few_uncertain.value  ? 'B'
                      : share <= THRESHOLD->half_uncertain.value ? 'C'
                                                                 : 'D';
    return trust;
}
