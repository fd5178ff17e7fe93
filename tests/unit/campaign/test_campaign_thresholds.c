/* SPDX-License-Identifier: BSD-3-Clause
 * Each threshold of a campaign's choices, just above and just below, on a bench whose rates and times are given. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/kernels/campaign_thresholds.h"
#include "bench/kernels/choose.h"
#include "bench/kernels/doubt.h"
#include "bench/kernels/visit.h"
#include "tests/support/fixtures.h"
#include "tests/support/thresholds.h"

enum { STEPS = 2, TRIALS = 1000 };

/* A campaign of one or two steps. Each visit to a step has its rate, and an interval of its width. */
static struct lab {
    struct plan_step plan_steps[STEPS];
    struct plan plan;
    struct machine machine;
    struct campaign_bench bench;
    struct campaign campaign;
    double now_s, visit_s, try_s, wait_s; /* wait_s: however long the campaign wants to wait */
    double rates[STEPS], within[STEPS], first_within[STEPS], documented[STEPS];
    double (*rate)(const struct campaign_trial *trial, unsigned visit); /* NULL: `rates` */
    unsigned visited[STEPS], trials, waits;
    struct {
        size_t step;
        bool brief;
        unsigned waits; /* before it */
    } log[TRIALS];
} lab;

static bool measure(void *context, const struct campaign_trial *trial, struct sample *out, struct error *err) {
    const size_t step = (size_t)(trial->step - lab.plan_steps);
    (void)context, (void)err;
    if (!trial->brief)
        lab.visited[step]++;
    assert_true(lab.trials < TRIALS);
    lab.log[lab.trials].step = step, lab.log[lab.trials].brief = trial->brief, lab.log[lab.trials++].waits = lab.waits;
    lab.now_s += trial->brief ? lab.try_s : lab.visit_s;
    const double rate = lab.rate ? lab.rate(trial, lab.visited[step]) : lab.rates[step],
                 within =
                     lab.visited[step] == 1 && lab.first_within[step] > 0 ? lab.first_within[step] : lab.within[step];
    *out = (struct sample){.kind = trial->step->kind,
                           .threads = trial->step->threads,
                           .value = rate * trial->step->threads,
                           .low = rate * trial->step->threads * (1 - within),
                           .high = rate * trial->step->threads * (1 + within),
                           .per_cycle = rate,
                           .clock_hz = 1,
                           .documented_per_cycle = lab.documented[step]};
    snprintf(out->kernel, sizeof out->kernel, "%s", trial->code.kernel->name);
    return true;
}

static double now_s(void *context) {
    (void)context;
    return lab.now_s;
}

static void wait_on(void *context, double seconds) {
    (void)context;
    lab.now_s += lab.wait_s > 0 ? lab.wait_s : seconds;
    lab.waits++;
}

/* Up to two kernels; their steps are not searched, and all visits to one agree. */
static void begin(const char *first, const char *second) {
    const char *const kernels[STEPS] = {first, second};
    lab = (struct lab){.wait_s = 3, .rates = {16, 4}, .machine = fixture_machine(2, FIXTURE_AVX2)};
    lab.plan.steps = lab.plan_steps;
    for (size_t i = 0; i < STEPS && kernels[i]; i++) {
        lab.plan_steps[lab.plan.count++] = (struct plan_step){.kind = SAMPLE_COMPUTE,
                                                              .level = PLAN_REGISTERS,
                                                              .core_kind = TEAM_ANY_KIND,
                                                              .threads = 1,
                                                              .paced = true,
                                                              .repetitions = 8,
                                                              .repetition_s = 1e-4};
        snprintf(lab.plan_steps[i].kernel, sizeof lab.plan_steps[i].kernel, "%s", kernels[i]);
    }
    lab.bench = (struct campaign_bench){.machine = &lab.machine, .measure = measure, .now_s = now_s, .wait = wait_on};
}

