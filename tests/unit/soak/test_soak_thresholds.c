/* SPDX-License-Identifier: BSD-3-Clause
 * Each threshold of a soak, just above and just below, on soaks and series with no noise or one of known size. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carm/soak/findings.h"
#include "carm/soak/series.h"
#include "carm/soak/soak_thresholds.h"
#include "carm/soak/soak_views.h"
#include "tests/support/answered.h"
#include "tests/support/chance.h"
#include "tests/support/fixtures.h"
#include "tests/support/soaked.h"
#include "tests/support/thresholds.h"

/* Of the noise below: a sigma of its steps, of its slopes per second, and of the drift that it may hide. */
static const double STEP_SIGMA = 0.365856, SLOPE_SIGMA_PER_S = 0.00389092, HIDDEN_NOISE = 1.02342;

enum { ROUNDS = 100, CLOCK = SOAKED_ROOFS, HEAT, STOLEN, OTHERS };

static struct soak soak;

/* Without noise. */
static void begin(size_t rounds) {
    soak = soaked(rounds);
    soak.has_temperature = true;
    for (size_t i = 0; i < rounds; i++) {
        for (size_t s = 0; s < SOAKED_ROOFS; s++)
            soak.rounds[i].values[s].value = soak.result.samples[s].value;
        soak.rounds[i].temperature_c = 50;
    }
}

/* Changes a roof from this round on. */
static void step_roof(size_t roof, size_t from, double factor) {
    for (size_t i = from; i < soak.count; i++)
        soak.rounds[i].values[roof].value *= factor;
}

/* Each quantity changes by this share or amount, in the last 40 rounds. */
static bool steps(size_t quantity, double by) {
    begin(ROUNDS);
    if (quantity < SOAKED_ROOFS)
        step_roof(quantity, 60, 1 + by);
    for (size_t i = 60; i < ROUNDS; i++) {
        soak.rounds[i].clock_hz *= quantity == CLOCK ? 1 + by : 1;
        soak.rounds[i].temperature_c += quantity == HEAT ? by : 0;
        soak.rounds[i].others_cpus += quantity == OTHERS ? by : 0;
    }
    struct findings findings = findings_make(&soak);
    const bool found = findings.quantities[quantity].changes.step_count > 0;
    findings_free(&findings);
    soak_free(&soak);
    return found;
}

static bool rate_steps(double by) {
    return steps(SOAKED_DRAM, by);
}

static bool latency_steps(double by) {
    return steps(SOAKED_LATENCY, by);
}

static bool clock_steps(double by) {
    return steps(CLOCK, by);
}

static bool heat_steps(double by) {
    return steps(HEAT, by);
}

static bool others_step(double by) {
    return steps(OTHERS, by);
}

/* Whether the verdict on the soak contains this; frees it. */
static bool verdict_has(const char *part) {
    struct findings findings = findings_make(&soak);
    const bool has = strstr(findings.text, part);
    findings_free(&findings);
    soak_free(&soak);
    return has;
}

static bool printed_has(const char *part) {
    struct findings findings = findings_make(&soak);
    struct screen_text out = screen_text_begin();
    soak_answer_print(&findings, "soak.jsonl", &out.screen);
    char *text = screen_text_end(&out);
    const bool has = strstr(text, part);
    free(text);
    findings_free(&findings);
    soak_free(&soak);
    return has;
}

static bool is_judged(double rounds) {
    begin((size_t)round(rounds));
    return verdict_has("No roof");
}

/* The step is followed by so few rounds. */
static bool window_is_enough(double rounds) {
    begin(ROUNDS);
    step_roof(SOAKED_DRAM, ROUNDS - (size_t)round(rounds), 0.9);
    return verdict_has("DRAM, 2 cores fell");
}

/* A step before eight rounds: 32 pairs of ranks of 64 more than by chance, or 31 if two values have changed places. */
static bool ranks_are_enough(double sigmas) {
    const int exchanged = (int)round(32 - sigmas * 8 * sqrt(17 / 12.0));
    begin(ROUNDS);
    step_roof(SOAKED_DRAM, ROUNDS - 8, 0.9);
    for (int i = 0; i < exchanged; i++) {
        soak.rounds[ROUNDS - 12 - i].values[SOAKED_DRAM].value *= 0.94;
        soak.rounds[ROUNDS - 4 - i].values[SOAKED_DRAM].value *= 1.05;
    }
    return verdict_has("DRAM, 2 cores fell");
}

