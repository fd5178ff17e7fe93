/* SPDX-License-Identifier: BSD-3-Clause
 * The result file: the written data are read again, and everything else is rejected with the place of the fault. */
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>

#include <cmocka.h>

#include <jansson.h>

#include "bench/kernels/doubt.h"
#include "carm/store/result_fields.h"
#include "probe/need.h"
#include "tests/support/fixtures.h"

static struct point_levels simulated_levels(void) {
    struct point_levels l = {.links = 2, .one_of = 64, .caches = "L1 48 KiB 12 ways", .utilisation = 0.875};
    l.link[0] = (struct point_link){0, 160000003, 0, 80000001, 0, 64, 240000068, 240000068};
    l.link[1] = (struct point_link){1, 160000064, 80000064, 79999936, 128, 192, 310000000, 330000000};
    l.footprint_bytes = 240000064, l.pages = 58595;
    l.tlb_misses[0] = 58600, l.tlb_misses[1] = 58595;
    l.tlb_entries[0] = 72, l.tlb_entries[1] = 3072;
    return l;
}

/* A small result with every part of a large one. */
static struct result small(void) {
    struct result r = fixture_result(
        fixture_hybrid(2, 4),
        &(struct plan_options){.mixes = {"load", "fma", "chase"}, .mix_count = 3, .isas = {"avx2"}, .isa_count = 1});
    r.samples[1].doubts = DOUBTS(DOUBT_UNSTABLE, DOUBT_NO_HUGE_PAGES);
    r.samples[2].per_cycle = 0;
    r.samples[2].documented_per_cycle = 0;
    r.levels[0].level[2] = (struct level){
        .name = "L3", .detected_bytes = MIB(480), .effective_bytes = MIB(90), .judged = true, .disagrees = true};
    strcpy(r.uarch_doubt, "one, two, \"quoted\" \\ · µ");
    strcpy(r.machine.cpu.hypervisor, "KVMKVMKVM");
    struct cache *l3 = &r.machine.kinds[1].caches[2];
    l3->shape_count = 2;
    l3->shapes[0] = (struct cache_shape){MIB(16), 16, 4, 1};
    l3->shapes[1] = (struct cache_shape){MIB(8), -1, 0, 3};
    r.machine.nodes[0].memory_side_cache_bytes = GIB(96);
    r.curves[0].count = 3, r.curves[1].count = 2;
    r.points = calloc(2, sizeof *r.points);
    r.points[0] = fixture_point("prog/solve");
    r.points[0].clock_hz = 2.8125e9;
    strcpy(r.points[0].origin, "sde, mix output");
    strcpy(r.points[0].compiler, "cc 1: -O3");
    strcpy(r.points[0].flop_type, "f32");
    strcpy(r.points[0].series, "daxpy cold 1 thread");
    r.points[0].size = 10000000, r.points[0].working_set_bytes = MIB(153);
    r.points[0].data = STATE_COLD, r.points[0].code = STATE_WARM, r.points[0].tlb = STATE_COLD;
    r.points[0].analytic_flop = 20000001, r.points[0].analytic_load_bytes = 160000003;
    r.points[0].analytic_store_bytes = 80000001, r.points[0].compulsory_read_bytes = 160000007;
    r.points[0].compulsory_write_bytes = 80000009, r.points[0].pseudo_flop = 1234567891;
    r.points[0].levels = simulated_levels();
    r.points[0].cache_bytes = 34603008; /* none of them may be lost: data of this size still fits */
    r.points[1] = (struct app_point){.name = "bare", .threads = 1}; /* nothing is known of it */
    r.point_count = 2;
    return r;
}

static void must_read(const char *path, struct result *out) {
    struct error err;
    if (!results_read(path, out, &err))
        fail_msg("%s", err.text);
}

static void must_write(const struct result *result, const char *path) {
    struct error err;
    if (!results_write(result, path, false, &err))
        fail_msg("%s", err.text);
}

static void written_read_and_written_again(void **state) {
    (void)state;
    struct result r = small(), again;
    must_write(&r, fixture_path("a.json"));
    must_read(fixture_path("a.json"), &again);
    must_write(&again, fixture_path("b.json"));
    size_t length, length_again;
    char *text = fixture_read(fixture_path("a.json"), &length),
         *text_again = fixture_read(fixture_path("b.json"), &length_again);
    assert_int_equal(length, length_again);
    assert_memory_equal(text, text_again, length);
    free(text);
    free(text_again);
    results_free(&r);
    results_free(&again);
}

#define SAME_TEXT(member)   assert_string_equal(a.member, b.member)
#define SAME_INT(member)    assert_int_equal(a.member, b.member)
#define SAME_NUMBER(member) assert_true(fabs((a.member) - (b.member)) <= 1e-5 * fabs(a.member))
#define ABOUT_THE_SAME(member)                                                                                         \
    assert_true(fabs((a.member) - (b.member)) <= 6e-3 * fabs(a.member)) /* written shorter                             \
                                                                         */

