/* SPDX-License-Identifier: BSD-3-Clause
 * Calibration with made-up counters that are correct, miss something, or fail; and with real ones of the kernel if it
 * has no others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "bench/kernels/calibrate.h"
#include "probe/events/event_tables.h"
#include "tests/support/fixtures.h"

/* Counters of a Sapphire Rapids, made up from documented values. */
struct fake {
    bool fma_counts_once, fails;
    size_t count;
    char events[EVENTS_MAX_TERMS][96];
    struct calibrate_work last;
    unsigned opened, closed, started;
};

static double fake_count(const struct fake *fake, const char *event) {
    static const struct {
        const char *name;
        enum element_type type;
        unsigned bytes;
    } flop[] = {{"SCALAR_DOUBLE", TYPE_F64, 8},       {"128B_PACKED_DOUBLE", TYPE_F64, 16},
                {"256B_PACKED_DOUBLE", TYPE_F64, 32}, {"512B_PACKED_DOUBLE", TYPE_F64, 64},
                {"SCALAR_SINGLE", TYPE_F32, 4},       {"128B_PACKED_SINGLE", TYPE_F32, 16},
                {"256B_PACKED_SINGLE", TYPE_F32, 32}, {"512B_PACKED_SINGLE", TYPE_F32, 64},
                {"SCALAR_HALF", TYPE_F16, 2},         {"128B_PACKED_HALF", TYPE_F16, 16},
                {"256B_PACKED_HALF", TYPE_F16, 32},   {"512B_PACKED_HALF", TYPE_F16, 64}};
    const struct calibrate_work *work = &fake->last;
    if (strcmp(event, "FP_FIXED_OPS_SPEC") == 0)
        return work->iterations * work->kernel->cost.flop;
    if (strcmp(event, "FP_SCALE_OPS_SPEC") == 0) /* no kernel of this machine is one of SVE */
        return 0;
    if (!work->kernel)
        return strcmp(event, "CPU_CLK_UNHALTED:THREAD_P") == 0 ? work->iterations * work->chain_cycles : 0;
    const struct uarch_mix *mix = &work->kernel->cost.mix;
    if (strcmp(event, "MEM_INST_RETIRED:ALL_LOADS") == 0)
        return work->iterations * mix->load;
    if (strcmp(event, "MEM_INST_RETIRED:ALL_STORES") == 0)
        return work->iterations * mix->store;
    if (strcmp(event, "INST_RETIRED:ANY_P") == 0)
        return work->iterations * work->kernel->cost.instructions + 3000; /* PAPI's own */
    for (size_t i = 0; i < sizeof flop / sizeof flop[0]; i++)
        if (strcmp(strchr(event, ':') + 1, flop[i].name) == 0)
            return work->kernel->type == flop[i].type && mix->vector_bytes == flop[i].bytes
                       ? work->iterations *
                             (mix->add + mix->mul + mix->div + (fake->fma_counts_once ? 1 : 2) * mix->fma)
                       : 0;
    return 0;
}

static bool fake_open(void *context, size_t count, const char (*events)[96], struct error *err) {
    struct fake *fake = context;
    if (fake->fails)
        return error_set(err, "%s: no such counter", events[0]);
    memcpy(fake->events, events, count * sizeof events[0]);
    fake->count = count;
    fake->opened++;
    return true;
}
static bool fake_start(void *context, const struct calibrate_work *work, struct error *err) {
    struct fake *fake = context;
    (void)err;
    fake->last = *work;
    fake->started++;
    return true;
}
static bool fake_stop(void *context, double *values, struct error *err) {
    const struct fake *fake = context;
    (void)err;
    for (size_t i = 0; i < fake->count; i++)
        values[i] = fake_count(fake, fake->events[i]);
    return true;
}
static void fake_close(void *context) {
    ((struct fake *)context)->closed++;
}

static struct calibrate_reader reader_of(struct fake *fake) {
    return (struct calibrate_reader){fake, fake_open, fake_start, fake_stop, fake_close};
}

static struct machine machine;
static int load_machine(void **state) {
    struct error err;
    (void)state;
    return machine_load(&machine, NULL, &err) ? 0 : -1;
}
static int free_machine(void **state) {
    (void)state;
    machine_free(&machine);
    return 0;
}

static struct calibration done[CALIBRATE_MAX];

static size_t calibrate(struct fake *fake, const struct event_set *set) {
    struct calibrate_reader reader = reader_of(fake);
    struct error err;
    size_t count = 0;
    if (!calibrate_run(&(struct calibrate_subject){&machine, .set = set}, &reader, done, &count, &err))
        fail_msg("%s", err.text);
    assert_true(count > 0);
    assert_int_equal(fake->opened, fake->closed);
    return count;
}

static void sapphire(struct event_set *set) {
    const struct cpu_identity nobody = {.vendor = "nobody"};
    events_find(&nobody, "spr", set);
}

