/* SPDX-License-Identifier: BSD-3-Clause
 * Visits → number and interval, by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/kernels/estimate.h"
#include "bench/kernels/number_thresholds.h"
#include "tests/support/fixtures.h"

#define PACED   true
#define UNPACED false

static const double CLOCK_HZ = 3e9;

/* A visit of one core whose own interval has no width. */
static struct sample paced_visit(double per_cycle) {
    const double value = per_cycle * CLOCK_HZ;
    return (struct sample){.kind = SAMPLE_COMPUTE,
                           .threads = 1,
                           .value = value,
                           .low = value,
                           .high = value,
                           .per_cycle = per_cycle,
                           .clock_hz = CLOCK_HZ,
                           .clock_min_hz = CLOCK_HZ,
                           .clock_max_hz = CLOCK_HZ};
}

static struct sample unpaced_visit(double value) {
    return (struct sample){.kind = SAMPLE_BANDWIDTH, .threads = 1, .value = value, .low = value, .high = value};
}

static struct sample with_documented(struct sample visit, double documented_per_cycle) {
    visit.documented_per_cycle = documented_per_cycle;
    return visit;
}

static struct sample with_doubts(struct sample visit, struct doubts doubts) {
    visit.doubts = doubts;
    return visit;
}

static struct sample combine(const struct sample *visits, size_t count, bool paced, double alone) {
    struct sample out;
    estimate_combine(&out, visits, count, paced, (struct estimate_habit){.alone = alone});
    return out;
}

#define COMBINE(paced, alone, ...)                                                                                     \
    combine((struct sample[]){__VA_ARGS__}, sizeof((struct sample[]){__VA_ARGS__}) / sizeof(struct sample), paced,     \
            alone)

static void assert_reaches(const struct sample *sample, double value, double down, double up) {
    assert_near(sample->value, value);
    assert_near(sample->low, value * (1 - down));
    assert_near(sample->high, value * (1 + up));
}

static void one_visit_reaches_as_far_as_visits_differ(void **state) {
    (void)state;
    struct sample s = COMBINE(PACED, 0.02, paced_visit(16));
    assert_reaches(&s, 48e9, 0.02, 0.02);
    s = COMBINE(PACED, 0, paced_visit(16));
    assert_reaches(&s, 48e9, number_thresholds.paced_alone.value, number_thresholds.paced_alone.value);
    s = COMBINE(UNPACED, 0, unpaced_visit(20e9));
    const double both =
        sqrt(pow(number_thresholds.unpaced_alone.value, 2) + pow(number_thresholds.unpaced_within.value, 2));
    assert_reaches(&s, 20e9, both, both);
}

static void one_visits_own_interval_adds_to_it(void **state) {
    (void)state;
    struct sample visit = paced_visit(16);
    visit.low = visit.value * 0.96;
    visit.high = visit.value * 1.004;
    const struct sample s = COMBINE(PACED, 0.03, visit);
    assert_reaches(&s, 48e9, 0.05, sqrt(0.03 * 0.03 + 0.004 * 0.004)); /* 3, 4, 5 */
}

/* 16 and 16.04: mean 16.02, standard deviation 0.04 / √2, of the mean 0.02; t with one degree of freedom 6.314. */
static void two_visits_by_student(void **state) {
    (void)state;
    const struct sample s = COMBINE(PACED, 0, paced_visit(16), paced_visit(16.04));
    assert_near(s.per_cycle, 16.02);
    assert_reaches(&s, 16.02 * CLOCK_HZ, 6.314 * 0.02 / 16.02, 6.314 * 0.02 / 16.02);
}

/* 100, 102 and 104: mean 102, standard deviation 2, of
 * the mean 2 / √3; t with two degrees of freedom 2.920. */
static void three_visits_by_student(void **state) {
    (void)state;
    const struct sample s = COMBINE(UNPACED, 0, unpaced_visit(100), unpaced_visit(104), unpaced_visit(102));
    const double between = 2.920 * 2 / sqrt(3) / 102,
                 both = sqrt(between * between + pow(number_thresholds.unpaced_within.value, 2));
    assert_reaches(&s, 102, both, both);
}

