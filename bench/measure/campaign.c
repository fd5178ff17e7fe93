/* SPDX-License-Identifier: BSD-3-Clause
 * The measuring policy (see campaign.h). */
#include "campaign.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/sample/doubt.h"
#include "choose.h"
#include "step.h"
#include "trust.h"

enum { LEAST_VISITS = 2, VISIT_REPETITIONS = 32, SEGMENTS_PER_VISIT = 16, TRY_REPETITIONS = 8, FEW_DIFFERENCES = 10 };
static const double TRY_REPETITION_S = 100e-6, TRY_LIMIT_S = 5e-3, VISIT_LIMIT_S = 30e-3;
/* The first pass is short: code is searched on the way only while it is in time. */
static const double SEARCH_IN_FIRST_PASS_S = 4;
static const double TRIES_AGREE = 0.02; /* two short tries of one code */
static const double BETTER = 0.002;     /* a challenger has to be, to take a step over */
/* Visits to one step are that far apart, times their number: what disturbs a core lasts for seconds. */
static const double APART_S = 0.25, APART_MOST_S = 2, WAIT_S = 0.02;
/* The roofs that the answer rests on: known more closely, and sooner. */
static const double HEADLINE_WEIGHT = 4, HEADLINE_BOUND = 0.01;
/* Less than this share of what is documented wants another visit before it is believed. */
static const double DOCUMENTED = 0.99;
/* Looking for better code is worth as much as a visit to a roof whose interval is that many times too wide. Where the
 * first pass took little of the budget it comes before all visits but those to headline roofs: it is soon done, and
 * visits that never agree, as in a shared L3, would take its time. */
static const double IMPROVING_WORTH = 2, IMPROVING_FIRST_WORTH = 10, LITTLE = 0.25;
enum {
    WEIGH_EVERY = 32, /* actions */
    AGAIN_VISITS = 8,
    DISTRUSTED_VISITS = 5,
    HEADLINE_VISITS = 8, /* after so many it may be settled without its own, closer bound */
};
/* Of two values of a normal distribution the lower quartile of the difference, in standard deviations. */
static const double DIFFERENCE_OF_NORMALS = 0.451;
static const double DEVIATION_MOST = 0.005; /* beyond it visits are disturbed, and not of one distribution */
static const double ALONE_QUANTILE = 0.9, PACED_ALONE_LEAST = 0.005, UNPACED_ALONE_LEAST = 0.02, ALONE_MOST = 0.5;

double campaign_bound(const struct plan_step *step) {
    return step->paced ? ESTIMATE_PACED_BOUND : ESTIMATE_UNPACED_BOUND;
}

static double now_s(const struct campaign *campaign) {
    return campaign->bench->now_s(campaign->bench->context);
}

static bool stop_is_set(const struct campaign *campaign) {
    return campaign->bench->stop && *campaign->bench->stop;
}

static double left_s(const struct campaign *campaign) {
    return campaign->began_s + campaign->options.budget_s - now_s(campaign);
}

bool campaign_over(const struct campaign *campaign) {
    return stop_is_set(campaign) || left_s(campaign) <= 0;
}

static void tell(const struct campaign *campaign, enum campaign_doing doing, size_t step) {
    if (campaign->options.progress)
        campaign->options.progress(campaign->options.progress_context, campaign, doing, step);
}

void campaign_open(struct campaign *out, const struct plan *plan, const struct campaign_bench *bench,
                   const struct campaign_options *options) {
    *out = (struct campaign){.bench = bench, .options = *options, .count = plan->count};
    out->steps = calloc(plan->count + 1, sizeof *out->steps);
    if (out->options.least_visits == 0)
        out->options.least_visits = LEAST_VISITS;
    for (size_t i = 0; i < plan->count; i++)
        out->steps[i] = (struct campaign_step){
            .plan = &plan->steps[i], .wanted = true, .relative = choose_relative(plan, i), .weight = 1};
}

void campaign_close(struct campaign *campaign) {
    for (size_t i = 0; i < campaign->count; i++)
        free(campaign->steps[i].shapes);
    free(campaign->steps);
    *campaign = (struct campaign){0};
}

