/* SPDX-License-Identifier: BSD-3-Clause
 * From repetitions to a number: quantiles by hand, the filter, and each doubt exactly where it belongs. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bench/kernels/doubt.h"
#include "bench/kernels/sample.h"
#include "tests/support/chance.h"
#include "tests/support/fixtures.h"

enum { MANY = 100 };
static const double WORK = 3e9, SECONDS = 200e-6, CLOCK_HZ = 3e9;
static const double PER_CYCLE = 3e9 / 200e-6 / 3e9;

/* A team of one lane. */
#define REPETITION(s, hz, spread)                                                                                      \
    (struct repetition) {                                                                                              \
        .seconds = (s), .team_s = (s), .clock_hz = (hz), .clock_spread = (spread)                                      \
    }

/* All equal; each test then changes its part. */
static void fill(struct repetition *r, size_t n) {
    for (size_t i = 0; i < n; i++)
        r[i] = REPETITION(SECONDS, CLOCK_HZ, 0.001);
}

static struct sample reduce(const struct repetition *r, size_t n, enum sample_kind kind, unsigned threads, bool paced,
                            enum sample_statistic statistic) {
    struct sample sample = {.kind = kind, .threads = threads, .cores = threads};
    sample_reduce(&sample, &(struct repetitions){.of = r, .count = n, .lanes = 1, .work = WORK, .core_paced = paced},
                  statistic);
    return sample;
}

static struct sample paced(const struct repetition *r, size_t n) {
    return reduce(r, n, SAMPLE_COMPUTE, 1, true, STATISTIC_UPPER_QUARTILE);
}

static void quantiles(void **state) {
    (void)state;
    static const struct {
        size_t n;
        double values[6], min, q1, median, q3, max;
    } rows[] = {
        {1, {7}, 7, 7, 7, 7, 7},
        {2, {4, 2}, 2, 2.5, 3, 3.5, 4},
        {3, {3, 1, 2}, 1, 1.5, 2, 2.5, 3},
        {4, {4, 1, 3, 2}, 1, 1.75, 2.5, 3.25, 4},
        {5, {50, 10, 40, 20, 30}, 10, 20, 30, 40, 50},
        {6, {9, 9, 9, 9, 9, 9}, 9, 9, 9, 9, 9},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double values[6];
        memcpy(values, rows[i].values, sizeof values);
        struct statistics s = sample_statistics(values, rows[i].n);
        assert_int_equal(s.n, rows[i].n);
        assert_int_equal(s.kept, rows[i].n);
        assert_near(s.min, rows[i].min);
        assert_near(s.q1, rows[i].q1);
        assert_near(s.median, rows[i].median);
        assert_near(s.q3, rows[i].q3);
        assert_near(s.max, rows[i].max);
        memcpy(values, rows[i].values, sizeof values);
        assert_true(sample_median(values, rows[i].n) == s.median);
    }
    struct statistics none = sample_statistics(NULL, 0);
    assert_true(none.n == 0 && none.kept == 0 && none.max == 0);
}

/* In any order and with any number of equal values, the median is that of the sorted numbers. */
static void medians_of_many(void **state) {
    (void)state;
    enum { MOST = 400 };
    chance_seed = 1;
    for (size_t n = 0; n < MOST; n++)
        for (int sorts = 0; sorts < 4; sorts++) {
            double values[MOST], again[MOST];
            for (size_t i = 0; i < n; i++)
                again[i] = values[i] = sorts == 0   ? chance_normal()
                                       : sorts == 1 ? floor(5 * chance_between())
                                       : sorts == 2 ? (double)i
                                                    : -(double)i;
            assert_true(sample_median(values, n) == sample_statistics(again, n).median);
        }
}

static void plain_numbers(void **state) {
    (void)state;
    struct repetition r[MANY];
    fill(r, MANY);
    struct sample s = paced(r, MANY);
    assert_false(doubts_any(s.doubts));
    assert_near(s.per_cycle, PER_CYCLE);
    assert_near(s.value, WORK / SECONDS);
    assert_near(s.clock_hz, CLOCK_HZ);
    assert_near(s.repetition_s, SECONDS);
    assert_near(s.spread, 0);
    assert_int_equal(s.rate.n, MANY);
    assert_int_equal(s.rate.kept, MANY - 1); /* nothing confirms the first one's clock */
    assert_near(s.rate.median, WORK / SECONDS);

    s = reduce(r, MANY, SAMPLE_COMPUTE, 8, true, STATISTIC_UPPER_QUARTILE);
    assert_near(s.per_cycle, PER_CYCLE / 8); /* per core */
    assert_near(s.value, WORK / SECONDS);    /* of all threads */
}

