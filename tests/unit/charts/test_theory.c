/* SPDX-License-Identifier: BSD-3-Clause
 * Theory's values for workloads, derived by hand, and its lines beside measured points. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "carm/model/theory.h"
#include "tests/support/series.h"

static const struct theory *row(const char *program) {
    const struct theory *out = theory_table;
    while (out->program && strcmp(out->program, program) != 0)
        out++;
    assert_non_null(out->program);
    return out;
}

static double bytes(const char *program, double n, double cache_bytes, double block) {
    const struct theory_case of = {
        .n = n, .element_bytes = 8, .block = block, .cache_bytes = cache_bytes, .line_bytes = 64};
    return row(program)->bytes(&of);
}

static double misses(const char *program, double n, double block, double entries) {
    const struct theory_case of = {.n = n, .element_bytes = 8, .block = block};
    return row(program)->tlb_misses(&of, entries);
}

/* The thesis' machine has 2 MiB: B fits up to n = 512; n/16, then 1/4 flop per byte. */
static void three_loops(void **state) {
    const double cache = 2 << 20;
    (void)state;
    assert_near(bytes("dgemm-triple", 100, cache, 0), 32e4);
    assert_near(row("dgemm-triple")->flop(100) / bytes("dgemm-triple", 100, cache, 0), 100.0 / 16);
    assert_near(bytes("dgemm-triple", 512, cache, 0), 32.0 * 512 * 512);
    assert_near(bytes("dgemm-triple", 1000, cache, 0), 8 * (1e9 + 3e6));
    assert_true(fabs(2e9 / bytes("dgemm-triple", 1000, cache, 0) - 0.25) < 0.001);
    /* of 64 KiB a column of 1024 lines stays, of one more row no longer */
    assert_near(bytes("dgemm-triple", 1024, 65536, 0), 8 * (1024.0 * 1024 * 1024 + 3.0 * 1024 * 1024));
    assert_near(bytes("dgemm-triple", 1025, 65536, 0), 64.0 * 1025 * 1025 * 1025 + 24.0 * 1025 * 1025);
}

/* N_B / 4 while a row of blocks stays, N_B / 8 beyond; the thesis: up to n = 5243 with blocks of 50 in 2 MiB. */
static void blocks(void **state) {
    const double cache = 2 << 20, large = 5000, larger = 6000;
    (void)state;
    assert_near(bytes("dgemm-blocked", 512, cache, 50), 32.0 * 512 * 512);
    assert_near(bytes("dgemm-blocked", 1000, cache, 50), 8 * (3e6 + 1e9 / 50));
    assert_near(bytes("dgemm-scalar-replacement", 1000, cache, 50), 8 * (3e6 + 1e9 / 50));
    assert_true(fabs(2 * pow(large, 3) / bytes("dgemm-blocked", large, cache, 50) - 12.5) < 0.4);
    assert_near(bytes("dgemm-blocked", larger, cache, 50), 8 * (2 * 36e6 + 2 * 216e9 / 50));
    assert_true(fabs(2 * pow(larger, 3) / bytes("dgemm-blocked", larger, cache, 50) - 6.25) < 0.1);
}

