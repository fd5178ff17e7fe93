/* SPDX-License-Identifier: BSD-3-Clause
 * Visits of a campaign and their cost; a step's limits and relatives. */
#include "visit.h"
#include "campaign_thresholds.h"
#include "doubt.h"
#include "number_thresholds.h"
#include "together.h"
#include "probe/machine.h"
#include "probe/stop.h"

#include <math.h>
#include <string.h>

enum { VISIT_REPETITIONS = 32, SEGMENTS_PER_VISIT = 16, TRY_REPETITIONS = 8 };
enum { NEEDED = 2 }; /* visits in which a challenger must be better */
static const double TRY_REPETITION_S = 100e-6, TRY_LIMIT_S = 5e-3, VISIT_LIMIT_S = 30e-3;
/* Lower quartile of the difference of two normally distributed values, in standard deviations. */
static const double DIFFERENCE_OF_NORMALS = 0.451;
static const double ONE_OF_TWO = 0.707; /* the difference of two equally scattered values is larger by 1/0.707 */
static const struct campaign_thresholds *const THRESHOLD = &campaign_thresholds;

double visit_now_s(const struct campaign *campaign) {
    return campaign->bench->now_s(campaign->bench->context);
}

bool visit_is_stopped(const struct campaign *campaign) {
    return stop_requested(campaign->bench->stop);
}

double visit_left_s(const struct campaign *campaign) {
    return campaign->began_s + campaign->options.budget_s - visit_now_s(campaign);
}

bool visit_is_over(const struct campaign *campaign) {
    return visit_is_stopped(campaign) || visit_left_s(campaign) <= campaign->visit_s;
}

/* A search may have to end between two visits; that of the whole map counts its own. */
static bool search_is_over(const struct campaign *campaign) {
    return visit_is_over(campaign) && !campaign->options.every_shape;
}

void visit_tell(const struct campaign *campaign, enum campaign_doing doing, size_t step) {
    if (campaign->options.progress)
        campaign->options.progress(campaign->options.progress_context, campaign, doing, step);
}

/* The difference that nine of ten do not exceed; 0 if too few are known. Also the lower quartile: half of them may be
 * disturbed. */
static double usual_difference(const struct campaign_differences *seen, double *quartile) {
    double sorted[CAMPAIGN_DIFFERENCES];
    const size_t count = seen->count < CAMPAIGN_DIFFERENCES ? seen->count : CAMPAIGN_DIFFERENCES;
    memcpy(sorted, seen->of, count * sizeof *sorted);
    *quartile = sample_statistics(sorted, count).q1; /* sorts */
    return (double)count < number_thresholds.few_differences.value
               ? 0
               : sorted[(size_t)(number_thresholds.usual.value * (double)(count - 1))];
}

static struct estimate_habit habit_of(const struct campaign *campaign, bool paced) {
    const struct campaign_differences *seen = &campaign->differences[paced];
    double quartile;
    const struct number_thresholds *t = &number_thresholds;
    const double usual = usual_difference(seen, &quartile),
                 least = paced ? t->paced_alone_least.value : t->unpaced_alone_least.value,
                 most = paced ? t->paced_deviation.value : t->unpaced_deviation.value;
    return (double)seen->count < t->few_differences.value
               ? (struct estimate_habit){0}
               : (struct estimate_habit){.alone = fmin(t->alone_most.value, fmax(least, usual)),
                                         .deviation = fmin(most, quartile / DIFFERENCE_OF_NORMALS)};
}

static void visit_note(struct campaign_differences *seen, double a, double b) {
    if (a > 0 && b > 0)
        seen->of[seen->count++ % CAMPAIGN_DIFFERENCES] = fabs(a - b) / fmax(a, b);
}

/* The two visits of a challenge follow each other directly: they are not noted. */
static void note_differences(struct campaign *campaign, const struct campaign_step *step) {
    const bool paced = step->plan->paced;
    const struct sample *first = &step->visits[0], *last = &step->visits[step->visit_count - 1];
    const bool alike = doubts_has(first->doubts, DOUBT_CORES_APART) == doubts_has(last->doubts, DOUBT_CORES_APART);
    if (step->visit_count == 2 && alike)
        visit_note(&campaign->differences[paced], estimate_merit(first, paced), estimate_merit(last, paced));
    if (step->visit_count > 1 && paced)
        visit_note(&campaign->clocks, first->clock_hz, last->clock_hz);
}

