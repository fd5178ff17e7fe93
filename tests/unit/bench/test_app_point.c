/* SPDX-License-Identifier: BSD-3-Clause
 * Points of an application from its runs: made-up reports and profiles with known points. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/programs/app_points.h"
#include "bench/kernels/doubt.h"
#include "tests/support/fixtures.h"

enum { RUNS = 5, MAX = 6 };

/* Five runs of a program with two regions, "solve" and "load data", each run a little longer than the one before. */
struct scene {
    struct machine machine;
    struct event_set events;
    struct app_request request;
    struct app_runs runs;
    struct app_run run[RUNS];
    struct region_times times[RUNS][3];
    struct profile_region regions[3];
    struct count threads[3][4];
    struct profile_function functions[MAX];
    struct app_sampled_function sampled[RUNS][MAX];
};

static struct count counted(uint64_t flop, uint64_t load_bytes, uint64_t store_bytes) {
    struct count count = {.instructions = 10 * flop + 100, .load_bytes = load_bytes, .store_bytes = store_bytes};
    count.flop[COUNT_F64][COUNT_512] = flop;
    count.full_flop = flop;
    return count;
}

static void set_region(struct scene *scene, unsigned r, const char *name, double seconds, uint64_t calls,
                       struct count count) {
    for (unsigned i = 0; i < RUNS; i++) {
        scene->times[i][r] = (struct region_times){.calls = calls, .threads = 1, .seconds = seconds * (1 + 0.01 * i)};
        snprintf(scene->times[i][r].name, sizeof scene->times[i][r].name, "%s", name);
    }
    scene->regions[r] =
        (struct profile_region){.calls = calls, .count = count, .thread_count = 2, .threads = scene->threads[r]};
    snprintf(scene->regions[r].name, sizeof scene->regions[r].name, "%s", name);
    scene->threads[r][0] = scene->threads[r][1] = counted(count_flop(&count) / 2, count.load_bytes / 2, 0);
}

static void make_scene(struct scene *s) {
    machine_free(&s->machine); /* from an earlier scene */
    memset(s, 0, sizeof *s);
    s->machine = fixture_machine(4, FIXTURE_AVX512);
    s->request = (struct app_request){.name = "prog", .command = "./prog -n 5", .machine = &s->machine};
    set_region(s, 0, "", 2, 1, counted(4000000, 64000000, 32000000));
    set_region(s, 1, "solve", 1, 10, counted(3000000, 48000000, 24000000));
    set_region(s, 2, "load data", 0.5, 1, counted(0, 8000000, 8000000));
    s->runs = (struct app_runs){.run_count = RUNS,
                                .runs = s->run,
                                .wanted_runs = RUNS,
                                .event_set = &s->events,
                                .started_utc = "2026-11-20T15:04:05Z",
                                .counted = true,
                                .profile = {.process_count = 1, .region_count = 3, .regions = s->regions}};
    for (unsigned i = 0; i < RUNS; i++)
        s->run[i] = (struct app_run){
            .seconds = 2.1,
            .cpu_s = 4,
            .reported = true,
            .report = {.process_count = 1, .region_count = 3, .regions = s->times[i]},
            .samples = {.functions = s->sampled[i]},
        };
}

static void free_scene(struct scene *scene) {
    machine_free(&scene->machine);
}

static void make_points(const struct scene *scene, struct app_points *out) {
    app_points_make(&scene->request, &scene->runs, out);
}

static void assert_doubts(const struct app_point *point, struct doubts wanted) {
    char got[512], expected[512];
    if (!doubts_equal(point->doubts, wanted))
        fail_msg("%s: doubts are \"%s\", not \"%s\"", point->name, doubt_names(point->doubts, got, sizeof got),
                 doubt_names(wanted, expected, sizeof expected));
}

/* Time that may have gone into starting and ending is left out; it belongs to the program, whatever the point
 * covers. */
static void time_of_the_kernel(void **state) {
    (void)state;
    struct scene s = {0};
    struct app_points points;
    make_scene(&s);
    for (unsigned i = 0; i < RUNS; i++) { /* on a busy host it began late */
        s.run[i].seconds = s.times[i][0].seconds + 7.1, s.run[i].outside_ready_s = 7;
        s.run[i].kernel_s = 1.5, s.run[i].page_faults = 1000;
    }
    make_points(&s, &points);
    for (size_t i = 0; i < points.count; i++) {
        assert_near(points.points[i].cpu_seconds.median, 3.9);
        assert_near(points.points[i].kernel_seconds.median, 1.4);
        assert_near(points.points[i].page_faults.median, 1000);
    }
    app_points_free(&points);
    for (unsigned i = 0; i < RUNS; i++)
        s.run[i].report.process_count = 3;
    make_points(&s, &points); /* a shell's children begin and end within its time */
    assert_near(points.program.kernel_seconds.median, 1.4);
    assert_near(points.program.cpu_seconds.median, 3.9);
    app_points_free(&points);
    for (unsigned i = 0; i < RUNS; i++)
        s.run[i].report.ranks = 3;
    make_points(&s, &points);
    assert_near(points.program.kernel_seconds.median, 1.2);
    app_points_free(&points);
    free_scene(&s);
}

