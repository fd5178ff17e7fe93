/* SPDX-License-Identifier: BSD-3-Clause
 * Workloads measured by carmine: reading carmine-workload, names and times of points, and validation. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/kernels/doubt.h"
#include "bench/programs/workload.h"
#include "carm/options/workload_list.h"
#include "carm/report/report.h"
#include "carm/report/validate_report.h"
#include "tests/support/fixtures.h"

static const char REPORT[] =
    "{\"workload\":\"daxpy\",\"size\":1000000,\"type\":\"f64\",\"threads\":2,\"block\":null,\"runs\":16,\"data\":"
    "\"cold\",\"code\":\"warm\",\"tlb\":\"unknown\",\"isa\":\"avx512\",\"library\":\"\",\"seconds\":[3e-3,1e-3,2e-3],"
    "\"clock_hz\":[2e9,0,"
    "4e9],\"flop\":2000000,\"pseudo_flop\":0,\"read_bytes\":16000000,\"write_bytes\":8000000,\"allocate_bytes\":0,"
    "\"load_bytes\":16000001,\"store_bytes\":8000002,\"working_set_bytes\":16000000,\"check_error\":1e-16,\"ok\":true}";

static struct workload_report must_read(const char *text) {
    struct workload_report report;
    struct error err;
    if (!workload_report_read(text, &report, &err))
        fail_msg("%s", err.text);
    return report;
}

static void a_report_and_its_point(void **state) {
    (void)state;
    struct workload_report report = must_read(REPORT);
    assert_string_equal(report.workload, "daxpy");
    assert_string_equal(report.isa, "avx512");
    assert_true(report.ok && report.flop_known);
    assert_int_equal(report.runs, 16);
    assert_int_equal(report.seconds_count, 3);
    assert_near(report.clock_hz, 3e9);
    struct workload_outcome outcome = {.wanted = 20};
    const struct workload_request request = {.least_of = 1};
    workload_take_theory(&report, &outcome);
    workload_take_time(&request, &report, &outcome);
    const struct app_point *point = &outcome.point;
    assert_int_equal(point->size, 1000000);
    assert_int_equal(point->threads, 2);
    assert_int_equal(point->working_set_bytes, 16000000);
    assert_int_equal(point->data, STATE_COLD);
    assert_int_equal(point->code, STATE_WARM);
    assert_int_equal(point->tlb, STATE_UNKNOWN);
    assert_true(point->analytic_flop == 2e6 && point->analytic_load_bytes == 16000001);
    assert_true(point->analytic_store_bytes == 8000002 && point->compulsory_write_bytes == 8e6);
    assert_near(point->seconds.median, 2e-3);
    assert_near(point->seconds.max, 3e-3);
    assert_int_equal(point->seconds.n, 3);
    assert_int_equal(point->seconds_source, SOURCE_CLOCK);
    assert_true(doubts_equal(point->doubts, DOUBTS(DOUBT_UNSTABLE))); /* 1 to 3 ms */
    assert_int_equal(outcome.runs, 16);
    workload_report_free(&report);
}

/* `text` with the first `from` replaced by `to`; free it. */
static char *changed(const char *text, const char *from, const char *to) {
    const char *at = strstr(text, from);
    assert_non_null(at);
    char *out = calloc(1, strlen(text) + strlen(to) + 1);
    memcpy(out, text, (size_t)(at - text));
    strcat(out, to);
    strcat(out, at + strlen(from));
    return out;
}

static struct workload_report read_changed(const char *from, const char *to) {
    char *text = changed(REPORT, from, to);
    struct workload_report report = must_read(text);
    free(text);
    return report;
}

static void what_theory_does_not_say(void **state) {
    (void)state;
    struct workload_report report = read_changed("\"flop\":2000000", "\"flop\":null");
    assert_true(!report.flop_known && report.flop == 0);
    workload_report_free(&report);
    report = read_changed("\"load_bytes\":16000001", "\"load_bytes\":null");
    assert_true(report.load_bytes == 0);
    workload_report_free(&report);
    report = read_changed("\"allocate_bytes\":0", "\"allocate_bytes\":500"); /* is read too */
    assert_true(report.read_bytes == 16000500);
    workload_report_free(&report);
    report = read_changed("\"ok\":true", "\"ok\":false");
    assert_false(report.ok);
    workload_report_free(&report);
    report = read_changed("\"tlb\":\"unknown\"", "\"tlb\":\"cold\"");
    assert_int_equal(report.tlb, STATE_COLD);
    workload_report_free(&report);
    report = read_changed("\"library\":\"\"", "\"library\":\"OpenBLAS 1\"");
    assert_string_equal(report.library, "OpenBLAS 1");
    workload_report_free(&report);
    report = read_changed("\"clock_hz\":[2e9,0,4e9]", "\"clock_hz\":[]");
    assert_true(report.clock_hz == 0);
    workload_report_free(&report);
}

