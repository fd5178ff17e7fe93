/* SPDX-License-Identifier: BSD-3-Clause
 * Simulated caches against the theory of loops with known traffic. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <pthread.h>

#include <cmocka.h>

#include "tests/support/fixtures.h"
#include "tests/support/simulated_caches.h"

/* 32 KiB, 256 KiB and 2 MiB: 512, 4096 and 32768 lines. */
static const struct hierarchy_geometry MACHINE = {
    3,
    {{1, 64, 8, CONTENT_FREE, 1, 0}, {2, 512, 8, CONTENT_FREE, 1, 0}, {3, 2048, 16, CONTENT_FREE, 2, 0}},
    {{16, 4}, {128, 12}}};
enum { L1, L2, L3, OUT = 1, IN, IN_TOO, OWNERS };

static struct caches *caches;

static void load(uint64_t array, uint64_t element, uint32_t owner) {
    caches_access(caches, 0, ACCESS_LOAD, array + element * 8, 8, owner);
}
static void store(uint64_t array, uint64_t element, uint32_t owner) {
    caches_access(caches, 0, ACCESS_STORE, array + element * 8, 8, owner);
}
static void update(uint64_t array, uint64_t element, uint32_t owner) {
    caches_access(caches, 0, ACCESS_UPDATE, array + element * 8, 8, owner);
}

/* Distant arrays, not in the same sets. */
static const uint64_t A = (1ull << 32) + 7 * 4096, B = (2ull << 32) + 3 * 4096, C = (3ull << 32) + 12 * 4096;

static void begin(void) {
    caches = caches_new(&MACHINE, 1, OWNERS, 1, 0);
}
static void end(void) {
    caches_delete(caches);
}
static struct hierarchy_link link_of(unsigned level, uint32_t owner) {
    return caches_sum(caches, owner).outside[level];
}