static void start(double budget_s) {
    campaign_open(&lab.campaign, &lab.plan, &lab.bench, &(struct campaign_options){.budget_s = budget_s});
}

static void run(const struct campaign_options *options) {
    struct error err;
    campaign_open(&lab.campaign, &lab.plan, &lab.bench, options);
    if (!campaign_run(&lab.campaign, &err))
        fail_msg("%s", err.text);
}

static bool end(bool answer) {
    campaign_close(&lab.campaign);
    machine_free(&lab.machine);
    return answer;
}

/* A step that was visited twice, at its rate. */
static struct campaign_step *visited(size_t at, double rate) {
    struct campaign_step *step = &lab.campaign.steps[at];
    choose_first(&lab.campaign, at, false);
    step->number = (struct sample){.value = rate, .low = rate, .high = rate, .per_cycle = rate, .clock_hz = 1};
    step->number.documented_per_cycle = lab.documented[at];
    step->visit_count = step->visited = 2;
    step->visits[0] = step->visits[1] = step->number;
    return step;
}

/* A plan's sizes and times. */

/* The only step of a plan for one core with this L1 and L2, and three times that L2 as L3. */
static struct plan_step planned(const char *kernel, int level, uint64_t l1_bytes, uint64_t l2_bytes) {
    begin(kernel, NULL);
    struct levels levels = {.count = 4, .level = {{.name = "L1"}, {.name = "L2"}, {.name = "L3"}, {.name = "DRAM"}}};
    const uint64_t bytes[] = {l1_bytes, l2_bytes, 3 * l2_bytes};
    for (size_t i = 0; i < 3; i++)
        levels.level[i].detected_bytes = levels.level[i].effective_bytes = bytes[i];
    lab.plan_steps[0].level = level;
    plan_size(&lab.plan, &lab.machine, &levels, false);
    machine_free(&lab.machine);
    return lab.plan_steps[0];
}

static bool has_sizes(double times) {
    return planned("avx2.load", 1, MIB(16), (uint64_t)(times * (double)MIB(64))).size_count > 1;
}

static bool larger_is_below(double times) {
    return (double)planned("avx2.load", 1, MIB(1), MIB(256)).size_bytes[3] < times * (double)MIB(128);
}

static bool largest_is_below(double times) {
    return (double)planned("avx2.load", 1, MIB(1), MIB(256)).size_bytes[4] < times * (double)MIB(128);
}

/* In vectors of 32 bytes, with the other guesses as they are. */
static bool is_arithmetic(double times) {
    return plan_is_arithmetic(times * 32 * 0.5 * 3e9 / 15e9, 32);
}

static bool flop_are_fewer(double flop_per_cycle_and_byte) {
    return plan_is_arithmetic(2 * 32 * flop_per_cycle_and_byte * 3e9 / 15e9, 32);
}

static bool clock_is_lower(double hz) {
    return plan_is_arithmetic(2 * 32 * 0.5 * hz / 15e9, 32);
}

static bool pass_takes_longer(double bytes_per_s) {
    const struct plan_step step = planned("avx2.load", 3, MIB(1), MIB(64));
    return step.repetition_s * bytes_per_s > (double)step.size_bytes[0] / step.repetitions;
}

static bool overhead_is_less(double times) {
    const struct plan_step step = planned("chase", 3, MIB(1), MIB(64)); /* not searched */
    return step.expected_s < times * step.repetitions * step.repetition_s;
}

static bool search_overhead_is_less(double times) {
    const struct plan_step step = planned("avx2.f64.fma", PLAN_REGISTERS, MIB(1), MIB(64));
    size_t variants;
    kernel_find(step.kernel, &variants);
    return step.expected_s - 1.15 * step.repetitions * step.repetition_s < times * (double)variants * step.search_s;
}

/* The order of visits. */

