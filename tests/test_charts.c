/* SPDX-License-Identifier: BSD-3-Clause
 * Charts of results of many shapes: a valid file, or an error that says what to do; never a crash. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../bench/doubt.h"
#include "../carm/chart.h"
#include "fixtures.h"

/* Draws to every format and looks at what came out; returns the SVG's size. */
static size_t drawn(const struct result *result, const struct chart *chart, const struct chart_options *options) {
    static const struct {
        const char *name, *begins, *ends; /* "": anything */
    } files[] = {{"x.svg", "<?xml", "</svg>\n"}, {"x.pdf", "%PDF-", "%%EOF\n"}, {"x.png", "\x89PNG\r\n", ""}};
    struct model model = model_build(result);
    size_t svg_length = 0;
    for (size_t i = 0; i < 3; i++) {
        struct error err = {""};
        if (!chart->draw(&model, options, fixture_path(files[i].name), &err))
            fail_msg("%s, %s: %s", chart->name, files[i].name, err.text);
        size_t length;
        char *text = fixture_read(fixture_path(files[i].name), &length);
        assert_true(length > 1000);
        assert_memory_equal(text, files[i].begins, strlen(files[i].begins));
        size_t end = strlen(files[i].ends);
        assert_memory_equal(text + length - end, files[i].ends, end);
        assert_null(strstr(text, "nan"));
        svg_length = i == 0 ? length : svg_length;
        free(text);
    }
    model_free(&model);
    return svg_length;
}

/* The first charts, that every run can be drawn as; others need several threads or nodes: test_places.c. */
enum { OF_EVERY_RUN = 3 };

static void draw_all(const struct result *result, const struct chart_options *options) {
    for (size_t i = 0; i < OF_EVERY_RUN; i++)
        drawn(result, &chart_table[i], options);
}

static void refused(const struct result *result, const struct chart *chart, const struct chart_options *options,
                    const char *says, const char *remedy) {
    struct model model = model_build(result);
    struct error err = {""};
    unsigned files = fixture_folder_count(false);
    assert_false(chart->draw(&model, options, fixture_path("none.svg"), &err));
    assert_contains(err.text, says);
    assert_contains(err.text, remedy);
    assert_int_equal(fixture_folder_count(false), files); /* no half picture */
    model_free(&model);
}

static void one_thread_and_many(void **state) {
    (void)state;
    static const unsigned cores[] = {1, 2, 512};
    for (size_t i = 0; i < 3; i++) {
        struct result r = fixture_result(fixture_machine(cores[i], FIXTURE_AVX512), NULL);
        r.curves[0].threads = r.curves[1].threads = cores[i];
        draw_all(&r, &(struct chart_options){0});
        draw_all(&r, &(struct chart_options){.threads = cores[i], .width = 480, .height = 360});
        drawn(&r, &chart_table[0], &(struct chart_options){.threads = 1, .type = "f32", .isa = "avx2", .op = "2ld1st"});
        drawn(&r, &chart_table[0], &(struct chart_options){.isa = "x87"});
        results_free(&r);
    }
}

static void machines_of_other_shapes(void **state) {
    (void)state;
    struct result r = fixture_result(fixture_hybrid(2, 4), NULL);
    draw_all(&r, &(struct chart_options){0});
    drawn(&r, &chart_table[0], &(struct chart_options){.threads = 4}); /* the E cores */
    results_free(&r);
    for (unsigned caches = 0; caches < 3; caches++) { /* none, L1 only, no L3 */
        struct machine m = fixture_machine(4, FIXTURE_AVX2);
        m.kinds[0].cache_count = caches;
        r = fixture_result(m, NULL);
        assert_int_equal(r.levels[0].count, caches + 1);
        draw_all(&r, &(struct chart_options){0});
        results_free(&r);
    }
    r = fixture_result(fixture_machine(4, FIXTURE_AVX2), &(struct plan_options){.isas = {"sse"}, .isa_count = 1});
    draw_all(&r, &(struct chart_options){0});
    results_free(&r);
}

static void parts_of_a_result(void **state) {
    (void)state;
    struct result r = fixture_result(fixture_machine(4, FIXTURE_AVX2), NULL), part = r;
    size_t compute = 0;
    while (compute < r.sample_count && r.samples[compute].kind == SAMPLE_COMPUTE)
        compute++;
    part.sample_count = compute; /* no memory: ceilings alone */
    drawn(&part, &chart_table[0], &(struct chart_options){0});
    part.sample_count = 1;
    drawn(&part, &chart_table[0], &(struct chart_options){.type = "f64"});
    part.samples = r.samples + compute; /* no ceilings */
    part.sample_count = 20;
    refused(&part, &chart_table[0], &(struct chart_options){0}, "no f64 compute ceiling", "carmine show");
    part.sample_count = 0;
    refused(&part, &chart_table[0], &(struct chart_options){0}, "ceiling", "carmine show");
    part = r;
    part.curve_count = 0;
    refused(&part, &chart_table[1], &(struct chart_options){0}, "no bandwidth", "carmine sweep");
    refused(&part, &chart_table[2], &(struct chart_options){0}, "no latency", "--mix chase");
    results_free(&r);
}

