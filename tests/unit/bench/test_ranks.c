/* SPDX-License-Identifier: BSD-3-Clause
 * Programs of several ranks: their identity, their reports, and merged points of ranks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/programs/app_points.h"
#include "bench/programs/regions.h"
#include "probe/marks/ranks.h"
#include "tests/support/fixtures.h"

static struct rank rank_in(const char *a, const char *b, const char *c, const char *d) {
    char *environment[] = {"HOME=/", (char *)a, (char *)b, (char *)c, (char *)d, NULL};
    return rank_find(environment);
}

static void launchers_tell_ranks(void **state) {
    (void)state;
    struct rank rank = rank_in("OMPI_COMM_WORLD_RANK=3", "OMPI_COMM_WORLD_SIZE=4", NULL, NULL);
    assert_int_equal(rank.number, 3);
    assert_int_equal(rank.count, 4);
    rank = rank_in("PMI_SIZE=2", "PMI_RANK=0", NULL, NULL);
    assert_true(rank.number == 0 && rank.count == 2);
    /* mpirun started by Slurm: its rank, not Slurm's */
    rank = rank_in("SLURM_PROCID=0", "SLURM_STEP_NUM_TASKS=1", "OMPI_COMM_WORLD_RANK=5", "OMPI_COMM_WORLD_SIZE=8");
    assert_true(rank.number == 5 && rank.count == 8);
    assert_string_equal(rank_launchers[rank.launcher].name, "Open MPI");
    /* a batch script is no rank */
    assert_int_equal(rank_in("SLURM_PROCID=0", "SLURM_NTASKS=4", NULL, NULL).count, 0);
    assert_int_equal(rank_in(NULL, NULL, NULL, NULL).count, 0);
    static const char *const wrong[][2] = {{"PMI_RANK=2", "PMI_SIZE=2"},
                                           {"PMI_RANK=", "PMI_SIZE=2"},
                                           {"PMI_RANK=-1", "PMI_SIZE=2"},
                                           {"PMI_RANK=1x", "PMI_SIZE=2"},
                                           {"PMI_RANK=1", "PMI_SIZE=99999999999999"},
                                           {"PMI_RANKS=1", "PMI_SIZE=2"}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_int_equal(rank_in(wrong[i][0], wrong[i][1], NULL, NULL).count, 0);
}

static void other_nodes_are_noticed(void **state) {
    (void)state;
    char *all[] = {"PMI_RANK=0", "PMI_SIZE=2", "MPI_LOCALNRANKS=2", NULL},
         *some[] = {"PMI_RANK=0", "PMI_SIZE=2", "MPI_LOCALNRANKS=1", NULL},
         *unknown[] = {"PMI_RANK=0", "PMI_SIZE=2", NULL};
    assert_false(rank_elsewhere(rank_find(all), all));
    assert_true(rank_elsewhere(rank_find(some), some));
    assert_false(rank_elsewhere(rank_find(unknown), unknown));
    assert_false(rank_elsewhere((struct rank){.count = 0}, some));
}

static bool read_texts(const char *const *texts, struct regions_report *out, struct error *err) {
    fixture_folder_count(true);
    for (int i = 0; texts[i]; i++) {
        char name[32];
        int process = 0;
        sscanf(texts[i], "carmine regions 1\t%d", &process);
        snprintf(name, sizeof name, "regions.%d.%d", process, i);
        fixture_write(fixture_path(name), texts[i], strlen(texts[i]));
    }
    return regions_read(fixture_folder, out, err);
}

static void assert_about(double is, double want) {
    if (fabs(is - want) > 1e-9 * (1 + fabs(want)))
        fail_msg("%g is not %g", is, want);
}

static void assert_rank(const struct regions_report *report, unsigned rank, unsigned region, double seconds,
                        double mpi_seconds) {
    const struct rank_times *times = regions_rank(report, rank, region);
    assert_non_null(times);
    assert_about(times->seconds, seconds);
    assert_about(times->mpi_seconds, mpi_seconds);
}

