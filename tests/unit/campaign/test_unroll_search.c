/* SPDX-License-Identifier: BSD-3-Clause
 * The search over surfaces, without measuring: it finds the top, never requests a cell twice, and ends. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "bench/kernels/shapes.h"
#include "tests/support/chance.h"

struct hill { /* one top, falling off to all sides, on a field of this many cells */
    unsigned rows, columns;
    double row, column, steep_row, steep_column, noise;
};

static double height(const struct hill *hill, unsigned row, unsigned column) {
    double dr = (row - hill->row) * hill->steep_row, dc = (column - hill->column) * hill->steep_column;
    return 100 / (1 + dr * dr + dc * dc);
}

/* Latency-bound up to this many rows, then flat; short bodies lose a little. Typical of arithmetic. */
static double plateau(unsigned knee, unsigned row, unsigned column) {
    double ramp = row + 1 < knee ? (double)(row + 1) / knee : 1;
    return 32 * ramp * (1 - 0.1 / (row + 1) / (column + 1));
}

static double highest(const struct hill *hill) {
    double best = 0;
    for (unsigned r = 0; r < hill->rows; r++)
        for (unsigned c = 0; c < hill->columns; c++)
            best = fmax(best, height(hill, r, c));
    return best;
}

/* Searches until it has settled, marking the requested cells. Returns the true height of the reported top. */
static double unroll_search_hill(const struct hill *hill, struct unroll_search *search) {
    bool seen[SEARCH_MAX_SIDE][SEARCH_MAX_SIDE] = {{false}};
    unsigned row, column;
    unroll_search_begin(search, hill->rows, hill->columns);
    while (!unroll_search_settled(search)) {
        assert_true(unroll_search_next(search, &row, &column));
        assert_true(row < hill->rows && column < hill->columns);
        assert_false(seen[row][column]);
        seen[row][column] = true;
        unroll_search_put(search, row, column,
                          height(hill, row, column) * (1 + chance_uniform(-hill->noise, hill->noise)));
    }
    assert_true(unroll_search_best(search, &row, &column));
    return height(hill, row, column);
}

static void finds_the_top(void **state) {
    (void)state;
    double worst = 1, effort = 0;
    for (chance_seed = 0; chance_seed < 4000;) {
        unsigned long long this = chance_seed;
        chance_seed *= 977;
        struct unroll_search search;
        struct hill hill = {.rows = 1 + (unsigned)chance_uniform(0, 31.9),
                            .columns = 1 + (unsigned)chance_uniform(0, 31.9)};
        hill.row = chance_uniform(0, hill.rows - 1);
        hill.column = chance_uniform(0, hill.columns - 1);
        hill.steep_row = chance_uniform(0.02, 0.5);
        hill.steep_column = chance_uniform(0.02, 0.5);
        worst = fmin(worst, unroll_search_hill(&hill, &search) / highest(&hill));
        effort += (double)search.known / (hill.rows * hill.columns) / 4000;
        chance_seed = this + 1;
    }
    assert_true(worst > 0.99);
    assert_true(effort < 0.5); /* of the cells; small fields are all neighbourhood */
}

static void finds_the_top_in_noise(void **state) {
    (void)state;
    double worst = 1;
    for (chance_seed = 0; chance_seed < 4000;) {
        unsigned long long this = chance_seed;
        chance_seed *= 977;
        struct unroll_search search;
        struct hill hill = {.rows = 28,
                            .columns = 19,
                            .row = chance_uniform(0, 27),
                            .column = chance_uniform(0, 18),
                            .steep_row = chance_uniform(0.1, 0.5),
                            .steep_column = chance_uniform(0.1, 0.5),
                            .noise = 0.003};
        worst = fmin(worst, unroll_search_hill(&hill, &search) / highest(&hill));
        chance_seed = this + 1;
    }
    assert_true(worst > 0.99);
}

