/* SPDX-License-Identifier: BSD-3-Clause
 * The model against mixed kernels: the plan of a validation, and the comparison on made-up samples. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/kernels/doubt.h"
#include "bench/kernels/plan.h"
#include "carm/chart/chart.h"
#include "carm/chart/chart_roofs.h"
#include "carm/model/validate.h"
#include "carm/report/validate_report.h"
#include "tests/support/fixtures.h"

/* One thread unless stated. Values are per cycle; the clock is in GHz. */
static struct sample made(const char *kernel, const char *level, double per_cycle, double clock_ghz) {
    const struct kernel *const *known = kernel_find(kernel, NULL);
    assert_non_null(known);
    struct sample s = {.kind = (*known)->kind == KERNEL_MEMORY ? SAMPLE_BANDWIDTH : SAMPLE_COMPUTE,
                       .threads = 1,
                       .per_cycle = per_cycle,
                       .clock_hz = clock_ghz * 1e9,
                       .value = per_cycle * clock_ghz * 1e9};
    snprintf(s.kernel, sizeof s.kernel, "%s", kernel);
    snprintf(s.variant, sizeof s.variant, "%s", (*known)->variant);
    snprintf(s.level, sizeof s.level, "%s", level);
    return s;
}

static void intensities(void **state) {
    (void)state;
    static const struct {
        const char *isa, *pattern, *peak;
        enum element_type type;
    } rows[] = {{"avx512", "load", "fma", TYPE_F64},   {"avx512", "2ld1st", "fma", TYPE_F64},
                {"avx2", "load", "fma", TYPE_F32},     {"avx", "load", "addmul", TYPE_F64},
                {"sse", "2ld1st", "addmul", TYPE_F32}, {"x87", "load", "addmul", TYPE_F64}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (int quick = 0; quick < 2; quick++) {
            const struct kernel *kernels[20];
            size_t count = plan_mixed_kernels(isa_find(rows[i].isa), rows[i].type, rows[i].pattern, quick, kernels, 20);
            assert_int_equal(count, quick ? 7 : 13);
            for (size_t k = 0; k < count; k++) {
                assert_near(plan_intensity(kernels[k]), exp2((quick ? 2 : 1) * (double)k - 6));
                assert_string_equal(plan_mixed_pattern(kernels[k]), rows[i].pattern);
                assert_string_equal(plan_mixed_peak(kernels[k]), rows[i].peak);
                assert_int_equal(kernels[k]->type, rows[i].type);
            }
        }
    const struct kernel *few[3];
    assert_int_equal(plan_mixed_kernels(isa_find("sse"), TYPE_F64, "load", false, few, 3), 3);
    assert_int_equal(plan_mixed_kernels(isa_find("sse"), TYPE_F64, "update", false, few, 3), 0);
}

/* Each level is named once, in the plan's order; roofs, and other numbers of threads, make no point. */
static void what_is_left_out_is_named(void **state) {
    (void)state;
    const struct kernel *mixed[2];
    assert_int_equal(plan_mixed_kernels(isa_find("avx2"), TYPE_F64, "load", false, mixed, 2), 2);
    const struct sample wanted[] = {made("avx2.load", "L2", 1, 1),      made(mixed[0]->name, "L2", 1, 1),
                                    made(mixed[1]->name, "L2", 1, 1),   made(mixed[0]->name, "L3", 1, 1),
                                    made(mixed[0]->name, "DRAM", 1, 1), made(mixed[1]->name, "DRAM", 1, 1)};
    struct sample taken[] = {wanted[1], wanted[4]};
    char levels[32];
    assert_int_equal(validation_left_out(wanted, 6, wanted, 6, levels, sizeof levels), 0);
    assert_string_equal(levels, "");
    assert_int_equal(validation_left_out(wanted, 6, taken, 2, levels, sizeof levels), 3);
    assert_string_equal(levels, "L2,L3,DRAM");
    taken[1].threads = 2;
    assert_int_equal(validation_left_out(&wanted[3], 3, taken, 2, levels, sizeof levels), 3);
    assert_string_equal(levels, "L3,DRAM");
}

/* Blank roofs are passed over, and blank mixed kernels give no point. */
static void blanks_are_no_numbers(void **state) {
    (void)state;
    const struct kernel *mixed;
    assert_int_equal(plan_mixed_kernels(isa_find("avx512"), TYPE_F64, "load", false, &mixed, 1), 1);
    char name[48];
    snprintf(name, sizeof name, "%s", mixed->name);
    struct sample samples[] = {made("avx512.f64.fma", "", 32, 2), made("avx512.load", "DRAM", 4, 2),
                               made(name, "DRAM", 0.06, 2),       made("avx512.load", "DRAM", 4, 2),
                               made(name, "DRAM", 0.06, 2),       made("avx512.load", "DRAM", 4, 2)};
    struct validation_point points[6];
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++)
        snprintf(samples[i].variant, sizeof samples[i].variant, "%s",
                 i % 2 || i == 0 ? samples[i].variant : mixed->variant);
    assert_int_equal(validation_compare(samples, 6, NULL, points), 2);
    sample_blank(&samples[1]);
    sample_blank(&samples[4]);
    doubts_add(&samples[5].doubts, DOUBT_TOO_SHORT);
    assert_int_equal(validation_compare(samples, 6, NULL, points), 1);
    assert_near(points[0].bandwidth_bytes_per_s, 8e9);
    sample_blank(&samples[3]);
    assert_int_equal(validation_compare(samples, 6, NULL, points), 0);
}

