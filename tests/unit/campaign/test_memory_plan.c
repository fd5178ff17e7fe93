/* SPDX-License-Identifier: BSD-3-Clause
 * Plans of the memory system for machines that nobody has at hand, and the rounds of visits on simulated ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "asm/pattern.h"
#include "bench/memory/memory_plan.h"
#include "tests/support/chance.h"
#include "tests/support/fixtures.h"

static const bool ALL[MEMORY_PARTS] = {true, true, true, true, true};

static struct memory_plan plan_of(const struct machine *m, const bool parts[MEMORY_PARTS]) {
    struct levels levels[MACHINE_MAX_KINDS];
    struct memory_plan plan;
    struct error err;
    fixture_levels(m, levels);
    if (!memory_plan_make(&plan, m, levels, parts, &err))
        fail_msg("%s", err.text);
    return plan;
}

/* Subjects of a part in a level; NULL: any. */
static size_t count_subjects(const struct memory_plan *plan, enum memory_part part, const char *level) {
    size_t count = 0;
    for (size_t i = 0; i < plan->subject_count; i++)
        count +=
            plan->subjects[i].series.part == part && (!level || strcmp(plan->subjects[i].series.level, level) == 0);
    return count;
}

static void every_part_of_a_socket(void **state) {
    (void)state;
    struct machine m = fixture_machine(8, FIXTURE_AVX2);
    m.memory_available_bytes = MIB(8192);
    struct memory_plan plan = plan_of(&m, ALL);
    assert_int_equal(count_subjects(&plan, MEMORY_LOADED, "DRAM"), 4);
    assert_int_equal(count_subjects(&plan, MEMORY_LOADED, "L3"), 3); /* non-temporal stores leave it */
    assert_int_equal(count_subjects(&plan, MEMORY_PARALLEL, NULL), 3);
    assert_int_equal(plan.pair_count, 8 * 7 / 2);
    for (size_t i = 0; i < plan.subject_count; i++) {
        const struct memory_subject *subject = &plan.subjects[i];
        if (subject->series.part != MEMORY_LOADED)
            continue;
        assert_int_equal(subject->loader_count, 7);
        for (unsigned k = 0; k < subject->loader_count; k++)
            assert_int_not_equal(subject->loaders[k], subject->core);
        if (subject->memory) /* beyond all caches */
            assert_true(subject->loader_bytes * 8 >= 3 * m.kinds[0].caches[2].size_bytes);
    }
    assert_string_equal(plan.omitted, "");
    memory_plan_free(&plan);
    machine_free(&m);
}

/* Idle first, full load last, and fine steps between. */
static void loads_rise_in_small_steps(void **state) {
    (void)state;
    struct machine m = fixture_machine(2, FIXTURE_AVX2);
    struct memory_plan plan = plan_of(&m, (const bool[MEMORY_PARTS]){[MEMORY_LOADED] = true});
    double before = 0;
    size_t steps = 0;
    for (size_t i = 0; i < plan.item_count && plan.items[i].subject == 0; i++, steps++) {
        const double noops = plan.items[i].setting;
        assert_true(i == 0 ? noops == MEMORY_IDLE : noops < before);
        if (i > 1 && noops > 0)
            assert_true(noops > before / 1.4);
        before = noops;
    }
    assert_true(before == 0 && steps > 20);
    memory_plan_free(&plan);
    machine_free(&m);
}

static void what_cannot_be_measured_is_said(void **state) {
    (void)state;
    struct machine m = fixture_machine(1, FIXTURE_AVX2);
    struct levels levels[MACHINE_MAX_KINDS];
    struct memory_plan plan;
    struct error err;
    fixture_levels(&m, levels);
    assert_true(memory_plan_make(&plan, &m, levels, ALL, &err));
    assert_contains(plan.omitted, "there is one core");
    assert_contains(plan.omitted, "this process may use one CPU");
    assert_true(count_subjects(&plan, MEMORY_PARALLEL, NULL) > 0 && count_subjects(&plan, MEMORY_PAGES, NULL) > 0);
    memory_plan_free(&plan);
    assert_false(memory_plan_make(&plan, &m, levels, (const bool[MEMORY_PARTS]){[MEMORY_CORES] = true}, &err));
    assert_contains(err.text, "one CPU");
    memory_plan_free(&plan);
    m.memory_available_bytes = MIB(50); /* too little for several huge pages */
    assert_true(memory_plan_make(&plan, &m, levels, ALL, &err));
    assert_contains(plan.omitted, "Pages of 2 MiB: 50 MiB of memory are free");
    memory_plan_free(&plan);
    machine_free(&m);
}

