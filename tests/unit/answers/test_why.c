/* SPDX-License-Identifier: BSD-3-Clause
 * Why two results differ: factors whose product is the ratio, whatever is known, and their explanation. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carm/report/why_report.h"
#include "tests/support/compared.h"

enum { MAX_SAMPLES = 16 };

/* A result with a few roofs. */
struct made {
    struct result result;
    struct sample samples[MAX_SAMPLES];
    struct model model;
};

/* The composition of a roof: its clock, work per cycle of a core, number of cores. 0: unknown. */
struct outcome {
    const char *kernel, *level;
    unsigned cores;
    double clock_hz, per_cycle;
};

static void made_begin(struct made *made, unsigned cores, uint64_t l3_bytes, const char *memory) {
    memset(made, 0, sizeof *made);
    made->result.samples = made->samples;
    made->result.machine.core_count = cores;
    made->result.machine.kind_count = made->result.kind_count = 1;
    made->result.levels[0] = (struct levels){.count = 4, .level = {{.name = "L1"}, {.name = "L2"}, {.name = "L3"}}};
    made->result.levels[0].level[2].effective_bytes = l3_bytes;
    strcpy(made->result.levels[0].level[3].name, memory);
    strcpy(made->result.uarch, "Made up");
}

static void made_add(struct made *made, struct outcome o) {
    struct sample *sample = &made->samples[made->result.sample_count++];
    const bool latency = strcmp(o.kernel, "chase") == 0;
    *sample =
        (struct sample){.threads = o.cores, .clock_hz = o.clock_hz, .per_cycle = o.clock_hz > 0 ? o.per_cycle : 0};
    strcpy(sample->kernel, o.kernel);
    strcpy(sample->level, o.level);
    sample->kind = latency ? SAMPLE_LATENCY : *o.level ? SAMPLE_BANDWIDTH : SAMPLE_COMPUTE;
    const double clock = o.clock_hz > 0 ? o.clock_hz : 1e9;
    sample->value = latency ? o.per_cycle / clock : o.per_cycle * clock * (o.cores ? o.cores : 1);
}

/* The comparison of two results; its sides last until the next call. */
static struct comparison compared(struct made *a, struct made *b) {
    static struct compare_side sides[2];
    struct made *const made[] = {a, b};
    for (size_t i = 0; i < 2; i++) {
        model_free(&made[i]->model);
        made[i]->model = model_build(&made[i]->result);
        sides[i] = (struct compare_side){.model = &made[i]->model, .path = i ? "b.json" : "a.json"};
    }
    compare_label(sides, 2);
    return compare_make(sides, 2, 0);
}

static void end(struct comparison *c, struct made *a, struct made *b) {
    compare_free(c);
    model_free(&a->model);
    model_free(&b->model);
}

static struct why found(const struct comparison *c, const char *name) {
    struct why why;
    if (!why_find(c, why_cores(c, 0), name, &why))
        fail_msg("no %s", name);
    return why;
}

static double product_of(const struct why *why) {
    double product = 1;
    for (int f = 0; f < WHY_FACTORS; f++)
        product *= isnan(why->factors[f]) ? 1 : why->factors[f];
    return product;
}

static void assert_multiplies(const struct why *why) {
    double shares = 0;
    assert_near(why->ratio, why->to.value / why->from.value);
    assert_near(product_of(why), why->ratio);
    for (int f = 0; f < WHY_FACTORS; f++)
        shares += isnan(why->factors[f]) ? 0 : why_share(why, (enum why_factor)f);
    if (fabs(why->ratio - 1) > 1e-6)
        assert_true(fabs(shares - 1) < 1e-6);
}

static void says(const struct why *why, const char *product, const char *meaning) {
    char text[WHY_WORDS_BYTES];
    assert_string_equal(why_product(why, text, sizeof text), product);
    assert_string_equal(why_meaning(why, text, sizeof text), meaning);
}

static double uniform(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 40) / 0x1p24;
}

