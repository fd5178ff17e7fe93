/* SPDX-License-Identifier: BSD-3-Clause
 * The measuring policy: first pass, choice of the next action, end of the campaign. */
#include "campaign.h"
#include "campaign_thresholds.h"
#include "choose.h"
#include "doubt.h"
#include "visit.h"
#include "number_thresholds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "probe/error.h"
#include "probe/need.h"

enum { WEIGH_EVERY = 32 }; /* actions */
static const double WAIT_S = 0.02;
static const struct campaign_thresholds *const THRESHOLD = &campaign_thresholds;

double campaign_bound(const struct plan_step *step) {
    return step->paced ? number_thresholds.paced_bound.value : number_thresholds.unpaced_bound.value;
}

static size_t next_narrower(const struct campaign *campaign, size_t at) {
    size_t next = SIZE_MAX;
    for (size_t i = 0; i < campaign->count; i++)
        if (step_is_narrower(&campaign->steps[i], &campaign->steps[at]) &&
            (next == SIZE_MAX || step_is_narrower(&campaign->steps[next], &campaign->steps[i])))
            next = i;
    return next;
}

void campaign_open(struct campaign *out, const struct plan *plan, const struct campaign_bench *bench,
                   const struct campaign_options *options) {
    *out = (struct campaign){.bench = bench, .options = *options, .count = plan->count};
    out->steps = need_calloc(plan->count + 1, sizeof *out->steps);
    if (out->options.least_visits == 0)
        out->options.least_visits = (unsigned)THRESHOLD->least_visits.value;
    for (size_t i = 0; i < plan->count; i++)
        out->steps[i] = (struct campaign_step){.plan = &plan->steps[i],
                                               .wanted = true,
                                               .relative = choose_relative(plan, i),
                                               .on_more = SIZE_MAX,
                                               .weight = 1};
    for (size_t i = 0; i < plan->count; i++) {
        out->steps[i].narrower = next_narrower(out, i);
        const size_t fewer = out->steps[i].relative;
        if (fewer < plan->count && step_same_work(&out->steps[fewer], &out->steps[i]) &&
            plan->steps[fewer].threads < plan->steps[i].threads)
            out->steps[fewer].on_more = i;
    }
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

/* Judged by the first visit alone. */
static bool looks_undisturbed(const struct campaign_step *step) {
    return step->visit_count > 0 && estimate_uncertainty(&step->visits[0]) <= campaign_bound(step->plan);
}

static bool first_visit(struct campaign *campaign, size_t at, struct error *err) {
    struct campaign_step *step = &campaign->steps[at];
    visit_tell(campaign, CAMPAIGN_FIRST, at);
    choose_first(campaign, at, true);
    bool done = visit_step(campaign, at, err);
    if (done && step->advised && step->visit_count == 0 &&
        !visit_is_over(campaign)) { /* the advised code cannot run here */
        step->visited = 0;
        choose_first(campaign, at, false);
        done = visit_step(campaign, at, err);
    }
    return done &&
           (visit_now_s(campaign) > campaign->began_s + THRESHOLD->first_search_s.value || !looks_undisturbed(step) ||
            !choose_wants_variants(campaign, at) || choose_variants(campaign, at, err));
}

/* Even the smallest budget gives a measurement. */
static bool campaign_is_enough(const struct campaign *campaign) {
    const bool goes_on = campaign->visits == 0 || campaign->options.whole_pass;
    return goes_on ? visit_is_stopped(campaign) : visit_is_over(campaign);
}

/* Visits the steps of the widest instruction set first, so that a pass cut short has the important numbers. Otherwise
 * it follows the plan's order, which lists a relative before its followers. */
static bool first_pass(struct campaign *campaign, struct error *err) {
    size_t top = 0;
    for (size_t i = 0; i < campaign->count; i++) {
        size_t own = step_isa(campaign->steps[i].plan);
        if (campaign->steps[i].wanted && own < isa_vector_count && own > top)
            top = own;
    }
    bool done = true;
    for (int narrow = 0; narrow < 2; narrow++)
        for (size_t i = 0; i < campaign->count && done && !campaign_is_enough(campaign); i++)
            if (campaign->steps[i].wanted && (step_isa(campaign->steps[i].plan) < top) == (narrow == 1))
                done = first_visit(campaign, i, err);
    return done;
}

/* Which roofs are headline roofs may change with the numbers. */
static void weigh(struct campaign *campaign) {
    struct sample *samples = need_calloc(campaign->count + 1, sizeof *samples);
    size_t *steps = need_calloc(campaign->count + 1, sizeof *steps), count = 0;
    bool *headline = need_calloc(campaign->count + 1, sizeof *headline);
    for (size_t i = 0; i < campaign->count; i++)
        if (campaign->steps[i].visit_count > 0) {
            visit_combine(campaign, &campaign->steps[i]); /* more may be known by now about how visits differ here */
            steps[count] = i;
            samples[count++] = campaign->steps[i].number;
        }
    trust_headline(samples, count, headline);
    for (size_t i = 0; i < count; i++) {
        campaign->steps[steps[i]].headline = headline[i];
        campaign->steps[steps[i]].weight = headline[i] ? THRESHOLD->headline.value : 1;
    }
    free(samples);
    free(steps);
    free(headline);
}

/* The share that the step surely lacks: other cores, or other code or sizes of its cache, do more. */
static double shortfall(const struct campaign *campaign, const struct campaign_step *step) {
    return fmax(step_shortfall(campaign, step), step_outdone(campaign, step));
}

/* By what may pass: cores did less than alone, or shared a core, or lacked the cache that they share. */
static bool is_disturbed(const struct campaign *campaign, const struct campaign_step *step) {
    return shortfall(campaign, step) > 0 ||
           (!estimate_above_documented(&step->number) && estimate_counts_less(&step->number, step->plan->paced));
}

/* The interval is narrow enough. */
static bool campaign_is_settled(const struct campaign *campaign, const struct campaign_step *step) {
    const double uncertainty = estimate_uncertainty(&step->number);
    /* A number below its documented limit needs another visit. */
    const bool careful = step->headline || !step->plan->paced || step_reached(step) < THRESHOLD->enough.value;
    if (step->visit_count == 0 || step->visit_count < campaign->options.least_visits + careful ||
        uncertainty > campaign_bound(step->plan) ||
        (estimate_above_documented(&step->number) && step->visited < THRESHOLD->headline_visits.value) ||
        (is_disturbed(campaign, step) && step->visited < THRESHOLD->short_visits.value))
        return false;
    return !step->headline || uncertainty <= number_thresholds.paced_bound.value ||
           step->visited >= THRESHOLD->headline_visits.value;
}

/* Better code may exist, and the number can be trusted: a disturbed number is low whatever the code. */
static bool is_improvable(const struct campaign *campaign, size_t at) {
    const struct campaign_step *step = &campaign->steps[at];
    const bool asked_for = campaign->options.every_shape && at == 0 && step->visit_count > 0;
    const bool trusted =
        step->visit_count > 1 && (estimate_uncertainty(&step->number) <= 2 * campaign_bound(step->plan) ||
                                  step->visited >= THRESHOLD->distrusted_visits.value);
    return (asked_for || trusted) && (choose_wants_variants(campaign, at) || choose_wants_sizes(campaign, at) ||
                                      choose_wants_follow(campaign, at) || choose_wants_shapes(campaign, at));
}

static bool improve(struct campaign *campaign, size_t at, struct error *err) {
    visit_tell(campaign, CAMPAIGN_SEARCH, at);
    return choose_wants_variants(campaign, at) ? choose_variants(campaign, at, err)
           : choose_wants_sizes(campaign, at)  ? choose_sizes(campaign, at, err)
           : choose_wants_follow(campaign, at) ? choose_follow(campaign, at, err)
                                               : choose_shapes(campaign, at, err);
}

/* Settled, and no better code is in sight. */
static bool is_finished(const struct campaign *campaign, size_t at) {
    return campaign_is_settled(campaign, &campaign->steps[at]) && !is_improvable(campaign, at) &&
           !choose_follow_waits(campaign, at) && !choose_shapes_wait(campaign, at);
}

static double apart_s(const struct campaign_step *step) {
    return fmin(THRESHOLD->apart_most_s.value, THRESHOLD->apart_s.value * step->visited);
}

/* The next action: a step, and whether to search for better code or to visit again. */
struct next {
    size_t step; /* SIZE_MAX: none at present */
    bool improves, all_settled;
    double worth;
};

/* The disturbance outlasts this campaign: more visits would not narrow the interval. */
static bool is_in_vain(const struct campaign *campaign, const struct campaign_step *step) {
    return step->visit_count > 0 && step->visited >= step->narrowed_at + THRESHOLD->vain_visits.value &&
           (step->visited >= THRESHOLD->short_visits.value || !is_disturbed(campaign, step));
}

/* Value of another visit; 0: none at present. */
static double worth_of_visit(const struct campaign *campaign, const struct campaign_step *step) {
    const double over =
        fmax(estimate_uncertainty(&step->number), shortfall(campaign, step)) / campaign_bound(step->plan);
    const bool fresh = visit_now_s(campaign) - step->visited_at_s < apart_s(step);
    if (step->visited == 0)
        return INFINITY;
    const double counts = fmin(THRESHOLD->most_over.value, fmax(over, THRESHOLD->least_over.value));
    return fresh ? 0 : step->weight * counts / (1 + step->visited / THRESHOLD->worn.value);
}

/* Under idle scheduling a visit to memory takes seconds, others milliseconds. */
static bool is_too_long(const struct campaign *campaign, const struct campaign_step *step) {
    return step->took_s > visit_left_s(campaign);
}

static struct next choose_next(struct campaign *campaign) {
    struct next next = {.step = SIZE_MAX, .all_settled = true};
    const bool at_leisure = campaign->first_pass_s < THRESHOLD->leisure.value * campaign->options.budget_s;
    const double improving = at_leisure ? THRESHOLD->search_first.value : THRESHOLD->search.value;
    for (size_t i = 0; i < campaign->count; i++) {
        const struct campaign_step *step = &campaign->steps[i];
        if (!step->wanted || step_is_hopeless(step) || is_too_long(campaign, step))
            continue;
        const bool in_vain = is_in_vain(campaign, step), settled = in_vain || campaign_is_settled(campaign, step),
                   improvable = is_improvable(campaign, i) ||
                                ((settled || step->visited >= THRESHOLD->again_visits.value * (1 + step->searches)) &&
                                 choose_again(campaign, i));
        if (settled && !improvable &&
            (in_vain || (!choose_follow_waits(campaign, i) && !choose_shapes_wait(campaign, i))))
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

static bool campaign_go_on(struct campaign *campaign, struct error *err) {
    for (unsigned actions = 0; !visit_is_over(campaign); actions++) {
        if (actions % WEIGH_EVERY == 0)
            weigh(campaign);
        const struct next next = choose_next(campaign);
        if (next.all_settled)
            return true;
        if (next.step == SIZE_MAX) {
            visit_tell(campaign, CAMPAIGN_WAIT, 0);
            campaign->bench->wait(campaign->bench->context, WAIT_S);
            continue;
        }
        if (next.improves) {
            if (!improve(campaign, next.step, err))
                return false;
            continue;
        }
        visit_tell(campaign, CAMPAIGN_AGAIN, next.step);
        if (campaign->steps[next.step].visited == 0 ? !first_visit(campaign, next.step, err)
                                                    : !visit_step(campaign, next.step, err))
            return false;
    }
    return true;
}

static double taken_s(const struct campaign *campaign) {
    return campaign->bench->taken_s ? campaign->bench->taken_s(campaign->bench->context) : 0;
}

/* The time that the scheduler gave to other programs might have changed the step's number. */
static bool lacks_time(const struct campaign *campaign, size_t at) {
    const double share = (taken_s(campaign) - campaign->taken_before_s) / (visit_now_s(campaign) - campaign->began_s);
    return share > number_thresholds.taken.value && !step_is_hopeless(&campaign->steps[at]) &&
           !is_finished(campaign, at);
}

bool campaign_run(struct campaign *campaign, struct error *err) {
    campaign->began_s = visit_now_s(campaign);
    campaign->taken_before_s = taken_s(campaign);
    bool done = true;
    for (size_t i = 0; i < campaign->count && done; i++)
        done = kernel_find(campaign->steps[i].plan->kernel, NULL) != NULL ||
               error_set(err, "no kernel %s; `carmine kernels` lists them", campaign->steps[i].plan->kernel);
    done = done && first_pass(campaign, err);
    campaign->first_pass_s = visit_now_s(campaign) - campaign->began_s;
    const bool whole = done && campaign->options.every_shape && campaign->steps[0].visit_count > 0;
    if (whole && choose_wants_sizes(campaign, 0) && !visit_is_over(campaign))
        done = choose_sizes(campaign, 0, err);
    if (whole && done && !visit_is_stopped(campaign) && choose_wants_shapes(campaign, 0))
        done = choose_shapes(campaign, 0, err);
    done = done && (campaign->options.first_only || campaign_go_on(campaign, err));
    campaign->stopped = visit_is_stopped(campaign);
    weigh(campaign);
    visit_tell(campaign, CAMPAIGN_DONE, 0);
    return done;
}

/* Possible gain of a step with a single visit: up to the documented limit, or `unsearched` without one. One visit may
 * be disturbed whatever is known about its code. */
static double single_visit_gain(const struct campaign_step *step) {
    const double reached = step_reached(step);
    return step->visit_count != 1 ? 0 : reached > 0 ? fmax(0, 1 / reached - 1) : number_thresholds.unsearched.value;
}

/* Adds independent relative uncertainties to both ends of the interval; also for latencies. */
static void campaign_widen(struct sample *number, double down, double up) {
    number->low = number->value * (1 - fmin(1, hypot(1 - number->low / number->value, down)));
    number->high = number->value * (1 + hypot(number->high / number->value - 1, up));
}

/* What outdoes a step may be its true value, and so may a single faster visit at a larger size: the share by which the
 * interval has to reach up. */
static double seen_above(const struct campaign_step *step, double outdone) {
    const struct sample *number = &step->number;
    const bool paced = step->plan->paced && number->per_cycle > 0;
    const double own = paced ? 1 : number->high / number->value, above = outdone > 0 ? own / (1 - outdone) - 1 : 0;
    return fmax(above, paced ? step->seen[0] / number->per_cycle - 1 : 0);
}

bool campaign_number(const struct campaign *campaign, size_t at, struct sample *out) {
    const struct campaign_step *step = &campaign->steps[at];
    if (step->visit_count == 0)
        return false;
    *out = step->number;
    doubts_join(&out->doubts, step->plan->doubts);
    visit_judge_together(campaign, step->plan, out);
    if (!(estimate_uncertainty(out) <= campaign_bound(step->plan)))
        doubts_add(&out->doubts, DOUBT_UNSTABLE);
    if (estimate_above_documented(out))
        doubts_add(&out->doubts, DOUBT_ABOVE_DOCUMENTED);
    const bool disturbed = lacks_time(campaign, at);
    doubts_add_if(&out->doubts, disturbed || step_shortfall(campaign, step) > 0, DOUBT_CORE_SHARED);
    const double outdone = step_outdone(campaign, step);
    doubts_add_if(&out->doubts, outdone > 0, DOUBT_OUTDONE);
    if (step_below_one_core(campaign, step, disturbed))
        sample_blank(out);
    const double clock = step->plan->paced && out->per_cycle > 0 ? visit_clock_moves(campaign, step) : 0;
    if (out->value > 0) {
        campaign_widen(out, clock, clock);
        campaign_widen(out, 0, single_visit_gain(step));
        campaign_widen(out, 0, disturbed && !step->plan->paced ? number_thresholds.others_take.value : 0);
        campaign_widen(out, 0, seen_above(step, outdone));
    }
    return true;
}

struct campaign_state campaign_state(const struct campaign *campaign) {
    struct campaign_state state = {.elapsed_s = visit_now_s(campaign) - campaign->began_s,
                                   .left_s = fmax(0, visit_left_s(campaign))};
    for (size_t i = 0; i < campaign->count; i++) {
        const struct campaign_step *step = &campaign->steps[i];
        if (!step->wanted)
            continue;
        state.wanted++;
        state.visited += step->visit_count > 0;
        state.settled += campaign_is_settled(campaign, step);
        state.headline += step->headline;
        state.uncertain +=
            step->headline && !(estimate_uncertainty(&step->number) <= number_thresholds.unpaced_bound.value);
    }
    return state;
}
