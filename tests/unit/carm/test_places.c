/* SPDX-License-Identifier: BSD-3-Clause
 * Results of machines with several packages, memory nodes and kinds of memory: which roofs belong together, the matrix
 * from node to node, and writing and reading in file, table and JSON. Made-up numbers on recorded topologies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carm/chart/chart.h"
#include "carm/chart/chart_parts.h"
#include "carm/model/model.h"
#include "carm/report/report.h"
#include "tests/support/fixtures.h"

static struct result result_of(const char *name, const struct plan_options *options) {
    char path[64];
    struct machine m;
    struct error err;
    snprintf(path, sizeof path, "tests/topologies/%s.xml", name);
    if (!machine_load(&m, path, &err))
        fail_msg("%s", err.text);
    m.cpu.features = FIXTURE_AVX2;
    return fixture_result(m, options);
}

static void places_are_apart(void **state) {
    (void)state;
    struct result r = result_of("nodes", NULL); /* two packages of two nodes of four cores */
    struct model model = model_build(&r);
    struct model_view places[16];
    static const struct { unsigned threads, package, node; } wanted[] = {{1, 0, 0}, {4, 0, 1}, {8, 1, 0}, {16, 0, 0}};
    assert_int_equal(model_places(&model, places, 16), 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(places[i].threads, wanted[i].threads);
        assert_int_equal(places[i].package, wanted[i].package);
        assert_int_equal(places[i].node, wanted[i].node);
        assert_int_equal(places[i].memory_node, 0); /* cells of the matrix are no separate place */
        struct model_level band;
        assert_true(model_level(&model, &places[i], "DRAM", &band));
        assert_non_null(model_peak(&model, &places[i]));
    }
    assert_int_equal(model_places(&model, places, 2), 2);
    struct model_level band;
    assert_false(model_level(&model, &(struct model_view){.threads = 4}, "L1", &band));
    assert_true(model_level(&model, &(struct model_view){.threads = 4, .node = 1}, "L1", &band));
    assert_false(model_level(&model, &(struct model_view){.threads = 4, .node = 2}, "L1", &band));
    model_free(&model);
    results_free(&r);
}

static void matrix(void **state) {
    (void)state;
    struct result r = result_of("nodes", NULL);
    struct model model = model_build(&r);
    struct model_matrix m;
    for (int kind = SAMPLE_BANDWIDTH; kind <= SAMPLE_LATENCY; kind++) {
        assert_true(model_matrix(&model, (enum sample_kind)kind, &m));
        assert_int_equal(m.rows, 4);
        assert_int_equal(m.columns, 4);
        for (unsigned i = 0; i < 4; i++) {
            assert_int_equal(m.row_node[i], i);
            assert_int_equal(m.column_node[i], i);
            assert_string_equal(m.column_kind[i], "DRAM");
            for (unsigned j = 0; j < 4; j++) {
                assert_int_equal(m.roof[i][j]->sample->threads, kind == SAMPLE_LATENCY ? 1 : 4);
                assert_int_equal(m.roof[i][j]->sample->node, i + 1);
                assert_int_equal(m.roof[i][j]->sample->memory_node, j + 1);
            }
        }
    }
    model_free(&model);
    results_free(&r);

    r = result_of("clusters", NULL); /* one node */
    model = model_build(&r);
    assert_false(model_matrix(&model, SAMPLE_BANDWIDTH, &m));
    model_free(&model);
    results_free(&r);

    r = result_of("memory", NULL); /* rows are nodes with cores, columns are nodes with memory */
    model = model_build(&r);
    assert_true(model_matrix(&model, SAMPLE_BANDWIDTH, &m));
    assert_int_equal(m.rows, 2);
    assert_int_equal(m.columns, 5);
    assert_int_equal(m.row_node[1], 2);
    assert_string_equal(m.column_kind[3], "HBM");
    assert_string_equal(m.column_kind[4], "DRAM");
    assert_int_equal(m.roof[0][1]->sample->threads, 4); /* the roof's one thread is no cell */
    model_free(&model);
    results_free(&r);
}