static void test_right_counters_are_right(void **state) {
    (void)state;
    struct fake fake = {0};
    struct event_set set;
    bool seen[METRIC_COUNT] = {false}, fma = false;
    sapphire(&set);
    const size_t count = calibrate(&fake, &set);
    for (size_t i = 0; i < count; i++) {
        if (calibration_doubtful(&done[i]) || *done[i].failure)
            fail_msg("%s of %s: %g %s", metric_names[done[i].metric], done[i].kernel, done[i].median, done[i].failure);
        assert_true(done[i].expected > 1e5);
        if (done[i].metric != METRIC_INSTRUCTIONS)
            assert_near(done[i].worst, 1);
        seen[done[i].metric] = true;
        fma |= strstr(done[i].kernel, ".fma") != NULL;
    }
    assert_true(seen[METRIC_F64_FLOP] && seen[METRIC_F32_FLOP] && seen[METRIC_LOADS] && seen[METRIC_STORES]);
    assert_true(seen[METRIC_INSTRUCTIONS] && seen[METRIC_CYCLES]);
    assert_false(seen[METRIC_ANY_FLOP] || seen[METRIC_DRAM_READ_BYTES] || seen[METRIC_DRAM_WRITE_BYTES]);
    assert_true(!machine_has(&machine, CPU_FMA3) || fma);
    assert_int_equal(fake.started, count * (CALIBRATE_REPETITIONS + 1));
}

/* The kernel of x86-64, or AArch64's. */
static const struct kernel *found(const char *of_x86, const char *of_aarch64) {
    const struct kernel *const *kernel = kernel_find(of_x86, NULL);
    return kernel ? *kernel : *kernel_find(of_aarch64, NULL);
}

/* A Neoverse's formula counts the types together, f16 too. */
static void test_types_that_count_together(void **state) {
    (void)state;
    struct fake fake = {0};
    struct event_set set = {.pmu = ""}, neoverse;
    events_find(&(struct cpu_identity){.features = CPU_ASIMD | CPU_SVE256}, "arm_v1", &neoverse);
    set.metrics[METRIC_ANY_FLOP] = neoverse.metrics[METRIC_ANY_FLOP];
    const size_t count = calibrate(&fake, &set);
    bool f32 = false, f16 = false;
    for (size_t i = 0; i < count; i++) {
        assert_true(done[i].metric == METRIC_ANY_FLOP && !calibration_doubtful(&done[i]));
        f32 |= strstr(done[i].kernel, ".f32.") != NULL;
        f16 |= strstr(done[i].kernel, ".f16.") != NULL;
    }
    assert_true(f32 && (f16 || !machine_has(&machine, CPU_AVX512_FP16)));
    const struct calibrate_work f16_work = {.kernel = found("avx512.f16.fma", "neon.f16.fma"), .iterations = 10},
                                i16_work = {.kernel = found("avx512.i16.add", "neon.i16.add"), .iterations = 10};
    assert_near(calibrate_expected(METRIC_ANY_FLOP, &f16_work), 10. * f16_work.kernel->cost.flop);
    assert_true(calibrate_expected(METRIC_ANY_FLOP, &i16_work) == 0);
}

static void test_counters_that_miss_something_are_doubted(void **state) {
    (void)state;
    struct fake fake = {.fma_counts_once = true};
    struct event_set set;
    sapphire(&set);
    const size_t count = calibrate(&fake, &set);
    for (size_t i = 0; i < count; i++) {
        const bool fma = strstr(done[i].kernel, ".fma") != NULL;
        assert_int_equal(calibration_doubtful(&done[i]), fma);
        if (fma)
            assert_near(done[i].median, 0.5);
    }
}

static void test_a_formula_with_a_wrong_factor_is_doubted(void **state) {
    (void)state;
    struct fake fake = {0};
    struct event_set set;
    sapphire(&set);
    set.metrics[METRIC_F64_FLOP].terms[1].factor = 4; /* 128 bits hold two */
    const size_t count = calibrate(&fake, &set);
    for (size_t i = 0; i < count; i++) {
        const bool wrong =
            (strncmp(done[i].kernel, "sse.f64.", 8) == 0 || strncmp(done[i].kernel, "neon.f64.", 9) == 0) &&
            done[i].metric == METRIC_F64_FLOP;
        assert_int_equal(calibration_doubtful(&done[i]), wrong);
    }
}

static void test_a_failure_is_told_and_no_number_made(void **state) {
    (void)state;
    struct fake fake = {.fails = true};
    struct event_set set;
    sapphire(&set);
    const size_t count = calibrate(&fake, &set);
    for (size_t i = 0; i < count; i++) {
        assert_contains(done[i].failure, "no such counter");
        assert_false(calibration_doubtful(&done[i]));
        assert_true(done[i].median == 0);
    }
}

