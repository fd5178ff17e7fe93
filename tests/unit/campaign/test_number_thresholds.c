/* SPDX-License-Identifier: BSD-3-Clause
 * Each threshold of a number, its interval, doubts and grade, just above and just below. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/kernels/calibrate.h"
#include "bench/kernels/campaign.h"
#include "bench/kernels/clockcheck.h"
#include "bench/kernels/doubt.h"
#include "bench/kernels/number_thresholds.h"
#include "bench/kernels/others.h"
#include "bench/kernels/timing.h"
#include "bench/kernels/together.h"
#include "bench/kernels/unroll_map.h"
#include "bench/kernels/visit.h"
#include "carm/model/describe.h"
#include "carm/search/search.h"
#include "tests/support/fixtures.h"
#include "tests/support/thresholds.h"

/* A visit with this rate, per cycle and per second of a clock of 1 Hz. */
static struct sample visit(double rate) {
    return (struct sample){.kernel = "avx2.f64.fma",
                           .threads = 1,
                           .value = rate,
                           .low = rate,
                           .high = rate,
                           .per_cycle = rate,
                           .clock_hz = 1};
}

static struct sample combined(const struct sample *visits, size_t count, bool paced, double deviation) {
    struct sample out;
    estimate_combine(&out, visits, count, paced, (struct estimate_habit){.deviation = deviation});
    return out;
}

/* A hundred equal repetitions of a core at 3 GHz that renames six no-ops per cycle. */
enum { REPETITIONS = 100 };
static struct repetition repetitions[REPETITIONS];
static double step_s; /* of the tick that timed them */

static void repeat(double seconds) {
    for (size_t i = 0; i < REPETITIONS; i++)
        repetitions[i] =
            (struct repetition){.seconds = seconds, .team_s = seconds, .clock_hz = 3e9, .noops_per_cycle = 6};
}

static struct sample reduced(unsigned lanes, bool paced) {
    struct sample out = {.threads = lanes};
    sample_reduce(&out,
                  &(struct repetitions){.of = repetitions,
                                        .count = REPETITIONS / lanes,
                                        .lanes = lanes,
                                        .work = 1e6,
                                        .core_paced = paced,
                                        .step_s = step_s,
                                        .alone_noops_per_cycle = (double[]){6, 6}},
                  STATISTIC_MEDIAN);
    return out;
}

static bool has_doubt(enum doubt_id doubt) {
    return doubts_has(reduced(1, true).doubts, doubt);
}

static bool is_long_enough(double seconds) {
    repeat(seconds);
    return !has_doubt(DOUBT_TOO_SHORT);
}

/* Of a tick of 1 µs. */
static bool has_enough_steps(double steps) {
    repeat(steps * 1e-6);
    step_s = 1e-6;
    const bool enough = !has_doubt(DOUBT_TOO_SHORT);
    step_s = 0;
    return enough;
}

static bool clock_drifts(double by) {
    repeat(1e-3);
    for (size_t i = REPETITIONS / 2; i < REPETITIONS; i++)
        repetitions[i].clock_hz *= 1 + by;
    return has_doubt(DOUBT_CLOCK_DRIFTED);
}

/* Two interrupted cores, one of which worked for a part of the time. */
static bool ran_together(double share) {
    repeat(1e-3);
    for (size_t i = 0; i < REPETITIONS; i++) {
        repetitions[i].interrupted = true;
        repetitions[i].seconds *= i % 2 ? 1 : share;
    }
    return reduced(2, false).value > 0;
}

static bool was_alone(double share) {
    repeat(1e-3);
    for (size_t i = 0; i < REPETITIONS; i++)
        repetitions[i].noops_per_cycle = 6 * share;
    return !has_doubt(DOUBT_SIBLING_BUSY);
}

static bool is_apart(double times) {
    return together_is_apart(40e-9 * times, 40e-9, 0);
}

static bool is_apart_by_latency(double times) {
    return together_is_apart(12e-9 * times, 0, 12e-9);
}

/* All repetitions but this share of them. */
static size_t all_but(double share) {
    return REPETITIONS - (size_t)round(share * REPETITIONS);
}

