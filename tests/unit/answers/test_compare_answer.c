/* SPDX-License-Identifier: BSD-3-Clause
 * The first screen of compare: the speed, and the part of it due to clock and cores. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carm/compare/why.h"
#include "carm/report/compare_report.h"
#include "tests/support/answered.h"
#include "tests/support/compared.h"

static char *answered(struct bench *b, enum compare_per per) {
    struct screen_text text = screen_text_begin();
    compare_label(b->sides, b->count);
    struct comparison c = compare_make(b->sides, b->count, 0);
    assert_true(compare_answer_print(&c, per, &text.screen));
    compare_free(&c);
    return screen_text_end(&text);
}

/* Another clock: counts per cycle stay. */
static void set_clock(struct result *r, double factor) {
    for (size_t i = 0; i < r->sample_count; i++) {
        struct sample *s = &r->samples[i];
        s->clock_hz *= factor;
        s->value *= s->kind == SAMPLE_LATENCY ? 1 / factor : factor;
    }
}

static void scale_level(struct result *r, const char *level, double factor) {
    for (size_t i = 0; i < r->sample_count; i++)
        if (strcmp(r->samples[i].level, level) == 0)
            r->samples[i].value *= factor;
}

/* The first line for two results of four cores, the second changed by these factors. */
struct change {
    double clock, memory; /* factors of all values, and of memory only */
    unsigned cores;
    const char *starts; /* the answer */
};