static void two_that_disagree_leave_the_higher_and_a_wide_interval(void **state) {
    (void)state;
    struct sample s = COMBINE(PACED, 0, paced_visit(12), paced_visit(16));
    assert_reaches(&s, 48e9, 0.25, 0.25);
    s = COMBINE(PACED, 0, paced_visit(15.84), paced_visit(16)); /* closer than visits differ */
    assert_reaches(&s, 48e9, number_thresholds.paced_alone.value, number_thresholds.paced_alone.value);
}

static void the_highest_group_wins(void **state) {
    (void)state;
    const struct sample s = COMBINE(PACED, 0, paced_visit(12), paced_visit(12), paced_visit(12), paced_visit(16),
                                    paced_visit(16), paced_visit(14), paced_visit(14));
    assert_reaches(&s, 48e9, 0, 0);
}

static void agreement_is_half_a_percent_where_paced(void **state) {
    (void)state;
    struct sample s = COMBINE(PACED, 0, paced_visit(16 * 0.9951), paced_visit(16));
    assert_near(s.per_cycle, 16 * (1 + 0.9951) / 2);
    s = COMBINE(PACED, 0, paced_visit(16 * 0.9949), paced_visit(16));
    assert_near(s.per_cycle, 16);
    s = COMBINE(UNPACED, 0, unpaced_visit(95.1), unpaced_visit(100));
    assert_near(s.value, 97.55);
    s = COMBINE(UNPACED, 0, unpaced_visit(94.9), unpaced_visit(100));
    assert_near(s.value, 100);
}

/* Unconfirmed values above a consistent group. */
static struct sample below_a_high_one(bool paced, size_t members, size_t above) {
    struct sample visits[ESTIMATE_MAX_VISITS];
    for (size_t i = 0; i < above; i++) /* far apart from each other, too */
        visits[i] = paced ? paced_visit(20 + 2 * (double)i) : unpaced_visit(20e9 + 2e9 * (double)i);
    for (size_t i = 0; i < members; i++)
        visits[above + i] = paced ? paced_visit(16) : unpaced_visit(16e9);
    return combine(visits, above + members, paced, 0.04);
}

static void a_high_visit_widens_until_refuted(void **state) {
    (void)state;
    const size_t refuted = (size_t)number_thresholds.refuted.value;
    struct sample s = below_a_high_one(PACED, refuted - 1, 1);
    assert_reaches(&s, 48e9, 0, 20 / 16.0 * 1.02 - 1);
    s = below_a_high_one(PACED, refuted, 1);
    assert_reaches(&s, 48e9, 0, 0);
    s = below_a_high_one(PACED, 2 * refuted - 1, 2);
    assert_reaches(&s, 48e9, 0, 22 / 16.0 * 1.02 - 1);
    s = below_a_high_one(PACED, 2 * refuted, 2);
    assert_reaches(&s, 48e9, 0, 0);
}

static void a_high_visit_without_a_clock_is_never_refuted(void **state) {
    (void)state;
    const struct sample s = below_a_high_one(UNPACED, ESTIMATE_MAX_VISITS - 1, 1);
    assert_reaches(&s, 16e9, number_thresholds.unpaced_within.value, 20 / 16.0 * 1.02 - 1);
}

static void above_documented_counts_where_all_are(void **state) {
    (void)state;
    const struct sample misread = with_documented(paced_visit(20), 16), fine = with_documented(paced_visit(15.9), 16);
    struct sample s = COMBINE(PACED, 0, misread, misread, fine);
    assert_near(s.per_cycle, 15.9);
    assert_near(estimate_uncertainty(&s), number_thresholds.paced_alone.value);
    assert_false(estimate_above_documented(&s));
    s = COMBINE(PACED, 0, misread, misread);
    assert_near(s.per_cycle, 20);
    assert_true(estimate_above_documented(&s));
}