/* The first trial after both steps were visited twice. */
static size_t third_turn(void) {
    unsigned counts[STEPS] = {0}, at = 0;
    while (at < lab.trials && (counts[0] < 2 || counts[1] < 2))
        counts[lab.log[at++].step]++;
    assert_true(at < lab.trials);
    return at;
}

/* A headline roof and another one, each in need of a third visit, their intervals so many times too wide. */
static bool other_is_next(double headline_over, double other_over) {
    begin("avx2.f64.fma", "sse.f64.add");
    lab.documented[0] = lab.documented[1] = 32;
    lab.within[0] = 0.01 * headline_over, lab.within[1] = 0.01 * other_over;
    run(&(struct campaign_options){.budget_s = 100});
    return end(lab.log[third_turn()].step == 1);
}

static bool headline_weighs_less(double times) {
    return other_is_next(2, 2 * times);
}

static bool over_is_capped(double over) {
    return !other_is_next(over / 4, 50);
}

static bool little_over_counts(double over) {
    return other_is_next(0, 4 * over);
}

/* Of a step whose code may be searched, beside a headline roof. Each visit takes 0.6 s, so that none is too soon. */
static bool search_is_next(double headline_over, double budget_s) {
    begin("avx2.f64.fma", "sse.f64.add");
    lab.documented[0] = lab.documented[1] = 32;
    lab.within[0] = 0.01 * headline_over, lab.within[1] = 0.012;
    lab.visit_s = 0.6;
    lab.plan_steps[1].search_s = 1e-3;
    run(&(struct campaign_options){.budget_s = budget_s, .no_shapes = true});
    return end(lab.log[third_turn()].brief);
}

static bool search_is_worth_less(double over) {
    return !search_is_next(over * 1.25 / 4, 4.5);
}

static bool first_search_is_worth_less(double over) {
    return !search_is_next(over * 1.25 / 4, 100);
}

/* After two visits to a roof that is worth as much as the search, if visits wear by this number. */
static bool visits_wear_less(double visits) {
    return search_is_next(10 * (1 + 2 / visits) / 4, 100);
}

static bool pass_is_long(double share) {
    return !search_is_next(1.5, 1.2 / share);
}

static bool pass_searches_no_more(double seconds) {
    begin("sse.f64.add", NULL);
    lab.documented[0] = 32;
    lab.visit_s = seconds;
    lab.plan_steps[0].search_s = 1e-3;
    run(&(struct campaign_options){.budget_s = 100, .first_only = true});
    return end(lab.trials == 1);
}

/* The visit of this number follows after one wait, however long the campaign's own was. */
static bool one_wait_is_enough(unsigned visit, double wait_s, double (*rate)(const struct campaign_trial *, unsigned)) {
    begin("avx2.f64.fma", NULL);
    lab.wait_s = wait_s;
    lab.rate = rate;
    lab.first_within[0] = 0.9; /* the second visit narrows the interval */
    run(&(struct campaign_options){.budget_s = 1000});
    assert_true(lab.trials > visit);
    return end(lab.log[visit].waits == lab.log[visit - 1].waits + 1);
}

static bool wait_is_enough(double seconds) {
    return one_wait_is_enough(1, seconds, NULL);
}

/* Each visit is faster than the one before, by less and less: the interval becomes narrower. */
static double rising(const struct campaign_trial *trial, unsigned visit) {
    (void)trial;
    return 16 * (1 - pow(0.85, visit));
}

static bool long_wait_is_enough(double seconds) {
    return one_wait_is_enough(9, seconds, rising);
}

/* The number of visits. */

/* To the second step, which is at its documented limit. */
static bool visits_are_fewer(double visits) {
    begin("avx2.f64.fma", "sse.f64.add");
    lab.documented[0] = 16, lab.documented[1] = 4;
    run(&(struct campaign_options){.budget_s = 100});
    return end(lab.visited[1] < visits);
}