double visit_clock_moves(const struct campaign *campaign, const struct campaign_step *step) {
    double least_hz = INFINITY, most_hz = 0, quartile;
    for (unsigned i = 0; i < step->visit_count; i++) {
        least_hz = step->visits[i].clock_hz > 0 ? fmin(least_hz, step->visits[i].clock_hz) : least_hz;
        most_hz = fmax(most_hz, step->visits[i].clock_hz);
    }
    const double own = most_hz > 0 ? 1 - least_hz / most_hz : 0;
    return fmin(number_thresholds.alone_most.value, fmax(own, usual_difference(&campaign->clocks, &quartile))) *
           ONE_OF_TWO;
}

void visit_combine(struct campaign *campaign, struct campaign_step *step) {
    estimate_combine(&step->number, step->visits, step->visit_count, step->plan->paced,
                     habit_of(campaign, step->plan->paced));
}

/* Notes the visit that narrowed the interval by a tenth. New code starts again. */
static void note_gain(struct campaign_step *step) {
    const double uncertainty = estimate_uncertainty(&step->number);
    if (step->visit_count < 2 || uncertainty < THRESHOLD->gained.value * step->narrowest) {
        step->narrowest = uncertainty;
        step->narrowed_at = step->visited;
    }
}

/* A full list drops a visit that counts less, else the lowest one: disturbances lower numbers. */
static void keep_visit(struct campaign *campaign, struct campaign_step *step, const struct sample *visit) {
    unsigned at = step->visit_count;
    if (at == ESTIMATE_MAX_VISITS) {
        at = 0;
        for (unsigned i = 1; i < ESTIMATE_MAX_VISITS; i++)
            if (estimate_is_lower(&step->visits[i], &step->visits[at], step->plan->paced))
                at = i;
    } else {
        step->visit_count++;
    }
    step->visits[at] = *visit;
    visit_combine(campaign, step);
    note_gain(step);
}

struct campaign_trial visit_trial(const struct plan_step *step, const struct campaign_code *code, uint64_t bytes,
                                  bool brief) {
    const unsigned most = step->memory ? SEGMENTS_PER_VISIT : VISIT_REPETITIONS;
    return (struct campaign_trial){
        .step = step,
        .code = *code,
        .bytes = bytes,
        .repetitions = brief                      ? TRY_REPETITIONS
                       : step->repetitions < most ? step->repetitions
                                                  : most,
        .repetition_s = brief ? fmin(TRY_REPETITION_S, step->repetition_s) : step->repetition_s,
        .limit_s = brief ? TRY_LIMIT_S : VISIT_LIMIT_S,
        .brief = brief,
    };
}

/* Under a quota a visit of 13 ms takes half a second. The expected cost is an average of the latest visits. */
static void note_cost(struct campaign *campaign, double took_s) {
    campaign->visit_s = campaign->visit_s > 0
                            ? campaign->visit_s + THRESHOLD->latest_cost.value * (took_s - campaign->visit_s)
                            : took_s;
}

bool visit_fits(const struct campaign_code *code, uint64_t bytes) {
    return code->width > 0 ? shapes_fit(code->kernel, code->width, code->unroll, bytes)
                           : bytes == 0 || code->kernel->block_bytes <= bytes;
}

/* The shortest one of all visits to the same cores. */
static double visit_least_handover_s(const struct campaign *campaign, const struct plan_step *step) {
    double least_s = INFINITY;
    for (size_t i = 0; i < campaign->count; i++) {
        const struct campaign_step *other = &campaign->steps[i];
        if (other->least_handover_s > 0 && other->plan->threads == step->threads &&
            other->plan->core_kind == step->core_kind && team_same_place(&other->plan->place, &step->place))
            least_s = fmin(least_s, other->least_handover_s);
    }
    return isfinite(least_s) ? least_s : 0;
}

/* Of the outermost cache; 0: unknown. */
static double shared_latency_s(const struct campaign *campaign) {
    double latency_s = 0;
    for (size_t i = 0; i < campaign->count; i++) {
        const struct plan_step *step = campaign->steps[i].plan;
        if (step->kind == SAMPLE_LATENCY && !step->paced && !step->memory && campaign->steps[i].number.value > 0)
            latency_s = campaign->steps[i].number.value;
    }
    return latency_s;
}

