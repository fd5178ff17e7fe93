/* SPDX-License-Identifier: BSD-3-Clause
 * Counted events → metrics of a program (see app_events.h). */
#include "app_events.h"

#include <stdlib.h>
#include <string.h>

#include "probe/need.h"
#include "probe/text.h"

static const enum metric FLOP[] = {METRIC_F64_FLOP, METRIC_F32_FLOP, METRIC_F16_FLOP, METRIC_ANY_FLOP};
enum { FLOP_METRICS = sizeof FLOP / sizeof FLOP[0] };
/* Flop first: AMD's take two counters, and what fills a group worst is placed best while the groups are empty. */
static const enum metric METRICS[] = {METRIC_F64_FLOP, METRIC_F32_FLOP, METRIC_F16_FLOP,   METRIC_ANY_FLOP,
                                      METRIC_LOADS,    METRIC_STORES,   METRIC_TLB_MISSES, METRIC_WIDTH_BYTES};
enum { METRIC_KINDS = sizeof METRICS / sizeof METRICS[0] };

struct planning {
    app_events_fit *fit;
    void *context;
    bool whole; /* metrics stay together */
    struct app_events *out;
};

static bool planned(const struct app_events *events, const char *name) {
    for (size_t i = 0; i < events->event_count; i++)
        if (strcmp(events->names[i], name) == 0)
            return true;
    return false;
}

/* The names of a group, and then of those terms of the formula that no group has. */
static size_t join(const struct app_events *events, size_t group, const struct event_formula *formula,
                   char out[APP_MAX_EVENTS][96]) {
    size_t count = 0;
    for (size_t i = 0; i < events->event_count; i++)
        if (events->group[i] == group)
            memcpy(out[count++], events->names[i], sizeof out[0]);
    for (unsigned t = 0; t < formula->term_count && count < APP_MAX_EVENTS; t++)
        if (!planned(events, formula->terms[t].event))
            memcpy(out[count++], formula->terms[t].event, sizeof out[0]);
    return count;
}

static bool fits(const struct planning *plan, size_t group, const struct event_formula *formula) {
    char names[APP_MAX_EVENTS][96];
    const size_t count = join(plan->out, group, formula, names);
    return count <= REGIONS_MAX_EVENTS && plan->fit(plan->context, count, (const char(*)[96])names);
}

/* Into the first group that has room; false if not even an empty one has. */
static bool place(const struct planning *plan, const struct event_formula *formula) {
    struct app_events *out = plan->out;
    size_t group = 0;
    while (group < out->group_count && !fits(plan, group, formula))
        group++;
    if (group == out->group_count && formula->term_count > 1 && !fits(plan, group, formula))
        return false;
    for (unsigned t = 0; t < formula->term_count && out->event_count < APP_MAX_EVENTS; t++)
        if (!planned(out, formula->terms[t].event)) {
            out->group[out->event_count] = (unsigned)group;
            memcpy(out->names[out->event_count++], formula->terms[t].event, sizeof out->names[0]);
            out->group_count = group + 1 > out->group_count ? group + 1 : out->group_count;
        }
    return true;
}

static void plan_metrics(const struct planning *plan, const struct event_set *set) {
    *plan->out = (struct app_events){0};
    for (size_t m = 0; m < METRIC_KINDS; m++) {
        const struct event_formula *formula = &set->metrics[METRICS[m]];
        /* the width is a mean, which takes each event from any run */
        if (plan->whole && METRICS[m] != METRIC_WIDTH_BYTES && place(plan, formula))
            continue;
        for (unsigned t = 0; t < formula->term_count; t++)
            place(plan, &(struct event_formula){.term_count = 1, .terms = {formula->terms[t]}});
    }
}

void app_events_plan(const struct event_set *set, app_events_fit *fit, void *context, struct app_events *out) {
    struct app_events *apart = need_malloc(sizeof *apart);
    plan_metrics(&(struct planning){fit, context, true, out}, set);
    plan_metrics(&(struct planning){fit, context, false, apart}, set);
    if (apart->group_count < out->group_count)
        *out = *apart;
    free(apart);
}

char *app_events_list(const struct app_events *events, size_t group, char out[APP_GROUP_BYTES]) {
    *out = '\0';
    for (size_t i = 0; i < events->event_count; i++)
        if (events->group[i] == group)
            text_append(out, APP_GROUP_BYTES, "%s\n", events->names[i]);
    return out;
}

/* Evaluates a formula over all runs that counted all of its events. */
static struct statistics evaluate_whole(const struct event_formula *formula, size_t run_count,
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

static struct statistics turned(struct statistics s) {
    return (struct statistics){s.n, s.kept, s.max, s.q3, s.median, s.q1, s.min};
}

/* The same; if its events took turns in different runs, the sum of theirs. */
static struct statistics evaluate(const struct event_formula *formula, size_t run_count,
                                  const struct regions_report *const *reports, const long *regions) {
    struct statistics out = evaluate_whole(formula, run_count, reports, regions);
    for (unsigned t = 0, parts = out.n > 0 ? 0 : formula->term_count; t < parts; t++) {
        struct event_formula alone = {.term_count = 1, .terms = {formula->terms[t]}};
        const double factor = alone.terms[0].factor;
        alone.terms[0].factor = 1;
        const struct statistics part = evaluate_whole(&alone, run_count, reports, regions);
        if (part.n == 0)
            return part;
        out = sum(out, scaled(factor < 0 ? turned(part) : part, factor));
    }
    return out;
}

/* 0: not known. */
static double width_bytes(const struct event_set *set, size_t run_count, const struct regions_report *const *reports,
                          const long *regions) {
    const struct event_formula *formula = &set->metrics[METRIC_WIDTH_BYTES];
    double counts[EVENTS_MAX_TERMS];
    for (unsigned t = 0; t < formula->term_count; t++) {
        struct event_formula alone = {.term_count = 1, .terms = {formula->terms[t]}};
        alone.terms[0].factor = 1;
        const struct statistics count = evaluate(&alone, run_count, reports, regions);
        if (count.n == 0)
            return 0;
        counts[t] = count.median;
    }
    return events_width_bytes(set, counts);
}

void app_events_evaluate(const struct event_set *set, size_t run_count, const struct regions_report *const *reports,
                         const long *regions, struct app_metrics *out) {
    *out = (struct app_metrics){0};
    for (size_t i = 0; i < run_count; i++)
        out->multiplexed |= reports[i]->multiplexed;
    bool whole = true; /* no type of flop is missing */
    for (size_t m = 0; m < FLOP_METRICS; m++) {
        const struct event_formula *formula = &set->metrics[FLOP[m]];
        struct statistics flop = evaluate(formula, run_count, reports, regions);
        whole &= formula->term_count == 0 || flop.n > 0;
        out->flop = sum(out->flop, flop);
    }
    if (!whole)
        out->flop = (struct statistics){0};
    const struct statistics loads = evaluate(&set->metrics[METRIC_LOADS], run_count, reports, regions),
                            stores = evaluate(&set->metrics[METRIC_STORES], run_count, reports, regions);
    const double bytes = width_bytes(set, run_count, reports, regions);
    out->no_width = loads.n > 0 && stores.n > 0 && !(bytes > 0);
    if (bytes > 0) {
        out->load_bytes = scaled(loads, bytes);
        out->store_bytes = scaled(stores, bytes);
    }
    out->tlb_misses = evaluate(&set->metrics[METRIC_TLB_MISSES], run_count, reports, regions);
}