static void every_field_survives(void **state) {
    (void)state;
    struct result a = small(), b;
    a.environment.cpu_quota_cpus = 1.5;
    a.environment.others_cpus = 1.25, a.environment.others_allowed_cpus = 1.125, a.environment.busiest_other_cpus = 1;
    snprintf(a.environment.busiest_other, sizeof a.environment.busiest_other, "a hog");
    must_write(&a, fixture_path("a.json"));
    must_read(fixture_path("a.json"), &b);
    SAME_TEXT(uarch), SAME_TEXT(uarch_doubt);
    SAME_TEXT(machine.host), SAME_TEXT(machine.cpu.vendor), SAME_TEXT(machine.cpu.brand),
        SAME_TEXT(machine.cpu.hypervisor);
    SAME_INT(machine.cpu.family), SAME_INT(machine.cpu.model), SAME_INT(machine.cpu.stepping),
        SAME_INT(machine.cpu.features);
    SAME_INT(machine.package_count), SAME_INT(machine.core_count), SAME_INT(machine.machine_core_count),
        SAME_INT(machine.pu_count);
    SAME_INT(machine.allowed_pu_count), SAME_INT(machine.memory_total_bytes), SAME_INT(machine.memory_available_bytes);
    SAME_INT(machine.node_count), SAME_INT(machine.nodes[0].memory_bytes),
        SAME_INT(machine.nodes[0].memory_side_cache_bytes), SAME_TEXT(machine.nodes[0].kind);
    SAME_INT(machine.kind_count), SAME_INT(kind_count), SAME_INT(sample_count), SAME_INT(curve_count);
    assert_true(b.machine.recorded); /* an earlier result cannot be measured on */
    for (unsigned k = 0; k < a.kind_count; k++) {
        SAME_TEXT(machine.kinds[k].name), SAME_INT(machine.kinds[k].core_count), SAME_INT(machine.kinds[k].cache_count);
        for (unsigned i = 0; i < a.machine.kinds[k].cache_count; i++)
            assert_memory_equal(&a.machine.kinds[k].caches[i], &b.machine.kinds[k].caches[i], sizeof(struct cache));
        SAME_INT(levels[k].count);
        for (unsigned i = 0; i < a.levels[k].count; i++) {
            SAME_TEXT(levels[k].level[i].name), SAME_INT(levels[k].level[i].detected_bytes);
            SAME_INT(levels[k].level[i].effective_bytes), SAME_INT(levels[k].level[i].judged),
                SAME_INT(levels[k].level[i].disagrees);
        }
    }
    SAME_TEXT(environment.version), SAME_TEXT(environment.started_utc), SAME_TEXT(environment.command_line),
        SAME_TEXT(environment.kernel);
    SAME_TEXT(environment.governor), SAME_TEXT(environment.huge_pages), SAME_TEXT(environment.microcode),
        SAME_TEXT(environment.statistic);
    SAME_NUMBER(environment.elapsed_s), SAME_NUMBER(environment.load_average), SAME_NUMBER(environment.tick_hz);
    SAME_NUMBER(environment.cpu_quota_cpus), SAME_NUMBER(environment.rest_clock_hz), SAME_TEXT(environment.clock_doubt),
        SAME_INT(environment.interrupted);
    ABOUT_THE_SAME(environment.others_cpus), ABOUT_THE_SAME(environment.others_allowed_cpus),
        ABOUT_THE_SAME(environment.busiest_other_cpus), SAME_TEXT(environment.busiest_other);
    for (size_t i = 0; i < a.sample_count; i++) {
        SAME_TEXT(samples[i].kernel), SAME_TEXT(samples[i].variant), SAME_TEXT(samples[i].cpus),
            SAME_TEXT(samples[i].core_kind);
        SAME_TEXT(samples[i].level), SAME_INT(samples[i].kind), SAME_INT(samples[i].threads);
        SAME_INT(samples[i].working_set_bytes), SAME_INT(samples[i].page_bytes),
            assert_true(doubts_equal(a.samples[i].doubts, b.samples[i].doubts));
        SAME_INT(samples[i].rate.n), SAME_INT(samples[i].rate.kept), ABOUT_THE_SAME(samples[i].rate.min),
            ABOUT_THE_SAME(samples[i].rate.q1);
        ABOUT_THE_SAME(samples[i].rate.median), ABOUT_THE_SAME(samples[i].rate.q3), ABOUT_THE_SAME(samples[i].rate.max);
        SAME_NUMBER(samples[i].value), SAME_NUMBER(samples[i].per_cycle), ABOUT_THE_SAME(samples[i].spread),
            ABOUT_THE_SAME(samples[i].clock_hz);
        ABOUT_THE_SAME(samples[i].clock_min_hz), ABOUT_THE_SAME(samples[i].clock_max_hz);
        SAME_NUMBER(samples[i].documented_per_cycle);
    }
    for (size_t c = 0; c < a.curve_count; c++) {
        SAME_TEXT(curves[c].kernel), SAME_INT(curves[c].kind), SAME_INT(curves[c].threads), SAME_INT(curves[c].count);
        for (size_t i = 0; i < a.curves[c].count; i++) {
            SAME_INT(curves[c].points[i].working_set_bytes),
                assert_true(doubts_equal(a.curves[c].points[i].doubts, b.curves[c].points[i].doubts));
            ABOUT_THE_SAME(curves[c].points[i].value), ABOUT_THE_SAME(curves[c].points[i].per_cycle),
                ABOUT_THE_SAME(curves[c].points[i].clock_hz);
        }
    }
    SAME_INT(point_count);
    for (size_t i = 0; i < a.point_count; i++) {
        SAME_TEXT(points[i].name), SAME_TEXT(points[i].program), SAME_TEXT(points[i].region),
            SAME_TEXT(points[i].function), SAME_TEXT(points[i].command), SAME_TEXT(points[i].measured_utc);
        SAME_INT(points[i].part), SAME_INT(points[i].threads), SAME_INT(points[i].processes), SAME_INT(points[i].calls);
        SAME_NUMBER(points[i].seconds.q1), SAME_INT(points[i].seconds.n), SAME_NUMBER(points[i].time_share);
        SAME_NUMBER(points[i].clock_hz);
        SAME_INT(points[i].seconds_source), SAME_INT(points[i].flop_source), SAME_INT(points[i].bytes_source),
            SAME_INT(points[i].dram_source), assert_true(doubts_equal(a.points[i].doubts, b.points[i].doubts)),
            SAME_INT(points[i].has_count);
        assert_true(a.points[i].flop.median == b.points[i].flop.median); /* counts: exactly */
        assert_true(a.points[i].load_bytes.max == b.points[i].load_bytes.max);
        assert_true(a.points[i].store_bytes.min == b.points[i].store_bytes.min);
        assert_true(a.points[i].dram_read_bytes.q3 == b.points[i].dram_read_bytes.q3);
        assert_true(a.points[i].dram_write_bytes.median == b.points[i].dram_write_bytes.median);
        assert_true(a.points[i].cache_bytes == b.points[i].cache_bytes);
        assert_memory_equal(&a.points[i].count, &b.points[i].count, sizeof a.points[i].count);
        SAME_TEXT(points[i].origin), SAME_TEXT(points[i].compiler), SAME_TEXT(points[i].flop_type);
        SAME_TEXT(points[i].series), SAME_INT(points[i].size), SAME_INT(points[i].working_set_bytes);
        SAME_INT(points[i].data), SAME_INT(points[i].code);
        assert_memory_equal(&a.points[i].analytic_flop, &b.points[i].analytic_flop, 6 * sizeof(double));
    }
    results_free(&a);
    results_free(&b);
}