void visit_judge_together(const struct campaign *campaign, const struct plan_step *step, struct sample *visit) {
    const bool apart =
        visit->handover_s > 0 &&
        together_is_apart(visit->handover_s, visit_least_handover_s(campaign, step), shared_latency_s(campaign));
    doubts_add_if(&visit->doubts, apart, DOUBT_CORES_APART);
}

/* Judges all earlier visits again: this one may be the first whose cores share their cache. */
static void judge_again(struct campaign *campaign) {
    for (size_t i = 0; i < campaign->count; i++) {
        struct campaign_step *step = &campaign->steps[i];
        for (unsigned k = 0; k < step->visit_count; k++)
            visit_judge_together(campaign, step->plan, &step->visits[k]);
        if (step->visit_count > 0 && step->least_handover_s > 0)
            visit_combine(campaign, step);
    }
}

static void note_together(struct campaign *campaign, struct campaign_step *step, struct sample *visit) {
    if (!(visit->handover_s > 0))
        return;
    const bool sooner = together_is_apart(visit_least_handover_s(campaign, step->plan), visit->handover_s, 0);
    if (!(step->least_handover_s > 0 && step->least_handover_s < visit->handover_s))
        step->least_handover_s = visit->handover_s;
    if (sooner)
        judge_again(campaign);
    visit_judge_together(campaign, step->plan, visit);
    campaign->handed++;
    campaign->apart += doubts_has(visit->doubts, DOUBT_CORES_APART);
}

static bool pay(struct campaign *campaign, struct campaign_step *step, const struct campaign_code *code, unsigned size,
                bool brief, struct sample *out, struct error *err) {
    const struct campaign_trial trial =
        visit_trial(step->plan, code, step->plan->size_count ? step->plan->size_bytes[size] : 0, brief);
    *out = (struct sample){0};
    if (visit_is_stopped(campaign) || !machine_has(campaign->bench->machine, code->kernel->needs) ||
        !visit_fits(code, trial.bytes))
        return true;
    const double began_s = visit_now_s(campaign);
    const bool done = campaign->bench->measure(campaign->bench->context, &trial, out, err);
    campaign->visits++;
    note_together(campaign, step, out);
    campaign->disturbed = doubts_any(doubts_common(out->doubts, DOUBTS(DOUBT_SIBLING_BUSY, DOUBT_CORES_APART)));
    const double took_s = visit_now_s(campaign) - began_s;
    if (!brief)
        note_cost(campaign, took_s);
    step->took_s = fmax(step->took_s, took_s);
    return done;
}

bool visit_step(struct campaign *campaign, size_t at, struct error *err) {
    struct campaign_step *step = &campaign->steps[at];
    struct sample visit;
    if (!pay(campaign, step, &step->code, step->size, false, &visit, err))
        return false;
    step->visited++;
    step->visited_at_s = visit_now_s(campaign);
    if (visit.value > 0 && !doubts_has(visit.doubts, DOUBT_INTERRUPTED)) { /* an incomplete visit does not count */
        keep_visit(campaign, step, &visit);
        note_differences(campaign, step);
    }
    return true;
}

bool visit_try(struct campaign *campaign, size_t at, const struct campaign_code *code, unsigned size, double *merit,
               struct error *err) {
    struct campaign_step *step = &campaign->steps[at];
    double merits[3] = {0};
    *merit = 0;
    visit_tell(campaign, CAMPAIGN_SEARCH, at);
    for (unsigned i = 0; i < 3 && !search_is_over(campaign); i++) {
        struct sample sample;
        if (!pay(campaign, step, code, size, true, &sample, err))
            return false;
        if (sample.value <= 0 || doubts_has(sample.doubts, DOUBT_INTERRUPTED))
            return true;
        merits[i] = estimate_merit(&sample, step->plan->paced);
        if (i == 1 && fabs(merits[0] / merits[1] - 1) < THRESHOLD->tries_agree.value) {
            *merit = fmax(merits[0], merits[1]);
            return true;
        }
    }
    *merit = sample_median_of_three(merits[0], merits[1], merits[2]); /* 0 if time was over */
    return true;
}

