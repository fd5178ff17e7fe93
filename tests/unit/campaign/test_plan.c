/* SPDX-License-Identifier: BSD-3-Clause
 * The plan: each step once, in its level, within the memory, and not too long. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "asm/arithmetic.h"
#include "asm/pattern.h"
#include "tests/support/planned.h"

/* Whether this machine can execute it. */
static bool exists(const struct machine *m, const char *name) {
    const struct kernel *const *kernel = kernel_find(name, NULL);
    return kernel && machine_has(m, (*kernel)->needs);
}

/* The arithmetic of doubles and floats of an ISA is planned, unless it is measured on request only. */
static void check_arithmetic(const struct plan *plan, const struct machine *m, const struct isa *isa,
                             unsigned threads) {
    for (enum element_type type = TYPE_F64; type <= TYPE_F32; type++)
        for (size_t i = 0; i < arithmetic_count; i++) {
            char name[64];
            snprintf(name, sizeof name, "%s.%s.%s", isa->name, element_table[type].name, arithmetic_table[i].op);
            const bool wanted = exists(m, name) && !arithmetic_table[i].on_request;
            if ((find(plan, name, PLAN_REGISTERS, threads) != NULL) != wanted)
                fail_msg("%s by %u threads is%s planned", name, threads, wanted ? " not" : "");
        }
}

/* Every pattern is planned in the ISAs of its row; patterns that bypass the caches only in memory. */
static void check_patterns(const struct plan *plan, const struct machine *m, const struct isa *isa, unsigned threads) {
    const bool widest = strcmp(isa->name, "avx512") == 0,
               vectors = isa->vector_bytes > 8 && strcmp(isa->name, "avx") != 0;
    for (int level = 0; level < 4; level++)
        for (size_t i = 0; i < pattern_count; i++) {
            const struct pattern *pattern = &pattern_table[i];
            const bool wanted[] = {[PATTERN_EVERY_ISA] = true, [PATTERN_VECTORS] = vectors, [PATTERN_WIDEST] = widest};
            char name[64];
            snprintf(name, sizeof name, "%s.%s", isa->name, pattern->op);
            const bool own = pattern->isas != PATTERN_NO_ISA && exists(m, name) && wanted[pattern->isas] &&
                             (!pattern->nontemporal || level == 3);
            if ((find(plan, name, level, threads) != NULL) != own)
                fail_msg("%s in level %d by %u threads is%s planned", name, level, threads, own ? " not" : "");
            if (pattern->isas == PATTERN_NO_ISA)
                assert_true((find(plan, pattern->op, level, threads) != NULL) == (threads == 1));
        }
}

/* Every ISA, type and operation in the tables that the CPU has, and every level's patterns. */
static void everything_once(void **state) {
    (void)state;
    struct machine m = fixture_machine(4, FIXTURE_AVX512);
    struct plan plan = planned(&m, &(struct plan_options){0});
    check(&plan, &m);
    for (unsigned threads = 1; threads <= 4; threads += 3)
        for (size_t i = 0; i < isa_count; i++) {
            check_arithmetic(&plan, &m, &isa_table[i], threads);
            check_patterns(&plan, &m, &isa_table[i], threads);
        }
    assert_true(find(&plan, "avx512.ntstore", 3, 1) && find(&plan, "avx512.ntstore", 3, 4));
    plan_free(&plan);

    m.cpu.features = FIXTURE_AVX2; /* nothing that the CPU lacks */
    plan = planned(&m, &(struct plan_options){0});
    check(&plan, &m);
    for (size_t i = 0; i < plan.count; i++)
        assert_null(strstr(plan.steps[i].kernel, "avx512"));
    assert_non_null(find(&plan, "avx2.store", 1, 4));
    plan_free(&plan);
    machine_free(&m);
}