/* Two sockets of 96 cores with two CPUs each. */
static struct machine large_machine(void) {
    struct machine m;
    struct error err;
    setenv("HWLOC_SYNTHETIC",
           "pack:2 [numa(memory=384GiB)] l3:12(size=32MiB) l2:8(size=1MiB) l1d:1(size=48KiB) core:1 pu:2", 1);
    const bool done = machine_load(&m, NULL, &err);
    unsetenv("HWLOC_SYNTHETIC");
    if (!done)
        fail_msg("%s", err.text);
    m.cpu.features |= FIXTURE_AVX2;
    return m;
}

static void a_large_machine_takes_less_than_ten_minutes(void **state) {
    (void)state;
    struct machine m = large_machine();
    assert_int_equal(m.core_count, 192);
    struct memory_plan plan = plan_of(&m, ALL);
    assert_true(plan.expected_s < 600);
    assert_int_equal(plan.pairs_in_all, 192 * 191 / 2 + 192);
    assert_int_equal(plan.pair_count, plan.pairs_in_all);
    size_t shares[3] = {0}; /* same core, same L3, and other packages */
    for (size_t i = 0; i < plan.pair_count; i++) {
        shares[0] += strcmp(plan.pairs[i].shares, "core") == 0;
        shares[1] += strcmp(plan.pairs[i].shares, "L3") == 0;
        shares[2] += strcmp(plan.pairs[i].shares, "machine") == 0;
        assert_true(plan.pairs[i].first < plan.pairs[i].second);
    }
    assert_int_equal(shares[0], 192);
    assert_int_equal(shares[1], 24 * 8 * 7 / 2);
    assert_int_equal(shares[2], 96 * 96);
    bool *seen = calloc(plan.pair_count, sizeof *seen); /* each pair is an item, and early ones are of all sorts */
    size_t early[3] = {0}, number = 0;
    for (size_t i = 0; i < plan.item_count; i++)
        if (plan.items[i].part == MEMORY_CORES) {
            const struct handover *pair = &plan.pairs[plan.items[i].subject];
            assert_false(seen[plan.items[i].subject]);
            seen[plan.items[i].subject] = true;
            early[strcmp(pair->shares, "core") == 0 ? 0 : strcmp(pair->shares, "L3") == 0 ? 1 : 2] += number++ < 1000;
        }
    assert_int_equal(number, plan.pair_count);
    assert_true(early[0] > 3 && early[1] > 15 && early[2] > 500);
    free(seen);
    memory_plan_free(&plan);
    machine_free(&m);
}

/* From every node to every node with loads; all patterns in the first node from its own cores. */
static void nodes_are_loaded_by_their_own_cores(void **state) {
    (void)state;
    struct machine m = large_machine();
    struct memory_plan plan = plan_of(&m, (const bool[MEMORY_PARTS]){[MEMORY_LOADED] = true});
    size_t own = 0, other = 0;
    for (size_t i = 0; i < plan.subject_count; i++) {
        const struct memory_subject *subject = &plan.subjects[i];
        if (!subject->memory)
            continue;
        const bool remote = subject->series.node != subject->series.memory_node;
        assert_int_equal(subject->loader_count, remote ? 96 : 95);
        for (unsigned k = 0; k < subject->loader_count; k++)
            assert_int_equal(m.cores[subject->loaders[k]].node, subject->memory_node);
        assert_int_equal(m.cores[subject->core].node == subject->memory_node, !remote);
        own += !remote, other += remote;
    }
    assert_int_equal(own, 4 + 1);
    assert_int_equal(other, 2);
    memory_plan_free(&plan);
    machine_free(&m);
}

/* A machine whose memory is a queue with random arrivals and a fixed service time: the mean wait of M/D/1 is half of
 * M/M/1's (L. Kleinrock, Queueing Systems I, section 5.6). */
struct simulated {
    double now_s, noise, disturbed_share;
    unsigned long visits, longest_item_visits;
    bool impossible, fails; /* stores cannot be measured; loaders cannot start */
    double idle_s, service_s, burst_s;
};

static double latency_of(const struct simulated *s, double load) {
    return s->idle_s + s->service_s * load / (2 * (1 - load));
}

static double load_of(const struct simulated *s, double noops) {
    return noops >= MEMORY_IDLE ? 0 : 0.95 * s->burst_s / (s->burst_s + noops * 0.07e-9);
}

