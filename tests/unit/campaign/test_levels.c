/* SPDX-License-Identifier: BSD-3-Clause
 * Where the levels are: synthetic staircases, clean and disturbed, and the windows of sizes that belong to one
 * level. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/kernels/doubt.h"
#include "bench/kernels/levels.h"
#include "tests/support/fixtures.h"

enum { MAX_POINTS = 128 };

static struct levels made(unsigned caches, uint64_t l1, uint64_t l2, uint64_t l3) {
    struct core_kind kind = {
        .cache_count = caches,
        .caches = {{.level = 1, .size_bytes = l1}, {.level = 2, .size_bytes = l2}, {.level = 3, .size_bytes = l3}}};
    return levels_detected(&kind, "DRAM");
}

/* A sweep over a machine whose levels end at these sizes. */
static size_t staircase(struct sweep_point *points, uint64_t l1, uint64_t l2, uint64_t l3, double l3_rate,
                        unsigned per_octave, uint64_t largest) {
    size_t count = 0;
    for (unsigned i = 0; i < MAX_POINTS; i++) {
        uint64_t bytes = (uint64_t)(4096 * exp2((double)i / per_octave));
        if (bytes > largest)
            break;
        double rate = bytes <= l1 ? 380e9 : bytes <= l2 ? 145e9 : bytes <= l3 ? l3_rate : 17e9;
        points[count++] = (struct sweep_point){bytes, rate};
    }
    return count;
}

static void detected_as_told(void **state) {
    (void)state;
    struct levels l = made(3, KIB(48), MIB(2), MIB(36));
    assert_int_equal(l.count, 4);
    static const char *const names[] = {"L1", "L2", "L3", "DRAM"};
    for (unsigned i = 0; i < 4; i++) {
        assert_string_equal(l.level[i].name, names[i]);
        assert_int_equal(levels_find(&l, names[i]), i);
        assert_false(l.level[i].judged || l.level[i].disagrees);
        assert_int_equal(l.level[i].effective_bytes, l.level[i].detected_bytes);
    }
    assert_int_equal(l.level[2].detected_bytes, MIB(36));
    assert_int_equal(l.level[3].detected_bytes, 0);
    assert_int_equal(levels_find(&l, "L4"), -1);
    assert_int_equal(levels_find(&l, ""), -1);
    l = levels_detected(&(struct core_kind){0}, "HBM");
    assert_int_equal(l.count, 1);
    assert_string_equal(l.level[0].name, "HBM");
}

static void the_step_is_found(void **state) {
    (void)state;
    static const struct {
        const char *what;
        uint64_t detected, actual;
        unsigned per_octave;
        bool disagrees;
    } rows[] = {
        {"as detected", MIB(32), MIB(32), 2, false},
        {"between two points", MIB(36), MIB(36), 2, false},
        {"just before a point", MIB(45), MIB(45), 2, false},
        {"a coarse sweep, just before a point", MIB(60), MIB(60), 1, false},
        {"a coarse sweep, just on a point", MIB(64), MIB(64), 1, false},
        {"a fine sweep", MIB(36), MIB(36), 8, false},
        {"a little less than detected", MIB(36), MIB(30), 4, false},
        {"a virtual machine's part", MIB(480), MIB(64), 2, true},
        {"a virtual machine's part, coarse", MIB(480), MIB(64), 1, true},
        {"another part", MIB(480), MIB(100), 2, true},
        {"half of it taken by others", MIB(64), MIB(16), 2, true},
        {"more than detected", MIB(16), MIB(64), 2, true},
    };
    struct sweep_point points[MAX_POINTS];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct levels l = made(3, KIB(48), MIB(2), rows[i].detected);
        size_t count = staircase(points, KIB(48), MIB(2), rows[i].actual, 31e9, rows[i].per_octave, GIB(2));
        levels_judge(&l, points, count);
        if (!l.level[2].judged || l.level[2].disagrees != rows[i].disagrees)
            fail_msg("%s: judged %d, disagrees %d", rows[i].what, l.level[2].judged, l.level[2].disagrees);
        uint64_t found = l.level[2].effective_bytes;
        if (rows[i].disagrees) { /* the last size on the plateau */
            assert_true(found <= rows[i].actual);
            assert_true((double)found * exp2(1.0 / rows[i].per_octave) * 1.01 >= (double)rows[i].actual);
        } else {
            assert_int_equal(found, rows[i].detected);
        }
        assert_int_equal(l.level[2].detected_bytes, rows[i].detected);
        for (unsigned inner = 0; inner < 2; inner++) {
            assert_true(l.level[inner].judged);
            assert_false(l.level[inner].disagrees);
            assert_int_equal(l.level[inner].effective_bytes, l.level[inner].detected_bytes);
        }
        assert_false(l.level[3].judged);
    }
}

