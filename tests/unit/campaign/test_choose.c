/* SPDX-License-Identifier: BSD-3-Clause
 * The pure functions for choosing code and size: the plateau among sizes, first guesses from the choices of other
 * steps, the grid of shapes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "asm/assemble.h"
#include "bench/kernels/choose.h"
#include "tests/support/fixtures.h"

static unsigned plateau(double a, double b, double c, bool innermost) {
    return choose_plateau((double[]){a, b, c}, 3, 1, innermost ? 0 : 3);
}

/* Of the five sizes of a private cache. */
static unsigned larger(double a, double b, double c, double d, double e) {
    return choose_plateau((double[]){a, b, c, d, e}, 5, 1, 2);
}

static void a_plateau_is_what_another_size_supports(void **state) {
    (void)state;
    assert_int_equal(plateau(130, 101, 100, false), 1); /* the first still fits the inner level */
    assert_int_equal(plateau(100, 90, 70, false), 1);   /* none supports another: the middle */
    assert_int_equal(plateau(140, 120, 100, false), 1);
    assert_int_equal(plateau(90, 100, 101, false), 1);
    assert_int_equal(plateau(100, 90, 103.9, false), 2);
    assert_int_equal(plateau(103.9, 90, 100, false), 0);
    assert_int_equal(plateau(104.2, 90, 100, false), 1); /* beyond 4 % */
}

/* The middle makes all runs take the same size, regardless of noise. */
static void on_a_plateau_the_middle_size_counts(void **state) {
    (void)state;
    assert_int_equal(plateau(100, 101, 102, false), 1);
    assert_int_equal(plateau(102, 101, 100, false), 1);
    assert_int_equal(plateau(100, 99, 70, false), 1); /* the last spills */
    assert_int_equal(plateau(130, 127, 100, false), 1);
    assert_int_equal(plateau(103.9, 100, 99, false), 1);
    assert_int_equal(plateau(105, 100.9, 95, false), 1);
    assert_int_equal(plateau(95, 100.9, 105.2, false), 1);
}

static void in_l1_the_best_size_counts(void **state) {
    (void)state;
    assert_int_equal(plateau(130, 101, 100, true), 0);
    assert_int_equal(plateau(100, 130, 70, true), 1);
    assert_int_equal(plateau(100, 70, 130, true), 2);
}

/* No inner level raises them. */
static void larger_sizes_of_a_private_cache_need_no_support(void **state) {
    (void)state;
    assert_int_equal(larger(47, 47, 47, 47, 62), 4);
    assert_int_equal(larger(47, 47, 62, 58, 47), 2);
    assert_int_equal(larger(62, 47, 47, 47, 47), 1);
    assert_int_equal(larger(47, 47, 47.4, 47.3, 40), 1); /* not 1 % more */
    assert_int_equal(larger(52, 47, 47, 47, 48), 4);
}

static void a_plateau_of_few_or_odd_sizes(void **state) {
    (void)state;
    assert_int_equal(choose_plateau((double[]){5}, 1, 0, 0), 0);
    assert_int_equal(choose_plateau((double[]){5}, 1, 0, 1), 0);
    assert_int_equal(choose_plateau((double[]){5, 9}, 2, 1, 2), 1);
    assert_int_equal(plateau(0, 0, 0, true), 0); /* nothing could run */
    assert_int_equal(plateau(0, 0, 0, false), 1);
    assert_int_equal(plateau(0, 100, 101, false), 1);
    assert_int_equal(plateau(100, 0, 101, false), 2);
    assert_int_equal(plateau(0, 0, 101, true), 2);
}

/* The steps of a real plan. */
struct planned {
    struct machine machine;
    struct levels levels[MACHINE_MAX_KINDS];
    struct plan plan;
};

static void plan_begin(struct planned *out, const struct plan_options *options) {
    struct error err;
    out->machine = fixture_machine(4, FIXTURE_AVX2);
    fixture_levels(&out->machine, out->levels);
    if (!plan_roofs(&out->plan, &out->machine, out->levels, options, &err))
        fail_msg("%s", err.text);
}

static void plan_end(struct planned *planned) {
    plan_free(&planned->plan);
    machine_free(&planned->machine);
}

static size_t find(const struct planned *planned, const char *kernel, int level, unsigned threads, bool small_pages) {
    for (size_t i = 0; i < planned->plan.count; i++) {
        const struct plan_step *step = &planned->plan.steps[i];
        if (strcmp(step->kernel, kernel) == 0 && step->level == level && step->threads == threads &&
            step->small_pages == small_pages)
            return i;
    }
    fail_msg("no %s in level %d of %u", kernel, level, threads);
    return SIZE_MAX;
}