static void above_documented_begins_at_one_percent(void **state) {
    (void)state;
    const struct sample within = with_documented(paced_visit(16.15), 16),
                        beyond = with_documented(paced_visit(16.17), 16), unknown = paced_visit(1e6);
    assert_false(estimate_above_documented(&within));
    assert_true(estimate_above_documented(&beyond));
    assert_false(estimate_above_documented(&unknown));
}

static struct sample chase_visit(double cycles, double clock_hz) {
    struct sample visit = paced_visit(cycles);
    visit.kind = SAMPLE_LATENCY;
    visit.value = visit.low = visit.high = cycles / clock_hz;
    visit.clock_hz = visit.clock_min_hz = visit.clock_max_hz = clock_hz;
    return visit;
}

static void of_latencies_the_lower_wins(void **state) {
    (void)state;
    const struct sample s = COMBINE(PACED, 0, chase_visit(5, 3e9), chase_visit(7, 3e9), chase_visit(5, 3e9));
    assert_near(s.per_cycle, 5);
    assert_near(s.value, 5 / 3e9);
    assert_true(estimate_merit(&s, PACED) > 1 / 6.0);
}

/* As rates 1/4 and 1/5 are 20 % apart: the latency is 4, or 4 / 1.2 to 4 / 0.8. */
static void intervals_of_latencies_are_turned_over(void **state) {
    (void)state;
    struct sample s = COMBINE(PACED, 0, chase_visit(4, 3e9), chase_visit(5, 3e9));
    assert_near(s.value, 4 / 3e9);
    assert_near(s.low, 4 / 3e9 / 1.2);
    assert_near(s.high, 4 / 3e9 / 0.8);
    struct sample visit = chase_visit(4, 3e9); /* its own: 10 % slower, and no faster */
    visit.high = visit.value / 0.9;
    s = COMBINE(PACED, 1e-9, visit);
    assert_true(fabs(s.high / (4 / 3e9 / 0.9) - 1) < 1e-6);
    assert_true(fabs(s.low / (4 / 3e9) - 1) < 1e-6);
}

/* The mean is that of the rates. */
static void latencies_are_moved_to_the_mean(void **state) {
    (void)state;
    const double cycles = 2 / (1 / 5.0 + 1 / 5.02);
    const struct sample s = COMBINE(PACED, 0, chase_visit(5, 3e9), chase_visit(5.02, 3e9));
    assert_near(s.per_cycle, cycles);
    assert_near(s.value, cycles / 3e9);
}

static void latencies_too_are_cycles_by_the_median_clock(void **state) {
    (void)state;
    const struct sample s = COMBINE(PACED, 0, chase_visit(5, 2e9), chase_visit(5, 3e9), chase_visit(5, 3.1e9));
    assert_near(s.value, 5 / 3e9);
    assert_near(s.clock_hz, 3e9);
}

static void doubts_that_pass_need_all_and_others_any(void **state) {
    (void)state;
    const struct doubts passing = DOUBTS(DOUBT_CORE_SHARED, DOUBT_OTHERS_ACTIVE, DOUBT_CLOCK_DRIFTED);
    struct sample s = COMBINE(PACED, 0, with_doubts(paced_visit(16), passing), paced_visit(16));
    assert_false(doubts_any(s.doubts));
    s = COMBINE(PACED, 0, with_doubts(paced_visit(16), passing),
                with_doubts(paced_visit(16), DOUBTS(DOUBT_CORE_SHARED, DOUBT_NO_HUGE_PAGES)));
    assert_true(doubts_equal(s.doubts, DOUBTS(DOUBT_CORE_SHARED, DOUBT_NO_HUGE_PAGES)));
    s = COMBINE(PACED, 0, paced_visit(16), paced_visit(16), with_doubts(paced_visit(12), DOUBTS(DOUBT_NO_HUGE_PAGES)));
    assert_false(doubts_any(s.doubts)); /* not of the group */
}

