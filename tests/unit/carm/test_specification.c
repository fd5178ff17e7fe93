/* SPDX-License-Identifier: BSD-3-Clause
 * Verdicts on a vendor's figures: each verdict of each kind of figure, with its reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carm/model/shortfall.h"
#include "tests/support/fixtures.h"

/* Two packages of four cores with room for some samples. */
struct bed {
    struct result result;
    struct sample samples[12];
};

static struct sample *add(struct bed *bed, const char *kernel, const char *level, unsigned threads, double documented,
                          double per_cycle) {
    struct sample *s = &bed->samples[bed->result.sample_count++];
    *s = (struct sample){.threads = threads, .clock_hz = 3e9, .documented_per_cycle = documented, .spread = 0.001};
    snprintf(s->kernel, sizeof s->kernel, "%s", kernel);
    snprintf(s->level, sizeof s->level, "%s", level);
    s->kind = level[0] ? SAMPLE_BANDWIDTH : SAMPLE_COMPUTE;
    s->per_cycle = per_cycle;
    s->value = per_cycle * threads * s->clock_hz;
    s->low = s->high = s->value;
    return s;
}

/* An EPYC whose limits are reached, with DRAM at 320 of 409.6 GB/s. */
static void bed_make(struct bed *bed) {
    *bed = (struct bed){0};
    struct result *r = &bed->result;
    r->samples = bed->samples;
    r->kind_count = 1;
    strcpy(r->uarch, "Zen 3");
    strcpy(r->machine.cpu.brand, "AMD EPYC 7763 64-Core Processor");
    strcpy(r->machine.cpu.vendor, "AuthenticAMD");
    r->machine.package_count = 2, r->machine.machine_core_count = r->machine.core_count = 8;
    r->machine.kind_count = 1;
    r->levels[0] = (struct levels){.count = 3, .level = {{.name = "L1"}, {.name = "L2"}, {.name = "DRAM"}}};
    for (unsigned threads = 1; threads <= 8; threads += 7) {
        add(bed, "avx2.f64.fma", "", threads, 16, 15.9);
        add(bed, "avx2.f32.fma", "", threads, 32, 31.9);
        add(bed, "avx2.load", "L1", threads, 64, 63.9);
        add(bed, "avx2.load", "L2", threads, 32, 31.9);
        add(bed, "avx2.load", "DRAM", threads, 0, 1)->value = threads * 40e9;
    }
}

static struct specification judge(const struct bed *bed, const struct spec *spec) {
    struct model model = model_build(&bed->result);
    struct shortfalls shortfalls = shortfalls_find(&model, spec);
    const struct specification specification = specification_judge(&model, &shortfalls, spec);
    shortfalls_free(&shortfalls);
    model_free(&model);
    return specification;
}

static void assert_figure(const struct bed *bed, const struct spec *spec, const char *name, enum spec_verdict verdict,
                          const char *why) {
    const struct specification specification = judge(bed, spec);
    size_t i = 0;
    while (i < specification.count && strcmp(specification.figures[i].name, name) != 0)
        i++;
    assert_true(i < specification.count);
    const struct spec_figure *figure = &specification.figures[i];
    if (figure->verdict != verdict || (*why ? !strstr(figure->why, why) : *figure->why))
        fail_msg("%s: %s: \"%s\"", name, spec_verdict_names[figure->verdict], figure->why);
}

static void as_specified(void **state) {
    (void)state;
    struct bed bed;
    char names[SPEC_NAMES_BYTES];
    bed_make(&bed);
    const struct specification specification = judge(&bed, NULL);
    assert_string_equal(specification_names(&specification, SPEC_REACHED, false, names),
                        "f64, f32 FMA, L1, L2, memory");
    assert_string_equal(specification_names(&specification, SPEC_BELOW, false, names), "");
    assert_string_equal(specification_names(&specification, SPEC_UNKNOWN, false, names), "clock");
    assert_int_equal(specification_verdict(&specification), SPEC_REACHED);
    assert_int_equal(specification.threads, 8);
    assert_near(specification.figures[0].stated, 16);
    assert_near(specification.figures[0].all, 15.9 / 16);
    assert_near(specification.figures[4].stated, 2 * 8 * 3.2e9 * 8);
    assert_near(specification.figures[4].all, 320e9 / 409.6e9);
    add(&bed, "avx512.f16.fma", "", 8, 128, 128);
    const struct specification narrow = judge(&bed, NULL);
    assert_string_equal(specification_names(&narrow, SPEC_REACHED, false, names), "f64, f32, f16 FMA, L1, L2, memory");
    assert_string_equal(specification_names(&narrow, SPEC_REACHED, true, names), "f64, f32 FMA, L1, L2, memory");
}

