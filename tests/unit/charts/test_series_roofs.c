/* SPDX-License-Identifier: BSD-3-Clause
 * Roofs and scales for a picture of series: of the patterns of the points, per cycle, pseudo flop. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carm/model/verdict.h"
#include "tests/support/series.h"

static double slope(const struct roofs *roofs, size_t i) {
    return roofs->lines[i].y[0] / roofs->lines[i].x[0];
}

/* Roofs by loaded or stored bytes: the fastest pattern, or among equally fast ones the one with only loads or
 * stores. */
static void reads_and_writes_have_roofs_of_their_own(void **state) {
    static struct roofs roofs;
    static struct points points;
    static const struct {
        enum chart_bytes bytes;
        const char *label;
        double x; /* of the point */
    } rows[] = {{BYTES_LOADED, "DRAM  load", 1.0 / 8},
                {BYTES_STORED, "DRAM  non-temporal store", 1.0 / 4},
                {BYTES_DRAM_READ, "DRAM  load", 1.0 / 10},
                {BYTES_DRAM_WRITTEN, "DRAM  non-temporal store", 1.0 / 5}};
    struct result r = four_cores();
    (void)state;
    add_series(&r, "daxpy cold 1 thread", HUNDREDS, 5, 1e8);
    for (size_t i = 0; i < 5; i++) {
        r.points[i].dram_read_bytes = app_once(r.points[i].flop.median * 10);
        r.points[i].dram_write_bytes = app_once(r.points[i].flop.median * 5);
        r.points[i].dram_source = SOURCE_COUNTERS;
    }
    for (size_t i = 0; i < r.sample_count; i++) {
        struct sample *sample = &r.samples[i];
        if (sample->kind != SAMPLE_BANDWIDTH || strcmp(sample->level, "DRAM") != 0 || sample->threads != 1)
            continue;
        const char *op = strchr(sample->kernel, '.') + 1;
        sample->value = strcmp(op, "load") == 0      ? 10e9
                        : strcmp(op, "ntstore") == 0 ? 9e9
                        : strcmp(op, "store") == 0   ? 4e9
                        : strcmp(op, "axpy") == 0    ? 15.1e9 /* its loads are 10.07e9: no more than of loads alone */
                                                     : 6e9;
    }
    struct model model = model_build(&r);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        find(&model, &(struct chart_options){0}, rows[i].bytes, &roofs, &points);
        roofs_draw(&roofs);
        const struct plot_line *line = &roofs.lines[roofs.line_count - 1];
        bool dram = chart_is_dram(rows[i].bytes);
        assert_int_equal(roofs.level_count, dram ? 1 : 4);
        assert_int_equal(points.count, 5);
        assert_near(points.points[0].x, rows[i].x);
        assert_string_equal(line->label, rows[i].label);
        if (rows[i].bytes == BYTES_LOADED)
            assert_near(slope(&roofs, roofs.line_count - 1), 10e9);
        if (rows[i].bytes == BYTES_STORED)
            assert_near(slope(&roofs, roofs.line_count - 1), 9e9);
        if (rows[i].bytes == BYTES_STORED)
            assert_near(roofs.band_low[roofs.band_count - 1][0] / roofs.band_x[roofs.band_count - 1][0], 4e9);
        assert_contains(roofs.x_title, rows[i].bytes == BYTES_LOADED   ? "Read intensity  [flop per byte loaded"
                                       : rows[i].bytes == BYTES_STORED ? "Write intensity  [flop per byte stored"
                                       : rows[i].bytes == BYTES_DRAM_READ
                                           ? "Read intensity  [flop per byte read from memory"
                                           : "Write intensity  [flop per byte written to memory");
    }
    fixture_says(drawn(&r, "read", (struct chart_options){0}),
                 "read from memory, counters"); /* known, so it is drawn */
    fixture_says(drawn(&r, "read", (struct chart_options){.of = "core"}), "loaded by the core");
    fixture_says(drawn(&r, "write", (struct chart_options){.of = "dram"}), "written to memory");
    for (size_t i = 0; i < 5; i++)
        r.points[i].dram_source = SOURCE_UNKNOWN;
    fixture_says(drawn(&r, "write", (struct chart_options){0}), "stored by the core");
    for (size_t i = 0; i < 5; i++)
        r.points[i].store_bytes = app_once(0);
    fixture_says(drawn(&r, "write", (struct chart_options){0}), "(no such bytes)");
    model_free(&model);
    results_free(&r);
}