static void smt_is_apart(void **state) {
    (void)state;
    struct result r = result_of("clusters", NULL);
    r.samples[0].threads = 8, r.samples[0].cores = 4, r.samples[0].value = 1e15; /* impossible for eight cores */
    struct model model = model_build(&r);
    const struct roof *peak = model_peak(&model, &(struct model_view){.threads = 8});
    assert_true(peak && peak->sample->value < 1e15);
    peak = model_peak(&model, &(struct model_view){.threads = 8, .smt = true});
    assert_true(peak && peak->sample == &r.samples[0]);
    model_free(&model);
    results_free(&r);
}

/* Four caches leave room for several kinds of memory. */
static void other_memory_beside_four_caches(void **state) {
    (void)state;
    struct result r = result_of("broadwell_l4", NULL);
    const size_t count = r.sample_count;
    r.samples = realloc(r.samples, 2 * count * sizeof *r.samples);
    for (size_t i = 0; i < count; i++)
        if (strcmp(r.samples[i].level, "DRAM") == 0) {
            r.samples[r.sample_count] = r.samples[i];
            r.samples[r.sample_count].memory_node = 2;
            snprintf(r.samples[r.sample_count++].level, sizeof r.samples[0].level, "HBM");
        }
    struct model model = model_build(&r);
    const struct model_view view = {.threads = 4};
    static const char *const NAMES[] = {"L1", "L2", "L3", "L4", "HBM", "DRAM"};
    const struct levels levels = model_levels(&model, &view);
    assert_int_equal(levels.count, 6);
    for (unsigned i = 0; i < levels.count; i++) {
        struct model_level band;
        assert_string_equal(levels.level[i].name, NAMES[i]);
        assert_true(model_level(&model, &view, NAMES[i], &band));
        for (unsigned k = 0; k < i; k++) {
            const struct plot_color a = chart_level_color(&levels, i), b = chart_level_color(&levels, k);
            assert_true(memcmp(&a, &b, sizeof a) != 0 || chart_level_dash(&levels, i) != chart_level_dash(&levels, k));
        }
    }
    model_free(&model);
    results_free(&r);
}

static void other_memory_is_a_level(void **state) {
    (void)state;
    struct result r = result_of("memory", NULL);
    struct model model = model_build(&r);
    struct model_view view = {.threads = 4, .node = 1};
    struct levels levels = model_levels(&model, &view);
    struct model_level band;
    assert_int_equal(levels.count, 3); /* L2, HBM, DRAM */
    assert_string_equal(levels.level[1].name, "HBM");
    assert_string_equal(levels.level[2].name, "DRAM");
    assert_true(model_level(&model, &view, "HBM", &band));
    assert_int_equal(band.roof->sample->memory_node, 2);
    view = (struct model_view){.threads = 8}; /* each core with the HBM beside it */
    levels = model_levels(&model, &view);
    assert_int_equal(levels.count, 3);
    assert_true(model_level(&model, &view, "HBM", &band));
    assert_int_equal(band.roof->sample->memory_node, 0);
    model_free(&model);
    results_free(&r);

    struct machine m = fixture_machine(4, FIXTURE_AVX2); /* one node with cores: HBM belongs to all */
    m.nodes = realloc(m.nodes, 2 * sizeof *m.nodes);
    m.nodes[1] = (struct memory_node){.os_index = 7, .memory_bytes = GIB(16), .kind = "HBM"};
    m.node_count = 2;
    r = fixture_result(m, NULL);
    model = model_build(&r);
    assert_true(model_level(&model, &(struct model_view){.threads = 4}, "HBM", &band));
    assert_int_equal(band.roof->sample->memory_node, 8);
    assert_true(model_level(&model, &(struct model_view){.threads = 4}, "DRAM", &band));
    assert_int_equal(band.roof->sample->memory_node, 0); /* not the matrix's cell */
    for (size_t i = 0; i < model.count; i++)
        if (model_in_view(&model.roofs[i], &(struct model_view){.threads = 4}))
            assert_true(!model.roofs[i].sample->memory_node || strcmp(model.roofs[i].sample->level, "HBM") == 0);
    struct model_matrix matrix;
    assert_true(model_matrix(&model, SAMPLE_LATENCY, &matrix));
    assert_int_equal(matrix.rows, 1);
    assert_int_equal(matrix.columns, 2);
    assert_int_equal(matrix.column_node[1], 7);
    model_free(&model);
    results_free(&r);
}

