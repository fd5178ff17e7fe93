/* SPDX-License-Identifier: BSD-3-Clause
 * libcarmine-papi.so in programs with known work (tests/apps), and the reader of its reports. The programs print the
 * expected data: `region "NAME"` and pairs of a word and a number. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/programs/child.h"
#include "bench/programs/regions.h"
#include "bench/programs/scratch.h"
#include "probe/clock_chains.h"
#include "probe/marks/collector.h"
#include "tests/support/emulated.h"
#include "tests/support/fixtures.h"

/* A program under the collector: its output, its end, its report. */
struct run {
    char out[65536];
    int status;
    bool reported;
    struct regions_report report;
    struct error err;
};
struct way {
    const char *events, *sample, *every; /* NULL: not requested */
    const char *app, *arguments[2];
};

static void build_path(char *out, size_t size, const char *name) {
    const char *build = getenv("BUILD");
    snprintf(out, size, "%s/%s", build ? build : "build", name);
}

static struct run *measure(struct way way) {
    static struct run run;
    struct scratch scratch;
    char path[4096], library[4096], name[128], out[600];
    memset(&run, 0, sizeof run);
    assert_true(scratch_make(&scratch, &run.err));
    snprintf(name, sizeof name, "apps/%s", way.app);
    build_path(path, sizeof path, name);
    build_path(library, sizeof library, "libcarmine-papi.so");
    snprintf(out, sizeof out, "%s/out", scratch.path);
    const int file = open(out, O_RDWR | O_CREAT, 0600);
    assert_true(file >= 0);

    char *argv[] = {path, (char *)way.arguments[0], (char *)way.arguments[1], NULL};
    const struct child_variable variables[] = {{COLLECTOR_FOLDER, scratch.path},
                                               {COLLECTOR_EVENTS, way.events ? way.events : ""},
                                               {COLLECTOR_SAMPLE, way.sample ? way.sample : ""},
                                               {COLLECTOR_EVERY, way.every ? way.every : "0"}};
    const struct child child = {.path = path,
                                .argv = argv,
                                .preload = library,
                                .variables = variables,
                                .variable_count = sizeof variables / sizeof *variables,
                                .in = -1,
                                .out = file,
                                .err = -1};
    struct child_end end;
    if (!child_run(&child, &end, &run.err))
        fail_msg("%s", run.err.text);
    run.status = child_exit_status(end.status);
    assert_true(pread(file, run.out, sizeof run.out - 1, 0) >= 0);
    close(file);
    run.reported = regions_read(scratch.path, &run.report, &run.err);
    scratch_remove(&scratch);
    return &run;
}

static const struct region_times *find(const struct regions_report *report, const char *name) {
    for (size_t r = 0; r < report->region_count; r++)
        if (strcmp(report->regions[r].name, name) == 0)
            return &report->regions[r];
    return NULL;
}

/* Page faults: one more for a stack or a table is no error, a thread's share would be. */
static bool is_about(double value, double least) {
    return value >= least && value <= least + 0.02 * least + 60;
}

