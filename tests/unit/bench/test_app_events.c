/* SPDX-License-Identifier: BSD-3-Clause
 * Programs by the cores' counters, on simulated cores: what each event counts of a known loop, and how many events a
 * kernel takes at once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/programs/app_events.h"
#include "tests/support/fixtures.h"

static void find(const char *pmu, struct event_set *out) {
    events_find(&(struct cpu_identity){.vendor = "nobody"}, pmu, out);
}

static bool starts(const char *name, const char *with) {
    return strncmp(name, with, strlen(with)) == 0;
}

/* A triad, a[i] = b[i] + s * c[i]: per fused multiply-add two loads and a store of its width. */
struct triad {
    unsigned element_bytes, bytes; /* of a vector; of a scalar both are the same */
};
enum { TRIADS = 1000 };

/* "512B_PACKED_DOUBLE", "SCALAR_SINGLE", …: Intel's name of the triad's arithmetic. */
static void intel_width(struct triad triad, char out[32]) {
    const char *type = triad.element_bytes == 8 ? "DOUBLE" : triad.element_bytes == 4 ? "SINGLE" : "HALF";
    if (triad.bytes == triad.element_bytes)
        snprintf(out, 32, "SCALAR_%s", type);
    else
        snprintf(out, 32, "%uB_PACKED_%s", 8 * triad.bytes, type);
}

/* What an event counts of it, by its documented meaning (probe/events/events.c names the sources). */
static double simulate(const char *event, struct triad triad) {
    const double lanes = triad.bytes / (double)triad.element_bytes;
    const bool scalar = triad.bytes == triad.element_bytes;
    char width[32];
    const char *umask = strchr(event, ':') ? strchr(event, ':') + 1 : "";
    intel_width(triad, width);
    if (strstr(umask, "LOADS") || starts(umask, "LD_DISPATCH"))
        return 2 * TRIADS;
    if (strstr(umask, "STORES") || starts(umask, "STORE_DISPATCH"))
        return TRIADS;
    if (starts(event, "FP_ARITH_INST_RETIRED")) /* a fused one counts twice */
        return strcmp(umask, width) == 0 ? 2 * TRIADS : 0;
    if (starts(event, "RETIRED_SSE_AVX_FLOPS"))
        return 2 * TRIADS * lanes;
    if (starts(event, "RETIRED_SSE_AVX_OPERATIONS"))
        return starts(umask, triad.element_bytes == 8 ? "DP" : "SP") ? 2 * TRIADS * lanes : 0;
    snprintf(width, sizeof width, scalar ? "SCALAR_UOPS_RETIRED" : "PACK%u_UOPS_RETIRED", 8 * triad.bytes);
    return starts(event, "RETIRED_FP_OPS_BY_WIDTH") && strcmp(umask, width) == 0 ? TRIADS : 0;
}

static struct app_metrics measure(const struct event_set *set, struct triad triad) {
    struct region_times region = {.name = ""};
    struct regions_report report = {.region_count = 1, .regions = &region};
    struct app_metrics out;
    for (unsigned m = 0; m <= METRIC_WIDTH_BYTES; m++)
        for (unsigned t = 0; t < set->metrics[m].term_count; t++) {
            const char *event = set->metrics[m].terms[t].event, *colons = strstr(event, "::");
            assert_true(report.event_count < REGIONS_MAX_EVENTS);
            region.events[report.event_count] = simulate(colons ? colons + 2 : event, triad);
            strcpy(report.events[report.event_count++], event);
        }
    app_events_evaluate(set, 1, (const struct regions_report *[]){&report}, (long[]){0}, &out);
    return out;
}

