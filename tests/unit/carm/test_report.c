/* SPDX-License-Identifier: BSD-3-Clause
 * A result as text: the fixed names of the JSON, the columns of the CSV, and the warnings with their remedies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/kernels/doubt.h"
#include "carm/report/report.h"
#include "carm/report/report_app.h"
#include "tests/support/fixtures.h"
#include "carm/model/describe.h"

static char *printed(const struct model *model, const char *op,
                     void (*print)(const struct model *, const char *, FILE *)) {
    static char *text; /* gcc 12 confuses open_memstream's buffer with the variable that points to it */
    static size_t length;
    FILE *out = open_memstream(&text, &length);
    print(model, op, out);
    fclose(out);
    return text;
}

static void print_csv(const struct model *model, const char *op, FILE *out) {
    (void)op;
    report_csv(model, out);
}

static void json_has_the_fixed_names(void **state) {
    (void)state;
    static const struct {
        const char *key;
        char type; /* s: text, n: number, ?: number or null, t: text or null, a: array */
    } fields[] = {
        {"name", 's'},      {"kind", 's'},     {"level", 't'},
        {"threads", 'n'},   {"value", 'n'},    {"unit", 's'},
        {"per_cycle", '?'}, {"clock_hz", 'n'}, {"documented_per_cycle", '?'},
        {"spread", 'n'},    {"doubts", 'a'},
    };
    struct result r = fixture_result(fixture_hybrid(2, 4), NULL);
    r.samples[3].per_cycle = 0; /* unknown */
    r.samples[4].doubts = DOUBTS(DOUBT_UNSTABLE, DOUBT_NO_HUGE_PAGES);
    struct model model = model_build(&r);
    json_t *json = report_json(&model);
    assert_non_null(json);
    assert_string_equal(json_string_value(json_object_get(json, "schema")), "carmine.roofs/1");
    assert_true(json_is_object(json_object_get(json, "machine")));
    assert_true(json_is_array(json_object_get(json, "points")));
    const json_t *roofs = json_object_get(json, "roofs");
    assert_int_equal(json_array_size(roofs), r.sample_count);
    for (size_t i = 0; i < r.sample_count; i++) {
        const json_t *roof = json_array_get(roofs, i);
        const struct sample *s = &r.samples[i];
        for (size_t f = 0; f < sizeof fields / sizeof fields[0]; f++) {
            const json_t *value = json_object_get(roof, fields[f].key);
            bool null = json_is_null(value);
            bool fits = fields[f].type == 's'   ? json_is_string(value)
                        : fields[f].type == 'n' ? json_is_number(value)
                        : fields[f].type == '?' ? null || json_is_number(value)
                        : fields[f].type == 't' ? null || json_is_string(value)
                                                : json_is_array(value);
            if (!fits)
                fail_msg("roofs[%zu].%s is missing or of another type", i, fields[f].key);
        }
        assert_string_equal(json_string_value(json_object_get(roof, "name")), s->kernel);
        static const char *const KINDS[] = {"compute", "bandwidth", "latency"}, *const UNITS[] = {"flop_per_s",
                                                                                                  "bytes_per_s", "s"};
        assert_string_equal(json_string_value(json_object_get(roof, "kind")), KINDS[s->kind]);
        assert_string_equal(json_string_value(json_object_get(roof, "unit")), UNITS[s->kind]);
        assert_int_equal(json_is_null(json_object_get(roof, "level")), s->kind == SAMPLE_COMPUTE);
        assert_int_equal(json_integer_value(json_object_get(roof, "threads")), s->threads);
        assert_near(json_number_value(json_object_get(roof, "value")), s->value);
        assert_int_equal(json_is_null(json_object_get(roof, "per_cycle")), i == 3); /* absent is null, never 0 */
        assert_int_equal(json_is_null(json_object_get(roof, "documented_per_cycle")), s->documented_per_cycle == 0);
        if (s->core_kind[0])
            assert_string_equal(json_string_value(json_object_get(roof, "core_kind")), s->core_kind);
        if (s->working_set_bytes)
            assert_int_equal(json_integer_value(json_object_get(roof, "page_bytes")), s->page_bytes);
    }
    const json_t *doubts = json_object_get(json_array_get(roofs, 4), "doubts");
    assert_int_equal(json_array_size(doubts), 2);
    assert_string_equal(json_string_value(json_array_get(doubts, 0)), "unstable");
    json_decref(json);
    model_free(&model);
    results_free(&r);
}