static void regions_are_points(void **state) {
    (void)state;
    struct scene s = {0};
    struct app_points points;
    make_scene(&s);
    make_points(&s, &points);
    assert_int_equal(points.count, 2);
    const struct app_point *solve = &points.points[0], *load = &points.points[1];
    assert_string_equal(solve->name, "prog/solve");
    assert_string_equal(solve->program, "prog");
    assert_string_equal(solve->region, "solve");
    assert_string_equal(solve->command, "./prog -n 5");
    assert_string_equal(solve->measured_utc, "2026-11-20T15:04:05Z");
    assert_int_equal(solve->part, APP_REGION);
    assert_int_equal(solve->calls, 10);
    assert_int_equal(solve->threads, 2);
    assert_int_equal(solve->processes, 1);
    assert_int_equal(solve->seconds.n, RUNS);
    assert_near(solve->seconds.median, 1.02);
    assert_near(solve->seconds.q1, 1.01);
    assert_near(solve->seconds.max, 1.04);
    assert_near(solve->time_share, 0.5);
    assert_near(solve->flop.median, 3e6);
    assert_int_equal(solve->flop.n, 1);
    assert_near(solve->load_bytes.median, 48e6);
    assert_near(solve->store_bytes.q3, 24e6);
    assert_true(solve->has_count);
    assert_int_equal(solve->count.instructions, 30000100);
    assert_int_equal(solve->seconds_source, SOURCE_CLOCK);
    assert_int_equal(solve->flop_source, SOURCE_COUNTED);
    assert_int_equal(solve->bytes_source, SOURCE_COUNTED);
    assert_int_equal(solve->dram_source, SOURCE_UNKNOWN);
    assert_int_equal(solve->dram_read_bytes.n, 0);
    assert_near(app_flop_per_s(solve), 3e6 / 1.02);
    assert_near(app_flop_per_byte(solve), 3e6 / 72e6);
    assert_near(app_bandwidth_bound(solve), 0);
    assert_doubts(solve, NO_DOUBTS);
    assert_string_equal(load->name, "prog/load data");
    assert_near(load->flop.median, 0);
    assert_int_equal(load->flop_source, SOURCE_COUNTED); /* counted, and there are none */
    assert_near(app_flop_per_s(load), 0);
    assert_string_equal(points.program.name, "prog");
    assert_int_equal(points.program.part, APP_PROGRAM);
    assert_near(points.program.flop.median, 4e6);
    assert_near(points.program.time_share, 1);
    app_points_free(&points);

    s.request.by = APP_BY_PROGRAM;
    make_points(&s, &points);
    assert_int_equal(points.count, 1);
    assert_string_equal(points.points[0].name, "prog");
    app_points_free(&points);
    s.request.by = APP_BY_WHAT_IS_MARKED; /* also without marks */
    for (unsigned i = 0; i < RUNS; i++)
        s.run[i].report.region_count = 1;
    make_points(&s, &points);
    assert_int_equal(points.count, 1);
    assert_int_equal(points.points[0].part, APP_PROGRAM);
    app_points_free(&points);
    free_scene(&s);
}

static void doubts_of_time_and_marks(void **state) {
    (void)state;
    struct scene s = {0};
    struct app_points points;
    make_scene(&s);
    for (unsigned i = 0; i < RUNS; i++)
        s.times[i][1].seconds = 1 + 0.06 * i; /* quartiles 1.06 and 1.18 */
    s.times[3][2].open = 1;
    make_points(&s, &points);
    assert_doubts(&points.points[0], DOUBTS(DOUBT_UNSTABLE));
    assert_doubts(&points.points[1], DOUBTS(DOUBT_OPEN_REGION));
    assert_doubts(&points.program, NO_DOUBTS);
    app_points_free(&points);

    make_scene(&s);
    s.regions[1].mismatched = 2;
    s.regions[2].calls = 2;
    make_points(&s, &points);
    assert_doubts(&points.points[0], DOUBTS(DOUBT_OPEN_REGION));
    assert_doubts(&points.points[1], DOUBTS(DOUBT_RUNS_DIFFER));
    app_points_free(&points);

    make_scene(&s);
    for (unsigned i = 0; i < RUNS; i++)
        s.times[i][1].calls = 100000; /* 10 µs each */
    s.regions[1].calls = 100000;
    make_points(&s, &points);
    assert_doubts(&points.points[0], DOUBTS(DOUBT_TOO_SHORT));
    app_points_free(&points);

    make_scene(&s);
    s.runs.run_count = 1; /* the scatter is unknown, which is no reason to call it unstable */
    make_points(&s, &points);
    assert_int_equal(points.program.seconds.n, 1);
    assert_doubts(&points.program, NO_DOUBTS);
    app_points_free(&points);
    free_scene(&s);
}

/* The timed runs enter "solve" twice as often as the counted one. A second counted run, in which time passes faster,
 * shows whether that matters. */