static bool few_are_interrupted(double whole) {
    repeat(1e-3);
    for (size_t i = 0; i < all_but(whole); i++)
        repetitions[i].interrupted = true;
    return !has_doubt(DOUBT_CORE_SHARED);
}

/* The first of those alone follows one that is not. */
static bool few_are_beside_others(double alone) {
    repeat(1e-3);
    for (size_t i = 0; i + 1 < all_but(alone); i++)
        repetitions[i].noops_per_cycle = 3;
    return !has_doubt(DOUBT_SIBLING_BUSY);
}

static bool enough_agree(double share) {
    repeat(1e-3);
    for (size_t i = 0; i < all_but(share); i++)
        repetitions[i].clock_spread = 1;
    return !has_doubt(DOUBT_CLOCK_DRIFTED);
}

/* A second visit that is lower by this: the number is that of the first. */
static bool differs(double by, bool paced, double deviation) {
    return combined((struct sample[]){visit(16), visit(16 * (1 - by))}, 2, paced, deviation).value >= 16;
}

static bool paced_differs(double by) {
    return differs(by, true, 0);
}

static bool wandering_differs(double by) {
    return differs(by, true, 1);
}

static bool unpaced_differs(double by) {
    return differs(by, false, 0);
}

/* So many agreeing visits below a higher one. */
static bool high_is_refuted(double visits) {
    struct sample of[ESTIMATE_MAX_VISITS] = {visit(20)};
    const size_t count = 1 + (size_t)round(visits);
    for (size_t i = 1; i < count; i++)
        of[i] = visit(16);
    return combined(of, count, true, 0).high < 17;
}

static bool is_above_documented(double times) {
    return estimate_above_documented(&(struct sample){.per_cycle = 16 * times, .documented_per_cycle = 16});
}

static double now_s(void *context) {
    (void)context;
    return 1;
}

static struct sample around(double uncertainty) {
    struct sample sample = visit(16);
    sample.low = 16 * (1 - uncertainty), sample.high = 16 * (1 + uncertainty);
    return sample;
}

static double taken;
static double taken_s(void *context) {
    (void)context;
    return taken;
}

/* The number of the only roof of a campaign that has lasted a second and wants ten visits. */
static struct sample number_of(struct sample number, unsigned visits, bool paced) {
    const struct plan_step plan = {.kernel = "avx2.f64.fma", .level = PLAN_REGISTERS, .paced = paced};
    const struct campaign_bench bench = {.now_s = now_s, .taken_s = taken_s};
    struct campaign_step step = {.plan = &plan,
                                 .relative = SIZE_MAX,
                                 .on_more = SIZE_MAX,
                                 .narrower = SIZE_MAX,
                                 .visit_count = visits,
                                 .visited = visits,
                                 .visits = {number, number},
                                 .number = number};
    struct sample out;
    assert_true(campaign_number(
        &(struct campaign){.bench = &bench, .count = 1, .steps = &step, .options.least_visits = 10}, 0, &out));
    return out;
}

static bool is_unstable(double uncertainty, bool paced) {
    return doubts_has(number_of(around(uncertainty), 2, paced).doubts, DOUBT_UNSTABLE);
}

static bool paced_is_unstable(double uncertainty) {
    return is_unstable(uncertainty, true);
}

static bool unpaced_is_unstable(double uncertainty) {
    return is_unstable(uncertainty, false);
}

static bool time_was_taken(double share) {
    taken = share;
    const bool doubted = doubts_has(number_of(visit(16), 2, true).doubts, DOUBT_CORE_SHARED);
    taken = 0;
    return doubted;
}

/* Whether the interval ends before this; time was taken, or not. */
static bool ends_within(double above, unsigned visits, bool paced, double taken_share) {
    taken = taken_share;
    const double high = number_of(visit(16), visits, paced).high;
    taken = 0;
    return high <= 16 * (1 + above);
}

static bool single_visit_ends_within(double above) {
    return ends_within(above, 1, true, 0);
}

static bool shared_level_ends_within(double above) {
    return ends_within(above, 2, false, 0.9);
}