/* Splits a line of CSV; quoted cells may hold commas. */
static size_t cells(const char *line, const char *end) {
    size_t count = 1;
    bool quoted = false;
    for (; line < end; line++) {
        quoted ^= *line == '"';
        count += *line == ',' && !quoted;
    }
    return count;
}

static void csv_has_constant_columns(void **state) {
    (void)state;
    struct result r = fixture_result(fixture_hybrid(2, 4), NULL);
    for (size_t i = 0; i < r.sample_count; i++)
        r.samples[i].doubts = i % 3 ? doubts_all() : NO_DOUBTS;
    struct model model = model_build(&r);
    char *text = printed(&model, NULL, print_csv), *line = text;
    assert_true(strncmp(text, "name,kind,level,threads,", 24) == 0);
    size_t lines = 0, columns = cells(text, strchr(text, '\n'));
    for (char *end; (end = strchr(line, '\n')); line = end + 1, lines++)
        assert_int_equal(cells(line, end), columns);
    assert_int_equal(*line, '\0');
    assert_int_equal(lines, r.sample_count + 1);
    free(text);
    model_free(&model);
    results_free(&r);
}

static void the_table_tells_doubts_and_remedies(void **state) {
    (void)state;
    struct result r = fixture_result(fixture_machine(4, FIXTURE_AVX512), NULL);
    for (unsigned i = 0; i < DOUBT_COUNT; i++)
        r.samples[i].doubts = DOUBTS(i);
    r.levels[0].level[2].disagrees = true;
    r.levels[0].level[2].detected_bytes = MIB(480);
    r.levels[0].level[2].effective_bytes = MIB(90);
    strcpy(r.uarch_doubt, "the model number is masked");
    strcpy(r.environment.clock_doubt, "two clocks");
    r.environment.cpu_quota_cpus = 1.5;
    r.environment.others_cpus = 1.93, r.environment.others_allowed_cpus = 1.21, r.environment.busiest_other_cpus = 0.98;
    strcpy(r.environment.busiest_other, "hog");
    r.environment.interrupted = true;
    struct model model = model_build(&r);
    char *text = printed(&model, NULL, report_print);
    for (unsigned i = 0; i < DOUBT_COUNT; i++) {
        assert_contains(text, doubt_table[i].name);
        assert_contains(text, doubt_table[i].cause);
        assert_contains(text, doubt_table[i].remedy);
    }
    static const char *const parts[] = {
        "Made-up CPU",
        "Golden Cove",
        "480 MiB",
        "90 MiB",
        "the model number is masked",
        "two clocks",
        "grants 1.50 of 4 CPUs' time",
        "kept 1.9 CPUs busy during the measurement (1.2 of the measured CPUs, \"hog\" 1.0)",
        "--resume",
        "1 thread on CPU 0",
        "4 threads on CPUs 0-3",
        "avx512.f64.fma",
        "chase",
        "ridge point",
        "flop/B"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        assert_contains(text, parts[i]);
    for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1)
        assert_true(end == line || end[-1] != ' ');
    free(text);

    for (size_t i = 0; i < r.sample_count; i++)
        r.samples[i].doubts = NO_DOUBTS;
    r.environment.interrupted = false;
    text = printed(&model, "2ld1st", report_print);
    assert_null(strstr(text, "Remedy"));
    assert_null(strstr(text, "--resume"));
    free(text);
    model_free(&model);
    results_free(&r);
}