/* Every roof of made-up machines, with any part of the known data missing. */
static void factors_multiply_to_the_ratio(void **state) {
    static const unsigned CORES[][2] = {{1, 8}, {8, 1}, {4, 4}, {16, 6}, {1, 1}};
    uint64_t seed = 1;
    size_t tried = 0;
    (void)state;
    for (size_t m = 0; m < sizeof CORES / sizeof CORES[0]; m++)
        for (int loss = 0; loss < 4; loss++) {
            static struct bench b;
            bench_add(&b, machine(CORES[m][0], FIXTURE_AVX512));
            bench_add(&b, machine(CORES[m][1], loss == 3 ? FIXTURE_AVX2 : FIXTURE_AVX512));
            for (size_t r = 0; r < 2; r++)
                for (size_t i = 0; i < b.results[r].sample_count; i++) {
                    struct sample *sample = &b.results[r].samples[i];
                    sample->value *= exp2(uniform(&seed) - 0.5);
                    sample->clock_hz = 2e9 + 2e9 * uniform(&seed);
                    if (loss == 1 && uniform(&seed) < 0.4)
                        sample->clock_hz = sample->per_cycle = 0;
                    if (loss == 2 && sample->kind != SAMPLE_LATENCY && uniform(&seed) < 0.4)
                        sample->threads = 0;
                }
            struct comparison c = compare_make(b.sides, 2, m % 2);
            for (size_t i = 0; i < c.row_count; i++) {
                if (!c.rows[i].roofs[0] || !c.rows[i].roofs[1])
                    continue;
                const struct why why = why_make(&c.rows[i].key, (struct why_roof){b.sides[0].model, c.rows[i].roofs[0]},
                                                (struct why_roof){b.sides[1].model, c.rows[i].roofs[1]});
                assert_multiplies(&why);
                tried++;
            }
            const struct why_list list = why_headlines(&c, why_cores(&c, 0), "f64");
            for (size_t i = 0; i < list.count; i++)
                assert_multiplies(&list.list[i]);
            assert_true(list.count >= 5);
            free(list.list);
            compare_free(&c);
            bench_free(&b);
        }
    assert_true(tried > 500);
}

/* Two completely known machines: 2 cores of 3 GHz, and 4 of 2 GHz that do twice as much per cycle. */
static void make_two(struct made *a, struct made *b) {
    made_begin(a, 2, MIB(32), "DRAM");
    made_begin(b, 4, MIB(32), "DRAM");
    made_add(a, (struct outcome){"avx2.f64.fma", "", 1, 3.5e9, 16});
    made_add(a, (struct outcome){"avx2.f64.fma", "", 2, 3e9, 16});
    made_add(b, (struct outcome){"avx512.f64.fma", "", 1, 3e9, 32});
    made_add(b, (struct outcome){"avx512.f64.fma", "", 4, 2e9, 28.8});
    made_add(a, (struct outcome){"avx2.load", "DRAM", 1, 3e9, 4});
    made_add(a, (struct outcome){"avx2.load", "DRAM", 2, 3e9, 4});
    made_add(b, (struct outcome){"avx512.load", "DRAM", 1, 4e9, 3});
    made_add(b, (struct outcome){"avx512.load", "DRAM", 4, 2e9, 3});
    made_add(a, (struct outcome){"chase", "L1", 1, 3e9, 5});
    made_add(b, (struct outcome){"chase", "L1", 1, 2e9, 4});
}

static void each_factor_is_what_it_says(void **state) {
    static struct made a, b;
    (void)state;
    make_two(&a, &b);
    struct comparison c = compared(&a, &b);
    assert_int_equal(why_cores(&c, 0), ROOF_ALL_CORES);
    struct why why = found(&c, "f64 peak");
    assert_multiplies(&why);
    assert_near(why.factors[WHY_CLOCK], 2.0 / 3); /* with all cores at work */
    assert_near(why.factors[WHY_PER_CYCLE], 2);   /* with a single core */
    assert_near(why.count_ratio, 2);
    assert_near(why.kept_ratio, 0.9);
    assert_near(why.factors[WHY_CORES], 1.8);
    assert_true(why.paced && why.other_kernel && !why.other_level && !why.alike);
    says(&why, "2.40 = 0.667 clock × 2.00 per cycle × 1.80 cores",
         "a core alone does 32.0 flop/cycle, not 16.0; 4 cores, not 2, each at 90 % of its rate alone, not 100 %; "
         "clock 2 GHz, not 3 GHz");

    why = found(&c, "dram"); /* not paced by the clock: the cores share a rate per second */
    assert_multiplies(&why);
    assert_near(why.factors[WHY_CLOCK], 4.0 / 3);
    assert_near(why.factors[WHY_PER_CYCLE], 0.75);
    assert_near(why.factors[WHY_CORES], 2 * 0.5);
    assert_true(!why.paced && why.alone_clock);
    says(&why, "1.00 = 1.33 clock × 0.750 per cycle × 1.00 cores",
         "4 cores, not 2, each at 50 % of its rate alone, not 100 %");
    end(&c, &a, &b);
}

