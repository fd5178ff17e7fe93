/* SPDX-License-Identifier: BSD-3-Clause
 * The code and working set with which a campaign ends, on simulated machines with one best choice. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/kernels/shapes.h"
#include "tests/support/simulated.h"

static struct scene s;
static const struct campaign_options WITHIN_60_S = {.budget_s = 60};

/* The best code of the machine reaches 16 per cycle, all other code `others`. */
static struct best {
    const char *variant;
    uint64_t bytes;
    unsigned width, unroll;
    double others;
} best;

static double best_truth(const struct campaign_trial *trial) {
    const bool is_best = trial->code.width == best.width && trial->code.unroll == best.unroll &&
                         (!best.variant || strcmp(trial->code.kernel->variant, best.variant) == 0) &&
                         (!best.bytes || trial->bytes == best.bytes);
    return is_best ? 16 : best.others;
}

/* The program's own kernels reach `others`; shapes rise to 16 around the best one. */
static double hill_truth(const struct campaign_trial *trial) {
    if (trial->code.width == 0)
        return best.others;
    const double far = hypot((double)trial->code.width - best.width, (double)trial->code.unroll - best.unroll);
    return 16 / (1 + 0.01 * far * far);
}

/* One core's ceiling, or its bandwidth from L1. */
static const struct plan_options FMA = {.isas = {"avx2"},
                                        .isa_count = 1,
                                        .types = {"f64"},
                                        .type_count = 1,
                                        .mixes = {"fma"},
                                        .mix_count = 1,
                                        .threads = {1},
                                        .thread_count = 1},
                                 L1_LOAD = {.isas = {"avx2"},
                                            .isa_count = 1,
                                            .levels = {"L1"},
                                            .level_count = 1,
                                            .mixes = {"load"},
                                            .mix_count = 1,
                                            .threads = {1},
                                            .thread_count = 1},
                                 L3_LOAD = {.isas = {"avx2"},
                                            .isa_count = 1,
                                            .levels = {"L3"},
                                            .level_count = 1,
                                            .mixes = {"load"},
                                            .mix_count = 1,
                                            .threads = {1},
                                            .thread_count = 1},
                                 /* of f64 and f32, one core and both */
    FOUR_FMA = {
        .isas = {"avx2"}, .isa_count = 1, .types = {"f64", "f32"}, .type_count = 2, .mixes = {"fma"}, .mix_count = 1};

static struct sample number_of(size_t step) {
    struct sample sample;
    assert_true(campaign_number(&s.campaign, step, &sample));
    return sample;
}

static void run(const struct campaign_options *options) {
    struct error err;
    assert_true(scene_run(&s, options, &err));
}

static void assert_is_best(const struct sample *sample) {
    if (fabs(sample->per_cycle / 16 - 1) > 0.01)
        fail_msg("%s: %g per cycle", sample->variant, sample->per_cycle);
}

static void the_best_variant_is_found(void **state) {
    (void)state;
    size_t count;
    const struct kernel *const *variants = kernel_find("avx2.f64.fma", &count);
    assert_true(count > 3);
    for (size_t v = 0; v < count; v++) {
        best = (struct best){.variant = variants[v]->variant, .others = 15};
        scene_begin(&s, &SIMULATED_QUIET, v, &FMA, best_truth);
        run(&(struct campaign_options){.budget_s = 60, .no_shapes = true});
        const struct sample sample = number_of(0);
        assert_string_equal(sample.variant, best.variant);
        assert_is_best(&sample);
        scene_end(&s);
    }
}

/* In L1 any size counts; beyond L1 a size counts only if others support it. */
/* As on a Zen 4: if several stretches of a block are long, memory gives two fifths. The other core follows. */
static double stretched_truth(const struct campaign_trial *trial) {
    return 20e9 * trial->step->threads * (trial->code.kernel->stretch_bytes > 128 ? 0.4 : 1);
}