static void choices_that_the_result_lacks(void **state) {
    (void)state;
    struct result r = fixture_result(fixture_machine(4, FIXTURE_AVX2), NULL);
    refused(&r, &chart_table[0], &(struct chart_options){.threads = 3}, "3 threads", "carmine show");
    refused(&r, &chart_table[0], &(struct chart_options){.isa = "avx512"}, "avx512", "carmine show");
    refused(&r, &chart_table[0], &(struct chart_options){.type = "f16"}, "f16", "carmine show");
    refused(&r, &chart_table[0], &(struct chart_options){.op = "ntload"}, "ntload", "carmine show");
    refused(&r, &chart_table[1], &(struct chart_options){.threads = 3}, "no bandwidth", "carmine sweep");
    struct model model = model_build(&r);
    struct error err;
    for (const struct chart *chart = chart_table; chart < chart_table + OF_EVERY_RUN; chart++) {
        assert_false(chart->draw(&model, &(struct chart_options){0}, fixture_path("x.jpeg"), &err));
        assert_contains(err.text, "jpeg");
        assert_false(chart->draw(&model, &(struct chart_options){0}, "/no/such/folder/x.svg", &err));
        assert_contains(err.text, "/no/such/folder/x.svg");
        assert_false(
            chart->draw(&model, &(struct chart_options){.width = 1, .height = 1}, fixture_path("y.svg"), &err));
    }
    model_free(&model);
    results_free(&r);
}

static void doubts_are_drawn(void **state) {
    (void)state;
    struct result r = fixture_result(fixture_machine(4, FIXTURE_AVX512), NULL);
    size_t plain = drawn(&r, &chart_table[0], &(struct chart_options){0});
    for (size_t i = 0; i < r.sample_count; i++)
        r.samples[i].doubts = ~0u;
    for (unsigned i = 0; i < r.levels[0].count; i++)
        r.levels[0].level[i].disagrees = true, r.levels[0].level[i].effective_bytes /= 3;
    memset(r.uarch_doubt, 'd', sizeof r.uarch_doubt - 1);
    r.environment.interrupted = true;
    draw_all(&r, &(struct chart_options){0});
    assert_true(drawn(&r, &chart_table[0], &(struct chart_options){0}) > plain);

    char store[CHART_MAX_NOTES][CHART_NOTE_BYTES];
    const char *notes[CHART_MAX_NOTES];
    const struct sample *samples[16];
    for (size_t i = 0; i < 16; i++)
        samples[i] = &r.samples[i];
    size_t count = chart_notes(&r, samples, 16, store, notes);
    assert_int_equal(count, CHART_MAX_NOTES); /* more than fit; the levels come first */
    assert_contains(notes[0], "L1 detected as");
    r.uarch_doubt[0] = '\0';
    r.environment.interrupted = false;
    for (unsigned i = 0; i < r.levels[0].count; i++)
        r.levels[0].level[i].disagrees = false;
    for (size_t i = 0; i < r.sample_count; i++)
        r.samples[i].doubts = i == 3 ? DOUBT_UNSTABLE : 0;
    assert_int_equal(chart_notes(&r, samples, 16, store, notes), 1);
    assert_contains(notes[0], "unstable");
    assert_contains(notes[0], r.samples[3].kernel); /* which one */
    results_free(&r);
}

/* A file may hold any finite number that is not negative: a picture or an error, but no crash and no NaN. */
static void extreme_values(void **state) {
    (void)state;
    static const double values[] = {0, 1e-300, 1e-9, 1, 1e30, 1e300};
    for (size_t v = 0; v < 36; v++) {
        struct result r = fixture_result(fixture_machine(2, FIXTURE_AVX2), NULL);
        for (size_t i = 0; i < r.sample_count; i++)
            r.samples[i].value = values[r.samples[i].kind == SAMPLE_COMPUTE ? v % 6 : v / 6];
        for (size_t i = 0; i < 40; i++)
            r.curves[i / 20].points[i % 20].value = values[(v + i) % 6];
        r.curves[0].points[3].working_set_bytes = 0;
        r.curves[0].points[4].working_set_bytes = UINT64_C(1) << 62;
        struct model model = model_build(&r);
        for (const struct chart *chart = chart_table; chart->name; chart++) {
            struct error err = {""};
            if (chart->draw(&model, &(struct chart_options){0}, fixture_path("odd.svg"), &err)) {
                size_t length;
                char *text = fixture_read(fixture_path("odd.svg"), &length);
                assert_null(strstr(text, "nan"));
                assert_null(strstr(text, "inf"));
                free(text);
            } else {
                assert_true(strlen(err.text) > 10);
            }
        }
        model_free(&model);
        results_free(&r);
    }
}

static void labels(void **state) {
    (void)state;
    static const struct {
        const char *kernel, *label;
        enum sample_kind kind;
    } rows[] = {
        {"avx512.f64.fma", "AVX-512 FMA", SAMPLE_COMPUTE},
        {"avx512.2ld1st", "2LD1ST", SAMPLE_BANDWIDTH},
        {"sse.load", "load", SAMPLE_BANDWIDTH},
        {"chase", "pointer chase", SAMPLE_LATENCY},
        {"nonsense", "NONSENSE", SAMPLE_COMPUTE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sample s = {.kind = rows[i].kind};
        strcpy(s.kernel, rows[i].kernel);
        struct model model = model_build(&(struct result){.sample_count = 1, .samples = &s});
        char text[64];
        chart_label(&model.roofs[0], text, sizeof text);
        assert_string_equal(text, rows[i].label);
        model_free(&model);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_thread_and_many),
        cmocka_unit_test(machines_of_other_shapes),
        cmocka_unit_test(parts_of_a_result),
        cmocka_unit_test(choices_that_the_result_lacks),
        cmocka_unit_test(doubts_are_drawn),
        cmocka_unit_test(extreme_values),
        cmocka_unit_test(labels),
    };
    return cmocka_run_group_tests(tests, fixture_folder_make, fixture_folder_remove);
}