/* One disturbed point anywhere neither hides the step nor creates one. */
static void single_outliers(void **state) {
    (void)state;
    static const double factors[] = {0.2, 0.5, 1.6, 4};
    struct sweep_point points[MAX_POINTS];
    for (size_t f = 0; f < 4; f++) {
        size_t count = staircase(points, KIB(48), MIB(2), MIB(96), 31e9, 2, GIB(1));
        for (size_t at = 0; at < count; at++) {
            struct levels l = made(3, KIB(48), MIB(2), MIB(480));
            double was = points[at].bytes_per_s;
            points[at].bytes_per_s *= factors[f];
            levels_judge(&l, points, count);
            points[at].bytes_per_s = was;
            /* One point early if the plateau's last point is the disturbed one; two late if "slow, fast" after it could
             * be a slow outlier on the plateau. */
            if (!l.level[2].judged || !l.level[2].disagrees || l.level[2].effective_bytes < MIB(44) ||
                l.level[2].effective_bytes > MIB(182))
                fail_msg("point %zu of %zu times %g: judged %d, ends at %llu MiB", at, count, factors[f],
                         l.level[2].judged, (unsigned long long)l.level[2].effective_bytes >> 20);
        }
    }
}

static void no_step_no_judgement(void **state) {
    (void)state;
    struct sweep_point points[MAX_POINTS];
    struct levels l = made(3, KIB(48), MIB(2), MIB(32)), before = l;
    size_t count = staircase(points, KIB(48), MIB(2), MIB(32), 18e9, 2, GIB(1)); /* L3 hardly faster than memory */
    levels_judge(&l, points, count);
    assert_memory_equal(&l.level[2], &before.level[2], sizeof l.level[2]);
    count = staircase(points, KIB(48), MIB(2), MIB(32), 31e9, 2, GIB(1));
    l = before;
    for (size_t n = 0; n < 4; n++) { /* too few points */
        levels_judge(&l, points, n);
        assert_memory_equal(&l, &before, sizeof l);
    }
    levels_judge(&l, points, 12); /* ends inside the L2 */
    assert_memory_equal(&l.level[1], &before.level[1], 2 * sizeof l.level[1]);
    l = before = made(0, 0, 0, 0);
    levels_judge(&l, points, count);
    assert_memory_equal(&l, &before, sizeof l);
}

static void without_an_l3_the_l2_is_judged(void **state) {
    (void)state;
    struct sweep_point points[MAX_POINTS];
    struct levels l = made(2, KIB(32), MIB(2), 0);
    size_t count = staircase(points, KIB(32), MIB(2), 0, 0, 2, GIB(1));
    levels_judge(&l, points, count);
    assert_true(l.level[1].judged);
    assert_false(l.level[1].disagrees);
    assert_true(l.level[0].judged);
    assert_false(l.level[0].disagrees);
}

/* Nothing reports the L1, or the L2 between two others: sizes that lie in it are not taken for the next level's. */
static void an_inner_level_is_not_reported(void **state) {
    (void)state;
    static const uint64_t L1 = KIB(64), L2 = MIB(1), L3 = MIB(32);
    static const struct core_kind KINDS[] = {
        {.cache_count = 2, .caches = {{.level = 2, .size_bytes = L2}, {.level = 3, .size_bytes = L3}}},
        {.cache_count = 2, .caches = {{.level = 1, .size_bytes = L1}, {.level = 3, .size_bytes = L3}}},
        {.cache_count = 1, .caches = {{.level = 3, .size_bytes = L3}}}};
    static const unsigned BEYOND[] = {0, 1, 0}, ALONE[] = {1, 1, 1};
    struct sweep_point points[MAX_POINTS];
    const size_t count = staircase(points, L1, L2, L3, 31e9, 2, GIB(2));
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++) {
        struct levels l = levels_detected(&KINDS[i], "DRAM");
        levels_judge(&l, points, count);
        for (unsigned k = 0; k + 1 < l.count; k++) {
            assert_true(l.level[k].judged);
            assert_false(l.level[k].disagrees);
            const struct window w = levels_window(&l, k, ALONE);
            assert_int_equal(doubts_has(w.doubts, DOUBT_CACHES_UNKNOWN), k == BEYOND[i]);
            assert_true(k != BEYOND[i] || w.low_bytes >= l.level[k].detected_bytes / 4);
        }
    }
}

