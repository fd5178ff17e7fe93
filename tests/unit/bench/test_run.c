/* SPDX-License-Identifier: BSD-3-Clause
 * One step of a plan measured on this machine: all fields are filled and plausible. No test depends on the machine's
 * speed or other load. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "bench/kernels/doubt.h"
#include "bench/memory/memory_run.h"
#include "tests/support/bench_here.h"

static atomic_int stop;

/* The first pass of a campaign with one step. */
static bool run_step(const struct plan_step *step, struct sample *out, struct error *err) {
    struct plan_step copy = *step;
    const struct plan plan = {.count = 1, .steps = &copy};
    const struct campaign_bench own = bench_for_campaign(&bench);
    const struct campaign_options options = {.budget_s = 60, .first_only = true};
    struct campaign campaign;
    campaign_open(&campaign, &plan, &own, &options);
    const bool done = campaign_run(&campaign, err) && campaign_number(&campaign, 0, out);
    campaign_close(&campaign);
    return done;
}

/* Properties of every sample. */
static struct sample measured(const struct plan_step *step) {
    struct sample s = {.value = -1};
    struct error err = {""};
    if (!run_step(step, &s, &err))
        fail_msg("%s: %s", step->kernel, err.text);
    char cpu[16];
    snprintf(cpu, sizeof cpu, "%u", here.cores[0].pus[0]);
    assert_string_equal(s.kernel, step->kernel);
    assert_string_equal(s.cpus, cpu);
    assert_string_equal(s.core_kind, "");
    assert_int_equal(s.kind, step->kind);
    assert_int_equal(s.threads, 1);
    assert_true(isfinite(s.value));
    assert_true(s.value > 0 || (step->memory && doubts_has(s.doubts, DOUBT_TOO_SHORT))); /* 8 MiB lie in some caches */
    assert_true(s.repetition_s > 0 && isfinite(s.repetition_s));
    assert_true(s.rate.n >= 1 && s.rate.kept >= 1 && s.rate.kept <= s.rate.n);
    assert_true(s.rate.min <= s.rate.median && s.rate.median <= s.rate.max);
    assert_true(s.clock_min_hz <= s.clock_hz && s.clock_hz <= s.clock_max_hz);
    assert_int_equal(s.working_set_bytes, step->size_bytes[0]);
    assert_true(step->size_count ? s.page_bytes >= 4096 : s.page_bytes == 0);
    assert_false(doubts_has(s.doubts, DOUBT_FP_ASSIST));
    return s;
}

static void compute(void **state) {
    (void)state;
    struct plan_step step = step_of("scalar.f64.add", SAMPLE_COMPUTE, PLAN_REGISTERS, 0);
    step.search_s = 1e-3;
    step.doubts = DOUBTS(DOUBT_MASKED_CPU);
    struct sample s = measured(&step);
    assert_string_equal(s.level, "");
    assert_true(strlen(s.variant) > 0);
    assert_true(doubts_has(s.doubts, DOUBT_MASKED_CPU)); /* the plan's values stay */
    assert_true(s.rate.n >= 1);
    if (!doubts_has(s.doubts, DOUBT_CLOCK_UNKNOWN))
        assert_true(s.per_cycle > 0.01 && s.per_cycle < 16); /* one flop per lane, a handful of ports */
}

static void level_one(void **state) {
    (void)state;
    struct plan_step step = step_of("scalar.load", SAMPLE_BANDWIDTH, 0, 8192);
    struct sample s = measured(&step);
    assert_string_equal(s.level, levels[0].level[0].name);
    if (!doubts_has(s.doubts, DOUBT_CLOCK_UNKNOWN))
        assert_true(s.per_cycle > 0.1 && s.per_cycle < 64);
    step.size_bytes[0] = 8192 + 64; /* only whole blocks are walked, and the size says so */
    struct error err;
    assert_true(run_step(&step, &s, &err));
    assert_int_equal(s.working_set_bytes, 8192);
    step.size_bytes[0] = 8192;
    step.size_count = 3;
    step.size_bytes[1] = 12288;
    step.size_bytes[2] = 16384;
    assert_true(run_step(&step, &s, &err)); /* one of the three */
    assert_true(s.working_set_bytes == 8192 || s.working_set_bytes == 12288 || s.working_set_bytes == 16384);
}