static void reports_of_ranks_are_told_apart(void **state) {
    (void)state;
    static const char *const texts[] = {
        /* mpirun, which has not ended, and is a rank of Slurm's */
        "carmine regions 1\t100\t/usr/bin/mpirun\nrank\t0\t1\t2\n",
        /* its child before it became a rank */
        "carmine regions 1\t200\t/usr/bin/mpirun\nspan\t1000\t1100\nregion\t\t1\t1\t9000000000\t0\t0\nend\t3\n",
        "carmine regions 1\t200\t/home/a\nrank\t0\t2\t0\nspan\t1100\t5000\nregion\t\t1\t1\t4000000000\t0\t0\n"
        "region\tsolve\t2\t1\t1000000000\t0\t0\nmpi\t0\t7\t1500000000\nmpi\t1\t2\t250000000\nend\t7\n",
        /* a rank of two processes, concurrent */
        "carmine regions 1\t300\t/bin/sh\nrank\t1\t2\t0\nspan\t1200\t6000\nregion\t\t1\t1\t4800000000\t0\t0\nend\t4\n",
        "carmine regions 1\t301\t/home/a\nrank\t1\t2\t0\nspan\t1300\t5900\nregion\t\t1\t1\t4600000000\t0\t0\n"
        "region\tsolve\t2\t1\t2000000000\t0\t0\nmpi\t0\t7\t500000000\nend\t6\n",
        NULL};
    struct regions_report report;
    struct error err;
    if (!read_texts(texts, &report, &err))
        fail_msg("%s", err.text);
    assert_int_equal(report.ranks, 2);
    assert_int_equal(report.process_count, 3);
    assert_string_equal(report.program, "/home/a");
    assert_about(report.regions[0].seconds, 4.8);
    assert_about(report.regions[0].mpi_seconds, 2);
    assert_int_equal(report.regions[0].mpi_calls, 14);
    assert_rank(&report, 0, 0, 4, 1.5);
    assert_rank(&report, 1, 0, 4.8, 0.5);
    assert_rank(&report, 0, 1, 1, 0.25);
    assert_rank(&report, 1, 1, 2, 0);
    assert_null(regions_rank(&report, 2, 0));
    regions_free(&report);
}

static void damaged_ranks_are_refused(void **state) {
    (void)state;
    static const char *const tails[] = {"rank\t2\t2\t0\n",
                                        "rank\t0\n",
                                        "rank\t0\t99999999\t0\n",
                                        "mpi\t0\t1\t1\n",
                                        "region\t\t1\t1\t5\t0\t0\nmpi\t1\t1\t1\n",
                                        "region\t\t1\t1\t5\t0\t0\nmpi\t0\t1\n"};
    for (size_t i = 0; i < sizeof tails / sizeof tails[0]; i++) {
        char text[256];
        struct regions_report report;
        struct error err = {""};
        snprintf(text, sizeof text, "carmine regions 1\t7\t/bin/a\n%send\t9\n", tails[i]);
        assert_false(read_texts((const char *const[]){text, NULL}, &report, &err));
        if (!strstr(err.text, "is damaged"))
            fail_msg("%s: %s", tails[i], err.text);
    }
}

/* A point of a rank, counted or timed. */
static struct app_point part(unsigned rank, const char *region, double seconds, double mpi_seconds, uint64_t flop) {
    struct app_point point = {.part = APP_RANK, .rank = rank + 1, .ranks = 3, .threads = 2, .processes = 1};
    snprintf(point.name, sizeof point.name, "a%s%s rank %u", *region ? "/" : "", region, rank);
    strcpy(point.program, "a");
    strcpy(point.command, "./a 5");
    strcpy(point.measured_utc, "2026-11-20T15:04:05Z");
    snprintf(point.region, sizeof point.region, "%s", region);
    if (seconds > 0) {
        app_point_set_time(&point, app_once(seconds), 0);
        point.mpi_seconds = app_once(mpi_seconds);
        point.mpi_calls = 10;
    }
    if (flop > 0) {
        struct count count = {.instructions = 5 * flop, .load_bytes = 16 * flop, .store_bytes = 8 * flop};
        count.flop[COUNT_F64][COUNT_SCALAR] = flop;
        app_point_set_count(&point, &count);
        point.mpi_instructions = 1000;
        point.mpi_bytes = 100;
    }
    return point;
}

/* Three timed launches and a counted one of three ranks, each in a file. */
enum { RANKS = 3, LAUNCHES = 4, FILES = RANKS * LAUNCHES };
static struct app_point parts[FILES][2];
static struct merge_source sources[FILES];

static void make_files(void) {
    for (unsigned i = 0; i < FILES; i++) {
        const unsigned rank = i % RANKS, launch = i / RANKS;
        const double seconds = launch < 3 ? 10 + rank + 0.01 * launch : 0;
        parts[i][0] = part(rank, "", seconds, 4, launch < 3 ? 0 : 100 * (rank + 1));
        parts[i][1] = part(rank, "solve", seconds / 2, 1, launch < 3 ? 0 : 50 * (rank + 1));
        sources[i] = (struct merge_source){"file", "EPYC", parts[i], 2};
    }
}