/* A core's own caches may be reported wrongly, too; a second sweep does not change the first one's findings. */
static void inner_levels_and_second_sweeps(void **state) {
    (void)state;
    struct sweep_point points[MAX_POINTS];
    struct levels l = made(3, KIB(48), MIB(1), MIB(32));
    size_t count = staircase(points, KIB(48), MIB(4), MIB(32), 31e9, 2, GIB(1));
    levels_judge(&l, points, count);
    assert_true(l.level[1].judged && l.level[1].disagrees);
    assert_true(l.level[1].found_bytes > MIB(2) && l.level[1].found_bytes <= MIB(4));
    assert_int_equal(l.level[1].effective_bytes, l.level[1].found_bytes);
    struct levels before = l;
    count = staircase(points, KIB(12), MIB(12), MIB(128), 31e9, 2, GIB(1));
    levels_judge(&l, points, count);
    assert_memory_equal(&l, &before, sizeof l);
}

/* SSE loads of Zen 4, whose L2 can be as fast for them as its L1: a level ends where either sweep shows it. */
static void as_fast_as_the_level_inside(void **state) {
    (void)state;
    struct sweep_point fast[MAX_POINTS], latency[MAX_POINTS];
    struct levels l = made(3, KIB(32), MIB(1), MIB(32));
    size_t count = staircase(fast, KIB(90), MIB(1), MIB(32), 31e9, 2, GIB(1));
    levels_judge(&l, fast, count);
    assert_true(l.level[0].disagrees && l.level[0].found_bytes == KIB(64));
    count = staircase(latency, KIB(32), MIB(1), MIB(32), 31e9, 1, GIB(1));
    levels_judge(&l, latency, count);
    assert_true(l.level[0].judged && !l.level[0].disagrees);
    assert_int_equal(l.level[0].found_bytes, KIB(32));
    assert_int_equal(l.level[0].effective_bytes, KIB(32));
}

/* Zen 4's L3 is hardly slower than its L2 for loads: a disturbance of two sizes is no end, unless latency shows it,
 * too. */
static void a_small_step_is_confirmed(void **state) {
    (void)state;
    struct sweep_point fast[MAX_POINTS], latency[MAX_POINTS];
    for (int small = 0; small < 2; small++) {
        struct levels l = made(3, KIB(32), MIB(1), MIB(32));
        size_t count = staircase(fast, KIB(32), MIB(1), MIB(32), 123e9, 2, GIB(1));
        for (size_t i = 0; i < count; i++)
            fast[i].bytes_per_s *= fast[i].bytes > KIB(200) && fast[i].bytes < KIB(400) ? 0.8 : 1;
        levels_judge(&l, fast, count);
        assert_true(l.level[1].disagrees && l.level[1].found_bytes < KIB(200));
        count = staircase(latency, KIB(32), small ? KIB(256) : MIB(1), MIB(32), 31e9, 1, GIB(1));
        levels_judge(&l, latency, count);
        assert_int_equal(l.level[1].disagrees, small);
        assert_int_equal(l.level[1].effective_bytes, small ? fast[11].bytes : MIB(1));
    }
}

/* At twice the L2's size a small L3 is faster than memory, but it is no L2. */
static void a_mixture_is_not_the_level(void **state) {
    (void)state;
    struct sweep_point points[MAX_POINTS];
    struct levels l = made(3, KIB(32), MIB(1), MIB(32));
    size_t count = staircase(points, KIB(32), MIB(1), MIB(1), 0, 1, GIB(1));
    for (size_t i = 0; i < count; i++)
        if (points[i].bytes == MIB(2))
            points[i].bytes_per_s = 60e9;
    levels_judge(&l, points, count);
    assert_true(l.level[1].judged && !l.level[1].disagrees);
    assert_int_equal(l.level[1].found_bytes, MIB(1));
}

