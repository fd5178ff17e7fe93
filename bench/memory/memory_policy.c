/* SPDX-License-Identifier: BSD-3-Clause
 * The rounds of visits, and the numbers that they give. */
#include "memory_plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/kernels/doubt.h"
#include "bench/kernels/sample.h"
#include "probe/error.h"
#include "probe/need.h"
#include "probe/stop.h"

/* Readings that other programs disturbed count only if few others are left. */
enum { CLEAN_ENOUGH = 3 };

static size_t take_values(const struct memory_item *item, unsigned value, bool clean, double values[MEMORY_VISITS]) {
    size_t count = 0;
    for (unsigned i = 0; i < item->visit_count; i++)
        if (item->visits[i].of[value] > 0 && !(clean && doubts_has(item->visits[i].doubts, DOUBT_CORE_SHARED)))
            values[count++] = item->visits[i].of[value];
    return count;
}

struct memory_number memory_item_number(const struct memory_item *item, unsigned value) {
    double values[MEMORY_VISITS];
    size_t count = take_values(item, value, true, values);
    if (count < CLEAN_ENOUGH)
        count = take_values(item, value, false, values);
    if (count == 0)
        return (struct memory_number){0};
    struct memory_number out = {.value = sample_statistics(values, count).median}; /* sorts */
    sample_quantile_interval(values, count, 0.5, &out.low, &out.high);
    return out;
}

/* Too few visits, or an interval beyond the bound. */
static bool is_uncertain(const struct memory_item *item) {
    bool wide = item->visit_count < MEMORY_LEAST_VISITS;
    for (unsigned v = 0; v < MEMORY_VALUES && !wide; v++) {
        const struct memory_number number = memory_item_number(item, v);
        wide = number.high - number.low > 2 * MEMORY_BOUND * number.value;
    }
    return wide;
}

static bool memory_item_is_settled(const struct memory_item *item) {
    return item->done || item->impossible || item->visit_count == MEMORY_VISITS || !is_uncertain(item);
}

/* A full list loses its oldest readings. */
static void add_readings(struct memory_item *item, const struct memory_reading *readings, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        if (item->visit_count == MEMORY_VISITS)
            memmove(item->visits, item->visits + 1, --item->visit_count * sizeof *item->visits);
        item->visits[item->visit_count++] = readings[i];
    }
}

/* Even the smallest budget gives a measurement. */
static bool is_over(const struct memory_bench *bench, double end_s, bool visited) {
    return stop_requested(bench->stop) || (visited && bench->now_s(bench->context) >= end_s);
}

/* A part that fails leaves the others. Its items are not tried again. */
static void give_up(struct memory_plan *plan, enum memory_part part, const struct error *why) {
    char sentence[200];
    snprintf(sentence, sizeof sentence, "%.190s", why->text);
    memory_plan_omit(plan, "%s: %s", memory_part_names[part], sentence);
    for (size_t i = 0; i < plan->item_count; i++)
        plan->items[i].impossible |= plan->items[i].part == part;
}

bool memory_measure(struct memory_plan *plan, const struct memory_bench *bench, double budget_s, struct error *err) {
    const double end_s = bench->now_s(bench->context) + budget_s;
    bool all_settled = false, visited = false, failed = false;
    for (unsigned round = 0; !all_settled && !is_over(bench, end_s, visited); round++) {
        all_settled = true;
        for (size_t i = 0; i < plan->item_count && !is_over(bench, end_s, visited); i++) {
            struct memory_item *item = &plan->items[i];
            if (memory_item_is_settled(item))
                continue;
            struct memory_reading readings[MEMORY_AT_ONCE];
            unsigned count = 0;
            if (bench->progress)
                bench->progress(bench->context, plan, i, round);
            if (!bench->visit(bench->context, plan, item, readings, &count, err)) {
                give_up(plan, item->part, err);
                failed = true;
                continue;
            }
            item->impossible = count == 0;
            add_readings(item, readings, count);
            all_settled &= memory_item_is_settled(item);
            visited |= count > 0;
        }
    }
    return visited || !failed;
}

struct memory_progress memory_plan_progress(const struct memory_plan *plan) {
    struct memory_progress out = {0};
    for (size_t i = 0; i < plan->item_count; i++) {
        const struct memory_item *item = &plan->items[i];
        if (item->impossible)
            continue;
        out.wanted++;
        out.visited += item->done || item->visit_count > 0;
        out.settled += memory_item_is_settled(item);
    }
    return out;
}

/* From the plan to the memory system, and back. */

const char *const memory_part_names[] = {"loaded", "mlp", "cores", "writes", "pages", NULL};

void memory_system_free(struct memory_system *memory) {
    for (size_t i = 0; i < memory->series_count; i++)
        free(memory->series[i].points);
    free(memory->series);
    free(memory->pairs);
    *memory = (struct memory_system){0};
}

