/* SPDX-License-Identifier: BSD-3-Clause
 * Caches to simulate: of machines, of documents, and as requested by the user. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/programs/levels_geometry.h"
#include "probe/uarch.h"
#include "tests/support/fixtures.h"

static struct machine machine_with(uint64_t l2_bytes, int l2_ways, uint64_t l3_bytes, int l3_ways) {
    struct machine machine = {.kind_count = 1};
    struct core_kind *kind = &machine.kinds[0];
    kind->cache_count = 3;
    kind->caches[0] = fixture_cache(1, KIB(48), 12, 1, 8);
    kind->caches[1] = fixture_cache(2, l2_bytes, l2_ways, 1, 8);
    kind->caches[2] = fixture_cache(3, l3_bytes, l3_ways, 8, 1);
    return machine;
}

static void sets_of_any_number(void **state) {
    (void)state;
    static const struct {
        uint64_t bytes;
        int ways;
        uint64_t sets;
        unsigned simulated_ways;
        const char *note;
    } cases[] = {
        {MIB(30), 20, 24576, 20, ""},   {MIB(33), 11, 49152, 11, ""},
        {KIB(1280), 20, 1024, 20, ""},  {KIB(1280), 12, 1707, 12, "L3 of 1310720 bytes rounded to 1310976"},
        {MIB(480), 15, 524288, 15, ""}, {MIB(8), -1, 8192, 16, ""},
        {MIB(8), 0, 8192, 16, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct machine machine = machine_with(MIB(1), 16, cases[i].bytes, cases[i].ways);
        struct levels_geometry got;
        struct error err = {""};
        assert_true(levels_geometry(&machine, 0, 0, NULL, 0, &got, &err));
        assert_int_equal(got.hierarchy.level_count, 3);
        assert_int_equal(got.hierarchy.levels[0].set_count, 64);
        assert_int_equal(got.hierarchy.levels[1].set_count, 1024);
        assert_int_equal(got.hierarchy.levels[2].set_count, cases[i].sets);
        assert_int_equal(got.hierarchy.levels[2].ways, cases[i].simulated_ways);
        assert_int_equal(got.hierarchy.levels[2].sharing_cores, 8);
        assert_contains(got.note, cases[i].note);
        assert_contains(got.note, "not documented");
        assert_null(got.content_source);
    }
    const struct machine machine = machine_with(MIB(1), 16, MIB(32), 16);
    struct levels_geometry got;
    struct error err = {""};
    assert_true(levels_geometry(&machine, 0, MIB(24), NULL, 0, &got, &err));
    assert_int_equal(got.hierarchy.levels[2].set_count * 16 * 64, MIB(24));
}

static void what_levels_hold(void **state) {
    (void)state;
    static const struct {
        const char *vendor;
        unsigned family, model;
        cpu_features features;
        enum cache_content l2, l3;
        unsigned tlb_entries[2];
    } cases[] = {
        {"GenuineIntel", 6, 94, FIXTURE_AVX2 | CPU_CLFLUSHOPT, CONTENT_FREE, CONTENT_INCLUSIVE, {64, 1536}},
        {"GenuineIntel", 6, 85, FIXTURE_AVX512 | CPU_CLFLUSHOPT, CONTENT_FREE, CONTENT_VICTIM, {64, 1536}},
        {"GenuineIntel", 6, 63, FIXTURE_AVX2, CONTENT_FREE, CONTENT_INCLUSIVE, {64, 1024}},
        {"AuthenticAMD", 25, 1, FIXTURE_AVX2, CONTENT_INCLUSIVE, CONTENT_VICTIM, {64, 1536}},
        {"AuthenticAMD", 23, 0x31, FIXTURE_AVX2, CONTENT_INCLUSIVE, CONTENT_VICTIM, {64, 2048}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct machine machine = machine_with(KIB(512), 8, MIB(32), 16);
        machine.cpu = (struct cpu_identity){
            .family = cases[i].family, .model = cases[i].model, .stepping = 3, .features = cases[i].features};
        strcpy(machine.cpu.vendor, cases[i].vendor);
        struct levels_geometry got;
        struct error err = {""};
        assert_true(levels_geometry(&machine, 0, 0, NULL, 0, &got, &err));
        assert_int_equal(got.hierarchy.levels[1].content, cases[i].l2);
        assert_int_equal(got.hierarchy.levels[2].content, cases[i].l3);
        assert_non_null(got.content_source);
        assert_int_equal(got.hierarchy.levels[2].inside_ways, cases[i].l3 == CONTENT_VICTIM ? 2 : 0); /* 8 × 512 KiB */
        for (unsigned tlb = 0; tlb < 2; tlb++)
            assert_int_equal(got.hierarchy.tlbs[tlb].set_count * got.hierarchy.tlbs[tlb].ways,
                             cases[i].tlb_entries[tlb]);
    }
}

