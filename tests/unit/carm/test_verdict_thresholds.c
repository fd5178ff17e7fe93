/* SPDX-License-Identifier: BSD-3-Clause
 * Each threshold of a verdict, just above and just below, on a machine of round numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carm/model/advice.h"
#include "carm/model/applicable_roofs.h"
#include "carm/model/model_thresholds.h"
#include "carm/model/verdict_words.h"
#include "tests/support/programs.h"
#include "tests/support/thresholds.h"

static struct verdict judge(struct app_point point) {
    return verdict_find(&model, &point);
}

/* Bound by memory: at this share of its roof, by simulated traffic. */
static struct app_point bound_by_memory(double share) {
    return with_links(program(1e9, 130e9, 0), 20e9, 16e9 * share);
}

static bool above_all(double share) {
    return judge(bound_by_memory(share)).why == VERDICT_ABOVE_ALL;
}

static bool roof_binds(double share) {
    return judge(bound_by_memory(share)).why == VERDICT_ROOF_BINDS;
}

static bool next_is_named(double share) {
    return judge(bound_by_memory(share)).next_counts;
}

/* A stream of 16 GB from memory, whose caches are cold. */
static struct app_point stream(double bytes) {
    struct app_point point = program(1e9, bytes, 0);
    point.working_set_bytes = (uint64_t)bytes;
    point.data = STATE_COLD;
    return point;
}

static bool above_home(double share) {
    return judge(stream(16e9 * share)).why == VERDICT_ABOVE_HOME;
}

static bool own_traffic_is_told(double difference) {
    struct app_point point = stream(15e9);
    point.compulsory_read_bytes = 15e9 / (1 + difference);
    return judge(point).own_traffic_bytes_per_s > 0;
}

static bool memory_binds(double share) {
    return judge(with_traffic(program(1e9, 15e9, 0), 16e9 * share)).memory == VERDICT_MEMORY_BINDS;
}

static bool memory_may_bind(double share) {
    return judge(with_traffic(program(1e9, 15e9, 0), 16e9 * share)).memory == VERDICT_MEMORY_UNSURE;
}

/* The ceiling, over what memory allows. */
static bool ceiling_is_next(double higher) {
    struct app_point point = with_traffic(program(50e9, 0, 0), 8e9 * higher);
    point.bytes_source = SOURCE_UNKNOWN;
    return judge(point).next != NULL;
}

static struct app_point whole(double idle_s) {
    struct app_point point = bound_by_memory(0.2);
    point.part = APP_PROGRAM;
    point.cpu_seconds.median = 1 - idle_s;
    point.idle_seconds.median = idle_s;
    return point;
}

static bool mostly_idle(double share) {
    return judge(whole(share)).waits.for_cpu;
}

static bool idle_is_told(double share) {
    return judge(whole(share)).idle_share > 0;
}

static bool scarce_flop(double per_instruction) {
    struct app_point point = program(1e6, 1e6, 0);
    point.count.instructions = (uint64_t)(1e6 / per_instruction);
    return judge(point).scarce_flop;
}

static bool executes_many(double per_cycle) {
    struct app_point point = program(0, 0.5e9, 0);
    point.clock_hz = 1e9;
    point.count.instructions = (uint64_t)(1e9 * per_cycle);
    return judge(point).waits.for_instructions;
}

static bool locks_are_named(double threads) {
    struct app_point point = whole(0.88);
    point.waits = (struct waits){.samples = 100, .ns = {[WAIT_SLEEP] = 1200000000}};
    point.waits.ns[WAIT_LOCKS] = (uint64_t)(1e9 * threads);
    return judge(point).waits.crowd.kind == WAIT_LOCKS;
}

static bool existing_are_told(double share) {
    char text[VERDICT_WORDS_BYTES];
    struct app_point point = whole(0.5);
    point.threads = 16;
    point.waits = (struct waits){.samples = 100, .ns = {[WAIT_RUNS] = (uint64_t)(16e9 * share)}};
    const struct verdict verdict = judge(point);
    return strstr(verdict_words(&verdict, &point, text), "of its 16 threads existed");
}

static bool kernel_is_told(double kernel_s) {
    struct app_point point = whole(0.5);
    point.kernel_seconds.median = kernel_s;
    return judge(point).kernel_share > 0;
}

static bool idle_ticks_are_told(double idle_s) {
    struct app_point point = whole(idle_s);
    point.seconds.median = 0.1;
    return judge(point).idle_share > 0;
}

static bool has_account(double own_share) {
    struct app_point point = dot_product(4);
    point.count.instructions = (uint64_t)(6e6 / own_share);
    return find_loop(&point).count > 0;
}