static void work_of_other_runs(void **state) {
    (void)state;
    struct scene s = {0};
    struct app_points points;
    struct profile_region again[3];
    make_scene(&s);
    memcpy(again, s.regions, sizeof again);
    s.runs.counted_again = true;
    s.runs.again = (struct profile){.process_count = 1, .region_count = 3, .regions = again};
    make_points(&s, &points); /* the same in all runs */
    assert_doubts(&points.program, NO_DOUBTS);
    assert_doubts(&points.points[0], NO_DOUBTS);
    assert_near(points.program.flop.median, 4e6);
    app_points_free(&points);

    for (unsigned i = 0; i < RUNS; i++)
        s.times[i][1].calls = 20;
    make_points(&s, &points); /* the work per call in other runs is unknown */
    assert_doubts(&points.points[0], DOUBTS(DOUBT_RUNS_DIFFER));
    assert_int_equal(points.points[0].flop_source, SOURCE_UNKNOWN);
    assert_int_equal(points.points[0].flop.n, 0);
    assert_false(points.points[0].has_count);
    app_points_free(&points);

    again[1].calls = 5;
    again[1].count = counted(1500000, 24000000, 12000000);
    again[0].count = counted(2500000, 40000000, 20000000);
    s.times[0][1].calls = 10; /* and one of the timed runs half as often as the others, in half their time */
    s.times[0][1].seconds /= 2;
    make_points(&s, &points);
    assert_doubts(&points.points[0], NO_DOUBTS);
    assert_near(points.points[0].flop.median, 6e6);
    assert_near(points.points[0].load_bytes.median, 96e6);
    assert_near(points.points[0].seconds.min, 1);
    assert_doubts(&points.program, DOUBTS(DOUBT_RUNS_DIFFER));
    assert_int_equal(points.program.flop.n, 0);
    app_points_free(&points);

    again[1].count = counted(750000, 12000000, 6000000); /* later calls do more */
    make_points(&s, &points);
    assert_doubts(&points.points[0], DOUBTS(DOUBT_RUNS_DIFFER));
    app_points_free(&points);

    again[0].count = s.regions[0].count;
    s.runs.profile.caches.level_count = 2;
    make_points(&s, &points);
    assert_int_equal(points.program.levels.links, 3);
    app_points_free(&points);
    again[0].count = counted(4000000, 80000000, 32000000); /* it waits by loading: only flop are known */
    make_points(&s, &points);
    assert_doubts(&points.program, DOUBTS(DOUBT_RUNS_DIFFER));
    assert_int_equal(points.program.levels.links, 0); /* other bytes, other traffic */
    assert_near(points.program.flop.median, 4e6);
    assert_int_equal(points.program.bytes_source, SOURCE_UNKNOWN);
    app_points_free(&points);

    make_scene(&s); /* less CPU time than natively, in a program that reads clocks */
    s.runs.counted_cpu_s = 2;
    s.runs.profile.time_readings = 10;
    make_points(&s, &points);
    assert_doubts(&points.program, DOUBTS(DOUBT_RUNS_DIFFER));
    app_points_free(&points);
    free_scene(&s);
}

static void threads_that_only_wait(void **state) {
    (void)state;
    struct scene s = {0};
    struct app_points points;
    make_scene(&s);
    s.regions[1].thread_count = 4;
    s.threads[1][2] = counted(0, 20000, 0);        /* it only looked for work */
    s.threads[1][3] = counted(500000, 4000000, 0); /* less than the others, but a good part */
    make_points(&s, &points);
    assert_int_equal(points.points[0].threads, 3);
    app_points_free(&points);
    /* With several processes, whose threads may run one after the other, CPU time decides. */
    for (unsigned i = 0; i < RUNS; i++)
        s.run[i].report.process_count = 3;
    make_points(&s, &points);
    assert_int_equal(points.program.processes, 3);
    assert_int_equal(points.program.threads, 2);
    app_points_free(&points);
    for (unsigned i = 0; i < RUNS; i++)
        s.run[i].cpu_s = 2.2;
    make_points(&s, &points);
    assert_int_equal(points.program.threads, 1);
    app_points_free(&points);

    make_scene(&s); /* not counted: the average number, or the number that entered the region */
    s.runs.counted = false;
    for (unsigned i = 0; i < RUNS; i++)
        s.times[i][0].threads = 4, s.times[i][2].threads = 3;
    make_points(&s, &points);
    assert_int_equal(points.program.threads, 2);
    assert_int_equal(points.points[0].threads, 2);
    assert_int_equal(points.points[1].threads, 3);
    app_points_free(&points);
    free_scene(&s);
}

/* The threads with a good part of the work; never so few that the work would exceed their roofs. */
static void threads_that_do_the_work(void **state) {
    (void)state;
    static const struct {
        uint64_t flop[4], bytes[4];
        unsigned threads;
    } CASES[] = {
        {{100, 100}, {800, 800}, 2},
        {{100, 100}, {9000, 800}, 2}, /* a set-up that moves bytes, without flop */
        {{95, 5}, {760, 40}, 1},      /* mostly serial */
        {{80, 20}, {640, 160}, 2},    /* at most 1.25 times as fast as one thread */
        {{100, 80, 90, 70}, {800, 640, 720, 560}, 4},
        {{300, 100, 100}, {2400, 800, 800}, 3},
        {{100, 5, 5, 5}, {800, 40, 40, 40}, 2},
        {{5, 5, 5, 5}, {100000, 5, 5, 5}, 1},  /* too few flop to matter */
        {{100, 0, 0, 0}, {800, 800, 0, 0}, 2}, /* a copy beside it */
        {{0, 0}, {0, 0}, 1},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct count threads[4];
        for (size_t t = 0; t < 4; t++)
            threads[t] = counted(CASES[i].flop[t], CASES[i].bytes[t], 0);
        if (app_threads_at_work(threads, 4) != CASES[i].threads)
            fail_msg("case %zu: %u threads", i, app_threads_at_work(threads, 4));
    }
}