static void says_how_fast_and_why(void **state) {
    static const struct change rows[] = {
        {1, 1, 4, "B: 1.00 × A's f64 peak, 1.00 × its DRAM bandwidth; none of "},
        {0.65, 1, 4,
         "B: 0.650 × A's f64 peak, 0.650 × its DRAM bandwidth; nearly all of the\n   difference comes from the clock: "
         "1.96 against 3.01 GHz\n"},
        {0.65, 2, 4,
         "B: 0.650 × A's f64 peak, 1.30 × its DRAM bandwidth; the f64 peak differs by the\n   clock: 1.96 against 3.01 "
         "GHz\n"},
        {1, 1, 8, "B: 2.00 × A's f64 peak, 2.00 × its DRAM bandwidth; "},
        {1, 0.5, 4, "B: 1.00 × A's f64 peak, 0.500 × its DRAM bandwidth\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bench b = {0};
        bench_add(&b, machine(4, FIXTURE_AVX2));
        struct result other = machine(rows[i].cores, FIXTURE_AVX2);
        set_clock(&other, rows[i].clock);
        scale_level(&other, "DRAM", rows[i].memory);
        bench_add(&b, other);
        answer_is(answered(&b, PER_MACHINE), rows[i].starts);
        bench_free(&b);
    }
}

static void other_code_is_named_and_told_per_cycle(void **state) {
    struct bench b = {0};
    (void)state;
    bench_add(&b, machine(4, FIXTURE_AVX512));
    bench_add(&b, machine(4, FIXTURE_AVX2));
    char *text = answered(&b, PER_MACHINE);
    assert_contains(text, "× A's f64 peak (scalar against AVX-512)");
    assert_contains(text, "at\n   the same clock, 3.01 GHz");
    assert_contains(text, "Roofs   B lacks ");
    is_one_screen(text);
    free(text);
    set_clock(&b.results[1], 0.9);
    text = answered(&b, PER_MACHINE);
    assert_contains(text, "0.511 × the f64 peak,");
    assert_contains(text, " × the f64 peak,");
    assert_contains(text, "2.71 against 3.01 GHz\n");
    free(text);
    text = answered(&b, PER_CYCLE);
    assert_contains(text, "B: per cycle 0.");
    assert_contains(text, "roof (per cycle and core)");
    free(text);
    bench_free(&b);
}

/* Neither a poorly known value nor an unknown clock counts as a cause. */
static void causes_need_evidence(void **state) {
    struct bench b = {0};
    (void)state;
    bench_add(&b, machine(2, FIXTURE_AVX2));
    struct result other = machine(2, FIXTURE_AVX2);
    set_clock(&other, 0.8);
    fixture_intervals(&other, 0.3, 0.5);
    fixture_intervals(&b.results[0], 0, 0);
    bench_add(&b, other);
    compare_label(b.sides, 2);
    struct comparison c = compare_make(b.sides, 2, 0);
    struct compare_why why = compare_why(&c, 1, PER_MACHINE);
    assert_true(why.both > 100);
    assert_int_equal(why.differing, 0); /* each interval contains the other value */
    fixture_intervals(&b.results[1], 0, 0);
    why = compare_why(&c, 1, PER_MACHINE);
    assert_int_equal(why.differing, why.both);
    assert_int_equal(why.explained[COMPARE_CLOCK], why.both);
    assert_int_equal(why.explained[COMPARE_CORES], 0);
    for (size_t i = 0; i < b.results[1].sample_count; i++)
        b.results[1].samples[i].clock_hz = 0;
    why = compare_why(&c, 1, PER_MACHINE);
    assert_int_equal(why.differing, why.both);
    assert_int_equal(why.explained[COMPARE_CLOCK], 0);
    compare_free(&c);
    bench_free(&b);
}

static void cores_are_a_cause(void **state) {
    struct bench b = {0};
    (void)state;
    bench_add(&b, machine(2, FIXTURE_AVX2));
    b.sides[1] = b.sides[0];
    b.sides[0].cores = 1, b.sides[1].cores = ROOF_ALL_CORES;
    b.count = 2;
    char *text = answered(&b, PER_MACHINE);
    assert_contains(text, "comes from the number of cores: 2 against 1\n");
    free(text);
    b.count = 1;
    bench_free(&b);
}

static void many_are_ranges(void **state) {
    (void)state;
    for (size_t count = 5; count <= MAX_SIDES; count += MAX_SIDES - 5) {
        struct bench b = {0};
        for (size_t i = 0; i < count; i++) {
            struct result r = machine(2, i == 3 ? FIXTURE_AVX512 : FIXTURE_AVX2);
            set_clock(&r, 1 - 0.05 * (double)i);
            snprintf(r.machine.host, sizeof r.machine.host, "node%zu", i);
            bench_add(&b, r);
        }
        char *text = answered(&b, PER_MACHINE), wanted[64];
        snprintf(wanted, sizeof wanted, "%zu results against %s: f64 ", count - 1, count > 6 ? "node0" : "A");
        assert_int_equal(strncmp(text, wanted, strlen(wanted)), 0);
        assert_contains(text, count > 6 ? "(node3)" : "(D)"); /* the fastest: AVX-512 */
        is_one_screen(text);
        free(text);
        bench_free(&b);
    }
}

static void applications_are_in_it(void **state) {
    struct bench b = {0};
    (void)state;
    bench_add(&b, machine(2, FIXTURE_AVX2));
    bench_add(&b, machine(2, FIXTURE_AVX2));
    for (size_t i = 0; i < 2; i++) {
        b.results[i].points = calloc(1, sizeof *b.results[i].points);
        b.results[i].points[0] = fixture_point("solve");
        b.results[i].points[0].seconds = app_once(i ? 0.01 : 0.02);
        b.results[i].point_count = 1;
    }
    char *text = answered(&b, PER_MACHINE);
    assert_contains(text, "\nApps    solve: B 0.500 × the time\n");
    is_one_screen(text);
    free(text);
    bench_free(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_how_fast_and_why), cmocka_unit_test(other_code_is_named_and_told_per_cycle),
        cmocka_unit_test(causes_need_evidence),  cmocka_unit_test(cores_are_a_cause),
        cmocka_unit_test(many_are_ranges),       cmocka_unit_test(applications_are_in_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