/* A roof of shared caches, of an interval within its bound and beyond that of headline roofs. */
static bool headline_visits_are_fewer(double visits) {
    begin("avx2.f64.fma", NULL);
    lab.plan_steps[0].paced = false;
    lab.within[0] = 0.03;
    run(&(struct campaign_options){.budget_s = 1000});
    return end(lab.visited[0] < visits);
}

static bool misread_visits_are_fewer(double visits) {
    begin("avx2.f64.fma", NULL);
    lab.documented[0] = 10;
    run(&(struct campaign_options){.budget_s = 1000});
    return end(lab.visited[0] < visits);
}

/* After the first one; the interval is that of the visit alone. */
static bool vain_visits_are_fewer(double visits) {
    begin("avx2.f64.fma", NULL);
    lab.within[0] = 0.9;
    run(&(struct campaign_options){.budget_s = 1000});
    return end(lab.visited[0] - 1 < visits);
}

/* Two cores do 5 % less than one, each. */
static double less_on_two(const struct campaign_trial *trial, unsigned visit) {
    (void)visit;
    return trial->step->threads > 1 ? 15.2 : 16;
}

static bool short_visits_are_fewer(double visits) {
    begin("avx2.f64.fma", "avx2.f64.fma");
    lab.plan_steps[1].threads = 2;
    lab.rate = less_on_two;
    run(&(struct campaign_options){.budget_s = 1000});
    return end(lab.visited[1] < visits);
}

/* Full visits before the search of this number, to a step that its visits leave uncertain. */
static bool visits_before_search(unsigned search, double visits) {
    unsigned full = 0, searches = 0;
    begin("sse.f64.add", NULL);
    lab.documented[0] = 32;
    lab.within[0] = 0.9;
    lab.plan_steps[0].search_s = 1e-3;
    run(&(struct campaign_options){.budget_s = 1000, .no_shapes = true});
    for (unsigned i = 0; i < lab.trials && searches < search; i++) {
        full += !lab.log[i].brief;
        searches += lab.log[i].brief && !lab.log[i - 1].brief;
    }
    assert_int_equal(searches, search);
    return end(full < visits);
}

static bool trusted_after_fewer(double visits) {
    return visits_before_search(1, visits);
}

static bool searched_again_after_fewer(double visits) {
    return visits_before_search(2, visits);
}

/* Visits, and what they say of a step. */

static void start_step(double documented) {
    begin("avx2.f64.fma", NULL);
    lab.documented[0] = documented;
    start(100);
    visited(0, 16);
}

/* A third visit leaves this share of the interval. */
static bool nothing_is_gained(double left) {
    struct error err;
    start_step(0);
    struct campaign_step *step = &lab.campaign.steps[0];
    step->narrowest = 0.5;
    lab.within[0] = 0.5 * left;
    for (unsigned i = 0; i < 2; i++)
        step->visits[i].low = 16 * (1 - lab.within[0]), step->visits[i].high = 16 * (1 + lab.within[0]);
    assert_true(visit_step(&lab.campaign, 0, &err));
    return end(step->narrowed_at != step->visited);
}

/* After visits that took next to nothing, one takes a second. */
static bool cost_is_less(double seconds) {
    struct error err;
    start_step(0);
    lab.visit_s = 1;
    lab.campaign.visit_s = 1e-9;
    assert_true(visit_step(&lab.campaign, 0, &err));
    return end(lab.campaign.visit_s < seconds);
}

static double tries_differ;
static double second_reads_less(const struct campaign_trial *trial, unsigned visit) {
    (void)trial, (void)visit;
    return lab.trials == 2 ? 16 / (1 + tries_differ) : 16;
}

static bool third_decides(double differ) {
    struct error err;
    double merit;
    start_step(0);
    tries_differ = differ;
    lab.rate = second_reads_less;
    assert_true(visit_try(&lab.campaign, 0, &lab.campaign.steps[0].code, 0, &merit, &err));
    return end(lab.trials == 3);
}