/* Relative to its own time, not to the start's, which may be longer. */
static void time_without_a_cpu(void **state) {
    (void)state;
    struct scene s = {0};
    struct app_points points;
    make_scene(&s);
    for (unsigned i = 0; i < RUNS; i++)
        s.run[i].seconds = 10, s.run[i].cpu_s = 0.4, s.run[i].delay_s = 0.3;
    make_points(&s, &points);
    assert_near(points.program.idle_seconds.median, points.program.seconds.median - 0.4 / 2); /* of two threads */
    assert_near(points.program.delay_seconds.median, 0.3);
    app_points_free(&points);
    free_scene(&s);
}

/* The program's alone, of the runs with samples in proportion to their times, with the kernel's share of the CPU time
 * and of that the cost of its page faults. */
static void what_its_threads_do(void **state) {
    (void)state;
    struct scene s = {0};
    struct app_points points;
    double seen_s = 0;
    make_scene(&s);
    s.runs.fault_s = 1e-6;
    for (unsigned i = 0; i < RUNS; i++) {
        s.run[i].seconds = s.times[i][0].seconds, s.run[i].waits_s = 0.9 * s.run[i].seconds;
        seen_s += i > 0 ? s.run[i].waits_s : 0;
        s.run[i].cpu_s = 1, s.run[i].kernel_s = 0.5, s.run[i].page_faults = 400000;
        if (i > 0)
            s.run[i].waits = (struct waits){10, 0.01, {[WAIT_RUNS] = 1000000000 * (uint64_t)i, [WAIT_SLEEP] = 500}};
    }
    make_points(&s, &points);
    const struct waits *waits = &points.program.waits;
    assert_int_equal(points.points[0].waits.samples, 0);
    assert_int_equal(waits->samples, 10 * (RUNS - 1));
    assert_near(waits->interval_s, 0.01);
    assert_int_equal(waits->ns[WAIT_SLEEP], (uint64_t)(2000 * points.program.seconds.median / seen_s));
    const double ran = 10e9 * points.program.seconds.median / seen_s; /* of 1 to 4 billion */
    assert_true(fabs((double)waits->ns[WAIT_RUNS] - ran / 2) < 3);
    assert_true(fabs((double)waits->ns[WAIT_FAULTS] - 0.4 * ran) < 2);
    assert_true(fabs((double)waits->ns[WAIT_KERNEL] - 0.1 * ran) < 2);
    app_points_free(&points);
    free_scene(&s);
}

static void without_reports(void **state) {
    (void)state;
    struct scene s = {0};
    struct app_points points;
    make_scene(&s);
    for (unsigned i = 0; i < RUNS; i++) {
        s.run[i].reported = false;
        s.run[i].report = (struct regions_report){0};
    }
    make_points(&s, &points);
    assert_int_equal(points.count, 1);
    assert_near(points.points[0].seconds.median, 2.1); /* from outside */
    assert_int_equal(points.points[0].threads, 2);
    app_points_free(&points);

    s.runs.counted = false;
    strcpy(s.runs.not_counted, "it writes its own code");
    make_points(&s, &points);
    assert_int_equal(points.points[0].flop_source, SOURCE_UNKNOWN);
    assert_int_equal(points.points[0].bytes_source, SOURCE_UNKNOWN);
    assert_false(points.points[0].has_count);
    app_points_free(&points);
    free_scene(&s);
}

static void stated_quantities(void **state) {
    (void)state;
    struct scene s = {0};
    struct app_points points;
    make_scene(&s);
    s.request.by = APP_BY_PROGRAM;
    s.request.stated_flop = 3.5e6;
    s.request.stated_bytes = 90e6;
    s.regions[0].count.bytes_unknown = 1000000;
    make_points(&s, &points);
    const struct app_point *point = &points.points[0];
    assert_near(point->flop.median, 3.5e6);
    assert_int_equal(point->flop_source, SOURCE_STATED);
    assert_int_equal(count_flop(&point->count), 4000000); /* executions stay known */
    assert_near(point->load_bytes.median, 60e6);          /* 2 : 1, as counted */
    assert_near(point->store_bytes.median, 30e6);
    assert_int_equal(point->bytes_source, SOURCE_STATED);
    assert_doubts(point, NO_DOUBTS); /* stated bytes are known */
    assert_near(points.program.flop.median, 3.5e6);
    app_points_free(&points);

    s.runs.counted = false;
    make_points(&s, &points);
    assert_near(points.points[0].load_bytes.median, 90e6);
    assert_near(points.points[0].store_bytes.median, 0);
    assert_false(points.points[0].has_count);
    app_points_free(&points);

    make_scene(&s); /* the only region */
    s.request.stated_flop = 1e6;
    for (unsigned i = 0; i < RUNS; i++)
        s.run[i].report.region_count = 2;
    make_points(&s, &points);
    assert_int_equal(points.count, 1);
    assert_near(points.points[0].flop.median, 1e6);
    assert_near(points.program.flop.median, 4e6);
    app_points_free(&points);
    free_scene(&s);
}

