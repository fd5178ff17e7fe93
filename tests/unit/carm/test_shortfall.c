/* SPDX-License-Identifier: BSD-3-Clause
 * Reasons for gaps: every rule has a case that only it explains, and a neighbouring case that it must not explain. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/kernels/doubt.h"
#include "carm/model/shortfall.h"
#include "tests/support/fixtures.h"

/* A machine of four cores that share an L3, with room for a few samples. */
struct bed {
    struct result result;
    struct sample samples[8];
};

static void bed_make(struct bed *bed) {
    *bed = (struct bed){0};
    struct result *r = &bed->result;
    r->samples = bed->samples;
    r->kind_count = 1;
    strcpy(r->uarch, "Sapphire Rapids (Golden Cove)");
    r->machine = (struct machine){.package_count = 1, .machine_core_count = 4, .core_count = 4, .kind_count = 1};
    strcpy(r->machine.cpu.vendor, "GenuineIntel");
    r->machine.kinds[0] = (struct core_kind){.core_count = 4,
                                             .cache_count = 3,
                                             .caches = {{.level = 1, .sharing_core_count = 1},
                                                        {.level = 2, .sharing_core_count = 1},
                                                        {.level = 3, .sharing_core_count = 4}}};
    r->levels[0] = (struct levels){.count = 3, .level = {{.name = "L1"}, {.name = "L2"}, {.name = "L3"}}};
}

/* A sample at 3 GHz that reaches this part of a limit of `documented` per cycle (0: none). */
static struct sample *add(struct bed *bed, const char *kernel, const char *level, unsigned threads, double documented,
                          double ratio) {
    struct sample *s = &bed->samples[bed->result.sample_count++];
    *s = (struct sample){.threads = threads, .clock_hz = 3e9, .documented_per_cycle = documented, .spread = 0.001};
    snprintf(s->kernel, sizeof s->kernel, "%s", kernel);
    snprintf(s->level, sizeof s->level, "%s", level);
    s->kind = level[0] ? SAMPLE_BANDWIDTH : SAMPLE_COMPUTE;
    s->per_cycle = documented > 0 ? documented * ratio : ratio;
    s->value = s->per_cycle * threads * s->clock_hz;
    return s;
}

/* The first sample's reasons: "" for none. */
static void assert_reasons(const struct bed *bed, const struct spec *spec, const char *cause, const char *clock) {
    struct model model = model_build(&bed->result);
    struct shortfalls shortfalls = shortfalls_find(&model, spec);
    const struct shortfall *shortfall = &shortfalls.shortfalls[0];
    const char *is = shortfall->cause ? shortfall->cause->name : "",
               *clock_is = shortfall->clock ? shortfall->clock->name : "";
    if (strcmp(is, cause) != 0 || strcmp(clock_is, clock) != 0)
        fail_msg("%s: \"%s\" and \"%s\", not \"%s\" and \"%s\"", shortfall->roof->sample->kernel, is, clock_is, cause,
                 clock);
    shortfalls_free(&shortfalls);
    model_free(&model);
}
#define REASON(cause) assert_reasons(&bed, NULL, cause, "")

static void no_gap(void **state) {
    (void)state;
    struct bed bed;
    for (double ratio = 0.985; ratio < 1.02; ratio += 0.01) {
        bed_make(&bed);
        add(&bed, "avx512.f64.fma", "", 1, 32, ratio)->doubts = DOUBTS(DOUBT_UNSTABLE); /* nothing to explain */
        REASON("");
    }
}