#define assert_within(share, got, wanted)                                                                              \
    do {                                                                                                               \
        const double got_ = (double)(got), wanted_ = (double)(wanted);                                                 \
        if (fabs(got_ - wanted_) > (share)*wanted_)                                                                    \
            fail_msg("%s is %.10g, not %.10g", #got, got_, wanted_);                                                   \
    } while (0)

static void triad(uint64_t n) {
    for (uint64_t i = 0; i < n; i++) {
        load(B, i, IN);
        load(C, i, IN_TOO);
        store(A, i, OUT);
    }
}

/* Each pass moves all lines over all links, and writes the result's lines back. */
static void triad_out_of_memory(void **state) {
    (void)state;
    enum { PASSES = 3 };
    const uint64_t n = MIB(4) / 8, lines = n / 8;
    begin();
    for (int pass = 0; pass < PASSES; pass++)
        triad(n);
    for (unsigned level = L1; level <= L3; level++) {
        assert_int_equal(link_of(level, IN).loads, PASSES * lines);
        assert_int_equal(link_of(level, IN_TOO).loads, PASSES * lines);
        assert_int_equal(link_of(level, OUT).allocates, PASSES * lines);
        assert_int_equal(link_of(level, OUT).loads + link_of(level, IN).allocates + link_of(level, IN).write_backs, 0);
        assert_within(0.08, link_of(level, OUT).write_backs, PASSES * lines); /* except those still inside */
    }
    hierarchy_end(&caches->threads[0]);
    for (uint32_t owner = OUT; owner <= IN_TOO; owner++) {
        const struct hierarchy_counts sum = caches_sum(caches, owner);
        assert_int_equal(sum.tlb_misses[1], PASSES * lines / 64);
        assert_int_equal(sum.left_lines, PASSES * lines);
        assert_int_equal(sum.left_used_bytes, PASSES * lines * 64);
    }
    end();
}

/* Data that fit a level pass no link outside of it from the second pass on. */
static void triad_within_a_level(void **state) {
    (void)state;
    static const uint64_t BYTES[] = {KIB(8), KIB(64), KIB(512)};
    for (unsigned fits = L1; fits <= L3; fits++) {
        const uint64_t n = BYTES[fits] / 8, lines = n / 8;
        begin();
        triad(n);
        const struct hierarchy_link first = link_of(fits, IN);
        for (int pass = 0; pass < 4; pass++)
            triad(n);
        assert_int_equal(first.loads, lines);
        assert_int_equal(link_of(fits, IN).loads, lines);
        assert_int_equal(link_of(fits, OUT).allocates, lines);
        assert_int_equal(link_of(fits, OUT).write_backs, 0);
        if (fits > L1) {
            assert_int_equal(link_of(fits - 1, IN).loads, 5 * lines);
            assert_int_equal(link_of(fits - 1, OUT).allocates, 5 * lines);
            assert_within(0.1, link_of(fits - 1, OUT).write_backs, 5 * lines);
        }
        end();
    }
}

static void daxpy_updates(void **state) {
    (void)state;
    const uint64_t n = MIB(8) / 8;
    begin();
    for (uint64_t i = 0; i < n; i++) {
        load(A, i, IN);
        update(B, i, OUT);
    }
    for (unsigned level = L1; level <= L3; level++) {
        assert_int_equal(link_of(level, IN).loads, n / 8);
        assert_int_equal(link_of(level, OUT).loads, n / 8);
        assert_int_equal(link_of(level, OUT).allocates, 0);
    }
    assert_within(0.15, link_of(L3, OUT).write_backs, n / 8);
    end();
}

/* By rows, the vector stays in L1; by columns, the result is too long to stay, and passes L1's link for each column. */
static void dgemv_by_rows_and_columns(void **state) {
    (void)state;
    const uint64_t rows = 8192, columns = 64; /* a matrix of 4 MiB */
    begin();
    for (uint64_t i = 0; i < rows; i++)
        for (uint64_t j = 0; j < columns; j++) {
            load(A, i * columns + j, IN);
            load(B, j, IN_TOO);
            update(C, i, OUT);
        }
    assert_int_equal(link_of(L1, IN).loads, rows * columns / 8);
    assert_int_equal(link_of(L1, IN_TOO).loads, columns / 8);
    assert_int_equal(link_of(L1, OUT).loads, rows / 8);
    end();
    begin();
    for (uint64_t j = 0; j < columns; j++)
        for (uint64_t i = 0; i < rows; i++) {
            load(A, j * rows + i, IN);
            update(C, i, OUT);
        }
    assert_int_equal(link_of(L1, OUT).loads, columns * rows / 8);
    assert_int_equal(link_of(L2, OUT).loads, rows / 8); /* 64 KiB, beside a stream, within 256 */
    assert_within(0.02, link_of(L1, OUT).write_backs, columns * rows / 8);
    end();
}

/* Row by column. */
static void dgemm(uint64_t n) {
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = 0; j < n; j++) {
            for (uint64_t k = 0; k < n; k++) {
                load(A, i * n + k, IN);
                load(B, k * n + j, IN_TOO);
            }
            store(C, i * n + j, OUT);
        }
}

/* A column of the second matrix stays in L1 for the 8 columns of its lines, if its lines fall into enough sets: with
 * 120 rows they do, with 128 rows they fall into four sets of eight ways. */
static void dgemm_without_blocks(void **state) {
    (void)state;
    begin();
    dgemm(120);
    assert_within(0.01, link_of(L1, IN_TOO).loads, 120 * 120 * 120 / 8);
    assert_within(0.01, link_of(L2, IN_TOO).loads, 120 * 120 / 8);
    assert_within(0.05, link_of(L1, IN).loads, 120 * 120 / 8);
    end();
    begin();
    dgemm(128);
    assert_int_equal(link_of(L1, IN_TOO).loads, 128 * 128 * 128);
    assert_within(0.01, link_of(L3, IN_TOO).loads, 128 * 128 / 8);
    end();
}

/* Three blocks fit L1: each block of both matrices is fetched once for each block of the result in its row or column.
 */