static void other_output_is_doubted(void **state) {
    (void)state;
    struct scene s;
    struct app_points points;
    make_scene(&s);
    make_points(&s, &points);
    assert_doubts(&points.program, NO_DOUBTS);
    app_points_free(&points);
    snprintf(s.runs.other_output, sizeof s.runs.other_output, "standard output differs");
    make_points(&s, &points);
    assert_doubts(&points.program, DOUBTS(DOUBT_OTHER_OUTPUT));
    app_points_free(&points);
    free_scene(&s);
}

static void sources_and_their_doubts(void **state) {
    (void)state;
    struct scene s = {0};
    struct app_points points;
    make_scene(&s);
    s.regions[1].count.bytes_unknown = 200; /* half a megabyte, of 72 */
    s.regions[2].count.bytes_unknown = 200; /* of 16 */
    make_points(&s, &points);
    assert_doubts(&points.points[0], NO_DOUBTS);
    assert_doubts(&points.points[1], DOUBTS(DOUBT_BYTES_UNKNOWN));
    app_points_free(&points);

    /* the memory controllers' bytes, for the whole program */
    for (unsigned i = 0; i < RUNS; i++)
        s.run[i].has_dram = i > 0, s.run[i].dram_read_bytes = 4e7, s.run[i].dram_write_bytes = 2e7 + i;
    make_points(&s, &points);
    assert_int_equal(points.program.dram_source, SOURCE_COUNTERS);
    assert_int_equal(points.program.dram_read_bytes.n, RUNS - 1);
    assert_near(points.program.dram_write_bytes.median, 2e7 + 2.5);
    assert_int_equal(points.points[0].dram_source, SOURCE_UNKNOWN);
    app_points_free(&points);
    free_scene(&s);
}

static void set_function(struct scene *s, unsigned i, const char *name, const char *object, uint64_t flop,
                         unsigned hits) {
    s->functions[i] = (struct profile_function){.count = counted(flop, 8 * flop + 800, 0)};
    strcpy(s->functions[i].name, name);
    strcpy(s->functions[i].object, object);
    for (unsigned r = 0; r < RUNS; r++) {
        struct app_samples *samples = &s->run[r].samples;
        samples->functions[samples->count] = (struct app_sampled_function){.hits = hits};
        strcpy(samples->functions[samples->count].name, name);
        strcpy(samples->functions[samples->count++].object, object);
        samples->hits += hits;
    }
}

static void hot_functions(void **state) {
    (void)state;
    struct scene s = {0};
    struct app_points points;
    make_scene(&s);
    s.request.by = APP_BY_FUNCTION;
    s.regions[0].functions = s.functions;
    s.regions[0].function_count = MAX;
    set_function(&s, 0, "kernel", "prog", 3500000, 60);
    set_function(&s, 1, "kernel", "libwork.so", 150000, 6); /* of the same name; 6 % of time */
    set_function(&s, 2, "init", "prog", 100000, 4);         /* 4 % of time, 2.5 % of flop */
    set_function(&s, 3, "", "libc.so.6", 0, 30);            /* no flop, but time */
    set_function(&s, 4, "flop alone", "prog", 250000, 0);   /* 6 % of flop */
    set_function(&s, 5, "kernel", "libother.so", 210000, 0);
    make_points(&s, &points);
    static const char *const names[] = {"prog/kernel", "prog/kernel (libwork.so)", "prog/libc.so.6", "prog/flop alone",
                                        "prog/kernel (libother.so)"};
    assert_int_equal(points.count, sizeof names / sizeof names[0]);
    for (size_t i = 0; i < points.count; i++) {
        assert_string_equal(points.points[i].name, names[i]);
        assert_int_equal(points.points[i].part, APP_FUNCTION);
        assert_int_equal(points.points[i].seconds_source, i < 3 ? SOURCE_SAMPLED : SOURCE_UNKNOWN);
        assert_int_equal(points.points[i].flop_source, SOURCE_COUNTED);
        assert_int_equal(points.points[i].threads, 2);
    }
    const struct app_point *kernel = &points.points[0];
    assert_string_equal(kernel->function, "kernel");
    assert_near(kernel->time_share, 0.6);
    assert_near(kernel->seconds.median, 0.6 * 2.04);
    assert_near(kernel->seconds.q3, 0.6 * 2.06);
    assert_near(kernel->flop.median, 3.5e6);
    assert_doubts(kernel, NO_DOUBTS);
    assert_doubts(&points.points[1], DOUBTS(DOUBT_FEW_SAMPLES)); /* 30 in all runs */
    app_points_free(&points);

    for (unsigned i = 0; i < RUNS; i++) /* no samples were taken */
        s.run[i].samples.hits = 0, s.run[i].samples.count = 0;
    make_points(&s, &points);
    assert_int_equal(points.count, 3);
    assert_int_equal(points.points[0].seconds_source, SOURCE_UNKNOWN);
    assert_int_equal(points.points[0].seconds.n, 0);
    app_points_free(&points);

    for (unsigned all = 4; all <= 5; all++) { /* too few for a statement */
        struct app_samples *samples = &s.run[0].samples;
        samples->count = 1;
        samples->hits = samples->functions[0].hits = all;
        make_points(&s, &points);
        assert_int_equal(points.points[0].seconds_source, all < 5 ? SOURCE_UNKNOWN : SOURCE_SAMPLED);
        assert_near(points.points[0].time_share, all < 5 ? 0 : 1);
        assert_true(doubts_has(points.points[0].doubts, DOUBT_FEW_SAMPLES));
        app_points_free(&points);
    }
    free_scene(&s);
}