static void bytes_are_true_or_missing(void **state) {
    (void)state;
    static const struct {
        const char *pmu;
        bool scalars, vectors; /* whether it can tell their bytes */
        unsigned widest_bytes;
    } CORES[] = {
        {"amd64_fam17h_zen1", false, false, 32},
        {"amd64_fam17h_zen2", false, false, 32},
        {"amd64_fam19h_zen3", false, false, 32},
        {"amd64_fam19h_zen4", false, true, 64}, /* scalars of f64 and f32 are one event */
        {"amd64_fam1ah_zen5", false, true, 64},
        {"hsw", false, false, 32}, /* no flop either */
        {"skl", true, true, 32},
        {"spr", true, true, 64},
        {"adl_glc", true, true, 32},
        {"", false, false, 32}, /* PAPI's presets */
    };
    for (size_t i = 0; i < sizeof CORES / sizeof CORES[0]; i++) {
        struct event_set set;
        find(CORES[i].pmu, &set);
        for (unsigned element = strcmp(CORES[i].pmu, "spr") == 0 ? 2 : 4; element <= 8; element *= 2)
            for (unsigned bytes = element; bytes <= CORES[i].widest_bytes; bytes = bytes == element ? 16 : bytes * 2) {
                const struct app_metrics metrics = measure(&set, (struct triad){element, bytes});
                const bool known = bytes == element ? CORES[i].scalars : CORES[i].vectors;
                if (metrics.load_bytes.n != known || metrics.store_bytes.n != known || metrics.no_width == known)
                    fail_msg("%s, f%u, %u B: bytes %s", CORES[i].pmu, 8 * element, bytes, known ? "lack" : "are told");
                if (*CORES[i].pmu && strcmp(CORES[i].pmu, "hsw") != 0)
                    assert_near(metrics.flop.median, 2. * TRIADS * bytes / element);
                if (known) {
                    assert_near(metrics.load_bytes.median, 2. * TRIADS * bytes);
                    assert_near(metrics.flop.median / (metrics.load_bytes.median + metrics.store_bytes.median),
                                2 / (3. * element));
                }
            }
    }
}

/* A few scalars do not matter, many do. */
static void scalars_of_unknown_type(void **state) {
    (void)state;
    struct event_set set;
    find("amd64_fam19h_zen4", &set);
    assert_true(set.f32_like_f64);
    assert_near(events_width_bytes(&set, (double[]){10, 0, 0, 990}), (10 * 6 + 990 * 64) / 1000.);
    assert_near(events_width_bytes(&set, (double[]){500, 0, 0, 500}), 0);
    assert_near(events_width_bytes(&set, (double[]){0, 0, 0, 0}), 0);
    find("skl", &set);
    assert_false(set.f32_like_f64);
    assert_near(events_width_bytes(&set, (double[]){500, 500, 0, 0, 0, 0}), 6);
}

/* What a kernel takes at once: general counters, of which some are in use, and fixed ones beside them. */
struct counter_model {
    const char *pmu;
    unsigned counters, in_use;
    const char *pairs; /* events that begin so take two */
};

static unsigned weight(const struct counter_model *model, const char *name) {
    const bool fixed = starts(name, "INST_RETIRED") || starts(name, "CPU_CLK_UNHALTED");
    return fixed ? 0 : model->pairs && starts(name, model->pairs) ? 2 : 1;
}

static bool model_fits(void *context, size_t count, const char (*names)[96]) {
    const struct counter_model *model = context;
    unsigned taken = model->in_use;
    for (size_t i = 0; i < count; i++)
        taken += weight(model, names[i]);
    return taken <= model->counters;
}

/* Each group fits, all events have one, and fewer groups have too few counters. */
static void assert_planned(const struct counter_model *model, const struct event_set *set) {
    struct app_events plan;
    app_events_plan(set, model_fits, (void *)(uintptr_t)model, &plan);
    unsigned needed = 0, free_counters = model->counters - model->in_use;
    for (size_t g = 0; g < plan.group_count; g++) {
        char names[APP_MAX_EVENTS][96];
        size_t count = 0;
        for (size_t i = 0; i < plan.event_count; i++)
            if (plan.group[i] == g) {
                memcpy(names[count++], plan.names[i], sizeof names[0]);
                needed += weight(model, plan.names[i]);
            }
        if (count == 0 || !model_fits((void *)(uintptr_t)model, count, (const char(*)[96])names))
            fail_msg("%s, %u - %u counters: group %zu does not fit", model->pmu, model->counters, model->in_use, g);
    }
    if (plan.group_count > (needed + free_counters - 1) / free_counters)
        fail_msg("%s, %u - %u counters: %zu groups for %u events", model->pmu, model->counters, model->in_use,
                 plan.group_count, needed);
    for (unsigned m = 0; m <= METRIC_TLB_MISSES; m++)
        for (unsigned t = 0; t < set->metrics[m].term_count; t++) {
            size_t i = 0;
            while (i < plan.event_count && strcmp(plan.names[i], set->metrics[m].terms[t].event) != 0)
                i++;
            assert_true(i < plan.event_count);
        }
}