/* Only patterns that load single lines of a shared cache read their set in again before short repetitions. */
static void only_single_lines_of_shared_caches_are_read_in_again(void **state) {
    (void)state;
    struct machine m = fixture_machine(4, FIXTURE_AVX512);
    struct levels levels[MACHINE_MAX_KINDS];
    struct error err;
    struct plan plan = planned(&m, &(struct plan_options){0}), curve;
    unsigned reread = 0;
    fixture_levels(&m, levels);
    assert_true(plan_sweep(&curve, &m, levels, &(struct plan_options){0}, &(struct plan_curve){"chase", 4, 1}, &err));
    for (size_t i = 0; i < plan.count + curve.count; i++) {
        const struct plan_step *step = i < plan.count ? &plan.steps[i] : &curve.steps[i - plan.count];
        const bool single = strstr(step->kernel, "random") || strcmp(step->kernel, "chase") == 0;
        const bool rereads = step->inner_bytes > 0;
        assert_int_equal(rereads, single && step->level == 2);
        assert_true(!rereads ||
                    (step->inner_bytes == levels[0].level[1].effective_bytes && step->repetition_s <= 50e-6));
        reread += rereads;
    }
    assert_true(reread > 3 + 4); /* the pointer chase, random lines by one core and by all; some sizes of the curve */
    plan_free(&curve);
    plan_free(&plan);
    machine_free(&m);
}

