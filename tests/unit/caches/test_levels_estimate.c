/* SPDX-License-Identifier: BSD-3-Clause
 * Sampled lines: the estimates for all lines, how often the interval contains the exact count, and the remaining sets
 * of the caches. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/profile/profile_traffic.h"
#include "tests/support/fixtures.h"
#include "tests/support/simulated_caches.h"

static const struct hierarchy_geometry MACHINE = {
    3,
    {{1, 64, 8, CONTENT_FREE, 1, 0}, {2, 512, 8, CONTENT_FREE, 1, 0}, {3, 1536, 20, CONTENT_VICTIM, 2, 0}},
    {{0, 0}}};

enum { ACCESSES = 1 << 18 };
static struct memory_access trace[ACCESSES];
static size_t length;
static uint64_t random_state;

static uint64_t random_below(uint64_t end) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (random_state >> 33) % end;
}
static void load(uint64_t address) {
    if (length < ACCESSES)
        trace[length++] = (struct memory_access){address, 0, 8, ACCESS_LOAD};
}
static void store(uint64_t address) {
    if (length < ACCESSES)
        trace[length++] = (struct memory_access){address, 0, 8, ACCESS_STORE};
}

static const uint64_t A = (1ull << 32) + 7 * 4096, B = (2ull << 32) + 3 * 4096 + 640, C = (3ull << 32) + 12 * 4096 + 64;

static void triad(uint64_t n) {
    for (uint64_t i = 0; i < n; i++) {
        load(B + i * 8);
        load(C + i * 8);
        store(A + i * 8);
    }
}
static void dgemm(uint64_t n) {
    for (uint64_t all = 0; all < n * n * n; all++) {
        load(A + (all / n / n * n + all % n) * 8);
        load(B + (all % n * n + all / n % n) * 8);
    }
}
static void stencil(uint64_t n) {
    for (uint64_t i = 1; i < 200; i++)
        for (uint64_t j = 0; j < n; j++) {
            for (uint64_t row = i - 1; row <= i + 1; row++)
                load(A + (row * n + j) * 8);
            store(B + (i * n + j) * 8);
        }
}
static void transposition(uint64_t n) {
    for (uint64_t all = 0; all < n * n; all++) {
        load(A + all * 8);
        store(B + (all % n * n + all / n) * 8);
    }
}
static void random_lines(uint64_t lines) {
    const uint64_t at = random_below(lines) * 64;
    if (random_below(4) == 0)
        store(A + at);
    else
        load(A + at);
}
static void random_hot_lines(uint64_t lines) {
    load(A + random_below(lines) * random_below(lines) / lines * 64);
}
static void column(uint64_t rows) { /* all in two classes */
    for (uint64_t i = 0; i < rows; i++)
        load(A + i * 4096 + random_below(2) * 64);
}
static void objects(uint64_t count) {
    const uint64_t one = random_below(count) * 320;
    for (unsigned i = 0; i < 4; i++)
        load(A + one + i * 64);
    store(A + one + 256);
    load(B + random_below(100) * 64);
}
static void runs(uint64_t lines) {
    const uint64_t at = random_below(lines) * 64, elements = 10 + random_below(100);
    const bool stores = random_below(3) == 0;
    for (uint64_t i = 0; i < elements; i++)
        if (stores)
            store(C + at + i * 8);
        else
            load(B + at + i * 64);
}

static const struct family {
    void (*piece)(uint64_t);
    uint64_t size, more; /* of its members */
} FAMILIES[] = {
    {triad, 10000, 1013},    {triad, 2000, 513},         {dgemm, 60, 8},
    {dgemm, 128, 0},         {stencil, 300, 129},        {transposition, 150, 37},
    {transposition, 512, 0}, {random_lines, 1000, 5000}, {random_hot_lines, 20000, 3000},
    {column, 512, 64},       {objects, 4000, 3000},      {runs, 30000, 1000},
};

static void make(const struct family *family, uint64_t member) {
    length = 0;
    random_state = member + 1;
    while (length < ACCESSES)
        family->piece(family->size + member * family->more);
}

static struct caches *simulate(unsigned one_of, uint64_t seed) {
    struct caches *caches = caches_new(&MACHINE, 1, 1, one_of, seed);
    hierarchy_take(&caches->threads[0], trace, length);
    return caches;
}

/* Loads, allocates, write-backs and victims of three levels. */
enum { COUNTS = 12 };
static uint64_t count_of(const struct hierarchy_counts *counts, unsigned which) {
    return ((const uint64_t *)&counts->outside[which / 4])[which % 4];
}

static struct levels_estimate estimate(const struct caches *caches, unsigned which) {
    const struct hierarchy_thread *thread = &caches->threads[0];
    uint64_t of_group[SAMPLING_GROUPS_MAX];
    for (unsigned group = 0; group < thread->sampling.group_count; group++)
        of_group[group] = count_of(&thread->counts[group], which);
    return levels_estimate(&thread->sampling, of_group, thread->sampling.changes, 2);
}