static void memory_in_segments(void **state) {
    (void)state;
    int memory = (int)levels[0].count - 1;
    struct plan_step step = step_of("scalar.load", SAMPLE_BANDWIDTH, memory, MIB(8));
    step.memory = true;
    struct sample s = measured(&step);
    assert_string_equal(s.level, levels[0].level[memory].name);
    assert_in_range(s.rate.n, TIMING_LEAST, 16); /* a part of the segments in each visit */
    step = step_of("scalar.random", SAMPLE_BANDWIDTH, memory, MIB(8));
    step.memory = true;
    measured(&step);
}

static void set_lines(unsigned line_bytes) {
    for (unsigned k = 0; k < here.kind_count; k++)
        for (unsigned i = 0; i < here.kinds[k].cache_count; i++)
            here.kinds[k].caches[i].line_bytes = line_bytes;
}

/* Beyond L1 a random access moves the whole line, so the same accesses are four times the bytes of lines of 256. In L1
 * it moves what it loads. Tried again where other programs disturb one of the two. */
static void random_lines_are_whole(void **state) {
    (void)state;
    const unsigned own = here.kinds[0].caches[0].line_bytes;
    for (int level = 0; level < 2 && level + 1 < (int)levels[0].count; level++) {
        const struct plan_step step = step_of("scalar.random", SAMPLE_BANDWIDTH, level, 16384u << 3 * level);
        const double wanted = level == 0 ? 1 : 4;
        double ratio = 0;
        for (unsigned tries = 0; tries < 30 && !(ratio > wanted * 0.6 && ratio < wanted * 1.6); tries++) {
            set_lines(64);
            const double usual = measured(&step).value;
            set_lines(256);
            ratio = measured(&step).value / usual;
        }
        assert_true(ratio > wanted * 0.6 && ratio < wanted * 1.6);
    }
    set_lines(own);
}

static void latency(void **state) {
    (void)state;
    struct plan_step step = step_of("chase", SAMPLE_LATENCY, 0, 8192);
    struct sample s = measured(&step);
    assert_true(s.value > 1e-11 && s.value < 1e-3); /* seconds, not their inverse */
    if (!doubts_has(s.doubts, DOUBT_CLOCK_UNKNOWN))
        assert_true(s.per_cycle > 0.5); /* cycles per load */
    /* a pointer that is left would be a denormal operand */
    const uint64_t *words = (const void *)bench.memory.arenas[0].base;
    for (size_t i = 0; i < 8192 / sizeof *words; i++)
        assert_int_equal(words[i], 0);
}

/* Observations of a kernel. */
static struct {
    unsigned char *set;
    uint64_t bytes, furthest_bytes;
    unsigned calls, pages_missing;
    bool gives_back; /* the pages of the set's second half, after each call: a read gives them back */
} seen;

/* A pointer chase around its whole list. */
static void *observed_chase(const struct kernel_call *call) {
    unsigned char resident[64];
    const uint64_t half = seen.bytes / 2;
    assert_true(half / 4096 <= sizeof resident && mincore(seen.set + half, half, resident) == 0);
    for (uint64_t i = 0; i < half / 4096; i++)
        seen.pages_missing += !(resident[i] & 1);
    void **at = call->buffer;
    do {
        const uint64_t offset = (uint64_t)((unsigned char *)at - seen.set);
        seen.furthest_bytes = offset > seen.furthest_bytes ? offset : seen.furthest_bytes;
        at = *at;
    } while (at != call->buffer);
    if (seen.gives_back)
        madvise(seen.set + half, half, MADV_DONTNEED);
    seen.calls++;
    return at;
}

/* In a shared cache the whole set is read in again before each call. The pointer chase stays in its first half; the
 * other half, read last, has pushed it out of the inner level. Not so where half of the set fits the inner level. */
static void set_is_read_in_again(void **state) {
    (void)state;
    enum { BYTES = KIB(256) };
    struct kernel observed = **kernel_find("chase", NULL);
    observed.entry = observed_chase;
    static const uint64_t INNER_BYTES[] = {0, BYTES / 2, BYTES / 4};
    for (int i = 0; i < 3; i++) {
        const bool rereads = i == 2;
        struct plan_step step = step_of("chase", SAMPLE_LATENCY, 0, BYTES);
        step.paced = false;
        step.inner_bytes = INNER_BYTES[i];
        const struct campaign_trial trial = {
            .step = &step, .code = {.kernel = &observed}, .bytes = BYTES, .repetitions = 10, .repetition_s = 1e-6};
        struct sample sample;
        struct error err = {""};
        memset(&seen, 0, sizeof seen);
        seen.set = bench.memory.arenas[0].base, seen.bytes = BYTES, seen.gives_back = rereads;
        assert_true(bench_measure(&bench, &trial, &sample, &err));
        assert_true(seen.calls >= trial.repetitions);
        assert_int_equal(sample.working_set_bytes, BYTES);
        if (rereads) {
            assert_int_equal(seen.pages_missing, 0);
            assert_int_equal(seen.furthest_bytes, BYTES / 2 - 64);
        } else {
            assert_int_equal(seen.furthest_bytes, BYTES - 64);
        }
    }
}

