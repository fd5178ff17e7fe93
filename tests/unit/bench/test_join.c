/* SPDX-License-Identifier: BSD-3-Clause
 * A native and a counted run of made-up programs, joined: each moment of the native run is found in the counted one,
 * however much slower that is at each place, and nothing of the counted work is lost. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "bench/programs/join.h"

/* A piece of a thread: so much native CPU time at a place, of which the counted run makes `slower` times as much. Flop
 * are its own, so that sums show where a moment is. Without a place it sleeps. */
struct piece {
    uint64_t place;
    unsigned ms;
    double slower;
    uint64_t flop_per_ms;
};

enum { TICK_MS = 4, MOST = 4000, A = 11, B = 22, C = 33 };
struct program {
    size_t tick_count, slice_count;
    struct sampled_tick ticks[MOST];
    uint64_t places[MOST];
    struct profile_slice slices[MOST];
};

static void add_ticks(struct program *program, const struct piece *pieces, size_t count, uint32_t tid) {
    const uint64_t ms = 1000000, begin = 5000 * ms;
    uint64_t wall = begin, cpu = 3 * ms;
    program->ticks[program->tick_count++] = (struct sampled_tick){.wall_ns = wall, .cpu_ns = cpu, .tid = tid};
    for (size_t i = 0; i < count; i++)
        for (unsigned done = 0; done < pieces[i].ms; done += TICK_MS) {
            wall += TICK_MS * ms;
            if (!pieces[i].place)
                continue;
            cpu += TICK_MS * ms;
            program->places[program->tick_count] = pieces[i].place;
            program->ticks[program->tick_count++] =
                (struct sampled_tick){.wall_ns = wall, .cpu_ns = cpu, .tid = tid, .place = 1};
        }
    program->ticks[program->tick_count++] = (struct sampled_tick){.wall_ns = wall, .cpu_ns = cpu, .tid = tid};
}

static void add_slices(struct program *program, const struct piece *pieces, size_t count, uint32_t tid) {
    const uint64_t ms = 1000000;
    uint64_t cpu = 0;
    for (size_t i = 0; i < count; i++) {
        const unsigned slices = pieces[i].place ? (unsigned)(pieces[i].ms * pieces[i].slower) / TICK_MS : 0;
        for (unsigned done = 0; done < slices; done++) {
            struct profile_slice *slice = &program->slices[program->slice_count++];
            cpu += TICK_MS * ms;
            *slice = (struct profile_slice){
                .tid = tid, .wall_ns = 9000 * ms + cpu, .cpu_ns = TICK_MS * ms, .place = pieces[i].place};
            slice->count.flop[COUNT_F64][COUNT_SCALAR] = pieces[i].flop_per_ms * pieces[i].ms / slices;
        }
    }
}

static struct program *make(const struct piece *pieces, size_t count) {
    struct program *program = calloc(1, sizeof *program);
    assert_non_null(program);
    add_ticks(program, pieces, count, 7);
    add_slices(program, pieces, count, 70);
    return program;
}

static struct joined *join_it(const struct program *program) {
    struct joined *joined =
        join(program->ticks, program->places, program->tick_count, program->slices, program->slice_count);
    assert_non_null(joined);
    return joined;
}

static double flop_until(const struct joined *joined, double ms) {
    struct joined_sum sum;
    joined_until(joined, 1e-3 * ms, &sum);
    return (double)count_flop(&sum.count);
}

/* Within two ticks of work. */
static void assert_flop(const struct joined *joined, double ms, double flop, double per_ms) {
    const double found = flop_until(joined, ms);
    if (fabs(found - flop) > 2 * TICK_MS * per_ms)
        fail_msg("at %.0f ms there are %.0f flop instead of %.0f", ms, found, flop);
}

static void places_have_their_own_slowness(void **state) {
    (void)state;
    const struct piece pieces[] = {{A, 300, 4, 1000}, {B, 300, 1, 100}, {0, 300, 0, 0}, {C, 100, 2, 10}};
    struct program *program = make(pieces, 4);
    struct joined *joined = join_it(program);
    assert_true(fabs(joined_seconds(joined) - 1) < 1e-9);
    assert_flop(joined, 0, 0, 0);
    assert_flop(joined, 150, 150000, 1000);
    assert_flop(joined, 300, 300000, 1000);
    assert_flop(joined, 450, 315000, 100);
    assert_flop(joined, 600, 330000, 100);
    assert_flop(joined, 890, 330000, 100); /* asleep, with half of the sample's work to come */
    assert_true(flop_until(joined, 890) == flop_until(joined, 610));
    assert_true(flop_until(joined, 904) > flop_until(joined, 890) + 10);
    assert_true(flop_until(joined, 2000) == 331000);
    assert_true(joined_border_s(joined) < 0.02);
    joined_free(joined);
    free(program);
}

/* One place: in the counted run, data in memory make less difference than its copies of the code. */
static void time_of_the_counted_run_counts(void **state) {
    (void)state;
    const struct piece pieces[] = {{A, 300, 1.2, 100000}, {A, 300, 1, 1000}};
    struct program *program = make(pieces, 2);
    struct joined *joined = join_it(program);
    const double at_border = flop_until(joined, 300); /* by the number of executions it would be near 20000000 */
    assert_true(at_border > 26000000 && at_border <= 30300000);
    joined_free(joined);
    free(program);
}