static bool challenger_wins(double better) {
    struct error err;
    start_step(0);
    struct campaign_code code = lab.campaign.steps[0].code;
    code.width = code.unroll = 4;
    lab.rates[0] = 16 * (1 + better);
    assert_true(visit_challenge(&lab.campaign, 0, &code, 0, &err));
    return end(lab.campaign.steps[0].code.width == 4);
}

static unsigned worse_first;
static double worse_then_better(const struct campaign_trial *trial, unsigned visit) {
    (void)trial;
    return visit <= worse_first ? 8 : 32;
}

/* A larger size of L2, which is better only after so many visits. */
static bool larger_loses(double worse) {
    struct error err;
    begin("avx2.load", NULL);
    lab.plan_steps[0] = (struct plan_step){.kernel = "avx2.load",
                                           .kind = SAMPLE_BANDWIDTH,
                                           .level = 1,
                                           .core_kind = TEAM_ANY_KIND,
                                           .threads = 1,
                                           .paced = true,
                                           .size_count = 2,
                                           .size_bytes = {KIB(256), KIB(512)},
                                           .repetitions = 8,
                                           .repetition_s = 1e-4};
    start(100);
    visited(0, 16);
    worse_first = (unsigned)round(worse);
    lab.rate = worse_then_better;
    assert_true(visit_challenge(&lab.campaign, 0, &lab.campaign.steps[0].code, 1, &err));
    return end(lab.campaign.steps[0].size == 0);
}

static bool is_hopeless(double visits) {
    return step_is_hopeless(&(struct campaign_step){.visited = (unsigned)round(visits)});
}

static bool gains_nothing(double share) {
    start_step(16);
    lab.campaign.steps[0].number.per_cycle = 16 * share;
    return end(!step_may_gain(&lab.campaign, &lab.campaign.steps[0]));
}

/* All cores beside one, each with less; with the same code, or with another. */
static bool is_short(double less, bool same) {
    begin("avx2.f64.fma", "avx2.f64.fma");
    lab.plan_steps[1].threads = 2;
    start(100);
    visited(0, 16);
    struct campaign_step *step = visited(1, 16 * (1 - less));
    step->code.width = same ? 0 : 4;
    return end(step_shortfall(&lab.campaign, step) > 0);
}

static bool same_is_short(double less) {
    return is_short(less, true);
}

static bool other_is_short(double less) {
    return is_short(less, false);
}

/* Below what the sweep saw. */
static bool is_outdone(double less) {
    begin("avx2.f64.fma", NULL);
    lab.plan_steps[0].swept = 16;
    start(100);
    return end(step_outdone(&lab.campaign, visited(0, 16 * (1 - less))) > 0);
}

/* Two cores together do less than one: in registers, and in a shared level beside others. */
static bool is_below_one(double less, bool paced) {
    begin("avx2.f64.fma", "avx2.f64.fma");
    lab.plan_steps[1].threads = 2;
    lab.plan_steps[0].paced = lab.plan_steps[1].paced = paced;
    start(100);
    visited(0, 16)->number.threads = 1;
    struct campaign_step *step = visited(1, 8 * (1 - less));
    step->number.threads = 2;
    step->number.value = 16 * (1 - less);
    return end(step_below_one_core(&lab.campaign, step, true));
}

static bool paced_is_below_one(double less) {
    return is_below_one(less, true);
}

static bool shared_is_below_one(double less) {
    return is_below_one(less, false);
}

/* Shapes. */

/* A shape beside another one that differs, and the only one of two that is higher. */
static bool is_out_of_line(double differs) {
    struct shapes shapes = {.kind = KERNEL_COMPUTE};
    unroll_search_begin(&shapes.search, 1, 3);
    unroll_search_put(&shapes.search, 0, 0, 16);
    unroll_search_put(&shapes.search, 0, 1, 16 * (1 - differs));
    return shapes_out_of_line(&shapes, 0, 1);
}

