/* SPDX-License-Identifier: BSD-3-Clause
 * How imports join in a result: with each other, with measured data, and which do not belong together. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/import_files.h"

static struct import_target open_target(const char *path, const char *format, const struct import *import,
                                        const char *machine) {
    struct import_target target;
    struct error err;
    if (!import_target_open(&target, path, import_find(format), import, machine, "carmine import", &err) ||
        !import_target_add(&target, import, &err))
        fail_msg("%s", err.text);
    return target;
}

static void must_import(const char *path, const char *format, const char *file, const char *machine) {
    struct import import;
    struct error err;
    if (!read_files(format, (const char *const[]){file, NULL}, &(struct import_request){.name = "stream"}, &import,
                    &err))
        fail_msg("%s", err.text);
    struct import_target target = open_target(path, format, &import, machine);
    assert_true(results_write(&target.result, path, false, &err));
    import_target_free(&target);
    import_free(&import);
}

/* The seed's example: flop and the core's bytes by SDE, DRAM's by VTune. */
static void two_imports_make_one_point(void **state) {
    (void)state;
    struct result result;
    struct error err;
    char path[256];
    snprintf(path, sizeof path, "%s", fixture_path("stream.json"));
    must_import(path, "sde", SAMPLE("stream_sde_sums.txt"), "Xeon Phi 7250");
    must_import(path, "vtune", SAMPLE("stream_vtune_sums.txt"), NULL);
    assert_true(results_read(path, &result, &err));
    assert_int_equal(result.point_count, 1);
    const struct app_point *point = &result.points[0];
    assert_true(fabs(app_flop_per_dram_byte(point) - 0.0825) < 0.00005);
    assert_true(fabs(app_flop_per_byte(point) - 0.0802) < 0.00005);
    assert_true(fabs(app_bandwidth_bound(point) - 0.0802 / 0.0825) < 0.001);
    assert_string_equal(point->origin, "sde, 1 file, stack included; vtune, 1 file of CAS commands × 64 B");
    results_free(&result);
    must_import(path, "sde", SAMPLE("sde_mix.txt"), NULL); /* again: replaces the first */
    assert_true(results_read(path, &result, &err));
    assert_near(result.points[0].flop.median, 200003300);
    assert_near(result.points[0].dram_read_bytes.median, 32524205056);
    assert_string_equal(result.points[0].origin, "vtune, 1 file of CAS commands × 64 B; sde, 1 file, stack included");
    results_free(&result);
}

static void levels_come_in_their_order(void **state) {
    (void)state;
    struct result result;
    struct error err;
    char path[256];
    snprintf(path, sizeof path, "%s", fixture_path("levels.json"));
    must_import(path, "stream", SAMPLE("stream.txt"), "here");
    must_import(path, "ert", SAMPLE("ert.json"), NULL);
    must_import(path, "ert", SAMPLE("ert.json"), NULL); /* replaces the same */
    assert_true(results_read(path, &result, &err));
    assert_int_equal(result.sample_count, 4 + 6);
    static const char *const LEVELS[] = {"L1", "L2", "L3", "DRAM"};
    assert_int_equal(result.levels[0].count, 4);
    for (unsigned i = 0; i < 4; i++)
        assert_string_equal(result.levels[0].level[i].name, LEVELS[i]);
    results_free(&result);
}

static void open_is_refused(const char *path, const char *format, const char *file, const char *machine,
                            const char *says) {
    struct import import;
    struct import_target target;
    struct error err = {""};
    if (!read_files(format, (const char *const[]){file, NULL}, &(struct import_request){.name = "prog/solve"}, &import,
                    &err))
        fail_msg("%s", err.text);
    if (import_target_open(&target, path, import_find(format), &import, machine, "carmine import", &err) &&
        import_target_add(&target, &import, &err))
        fail_msg("%s is taken into %s", file, path ? path : "a new result");
    assert_contains(err.text, says);
    import_target_free(&target);
    import_free(&import);
}

static void what_does_not_belong_together_is_refused(void **state) {
    (void)state;
    struct error err;
    char measured[256], gpu[256];
    struct result r = fixture_result(
        fixture_machine(2, FIXTURE_AVX2),
        &(struct plan_options){.mixes = {"load", "fma"}, .mix_count = 2, .isas = {"avx2"}, .isa_count = 1});
    r.points = calloc(1, sizeof *r.points);
    r.points[r.point_count++] = fixture_point("prog/solve");
    snprintf(measured, sizeof measured, "%s", fixture_path("measured.json"));
    snprintf(gpu, sizeof gpu, "%s", fixture_path("gpu.json"));
    assert_true(results_write(&r, measured, false, &err));
    results_free(&r);
    must_import(gpu, "nsight", SAMPLE("nsight_raw.csv"), "NVIDIA H200");
    open_is_refused(NULL, "stream", SAMPLE("stream.txt"), NULL, "name it with --machine");
    open_is_refused(measured, "nsight", SAMPLE("nsight_raw.csv"), NULL, "is a result of a CPU");
    open_is_refused(gpu, "stream", SAMPLE("stream.txt"), NULL, "is a result of a GPU");
    open_is_refused(measured, "stream", SAMPLE("stream.txt"), "Other", "these roofs are of 'Other'");
    open_is_refused(measured, "sde", SAMPLE("stream_sde_sums.txt"), NULL,
                    "carmine itself measured the flop of prog/solve");
    open_is_refused(measured, "likwid-perfctr", SAMPLE("likwid_mem.csv"), NULL,
                    "prog/solve is of 2 threads in the result");
}