static void compared_at_both_clocks(void **state) {
    (void)state;
    struct bed bed;
    bed_make(&bed);
    add(&bed, "avx512.f64.fma", "", 2, 32, 0.5);
    struct model model = model_build(&bed.result);
    struct shortfalls shortfalls = shortfalls_find(&model, &(struct spec){.cores = 4, .base_clock_hz = 2e9});
    assert_near(shortfalls.shortfalls[0].documented, 32 * 2 * 3e9);
    assert_near(shortfalls.shortfalls[0].ratio, 0.5);
    assert_near(shortfalls.shortfalls[0].documented_nominal, 32 * 2 * 2e9);
    assert_near(shortfalls.shortfalls[0].nominal_ratio, 0.75);
    shortfalls_free(&shortfalls);
    bed.samples[0].cores = 1; /* two threads of one core */
    shortfalls = shortfalls_find(&model, NULL);
    assert_near(shortfalls.shortfalls[0].documented, 32 * 3e9);
    shortfalls_free(&shortfalls);
    strcpy(bed.result.machine.cpu.brand, "Intel(R) CPU @ 2.50GHz");
    shortfalls = shortfalls_find(&model, NULL);
    assert_near(shortfalls.shortfalls[0].nominal_clock_hz, 2.5e9);
    shortfalls_free(&shortfalls);
    model_free(&model);
}

static void half_of_a_wide_limit(void **state) {
    (void)state;
    struct bed bed;
    bed_make(&bed);
    add(&bed, "avx512.f64.fma", "", 1, 32, 0.501);
    REASON("one FMA unit");
    bed_make(&bed);
    add(&bed, "avx512.f64.fma", "", 1, 32, 0.6);
    REASON("not explained");
    bed_make(&bed);
    strcpy(bed.result.machine.cpu.brand, "Intel(R) Xeon(R) Gold 6130 CPU @ 3.00GHz"); /* has two */
    add(&bed, "avx512.f64.fma", "", 1, 32, 0.501);
    REASON("not explained");
    bed_make(&bed);
    add(&bed, "avx2.f64.fma", "", 1, 16, 0.501); /* every such core has both 256-bit units */
    REASON("not explained");
    bed_make(&bed);
    add(&bed, "avx512.load", "L1", 1, 128, 0.501);
    REASON("not explained");
}

static void undocumented_and_above(void **state) {
    (void)state;
    struct bed bed;
    bed_make(&bed);
    add(&bed, "avx512.load", "L3", 1, 0, 1);
    REASON("no documented limit");
    bed_make(&bed);
    add(&bed, "avx512.f64.fma", "", 1, 32, 1.05);
    REASON("above documented");
}

static void levels_that_are_elsewhere(void **state) {
    (void)state;
    struct bed bed;
    bed_make(&bed);
    add(&bed, "avx512.load", "L3", 1, 16, 0.7);
    REASON("not explained");
    bed.result.levels[0].level[2].disagrees = true;
    REASON("level elsewhere");
    bed.result.levels[0].level[2].disagrees = false;
    bed.result.levels[0].level[1].disagrees = true; /* about another level */
    REASON("not explained");
}

static void shared_caches(void **state) {
    (void)state;
    struct bed bed;
    bed_make(&bed);
    add(&bed, "avx512.load", "L3", 4, 16, 0.5);
    add(&bed, "avx512.load", "L3", 1, 16, 0.8);
    REASON("shared cache");
    bed.samples[1].value = bed.samples[0].value / 4; /* a single core is no better */
    REASON("not explained");
    bed.samples[0].doubts = DOUBTS(DOUBT_SHARED_CACHE);
    REASON("shared cache");
    bed_make(&bed);
    add(&bed, "avx512.load", "L1", 4, 128, 0.5); /* each core has its own L1 */
    add(&bed, "avx512.load", "L1", 1, 128, 0.8);
    REASON("not explained");
}