static void reports_that_are_none(void **state) {
    (void)state;
    static const struct {
        const char *from, *to, *says;
    } rows[] = {
        {REPORT, "", "no report, but ''"},
        {REPORT, "usage: …", "no report, but 'usage"},
        {REPORT, "[]", "no report"},
        {"\"size\":1000000", "\"size\":0", "size must be a whole number"},
        {"\"size\":1000000,", "", "size must be"},
        {"\"threads\":2", "\"threads\":2.5", "threads must be"},
        {"\"runs\":16", "\"runs\":-1", "runs must be"},
        {"\"data\":\"cold\"", "\"data\":\"unknown\"", "data must be cold or warm"},
        {"\"data\":\"cold\"", "\"data\":\"icy\"", "data must be cold or warm"},
        {"\"tlb\":\"unknown\"", "\"tlb\":\"icy\"", "tlb must be cold or warm"},
        {"\"flop\":2000000", "\"flop\":\"many\"", "flop must be a number"},
        {"\"flop\":2000000", "\"flop\":-1", "flop must be a number"},
        {"[3e-3,1e-3,2e-3]", "[]", "seconds must be a list"},
        {"[3e-3,1e-3,2e-3]", "[1e-3,0]", "seconds must be more than 0"},
        {"[3e-3,1e-3,2e-3]", "[1e-3,null]", "seconds must be more than 0"},
        {"\"ok\":true", "\"ok\":1", "ok must be true or false"},
        {"\"isa\":\"avx512\"", "\"isa\":\"much too long for an instruction set\"", "isa must be a text"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *text = changed(REPORT, rows[i].from, rows[i].to);
        struct workload_report report;
        struct error err;
        if (workload_report_read(text, &report, &err))
            fail_msg("taken: %s", text);
        assert_contains(err.text, rows[i].says);
        free(text);
    }
}

static void the_least_of_some(void **state) {
    (void)state;
    double seconds[] = {5, 3, 4, 9, 8, 7, 1};
    assert_int_equal(workload_least(seconds, 7, 3), 2); /* the seventh is left over */
    assert_true(seconds[0] == 3 && seconds[1] == 7);
    double each[] = {5, 3};
    assert_int_equal(workload_least(each, 2, 1), 2);
    assert_true(each[0] == 5 && each[1] == 3);
    double few[] = {5, 3};
    assert_int_equal(workload_least(few, 2, 10), 1);
    assert_true(few[0] == 3);
    assert_int_equal(workload_least(few, 0, 10), 0);

    struct workload_report report = must_read(REPORT);
    struct workload_outcome outcome = {0};
    workload_take_time(&(struct workload_request){.least_of = 3}, &report, &outcome);
    assert_near(outcome.point.seconds.median, 1e-3);
    assert_int_equal(outcome.point.seconds.n, 3);
    assert_int_equal(outcome.point.seconds.kept, 1);
    workload_report_free(&report);
    report = read_changed("[3e-3,1e-3,2e-3]", "[1e-6,1e-6,1e-6]"); /* 16 runs of it */
    workload_take_time(&(struct workload_request){.least_of = 1}, &report, &outcome);
    assert_true(doubts_has(outcome.point.doubts, DOUBT_TOO_SHORT));
    workload_report_free(&report);
}

static void assert_names(struct workload_request request, const char *name, const char *series) {
    char text[96];
    workload_point_name(&request, text, sizeof text);
    assert_string_equal(text, name);
    workload_series(&request, text, sizeof text);
    assert_string_equal(text, series);
}

static void names_say_what_is_not_as_usual(void **state) {
    (void)state;
    struct workload_request request = {
        .name = "daxpy", .type = "f64", .size = 1000000, .threads = 1, .data = STATE_COLD, .code = STATE_WARM};
    assert_names(request, "daxpy 1000000", "daxpy cold 1 thread");
    request.threads = 2;
    assert_names(request, "daxpy 2 threads 1000000", "daxpy cold 2 threads");
    request.data = STATE_WARM, request.code = STATE_COLD, request.type = "f32", request.isa = "avx2";
    assert_names(request, "daxpy f32 avx2 warm code-cold 2 threads 1000000", "daxpy f32 avx2 warm code-cold 2 threads");
    request.tlb = STATE_COLD;
    assert_names(request, "daxpy f32 avx2 warm code-cold tlb-cold 2 threads 1000000",
                 "daxpy f32 avx2 warm code-cold tlb-cold 2 threads");
    request = (struct workload_request){
        .name = "dgemm-blocked", .type = "f64", .size = 5, .threads = 1, .data = STATE_COLD, .code = STATE_WARM};
    request.block = 25;
    assert_names(request, "dgemm-blocked N_B=25 5", "dgemm-blocked N_B=25 cold 1 thread");
    request.write_back = "left-out";
    assert_names(request, "dgemm-blocked N_B=25 write-back left-out 5",
                 "dgemm-blocked N_B=25 write-back left-out cold 1 thread");
    request.name = "a name that is as long as names of regions may be: sixty-three", request.size = UINT64_MAX;
    request.threads = 1000000, request.data = STATE_WARM, request.code = STATE_COLD;
    char text[96];
    workload_point_name(&request, text, sizeof text); /* cut, not written beyond */
    workload_series(&request, text, sizeof text);
}

/* Three cores, two with a second CPU. */
static void names_say_where_threads_share(void **state) {
    (void)state;
    static const struct {
        unsigned threads, cores, cpus;
        const char *name, *series;
    } rows[] = {{3, 0, 0, "daxpy 3 threads 5", "daxpy cold 3 threads"},
                {4, 3, 0, "daxpy 4 threads on 3 cores 5", "daxpy cold 4 threads on 3 cores"},
                {5, 3, 0, "daxpy 5 threads on 3 cores 5", "daxpy cold 5 threads on 3 cores"},
                {6, 3, 5, "daxpy 6 threads on 5 CPUs 5", "daxpy cold 6 threads on 5 CPUs"}};
    struct machine machine = fixture_machine(3, 0);
    machine.cores[0].pu_count = machine.cores[1].pu_count = 2;
    struct workload_request request = {
        .name = "daxpy", .type = "f64", .size = 5, .data = STATE_COLD, .code = STATE_WARM, .machine = &machine};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        workload_place(&request, rows[r].threads);
        assert_true(request.cores == rows[r].cores && request.cpus == rows[r].cpus);
        assert_names(request, rows[r].name, rows[r].series);
    }
    machine_free(&machine);
}

