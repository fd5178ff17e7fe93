/* SPDX-License-Identifier: BSD-3-Clause
 * Plans, and properties of every plan. Include cmocka.h before it. */
#pragma once

#include "asm/kernel.h"
#include "bench/kernels/doubt.h"
#include "bench/kernels/team.h"
#include "probe/error.h"
#include "fixtures.h"

static inline struct plan planned(const struct machine *m, const struct plan_options *options) {
    struct levels levels[MACHINE_MAX_KINDS];
    struct plan plan;
    struct error err;
    fixture_levels(m, levels);
    if (!plan_roofs(&plan, m, levels, options, &err))
        fail_msg("%s", err.text);
    return plan;
}

static inline void refused(const struct machine *m, const struct plan_options *options, const char *says,
                           const char *remedy) {
    struct levels levels[MACHINE_MAX_KINDS];
    struct plan plan;
    struct error err = {""};
    fixture_levels(m, levels);
    assert_false(plan_roofs(&plan, m, levels, options, &err));
    assert_contains(err.text, says);
    assert_contains(err.text, remedy);
    assert_null(plan.steps);
}

static inline bool same_place(const struct plan_step *a, const struct plan_step *b) {
    return a->level == b->level && a->threads == b->threads && a->core_kind == b->core_kind &&
           team_same_place(&a->place, &b->place) && strcmp(a->kernel, b->kernel) == 0;
}

static inline const struct plan_step *find(const struct plan *plan, const char *kernel, int level, unsigned threads) {
    for (size_t i = 0; i < plan->count; i++)
        if (strcmp(plan->steps[i].kernel, kernel) == 0 && plan->steps[i].level == level &&
            plan->steps[i].threads == threads)
            return &plan->steps[i];
    return NULL;
}

/* Checks the properties of every plan. */
static inline void check(const struct plan *plan, const struct machine *m) {
    struct levels levels[MACHINE_MAX_KINDS];
    double expected_s = 0;
    uint64_t node_bytes = plan_node_bytes(plan, m);
    fixture_levels(m, levels);
    assert_true(plan->count > 0);
    for (size_t i = 0; i < plan->count; i++) {
        const struct plan_step *s = &plan->steps[i];
        const struct levels common = plan_levels(m, levels, s->core_kind), *own = &common;
        size_t variants;
        const struct kernel *const *kernel = kernel_find(s->kernel, &variants);
        assert_non_null(kernel);
        assert_true(machine_has(m, (*kernel)->needs));
        assert_in_range(s->repetitions, 16, 1000);
        assert_true(s->expected_s > 0 && s->repetition_s > 0);
        expected_s += s->expected_s;
        for (size_t j = 0; j < i; j++)
            if (same_place(s, &plan->steps[j]))
                fail_msg("%s at level %d with %u threads of kind %d twice", s->kernel, s->level, s->threads,
                         s->core_kind);
        bool memory = s->level == (int)own->count - 1;
        assert_int_equal(s->memory, memory);
        if (strstr(s->kernel, "ntstore"))
            assert_true(memory);
        assert_int_equal(s->kind == SAMPLE_LATENCY, strcmp(s->kernel, "chase") == 0);
        if (s->kind == SAMPLE_LATENCY)
            assert_int_equal(s->threads, 1);
        if (s->level == PLAN_REGISTERS) {
            assert_int_equal(s->kind, SAMPLE_COMPUTE);
            assert_int_equal(s->size_count, 0);
            continue;
        }
        struct team team;
        struct error err;
        unsigned sharing[MACHINE_MAX_LEVELS], on_node = 0;
        assert_true(team_place(&team, m, s->core_kind, &s->place, s->threads, &err));
        for (unsigned k = 0; k + 1 < own->count; k++)
            sharing[k] = team_sharing(&team, m, own->level[k].name);
        for (unsigned t = 0; t < team.count; t++)
            on_node = team.rank_on_node[t] + 1 > on_node ? team.rank_on_node[t] + 1 : on_node;
        team_free(&team);
        struct window w = levels_window(own, (unsigned)s->level, sharing);
        const uint64_t high = s->paced && s->level > 0 ? w.high_bytes * 13 / 10 : w.high_bytes; /* 65 % of the level */
        assert_in_range(s->size_count, 1, PLAN_MAX_SIZES);
        for (unsigned k = 0; k < s->size_count; k++) {
            uint64_t bytes = s->size_bytes[k];
            assert_true(bytes >= 4096 && bytes % machine_line_bytes(m) == 0);
            assert_true((bytes + MIB(2) - 1) / MIB(2) * MIB(2) * on_node <= node_bytes);
            if (!memory && (bytes + 4096 <= w.low_bytes || bytes > high))
                fail_msg("%s, %llu bytes in %s: %llu … %llu", s->kernel, (unsigned long long)bytes,
                         own->level[s->level].name, (unsigned long long)w.low_bytes, (unsigned long long)w.high_bytes);
            if (k > 0)
                assert_true(bytes > s->size_bytes[k - 1]);
        }
        assert_false(doubts_any(doubts_without(w.doubts, s->doubts)));
    }
    assert_near(plan->expected_s, expected_s);
}

static inline size_t count_of_kind(const struct plan *plan, int kind, unsigned threads) {
    size_t count = 0;
    for (size_t i = 0; i < plan->count; i++)
        count += plan->steps[i].core_kind == kind && plan->steps[i].threads == threads;
    return count;
}