/* A higher clock makes latencies shorter, more cycles make them longer. */
static void latencies_are_the_other_way_round(void **state) {
    static struct made a, b;
    (void)state;
    make_two(&a, &b);
    struct comparison c = compared(&a, &b);
    const struct why why = found(&c, "L1 latency");
    assert_multiplies(&why);
    assert_near(why.factors[WHY_CLOCK], 1.5);
    assert_near(why.factors[WHY_PER_CYCLE], 0.8);
    assert_true(isnan(why.factors[WHY_CORES]));
    says(&why, "1.20 = 1.50 clock × 0.800 cycles", "clock 2 GHz, not 3 GHz; 4.00 cycles, not 5.00");
    end(&c, &a, &b);
}

/* A cache of another size and memory of another kind: not only the core differs. */
static void another_level_is_a_factor_of_its_own(void **state) {
    static struct made a, b;
    char name[64];
    (void)state;
    made_begin(&a, 1, MIB(32), "DRAM");
    made_begin(&b, 1, MIB(12), "HBM");
    made_add(&a, (struct outcome){"avx2.load", "L3", 1, 3e9, 16});
    made_add(&b, (struct outcome){"avx2.load", "L3", 1, 3e9, 12});
    made_add(&a, (struct outcome){"avx2.load", "DRAM", 1, 3e9, 4});
    made_add(&b, (struct outcome){"avx2.load", "HBM", 1, 3e9, 6});
    struct comparison c = compared(&a, &b);
    struct why why = found(&c, "L3");
    assert_multiplies(&why);
    assert_near(why.factors[WHY_LEVEL], 0.75);
    assert_true(isnan(why.factors[WHY_PER_CYCLE]) && why.other_level);
    says(&why, "0.750 = 1.00 clock × 0.750 level", "L3 of 12 MiB, not 32 MiB: 0.750 by clock and level together");
    for (uint64_t near = MIB(9); near <= MIB(16); near += MIB(7)) { /* near enough to be equal */
        a.result.levels[0].level[2].effective_bytes = near;
        why = found(&c, "L3");
        assert_near(why.factors[WHY_PER_CYCLE], 0.75);
    }

    why = found(&c, "DRAM → HBM");
    assert_multiplies(&why);
    assert_near(why.factors[WHY_LEVEL], 1.5);
    assert_near(found(&c, "hbm").ratio, 1.5); /* by the name of either */
    assert_near(found(&c, "DRAM bandwidth").ratio, 1.5);
    assert_string_equal(why_name(&why, name, sizeof name), "DRAM → HBM");
    says(&why, "1.50 = 1.00 clock × 1.50 level", "HBM, not DRAM: 1.50 by clock and level together");
    end(&c, &a, &b);
}

/* As in imports: clock or threads are unknown, or a single core was not measured. */
static void what_is_not_known_stays_in_one_factor(void **state) {
    static struct made a, b;
    (void)state;
    made_begin(&a, 2, 0, "DRAM");
    made_begin(&b, 2, 0, "DRAM");
    made_add(&a, (struct outcome){"stream.triad", "DRAM", 2, 0, 10});
    made_add(&b, (struct outcome){"stream.triad", "DRAM", 2, 2e9, 7.5});
    made_add(&a, (struct outcome){"ert.f64.peak", "", 2, 0, 10});
    made_add(&b, (struct outcome){"ert.f64.peak", "", 0, 0, 30});
    struct comparison c = compared(&a, &b);
    struct why why = found(&c, "DRAM");
    assert_multiplies(&why);
    assert_near(why.factors[WHY_PER_CORE], 1.5);
    assert_near(why.factors[WHY_CORES], 1);
    assert_true(isnan(why.factors[WHY_CLOCK]) && isnan(why.kept_ratio));
    says(&why, "1.50 = 1.50 per core × 1.00 cores",
         "a core reaches 15 GB/s, not 10 GB/s (the clock of A is not known)");
    why = found(&c, "f64");
    assert_multiplies(&why);
    assert_near(why.factors[WHY_UNSPLIT], 1.5);
    says(&why, "1.50 = 1.50 not to be split", "the number of cores of B is not known");
    end(&c, &a, &b);
}

static void roofs_have_names(void **state) {
    static const char *const NAMES[] = {"f64",          "F64 PEAK",     "DRAM",        "dram bandwidth",
                                        "DRAM latency", "L3 avx2.load", "avx2.f64.mul"};
    static const char *const NONE[] = {"", "L9", "f128", "DRAM avx2.nothing", "peak"};
    static struct bench b;
    struct why why;
    (void)state;
    bench_add(&b, machine(2, FIXTURE_AVX2));
    bench_add(&b, machine(4, FIXTURE_AVX2));
    struct comparison c = compare_make(b.sides, 2, 0);
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
        if (!why_find(&c, ROOF_ALL_CORES, NAMES[i], &why))
            fail_msg("no %s", NAMES[i]);
    for (size_t i = 0; i < sizeof NONE / sizeof NONE[0]; i++)
        assert_false(why_find(&c, ROOF_ALL_CORES, NONE[i], &why));
    assert_int_equal(why_cores(&c, 1), 1);
    assert_int_equal(why_cores(&c, 3), 0);
    compare_free(&c);
    bench_free(&b);
}