static bool is_mixed(const struct plan_step *step) {
    return (*kernel_find(step->kernel, NULL))->kind == KERNEL_MIXED;
}

static double mixed_intensity(const struct plan_step *step) {
    return plan_intensity(*kernel_find(step->kernel, NULL));
}

static struct plan planned(const struct machine *machine, const struct plan_options *options) {
    struct levels levels[MACHINE_MAX_KINDS];
    struct plan plan;
    struct error err;
    fixture_levels(machine, levels);
    if (!plan_validate(&plan, machine, levels, options, &err))
        fail_msg("%s", err.text);
    return plan;
}

/* The roofs of a level come before its mixed kernels, at the same working set; the campaign visits all in turns. */
static void roofs_stand_before_what_they_bound(void **state) {
    (void)state;
    struct machine m = fixture_machine(4, FIXTURE_AVX512);
    struct plan plan = planned(&m, &(struct plan_options){.threads = {1, 4}, .thread_count = 2});
    size_t mixed = 0;
    double expected_s = 0;
    for (size_t i = 0; i < plan.count; i++) {
        const struct plan_step *step = &plan.steps[i];
        expected_s += step->expected_s;
        assert_true(step->expected_s > 0);
        if (!is_mixed(step))
            continue;
        mixed++;
        assert_int_equal(step->kind, SAMPLE_COMPUTE);
        assert_int_equal(step->size_count, 1);
        bool peak = false, bandwidth = false;
        for (size_t k = 1; k <= 14 && k <= i && !(peak && bandwidth); k++) {
            const struct plan_step *other = &plan.steps[i - k];
            assert_int_equal(other->threads, step->threads);
            peak |= other->level == PLAN_REGISTERS && strcmp(other->kernel, "avx512.f64.fma") == 0;
            bool smaller = mixed_intensity(step) > 8 && step->level > 1;
            bandwidth |=
                strcmp(other->kernel, "avx512.load") == 0 && other->level == step->level &&
                (smaller ? other->size_bytes[0] >= step->size_bytes[0] : other->size_bytes[0] == step->size_bytes[0]);
        }
        assert_true(peak && bandwidth);
        if (step->level == 0)
            assert_in_range(step->size_bytes[0], 4096, 8192);
    }
    assert_int_equal(mixed, 2 * 4 * 13);
    assert_near(plan.expected_s, expected_s);
    plan_free(&plan);
    plan = planned(&m, &(struct plan_options){0});
    assert_true(plan.expected_s < 30);
    plan_free(&plan);
    machine_free(&m);
}