static void assert_follows(const struct planned *planned, size_t step, size_t wanted) {
    const size_t got = choose_relative(&planned->plan, step);
    if (got != wanted)
        fail_msg("%s (%zu) follows %zd, not %zd", planned->plan.steps[step].kernel, step, (ssize_t)got,
                 (ssize_t)wanted);
}

static void f32_follows_f64_and_all_cores_one(void **state) {
    (void)state;
    struct planned p;
    plan_begin(&p, &(struct plan_options){0});
    const size_t first = find(&p, "avx2.f64.fma", PLAN_REGISTERS, 1, false);
    assert_follows(&p, first, SIZE_MAX);
    assert_follows(&p, find(&p, "avx2.f32.fma", PLAN_REGISTERS, 1, false), first);
    assert_follows(&p, find(&p, "avx2.f64.fma", PLAN_REGISTERS, 4, false), first);
    assert_follows(&p, find(&p, "avx2.f32.fma", PLAN_REGISTERS, 4, false),
                   find(&p, "avx2.f32.fma", PLAN_REGISTERS, 1, false));
    assert_follows(&p, find(&p, "avx2.f64.add", PLAN_REGISTERS, 1, false), SIZE_MAX);
    assert_follows(&p, find(&p, "sse.f64.add", PLAN_REGISTERS, 1, false), SIZE_MAX); /* other registers */
    plan_end(&p);
}

static void a_level_follows_no_other_level(void **state) {
    (void)state;
    struct planned p;
    plan_begin(&p, &(struct plan_options){0});
    for (int level = 0; level < 4; level++) {
        const size_t one = find(&p, "avx2.load", level, 1, false);
        assert_follows(&p, one, SIZE_MAX);
        assert_follows(&p, find(&p, "avx2.load", level, 4, false), one);
    }
    plan_end(&p);
}

static void small_pages_follow_huge_ones(void **state) {
    (void)state;
    struct planned p;
    plan_begin(&p, &(struct plan_options){.both_pages = true});
    for (int level = 0; level < 4; level++)
        assert_follows(&p, find(&p, "chase", level, 1, true), find(&p, "chase", level, 1, false));
    plan_end(&p);
}

static void nobody_follows_a_later_step(void **state) {
    (void)state;
    struct planned p;
    plan_begin(&p, &(struct plan_options){.both_pages = true});
    size_t following = 0;
    for (size_t i = 0; i < p.plan.count; i++) {
        const size_t relative = choose_relative(&p.plan, i);
        assert_true(relative == SIZE_MAX || relative < i);
        following += relative < i;
    }
    assert_true(following > p.plan.count / 2);
    plan_end(&p);
}

static const struct kernel *kernel_named(const char *name) {
    const struct kernel *const *kernel = kernel_find(name, NULL);
    assert_non_null(kernel);
    return *kernel;
}

static void what_can_be_assembled_has_shapes(void **state) {
    (void)state;
    static const char *const WITH[] = {"avx2.f64.fma", "avx512.f32.fmaadd", "x87.f64.add", "avx2.load", "sse.2ld1st"};
    static const char *const WITHOUT[] = {"chase",          "avx2.random",  "avx2.f64.div", "avx2.f64.1fma1ld",
                                          "avx512.f16.fma", "avx512.i8.dot"};
    for (size_t i = 0; i < sizeof WITH / sizeof *WITH; i++)
        if (!shapes_exist(kernel_named(WITH[i])))
            fail_msg("%s has shapes", WITH[i]);
    for (size_t i = 0; i < sizeof WITHOUT / sizeof *WITHOUT; i++)
        if (shapes_exist(kernel_named(WITHOUT[i])))
            fail_msg("%s has no shapes", WITHOUT[i]);
}

static void shapes_are_as_many_as_registers_hold(void **state) {
    (void)state;
    struct shapes shapes;
    unsigned row, column;
    shapes_begin(&shapes, kernel_named("avx2.f64.fma"), 0);
    assert_int_equal(shapes.search.rows, assemble_width_max(isa_find("avx2"), "fma"));
    assert_true(shapes_find(&shapes, 12, 10, &row, &column));
    assert_int_equal(shapes.widths[row], 12);
    assert_int_equal(shapes.unrolls[column], 10);
    assert_false(shapes_find(&shapes, 16, 1, &row, &column)); /* constants take registers too */
    assert_false(shapes_find(&shapes, 12, 20, &row, &column));
    assert_false(shapes_find(&shapes, 0, 0, &row, &column));
}

