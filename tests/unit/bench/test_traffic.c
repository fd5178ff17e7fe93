/* SPDX-License-Identifier: BSD-3-Clause
 * Simulated caches, and reading what callgrind leaves: its files, and the parts into which they are cut. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/callgrind/callgrind_slices.h"
#include "bench/callgrind/traffic.h"
#include "tests/support/fixtures.h"

static struct machine with_last_level(uint64_t bytes, int ways, unsigned sharing, unsigned instances) {
    struct machine machine = {.kind_count = 1};
    struct core_kind *kind = &machine.kinds[0];
    kind->cache_count = 3;
    kind->caches[0] = fixture_cache(1, KIB(48), 12, 1, sharing * instances);
    kind->caches[1] = fixture_cache(2, MIB(2), 16, 1, sharing * instances);
    kind->caches[2] = fixture_cache(3, bytes, ways, sharing, instances);
    return machine;
}

static void sizes_that_can_be_simulated(void **state) {
    (void)state;
    static const struct {
        uint64_t bytes;
        int ways;
        uint64_t simulated_bytes;
        unsigned simulated_ways;
        const char *note;
    } cases[] = {
        {MIB(1), 16, MIB(1), 16, ""},
        {MIB(32), 16, MIB(32), 16, ""},
        {MIB(30), 20, MIB(30), 15, ""},     /* 24576 sets are no power of two */
        {MIB(33), 11, MIB(33), 33, ""},     /* 49152 sets */
        {MIB(480), 20, MIB(480), 15, ""},   /* 393216 sets */
        {KIB(1408), 11, KIB(1408), 11, ""}, /* a slice of Skylake's */
        {MIB(8), -1, MIB(8), 16, ""},       /* fully associative */
        {MIB(8), 0, MIB(8), 16, ""},        /* not known */
        {4 * MIB(1024), 16, 2047 * MIB(1), 0, "4096 MiB of last-level cache as 20"}, /* the simulation's limit */
        {KIB(1000), 4, 0, 0, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct machine machine = with_last_level(cases[i].bytes, cases[i].ways, 1, 1);
        struct traffic_cache cache;
        traffic_geometry(&machine, 0, 0, &cache);
        assert_int_equal(cache.line_bytes, 64);
        assert_int_equal(cache.l1_bytes, KIB(48));
        assert_int_equal(cache.l1_ways, 12);
        uint64_t sets = cache.llc_bytes / cache.llc_ways / 64;
        assert_int_equal(sets * cache.llc_ways * 64, cache.llc_bytes);
        assert_int_equal(sets & (sets - 1), 0);
        assert_true(cache.llc_bytes <= INT32_MAX);
        if (cases[i].simulated_ways) {
            assert_int_equal(cache.llc_bytes, cases[i].simulated_bytes);
            assert_int_equal(cache.llc_ways, cases[i].simulated_ways);
            assert_string_equal(cache.note, cases[i].note);
        } else if (cases[i].simulated_bytes) {
            assert_true(cache.llc_bytes > cases[i].simulated_bytes / 100 * 97);
            assert_contains(cache.note, cases[i].note);
        }
    }
}