/* The busiest of three threads with three times the work of the median one; a fourth has hardly any. */
static void threads_are_points(void **state) {
    (void)state;
    struct scene s = {0};
    struct app_points points;
    make_scene(&s);
    s.request.by = APP_BY_THREAD;
    const uint64_t flop[4] = {3000000, 1000000, 20000, 500000};
    for (size_t i = 0; i < 4; i++)
        s.threads[0][i] = counted(flop[i], 16 * flop[i], 0);
    s.regions[0].thread_count = 4;
    make_points(&s, &points);
    assert_int_equal(points.count, 3);
    static const char *const names[] = {"prog/thread 1", "prog/thread 2", "prog/thread 4"};
    static const double imbalance[] = {3, 1, 0.5};
    for (size_t i = 0; i < 3; i++) {
        const struct app_point *point = &points.points[i];
        assert_string_equal(point->name, names[i]);
        assert_int_equal(point->part, APP_THREAD);
        assert_int_equal(point->threads, 1);
        assert_int_equal(point->seconds.n, 0);
        assert_int_equal(point->seconds_source, SOURCE_UNKNOWN);
        assert_near(point->imbalance.median, imbalance[i]);
        assert_doubts(point, NO_DOUBTS);
    }
    assert_near(points.points[0].flop.median, 3e6);
    assert_near(points.points[2].load_bytes.median, 8e6);
    app_points_free(&points);

    for (size_t i = 0; i < 4; i++) /* without flop, by instructions */
        memset(s.threads[0][i].flop, 0, sizeof s.threads[0][i].flop);
    memset(s.regions[0].count.flop, 0, sizeof s.regions[0].count.flop);
    make_points(&s, &points);
    assert_int_equal(points.count, 3);
    assert_near(points.points[0].imbalance.median, 30000100. / 10000100);
    app_points_free(&points);
    free_scene(&s);
}

/* Two nested loops, one beside them, and three lines, two of which have the same name. */
static void hot_loops_and_lines(void **state) {
    (void)state;
    struct scene s = {0};
    struct app_points points;
    make_scene(&s);
    const struct part_source outer = {"prog", "_ZN5solve3runEv", "", "/src/solve.c", 17, 0x10},
                             inner = {"prog", "_ZN5solve3runEv", "dot", "/src/dot.h", 5, 0x20},
                             bare = {"libx.so", "step", "", "", 0, 0x1a4},
                             again = {"prog", "other", "", "/src/solve.c", 17, 0};
    struct profile_loop loops[] = {
        {outer, PART_NONE, 1, 10, 1, true, counted(3500000, 0, 0), counted(500000, 0, 0), NULL, {30, 5}},
        {inner, 0, 2, 1000, 10, true, counted(3000000, 0, 0), counted(3000000, 0, 0), NULL, {0}},
        {bare, PART_NONE, 1, 7, 3, false, counted(0, 0, 0), counted(0, 0, 0), NULL, {0}},
        {again, PART_NONE, 1, 7, 3, true, counted(100, 0, 0), counted(100, 0, 0), NULL, {0}}}; /* not hot */
    struct profile_line lines[] = {{outer, counted(2000000, 0, 0), NULL, {0}},
                                   {again, counted(1500000, 0, 0), NULL, {0}},
                                   {bare, counted(0, 0, 0), NULL, {0}}};
    struct profile_place places[] = {
        {.path = "/bin/prog", .start = 0x100, .code_bytes = 0x10, .loop = 0, .line = 0},
        {.path = "/bin/prog", .start = 0x110, .code_bytes = 0x10, .loop = 1, .line = 1},
        {.path = "/lib/libx.so", .start = 0x100, .code_bytes = 0x80, .loop = 2, .line = 2}};
    struct profile_parts parts = {
        .loop_count = 4, .line_count = 3, .place_count = 3, .loops = loops, .lines = lines, .places = places};
    struct sampled_place sampled[] = {{"/bin/prog", 0x10f, 20, 0, 1},
                                      {"/bin/prog", 0x110, 60, 0, 1},
                                      {"/lib/libx.so", 0x17f, 10, 0, 1},
                                      {"/lib/libx.so", 0x180, 10, 0, 1}};
    s.runs.profile.parts = &parts;
    s.request.by = APP_BY_LOOP;
    for (unsigned i = 0; i < RUNS; i++)
        s.run[i].report.places = sampled, s.run[i].report.place_count = 4;
    make_points(&s, &points);
    assert_int_equal(points.count, 3);
    static const char *const names[] = {"prog/solve::run:17", "prog/dot:5", "prog/step loop 0x1a4"};
    static const double shares[] = {0.8, 0.6, 0.1};
    for (unsigned i = 0; i < 3; i++) {
        const struct app_point *point = &points.points[i];
        assert_string_equal(point->name, names[i]);
        assert_int_equal(point->part, APP_LOOP);
        assert_near(point->time_share, shares[i]); /* including inner ones; of all samples */
        assert_near(point->seconds.median, shares[i] * 2.04);
        assert_int_equal(point->seconds_source, SOURCE_SAMPLED);
        assert_int_equal(point->depth, loops[i].depth);
        assert_int_equal(point->iterations, loops[i].iterations);
        assert_int_equal(point->entries, loops[i].entries_known ? loops[i].entries : 0);
        assert_doubts(point, i == 2 ? DOUBTS(DOUBT_FEW_SAMPLES) : NO_DOUBTS);
    }
    assert_near(points.points[0].flop.median, 3.5e6);
    assert_string_equal(points.points[1].function, "dot");
    assert_string_equal(points.points[1].inlined_in, "solve::run()");
    assert_string_equal(points.points[1].file, "/src/dot.h");
    assert_string_equal(points.points[2].file, "");
    assert_near(points.points[0].levels.footprint_bytes, 0); /* nothing was simulated */
    app_points_free(&points);

    s.runs.profile.caches.level_count = 2;
    s.runs.profile.one_of = 64;
    make_points(&s, &points);
    assert_near(points.points[0].levels.footprint_bytes, 30. * 64 * 64);
    assert_near(points.points[0].levels.pages, 5);
    app_points_free(&points);
    s.runs.profile.touches_unknown = true;
    make_points(&s, &points);
    assert_int_equal(points.points[0].levels.links, 3);
    assert_near(points.points[0].levels.footprint_bytes + points.points[0].levels.pages, 0);
    app_points_free(&points);
    s.runs.profile.caches.level_count = 0;

    s.request.by = APP_BY_LINE;
    make_points(&s, &points);
    assert_int_equal(points.count, 3);
    assert_string_equal(points.points[0].name, "prog/solve.c:17");
    assert_string_equal(points.points[1].name, "prog/solve.c:17 (other)");
    assert_string_equal(points.points[2].name, "prog/step+0x1a4");
    assert_near(points.points[0].time_share, 0.2);
    assert_int_equal(points.points[0].part, APP_LINE);
    app_points_free(&points);
    static const struct {
        const char *function, *name;
    } apart[] = {{"ns::Solver<float>::run(int)", "prog/solve.c:17 (ns::Solver<float>::run(int))"},
                 {"ns::Solver<double>::run(unsigned)", "prog/solve.c:17 (ns::Solver<double>::run(un…)"}};
    for (size_t i = 0; i < 2; i++) { /* the part that distinguishes two lines with one label, whole or visibly cut */
        lines[1].source.function = apart[i].function;
        lines[1].source.inlined = "";
        make_points(&s, &points);
        assert_string_equal(points.points[1].name, apart[i].name);
        app_points_free(&points);
    }
    make_points(&s, &points);
    assert_int_equal(points.points[0].iterations, 0);
    app_points_free(&points);
    free_scene(&s);
}