static void levels_survive(void **state) {
    (void)state;
    struct result r = small(), again;
    must_write(&r, fixture_path("a.json"));
    must_read(fixture_path("a.json"), &again);
    const struct point_levels *a = &r.points[0].levels, *b = &again.points[0].levels;
    assert_int_equal(b->links, 2);
    assert_int_equal(b->one_of, 64);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(b->link[i].level, i);
        assert_memory_equal(&a->link[i].load_bytes, &b->link[i].load_bytes, 7 * sizeof(double));
    }
    assert_true(point_link_bytes(&b->link[0]) == 240000068 && point_link_bytes(&b->link[1]) == 320000384);
    assert_memory_equal(&a->utilisation, &b->utilisation, 3 * sizeof(double));
    assert_memory_equal(a->tlb_misses, b->tlb_misses, sizeof a->tlb_misses);
    assert_memory_equal(a->tlb_entries, b->tlb_entries, sizeof a->tlb_entries);
    assert_string_equal(a->caches, b->caches);
    assert_int_equal(again.points[1].levels.links, 0); /* it was not simulated */
    results_free(&r);
    results_free(&again);
}

/* Files of earlier versions have zeros in curves: such sizes were not measured. */
static void curves_hold_no_blank_points(void **state) {
    (void)state;
    struct result r = fixture_result(fixture_machine(2, FIXTURE_AVX2), NULL), again;
    const size_t count = r.curves[0].count;
    const uint64_t second_bytes = r.curves[0].points[1].working_set_bytes;
    r.curves[0].points[0].value = r.curves[0].points[0].per_cycle = r.curves[0].points[0].clock_hz = 0;
    for (size_t i = 0; i < r.curves[1].count; i++)
        r.curves[1].points[i].value = 0;
    must_write(&r, fixture_path("a.json"));
    must_read(fixture_path("a.json"), &again);
    assert_int_equal(again.curve_count, r.curve_count - 1);
    assert_int_equal(again.curves[0].count, count - 1);
    assert_int_equal(again.curves[0].points[0].working_set_bytes, second_bytes);
    results_free(&again);
    struct error err = {""};
    assert_true(results_read_values(fixture_path("a.json"), &again, &err));
    for (size_t i = 0; i < again.curve_count; i++)
        for (size_t k = 0; k < again.curves[i].count; k++)
            assert_true(again.curves[i].points[k].value > 0);
    results_free(&again);
    results_free(&r);
}

static unsigned refused, accepted;