static void memory_is_searched_for_the_code_that_suits_it(void **state) {
    (void)state;
    const struct plan_options mixed = {.isas = {"avx2", "sse"},
                                       .isa_count = 2,
                                       .levels = {"DRAM"},
                                       .level_count = 1,
                                       .mixes = {"2ld1st", "axpy"},
                                       .mix_count = 2};
    struct error err;
    scene_begin(&s, &SIMULATED_QUIET, 1, &mixed, stretched_truth);
    assert_true(scene_run(&s, &WITHIN_60_S, &err));
    assert_true(s.plan.count >= 4);
    for (size_t i = 0; i < s.plan.count; i++) {
        struct sample sample;
        assert_true(campaign_number(&s.campaign, i, &sample));
        assert_string_equal(sample.variant, "2");
    }
    scene_end(&s);
}

static void the_best_size_is_found(void **state) {
    (void)state;
    for (unsigned size = 0; size < 3; size++) {
        scene_begin(&s, &SIMULATED_QUIET, size, &L1_LOAD, best_truth);
        assert_int_equal(s.plan.steps[0].size_count, 3);
        best = (struct best){.bytes = s.plan.steps[0].size_bytes[size], .others = 15};
        run(&(struct campaign_options){.budget_s = 60, .no_shapes = true});
        const struct sample sample = number_of(0);
        assert_int_equal(s.campaign.steps[0].size, size);
        assert_is_best(&sample);
        scene_end(&s);
    }
}

static void what_fits_only_the_level_inside_is_no_roof(void **state) {
    (void)state;
    scene_begin(&s, &SIMULATED_QUIET, 1, &L3_LOAD, best_truth);
    assert_int_equal(s.plan.steps[0].size_count, 3);
    s.plan.steps[0].paced = true; /* one true value for all sizes */
    best = (struct best){.bytes = s.plan.steps[0].size_bytes[0], .others = 12};
    run(&(struct campaign_options){.budget_s = 60, .no_shapes = true});
    assert_true(s.campaign.steps[0].size > 0);
    assert_true(fabs(number_of(0).per_cycle / 12 - 1) < 0.01);
    scene_end(&s);
}

/* Loads from L2 with AVX2 and SSE, on one core and both. */
static const struct plan_options L2_LOADS = {
    .isas = {"avx2", "sse"}, .isa_count = 2, .levels = {"L2"}, .level_count = 1, .mixes = {"load"}, .mix_count = 1};

/* As on a Zen 5: from time to time the core reads a large set at 62 instead of 47 bytes per cycle; small ones never. */
static double prefetched_truth(const struct campaign_trial *trial) {
    static uint32_t random = 1;
    random = random * 1664525u + 1013904223u;
    return trial->bytes > trial->step->size_bytes[trial->step->middle_size] && random >> 30 > 0 ? 62 : 47;
}

static void a_private_cache_that_is_faster_in_large_sets(void **state) {
    (void)state;
    for (unsigned seed = 0; seed < 20; seed++) {
        scene_begin(&s, &SIMULATED_QUIET, seed, &L2_LOADS, prefetched_truth);
        assert_int_equal(s.plan.count, 4);
        assert_int_equal(s.plan.steps[0].size_count, PLAN_MAX_SIZES);
        run(&(struct campaign_options){.budget_s = 60, .no_shapes = true});
        for (size_t i = 0; i < s.plan.count; i++) {
            const struct sample sample = number_of(i);
            assert_true(s.campaign.steps[i].size > s.plan.steps[i].middle_size);
            assert_true(fabs(sample.per_cycle / 62 - 1) < 0.01);
            assert_false(doubts_any(sample.doubts));
        }
        scene_end(&s);
    }
}

/* A wider instruction set is slower by this. */
static double wider_is_slower;

static double narrow_truth(const struct campaign_trial *trial) {
    const double truth = trial->step->paced ? 62 : 20e9 * trial->step->threads;
    return strncmp(trial->step->kernel, "avx2", 4) == 0 ? truth * (1 - wider_is_slower) : truth;
}