/* It takes up to 30 % of what the core can do. The documented limit bounds what it may hide, and one visit without it
 * shows that it hid nothing. */
static void a_busy_sibling_may_hide_more(void **state) {
    (void)state;
    const struct doubts busy = DOUBTS(DOUBT_SIBLING_BUSY);
    struct sample visits[] = {with_doubts(paced_visit(14), busy), with_doubts(paced_visit(14), busy)};
    struct sample s = combine(visits, 2, PACED, 0);
    assert_near(s.high / s.value, 1 / 0.7);
    assert_near(s.low, s.value);
    visits[0].documented_per_cycle = visits[1].documented_per_cycle = 16;
    s = combine(visits, 2, PACED, 0);
    assert_near(s.high / s.value, 16.0 / 14);
    assert_true(doubts_has(s.doubts, DOUBT_SIBLING_BUSY));
    visits[0].documented_per_cycle = visits[1].documented_per_cycle = 14.1; /* they reach it: nothing was taken */
    assert_false(doubts_any(combine(visits, 2, PACED, 0).doubts));
    visits[0].doubts = NO_DOUBTS;
    s = combine(visits, 2, PACED, 0);
    assert_near(s.high, s.value);
    assert_false(doubts_any(s.doubts));
}

/* Visits whose cores lacked their shared cache, or that had a core together, count where there are no others, however
 * fast they are; so they are the first to go from a full list. */
static void visits_without_their_cache_count_last(void **state) {
    (void)state;
    static const enum doubt_id LAST[] = {DOUBT_CORES_APART, DOUBT_SIBLING_BUSY};
    for (size_t i = 0; i < 2; i++) {
        const struct doubts doubts = doubts_listed(&LAST[i], 1);
        struct sample visits[] = {with_doubts(unpaced_visit(80e9), doubts), with_doubts(unpaced_visit(80e9), doubts),
                                  unpaced_visit(50e9), unpaced_visit(50e9)};
        struct sample s = combine(visits, 4, UNPACED, 0);
        assert_near(s.value, 50e9);
        assert_true(s.high < 55e9);
        assert_false(doubts_any(s.doubts));
        s = combine(visits, 2, UNPACED, 0);
        assert_near(s.value, 80e9);
        assert_true(doubts_equal(s.doubts, doubts));
        assert_true(estimate_is_lower(&visits[0], &visits[2], UNPACED));
        assert_false(estimate_is_lower(&visits[2], &visits[0], UNPACED));
    }
}

/* Four cores at 2, 3 and 3.2 GHz: per cycle they agree. */
static void the_value_is_per_cycle_by_cores_by_the_median_clock(void **state) {
    (void)state;
    static const double CLOCKS_HZ[] = {3.2e9, 2e9, 3e9};
    struct sample visits[3];
    for (size_t i = 0; i < 3; i++) {
        visits[i] = paced_visit(16);
        visits[i].threads = 4;
        visits[i].clock_hz = CLOCKS_HZ[i];
        visits[i].clock_min_hz = CLOCKS_HZ[i] - 1e8;
        visits[i].clock_max_hz = CLOCKS_HZ[i] + 1e8;
        visits[i].value = visits[i].low = visits[i].high = 16 * 4 * CLOCKS_HZ[i];
    }
    const struct sample s = combine(visits, 3, PACED, 0);
    assert_near(s.clock_hz, 3e9);
    assert_near(s.clock_min_hz, 1.9e9);
    assert_near(s.clock_max_hz, 3.3e9);
    assert_reaches(&s, 16.0 * 4 * 3e9, 0, 0);
}

static void swap(struct sample *a, struct sample *b) {
    const struct sample kept = *a;
    *a = *b;
    *b = kept;
}