/* A workload's outcome with 100 flop and 1000 bytes in theory. */
static struct workload_outcome counted(uint64_t size, double flop, double bytes) {
    struct workload_outcome outcome = {.flop_known = true};
    struct app_point *point = &outcome.point;
    strcpy(point->program, "daxpy");
    point->size = size;
    point->data = STATE_COLD;
    point->flop = app_once(flop);
    point->load_bytes = app_once(bytes - 1);
    point->store_bytes = app_once(1);
    point->flop_source = point->bytes_source = SOURCE_COUNTED;
    point->analytic_flop = 100;
    point->analytic_load_bytes = 900, point->analytic_store_bytes = 100;
    point->compulsory_read_bytes = 600, point->compulsory_write_bytes = 400;
    return outcome;
}

static void validation_by_quantity(void **state) {
    (void)state;
    struct workload_outcome outcomes[] = {counted(10, 100, 1000), counted(20, 100, 1003), counted(30, 100, 1001)};
    struct workload_validation row = workload_validation_make(outcomes, 3);
    assert_true(row.passed && row.judged);
    assert_int_equal(row.least_size, 10);
    assert_int_equal(row.largest_size, 30);
    assert_near(row.median[QUANTITY_FLOP], 1);
    assert_near(row.median[QUANTITY_BYTES], 1.001);
    assert_near(row.farthest[QUANTITY_BYTES], 1.003);
    assert_true(isnan(row.median[QUANTITY_DRAM]));
    outcomes[1] = counted(20, 100, 990); /* too few are as bad as too many */
    row = workload_validation_make(outcomes, 3);
    assert_near(row.farthest[QUANTITY_BYTES], 0.99);
    assert_false(row.passed);
    outcomes[1] = counted(20, 101, 1000);
    assert_false(workload_validation_make(outcomes, 3).passed);
    for (size_t i = 0; i < 3; i++) { /* DRAM traffic is shown, not judged */
        outcomes[i] = counted(10, 100, 1000);
        outcomes[i].point.dram_source = SOURCE_SIMULATED;
        outcomes[i].point.dram_read_bytes = app_once(660);
        outcomes[i].point.dram_write_bytes = app_once(200);
    }
    row = workload_validation_make(outcomes, 3);
    assert_true(row.passed);
    assert_near(row.median[QUANTITY_READ], 1.1);
    assert_near(row.median[QUANTITY_WRITTEN], 0.5);
    assert_near(row.median[QUANTITY_DRAM], 0.86);
    outcomes[0].point.data = outcomes[1].point.data = outcomes[2].point.data = STATE_WARM;
    assert_true(isnan(workload_validation_make(outcomes, 3).median[QUANTITY_READ]));
}