static void choices(void **state) {
    (void)state;
    static const struct {
        struct plan_options options;
        unsigned mixed;
        const char *first; /* of the mixed kernels */
    } rows[] = {
        {{.isas = {"sse"}, .isa_count = 1, .levels = {"L1"}, .level_count = 1}, 13, "sse.f64.1addmul8ld"},
        {{.levels = {"L2"}, .level_count = 1, .types = {"f32"}, .type_count = 1, .quick = true},
         7,
         "avx2.f32.1fma32ld"},
        {{.levels = {"L1"}, .level_count = 1, .types = {"f64", "f32"}, .type_count = 2}, 26, "avx2.f64.1fma16ld"},
        {{.levels = {"L1"}, .level_count = 1, .mixes = {"2ld1st"}, .mix_count = 1}, 13, "avx2.f64.3fma16x2ld1st"},
        {{.isas = {"avx2", "sse"}, .isa_count = 2, .levels = {"L1"}, .level_count = 1}, 26, "avx2.f64.1fma16ld"},
    };
    struct machine m = fixture_machine(2, FIXTURE_AVX2);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct plan plan = planned(&m, &rows[i].options);
        unsigned mixed = 0;
        for (size_t k = 0; k < plan.count; k++)
            if (is_mixed(&plan.steps[k]) && mixed++ == 0)
                assert_string_equal(plan.steps[k].kernel, rows[i].first);
        assert_int_equal(mixed, rows[i].mixed);
        plan_free(&plan);
    }
    static const struct {
        struct plan_options options;
        const char *says;
    } refused[] = {
        {{.mixes = {"update"}, .mix_count = 1}, "load and 2ld1st"},
        {{.isas = {"avx512"}, .isa_count = 1}, "AVX-512"},
        {{.levels = {"L4"}, .level_count = 1}, "no level L4"},
        {{.isas = {"x87"}, .isa_count = 1, .types = {"f32"}, .type_count = 1}, "carmine kernels"},
        {{.types = {"f16"}, .type_count = 1}, "carmine kernels"},
    };
    struct levels levels[MACHINE_MAX_KINDS];
    fixture_levels(&m, levels);
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        struct plan plan;
        struct error err = {""};
        assert_false(plan_validate(&plan, &m, levels, &refused[i].options, &err));
        assert_contains(err.text, refused[i].says);
        assert_int_equal(plan.count, 0);
    }
    machine_free(&m);
}

/* π 16 flop/cycle at 3 GHz and 17 at 2.5; β 64 then 60 B/cycle: the higher counts, at the mixed kernel's own clock. */
static void compared_per_cycle_in_inner_levels(void **state) {
    (void)state;
    struct sample samples[] = {
        made("avx2.f64.fma", "", 16, 3),          made("avx2.load", "L1", 64, 3.2),
        made("avx2.f64.1fma16ld", "L1", 0.93, 3), made("avx2.f64.16fma1ld", "L1", 13.2, 2.6),
        made("avx2.f64.fma", "", 17, 2.5),        made("avx2.load", "L1", 60, 2.5),
    };
    samples[1].doubts = DOUBTS(DOUBT_UNSTABLE);
    samples[2].doubts = DOUBTS(DOUBT_NO_HUGE_PAGES);
    struct validation_point points[6];
    assert_int_equal(validation_compare(samples, 6, NULL, points), 2);
    assert_string_equal(points[0].kernel, "avx2.f64.1fma16ld");
    assert_string_equal(points[0].peak_kernel, "avx2.f64.fma");
    assert_string_equal(points[0].bandwidth_kernel, "avx2.load");
    assert_near(points[0].flop_per_byte, 1.0 / 64);
    assert_near(points[0].bandwidth_bytes_per_s, 64 * 3e9);
    assert_near(points[0].peak_flop_per_s, 17 * 3e9);
    assert_near(validation_model(&points[0]), 64 * 3e9 / 64);
    assert_near(validation_deviation(&points[0]), 0.93 - 1);
    assert_false(validation_is_compute_bound(&points[0]));
    assert_true(doubts_equal(points[0].doubts, DOUBTS(DOUBT_UNSTABLE, DOUBT_NO_HUGE_PAGES)));
    assert_near(points[1].flop_per_byte, 4);
    assert_near(validation_model(&points[1]), 17 * 2.6e9);
    assert_near(validation_deviation(&points[1]), 13.2 / 17 - 1);
    assert_true(validation_is_compute_bound(&points[1]));
    assert_true(doubts_equal(points[1].doubts, DOUBTS(DOUBT_UNSTABLE)));
}