static void dgemm_in_blocks(void **state) {
    (void)state;
    enum { N = 144, BLOCK = 24 };
    begin();
    for (uint64_t block = 0; block < (N / BLOCK) * (N / BLOCK) * (N / BLOCK); block++) {
        const uint64_t k0 = block % (N / BLOCK) * BLOCK, j0 = block / (N / BLOCK) % (N / BLOCK) * BLOCK;
        const uint64_t i0 = block / (N / BLOCK) / (N / BLOCK) * BLOCK;
        for (uint64_t i = i0; i < i0 + BLOCK; i++)
            for (uint64_t j = j0; j < j0 + BLOCK; j++) {
                for (uint64_t k = k0; k < k0 + BLOCK; k++) {
                    load(A, i * N + k, IN);
                    load(B, k * N + j, IN_TOO);
                }
                update(C, i * N + j, OUT);
            }
    }
    assert_within(0.03, link_of(L1, IN).loads, N * N * N / BLOCK / 8);
    assert_within(0.03, link_of(L1, IN_TOO).loads, N * N * N / BLOCK / 8);
    assert_within(0.03, link_of(L1, OUT).loads, N * N / 8);
    end();
}

static void stencil(uint64_t rows, uint64_t columns) {
    for (uint64_t i = 1; i + 1 < rows; i++)
        for (uint64_t j = 1; j + 1 < columns; j++) {
            load(A, (i - 1) * columns + j, IN);
            load(A, i * columns + j - 1, IN);
            load(A, i * columns + j + 1, IN);
            load(A, (i + 1) * columns + j, IN);
            store(B, i * columns + j, OUT);
        }
}

/* Layer condition: if three rows stay in a level, one line of the grid is fetched for 8 points, else three. */
static void stencil_with_layers(void **state) {
    (void)state;
    begin();
    stencil(1024, 504); /* three rows are 12 KiB */
    for (unsigned level = L1; level <= L3; level++) {
        assert_within(0.01, link_of(level, IN).loads, 1024 * 504 / 8);
        assert_within(0.01, link_of(level, OUT).allocates, 1024 * 504 / 8);
    }
    end();
    begin();
    stencil(128, 4104); /* 96 KiB, and 32 of the result */
    assert_within(0.02, link_of(L1, IN).loads, 3 * 126 * 4104 / 8);
    assert_within(0.02, link_of(L2, IN).loads, 128 * 4104 / 8);
    assert_within(0.02, link_of(L3, IN).loads, 128 * 4104 / 8);
    end();
}

/* A column of the result is 1032 lines: more than L1, less than L2. */
static void transposition(void **state) {
    (void)state;
    const uint64_t n = 1032;
    begin();
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = 0; j < n; j++) {
            load(A, i * n + j, IN);
            store(B, j * n + i, OUT);
        }
    assert_int_equal(link_of(L1, IN).loads, n * n / 8);
    assert_within(0.001, link_of(L1, OUT).allocates, n * n);
    assert_within(0.001, link_of(L2, OUT).allocates, n * n / 8);
    assert_within(0.001, link_of(L3, OUT).allocates, n * n / 8);
    hierarchy_end(&caches->threads[0]);
    assert_int_equal(caches_sum(caches, OUT).left_used_bytes, n * n * 8);
    end();
}

/* A level holds its share of randomly accessed data. */
static void random_accesses(void **state) {
    (void)state;
    const uint64_t lines = 65536, count = 2000000;
    uint64_t at = 1;
    begin();
    struct hierarchy_link before[3];
    for (uint64_t i = 0; i < 2 * count; i++) {
        for (unsigned level = L1; i == count && level <= L3; level++)
            before[level] = link_of(level, IN);
        at = at * 6364136223846793005u + 1442695040888963407u;
        load(A, (at >> 33) % lines * 8, IN);
    }
    const double l1 = (double)(link_of(L1, IN).loads - before[L1].loads);
    const double l2 = (double)(link_of(L2, IN).loads - before[L2].loads);
    const double l3 = (double)(link_of(L3, IN).loads - before[L3].loads);
    assert_within(0.002, l1, (double)count * (1 - 512. / 65536));
    assert_within(0.01, l2, (double)count * (1 - 4096. / 65536));
    assert_within(0.03, l3, (double)count * (1 - 32768. / 65536));
    hierarchy_end(&caches->threads[0]);
    const struct hierarchy_counts sum = caches_sum(caches, IN);
    assert_int_equal(sum.left_used_bytes, sum.left_lines * 8);
    end();
}