static bool is_alone_on_top(double above) {
    struct shapes shapes = {.kind = KERNEL_COMPUTE};
    unroll_search_begin(&shapes.search, 1, 3);
    unroll_search_put(&shapes.search, 0, 0, 16);
    unroll_search_put(&shapes.search, 0, 2, 16 * (1 + above));
    return shapes_out_of_line(&shapes, 0, 2);
}

static bool is_no_finalist(double below) {
    struct shapes shapes = {.kind = KERNEL_COMPUTE, .widths = {1}, .unrolls = {1, 2}};
    struct unroll_search_cell out[4];
    unroll_search_begin(&shapes.search, 1, 2);
    unroll_search_put(&shapes.search, 0, 0, 16 * (1 - below));
    unroll_search_put(&shapes.search, 0, 1, 16);
    return shapes_finalists(&shapes, out, 4) == 1;
}

/* The campaign of one step whose shapes may be searched, after two visits. */
static struct campaign_step *begin_search(double budget_s) {
    begin("avx2.f64.fma", NULL);
    lab.plan_steps[0].search_s = 1e-3;
    lab.visit_s = 1e-6;
    start(budget_s);
    struct campaign_step *step = visited(0, 16);
    step->variants_tried = true;
    assert_true(choose_wants_shapes(&lab.campaign, 0));
    return step;
}

static void search(void) {
    struct error err;
    assert_true(choose_shapes(&lab.campaign, 0, &err));
}

/* The first shape takes so long, together with the two tries of the step's own code. */
static bool first_cell_is_last(double seconds, double budget_s) {
    const struct campaign_step *step = begin_search(budget_s);
    lab.try_s = seconds / 4;
    search();
    return end(step->shapes->search.known == 1);
}

static bool share_is_used_up(double share) {
    return first_cell_is_last(100 * share, 100);
}

static bool least_is_used_up(double seconds) {
    return first_cell_is_last(seconds, 1);
}

static bool searches_used_all(double share) {
    begin_search(100);
    lab.campaign.searched_s = 100 * share;
    return end(!choose_wants_shapes(&lab.campaign, 0));
}

/* f32 beside f64, whose search found no shape: their shares of the limit differ. */
static bool searches_beside_failed(double differ) {
    begin("avx2.f64.fma", "avx2.f32.fma");
    lab.documented[0] = lab.documented[1] = 100;
    lab.plan_steps[0].search_s = lab.plan_steps[1].search_s = 1e-3;
    start(100);
    struct campaign_step *relative = visited(0, 80);
    visited(1, 80 + 100 * differ);
    relative->shapes_tried = true;
    relative->shapes = calloc(1, sizeof *relative->shapes);
    return end(choose_wants_shapes(&lab.campaign, 1));
}

/* Short tries of the step's own code read this share of its number. */
static double own_reads;
static double own_code_reads(const struct campaign_trial *trial, unsigned visit) {
    (void)visit;
    return trial->brief && trial->code.width == 0 ? 16 * own_reads : 16;
}

static bool is_calm(double share) {
    const struct campaign_step *step = begin_search(100);
    own_reads = share;
    lab.rate = own_code_reads;
    search();
    return end(step->put_off == 0);
}

/* Shapes read more in short tries, and less in full visits. */
static double shapes_read;
static double shapes_promise(const struct campaign_trial *trial, unsigned visit) {
    (void)visit;
    return trial->code.width == 0 ? 16 : trial->brief ? 16 * shapes_read : 8;
}

static bool is_promising(double times) {
    const struct campaign_step *step = begin_search(100);
    shapes_read = times;
    lab.rate = shapes_promise;
    search();
    return end(step->put_off == 1);
}