/* Short blocks with the lines of a group side by side are for private caches. */
static void memory_begins_with_short_stretches(void **state) {
    (void)state;
    struct plan_options dram = L2_LOADS;
    dram.levels[0] = "DRAM";
    scene_begin(&s, &SIMULATED_QUIET, 1, &dram, narrow_truth);
    snprintf(s.plan.steps[0].kernel, sizeof s.plan.steps[0].kernel, "avx2.f64.3fma4x2ld1st");
    s.plan.steps[0].search_s = 0;
    run(&(struct campaign_options){.budget_s = 60, .first_only = true});
    assert_int_equal(s.campaign.steps[0].code.kernel->stretch_bytes, 128);
    scene_end(&s);
}

/* Bandwidths of private and shared levels, and ceilings. */
static void what_a_narrower_instruction_set_outdoes_is_doubted(void **state) {
    (void)state;
    static const double SLOWER[] = {0, 0.015, 0.04, 0.2};
    struct plan_options options[] = {L2_LOADS, L2_LOADS, L2_LOADS};
    options[1].levels[0] = "DRAM";
    options[2].level_count = 0, options[2].mixes[0] = "mul";
    options[2].types[0] = "f64", options[2].type_count = 1;
    for (size_t k = 0; k < 3 * sizeof SLOWER / sizeof *SLOWER; k++) {
        wider_is_slower = SLOWER[k / 3];
        scene_begin(&s, &SIMULATED_QUIET, 1, &options[k % 3], narrow_truth);
        assert_int_equal(s.plan.count, 4);
        run(&(struct campaign_options){.budget_s = 60, .no_shapes = true});
        for (size_t i = 0; i < s.plan.count; i++) {
            const bool outdone = strncmp(s.plan.steps[i].kernel, "avx2", 4) == 0 && wider_is_slower > 0.02;
            const struct sample sample = number_of(i);
            assert_int_equal(doubts_has(sample.doubts, DOUBT_OUTDONE), outdone);
            assert_true(!outdone || s.campaign.steps[i].visited >= 16); /* visited again before it is doubted */
            assert_true(!outdone || sample.high > 0.99 * sample.value / (1 - wider_is_slower));
        }
        scene_end(&s);
    }
}

/* It is simply slower, as 512-bit divisions are on some cores. */
static double limit_of_wider(const struct campaign_trial *trial) {
    return strncmp(trial->step->kernel, "avx2", 4) == 0 ? 62 * (1 - wider_is_slower) : 0;
}

static void what_reaches_its_documented_limit_is_not_doubted(void **state) {
    (void)state;
    wider_is_slower = 0.2;
    scene_begin(&s, &SIMULATED_QUIET, 1, &L2_LOADS, narrow_truth);
    s.machine.documented = limit_of_wider;
    run(&(struct campaign_options){.budget_s = 60, .no_shapes = true});
    for (size_t i = 0; i < s.plan.count; i++) {
        assert_false(doubts_has(number_of(i).doubts, DOUBT_OUTDONE));
        assert_true(s.campaign.steps[i].visited < 16);
    }
    scene_end(&s);
}

/* The run's sweep read this level faster with the same code. */
static void what_the_sweep_outdoes_is_doubted(void **state) {
    (void)state;
    static const double SLOWER[] = {0, 0.015, 0.04, 0.2};
    struct plan_options options[] = {L2_LOADS, L2_LOADS};
    options[1].levels[0] = "DRAM";
    wider_is_slower = 0;
    for (size_t k = 0; k < 2 * sizeof SLOWER / sizeof *SLOWER; k++) {
        const bool outdone = SLOWER[k / 2] > 0.02;
        scene_begin(&s, &SIMULATED_QUIET, 1, &options[k % 2], narrow_truth);
        s.plan.steps[0].swept = (s.plan.steps[0].paced ? 62 : 20e9) / (1 - SLOWER[k / 2]);
        run(&(struct campaign_options){.budget_s = 60, .no_shapes = true});
        assert_int_equal(doubts_has(number_of(0).doubts, DOUBT_OUTDONE), outdone);
        assert_true(!outdone || s.campaign.steps[0].visited >= 16);
        for (size_t i = 1; i < s.plan.count; i++)
            assert_false(doubts_has(number_of(i).doubts, DOUBT_OUTDONE));
        scene_end(&s);
    }
}