static bool simulated_visit(void *context, const struct memory_plan *plan, const struct memory_item *item,
                            struct memory_reading readings[MEMORY_AT_ONCE], unsigned *count, struct error *err) {
    struct simulated *s = context;
    (void)plan;
    s->visits++;
    if (s->fails && item->part == MEMORY_LOADED)
        return error_set(err, "no thread can start");
    s->now_s += item->visit_s;
    *count = item->part == MEMORY_CORES ? MEMORY_AT_ONCE : 1;
    if (item->part == MEMORY_WRITES && s->impossible)
        *count = 0;
    for (unsigned i = 0; i < *count; i++) {
        const bool disturbed = chance_uniform(0, 1) < s->disturbed_share;
        const double wrong = (1 + s->noise * chance_normal()) * (disturbed ? 3 : 1), load = load_of(s, item->setting);
        readings[i] = (struct memory_reading){.of = {latency_of(s, load) * wrong, 64 / s->service_s * load / wrong}};
        doubts_add_if(&readings[i].doubts, disturbed, DOUBT_CORE_SHARED);
    }
    return true;
}

static double simulated_now_s(void *context) {
    return ((struct simulated *)context)->now_s;
}

static struct memory_bench bench_of(struct simulated *s) {
    return (struct memory_bench){.context = s, .visit = simulated_visit, .now_s = simulated_now_s};
}

static const struct simulated QUIET = {.noise = 0.005, .idle_s = 100e-9, .service_s = 2e-9, .burst_s = 20e-9};

static const struct memory_series *series_of(const struct memory_system *memory, enum memory_part part) {
    for (size_t i = 0; i < memory->series_count; i++)
        if (memory->series[i].part == part)
            return &memory->series[i];
    fail_msg("there is no series of %s", memory_part_names[part]);
    return NULL;
}

static void numbers_are_medians_of_visits(void **state) {
    (void)state;
    struct machine m = fixture_machine(4, FIXTURE_AVX2);
    struct memory_plan plan = plan_of(&m, ALL);
    struct simulated s = QUIET;
    struct memory_bench bench = bench_of(&s);
    struct memory_system memory = {0};
    struct error err;
    assert_true(memory_measure(&plan, &bench, 1000, &err));
    assert_int_equal(s.visits, (plan.item_count - plan.pair_count) * MEMORY_LEAST_VISITS + plan.pair_count);
    memory_plan_keep(&plan, &memory);
    const struct memory_series *loaded = series_of(&memory, MEMORY_LOADED);
    for (size_t i = 0; i < loaded->count; i++) {
        const struct memory_point *point = &loaded->points[i];
        const double expected_s = latency_of(&s, load_of(&s, point->setting));
        assert_true(fabs(point->latency_s.value / expected_s - 1) < 0.02);
        assert_true(point->latency_s.low <= point->latency_s.value && point->latency_s.value <= point->latency_s.high);
        assert_false(doubts_has(point->doubts, DOUBT_UNSTABLE));
        assert_int_equal(point->visits, MEMORY_LEAST_VISITS);
        assert_true(i == 0 ? point->setting == MEMORY_IDLE : point->setting < loaded->points[i - 1].setting);
    }
    const struct memory_series *parallel = series_of(&memory, MEMORY_PARALLEL);
    for (size_t i = 0; i < parallel->count; i++)
        assert_true(parallel->points[i].setting == pattern_chases[i]);
    assert_int_equal(memory.pair_count, 6);
    assert_int_equal(memory.pairs_planned, 6);
    for (size_t i = 1; i < memory.pair_count; i++)
        assert_true(memory.pairs[i - 1].first < memory.pairs[i].first ||
                    memory.pairs[i - 1].second < memory.pairs[i].second);
    memory_system_free(&memory);
    memory_plan_free(&plan);
    machine_free(&m);
}

/* A third of the visits is disturbed threefold, and known to be. */
static void disturbed_visits_count_only_if_there_are_few_others(void **state) {
    (void)state;
    struct machine m = fixture_machine(2, FIXTURE_AVX2);
    struct memory_plan plan = plan_of(&m, (const bool[MEMORY_PARTS]){[MEMORY_PARALLEL] = true});
    struct simulated s = QUIET;
    struct memory_bench bench = bench_of(&s);
    struct error err;
    s.disturbed_share = 0.33;
    assert_true(memory_measure(&plan, &bench, 1000, &err));
    for (size_t i = 0; i < plan.item_count; i++) {
        const double expected_s = latency_of(&s, load_of(&s, plan.items[i].setting));
        const struct memory_number number = memory_item_number(&plan.items[i], 0);
        assert_true(fabs(number.value / expected_s - 1) < 0.03);
    }
    memory_plan_free(&plan);
    s.disturbed_share = 1; /* nothing else is left */
    plan = plan_of(&m, (const bool[MEMORY_PARTS]){[MEMORY_PARALLEL] = true});
    assert_true(memory_measure(&plan, &bench, 1000, &err));
    struct memory_system memory = {0};
    memory_plan_keep(&plan, &memory);
    assert_true(memory.series[0].points[0].latency_s.value > 2 * s.idle_s);
    assert_true(doubts_has(memory.series[0].points[0].doubts, DOUBT_CORE_SHARED));
    memory_system_free(&memory);
    memory_plan_free(&plan);
    machine_free(&m);
}