/* Narrow types in the widest ISA and in tiles; divisions and roots only on request. */
static void narrow_types_and_slow_operations(void **state) {
    (void)state;
    struct machine m = fixture_machine(2, FIXTURE_AVX512 | CPU_AVX512_FP16 | CPU_AVX512_BF16 | CPU_AVX512_VNNI |
                                              CPU_AVX_VNNI | CPU_AMX_TILE | CPU_AMX_BF16 | CPU_AMX_INT8);
    static const char *const DEFAULT[] = {"avx512.f16.fma", "avx512.f16.add", "avx512.f16.fmaadd", "avx512.bf16.dot",
                                          "avx512.i8.dot",  "amx.bf16.dot",   "amx.i8.dot",        "avx512.load"};
    struct plan plan = planned(&m, &(struct plan_options){0});
    check(&plan, &m);
    for (size_t i = 0; i < sizeof DEFAULT / sizeof DEFAULT[0]; i++)
        if (!find(&plan, DEFAULT[i], i == 7 ? 0 : PLAN_REGISTERS, 1))
            fail_msg("%s is not planned", DEFAULT[i]);
    assert_null(find(&plan, "avx2.i8.dot", PLAN_REGISTERS, 1));
    for (size_t i = 0; i < plan.count; i++)
        assert_true(!strstr(plan.steps[i].kernel, ".div") && !strstr(plan.steps[i].kernel, ".sqrt") &&
                    (!strstr(plan.steps[i].kernel, ".i") || strstr(plan.steps[i].kernel, ".dot")));
    plan_free(&plan);
    plan = planned(&m, &(struct plan_options){.quick = true});
    assert_true(find(&plan, "avx512.f16.fma", PLAN_REGISTERS, 1) && find(&plan, "amx.i8.dot", PLAN_REGISTERS, 1));
    assert_null(find(&plan, "avx512.f16.add", PLAN_REGISTERS, 1));
    plan_free(&plan);
    plan = planned(&m, &(struct plan_options){.types = {"i8"}, .type_count = 1});
    assert_true(find(&plan, "avx2.i8.dot", PLAN_REGISTERS, 1) && !find(&plan, "avx512.f64.fma", PLAN_REGISTERS, 1));
    assert_true(find(&plan, "avx512.i8.add", PLAN_REGISTERS, 1) && find(&plan, "scalar.i8.cmp", PLAN_REGISTERS, 1));
    assert_true(find(&plan, "scalar.i8.load", 0, 1) && find(&plan, "scalar.i8.store", 3, 2));
    assert_true(!find(&plan, "avx512.i32.add", PLAN_REGISTERS, 1) && !find(&plan, "scalar.i32.load", 0, 1));
    plan_free(&plan);
    plan = planned(&m, &(struct plan_options){.mixes = {"shift"}, .mix_count = 1}); /* for integers only */
    assert_true(find(&plan, "avx512.i64.shift", PLAN_REGISTERS, 1) && !find(&plan, "sse.i64.shift", PLAN_REGISTERS, 1));
    plan_free(&plan);
    plan = planned(&m, &(struct plan_options){.mixes = {"store"}, .mix_count = 1}); /* else of the widest ISA alone */
    assert_true(find(&plan, "avx512.store", 0, 1) && find(&plan, "sse.store", 0, 1));
    plan_free(&plan);
    plan = planned(&m, &(struct plan_options){.mixes = {"add"}, .mix_count = 1});
    assert_true(find(&plan, "sse.f64.add", PLAN_REGISTERS, 1) && !find(&plan, "avx512.i32.add", PLAN_REGISTERS, 1));
    plan_free(&plan);
    plan = planned(&m, &(struct plan_options){.mixes = {"div"}, .mix_count = 1});
    assert_true(find(&plan, "x87.f64.div", PLAN_REGISTERS, 1) && find(&plan, "avx512.f16.div", PLAN_REGISTERS, 1));
    assert_null(find(&plan, "avx512.f64.sqrt", PLAN_REGISTERS, 1));
    plan_free(&plan);

    /* Of these the widest vectors of the machine have no form: the widest that have one count. */
    m.cpu.features |= CPU_AVX_VNNI_INT8 | CPU_AVX_VNNI_INT16 | CPU_AMX_FP16;
    plan = planned(&m, &(struct plan_options){0});
    assert_true(find(&plan, "amx.f16.dot", PLAN_REGISTERS, 1) && !find(&plan, "avx2.i8.dotss", PLAN_REGISTERS, 1));
    assert_string_equal(plan.note, "");
    plan_free(&plan);
    plan = planned(&m, &(struct plan_options){.mixes = {"dotss", "dotus"}, .mix_count = 2});
    assert_true(find(&plan, "avx2.i8.dotss", PLAN_REGISTERS, 1) && find(&plan, "avx2.i16.dotus", PLAN_REGISTERS, 1));
    assert_true(find(&plan, "avx512.i16.dotss", PLAN_REGISTERS, 1) &&
                !find(&plan, "avx2.i16.dotss", PLAN_REGISTERS, 1));
    plan_free(&plan);

    snprintf(m.tiles_refused, sizeof m.tiles_refused, "Operation not permitted");
    plan = planned(&m, &(struct plan_options){0});
    assert_non_null(strstr(plan.note, "AMX (the operating system refuses its tiles: Operation not permitted)"));
    assert_true(!find(&plan, "amx.i8.dot", PLAN_REGISTERS, 1) && find(&plan, "avx512.i8.dot", PLAN_REGISTERS, 1));
    plan_free(&plan);
    refused(&m, &(struct plan_options){.isas = {"amx"}, .isa_count = 1},
            "AMX (tiles are refused: Operation not permitted)", "carmine machine");
    machine_free(&m);
}

static void one_cpu_is_measured_once(void **state) {
    (void)state;
    struct machine m = fixture_machine(1, FIXTURE_AVX2);
    struct plan plan = planned(&m, &(struct plan_options){0});
    check(&plan, &m);
    for (size_t i = 0; i < plan.count; i++)
        assert_int_equal(plan.steps[i].threads, 1);
    plan_free(&plan);
    plan = planned(&m, &(struct plan_options){.threads = {1, 1, 0}, .thread_count = 3});
    check(&plan, &m);
    plan_free(&plan);
    machine_free(&m);
}