/* The level gives 47, and from its ninth visit on 62 as in the sweep. */
static unsigned late_visits;

static double late_truth(const struct campaign_trial *trial) {
    (void)trial;
    return late_visits++ < 8 ? 47 : 62;
}

static void what_reaches_the_sweep_later_is_not_doubted(void **state) {
    (void)state;
    struct plan_options one = L2_LOADS;
    one.isa_count = 1;
    one.threads[0] = 1;
    one.thread_count = 1;
    late_visits = 0;
    scene_begin(&s, &SIMULATED_QUIET, 1, &one, late_truth);
    s.plan.steps[0].size_count = 1;
    s.plan.steps[0].middle_size = 0;
    s.plan.steps[0].search_s = 0;
    s.plan.steps[0].swept = 62;
    run(&(struct campaign_options){.budget_s = 60, .no_shapes = true});
    assert_true(fabs(number_of(0).per_cycle / 62 - 1) < 0.02);
    assert_false(doubts_has(number_of(0).doubts, DOUBT_OUTDONE));
    scene_end(&s);
}

/* Larger sets are slow as soon as the campaign would stay with them: two fast visits remain in memory. */
static unsigned fast_visits;

static double fickle_truth(const struct campaign_trial *trial) {
    if (trial->bytes <= trial->step->size_bytes[trial->step->middle_size] || trial->brief)
        return trial->brief && trial->bytes > trial->step->size_bytes[trial->step->middle_size] ? 62 : 47;
    return fast_visits++ % 4 == 0 ? 62 : 46;
}

static void what_larger_sets_outdo_is_doubted(void **state) {
    (void)state;
    struct plan_options one = L2_LOADS;
    one.isa_count = 1;
    one.threads[0] = 1;
    one.thread_count = 1;
    fast_visits = 0;
    scene_begin(&s, &SIMULATED_QUIET, 1, &one, fickle_truth);
    run(&(struct campaign_options){.budget_s = 60, .no_shapes = true});
    assert_true(s.campaign.steps[0].seen[1] > 60);
    assert_true(doubts_has(number_of(0).doubts, DOUBT_OUTDONE));
    assert_true(number_of(0).high > 0.99 * 62 / 47 * number_of(0).value);
    scene_end(&s);
}

/* The core reads fast once only: too seldom for a roof or a warning. */
static double once_truth(const struct campaign_trial *trial) {
    const bool larger = trial->bytes > trial->step->size_bytes[trial->step->middle_size];
    return larger && (trial->brief || fast_visits++ == 0) ? 62 : 47;
}

static void the_interval_reaches_up_to_a_faster_visit(void **state) {
    (void)state;
    struct plan_options one = L2_LOADS;
    one.isa_count = 1;
    one.threads[0] = 1;
    one.thread_count = 1;
    fast_visits = 0;
    scene_begin(&s, &SIMULATED_QUIET, 1, &one, once_truth);
    run(&(struct campaign_options){.budget_s = 60, .no_shapes = true});
    const struct sample sample = number_of(0);
    assert_true(fabs(sample.per_cycle / 47 - 1) < 0.01);
    assert_true(sample.high > 0.99 * 62 / 47 * sample.value);
    assert_false(doubts_any(sample.doubts));
    scene_end(&s);
}

/* In L1 the variant depends on the size. */
static void in_l1_variants_are_tried_at_each_size(void **state) {
    (void)state;
    size_t count;
    const struct kernel *const *variants = kernel_find("avx2.load", &count);
    scene_begin(&s, &SIMULATED_QUIET, 1, &L1_LOAD, best_truth);
    best = (struct best){variants[count - 1]->variant, s.plan.steps[0].size_bytes[2], 0, 0, 15};
    run(&(struct campaign_options){.budget_s = 60, .no_shapes = true});
    const struct sample sample = number_of(0);
    assert_string_equal(sample.variant, best.variant);
    assert_is_best(&sample);
    scene_end(&s);
}