static void noise_is_measured_longer_and_said(void **state) {
    (void)state;
    struct machine m = fixture_machine(2, FIXTURE_AVX2);
    struct memory_plan plan = plan_of(&m, (const bool[MEMORY_PARTS]){[MEMORY_PARALLEL] = true});
    struct simulated s = QUIET;
    struct memory_bench bench = bench_of(&s);
    struct memory_system memory = {0};
    struct error err;
    s.noise = 0.3;
    assert_true(memory_measure(&plan, &bench, 1000, &err));
    memory_plan_keep(&plan, &memory);
    size_t unstable = 0, longer = 0;
    for (size_t i = 0; i < plan.item_count; i++)
        longer += plan.items[i].visit_count > MEMORY_LEAST_VISITS;
    for (size_t i = 0; i < memory.series[0].count; i++)
        unstable += doubts_has(memory.series[0].points[i].doubts, DOUBT_UNSTABLE);
    assert_true(longer > plan.item_count / 2 && unstable > memory.series[0].count / 2);
    memory_system_free(&memory);
    memory_plan_free(&plan);
    machine_free(&m);
}

/* Cut short after one round and a half, then resumed: nothing certain is measured again. */
static void a_budget_ends_it_and_it_resumes(void **state) {
    (void)state;
    struct machine m = fixture_machine(4, FIXTURE_AVX2);
    struct memory_plan plan = plan_of(&m, ALL);
    struct simulated s = QUIET;
    struct memory_bench bench = bench_of(&s);
    struct memory_system memory = {0};
    struct error err;
    const double round_s = plan.expected_s / MEMORY_LEAST_VISITS;
    assert_true(memory_measure(&plan, &bench, 1.5 * round_s, &err));
    assert_true(s.now_s < 1.7 * round_s);
    struct memory_progress state_now = memory_plan_progress(&plan);
    assert_int_equal(state_now.visited, state_now.wanted); /* the first round comes first */
    assert_true(state_now.settled < state_now.wanted);
    memory_plan_keep(&plan, &memory);
    assert_true(doubts_has(series_of(&memory, MEMORY_LOADED)->points[0].doubts, DOUBT_UNSTABLE));
    memory_plan_free(&plan);

    plan = plan_of(&m, ALL);
    memory_plan_resume(&plan, &memory);
    size_t done = 0;
    for (size_t i = 0; i < plan.item_count; i++)
        done += plan.items[i].done;
    assert_int_equal(done, plan.pair_count); /* a pair gets all its readings in one visit */
    assert_true(memory_measure(&plan, &bench, 1000, &err));
    memory_plan_keep(&plan, &memory);
    memory_plan_free(&plan);
    plan = plan_of(&m, ALL);
    memory_plan_resume(&plan, &memory);
    s.visits = 0;
    assert_true(memory_measure(&plan, &bench, 1000, &err));
    assert_int_equal(s.visits, 0);
    memory_system_free(&memory);
    memory_plan_free(&plan);
    machine_free(&m);
}

static void no_time_is_enough_for_a_visit(void **state) {
    (void)state;
    struct machine m = fixture_machine(2, FIXTURE_AVX2);
    struct memory_plan plan = plan_of(&m, ALL);
    struct simulated s = QUIET;
    struct memory_bench bench = bench_of(&s);
    struct error err;
    assert_true(memory_measure(&plan, &bench, -1, &err));
    assert_int_equal(s.visits, 1);
    memory_plan_free(&plan);
    machine_free(&m);
}