static void thread_counts(void **state) {
    (void)state;
    static const struct {
        struct plan_options options;
        unsigned capacity, count, wanted[8];
    } rows[] = {
        {{.threads = {1, PLAN_DOUBLING, PLAN_ALL}, .thread_count = 3}, 12, 5, {1, 2, 4, 8, 12}},
        {{.threads = {1, PLAN_DOUBLING, PLAN_ALL}, .thread_count = 3}, 8, 4, {1, 2, 4, 8}},
        {{.threads = {1, PLAN_DOUBLING, PLAN_ALL}, .thread_count = 3}, 1, 1, {1}},
        {{.threads = {1, 2, 4, PLAN_DOUBLING, PLAN_ALL}, .thread_count = 5}, 24, 6, {1, 2, 4, 8, 16, 24}},
        {{.threads = {3, PLAN_DOUBLING, 12, 20}, .thread_count = 4}, 24, 4, {3, 6, 12, 20}},
        {{.threads = {PLAN_DOUBLING}, .thread_count = 1}, 4, 3, {1, 2, 4}},
        {{.threads = {1, 1, PLAN_ALL, 2}, .thread_count = 4}, 2, 2, {1, 2}},
        {{.threads = {7}, .thread_count = 1}, 2, 1, {7}},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        unsigned out[PLAN_MAX_THREADS];
        assert_int_equal(plan_threads(&rows[r].options, rows[r].capacity, out), rows[r].count);
        for (unsigned i = 0; i < rows[r].count; i++)
            assert_int_equal(out[i], rows[r].wanted[i]);
    }
    struct machine m = fixture_hybrid(4, 8);
    struct plan plan = planned(&m, &(struct plan_options){.threads = {1, PLAN_DOUBLING, PLAN_ALL}, .thread_count = 3});
    check(&plan, &m);
    assert_true(count_of_kind(&plan, 0, 2) && count_of_kind(&plan, 1, 8) && count_of_kind(&plan, TEAM_ANY_KIND, 8));
    assert_int_equal(count_of_kind(&plan, 0, 8), 0);
    plan_free(&plan);
    plan = planned(&m, &(struct plan_options){.only_kind = 2});
    check(&plan, &m);
    assert_int_equal(plan.count, count_of_kind(&plan, 1, 1) + count_of_kind(&plan, 1, 8));
    plan_free(&plan);
    machine_free(&m);
}

static void length_does_not_grow_with_cores(void **state) {
    (void)state;
    size_t count = 0;
    for (unsigned cores = 2; cores <= 512; cores *= 16) {
        struct machine m = fixture_machine(cores, FIXTURE_AVX512);
        struct plan plan = planned(&m, &(struct plan_options){0});
        check(&plan, &m);
        assert_true(count == 0 || plan.count == count);
        count = plan.count;
        assert_non_null(find(&plan, "avx512.load", 0, cores));
        plan_free(&plan);
        machine_free(&m);
    }
}

static void quick_is_a_part_of_the_whole(void **state) {
    (void)state;
    struct machine m = fixture_machine(4, FIXTURE_AVX512);
    struct plan whole = planned(&m, &(struct plan_options){0}),
                quick = planned(&m, &(struct plan_options){.quick = true});
    check(&quick, &m);
    assert_true(quick.count < whole.count);
    assert_true(quick.expected_s < whole.expected_s / 2);
    for (size_t i = 0; i < quick.count; i++)
        assert_non_null(find(&whole, quick.steps[i].kernel, quick.steps[i].level, quick.steps[i].threads));
    plan_free(&whole);
    plan_free(&quick);
    machine_free(&m);
}