/* A series about 100 with normal noise, always the same, and its changes. */
static struct series_changes noisy(double step, double slope_per_s, double noise) {
    double at_s[ROUNDS], values[ROUNDS];
    chance_seed = 4;
    for (size_t i = 0; i < ROUNDS; i++) {
        at_s[i] = (double)i;
        values[i] = 100 + noise * chance_normal() + slope_per_s * at_s[i] + (i < 50 ? 0 : step);
    }
    return series_changes_find(&(struct timeline){ROUNDS, at_s, values}, 1e-6);
}

static bool is_step(double sigmas) {
    return noisy(sigmas * STEP_SIGMA, 0, 1).step_count > 0;
}

static bool is_drift(double sigmas) {
    return noisy(0, sigmas * SLOPE_SIGMA_PER_S, 1).drifts;
}

/* DRAM falls by 2 %, and the peak rises by more: which change is the gravest. */
static bool loss_is_first(double gain_weighs) {
    begin(ROUNDS);
    step_roof(SOAKED_DRAM, 40, 0.98);
    step_roof(SOAKED_PEAK, 70, 1 + 0.02 / gain_weighs);
    return verdict_has("Changed: DRAM");
}

/* The clock falls so many rounds after a roof. */
static bool clock_fell_then(size_t rounds, double after) {
    begin(rounds);
    step_roof(SOAKED_DRAM, rounds / 2, 0.9);
    for (size_t i = rounds / 2 + (size_t)round(after); i < rounds; i++)
        soak.rounds[i].clock_hz *= 0.9;
    return verdict_has("together with clock");
}

static bool together_by_rounds(double rounds) {
    return clock_fell_then(ROUNDS, rounds);
}

static bool together_by_share(double share) {
    return clock_fell_then(360, 359 * share);
}

static bool cpus_are_shown(double cpus) {
    begin(ROUNDS);
    soak.rounds[9].others_cpus = cpus;
    struct findings findings = findings_make(&soak);
    const bool shown = quantity_is_shown(&findings.quantities[OTHERS]);
    findings_free(&findings);
    soak_free(&soak);
    return shown;
}

static bool hidden_is_told(double share) {
    begin(ROUNDS);
    chance_seed = 4;
    for (size_t i = 0; i < ROUNDS; i++)
        soak.rounds[i].values[SOAKED_DRAM].value *= 1 + share * HIDDEN_NOISE * chance_normal();
    return verdict_has("may hide a drift");
}

static bool drifts_are_shown(double seconds) {
    begin(ROUNDS);
    for (size_t i = 0; i < ROUNDS; i++)
        soak.rounds[i].seconds = seconds / ROUNDS;
    return printed_has(" ±");
}

/* By 2 GB/s, then by so many times that; rounds take 6 s. */
static bool later_is_shown(double times) {
    begin(ROUNDS);
    for (size_t i = 30; i < ROUNDS; i++)
        soak.rounds[i].values[SOAKED_DRAM].value -= i < 70 ? 2e9 : 2e9 * (1 + times);
    return printed_has("at 00:07:03, +1");
}

static void each_threshold_decides(void **state) {
    (void)state;
    static const struct threshold_case CASES[] = {
        {"rate", 0.01, rate_steps, true},
        {"latency", 0.01, latency_steps, true},
        {"clock", 0.01, clock_steps, true},
        {"temperature", 3, heat_steps, true},
        {"CPUs", 0.1, others_step, true},
        {"judged values", 15.5, is_judged, true},
        {"window values", 7.5, window_is_enough, true},
        {"step sigmas", 6, is_step, true},
        {"rank sigmas", 3.309, ranks_are_enough, true},
        {"drift sigmas", 4.5, is_drift, true},
        {"better weighs", 0.5, loss_is_first, true},
        {"same time, rounds", 2.5, together_by_rounds, false},
        {"same time, share", 3.5 / 359, together_by_share, false},
        {"idle CPUs", 0.05, cpus_are_shown, true},
        {"hidden drift", 0.01, hidden_is_told, true},
        {"drift", 600, drifts_are_shown, true},
        {"larger step", 1.02, later_is_shown, true},
    };
    thresholds_decide((const struct threshold *)&soak_thresholds, SOAK_THRESHOLD_COUNT, CASES,
                      sizeof CASES / sizeof *CASES);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_threshold_decides)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