/* Any text: read without a fault, and either a result that can be written again or an error that names the file. */
static void try_text(const char *text, size_t length) {
    struct result r;
    struct error err = {""};
    fixture_write(fixture_path("odd.json"), text, length);
    if (results_read(fixture_path("odd.json"), &r, &err)) {
        accepted++;
        must_write(&r, fixture_path("rewritten.json"));
        results_free(&r);
        return;
    }
    refused++;
    assert_contains(err.text, "odd.json: ");
    assert_true(strlen(err.text) > strlen(fixture_path("odd.json")) + 10);
    assert_true(r.samples == NULL && r.curves == NULL); /* nothing is left to free */
}

static void try_json(const json_t *root) {
    char *text = json_dumps(root, JSON_COMPACT);
    assert_non_null(text);
    try_text(text, strlen(text));
    free(text);
}

static const char *const OTHERS[] = {"null", "\"text\"", "-1",   "1e300",   "9223372036854775807", "0.5",
                                     "[]",   "{}",       "true", "\"NaN\"", "[[[[1]]]]",           "4294967296"};
enum { OTHER_COUNT = sizeof OTHERS / sizeof OTHERS[0] };

/* Replaces each value in turn, at any depth: by something else, and by nothing. */
static void mutate(json_t *root, json_t *at) {
    json_t *keys = json_array(); /* noted first: an object's order changes when values are put back */
    for (void *i = json_object_iter(at); i; i = json_object_iter_next(at, i))
        json_array_append_new(keys, json_string(json_object_iter_key(i)));
    size_t members =
        json_is_object(at) ? json_array_size(keys) : json_array_size(at) > 0; /* a list's entries are similar */
    for (size_t m = 0; m < members; m++) {
        const char *key = json_string_value(json_array_get(keys, m));
        json_t *was = json_incref(key ? json_object_get(at, key) : json_array_get(at, 0));
        for (size_t o = 0; o <= OTHER_COUNT; o++) {
            json_t *other = o < OTHER_COUNT ? json_loads(OTHERS[o], JSON_DECODE_ANY, NULL) : NULL;
            if (key)
                other ? json_object_set_new(at, key, other) : json_object_del(at, key);
            else
                other ? json_array_set_new(at, 0, other) : json_array_remove(at, 0);
            try_json(root);
            if (!key && !other)
                json_array_insert(at, 0, was);
            else
                key ? json_object_set(at, key, was) : json_array_set(at, 0, was);
        }
        mutate(root, was);
        json_decref(was);
    }
    json_decref(keys);
}

static void mutations_of_a_valid_file(void **state) {
    (void)state;
    struct result r = small();
    r.sample_count = 2; /* enough of each kind */
    r.samples[1].doubts = DOUBTS(DOUBT_UNSTABLE);
    must_write(&r, fixture_path("a.json"));
    json_error_t where;
    json_t *root = json_load_file(fixture_path("a.json"), 0, &where);
    assert_non_null(root);
    refused = accepted = 0;
    mutate(root, root);
    assert_true(refused > 1000); /* most of them */
    assert_true(accepted > 50);  /* other names, counts and optional values are fine */
    assert_true(refused > 3 * accepted);
    json_decref(root);
    results_free(&r);
}

static void truncated_and_damaged(void **state) {
    (void)state;
    struct result r = small();
    must_write(&r, fixture_path("a.json"));
    size_t length;
    char *text = fixture_read(fixture_path("a.json"), &length);
    refused = accepted = 0;
    for (size_t cut = 0; cut + 2 < length; cut += 97)
        try_text(text, cut);
    assert_int_equal(accepted, 0);
    for (size_t at = 0; at < length; at += 89) { /* a byte that does not belong there */
        char was = text[at];
        for (int b = 0; b < 3; b++) {
            text[at] = "\0\xff}"[b];
            try_text(text, length);
        }
        text[at] = was;
    }
    free(text);
    results_free(&r);
}