static void memory_within_limits(void **state) {
    (void)state;
    struct machine m = fixture_machine(4, FIXTURE_AVX2);
    struct levels levels[1];
    struct doubts doubts = NO_DOUBTS;
    fixture_levels(&m, levels);
    assert_int_equal(plan_memory_bytes(&m, levels, &(struct spot){TEAM_ANY_KIND, .threads = 1}, false, &doubts),
                     MIB(64)); /* more than 4 × 8 MiB of L3 */
    assert_int_equal(plan_memory_bytes(&m, levels, &(struct spot){TEAM_ANY_KIND, .threads = 4}, false, &doubts),
                     MIB(16));
    m.kinds[0].caches[2].size_bytes = MIB(480);
    fixture_levels(&m, levels);
    assert_int_equal(plan_memory_bytes(&m, levels, &(struct spot){TEAM_ANY_KIND, .threads = 1}, false, &doubts),
                     MIB(1920));
    levels[0].level[2].effective_bytes = MIB(64), levels[0].level[2].judged = true; /* as a sweep would find */
    assert_int_equal(plan_memory_bytes(&m, levels, &(struct spot){TEAM_ANY_KIND, .threads = 1}, true, &doubts),
                     MIB(256));
    assert_int_equal(plan_memory_bytes(&m, levels, &(struct spot){TEAM_ANY_KIND, .threads = 1}, false, &doubts),
                     MIB(1920));
    m.kinds[0].caches[2].shape_count = 2; /* another chip has a larger one, outside of the sweep */
    m.kinds[0].caches[2].shapes[1].size_bytes = MIB(960);
    assert_int_equal(plan_memory_bytes(&m, levels, &(struct spot){TEAM_ANY_KIND, .threads = 1}, true, &doubts),
                     MIB(3840));
    assert_false(doubts_any(doubts));
    m.memory_available_bytes = GIB(1);
    assert_int_equal(plan_memory_bytes(&m, levels, &(struct spot){TEAM_ANY_KIND, .threads = 4}, false, &doubts),
                     MIB(128));
    assert_true(doubts_equal(doubts, DOUBTS(DOUBT_SMALL_BUFFER)));
    struct plan plan = planned(&m, &(struct plan_options){0});
    check(&plan, &m);
    assert_true(doubts_has(find(&plan, "avx2.load", 3, 1)->doubts, DOUBT_SMALL_BUFFER));
    plan_free(&plan);
    machine_free(&m);

    m = fixture_machine(512, FIXTURE_AVX512); /* 16 slices of 64 MiB */
    fixture_levels(&m, levels);
    doubts = NO_DOUBTS;
    assert_int_equal(plan_memory_bytes(&m, levels, &(struct spot){TEAM_ANY_KIND, .threads = 512}, false, &doubts),
                     MIB(8));
    m.memory_available_bytes = MIB(64); /* a container: every thread still gets whole segments of whole blocks */
    plan = planned(&m, &(struct plan_options){0});
    check(&plan, &m);
    for (size_t i = 0; i < plan.count; i++)
        if (plan.steps[i].level == 3) {
            assert_true(doubts_has(plan.steps[i].doubts, DOUBT_SMALL_BUFFER));
            const struct kernel *const *kernel = kernel_find(plan.steps[i].kernel, NULL);
            assert_true(plan.steps[i].size_bytes[0] / plan.steps[i].repetitions / 4096 * 4096 >=
                        (*kernel)->block_bytes);
        }
    plan_free(&plan);
    machine_free(&m);
}

/* A level of no size, and one of less than a line for each thread: each step still has sizes, none of them 0. */
static void tiny_levels_have_sizes(void **state) {
    (void)state;
    struct machine m = fixture_machine(4, FIXTURE_AVX512);
    struct levels levels[MACHINE_MAX_KINDS];
    struct plan plan;
    struct error err;
    fixture_levels(&m, levels);
    levels[0].level[0].detected_bytes = levels[0].level[0].effective_bytes = 63;
    levels[0].level[1].detected_bytes = levels[0].level[1].effective_bytes = 0;
    assert_true(plan_roofs(&plan, &m, levels, &(struct plan_options){0}, &err));
    for (size_t i = 0; i < plan.count; i++) {
        const struct plan_step *step = &plan.steps[i];
        assert_true(step->level == PLAN_REGISTERS || step->size_count > 0);
        for (unsigned s = 0; s < step->size_count; s++)
            assert_in_range(step->size_bytes[s], 64, GIB(1));
    }
    plan_free(&plan);
    machine_free(&m);
}