static void texts(void **state) {
    (void)state;
    static const struct {
        struct sample sample;
        const char *text;
    } rows[] = {
        {{.threads = 1}, ""},
        {{.threads = 1, .core_kind = "E"}, "E core"},
        {{.threads = 4, .core_kind = "E"}, "E cores"},
        {{.threads = 4, .cores = 2}, "SMT"},
        {{.threads = 4, .package = 1, .node = 1}, "package 0, node 0"},
        {{.threads = 4, .node = 1, .memory_node = 4}, "node 0, memory on node 3"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[64];
        assert_string_equal(model_place_text(&rows[i].sample, text, sizeof text), rows[i].text);
    }
}

/* Places in a file, and in the table and the JSON; empty parts are omitted. */
static void places_are_kept(void **state) {
    (void)state;
    struct result r = result_of("server", NULL), back;
    struct error err;
    r.samples[0].cores = 1; /* as with SMT */
    if (!results_write(&r, fixture_path("places.json"), false, &err) ||
        !results_read(fixture_path("places.json"), &back, &err))
        fail_msg("%s", err.text);
    assert_int_equal(back.sample_count, r.sample_count);
    for (size_t i = 0; i < r.sample_count; i++) {
        assert_true(sample_same_place(&r.samples[i], &back.samples[i]));
        assert_string_equal(r.samples[i].level, back.samples[i].level);
    }
    size_t length;
    char *text = fixture_read(fixture_path("places.json"), &length);
    assert_contains(text, "\"package\":0,\"node\":0");
    assert_contains(text, "\"node\":0,\"memory_node\":1");
    free(text);
    struct model model = model_build(&back);
    FILE *file = fopen(fixture_path("table.txt"), "w");
    report_print(&model, NULL, file);
    report_csv(&model, file);
    fclose(file);
    text = fixture_read(fixture_path("table.txt"), &length);
    assert_contains(text, "── 4 threads on CPUs 0-3 · package 0, node 0 ──");
    assert_contains(text, " · pinned threads · "); /* not one per core everywhere */
    assert_contains(text, "Latency: one thread on the row's node");
    assert_contains(text, ",\"\",,,1,0,,\n"); /* node 1, memory on node 0 */
    free(text);
    json_t *json = report_json(&model), *roofs = json_object_get(json, "roofs");
    for (size_t i = 0; i < json_array_size(roofs); i++) {
        json_t *roof = json_array_get(roofs, i), *node = json_object_get(roof, "memory_node");
        assert_int_equal(node != NULL, back.samples[i].memory_node > 0);
        if (node)
            assert_int_equal(json_integer_value(node) + 1, back.samples[i].memory_node);
    }
    json_decref(json);
    model_free(&model);
    results_free(&back);
    results_free(&r);
}

static void draws(const struct result *r, const char *chart, const struct chart_options *options) {
    struct model model = model_build(r);
    struct error err;
    const struct chart *found = chart_table;
    while (strcmp(found->name, chart) != 0)
        found++;
    if (!found->draw(&model, options, fixture_path("chart.svg"), &err))
        fail_msg("%s", err.text);
    model_free(&model);
}

static void scaling_chart(void **state) {
    (void)state;
    struct result r = result_of("nodes", NULL); /* 1, 4 of a node, 8 of a package, 16 */
    struct model model = model_build(&r);
    struct error err;
    draws(&r, "scaling", &(struct chart_options){0});
    draws(&r, "scaling", &(struct chart_options){.op = "load", .type = "f32"});
    assert_false(chart_scaling(&model, &(struct chart_options){.isa = "avx512"}, fixture_path("none.svg"), &err));
    assert_contains(err.text, "--threads 1,..,all");
    model_free(&model);
    results_free(&r);
    r = result_of("hybrid", &(struct plan_options){.threads = {1, PLAN_DOUBLING, PLAN_ALL}, .thread_count = 3});
    draws(&r, "scaling", &(struct chart_options){0});
    results_free(&r);
    r = result_of("clusters", &(struct plan_options){.threads = {1}, .thread_count = 1}); /* one count is no curve */
    model = model_build(&r);
    assert_false(chart_scaling(&model, &(struct chart_options){0}, fixture_path("none.svg"), &err));
    model_free(&model);
    results_free(&r);
}

/* The roofline of a part, with high-bandwidth memory as a level there. */
static void parts_as_rooflines(void **state) {
    (void)state;
    struct result r = result_of("memory", NULL);
    struct model model = model_build(&r);
    struct error err;
    draws(&r, "roofline", &(struct chart_options){0});
    draws(&r, "roofline", &(struct chart_options){.node = 1});
    assert_false(chart_roofline(&model, &(struct chart_options){.node = 2}, fixture_path("none.svg"), &err));
    assert_contains(err.text, "that part of the machine");
    assert_false(chart_roofline(&model, &(struct chart_options){.package = 2}, fixture_path("none.svg"), &err));
    model_free(&model);
    results_free(&r);
    r = result_of("server", &(struct plan_options){.smt = true}); /* nothing but SMT */
    draws(&r, "roofline", &(struct chart_options){0});
    results_free(&r);
}

static void matrix_charts(void **state) {
    (void)state;
    static const char *const names[] = {"server", "nodes", "memory"};
    struct result r;
    for (size_t i = 0; i < 3; i++) {
        r = result_of(names[i], NULL);
        draws(&r, "matrix", &(struct chart_options){0});
        draws(&r, "matrix-latency", &(struct chart_options){.width = 480, .height = 360});
        results_free(&r);
    }
    r = result_of("clusters", NULL);
    struct model model = model_build(&r);
    struct error err;
    assert_false(chart_matrix(&model, &(struct chart_options){0}, fixture_path("none.svg"), &err));
    assert_contains(err.text, "several memory nodes");
    model_free(&model);
    results_free(&r);
}

/* A file to look at: `test_places nodes nodes.json` writes made-up numbers on a recorded topology. */
static int write_result(const char *topology, const char *path) {
    static const struct plan_options counts = {.threads = {1, PLAN_DOUBLING, PLAN_ALL}, .thread_count = 3};
    struct result r = result_of(topology, strcmp(topology, "hybrid") == 0 ? &counts : NULL);
    struct error err;
    snprintf(r.machine.cpu.brand, sizeof r.machine.cpu.brand, "Made-up numbers on tests/topologies/%s.xml", topology);
    r.uarch[0] = '\0';
    return results_write(&r, path, false, &err) ? 0 : 1;
}

int main(int argc, char **argv) {
    if (argc == 3)
        return write_result(argv[1], argv[2]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_are_apart),
        cmocka_unit_test(matrix),
        cmocka_unit_test(smt_is_apart),
        cmocka_unit_test(other_memory_beside_four_caches),
        cmocka_unit_test(other_memory_is_a_level),
        cmocka_unit_test(texts),
        cmocka_unit_test(places_are_kept),
        cmocka_unit_test(scaling_chart),
        cmocka_unit_test(matrix_charts),
        cmocka_unit_test(parts_as_rooflines),
    };
    return cmocka_run_group_tests(tests, fixture_folder_make, fixture_folder_remove);
}