/* A difference that both intervals permit to be zero is none. */
static void overlapping_intervals_are_no_difference(void **state) {
    static struct made a, b;
    (void)state;
    make_two(&a, &b);
    fixture_intervals(&a.result, 0.3, 0.3);
    fixture_intervals(&b.result, 0.3, 0.3);
    struct comparison c = compared(&a, &b);
    const struct why why = found(&c, "L1 latency");
    says(&why, "≈1.20 = 1.50 clock × 0.800 cycles", "no difference is known: the intervals of both overlap");
    end(&c, &a, &b);
}

static void doubts_are_of_a_side(void **state) {
    static struct made a, b;
    char text[WHY_WORDS_BYTES];
    (void)state;
    make_two(&a, &b);
    a.samples[4].doubts = DOUBTS(DOUBT_UNSTABLE, DOUBT_CLOCK_DRIFTED);
    b.samples[4].doubts = DOUBTS(DOUBT_UNSTABLE, DOUBT_OTHERS_ACTIVE);
    struct comparison c = compared(&a, &b);
    struct why why = found(&c, "L1 latency");
    assert_string_equal(why_doubts(&why, text, sizeof text), "unstable; A: clock drifted; B: others active");
    why = found(&c, "DRAM");
    assert_string_equal(why_doubts(&why, text, sizeof text), "");
    end(&c, &a, &b);
}

static void a_result_is_like_itself(void **state) {
    static struct bench b;
    (void)state;
    bench_add(&b, machine(4, FIXTURE_AVX2));
    struct compare_side sides[] = {b.sides[0], b.sides[0]};
    struct comparison c = compare_make(sides, 2, 0);
    const struct why_list list = why_headlines(&c, ROOF_ALL_CORES, "f64");
    for (size_t i = 0; i < list.count; i++) {
        char text[WHY_WORDS_BYTES];
        assert_near(list.list[i].ratio, 1);
        assert_multiplies(&list.list[i]);
        assert_true(isnan(why_share(&list.list[i], WHY_CLOCK)));
        assert_string_equal(why_meaning(&list.list[i], text, sizeof text), "next to no difference");
    }
    free(list.list);
    compare_free(&c);
    bench_free(&b);
}

static double number_at(const json_t *object, const char *key) {
    return json_number_value(json_object_get(object, key));
}

static void json_holds_all_factors(void **state) {
    static struct made a, b;
    (void)state;
    make_two(&a, &b);
    struct comparison c = compared(&a, &b);
    struct why why = found(&c, "f64");
    json_t *json = why_json(&c, &(struct why_list){1, &why});
    const json_t *ratio = json_array_get(json_object_get(json, "ratios"), 0), *factor;
    double product = 1, logs = 0, shares = 0;
    size_t i;
    assert_string_equal(json_string_value(json_object_get(json, "schema")), "carmine.why/1");
    assert_int_equal(json_array_size(json_object_get(json, "machines")), 2);
    json_array_foreach(json_object_get(ratio, "factors"), i, factor) {
        product *= number_at(factor, "ratio");
        logs += number_at(factor, "log2");
        shares += number_at(factor, "share");
    }
    assert_int_equal(i, 3);
    assert_near(product, number_at(ratio, "ratio"));
    assert_near(logs, log2(number_at(ratio, "ratio")));
    assert_near(shares, 1);
    assert_near(number_at(json_object_get(ratio, "b"), "kept"), 0.9);
    assert_near(number_at(json_object_get(ratio, "a"), "alone_clock_hz"), 3.5e9);
    json_decref(json);
    end(&c, &a, &b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factors_multiply_to_the_ratio),
        cmocka_unit_test(each_factor_is_what_it_says),
        cmocka_unit_test(latencies_are_the_other_way_round),
        cmocka_unit_test(another_level_is_a_factor_of_its_own),
        cmocka_unit_test(what_is_not_known_stays_in_one_factor),
        cmocka_unit_test(roofs_have_names),
        cmocka_unit_test(overlapping_intervals_are_no_difference),
        cmocka_unit_test(doubts_are_of_a_side),
        cmocka_unit_test(a_result_is_like_itself),
        cmocka_unit_test(json_holds_all_factors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