/* Twelve families of loops and of random accesses, three members each, four choices of classes: how often the interval
 * contains the exact count, over all counts that are not 0. Its width counts, too: half of the estimates are within 10,
 * 20 and 50 % of the exact counts. */
static void intervals_hold(void **state) {
    (void)state;
    enum { MEMBERS = 3, SEEDS = 4, FAMILY_COUNT = sizeof FAMILIES / sizeof *FAMILIES };
    static const unsigned ONE_OF[] = {4, 16, 64};
    static const double WIDTH[] = {0.1, 0.2, 0.5};
    unsigned held[3] = {0}, narrow[3] = {0}, tried[3] = {0};
    for (unsigned each = 0; each < FAMILY_COUNT * MEMBERS; each++) {
        make(&FAMILIES[each / MEMBERS], each % MEMBERS);
        struct caches *all = simulate(1, 0);
        for (unsigned way = 0; way < 3; way++)
            for (uint64_t seed = 0; seed < SEEDS; seed++) {
                struct caches *sampled = simulate(ONE_OF[way], seed);
                for (unsigned which = 0; which < COUNTS; which++) {
                    const double exact = (double)count_of(&all->threads[0].counts[0], which);
                    const struct levels_estimate got = estimate(sampled, which);
                    tried[way] += exact > 0;
                    held[way] += exact > 0 && got.low <= exact && exact <= got.high;
                    narrow[way] += exact > 0 && got.high - got.low <= 2 * WIDTH[way] * got.value;
                }
                caches_delete(sampled);
            }
        caches_delete(all);
    }
    for (unsigned way = 0; way < 3; way++) {
        assert_true(tried[way] > 1000);
        assert_true(held[way] * 100 >= tried[way] * 95);
        assert_true(narrow[way] * 2 >= tried[way]);
    }
}

/* Averaged over choices of classes, the estimate is the exact count. */
static void estimates_are_unbiased(void **state) {
    (void)state;
    enum { SEEDS = 100 };
    make(&FAMILIES[10], 1);
    struct caches *all = simulate(1, 0);
    double sum[COUNTS] = {0};
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct caches *sampled = simulate(64, seed);
        for (unsigned which = 0; which < COUNTS; which++)
            sum[which] += estimate(sampled, which).value / SEEDS;
        caches_delete(sampled);
    }
    for (unsigned which = 0; which < COUNTS; which++) {
        const double exact = (double)count_of(&all->threads[0].counts[0], which);
        if (fabs(sum[which] - exact) > 0.02 * exact)
            fail_msg("count %u is %.6g on average, not %.6g", which, sum[which], exact);
    }
    caches_delete(all);
}

/* Without sampling everything is exact; accesses that crowd in a few sets are reported. */
static void exact_and_crowded(void **state) {
    (void)state;
    make(&FAMILIES[9], 0);
    struct caches *all = simulate(1, 0), *sampled = simulate(16, 0);
    const struct levels_estimate exact = estimate(all, 0), got = estimate(sampled, 0);
    assert_true(exact.value == exact.low && exact.value == exact.high && !exact.crowded);
    assert_true(got.crowded && got.high >= exact.value);
    const uint64_t alike[] = {100, 100, 100, 100};
    const struct levels_estimate narrow = levels_estimate(&sampled->threads[0].sampling, alike, NULL, 1);
    assert_true(narrow.value == 6400 && narrow.low > 6200 && narrow.high < 6600 && !narrow.crowded);
    caches_delete(all);
    caches_delete(sampled);
}

/* Sampled lines are numbered so that a line's set among the sampled ones of a cache determines its set among all. */
static void sets_stay_together(void **state) {
    (void)state;
    static const unsigned ONE_OF[] = {1, 4, 16, 64};
    static const uint64_t SETS[] = {64, 2048, 24576, 192};
    for (unsigned way = 0; way < 4; way++)
        for (uint64_t seed = 0; seed < 5; seed++) {
            struct sampling sampling;
            sampling_init(&sampling, ONE_OF[way], seed);
            assert_int_equal(__builtin_popcountll(sampling.classes), 64 / ONE_OF[way]);
            for (unsigned i = 0; i < 4; i++) {
                const uint64_t left = sampling_sets(&sampling, SETS[i]);
                assert_int_equal(left, SETS[i] / ONE_OF[way]);
                static uint64_t was[24576];
                memset(was, 0xff, sizeof was);
                for (uint64_t line = 0; line < 100000; line++) {
                    if (!sampling_has(&sampling, line))
                        continue;
                    uint64_t *set = &was[sampling_line(&sampling, line) % left];
                    assert_true(*set == UINT64_MAX || *set == line % SETS[i]);
                    *set = line % SETS[i];
                }
            }
        }
    struct sampling sampling;
    sampling_init(&sampling, 4, 1);
    assert_int_equal(sampling_sets(&sampling, 1707), 427);
    assert_int_equal(sampling_sets(&sampling, 1), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_hold),
        cmocka_unit_test(estimates_are_unbiased),
        cmocka_unit_test(exact_and_crowded),
        cmocka_unit_test(sets_stay_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