static bool chases(double loads) {
    struct app_point point = dot_product(20);
    point.in_core.chain_memory = loads * point.in_core.chain;
    return find_loop(&point).chases;
}

static bool refuted(double ratio) {
    struct app_point point = dot_product(20 / ratio);
    point.in_core.ports = 20;
    return find_loop(&point).refuted >= 0;
}

static bool chain_binds(double share) {
    const struct app_point point = dot_product(4 / share);
    return find_loop(&point).binds;
}

/* A branch in each iteration, twice as many cycles being unexplained. */
static bool branches_are_named(double cycles) {
    struct app_point point = dot_product(4 + 2 * cycles);
    point.in_core.mispredict = 0, point.in_core.rarer_ways = 1 - 1e-4;
    return find_loop(&point).may[LOOP_CAUSE_BRANCHES];
}

/* A division as long as three other parts that are equal: promised is less than if these did not hinder each other. */
static bool parts_hinder(double power) {
    struct app_point point = dot_product(8);
    point.in_core.divider = 8;
    point.in_core.chain = point.in_core.ports = point.in_core.renaming = 3;
    return find_loop(&point).faster > 8 / (3 * pow(3, 1 / power));
}

/* A chain that nothing else limits. */
static bool all_fit_in_registers(double accumulators) {
    struct app_point point = dot_product(1e300);
    point.in_core.chain = 1e300;
    return find_loop(&point).accumulators >= accumulators;
}

/* Renaming alone is left of five instructions, of which the way back is one. */
static bool way_back_is_shared(double operations) {
    struct app_point point = dot_product(4);
    point.in_core.ports = 0.1, point.in_core.renaming = 0.8;
    point.in_core.instructions = 5;
    point.count.instructions = 5 * point.iterations;
    const struct loop_account account = find_loop(&point);
    const double kept = 1 - operations / 4 * (1 - 1.0 / account.accumulators);
    return account.faster_at_most > 4 / (0.8 * kept);
}

/* tests/golden/files/levels.json: a triad whose time is that of memory. */
static bool is_advised(const char *rule, void (*change)(struct app_point *, double), double to) {
    struct result forms;
    struct error err;
    struct advice list[ADVICE_MAX];
    bool found = false;
    assert_true(results_read("tests/golden/files/levels.json", &forms, &err));
    forms.machine.core_count = 1;
    struct model by = model_build(&forms);
    struct app_point point = forms.points[1];
    change(&point, to);
    const struct verdict verdict = verdict_find(&by, &point);
    const size_t count = advice_find(&by, &point, &verdict, list);
    for (size_t i = 0; i < count; i++)
        found |= strcmp(list[i].rule, rule) == 0;
    model_free(&by);
    results_free(&forms);
    return found;
}

static void fetch_again(struct app_point *point, double times) {
    const struct point_link *memory = &point->levels.link[3];
    point->levels.footprint_bytes = (memory->load_bytes + memory->allocate_bytes) / times;
}

static void write_back(struct app_point *point, double share) {
    struct point_link *memory = &point->levels.link[3];
    const double reads = memory->load_bytes + memory->allocate_bytes; /* stay as many */
    memory->allocate_bytes = memory->write_back_bytes / share;
    memory->load_bytes = reads - memory->allocate_bytes;
}

static void use(struct app_point *point, double share) {
    point->levels.utilisation = share;
}

static bool blocking_is_advised(double times) {
    return is_advised("blocking", fetch_again, times);
}

static bool nontemporal_is_advised(double share) {
    return is_advised("non-temporal stores", write_back, share);
}

static bool layout_is_advised(double used) {
    return is_advised("layout", use, used);
}

/* Scalar loads of L1 reach so much of the widest. */
static bool narrow_has_own_roofs(double share) {
    struct sample own[COUNT];
    struct result with = result;
    struct applicable_roofs applicable;
    const struct app_point point = of_width(program(1e9, 15e9, 0), COUNT_F64, COUNT_SCALAR);
    memcpy(own, samples, sizeof samples);
    for (size_t i = 0; i < COUNT; i++)
        if (strcmp(own[i].kernel, "scalar.load") == 0 && strcmp(own[i].level, "L1") == 0)
            own[i].value = 400e9 * share * own[i].threads;
    with.samples = own;
    struct model by = model_build(&with);
    assert_true(applicable_make(&by, &point, &applicable));
    const bool is_own = strcmp(applicable_pattern(&applicable, "L1", false)->isa, "scalar") == 0;
    model_free(&by);
    return is_own;
}

static struct applicable_roofs applicable_to(const struct app_point *point) {
    struct applicable_roofs applicable;
    assert_true(applicable_make(&model, point, &applicable));
    return applicable;
}