/* A short second measurement of what stays uncertain does not replace a long first one. */
static void fewer_visits_replace_nothing(void **state) {
    (void)state;
    struct machine m = fixture_machine(2, FIXTURE_AVX2);
    struct memory_plan plan = plan_of(&m, (const bool[MEMORY_PARTS]){[MEMORY_PARALLEL] = true});
    struct simulated s = QUIET;
    struct memory_bench bench = bench_of(&s);
    struct memory_system memory = {0};
    struct error err;
    s.noise = 0.3;
    assert_true(memory_measure(&plan, &bench, 1000, &err));
    memory_plan_keep(&plan, &memory);
    memory_plan_free(&plan);
    plan = plan_of(&m, (const bool[MEMORY_PARTS]){[MEMORY_PARALLEL] = true});
    memory_plan_resume(&plan, &memory);
    assert_true(memory_measure(&plan, &bench, plan.expected_s / MEMORY_LEAST_VISITS, &err));
    memory_plan_keep(&plan, &memory);
    for (size_t i = 0; i < memory.series[0].count; i++)
        assert_true(memory.series[0].points[i].visits >= MEMORY_LEAST_VISITS);
    memory_system_free(&memory);
    memory_plan_free(&plan);
    machine_free(&m);
}

static void the_impossible_is_tried_once(void **state) {
    (void)state;
    struct machine m = fixture_machine(2, FIXTURE_AVX2);
    struct memory_plan plan = plan_of(&m, (const bool[MEMORY_PARTS]){[MEMORY_WRITES] = true});
    struct simulated s = QUIET;
    struct memory_bench bench = bench_of(&s);
    struct memory_system memory = {0};
    struct error err;
    s.impossible = true;
    assert_true(memory_measure(&plan, &bench, 1000, &err));
    assert_int_equal(s.visits, plan.item_count);
    assert_int_equal(memory_plan_progress(&plan).wanted, 0);
    memory_plan_keep(&plan, &memory);
    assert_int_equal(memory.series_count, 0);
    memory_plan_free(&plan);
    machine_free(&m);
}

static void a_part_that_fails_leaves_the_others(void **state) {
    (void)state;
    struct machine m = fixture_machine(2, FIXTURE_AVX2);
    struct memory_plan plan = plan_of(&m, ALL);
    struct simulated s = QUIET;
    struct memory_bench bench = bench_of(&s);
    struct memory_system memory = {0};
    struct error err;
    s.fails = true;
    assert_true(memory_measure(&plan, &bench, 1000, &err));
    memory_plan_keep(&plan, &memory);
    assert_contains(memory.omitted, "loaded: no thread can start");
    for (size_t i = 0; i < memory.series_count; i++)
        assert_int_not_equal(memory.series[i].part, MEMORY_LOADED);
    assert_true(memory.pair_count > 0);
    const struct memory_progress now = memory_plan_progress(&plan);
    assert_int_equal(now.settled, now.wanted);
    memory_system_free(&memory);
    memory_plan_free(&plan);
    plan = plan_of(&m, (const bool[MEMORY_PARTS]){[MEMORY_LOADED] = true}); /* and nothing else */
    assert_false(memory_measure(&plan, &bench, 1000, &err));
    assert_string_equal(err.text, "no thread can start");
    memory_plan_free(&plan);
    machine_free(&m);
}

static void a_stop_ends_it_at_once(void **state) {
    (void)state;
    struct machine m = fixture_machine(2, FIXTURE_AVX2);
    struct memory_plan plan = plan_of(&m, ALL);
    struct simulated s = QUIET;
    const atomic_int stop = 1;
    struct memory_bench bench = bench_of(&s);
    struct error err;
    bench.stop = &stop;
    assert_true(memory_measure(&plan, &bench, 1000, &err));
    assert_int_equal(s.visits, 0);
    memory_plan_free(&plan);
    machine_free(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_part_of_a_socket),
        cmocka_unit_test(loads_rise_in_small_steps),
        cmocka_unit_test(what_cannot_be_measured_is_said),
        cmocka_unit_test(a_large_machine_takes_less_than_ten_minutes),
        cmocka_unit_test(nodes_are_loaded_by_their_own_cores),
        cmocka_unit_test(numbers_are_medians_of_visits),
        cmocka_unit_test(disturbed_visits_count_only_if_there_are_few_others),
        cmocka_unit_test(noise_is_measured_longer_and_said),
        cmocka_unit_test(a_budget_ends_it_and_it_resumes),
        cmocka_unit_test(no_time_is_enough_for_a_visit),
        cmocka_unit_test(fewer_visits_replace_nothing),
        cmocka_unit_test(the_impossible_is_tried_once),
        cmocka_unit_test(a_part_that_fails_leaves_the_others),
        cmocka_unit_test(a_stop_ends_it_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