/* Another program on the core's second hardware thread takes a third: repetitions beside it count only if few others
 * are left, and too few others are a doubt. */
static void repetitions_beside_others_are_left_out(void **state) {
    (void)state;
    static const double ALONE[] = {6};
    static const struct {
        size_t alone; /* of 100, all at the end: the first of them follows one beside others */
        bool beside_counts, doubt;
    } rows[] = {{0, true, true}, {10, true, true}, {11, false, true}, {25, false, true}, {26, false, false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (int known = 0; known < 2; known++) {
            struct repetition r[MANY];
            fill(r, MANY);
            for (size_t k = 0; k < MANY; k++) {
                const bool beside = k + rows[i].alone < MANY;
                r[k].seconds = beside ? 1.5 * SECONDS : SECONDS;
                r[k].noops_per_cycle = beside ? 5.3 : 5.5; /* nine tenths of 6 are 5.4 */
            }
            struct sample s = {.kind = SAMPLE_COMPUTE, .threads = 1, .cores = 1};
            sample_reduce(&s,
                          &(struct repetitions){.of = r,
                                                .count = MANY,
                                                .lanes = 1,
                                                .work = WORK,
                                                .core_paced = true,
                                                .alone_noops_per_cycle = known ? ALONE : NULL},
                          STATISTIC_MEDIAN);
            assert_true(doubts_equal(s.doubts, known && rows[i].doubt ? DOUBTS(DOUBT_SIBLING_BUSY) : NO_DOUBTS));
            assert_near(s.per_cycle, known && !rows[i].beside_counts ? PER_CYCLE : PER_CYCLE / 1.5);
        }
}

/* What the core clock does not pace waits for the slowest lane, so lanes that share a core are left out; one lane alone
 * is never asked. */
static void lanes_on_one_core_are_left_out(void **state) {
    (void)state;
    static const double ALONE[] = {6, 6};
    static const size_t APART[] = {5, 30, 70};
    for (size_t i = 0; i < 3; i++)
        for (unsigned lanes = 1; lanes <= 2; lanes++) {
            struct repetition r[2 * MANY];
            fill(r, 2 * MANY);
            for (size_t k = 0; k < 2 * MANY; k++) {
                r[k].noops_per_cycle = k < 2 * APART[i] ? 6 : 3;
                r[k].team_s = k < 2 * APART[i] ? SECONDS : 2 * SECONDS;
            }
            struct sample s = {.kind = SAMPLE_BANDWIDTH, .threads = lanes};
            sample_reduce(
                &s,
                &(struct repetitions){
                    .of = r, .count = 2 * MANY / lanes, .lanes = lanes, .work = WORK, .alone_noops_per_cycle = ALONE},
                STATISTIC_MEDIAN);
            const bool asked = lanes == 2, few = APART[i] < MANY / 4;
            assert_true(doubts_equal(s.doubts, asked && few ? DOUBTS(DOUBT_SIBLING_BUSY) : NO_DOUBTS));
            assert_near(s.value,
                        lanes * WORK / SECONDS / (APART[i] > MANY / 2 || (asked && APART[i] > MANY / 10) ? 1 : 2));
        }
}

/* As long as a quarter is complete; else all count, and the sample has a doubt. */
static void interrupted_repetitions_are_left_out(void **state) {
    (void)state;
    struct repetition r[MANY];
    for (size_t whole = 24; whole <= 25; whole++) { /* of 100 */
        fill(r, MANY);
        for (size_t i = 0; i < MANY; i++)
            if (i % 4 != 0 || i / 4 >= whole) {
                r[i].seconds = r[i].team_s = SECONDS * 1.1;
                r[i].interrupted = true;
            }
        for (int by_clock = 0; by_clock < 2; by_clock++) {
            const struct sample s = reduce(r, MANY, SAMPLE_BANDWIDTH, 1, by_clock, STATISTIC_MEDIAN);
            assert_near(s.value, WORK / SECONDS / (whole < 25 ? 1.1 : 1));
            assert_true(doubts_equal(s.doubts, whole < 25 ? DOUBTS(DOUBT_CORE_SHARED) : NO_DOUBTS));
        }
    }
}

/* Lanes paced by their clock are interrupted one by one, others all together. */
static void lanes_are_interrupted_together_where_they_wait(void **state) {
    (void)state;
    enum { LANES = 2, ROUNDS = 20 };
    struct repetition r[LANES * ROUNDS];
    fill(r, LANES * ROUNDS);
    for (size_t i = 0; i < LANES * ROUNDS / 2; i += LANES)
        r[i].interrupted = true;
    for (int by_clock = 0; by_clock < 2; by_clock++) {
        struct sample s = {.kind = SAMPLE_BANDWIDTH, .threads = LANES};
        sample_reduce(
            &s, &(struct repetitions){.of = r, .count = ROUNDS, .lanes = LANES, .work = WORK, .core_paced = by_clock},
            STATISTIC_MEDIAN);
        assert_int_equal(s.rate.kept, by_clock ? LANES * ROUNDS * 3 / 4 - 1 : LANES * ROUNDS / 2);
    }
}

/* A team whose threads ran one after the other has no number; what is left does not count such repetitions. */
static void lanes_that_ran_apart_do_not_count(void **state) {
    (void)state;
    enum { LANES = 2, ROUNDS = 20 };
    struct repetition r[LANES * ROUNDS];
    for (size_t together = 0; together <= 4; together += 2) {
        fill(r, LANES * ROUNDS);
        for (size_t i = 0; i < LANES * ROUNDS; i++) {
            r[i].interrupted = true;
            r[i].team_s = SECONDS * (i < LANES * together ? 1.5 : 80);
        }
        for (int by_clock = 0; by_clock < 2; by_clock++) {
            struct sample s = {.kind = SAMPLE_BANDWIDTH, .threads = LANES};
            const struct repetitions all = {r, ROUNDS, LANES, WORK, .core_paced = by_clock};
            sample_reduce(&s, &all, STATISTIC_MEDIAN);
            assert_near(s.value, by_clock ? LANES * WORK / SECONDS : together ? LANES * WORK / SECONDS / 1.5 : 0);
            assert_int_equal(sample_is_blank(&s), !by_clock && !together);
            assert_true(doubts_has(s.doubts, DOUBT_CORE_SHARED));
        }
    }
}

/* Repetitions during which the clock moved are fast or slow by chance: they must not count where the clock paces. */
static void only_agreeing_repetitions_count(void **state) {
    (void)state;
    struct repetition r[MANY];
    fill(r, MANY);
    for (size_t i = 0; i < MANY; i += 2)
        r[i] = REPETITION(SECONDS / 2, CLOCK_HZ / 2, 0.0051);
    struct sample s = paced(r, MANY);
    assert_int_equal(s.rate.kept, MANY / 2);
    assert_int_equal(s.rate.n, MANY);
    assert_near(s.per_cycle, PER_CYCLE);
    assert_near(s.clock_min_hz, CLOCK_HZ);
    assert_false(doubts_any(s.doubts));

    /* The edge itself agrees. */
    for (size_t i = 0; i < MANY; i++)
        r[i] = REPETITION(SECONDS, CLOCK_HZ, 0.005);
    assert_int_equal(paced(r, MANY).rate.kept, MANY - 1);

    /* Work that the clock does not pace is not filtered. */
    for (size_t i = 0; i < MANY; i += 2)
        r[i].clock_spread = 0.3;
    assert_int_equal(reduce(r, MANY, SAMPLE_BANDWIDTH, 1, false, STATISTIC_UPPER_QUARTILE).rate.kept, MANY);

    /* A clock that never agrees with itself does not empty the sample. */
    for (size_t i = 0; i < MANY; i++)
        r[i].clock_spread = 0.1;
    s = paced(r, MANY);
    assert_int_equal(s.rate.kept, MANY);
    assert_near(s.per_cycle, PER_CYCLE);
}

/* The clock steps between repetitions, and the rate with it: the quotient stays, and its upper quartile counts. */
static void the_quotient_is_taken_per_repetition(void **state) {
    (void)state;
    struct repetition r[MANY];
    for (size_t i = 0; i < MANY; i++) {
        double clock = i % 2 ? 3.0e9 : 2.9e9;
        r[i] = REPETITION(WORK / (PER_CYCLE * clock), clock, 0);
    }
    struct sample s = paced(r, MANY);
    assert_near(s.per_cycle, PER_CYCLE);
    assert_near(s.value, PER_CYCLE * s.clock_hz);
    assert_near(s.clock_hz, 2.95e9);
    assert_near(s.clock_min_hz, 2.9e9);
    assert_near(s.clock_max_hz, 3.0e9);
    assert_true(s.spread < 1e-9);
    assert_false(doubts_any(s.doubts));
    for (size_t i = 0; i < MANY; i++) {
        double clock = i % 2 ? 3.0e9 : 2.8e9;
        r[i] = REPETITION(WORK / (PER_CYCLE * clock), clock, 0);
    }
    assert_near(paced(r, MANY).per_cycle, PER_CYCLE);
    assert_true(doubts_equal(paced(r, MANY).doubts, DOUBTS(DOUBT_CLOCK_DRIFTED)));
}

static void statistics_by_name(void **state) {
    (void)state;
    struct repetition r[102]; /* nothing confirms the first one's clock, so it does not count */
    fill(r, 102);
    for (size_t i = 0; i <= 100; i++) /* rates rise evenly from 1 to 1.1 of the plain one */
        r[i + 1] = REPETITION(SECONDS / (1 + 0.001 * (double)i), CLOCK_HZ, 0.001);
    static const struct {
        enum sample_statistic statistic;
        double expected;
    } rows[] = {{STATISTIC_UPPER_QUARTILE, 1.075}, {STATISTIC_MEDIAN, 1.05}, {STATISTIC_BEST, 1.1}};
    for (size_t i = 0; i < 3; i++)
        for (int p = 0; p < 2; p++) {
            struct sample s = reduce(p ? r : r + 1, p ? 102 : 101, SAMPLE_COMPUTE, 2, p, rows[i].statistic);
            assert_near(s.value, rows[i].expected * WORK / SECONDS);
            assert_near(s.per_cycle, rows[i].expected * PER_CYCLE / 2);
            assert_near(s.spread, (1.075 - 1.025) / 1.05);
        }
}

/* L3 and memory keep their rate while the core clock wanders. */
static void unpaced_uses_the_rate(void **state) {
    (void)state;
    struct repetition r[MANY];
    fill(r, MANY);
    for (size_t i = 0; i < MANY; i++)
        r[i].clock_hz = i % 2 ? 2.9e9 : 3.0e9;
    struct sample s = reduce(r, MANY, SAMPLE_BANDWIDTH, 2, false, STATISTIC_UPPER_QUARTILE);
    assert_near(s.value, WORK / SECONDS);
    assert_near(s.per_cycle, WORK / SECONDS / 2 / 2.95e9);
    assert_near(s.spread, 0);
}

static void latency_is_turned_over(void **state) {
    (void)state;
    struct repetition r[102];
    fill(r, 102);
    for (size_t i = 0; i <= 100; i++)
        r[i + 1] = REPETITION(SECONDS * (1 + 0.001 * (double)i), CLOCK_HZ, 0.001);
    struct sample s = reduce(r, 102, SAMPLE_LATENCY, 1, true, STATISTIC_BEST);
    assert_near(s.value, SECONDS / WORK);
    assert_near(s.per_cycle, SECONDS / WORK * CLOCK_HZ); /* cycles per access */
    assert_near(s.rate.min, SECONDS / WORK);
    assert_near(s.rate.max, 1.1 * SECONDS / WORK);
    assert_true(s.rate.min < s.rate.q1 && s.rate.q1 < s.rate.median && s.rate.median < s.rate.q3 &&
                s.rate.q3 < s.rate.max);
    s = reduce(r, 102, SAMPLE_LATENCY, 1, true, STATISTIC_UPPER_QUARTILE);
    assert_near(s.value, s.rate.q1); /* the upper quartile of speed is the lower one of latency */
}

/* Several lanes at their best, each with its own clock; each test then changes its part. */
enum { LANES = 64, ROUNDS = 40 };
static void fill_lanes(struct repetition *r, unsigned lanes, size_t count, const double *clocks_hz) {
    for (size_t i = 0; i < count * lanes; i++) {
        const double hz = clocks_hz ? clocks_hz[i % lanes] : CLOCK_HZ;
        r[i] = REPETITION(WORK / PER_CYCLE / hz, hz, 0.001);
    }
}

static struct sample reduce_lanes(const struct repetition *r, unsigned lanes, size_t count, bool paced,
                                  bool lanes_differ) {
    struct sample sample = {.kind = SAMPLE_COMPUTE, .threads = lanes, .cores = lanes};
    sample_reduce(
        &sample,
        &(struct repetitions){
            .of = r, .count = count, .lanes = lanes, .work = WORK, .core_paced = paced, .lanes_differ = lanes_differ},
        STATISTIC_UPPER_QUARTILE);
    return sample;
}

/* A team waits for its last lane, but its paced lanes are judged by their own start and end. */
static void one_lane_of_many_is_disturbed(void **state) {
    (void)state;
    static struct repetition r[LANES * ROUNDS];
    fill_lanes(r, LANES, ROUNDS, NULL);
    for (size_t i = 0; i < LANES * ROUNDS; i++) {
        r[i].team_s = 1.5 * SECONDS;
        if (i % LANES == 17) {
            r[i].seconds = 1.5 * SECONDS;
            r[i].clock_spread = 0.1;
        }
    }
    struct sample s = reduce_lanes(r, LANES, ROUNDS, true, false);
    assert_true(fabs(s.value / (LANES * WORK / SECONDS) - 1) < 0.005);
    assert_near(s.per_cycle, PER_CYCLE);
    assert_int_equal(s.rate.n, LANES * ROUNDS);
    assert_int_equal(s.rate.kept, (LANES - 1) * (ROUNDS - 1)); /* the other lanes stay, without luck */
    assert_false(doubts_any(s.doubts));

    /* Its clock is fine, and it is slow: most lanes decide. */
    for (size_t i = 17; i < LANES * ROUNDS; i += LANES)
        r[i].clock_spread = 0;
    s = reduce_lanes(r, LANES, ROUNDS, true, false);
    assert_true(fabs(s.value / (LANES * WORK / SECONDS) - 1) < 0.005);
    assert_int_equal(s.rate.kept, LANES * (ROUNDS - 1));

    /* Memory is shared: there the team's time counts. */
    assert_near(reduce_lanes(r, LANES, ROUNDS, false, false).value, LANES * WORK / SECONDS / 1.5);
}

static void the_clock_is_the_one_before(void **state) {
    (void)state;
    struct repetition r[MANY];
    fill(r, MANY);
    for (size_t i = 0; i < MANY; i++) /* a step every ten; a repetition with a step has a wild quotient */
        r[i] = REPETITION(i % 10 ? SECONDS : SECONDS / 2, i / 10 % 2 ? CLOCK_HZ * 1.006 : CLOCK_HZ, 0.001);
    struct sample s = paced(r, MANY);
    assert_int_equal(s.rate.kept, 90);
    assert_near(s.rate.max, WORK / SECONDS);

    for (size_t i = 0; i < MANY; i++) /* such steps are the readings' own error */
        r[i] = REPETITION(SECONDS, i / 10 % 2 ? CLOCK_HZ * 1.004 : CLOCK_HZ, 0.001);
    assert_int_equal(paced(r, MANY).rate.kept, MANY - 1);

    /* The lane's own clock, not its neighbour's. */
    fill_lanes(r, 2, MANY / 2, (const double[]){3e9, 2e9});
    assert_int_equal(reduce_lanes(r, 2, MANY / 2, true, false).rate.kept, MANY - 2);
}

/* Repetitions whose last ones are steady, or some of which agree with themselves and none is steady. */
static void the_strictest_filter_that_leaves_a_tenth(void **state) {
    (void)state;
    static const struct {
        size_t steady, agreeing, kept;
    } rows[] = {
        {99, 100, 99}, {50, 100, 50}, {10, 100, 10}, {9, 100, 100}, {0, 100, 100}, /* else all that agree */
        {0, 50, 50},   {0, 10, 10},   {0, 9, 100},   {0, 0, 100},                  /* else all */
    };
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        struct repetition r[MANY];
        double hz = CLOCK_HZ;
        for (size_t i = 0; i < MANY; i++) {
            if (i < MANY - rows[row].steady)
                hz = i % 2 ? CLOCK_HZ : 0.9 * CLOCK_HZ;
            r[i] = REPETITION(SECONDS, hz, i < rows[row].agreeing ? 0.001 : 0.1);
        }
        struct sample s = paced(r, MANY);
        if (s.rate.kept != rows[row].kept)
            fail_msg("row %zu: %u kept instead of %zu", row, s.rate.kept, rows[row].kept);
    }
}

/* Cores of two kinds: pooled, the upper quartile would be only the fast kind's. */
static void kinds_of_cores_are_averaged(void **state) {
    (void)state;
    struct repetition r[MANY];
    fill_lanes(r, 2, MANY / 2, (const double[]){3e9, 2e9});
    for (size_t i = 1; i < MANY; i += 2)
        r[i].seconds *= 2;
    struct sample s = reduce_lanes(r, 2, MANY / 2, true, true);
    assert_near(s.per_cycle, 0.75 * PER_CYCLE);
    assert_near(s.value, 0.75 * PER_CYCLE * 2 * 2.5e9);
    assert_near(s.low, s.value);
    assert_near(s.high, s.value);
    assert_near(s.spread, 0);
    assert_near(reduce_lanes(r, 2, MANY / 2, true, false).per_cycle, PER_CYCLE);

    for (size_t i = 0; i < MANY; i += 2) /* the fast lane's repetitions do not count: they change nothing */
        r[i].clock_spread = 0.1;
    assert_near(reduce_lanes(r, 2, MANY / 2, true, true).per_cycle, 0.5 * PER_CYCLE);
}

/* The team's clock is the mean of its lanes' medians; a lane without counted repetitions is assumed to run like the
 * others. */
static void the_mean_clock_of_the_lanes(void **state) {
    (void)state;
    static const double clocks_hz[] = {3.2e9, 3.0e9, 2.2e9};
    struct repetition r[3 * 33];
    for (unsigned lost = 0; lost <= 3; lost++) {
        double sum_hz = 0;
        fill_lanes(r, 3, 33, clocks_hz);
        for (size_t i = 0; i < 3 * 33; i++)
            r[i].clock_spread = i % 3 == lost ? 0.1 : 0;
        for (unsigned lane = 0; lane < 3; lane++)
            sum_hz += lane == lost ? 0 : clocks_hz[lane];
        struct sample s = reduce_lanes(r, 3, 33, true, false);
        assert_near(s.clock_hz, sum_hz / (lost < 3 ? 2 : 3));
        assert_near(s.value, 3 * PER_CYCLE * s.clock_hz);
        assert_near(s.clock_max_hz, clocks_hz[lost == 0]);
        assert_near(s.clock_min_hz, clocks_hz[lost == 2 ? 1 : 2]);
    }
}

/* floor(nq - 1.645 √(nq(1-q))) and the ceiling of the other side, counted from 0. */
static void intervals_of_quantiles(void **state) {
    (void)state;
    static const struct {
        size_t n;
        double q;
        size_t low, high;
    } rows[] = {
        {1, 0.75, 0, 0},     /* only one value is known */
        {5, 0.75, 2, 4},     /* 3.75 ± 1.59 */
        {16, 0.5, 4, 12},    /* 8 ± 3.29 */
        {100, 0.5, 41, 59},  /* 50 ± 8.23 */
        {100, 0.75, 67, 83}, /* 75 ± 7.12 */
        {100, 1, 99, 99},    /* the best is the best */
    };
    double sorted[MANY];
    for (size_t i = 0; i < MANY; i++)
        sorted[i] = (double)i;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double low, high;
        sample_quantile_interval(sorted, rows[i].n, rows[i].q, &low, &high);
        assert_near(low, (double)rows[i].low);
        assert_near(high, (double)rows[i].high);
    }
    double low = 1, high = 1;
    sample_quantile_interval(NULL, 0, 0.75, &low, &high);
    assert_true(low == 0 && high == 0);
}