static void stores_past_the_caches(void **state) {
    (void)state;
    const uint64_t n = MIB(4) / 8;
    begin();
    for (uint64_t i = 0; i < n; i += 2) {
        caches_access(caches, 0, ACCESS_LOAD, A + i * 8, 16, IN);
        caches_access(caches, 0, ACCESS_NONTEMPORAL, B + i * 8, 16, OUT);
    }
    const struct hierarchy_counts out = caches_sum(caches, OUT);
    assert_int_equal(out.nontemporal_lines, n / 8);
    assert_int_equal(out.nontemporal_partial, 0);
    assert_int_equal(out.nontemporal_bytes, n * 8);
    for (unsigned level = L1; level <= L3; level++) {
        assert_int_equal(link_of(level, IN).loads, n / 8);
        assert_int_equal(link_of(level, OUT).allocates + link_of(level, OUT).write_backs, 0);
    }
    /* A quarter of each line, of more lines at once than there are buffers. */
    for (uint64_t i = 0; i < 1024; i++)
        caches_access(caches, 0, ACCESS_NONTEMPORAL, C + i % 16 * 64 + i / 16 % 4 * 16, 16, IN_TOO);
    hierarchy_end(&caches->threads[0]);
    assert_int_equal(caches_sum(caches, IN_TOO).nontemporal_lines, 1024);
    assert_int_equal(caches_sum(caches, IN_TOO).nontemporal_partial, 1024);
    end();
}

/* With a last level of victims, each line is in L2 or L3, not in both; lines from memory bypass L3. */
static void victims_add_up(void **state) {
    (void)state;
    struct hierarchy_geometry machine = MACHINE;
    machine.levels[L2] = (struct hierarchy_level){2, 2048, 8, CONTENT_FREE, 1, 0}; /* 1 MiB, beside 2 MiB */
    const uint64_t lines = MIB(11) / 4 / 64;
    for (int victims = 0; victims < 2; victims++) {
        machine.levels[L3].content = victims ? CONTENT_VICTIM : CONTENT_INCLUSIVE;
        caches = caches_new(&machine, 1, OWNERS, 1, 0);
        for (uint64_t i = 0; i < 4 * lines; i++)
            load(A, i % lines * 8, IN);
        assert_int_equal(link_of(L3, IN).loads, victims ? lines : 4 * lines);
        assert_int_equal(link_of(L2, IN).loads, 4 * lines);
        assert_int_equal(link_of(L2, IN).victims, victims ? 4 * lines - MIB(1) / 64 : 0);
        end();
    }
}

/* Two threads with 1.5 MiB each share 2 MiB: a single one misses only at first, both miss always. */
static void two_threads_share_the_last_level(void **state) {
    (void)state;
    const uint64_t lines = MIB(3) / 2 / 64;
    for (unsigned threads = 1; threads <= 2; threads++) {
        caches = caches_new(&MACHINE, 2, OWNERS, 1, 0);
        for (uint64_t i = 0; i < 4 * lines; i++)
            for (unsigned t = 0; t < threads; t++)
                caches_access(caches, t, ACCESS_LOAD, (t ? B : A) + i % lines * 64, 8, IN + t);
        assert_int_equal(link_of(L3, IN).loads, threads == 1 ? lines : 4 * lines);
        assert_int_equal(link_of(L3, IN_TOO).loads, threads == 1 ? 0 : 4 * lines);
        end();
    }
    caches = caches_new(&MACHINE, 2, OWNERS, 1, 0); /* the same data */
    for (uint64_t i = 0; i < 4 * lines; i++)
        for (unsigned t = 0; t < 2; t++)
            caches_access(caches, t, ACCESS_LOAD, A + i % lines * 64, 8, IN + t);
    assert_int_equal(link_of(L3, IN).loads, lines);
    assert_int_equal(link_of(L3, IN_TOO).loads, 0);
    end();
}