static void intervals_and_trust(void **state) {
    (void)state;
    struct result r = fixture_result(fixture_machine(4, FIXTURE_AVX512), NULL);
    fixture_intervals(&r, 0.02, 0.02);
    struct sample *wide = fixture_sample_of(&r, "avx512.f64.fma", "", 4),
                  *bare = fixture_sample_of(&r, "avx512.random", "L3", 4);
    wide->value *= 3, wide->high *= 3; /* a headline */
    wide->low = 0.9 * wide->value;     /* the further side is shown */
    bare->low = bare->high = 0;
    struct model model = model_build(&r);
    char *text = printed(&model, NULL, report_print), *trust = strstr(text, "\n\nC: 1 of 16 headline roofs is "), *row;
    assert_non_null(trust);
    assert_null(memmem(text, (size_t)(trust - text), "──", strlen("──"))); /* it is shown first */
    assert_contains(text, ". `carmine run --resume FILE` measures those again\n\n──");
    assert_contains(text, "±");
    assert_null(strstr(text, "spread"));
    row = strstr(strstr(text, "── 4 threads"), " avx512.f64.fma ");
    assert_contains(strndupa(row, strcspn(row, "\n")), " 3.01 GHz  10.0 % ");
    row = strstr(strstr(strstr(text, "── 4 threads"), "L3 "), " avx512.random ");
    assert_contains(strndupa(row, strcspn(row, "\n")), " 3.01 GHz      – ");
    free(text);

    json_t *json = report_json(&model), *grade = json_object_get(json, "trust"),
           *roofs = json_object_get(json, "roofs");
    assert_string_equal(json_string_value(json_object_get(grade, "grade")), "C");
    assert_int_equal(json_integer_value(json_object_get(grade, "headline_roofs")), 16);
    assert_int_equal(json_integer_value(json_object_get(grade, "beyond_1_percent")), 16);
    assert_int_equal(json_integer_value(json_object_get(grade, "beyond_5_percent")), 1);
    assert_contains(json_string_value(json_object_get(grade, "text")), "C: 1 of 16");
    for (size_t i = 0; i < r.sample_count; i++) {
        const json_t *roof = json_array_get(roofs, i), *low = json_object_get(roof, "low"),
                     *high = json_object_get(roof, "high");
        assert_int_equal(json_is_null(low), &r.samples[i] == bare); /* absent is null, never 0 */
        assert_int_equal(json_is_null(high), &r.samples[i] == bare);
        if (json_is_null(low))
            continue;
        assert_near(json_number_value(low), r.samples[i].low);
        assert_near(json_number_value(high), r.samples[i].high);
    }
    json_decref(json);

    text = printed(&model, NULL, print_csv);
    char line[64];
    assert_contains(text, ",memory_node,low,high");
    snprintf(line, sizeof line, ",%.7g,%.7g", wide->low, wide->high);
    assert_contains(text, line);
    row = strstr(strstr(text, "\"avx512.random\",\"bandwidth\",\"L3\",4,"), "\n");
    assert_int_equal(strncmp(row - 3, ",,,", 3), 0);
    free(text);
    model_free(&model);

    for (size_t i = 0; i < r.sample_count; i++)
        r.samples[i].low = r.samples[i].high = 0; /* an older file */
    model = model_build(&r);
    text = printed(&model, NULL, report_print);
    assert_null(strstr(text, "headline"));
    assert_null(strstr(text, "±"));
    assert_contains(text, "spread");
    free(text);
    json = report_json(&model);
    assert_true(json_is_null(json_object_get(json, "trust")));
    json_decref(json);
    model_free(&model);
    results_free(&r);
}