static void test_ratios(void **state) {
    (void)state;
    struct calibration one = {.expected = 200};
    calibrate_judge(&one, 5, (const double[]){202, 198, 200, 190, 204});
    assert_near(one.median, 1);
    assert_near(one.worst, 0.95);
    assert_false(calibration_doubtful(&one));
    calibrate_judge(&one, 3, (const double[]){206, 205, 220});
    assert_near(one.median, 1.03);
    assert_near(one.worst, 1.1);
    assert_true(calibration_doubtful(&one));
    calibrate_judge(&one, 1, (const double[]){0});
    assert_true(calibration_doubtful(&one));
}

static void test_what_a_kernel_says_of_a_metric(void **state) {
    (void)state;
    const struct calibrate_work fma = {.kernel = found("avx2.f64.fma", "neon.f64.fma"), .iterations = 10},
                                mixed = {.kernel = found("sse.2ld1st", "neon.2ld1st"), .iterations = 10},
                                chain = {.iterations = 10, .chain_cycles = 70};
    assert_near(calibrate_expected(METRIC_F64_FLOP, &fma), 10. * fma.kernel->cost.flop);
    assert_near(calibrate_expected(METRIC_ANY_FLOP, &fma), 10. * fma.kernel->cost.flop);
    const struct calibrate_work bf16 = {.kernel = found("avx512.bf16.dot", "neon.bf16.dot"), .iterations = 10};
    assert_near(calibrate_expected(METRIC_ANY_FLOP, &bf16), 10. * bf16.kernel->cost.flop);
    assert_true(calibrate_expected(METRIC_F32_FLOP, &fma) == 0);
    assert_true(calibrate_expected(METRIC_LOADS, &fma) == 0);
    assert_near(calibrate_expected(METRIC_LOADS, &mixed), 2 * calibrate_expected(METRIC_STORES, &mixed));
    assert_near(calibrate_expected(METRIC_DRAM_READ_BYTES, &mixed), 10. * mixed.kernel->cost.load_bytes);
    assert_near(calibrate_expected(METRIC_CYCLES, &chain), 700);
    assert_true(calibrate_expected(METRIC_CYCLES, &fma) == 0);
}

/* The task's clock instead of its cycles: the reader and PAPI are real, the hardware is not. */
static void test_real_counters(void **state) {
    (void)state;
    struct event_check check;
    event_check("perf::TASK-CLOCK", "", true, &check);
    if (check.state != EVENT_COUNTS)
        skip();
    struct event_set set = {.metrics[METRIC_CYCLES] = {.term_count = 1, .terms = {{"perf::TASK-CLOCK", 2.5}}}};
    struct calibrate_counters counters;
    struct calibrate_reader reader = calibrate_counters_reader(&counters);
    struct error err;
    size_t count = 0;
    assert_true(calibrate_run(&(struct calibrate_subject){&machine, .set = &set}, &reader, done, &count, &err));
    assert_int_equal(count, 1);
    assert_string_equal(done[0].failure, "");
    assert_true(done[0].median > 0.2 && done[0].median < 20); /* of a core between 0.1 and 10 GHz */
}

static void test_memory_is_counted_by_the_kernels_counters(void **state) {
    (void)state;
    struct calibrate_counters counters;
    struct calibrate_reader reader = calibrate_counters_reader(&counters);
    static const char absent[1][96] = {"uncore_gold/event=1/"}, clock[1][96] = {"msr/tsc/"};
    const struct calibrate_work work = {.iterations = 1};
    struct error err;
    double longer, shorter;
    assert_false(reader.open(reader.context, 1, absent, &err));
    assert_contains(err.text, "uncore_gold");
    if (!reader.open(reader.context, 1, clock, &err))
        skip();
    assert_true(reader.start(reader.context, &work, &err));
    nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    assert_true(reader.stop(reader.context, &longer, &err));
    bool from_the_start = false; /* not since the opening; another program may run in between once */
    for (unsigned i = 0; i < 5 && !from_the_start; i++) {
        assert_true(reader.start(reader.context, &work, &err));
        assert_true(reader.stop(reader.context, &shorter, &err));
        from_the_start = shorter > 0 && shorter < longer;
    }
    assert_true(from_the_start);
    reader.close(reader.context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_right_counters_are_right),
        cmocka_unit_test(test_types_that_count_together),
        cmocka_unit_test(test_counters_that_miss_something_are_doubted),
        cmocka_unit_test(test_a_formula_with_a_wrong_factor_is_doubted),
        cmocka_unit_test(test_a_failure_is_told_and_no_number_made),
        cmocka_unit_test(test_ratios),
        cmocka_unit_test(test_what_a_kernel_says_of_a_metric),
        cmocka_unit_test(test_real_counters),
        cmocka_unit_test(test_memory_is_counted_by_the_kernels_counters),
    };
    return cmocka_run_group_tests(tests, load_machine, free_machine);
}