void campaign_skip(struct campaign *campaign, size_t step) {
    campaign->steps[step].wanted = false;
}

static struct estimate_habit habit_of(const struct campaign *campaign, bool paced) {
    const struct campaign_differences *seen = &campaign->differences[paced];
    if (seen->count < FEW_DIFFERENCES)
        return (struct estimate_habit){0};
    double sorted[CAMPAIGN_DIFFERENCES];
    const size_t count = seen->count < CAMPAIGN_DIFFERENCES ? seen->count : CAMPAIGN_DIFFERENCES;
    memcpy(sorted, seen->of, count * sizeof *sorted);
    const double calm = sample_statistics(sorted, count).q1; /* sorts. Half of the pairs may be disturbed */
    const double least = paced ? PACED_ALONE_LEAST : UNPACED_ALONE_LEAST;
    return (struct estimate_habit){
        .alone = fmin(ALONE_MOST, fmax(least, sorted[(size_t)(ALONE_QUANTILE * (double)(count - 1))])),
        .deviation = fmin(DEVIATION_MOST, calm / DIFFERENCE_OF_NORMALS),
    };
}

static void note_difference(struct campaign *campaign, const struct campaign_step *step) {
    struct campaign_differences *seen = &campaign->differences[step->plan->paced];
    const double a = estimate_merit(&step->visits[0], step->plan->paced),
                 b = estimate_merit(&step->visits[1], step->plan->paced);
    if (a > 0 && b > 0)
        seen->of[seen->count++ % CAMPAIGN_DIFFERENCES] = fabs(a - b) / fmax(a, b);
}

static void update(struct campaign *campaign, struct campaign_step *step) {
    estimate_combine(&step->number, step->visits, step->visit_count, step->plan->paced,
                     habit_of(campaign, step->plan->paced));
}

/* A full list loses its lowest visit: disturbances lower. */
static void keep_visit(struct campaign *campaign, struct campaign_step *step, const struct sample *visit) {
    unsigned at = step->visit_count;
    if (at == ESTIMATE_MAX_VISITS) {
        at = 0;
        for (unsigned i = 1; i < ESTIMATE_MAX_VISITS; i++)
            if (estimate_merit(&step->visits[i], step->plan->paced) <
                estimate_merit(&step->visits[at], step->plan->paced))
                at = i;
    } else {
        step->visit_count++;
    }
    step->visits[at] = *visit;
    update(campaign, step);
}

static unsigned visit_repetitions(const struct plan_step *step) {
    const unsigned most = step->memory ? SEGMENTS_PER_VISIT : VISIT_REPETITIONS;
    return step->repetitions < most ? step->repetitions : most;
}

static bool pay(struct campaign *campaign, struct campaign_step *step, const struct campaign_code *code, unsigned size,
                bool brief, struct sample *out, struct error *err) {
    const struct campaign_trial trial = {
        .step = step->plan,
        .code = *code,
        .bytes = step->plan->size_count ? step->plan->size_bytes[size] : 0,
        .repetitions = brief ? TRY_REPETITIONS : visit_repetitions(step->plan),
        .repetition_s = brief ? fmin(TRY_REPETITION_S, step->plan->repetition_s) : step->plan->repetition_s,
        .limit_s = brief ? TRY_LIMIT_S : VISIT_LIMIT_S,
        .brief = brief,
    };
    *out = (struct sample){0};
    if (stop_is_set(campaign) || !machine_has(campaign->bench->machine, code->kernel->needs) ||
        (trial.bytes > 0 && code->kernel->block_bytes > trial.bytes))
        return true;
    campaign->visits++;
    return campaign->bench->measure(campaign->bench->context, &trial, out, err);
}

bool campaign_visit(struct campaign *campaign, size_t at, struct error *err) {
    struct campaign_step *step = &campaign->steps[at];
    struct sample visit;
    if (!pay(campaign, step, &step->code, step->size, false, &visit, err))
        return false;
    step->visited++;
    step->visited_at_s = now_s(campaign);
    if (visit.value > 0 && !(visit.doubts & DOUBT_INTERRUPTED)) { /* half a visit is none */
        keep_visit(campaign, step, &visit);
        if (step->visit_count == 2) /* those of a challenge are not apart */
            note_difference(campaign, step);
    }
    return true;
}