/* Heap's algorithm (B. R. Heap, Permutations by interchanges, The Computer Journal 6, 1963). */
static void in_every_order(struct sample *visits, size_t left, size_t count, bool paced, const struct sample *wanted) {
    if (left == 1) {
        const struct sample s = combine(visits, count, paced, 0);
        assert_near(s.value, wanted->value);
        assert_near(s.low, wanted->low);
        assert_near(s.high, wanted->high);
        assert_near(s.per_cycle, wanted->per_cycle);
        assert_near(s.clock_hz, wanted->clock_hz);
        assert_true(doubts_equal(s.doubts, wanted->doubts));
        return;
    }
    for (size_t i = 0; i < left; i++) {
        in_every_order(visits, left - 1, count, paced, wanted);
        swap(&visits[left % 2 ? 0 : i], &visits[left - 1]);
    }
}

static void order_does_not_matter(void **state) {
    (void)state;
    struct sample visits[] = {paced_visit(20),    with_doubts(paced_visit(16.03), DOUBTS(DOUBT_CORE_SHARED)),
                              paced_visit(16.01), with_doubts(paced_visit(16), DOUBTS(DOUBT_NO_HUGE_PAGES)),
                              paced_visit(12),    with_documented(paced_visit(30), 16)};
    const size_t count = sizeof visits / sizeof *visits;
    visits[2].clock_hz = 2.9e9;
    visits[2].value = 16.01 * 2.9e9;
    for (int paced = 0; paced < 2; paced++) {
        const struct sample wanted = combine(visits, count, paced, 0);
        in_every_order(visits, count, count, paced, &wanted);
    }
}

/* An unreadable clock leaves a rate per second, which is no rate per cycle. */
static void a_visit_without_its_clock_stands_aside(void **state) {
    (void)state;
    struct sample unknown = paced_visit(16);
    unknown.per_cycle = unknown.clock_hz = 0;
    struct sample s = COMBINE(PACED, 0, unknown, paced_visit(16), paced_visit(16));
    assert_reaches(&s, 48e9, 0, 0);
    s = COMBINE(PACED, 0, unknown, unknown);
    assert_reaches(&s, 48e9, 0, 0);
    assert_near(s.per_cycle, 0);
}

static const double ODD[] = {0, NAN, INFINITY, -INFINITY, -1, 1e-30, 1e30, 16};
enum { ODD_COUNT = sizeof ODD / sizeof *ODD };

static void assert_numbers(const struct sample *s) {
    const bool finite = isfinite(s->value) && isfinite(s->low) && isfinite(s->high) && isfinite(s->per_cycle);
    if (!finite || s->low > s->value || s->value > s->high)
        fail_msg("%g, %g to %g, %g per cycle", s->value, s->low, s->high, s->per_cycle);
}

static void odd_visits_give_numbers(void **state) {
    (void)state;
    for (int kind = SAMPLE_COMPUTE; kind <= SAMPLE_LATENCY; kind++)
        for (int paced = 0; paced < 2; paced++)
            for (size_t field = 0; field < 5; field++)
                for (size_t odd = 0; odd < ODD_COUNT; odd++)
                    for (size_t good = 0; good < 3; good++) {
                        struct sample visits[3] = {paced_visit(16), paced_visit(16), paced_visit(16.01)};
                        double *fields[] = {&visits[0].value, &visits[0].low, &visits[0].high, &visits[0].per_cycle,
                                            &visits[0].clock_hz};
                        *fields[field] = ODD[odd];
                        for (size_t i = 0; i < 3; i++)
                            visits[i].kind = (enum sample_kind)kind;
                        const struct sample s = combine(visits, 1 + good, paced, 0);
                        assert_numbers(&s);
                    }
}

static void a_visit_without_a_number_counts_only_alone(void **state) {
    (void)state;
    for (size_t odd = 0; odd < 5; odd++) {
        struct sample broken = paced_visit(16);
        broken.value = ODD[odd];
        const struct sample s = COMBINE(PACED, 0, broken, paced_visit(15), paced_visit(15)),
                            none = COMBINE(PACED, 0, broken);
        assert_near(s.per_cycle, 15);
        assert_near(none.value, 0);
        assert_true(isinf(estimate_uncertainty(&none)));
    }
}