static void validation_without_theory(void **state) {
    (void)state;
    struct workload_outcome outcome = counted(10, 123, 1234);
    outcome.flop_known = false, outcome.point.analytic_flop = 0;
    outcome.point.analytic_load_bytes = outcome.point.analytic_store_bytes = 0;
    struct workload_validation row = workload_validation_make(&outcome, 1);
    assert_true(isnan(row.median[QUANTITY_FLOP]) && isnan(row.median[QUANTITY_BYTES]));
    assert_true(row.passed && !row.judged);
    outcome = counted(10, 0, 1000), outcome.point.analytic_flop = 0; /* none in theory */
    row = workload_validation_make(&outcome, 1);
    assert_near(row.median[QUANTITY_FLOP], 1);
    outcome = counted(10, 5, 1000), outcome.point.analytic_flop = 0;
    assert_false(workload_validation_make(&outcome, 1).passed);
    outcome = counted(100, 101, 1000); /* the paper's 1.01, for a single library */
    assert_false(workload_validation_make(&outcome, 1).passed);
    strcpy(outcome.point.program, "dgemm-openblas");
    assert_true(workload_validation_make(&outcome, 1).passed);
    outcome.point.flop = app_once(102);
    assert_false(workload_validation_make(&outcome, 1).passed);
}

static const char LIST[] =
    "{\"workload\":\"daxpy\",\"summary\":\"y\",\"size\":\"elements\",\"types\":[\"f64\",\"f32\"],\"threads\":\"any\","
    "\"size_least\":1,\"power_of_two\":false,\"block\":null,\"missing\":null}\n"
    "{\"workload\":\"dgemm-blocked\",\"summary\":\"C\",\"size\":\"rows\",\"types\":[\"f64\",\"f32\"],\"threads\":"
    "\"any\",\"size_least\":1,\"power_of_two\":false,\"block\":50,\"missing\":null}\n"
    "{\"workload\":\"fft-fftw\",\"summary\":\"F\",\"size\":\"numbers\",\"types\":[\"f64\"],\"threads\":\"one\","
    "\"size_least\":2,\"power_of_two\":true,\"block\":null,\"missing\":\"libfftw3 is not installed\"}\n"
    "{\"workload\":\"cg\",\"summary\":\"cg\",\"size\":\"points\",\"types\":[\"f64\"],\"threads\":\"any\","
    "\"size_least\":2,\"power_of_two\":false,\"block\":null,\"missing\":null}\n";

static void the_list(void **state) {
    (void)state;
    static struct workload_list list;
    struct error err;
    assert_true(workload_list_parse(LIST, &list, &err));
    assert_int_equal(list.count, 4);
    const struct workload_entry *blocked = workload_list_find(&list, "dgemm-blocked"),
                                *fftw = workload_list_find(&list, "fft-fftw");
    assert_int_equal(blocked->block, 50);
    assert_true(blocked->has_f32 && !blocked->one_thread && !blocked->missing[0]);
    assert_true(!fftw->has_f32 && fftw->one_thread && fftw->power_of_two && fftw->size_least == 2);
    assert_null(workload_list_find(&list, "dgem"));
    assert_false(workload_list_parse("", &list, &err));
    assert_false(workload_list_parse("daxpy\n", &list, &err));
    assert_contains(err.text, "printed 'daxpy'");
    assert_false(workload_list_parse("{\"workload\":\"\"}\n", &list, &err));
}