/* 8 MiB of data in 1 MiB: three halvings pass over all of it, and then each eighth once. */
static void transforms(void **state) {
    const double n = 1 << 20, data = 8 * n;
    (void)state;
    assert_near(bytes("wht", n, 1 << 20, 0), 2 * data * 4);
    assert_near(bytes("wht", n, 1 << 23, 0), 2 * data);
    assert_near(bytes("wht", n, 1 << 22, 0), 2 * data * 2);
    assert_near(row("wht")->flop(n), 20 * n);
    /* 4 complex numbers of 16 bytes, a cache of one line: order 1 + 2 passes; stages of half = 1: 1, half = 2: 2 */
    assert_near(bytes("fft-radix2", 8, 64, 0), 2 * 128.0 * (3 + 1 + 2 + 4));
    /* 2^16 of them in 64 KiB: the stage of half = 1 passes over all once, that of 2 twice, those of 4 to 2048 four
     * times, as each pair fetches its lines; those of 4096 and more touch at most 16 lines, which stay */
    assert_near(bytes("fft-radix2", 65536, 65536, 0), 2 * 1048576.0 * (3 + 1 + 2 + 4 * 10 + 4));
    assert_near(bytes("fft-radix2", 4096, 65536, 0), 2 * 65536.0);
    assert_near(row("fft-radix2")->flop(8), 5 * 24 + 8 * 7 + 7 * 3);
    /* 4096 numbers stay: 2^12 in one pass, 2^13 to 2^24 in two */
    assert_near(bytes("fft-", 4096, 65536, 0), 2 * 65536.0);
    assert_near(bytes("fft-", 8192, 65536, 0), 2 * 2 * 131072.0);
    assert_near(bytes("fft-", 1 << 24, 65536, 0), 2 * 2 * 16.0 * (1 << 24));
    assert_near(bytes("fft-", 1 << 25, 65536, 0), 3 * 2 * 16.0 * (1 << 25));
    /* n = 8 with its table takes 256 bytes: stays; in 128: all once and its table (40 n), a half and two quarters,
     * which stay, and the order, 3 passes */
    assert_near(bytes("fft-split", 8, 256, 0), 48.0 * 8);
    assert_near(bytes("fft-split", 8, 128, 0), 40.0 * 8 + 32.0 * 8 + 3 * 32.0 * 8);
}

static void bounds(void **state) {
    (void)state;
    assert_near(bytes("dgemm-", 100, 1 << 20, 0), 32e4);
    assert_near(bytes("dgemm-", 4096, 1 << 15, 0), 8 * (pow(4096, 3) / (2 * sqrt(2) * 64) - 4096)); /* M = 4096 */
    for (double n = 100; n < 10000; n *= 1.3) { /* no algorithm moves fewer bytes */
        assert_true(bytes("dgemm-triple", n, 1 << 18, 0) >= bytes("dgemm-", n, 1 << 18, 0));
        assert_true(bytes("dgemm-blocked", n, 1 << 18, 50) >= bytes("dgemm-", n, 1 << 18, 0));
    }
}

/* The thesis' TLB has 128 entries: 3 n² / 512 below n = 256; n² min(n, n² / 512), which is n³ from n = 512 on. */
static void translations(void **state) {
    (void)state;
    assert_near(misses("dgemm-triple", 128, 0, 128), 3 * 32);
    assert_near(misses("dgemm-triple", 320, 0, 128), 320.0 * 320 * 200);
    assert_near(misses("dgemm-triple", 1000, 0, 128), 1e9);
    assert_near(misses("dgemm-triple", 1000, 0, 1536), 1000 * 1e6 / 512); /* a column's pages stay */
    assert_near(misses("dgemm-blocked", 128, 50, 128), 3 * 32);
    assert_near(misses("dgemm-blocked", 1000, 50, 128), 3e9 / 2500);
    assert_true(isnan(misses("dgemm-blocked", 400, 50, 128)));   /* rows shorter than a page */
    assert_true(isnan(misses("dgemm-blocked", 1000, 10, 128)));  /* 30 pages stay */
    assert_true(isnan(misses("dgemm-blocked", 1000, 512, 128))); /* rows of blocks are not within a page */
}

static void which_row(void **state) {
    struct app_point point = {.threads = 1, .program = "dgemm-blocked", .series = "dgemm-blocked N_B=20 cold 1 thread"};
    (void)state;
    point.size = 100, point.working_set_bytes = 240000;
    const struct theory *theory = theory_of(&point);
    assert_ptr_equal(theory, row("dgemm-blocked"));
    struct theory_case of = theory_case_of(theory, &point, 5e5);
    assert_near(of.block, 20);
    assert_near(of.element_bytes, 8);
    assert_near(of.cache_bytes, 5e5);
    point.cache_bytes = 1e6, point.working_set_bytes = 120000;
    strcpy(point.series, "dgemm-blocked f32 cold 1 thread");
    of = theory_case_of(theory, &point, 5e5);
    assert_near(of.block, 50);
    assert_near(of.element_bytes, 4);
    assert_near(of.cache_bytes, 1e6);
    assert_near(theory_case_at(&of, 7).n, 7);
    assert_near(theory_bytes(theory, &of, true), 0); /* 120 kB are still there */
    assert_near(theory_bytes(theory, &of, false), 16e4);
    of.cache_bytes = 1e5;
    assert_near(theory_bytes(theory, &of, true), 16e4);
    strcpy(point.program, "dgemm-blis");
    assert_ptr_equal(theory_of(&point), row("dgemm-"));
    strcpy(point.program, "fft-fftw");
    assert_ptr_equal(theory_of(&point), row("fft-"));
    strcpy(point.program, "wht2");
    assert_null(theory_of(&point));
    strcpy(point.program, "wht");
    assert_non_null(theory_of(&point));
    point.threads = 2;
    assert_null(theory_of(&point));
    point.threads = 1, *point.series = '\0'; /* a program of that name */
    assert_null(theory_of(&point));
    for (const struct theory *each = theory_table; each->program; each++)
        assert_true(*each->source && *each->formula && each->bytes && each->elements);
}

