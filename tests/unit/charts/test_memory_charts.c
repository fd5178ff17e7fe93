/* SPDX-License-Identifier: BSD-3-Clause
 * Charts of made-up memory systems: what they mark, where lines of cores are, and what they say without data. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carm/chart/chart.h"
#include "tests/support/fixtures.h"
#include "tests/support/memories.h"

static struct result result;

static int begin(void **state) {
    (void)state;
    chance_seed = 5;
    result = fixture_result(fixture_machine(8, FIXTURE_AVX512), NULL);
    return 0;
}

static int end(void **state) {
    (void)state;
    results_free(&result);
    return 0;
}

/* What a chart shows, as text: "point loads" for each labelled point, then its sublabel; "mark roof 90 GB/s"; … */
static char shown[1 << 16];
static struct {
    size_t rows, lines, points, filled, spread, logarithmic;
    size_t roofs_cross; /* marks that end above the lowest point */
    double values[128 * 128];
} counted;

static void add(const char *kind, const char *text) {
    if (text)
        snprintf(shown + strlen(shown), sizeof shown - strlen(shown), "%s %s\n", kind, text);
}

static void take(const struct plot *plot, void *taker) {
    (void)taker;
    counted.lines = plot->line_count, counted.points = plot->point_count;
    counted.logarithmic = plot->y.scale == PLOT_LOG10;
    for (size_t i = 0; i < plot->point_count; i++) {
        const struct plot_point *point = &plot->points[i];
        add("point", point->label), add("  sub", point->sublabel);
        counted.filled += !point->hollow;
        counted.spread += point->y_min < point->y && point->y < point->y_max;
    }
    for (size_t i = 0; i < plot->line_count; i++)
        add("line", plot->lines[i].label), add("  sub", plot->lines[i].sublabel);
    for (size_t i = 0; i < plot->mark_count; i++) {
        add("mark", plot->marks[i].label);
        for (size_t k = 0; k < plot->point_count; k++)
            counted.roofs_cross += !(plot->marks[i].to > 0) || plot->marks[i].to > plot->points[k].y;
    }
    for (size_t i = 0; i < plot->note_count; i++)
        add("note", plot->notes[i]);
    add("footer", plot->footer);
    counted.rows = plot->heat ? plot->heat->rows : 0;
    for (size_t i = 0; i < counted.rows; i++)
        add("row", plot->heat->row_names[counted.rows - 1 - i]);
    if (plot->heat)
        memcpy(counted.values, plot->heat->values, counted.rows * counted.rows * sizeof *counted.values);
}

static void draw(const char *name, struct chart_options options) {
    struct error err;
    struct model model = model_build(&result);
    shown[0] = '\0';
    memset(&counted, 0, sizeof counted);
    options.take = take;
    if (!chart_named(name)->draw(&model, &options, NULL, &err))
        fail_msg("%s", err.text);
    options.take = NULL;
    for (size_t i = 0; i < 2; i++) {
        static const char *const FILES[] = {"x.svg", "x.pdf"};
        if (!chart_named(name)->draw(&model, &options, fixture_path(FILES[i]), &err))
            fail_msg("%s: %s", FILES[i], err.text);
    }
    model_free(&model);
}

/* In a terminal. */
static void written(const char *name, const char *says) {
    struct error err;
    char *text = NULL;
    struct model model = model_build(&result);
    const struct plot_terminal terminal = {.columns = 80, .unicode = true};
    if (!chart_named(name)->draw(&model, &(struct chart_options){.terminal = &terminal, .text = &text}, NULL, &err))
        fail_msg("%s", err.text);
    model_free(&model);
    fixture_says(text, says);
}

static void refused(const char *name, const char *of, const char *says) {
    struct error err = {""};
    struct model model = model_build(&result);
    assert_false(chart_named(name)->draw(&model, &(struct chart_options){.of = of}, fixture_path("none.svg"), &err));
    assert_contains(err.text, says);
    assert_contains(err.text, "`carmine memory -o FILE` measures");
    model_free(&model);
}

static void without_data(void **state) {
    (void)state;
    refused("loaded", NULL, "memory under load");
    refused("loaded", "l3", "L3 under load");
    refused("mlp", NULL, "parallel pointer chases");
    refused("cores", NULL, "from core to core;");
    refused("cores", "store", "by stores");
    refused("pages", NULL, "touched pages");
    memories_loaded(&result.memory, "avx512.load", 7, 100e-9, 20e-9, 90e9, 0.98);
    refused("loaded", "l3", "L3 under load");
}