static void the_error_names_the_place(void **state) {
    (void)state;
    static const struct {
        const char *from, *to, *says;
    } rows[] = {
        {"\"carmine.result/1\"", "\"carmine.result/2\"", "schema"},
        {"\"kind\":\"bandwidth\"", "\"kind\":\"width\"", ".kind: must be one of the known names"},
        {"\"host\": \"fixture\"", "\"host\": 5", "machine.host: must be a text"},
        {"\"governor\": \"performance\"", "\"governor\": \"performanceperformanceperformance\"",
         "environment.governor: must be a text"},
        {"\"load_average\": 0.25", "\"load_average\": -0.25",
         "environment.load_average: must be a number, not negative"},
        {"[\"unstable\",\"no huge pages\"]", "[\"unstable\",5]",
         "samples[1].doubts: must be a list of names of doubts"},
        {"\"name\":\"bare\"", "\"name\":\"\"", "points[1].name: must not be empty"},
        {"\"part\":\"region\"", "\"part\":\"half\"", "points[0].part: must be one of the known names"},
        {"\"flop_source\":\"counted\"", "\"flop_source\":\"guessed\"", "points[0].flop_source: must be one of"},
        {"\"data\":\"cold\"", "\"data\":\"lukewarm\"", "points[0].data: must be one of the known names"},
        {"\"analytic_flop\":20000001", "\"analytic_flop\":-1", "points[0].analytic_flop: must be a number, not"},
        {"\"seconds\":[20,20", "\"seconds\":[20,-20", "points[0].seconds: must be [n, kept"},
        {"\"one_of\":64", "\"one_of\":-64", "points[0].levels.one_of: must be a count"},
        {"\"victim_bytes\":128", "\"victim_bytes\":-1", "points[0].levels.link[1].victim_bytes: must be a number"},
        {"\"f64\":{", "\"f63\":{", "points[0].count.flop.f63: must be a known type"},
        {"\"512\":", "\"1024\":", "points[0].count.flop.f64.1024: must be a known name and a count"},
        {"\"mix\":{", "\"mix\":{\"magic\":1,", "points[0].count.mix.magic: must be"},
        {"\"mix\":{", "\"mix\":{\"other\":-1,", "points[0].count.mix.other: must be"},
        {"\"mix\":{", "\"mix\":5,\"was\":{", "points[0].count.mix: must be an object"},
        {"\"count\":{", "\"count\":5,\"was\":{", "points[0].count: must be an object"},
        {"\"points\": [", "\"points\": 5, \"was\": [", "points: must be a list"},
        {"\"elapsed_s\": 31.25", "\"elapsed_s\": 31.25, \"elapsed_s\": 1", "duplicate"},
        {"\"elapsed_s\": 31.25", "\"elapsed_s\": 1e999", "line "},
        {"\"uarch\": \"Golden Cove\"", "\"uarch\": \"a\\u0000b\"", "line "},
    };
    struct result r = small(), none;
    must_write(&r, fixture_path("a.json"));
    size_t length;
    char *text = fixture_read(fixture_path("a.json"), &length), *changed = malloc(length + 256);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *at = strstr(text, rows[i].from);
        if (!at)
            fail_msg("the file does not hold %s", rows[i].from);
        int size =
            snprintf(changed, length + 256, "%.*s%s%s", (int)(at - text), text, rows[i].to, at + strlen(rows[i].from));
        fixture_write(fixture_path("odd.json"), changed, (size_t)size);
        struct error err = {""};
        assert_false(results_read(fixture_path("odd.json"), &none, &err));
        assert_contains(err.text, "odd.json");
        assert_contains(err.text, rows[i].says);
    }
    free(changed);
    free(text);
    results_free(&r);
}

/* A newer carmine has doubts that this one does not know: they are left out, noted, and noted in what is written. */
static void doubts_of_a_newer_carmine(void **state) {
    (void)state;
    struct result r = small(), read;
    struct error err = {""};
    must_write(&r, fixture_path("a.json"));
    size_t length;
    char *text = fixture_read(fixture_path("a.json"), &length), *changed = malloc(length + 256);
    const char known[] = "[\"unstable\",\"no huge pages\"]", *at = strstr(text, known);
    const int size = sprintf(changed, "%.*s[\"unstable\",\"too warm\",\"too warm\",\"too\\nfar\"]%s", (int)(at - text),
                             text, at + strlen(known));
    fixture_write(fixture_path("newer.json"), changed, (size_t)size);
    assert_false(results_scan(fixture_path("newer.json"), &read));
    assert_true(results_read_values(fixture_path("newer.json"), &read, &err));
    assert_true(doubts_equal(read.samples[1].doubts, DOUBTS(DOUBT_UNSTABLE)));
    assert_string_equal(read.environment.unknown_doubts, "too warm, too far");
    must_write(&read, fixture_path("older.json"));
    results_free(&read);
    assert_true(results_read(fixture_path("older.json"), &read, &err));
    assert_string_equal(read.environment.unknown_doubts, "too warm, too far");
    results_free(&read);
    free(changed);
    free(text);
    results_free(&r);
}

/* So are its CPU's features, such as vectors of another length. */
static void features_of_a_newer_carmine(void **state) {
    (void)state;
    struct result r = small(), read;
    struct error err = {""};
    must_write(&r, fixture_path("a.json"));
    size_t length;
    char *text = fixture_read(fixture_path("a.json"), &length), *changed = malloc(length + 64);
    const char list[] = "\"features\": [", *at = strstr(text, list) + strlen(list);
    const int size = sprintf(changed, "%.*s\"sve384\",%s", (int)(at - text), text, at);
    fixture_write(fixture_path("newer.json"), changed, (size_t)size);
    assert_true(results_read_values(fixture_path("newer.json"), &read, &err));
    assert_int_equal(read.machine.cpu.features, r.machine.cpu.features);
    results_free(&read);
    free(changed);
    free(text);
    results_free(&r);
}

/* Every list inside at its limit, every label with a text. */
static void fill(const struct field *fields, void *record) {
    for (const struct field *row = fields; row->key; row++) {
        char *at = (char *)record + row->offset;
        if (row->type == FIELD_LABEL)
            strcpy(at, "x");
        else if (row->type == FIELD_RECORD && row->counter.size == 0)
            fill(row->of, at);
        if (row->type != FIELD_LIST && row->type != FIELD_ALLOCATED)
            continue;
        if (row->type == FIELD_ALLOCATED)
            field_set_entries(row, record, calloc(row->most, row->size));
        field_set_count(row, record, row->most);
        for (size_t i = 0; i < row->most && !row->of->bare; i++)
            fill(row->of, (char *)field_entries(row, record) + i * row->size);
    }
}