/* General counters of a thread: Intel has 8 of a core before Ice Lake, 4 of each thread with hyper-threading, and 8 of
 * each thread since (Intel's SDM, volume 3, chapter 21); AMD has 6 (PPRs, PMCx000 to 005), pairs of them for event 3
 * (Linux, amd_is_pair_event_code()), and no fixed ones, so that the NMI watchdog takes one. */
static void every_group_fits(void **state) {
    (void)state;
    static const char AMD[] = "RETIRED_SSE_AVX_";
    static const struct counter_model MODELS[] = {
        {"snb", 8, 0, NULL},
        {"snb", 4, 0, NULL},
        {"ivb_ep", 4, 0, NULL},
        {"hsw", 4, 0, NULL},
        {"bdw", 4, 0, NULL},
        {"skl", 4, 0, NULL},
        {"skl", 4, 1, NULL},
        {"skx", 8, 0, NULL},
        {"skx", 4, 0, NULL},
        {"skx", 4, 1, NULL}, /* four events of one metric on three counters */
        {"clx", 4, 0, NULL},
        {"icl", 8, 0, NULL},
        {"icx", 8, 0, NULL},
        {"spr", 8, 0, NULL},
        {"spr", 8, 1, NULL},
        {"emr", 8, 0, NULL},
        {"gnr", 8, 0, NULL},
        {"adl_glc", 8, 0, NULL},
        {"amd64_fam17h_zen1", 6, 0, AMD},
        {"amd64_fam17h_zen1", 6, 1, AMD},
        {"amd64_fam17h_zen2", 6, 0, AMD},
        {"amd64_fam17h_zen2", 6, 1, AMD},
        {"amd64_fam19h_zen3", 6, 1, AMD},
        {"amd64_fam19h_zen4", 6, 0, AMD},
        {"amd64_fam19h_zen4", 6, 1, AMD},
        {"amd64_fam1ah_zen5", 6, 0, AMD},
        {"amd64_fam1ah_zen5", 6, 1, AMD},
    };
    for (size_t i = 0; i < sizeof MODELS / sizeof MODELS[0]; i++) {
        struct event_set set;
        find(MODELS[i].pmu, &set);
        assert_planned(&MODELS[i], &set);
    }
}