/* Results with missing or extreme values are printed without a fault. */
static void odd_results(void **state) {
    (void)state;
    struct result empty = {0};
    struct model model = model_build(&empty);
    free(printed(&model, NULL, report_print));
    free(printed(&model, NULL, print_csv));
    json_t *json = report_json(&model);
    assert_int_equal(json_array_size(json_object_get(json, "roofs")), 0);
    json_decref(json);
    model_free(&model);

    struct result r = fixture_result(fixture_machine(512, FIXTURE_AVX512), NULL);
    for (size_t i = 0; i < r.sample_count; i++) {
        struct sample *s = &r.samples[i];
        s->value = i % 2 ? 0 : 1e308;
        s->per_cycle = i % 3 ? 1e300 : 0;
        s->clock_hz = i % 5 ? 0 : 1e300;
        s->spread = 1e300;
        s->low = i % 7 ? 0 : 1e-300;
        s->high = i % 4 ? 0 : 1e308;
        s->working_set_bytes = UINT64_MAX;
        s->doubts = doubts_all();
        memset(s->kernel, 'k', sizeof s->kernel - 1);
        memset(s->cpus, '9', sizeof s->cpus - 1);
    }
    memset(r.machine.cpu.brand, 'b', sizeof r.machine.cpu.brand - 1);
    memset(r.environment.kernel, 'l', sizeof r.environment.kernel - 1);
    model = model_build(&r);
    free(printed(&model, NULL, report_print));
    free(printed(&model, NULL, print_csv));
    json = report_json(&model);
    assert_int_equal(json_array_size(json_object_get(json, "roofs")), r.sample_count);
    json_decref(json);
    model_free(&model);
    results_free(&r);
}

/* Each with its type, as above; unknown is null. */
static const struct {
    const char *key;
    char type, of_bare;
} POINT_FIELDS[] = {
    {"name", 's', 's'},
    {"program", 's', 's'},
    {"part", 's', 's'},
    {"region", 's', '0'},
    {"function", '0', '0'},
    {"command", 's', 's'},
    {"threads", 'n', 'n'},
    {"processes", 'n', 'n'},
    {"seconds", 'n', '0'},
    {"flop", 'n', '0'},
    {"core_bytes", 'n', '0'},
    {"load_bytes", 'n', '0'},
    {"store_bytes", 'n', '0'},
    {"stack_bytes", 'n', '0'},
    {"dram_bytes", 'n', '0'},
    {"flop_per_s", 'n', '0'},
    {"flop_per_byte", 'n', '0'},
    {"flop_per_dram_byte", 'n', '0'},
    {"ratio", 'n', '0'},
    {"bandwidth_bound", 'n', '0'},
    {"seconds_quartiles", 'a', '0'},
    {"seconds_extremes", 'a', '0'},
    {"bound_by", '0', '0'}, /* its level was not determined */
    {"ratio_of", 's', '0'},
    {"verdict", 's', 's'},
    {"sources", 'o', 'o'},
    {"doubts", 'a', 'a'},
    {"executed_flop", 'n', '0'},
    {"links", '0', '0'},
    {"simulated", '0', '0'},
    {"instructions", 'n', '0'},
    {"seconds_interval", '0', '0'},
    {"theory_tlb_misses", 'a', 'a'},
    {"theory_dram_bytes", '0', '0'},
};

static void assert_type(const json_t *point, const char *key, char type) {
    const json_t *value = json_object_get(point, key);
    bool fits = type == 's'   ? json_is_string(value)
                : type == 'n' ? json_is_number(value)
                : type == 'a' ? json_is_array(value)
                : type == 'o' ? json_is_object(value)
                              : json_is_null(value);
    if (!fits)
        fail_msg("points.%s is missing or of another type than %c", key, type);
}

static struct result with_points(void) {
    struct result r = fixture_result(fixture_machine(4, FIXTURE_AVX512), NULL);
    r.points = calloc(3, sizeof *r.points);
    r.points[0] = fixture_point("prog/solve");
    r.points[0].threads = 4;
    r.points[1] = (struct app_point){.name = "bare", .threads = 1};
    r.points[2] = fixture_point("stated");
    r.points[2].flop.median = 16e6;
    r.points[2].flop_source = SOURCE_STATED;
    r.point_count = 3;
    return r;
}