bool campaign_try(struct campaign *campaign, size_t at, const struct campaign_code *code, unsigned size, double *merit,
                  struct error *err) {
    struct campaign_step *step = &campaign->steps[at];
    double merits[3] = {0};
    *merit = 0;
    tell(campaign, CAMPAIGN_SEARCH, at);
    for (unsigned i = 0; i < 3; i++) {
        struct sample sample;
        if (!pay(campaign, step, code, size, true, &sample, err))
            return false;
        if (sample.value <= 0 || sample.doubts & DOUBT_INTERRUPTED)
            return true;
        merits[i] = estimate_merit(&sample, step->plan->paced);
        if (i == 1 && fabs(merits[0] / merits[1] - 1) < TRIES_AGREE) {
            *merit = fmax(merits[0], merits[1]);
            return true;
        }
    }
    *merit = sample_median_of_three(merits[0], merits[1], merits[2]);
    return true;
}

bool campaign_challenge(struct campaign *campaign, size_t at, const struct campaign_code *code, unsigned size,
                        struct error *err) {
    struct campaign_step *step = &campaign->steps[at];
    struct sample visits[2];
    const double own = estimate_merit(&step->number, step->plan->paced) * (1 + BETTER);
    for (unsigned i = 0; i < 2; i++) { /* one lucky visit is not enough */
        if (!pay(campaign, step, code, size, false, &visits[i], err))
            return false;
        if (visits[i].value <= 0 || visits[i].doubts & DOUBT_INTERRUPTED ||
            (step->visit_count > 0 && estimate_above_documented(&visits[i])) ||
            (step->visit_count > 0 && estimate_merit(&visits[i], step->plan->paced) < own))
            return true;
    }
    step->code = *code;
    step->size = size;
    step->visit_count = 0;
    step->visited_at_s = now_s(campaign);
    for (unsigned i = 0; i < 2; i++)
        keep_visit(campaign, step, &visits[i]);
    return true;
}

/* The widest instruction set's steps come first, so that a pass that is cut short has what matters; otherwise in the
 * plan's order, in which a relative stands before those who follow it. */
static size_t widest(const struct campaign_step *step) {
    const struct kernel *const *kernel = kernel_find(step->plan->kernel, NULL);
    return kernel && (*kernel)->isa ? (size_t)((*kernel)->isa - isa_table) : SIZE_MAX;
}

/* As far as one visit can tell by itself. */
static bool looks_undisturbed(const struct campaign_step *step) {
    return step->visit_count > 0 && estimate_uncertainty(&step->visits[0]) <= campaign_bound(step->plan);
}

static bool first_visit(struct campaign *campaign, size_t at, struct error *err) {
    tell(campaign, CAMPAIGN_FIRST, at);
    choose_first(campaign, at);
    return campaign_visit(campaign, at, err) &&
           (now_s(campaign) > campaign->began_s + SEARCH_IN_FIRST_PASS_S || !looks_undisturbed(&campaign->steps[at]) ||
            !choose_wants_variants(campaign, at) || choose_variants(campaign, at, err));
}

/* However small the budget, something is measured. */
static bool is_enough(const struct campaign *campaign) {
    return campaign_over(campaign) && (campaign->visits > 0 || stop_is_set(campaign));
}

static bool first_pass(struct campaign *campaign, struct error *err) {
    size_t top = 0;
    for (size_t i = 0; i < campaign->count; i++) {
        size_t own = widest(&campaign->steps[i]);
        if (campaign->steps[i].wanted && own < isa_vector_count && own > top)
            top = own;
    }
    bool done = true;
    for (int narrow = 0; narrow < 2; narrow++)
        for (size_t i = 0; i < campaign->count && done && !is_enough(campaign); i++)
            if (campaign->steps[i].wanted && (widest(&campaign->steps[i]) < top) == (narrow == 1))
                done = first_visit(campaign, i, err);
    return done;
}