static void check_line(const struct run *run, const char *name, char *pairs) {
    const struct region_times *region = find(&run->report, name);
    char *rest = NULL;
    for (char *word = strtok_r(pairs, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        const char *number = strtok_r(NULL, " ", &rest);
        const long expected = number ? atol(number) : -1;
        if (!region && expected > 0)
            fail_msg("there is no region %s", name);
        if (!region)
            continue;
        const double value = strcmp(word, "calls") == 0        ? (double)region->calls
                             : strcmp(word, "open") == 0       ? region->open
                             : strcmp(word, "mismatched") == 0 ? region->mismatched
                                                               : region->events[0];
        const bool fine = strcmp(word, "flop") == 0     ? true /* only the counter knows flop */
                          : strcmp(word, "faults") == 0 ? run->report.failure[0] || is_about(value, (double)expected)
                                                        : value == (double)expected;
        if (!fine)
            fail_msg("%s: %s is %.0f instead of %ld", name, word, value, expected);
    }
}

/* Compares the report with the program's output. Returns the number of its regions. */
static unsigned check(struct run *run) {
    char *rest = run->out;
    unsigned count = 0;
    if (!run->reported)
        fail_msg("%s", run->err.text);
    for (char *line; (line = strsep(&rest, "\n"));) {
        char name[256], *pairs;
        if (sscanf(line, "region \"%255[^\"]\"", name) != 1)
            continue;
        pairs = strrchr(line, '"') + 1;
        check_line(run, name, pairs);
        count++;
    }
    for (size_t r = 1; r < run->report.region_count; r++)
        if (run->report.regions[r].seconds > run->report.regions[0].seconds)
            fail_msg("%s took longer than the whole program", run->report.regions[r].name);
    return count;
}

static void regions_are_found_as_they_were_marked(void **state) {
    (void)state;
    static const struct way ways[] = {
        {.app = "regions", .arguments = {"outside"}},
        {.app = "regions", .arguments = {"inside"}},
        {.app = "regions", .arguments = {"nested"}},
        {.app = "regions", .arguments = {"often"}},
        {.app = "regions", .arguments = {"long"}},
        {.app = "regions", .arguments = {"threads"}},
        {.app = "regions", .arguments = {"mismatch"}},
        {.app = "marks", .arguments = {"recursion"}},
        {.app = "marks", .arguments = {"names"}},
        {.app = "marks", .arguments = {"many"}},
        {.app = "marks", .arguments = {"deep"}},
        {.app = "marks", .arguments = {"errno"}},
        {.app = "marks", .arguments = {"c11"}},
        {.app = "marks", .arguments = {"open"}},
        {.app = "threads", .arguments = {"chain"}},
        {.app = "threads", .arguments = {"last"}},
        {.sample = "1", .every = "1000000", .app = "marks", .arguments = {"full"}},
        {.sample = "1", .every = "1000000", .app = "marks", .arguments = {"crowd"}},
        {.sample = "1", .every = "1000000", .app = "marks", .arguments = {"headless"}},
    };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct run *run = measure(ways[i]);
        assert_int_equal(run->status, 0);
        assert_true(check(run) > 0);
        assert_string_equal(run->report.failure, "");
        assert_int_equal(run->report.event_count, 0);
        regions_free(&run->report);
    }
}

static void names_are_kept_and_cut(void **state) {
    (void)state;
    struct run *run = measure((struct way){.app = "marks", .arguments = {"names"}});
    assert_non_null(find(&run->report, "tab\tline\nand 100%"));
    regions_free(&run->report);
    run = measure((struct way){.app = "marks", .arguments = {"many"}});
    const struct region_times *others = find(&run->report, "(further regions)");
    assert_non_null(others);
    uint64_t calls = 0;
    for (size_t r = 2; r < run->report.region_count; r++) /* [1] is the constructor's */
        calls += run->report.regions[r].calls;
    assert_int_equal(calls, 3000);
    regions_free(&run->report);
}