/* In L3 and memory a kernel's rate does not depend on the clock after it. */
static void compared_per_second_further_out(void **state) {
    (void)state;
    struct sample samples[] = {made("avx2.f64.fma", "", 16, 3),          made("avx2.load", "L3", 10, 3),
                               made("avx2.f64.1fma1ld", "L3", 2.4, 3.1), made("avx2.f64.64fma1ld", "L3", 16, 2),
                               made("avx2.f64.fma", "", 16, 2.5),        made("avx2.load", "L3", 9, 3)};
    struct validation_point points[6];
    assert_int_equal(validation_compare(samples, 6, NULL, points), 2);
    assert_near(validation_model(&points[0]), 9.5 * 3e9 / 4); /* the mean of the two */
    assert_near(validation_deviation(&points[0]), 2.4 * 3.1 / 7.125 - 1);
    assert_near(validation_model(&points[1]), 44e9);
    assert_near(validation_deviation(&points[1]), 32. / 44 - 1);
    assert_true(points[0].per_cycle == 0 && points[1].per_cycle == 0 && points[0].clock_hz == 0);
}

/* Only roofs of the same ISA, type, operation, pattern, level, core kind and threads count. */
static void other_roofs_do_not_count(void **state) {
    (void)state;
    struct sample right[] = {made("avx2.f64.fma", "", 16, 3), made("avx2.load", "L2", 30, 3),
                             made("avx2.f64.1fma1ld", "L2", 7, 3)};
    struct validation_point points[5];
    assert_int_equal(validation_compare(right, 3, NULL, points), 1);
    const struct sample others[] = {made("avx512.f64.fma", "", 32, 3), made("avx2.f32.fma", "", 32, 3),
                                    made("avx2.f64.add", "", 8, 3),    made("avx512.load", "L2", 48, 3),
                                    made("avx2.2ld1st", "L2", 50, 3),  made("avx2.load", "L1", 96, 3)};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        struct sample samples[] = {right[0], right[1], right[2]};
        samples[others[i].level[0] ? 1 : 0] = others[i];
        assert_int_equal(validation_compare(samples, 3, NULL, points), 0);
        struct sample added[] = {right[0], right[1], others[i], right[2], others[i]};
        assert_int_equal(validation_compare(added, 5, NULL, points), 1);
        assert_near(validation_model(&points[0]), 7.5 * 3e9);
    }
    for (int roof = 0; roof < 2; roof++)
        for (int what = 0; what < 2; what++) {
            struct sample samples[] = {right[0], right[1], right[2]};
            if (what)
                samples[roof].threads = 2;
            else
                strcpy(samples[roof].core_kind, "E");
            assert_int_equal(validation_compare(samples, 3, NULL, points), 0);
        }
    assert_int_equal(validation_compare(NULL, 0, NULL, points), 0);
    /* A pattern with stores has the bandwidth of that pattern. */
    struct sample stores[] = {right[0], made("avx2.2ld1st", "L2", 24, 3), made("avx2.f64.3fma4x2ld1st", "L2", 1, 3)};
    assert_int_equal(validation_compare(stores, 3, NULL, points), 1);
    assert_near(validation_model(&points[0]), 24 * 3e9 / 16);
}

/* Sapphire Rapids: 192 bytes per cycle of 512-bit loads and stores; adds and multiplications on three ports with three
 * loads beside them are more than the six renamed instructions. */
static void port_limits(void **state) {
    (void)state;
    struct cpu_identity cpu = {.vendor = "GenuineIntel", .family = 6, .model = 143};
    const struct uarch *uarch = uarch_find(&cpu, "").uarch;
    assert_non_null(uarch);
    struct sample fits[] = {made("avx512.f64.fma", "", 32, 3), made("avx512.load", "L1", 128, 3),
                            made("avx512.f64.1fma1ld", "L1", 24, 3)};
    struct validation_point points[3];
    assert_int_equal(validation_compare(fits, 3, uarch, points), 1);
    assert_near(points[0].port_limit_per_cycle, 32);
    assert_false(validation_is_port_limited(&points[0]));
    struct sample exceeds[] = {made("avx.f64.addmul", "", 12, 3), made("avx.load", "L1", 96, 3),
                               made("avx.f64.1addmul1ld", "L1", 11, 3)};
    assert_int_equal(validation_compare(exceeds, 3, uarch, points), 1);
    const struct kernel *kernel = *kernel_find("avx.f64.1addmul1ld", NULL);
    assert_near(points[0].port_limit_per_cycle, kernel->cost.flop * 6. / (kernel->cost.instructions - 1));
    assert_true(points[0].port_limit_per_cycle < 12);
    assert_int_equal(validation_is_port_limited(&points[0]), points[0].port_limit_per_cycle < 0.99 * 12);
}