/* The uncertainty of equal visits, if so many visits of this machine differed by `differences`, in rising order. */
static double usual_uncertainty(unsigned visits, bool paced, size_t count, const double *differences) {
    static struct campaign campaign;
    const struct plan_step plan = {.kernel = "avx2.f64.fma", .paced = paced};
    struct campaign_step step = {.plan = &plan, .visit_count = visits, .visits = {visit(16), visit(16)}};
    campaign.differences[paced].count = count;
    memcpy(campaign.differences[paced].of, differences, count * sizeof *differences);
    visit_combine(&campaign, &step);
    return estimate_uncertainty(&step.number);
}

static double equal_uncertainty(unsigned visits, bool paced, double difference) {
    double differences[20];
    for (size_t i = 0; i < 20; i++)
        differences[i] = difference;
    return usual_uncertainty(visits, paced, 20, differences);
}

static bool habit_is_known(double differences) {
    return usual_uncertainty(1, true, (size_t)round(differences), (double[20]){0}) < 0.02;
}

/* Of 101 differences of 0 to 40 %, at equal distances. */
static bool usual_is_within(double share) {
    double differences[101];
    for (size_t i = 0; i < 101; i++)
        differences[i] = 0.004 * (double)i;
    return usual_uncertainty(1, true, 101, differences) <= 0.4 * share;
}

/* Two equal visits, if all others differed much. */
static bool deviation_is_within(double deviation, bool paced) {
    return equal_uncertainty(2, paced, 0.4) <= hypot(1.645 * deviation / sqrt(2), paced ? 0 : 0.003);
}

static bool paced_deviation_is_within(double deviation) {
    return deviation_is_within(deviation, true);
}

static bool unpaced_deviation_is_within(double deviation) {
    return deviation_is_within(deviation, false);
}

/* A single visit, if no others differed, or all did. */
static bool paced_least_is_within(double uncertainty) {
    return equal_uncertainty(1, true, 0) <= uncertainty;
}

static bool unpaced_least_is_within(double uncertainty) {
    return equal_uncertainty(1, false, 0) <= hypot(uncertainty, 0.003);
}

static bool most_is_within(double uncertainty) {
    return equal_uncertainty(1, true, 0.9) <= uncertainty;
}

static bool sibling_hides_within(double share) {
    struct sample busy = visit(16);
    busy.doubts = DOUBTS(DOUBT_SIBLING_BUSY);
    return combined((struct sample[]){busy, busy}, 2, true, 0).high <= 16 / (1 - share);
}

/* The grade of its only roof; files round numbers to 1e-4. */
static char grade(double uncertainty) {
    const struct sample sample = around(uncertainty);
    return trust_grade(&sample, 1, false).grade;
}

static bool is_below_a(double uncertainty) {
    return grade(uncertainty) > 'A';
}

static bool is_below_b(double uncertainty) {
    return grade(uncertainty) > 'B';
}

static bool equal_visits_are_within(double uncertainty) {
    const struct sample out = combined((struct sample[]){visit(16), visit(16)}, 2, false, 0);
    return estimate_uncertainty(&out) <= uncertainty;
}

static bool alone_is_within(double uncertainty, bool paced) {
    const struct sample one = visit(16), out = combined(&one, 1, paced, 0);
    return estimate_uncertainty(&out) <= uncertainty;
}

static bool paced_alone_is_within(double uncertainty) {
    return alone_is_within(uncertainty, true);
}

static bool unpaced_alone_is_within(double uncertainty) {
    return alone_is_within(uncertainty, false);
}

/* A ceiling above the peak. */
static bool is_higher(double times) {
    struct sample samples[] = {visit(16), visit(16 * times)};
    bool headline[2];
    strcpy(samples[1].kernel, "avx2.f64.fmaadd");
    trust_headline(samples, 2, headline);
    return headline[1];
}

/* A cache that ends at 64 KiB, of this rate relative to memory, and up to 256 KiB at a share of its own rate. */
static struct level swept(uint64_t detected_bytes, double rate, double extends) {
    enum { POINTS = 200 };
    const struct core_kind kind = {.cache_count = 1, .caches = {{.level = 1, .size_bytes = detected_bytes}}};
    struct levels levels = levels_detected(&kind, "DRAM");
    struct sweep_point points[POINTS];
    for (uint64_t i = 0; i < POINTS; i++) {
        const uint64_t bytes = KIB(4) * (i + 1);
        points[i] = (struct sweep_point){bytes, bytes <= KIB(64) ? rate : bytes <= KIB(256) ? rate * extends : 1};
    }
    levels_judge(&levels, points, POINTS);
    return levels.level[0];
}