static void memory_and_few_cores(void **state) {
    (void)state;
    const struct spec spec = {.cores = 4, .memory_channels = 2, .memory_transfers_per_s = 3.2e9}; /* 51.2 GB/s */
    struct bed bed;
    bed_make(&bed);
    add(&bed, "avx512.load", "DRAM", 1, 0, 1)->value = 15e9;
    REASON("memory not stated");
    assert_reasons(&bed, &spec, "too few cores", "");
    add(&bed, "avx512.load", "DRAM", 4, 0, 1)->value = 40e9;
    assert_reasons(&bed, &spec, "too few cores", "");
    bed.samples[1].value = 15.1e9; /* four cores get no more than one */
    assert_reasons(&bed, &spec, "not explained", "");
    bed.samples[0].threads = 4;
    bed.samples[1].threads = 1;
    assert_reasons(&bed, &spec, "not explained", "");
    bed.samples[0].value = 50.9e9;
    assert_reasons(&bed, &spec, "", "");
    bed.result.machine.package_count = 2; /* and twice the memory */
    bed.samples[0].threads = 8;
    assert_reasons(&bed, &spec, "not explained", "");
    bed.samples[0].package = 1;
    assert_reasons(&bed, &spec, "", "");
    bed.samples[0].package = 0;
    bed.samples[0].node = 1; /* one of four: a quarter of two packages' */
    bed.samples[0].value = 25.5e9;
    bed.result.machine.nodes =
        (struct memory_node[]){{.kind = "DRAM"}, {.kind = "DRAM"}, {.kind = "HBM"}, {.kind = "DRAM"}, {.kind = "DRAM"}};
    bed.result.machine.node_count = 5;
    assert_reasons(&bed, &spec, "", "");
    bed.samples[0].value = 20e9; /* 78 % */
    assert_reasons(&bed, &spec, "memory overhead", "");
    bed.samples[0].value = 19e9;
    assert_reasons(&bed, &spec, "not explained", "");
    struct sample *other = add(&bed, "avx512.update", "DRAM", 8, 0, 1);
    other->node = 1, other->value = 19.1e9;
    assert_reasons(&bed, &spec, "other pattern", "");
    other->threads = 4;
    assert_reasons(&bed, &spec, "not explained", "");
    strcpy(bed.samples[0].level, "HBM"); /* not stated in the specification */
    assert_reasons(&bed, &spec, "memory not stated", "");
}

static void sustained_figures(void **state) {
    (void)state;
    struct bed bed;
    bed_make(&bed);
    strcpy(bed.result.uarch, "Skylake-SP");
    add(&bed, "avx512.load", "L2", 1, 64, 52. / 64);
    REASON("sustained as stated");
    bed_make(&bed);
    strcpy(bed.result.uarch, "Skylake-SP");
    add(&bed, "avx512.load", "L2", 1, 64, 40. / 64); /* less than that */
    REASON("not explained");
    bed_make(&bed);
    strcpy(bed.result.uarch, "Skylake-SP");
    add(&bed, "avx512.store", "L2", 1, 32, 0.9); /* stated for loads */
    REASON("not explained");
}

static void doubts(void **state) {
    (void)state;
    struct bed bed;
    bed_make(&bed);
    add(&bed, "avx512.f64.fma", "", 1, 32, 0.9)->doubts = DOUBTS(DOUBT_UNSTABLE);
    REASON("doubt");
    bed.samples[0].doubts = DOUBTS(DOUBT_OTHERS_ACTIVE);
    REASON("doubt");
    bed.samples[0].doubts = DOUBTS(DOUBT_MASKED_CPU); /* does not slow anything down */
    REASON("not explained");
}

static void peaks_of_links(void **state) {
    (void)state;
    struct bed bed;
    bed_make(&bed);
    add(&bed, "avx512.load", "L2", 1, 64, 48.6 / 64);
    REASON("link peak");
    strcpy(bed.result.machine.cpu.vendor, "AuthenticAMD"); /* the figures are Intel's */
    REASON("not explained");
}