/* A larger size of a private cache, which no inner level makes faster. There some cores read fast from time to time. */
static bool is_larger(const struct campaign_step *step, unsigned size) {
    return step->plan->paced && step->plan->kind == SAMPLE_BANDWIDTH && size > step->size;
}

static void note_larger(struct campaign_step *step, double merit) {
    if (merit > step->seen[1]) {
        step->seen[1] = fmin(merit, step->seen[0]);
        step->seen[0] = fmax(merit, step->seen[0]);
    }
}

bool visit_challenge(struct campaign *campaign, size_t at, const struct campaign_code *code, unsigned size,
                     struct error *err) {
    struct campaign_step *step = &campaign->steps[at];
    struct sample visits[NEEDED], visit;
    const bool larger = is_larger(step, size), first = step->visit_count == 0;
    const double own = estimate_merit(&step->number, step->plan->paced) * (1 + THRESHOLD->better.value);
    unsigned better = 0;
    for (unsigned worse = 0; better < NEEDED;) { /* one lucky visit is not enough */
        if (search_is_over(campaign))
            return true;
        if (!pay(campaign, step, code, size, false, &visit, err))
            return false;
        const bool alike =
            first || doubts_has(visit.doubts, DOUBT_CORES_APART) == doubts_has(step->number.doubts, DOUBT_CORES_APART);
        if (visit.value <= 0 || doubts_has(visit.doubts, DOUBT_INTERRUPTED) || !alike ||
            (!first && estimate_above_documented(&visit)))
            return true;
        const double merit = estimate_merit(&visit, step->plan->paced);
        if (larger)
            note_larger(step, merit);
        if (first || merit >= own)
            visits[better++] = visit;
        else if (++worse > (larger ? THRESHOLD->larger_worse.value : 0))
            return true;
    }
    step->code = *code;
    step->size = size;
    step->visit_count = 0;
    step->visited_at_s = visit_now_s(campaign);
    for (unsigned i = 0; i < NEEDED; i++)
        keep_visit(campaign, step, &visits[i]);
    return true;
}

/* A step from the point of view of the choice of its code. */

bool step_is_hopeless(const struct campaign_step *step) {
    return step->visit_count == 0 && step->visited >= THRESHOLD->hopeless_visits.value;
}

bool step_same_code(const struct campaign_code *a, const struct campaign_code *b) {
    return a->kernel == b->kernel && a->width == b->width && a->unroll == b->unroll;
}

bool step_same_kind_of_place(const struct plan_step *a, const struct plan_step *b) {
    return a->level == b->level && a->memory == b->memory && (a->size_count > 0) == (b->size_count > 0);
}

bool step_same_work(const struct campaign_step *a, const struct campaign_step *b) {
    return a->plan->paced && strcmp(a->plan->kernel, b->plan->kernel) == 0 &&
           a->plan->core_kind == b->plan->core_kind && a->plan->place.smt == b->plan->place.smt;
}

const struct kernel *const *step_variants_of(const struct campaign_step *step, size_t *count) {
    *count = 0;
    return kernel_find(step->plan->kernel, count);
}

const struct campaign_step *step_relative_of(const struct campaign *campaign, const struct campaign_step *step) {
    const struct campaign_step *relative = step->relative < campaign->count ? &campaign->steps[step->relative] : NULL;
    return relative && relative->wanted && !step_is_hopeless(relative) ? relative : NULL;
}

bool step_searches_everything(const struct campaign *campaign, size_t at) {
    return campaign->options.every_shape && at == 0;
}

double step_reached(const struct campaign_step *step) {
    const struct sample *number = &step->number;
    return number->documented_per_cycle > 0 ? number->per_cycle / number->documented_per_cycle : 0;
}

static bool shares_its_level(const struct campaign *campaign, const struct plan_step *step) {
    const struct machine *machine = campaign->bench->machine;
    if (step->level == PLAN_REGISTERS)
        return false;
    for (unsigned k = 0; k < machine->kind_count; k++)
        if ((step->core_kind == TEAM_ANY_KIND || step->core_kind == (int)k) &&
            machine->kinds[k].caches[step->level].sharing_core_count > 1)
            return true;
    return false;
}

/* The share by which the step does less per cycle and core than the other, if that is more than usual. */
static double lacks(const struct campaign_step *step, const struct campaign_step *other) {
    if (other->number.per_cycle <= 0 || step->number.per_cycle <= 0)
        return 0;
    const double lacks = 1 - step->number.per_cycle / other->number.per_cycle;
    const bool same = step_same_code(&other->code, &step->code) && other->size == step->size;
    return lacks > (same ? THRESHOLD->short_of_same : THRESHOLD->short_of_other).value ? lacks : 0;
}