static void workloads_by_name(void **state) {
    (void)state;
    static struct workload_list list;
    const struct workload_entry *chosen[WORKLOAD_LIST_MAX];
    struct error err;
    size_t count;
    assert_true(workload_list_parse(LIST, &list, &err));
    assert_true(workload_list_choose(&list, "cg,daxpy", "f64", chosen, &count, &err));
    assert_int_equal(count, 2);
    assert_string_equal(chosen[0]->name, "cg");
    assert_true(workload_list_choose(&list, NULL, "f64", chosen, &count, &err)); /* all that can run */
    assert_int_equal(count, 3);
    assert_true(workload_list_choose(&list, NULL, "f32", chosen, &count, &err));
    assert_int_equal(count, 2);
    assert_false(workload_list_choose(&list, "daxpy,dgemm", "f64", chosen, &count, &err));
    assert_contains(
        err.text,
        "unknown workload 'dgemm' (did you mean `dgemm-blocked`?); known: daxpy, dgemm-blocked, fft-fftw, cg");
    assert_false(workload_list_choose(&list, "fft-fftw", "f64", chosen, &count, &err));
    assert_contains(err.text, "fft-fftw: libfftw3 is not installed");
    assert_false(workload_list_choose(&list, "cg", "f32", chosen, &count, &err));
    assert_contains(err.text, "cg exists only for f64");
}

static void sizes_unless_others_are_named(void **state) {
    (void)state;
    static struct workload_list list;
    struct error err;
    uint64_t sizes[SIZES_MAX];
    size_t count;
    assert_true(workload_list_parse(LIST, &list, &err));
    for (int validation = 0; validation < 2; validation++)
        for (size_t i = 0; i < list.count; i++) {
            workload_list_sizes(&list.entries[i], validation, sizes, &count);
            assert_true(count > 0);
            for (size_t s = 0; s < count; s++) {
                assert_true(sizes[s] >= list.entries[i].size_least);
                assert_true(!list.entries[i].power_of_two || (sizes[s] & (sizes[s] - 1)) == 0);
            }
        }
    workload_list_sizes(workload_list_find(&list, "dgemm-blocked"), false, sizes, &count);
    assert_int_equal(sizes[0], 100); /* the paper's */
}

static void another_size_tells_what_is_small(void **state) {
    (void)state;
    struct workload_request request = {.size = 100};
    assert_false(workload_has_less(&request, 1e6)); /* nothing is known */
    request.other_size = 50, request.other_bytes = 1e5;
    assert_true(workload_has_less(&request, 1e6)); /* 8e5 at most */
    request.other_bytes = 2e5;
    assert_false(workload_has_less(&request, 1e6));
    request.other_size = 400, request.other_bytes = 9e5; /* a smaller size has no more */
    assert_true(workload_has_less(&request, 1e6));
    request.other_bytes = 1e6;
    assert_false(workload_has_less(&request, 1e6));
}

/* Series of a workload by one thread stay together; multi-threaded, annotated and failed points are separate. */
static void what_is_counted_together(void **state) {
    (void)state;
    struct workload_request requests[30];
    for (unsigned i = 0; i < 30; i++)
        requests[i] = (struct workload_request){.name = i < 10 ? "daxpy" : "dgemv", .size = i, .threads = 1 + i / 20};
    assert_int_equal(workload_counted_together(requests, 30, 1), 1);
    assert_int_equal(workload_counted_together(requests, 30, 2), 10); /* four for each CPU, and the series' others */
    assert_int_equal(workload_counted_together(requests, 30, 3), 20); /* twelve, likewise */
    assert_int_equal(workload_counted_together(requests, 30, 64), 20);
    assert_int_equal(workload_counted_together(requests, 7, 64), 7);
    assert_int_equal(workload_counted_together(&requests[20], 10, 64), 1); /* by two threads */
    requests[3].alone = true;
    assert_int_equal(workload_counted_together(requests, 30, 64), 3);
    assert_int_equal(workload_counted_together(&requests[3], 27, 64), 1);
    requests[5].annotate = true;
    assert_int_equal(workload_counted_together(&requests[4], 26, 64), 1);
    assert_true(workload_same_series(&requests[0], &requests[9]));
    assert_false(workload_same_series(&requests[9], &requests[10]));
    assert_false(workload_same_series(&requests[19], &requests[20]));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_counted_together),
        cmocka_unit_test(another_size_tells_what_is_small),
        cmocka_unit_test(a_report_and_its_point),
        cmocka_unit_test(what_theory_does_not_say),
        cmocka_unit_test(reports_that_are_none),
        cmocka_unit_test(the_least_of_some),
        cmocka_unit_test(names_say_what_is_not_as_usual),
        cmocka_unit_test(names_say_where_threads_share),
        cmocka_unit_test(validation_by_quantity),
        cmocka_unit_test(validation_without_theory),
        cmocka_unit_test(the_list),
        cmocka_unit_test(workloads_by_name),
        cmocka_unit_test(sizes_unless_others_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