/* Each row is of an existing microarchitecture, appears once, and has a source. */
static void documented_rows(void **state) {
    (void)state;
    const struct uarch_caches *row;
    for (unsigned i = 0; (row = uarch_caches_at(i)); i++) {
        assert_non_null(uarch_named(row->name));
        assert_ptr_equal(uarch_caches_of(uarch_named(row->name)), row);
        assert_true(row->content_source && *row->content_source);
        assert_true((row->tlb_source != NULL) == (row->tlbs[0].entries > 0));
    }
    assert_null(uarch_caches_of(NULL));
    const struct uarch *uarch;
    for (unsigned i = 0; (uarch = uarch_at(i)); i++)
        if (strncmp(uarch_name(uarch), "Zen", 3) == 0 && strcmp(uarch_name(uarch), "Zen 6") != 0 && /* no guide yet */
            !uarch_caches_of(uarch))
            fail_msg("%s has no caches", uarch_name(uarch));
}

static void caches_that_are_asked_for(void **state) {
    (void)state;
    const struct machine machine = machine_with(MIB(2), 16, MIB(30), 20);
    struct cache_wish wishes[HIERARCHY_LEVELS_MAX];
    struct levels_geometry got;
    struct error err = {""};
    unsigned count;
    assert_true(cache_wishes_parse("L2=1M:8,L3=1.25MiB", wishes, &count, &err));
    assert_int_equal(count, 2);
    assert_true(levels_geometry(&machine, 0, MIB(60), wishes, count, &got, &err));
    assert_int_equal(got.hierarchy.levels[1].ways, 8);
    assert_int_equal(got.hierarchy.levels[1].set_count, 2048);
    assert_int_equal(got.hierarchy.levels[2].ways, 20);
    assert_int_equal(got.hierarchy.levels[2].set_count, 1024);
    static const struct {
        const char *text;
        uint64_t bytes;
        unsigned ways;
    } read[] = {
        {"L1=32K", KIB(32), 0}, {"l1=32768", KIB(32), 0}, {"L1=1G:128", GIB(1), 128}, {"L4=64ki:4", KIB(64), 4}};
    for (size_t i = 0; i < sizeof read / sizeof *read; i++) {
        assert_true(cache_wishes_parse(read[i].text, wishes, &count, &err));
        assert_int_equal(wishes[0].size_bytes, read[i].bytes);
        assert_int_equal(wishes[0].ways, read[i].ways);
    }
}

static void caches_that_cannot_be(void **state) {
    (void)state;
    static const char *const TEXTS[] = {"",       "L2",       "L2=",         "L2=M",    "L2=-1M",  "L2=0",
                                        "L5=1M",  "M2=1M",    "L2=1M:",      "L2=1M:0", "L2=1M:x", "L2=1M:129",
                                        "L2=1T",  "L2=1M 8",  "L2=1M,L2=2M", "L2=1M,",  ",L2=1M",  "L2=nan",
                                        "L2=inf", "L2=0x10M", "L2=1e30"};
    struct cache_wish wishes[HIERARCHY_LEVELS_MAX];
    unsigned count;
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
        struct error err = {""};
        if (cache_wishes_parse(TEXTS[i], wishes, &count, &err))
            fail_msg("'%s' was taken", TEXTS[i]);
        assert_contains(err.text, TEXTS[i]);
    }
    struct machine machine = machine_with(MIB(2), 16, MIB(30), 20);
    struct levels_geometry got;
    struct error err = {""};
    assert_true(cache_wishes_parse("L4=1G", wishes, &count, &err));
    assert_false(levels_geometry(&machine, 0, 0, wishes, count, &got, &err));
    assert_contains(err.text, "this machine has no L4; its last level is L3");
    assert_true(cache_wishes_parse("L1=512:16", wishes, &count, &err));
    assert_false(levels_geometry(&machine, 0, 0, wishes, count, &got, &err));
    assert_contains(err.text, "give it fewer ways");
    machine.kinds[0].caches[1].line_bytes = 128;
    assert_false(levels_geometry(&machine, 0, 0, NULL, 0, &got, &err));
    assert_contains(err.text, "128 bytes");
    machine.kinds[0].cache_count = 0;
    assert_false(levels_geometry(&machine, 0, 0, NULL, 0, &got, &err));
    assert_contains(err.text, "HWLOC_SYNTHETIC");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_of_any_number),    cmocka_unit_test(what_levels_hold),
        cmocka_unit_test(documented_rows),       cmocka_unit_test(caches_that_are_asked_for),
        cmocka_unit_test(caches_that_cannot_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