static void limits(void **state) {
    (void)state;
    struct bed bed;
    bed_make(&bed);
    bed.samples[5].per_cycle = 12, bed.samples[5].value = bed.samples[5].high = 12 * 8 * 3e9; /* f64 by all */
    assert_figure(&bed, NULL, "f64", SPEC_BELOW, "no rule explains this gap");
    const struct specification below = judge(&bed, NULL);
    assert_int_equal(specification_verdict(&below), SPEC_BELOW);
    bed.samples[5].high = 15.9 * 8 * 3e9;
    assert_figure(&bed, NULL, "f64", SPEC_UNKNOWN, "interval");
    bed.samples[5].doubts = DOUBTS(DOUBT_UNSTABLE);
    assert_figure(&bed, NULL, "f64", SPEC_UNKNOWN, "has warnings");
    bed.samples[5].high = 12.7 * 8 * 3e9; /* unstable, but its interval excludes the limit */
    assert_figure(&bed, NULL, "f64", SPEC_BELOW, "no rule explains this gap");
    bed.samples[5].doubts = DOUBTS(DOUBT_UNSTABLE, DOUBT_OTHERS_ACTIVE);
    assert_figure(&bed, NULL, "f64", SPEC_UNKNOWN, "has warnings (others active)");
    bed.samples[5].high = 15.9 * 8 * 3e9, bed.samples[5].doubts = DOUBTS(DOUBT_UNSTABLE);
    bed.samples[0].per_cycle = 12, bed.samples[0].value = bed.samples[0].high = 12 * 3e9; /* one core is below */
    assert_figure(&bed, NULL, "f64", SPEC_BELOW, "no rule explains this gap");
    bed.samples[0].per_cycle = 16, bed.samples[0].value = 16 * 3e9;
    bed.samples[5].per_cycle = 18, bed.samples[5].value = 18 * 8 * 3e9;
    assert_figure(&bed, NULL, "f64", SPEC_UNKNOWN, "the clock reading or the documented limit is wrong");
    bed.samples[3].documented_per_cycle = bed.samples[8].documented_per_cycle = 0;
    assert_figure(&bed, NULL, "L2", SPEC_UNKNOWN, "no verified source");
    strcpy(bed.samples[2].kernel, "avx2.update"), strcpy(bed.samples[7].kernel, "avx2.update");
    char names[SPEC_NAMES_BYTES];
    const struct specification without = judge(&bed, NULL); /* no loads from L1 were measured */
    assert_string_equal(specification_names(&without, SPEC_REACHED, false, names), "f32 FMA, memory");
    assert_string_equal(specification_names(&without, SPEC_UNKNOWN, false, names), "f64 FMA, L2, clock");
}

/* A core without FMA has an addition beside a multiplication. */
static void without_fma(void **state) {
    (void)state;
    struct bed bed;
    char names[SPEC_NAMES_BYTES];
    bed_make(&bed);
    for (int i = 0; i < 10; i += 5)
        snprintf(bed.samples[i].kernel, sizeof bed.samples[i].kernel, "avx.f64.addmul");
    const struct specification specification = judge(&bed, NULL);
    assert_string_equal(specification_names(&specification, SPEC_REACHED, false, names),
                        "f64 ADD + MUL, f32 FMA, L1, L2, memory");
}

/* Each kind has limits of its own: the first kind's cores are judged. */
static void hybrid(void **state) {
    (void)state;
    struct bed bed = {0};
    bed.result.samples = bed.samples;
    bed.result.machine.kind_count = bed.result.kind_count = 2;
    strcpy(bed.result.machine.kinds[0].name, "P"), strcpy(bed.result.machine.kinds[1].name, "E");
    strcpy(add(&bed, "avx2.f64.fma", "", 1, 16, 16)->core_kind, "P");
    strcpy(add(&bed, "avx2.f64.fma", "", 4, 16, 12)->core_kind, "P");
    strcpy(add(&bed, "avx2.f64.fma", "", 8, 8, 8)->core_kind, "E");
    const struct specification specification = judge(&bed, NULL);
    assert_int_equal(specification.threads, 4);
    assert_near(specification.figures[0].all, 0.75);
    assert_figure(&bed, NULL, "f64", SPEC_BELOW, "no rule");
}