/* Of 101 counted repetitions numbers 68 and 83 (75.75 ± 7.16), and the clock's uncertainty. */
static void low_and_high(void **state) {
    (void)state;
    struct repetition r[102];
    fill(r, 102);
    for (size_t i = 0; i <= 100; i++)
        r[1 + i] = REPETITION(SECONDS / (1 + 0.001 * (double)(i * 37 % 101)), CLOCK_HZ, 0.001); /* unordered */
    struct repetitions all = {
        .of = r, .count = 102, .lanes = 1, .work = WORK, .core_paced = true, .clock_within = 0.01};
    struct sample s = {.kind = SAMPLE_COMPUTE};
    sample_reduce(&s, &all, STATISTIC_UPPER_QUARTILE);
    assert_near(s.value, 1.075 * WORK / SECONDS);
    assert_near(s.low, 1.068 * 0.99 * WORK / SECONDS);
    assert_near(s.high, 1.083 * 1.01 * WORK / SECONDS);

    s = (struct sample){.kind = SAMPLE_LATENCY};
    sample_reduce(&s, &all, STATISTIC_UPPER_QUARTILE);
    assert_near(s.low, SECONDS / WORK / 1.083 / 1.01);
    assert_near(s.high, SECONDS / WORK / 1.068 / 0.99);

    all.core_paced = false; /* the clock's uncertainty does not matter, and the first repetition counts, too */
    r[0] = REPETITION(SECONDS / 1.2, CLOCK_HZ, 0.001);
    s = (struct sample){.kind = SAMPLE_BANDWIDTH};
    sample_reduce(&s, &all, STATISTIC_UPPER_QUARTILE);
    assert_near(s.low, 1.069 * WORK / SECONDS);
    assert_near(s.high, 1.084 * WORK / SECONDS);
}