/* The program has no 12x10 kernel of its own. */
static void the_best_shape_is_found_under_the_documented_limit(void **state) {
    (void)state;
    best = (struct best){.width = 12, .unroll = 10, .others = 15};
    scene_begin(&s, &SIMULATED_QUIET, 1, &FMA, hill_truth);
    s.machine.documented_per_cycle = 16;
    run(&WITHIN_60_S);
    const struct sample sample = number_of(0);
    assert_is_best(&sample);
    assert_true(s.campaign.steps[0].code.width > 0);
    assert_true(fabs(s.campaign.steps[0].own.per_cycle / 15 - 1) < 0.01); /* shown beside it */
    assert_true(s.machine.now_s < 10);
    scene_end(&s);
}

static void without_shapes_the_programs_own_kernels_stay(void **state) {
    (void)state;
    best = (struct best){.width = 12, .unroll = 10, .others = 15};
    scene_begin(&s, &SIMULATED_QUIET, 1, &FMA, hill_truth);
    s.machine.documented_per_cycle = 16;
    run(&(struct campaign_options){.budget_s = 60, .no_shapes = true});
    assert_true(fabs(number_of(0).per_cycle / 15 - 1) < 0.01);
    assert_int_equal(scene_trials(&s, 0, true, true) + scene_trials(&s, 0, false, true), 0);
    scene_end(&s);
}

/* Some shapes give values far too high; the documented limit excludes them. */
static double misread_truth(const struct campaign_trial *trial) {
    return trial->code.width > 8 && trial->code.unroll > 8 ? 25 : trial->code.width ? 14 : 15;
}

static void a_shape_above_documented_does_not_win(void **state) {
    (void)state;
    scene_begin(&s, &SIMULATED_QUIET, 1, &FMA, misread_truth);
    s.machine.documented_per_cycle = 16;
    run(&WITHIN_60_S);
    const struct sample sample = number_of(0);
    assert_true(fabs(sample.per_cycle / 15 - 1) < 0.01);
    assert_false(doubts_has(sample.doubts, DOUBT_ABOVE_DOCUMENTED));
    scene_end(&s);
}

static void at_the_documented_limit_nothing_is_searched(void **state) {
    (void)state;
    best = (struct best){.others = 16};
    scene_begin(&s, &SIMULATED_QUIET, 1, &FOUR_FMA, best_truth);
    s.machine.documented_per_cycle = 16;
    run(&WITHIN_60_S);
    assert_int_equal(s.plan.count, 4);
    for (size_t i = 0; i < s.plan.count; i++) {
        assert_int_equal(scene_trials(&s, i, true, false), 0);
        assert_true(scene_trials(&s, i, false, false) <= 8);
    }
    scene_end(&s);
}

/* f64 of one core searches; f32 and both cores take its shape. */
static void others_take_the_shape_over(void **state) {
    (void)state;
    best = (struct best){.width = 12, .unroll = 10, .others = 15};
    scene_begin(&s, &SIMULATED_QUIET, 1, &FOUR_FMA, hill_truth);
    s.machine.documented_per_cycle = 16;
    run(&WITHIN_60_S);
    const struct campaign_step *first = &s.campaign.steps[0];
    assert_true(scene_trials(&s, 0, true, true) > 20);
    for (size_t i = 0; i < s.plan.count; i++) {
        const struct campaign_step *step = &s.campaign.steps[i];
        const struct sample sample = number_of(i);
        assert_is_best(&sample);
        assert_int_equal(step->code.width, first->code.width);
        assert_int_equal(step->code.unroll, first->code.unroll);
        assert_string_equal(step->code.kernel->name, s.plan.steps[i].kernel);
        assert_true(i == 0 || scene_trials(&s, i, true, true) == 0);
    }
    scene_end(&s);
}