/* Skylake renames four instructions: two loads, a store and three halves of an FMA per cycle are more. */
static void narrow_issue(void **state) {
    (void)state;
    struct cpu_identity cpu = {.vendor = "GenuineIntel", .family = 6, .model = 94};
    struct sample samples[] = {made("avx2.f64.fma", "", 16, 3), made("avx2.2ld1st", "L1", 96, 3),
                               made("avx2.f64.3fma2x2ld1st", "L1", 10.5, 3)};
    struct validation_point points[3];
    assert_int_equal(validation_compare(samples, 3, uarch_find(&cpu, "").uarch, points), 1);
    assert_near(validation_model(&points[0]), 12 * 3e9);
    assert_true(points[0].port_limit_per_cycle > 10 && points[0].port_limit_per_cycle < 32. / 3);
    assert_true(validation_is_port_limited(&points[0]));
    const struct validation_limited limited = validation_limited_points(points, 1);
    assert_int_equal(limited.count, 1);
    assert_ptr_equal(limited.lowest, &points[0]);
    assert_near(limited.median, fabs(points[0].per_cycle / points[0].port_limit_per_cycle - 1));
    assert_near(validation_model_per_cycle(limited.lowest), 12);
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    assert_non_null(out);
    validation_print(points, 1, out);
    fclose(out);
    assert_non_null(strstr(text, "1 point cannot reach min(π, I·β)"));
    assert_non_null(strstr(text, "10.6 of its 12.0 flop/cycle at 1/8 flop/B"));
    free(text);
    points[0].per_cycle = 0; /* the clock is unknown */
    assert_false(validation_is_port_limited(&points[0]));
}

static struct validation_point made_point(double flop_per_byte, double share_of_model) {
    struct validation_point point = {
        .threads = 1, .flop_per_byte = flop_per_byte, .peak_flop_per_s = 32e9, .bandwidth_bytes_per_s = 64e9};
    point.flop_per_s = share_of_model * fmin(32e9, 64e9 * flop_per_byte);
    strcpy(point.level, "L1");
    return point;
}

/* The ridge point is at 1/2 flop/B: the ridge is from 1/4 to 1, both included. */
static void sides_of_the_ridge(void **state) {
    (void)state;
    static const struct {
        double flop_per_byte;
        enum validation_side side;
    } rows[] = {{1. / 64, VALIDATION_MEMORY_SIDE}, {0.249, VALIDATION_MEMORY_SIDE}, {0.25, VALIDATION_RIDGE},
                {0.5, VALIDATION_RIDGE},           {1, VALIDATION_RIDGE},           {1.01, VALIDATION_COMPUTE_SIDE},
                {64, VALIDATION_COMPUTE_SIDE}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct validation_point point = made_point(rows[i].flop_per_byte, 1);
        assert_int_equal(validation_side_of(&point), rows[i].side);
    }
}