static void the_document_has_it(void **state) {
    size_t length;
    char *document = fixture_read("docs/workloads.md", &length), row_text[512];
    (void)state;
    for (const struct theory *each = theory_table; each->program; each++) {
        snprintf(row_text, sizeof row_text, "| %s | %s", each->formula, each->source);
        assert_contains(document, each->program);
        assert_contains(document, row_text);
    }
    free(document);
}

struct seen_theory {
    size_t dashed, vertices, rows;
    double first_y, last_y, first_x, last_x;
    char legend[3][160];
};

static void take(const struct plot *plot, void *taker) {
    struct seen_theory *seen = taker;
    *seen = (struct seen_theory){0};
    for (size_t i = 0; i < plot->line_count; i++) {
        const struct plot_line *line = &plot->lines[i];
        if (line->dash != PLOT_DASHED || line->width > 2)
            continue;
        if (line->label && seen->rows < 3)
            snprintf(seen->legend[seen->rows++], sizeof seen->legend[0], "%s", line->label);
        if (line->label || line->count == 0)
            continue;
        seen->dashed++;
        seen->vertices = line->count;
        seen->first_x = line->x[0], seen->last_x = line->x[line->count - 1];
        seen->first_y = line->y[0], seen->last_y = line->y[line->count - 1];
    }
}

static struct seen_theory seen_in(const struct result *r, const char *chart, struct chart_options options) {
    struct model model = model_build(r);
    struct error err = {""};
    struct seen_theory seen;
    options.take = take, options.taker = &seen;
    if (!chart_named(chart)->draw(&model, &options, NULL, &err))
        fail_msg("%s", err.text);
    model_free(&model);
    return seen;
}

static void add_products(struct result *r) {
    for (uint64_t n = 100; n <= 600; n += 100) {
        struct app_point *point = add_size(r, "dgemm-triple cold 1 thread", n, 1e-3);
        point->working_set_bytes = 24 * n * n;
        point->dram_read_bytes = app_once(24.0 * (double)(n * n));
        point->dram_write_bytes = app_once(8.0 * (double)(n * n));
        point->dram_source = SOURCE_SIMULATED;
        point->cache_bytes = 1 << 20;
        point->levels.links = 4;
        point->levels.tlb_misses[0] = point->levels.tlb_misses[1] = 1000;
        point->levels.tlb_entries[0] = 64;
        point->levels.tlb_entries[1] = 1536;
    }
}

