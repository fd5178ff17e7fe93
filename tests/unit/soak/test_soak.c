/* SPDX-License-Identifier: BSD-3-Clause
 * A soak's log written, cut and read; findings in made-up ones; the answer and the picture. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/kernels/doubt.h"
#include "carm/soak/soak_views.h"
#include "carm/store/fields.h"
#include "carm/store/file_io.h"
#include "probe/error.h"
#include "tests/support/folder.h"
#include "tests/support/soaked.h"

static void write_log(struct soak *soak, const char *path) {
    struct soak_log log;
    struct error err;
    assert_true(soak_log_create(&log, path, &err));
    const size_t rounds = soak->count;
    soak_log_header(&log, soak);
    for (soak->count = 0; soak->count < rounds;) {
        soak->count++;
        soak_log_round(&log, soak);
    }
    assert_true(soak_log_close(&log, &err));
}

static void append(const char *path, const char *text) {
    FILE *file = fopen(path, "a");
    fputs(text, file);
    fclose(file);
}

static void written_and_read(void **state) {
    (void)state;
    const char *path = fixture_path("log");
    struct soak soak = soaked(20), again;
    struct error err;
    soak.rounds[3].stolen_cpus = 1 / 3.0, soak.rounds[3].values[1].doubts = DOUBTS(DOUBT_UNSTABLE),
    soak.rounds[3].temperature_c = 61.5, soak.rounds[3].throttled = 7;
    write_log(&soak, path);
    assert_true(soak_is(path) && soak_read(path, &again, &err));
    assert_int_equal(again.count, 20);
    assert_false(again.cut);
    assert_int_equal(again.started_s, SOAKED_STARTED_S);
    assert_true(doubts_equal(again.rounds[3].values[1].doubts, DOUBTS(DOUBT_UNSTABLE)));
    assert_true(again.rounds[3].temperature_c == 61.5 && again.rounds[3].throttled == 7);
    for (size_t i = 0; i < 20; i++) /* the answer right after the soak equals the answer from its log */
        assert_true(again.rounds[i].values[0].value == soak.rounds[i].values[0].value &&
                    again.rounds[i].stolen_cpus == soak.rounds[i].stolen_cpus);
    assert_string_equal(again.result.samples[1].kernel, "avx2.load");
    struct soak_log log;
    assert_false(soak_log_create(&log, path, &err));
    assert_non_null(strstr(err.text, "--resume"));
    soak_free(&again);
    soak_free(&soak);
    unlink(path);
}

/* Cut anywhere, the complete part is read and continued. */
static void cut_anywhere(void **state) {
    (void)state;
    const char *path = fixture_path("log"), *part = fixture_path("part");
    struct soak soak = soaked(3), cut;
    struct error err;
    char *text;
    size_t length, rounds = 0;
    write_log(&soak, path);
    assert_true(file_read(path, 1 << 20, &text, &length, &err));
    const size_t header = (size_t)(strchr(text, '\n') + 1 - text);
    for (size_t end = 0; end <= length; end += end + 7 < length ? 7 : 1) {
        assert_true(file_write(part, text, end, false, &err));
        const bool done = soak_read(part, &cut, &err);
        assert_int_equal(done, end >= header);
        if (!done)
            continue;
        assert_int_equal(cut.cut, text[end - 1] != '\n');
        assert_true(cut.count >= rounds);
        rounds = cut.count;
        struct soak_log log;
        assert_true(soak_log_resume(&log, part, &cut, &err));
        soak_log_round(&log, &soak);
        assert_true(soak_log_close(&log, &err));
        soak_free(&cut);
        assert_true(soak_read(part, &cut, &err));
        assert_true(!cut.cut && cut.count == rounds + 1);
        soak_free(&cut);
    }
    assert_int_equal(rounds, 3);
    free(text);
    soak_free(&soak);
    unlink(path), unlink(part);
}