/* Half of the points lie under the flat ceiling and agree: they hide neither the ridge nor the memory side. */
static void each_side_has_its_median(void **state) {
    (void)state;
    struct validation_point points[13];
    for (int log2 = -6; log2 <= 6; log2++)
        points[log2 + 6] = made_point(pow(2, log2), log2 < -2 ? 0.95 : log2 <= 0 ? 0.6 : 1);
    points[3].flop_per_s *= 0.98; /* the farthest of the memory side */
    struct validation_summary s;
    assert_int_equal(validation_summarise(points, 13, &s, 1), 1);
    assert_int_equal(s.sides[VALIDATION_MEMORY_SIDE].count, 4);
    assert_int_equal(s.sides[VALIDATION_RIDGE].count, 3);
    assert_int_equal(s.sides[VALIDATION_COMPUTE_SIDE].count, 6);
    assert_near(s.sides[VALIDATION_MEMORY_SIDE].median, 0.05);
    assert_near(s.sides[VALIDATION_RIDGE].median, 0.4);
    assert_near(s.sides[VALIDATION_COMPUTE_SIDE].median + 1, 1);
    assert_ptr_equal(s.sides[VALIDATION_MEMORY_SIDE].worst, &points[3]);
    assert_ptr_equal(validation_worst_side(&s, 1), &s.sides[VALIDATION_RIDGE]);
    assert_ptr_equal(validation_worst_point(&s), s.sides[VALIDATION_RIDGE].worst);
    /* Without the points of a side there is nothing to judge it by. */
    assert_int_equal(validation_summarise(&points[7], 6, &s, 1), 1);
    assert_int_equal(s.sides[VALIDATION_RIDGE].count, 0);
    assert_ptr_equal(validation_worst_side(&s, 1), &s.sides[VALIDATION_COMPUTE_SIDE]);
}

static void summaries(void **state) {
    (void)state;
    struct validation_point points[7];
    static const double measured[] = {1.0, 0.9, 1.02, 0.99, 0.7, 1.3, 1.0};
    for (size_t i = 0; i < 7; i++) {
        points[i] = (struct validation_point){.threads = 1,
                                              .flop_per_byte = 1,
                                              .flop_per_s = measured[i] * 1e9,
                                              .peak_flop_per_s = 1e9,
                                              .bandwidth_bytes_per_s = 2e9};
        strcpy(points[i].level, i < 5 ? "L1" : "L2");
    }
    points[6].threads = 2;
    struct validation_summary s[8];
    assert_int_equal(validation_summarise(points, 7, s, 8), 3);
    assert_int_equal(s[0].count, 5);
    assert_near(s[0].sides[VALIDATION_RIDGE].median, 0.02); /* of 0, 0.1, 0.02, 0.01, 0.3 */
    assert_ptr_equal(validation_worst_point(&s[0]), &points[4]);
    assert_near(s[1].sides[VALIDATION_RIDGE].median, 0.3);
    assert_ptr_equal(validation_worst_point(&s[1]), &points[5]);
    assert_near(s[2].sides[VALIDATION_RIDGE].median + 1, 1);
    assert_ptr_equal(validation_worst_side(s, 3), &s[1].sides[VALIDATION_RIDGE]);
    assert_int_equal(validation_summarise(points, 7, s, 1), 1);
    assert_int_equal(validation_summarise(points, 0, s, 8), 0);
}

static void of_repeated_roofs_the_median_is_kept(void **state) {
    (void)state;
    struct sample samples[] = {made("avx2.f64.fma", "", 15, 3),      made("avx2.load", "L1", 64, 3),
                               made("avx2.f64.1fma1ld", "L1", 7, 3), made("avx2.f64.fma", "", 17, 3),
                               made("avx2.load", "L2", 40, 3),       made("avx2.f64.fma", "", 16, 3)};
    struct sample kept[6];
    assert_int_equal(validation_roofs(samples, 6, kept), 3);
    assert_near(kept[0].per_cycle, 64);
    assert_near(kept[1].per_cycle, 40);
    assert_near(kept[2].per_cycle, 16);
}

static void points_replace_their_like(void **state) {
    (void)state;
    struct validation_point *list = NULL, now[2] = {{.kernel = "a", .level = "L1"}, {.kernel = "b", .level = "L1"}};
    size_t count = 0;
    validation_merge(&list, &count, now, 2);
    assert_int_equal(count, 2);
    now[0].flop_per_s = 5;
    strcpy(now[1].level, "L2");
    validation_merge(&list, &count, now, 2);
    assert_int_equal(count, 3);
    assert_string_equal(list[0].kernel, "b");
    assert_string_equal(list[0].level, "L1");
    assert_true(list[1].flop_per_s == 5);
    validation_merge(&list, &count, NULL, 0);
    assert_int_equal(count, 3);
    free(list);
}