static void strange_names(void **state) {
    (void)state;
    struct scene s = {0};
    struct app_points points;
    make_scene(&s);
    memset(s.request.name, 'n', sizeof s.request.name - 1);
    for (unsigned i = 0; i < RUNS; i++) {
        strcpy(s.times[i][1].name, "a\nb\033[31m");
        memset(s.times[i][2].name, 'r', sizeof s.times[i][2].name - 1);
    }
    strcpy(s.regions[1].name, "a\nb\033[31m");
    memset(s.regions[2].name, 'r', sizeof s.regions[2].name - 1);
    make_points(&s, &points);
    assert_string_equal(points.points[0].region, "a b [31m");
    assert_non_null(strstr(points.points[0].name, "/a b [31m"));
    assert_near(points.points[0].flop.median, 3e6); /* found by its own name */
    assert_int_equal(strlen(points.points[1].name), sizeof points.points[1].name - 1);
    app_points_free(&points);
    free_scene(&s);
}

/* Flop of two types and loads and stores: seven events. */
static struct event_set made_up_events(void) {
    struct event_set set = {.core = "Made-up"};
    set.metrics[METRIC_F64_FLOP] =
        (struct event_formula){.term_count = 3, .terms = {{"F64:S", 1}, {"F64:256", 4}, {"F64:512", 8}}};
    set.metrics[METRIC_F32_FLOP] = (struct event_formula){.term_count = 2, .terms = {{"F32:S", 1}, {"F32:512", 16}}};
    set.metrics[METRIC_LOADS] = (struct event_formula){.term_count = 1, .terms = {{"LOADS", 1}}};
    set.metrics[METRIC_STORES] = (struct event_formula){.term_count = 1, .terms = {{"STORES", 1}}};
    set.metrics[METRIC_WIDTH_BYTES] = (struct event_formula){
        .term_count = 4, .terms = {{"F64:S", 8}, {"F64:256", 32}, {"F64:512", 64}, {"F32:512", 64}}};
    return set;
}

/* They appear beside the exact counts, too. */
static void tlb_misses_from_counters(void **state) {
    (void)state;
    double values[] = {70, 5};
    char names[][96] = {"WALKS:LD", "WALKS:ST"};
    struct region_times region = {.name = "all"};
    struct regions_report report = {.region_count = 1, .regions = &region, .event_count = 2};
    memcpy(region.events, values, sizeof values);
    memcpy(report.events, names, sizeof names);
    struct event_set set = {.core = "Made-up"};
    set.metrics[METRIC_TLB_MISSES] =
        (struct event_formula){.term_count = 2, .terms = {{"WALKS:LD", 1}, {"WALKS:ST", 2}}};
    struct app_metrics metrics;
    app_events_evaluate(&set, 1, (const struct regions_report *[]){&report}, (long[]){0}, &metrics);
    assert_near(metrics.tlb_misses.median, 80);
    assert_int_equal(metrics.flop.n, 0);
}