static void shares_of_patterns(void **state) {
    static const struct {
        const char *kernel;
        double load, store, read, written;
    } rows[] = {{"avx2.load", 1, 0, 1, 0},       {"avx2.store", 0, 1, 1, 1},
                {"avx2.ntstore", 0, 1, 0, 1},    {"avx2.2ld1st", 2. / 3, 1. / 3, 1, 1. / 3},
                {"avx2.update", .5, .5, .5, .5}, {"avx2.random", 0, 0, 0, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sample sample = {.kind = SAMPLE_BANDWIDTH, .value = 9e9};
        strcpy(sample.kernel, rows[i].kernel);
        struct model model = model_build(&(struct result){.sample_count = 1, .samples = &sample});
        const struct pattern_share share = pattern_share(&model.roofs[0]);
        assert_near(share.load, rows[i].load);
        assert_near(share.store, rows[i].store);
        assert_near(share.read, rows[i].read);
        assert_near(share.written, rows[i].written);
        model_free(&model);
    }
}

static void per_cycle_by_every_clock(void **state) {
    static struct roofs roofs;
    static struct points points;
    struct result r = four_cores();
    (void)state;
    add_series(&r, "daxpy cold 1 thread", HUNDREDS, 5, 1e8);
    struct app_point *own = &r.points[0];
    own->clock_hz = 2e9;
    for (size_t i = 0; i < r.sample_count; i++) { /* every roof at a clock of its own */
        r.samples[i].clock_hz = 1e9 + 1e6 * (double)i;
        r.samples[i].value = r.samples[i].kind == SAMPLE_LATENCY
                                 ? r.samples[i].per_cycle / r.samples[i].clock_hz
                                 : r.samples[i].per_cycle * r.samples[i].threads * r.samples[i].clock_hz;
    }
    struct model model = model_build(&r);
    find(&model, &(struct chart_options){.per_cycle = true}, BYTES_CORE, &roofs, &points);
    roofs_draw(&roofs);
    for (size_t i = 0; i < roofs.line_count; i++) {
        bool level = roofs.drawn[i]->kind == SAMPLE_BANDWIDTH;
        assert_near(level ? slope(&roofs, i) : roofs.lines[i].y[0], roofs.drawn[i]->per_cycle);
    }
    assert_string_equal(roofs.y.title, "Performance  [flop/cycle]");
    assert_true(points.clocks_assumed);
    for (size_t i = 0; i < 5; i++) {
        const struct app_point *point = &r.points[i];
        const struct verdict verdict = verdict_find(&model, point);
        const struct roof *binding = verdict.bandwidth ? verdict.bandwidth : verdict.ceiling;
        double clock_hz = i == 0 ? 2e9 : binding->sample->clock_hz, height = app_flop_per_s(point) / clock_hz;
        bool found = false;
        for (size_t k = 0; k < points.count; k++)
            found |= fabs(points.points[k].y - height) < 1e-9 * height;
        assert_true(found);
    }
    roofs = (struct roofs){0};
    r.points[0].threads = 4; /* all cores together */
    char *text = drawn(&r, "roofline", (struct chart_options){.per_cycle = true, .threads = 4});
    assert_contains(text, "flop/cycle of 4 cores together");
    fixture_says(text, "own clock");
    fixture_says(drawn(&r, "performance", (struct chart_options){.per_cycle = true}), "flop/cycle");
    fixture_says(drawn(&r, "sweep", (struct chart_options){.per_cycle = true}), "B/cycle");
    fixture_says(drawn(&r, "latency", (struct chart_options){.per_cycle = true}), "[cycles]");
    fixture_says(drawn(&r, "scaling", (struct chart_options){.per_cycle = true}), "ceiling  [flop/cycle]");
    for (size_t i = 0; i < 20; i++)
        r.curves[0].points[i].per_cycle = 0;
    refused(&r, "sweep", (struct chart_options){.per_cycle = true}, "clock");
    for (size_t i = 0; i < r.sample_count; i++)
        r.samples[i].per_cycle = r.samples[i].clock_hz = 0;
    refused(&r, "roofline", (struct chart_options){.per_cycle = true}, "clock");
    refused(&r, "scaling", (struct chart_options){.per_cycle = true}, "no kernel");
    model_free(&model);
    results_free(&r);
}

static void pseudo_flop_replace_flop(void **state) {
    static struct roofs roofs;
    static struct points points;
    struct result r = four_cores();
    (void)state;
    add_series(&r, "fft cold 1 thread", POWERS, 4, 1e8);
    add_series(&r, "daxpy cold 1 thread", POWERS, 4, 1e8);
    for (size_t i = 0; i < 4; i++)
        r.points[i].pseudo_flop = 3 * r.points[i].flop.median;
    struct model model = model_build(&r);
    find(&model, &(struct chart_options){.pseudo_flop = true}, BYTES_CORE, &roofs, &points);
    size_t pseudo = 0, own = 0;
    for (size_t i = 0; i < points.count; i++) {
        pseudo += fabs(points.points[i].x - 3.0 / 12) < 1e-9;
        own += fabs(points.points[i].x - 1.0 / 12) < 1e-9;
    }
    assert_int_equal(pseudo, 4);
    assert_int_equal(own, 4);
    fixture_says(drawn(&r, "roofline", (struct chart_options){.pseudo_flop = true}), "pseudo-flop");
    fixture_says(drawn(&r, "performance", (struct chart_options){.pseudo_flop = true}), "pseudo-flop");
    model_free(&model);
    results_free(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_and_writes_have_roofs_of_their_own),
        cmocka_unit_test(shares_of_patterns),
        cmocka_unit_test(per_cycle_by_every_clock),
        cmocka_unit_test(pseudo_flop_replace_flop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