/* Modified data are written to memory once: from any level, with any inclusion, and also if several caches hold them
 * modified. The line stays, now unmodified, and can be modified again. */
static void changed_lines_are_written_back(void **state) {
    (void)state;
    static const enum cache_content CONTENTS[] = {CONTENT_FREE, CONTENT_INCLUSIVE, CONTENT_VICTIM};
    static const struct {
        uint64_t bytes;
        unsigned passes; /* the second pass changes lines that are modified in an outer level already */
    } SIZES[] = {{KIB(8), 2}, {KIB(128), 2}, {MIB(3) / 4, 2}, {MIB(8), 1}};
    for (size_t c = 0; c < 3; c++)
        for (size_t size = 0; size < 4; size++) {
            struct hierarchy_geometry machine = MACHINE;
            const uint64_t lines = SIZES[size].bytes / 64;
            const bool fits = SIZES[size].bytes < MIB(1);
            machine.levels[L3].content = CONTENTS[c];
            caches = caches_new(&machine, 1, OWNERS, 1, 0);
            for (unsigned run = 1; run <= 2; run++) {
                for (uint64_t i = 0; i < 8 * lines * SIZES[size].passes; i++) {
                    load(A, i % (8 * lines), IN);
                    update(B, i % (8 * lines), OUT);
                }
                const uint64_t loads = link_of(L3, OUT).loads, before = link_of(L3, OUT).write_backs;
                assert_true(fits ? before == (run - 1) * lines : before > (run - 1) * lines);
                for (int again = 0; again < 2; again++) {
                    hierarchy_write_back(&caches->threads[0], true);
                    assert_int_equal(link_of(L3, OUT).write_backs, run * lines);
                    for (unsigned level = L1; level <= L3; level++) {
                        assert_true(link_of(level, OUT).write_backs >= run * lines);
                        assert_int_equal(link_of(level, IN).write_backs, 0);
                    }
                }
                assert_int_equal(link_of(L3, OUT).loads, loads);
            }
            assert_int_equal(link_of(L3, OUT).loads, fits ? lines : 2 * lines); /* it evicted nothing */
            end();
        }
}

/* The last of the sharing threads writes shared data back. */
static void shared_lines_are_written_back_by_one(void **state) {
    (void)state;
    const uint64_t lines = KIB(512) / 64; /* two second levels */
    caches = caches_new(&MACHINE, 2, OWNERS, 1, 0);
    for (unsigned t = 0; t < 2; t++)
        for (uint64_t i = 0; i < lines; i++)
            caches_access(caches, t, ACCESS_STORE, (t ? B : A) + i * 64, 8, IN + t);
    hierarchy_write_back(&caches->threads[0], false);
    assert_int_equal(link_of(L2, IN).write_backs, lines);
    assert_within(0.01, link_of(L3, IN).write_backs, lines / 2); /* the other half is in the last level */
    assert_int_equal(link_of(L3, IN_TOO).write_backs, 0);
    hierarchy_write_back(&caches->threads[1], true);
    for (unsigned level = L1; level <= L3; level++) {
        assert_int_equal(link_of(level, IN).write_backs, lines);
        assert_int_equal(link_of(level, IN_TOO).write_backs, lines);
    }
    end();
}

/* What the first thread read alone, it passes on to the second. */
static void second_thread_comes_later(void **state) {
    (void)state;
    const uint64_t lines = KIB(128) / 64;
    struct hierarchy_geometry machine = MACHINE;
    machine.levels[L3].content = CONTENT_VICTIM;
    machine.levels[L3].inside_ways = 4;
    caches = caches_new(&machine, 2, OWNERS, 1, 0);
    caches->threads[0].levels[L3]->lru.locks = false;
    for (unsigned t = 0; t < 2; t++) {
        for (uint64_t i = 0; i < lines; i++)
            caches_access(caches, t, ACCESS_LOAD, A + i * 64, 8, IN + t);
        hierarchy_share(&caches->threads[0]);
    }
    assert_int_equal(link_of(L3, IN).loads, lines);
    assert_int_equal(link_of(L2, IN_TOO).loads, lines);
    assert_int_equal(link_of(L3, IN_TOO).loads, 0);
    end();
}