/* A place that is slowed down now more, now less; the changes to other places show where. */
static void changes_of_code_are_anchors(void **state) {
    (void)state;
    const struct piece pieces[] = {{A, 200, 4, 1000}, {B, 200, 1, 10}, {A, 200, 1, 100}, {C, 200, 1, 1}};
    struct program *program = make(pieces, 4);
    struct joined *joined = join_it(program);
    assert_flop(joined, 200, 200000, 1000);
    assert_flop(joined, 400, 202000, 100);
    assert_flop(joined, 600, 222000, 100);
    assert_true(joined_border_s(joined) > 0.02); /* the ruler alone was wrong by much more than a sample */
    joined_free(joined);
    free(program);
}

static void threads_have_their_own_course(void **state) {
    (void)state;
    const struct piece one[] = {{A, 400, 4, 1000}, {B, 400, 1, 0}}, two[] = {{B, 400, 1, 0}, {A, 400, 4, 1000}};
    struct program *program = calloc(1, sizeof *program);
    assert_non_null(program);
    add_ticks(program, one, 2, 7);
    add_ticks(program, two, 2, 8);
    add_slices(program, one, 2, 70);
    add_slices(program, two, 2, 80);
    struct joined *joined = join_it(program);
    assert_flop(joined, 400, 400000, 1000);
    assert_flop(joined, 600, 600000, 1000);
    assert_true(flop_until(joined, 801) == 800000);
    struct joined_sum sum;
    joined_until(joined, 0.4, &sum);
    assert_true(fabs(sum.cpu_s - 0.8) < 1e-6);
    joined_free(joined);
    /* With other threads in the counted run, both runs are lines of all threads. */
    for (size_t i = 0; i < program->slice_count; i++)
        program->slices[i].tid = 70;
    joined = join_it(program);
    assert_true(flop_until(joined, 801) == 800000);
    assert_true(flop_until(joined, 400) > 0 && flop_until(joined, 400) < 800000);
    joined_free(joined);
    free(program);
}

/* A slice may have less than nothing of something that the next one has. */
static void differences_add_up(void **state) {
    (void)state;
    const struct piece pieces[] = {{A, 100, 1, 1000}};
    struct program *program = make(pieces, 1);
    program->slices[3].count.instructions = (uint64_t)-5;
    program->slices[4].count.instructions = 12;
    struct joined *joined = join_it(program);
    struct joined_sum sum;
    joined_until(joined, 1, &sum);
    assert_int_equal(sum.count.instructions, 7);
    joined_free(joined);
    assert_null(join(program->ticks, program->places, 0, program->slices, program->slice_count));
    assert_null(join(program->ticks, program->places, program->tick_count, program->slices, 0));
    free(program);
}

/* Time in which other programs had the CPU is not sleep. */
static void ready_time(void **state) {
    (void)state;
    const struct piece pieces[] = {{A, 100, 1, 1000}};
    struct program *program = make(pieces, 1);
    for (size_t i = 10; i < program->tick_count; i++) {
        program->ticks[i].wall_ns += 40000000;
        program->ticks[i].delay_ns += 40000000;
    }
    struct joined *joined = join_it(program);
    struct joined_sum sum;
    joined_until(joined, 0.14, &sum);
    assert_true(fabs(sum.ready_s - 0.04) < 1e-6 && fabs(sum.cpu_s - 0.1) < 1e-6);
    joined_free(joined);
    free(program);
}

/* Ten threads that share a CPU, each with a sample at its begin and its end alone, and one thread of the counted run.
 */
static void threads_in_one_line_have_their_times(void **state) {
    (void)state;
    const uint64_t ms = 1000000;
    const struct piece all[] = {{A, 100, 1, 1000}};
    struct program *program = calloc(1, sizeof *program);
    assert_non_null(program);
    for (uint32_t tid = 0; tid < 10; tid++) {
        struct sampled_tick *ticks = &program->ticks[program->tick_count];
        ticks[0] = (struct sampled_tick){.wall_ns = 5000 * ms, .tid = tid};
        ticks[1] = (struct sampled_tick){.wall_ns = (5100 - tid) * ms, .tid = tid};
        ticks[1].cpu_ns = 10 * ms, ticks[1].delay_ns = (90 - tid) * ms;
        program->places[program->tick_count + 1] = A;
        program->tick_count += 2;
    }
    add_slices(program, all, 1, 70);
    struct joined *joined = join_it(program);
    struct joined_sum sum;
    joined_until(joined, 0.05, &sum);
    assert_true(fabs(sum.cpu_s - 0.05) < 0.005 && fabs(sum.ready_s - 0.45) < 0.03);
    assert_flop(joined, 50, 50000, 1000);
    assert_true(flop_until(joined, 100) == 100000);
    joined_free(joined);
    free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_have_their_own_slowness),
        cmocka_unit_test(time_of_the_counted_run_counts),
        cmocka_unit_test(changes_of_code_are_anchors),
        cmocka_unit_test(threads_have_their_own_course),
        cmocka_unit_test(differences_add_up),
        cmocka_unit_test(ready_time),
        cmocka_unit_test(threads_in_one_line_have_their_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