/* Nothing is documented: all steps but the first try the program's own kernels only. */
static void others_take_the_variant_over(void **state) {
    (void)state;
    best = (struct best){.variant = "8x2", .others = 15};
    scene_begin(&s, &SIMULATED_QUIET, 1, &FOUR_FMA, best_truth);
    run(&(struct campaign_options){.budget_s = 60, .no_shapes = true});
    for (size_t i = 0; i < s.plan.count; i++) {
        assert_string_equal(number_of(i).variant, "8x2");
        assert_int_equal(scene_trials(&s, i, true, false) == 0, i > 0);
    }
    scene_end(&s);
}

/* If the leading step is left out, the other steps search for themselves. */
static void who_follows_what_is_skipped_searches(void **state) {
    (void)state;
    for (int documented = 0; documented < 2; documented++) {
        best = (struct best){.width = 12, .unroll = 10, .others = 15};
        scene_begin(&s, &SIMULATED_QUIET, 1, &FOUR_FMA, hill_truth);
        s.machine.documented_per_cycle = documented ? 16 : 0;
        campaign_open(&s.campaign, &s.plan, &s.bench, &WITHIN_60_S);
        struct error err;
        campaign_skip(&s.campaign, 0);
        assert_true(campaign_run(&s.campaign, &err));
        for (size_t i = 1; i < s.plan.count; i++) {
            const struct sample sample = number_of(i);
            assert_is_best(&sample);
        }
        scene_end(&s);
    }
}

/* Every shape reaches the limit: one cell shows it. */
static double any_shape_truth(const struct campaign_trial *trial) {
    return trial->code.width > 0 ? 16 : 15;
}

static void at_the_documented_limit_a_search_ends(void **state) {
    (void)state;
    scene_begin(&s, &SIMULATED_QUIET, 1, &FMA, any_shape_truth);
    s.machine.documented_per_cycle = 16;
    run(&WITHIN_60_S);
    const struct sample sample = number_of(0);
    assert_is_best(&sample);
    assert_true(scene_trials(&s, 0, true, true) <= 6);
    scene_end(&s);
}

/* SSE is no relative of AVX2 (it has other registers), but begins with AVX2's best. */
static void a_search_begins_where_others_ended(void **state) {
    (void)state;
    static const struct plan_options TWO_ISAS = {.isas = {"avx2", "sse"},
                                                 .isa_count = 2,
                                                 .types = {"f64"},
                                                 .type_count = 1,
                                                 .mixes = {"addmul"},
                                                 .mix_count = 1,
                                                 .threads = {1},
                                                 .thread_count = 1};
    best = (struct best){.width = 12, .unroll = 10, .others = 15};
    scene_begin(&s, &SIMULATED_QUIET, 1, &TWO_ISAS, hill_truth);
    s.machine.documented_per_cycle = 16;
    run(&WITHIN_60_S);
    assert_int_equal(s.plan.count, 2);
    for (size_t i = 0; i < 2; i++) {
        const struct sample sample = number_of(i);
        assert_is_best(&sample);
    }
    const unsigned first = scene_trials(&s, 0, true, true), second = scene_trials(&s, 1, true, true);
    assert_true(first > 20 ? second <= 6 : first <= 6 && second > 20);
    scene_end(&s);
}

/* Undocumented, and the best shape far from the next best: the rest of the map finds it. */
static double needle_truth(const struct campaign_trial *trial) {
    const bool is_best = trial->code.width == best.width && trial->code.unroll == best.unroll;
    return is_best ? 16 : trial->code.width == 1 && trial->code.unroll == 1 ? 15.2 : 15;
}