enum { TOGETHER_PASSES = 40 };

/* Both read the same 1 MiB, one after the other: a last level of victims does not hold the first one's data, but knows
 * that the first one has them. */
static void threads_pass_lines_on(void **state) {
    (void)state;
    struct hierarchy_geometry machine = MACHINE;
    machine.levels[L3].content = CONTENT_VICTIM;
    for (unsigned ways = 0; ways <= 4; ways += 4) { /* 2 × 4096 lines in 2048 sets */
        const uint64_t lines = MIB(1) / 64;
        machine.levels[L3].inside_ways = ways;
        caches = caches_new(&machine, 2, OWNERS, 1, 0);
        for (uint64_t i = 0; i < 4 * lines; i++)
            for (unsigned t = 0; t < 2; t++)
                caches_access(caches, t, ACCESS_LOAD, A + i % lines * 64, 8, IN + t);
        assert_int_equal(link_of(L2, IN_TOO).loads, 4 * lines);
        assert_int_equal(link_of(L3, IN).loads, lines);
        assert_int_equal(link_of(L3, IN_TOO).loads, ways > 0 ? 0 : 4 * lines);
        for (int pass = 0; pass < 2; pass++) { /* written past the caches, a line is in no cache */
            caches_access(caches, 0, ACCESS_LOAD, B, 8, OUT);
            caches_access(caches, 0, ACCESS_NONTEMPORAL, B, 64, OUT);
        }
        assert_int_equal(link_of(L3, OUT).loads, 2);
        end();
    }
}

static void *one_thread(void *which) {
    const unsigned t = *(unsigned *)which;
    for (uint64_t i = 0; i < TOGETHER_PASSES * KIB(512) / 64; i++)
        caches_access(caches, t, ACCESS_UPDATE, (t ? B : A) + i % (KIB(512) / 64) * 64, 8, IN + t);
    return NULL;
}

/* Concurrently: nothing is lost or counted twice if everything fits. */
static void two_threads_at_a_time(void **state) {
    (void)state;
    const uint64_t lines = KIB(512) / 64;
    unsigned which[2] = {0, 1};
    pthread_t other;
    caches = caches_new(&MACHINE, 2, OWNERS, 1, 0);
    assert_int_equal(pthread_create(&other, NULL, one_thread, &which[1]), 0);
    one_thread(&which[0]);
    pthread_join(other, NULL);
    for (uint32_t owner = IN; owner <= IN_TOO; owner++) {
        assert_int_equal(link_of(L3, owner).loads, lines);
        assert_int_equal(link_of(L2, owner).loads, TOGETHER_PASSES * lines);
        assert_int_equal(link_of(L3, owner).write_backs, 0);
    }
    for (unsigned t = 0; t < 2; t++)
        hierarchy_end(&caches->threads[t]);
    assert_int_equal(caches_sum(caches, IN).left_lines + caches_sum(caches, IN_TOO).left_lines, 2 * lines);
    end();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triad_out_of_memory),
        cmocka_unit_test(triad_within_a_level),
        cmocka_unit_test(daxpy_updates),
        cmocka_unit_test(dgemv_by_rows_and_columns),
        cmocka_unit_test(dgemm_without_blocks),
        cmocka_unit_test(dgemm_in_blocks),
        cmocka_unit_test(stencil_with_layers),
        cmocka_unit_test(transposition),
        cmocka_unit_test(random_accesses),
        cmocka_unit_test(stores_past_the_caches),
        cmocka_unit_test(victims_add_up),
        cmocka_unit_test(two_threads_share_the_last_level),
        cmocka_unit_test(threads_pass_lines_on),
        cmocka_unit_test(second_thread_comes_later),
        cmocka_unit_test(two_threads_at_a_time),
        cmocka_unit_test(changed_lines_are_written_back),
        cmocka_unit_test(shared_lines_are_written_back_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