static void every_load_kernel_that_the_cpu_has(void **state) {
    (void)state;
    for (size_t i = 0; i < isa_count; i++) {
        char name[48];
        snprintf(name, sizeof name, "%s.load", isa_table[i].name);
        if (!machine_has(&here, isa_table[i].needs) || !kernel_find(name, NULL))
            continue;
        struct plan_step step = step_of(name, SAMPLE_BANDWIDTH, 0, 16384);
        measured(&step);
    }
}

/* tests/races looks at what its threads share. */
static void a_team(void **state) {
    (void)state;
    struct plan_step step = step_of("scalar.load", SAMPLE_BANDWIDTH, 0, 8192);
    struct memory_reading readings[MEMORY_AT_ONCE];
    struct sample s;
    struct error err;
    if (here.core_count < 2)
        skip();
    step.threads = 2;
    assert_true(run_step(&step, &s, &err));
    assert_int_equal(s.threads, 2);
    const struct handover pair = {.first = here.cores[0].pus[0], .second = here.cores[1].pus[0]};
    assert_true(handover_measure(&bench.clock, 4096, &pair, readings, &err));
    for (unsigned i = 0; i < MEMORY_AT_ONCE; i++)
        assert_true(readings[i].of[0] > 0 && readings[i].of[3] > 0);
}

static void stopped(void **state) {
    (void)state;
    stop = 1;
    bench.stop = &stop;
    struct plan_step step = step_of("scalar.load", SAMPLE_BANDWIDTH, 0, 8192);
    const struct campaign_trial trial = {.step = &step,
                                         .code = {.kernel = *kernel_find("scalar.load", NULL)},
                                         .bytes = 8192,
                                         .repetitions = 32,
                                         .repetition_s = 50e-6};
    struct sample s;
    struct error err;
    assert_true(bench_measure(&bench, &trial, &s, &err));
    assert_true(doubts_has(s.doubts, DOUBT_INTERRUPTED));
    assert_true(s.rate.n < 32);
    assert_false(run_step(&step, &s, &err)); /* half a visit is none */
    stop = 0;
    assert_false(doubts_has(measured(&step).doubts, DOUBT_INTERRUPTED));
    bench.stop = NULL;
}

static void errors_have_a_remedy(void **state) {
    (void)state;
    struct error err;
    struct machine recorded = fixture_machine(1, FIXTURE_AVX2);
    recorded.recorded = true;
    snprintf(recorded.topology_source, sizeof recorded.topology_source, "some.xml");
    struct bench none;
    assert_false(bench_open(&none, &recorded, MIB(2), true, &err));
    assert_contains(err.text, "some.xml");
    assert_contains(err.text, "--dry-run");
    bench_close(&none);
    machine_free(&recorded);
    struct sample s;
    struct plan_step step = step_of("scalar.no_such", SAMPLE_BANDWIDTH, 0, 8192);
    assert_false(run_step(&step, &s, &err));
    assert_contains(err.text, "scalar.no_such");
    assert_contains(err.text, "carmine kernels");
    step = step_of("scalar.load", SAMPLE_BANDWIDTH, 0, GIB(64)); /* more than it was opened for */
    assert_false(run_step(&step, &s, &err));
    assert_contains(err.text, "do not fit");
    step = step_of("scalar.load", SAMPLE_BANDWIDTH, 0, 8192);
    step.threads = here.core_count + 1;
    assert_false(run_step(&step, &s, &err));
    assert_contains(err.text, "at most");
}

struct documented {
    const char *kernel;
    unsigned level;
    double per_cycle; /* 0: not documented */
};