/* The doubts of more than half of the visits, and one about the interval. */
static struct doubts item_doubts(const struct memory_item *item, struct doubts known) {
    for (unsigned d = 0; d < DOUBT_COUNT; d++) {
        unsigned with = 0;
        for (unsigned i = 0; i < item->visit_count; i++)
            with += doubts_has(item->visits[i].doubts, (enum doubt_id)d);
        doubts_add_if(&known, 2 * with > item->visit_count, (enum doubt_id)d);
    }
    doubts_add_if(&known, is_uncertain(item), DOUBT_UNSTABLE);
    return known;
}

static bool same_series(const struct memory_series *a, const struct memory_series *b) {
    return a->part == b->part && strcmp(a->level, b->level) == 0 && strcmp(a->kernel, b->kernel) == 0 &&
           a->threads == b->threads && a->node == b->node && a->memory_node == b->memory_node &&
           a->page_bytes == b->page_bytes;
}

static struct memory_series *find_series(const struct memory_system *memory, const struct memory_series *like) {
    for (size_t i = 0; i < memory->series_count; i++)
        if (same_series(&memory->series[i], like))
            return &memory->series[i];
    return NULL;
}

static struct memory_point *find_point(const struct memory_series *series, double setting) {
    for (size_t i = 0; series && i < series->count; i++)
        if (series->points[i].setting == setting)
            return &series->points[i];
    return NULL;
}

static int by_cpus(const void *a, const void *b) {
    const struct handover *p = a, *q = b;
    return p->first != q->first ? (p->first > q->first) - (p->first < q->first)
                                : (p->second > q->second) - (p->second < q->second);
}

/* Among the first `count` pairs, which are sorted, as in files. */
static struct handover *find_pair(const struct memory_system *memory, size_t count, const struct handover *like) {
    return count > 0 ? bsearch(like, memory->pairs, count, sizeof *memory->pairs, by_cpus) : NULL;
}

void memory_plan_resume(struct memory_plan *plan, const struct memory_system *held) {
    for (size_t i = 0; i < plan->item_count; i++) {
        struct memory_item *item = &plan->items[i];
        if (item->part == MEMORY_CORES) {
            const struct handover *pair = find_pair(held, held->pair_count, &plan->pairs[item->subject]);
            item->done = pair && pair->swap_s[0].value > 0 && !doubts_has(pair->doubts, DOUBT_UNSTABLE);
            continue;
        }
        const struct memory_point *point =
            find_point(find_series(held, &plan->subjects[item->subject].series), item->setting);
        item->done = point && !doubts_has(point->doubts, DOUBT_UNSTABLE);
    }
}

static void keep_point(const struct memory_subject *subject, const struct memory_item *item,
                       struct memory_system *out) {
    struct memory_series *series = find_series(out, &subject->series);
    if (!series) {
        out->series = need_realloc(out->series, (out->series_count + 1) * sizeof *out->series);
        series = &out->series[out->series_count++];
        *series = subject->series;
    }
    struct memory_point *point = find_point(series, item->setting);
    if (!point) { /* in the order of measuring: from idle to full load, by rising setting */
        series->points = need_realloc(series->points, (series->count + 1) * sizeof *series->points);
        const bool falls = subject->series.part == MEMORY_LOADED;
        size_t at = series->count++;
        while (at > 0 && (series->points[at - 1].setting > item->setting) != falls)
            series->points[at] = series->points[at - 1], at--;
        point = &series->points[at];
    } else if (item->visit_count < point->visits && !memory_item_is_settled(item)) {
        return; /* an earlier measurement knows more */
    }
    *point = (struct memory_point){.setting = item->setting,
                                   .latency_s = memory_item_number(item, 0),
                                   .bytes_per_s = memory_item_number(item, 1),
                                   .bus_bytes_per_s = memory_item_number(item, 2),
                                   .visits = item->visit_count,
                                   .doubts = item_doubts(item, subject->doubts)};
}

static void keep_pair(const struct memory_plan *plan, const struct memory_item *item, size_t sorted,
                      struct memory_system *out) {
    struct handover pair = plan->pairs[item->subject], *held = find_pair(out, sorted, &pair);
    for (unsigned i = 0; i < 2; i++) {
        pair.swap_s[i] = memory_item_number(item, i);
        pair.store_s[i] = memory_item_number(item, 2 + i);
    }
    pair.doubts = item_doubts(item, NO_DOUBTS);
    if (!held) {
        out->pairs = need_realloc(out->pairs, (out->pair_count + 1) * sizeof *out->pairs);
        held = &out->pairs[out->pair_count++];
    }
    *held = pair;
}

void memory_plan_keep(const struct memory_plan *plan, struct memory_system *out) {
    const size_t sorted = out->pair_count;
    for (size_t i = 0; i < plan->item_count; i++) {
        const struct memory_item *item = &plan->items[i];
        if (item->visit_count == 0)
            continue;
        if (item->part == MEMORY_CORES)
            keep_pair(plan, item, sorted, out);
        else
            keep_point(&plan->subjects[item->subject], item, out);
    }
    if (out->pair_count > 0)
        qsort(out->pairs, out->pair_count, sizeof *out->pairs, by_cpus);
    if (plan->pairs_in_all > 0)
        out->pairs_planned = plan->pairs_in_all;
    snprintf(out->omitted, sizeof out->omitted, "%s", plan->omitted);
}