static struct doubts doubts_of(size_t n, double seconds, double clock_step, double clock_hz, double seconds_step,
                               bool is_paced) {
    struct repetition r[MANY];
    for (size_t i = 0; i < n; i++)
        r[i] = REPETITION(seconds * (1 + seconds_step * (double)i / (double)n),
                          clock_hz * (1 + clock_step * (double)(i % 2)), 0);
    return reduce(r, n, SAMPLE_BANDWIDTH, 1, is_paced, STATISTIC_UPPER_QUARTILE).doubts;
}

static void doubts_where_they_belong(void **state) {
    (void)state;
    const struct {
        size_t n;
        double seconds, clock_step, clock_hz, seconds_step;
        bool paced;
        struct doubts doubts;
    } rows[] = {
        {100, 200e-6, 0, 3e9, 0, true, NO_DOUBTS},
        {100, 21e-6, 0, 3e9, 0, true, NO_DOUBTS},
        {100, 19e-6, 0, 3e9, 0, true, DOUBTS(DOUBT_TOO_SHORT)},
        {30, 200e-6, 0, 3e9, 0, true, NO_DOUBTS},
        {29, 200e-6, 0, 3e9, 0, true, NO_DOUBTS},
        {29, 200e-6, 0, 3e9, 0, false, NO_DOUBTS},
        {100, 200e-6, 0, 3e9, 0.01, true, NO_DOUBTS},
        {100, 200e-6, 0, 3e9, 0.30, true, NO_DOUBTS},
        {100, 200e-6, 0, 3e9, 0.15, false, NO_DOUBTS}, /* memory scatters more on its own */
        {100, 200e-6, 0, 3e9, 0.60, false, NO_DOUBTS},
        {100, 200e-6, 0.04, 3e9, 0, false, NO_DOUBTS},
        {100, 200e-6, 0.06, 3e9, 0, false, NO_DOUBTS}, /* a clock that does not pace the work may drift */
        {100, 200e-6, 0.04, 3e9, 0, true, NO_DOUBTS},
        {100, 200e-6, 0.06, 3e9, 0, true, DOUBTS(DOUBT_CLOCK_DRIFTED)},
        {100, 200e-6, 0, 0, 0, true, DOUBTS(DOUBT_CLOCK_UNKNOWN)},
        {100, 200e-6, 0, 0, 0, false, DOUBTS(DOUBT_CLOCK_UNKNOWN)},
        {5, 1e-6, 0, 0, 0, true, DOUBTS(DOUBT_CLOCK_UNKNOWN, DOUBT_TOO_SHORT)},
        {0, 1, 0, 0, 0, true, DOUBTS(DOUBT_CLOCK_UNKNOWN)},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct doubts got = doubts_of(rows[i].n, rows[i].seconds, rows[i].clock_step, rows[i].clock_hz,
                                      rows[i].seconds_step, rows[i].paced);
        char names[256], wanted[256];
        if (!doubts_equal(got, rows[i].doubts))
            fail_msg("row %zu: \"%s\" instead of \"%s\"", i, doubt_names(got, names, sizeof names),
                     doubt_names(rows[i].doubts, wanted, sizeof wanted));
    }
    /* Earlier doubts stay. */
    struct repetition r[MANY];
    fill(r, MANY);
    struct sample s = {.threads = 1, .doubts = DOUBTS(DOUBT_NO_HUGE_PAGES)};
    sample_reduce(&s, &(struct repetitions){.of = r, .count = MANY, .lanes = 1, .work = WORK, .core_paced = true},
                  STATISTIC_UPPER_QUARTILE);
    assert_true(doubts_equal(s.doubts, DOUBTS(DOUBT_NO_HUGE_PAGES)));
}