static void are_documented(const struct uarch *uarch, const struct documented *rows, size_t count) {
    assert_non_null(uarch);
    for (size_t i = 0; i < count; i++) {
        size_t variants;
        const struct kernel *const *kernel = kernel_find(rows[i].kernel, &variants);
        if (!kernel && rows[i].per_cycle == 0)
            continue;
        assert_non_null(kernel);
        for (size_t v = 0; v < variants; v++) { /* the limit is the operation's: a variant may be of a slower mix */
            struct uarch_limit limit = bench_documented(uarch, kernel[v], rows[i].level);
            bool as_documented =
                limit.per_cycle < 1.001 * rows[i].per_cycle && limit.per_cycle > 0.999 * rows[i].per_cycle;
            bool none = rows[i].per_cycle == 0 && limit.per_cycle == 0;
            if (!(as_documented || none) || (limit.per_cycle > 0) != (limit.source != NULL))
                fail_msg("%s %s in L%u: %g, not %g", rows[i].kernel, kernel[v]->variant, rows[i].level, limit.per_cycle,
                         rows[i].per_cycle);
        }
        assert_true(bench_documented(NULL, *kernel, rows[i].level).per_cycle == 0); /* an unknown CPU */
    }
}

static void documented_limits_of_x86(void) {
    static const struct documented rows[] = {
        {"avx512.f64.fma", 0, 32}, {"avx512.f64.add", 0, 16}, {"avx512.f32.fma", 0, 64}, {"avx2.f64.fmaadd", 0, 20},
        {"avx2.f64.fma", 0, 16},   {"scalar.f64.fma", 0, 4},  {"avx512.load", 1, 128},   {"avx512.store", 1, 64},
        {"avx512.2ld1st", 1, 192}, {"avx512.axpy", 1, 192},   {"avx512.1ld1st", 1, 128}, {"avx.load", 1, 96},
        {"avx512.load", 2, 64},    {"chase", 1, 0},           {"avx512.random", 1, 0},   {"avx512.ntstore", 1, 0},
        {"avx512.ntstore", 3, 0},  {"amx.bf16.dot", 0, 1024}, {"amx.f16.dot", 0, 0},     {"avx512.i16.dotss", 0, 0},
    };
    struct cpu_identity golden_cove = {.vendor = "GenuineIntel",
                                       .family = 6,
                                       .model = 143,
                                       .features = FIXTURE_AVX512 | CPU_AVX512_FP16 | CPU_AVX512_BF16 |
                                                   CPU_AVX512_VNNI | CPU_AVX_VNNI | CPU_AMX_TILE | CPU_AMX_BF16 |
                                                   CPU_AMX_INT8 | CPU_CLFLUSHOPT};
    are_documented(uarch_find(&golden_cove, "").uarch, rows, sizeof rows / sizeof *rows);
    /* Two FMA pipes and two add pipes: the mix of one to one, for any variant. */
    assert_true(bench_documented(uarch_named("Zen 4"), *kernel_find("avx2.f64.fmaadd", NULL), 0).per_cycle == 24);
    assert_true(bench_documented(uarch_named("Zen 5"), *kernel_find("avx512.i16.dotss", NULL), 0).per_cycle == 128);
    assert_true(bench_documented(uarch_named("Zen 5"), *kernel_find("avx2.i16.dotus", NULL), 0).per_cycle == 64);
}

/* Of the architecture whose kernels there are. */
static void documented_limits(void **state) {
    static const struct documented n1[] = {
        {"neon.f64.fma", 0, 8},   {"neon.f64.add", 0, 4}, {"neon.f32.fma", 0, 16}, {"neon.f16.fma", 0, 32},
        {"scalar.f64.fma", 0, 4}, {"neon.load", 1, 32},   {"neon.store", 1, 16},   {"neon.i8.dot", 0, 64},
        {"neon.load", 2, 32},     {"chase", 1, 0},        {"neon.random", 1, 0},   {"neon.ntstore", 1, 0},
    };
    (void)state;
    if (kernel_find("neon.load", NULL))
        are_documented(uarch_named("Neoverse N1"), n1, sizeof n1 / sizeof *n1);
    else
        documented_limits_of_x86();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compute),
        cmocka_unit_test(level_one),
        cmocka_unit_test(memory_in_segments),
        cmocka_unit_test(random_lines_are_whole),
        cmocka_unit_test(latency),
        cmocka_unit_test(set_is_read_in_again),
        cmocka_unit_test(every_load_kernel_that_the_cpu_has),
        cmocka_unit_test(a_team),
        cmocka_unit_test(stopped),
        cmocka_unit_test(errors_have_a_remedy),
        cmocka_unit_test(documented_limits),
    };
    return cmocka_run_group_tests(tests, open_bench, close_bench);
}