/* Flop of two types and loads and stores: seven events. */
static void events_take_turns(void **state) {
    (void)state;
    struct event_set set = {.core = "Made-up"};
    set.metrics[METRIC_F64_FLOP] =
        (struct event_formula){.term_count = 3, .terms = {{"F64:S", 1}, {"F64:256", 4}, {"F64:512", 8}}};
    set.metrics[METRIC_F32_FLOP] = (struct event_formula){.term_count = 2, .terms = {{"F32:S", 1}, {"F32:512", 16}}};
    set.metrics[METRIC_LOADS] = (struct event_formula){.term_count = 1, .terms = {{"LOADS", 1}}};
    set.metrics[METRIC_STORES] = (struct event_formula){.term_count = 1, .terms = {{"STORES", 1}}};
    static const struct {
        struct counter_model model;
        const char *groups[8];
    } rows[] = {
        {{"", 8, 0, NULL}, {"F64:S\nF64:256\nF64:512\nF32:S\nF32:512\nLOADS\nSTORES\n"}},
        {{"", 6, 0, NULL}, {"F64:S\nF64:256\nF64:512\nF32:S\nF32:512\nLOADS\n", "STORES\n"}},
        {{"", 4, 0, NULL}, {"F64:S\nF64:256\nF64:512\nLOADS\n", "F32:S\nF32:512\nSTORES\n"}},
        {{"", 2, 0, NULL}, {"F64:S\nF64:256\n", "F64:512\nLOADS\n", "F32:S\nF32:512\n", "STORES\n"}},
        {{"", 0, 0, NULL}, {"F64:S\n", "F64:256\n", "F64:512\n", "F32:S\n", "F32:512\n", "LOADS\n", "STORES\n"}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct app_events events;
        char list[APP_GROUP_BYTES];
        app_events_plan(&set, model_fits, (void *)(uintptr_t)&rows[i].model, &events);
        for (size_t g = 0; g < sizeof rows[0].groups / sizeof *rows[0].groups && rows[i].groups[g]; g++) {
            assert_true(g < events.group_count);
            assert_string_equal(app_events_list(&events, g, list), rows[i].groups[g]);
        }
        assert_null(rows[i].groups[events.group_count]);
    }
    set.metrics[METRIC_TLB_MISSES] =
        (struct event_formula){.term_count = 2, .terms = {{"INST_RETIRED:ANY", 1}, {"CPU_CLK_UNHALTED:X", 1}}};
    struct app_events events;
    app_events_plan(&set, model_fits, &(struct counter_model){"", 7, 0, NULL}, &events);
    assert_int_equal(events.group_count, 1); /* fixed counters come beside the others */
    assert_int_equal(events.event_count, 9);
    app_events_plan(&(struct event_set){.core = ""}, model_fits, &(struct counter_model){"", 8, 0, NULL}, &events);
    assert_int_equal(events.group_count, 0);
}

/* Four metrics of three events each on four counters: apart they take three runs, together four. */
static void metrics_are_split_if_that_saves_a_run(void **state) {
    (void)state;
    static const enum metric METRICS[] = {METRIC_F64_FLOP, METRIC_F32_FLOP, METRIC_LOADS, METRIC_STORES};
    struct event_set set = {.core = "Made-up"};
    for (unsigned m = 0; m < 4; m++) {
        set.metrics[METRICS[m]].term_count = 3;
        for (unsigned t = 0; t < 3; t++)
            snprintf(set.metrics[METRICS[m]].terms[t].event, sizeof set.metrics[0].terms[0].event, "E%u:%u", m, t);
    }
    assert_planned(&(struct counter_model){"", 4, 0, NULL}, &set);
}

/* A metric whose events do not fit one run is the sum of theirs. */
static void parts_of_a_metric_add_up(void **state) {
    (void)state;
    struct event_set set = {.core = "Made-up"};
    set.metrics[METRIC_ANY_FLOP] = (struct event_formula){.term_count = 3, .terms = {{"A", 2}, {"B", 4}, {"C", -1}}};
    struct region_times regions[3] = {{.events = {100}}, {.events = {10}}, {.events = {40}}};
    struct regions_report reports[3];
    const struct regions_report *all[3];
    for (unsigned i = 0; i < 3; i++) {
        reports[i] = (struct regions_report){.region_count = 1, .regions = &regions[i], .event_count = 1};
        snprintf(reports[i].events[0], sizeof reports[i].events[0], "%c", 'A' + i);
        all[i] = &reports[i];
    }
    struct app_metrics metrics;
    app_events_evaluate(&set, 3, all, (long[]){0, 0, 0}, &metrics);
    assert_near(metrics.flop.median, 2 * 100 + 4 * 10 - 40);
    app_events_evaluate(&set, 2, all, (long[]){0, 0, 0}, &metrics);
    assert_int_equal(metrics.flop.n, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_are_true_or_missing),
        cmocka_unit_test(scalars_of_unknown_type),
        cmocka_unit_test(every_group_fits),
        cmocka_unit_test(events_take_turns),
        cmocka_unit_test(metrics_are_split_if_that_saves_a_run),
        cmocka_unit_test(parts_of_a_metric_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