static const struct app_point *named(const struct app_points *points, const char *name) {
    for (size_t i = 0; i < points->count; i++)
        if (strcmp(points->points[i].name, name) == 0)
            return &points->points[i];
    fail_msg("there is no %s", name);
    return NULL;
}

static void files_of_ranks_are_merged(void **state) {
    (void)state;
    struct app_points points;
    struct error err;
    make_files();
    if (!app_merge(sources, FILES, &points, &err))
        fail_msg("%s", err.text);
    assert_int_equal(points.count, 1 + RANKS);
    assert_string_equal(points.program.name, "a");
    assert_about(points.program.seconds.median, 12.01);
    assert_int_equal(points.program.seconds.n, 3);
    assert_about(points.program.flop.median, 600);
    assert_about(points.program.load_bytes.median, 9600);
    assert_about(points.program.mpi_seconds.median, 4);
    assert_about(points.program.imbalance.median, 8.01 / 7.01);
    assert_int_equal(points.program.threads, 6);
    assert_int_equal(points.program.processes, 3);
    assert_int_equal(points.program.mpi_instructions, 3000);
    assert_false(doubts_any(points.program.doubts));
    assert_int_equal(count_flop(&points.program.count), 600);
    const struct app_point *solve = named(&points, "a/solve"), *last = named(&points, "a/solve rank 2");
    assert_int_equal(solve->part, APP_REGION);
    assert_int_equal(solve->rank, 0);
    assert_about(solve->flop.median, 300);
    assert_about(solve->time_share, 0.5);
    assert_int_equal(last->part, APP_RANK);
    assert_about(last->flop.median, 150);
    assert_about(last->seconds.median, 12.01 / 2);
    app_points_free(&points);
}

/* Counted again, the newest counts hold; without regions the program is the point; without times there are no
 * points. */
static void the_newest_counts_hold(void **state) {
    (void)state;
    struct app_points points;
    struct error err;
    make_files();
    for (unsigned i = 0; i < FILES; i++)
        sources[i].count = 1;
    for (unsigned rank = 0; rank < RANKS; rank++) {
        parts[rank][0] = part(rank, "", 0, 0, 7);
        strcpy(parts[rank][0].measured_utc, "2026-11-20T15:04:06Z");
    }
    assert_true(app_merge(sources, FILES, &points, &err));
    assert_int_equal(points.count, 1 + RANKS);
    assert_int_equal(points.points[0].part, APP_PROGRAM);
    assert_about(points.points[0].flop.median, 21);
    assert_int_equal(points.points[0].seconds.n, 2);
    app_points_free(&points);
    assert_true(app_merge(sources, RANKS, &points, &err));
    assert_int_equal(points.points[0].seconds.n, 0);
    assert_int_equal(points.points[0].imbalance.n, 0);
    assert_about(points.points[0].flop.median, 21);
    app_points_free(&points);
}

static void assert_refused(const char *says) {
    struct app_points points;
    struct error err = {""};
    assert_false(app_merge(sources, FILES, &points, &err));
    if (!strstr(err.text, says))
        fail_msg("%s", err.text);
    make_files();
}

static void what_does_not_go_together_is_refused(void **state) {
    (void)state;
    make_files();
    strcpy(parts[4][0].program, "b");
    assert_refused("different programs");
    strcpy(parts[4][1].command, "./a 6");
    assert_refused("different command lines");
    sources[5].cpu = "Xeon";
    assert_refused("different kinds of CPU");
    parts[7][0].ranks = 4;
    assert_refused("from a launch of 3 ranks");
    parts[7][0].rank = 9;
    assert_refused("rank 8 of 3");
    for (unsigned i = 1; i < FILES; i += RANKS)
        sources[i].count = 0;
    assert_refused("rank 1 of 3 is in none of the files");
    sources[2].count = 0;
    assert_refused("rank 2 in 2");
    sources[9].count = 0;
    assert_refused("was counted, and rank 0 was not");
    for (unsigned i = 0; i < FILES; i++)
        sources[i].count = 0;
    assert_refused("no points of single ranks");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(launchers_tell_ranks),
        cmocka_unit_test(other_nodes_are_noticed),
        cmocka_unit_test(reports_of_ranks_are_told_apart),
        cmocka_unit_test(damaged_ranks_are_refused),
        cmocka_unit_test(files_of_ranks_are_merged),
        cmocka_unit_test(the_newest_counts_hold),
        cmocka_unit_test(what_does_not_go_together_is_refused),
    };
    return cmocka_run_group_tests(tests, fixture_folder_make, fixture_folder_remove);
}