#define MODULES(...) ((struct memory_modules){.source = "dmidecode", .bus_bytes = 8, __VA_ARGS__})

static void memory(void **state) {
    (void)state;
    struct bed bed;
    const struct spec few = {.cores = 64, .memory_channels = 8, .memory_transfers_per_s = 3.2e9},
                      own = {.cores = 4, .memory_channels = 8, .memory_transfers_per_s = 3.2e9};
    bed_make(&bed);
    struct memory_modules *modules = &bed.result.machine.memory_modules;
    bed.samples[9].value = bed.samples[9].high = 280e9; /* 68 % */
    assert_figure(&bed, NULL, "memory", SPEC_BELOW,
                  "fewer or slower modules than 16 × DDR4-3200? `sudo dmidecode -t memory |");
    bed.samples[9].doubts = DOUBTS(DOUBT_UNSTABLE); /* its interval excludes 75 % all the same */
    assert_figure(&bed, NULL, "memory", SPEC_BELOW, "fewer or slower modules");
    bed.samples[9].doubts = NO_DOUBTS;
    bed.samples[9].high = 310e9;
    assert_figure(&bed, NULL, "memory", SPEC_UNKNOWN, "interval includes 75 %");
    bed.samples[9].high = 280e9;
    *modules = MODULES(.module_count = 16, .channel_count = 16, .transfers_per_s = 3.2e9);
    assert_figure(&bed, NULL, "memory", SPEC_BELOW, "no rule explains this gap");
    *modules = MODULES(.module_count = 24, .channel_count = 13, .transfers_per_s = 3.2e9);
    assert_figure(&bed, NULL, "memory", SPEC_BELOW, "3 of 16 channels are empty");
    *modules = MODULES(.module_count = 14, .transfers_per_s = 2.933e9); /* no channel is named */
    assert_figure(&bed, NULL, "memory", SPEC_BELOW,
                  "2 of 16 channels are empty, and the modules run at 2933 of 3200 MT/s");
    *modules = MODULES(.module_count = 4, .channel_count = 4, .transfers_per_s = 3.2e9);
    assert_figure(&bed, NULL, "memory", SPEC_UNKNOWN, "other modules");
    *modules = (struct memory_modules){.source = "EDAC", .module_count = 16, .channel_count = 16}; /* no rate */
    bed.samples[9].value = 320e9;
    assert_figure(&bed, NULL, "memory", SPEC_REACHED, "");
    bed.samples[9].value = 500e9;
    *modules = (struct memory_modules){.module_count = 0};
    assert_figure(&bed, NULL, "memory", SPEC_UNKNOWN, "MRDIMM");
    assert_figure(&bed, &few, "memory", SPEC_UNKNOWN, "more than stated");
    bed.samples[9].value = 320e9;
    assert_figure(&bed, &few, "memory", SPEC_UNKNOWN, "8 cores cannot keep all channels busy");
    bed.result.machine.machine_core_count = 16;
    assert_figure(&bed, NULL, "memory", SPEC_UNKNOWN, "8 cores cannot keep all channels busy");
    bed.result.machine.machine_core_count = 8;
    strcpy(bed.result.machine.cpu.brand, "AMD EPYC");
    assert_figure(&bed, NULL, "memory", SPEC_UNKNOWN, "not readable without root");
    strcpy(bed.result.machine.cpu.hypervisor, "KVMKVMKVM");
    assert_figure(&bed, NULL, "memory", SPEC_UNKNOWN, "a guest cannot see the host's modules");
    assert_figure(&bed, &own, "memory", SPEC_REACHED, "");
    strcpy(bed.result.machine.cpu.brand, "AMD EPYC 7763 64-Core Processor");
    assert_figure(&bed, NULL, "memory", SPEC_UNKNOWN, "a guest cannot see the host's modules");
    bed_make(&bed); /* of a product whose memory is HBM */
    strcpy(bed.result.machine.cpu.brand, "Fujitsu A64FX");
    bed.result.machine.package_count = 1;
    strcpy(bed.samples[9].level, "HBM");
    assert_figure(&bed, NULL, "memory", SPEC_BELOW, "no rule");
    bed_make(&bed);
    bed.samples[0] = bed.samples[9], bed.result.sample_count = 1; /* nothing else was measured */
    assert_figure(&bed, NULL, "memory", SPEC_REACHED, "");
}