/* Each added column of JSON documents has a key. */
static void each_key_is_documented(void **state) {
    (void)state;
    static const char *const LISTS[] = {"roofs", "points"};
    struct result r = with_points();
    struct model model = model_build(&r);
    json_t *json = report_json(&model), *row, *value;
    size_t length, at;
    char *document = fixture_read("docs/result-file.md", &length), quoted[80], code[80];
    const char *key;
    for (size_t list = 0; list < sizeof LISTS / sizeof LISTS[0]; list++)
        json_array_foreach(json_object_get(json, LISTS[list]), at, row) {
            json_object_foreach(row, key, value) {
                snprintf(quoted, sizeof quoted, "\"%s\"", key);
                snprintf(code, sizeof code, "`%s`", key);
                if (!strstr(document, quoted) && !strstr(document, code))
                    fail_msg("docs/result-file.md does not say what %s[].%s is", LISTS[list], key);
            }
        }
    free(document);
    json_decref(json);
    model_free(&model);
    results_free(&r);
}

static void points_as_json(void **state) {
    (void)state;
    struct result r = with_points();
    struct model model = model_build(&r);
    json_t *json = report_json(&model);
    const json_t *points = json_object_get(json, "points"), *first = json_array_get(points, 0);
    assert_int_equal(json_array_size(points), 3);
    for (size_t i = 0; i < sizeof POINT_FIELDS / sizeof POINT_FIELDS[0]; i++) {
        assert_type(first, POINT_FIELDS[i].key, POINT_FIELDS[i].type);
        assert_type(json_array_get(points, 1), POINT_FIELDS[i].key, POINT_FIELDS[i].of_bare);
    }
    assert_string_equal(json_string_value(json_object_get(first, "name")), "prog/solve");
    assert_int_equal(json_integer_value(json_object_get(first, "flop")), 20000012); /* exactly */
    assert_int_equal(json_integer_value(json_object_get(first, "core_bytes")), 240000001);
    assert_int_equal(json_integer_value(json_object_get(first, "stack_bytes")), 7000);
    assert_near(json_number_value(json_object_get(first, "flop_per_s")), 20000012 / 0.0125);
    assert_near(json_number_value(json_object_get(first, "bandwidth_bound")), 2.2e8 / 240000001);
    const json_t *sources = json_object_get(first, "sources");
    assert_string_equal(json_string_value(json_object_get(sources, "flop")), "counted");
    assert_string_equal(json_string_value(json_object_get(sources, "dram_bytes")), "simulated");
    json_decref(json);
    struct app_point *product = &r.points[1];
    *product = (struct app_point){.name = "dgemm-triple 100",
                                  .program = "dgemm-triple",
                                  .threads = 1,
                                  .size = 100,
                                  .series = "dgemm-triple cold 1 thread",
                                  .working_set_bytes = 240000,
                                  .cache_bytes = 1e6,
                                  .levels = {.tlb_entries = {64}}};
    json = report_json(&model);
    const json_t *told = json_array_get(json_object_get(json, "points"), 1),
                 *misses = json_object_get(told, "theory_tlb_misses");
    assert_near(json_number_value(json_object_get(told, "theory_dram_bytes")), 4 * 80000); /* C is set in between */
    assert_near(json_number_value(json_array_get(misses, 0)), 3 * 1e4 / 512);
    assert_true(json_is_null(json_array_get(misses, 1)) && json_is_false(json_object_get(told, "theory_is_bound")));
    json_decref(json);
    model_free(&model);
    results_free(&r);
}

static void print_mix(const struct model *model, const char *op, FILE *out) {
    (void)op;
    report_mix_print(model->result->points, model->result->point_count, out);
}