static void threads_are_counted(void **state) {
    (void)state;
    static const struct {
        const char *app, *way, *region;
        unsigned threads, marking;
    } cases[] = {
        {"regions", "nested", "outer", 1, 1},  {"regions", "outside", "outside", 3, 1},
        {"regions", "inside", "inside", 3, 3}, {"regions", "threads", "one", 101, 50},
        {"threads", "once", "work", 501, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct run *run = measure((struct way){.app = cases[i].app, .arguments = {cases[i].way}});
        if (run->status == 77)
            continue; /* this many threads are not possible here */
        assert_true(run->reported);
        assert_int_equal(run->report.regions[0].threads, cases[i].threads);
        assert_int_equal(find(&run->report, cases[i].region)->threads, cases[i].marking);
        regions_free(&run->report);
    }
}

static void processes_add_up(void **state) {
    (void)state;
    static const struct {
        const char *way;
        unsigned processes; /* 0: a shell may be one of them or not */
    } cases[] = {{"fork", 2},  {"_exit", 2},  {"exec", 2},  {"vfork", 2}, {"failing", 2},
                 {"spawn", 2}, {"system", 0}, {"popen", 0}, {"itself", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct run *run = measure((struct way){.app = "processes", .arguments = {cases[i].way}});
        assert_int_equal(run->status, 3);
        check(run);
        assert_int_equal(find(&run->report, "work")->calls, 2);
        if (cases[i].processes && run->report.process_count != cases[i].processes)
            fail_msg("%s: %u processes", cases[i].way, run->report.process_count);
        regions_free(&run->report);
    }
}

static void an_end_that_is_none_has_no_times(void **state) {
    (void)state;
    static const char *const bad[] = {"fault", "abort", "kill", "term", "division"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct run *run = measure((struct way){.app = "endings", .arguments = {bad[i]}});
        assert_true(run->status > 128);
        assert_false(run->reported);
        assert_non_null(strstr(run->err.text, emulated() ? "(process " : "apps/endings (process "));
        assert_non_null(strstr(run->err.text, "was killed"));
    }
}

static void unusual_ends_are_ends(void **state) {
    (void)state;
    static const struct {
        const char *way;
        int status;
    } cases[] = {{"_exit", 5},  {"quick", 6},  {"memory", 7},      {"closed", 0},   {"descriptors", 0},
                 {"folder", 0}, {"binary", 0}, {"environment", 0}, {"interrupt", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (strcmp(cases[i].way, "memory") == 0 && emulated()) /* which limits no memory */
            continue;
        struct run *run = measure((struct way){.app = "endings", .arguments = {cases[i].way}});
        assert_int_equal(run->status, cases[i].status);
        if (!run->reported)
            fail_msg("%s: %s", cases[i].way, run->err.text);
        assert_int_equal(find(&run->report, "work")->calls, 1);
        regions_free(&run->report);
    }
}

static void cancelled_threads_hold_nothing_up(void **state) {
    (void)state;
    struct run *run =
        measure((struct way){.events = "perf::PAGE-FAULTS", .sample = "1", .app = "threads", .arguments = {"cancel"}});
    assert_int_equal(run->status, 0);
    assert_true(run->reported);
    regions_free(&run->report);
}

/* Software events of the kernel, which machines without a PMU count, too: per thread, like a core's events. */
static void events_of_all_threads_count_once(void **state) {
    (void)state;
    static const char *const ways[][3] = {
        {"faults", "outside", "1"},   {"faults", "outside", "2"}, {"faults", "outside", "4"},
        {"faults", "inside", "1"},    {"faults", "inside", "2"},  {"faults", "inside", "4"},
        {"faults", "both", "2"},      {"faults", "both", "4"},    {"faults", "chain"},
        {"faults", "threads", "100"}, {"faults", "recursion"},    {"faults", "children"},
        {"threads", "last"},          {"marks", "c11"},
    };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct run *run = measure(
            (struct way){.events = "perf::PAGE-FAULTS", .app = ways[i][0], .arguments = {ways[i][1], ways[i][2]}});
        if (run->status == 77)
            continue;
        assert_int_equal(run->status, 0);
        assert_true(check(run) > 0);
        const bool refused = strncmp(run->report.failure, "perf::", 6) == 0; /* by the kernel: a container, a sysctl */
        if (refused)
            print_message("%s\n", run->report.failure);
        else
            assert_string_equal(run->report.failure, "");
        regions_free(&run->report);
        if (refused)
            skip();
    }
}

/* Time stamps, read like the memory controllers' counters: counted once, for any number of threads. */
static void events_of_the_machine_count_once(void **state) {
    (void)state;
    static const char *const ways[][2] = {{"inside", "4"}, {"outside", "4"}, {"children"}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct run *run = measure((struct way){
            .events = "perf::PAGE-FAULTS\nmsr/tsc/", .app = "faults", .arguments = {ways[i][0], ways[i][1]}});
        if (run->status == 77)
            skip();
        assert_true(check(run) > 0);
        const bool refused = run->report.failure[0] != '\0';
        if (refused)
            print_message("%s\n", run->report.failure);
        else {
            assert_int_equal(run->report.event_count, 2);
            for (size_t r = 1; r < run->report.region_count; r++) {
                const double stamps = run->report.regions[r].events[1];
                assert_true(stamps > 0 && stamps <= run->report.regions[0].events[1]);
            }
        }
        regions_free(&run->report);
        if (refused)
            skip();
    }
}

static void software_defined_events(void **state) {
    (void)state;
    if (emulated()) /* by a thread of its own, which is not counted */
        skip();
    struct run *run = measure(
        (struct way){.events = "sde:::carmine_test::flop\nsde:::carmine_test::loads\n\nsde:::carmine_test::stores\n",
                     .app = "own_events"});
    if (run->status != 0)
        skip();
    assert_true(run->reported);
    assert_string_equal(run->report.failure, "");
    assert_int_equal(run->report.event_count, 3);
    assert_string_equal(run->report.events[2], "sde:::carmine_test::stores");
    const double expected[2][3] = {{1010, 505, 202}, {1000, 500, 200}};
    for (unsigned r = 0; r < 2; r++)
        for (unsigned e = 0; e < 3; e++)
            assert_true(find(&run->report, r ? "work" : "")->events[e] == expected[r][e]);
    regions_free(&run->report);
}

static void what_cannot_be_counted_is_said(void **state) {
    (void)state;
    static const struct {
        const char *events, *says;
    } cases[] = {
        {"no such event", "no such event: "},
        {"perf::PAGE-FAULTS\nno:::such::event", "no:::such::event: "},
        {"sde:::none::none", "PAPI's component sde is disabled"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct run *run = measure((struct way){.events = cases[i].events, .app = "regions", .arguments = {"nested"}});
        assert_true(check(run) > 0); /* the time is known all the same */
        if (!strstr(run->report.failure, cases[i].says) && !strstr(run->report.failure, "perf::PAGE-FAULTS"))
            fail_msg("%s", run->report.failure);
        regions_free(&run->report);
    }
    struct run *run = measure((struct way){.events = "perf::PAGE-FAULTS", .app = "endings", .arguments = {"closed"}});
    assert_true(run->reported);
    assert_string_not_equal(run->report.failure, ""); /* it closed the counters */
    regions_free(&run->report);
}

static void samples_name_places_and_regions(void **state) {
    (void)state;
    struct run *run = measure((struct way){.sample = "1", .app = "marks", .arguments = {"spin"}});
    unsigned hits = 0, in_region = 0;
    check(run);
    assert_string_equal(run->report.unsampled, "");
    for (size_t i = 0; i < run->report.place_count; i++) {
        const struct sampled_place *place = &run->report.places[i];
        assert_true(place->region < run->report.region_count);
        hits += place->hits;
        if (strcmp(run->report.regions[place->region].name, "spin") == 0 && strstr(place->object, "/apps/marks"))
            in_region += place->hits;
    }
    assert_true(hits > 0);
    assert_true(2 * in_region > hits);
    regions_free(&run->report);

    run = measure((struct way){.sample = "1", .app = "marks", .arguments = {"own"}});
    assert_int_equal(run->status, 0);
    assert_non_null(strstr(run->report.unsampled, "SIGPROF"));
    regions_free(&run->report);
    run = measure((struct way){.app = "marks", .arguments = {"spin"}});
    assert_int_equal(run->report.place_count, 0);
    regions_free(&run->report);
}

/* Made-up reports. */
static bool read_texts(const char *const *texts, struct regions_report *out, struct error *err) {
    char name[32];
    fixture_folder_count(true);
    for (unsigned i = 0; texts[i]; i++) {
        int process = 0;
        sscanf(texts[i], "carmine regions 1\t%d", &process);
        snprintf(name, sizeof name, "regions.%d.%u", process, i);
        fixture_write(fixture_path(name), texts[i], strlen(texts[i]));
    }
    return regions_read(fixture_folder, out, err);
}

static void reports_are_summed_up(void **state) {
    (void)state;
    static const char *const texts[] = {
        /* two images of a process, consecutive */
        "carmine regions 1\t100\t/bin/sh\nspan\t1000\t2000\nregion\t\t1\t1\t2000000000\t0\t0\nend\t3\n",
        "carmine regions 1\t100\t/bin/a\nevent\tthreads\tx\nevent\tmachine\ty\nspan\t2000\t9000\n"
        "region\t\t1\t4\t7000000000\t0\t0\t10\t50\nregion\twork\t3\t2\t4000000000\t0\t1\t8\t40\n"
        "place\t1\t5\t1f0\t/bin/a\nend\t7\n",
        /* another one at the same time, with its events in another order */
        "carmine regions 1\t200\t/bin/b\nevent\tmachine\ty\nevent\tthreads\tx\nmultiplexed\t\nfailure\twhy %25\n"
        "span\t3000\t8000\nregion\t\t1\t1\t5000000000\t0\t0\t30\t1\nregion\tother\t1\t1\t1000000000\t1\t0\t5\t-2\n"
        "region\twork\t1\t1\t500000000\t0\t0\t20\t2\nplace\t2\t6\t2f0\t/bin/b\nunsampled\tnot here\nend\t11\n",
        /* and one after them */
        "carmine regions "
        "1\t300\t/bin/c\nspan\t9500\t9900\nregion\t\t1\t1\t400000000\t0\t0\nregion\twork\t1\t1\t2000000000"
        "\t0\t0\nend\t4\n",
        NULL};
    struct regions_report report;
    struct error err;
    if (!read_texts(texts, &report, &err))
        fail_msg("%s", err.text);
    assert_int_equal(report.process_count, 3);
    assert_true(report.begin_ns == 1000 && report.end_ns == 9900);
    assert_int_equal(report.event_count, 2);
    assert_string_equal(report.events[0], "x");
    assert_true(report.multiplexed);
    assert_string_equal(report.failure, "why %");
    assert_string_equal(report.unsampled, "not here");
    assert_int_equal(report.region_count, 3);
    const struct region_times *all = &report.regions[0], *work = find(&report, "work"), *other = find(&report, "other");
    assert_string_equal(all->name, "");
    assert_true(all->seconds > 9.399 && all->seconds < 9.401);
    assert_int_equal(all->threads, 6);
    assert_true(all->events[0] == 11 && all->events[1] == 50);
    assert_true(work->seconds > 5.999 && work->seconds < 6.001);
    assert_int_equal(work->calls, 5);
    assert_int_equal(work->threads, 4);
    assert_int_equal(work->mismatched, 1);
    assert_true(work->events[0] == 10 && work->events[1] == 40);
    assert_true(other->open == 1 && other->events[0] == -2);
    assert_int_equal(report.place_count, 2);
    assert_true(&report.regions[report.places[1].region] == work);
    assert_true(report.places[1].file_offset == 0x2f0 && report.places[1].hits == 6);
    assert_string_equal(report.places[1].object, "/bin/b");
    regions_free(&report);
}

static void killed_images_are_left_out(void **state) {
    (void)state;
    static const char *const texts[] = {
        "carmine regions 1\t100\t/bin/killed\n",
        "carmine regions 1\t200\t/bin/b\nspan\t3000\t8000\nregion\t\t1\t1\t5000000000\t0\t0\nend\t3\n", NULL};
    struct regions_report report;
    struct error err;
    if (!read_texts(texts, &report, &err))
        fail_msg("%s", err.text);
    assert_int_equal(report.process_count, 1);
    assert_int_equal(report.killed_count, 1);
    assert_true(report.regions[0].seconds > 4.99 && report.regions[0].seconds < 5.01);
    regions_free(&report);
}

/* By process and thread, with the places of their own report. */
static void samples_in_time(void **state) {
    (void)state;
    static const char *const texts[] = {
        "carmine regions 1\t100\t/bin/a\nspan\t1\t9\nregion\t\t1\t1\t9\t0\t0\nplace\t0\t1\t10\t/bin/a\n"
        "tick\t102\t5\t3\t0\t0\ntick\t101\t8\t4\t2\t1\ntick\t101\t4\t1\t0\t0\nend\t7\n",
        "carmine regions 1\t200\t/bin/b\nspan\t1\t9\nregion\t\t1\t1\t9\t0\t0\nplace\t0\t1\t20\t/bin/b\n"
        "tick\t200\t6\t2\t1\t1\nend\t5\n",
        NULL};
    static const struct sampled_tick want[] = {
        {4, 1, 0, 0, 100, 101, 0}, {8, 4, 2, 0, 100, 101, 1}, {5, 3, 0, 0, 100, 102, 0}, {6, 2, 1, 0, 200, 200, 2}};
    struct regions_report report;
    struct error err;
    if (!read_texts(texts, &report, &err))
        fail_msg("%s", err.text);
    assert_int_equal(report.tick_count, 4);
    for (size_t i = 0; i < 4; i++)
        assert_memory_equal(&report.ticks[i], &want[i], sizeof want[i]);
    regions_free(&report);
}

/* On a busy host most readings may be interrupted. */
static void core_clock_of_a_program(void **state) {
    (void)state;
    if (emulated()) /* an instruction takes many cycles */
        skip();
    double clock_hz = 0;
    for (unsigned tries = 0; tries < 20 && clock_hz == 0; tries++) {
        struct run *run = measure((struct way){.sample = "1", .app = "marks", .arguments = {"spin"}});
        clock_hz = regions_clock_hz(&run->report);
        regions_free(&run->report);
    }
    assert_true(clock_hz > 0.1e9 && clock_hz < 20e9);
    struct run *run = measure((struct way){.app = "marks", .arguments = {"spin"}});
    assert_int_equal(run->report.clock_count, 0); /* without samples */
    regions_free(&run->report);
}

/* Of each reading the fastest chain, if another one agrees; the median of all. */
static void core_clock_beside_samples(void **state) {
    (void)state;
    static const char *const texts[] = {
        "carmine regions 1\t100\t/bin/a\nspan\t1\t9\nregion\t\t1\t1\t9\t0\t0\npace\t3600\t3610\t9000\t1200\n"
        "pace\t5040\t5040\t5040\t3200\npace\t1800\t5040\t0\t1\nend\t6\n",
        "carmine regions 1\t200\t/bin/b\nspan\t1\t9\nregion\t\t1\t1\t9\t0\t0\npace\t7560\t7560\t7570\t90000\nend\t4\n",
        NULL};
    struct regions_report report;
    struct error err;
    if (!read_texts(texts, &report, &err))
        fail_msg("%s", err.text);
    assert_int_equal(report.clock_count, 3);
    assert_true(regions_clock_hz(&report) == 1e9 * REGIONS_PACE_CYCLES / 5040);
    regions_free(&report);
    assert_true(regions_clock_hz(&report) == 0);
}

/* Clocks of 4.2, 3 and 2 GHz: 5040, 9600 and 180000 cycles of no-ops. The last reading was interrupted. */
static void neighbour_slows_no_ops(void **state) {
    (void)state;
    static const char *const texts[] = {
        "carmine regions 1\t100\t/bin/a\nspan\t1\t9\nregion\t\t1\t1\t9\t0\t0\npace\t3600\t3610\t9000\t1200\n"
        "pace\t5040\t5040\t5040\t3200\npace\t7560\t7560\t7570\t90000\nend\t6\n",
        NULL};
    const double noops = REGIONS_NOOP_PIECES * CLOCK_PIECE_NOOPS;
    struct regions_report report;
    struct neighbour_looks looks = {0};
    struct error err;
    if (!read_texts(texts, &report, &err))
        fail_msg("%s", err.text);
    regions_neighbour_add(&report, 5040 / noops, &looks);
    assert_int_equal(looks.looks, 2);
    assert_int_equal(looks.beside, 1);
    regions_neighbour_add(&report, 9600 / noops, &looks); /* nothing was faster */
    assert_int_equal(looks.looks, 4);
    assert_int_equal(looks.beside, 1);
    regions_free(&report);
}

static void damaged_reports_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"", "damaged"},
        {"carmine regions 1\t7\t/bin/a\n", "/bin/a (process 7) left no times: it was killed"},
        {"carmine regions 1\t7\t/bin/a\nregion\t\t1\t1\t5\t0\t0\n", "was killed"},
        {"carmine regions 1\t7\t/bin/a\nregion\t\t1\t1\t5\t0\t0\nend\t2", "was killed"},
        {"carmine regions 2\t7\t/bin/a\nregion\t\t1\t1\t5\t0\t0\nend\t2\n", "line 1 is damaged"},
        {"something else\n", "line 1 is damaged"},
        {"carmine regions 1\tx\t/bin/a\nend\t1\n", "line 1 is damaged"},
        {"carmine regions 1\t7\t/bin/a\nend\t1\n", "line 2 is damaged"}, /* without the whole program */
        {"carmine regions 1\t7\t/bin/a\nregion\twork\t1\t1\t5\t0\t0\nend\t2\n", "line 2 is damaged"},
        {"carmine regions 1\t7\t/bin/a\nregion\t\t1\t1\t5\t0\t0\nend\t3\n", "line 3 is damaged"},
        {"carmine regions 1\t7\t/bin/a\nregion\t\t1\t1\t5\t0\nend\t2\n", "line 2 is damaged"},
        {"carmine regions 1\t7\t/bin/a\nregion\t\t1\t1\t5x\t0\t0\nend\t2\n", "line 2 is damaged"},
        {"carmine regions 1\t7\t/bin/a\nregion\t\t1\t1\t5\t0\t0\t1\nend\t2\n", "line 2 is damaged"},
        {"carmine regions 1\t7\t/bin/a\nevent\tthreads\tx\nregion\t\t1\t1\t5\t0\t0\tx\nend\t3\n", "line 3 is damaged"},
        {"carmine regions 1\t7\t/bin/a\nregion\t\t1\t1\t5\t0\t0\nplace\t1\t1\t0\t/bin/a\nend\t3\n",
         "line 3 is damaged"},
        {"carmine regions 1\t7\t/bin/a\nregion\t\t1\t1\t5\t0\t0\ntick\t7\t1\t1\t1\t1\nend\t3\n", "line 3 is damaged"},
        {"carmine regions 1\t7\t/bin/a\nregion\t\t1\t1\t5\t0\t0\nwhat\nend\t3\n", "line 3 is damaged"},
        {"carmine regions 1\t7\t/bin/a\nregion\t\t1\t1\t5\t0\t0\npace\t7\t7\t7\nend\t3\n", "line 3 is damaged"},
        {"carmine regions 1\t7\t/bin/a\nregion\t\t1\t1\t5\t0\t0\nfailure\t%zz\nend\t3\n", "line 3 is damaged"},
        {"carmine regions 1\t7\t/bin/a\nregion\t\t1\t1\t5\t0\t0\nfailure\t%5\nend\t3\n", "line 3 is damaged"},
        {"carmine regions 1\t18446744073709551615\t/bin/a\nregion\t\t1\t1\t5\t0\t0\nend\t2\n", "line 1 is damaged"},
        {"carmine regions 1\t7\t/bin/a\nregion\t\t1\t1\t99999999999999999999\t0\t0\nend\t2\n", "line 2 is damaged"},
        {"carmine regions 1\t7\t/bin/a\nregion\t\t1\t1\t5\t0\t0\nend\t2\nmore\n", "line 3 is damaged"},
    };
    struct regions_report report;
    struct error err;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *const texts[] = {cases[i].text, NULL};
        if (read_texts(texts, &report, &err))
            fail_msg("read: %s", cases[i].text);
        if (!strstr(err.text, cases[i].says))
            fail_msg("'%s' instead of '%s'", err.text, cases[i].says);
    }
    fixture_folder_count(true);
    assert_false(regions_read(fixture_folder, &report, &err));
    assert_non_null(strstr(err.text, "no process left"));
    assert_false(regions_read("/nowhere", &report, &err));
}