static void uncertainty_is_the_further_side(void **state) {
    (void)state;
    const struct sample down = {.value = 10, .low = 9, .high = 10.5}, up = {.value = 10, .low = 9.5, .high = 12},
                        unknown = {.value = 10}, nothing = {0};
    assert_near(estimate_uncertainty(&down), 0.1);
    assert_near(estimate_uncertainty(&up), 0.2);
    assert_true(isinf(estimate_uncertainty(&unknown)));
    assert_true(isinf(estimate_uncertainty(&nothing)));
}

static void merit_is_what_the_work_is_paced_by(void **state) {
    (void)state;
    const struct sample rate = {.kind = SAMPLE_BANDWIDTH, .value = 48e9, .per_cycle = 16},
                        chase = {.kind = SAMPLE_LATENCY, .value = 2e-9, .per_cycle = 5},
                        no_clock = {.kind = SAMPLE_COMPUTE, .value = 48e9}, none = {.kind = SAMPLE_LATENCY};
    assert_near(estimate_merit(&rate, PACED), 16);
    assert_near(estimate_merit(&rate, UNPACED), 48e9);
    assert_near(estimate_merit(&chase, PACED), 0.2);
    assert_near(estimate_merit(&chase, UNPACED), 5e8);
    assert_near(estimate_merit(&no_clock, PACED), 48e9);
    assert_near(estimate_merit(&none, PACED), 0);
}