/* An entry's own labels; lists inside it stay empty. */
static void name_entries(const struct field *row, void *record) {
    for (size_t i = 0; i < field_count(row, record); i++)
        for (const struct field *inner = row->of; inner->key; inner++)
            if (inner->type == FIELD_LABEL)
                strcpy((char *)field_entries(row, record) + i * row->size + inner->offset, "x");
}

/* Written files are readable: each list at its limit is, and one more entry leaves the file unchanged. */
/* Numbers that no machine has, or that contradict each other. The wrong text is written past results_write(), which
 * refuses it, and neither reader takes it. */
static void refuses_numbers(const char *says, const struct result *wrong) {
    struct error err = {""};
    struct result out;
    assert_false(results_write(wrong, fixture_path("never.json"), false, &err));
    if (!strstr(err.text, says))
        fail_msg("'%s' does not say '%s'", err.text, says);
    json_t *root = results_json(wrong);
    char *text = json_dumps(root, JSON_COMPACT);
    fixture_write(fixture_path("wrong.json"), text, strlen(text));
    assert_false(results_read(fixture_path("wrong.json"), &out, &err));
    assert_contains(err.text, "wrong.json: ");
    assert_contains(err.text, says);
    free(text);
    json_decref(root);
}

static void numbers_that_cannot_be(void **state) {
    (void)state;
    struct result r = small();
    fixture_intervals(&r, 0.01, 0.02);
    r.core.pairs = calloc(r.core.pair_count = 1, sizeof *r.core.pairs);
    r.core.pairs[0] = (struct core_pair){"addsd xx", "mulsd xx", 1};
    must_write(&r, fixture_path("right.json"));
#define REFUSES(says, member, wrong)                                                                                   \
    do {                                                                                                               \
        const double right = r.member;                                                                                 \
        r.member = wrong;                                                                                              \
        refuses_numbers(says, &r);                                                                                     \
        r.member = right;                                                                                              \
    } while (0)
    REFUSES("samples[0]: value must be from low to high", samples[0].value, right / 2);
    REFUSES("samples[0]: value must be from low to high", samples[0].value, 1e-300);
    REFUSES("samples[0]: value must be per_cycle × clock_hz × cores", samples[0].per_cycle, right / 2);
    REFUSES("samples[0]: value must be per_cycle × clock_hz × cores", samples[0].per_cycle, right * 1.02);
    REFUSES("samples[0]: clock_hz must be [median, min, max]", samples[0].clock_hz, right * 2);
    REFUSES("samples[0]: value must be from low to high", samples[0].low, right * 2);
    REFUSES("samples[0].documented_per_cycle: must be 0, or from 1e-09 to 1e+09", samples[0].documented_per_cycle,
            1e99);
    REFUSES("samples[0]: per_cycle must not be more than 1000 times doc", samples[0].documented_per_cycle, 1e-9);
    REFUSES("samples[0]: high and spread must not be more than", samples[0].high, right * 1e9);
    REFUSES("samples[0]: high and spread must not be more than", samples[0].spread, 1e18);
    REFUSES("samples[0].rate: must be [n, kept, min, q1, median, q3, max], the last", samples[0].rate.q1, right * 2);
    REFUSES("samples[0].rate: must be 0, or from", samples[0].rate.max, 1e308);
    REFUSES("curves[0]: a point's value must be", curves[0].points[1].value, right / 2);
    REFUSES("points[0].seconds: must be [n, kept", points[0].seconds.median, right * 2);
    REFUSES("points[0].flop: must be 0, or from 1e-06 to 1e+26 flop, not 1e+30", points[0].flop.max, 1e30);
    REFUSES("points[0].time_share: must be 0, or from 1e-15 to 10 share", points[0].time_share, 1e9);
    REFUSES("points[0].levels.link[0]: low_bytes must not be above", points[0].levels.link[0].low_bytes, 1e20);
    REFUSES("core_pairs[0]: share must not be above 1", core.pairs[0].share, 1.5);
    REFUSES("environment.elapsed_s: must be 0, or from 1e-15 to 1e+10 s, not 1e+30", environment.elapsed_s, 1e30);
#undef REFUSES
    r.curves[0].threads *= 2; /* two of a core */
    must_write(&r, fixture_path("right.json"));
    r.environment.load_average = 5e-324; /* the rest of a difference, which is none */
    must_write(&r, fixture_path("right.json"));
    results_free(&r);
}