/* A plan is adapted to smaller levels, and to larger ones again: it equals a new plan for these levels. */
static void sizes_follow_the_levels(void **state) {
    (void)state;
    static const struct plan_options OPTIONS[] = {{.both_pages = true}, {.quick = true}};
    struct machine m = fixture_machine(4, FIXTURE_AVX512);
    struct error err;
    m.memory_available_bytes = GIB(1);
    for (size_t o = 0; o < sizeof OPTIONS / sizeof OPTIONS[0]; o++) {
        struct levels detected[MACHINE_MAX_KINDS], found[MACHINE_MAX_KINDS];
        struct plan once, anew;
        fixture_levels(&m, detected);
        fixture_levels(&m, found);
        found[0].level[1].effective_bytes /= 2;
        found[0].level[2].effective_bytes /= 4;
        found[0].level[2].judged = found[0].level[2].disagrees = true;
        assert_true(plan_roofs(&once, &m, detected, &OPTIONS[o], &err));
        for (unsigned back = 0; back < 2; back++) {
            const struct levels *levels = back ? detected : found;
            size_t other = 0;
            assert_true(plan_roofs(&anew, &m, levels, &OPTIONS[o], &err));
            assert_int_equal(once.count, anew.count);
            for (size_t i = 0; i < once.count; i++)
                other += once.steps[i].size_bytes[0] != anew.steps[i].size_bytes[0];
            assert_true(other > 0); /* it makes a difference */
            plan_size(&once, &m, levels, OPTIONS[o].quick);
            for (size_t i = 0; i < once.count; i++) {
                const struct plan_step *a = &once.steps[i], *b = &anew.steps[i];
                assert_true(same_place(a, b) && a->kind == b->kind && a->memory == b->memory && a->paced == b->paced);
                assert_true(a->small_pages == b->small_pages && doubts_equal(a->doubts, b->doubts));
                assert_int_equal(a->inner_bytes, b->inner_bytes);
                assert_int_equal(a->size_count, b->size_count);
                assert_memory_equal(a->size_bytes, b->size_bytes, a->size_count * sizeof *a->size_bytes);
                assert_true(a->repetitions == b->repetitions && a->repetition_s == b->repetition_s);
                assert_true(a->search_s == b->search_s && a->expected_s == b->expected_s);
            }
            assert_true(once.expected_s == anew.expected_s);
            plan_free(&anew);
        }
        plan_free(&once);
    }
    machine_free(&m);
}

static void choices_narrow_it(void **state) {
    (void)state;
    struct machine m = fixture_machine(4, FIXTURE_AVX512);
    struct plan plan = planned(
        &m,
        &(struct plan_options){
            .isas = {"avx2"}, .isa_count = 1, .types = {"f32"}, .type_count = 1, .threads = {2}, .thread_count = 1});
    check(&plan, &m);
    for (size_t i = 0; i < plan.count; i++) {
        assert_true(strncmp(plan.steps[i].kernel, "avx2.", 5) == 0 || plan.steps[i].kind == SAMPLE_LATENCY);
        assert_null(strstr(plan.steps[i].kernel, ".f64."));
        assert_int_equal(plan.steps[i].threads, 2);
    }
    plan_free(&plan);
    plan = planned(
        &m, &(struct plan_options){.levels = {"L2"}, .level_count = 1, .mixes = {"load", "chase"}, .mix_count = 2});
    check(&plan, &m);
    for (size_t i = 0; i < plan.count; i++)
        assert_true(plan.steps[i].level == 1 &&
                    (strstr(plan.steps[i].kernel, "load") || strstr(plan.steps[i].kernel, "chase")));
    assert_true(find(&plan, "sse.load", 1, 4) && find(&plan, "chase", 1, 1));
    plan_free(&plan);
    machine_free(&m);
}

