/* SPDX-License-Identifier: BSD-3-Clause
 * Counted events → metrics of a program (see app_events.h). */
#include "app_events.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/need.h"

static const struct {
    enum metric metric;
    double element_bytes; /* the largest, if the core counts several types together */
} FLOP[] = {{METRIC_F64_FLOP, 8}, {METRIC_F32_FLOP, 4}, {METRIC_F16_FLOP, 2}, {METRIC_ANY_FLOP, 8}};
enum { FLOP_METRICS = sizeof FLOP / sizeof FLOP[0] };
static const double WORD_BYTES = 8, WIDEST_BYTES = 64;

static bool listed(const char *group, const char *event) {
    size_t length = strlen(event);
    for (const char *at = group; (at = strstr(at, event)); at += length)
        if ((at == group || at[-1] == '\n') && at[length] == '\n')
            return true;
    return false;
}

static unsigned line_count(const char *text) {
    unsigned lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

static void append(char *group, const struct event_formula *formula) {
    for (unsigned i = 0; i < formula->term_count; i++)
        if (!listed(group, formula->terms[i].event)) {
            size_t length = strlen(group);
            snprintf(group + length, APP_GROUP_BYTES - length, "%s\n", formula->terms[i].event);
        }
}

/* How many events the formula adds to the group. */
static unsigned added(const char *group, const struct event_formula *formula) {
    unsigned more = 0;
    for (unsigned i = 0; i < formula->term_count; i++)
        more += !listed(group, formula->terms[i].event);
    return more;
}

void app_events_plan(const struct event_set *set, unsigned counter_count, struct app_events *out) {
    static const enum metric METRICS[] = {METRIC_F64_FLOP, METRIC_F32_FLOP, METRIC_F16_FLOP,  METRIC_ANY_FLOP,
                                          METRIC_LOADS,    METRIC_STORES,   METRIC_TLB_MISSES};
    char group[APP_GROUP_BYTES] = "";
    out->group_count = 0;
    for (size_t i = 0; i < sizeof METRICS / sizeof METRICS[0]; i++) {
        const struct event_formula *formula = &set->metrics[METRICS[i]];
        if (*group && line_count(group) + added(group, formula) > counter_count) {
            strcpy(out->groups[out->group_count++], group);
            *group = '\0';
        }
        append(group, formula);
    }
    if (*group)
        strcpy(out->groups[out->group_count++], group);
}

/* Evaluates a formula over all runs that counted its events. */
static struct statistics evaluate(const struct event_formula *formula, size_t run_count,
                                  const struct regions_report *const *reports, const long *regions) {
    double *values = need_calloc(run_count + 1, sizeof *values);
    size_t n = 0;
    for (size_t i = 0; i < run_count && formula->term_count > 0; i++) {
        double value;
        if (regions[i] >= 0 && !reports[i]->failure[0] &&
            events_evaluate(formula, reports[i]->event_count, reports[i]->events,
                            reports[i]->regions[regions[i]].events, &value))
            values[n++] = value > 0 ? value : 0; /* a difference of events may be negative */
    }
    struct statistics out = sample_statistics(values, n);
    free(values);
    return out;
}

/* Of metrics that were counted in different runs. */
static struct statistics sum(struct statistics a, struct statistics b) {
    if (a.n == 0 || b.n == 0)
        return a.n ? a : b;
    unsigned n = a.n < b.n ? a.n : b.n;
    return (struct statistics){n, n, a.min + b.min, a.q1 + b.q1, a.median + b.median, a.q3 + b.q3, a.max + b.max};
}

static struct statistics scaled(struct statistics s, double factor) {
    return (struct statistics){s.n,           s.kept,        s.min * factor, s.q1 * factor, s.median * factor,
                               s.q3 * factor, s.max * factor};
}

/* The mean width of the arithmetic. A term's factor is its number of elements; a fused operation counts twice. */
static double mean_width_bytes(const struct event_set *set, size_t run_count,
                               const struct regions_report *const *reports, const long *regions) {
    double instructions = 0, bytes = 0;
    for (size_t m = 0; m < FLOP_METRICS; m++) {
        const struct event_formula *formula = &set->metrics[FLOP[m].metric];
        for (unsigned t = 0; t < formula->term_count; t++) {
            struct event_formula alone = {.term_count = 1, .terms = {formula->terms[t]}};
            double factor = alone.terms[0].factor, width = factor * FLOP[m].element_bytes;
            alone.terms[0].factor = 1;
            double count = factor > 0 ? evaluate(&alone, run_count, reports, regions).median : 0;
            instructions += count;
            bytes += count * (width > WIDEST_BYTES ? WIDEST_BYTES : width);
        }
    }
    return instructions > 0 ? bytes / instructions : WORD_BYTES;
}

void app_events_evaluate(const struct event_set *set, size_t run_count, const struct regions_report *const *reports,
                         const long *regions, struct app_metrics *out) {
    *out = (struct app_metrics){0};
    for (size_t i = 0; i < run_count; i++)
        out->multiplexed |= reports[i]->multiplexed;
    bool whole = true; /* no type of flop is missing */
    for (size_t m = 0; m < FLOP_METRICS; m++) {
        const struct event_formula *formula = &set->metrics[FLOP[m].metric];
        struct statistics flop = evaluate(formula, run_count, reports, regions);
        whole &= formula->term_count == 0 || flop.n > 0;
        out->flop = sum(out->flop, flop);
    }
    if (!whole)
        out->flop = (struct statistics){0};
    double width_bytes = mean_width_bytes(set, run_count, reports, regions);
    out->load_bytes = scaled(evaluate(&set->metrics[METRIC_LOADS], run_count, reports, regions), width_bytes);
    out->store_bytes = scaled(evaluate(&set->metrics[METRIC_STORES], run_count, reports, regions), width_bytes);
    out->tlb_misses = evaluate(&set->metrics[METRIC_TLB_MISSES], run_count, reports, regions);
}