static void points_as_table(void **state) {
    (void)state;
    struct result r = with_points();
    struct model model = model_build(&r);
    char *text = printed(&model, NULL, report_print);
    static const char *const parts[] = {"applications",
                                        "prog/solve",
                                        "12.5 ms",
                                        "12.4–12.6 ms",
                                        "75 %",
                                        "20 Mflop",
                                        "160 MB",
                                        "80 MB",
                                        "counted",
                                        "7 kB",
                                        "0.0833",
                                        "1.6 Gflop/s",
                                        "150 MB",
                                        "70 MB",
                                        "bandwidth bound",
                                        "0.917",
                                        "simulated",
                                        "bare: ",
                                        "traffic simulated: ",
                                        "It executes 20 Mflop, +25.0 % against the stated 16 Mflop"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        assert_contains(text, parts[i]);
    assert_null(strstr(text, "inf"));
    assert_null(strstr(text, "nan"));
    free(text);
    text = printed(&model, NULL, print_mix);
    static const char *const mix[] = {"prog/solve: 20000012 flop, 5000000000 instructions",
                                      "f64 512",
                                      "20000000",
                                      "100.0 %",
                                      "f32 128",
                                      "with all masked lanes",
                                      "i8 operations, no flop tile",
                                      "move",
                                      "80.0 %"};
    for (size_t i = 0; i < sizeof mix / sizeof mix[0]; i++)
        assert_contains(text, mix[i]);
    free(text);
    model_free(&model);
    results_free(&r);
}

static void lines_are_cut_safely(void **state) {
    (void)state;
    struct result r = fixture_result(fixture_machine(2, FIXTURE_AVX2), NULL);
    char line[64];
    for (size_t size = 1; size <= sizeof line; size++) {
        memset(line, '#', sizeof line);
        describe_machine(&r, line, size);
        assert_true(memchr(line, '\0', size) != NULL);
        describe_conditions(&r, line, size);
        assert_true(memchr(line, '\0', size) != NULL);
    }
    char notes[2][160];
    assert_int_equal(describe_level_notes(&r, notes, 2), 0);
    r.machine.nodes[0].memory_side_cache_bytes = GIB(96);
    assert_int_equal(describe_level_notes(&r, notes, 2), 1);
    assert_contains(notes[0], "node 0 lies behind a memory-side cache of 96 GiB");
    for (unsigned i = 0; i < 3; i++)
        r.levels[0].level[i].disagrees = true;
    assert_int_equal(describe_level_notes(&r, notes, 2), 2); /* at most as many as fit */
    results_free(&r);
}

static void cores_are_named_once(void **state) {
    (void)state;
    static const struct {
        struct cpu_identity cpu;
        const char *uarch, *name;
    } rows[] = {
        {{.vendor = "AuthenticAMD", .family = 25, .brand = "AMD EPYC(TM)"}, "Zen 3", "AMD EPYC · Zen 3"},
        {{.vendor = "AuthenticAMD", .family = 25, .brand = "AMD EPYC"}, "", "AMD EPYC"},
        {{.vendor = "Arm", .family = 8, .brand = "AWS Graviton3 (Neoverse V1)"},
         "Neoverse V1",
         "AWS Graviton3 (Neoverse V1)"},
        {{.vendor = "Apple", .family = 8, .brand = "Apple M1 (Firestorm + Icestorm)"},
         "M1 P (Firestorm)",
         "Apple M1 (Firestorm + Icestorm)"},
    };
    struct result r = fixture_result(fixture_machine(2, FIXTURE_AVX2), NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char name[160];
        r.machine.cpu = rows[i].cpu;
        snprintf(r.uarch, sizeof r.uarch, "%s", rows[i].uarch);
        assert_string_equal(describe_cpu(&r, name, sizeof name), rows[i].name);
    }
    results_free(&r);
}

static double number_of(const json_t *object, const char *key) {
    return json_number_value(json_object_get(object, key));
}

/* Traffic between caches: a row for each link, and the same as JSON. */
static void levels_as_table_and_json(void **state) {
    (void)state;
    struct result r;
    struct error err;
    assert_true(results_read("tests/golden/files/levels.json", &r, &err));
    struct model model = model_build(&r);
    char *text = printed(&model, NULL, report_print);
    assert_contains(text, "L2 ⇄ L3     137 GB ±3 %  68.7 GB     8.39 MB  8.39 MB  68.7 GB");
    assert_contains(text, "904 ms         71 %  avx2.load, 152 GB/s");
    assert_contains(text, "L2 ⇄ L3         3.84 GB"); /* 0.3 %: not worth a word */
    assert_contains(text, "<0.1 %");
    assert_contains(text, "ceiling ");
    assert_contains(text, "forms/random         1.02 GiB           269 k               16 %            20 M    18 M");
    assert_contains(text, "Simulated: L1 32 KiB 8 ways, L2 512 KiB 8 ways, L3 11.3 MiB 16 ways (victims); one of");
    assert_contains(text, "forms/dgemm naive: bound by L2 ⇄ L3: 71 % of its time at that roof");
    assert_contains(text,
                    "non-temporal stores, if they write whole cache lines: 640 MB are fetched only to be overwritten");
    free(text);
    json_t *json = report_json(&model);
    const json_t *triad = json_array_get(json_object_get(json, "points"), 1),
                 *first = json_array_get(json_object_get(triad, "advice"), 0);
    assert_string_equal(json_string_value(json_object_get(first, "rule")), "blocking");
    assert_true(number_of(first, "seconds") > 0.07 && number_of(first, "seconds") < 0.08);
    const json_t *naive = json_array_get(json_object_get(json, "points"), 2),
                 *link = json_array_get(json_object_get(naive, "links"), 2);
    assert_string_equal(json_string_value(json_object_get(link, "link")), "L2 ⇄ L3");
    assert_string_equal(json_string_value(json_object_get(link, "roof")), "avx2.load");
    assert_near(number_of(link, "victim_bytes"), 68719476736);
    assert_near(number_of(link, "seconds_alone") / 1.27, number_of(link, "share"));
    assert_true(number_of(link, "low_bytes") < number_of(link, "bytes"));
    assert_true(number_of(naive, "ceiling_seconds_alone") > 0.1);
    assert_near(number_of(json_object_get(naive, "simulated"), "one_of"), 64);
    assert_true(json_is_true(json_object_get(naive, "level_known")));
    json_decref(json);
    model_free(&model);
    results_free(&r);
}

static const json_t *loop_of(const json_t *json, const char *key) {
    return json_object_get(json_object_get(json_array_get(json_object_get(json, "points"), 0), "loop"), key);
}

/* The account of a loop: a part that is refuted says so and promises nothing, and what may be the rest is listed. */
static void loops_as_json(void **state) {
    (void)state;
    struct result r;
    struct error err;
    assert_true(results_read("tests/golden/files/loops.json", &r, &err));
    struct model model = model_build(&r);
    r.points[0].in_core.ports = 100;
    for (unsigned known = 0; known < 2; known++) {
        if (!known)
            r.points[0].in_core.renaming = r.points[0].in_core.chain = 0.1, r.points[0].in_core.mispredict = 0;
        else
            r.points[0].in_core.renaming = 1.4;
        r.points[0].in_core.rarer_ways = 0.5;
        json_t *json = report_json(&model);
        unsigned refuted = 0;
        for (size_t i = 0; i < json_array_size(loop_of(json, "parts")); i++) {
            const json_t *part = json_array_get(loop_of(json, "parts"), i);
            refuted += json_is_true(json_object_get(part, "refuted"));
            assert_int_equal(json_is_true(json_object_get(part, "refuted")), number_of(part, "cycles") == 100);
        }
        assert_int_equal(refuted, 1);
        assert_int_equal(json_is_true(loop_of(json, "bound")), known);
        assert_true(json_is_null(loop_of(json, "faster")) && json_is_null(loop_of(json, "faster_at_most")));
        assert_true(json_is_false(loop_of(json, "from_documents")));
        assert_int_equal(json_array_size(loop_of(json, "rest_may_be")) > 0, !known);
        if (!known)
            assert_string_equal(json_string_value(json_array_get(loop_of(json, "rest_may_be"), 2)),
                                "mispredicted branches");
        json_decref(json);
    }
    model_free(&model);
    results_free(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_has_the_fixed_names),
        cmocka_unit_test(csv_has_constant_columns),
        cmocka_unit_test(the_table_tells_doubts_and_remedies),
        cmocka_unit_test(intervals_and_trust),
        cmocka_unit_test(odd_results),
        cmocka_unit_test(each_key_is_documented),
        cmocka_unit_test(points_as_json),
        cmocka_unit_test(points_as_table),
        cmocka_unit_test(levels_as_table_and_json),
        cmocka_unit_test(loops_as_json),
        cmocka_unit_test(lines_are_cut_safely),
        cmocka_unit_test(cores_are_named_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