/* The step lies between 64 and 68 KiB. */
static const double STEP_BYTES = 67553.0;

static bool size_is_wrong(double times) {
    return swept((uint64_t)(times * STEP_BYTES), 100, 0.01).disagrees;
}

static bool small_size_is_wrong(double times) {
    return swept((uint64_t)(STEP_BYTES / times), 100, 0.01).disagrees;
}

static bool step_is_seen(double times) {
    return swept(KIB(64), times, 1 / times).judged;
}

static bool plateau_goes_on(double share) {
    return swept(KIB(64), 100, share).found_bytes > KIB(64);
}

/* Of an L2 that adds as much to an L1 of 1 MiB. */
static struct window window_of_small_level(void) {
    const struct levels levels = {
        .count = 3,
        .level = {{.detected_bytes = 1, .effective_bytes = MIB(1)}, {.detected_bytes = 1, .effective_bytes = MIB(1)}}};
    return levels_window(&levels, 1, (const unsigned[]){1, 1});
}

static bool window_begins_below(double inner) {
    return (double)window_of_small_level().low_bytes < inner * (double)MIB(1);
}

static bool window_ends_below(double both) {
    return (double)window_of_small_level().high_bytes < both * (double)MIB(2);
}

/* So many CPUs of other programs over some seconds. */
static bool busy(double cpus, double seconds) {
    struct activity from = {.known = true, .wall_s = 100};
    const struct activity now = {.known = true, .wall_s = 100 + seconds, .busy_s = cpus * seconds};
    bool is_busy = false;
    activity_sample(&from, &now, &is_busy);
    return is_busy;
}

static bool others_are_active(double cpus) {
    return busy(cpus, 1);
}

static bool watch_is_enough(double seconds) {
    return busy(1, seconds);
}

static bool watch_is_too_long(double seconds) {
    return !busy(1, seconds);
}

static bool ticks_are_enough(double seconds) {
    const struct activity from = {.known = true}, now = {.known = true, .wall_s = seconds, .busy_s = seconds};
    return activity_of_others(&from, &now) > 0;
}

/* CPUs of all, and of the busiest program. */
static bool others_are_said(double cpus, double busiest_cpus, const char *part) {
    const struct result result = {
        .environment = {.others_cpus = cpus, .busiest_other_cpus = busiest_cpus, .busiest_other = "hog"}};
    char text[512];
    return strstr(describe_others(&result, text, sizeof text), part);
}

static bool others_work(double cpus) {
    return others_are_said(cpus, 0, "other programs");
}

static bool busiest_is_named(double cpus) {
    return others_are_said(1, cpus, "hog");
}

static bool counter_is_trusted(double ratio) {
    return !calibration_doubtful(&(struct calibration){.median = ratio});
}

/* The first of a load's clocks: `second` is held for `count` of so many points, at the end. */
enum { CLOCKS = 2000 };
static struct clock_load clocks(double second_hz, size_t count) {
    static struct clock_point points[CLOCKS];
    struct clock_history history = {.count = CLOCKS, .points = points, .load_count = 1};
    for (size_t i = 0; i < CLOCKS; i++)
        points[i] = (struct clock_point){.slices_hz = i < CLOCKS - count ? 3e9 : second_hz};
    clockcheck_summarise(&history);
    return history.loads[0];
}

static bool is_clock_step(double hz) {
    return clocks(3e9 + hz, CLOCKS / 2).step_count == 2;
}

static bool is_held(double share) {
    return clocks(4e9, (size_t)round(share * CLOCKS)).step_count == 2;
}

static bool keeps_clock(double share) {
    return !clocks(3e9 * share, CLOCKS / 2).throttled;
}

/* A map of two cells, the second of which won. */
static struct unroll_map two_cells(double first) {
    struct unroll_map map = {.kind = KERNEL_COMPUTE, .widths = {1}, .unrolls = {1, 2}, .column = 1};
    unroll_search_begin(&map.search, 1, 2);
    unroll_search_put(&map.search, 0, 0, first);
    unroll_search_put(&map.search, 0, 1, 16);
    map.winner.per_cycle = 16;
    return map;
}

