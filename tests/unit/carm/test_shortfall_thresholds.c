/* SPDX-License-Identifier: BSD-3-Clause
 * Each threshold of a shortfall, just above and just below. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carm/model/shortfall.h"
#include "tests/support/fixtures.h"
#include "tests/support/thresholds.h"

static struct sample sample;
static struct roof roof;
static struct machine machine;

/* A roof at so much of its limit; each case adds what its rule asks for. */
static struct shortfall at(double ratio) {
    sample = (struct sample){.kind = SAMPLE_BANDWIDTH, .threads = 1, .value = 1e9, .clock_hz = 3e9};
    roof = (struct roof){.sample = &sample, .op = "load"};
    machine = (struct machine){0};
    return (struct shortfall){.roof = &roof, .machine = &machine, .documented = 1, .ratio = ratio};
}

static bool applies(const struct shortfall_rule *rules, size_t count, const char *name, const struct shortfall *about) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(rules[i].name, name) == 0)
            return rules[i].applies(about);
    fail_msg("no rule is \"%s\"", name);
    return false;
}

static bool is_cause(const char *name, const struct shortfall *about) {
    return applies(shortfall_cause_rules, shortfall_cause_rule_count, name, about);
}

static bool is_below(double shortfall) {
    const struct shortfall about = at(1 - shortfall);
    return shortfall_is_below(&about);
}

static bool wide_clock_is_low(double below) {
    struct shortfall about = at(1);
    sample.kind = SAMPLE_COMPUTE;
    about.evidence.vector_bytes = 64;
    about.evidence.lighter_clock_hz = sample.clock_hz / (1 - below);
    return applies(shortfall_clock_rules, shortfall_clock_rule_count, "AVX-512 clock", &about);
}

static bool too_few_cores(double more) {
    struct shortfall about = at(0.5);
    about.evidence.memory = true, about.evidence.package_cores = 8;
    about.evidence.more = more * sample.value;
    return is_cause("too few cores", &about);
}

static bool one_unit(double ratio) {
    struct shortfall about = at(ratio);
    sample.kind = SAMPLE_COMPUTE;
    about.evidence.vector_bytes = 64;
    return is_cause("one FMA unit", &about);
}

static bool as_stated(double share) {
    struct shortfall about = at(0.5);
    about.evidence.sustained_bytes_per_cycle = 48;
    sample.per_cycle = 48 * share;
    return is_cause("sustained as stated", &about);
}

static bool link_peak(double ratio) {
    struct shortfall about = at(ratio);
    about.evidence.cache_level = 2;
    strcpy(machine.cpu.vendor, "GenuineIntel");
    return is_cause("link peak", &about);
}

static bool memory_overhead(double ratio) {
    struct shortfall about = at(ratio);
    about.evidence.memory = true;
    return is_cause("memory overhead", &about);
}

static bool other_guests(double share) {
    struct shortfall about = at(0.8);
    strcpy(machine.cpu.hypervisor, "KVM");
    sample.spread = 0.2 * share;
    return is_cause("virtual machine", &about);
}

static bool seen_before(const char *uarch, const char *kernel, const char *level, double ratio) {
    struct shortfall about = at(ratio);
    snprintf(sample.kernel, sizeof sample.kernel, "%s", kernel);
    snprintf(sample.level, sizeof sample.level, "%s", level);
    struct result result = {.sample_count = 1, .samples = &sample};
    snprintf(result.uarch, sizeof result.uarch, "%s", uarch);
    struct model model = model_build(&result);
    about.roof = &model.roofs[0];
    shortfall_gather(&about, &model, NULL);
    model_free(&model);
    return about.evidence.seen_before != NULL;
}

static bool seen_in_l1_256(double ratio) {
    return seen_before("Golden Cove", "avx2.2ld1st", "L1", ratio);
}

static bool seen_in_l1_512(double ratio) {
    return seen_before("Golden Cove", "avx512.axpy", "L1", ratio);
}

static bool seen_in_l2(double ratio) {
    return seen_before("Golden Cove", "avx512.update", "L2", ratio);
}

static bool seen_in_l3(double ratio) {
    return seen_before("Zen 4", "avx2.load", "L3", ratio);
}

static void each_threshold_decides(void **state) {
    (void)state;
    static const struct threshold_case CASES[] = {
        {"tolerance", 0.02, is_below, true},           {"clock wanders", 0.03, wide_clock_is_low, true},
        {"clearly more", 1.05, too_few_cores, true},   {"half, from", 0.47, one_unit, true},
        {"half, to", 0.53, one_unit, false},           {"sustained", 0.9, as_stated, true},
        {"link, from", 0.4, link_peak, true},          {"link, to", 0.9, link_peak, false},
        {"L1 256, from", 0.87, seen_in_l1_256, true},  {"L1 256, to", 0.91, seen_in_l1_256, false},
        {"L1 512, from", 0.92, seen_in_l1_512, true},  {"L1 512, to", 0.96, seen_in_l1_512, false},
        {"L2, from", 0.45, seen_in_l2, true},          {"L2, to", 0.75, seen_in_l2, false},
        {"L3, from", 0.55, seen_in_l3, true},          {"L3, to", 0.9, seen_in_l3, false},
        {"memory, from", 0.75, memory_overhead, true}, {"guests", 0.5, other_guests, true},
    };
    thresholds_decide((const struct threshold *)&shortfall_thresholds, SHORTFALL_THRESHOLD_COUNT, CASES,
                      sizeof CASES / sizeof *CASES);
}

static void thresholds_are_documented(void **state) {
    (void)state;
    thresholds_shown_in("docs/spec.md", (const struct threshold *)&shortfall_thresholds, SHORTFALL_THRESHOLD_COUNT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_threshold_decides),
        cmocka_unit_test(thresholds_are_documented),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