static void set_roofs(double bytes_per_s) {
    for (size_t i = 0; i < result.sample_count; i++)
        if (strcmp(result.samples[i].level, "DRAM") == 0 && result.samples[i].kind == SAMPLE_BANDWIDTH)
            result.samples[i].value = bytes_per_s;
}

static void a_queue(void **state) {
    (void)state;
    set_roofs(90e9);
    memories_loaded(&result.memory, "avx512.load", 7, 100e-9, 20e-9, 90e9, 0.98);
    draw("loaded", (struct chart_options){0});
    assert_contains(shown, "point idle 100 ns\n");
    assert_contains(shown, "point loads\n  sub 88.2 GB/s, 590 ns\n");
    assert_contains(shown, "point knee 76.5 GB/s\n  sub loads\n");
    assert_contains(shown, "mark roof of loads 90 GB/s\n");
    assert_true(counted.roofs_cross == 0);
    assert_null(strstr(shown, "note"));
    assert_int_equal(counted.filled, 1);
    assert_int_equal(counted.spread, counted.points);
    assert_false(counted.logarithmic);
    memories_loaded(&result.memory, "avx512.ntstore", 7, 100e-9, 100e-9, 90e9, 0.98);
    draw("loaded", (struct chart_options){0});
    assert_contains(shown, "point non-temporal stores\n");
    assert_true(counted.logarithmic); /* the end is 25 times the beginning */
    written("loaded", "loads: 590 ns at 88.2\n");
}

/* Limits between two points of a curve leave its name beside its line. */
static void limits_between_points(void **state) {
    struct error err;
    struct chart_options options = {0};
    (void)state;
    memories_loaded(&result.memory, "avx512.load", 7, 100e-9, 20e-9, 90e9, 0.98);
    assert_true(limits_read("xlim", "82:85", &options.limits.x, &err));
    draw("loaded", options);
    assert_int_equal(counted.points, 0);
    assert_contains(shown, "line loads\n");
    assert_true(limits_read("xlim", "80:84", &options.limits.x, &err));
    draw("loaded", options);
    assert_contains(shown, "point loads\n");
    assert_null(strstr(shown, "line loads"));
}

static void loaders_that_are_too_slow(void **state) {
    (void)state;
    set_roofs(300e9);
    memories_loaded(&result.memory, "avx512.load", 1, 155e-9, 2e-9, 300e9, 0.4);
    draw("loaded", (struct chart_options){0});
    assert_contains(shown, "note the curve ends at the loaders' limit");
    assert_int_equal(counted.filled, 0); /* no knee */
    result.memory.series[0].points[3].doubts = DOUBTS(DOUBT_UNSTABLE);
    draw("loaded", (struct chart_options){0});
    assert_contains(shown, "note unstable: 1 of 5 points");
    assert_null(strstr(shown, "fall"));
    result.memory.series[0].points[3].latency_s = memories_number(100e-9, 0.02);
    draw("loaded", (struct chart_options){0});
    assert_contains(shown, "note 1 of 1 curves fall: ");
    strcpy(result.memory.series[0].level, "L3");
    draw("loaded", (struct chart_options){.of = "l3"});
    assert_contains(shown, "note the curve ends at the loaders' limit, not at the L3's");
}

/* Two nodes with all their traffic: the first place has all curves, the others loads; --place shows all of one. */
static void several_nodes(void **state) {
    (void)state;
    static const char *const KERNELS[] = {"avx512.load", "avx512.axpy", "avx512.update"};
    for (unsigned place = 0; place < 4; place++)
        for (size_t k = 0; k < 3; k++) {
            struct memory_series *series =
                memories_loaded(&result.memory, KERNELS[k], 7, place % 3 ? 180e-9 : 100e-9, 20e-9, 90e9, 0.9);
            series->node = 1 + place / 2, series->memory_node = 1 + place % 2;
        }
    draw("loaded", (struct chart_options){0});
    assert_int_equal(counted.lines, 6);
    assert_contains(shown, "point 2 loads : 1 store, node 0\n");
    assert_contains(shown, "point loads, node 0 → node 1\n");
    assert_contains(shown, "point loads, node 1\n");
    assert_null(strstr(shown, "update, node 1"));
    assert_contains(shown, "note 6 more curves: --place");
    assert_contains(shown, "point idle 180 ns\n");
    draw("loaded", (struct chart_options){.node = 2});
    assert_int_equal(counted.lines, 6);
    assert_contains(shown, "point update, node 1 → node 0\n");
}