static void intervals_of_the_memory(void **state) {
    (void)state;
    struct result r = small();
    struct memory_series series = {.part = MEMORY_LOADED, .level = "DRAM", .kernel = "avx2.load", .count = 1};
    struct memory_point point = {.latency_s = {90e-9, 80e-9, 99e-9}, .bytes_per_s = {1e9, 1e9, 1e9}, .visits = 5};
    struct handover pair = {.second = 1, .shares = "L3", .swap_s = {{50e-9, 49e-9, 51e-9}, {60e-9, 70e-9, 80e-9}}};
    r.memory.series = need_calloc(1, sizeof series), r.memory.pairs = need_calloc(1, sizeof pair);
    series.points = need_calloc(1, sizeof point);
    series.points[0] = point, r.memory.series[0] = series, r.memory.pairs[0] = pair;
    r.memory.series_count = r.memory.pair_count = 1;
    refuses_numbers("memory_pairs[0].swap_s: must be a value between the ends of its interval", &r);
    r.memory.pairs[0].swap_s[1].low = 55e-9;
    must_write(&r, fixture_path("right.json"));
    series.points[0].latency_s.value /= 2;
    refuses_numbers("memory_series[0].points[0].latency_s: must be a value between", &r);
    series.points[0].latency_s = (struct memory_number){1e30, 1e30, 1e30};
    refuses_numbers("memory_series[0].points[0].latency_s: must be 0, or from", &r);
    results_free(&r);
}

/* Every result that was stored keeps opening. */
static void stored_results_hold(void **state) {
    (void)state;
    static const char *const FOLDERS[] = {"results", "docs/samples", "tests/golden/files"};
    size_t count = 0;
    for (size_t i = 0; i < sizeof FOLDERS / sizeof FOLDERS[0]; i++) {
        DIR *folder = opendir(FOLDERS[i]);
        assert_non_null(folder);
        for (struct dirent *entry; (entry = readdir(folder));) {
            char path[512];
            struct result r;
            snprintf(path, sizeof path, "%s/%s", FOLDERS[i], entry->d_name);
            if (!strstr(entry->d_name, ".json"))
                continue;
            must_read(path, &r);
            results_free(&r);
            count++;
        }
        closedir(folder);
    }
    assert_true(count >= 11);
}

static void lists_at_their_limits(void **state) {
    (void)state;
    unsigned lists = 0;
    for (const struct field *row = result_fields; row->key; row++) {
        if (row->type != FIELD_ALLOCATED)
            continue;
        struct result r = {.kind_count = 1}, again;
        struct error err;
        field_set_entries(row, &r, calloc(row->most + 1, row->size));
        field_set_count(row, &r, row->most);
        fill(row->of, field_entries(row, &r));
        name_entries(row, &r);
        for (size_t i = 0; r.curve_count && i < r.curves[0].count; i++)
            r.curves[0].points[i].value = 1e9; /* without a number they are no points */
        must_write(&r, fixture_path("full.json"));
        must_read(fixture_path("full.json"), &again);
        assert_int_equal(field_count(row, &again), row->most);
        results_free(&again);
        field_set_count(row, &r, row->most + 1);
        name_entries(row, &r);
        assert_false(results_write(&r, fixture_path("full.json"), false, &err));
        assert_contains(err.text, row->key);
        assert_contains(err.text, "-o");
        must_read(fixture_path("full.json"), &again);
        assert_int_equal(field_count(row, &again), row->most);
        results_free(&again);
        results_free(&r);
        lists++;
    }
    assert_int_equal(lists, 11);
}

/* Lists within limits never make a file too large to read; neither does a number that JSON cannot express. */
static void nothing_unreadable_is_written(void **state) {
    (void)state;
    struct error err;
    struct result r = {.sample_count = 1, .samples = calloc(1, sizeof *r.samples)};
    r.samples[0].value = INFINITY;
    assert_false(results_write(&r, fixture_path("infinite.json"), false, &err));
    assert_contains(err.text, "samples[0].value");
    results_free(&r);
    r = (struct result){.annotation_count = 1000, .annotations = calloc(1000, sizeof *r.annotations)};
    for (size_t i = 0; i < r.annotation_count; i++)
        fill(result_annotation_fields, &r.annotations[i]);
    assert_false(results_write(&r, fixture_path("large.json"), false, &err));
    assert_contains(err.text, "16 MiB");
    results_free(&r);
    assert_int_equal(access(fixture_path("large.json"), F_OK), -1);
}

/* Nesting without end, files without end. */
static void hostile_sizes(void **state) {
    (void)state;

    static char deep[1 << 20];
    for (int b = 0; b < 2; b++) {
        memset(deep, "[{"[b], sizeof deep);
        try_text(deep, sizeof deep);
    }
    struct result none;
    struct error err;
    assert_false(results_read("/dev/zero", &none, &err));
    assert_contains(err.text, "/dev/zero");
    static const char *const unreadable[] = {"no/such/file.json", "/tmp", ""};
    for (size_t i = 0; i < 3; i++) {
        assert_false(results_read(unreadable[i], &none, &err));
        assert_contains(err.text, unreadable[i]);
    }
}