static bool is_stream(double requested) {
    struct app_point point = stream(15e9);
    point.working_set_bytes = (uint64_t)(15e9 / requested);
    return applicable_to(&point).streams;
}

/* The level of a warm working set. */
static const char *home_of(double bytes) {
    struct app_point point = program(1e9, 0.5 * bytes, 0);
    point.working_set_bytes = (uint64_t)bytes;
    point.data = STATE_WARM;
    const struct applicable_roofs applicable = applicable_to(&point);
    const struct roof *home = applicable_home(&applicable, &point);
    return home ? home->sample->level : "";
}

static bool is_in_l1(double share) {
    return strcmp(home_of(share * (48 << 10)), "L1") == 0;
}

static bool is_in_l2(double times_l1) {
    return strcmp(home_of(times_l1 * (48 << 10)), "L2") == 0;
}

/* AVX2 code with this share of FMA in its flop: with fewer, the ceiling is that of additions. */
static bool ceiling_is_fma(double share) {
    struct app_point point = of_width(program(1e12, 15e9, 0), COUNT_F64, COUNT_256);
    point.count.fused_flop = (uint64_t)(1e12 * share);
    const struct applicable_roofs applicable = applicable_to(&point);
    return strcmp(applicable_own_peak(&applicable)->sample->kernel, "avx2.f64.fma") == 0;
}

/* Between 1/3 and 1/2 stores, with the traffic of a copy: two loads per store are as near as a copy if a difference in
 * traffic has this weight against one in stores. */
static bool copy_is_nearest(double weight, bool streams) {
    const double stores = (5.0 / 6 - weight / 6) / 2;
    struct app_point point = with_traffic(program(1e9, 12e9 * (1 - stores), 12e9 * stores), 18e9);
    if (streams) {
        point.working_set_bytes = 12000000000, point.compulsory_read_bytes = 18e9;
        point.dram_source = SOURCE_UNKNOWN;
    }
    const struct applicable_roofs applicable = applicable_to(&point);
    return strcmp(applicable_pattern(&applicable, "DRAM", true)->op, "1ld1st") == 0;
}

static bool copy_of_a_stream(double weight) {
    return copy_is_nearest(weight, true);
}

static bool copy_of_another(double weight) {
    return copy_is_nearest(weight, false);
}

static void each_threshold_decides(void **state) {
    (void)state;
    static const struct threshold_case CASES[] = {
        {"near", 1.1, above_all, true},
        {"near home", 1.05, above_home, true},
        {"far", 0.4, roof_binds, true},
        {"far", 0.4, memory_may_bind, true},
        {"memory binds", 0.8, memory_binds, true},
        {"higher", 1.05, ceiling_is_next, true},
        {"reaches", 0.7, next_is_named, true},
        {"reaches", 0.7, chain_binds, true},
        {"own traffic", 0.02, own_traffic_is_told, true},
        {"one by one", 0.5, mostly_idle, true},
        {"kernel", 0.1, idle_is_told, true},
        {"scarce", 0.01, scarce_flop, false},
        {"many", 5, executes_many, true},
        {"crowd", 0.33, locks_are_named, true},
        {"existing", 0.85, existing_are_told, false},
        {"ticks", 0.02, kernel_is_told, true},
        {"ticks", 0.02, idle_ticks_are_told, true},
        {"own code", 0.9, has_account, true},
        {"loads", 0.5, chases, true},
        {"refuted", 1.1, refuted, true},
        {"mispredicted", 30, branches_are_named, false},
        {"side by side", 4, parts_hinder, false},
        {"registers", 12, all_fit_in_registers, false},
        {"way back", 2, way_back_is_shared, false},
        {"again", 2, blocking_is_advised, true},
        {"written back", 0.8, nontemporal_is_advised, true},
        {"unused", 0.75, layout_is_advised, false},
        {"narrow", 0.8, narrow_has_own_roofs, false},
        {"streams", 2.02, is_stream, false},
        {"fills", 0.6, is_in_l1, false},
        {"exceeds", 2, is_in_l2, true},
        {"few", 0.05, ceiling_is_fma, true},
        {"traffic weight", 0.75, copy_of_a_stream, false},
        {"traffic tie", 0.001, copy_of_another, false},
    };
    thresholds_decide((const struct threshold *)&verdict_thresholds, VERDICT_THRESHOLD_COUNT, CASES,
                      sizeof CASES / sizeof *CASES);
}

static void thresholds_are_documented(void **state) {
    (void)state;
    thresholds_shown_in("docs/applications.md", (const struct threshold *)&verdict_thresholds, VERDICT_THRESHOLD_COUNT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_threshold_decides),
        cmocka_unit_test(thresholds_are_documented),
    };
    return cmocka_run_group_tests(tests, build, drop);
}