static void faults_are_told_with_their_line(void **state) {
    (void)state;
    static const struct {
        const char *line, *says;
    } FAULTS[] = {
        {"{\"utc\":\"\"}\n", "line 4: "},
        {"nonsense\n", "line 4, column "},
        {"[]\n", "line 4: "},
        {"{\"utc\":\"x\",\"at_s\":1,\"seconds\":1,\"values\":[]}\n", "values: there must be 3"},
        {"{\"utc\":\"x\",\"at_s\":-1,\"seconds\":1,\"values\":[]}\n", "at_s"},
        {"{\"utc\":\"x\",\"at_s\":1e300,\"seconds\":1,\"values\":[{\"value\":1,\"low\":1,\"high\":1,\"clock_hz\":1,"
         "\"doubts\":[]},"
         "{\"value\":1,\"low\":1,\"high\":1,\"clock_hz\":1,\"doubts\":[]},{\"value\":1,\"low\":1,\"high\":1,\"clock_"
         "hz\":1,"
         "\"doubts\":[]}]}\n",
         "at_s: must be 0, or from"},
        {"{\"utc\":\"x\",\"at_s\":99,\"seconds\":1e999,\"values\":[]}\n", "line 4"},
    };
    const char *path = fixture_path("log");
    struct soak soak = soaked(2), read;
    struct error err;
    for (size_t i = 0; i < sizeof FAULTS / sizeof FAULTS[0]; i++) {
        write_log(&soak, path);
        append(path, FAULTS[i].line);
        assert_false(soak_read(path, &read, &err));
        assert_non_null(strstr(err.text, FAULTS[i].says));
        unlink(path);
    }
    append(path, "{\"schema\":\"carmine.soak/2\"}\n");
    assert_true(soak_is(path) && !soak_read(path, &read, &err));
    assert_non_null(strstr(err.text, "carmine.soak/1"));
    assert_false(soak_is("/nowhere") || soak_is("/dev/null") || soak_is("/"));
    soak_free(&soak);
    unlink(path);
}

/* Text that does not fit on the disk is written with the next line. */
static void full_disk(void **state) {
    (void)state;
    struct soak soak = soaked(1);
    struct soak_log log = {.file = open("/dev/full", O_WRONLY), .path = "/dev/full", .failed = true};
    struct error err;
    soak_log_header(&log, &soak);
    soak_log_round(&log, &soak);
    assert_true(log.pending_bytes > 0);
    close(log.file);
    log.file = open("/dev/null", O_WRONLY);
    soak_log_round(&log, &soak);
    assert_int_equal(log.pending_bytes, 0);
    assert_true(soak_log_close(&log, &err));
    soak_free(&soak);
}

static void assert_says(struct soak *soak, enum soak_verdict verdict, const char *const *texts) {
    struct findings findings = findings_make(soak);
    if (findings.verdict != verdict)
        print_message("%s\n", findings.text);
    assert_int_equal(findings.verdict, verdict);
    for (; *texts; texts++) {
        if (!strstr(findings.text, *texts))
            print_message("'%s' is not in: %s\n", *texts, findings.text);
        assert_non_null(strstr(findings.text, *texts));
    }
    findings_free(&findings);
    soak_free(soak);
}
#define SAYS(soak, verdict, ...) assert_says(&soak, verdict, (const char *const[]){__VA_ARGS__, NULL})

static void verdicts(void **state) {
    (void)state;
    struct soak soak = soaked(3600);
    SAYS(soak, SOAK_STEADY, "No roof stepped or drifted in 6 h, 3600 rounds");
    soak = soaked(600);
    for (size_t i = 0; i < 600; i++)
        soak.rounds[i].values[SOAKED_DRAM].value *= 1 + 150 * (soak.rounds[i].values[SOAKED_PEAK].value / 100e9 - 1);
    SAYS(soak, SOAK_STEADY,
         "No roof stepped or drifted in 60 min, 600 rounds; the noise of DRAM, 2 cores may hide a drift of ",
         " % in all");
    soak = soaked(20);
    for (size_t i = 0; i < 20; i++) /* 94 to 100 of 97, in pairs: the slopes of neighbours are far steeper */
        soak.rounds[i].values[SOAKED_DRAM].value = i % 4 < 2 ? 94e9 : i == 19 ? 97e9 : 100e9;
    SAYS(soak, SOAK_STEADY, "; the noise of DRAM, 2 cores may hide a drift of up to 6.");
    soak = soaked(5);
    SAYS(soak, SOAK_TOO_SHORT, "Too short: 30 s, 5 rounds; changes can be found from 16 rounds on");
    soak = soaked(0);
    SAYS(soak, SOAK_TOO_SHORT, "0 rounds");

    soak = soaked(600);
    soak.has_temperature = soak.has_throttling = true;
    for (size_t i = 0; i < 600; i++) {
        soak.rounds[i].temperature_c = i >= 400 ? 95 : 60;
        soak.rounds[i].throttled = i >= 401 ? 1012 : 1000;
        soak.rounds[i].values[SOAKED_DRAM].value *= i >= 400 ? 0.94 : 1;
    }
    SAYS(soak, SOAK_CHANGED, "Changed: 12 throttlings; DRAM, 2 cores fell by 6 % at 00:40 UTC",
         "together with temperature (+35 °C)");

    soak = soaked(600);
    for (size_t i = 0; i < 600; i++)
        soak.rounds[i].values[SOAKED_LATENCY].value *= 1 + 0.05 * (double)i / 600;
    SAYS(soak, SOAK_CHANGED, "Changed: DRAM latency, 1 core drifts by 4.9 % an hour");
}