static void windows(void **state) {
    (void)state;
    const struct {
        const char *what;
        uint64_t l2, l3;
        unsigned sharing[3], index;
        uint64_t low, high;
        struct doubts doubts;
    } rows[] = {
        {"L1", MIB(2), MIB(36), {1, 1, 1}, 0, 8192, KIB(24), NO_DOUBTS},
        {"L1 of two threads", MIB(2), MIB(36), {2, 2, 2}, 0, 8192, KIB(12), NO_DOUBTS},
        {"L2", MIB(2), MIB(36), {1, 1, 1}, 1, KIB(96), MIB(1), NO_DOUBTS},
        {"L3, one thread", MIB(2), MIB(36), {1, 1, 1}, 2, MIB(4), MIB(18), NO_DOUBTS},
        {"L3, four share it", MIB(2), MIB(36), {1, 1, 4}, 2, MIB(4), KIB(4608), NO_DOUBTS},
        {"L3, L2 shared too", MIB(2), MIB(36), {1, 4, 4}, 2, MIB(1), KIB(4608), NO_DOUBTS},
        {"a server's slice as large as its L2",
         MIB(2),
         MIB(60),
         {1, 1, 30},
         2,
         2516544,
         3355392,
         DOUBTS(DOUBT_NOT_ONLY_THIS_LEVEL)},
        {"memory", MIB(2), MIB(36), {1, 1, 1}, 3, 0, 0, NO_DOUBTS},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct levels l = made(3, KIB(48), rows[i].l2, rows[i].l3);
        struct window w = levels_window(&l, rows[i].index, rows[i].sharing);
        if (w.low_bytes != rows[i].low || w.high_bytes != rows[i].high || !doubts_equal(w.doubts, rows[i].doubts))
            fail_msg("%s: %llu … %llu, doubts %llx", rows[i].what, (unsigned long long)w.low_bytes,
                     (unsigned long long)w.high_bytes, (unsigned long long)w.doubts.words[0]);
    }
    struct levels l = made(3, KIB(48), MIB(2), MIB(480));
    l.level[2].effective_bytes = MIB(90);
    l.level[2].disagrees = true;
    struct window w = levels_window(&l, 2, (const unsigned[]){1, 1, 1});
    assert_int_equal(w.low_bytes, MIB(4));
    assert_int_equal(w.high_bytes, MIB(45)); /* measured where the level is */
    assert_true(doubts_equal(w.doubts, DOUBTS(DOUBT_SIZE_DISAGREES)));
}

/* For any sizes and sharing: more than the inner level holds, never more than both together, never nothing. */
static void windows_hold_for_any_machine(void **state) {
    (void)state;
    static const uint64_t l1s[] = {KIB(16), KIB(32), KIB(48), KIB(192)},
                          l2s[] = {KIB(128), KIB(256), KIB(512), MIB(2), MIB(4)},
                          l3s[] = {KIB(768), MIB(2), MIB(5), MIB(36), MIB(480)};
    static const unsigned shares[] = {1, 2, 3, 8, 64};
    for (unsigned i = 0; i < 4 * 5 * 5 * 5 * 5; i++) {
        struct levels l = made(3, l1s[i % 4], l2s[i / 4 % 5], l3s[i / 20 % 5]);
        unsigned l2_share = shares[i / 100 % 3], l3_share = l2_share * shares[i / 500 % 5],
                 sharing[] = {1, l2_share, l3_share};
        for (unsigned k = 0; k < 3; k++) {
            struct window w = levels_window(&l, k, sharing);
            uint64_t inner = k ? l.level[k - 1].effective_bytes / sharing[k - 1] : 0;
            uint64_t share = l.level[k].effective_bytes / sharing[k];
            if (w.low_bytes == 0 || w.low_bytes > w.high_bytes || w.low_bytes <= inner ||
                w.high_bytes > inner + share || w.low_bytes % 64 || w.high_bytes % 64)
                fail_msg("L%u of %llu (inside: %llu): %llu … %llu", k + 1, (unsigned long long)share,
                         (unsigned long long)inner, (unsigned long long)w.low_bytes, (unsigned long long)w.high_bytes);
            bool doubt = doubts_has(w.doubts, DOUBT_NOT_ONLY_THIS_LEVEL);
            if (!doubt && (w.low_bytes / 2 * 2 < 2 * inner / 64 * 64 || w.high_bytes > share / 2))
                fail_msg("L%u of %llu (inside: %llu) without a doubt: %llu … %llu", k + 1, (unsigned long long)share,
                         (unsigned long long)inner, (unsigned long long)w.low_bytes, (unsigned long long)w.high_bytes);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(detected_as_told),
        cmocka_unit_test(the_step_is_found),
        cmocka_unit_test(single_outliers),
        cmocka_unit_test(no_step_no_judgement),
        cmocka_unit_test(without_an_l3_the_l2_is_judged),
        cmocka_unit_test(an_inner_level_is_not_reported),
        cmocka_unit_test(inner_levels_and_second_sweeps),
        cmocka_unit_test(as_fast_as_the_level_inside),
        cmocka_unit_test(a_small_step_is_confirmed),
        cmocka_unit_test(a_mixture_is_not_the_level),
        cmocka_unit_test(windows),
        cmocka_unit_test(windows_hold_for_any_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