static void finds_a_plateau(void **state) {
    (void)state;
    for (unsigned knee = 1; knee <= 28; knee++) {
        struct unroll_search search;
        unsigned row, column;
        unroll_search_begin(&search, 28, 19);
        while (!unroll_search_settled(&search)) {
            assert_true(unroll_search_next(&search, &row, &column));
            unroll_search_put(&search, row, column, plateau(knee, row, column) * (1 + chance_uniform(-0.002, 0.002)));
        }
        assert_true(unroll_search_best(&search, &row, &column));
        assert_true(plateau(knee, row, column) > 0.99 * 32);
        /* The neighbours of the best are all known. */
        for (unsigned r = 0; r < 28; r++)
            for (unsigned c = 0; c < 19; c++)
                if (abs((int)r - (int)row) <= 1 && abs((int)c - (int)column) <= 1)
                    assert_true(search.values[r][c] == search.values[r][c]);
    }
}

static void fills_every_possible_cell_once(void **state) {
    (void)state;
    struct unroll_search search;
    unsigned row, column, count = 0;
    unroll_search_begin(&search, 8, 16);
    for (unsigned r = 0; r < 8; r++)
        for (unsigned c = 0; c < 16; c++)
            search.possible[r][c] = r * c < 50;
    while (unroll_search_next(&search, &row, &column)) {
        assert_true(row * column < 50);
        unroll_search_put(&search, row, column, (double)(row * column));
        count++;
    }
    unsigned possible = 0;
    for (unsigned r = 0; r < 8; r++)
        for (unsigned c = 0; c < 16; c++)
            possible += search.possible[r][c];
    assert_int_equal(count, possible);
    assert_int_equal(search.known, possible);
    assert_true(unroll_search_settled(&search));
}

static void the_coarse_grid_comes_first(void **state) {
    (void)state;
    struct unroll_search search;
    unsigned row, column;
    unroll_search_begin(&search, 28, 19);
    assert_false(unroll_search_best(&search, &row, &column));
    assert_false(unroll_search_settled(&search));
    for (unsigned n = 0; n < 8 * 6; n++) { /* rows 0, 4 … 24, 27, columns 0, 4 … 16, 18 */
        assert_true(unroll_search_next(&search, &row, &column));
        assert_true((row % 4 == 0 || row == 27) && (column % 4 == 0 || column == 18));
        unroll_search_put(&search, row, column, 1 + (row == 8 && column == 12));
    }
    assert_true(unroll_search_next(&search, &row, &column)); /* then the cell nearest to the best */
    assert_true(abs((int)row - 8) + abs((int)column - 12) == 1);
}

static void the_top_in_order(void **state) {
    (void)state;
    struct unroll_search search;
    struct unroll_search_cell top[4];
    unroll_search_begin(&search, 1, 5);
    const double values[] = {10, 9.95, 10.05, 8, 9.99};
    for (unsigned c = 0; c < 5; c++)
        unroll_search_put(&search, 0, c, values[c]);
    assert_int_equal(unroll_search_top(&search, 0.02, 4, top), 4);
    assert_true(top[0].column == 2 && top[1].column == 0 && top[2].column == 4 && top[3].column == 1);
    assert_int_equal(unroll_search_top(&search, 0.007, 4, top), 3);
    assert_int_equal(unroll_search_top(&search, 0.02, 2, top), 2);
}

static void the_first_of_equals(void **state) {
    (void)state;
    struct unroll_search search;
    unsigned row, column;
    unroll_search_begin(&search, 1, 3);
    unroll_search_put(&search, 0, 0, 0);
    unroll_search_put(&search, 0, 1, 0);
    assert_true(unroll_search_best(&search, &row, &column));
    assert_int_equal(column, 0); /* the first of equals */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_top),
        cmocka_unit_test(finds_the_top_in_noise),
        cmocka_unit_test(finds_a_plateau),
        cmocka_unit_test(fills_every_possible_cell_once),
        cmocka_unit_test(the_coarse_grid_comes_first),
        cmocka_unit_test(the_top_in_order),
        cmocka_unit_test(the_first_of_equals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