/* Counters: memory errors alone are enough; a counter that restarts after a boot is no error, nor are earlier
 * errors. */
static void counters(void **state) {
    (void)state;
    struct soak soak = soaked(100);
    soak.has_memory_errors = true;
    for (size_t i = 0; i < 100; i++)
        soak.rounds[i].corrected = i < 30 ? 5 : i < 60 ? 0 : 3;
    SAYS(soak, SOAK_CHANGED, "Changed: 3 corrected memory errors");
    soak = soaked(100);
    for (size_t i = 0; i < 100; i++)
        soak.rounds[i].uncorrected = i < 30 ? 5 : 0;
    SAYS(soak, SOAK_STEADY, "No roof stepped");
    soak = soaked(20);
    soak.rounds[19].uncorrected = 1;
    SAYS(soak, SOAK_CHANGED, "Changed: 1 uncorrected memory error");
}

static void answer_and_picture(void **state) {
    (void)state;
    struct soak soak = soaked(200);
    const struct plot_terminal terminal = {.columns = 80, .unicode = true};
    struct chart_options options = {.text = NULL};
    struct error err;
    char *text = NULL, line[400];
    size_t length, lines = 0;
    for (size_t i = 100; i < 200; i++)
        soak.rounds[i].values[SOAKED_DRAM].value *= 0.9;
    struct findings findings = findings_make(&soak);
    FILE *out = open_memstream(&text, &length);
    soak_answer_print(&findings, "night.jsonl", &(struct screen){&terminal, out});
    fclose(out);
    assert_non_null(strstr(text, "−10 % at 00:10"));
    assert_non_null(strstr(text, "drift, %/h")); /* 20 min */
    for (const char *at = text; (at = strchr(at, '\n')); at++)
        lines++;
    assert_in_range(lines, 8, 24);
    free(text);
    json_t *json = soak_answer_json(&findings);
    assert_string_equal(json_string_value(json_object_get(json, "verdict")), "changed");
    assert_true(json_is_null(json_object_get(json, "corrected_errors"))); /* unknown */
    json_decref(json);
    FILE *csv = tmpfile();
    soak_answer_csv(&findings, csv);
    rewind(csv);
    for (lines = 0; fgets(line, sizeof line, csv);)
        lines++;
    assert_int_equal(lines, 201);
    fclose(csv);

    const char *path = fixture_path("soak.svg");
    size_t bytes;
    assert_true(soak_chart(&findings, &options, path, &err));
    assert_true(file_read(path, 1 << 22, &text, &bytes, &err));
    assert_non_null(strstr(text, "DRAM, 2 cores"));
    assert_non_null(strstr(text, "−10 %, 00:10"));
    free(text);
    unlink(path);
    options.terminal = &terminal, options.text = &text;
    assert_true(soak_chart(&findings, &options, NULL, &err));
    assert_non_null(strstr(text, "DRAM latency"));
    free(text);
    options.terminal = NULL;
    assert_false(soak_chart(&findings, &options, fixture_path("soak.gif"), &err));
    findings_free(&findings);
    soak_free(&soak);
    soak = soaked(90);
    findings = findings_make(&soak);
    out = open_memstream(&text, &length);
    soak_answer_print(&findings, "short.jsonl", &(struct screen){&terminal, out});
    fclose(out);
    assert_null(strstr(text, "drift, %/h")); /* 9 min: too short for a drift per hour */
    free(text);
    findings_free(&findings);
    soak_free(&soak);
    soak = soaked(1);
    findings = findings_make(&soak);
    assert_false(soak_chart(&findings, &options, path, &err));
    assert_non_null(strstr(err.text, "fewer than two rounds"));
    findings_free(&findings);
    soak_free(&soak);
    soak = soaked(20);
    for (size_t i = 0; i < 20; i++)
        for (size_t s = 0; s < SOAKED_ROOFS; s++)
            soak.rounds[i].values[s].value = 0;
    findings = findings_make(&soak);
    assert_false(soak_chart(&findings, &options, path, &err));
    assert_non_null(strstr(err.text, "every value of the log is blank"));
    findings_free(&findings);
    soak_free(&soak);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(written_and_read),
        cmocka_unit_test(cut_anywhere),
        cmocka_unit_test(faults_are_told_with_their_line),
        cmocka_unit_test(full_disk),
        cmocka_unit_test(verdicts),
        cmocka_unit_test(counters),
        cmocka_unit_test(answer_and_picture),
    };
    return cmocka_run_group_tests(tests, fixture_folder_make, fixture_folder_remove);
}