/* In 8 KiB: whole blocks may leave out an eighth of it. */
static void shapes_of_memory_fill_the_buffer(void **state) {
    (void)state;
    struct shapes shapes;
    unsigned row, column, possible = 0;
    shapes_begin(&shapes, kernel_named("avx2.load"), KIB(8));
    for (unsigned r = 0; r < shapes.search.rows; r++)
        for (unsigned c = 0; c < shapes.search.columns; c++)
            if (shapes.search.possible[r][c]) {
                const uint64_t block = (uint64_t)shapes.widths[r] * shapes.unrolls[c] * 64;
                assert_true(block <= KIB(8) && KIB(8) % block <= KIB(1));
                possible++;
            }
    assert_true(possible > 20);
    assert_true(shapes_find(&shapes, 1, 128, &row, &column));
    assert_false(shapes_find(&shapes, 1, 192, &row, &column)); /* 12 KiB */
    assert_false(shapes_find(&shapes, 3, 16, &row, &column));  /* 2 × 3 KiB */
}

/* A grid of this many accumulators × this many visits, all unknown. */
static struct shapes grid(unsigned rows, unsigned columns) {
    struct shapes shapes = {.kind = KERNEL_COMPUTE};
    unroll_search_begin(&shapes.search, rows, columns);
    for (unsigned i = 0; i < SEARCH_MAX_SIDE; i++)
        shapes.widths[i] = shapes.unrolls[i] = i + 1;
    return shapes;
}

static void what_differs_from_its_neighbours_is_out_of_line(void **state) {
    (void)state;
    struct shapes shapes = grid(2, 4);
    unroll_search_put(&shapes.search, 0, 0, 16);
    unroll_search_put(&shapes.search, 0, 1, 16.3);
    assert_false(shapes_out_of_line(&shapes, 0, 0));
    assert_false(shapes_out_of_line(&shapes, 0, 1)); /* within 2 % */
    unroll_search_put(&shapes.search, 0, 2, 12);
    assert_true(shapes_out_of_line(&shapes, 0, 2));
    assert_true(shapes_out_of_line(&shapes, 0, 1));
    unroll_search_put(&shapes.search, 1, 0, 14);
    assert_false(shapes_out_of_line(&shapes, 1, 0)); /* nothing known beside it */
}

static void the_highest_by_far_is_out_of_line(void **state) {
    (void)state;
    struct shapes shapes = grid(4, 4);
    unroll_search_put(&shapes.search, 0, 0, 16);
    assert_false(shapes_out_of_line(&shapes, 0, 0)); /* alone, and not on top of anything */
    unroll_search_put(&shapes.search, 3, 3, 20);
    assert_true(shapes_out_of_line(&shapes, 3, 3));
    assert_false(shapes_out_of_line(&shapes, 0, 0));
    unroll_search_put(&shapes.search, 2, 0, 19.8);
    assert_false(shapes_out_of_line(&shapes, 3, 3));
}

/* 1 % below the best counts as good; among good ones the shortest wins. */
static void finalists_are_high_or_short(void **state) {
    (void)state;
    static const struct {
        unsigned width, unroll;
        double value;
    } KNOWN[] = {{10, 10, 20},  {8, 9, 19.95}, {6, 8, 19.9},   {4, 4, 19.85},
                 {4, 3, 19.81}, {2, 2, 19.7},  {12, 12, 19.82}};
    static const unsigned WANTED[][2] = {{4, 3}, {4, 4}, {8, 9}, {10, 10}};
    struct shapes shapes = grid(12, 12);
    struct unroll_search_cell cells[8];
    assert_int_equal(shapes_finalists(&shapes, cells, 4), 0);
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++)
        unroll_search_put(&shapes.search, KNOWN[i].width - 1, KNOWN[i].unroll - 1, KNOWN[i].value);
    assert_int_equal(shapes_finalists(&shapes, cells, 4), 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(cells[i].row + 1, WANTED[i][0]);
        assert_int_equal(cells[i].column + 1, WANTED[i][1]);
    }
    assert_int_equal(shapes_finalists(&shapes, cells, 8), 6); /* all except 2x2 */
    assert_int_equal(shapes_finalists(&shapes, cells, 1), 1);
    assert_int_equal(cells[0].row + 1, 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plateau_is_what_another_size_supports),
        cmocka_unit_test(on_a_plateau_the_middle_size_counts),
        cmocka_unit_test(in_l1_the_best_size_counts),
        cmocka_unit_test(larger_sizes_of_a_private_cache_need_no_support),
        cmocka_unit_test(a_plateau_of_few_or_odd_sizes),
        cmocka_unit_test(f32_follows_f64_and_all_cores_one),
        cmocka_unit_test(a_level_follows_no_other_level),
        cmocka_unit_test(small_pages_follow_huge_ones),
        cmocka_unit_test(nobody_follows_a_later_step),
        cmocka_unit_test(what_can_be_assembled_has_shapes),
        cmocka_unit_test(shapes_are_as_many_as_registers_hold),
        cmocka_unit_test(shapes_of_memory_fill_the_buffer),
        cmocka_unit_test(what_differs_from_its_neighbours_is_out_of_line),
        cmocka_unit_test(the_highest_by_far_is_out_of_line),
        cmocka_unit_test(finalists_are_high_or_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