static void an_old_file_is_kept(void **state) {
    (void)state;
    struct result r = small();
    struct error err;
    size_t length, now;
    fixture_folder_count(true);
    fixture_write(fixture_path("old.json"), "old", 3);
    assert_false(results_write(&r, fixture_path("old.json"), true, &err)); /* fresh: never replaces */
    assert_contains(err.text, "old.json");
    char *text = fixture_read(fixture_path("old.json"), &length);
    assert_string_equal(text, "old");
    free(text);

    /* A disk that fills up midway: a limit on the file's size has the same effect, even for root. */
    struct rlimit was, full;
    getrlimit(RLIMIT_FSIZE, &was);
    full = was;
    full.rlim_cur = 4096;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &full);
    bool done = results_write(&r, fixture_path("old.json"), false, &err);
    setrlimit(RLIMIT_FSIZE, &was);
    assert_false(done);
    assert_contains(err.text, "old.json");
    assert_contains(err.text, "ulimit -f");
    text = fixture_read(fixture_path("old.json"), &now);
    assert_string_equal(text, "old");
    free(text);
    assert_int_equal(fixture_folder_count(false), 1); /* no half file is left */

    must_write(&r, fixture_path("old.json")); /* not fresh: replaced as a whole */
    text = fixture_read(fixture_path("old.json"), &length);
    assert_true(length > 1000);
    free(text);
    assert_true(results_write(&r, fixture_path("new.json"), true, &err));
    assert_int_equal(fixture_folder_count(false), 2);
    assert_false(results_write(&r, "/no/such/folder/x.json", false, &err));
    assert_contains(err.text, "/no/such/folder/x.json");
    assert_contains(err.text, "make its folder");
    if (geteuid() != 0) {
        assert_int_equal(chmod(fixture_folder, 0500), 0);
        assert_false(results_write(&r, fixture_path("denied.json"), false, &err));
        assert_int_equal(chmod(fixture_folder, 0700), 0);
        assert_contains(err.text, "denied.json");
    }
    results_free(&r);
}

/* A file of an older version has no points, and one without points does not mention them. */
static void files_without_points(void **state) {
    (void)state;
    struct result r = small(), again;
    size_t length;
    r.point_count = 0;
    must_write(&r, fixture_path("a.json"));
    char *text = fixture_read(fixture_path("a.json"), &length);
    assert_null(strstr(text, "\"seconds\""));
    free(text);
    must_read(fixture_path("a.json"), &again);
    assert_int_equal(again.point_count, 0);
    results_free(&again);
    results_free(&r);
}

/* Version 0.2 could count under valgrind: such a point is read, and written unchanged. */
static void points_counted_by_callgrind(void **state) {
    (void)state;
    struct result r = small(), again;
    size_t length;
    r.points[0].flop_source = r.points[0].bytes_source = SOURCE_CALLGRIND;
    r.points[0].doubts = DOUBTS(DOUBT_OTHER_CODE);
    must_write(&r, fixture_path("a.json"));
    char *text = fixture_read(fixture_path("a.json"), &length);
    assert_contains(text, "\"flop_source\":\"callgrind\"");
    assert_contains(text, "\"other code counted\"");
    free(text);
    must_read(fixture_path("a.json"), &again);
    assert_int_equal(again.points[0].flop_source, SOURCE_CALLGRIND);
    assert_true(doubts_equal(again.points[0].doubts, DOUBTS(DOUBT_OTHER_CODE)));
    results_free(&again);
    results_free(&r);
}

/* The stored data of a sample do not grow with repetitions or cores. */
static void a_whole_run_is_small(void **state) {
    (void)state;
    struct machine machines[] = {fixture_machine(512, FIXTURE_AVX512), fixture_machine(2, FIXTURE_AVX512),
                                 fixture_hybrid(8, 16)};
    for (size_t i = 0; i < 3; i++) {
        struct result r = fixture_result(machines[i], NULL);
        must_write(&r, fixture_path("whole.json"));
        size_t length;
        free(fixture_read(fixture_path("whole.json"), &length));
        if (length > 8192 + 335 * r.sample_count)
            fail_msg("%zu samples take %zu bytes", r.sample_count, length);
        results_free(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(written_read_and_written_again),
        cmocka_unit_test(every_field_survives),
        cmocka_unit_test(levels_survive),
        cmocka_unit_test(mutations_of_a_valid_file),
        cmocka_unit_test(truncated_and_damaged),
        cmocka_unit_test(the_error_names_the_place),
        cmocka_unit_test(doubts_of_a_newer_carmine),
        cmocka_unit_test(features_of_a_newer_carmine),
        cmocka_unit_test(numbers_that_cannot_be),
        cmocka_unit_test(intervals_of_the_memory),
        cmocka_unit_test(stored_results_hold),
        cmocka_unit_test(lists_at_their_limits),
        cmocka_unit_test(nothing_unreadable_is_written),
        cmocka_unit_test(hostile_sizes),
        cmocka_unit_test(curves_hold_no_blank_points),
        cmocka_unit_test(an_old_file_is_kept),
        cmocka_unit_test(files_without_points),
        cmocka_unit_test(points_counted_by_callgrind),
        cmocka_unit_test(a_whole_run_is_small),
    };
    return cmocka_run_group_tests(tests, fixture_folder_make, fixture_folder_remove);
}