static void clocks(void **state) {
    (void)state;
    struct bed bed;
    const struct spec spec = {.cores = 4, .base_clock_hz = 2.45e9, .turbo_clock_hz = 3.05e9};
    bed_make(&bed);
    assert_figure(&bed, NULL, "clock", SPEC_UNKNOWN, "--spec FILE does");
    assert_figure(&bed, &spec, "base", SPEC_REACHED, "");
    assert_figure(&bed, &spec, "boost", SPEC_REACHED, "");
    bed.result.machine.cpu.base_clock_hz = 3.2e9;
    bed.result.machine.cpu.boost_clock_hz = 3.5e9;
    assert_figure(&bed, NULL, "base", SPEC_BELOW, "a governor");
    assert_figure(&bed, NULL, "boost", SPEC_BELOW, "is boost switched off?");
    add(&bed, "avx512.f64.fma", "", 8, 32, 32)->clock_hz = 3.4e9; /* vendors state other clocks for these */
    assert_figure(&bed, NULL, "base", SPEC_BELOW, "a governor");
    bed.result.machine.cpu.base_clock_hz = 2.9e9;
    assert_figure(&bed, NULL, "base", SPEC_REACHED, "");
    assert_figure(&bed, NULL, "boost", SPEC_UNKNOWN, "the best core alone");
    bed.result.machine.cpu.base_clock_hz = bed.result.machine.cpu.boost_clock_hz = 0;
    strcpy(bed.result.machine.cpu.brand, "Intel(R) Xeon(R) CPU E5-2660 0 @ 2.20GHz");
    assert_figure(&bed, NULL, "base", SPEC_REACHED, "");
}

/* Without a number of the widest FMA nothing is told of a narrower one, nor of what else was measured. */
static void blank(void **state) {
    (void)state;
    struct bed bed;
    bed_make(&bed);
    add(&bed, "avx512.f64.fma", "", 8, 32, 0);
    assert_figure(&bed, NULL, "f64", SPEC_UNKNOWN, "avx512.f64.fma is blank");
    bed_make(&bed);
    bed.samples[5].value = bed.samples[5].low = bed.samples[5].high = bed.samples[5].per_cycle = 0;
    strcpy(bed.samples[0].kernel, "avx2.f64.addmul");
    add(&bed, "avx2.f64.addmul", "", 8, 16, 16);
    assert_figure(&bed, NULL, "f64", SPEC_UNKNOWN, "avx2.f64.fma is blank");
}

/* A column of one core has no figures of several. */
static void all_cores_alone(void **state) {
    (void)state;
    struct bed bed;
    bed_make(&bed);
    memmove(bed.samples, bed.samples + 5, 5 * sizeof *bed.samples);
    bed.result.sample_count = 5;
    bed.result.machine.cpu.base_clock_hz = 2.9e9, bed.result.machine.cpu.boost_clock_hz = 3.5e9;
    const struct specification all = judge(&bed, NULL);
    assert_int_equal(all.count, 6);
    for (size_t i = 0; i < all.count; i++) {
        assert_true(all.figures[i].one == 0 && all.figures[i].all > 0);
        assert_string_not_equal(all.figures[i].name, "boost");
    }
}

static void nothing_can_be_told(void **state) {
    (void)state;
    struct bed bed;
    bed_make(&bed);
    bed.result.machine.cpu.brand[0] = '\0';
    for (size_t i = 0; i < bed.result.sample_count; i++)
        bed.samples[i].documented_per_cycle = 0;
    const struct specification none = judge(&bed, NULL);
    assert_int_equal(specification_verdict(&none), SPEC_UNKNOWN);
    bed.result.sample_count = 0;
    const struct specification empty = judge(&bed, NULL);
    assert_int_equal(empty.count, 0);
    assert_int_equal(specification_verdict(&empty), SPEC_UNKNOWN);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_specified),    cmocka_unit_test(limits), cmocka_unit_test(without_fma),
        cmocka_unit_test(memory),          cmocka_unit_test(hybrid), cmocka_unit_test(clocks),
        cmocka_unit_test(all_cores_alone), cmocka_unit_test(blank),  cmocka_unit_test(nothing_can_be_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