/* The search waits no longer than this, after the given delays before. */
static bool waits_less(double seconds, unsigned delays) {
    struct campaign_step *step = begin_search(100);
    step->put_off = delays;
    own_reads = 0.5;
    lab.rate = own_code_reads;
    search();
    lab.now_s += seconds;
    return end(choose_wants_shapes(&lab.campaign, 0));
}

static bool delay_is_over(double seconds) {
    return waits_less(seconds, 0);
}

static bool long_delay_is_over(double seconds) {
    return waits_less(seconds, 7);
}

static bool no_more_delays(double delays) {
    struct campaign_step *step = begin_search(100);
    step->put_off = (unsigned)round(delays);
    own_reads = 0.5;
    lab.rate = own_code_reads;
    search();
    return end(step->put_off == (unsigned)round(delays));
}

/* All shapes were asked for, in no time. */
static bool cells_are_fewer(double cells) {
    const struct campaign_step *step = begin_search(1e-9);
    lab.campaign.options.every_shape = true;
    lab.try_s = 1;
    search();
    return end(step->shapes->search.known < cells);
}

static bool no_more_searches(double searches) {
    struct campaign_step *step = begin_search(100);
    step->number.documented_per_cycle = 32;
    step->searches = (unsigned)round(searches);
    return end(!choose_again(&lab.campaign, 0));
}

/* Sizes. */

static bool support_is_too_far(double differs) {
    return choose_plateau((double[]){100, 50, 100 * (1 - differs)}, 3, 1, 3) == 1;
}

static bool middle_is_too_low(double below) {
    return choose_plateau((double[]){100, 100 * (1 - below), 99}, 3, 1, 3) == 0;
}

static bool larger_counts(double above) {
    return choose_plateau((double[]){100, 100, 100 / (1 - above)}, 3, 1, 2) == 2;
}

/* A larger size was so much faster, once. */
static bool size_is_tried_again(double above, double searches) {
    struct campaign_step *step = begin_search(100);
    step->sizes_tried = true;
    step->searches = (unsigned)round(searches);
    step->number.documented_per_cycle = 16;
    step->seen[0] = 16 * (1 + above);
    choose_again(&lab.campaign, 0);
    return end(!step->sizes_tried);
}

static bool seen_is_tried_again(double above) {
    return size_is_tried_again(above, 0);
}

static bool no_more_sizes(double searches) {
    return !size_is_tried_again(0.5, searches);
}

/* Codes of other steps. */

/* All cores have tried the shape of one core, which is so much faster; limits may be documented. */
static bool follows(double ahead, unsigned follows, double later_s, double documented) {
    begin("avx2.f64.fma", "avx2.f64.fma");
    lab.plan_steps[1].threads = 2;
    lab.documented[0] = lab.documented[1] = documented;
    start(100);
    struct campaign_step *leader = visited(0, 10 * ahead), *step = visited(1, 10);
    leader->code.width = leader->code.unroll = 4;
    step->guessed = leader->code;
    step->guessed_size = leader->size;
    step->follows = follows;
    lab.now_s = later_s;
    return end(choose_wants_follow(&lab.campaign, 1));
}

static bool follows_ahead(double times) {
    return follows(times, 0, 100, 0);
}

static bool follows_nearer(double times) {
    return follows(times, 0, 100, 32);
}

/* At this share of its limit, beside a step with other code. */
static bool follows_to_perfection(double share) {
    begin("avx2.f64.fma", "avx2.f64.fma");
    lab.plan_steps[1].threads = 2;
    lab.documented[0] = lab.documented[1] = 16;
    start(100);
    struct campaign_step *leader = visited(0, 16);
    visited(1, 16 * share);
    leader->code.width = leader->code.unroll = 4;
    return end(choose_wants_follow(&lab.campaign, 1));
}

static bool follows_again(double seconds) {
    return follows(2, 1, seconds, 0);
}

static bool follows_no_more(double times) {
    return !follows(2, (unsigned)round(times), 100, 0);
}