/* Which roofs the answer rests on may change as numbers do. */
static void weigh(struct campaign *campaign) {
    struct sample *samples = calloc(campaign->count + 1, sizeof *samples);
    size_t *steps = calloc(campaign->count + 1, sizeof *steps), count = 0;
    bool *headline = calloc(campaign->count + 1, sizeof *headline);
    for (size_t i = 0; i < campaign->count; i++)
        if (campaign->steps[i].visit_count > 0) {
            update(campaign, &campaign->steps[i]); /* how visits differ here may be known better by now */
            steps[count] = i;
            samples[count++] = campaign->steps[i].number;
        }
    trust_headline(samples, count, headline);
    for (size_t i = 0; i < count; i++) {
        campaign->steps[steps[i]].headline = headline[i];
        campaign->steps[steps[i]].weight = headline[i] ? HEADLINE_WEIGHT : 1;
    }
    free(samples);
    free(steps);
    free(headline);
}

/* Whether its interval is narrow enough. */
static bool is_settled(const struct campaign *campaign, const struct campaign_step *step) {
    const double uncertainty = estimate_uncertainty(&step->number);
    const bool careful = step->headline || !step->plan->paced || step->number.documented_per_cycle <= 0 ||
                         step->number.per_cycle < DOCUMENTED * step->number.documented_per_cycle;
    if (step->visit_count == 0 || step->visit_count < campaign->options.least_visits + careful ||
        uncertainty > campaign_bound(step->plan) ||
        (estimate_above_documented(&step->number) && step->visited < HEADLINE_VISITS))
        return false;
    return !step->headline || uncertainty <= HEADLINE_BOUND || step->visited >= HEADLINE_VISITS;
}

/* Other code may be better, and the number that says so is to be trusted: disturbed numbers are too low by themselves.
 */
static bool is_improvable(const struct campaign *campaign, size_t at) {
    const struct campaign_step *step = &campaign->steps[at];
    const bool asked_for = campaign->options.every_shape && at == 0 && step->visit_count > 0;
    const bool trusted =
        step->visit_count > 1 &&
        (estimate_uncertainty(&step->number) <= 2 * campaign_bound(step->plan) || step->visited >= DISTRUSTED_VISITS);
    return (asked_for || trusted) && (choose_wants_variants(campaign, at) || choose_wants_sizes(campaign, at) ||
                                      choose_wants_follow(campaign, at) || choose_wants_shapes(campaign, at));
}

static bool improve(struct campaign *campaign, size_t at, struct error *err) {
    tell(campaign, CAMPAIGN_SEARCH, at);
    return choose_wants_variants(campaign, at) ? choose_variants(campaign, at, err)
           : choose_wants_sizes(campaign, at)  ? choose_sizes(campaign, at, err)
           : choose_wants_follow(campaign, at) ? choose_follow(campaign, at, err)
                                               : choose_shapes(campaign, at, err);
}

static double apart_s(const struct campaign_step *step) {
    return fmin(APART_MOST_S, APART_S * step->visited);
}

/* What is worth doing next: with which step, and whether to look for better code or to visit it again. */
struct next {
    size_t step; /* SIZE_MAX: nothing now */
    bool improves, all_settled;
    double worth;
};

/* By how much a visit is worth while; 0: not now. */
static double worth_of_visit(const struct campaign *campaign, const struct campaign_step *step) {
    const double over = estimate_uncertainty(&step->number) / campaign_bound(step->plan);
    const bool fresh = now_s(campaign) - step->visited_at_s < apart_s(step);
    if (step->visited == 0)
        return INFINITY;
    return fresh ? 0 : step->weight * fmin(10, fmax(over, 0.1)) / (1 + step->visited / 8.0);
}