static void known_gaps(void **state) {
    (void)state;
    const struct {
        const char *kernel, *level;
        double documented, ratio;
    } cases[] = {{"avx2.2ld1st", "L1", 144, 128. / 144},   {"avx512.axpy", "L1", 192, 181. / 192},
                 {"avx512.2ld1st", "L1", 192, 181. / 192}, {"avx2.axpy", "L1", 144, 128.7 / 144},
                 {"avx512.store", "L2", 32, 15.9 / 32},    {"avx2.2ld1st", "L2", 48, 32.9 / 48}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bed bed;
        bed_make(&bed);
        add(&bed, cases[i].kernel, cases[i].level, 1, cases[i].documented, cases[i].ratio);
        REASON("known, not explained");
        strcpy(bed.result.uarch, i % 2 ? "Zen 2" : "Ice Lake-SP (Sunny Cove)");
        REASON("not explained");
        bed_make(&bed);
        add(&bed, cases[i].kernel, cases[i].level, 1, cases[i].documented, 0.3);
        REASON("not explained");
    }
    struct bed bed;
    bed_make(&bed);
    add(&bed, "avx2.load", "L3", 1, 32, 24.4 / 32);
    REASON("not explained"); /* on a Golden Cove */
    strcpy(bed.result.uarch, "Zen 3");
    REASON("known, not explained");
}

static void virtual_machines(void **state) {
    (void)state;
    struct bed bed;
    bed_make(&bed);
    strcpy(bed.result.machine.cpu.hypervisor, "KVMKVMKVM");
    add(&bed, "avx512.f64.fma", "", 1, 32, 0.9)->spread = 0.08;
    REASON("virtual machine");
    bed.samples[0].spread = 0.01; /* so steady a gap is not due to other guests */
    REASON("not explained");
    bed.samples[0].spread = 0.08;
    bed.result.machine.cpu.hypervisor[0] = '\0';
    REASON("not explained");
}

static void clocks(void **state) {
    (void)state;
    const struct spec base = {.cores = 4, .base_clock_hz = 2e9}, fast = {.cores = 4, .base_clock_hz = 3.5e9},
                      own = {.cores = 4, .base_clock_hz = 3e9}, slow = {.cores = 4, .turbo_clock_hz = 2.5e9};
    struct bed bed;
    bed_make(&bed);
    add(&bed, "avx512.f64.fma", "", 1, 32, 1);
    assert_reasons(&bed, &base, "", "turbo");
    assert_reasons(&bed, &fast, "", "under nominal clock");
    assert_reasons(&bed, &own, "", "");
    assert_reasons(&bed, &slow, "", "above turbo");
    add(&bed, "avx2.f64.fma", "", 1, 16, 1)->clock_hz = 3.4e9;
    assert_reasons(&bed, NULL, "", "AVX-512 clock");
    bed.samples[1].clock_hz = 3.05e9; /* clocks wander this much on their own */
    assert_reasons(&bed, NULL, "", "");
    bed.samples[1].clock_hz = 3.4e9;
    bed.samples[1].threads = 4; /* fewer threads may run faster anyway */
    assert_reasons(&bed, NULL, "", "");
    bed.samples[1].threads = 1;
    strcpy(bed.samples[1].core_kind, "E"); /* and so may other cores */
    assert_reasons(&bed, NULL, "", "");
    bed.samples[1].threads = 4;
    strcpy(bed.samples[0].core_kind, "E"); /* whose base clock the specification lacks */
    assert_reasons(&bed, &base, "", "");
}

static void rules_are_complete(void **state) {
    (void)state;
    for (size_t i = 0; i < shortfall_clock_rule_count + shortfall_cause_rule_count; i++) {
        const struct shortfall_rule *rule = i < shortfall_clock_rule_count
                                                ? &shortfall_clock_rules[i]
                                                : &shortfall_cause_rules[i - shortfall_clock_rule_count];
        assert_true(rule->name && rule->meaning && rule->applies && strlen(rule->name) <= 24);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_gap),
        cmocka_unit_test(compared_at_both_clocks),
        cmocka_unit_test(half_of_a_wide_limit),
        cmocka_unit_test(undocumented_and_above),
        cmocka_unit_test(levels_that_are_elsewhere),
        cmocka_unit_test(shared_caches),
        cmocka_unit_test(memory_and_few_cores),
        cmocka_unit_test(sustained_figures),
        cmocka_unit_test(doubts),
        cmocka_unit_test(peaks_of_links),
        cmocka_unit_test(known_gaps),
        cmocka_unit_test(virtual_machines),
        cmocka_unit_test(clocks),
        cmocka_unit_test(rules_are_complete),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