static void rings_of_the_view(void **state) {
    (void)state;
    static const struct {
        const char *kernel, *level;
        unsigned threads;
        double flop_per_byte;
    } rows[] = {{"avx2.f64.1fma16ld", "L1", 1, 1. / 64}, {"avx2.f64.16fma1ld", "L2", 1, 4},
                {"avx2.f32.1fma16ld", "L1", 1, 1. / 32}, {"sse.f64.1addmul8ld", "L1", 1, 1. / 64},
                {"avx2.f64.1fma16ld", "L1", 2, 1. / 64}, {"avx2.f64.1fma1ld", "L7", 1, 1. / 4}};
    static const struct {
        struct model_view view;
        size_t rings;
    } views[] = {{{.threads = 1, .type = "f64"}, 3},
                 {{.threads = 1, .type = "f64", .isa = "avx2"}, 2},
                 {{.threads = 1, .type = "f32"}, 1},
                 {{.threads = 2, .type = "f64"}, 1},
                 {{.threads = 2, .type = "f64", .core_kind = "E"}, 0},
                 {{.threads = 4, .type = "f64"}, 0}};
    struct validation_point points[6];
    for (size_t i = 0; i < 6; i++) {
        points[i] = (struct validation_point){.threads = rows[i].threads, .flop_per_s = 1e9};
        points[i].flop_per_byte = rows[i].flop_per_byte;
        strcpy(points[i].kernel, rows[i].kernel);
        strcpy(points[i].level, rows[i].level);
    }
    struct machine m = fixture_machine(2, FIXTURE_AVX2);
    struct result result = {.validation_count = 6, .validation = points, .kind_count = 1};
    fixture_levels(&m, result.levels);
    struct model model = model_build(&result);
    for (size_t i = 0; i < sizeof views / sizeof views[0]; i++) {
        struct roofs roofs = {.model = &model, .view = views[i].view, .x = {.min = 1, .max = 2}};
        roofs.y = (struct plot_axis){.min = 5e9, .max = 6e9};
        const struct plot_axis *x = &roofs.x, *y = &roofs.y;
        struct plot_point rings[CHART_MAX_RINGS];
        assert_int_equal(chart_validation(&roofs, rings), views[i].rings);
        size_t rows_in_legend = 0;
        for (size_t k = 0; k < views[i].rings; k++) {
            assert_true(rings[k].hollow && rings[k].x >= x->min && rings[k].x <= x->max);
            assert_true(rings[k].y > y->min && rings[k].y < y->max);
            rows_in_legend += rings[k].legend != NULL;
        }
        assert_int_equal(rows_in_legend, views[i].rings > 0);
    }
    const struct sample peak_sample = {.clock_hz = 2e9};
    const struct roof peak = {.sample = &peak_sample};
    struct roofs roofs = {.model = &model, .view = views[1].view, .peak = &peak, .per_cycle = true};
    struct plot_point rings[CHART_MAX_RINGS];
    points[0].clock_hz = 4e9;
    chart_validation(&roofs, rings);
    assert_near(rings[0].y, 0.25); /* at its own clock, or at that of the peak */
    assert_near(rings[1].y, 0.5);
    const struct plot_color l1 = chart_level_color(result.levels, 0), l2 = chart_level_color(result.levels, 1);
    assert_memory_equal(&rings[0].color, &l1, sizeof l1);
    assert_memory_equal(&rings[1].color, &l2, sizeof l2);
    model_free(&model);
    machine_free(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intensities),
        cmocka_unit_test(what_is_left_out_is_named),
        cmocka_unit_test(blanks_are_no_numbers),
        cmocka_unit_test(roofs_stand_before_what_they_bound),
        cmocka_unit_test(choices),
        cmocka_unit_test(compared_per_cycle_in_inner_levels),
        cmocka_unit_test(compared_per_second_further_out),
        cmocka_unit_test(other_roofs_do_not_count),
        cmocka_unit_test(port_limits),
        cmocka_unit_test(narrow_issue),
        cmocka_unit_test(sides_of_the_ridge),
        cmocka_unit_test(each_side_has_its_median),
        cmocka_unit_test(summaries),
        cmocka_unit_test(of_repeated_roofs_the_median_is_kept),
        cmocka_unit_test(points_replace_their_like),
        cmocka_unit_test(rings_of_the_view),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