static struct next choose_next(struct campaign *campaign) {
    struct next next = {.step = SIZE_MAX, .all_settled = true};
    const bool at_leisure = campaign->first_pass_s < LITTLE * campaign->options.budget_s;
    const double improving = at_leisure ? IMPROVING_FIRST_WORTH : IMPROVING_WORTH;
    for (size_t i = 0; i < campaign->count; i++) {
        const struct campaign_step *step = &campaign->steps[i];
        if (!step->wanted || step_is_hopeless(step))
            continue;
        const bool settled = is_settled(campaign, step),
                   improvable =
                       is_improvable(campaign, i) ||
                       ((settled || step->visited >= AGAIN_VISITS * (1 + step->searches)) && choose_again(campaign, i));
        if (settled && !improvable && !choose_follow_waits(campaign, i) && !choose_shapes_wait(campaign, i))
            continue;
        next.all_settled = false;
        const double visit = settled ? 0 : worth_of_visit(campaign, step),
                     better = improvable ? step->weight * improving / (1 + step->searches) : 0,
                     worth = fmax(visit, better);
        if (worth > next.worth)
            next = (struct next){i, better >= visit, false, worth};
    }
    return next;
}

static bool go_on(struct campaign *campaign, struct error *err) {
    for (unsigned actions = 0; !campaign_over(campaign); actions++) {
        if (actions % WEIGH_EVERY == 0)
            weigh(campaign);
        const struct next next = choose_next(campaign);
        if (next.all_settled)
            return true;
        if (next.step == SIZE_MAX) {
            tell(campaign, CAMPAIGN_WAIT, 0);
            campaign->bench->wait(campaign->bench->context, WAIT_S);
            continue;
        }
        if (next.improves) {
            if (!improve(campaign, next.step, err))
                return false;
            continue;
        }
        tell(campaign, CAMPAIGN_AGAIN, next.step);
        if (campaign->steps[next.step].visited == 0 ? !first_visit(campaign, next.step, err)
                                                    : !campaign_visit(campaign, next.step, err))
            return false;
    }
    return true;
}

bool campaign_run(struct campaign *campaign, struct error *err) {
    campaign->began_s = now_s(campaign);
    bool done = true;
    for (size_t i = 0; i < campaign->count && done; i++)
        done = kernel_find(campaign->steps[i].plan->kernel, NULL) != NULL ||
               error_set(err, "no kernel %s; `carmine kernels` lists them", campaign->steps[i].plan->kernel);
    done = done && first_pass(campaign, err);
    campaign->first_pass_s = now_s(campaign) - campaign->began_s;
    const bool whole = done && campaign->options.every_shape && campaign->steps[0].visit_count > 0;
    if (whole && choose_wants_sizes(campaign, 0) && !campaign_over(campaign))
        done = choose_sizes(campaign, 0, err);
    if (whole && done && !stop_is_set(campaign) && choose_wants_shapes(campaign, 0))
        done = choose_shapes(campaign, 0, err);
    done = done && (campaign->options.first_only || go_on(campaign, err));
    campaign->stopped = stop_is_set(campaign);
    weigh(campaign);
    tell(campaign, CAMPAIGN_DONE, 0);
    return done;
}

bool campaign_number(const struct campaign *campaign, size_t at, struct sample *out) {
    const struct campaign_step *step = &campaign->steps[at];
    if (step->visit_count == 0)
        return false;
    *out = step->number;
    out->doubts |= step->plan->doubts;
    if (!(estimate_uncertainty(out) <= campaign_bound(step->plan)))
        out->doubts |= DOUBT_UNSTABLE;
    if (estimate_above_documented(out))
        out->doubts |= DOUBT_ABOVE_DOCUMENTED;
    return true;
}

struct campaign_state campaign_state(const struct campaign *campaign) {
    struct campaign_state state = {.elapsed_s = now_s(campaign) - campaign->began_s,
                                   .left_s = fmax(0, left_s(campaign))};
    for (size_t i = 0; i < campaign->count; i++) {
        const struct campaign_step *step = &campaign->steps[i];
        if (!step->wanted)
            continue;
        state.wanted++;
        state.visited += step->visit_count > 0;
        state.settled += is_settled(campaign, step);
        state.headline += step->headline;
        state.uncertain += step->headline && !(estimate_uncertainty(&step->number) <= ESTIMATE_UNPACED_BOUND);
    }
    return state;
}