static void count_event(struct scene *s, unsigned run, unsigned region, const char *name, double value) {
    struct regions_report *report = &s->run[run].report;
    unsigned at = 0;
    while (at < report->event_count && strcmp(report->events[at], name) != 0)
        at++;
    if (at == report->event_count)
        strcpy(report->events[report->event_count++], name);
    report->regions[region].events[at] = value;
}

static void metrics_from_counters(void **state) {
    (void)state;
    struct scene s = {0};
    struct app_points points;
    make_scene(&s);
    s.events = made_up_events();
    s.runs.counted = false;
    s.runs.events.group_count = 2;
    for (unsigned i = 1; i < RUNS; i++) /* the first run counted nothing */
        for (unsigned r = 0; r < 3; r++)
            if (i % 2) {
                count_event(&s, i, r, "F64:S", 100 + i);
                count_event(&s, i, r, "F64:256", 0);
                count_event(&s, i, r, "F64:512", 1000);
            } else {
                count_event(&s, i, r, "F32:S", 0);
                count_event(&s, i, r, "F32:512", 100);
                count_event(&s, i, r, "LOADS", 6000);
                count_event(&s, i, r, "STORES", 3000);
            }
    make_points(&s, &points);
    const struct app_point *point = &points.points[0];
    assert_near(point->flop.median, 102 + 8000 + 1600);
    assert_int_equal(point->flop_source, SOURCE_COUNTERS);
    /* 102 scalars, 1000 and 100 vectors of 64 bytes */
    double width_bytes = (102 * 8 + 1100 * 64) / 1202.0;
    assert_near(point->load_bytes.median, 6000 * width_bytes);
    assert_near(point->store_bytes.median, 3000 * width_bytes);
    assert_int_equal(point->bytes_source, SOURCE_ESTIMATED);
    assert_doubts(point, DOUBTS(DOUBT_ESTIMATED_BYTES, DOUBT_NOT_CALIBRATED));
    assert_false(point->has_count);
    app_points_free(&points);

    s.run[2].report.multiplexed = true;
    make_points(&s, &points);
    assert_doubts(&points.program, DOUBTS(DOUBT_ESTIMATED_BYTES, DOUBT_NOT_CALIBRATED, DOUBT_MULTIPLEXED));
    app_points_free(&points);

    s.events.metrics[METRIC_WIDTH_BYTES].term_count = 0; /* a core without such events */
    make_points(&s, &points);
    assert_int_equal(points.program.bytes_source, SOURCE_UNKNOWN);
    assert_int_equal(points.program.load_bytes.n, 0);
    assert_doubts(&points.program, DOUBTS(DOUBT_NOT_CALIBRATED, DOUBT_MULTIPLEXED, DOUBT_WIDTH_UNKNOWN));
    app_points_free(&points);
    s.events = made_up_events();

    s.runs.p_cores_only = true;
    make_points(&s, &points);
    assert_doubts(&points.program,
                  DOUBTS(DOUBT_ESTIMATED_BYTES, DOUBT_NOT_CALIBRATED, DOUBT_MULTIPLEXED, DOUBT_P_CORES_ONLY));
    app_points_free(&points);
    s.runs.p_cores_only = false;

    s.runs.counted = true; /* exact values are not replaced */
    make_points(&s, &points);
    assert_int_equal(points.program.flop_source, SOURCE_COUNTED);
    assert_int_equal(points.program.bytes_source, SOURCE_COUNTED);
    assert_near(points.program.flop.median, 4e6);
    app_points_free(&points);
    s.runs.counted = false;

    for (unsigned i = 0; i < RUNS; i += 2) /* half of the events failed: a part of the flop is no flop */
        strcpy(s.run[i].report.failure, "not permitted");
    make_points(&s, &points);
    assert_int_equal(points.program.flop_source, SOURCE_UNKNOWN);
    assert_int_equal(points.program.bytes_source, SOURCE_UNKNOWN);
    app_points_free(&points);

    free_scene(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regions_are_points),
        cmocka_unit_test(time_of_the_kernel),
        cmocka_unit_test(doubts_of_time_and_marks),
        cmocka_unit_test(work_of_other_runs),
        cmocka_unit_test(threads_that_only_wait),
        cmocka_unit_test(threads_that_do_the_work),
        cmocka_unit_test(time_without_a_cpu),
        cmocka_unit_test(what_its_threads_do),
        cmocka_unit_test(without_reports),
        cmocka_unit_test(stated_quantities),
        cmocka_unit_test(other_output_is_doubted),
        cmocka_unit_test(sources_and_their_doubts),
        cmocka_unit_test(hot_functions),
        cmocka_unit_test(threads_are_points),
        cmocka_unit_test(hot_loops_and_lines),
        cmocka_unit_test(strange_names),
        cmocka_unit_test(tlb_misses_from_counters),
        cmocka_unit_test(metrics_from_counters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