/* The same kernel on fewer cores, none of which shares the step's level; NULL: there is none. */
static const struct campaign_step *on_fewer(const struct campaign *campaign, const struct campaign_step *step) {
    const struct campaign_step *fewer = step_relative_of(campaign, step);
    const bool known = fewer && step_same_work(fewer, step) && fewer->plan->threads < step->plan->threads;
    return known && !shares_its_level(campaign, step->plan) ? fewer : NULL;
}

double step_shortfall(const struct campaign *campaign, const struct campaign_step *step) {
    const struct campaign_step *fewer = on_fewer(campaign, step),
                               *more = step->on_more < campaign->count ? &campaign->steps[step->on_more] : NULL;
    if (shares_its_level(campaign, step->plan)) /* memory is no level of a core */
        return 0;
    return fmax(fewer ? lacks(step, fewer) : 0, more ? lacks(step, more) : 0);
}

size_t step_isa(const struct plan_step *step) {
    const struct kernel *const *kernel = kernel_find(step->kernel, NULL);
    return kernel && (*kernel)->isa ? (size_t)((*kernel)->isa - isa_table) : SIZE_MAX;
}

/* The same kind of number in the same level and place. */
static bool same_spot(const struct plan_step *a, const struct plan_step *b) {
    return a->kind == b->kind && a->level == b->level && a->core_kind == b->core_kind &&
           a->small_pages == b->small_pages && team_same_place(&a->place, &b->place);
}

bool step_is_narrower(const struct campaign_step *narrower, const struct campaign_step *step) {
    const struct plan_step *a = narrower->plan, *b = step->plan;
    return b->kind != SAMPLE_LATENCY && same_spot(a, b) && a->threads == b->threads && strchr(a->kernel, '.') &&
           strchr(b->kernel, '.') && strcmp(strchr(a->kernel, '.'), strchr(b->kernel, '.')) == 0 &&
           step_isa(a) < step_isa(b) && step_isa(b) < isa_vector_count;
}

double step_outdone(const struct campaign *campaign, const struct campaign_step *step) {
    const bool paced = step->plan->paced;
    const double own = paced ? step->number.per_cycle : step->number.high;
    double most = fmax(paced ? step->seen[1] : 0, step->plan->swept);
    for (size_t i = step->narrower; i < campaign->count; i = campaign->steps[i].narrower) {
        const struct sample *other = &campaign->steps[i].number;
        most = fmax(most, paced ? other->per_cycle : other->low);
    }
    return own > 0 && step_reached(step) < THRESHOLD->enough.value && own < (1 - THRESHOLD->short_of_same.value) * most
               ? 1 - own / most
               : 0;
}

/* The most that fewer threads reach with the same kernel in the same level, which is shared; 0: unknown. */
static double most_on_fewer(const struct campaign *campaign, const struct plan_step *step) {
    double most = 0;
    for (size_t i = 0; i < campaign->count; i++) {
        const struct plan_step *other = campaign->steps[i].plan;
        if (same_spot(other, step) && other->threads < step->threads && strcmp(other->kernel, step->kernel) == 0)
            most = fmax(most, campaign->steps[i].number.value);
    }
    return most;
}

bool step_below_one_core(const struct campaign *campaign, const struct campaign_step *step, bool disturbed) {
    const struct campaign_step *fewer = on_fewer(campaign, step);
    const struct sample *own = &step->number;
    if (own->kind == SAMPLE_LATENCY || !(own->per_cycle > 0))
        return false;
    if (!step->plan->paced)
        return disturbed && own->value < (1 - THRESHOLD->short_of_other.value) * most_on_fewer(campaign, step->plan);
    return fewer && own->per_cycle * sample_cores(own) <
                        (1 - THRESHOLD->short_of_same.value) * fewer->number.per_cycle * sample_cores(&fewer->number);
}

bool step_may_gain(const struct campaign *campaign, const struct campaign_step *step) {
    const double share = step_reached(step);
    return share > 0 ? share < THRESHOLD->enough.value : step_relative_of(campaign, step) == NULL;
}