/* A lane that others hold back starts late: the team's time says nothing about the length of a repetition. */
static void repetitions_are_as_long_as_a_lane_needs(void **state) {
    (void)state;
    static const double AIM_S = 200e-6, ITERATION_S = 20e-9;
    uint64_t count = 16;
    for (bool known = false; !known;) {
        const double own_s = (double)count * ITERATION_S;
        const struct repetition few[] = {{.seconds = own_s * 3, .team_s = 3e-3}, {.seconds = own_s, .team_s = 3e-3}};
        known = repetitions_lengthen(&count, repetitions_fastest_s(few, 2), AIM_S);
    }
    assert_int_equal(count, (uint64_t)(AIM_S / ITERATION_S + 0.5));
    count = 3; /* one pass may take longer */
    assert_true(repetitions_lengthen(&count, 1, AIM_S));
    assert_int_equal(count, 1);
    const struct repetition short_ones[] = {{.seconds = 99e-6, .team_s = 1}, {.seconds = 99e-6}, {.seconds = 1}};
    assert_true(repetitions_are_short(short_ones, 3, AIM_S));
    assert_false(repetitions_are_short(short_ones, 3, AIM_S * 0.9));
    assert_false(repetitions_are_short(short_ones, 0, AIM_S));
    count = 1; /* the time never grows */
    unsigned tries = 0;
    while (!repetitions_lengthen(&count, 0, AIM_S))
        assert_true(++tries < 30);
    assert_true(count > 0);
}