/* STREAM demands arrays of four times the last-level caches; those of these machines have 4 MiB, and twice 64 MiB. */
static void arrays_are_compared_with_the_caches(void **state) {
    (void)state;
    static const struct {
        unsigned cores, threads;
        double array_mib;
        const char *says; /* NULL: taken */
        bool doubted;
    } CASES[] = {
        {2, 2, 1, "stream.copy: its arrays of 3 MiB in all fit into the machine's last-level caches of 4 MiB", false},
        {2, 2, 15, NULL, true},
        {2, 2, 16, NULL, false},
        {64, 64, 40, "fit into the machine's last-level caches of 128 MiB", false},
        {64, 1, 40, NULL, true}, /* one thread has half of these caches */
        {64, 1, 20, "fit into the machine's last-level caches of 64 MiB", false},
        {64, 64, 512, NULL, false},
        {64, 0, 512, NULL, true}, /* the data of each thread are not known */
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        char text[512], threads[64] = "";
        struct error err = {""};
        struct import import;
        struct import_target target;
        struct result r = fixture_result(
            fixture_machine(CASES[i].cores, FIXTURE_AVX2),
            &(struct plan_options){.mixes = {"load", "fma"}, .mix_count = 2, .isas = {"avx2"}, .isa_count = 1});
        assert_true(results_write(&r, fixture_path("caches.json"), false, &err));
        results_free(&r);
        if (CASES[i].threads)
            snprintf(threads, sizeof threads, "Number of Threads counted = %u\n", CASES[i].threads);
        snprintf(
            text, sizeof text,
            "Array size = %.0f (elements)\n%sFunction  Best Rate MB/s\nCopy: 1 1\nScale: 1 1\nAdd: 1 1\nTriad: 1 1\n",
            CASES[i].array_mib * (1 << 20) / 8, threads);
        fixture_write(fixture_path("stream.txt"), text, strlen(text));
        assert_true(read_files("stream", (const char *const[]){fixture_path("stream.txt"), NULL},
                               &(struct import_request){.name = "p"}, &import, &err));
        assert_true(import_target_open(&target, fixture_path("caches.json"), import_find("stream"), &import, NULL,
                                       "carmine import", &err));
        const bool taken = import_target_add(&target, &import, &err);
        if (taken != !CASES[i].says)
            fail_msg("case %zu is %s: %s", i, taken ? "taken" : "refused", err.text);
        if (!taken)
            assert_contains(err.text, CASES[i].says);
        if (taken && doubts_has(import.roofs[0].doubts, DOUBT_IN_CACHES) != CASES[i].doubted)
            fail_msg("case %zu is %sdoubted", i, CASES[i].doubted ? "not " : "");
        import_target_free(&target);
        import_free(&import);
    }
}

/* A point measured by carmine gets the values that it lacked. */
static void an_import_completes_what_was_measured(void **state) {
    (void)state;
    struct error err;
    struct import import;
    struct result r = fixture_result(
        fixture_machine(2, FIXTURE_AVX2),
        &(struct plan_options){.mixes = {"load", "fma"}, .mix_count = 2, .isas = {"avx2"}, .isa_count = 1});
    r.points = calloc(1, sizeof *r.points);
    r.points[r.point_count] = fixture_point("prog/solve");
    r.points[r.point_count].dram_source = SOURCE_UNKNOWN;
    r.points[r.point_count++].dram_read_bytes.n = 0;
    const char *path = fixture_path("measured.json");
    assert_true(results_write(&r, path, false, &err));
    results_free(&r);
    assert_true(read_files("vtune", (const char *const[]){SAMPLE("vtune.csv"), NULL},
                           &(struct import_request){.name = "prog/solve"}, &import, &err));
    struct import_target target = open_target(path, "vtune", &import, "Other machine");
    const struct app_point *point = &target.result.points[0];
    assert_int_equal(point->dram_source, SOURCE_IMPORTED);
    assert_int_equal(point->flop_source, SOURCE_COUNTED);
    assert_near(point->dram_read_bytes.median, 64 * 2000051.0);
    assert_true(target.other_machine);
    assert_true(doubts_has(point->doubts, DOUBT_OTHER_MACHINE));
    import_target_free(&target);
    import_free(&import);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_imports_make_one_point),
        cmocka_unit_test(levels_come_in_their_order),
        cmocka_unit_test(what_does_not_belong_together_is_refused),
        cmocka_unit_test(arrays_are_compared_with_the_caches),
        cmocka_unit_test(an_import_completes_what_was_measured),
    };
    return cmocka_run_group_tests(tests, fixture_folder_make, fixture_folder_remove);
}