static void beside_what_was_measured(void **state) {
    struct result r = four_cores();
    (void)state;
    add_products(&r);
    const struct chart_options dram = {.of = "dram"};
    struct seen_theory seen = seen_in(&r, "intensity", dram);
    assert_int_equal(seen.dashed, 1);
    assert_true(seen.vertices > 100);
    assert_near(seen.first_x, 100);
    assert_near(seen.first_y, 100.0 / 16);
    assert_near(seen.last_x, 600);
    assert_near(seen.last_y, 2 * pow(600, 3) / (8 * (pow(600, 3) + 3 * pow(600, 2))));
    assert_int_equal(seen.rows, 1);
    assert_string_equal(seen.legend[0], "by theory (Steinmann), 1 MiB of caches");
    assert_int_equal(seen_in(&r, "intensity", (struct chart_options){0}).dashed, 0); /* of the core's requests */
    assert_int_equal(seen_in(&r, "intensity", (struct chart_options){.dram = true}).dashed, 1);
    seen = seen_in(&r, "intensity", (struct chart_options){.of = "dram", .working_set = true});
    assert_near(seen.last_x, 24.0 * 600 * 600);
    seen = seen_in(&r, "tlb", (struct chart_options){.of = "first"});
    assert_near(seen.last_y, pow(600, 3));
    assert_string_equal(seen.legend[0], "by theory (Steinmann), a TLB of 64 entries");
    seen = seen_in(&r, "tlb", (struct chart_options){0});
    assert_near(seen.last_y, 3 * 600.0 * 600 / 512);
    r.points[0].levels.tlb_misses[1] = 0;
    char *picture = drawn(&r, "tlb", (struct chart_options){0});
    assert_contains(picture, "not drawn: dgemm-triple 100 (no misses)");
    free(picture);
    r.points[0].levels.tlb_misses[1] = 1000;
    for (size_t i = 0; i < r.point_count; i++) /* counted, with an unknown TLB */
        r.points[i].tlb_misses = app_once(7);
    assert_int_equal(seen_in(&r, "tlb", (struct chart_options){0}).dashed, 0);
    for (size_t i = 0; i < r.point_count; i++)
        r.points[i].cache_bytes = 0; /* an older file does not show which were simulated */
    assert_int_equal(seen_in(&r, "intensity", dram).dashed, 0);
    for (size_t i = 0; i < r.point_count; i++)
        r.points[i].dram_source = SOURCE_COUNTERS; /* then they are the machine's own */
    assert_int_equal(seen_in(&r, "intensity", dram).dashed, 1);
    free(drawn(&r, "tlb", (struct chart_options){0}));
    results_free(&r);
}

static void warm_data_that_moves_nothing(void **state) {
    struct result r = four_cores();
    (void)state;
    add_products(&r);
    r.points[0].dram_read_bytes = r.points[0].dram_write_bytes = app_once(0);
    r.points[1].dram_read_bytes = r.points[1].dram_write_bytes = (struct statistics){0};
    r.points[1].dram_source = SOURCE_UNKNOWN;
    char *text = drawn(&r, "intensity", (struct chart_options){.of = "dram"});
    assert_contains(text, "dgemm-triple 100 (no such bytes)");
    assert_contains(text, "dgemm-triple 200 (not known)");
    free(text);
    results_free(&r);
}

static void without_a_count_of_flop(void **state) {
    struct result r = four_cores();
    (void)state;
    for (uint64_t n = 1024; n <= 65536; n *= 8) {
        struct app_point *point = add_size(&r, "fft-fftw warm 1 thread", n, 1e-3);
        point->flop = app_once(3.0 * (double)n);
        point->pseudo_flop = 50.0 * (double)n;
        point->working_set_bytes = 16 * n;
        point->data = STATE_WARM;
        point->dram_read_bytes = point->dram_write_bytes = app_once(16.0 * (double)n);
        point->dram_source = SOURCE_SIMULATED;
        point->cache_bytes = 65536;
    }
    const struct seen_theory seen = seen_in(&r, "intensity", (struct chart_options){.of = "dram"});
    assert_int_equal(seen.vertices, 3); /* the sizes that were measured, with their flop */
    assert_true(isnan(seen.first_y));   /* 16 KiB were there */
    assert_near(seen.last_y, 3.0 / 64);
    assert_string_equal(seen.legend[0], "at most, by theory (Hong, Kung), 64 KiB of caches");
    assert_near(seen_in(&r, "intensity", (struct chart_options){.of = "dram", .pseudo_flop = true}).last_y, 50.0 / 64);
    results_free(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_loops),
        cmocka_unit_test(blocks),
        cmocka_unit_test(transforms),
        cmocka_unit_test(bounds),
        cmocka_unit_test(translations),
        cmocka_unit_test(which_row),
        cmocka_unit_test(the_document_has_it),
        cmocka_unit_test(beside_what_was_measured),
        cmocka_unit_test(without_a_count_of_flop),
        cmocka_unit_test(warm_data_that_moves_nothing),
    };
    return cmocka_run_group_tests(tests, fixture_folder_make, fixture_folder_remove);
}