static void without_a_clock_the_rate_remains(void **state) {
    (void)state;
    struct repetition r[MANY];
    fill(r, MANY);
    for (size_t i = 0; i < MANY; i++)
        r[i].clock_hz = 0;
    struct sample s = paced(r, MANY);
    assert_near(s.value, WORK / SECONDS);
    assert_true(s.per_cycle == 0); /* unknown */
}

/* A broken clock or an interrupted run still gives finite numbers, so the file can be written. */
static void never_nan_nor_infinite(void **state) {
    (void)state;
    static const double odd[] = {0, 1e-300, 200e-6, 1e300, -1, INFINITY, NAN};
    enum { ODD = sizeof odd / sizeof odd[0] };
    static const size_t counts[] = {0, 1, 2, 40};
    for (size_t c = 0; c < ODD * ODD * ODD * 4 * 3 * 2 * 3; c++) {
        size_t code = c, n = counts[code % 4];
        code /= 4;
        enum sample_kind kind = (enum sample_kind)(code % 3);
        code /= 3;
        bool is_paced = code % 2;
        code /= 2;
        enum sample_statistic statistic = (enum sample_statistic)(code % 3);
        code /= 3;
        struct repetition r[40];
        for (size_t i = 0; i < n; i++) /* odd ones among good ones */
            r[i] = i % 3 == 1 ? REPETITION(SECONDS, CLOCK_HZ, 0)
                              : REPETITION(odd[code % ODD], odd[code / ODD % ODD], odd[code / ODD / ODD]);
        struct sample s = reduce(r, n, kind, 2, is_paced, statistic);
        const double all[] = {s.rate.min,  s.rate.q1, s.rate.median, s.rate.q3,      s.rate.max,     s.value,
                              s.per_cycle, s.spread,  s.clock_hz,    s.clock_min_hz, s.clock_max_hz, s.repetition_s};
        for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
            if (!isfinite(all[i]) || all[i] < 0)
                fail_msg("number %zu is %g: %zu repetitions of %g s, %g Hz, spread %g, kind %d, paced %d, statistic %d",
                         i, all[i], n, r[0].seconds, r[0].clock_hz, r[0].clock_spread, kind, is_paced, statistic);
        assert_true(s.rate.kept <= s.rate.n);
    }
}