static bool first_is_too_slow(double below) {
    struct unroll_map map = two_cells(16 * (1 - below));
    unroll_map_find_enough(&map);
    return map.enough_column == 1;
}

static bool program_is_faster(double below) {
    struct unroll_map map = two_cells(16);
    char *text;
    size_t bytes;
    map.reference.per_cycle = 16 / (1 - below);
    FILE *out = open_memstream(&text, &bytes);
    unroll_map_print(&(struct unroll_map_view){.map = &map, .name = "avx2.f64.fma", .level = ""}, out);
    fclose(out);
    const bool faster = strstr(text, "no cell here is as fast");
    free(text);
    return faster;
}

static void each_threshold_decides(void **state) {
    (void)state;
    static const struct threshold_case CASES[] = {
        {"late", 1e-3, timing_is_late, true},
        {"too short", 20e-6, is_long_enough, true},
        {"tick steps", 200, has_enough_steps, true},
        {"clock drifts", 0.05, clock_drifts, true},
        {"together", 0.5, ran_together, true},
        {"core alone", 0.9, was_alone, true},
        {"cores apart", 2, is_apart, true},
        {"cache apart", 8, is_apart_by_latency, true},
        {"undisturbed", 0.245, few_are_interrupted, true},
        {"undisturbed", 0.245, few_are_beside_others, true},
        {"filtered", 0.095, enough_agree, true},
        {"paced, agree", 0.005, paced_differs, true},
        {"paced, agree at most", 0.015, wandering_differs, true},
        {"unpaced, agree", 0.05, unpaced_differs, true},
        {"refuted", 4.5, high_is_refuted, true},
        {"above documented", 1.01, is_above_documented, true},
        {"paced, bound", 0.01, paced_is_unstable, true},
        {"paced, bound", 0.0101, is_below_a, true},
        {"unpaced, bound", 0.05, unpaced_is_unstable, true},
        {"unpaced, bound", 0.0501, is_below_b, true},
        {"unpaced, within", 0.003, equal_visits_are_within, true},
        {"paced, alone", 0.03, paced_alone_is_within, true},
        {"unpaced, alone", 0.3, unpaced_alone_is_within, true},
        {"few differences", 9.5, habit_is_known, true},
        {"usual", 0.9, usual_is_within, true},
        {"paced, deviation", 0.005, paced_deviation_is_within, true},
        {"unpaced, deviation", 0.05, unpaced_deviation_is_within, true},
        {"paced, alone at least", 0.005, paced_least_is_within, true},
        {"unpaced, alone at least", 0.02, unpaced_least_is_within, true},
        {"alone, at most", 0.5, most_is_within, true},
        {"taken", 0.25, time_was_taken, true},
        {"unsearched", 0.4, single_visit_ends_within, true},
        {"others take", 1, shared_level_ends_within, true},
        {"sibling takes", 0.3, sibling_hides_within, true},
        {"same height", 1.025, is_higher, true},
        {"levels agree", 1.5, size_is_wrong, true},
        {"levels agree", 1.5, small_size_is_wrong, true},
        {"level step", 1.15, step_is_seen, true},
        {"on plateau", 0.8, plateau_goes_on, true},
        {"window, low", 1.2, window_begins_below, true},
        {"window, high", 0.8, window_ends_below, true},
        {"others matter", 0.2, others_are_active, true},
        {"others matter", 0.2, busiest_is_named, true},
        {"others work", 0.5, others_work, true},
        {"others, ticks", 0.04, ticks_are_enough, true},
        {"others, watch", 0.1, watch_is_enough, true},
        {"others, forget", 2, watch_is_too_long, true},
        {"counter, low", 0.98, counter_is_trusted, true},
        {"counter, high", 1.02, counter_is_trusted, false},
        {"clock step", 50e6, is_clock_step, true},
        {"clock step, share", 99.5 / CLOCKS, is_held, true},
        {"throttled", 0.97, keeps_clock, true},
        {"shape, enough", 0.01, first_is_too_slow, true},
        {"shape, enough", 0.01, program_is_faster, true},
    };
    thresholds_decide((const struct threshold *)&number_thresholds, NUMBER_THRESHOLD_COUNT, CASES,
                      sizeof CASES / sizeof *CASES);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_threshold_decides)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