static void last_level_as_it_was_found(void **state) {
    (void)state;
    struct machine machine = with_last_level(MIB(32), 16, 8, 4); /* 32 cores in four groups */
    static const struct {
        uint64_t found_bytes;
        unsigned threads;
        uint64_t simulated_bytes;
        const char *note;
    } cases[] = {
        {0, 0, MIB(32), ""},
        {0, 8, MIB(32), ""},
        {0, 9, MIB(64), "2 last-level caches as one"},
        {0, 64, MIB(128), "4 last-level caches as one"},
        {MIB(24), 1, MIB(24), ""},
        {MIB(24), 16, MIB(48), "2 last-level caches as one"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct traffic_cache cache;
        traffic_geometry(&machine, cases[i].found_bytes, cases[i].threads, &cache);
        assert_int_equal(cache.llc_bytes, cases[i].simulated_bytes);
        assert_string_equal(cache.note, cases[i].note);
    }
}

static void caches_that_nobody_knows(void **state) {
    (void)state;
    struct machine machine = {.kind_count = 1};
    struct traffic_cache cache;
    traffic_geometry(&machine, 0, 4, &cache);
    assert_true(cache.l1_bytes >= KIB(16) && cache.llc_bytes >= MIB(1) && cache.l1_ways && cache.llc_ways);
    assert_contains(cache.note, "not known");
    traffic_geometry(&machine, MIB(12), 0, &cache);
    assert_int_equal(cache.llc_bytes, MIB(12));
    assert_string_equal(cache.note, "");
}

/* Callgrind's files, written by hand. */
static void path_of(const char *name, char path[512]) {
    snprintf(path, 512, "%s/callgrind.out.%s", fixture_folder, name);
}
static void write_file(const char *name, const char *text) {
    char path[512];
    path_of(name, path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

#define HEAD "# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\npid: 7\ncmd:  ./a b\n"
#define PART(thread, block, trigger, body, total)                                                                      \
    "part: 1\nthread: " thread "\n\ndesc: I1 cache: \n\ndesc: Timerange: Basic block " block " - 99\n"                 \
    "desc: Trigger: " trigger "\n\npositions: instr\nevents: Ir DLmr\nsummary: 9 9\n\n" body "\ntotals: " total "\n"

static void a_file_part_by_part(void **state) {
    (void)state;
    write_file("7", HEAD PART("1", "0", "dump carmine start",
                              "ob=/bin/a\nfl=a.c\nfn=main\n0x11c0 4\n0x11c3 5 2\n"
                              "cob=/bin/b\ncfi=b.c\ncfn=called\ncalls=3 0x77 \n0x11c3 1000 500\n"
                              "jcnd=297/300 0x11d2 \n0x11d2 \njcnd=1/2 0x11c0 \n0x11d2 \njump=6 0x11d4 \n0x11d4 \n"
                              "ob=???\nfi=x.h\n0x4838000 7\n",
                              "16 2") PART("3", "55", "Program termination", "ob=/bin/a\nfn=f\n0x10 1\n", "1"));
    struct error err;
    char path[512];
    path_of("7", path);
    struct callgrind_file *file = callgrind_file_open(path, &err);
    assert_non_null(file);
    const struct callgrind_part *part;
    assert_true(callgrind_file_next(file, &part, &err));
    assert_string_equal(callgrind_file_command(file), "./a b");
    assert_string_equal(part->trigger, "dump carmine start");
    assert_int_equal(part->thread, 1);
    assert_int_equal(part->first_block, 0);
    static const struct callgrind_line lines[] = {
        {"/bin/a", 0x11c0, 4, 0, 0}, {"/bin/a", 0x11c3, 5, 0, 0}, {"/bin/a", 0x11d2, 0, 297, 300},
        {"/bin/a", 0x11d4, 0, 6, 6}, {"???", 0x4838000, 7, 0, 0},
    };
    assert_int_equal(part->line_count, sizeof lines / sizeof lines[0]);
    for (size_t i = 0; i < part->line_count; i++) {
        assert_string_equal(part->lines[i].object, lines[i].object);
        assert_int_equal(part->lines[i].address, lines[i].address);
        assert_int_equal(part->lines[i].executions, lines[i].executions);
        assert_int_equal(part->lines[i].self_jumps, lines[i].self_jumps);
        assert_int_equal(part->lines[i].self_chances, lines[i].self_chances);
    }
    uint64_t total;
    assert_true(callgrind_total(part, "DLmr", &total, &err));
    assert_int_equal(total, 2);
    assert_false(callgrind_total(part, "DLdmr", &total, &err));
    assert_contains(err.text, "DLdmr");
    assert_true(callgrind_file_next(file, &part, &err));
    assert_int_equal(part->thread, 3);
    assert_int_equal(part->first_block, 55);
    assert_int_equal(part->line_count, 1);
    assert_int_equal(part->totals[0], 1);
    assert_int_equal(part->totals[1], 0);
    assert_true(callgrind_file_next(file, &part, &err));
    assert_null(part);
    callgrind_file_close(file);
}

static void damaged_files(void **state) {
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {HEAD PART("1", "0", "x", "ob=/bin/a\n0x11c0 4 q\n", "1"), "callgrind.out.7:19: not callgrind's format"},
        {HEAD PART("1", "0", "x", "ob=/bin/a\n0x11c0 4 5 6\n", "1"), "not callgrind's format"},
        {HEAD PART("1", "0", "x", "ob=/bin/a\n+3 4\n", "1"), "not callgrind's format: '+3 4'"},
        {HEAD PART("1", "0", "x", "ob=/bin/a\njcnd=1 2\n", "1"), "not callgrind's format"},
        {HEAD PART("1", "0", "x", "ob=/bin/a\n0x10 1\n", "what"), "not callgrind's format: 'totals: what'"},
        {HEAD PART("4294967295", "0", "x", "ob=/bin/a\n0x10 1\n", "1"), "not callgrind's format: 'thread: 4294967295'"},
        {HEAD "part: 1\nevents: Ir\nob=/bin/a\n0x10 1\n", "ends in the middle"},
        {HEAD "part: 1\npositions: instr line\n", "not callgrind's format"},
        {HEAD "part: 1\n0x10 1\n", "not callgrind's format"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        write_file("7", cases[i].text);
        struct error err = {""};
        char path[512];
        path_of("7", path);
        struct callgrind_file *file = callgrind_file_open(path, &err);
        const struct callgrind_part *part;
        assert_false(callgrind_file_next(file, &part, &err));
        assert_contains(err.text, cases[i].says);
        callgrind_file_close(file);
    }
    struct error err;
    assert_null(callgrind_file_open("/does/not/exist", &err));
    assert_contains(err.text, "/does/not/exist");
}

/* What each region got, as the sum of its slices' first totals, and of each thread. */
struct taken {
    uint64_t regions[8], threads[8];
};
static bool take(void *context, const struct slice *slice, struct error *err) {
    (void)err;
    struct taken *taken = context;
    for (size_t i = 0; i < slice->region_count; i++)
        taken->regions[slice->regions[i]] += slice->part->totals[0];
    taken->threads[slice->thread] += slice->part->totals[0];
    return true;
}

static void regions_and_threads_from_parts(void **state) {
    (void)state;
    write_file(
        "7", HEAD PART("1", "0", "dump carmine start", "", "1") PART("1", "1", "Client Request: carmine own", "", "900")
        /* thread 2 is created by the first, and 3 by 2, which is in region "x" and then in "y" within it */
        PART("2", "2", "Client Request: carmine thread 1 of 0", "", "2") PART("1", "3", "dump carmine cut", "", "4")
            PART("2", "3", "dump carmine cut", "", "8") PART("2", "4", "Client Request: carmine begin x", "", "900")
                PART("3", "5", "Client Request: carmine thread 2 of 1", "", "16")
                    PART("1", "6", "dump carmine cut", "", "32") PART("2", "6", "dump carmine cut", "", "64")
                        PART("3", "6", "dump carmine cut", "", "128")
                            PART("2", "7", "Client Request: carmine begin y", "", "900")
                                PART("2", "7", "dump carmine cut", "", "256")
                                    PART("2", "7", "Client Request: carmine begin x", "", "900")
                                        PART("2", "7", "dump carmine cut", "", "512")
                                            PART("2", "7", "Client Request: carmine end x", "", "900")
                                                PART("2", "8", "Client Request: carmine end y", "", "900")
                                                    PART("2", "8", "Client Request: carmine end x", "", "900")
        /* its number is given to a thread of the first's */
        PART("3", "9", "Client Request: carmine thread 3 of 0", "", "1024")
            PART("1", "9", "Client Request: carmine begin y", "", "900")
                PART("1", "9", "Program termination", "", "2048") PART("3", "9", "Program termination", "", "4096"));
    struct taken taken = {0};
    struct slices slices;
    struct error err;
    assert_true(slices_read(fixture_folder, take, &taken, &slices, &err));
    assert_int_equal(slices.process_count, 1);
    assert_int_equal(slices.region_count, 3);
    assert_string_equal(slices.regions[0].name, "");
    assert_string_equal(slices.regions[1].name, "x");
    assert_string_equal(slices.regions[2].name, "y");
    assert_int_equal(slices.regions[1].calls, 2);
    assert_int_equal(slices.regions[1].open, 0);
    assert_int_equal(slices.regions[1].mismatched, 0);
    assert_int_equal(slices.regions[2].calls, 2);
    assert_int_equal(slices.regions[2].open, 1);
    assert_int_equal(taken.regions[0], 8191);
    assert_int_equal(taken.regions[1], 16 + 64 + 128 + 256 + 512);
    assert_int_equal(taken.regions[2], 256 + 512 + 2048 + 4096);
    assert_int_equal(slices.thread_count, 4);
    assert_int_equal(taken.threads[0], 1 + 4 + 32 + 2048);
    assert_int_equal(taken.threads[1], 2 + 8 + 64 + 256 + 512);
    assert_int_equal(taken.threads[2], 16 + 128);
    assert_int_equal(taken.threads[3], 1024 + 4096);
    slices_free(&slices);
}

#define START     PART("1", "0", "dump carmine start", "", "1")
#define CUT       PART("1", "5", "dump carmine cut", "", "10")
#define INHERITED PART("1", "5", "dump carmine inherited", "", "900")
#define EXEC      PART("1", "6", "dump carmine exec", "", "100")
#define LOST      PART("1", "6", "Client Request: carmine lost", "", "900")
#define STATIC    PART("1", "0", "Program termination", "", "1000")
#define END       PART("1", "9", "Program termination", "", "1000")

static void processes_from_files(void **state) {
    (void)state;
    static const struct {
        const char *files[3]; /* of processes 7, 8 and an earlier image of 8 */
        uint64_t sum;
        unsigned processes;
        const char *says; /* NULL: all is well */
    } cases[] = {
        {{HEAD START CUT END}, 1011, 1, NULL},
        {{HEAD STATIC}, 1000, 1, NULL},
        {{HEAD START END, HEAD INHERITED CUT END}, 2011, 2, NULL},
        {{HEAD START END, HEAD START END, HEAD START EXEC}, 2103, 3, NULL},
        {{HEAD START EXEC CUT END}, 1111, 1, NULL}, /* the exec failed */
        {{HEAD START END, HEAD INHERITED}, 0, 0, "killed or still runs"},
        {{HEAD START CUT}, 0, 0, "process 7 of the program was killed or still runs"},
        {{""}, 0, 0, "killed or still runs"},
        {{HEAD START END, HEAD CUT END}, 0, 0, "starts processes in a way"}, /* forked unseen */
        {{HEAD STATIC, HEAD STATIC}, 0, 0, "starts processes in a way"},     /* may have forked */
        {{HEAD START END, HEAD START LOST END}, 0, 0, "replaced itself"},
        {{NULL}, 0, 0, "left nothing"},
    };
    static const char *const names[] = {"7", "8", "8.0"};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char path[512];
        for (size_t f = 0; f < 3; f++) {
            path_of(names[f], path);
            unlink(path);
            if (cases[i].files[f])
                write_file(names[f], cases[i].files[f]);
        }
        struct taken taken = {0};
        struct slices slices;
        struct error err = {""};
        bool ok = slices_read(fixture_folder, take, &taken, &slices, &err);
        if (cases[i].says) {
            assert_false(ok);
            assert_contains(err.text, cases[i].says);
            continue;
        }
        assert_true(ok);
        assert_int_equal(taken.regions[0], cases[i].sum);
        assert_int_equal(slices.process_count, cases[i].processes);
        slices_free(&slices);
    }
}

static void without_valgrind(void **state) {
    (void)state;
    char *path = strdup(getenv("PATH"));
    char *argv[] = {"true", NULL};
    const struct traffic_run run = {.argv = argv, .folder = fixture_folder, .in = -1, .out = -1, .err = -1};
    struct profile profile;
    struct error err = {""};
    int status;
    setenv("PATH", fixture_folder, 1);
    bool counted = callgrind_count(&run, &profile, &status, &err);
    setenv("PATH", path, 1);
    free(path);
    assert_false(counted);
    assert_contains(err.text, "valgrind is not installed");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_that_can_be_simulated),
        cmocka_unit_test(last_level_as_it_was_found),
        cmocka_unit_test(caches_that_nobody_knows),
        cmocka_unit_test_setup_teardown(a_file_part_by_part, fixture_folder_make, fixture_folder_remove),
        cmocka_unit_test_setup_teardown(damaged_files, fixture_folder_make, fixture_folder_remove),
        cmocka_unit_test_setup_teardown(regions_and_threads_from_parts, fixture_folder_make, fixture_folder_remove),
        cmocka_unit_test_setup_teardown(processes_from_files, fixture_folder_make, fixture_folder_remove),
        cmocka_unit_test_setup_teardown(without_valgrind, fixture_folder_make, fixture_folder_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