static void chases(void **state) {
    (void)state;
    memories_parallel(&result.memory, "DRAM", 118e-9, 22);
    result.memory.series[0].count = 1; /* of an interrupted measurement */
    draw("mlp", (struct chart_options){0});
    assert_contains(shown, "point ≥ 1 lines at a time\n");
    memory_system_free(&result.memory);
    memories_parallel(&result.memory, "DRAM", 118e-9, 22);
    memories_parallel(&result.memory, "L3", 20e-9, 100);
    draw("mlp", (struct chart_options){0});
    assert_contains(shown, "point 22 lines at a time\n");
    assert_contains(shown, "point ≥ 40 lines at a time\n"); /* more than were tried */
    assert_contains(shown, "line DRAM\n  sub 11.9 GB/s\n");
    assert_contains(shown, "line perfect overlap of all chases\n");
    assert_int_equal(counted.lines, 4);
    written("mlp", "22 lines at a time: 11.");
}

static void pages(void **state) {
    (void)state;
    memories_pages(&result.memory, 4096, 64, 1536, 2e-9, 13e-9);
    memories_pages(&result.memory, 2 << 20, 32, 1024, 2e-9, 9e-9);
    draw("pages", (struct chart_options){0});
    assert_contains(shown, "point pages of 4 KiB\n  sub a walk adds 13 ns\n");
    assert_contains(shown, "mark 64 × 4 KiB\n");
    assert_contains(shown, "mark 1536 × 4 KiB\n");
    assert_contains(shown, "mark 32 × 2 MiB\n");
    assert_int_equal(counted.lines, 2); /* not the chase over few pages */
}

/* Even CPUs are in one package, odd ones in the other: rows of a package are beside each other. */
static void interleaved_packages(void **state) {
    (void)state;
    static const struct memories_shared ALL = {"L3", 8, 50e-9, 0, 0};
    memories_pairs(&result.memory, 8, &ALL, 0.01, 0);
    for (size_t i = 0; i < result.memory.pair_count; i++) {
        struct handover *pair = &result.memory.pairs[i];
        if ((pair->first + pair->second) % 2 == 0)
            continue;
        strcpy(pair->shares, "machine");
        for (int k = 0; k < 2; k++)
            pair->swap_s[k] = memories_number(k ? 250e-9 : 200e-9, 0.02);
    }
    result.memory.pairs[0].swap_s[0] = (struct memory_number){0}; /* CPU 0 → CPU 1 */
    draw("cores", (struct chart_options){0});
    assert_contains(shown, "row 0\nrow 2\nrow 4\nrow 6\nrow 1\nrow 3\nrow 5\nrow 7\n");
    assert_contains(shown, "same L3 ");
    assert_contains(shown, "other package 2");
    assert_int_equal(counted.rows, 8);
    assert_true(isinf(counted.values[7 * 8 + 0])); /* the first row is at the top; CPU 0 and itself */
    assert_true(isnan(counted.values[7 * 8 + 4])); /* CPU 0 touched the page, and CPU 1: not measured */
    assert_near(counted.values[3 * 8 + 0], 250);   /* CPU 1 touched the page, and CPU 0 */
    assert_near(counted.values[7 * 8 + 5], 200);   /* CPU 0, and CPU 3 */
    written("cores", "CPU that touched the page first");
}

/* More CPUs than cells: a cell is the median of a block. */
static void many_cpus(void **state) {
    (void)state;
    static const struct memories_shared PARTS[] = {{"L3", 50, 50e-9, 0, 0}, {"package", 200, 100e-9, 0, 0}};
    memories_pairs(&result.memory, 150, PARTS, 0, 0);
    result.memory.pairs_planned++;
    draw("cores", (struct chart_options){0});
    assert_int_equal(counted.rows, 75);
    assert_contains(shown, "row 148+\n");
    assert_contains(shown, "note 11175 of 11176 pairs are measured\n");
    assert_contains(shown, "2 × 2 CPUs");
    assert_near(counted.values[74 * 75 + 0], 50);
    assert_near(counted.values[74 * 75 + 74], 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(without_data, begin, end),
        cmocka_unit_test_setup_teardown(a_queue, begin, end),
        cmocka_unit_test_setup_teardown(limits_between_points, begin, end),
        cmocka_unit_test_setup_teardown(loaders_that_are_too_slow, begin, end),
        cmocka_unit_test_setup_teardown(several_nodes, begin, end),
        cmocka_unit_test_setup_teardown(chases, begin, end),
        cmocka_unit_test_setup_teardown(pages, begin, end),
        cmocka_unit_test_setup_teardown(interleaved_packages, begin, end),
        cmocka_unit_test_setup_teardown(many_cpus, begin, end),
    };
    return cmocka_run_group_tests(tests, fixture_folder_make, fixture_folder_remove);
}