static void errors_have_a_remedy(void **state) {
    (void)state;
    struct machine m = fixture_machine(4, FIXTURE_AVX2);
    refused(&m, &(struct plan_options){.isas = {"avx512"}, .isa_count = 1}, "AVX-512", "carmine machine");
    refused(&m, &(struct plan_options){.levels = {"L4"}, .level_count = 1}, "L4", "carmine machine");
    refused(&m, &(struct plan_options){.threads = {5}, .thread_count = 1}, "5 threads", "at most 4");
    refused(&m, &(struct plan_options){.threads = {5}, .thread_count = 1, .mixes = {"fma"}, .mix_count = 1},
            "5 threads", "at most 4");
    refused(&m, &(struct plan_options){.mixes = {"ntstore"}, .mix_count = 1, .levels = {"L1"}, .level_count = 1},
            "nothing", "carmine kernels");
    refused(&m, &(struct plan_options){.mixes = {"chase"}, .mix_count = 1, .threads = {2}, .thread_count = 1},
            "nothing", "carmine kernels");
    machine_free(&m);
    m = fixture_hybrid(2, 4);
    refused(&m, &(struct plan_options){.threads = {7}, .thread_count = 1}, "7 threads", "at most 6");
    machine_free(&m);
    m = fixture_machine(1, 0);
    refused(&m, &(struct plan_options){.mixes = {"load"}, .mix_count = 1}, "nothing", "carmine kernels");
    machine_free(&m);
}

static void sweeps(void **state) {
    (void)state;
    struct machine m = fixture_machine(4, FIXTURE_AVX512);
    struct levels levels[1];
    struct plan plan;
    struct error err;
    fixture_levels(&m, levels);
    const struct plan_options none = {0}, avx2 = {.isas = {"avx2", "sse"}, .isa_count = 2};
    assert_string_equal(plan_widest_load(&m, &none), "avx512.load");
    assert_string_equal(plan_widest_load(&m, &avx2), "avx2.load");
    for (unsigned per_octave = 1; per_octave <= 8; per_octave *= 2) {
        assert_true(plan_sweep(&plan, &m, levels, &none, &(struct plan_curve){"avx512.load", per_octave, 1}, &err));
        /* 4 KiB to 64 MiB; sizes with fewer pages than steps appear once */
        assert_in_range(plan.count, 11 * per_octave + 1, 14 * per_octave + 1);
        for (size_t i = 0; i < plan.count; i++) {
            assert_true(i == 0 || plan.steps[i].size_bytes[0] > plan.steps[i - 1].size_bytes[0]);
            assert_int_equal(plan.steps[i].size_bytes[0] % 4096, 0);
        }
        assert_int_equal(plan.steps[0].size_bytes[0], 4096);
        assert_int_equal(plan.steps[0].level, 0);
        assert_int_equal(plan.steps[plan.count - 1].size_bytes[0], MIB(64));
        assert_int_equal(plan.steps[plan.count - 1].level, 3);
        plan_free(&plan);
    }
    assert_true(plan_sweep(&plan, &m, levels, &none, &(struct plan_curve){"chase", 2, 1}, &err));
    assert_int_equal(plan.steps[0].kind, SAMPLE_LATENCY);
    plan_free(&plan);
    m.cpu.features = CPU_SSE2;
    assert_false(plan_sweep(&plan, &m, levels, &none, &(struct plan_curve){"avx512.load", 2, 1}, &err));
    assert_contains(err.text, "carmine kernels");
    assert_false(plan_sweep(&plan, &m, levels, &none, &(struct plan_curve){NULL, 2, 1}, &err));
    m.cpu.features = 0;
    assert_null(plan_widest_load(&m, &none));
    machine_free(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_once),
        cmocka_unit_test(only_single_lines_of_shared_caches_are_read_in_again),
        cmocka_unit_test(narrow_types_and_slow_operations),
        cmocka_unit_test(one_cpu_is_measured_once),
        cmocka_unit_test(thread_counts),
        cmocka_unit_test(length_does_not_grow_with_cores),
        cmocka_unit_test(quick_is_a_part_of_the_whole),
        cmocka_unit_test(memory_within_limits),
        cmocka_unit_test(tiny_levels_have_sizes),
        cmocka_unit_test(sizes_follow_the_levels),
        cmocka_unit_test(choices_narrow_it),
        cmocka_unit_test(errors_have_a_remedy),
        cmocka_unit_test(sweeps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