static void where_nothing_is_documented_the_rest_of_the_map_is_searched_too(void **state) {
    (void)state;
    best = (struct best){.width = 11, .unroll = 6};
    scene_begin(&s, &SIMULATED_QUIET, 1, &FMA, needle_truth);
    run(&WITHIN_60_S);
    const struct sample sample = number_of(0);
    assert_is_best(&sample);
    assert_true(s.machine.now_s < 10);
    scene_end(&s);
}

/* A neighbour takes a third of the first core for a second, in turns: a search meanwhile has no result, and tries
 * meanwhile are repeated. */
static void beside_a_neighbour_the_shape_is_found_and_taken_over(void **state) {
    (void)state;
    const struct trouble neighbour = {
        .name = "neighbour", .lanes = 2, .noise = 5e-4, .visit_noise = 5e-4, .sibling_on_s = 1, .sibling_off_s = 1};
    unsigned found = 0, all = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        best = (struct best){.width = 12, .unroll = 10, .others = 15};
        scene_begin(&s, &neighbour, seed, &FOUR_FMA, hill_truth);
        s.machine.documented_per_cycle = 16;
        run(&WITHIN_60_S);
        for (size_t i = 0; i < s.plan.count; i++, all++)
            found += number_of(i).per_cycle > 0.99 * 16;
        scene_end(&s);
    }
    if (found < all)
        fail_msg("%u of %u", found, all);
}

static void every_shape_is_the_whole_map(void **state) {
    (void)state;
    best = (struct best){.width = 12, .unroll = 10, .others = 15};
    scene_begin(&s, &SIMULATED_QUIET, 1, &FMA, hill_truth);
    run(&(struct campaign_options){.budget_s = 60, .every_shape = true});
    const struct shapes *shapes = s.campaign.steps[0].shapes;
    assert_non_null(shapes);
    for (unsigned r = 0; r < shapes->search.rows; r++)
        for (unsigned c = 0; c < shapes->search.columns; c++)
            assert_int_equal(isnan(shapes->search.values[r][c]) != 0, !shapes->search.possible[r][c]);
    assert_true(shapes->search.known > 100);
    const struct sample sample = number_of(0);
    assert_is_best(&sample);
    assert_true(s.campaign.steps[0].code.width > 0);
    scene_end(&s);
}

/* The map is requested: its best shape counts, even if the program's own kernel is better. */
static void of_every_shape_one_wins(void **state) {
    (void)state;
    best = (struct best){.width = 12, .unroll = 10, .others = 17};
    scene_begin(&s, &SIMULATED_QUIET, 1, &FMA, hill_truth);
    run(&(struct campaign_options){.budget_s = 60, .every_shape = true});
    const struct sample sample = number_of(0);
    assert_is_best(&sample);
    assert_true(fabs(s.campaign.steps[0].own.per_cycle / 17 - 1) < 0.01);
    scene_end(&s);
}

static void stopped_on_the_way_a_map_has_a_number(void **state) {
    (void)state;
    for (unsigned n = 1; n <= 60; n++) {
        best = (struct best){.width = 12, .unroll = 10, .others = 15};
        scene_begin(&s, &SIMULATED_QUIET, n, &FMA, hill_truth);
        s.machine.stop_after = n;
        run(&(struct campaign_options){.budget_s = 60, .every_shape = true});
        assert_true(s.campaign.stopped);
        assert_true(scene_has(&s, 0));
        scene_end(&s);
    }
}

static const struct plan_options L1_AND_DRAM = {.isas = {"avx2"},
                                                .isa_count = 1,
                                                .levels = {"L1", "DRAM"},
                                                .level_count = 2,
                                                .mixes = {"load"},
                                                .mix_count = 1,
                                                .threads = {1},
                                                .thread_count = 1};
static const double LONG_VISIT_S = 2, SHORT_VISIT_S = 0.01;

/* The time that a visit takes is set with its value. */
static double slow_memory_truth(const struct campaign_trial *trial) {
    s.machine.visit_s = trial->step->memory ? LONG_VISIT_S : SHORT_VISIT_S;
    return trial->step->memory ? 1e10 : 16;
}