/* With a known distribution: the interval of the median of n values 0 … n-1 has about 1.96 √n / 2 ranks to either side;
 * a far value does not move it; the order does not matter. */
static void bootstrapped_medians(void **state) {
    (void)state;
    double values[100], turned[100];
    for (size_t i = 0; i < 100; i++)
        values[i] = (double)i, turned[99 - i] = (double)i;
    const struct median_interval hundred = bootstrap_median(values, 100), same = bootstrap_median(turned, 100);
    assert_true(hundred.low > 38 && hundred.low < 42 && hundred.high > 57 && hundred.high < 61);
    assert_true(same.low == hundred.low && same.high == hundred.high);
    values[99] = 1e9;
    const struct median_interval far = bootstrap_median(values, 100);
    assert_true(far.low == hundred.low && far.high == hundred.high);
    const struct median_interval nine = bootstrap_median(values, 9);
    assert_true(nine.low >= 1 && nine.low <= 2 && nine.high >= 6 && nine.high <= 7);
    const struct median_interval few = bootstrap_median(values, BOOTSTRAP_LEAST - 1);
    assert_true(few.low == 0 && few.high == 0);
    for (size_t i = 0; i < 10; i++)
        values[i] = 7;
    const struct median_interval alike = bootstrap_median(values, 10);
    assert_true(alike.low == 7 && alike.high == 7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles),
        cmocka_unit_test(medians_of_many),
        cmocka_unit_test(plain_numbers),
        cmocka_unit_test(only_agreeing_repetitions_count),
        cmocka_unit_test(the_quotient_is_taken_per_repetition),
        cmocka_unit_test(statistics_by_name),
        cmocka_unit_test(unpaced_uses_the_rate),
        cmocka_unit_test(latency_is_turned_over),
        cmocka_unit_test(one_lane_of_many_is_disturbed),
        cmocka_unit_test(the_clock_is_the_one_before),
        cmocka_unit_test(the_strictest_filter_that_leaves_a_tenth),
        cmocka_unit_test(kinds_of_cores_are_averaged),
        cmocka_unit_test(the_mean_clock_of_the_lanes),
        cmocka_unit_test(intervals_of_quantiles),
        cmocka_unit_test(low_and_high),
        cmocka_unit_test(doubts_where_they_belong),
        cmocka_unit_test(repetitions_beside_others_are_left_out),
        cmocka_unit_test(lanes_on_one_core_are_left_out),
        cmocka_unit_test(interrupted_repetitions_are_left_out),
        cmocka_unit_test(lanes_are_interrupted_together_where_they_wait),
        cmocka_unit_test(lanes_that_ran_apart_do_not_count),
        cmocka_unit_test(repetitions_are_as_long_as_a_lane_needs),
        cmocka_unit_test(without_a_clock_the_rate_remains),
        cmocka_unit_test(never_nan_nor_infinite),
        cmocka_unit_test(bootstrapped_medians),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