/* A resumed run's number against the stored one, each as value and ± percent; and the other way round. */
static void the_better_number_stays(void **state) {
    static const struct {
        enum sample_kind kind;
        double older, older_off, newer, newer_off;
        enum doubt_id doubt; /* of the newer */
        bool replaced;
    } rows[] = {
        {SAMPLE_BANDWIDTH, 131, 0.05, 127, 0.02, DOUBT_COUNT, true}, /* overlap: the surer */
        {SAMPLE_BANDWIDTH, 131, 0.02, 127, 0.05, DOUBT_COUNT, false},
        {SAMPLE_BANDWIDTH, 131, 0.05, 118, 0.03, DOUBT_COUNT, false}, /* apart: the higher, */
        {SAMPLE_BANDWIDTH, 118, 0.03, 131, 0.05, DOUBT_COUNT, true},
        {SAMPLE_LATENCY, 100, 0.05, 120, 0.03, DOUBT_COUNT, false}, /* of a latency the lower */
        {SAMPLE_LATENCY, 120, 0.03, 100, 0.05, DOUBT_COUNT, true},
        {SAMPLE_BANDWIDTH, 118, 0.03, 131, 0.05, DOUBT_CLOCK_UNCERTAIN, false},
        {SAMPLE_COMPUTE, 118, 0.03, 131, 0.01, DOUBT_ABOVE_DOCUMENTED, false},
        {SAMPLE_BANDWIDTH, 0, 0, 118, 0.4, DOUBT_COUNT, true}, /* blank */
        {SAMPLE_BANDWIDTH, 118, 0.4, 0, 0, DOUBT_COUNT, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const double a = rows[i].older, a_off = rows[i].older_off, b = rows[i].newer, b_off = rows[i].newer_off;
        const struct sample older = {.kind = rows[i].kind, .value = a, .low = a * (1 - a_off), .high = a * (1 + a_off)};
        struct sample newer = {.kind = rows[i].kind, .value = b, .low = b * (1 - b_off), .high = b * (1 + b_off)};
        doubts_add_if(&newer.doubts, rows[i].doubt < DOUBT_COUNT, rows[i].doubt);
        if (estimate_replaces(&newer, &older) != rows[i].replaced)
            fail_msg("%g after %g", b, a);
        if (doubts_has(newer.doubts, DOUBT_CLOCK_UNCERTAIN))
            assert_true(estimate_replaces(&older, &newer));
    }
}

/* Two ceilings and a third: whether the first is the peak as vendors count it. */
static void a_narrower_fma_is_no_peak(void **state) {
    static const struct {
        const char *kernels[3];
        double values[3]; /* 0: blank */
        bool peak;
    } rows[] = {
        {{"avx2.f64.fma", "avx2.f64.fmaadd", "sse.f64.fma"}, {64, 96, 32}, true},
        {{"avx2.f64.fma", "avx512.f64.fmaadd", "sse.f64.fma"}, {64, 192, 32}, false}, /* the widest FMA is absent */
        {{"avx2.f64.fma", "avx512.f64.fmaadd", "avx512.f64.fma"}, {64, 192, 128}, true},
        {{"avx2.f64.fma", "avx512.f64.fmaadd", "avx512.f64.fma"}, {64, 192, 0}, true}, /* it is blank */
        {{"avx2.f64.fma", "avx512.f64.add", "sse.f64.add"}, {64, 60, 20}, true},       /* the wider one is no faster */
        {{"avx2.f64.fma", "avx512.f32.fmaadd", "avx512.f32.add"}, {64, 384, 128}, true},
        {{"avx2.f64.fmaadd", "avx2.f64.add", "sse.f64.add"}, {96, 32, 16}, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sample samples[3] = {{.kind = SAMPLE_COMPUTE}};
        bool headline[3];
        for (size_t k = 0; k < 3; k++) {
            samples[k] = (struct sample){.kind = SAMPLE_COMPUTE, .threads = 1, .value = rows[i].values[k]};
            snprintf(samples[k].kernel, sizeof samples[k].kernel, "%s", rows[i].kernels[k]);
        }
        if (estimate_is_peak(samples, 3, 0) != rows[i].peak)
            fail_msg("row %zu", i);
        if (i == 1) {
            trust_headline(samples, 3, headline);
            assert_true(!headline[0] && headline[1] && !headline[2]);
            samples[1].threads = 2; /* elsewhere */
            assert_true(estimate_is_peak(samples, 3, 0));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_visit_reaches_as_far_as_visits_differ),
        cmocka_unit_test(one_visits_own_interval_adds_to_it),
        cmocka_unit_test(two_visits_by_student),
        cmocka_unit_test(three_visits_by_student),
        cmocka_unit_test(two_that_disagree_leave_the_higher_and_a_wide_interval),
        cmocka_unit_test(the_highest_group_wins),
        cmocka_unit_test(agreement_is_half_a_percent_where_paced),
        cmocka_unit_test(a_high_visit_widens_until_refuted),
        cmocka_unit_test(a_high_visit_without_a_clock_is_never_refuted),
        cmocka_unit_test(above_documented_counts_where_all_are),
        cmocka_unit_test(above_documented_begins_at_one_percent),
        cmocka_unit_test(of_latencies_the_lower_wins),
        cmocka_unit_test(intervals_of_latencies_are_turned_over),
        cmocka_unit_test(latencies_are_moved_to_the_mean),
        cmocka_unit_test(latencies_too_are_cycles_by_the_median_clock),
        cmocka_unit_test(doubts_that_pass_need_all_and_others_any),
        cmocka_unit_test(a_busy_sibling_may_hide_more),
        cmocka_unit_test(visits_without_their_cache_count_last),
        cmocka_unit_test(the_value_is_per_cycle_by_cores_by_the_median_clock),
        cmocka_unit_test(order_does_not_matter),
        cmocka_unit_test(a_visit_without_its_clock_stands_aside),
        cmocka_unit_test(odd_visits_give_numbers),
        cmocka_unit_test(a_visit_without_a_number_counts_only_alone),
        cmocka_unit_test(uncertainty_is_the_further_side),
        cmocka_unit_test(merit_is_what_the_work_is_paced_by),
        cmocka_unit_test(the_better_number_stays),
        cmocka_unit_test(a_narrower_fma_is_no_peak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