static void each_threshold_decides(void **state) {
    (void)state;
    static const struct threshold_case CASES[] = {
        {"narrow window", 1.3, has_sizes, true},
        {"larger", 1.1, larger_is_below, true},
        {"largest", 1.3, largest_is_below, true},
        {"mostly arithmetic", 2, is_arithmetic, true},
        {"flop per cycle and byte", 0.5, flop_are_fewer, true},
        {"core clock", 3e9, clock_is_lower, true},
        {"pass", 15e9, pass_takes_longer, true},
        {"visit overhead", 1.15, overhead_is_less, true},
        {"search overhead", 1.3, search_overhead_is_less, true},
        {"first search", 4, pass_searches_no_more, true},
        {"apart", 0.25, wait_is_enough, true},
        {"apart, most", 2, long_wait_is_enough, true},
        {"headline", 4, headline_weighs_less, true},
        {"search", 2, search_is_worth_less, true},
        {"search, first", 10, first_search_is_worth_less, true},
        {"leisure", 0.25, pass_is_long, true},
        {"most over", 10, over_is_capped, true},
        {"least over", 0.1, little_over_counts, true},
        {"worn", 8, visits_wear_less, true},
        {"least visits", 2, visits_are_fewer, true},
        {"headline visits", 8, headline_visits_are_fewer, true},
        {"headline visits", 8, misread_visits_are_fewer, true},
        {"short visits", 16, short_visits_are_fewer, true},
        {"vain visits", 8, vain_visits_are_fewer, true},
        {"distrusted visits", 5, trusted_after_fewer, true},
        {"again visits", 8, searched_again_after_fewer, true},
        {"gained", 0.9, nothing_is_gained, true},
        {"latest cost", 0.25, cost_is_less, true},
        {"tries agree", 0.02, third_decides, true},
        {"better", 0.002, challenger_wins, true},
        {"larger, worse", 2.5, larger_loses, true},
        {"hopeless", 1.5, is_hopeless, true},
        {"enough", 0.99, gains_nothing, true},
        {"perfect", 0.995, follows_to_perfection, false},
        {"short of same", 0.02, same_is_short, true},
        {"short of same", 0.02, is_outdone, true},
        {"short of same", 0.02, paced_is_below_one, true},
        {"short of other", 0.1, other_is_short, true},
        {"short of other", 0.1, shared_is_below_one, true},
        {"shape, line", 0.02, is_out_of_line, true},
        {"shape, line", 0.02, is_alone_on_top, true},
        {"shape, final", 0.01, is_no_finalist, true},
        {"shapes, share", 0.05, share_is_used_up, true},
        {"shapes, least", 0.4, least_is_used_up, true},
        {"shapes, all", 0.25, searches_used_all, true},
        {"failed alike", 0.01, searches_beside_failed, true},
        {"calm", 0.97, is_calm, true},
        {"promising", 1.01, is_promising, true},
        {"put off", 0.5, delay_is_over, true},
        {"put off, most", 2, long_delay_is_over, true},
        {"put offs", 7.5, no_more_delays, true},
        {"least cells", 8, cells_are_fewer, true},
        {"searches", 1.5, no_more_searches, true},
        {"size, support", 0.04, middle_is_too_low, true},
        {"size, support", 0.04, support_is_too_far, true},
        {"size, seen", 0.02, seen_is_tried_again, true},
        {"larger, ahead", 0.01, larger_counts, true},
        {"size searches", 5.5, no_more_sizes, true},
        {"ahead", 1.005, follows_ahead, true},
        {"ahead", 1.005, follows_nearer, true},
        {"follow, apart", 1, follows_again, true},
        {"follows", 5.5, follows_no_more, true},
    };
    thresholds_decide((const struct threshold *)&campaign_thresholds, CAMPAIGN_THRESHOLD_COUNT, CASES,
                      sizeof CASES / sizeof *CASES);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_threshold_decides)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