/* A step whose visits take long is not visited when less time is left, however short the others are. */
static void long_visits_end_with_the_budget(void **state) {
    (void)state;
    const struct trouble uneasy = {.name = "uneasy", .lanes = 2, .noise = 1e-3, .visit_noise = 0.1};
    for (int seed = 1; seed <= 20; seed++) {
        struct error err;
        const double budget_s = 8 + 0.15 * seed;
        scene_begin(&s, &uneasy, (uint64_t)seed, &L1_AND_DRAM, slow_memory_truth);
        assert_true(scene_run(&s, &(struct campaign_options){.budget_s = budget_s, .no_shapes = true}, &err));
        for (size_t i = 0; i < s.plan.count; i++)
            assert_true(scene_has(&s, i));
        if (s.machine.now_s > budget_s + 10 * SHORT_VISIT_S)
            fail_msg("%.1f s took %.2f s", budget_s, s.machine.now_s);
        scene_end(&s);
    }
}

/* On a busy host each visit takes long: a search begins none that would exceed the budget. */
static void searches_end_with_the_budget(void **state) {
    (void)state;
    static const double VISIT_S = 0.5;
    best = (struct best){.width = 9, .unroll = 4, .others = 12};
    for (int budget_s = 4; budget_s <= 24; budget_s++) {
        struct error err;
        scene_begin(&s, &SIMULATED_QUIET, (uint64_t)budget_s, budget_s % 2 ? &FMA : &L1_LOAD, hill_truth);
        s.machine.documented_per_cycle = 40; /* makes the campaign search */
        s.machine.visit_s = s.machine.try_s = VISIT_S;
        assert_true(scene_run(&s, &(struct campaign_options){.budget_s = budget_s}, &err));
        if (s.machine.now_s > budget_s + VISIT_S)
            fail_msg("%d s took %.1f s", budget_s, s.machine.now_s);
        scene_end(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_variant_is_found),
        cmocka_unit_test(memory_is_searched_for_the_code_that_suits_it),
        cmocka_unit_test(the_best_size_is_found),
        cmocka_unit_test(what_fits_only_the_level_inside_is_no_roof),
        cmocka_unit_test(a_private_cache_that_is_faster_in_large_sets),
        cmocka_unit_test(memory_begins_with_short_stretches),
        cmocka_unit_test(what_a_narrower_instruction_set_outdoes_is_doubted),
        cmocka_unit_test(what_reaches_its_documented_limit_is_not_doubted),
        cmocka_unit_test(what_the_sweep_outdoes_is_doubted),
        cmocka_unit_test(what_reaches_the_sweep_later_is_not_doubted),
        cmocka_unit_test(what_larger_sets_outdo_is_doubted),
        cmocka_unit_test(the_interval_reaches_up_to_a_faster_visit),
        cmocka_unit_test(in_l1_variants_are_tried_at_each_size),
        cmocka_unit_test(the_best_shape_is_found_under_the_documented_limit),
        cmocka_unit_test(without_shapes_the_programs_own_kernels_stay),
        cmocka_unit_test(a_shape_above_documented_does_not_win),
        cmocka_unit_test(at_the_documented_limit_nothing_is_searched),
        cmocka_unit_test(others_take_the_shape_over),
        cmocka_unit_test(others_take_the_variant_over),
        cmocka_unit_test(who_follows_what_is_skipped_searches),
        cmocka_unit_test(at_the_documented_limit_a_search_ends),
        cmocka_unit_test(a_search_begins_where_others_ended),
        cmocka_unit_test(where_nothing_is_documented_the_rest_of_the_map_is_searched_too),
        cmocka_unit_test(beside_a_neighbour_the_shape_is_found_and_taken_over),
        cmocka_unit_test(every_shape_is_the_whole_map),
        cmocka_unit_test(of_every_shape_one_wins),
        cmocka_unit_test(stopped_on_the_way_a_map_has_a_number),
        cmocka_unit_test(long_visits_end_with_the_budget),
        cmocka_unit_test(searches_end_with_the_budget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