/* Any lost or changed byte is noticed, or changes only a text or number. */
static void no_damage_crashes_the_reader(void **state) {
    (void)state;
    static const char whole[] =
        "carmine regions 1\t7\t/bin/a\nevent\tthreads\tx\nspan\t5\t9\nregion\t\t1\t1\t5\t0\t0\t1\n"
        "region\twork\t1\t1\t5\t0\t0\t1\nplace\t1\t5\t1f0\t/bin/a\nend\t6\n";
    char text[sizeof whole];
    struct regions_report report;
    struct error err;
    for (size_t i = 0; i < sizeof whole - 1; i++)
        for (unsigned kind = 0; kind < 4; kind++) {
            const char *const texts[] = {text, NULL};
            memcpy(text, whole, sizeof whole);
            if (kind == 0)
                text[i] = '\0';
            else
                text[i] = "\t\n9"[kind - 1];
            const bool done = read_texts(texts, &report, &err);
            assert_false(done && kind == 0);
            if (done)
                regions_free(&report);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regions_are_found_as_they_were_marked),
        cmocka_unit_test(names_are_kept_and_cut),
        cmocka_unit_test(threads_are_counted),
        cmocka_unit_test(processes_add_up),
        cmocka_unit_test(an_end_that_is_none_has_no_times),
        cmocka_unit_test(unusual_ends_are_ends),
        cmocka_unit_test(cancelled_threads_hold_nothing_up),
        cmocka_unit_test(events_of_all_threads_count_once),
        cmocka_unit_test(events_of_the_machine_count_once),
        cmocka_unit_test(software_defined_events),
        cmocka_unit_test(what_cannot_be_counted_is_said),
        cmocka_unit_test(samples_name_places_and_regions),
        cmocka_unit_test(reports_are_summed_up),
        cmocka_unit_test(killed_images_are_left_out),
        cmocka_unit_test(samples_in_time),
        cmocka_unit_test(core_clock_beside_samples),
        cmocka_unit_test(neighbour_slows_no_ops),
        cmocka_unit_test(core_clock_of_a_program),
        cmocka_unit_test(damaged_reports_are_refused),
        cmocka_unit_test(no_damage_crashes_the_reader),
    };
    return cmocka_run_group_tests(tests, fixture_folder_make, fixture_folder_remove);
}
